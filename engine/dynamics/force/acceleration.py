"""Smooth forces and the unconstrained acceleration.

Specification: Computation, "Forward dynamics", M qacc_smooth = qfrc_smooth.
"""

from __future__ import annotations

from kinetree.engine.dynamics.position.inertia import solve
from kinetree.engine.dynamics.position.jacobian import apply_force
from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.vec import load3


@kernel
def acceleration(model, data):
    """qfrc_smooth (passive, actuator, applied and minus bias forces) and qacc_smooth."""
    smooth = data.qfrc_smooth
    for i in range(model.nv):
        smooth[i] = data.qfrc_passive[i] - data.qfrc_bias[i] + data.qfrc_applied[i]
    if model.nu > 0:
        for i in range(model.nv):
            smooth[i] += data.qfrc_actuator[i]
    push = data.xfrc_applied
    for b in range(1, model.nbody):
        if (
            push[b, 0] != 0.0
            or push[b, 1] != 0.0
            or push[b, 2] != 0.0
            or push[b, 3] != 0.0
            or push[b, 4] != 0.0
            or push[b, 5] != 0.0
        ):
            force = (push[b, 0], push[b, 1], push[b, 2])
            torque = (push[b, 3], push[b, 4], push[b, 5])
            apply_force(model, data, b, load3(data.xipos, b), force, torque, smooth)
    for i in range(model.nv):
        data.qacc_smooth[i] = smooth[i]
    solve(model, data.qLD, data.qLDiagInv, data.qacc_smooth)


@kernel
def unconstrained(model, data):
    """Set qacc and qacc_warmstart to qacc_smooth, for models that cannot have constraints."""
    for i in range(model.nv):
        data.qacc[i] = data.qacc_warmstart[i] = data.qacc_smooth[i]
        data.qfrc_constraint[i] = 0.0
