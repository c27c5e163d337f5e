"""Actuators of the plugin mujoco.pid: a controller with proportional, integral and derivative terms.

Parameters (model.plugin_prm): kp, ki, kd, imax / ki (most of the integral), slewmax (most change of the setpoint per
second); the last two are -1 without. Activations of such an actuator, in this order: the integral where ki is not
0, the setpoint before where there is slewmax, that of its dyntype.

Source: README of the plugin in MuJoCo's repository; what it leaves open was found by comparing with mujoco 3.3.4.
"""

from __future__ import annotations

from kinetree.engine.dynamics.force.actuation import clamp, next_activation
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.model import enums


@small
def setpoint(model, data, i, early):
    """Target of actuator i: its control, or its own activation (after the step where `early`), within slewmax."""
    plugin = model.actuator_plugin[i]
    last = model.actuator_actadr[i] + model.actuator_actnum[i] - 1
    if model.actuator_dyntype[i] == enums.DYN_NONE:
        u = data.ctrl[i]
        if model.actuator_ctrllimited[i]:
            u = clamp(u, model.actuator_ctrlrange[i, 0], model.actuator_ctrlrange[i, 1])
    elif early:
        u = next_activation(model, i, data.act[last], data.act_dot[last])
    else:
        u = data.act[last]
    slewmax = model.plugin_prm[plugin, 4]
    if slewmax >= 0.0 and data.time > 0.0:
        before = data.act[model.actuator_actadr[i] + (1 if model.plugin_prm[plugin, 1] != 0.0 else 0)]
        reach = slewmax * model.opt_timestep
        u = clamp(u, before - reach, before + reach)
    return u


@small
def integral(model, data, i, error):
    """The integral of the error after the step, within what imax allows."""
    plugin = model.actuator_plugin[i]
    if model.plugin_prm[plugin, 1] == 0.0:
        return 0.0
    total = data.act[model.actuator_actadr[i]] + error * model.opt_timestep
    most = model.plugin_prm[plugin, 3]
    return clamp(total, -most, most) if most >= 0.0 else total


@kernel
def pid(model, data):
    """Stage: forces of these actuators before their limits, and the rates of their own activations."""
    if model.opt_disableflags & enums.DSBL_ACTUATION:
        return
    h = model.opt_timestep
    for i in range(model.nu):
        plugin = model.actuator_plugin[i]
        if plugin < 0:
            continue
        length = data.actuator_length[i]
        u = setpoint(model, data, i, False)
        adr = model.actuator_actadr[i]
        if model.plugin_prm[plugin, 1] != 0.0:
            data.act_dot[adr] = (integral(model, data, i, u - length) - data.act[adr]) / h
            adr += 1
        if model.plugin_prm[plugin, 4] >= 0.0:
            data.act_dot[adr] = (u - data.act[adr]) / h
        rate = 0.0
        if model.actuator_dyntype[i] != enums.DYN_NONE:
            rate = data.act_dot[model.actuator_actadr[i] + model.actuator_actnum[i] - 1]
            if model.actuator_actearly[i]:
                u = setpoint(model, data, i, True)
        error = u - length
        force = model.plugin_prm[plugin, 0] * error
        force += model.plugin_prm[plugin, 2] * (rate - data.actuator_velocity[i])
        force += model.plugin_prm[plugin, 1] * integral(model, data, i, error)
        data.actuator_force[i] = force
