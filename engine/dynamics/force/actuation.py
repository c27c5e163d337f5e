"""Actuator forces from controls and activations, and their effect on the joints.

Specification: Computation, "Actuation model"; XML reference, actuator/general. Muscles:
engine/dynamics/force/muscle.py. Types "user": engine/dynamics/hooks.py; without a hook the gain is 1, the bias
force 0, and the activation stays.
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.force.muscle import activation_rate
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MAXVAL, MINVAL
from kinetree.engine.jit.warn import warn
from kinetree.engine.model import enums


@small
def clamp(x, low, high):
    if math.isnan(x):
        return x
    return min(max(x, low), high)


@small
def is_disabled(model, i):
    """Whether the actuator's group is switched off."""
    group = model.actuator_group[i]
    return 0 <= group <= 30 and (model.opt_disableactuator >> group) & 1 != 0


@small
def next_activation(model, i, act, rate):
    """An activation of actuator i after one time step with this rate."""
    if model.actuator_dyntype[i] == enums.DYN_FILTEREXACT:
        tau = max(MINVAL, model.actuator_dynprm[i, 0])
        act += rate * tau * (1.0 - math.exp(-model.opt_timestep / tau))
    else:
        act += rate * model.opt_timestep
    if model.actuator_actlimited[i]:
        act = clamp(act, model.actuator_actrange[i, 0], model.actuator_actrange[i, 1])
    return act


@small
def control(model, data, i):
    """The control of actuator i, clamped to its range unless that is switched off; 0 while any control is
    bad.
    """
    if data.ctrl_bad:
        return 0.0
    ctrl = data.ctrl[i]
    if model.actuator_ctrllimited[i] and not model.opt_disableflags & enums.DSBL_CLAMPCTRL:
        ctrl = clamp(ctrl, model.actuator_ctrlrange[i, 0], model.actuator_ctrlrange[i, 1])
    return ctrl


@small
def check_ctrl(model, data):
    """Warn of controls that are NaN or huge, and count all controls as zero in this step."""
    data.ctrl_bad = 0
    for i in range(model.nu):
        ctrl = control(model, data, i)
        if math.isnan(ctrl) or abs(ctrl) > MAXVAL:
            warn(data, enums.WARN_BADCTRL, i)
            data.ctrl_bad = 1
            return


@small
def actuator_input(model, data, i):
    """Input of the gain: the control, or the activation (the next one where actearly is set)."""
    if model.actuator_dyntype[i] == enums.DYN_NONE:
        return control(model, data, i)
    adr = model.actuator_actadr[i] + model.actuator_actnum[i] - 1
    if model.actuator_actearly[i]:
        return next_activation(model, i, data.act[adr], data.act_dot[adr])
    return data.act[adr]


@kernel
def activation(model, data):
    """Stage: check the controls; act_dot."""
    if model.opt_disableflags & enums.DSBL_ACTUATION:
        for i in range(model.na):
            data.act_dot[i] = 0.0
        return
    check_ctrl(model, data)
    for i in range(model.nu):
        kind = model.actuator_dyntype[i]
        if kind != enums.DYN_NONE:
            adr = model.actuator_actadr[i] + model.actuator_actnum[i] - 1
            ctrl = control(model, data, i)
            if kind == enums.DYN_INTEGRATOR:
                data.act_dot[adr] = ctrl
            elif kind == enums.DYN_FILTER or kind == enums.DYN_FILTEREXACT:
                data.act_dot[adr] = (ctrl - data.act[adr]) / max(MINVAL, model.actuator_dynprm[i, 0])
            elif kind == enums.DYN_USER:
                for k in range(model.actuator_actadr[i], adr + 1):
                    data.act_dot[k] = 0.0
            elif kind == enums.DYN_MUSCLE:
                data.act_dot[adr] = activation_rate(model, i, ctrl, data.act[adr])


@kernel
def actuation(model, data):
    """Stage: actuator_force and qfrc_actuator. Forces of plugins stand in actuator_force already (stage pid)."""
    force = data.actuator_force
    for i in range(model.nv):
        data.qfrc_actuator[i] = 0.0
    if model.opt_disableflags & enums.DSBL_ACTUATION:
        for i in range(model.nu):
            force[i] = 0.0
        return
    limited_tendons = False
    for i in range(model.nu):
        if model.actuator_plugin[i] >= 0:  # groups that are switched off do not matter to plugins
            continue
        if is_disabled(model, i):
            force[i] = 0.0
            continue
        length, velocity = data.actuator_length[i], data.actuator_velocity[i]
        gain = model.actuator_gainprm[i, 0]
        if model.actuator_gaintype[i] == enums.GAIN_AFFINE:
            gain += model.actuator_gainprm[i, 1] * length + model.actuator_gainprm[i, 2] * velocity
        elif model.actuator_gaintype[i] == enums.GAIN_MUSCLE or model.actuator_gaintype[i] == enums.GAIN_USER:
            gain = data.muscle_gain[i]
        value = gain * actuator_input(model, data, i)
        if model.actuator_biastype[i] == enums.BIAS_AFFINE:
            prm = model.actuator_biasprm
            value += prm[i, 0] + prm[i, 1] * length + prm[i, 2] * velocity
        elif model.actuator_biastype[i] == enums.BIAS_MUSCLE or model.actuator_biastype[i] == enums.BIAS_USER:
            value += data.muscle_bias[i]
        force[i] = value
        # as in the reference, plugins and actuators that are switched off do not bring the limit into effect alone
        if model.actuator_trntype[i] == enums.TRN_TENDON and model.tendon_actfrclimited[model.actuator_trnid[i, 0]]:
            limited_tendons = True
    if limited_tendons:
        _clamp_tendon_forces(model, data)
    for i in range(model.nu):
        if model.actuator_forcelimited[i]:
            force[i] = clamp(force[i], model.actuator_forcerange[i, 0], model.actuator_forcerange[i, 1])
        for k in range(data.moment_rowadr[i], data.moment_rowadr[i] + data.moment_rownnz[i]):
            data.qfrc_actuator[data.moment_colind[k]] += data.actuator_moment[k] * force[i]
    weight = model.ngravcomp > 0 and not model.opt_disableflags & (enums.DSBL_GRAVITY | enums.DSBL_PASSIVE)
    for j in range(model.njnt):
        kind = model.jnt_type[j]
        dof = model.jnt_dofadr[j]
        if weight and model.jnt_actgravcomp[j]:
            number = 1 if kind == enums.JNT_HINGE or kind == enums.JNT_SLIDE else 3 * (2 - kind)
            for k in range(dof, dof + number):
                data.qfrc_actuator[k] += data.qfrc_gravcomp[k]
        if model.jnt_actfrclimited[j] and (kind == enums.JNT_HINGE or kind == enums.JNT_SLIDE):
            data.qfrc_actuator[dof] = clamp(
                data.qfrc_actuator[dof], model.jnt_actfrcrange[j, 0], model.jnt_actfrcrange[j, 1]
            )


@small
def _clamp_tendon_forces(model, data):
    """Scale the actuators of each tendon whose total force leaves actuatorfrcrange."""
    for t in range(model.ntendon):
        if not model.tendon_actfrclimited[t]:
            continue
        total = 0.0
        for i in range(model.nu):
            if model.actuator_trntype[i] == enums.TRN_TENDON and model.actuator_trnid[i, 0] == t:
                total += data.actuator_force[i]
        kept = clamp(total, model.tendon_actfrcrange[t, 0], model.tendon_actfrcrange[t, 1])
        if kept != total and total != 0.0:
            for i in range(model.nu):
                if model.actuator_trntype[i] == enums.TRN_TENDON and model.actuator_trnid[i, 0] == t:
                    data.actuator_force[i] *= kept / total
