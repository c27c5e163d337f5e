"""Sensors, by the stage after which they can be computed: position, velocity, acceleration.

Specification: XML reference, sensor. Each stage writes its sensors into data.sensordata and applies their
cutoffs.
"""

from __future__ import annotations

from kinetree.engine.dynamics.constraint.post_constraint import contact_force
from kinetree.engine.dynamics.position.contact_side import side_body
from kinetree.engine.dynamics.position.frames import acceleration, orientation, position, quaternion, velocity
from kinetree.engine.dynamics.position.jacobian import arm_of
from kinetree.engine.dynamics.sensor.ray import ray_hits_site
from kinetree.engine.dynamics.sensor.values import cut_off, put3
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import (
    add3,
    cross3,
    load3,
    load6,
    load9,
    mulmatT3,
    mulquat,
    negquat,
    normalize4,
    scale3,
    sub3,
)
from kinetree.engine.model import enums


@small
def _limit_row(data, kind, i):
    """The constraint row of a joint's or tendon's limit, -1 where it is not active."""
    for row in range(data.ne + data.nf, data.ne + data.nf + data.nl):
        if data.efc_type[row] == kind and data.efc_id[row] == i:
            return row
    return -1


@kernel
def sensor_pos(model, data):
    if model.opt_disableflags & enums.DSBL_SENSOR:
        return
    for i in range(model.nsensor):
        if model.sensor_needstage[i] != enums.STAGE_POS:
            continue
        kind = model.sensor_type[i]
        adr, obj, what = model.sensor_adr[i], model.sensor_objid[i], model.sensor_objtype[i]
        out = data.sensordata
        if kind == enums.SENS_JOINTPOS:
            out[adr] = data.qpos[model.jnt_qposadr[obj]]
        elif kind == enums.SENS_TENDONPOS:
            out[adr] = data.ten_length[obj]
        elif kind == enums.SENS_ACTUATORPOS:
            out[adr] = data.actuator_length[obj]
        elif kind == enums.SENS_BALLQUAT:
            q = model.jnt_qposadr[obj]
            turn = normalize4((data.qpos[q], data.qpos[q + 1], data.qpos[q + 2], data.qpos[q + 3]))
            out[adr], out[adr + 1], out[adr + 2], out[adr + 3] = turn
        elif kind == enums.SENS_JOINTLIMITPOS or kind == enums.SENS_TENDONLIMITPOS:
            row = _limit_row(
                data, enums.CNSTR_LIMIT_JOINT if kind == enums.SENS_JOINTLIMITPOS else enums.CNSTR_LIMIT_TENDON, obj
            )
            out[adr] = 0.0 if row < 0 else data.efc_pos[row] - data.efc_margin[row]
        elif kind == enums.SENS_MAGNETOMETER:
            field = (model.opt_magnetic[0], model.opt_magnetic[1], model.opt_magnetic[2])
            put3(data, adr, mulmatT3(load9(data.site_xmat, obj), field))
        elif kind == enums.SENS_FRAMEPOS:
            pos = position(data, what, obj)
            ref = model.sensor_refid[i]
            if ref >= 0:
                kind_ref = model.sensor_reftype[i]
                pos = mulmatT3(orientation(data, kind_ref, ref), sub3(pos, position(data, kind_ref, ref)))
            put3(data, adr, pos)
        elif kind == enums.SENS_FRAMEQUAT:
            turn = quaternion(model, data, what, obj)
            ref = model.sensor_refid[i]
            if ref >= 0:
                turn = mulquat(negquat(quaternion(model, data, model.sensor_reftype[i], ref)), turn)
            out[adr], out[adr + 1], out[adr + 2], out[adr + 3] = turn
        elif enums.SENS_FRAMEXAXIS <= kind <= enums.SENS_FRAMEZAXIS:
            m = orientation(data, what, obj)
            k = kind - enums.SENS_FRAMEXAXIS
            axis = (m[0], m[3], m[6]) if k == 0 else ((m[1], m[4], m[7]) if k == 1 else (m[2], m[5], m[8]))
            ref = model.sensor_refid[i]
            if ref >= 0:
                axis = mulmatT3(orientation(data, model.sensor_reftype[i], ref), axis)
            put3(data, adr, axis)
        elif kind == enums.SENS_SUBTREECOM:
            put3(data, adr, load3(data.subtree_com, obj))
        elif kind == enums.SENS_CLOCK:
            out[adr] = data.time
        elif kind == enums.SENS_E_POTENTIAL:
            out[adr] = data.energy[0]
        elif kind == enums.SENS_E_KINETIC:
            out[adr] = data.energy[1]
        cut_off(model, data, i)


@kernel
def sensor_vel(model, data):
    if model.opt_disableflags & enums.DSBL_SENSOR:
        return
    for i in range(model.nsensor):
        if model.sensor_needstage[i] != enums.STAGE_VEL:
            continue
        kind = model.sensor_type[i]
        adr, obj, what = model.sensor_adr[i], model.sensor_objid[i], model.sensor_objtype[i]
        out = data.sensordata
        if kind == enums.SENS_JOINTVEL:
            out[adr] = data.qvel[model.jnt_dofadr[obj]]
        elif kind == enums.SENS_TENDONVEL:
            out[adr] = data.ten_velocity[obj]
        elif kind == enums.SENS_ACTUATORVEL:
            out[adr] = data.actuator_velocity[obj]
        elif kind == enums.SENS_BALLANGVEL:
            for k in range(3):
                out[adr + k] = data.qvel[model.jnt_dofadr[obj] + k]
        elif kind == enums.SENS_JOINTLIMITVEL or kind == enums.SENS_TENDONLIMITVEL:
            row = _limit_row(
                data, enums.CNSTR_LIMIT_JOINT if kind == enums.SENS_JOINTLIMITVEL else enums.CNSTR_LIMIT_TENDON, obj
            )
            out[adr] = 0.0 if row < 0 else data.efc_vel[row]
        elif kind == enums.SENS_VELOCIMETER or kind == enums.SENS_GYRO:
            angular, linear = velocity(model, data, enums.OBJ_SITE, obj)
            put3(
                data,
                adr,
                mulmatT3(load9(data.site_xmat, obj), linear if kind == enums.SENS_VELOCIMETER else angular),
            )
        elif kind == enums.SENS_FRAMELINVEL or kind == enums.SENS_FRAMEANGVEL:
            angular, linear = velocity(model, data, what, obj)
            ref = model.sensor_refid[i]
            if ref >= 0:
                kind_ref = model.sensor_reftype[i]
                turning, moving = velocity(model, data, kind_ref, ref)
                arm = sub3(position(data, what, obj), position(data, kind_ref, ref))
                mat = orientation(data, kind_ref, ref)
                linear = mulmatT3(mat, sub3(sub3(linear, moving), cross3(turning, arm)))
                angular = mulmatT3(mat, sub3(angular, turning))
            put3(data, adr, linear if kind == enums.SENS_FRAMELINVEL else angular)
        elif kind == enums.SENS_SUBTREELINVEL:
            put3(data, adr, load3(data.subtree_linvel, obj))
        elif kind == enums.SENS_SUBTREEANGMOM:
            put3(data, adr, load3(data.subtree_angmom, obj))
        cut_off(model, data, i)


@small
def _touch(model, data, site):
    """Sum of normal forces of the contacts of the site's body whose normal ray meets the site's volume."""
    body = model.site_bodyid[site]
    total = 0.0
    for c in range(data.ncon):
        first, second = side_body(model, data, c, 0), side_body(model, data, c, 1)
        if first != body and second != body:
            continue
        force, _ = contact_force(data, c)
        if force[0] <= 0.0:
            continue
        normal = (data.contact_frame[c, 0], data.contact_frame[c, 1], data.contact_frame[c, 2])
        if second == body:
            normal = scale3(normal, -1.0)
        if ray_hits_site(model, data, site, load3(data.contact_pos, c), normal):
            total += force[0]
    return total


@kernel
def sensor_acc(model, data):
    if model.opt_disableflags & enums.DSBL_SENSOR:
        return
    for i in range(model.nsensor):
        if model.sensor_needstage[i] != enums.STAGE_ACC:
            continue
        kind = model.sensor_type[i]
        adr, obj, what = model.sensor_adr[i], model.sensor_objid[i], model.sensor_objtype[i]
        out = data.sensordata
        if kind == enums.SENS_TOUCH:
            out[adr] = _touch(model, data, obj)
        elif kind == enums.SENS_ACCELEROMETER:
            _, linear = acceleration(model, data, enums.OBJ_SITE, obj)
            put3(data, adr, mulmatT3(load9(data.site_xmat, obj), linear))
        elif kind == enums.SENS_FORCE or kind == enums.SENS_TORQUE:
            body = model.site_bodyid[obj]
            f = load6(data.cfrc_int, body)
            force, torque = (f[3], f[4], f[5]), (f[0], f[1], f[2])
            arm = arm_of(model, data, body, load3(data.site_xpos, obj))
            torque = add3(torque, cross3(force, arm))
            put3(data, adr, mulmatT3(load9(data.site_xmat, obj), force if kind == enums.SENS_FORCE else torque))
        elif kind == enums.SENS_ACTUATORFRC:
            out[adr] = data.actuator_force[obj]
        elif kind == enums.SENS_JOINTACTFRC:
            out[adr] = data.qfrc_actuator[model.jnt_dofadr[obj]]
        elif kind == enums.SENS_TENDONACTFRC:
            total = 0.0
            for k in range(model.nu):
                if model.actuator_trntype[k] == enums.TRN_TENDON and model.actuator_trnid[k, 0] == obj:
                    total += data.actuator_force[k]
            out[adr] = total
        elif kind == enums.SENS_JOINTLIMITFRC or kind == enums.SENS_TENDONLIMITFRC:
            row = _limit_row(
                data, enums.CNSTR_LIMIT_JOINT if kind == enums.SENS_JOINTLIMITFRC else enums.CNSTR_LIMIT_TENDON, obj
            )
            out[adr] = 0.0 if row < 0 else data.efc_force[row]
        elif kind == enums.SENS_FRAMELINACC or kind == enums.SENS_FRAMEANGACC:
            angular, linear = acceleration(model, data, what, obj)
            put3(data, adr, linear if kind == enums.SENS_FRAMELINACC else angular)
        cut_off(model, data, i)
