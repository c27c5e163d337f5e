"""Stages that the search for length ranges adds to the dynamics: they push an actuator to the end of its
range.

data.probe holds the parameters: actuator, acceleration that the push alone causes (negative: towards short),
largest norm of the push, factor on velocities at each step, time from which lengths count; then the results:
least and greatest length. Specification: XML reference, compiler/lengthrange; Modeling, "Length range".
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.forward import FORWARD, INTEGRATE, Stage
from kinetree.engine.dynamics.position.inertia import solve
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.rounding import to_int
from kinetree.engine.jit.vec import MINVAL
from kinetree.engine.model.model import Model

ACTUATOR, ACCELERATION, MAXFORCE, FACTOR, SINCE, LOW, HIGH = range(7)

_LEFT_OUT = {
    "camlight", "flex_boxes", "broad_phase", "flex_candidates", "collision", "flex_self_collision", "friction_loss",
    "contact_constraint", "potential_energy", "kinetic_energy", "clear_energy", "flex_velocity", "passive",
    "flex_passive", "cable", "fluid", "muscle", "activation", "pid", "actuation", "transmission_body",
}  # fmt: skip


PUSH, SETTLE = (Stage(name, f"{__name__}:{name}") for name in ("push", "settle"))


def stages(model: Model) -> list[Stage]:
    """The stages of a step with limits and equalities only, in order."""
    rows = []
    for row in FORWARD:
        if row.name == "acceleration":
            rows.append(PUSH)
        if isinstance(row, Stage) and not row.for_sensors and row.name not in _LEFT_OUT and row.needed(model):
            rows.append(row)
    return [*rows, *(row for row in INTEGRATE if row.needed(model)), SETTLE]


@small
def actuator(model, data):
    """The actuator that is pushed."""
    return to_int(data.probe[ACTUATOR], 0, model.nu - 1)


@kernel
def push(model, data):
    """qfrc_applied along the actuator's moment arms, so that it makes the acceleration asked for."""
    i = actuator(model, data)
    step = data.qfrc_applied
    for k in range(model.nv):
        data.sol_step[k] = 0.0
        step[k] = 0.0
    size = 0.0
    for k in range(data.moment_rowadr[i], data.moment_rowadr[i] + data.moment_rownnz[i]):
        value = data.actuator_moment[k]
        step[data.moment_colind[k]] = value
        data.sol_step[data.moment_colind[k]] = value
        size += value * value
    solve(model, data.qLD, data.qLDiagInv, data.sol_step)
    made = 0.0
    for k in range(model.nv):
        made += data.sol_step[k] * data.sol_step[k]
    force = data.probe[ACCELERATION] / max(MINVAL, math.sqrt(made))
    most, norm = data.probe[MAXFORCE], abs(force) * math.sqrt(size)
    if most > 0.0 and norm > most:
        force *= most / norm
    for k in range(model.nv):
        step[k] *= force


@kernel
def settle(model, data):
    """Damp all velocities, and record the actuator's length at the start of the step."""
    for k in range(model.nv):
        data.qvel[k] *= data.probe[FACTOR]
    if data.time > data.probe[SINCE]:
        length = data.actuator_length[actuator(model, data)]
        data.probe[LOW] = min(data.probe[LOW], length)
        data.probe[HIGH] = max(data.probe[HIGH], length)
