"""The integrator RK4: the classic fourth-order Runge-Kutta method.

A step evaluates the forward dynamics four times; `rk4` follows each evaluation. The state of the next evaluation is
the state at the start of the step, moved by the rates of the last evaluation alone. The rates of all four, weighted by
1/6, 1/3, 1/3 and 1/6, give the state at the end.

As in the reference, angular velocities of different orientations are averaged as they stand. So the order of
convergence is 4 for hinge and slide joints, but 2 where ball or free joints turn.

Specification: Computation, "Numerical integration".
"""

from __future__ import annotations

from kinetree.engine.dynamics.integrate.integrate import advance_activations, integrate_pos
from kinetree.engine.jit.kernel import kernel


@kernel
def rk4_begin(model, data):
    """Keep the state at the start of the step, from which all evaluations of it set out."""
    data.substep = 0
    data.rk4_time = data.time
    for i in range(model.nq):
        data.rk4_qpos[i] = data.qpos[i]
    for i in range(model.nv):
        data.rk4_qvel[i] = data.qvel[i]
        data.rk4_dqpos[i] = data.rk4_dqvel[i] = 0.0
    for i in range(model.na):
        data.rk4_act[i] = data.act[i]
        data.rk4_dact[i] = 0.0


@kernel
def rk4(model, data):
    """Add the rates of an evaluation to their sums; set the state of the next one, or that at the end of the step."""
    done = data.substep + 1
    weight = 1.0 / 6.0 if done == 1 or done == 4 else 1.0 / 3.0
    dt = model.opt_timestep
    part = dt if done >= 3 else 0.5 * dt
    for i in range(model.nq):
        data.qpos[i] = data.rk4_qpos[i]
    for i in range(model.nv):
        data.rk4_dqpos[i] += weight * data.qvel[i]
        data.rk4_dqvel[i] += weight * data.qacc[i]
    for i in range(model.na):
        data.rk4_dact[i] += weight * data.act_dot[i]
    if done < 4:
        integrate_pos(model, data.qpos, data.qvel, part)
        for i in range(model.nv):
            data.qvel[i] = data.rk4_qvel[i] + part * data.qacc[i]
        for i in range(model.na):
            data.act[i] = data.rk4_act[i] + part * data.act_dot[i]
        data.substep = done
    else:
        integrate_pos(model, data.qpos, data.rk4_dqpos, dt)
        for i in range(model.nv):
            data.qvel[i] = data.rk4_qvel[i] + dt * data.rk4_dqvel[i]
        for i in range(model.na):
            data.act[i] = data.rk4_act[i]
        advance_activations(model, data, data.rk4_dact)
        data.substep = 0
    data.time = data.rk4_time + part
