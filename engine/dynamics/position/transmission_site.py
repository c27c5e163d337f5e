"""From actuators to joints through sites: thrusters, end effectors, slider-cranks; and through contacts:
adhesion.

Specification: Computation, "Transmission"; XML reference, actuator/general (site, refsite, cranksite,
slidersite, body) and actuator/adhesion. The length of a slider-crank is the place of the slider on its axis:
with v from slider to crank pin, a the axis and r the rod, l = v.a - sqrt((v.a)^2 + r^2 - v.v).
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.position.contact_side import side_body
from kinetree.engine.dynamics.position.jacobian import arm_of, dof_velocity, last_dof
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import (
    MINVAL,
    addscale3,
    cross3,
    dot3,
    load3,
    load4,
    load9,
    mulmat3,
    mulmatT3,
    mulquat,
    scale3,
    sub3,
    subquat,
)
from kinetree.engine.model import enums


@small
def moment_row(model, i):
    """First entry and number of entries of the row of an actuator."""
    first = model.actuator_momentadr[i]
    end = model.actuator_momentadr[i + 1] if i + 1 < model.nu else model.nJmom
    return first, end - first


@small
def _arm(model, data, site):
    return arm_of(model, data, model.site_bodyid[site], load3(data.site_xpos, site))


@small
def _length_rotation(model, data, site):
    """The rotation of a site from which mujoco 3.3.4 computes lengths: site_quat times the body's quaternion.

    The correct order is the other one. The two agree where the body or the site is not rotated; elsewhere the
    moment arms are not the derivative of this length.
    """
    return mulquat(load4(model.site_quat, site), load4(data.xquat, model.site_bodyid[site]))


@small
def _site(model, data, i):
    """Forces and torques along axes of a site, or of the reference site that they are measured in."""
    site, reference = model.actuator_trnid[i, 0], model.actuator_trnid[i, 1]
    gear = model.actuator_gear
    push, turn = (gear[i, 0], gear[i, 1], gear[i, 2]), (gear[i, 3], gear[i, 4], gear[i, 5])
    arm, arm2 = _arm(model, data, site), (0.0, 0.0, 0.0)
    a, b = last_dof(model, model.site_bodyid[site]), -1
    frame = site
    data.actuator_length[i] = 0.0
    if reference >= 0:
        frame = reference
        arm2 = _arm(model, data, reference)
        b = last_dof(model, model.site_bodyid[reference])
        away = sub3(load3(data.site_xpos, site), load3(data.site_xpos, reference))
        turned = subquat(_length_rotation(model, data, site), _length_rotation(model, data, reference))
        data.actuator_length[i] = dot3(push, mulmatT3(load9(data.site_xmat, reference), away)) + dot3(turn, turned)
    mat = load9(data.site_xmat, frame)
    force, torque = mulmat3(mat, push), mulmat3(mat, turn)
    first, number = moment_row(model, i)
    k = first + number
    while a >= 0 or b >= 0:
        dof = max(a, b)
        value = 0.0
        if a != b:  # what moves both sites alike does no work
            angular, linear = dof_velocity(data, dof, arm if a == dof else arm2)
            value = dot3(angular, torque) + dot3(linear, force)
            if b == dof:
                value = -value
        k -= 1
        data.moment_colind[k] = dof
        data.actuator_moment[k] = value
        if a == dof:
            a = model.dof_parentid[a]
        if b == dof:
            b = model.dof_parentid[b]


@small
def _slider_crank(model, data, i):
    crank, slider = model.actuator_trnid[i, 0], model.actuator_trnid[i, 1]
    rod, gear = model.actuator_cranklength[i], model.actuator_gear[i, 0]
    mat = load9(data.site_xmat, slider)
    axis = (mat[2], mat[5], mat[8])
    v = sub3(load3(data.site_xpos, crank), load3(data.site_xpos, slider))
    along = dot3(v, axis)
    root = along * along + rod * rod - dot3(v, v)
    # derivatives of the length by v and by the axis; where the rod does not reach, the pin's place on the
    # axis counts
    by_v, by_axis, length = axis, v, along
    if root > 0.0:
        root = math.sqrt(root)
        length = along - root
        share = 1.0 - along / max(MINVAL, root)
        by_v = addscale3(scale3(axis, share), v, 1.0 / max(MINVAL, root))
        by_axis = scale3(v, share)
    data.actuator_length[i] = gear * length
    arm, arm2 = _arm(model, data, crank), _arm(model, data, slider)
    a, b = last_dof(model, model.site_bodyid[crank]), last_dof(model, model.site_bodyid[slider])
    first, number = moment_row(model, i)
    k = first + number
    while a >= 0 or b >= 0:
        dof = max(a, b)
        value = 0.0
        if a == dof:
            _, linear = dof_velocity(data, dof, arm)
            value += dot3(linear, by_v)
            a = model.dof_parentid[a]
        if b == dof:
            angular, linear = dof_velocity(data, dof, arm2)
            value += dot3(cross3(angular, axis), by_axis) - dot3(linear, by_v)
            b = model.dof_parentid[b]
        k -= 1
        data.moment_colind[k] = dof
        data.actuator_moment[k] = gear * value


@kernel
def transmission_site(model, data):
    """actuator_length and rows of actuator_moment of actuators on sites and slider-cranks."""
    for i in range(model.nu):
        kind = model.actuator_trntype[i]
        if kind != enums.TRN_SITE and kind != enums.TRN_SLIDERCRANK:
            continue
        data.moment_rowadr[i], data.moment_rownnz[i] = moment_row(model, i)
        if kind == enums.TRN_SITE:
            _site(model, data, i)
        else:
            _slider_crank(model, data, i)


@small
def _add_normal(model, data, body, point, normal, first, scale):
    """Add to a row over all dofs the velocity of a point of a body along a direction."""
    arm = arm_of(model, data, body, point)
    dof = last_dof(model, body)
    while dof >= 0:
        _, linear = dof_velocity(data, dof, arm)
        data.actuator_moment[first + dof] += scale * dot3(linear, normal)
        dof = model.dof_parentid[dof]


@kernel
def transmission_body(model, data):
    """Rows of actuator_moment of actuators on bodies: the mean pull through the contacts of each body.

    Contacts that are in the gap, and make no constraint, count as well.
    """
    for i in range(model.nu):
        if model.actuator_trntype[i] != enums.TRN_BODY:
            continue
        data.moment_rowadr[i], data.moment_rownnz[i] = moment_row(model, i)
        data.actuator_length[i] = 0.0
        first = data.moment_rowadr[i]
        for k in range(model.nv):
            data.moment_colind[first + k] = k
            data.actuator_moment[first + k] = 0.0
        body, count = model.actuator_trnid[i, 0], 0
        for c in range(data.ncon):
            one, two = side_body(model, data, c, 0), side_body(model, data, c, 1)
            if one < 0 or two < 0:
                continue  # flexes do not adhere
            if (one != body and two != body) or data.contact_exclude[c] > 1:
                continue
            count += 1
            point = load3(data.contact_pos, c)
            normal = (data.contact_frame[c, 0], data.contact_frame[c, 1], data.contact_frame[c, 2])
            _add_normal(model, data, one, point, normal, first, 1.0)
            _add_normal(model, data, two, point, normal, first, -1.0)
        for k in range(model.nv):
            data.actuator_moment[first + k] *= model.actuator_gear[i, 0] / max(1, count)
