"""From actuators to joints: actuator lengths and moment arms.

Specification: Computation, "Transmission"; XML reference, actuator/general (joint, jointinparent, tendon).
Sites and contacts: engine/dynamics/position/transmission_site.py.
"""

from __future__ import annotations

from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.vec import dot3, negquat, normalize4, quat2vel, rotate
from kinetree.engine.model import enums


@kernel
def transmission(model, data):
    """actuator_length, and the sparse rows of actuator_moment, of actuators on joints and tendons."""
    for i in range(model.nu):
        kind = model.actuator_trntype[i]
        if kind != enums.TRN_JOINT and kind != enums.TRN_JOINTINPARENT and kind != enums.TRN_TENDON:
            continue
        adr = model.actuator_momentadr[i]
        target = model.actuator_trnid[i, 0]
        gear = model.actuator_gear
        data.moment_rowadr[i] = adr
        if model.actuator_trntype[i] == enums.TRN_TENDON:
            data.actuator_length[i] = data.ten_length[target] * gear[i, 0]
            first, number = model.ten_J_rowadr[target], model.ten_J_rownnz[target]
            for k in range(number):
                data.moment_colind[adr + k] = model.ten_J_colind[first + k]
                data.actuator_moment[adr + k] = data.ten_J[first + k] * gear[i, 0]
        else:
            in_parent = model.actuator_trntype[i] == enums.TRN_JOINTINPARENT
            kind = model.jnt_type[target]
            q, dof = model.jnt_qposadr[target], model.jnt_dofadr[target]
            number = 1
            if kind == enums.JNT_FREE or kind == enums.JNT_BALL:
                number, angular = (6, 3) if kind == enums.JNT_FREE else (3, 0)
                q += angular
                turn = normalize4((data.qpos[q], data.qpos[q + 1], data.qpos[q + 2], data.qpos[q + 3]))
                axis = (gear[i, angular], gear[i, angular + 1], gear[i, angular + 2])
                data.actuator_length[i] = 0.0
                if kind == enums.JNT_BALL:
                    data.actuator_length[i] = dot3(axis, quat2vel(turn, 1.0))
                if in_parent:
                    axis = rotate(negquat(turn), axis)
                for k in range(angular):
                    data.actuator_moment[adr + k] = gear[i, k]
                for k in range(3):
                    data.actuator_moment[adr + angular + k] = axis[k]
            else:
                data.actuator_length[i] = data.qpos[q] * gear[i, 0]
                data.actuator_moment[adr] = gear[i, 0]
            for k in range(number):
                data.moment_colind[adr + k] = dof + k
        data.moment_rownnz[i] = number
