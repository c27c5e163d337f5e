"""Read first: what happens in a step, as an ordered list of stages.

Every stage is a kernel `stage(model, data)`. A row names it, says where it is and for which models it is needed; what a
model does not need is neither imported nor compiled. `pipeline(model)` turns the rows into addresses, and
`engine/dynamics/run.py` calls them one after the other, with the GIL released, n steps in one call. Hooks are rows too:
where a Data has Python functions to call (`engine/dynamics/hooks.py`), the run is split at these rows.

The folders follow the order of the step:

    position/    where everything is: kinematics, inertia, tendons, transmissions, Jacobians
    force/       velocities, passive forces, the medium, actuators; the acceleration that they give
    constraint/  constraint rows of equalities, friction, limits and contacts; islands
    solver/      the forces of constraints: Newton, CG, PGS, noslip
    integrate/   the next state
    sensor/      values of sensors, and rays
    query/       Python functions on request: inverse dynamics, Jacobians, derivatives, contact forces, state vectors

Order and meaning of the stages: specification, Computation, "Forward dynamics" and "Simulation pipeline".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kinetree.engine.collision.table import has_flexes_that_touch_themselves
from kinetree.engine.dynamics import hooks, needs, unsimulated
from kinetree.engine.dynamics.pipeline import Pipeline, recorded, values
from kinetree.engine.jit.kernel import find
from kinetree.engine.model import enums, sensors
from kinetree.engine.model.arguments import kind_of, whole
from kinetree.engine.model.data import Data, check_pair
from kinetree.engine.model.model import Model
from kinetree.engine.model.plugins import PLUGIN_TOUCH_GRID, PLUGIN_TOUCH_STRESS
from kinetree.engine.model.sensors import Reads

MOST_STEPS = 2**31
"""Steps of one call; more are taken for a mistake."""

STAGES: set[str] = set()
"""Every kernel that a row names, also rows of other tables (engine/dynamics/query/length_range.py)."""


@dataclass(frozen=True)
class Stage:
    """A kernel (module:function) and the models that need it; `for_sensors`: only sensors read its results."""

    name: str
    where: str
    needed: Callable[[Model], bool] = lambda model: True
    for_sensors: bool = False

    def __post_init__(self):
        STAGES.add(self.where)

    def load(self) -> Callable[[Any, Any], None]:
        """The kernel as a Python function."""
        return find(self.where)


@dataclass(frozen=True)
class HookRow:
    """A place in the list of stages where Python functions of the Data are called; `calls` finds and calls them."""

    name: str
    calls: Callable[[hooks.Hooks, Model, Data], None]
    needed: Callable[[Model], bool] = lambda model: True
    for_sensors: bool = False


Row = Stage | HookRow

DYNAMICS = "kinetree.engine.dynamics"


def _sensors(stage: int) -> list[Row]:
    """Types of sensors with a kernel of their own, of a stage (STAGE_): one row for each kernel."""
    found = sensors.kernels(stage).items()
    return [Stage(where.partition(":")[2], where, needs.has_sensor(*types), True) for where, types in found]


POSITION: list[Row] = [
    Stage("kinematics", f"{DYNAMICS}.position.kinematics:kinematics"),
    Stage("com_pos", f"{DYNAMICS}.position.kinematics:com_pos"),
    Stage("camlight", f"{DYNAMICS}.position.kinematics:camlight", lambda m: m.ncam + m.nlight > 0),
    Stage("flex_positions", f"{DYNAMICS}.position.flex:flex_positions", lambda m: m.nflex > 0),
    Stage("flex_boxes", f"{DYNAMICS}.position.flex:flex_boxes", needs.has_colliding_flexes),
    Stage("flex_edges", f"{DYNAMICS}.position.flex:flex_edges", needs.has_flex_edges),
    Stage("tendon", f"{DYNAMICS}.position.tendon:tendon", needs.has_fixed_tendons),
    Stage("spatial_tendon", f"{DYNAMICS}.position.spatial_tendon:spatial_tendon", needs.has_spatial_tendons),
    Stage("crb", f"{DYNAMICS}.position.inertia:crb", needs.has_dofs),
    Stage("tendon_armature", f"{DYNAMICS}.position.inertia:tendon_armature", needs.has_tendon_armature),
    Stage("factor_m", f"{DYNAMICS}.position.inertia:factor_m", needs.has_dofs),
    Stage("broad_phase", "kinetree.engine.collision.broadphase:broad_phase", needs.may_collide),
    Stage("flex_candidates", "kinetree.engine.collision.flex_broad:flex_candidates", needs.has_colliding_flexes),
    Stage("collision", "kinetree.engine.collision.driver:collision", needs.may_collide),
    Stage(
        "flex_self_collision",
        "kinetree.engine.collision.flex_self:flex_self_collision",
        has_flexes_that_touch_themselves,
    ),
    Stage("begin_constraint", f"{DYNAMICS}.constraint.constraint:begin_constraint", needs.may_be_constrained),
    Stage("equality", f"{DYNAMICS}.constraint.equality:equality", needs.has_equality_rows),
    Stage("friction_loss", f"{DYNAMICS}.constraint.constraint:friction_loss", needs.has_friction_loss),
    Stage("limit", f"{DYNAMICS}.constraint.constraint:limit", needs.has_limits),
    Stage("hard_contacts", f"{DYNAMICS}.constraint.hard:hard_contacts", needs.has_hard_contacts),
    Stage("contact_constraint", f"{DYNAMICS}.constraint.contact:contact_constraint", needs.has_contact_rows),
    Stage("harden", f"{DYNAMICS}.constraint.hard:harden", needs.has_hard_rows),
    Stage(
        "transmission",
        f"{DYNAMICS}.position.transmission:transmission",
        needs.has_transmission(enums.TRN_JOINT, enums.TRN_JOINTINPARENT, enums.TRN_TENDON),
    ),
    Stage(
        "transmission_site",
        f"{DYNAMICS}.position.transmission_site:transmission_site",
        needs.has_transmission(enums.TRN_SITE, enums.TRN_SLIDERCRANK),
    ),
    Stage(
        "transmission_body",
        f"{DYNAMICS}.position.transmission_site:transmission_body",
        needs.has_transmission(enums.TRN_BODY),
    ),
    Stage(
        "potential_energy", f"{DYNAMICS}.force.energy:potential_energy", needs.computes_energy(Reads.POTENTIAL_ENERGY)
    ),
    Stage("kinetic_energy", f"{DYNAMICS}.force.energy:kinetic_energy", needs.computes_energy(Reads.KINETIC_ENERGY)),
    Stage("sensor_pos", f"{DYNAMICS}.sensor.sensor:sensor_pos", needs.sensors(enums.STAGE_POS), True),
    *_sensors(enums.STAGE_POS),
    Stage("range_finder_sdf", f"{DYNAMICS}.sensor.ray_sdf:range_finder_sdf", needs.finds_range_of_sdf, True),
    Stage("clear_energy", f"{DYNAMICS}.force.energy:clear_energy", needs.clears_energy),
    HookRow("sensor hook", hooks.sensors(enums.STAGE_POS), for_sensors=True),
]

VELOCITY: list[Row] = [
    Stage("com_vel", f"{DYNAMICS}.force.velocity:com_vel"),
    Stage("flex_velocity", f"{DYNAMICS}.force.flex:flex_velocity", needs.has_flex_velocities),
    Stage("tendon_velocity", f"{DYNAMICS}.force.velocity:tendon_velocity", needs.has_tendons),
    Stage("actuator_velocity", f"{DYNAMICS}.force.velocity:actuator_velocity", needs.has_actuators),
    Stage("passive", f"{DYNAMICS}.force.passive:passive", needs.has_dofs),
    Stage("flex_passive", f"{DYNAMICS}.force.flex:flex_passive", needs.has_flex_forces),
    Stage("cable", f"{DYNAMICS}.force.cable:cable", needs.has_cables),
    Stage("fluid", f"{DYNAMICS}.force.fluid:fluid", needs.has_medium),
    HookRow("passive hook", hooks.passive),
    Stage("reference_constraint", f"{DYNAMICS}.constraint.constraint:reference_constraint", needs.may_be_constrained),
    Stage("rne", f"{DYNAMICS}.force.velocity:rne", needs.has_dofs),
    Stage(
        "spatial_armature",
        f"{DYNAMICS}.position.spatial_tendon:spatial_armature",
        needs.has_spatial_armature,
    ),
    Stage(
        "subtree_vel",
        f"{DYNAMICS}.constraint.post_constraint:subtree_vel",
        needs.reads(Reads.MOMENTUM, enums.STAGE_VEL),
        True,
    ),
    Stage("sensor_vel", f"{DYNAMICS}.sensor.sensor:sensor_vel", needs.sensors(enums.STAGE_VEL), True),
    *_sensors(enums.STAGE_VEL),
    HookRow("sensor hook", hooks.sensors(enums.STAGE_VEL), for_sensors=True),
]

ACCELERATION: list[Row] = [
    HookRow("control hook", hooks.control),
    Stage("muscle", f"{DYNAMICS}.force.muscle:muscle", needs.has_muscles_or_user_types),
    Stage("activation", f"{DYNAMICS}.force.actuation:activation", needs.has_actuators),
    HookRow("activation hook", hooks.activation_rates),
    Stage("pid", f"{DYNAMICS}.force.pid:pid", needs.has_actuator_plugins),
    HookRow("actuator hook", hooks.gains_and_biases),
    Stage("actuation", f"{DYNAMICS}.force.actuation:actuation", needs.has_actuators),
    Stage("acceleration", f"{DYNAMICS}.force.acceleration:acceleration", needs.has_dofs),
    Stage("islands", f"{DYNAMICS}.constraint.island:islands", needs.may_be_constrained),
    Stage("elimination", f"{DYNAMICS}.constraint.elimination:elimination", needs.may_have_large_islands),
    Stage("project", f"{DYNAMICS}.solver.dual:project", needs.uses_the_dual),
    Stage("solve", f"{DYNAMICS}.solver.newton:solve", needs.solves_with(enums.SOL_NEWTON)),
    Stage("cg", f"{DYNAMICS}.solver.cg:solve", needs.solves_with(enums.SOL_CG)),
    Stage("pgs", f"{DYNAMICS}.solver.pgs:solve", needs.solves_with(enums.SOL_PGS)),
    Stage("noslip", f"{DYNAMICS}.solver.noslip:solve", needs.removes_slip),
    Stage("unconstrained", f"{DYNAMICS}.force.acceleration:unconstrained", lambda m: not needs.may_be_constrained(m)),
    Stage(
        "rne_post_constraint",
        f"{DYNAMICS}.constraint.post_constraint:rne_post_constraint",
        needs.reads(Reads.FORCES, enums.STAGE_ACC),
        True,
    ),
    Stage("sensor_acc", f"{DYNAMICS}.sensor.sensor:sensor_acc", needs.sensors(enums.STAGE_ACC), True),
    *_sensors(enums.STAGE_ACC),
    Stage("touch_grid", f"{DYNAMICS}.sensor.touch:touch_grid", needs.has_sensor_plugin(PLUGIN_TOUCH_GRID), True),
    Stage(
        "touch_stress",
        f"{DYNAMICS}.sensor.touch_stress:touch_stress",
        needs.has_sensor_plugin(PLUGIN_TOUCH_STRESS),
        True,
    ),
    HookRow("sensor hook", hooks.sensors(enums.STAGE_ACC), for_sensors=True),
]

FORWARD = [*POSITION, *VELOCITY, *ACCELERATION]

CHECKS = [
    Stage("check_state", f"{DYNAMICS}.check_state:check_state", needs.has_dofs),
    Stage("check_acc", f"{DYNAMICS}.check_state:check_acc", needs.has_dofs),
]

DERIVATIVE = [
    Stage(
        "smooth_derivative",
        f"{DYNAMICS}.integrate.derivative:smooth_derivative",
        needs.integrates_with(enums.INT_IMPLICIT, enums.INT_IMPLICITFAST),
    ),
    Stage(
        "fluid_derivative",
        f"{DYNAMICS}.force.fluid_derivative:fluid_derivative",
        lambda m: needs.has_medium(m) and needs.integrates_with(enums.INT_IMPLICIT, enums.INT_IMPLICITFAST)(m),
    ),
    Stage(
        "bias_derivative", f"{DYNAMICS}.integrate.derivative:bias_derivative", needs.integrates_with(enums.INT_IMPLICIT)
    ),
]

FACTOR = [
    Stage("damping_factor", f"{DYNAMICS}.integrate.integrate:damping_factor", needs.damps_implicitly),
    Stage("fast_factor", f"{DYNAMICS}.integrate.integrate:fast_factor", needs.integrates_with(enums.INT_IMPLICITFAST)),
    Stage(
        "implicit_factor", f"{DYNAMICS}.integrate.integrate:implicit_factor", needs.integrates_with(enums.INT_IMPLICIT)
    ),
]

ADVANCE = [
    Stage("euler", f"{DYNAMICS}.integrate.integrate:euler", needs.integrates_explicitly),
    Stage("damped_euler", f"{DYNAMICS}.integrate.integrate:advance_with_factor", needs.damps_implicitly),
    Stage(
        "implicitfast",
        f"{DYNAMICS}.integrate.integrate:advance_with_factor",
        needs.integrates_with(enums.INT_IMPLICITFAST),
    ),
    Stage("implicit", f"{DYNAMICS}.integrate.integrate:implicit", needs.integrates_with(enums.INT_IMPLICIT)),
]

INTEGRATE = [*DERIVATIVE, *FACTOR, *ADVANCE]


def _where(condition: Callable[[Model], bool], rows: Iterable[Row]) -> list[Row]:
    """The rows, for models that also meet the condition."""

    def both(needed: Callable[[Model], bool]) -> Callable[[Model], bool]:
        return lambda model: condition(model) and needed(model)

    return [replace(row, needed=both(row.needed)) for row in rows]


INVERSE_DYNAMICS = [
    *_where(
        needs.has_discrete_inverse,
        [Stage("muscle", f"{DYNAMICS}.force.muscle:muscle", needs.has_muscles_or_user_types), *DERIVATIVE],
    ),
    Stage("discrete_acceleration", f"{DYNAMICS}.query.inverse:discrete_acceleration", needs.has_discrete_inverse),
    Stage("inverse_constraint", f"{DYNAMICS}.query.inverse:inverse_constraint", needs.may_be_constrained),
    Stage("inverse", f"{DYNAMICS}.query.inverse:inverse", needs.has_dofs),
]
RESTORE = Stage("restore_acceleration", f"{DYNAMICS}.query.inverse:restore_acceleration", needs.has_discrete_inverse)

INVERSE_FROM_ACCELERATION = [*INVERSE_DYNAMICS, *(row for row in ACCELERATION if row.for_sensors), RESTORE]
INVERSE = [*POSITION, *VELOCITY, *INVERSE_FROM_ACCELERATION]

COMPARE = _where(
    needs.compares_with_inverse,
    [
        Stage("keep_forward", f"{DYNAMICS}.query.inverse:keep_forward"),
        *INVERSE_DYNAMICS,
        RESTORE,
        Stage("compare_inverse", f"{DYNAMICS}.query.inverse:compare_inverse"),
    ],
)

RK4 = Stage("rk4", f"{DYNAMICS}.integrate.rk4:rk4", needs.integrates_with(enums.INT_RK4))
EVALUATE_AGAIN = [
    RK4,
    *_where(needs.integrates_with(enums.INT_RK4), (row for row in FORWARD if not row.for_sensors)),
]
RUNGE_KUTTA = [
    Stage("rk4_begin", f"{DYNAMICS}.integrate.rk4:rk4_begin", needs.integrates_with(enums.INT_RK4)),
    *EVALUATE_AGAIN,
    *EVALUATE_AGAIN,
    *EVALUATE_AGAIN,
    RK4,
    Stage("clear_energy", f"{DYNAMICS}.force.energy:clear_energy", needs.clears_energy_after_rk4),
]

CHECK_RESULT = Stage("check_result", f"{DYNAMICS}.check_state:check_result", needs.is_reset_automatically)

STEP = [CHECKS[0], *FORWARD, CHECKS[1], *COMPARE, *INTEGRATE, *RUNGE_KUTTA, CHECK_RESULT]

_OF_POSES = (
    "kinematics", "com_pos", "flex_positions", "flex_edges", "tendon", "spatial_tendon", "begin_constraint",
    "equality",
)  # fmt: skip
_OF_TOUCH = (*_OF_POSES, "flex_boxes", "broad_phase", "flex_candidates", "collision")
_OF_ACTUATORS = ("muscle", "activation", "activation hook", "pid", "actuator hook", "actuation")
_IMPLICIT = [*DERIVATIVE, *(row for row in FACTOR if row.name != "damping_factor")]

LISTS = {
    "forward": FORWARD,
    "step": STEP,
    "inverse": INVERSE,
    # for finite differences: without checks, and from the stage on that a nudged number enters
    "step_from_position": [*FORWARD, *INTEGRATE],
    "step_from_velocity": [*VELOCITY, *ACCELERATION, *_IMPLICIT, *ADVANCE],
    "step_from_actuation": [*ACCELERATION, *ADVANCE],
    "inverse_from_velocity": [*VELOCITY, *INVERSE_FROM_ACCELERATION],
    "inverse_from_acceleration": INVERSE_FROM_ACCELERATION,
    "actuation": [row for row in ACCELERATION if row.name in _OF_ACTUATORS],
    # for inverse kinematics (engine/posing), without and with contacts
    "pose": [row for row in POSITION if row.name in _OF_POSES],
    "touch": [row for row in POSITION if row.name in _OF_TOUCH],
}
"""Stages for `run_list`, by name."""


def stages(model: Model, rows: Iterable[Row] = STEP) -> list[Stage]:
    """The stages that a model needs, in order."""
    return [row for row in rows if isinstance(row, Stage) and row.needed(model)]


def pipeline(model: Model) -> Pipeline:
    """The compiled stages of the model as its fields are now, rebuilt only if the fields change the selection.

    Raises ModelError if the model needs unsupported physics.
    """
    found = model.pipeline
    if found is None or not found.fits(model):
        found = model.pipeline = _compiled(model)
    return found


def keep_pipeline(old: Model, new: Model) -> None:
    """Let the next version of a model, with the same sizes, begin with the pipeline of the one before if it fits."""
    found = old.pipeline
    gaps, before = ([(gap.text, gap.when is None) for gap in model.gaps] for model in (new, old))
    if found is not None and gaps == before and found.fits(new) and not new.unsimulated:
        new.pipeline = found


def _compiled(model: Model) -> Pipeline:
    from kinetree.engine.collision import table

    fields, (_, pairs, measured, supporting, *rows) = recorded(
        model,
        lambda m: [gap.when(m) for gap in model.gaps if gap.when is not None],
        lambda m: table.needed_pairs(m) if needs.may_collide(m) else {},
        table.measured_pairs,
        lambda m: table.supporting_pairs(m, table.measured_pairs(m)),
        *(lambda m, rows=rows: [row for row in rows if row.needed(m)] for rows in LISTS.values()),
    )
    values_now = values(model, fields)
    unsimulated.refuse(model)
    collision, distance = table.addresses({**pairs, **supporting}), table.addresses(measured)[: table.PAIR_PLACES]
    made = Pipeline(dict(zip(LISTS, rows, strict=True)), collision, distance, fields, values_now)
    made.table("step")
    return made


def forward(model: Model, data: Data) -> None:
    """Compute everything that depends on the state and the inputs, without advancing time.

    Raises ModelError, with model.unsimulated, where the physics lacks a feature that the model needs; ValueError for a
    Data of another model.

    Source: specification, Computation, "Forward dynamics"; API reference, mj_forward.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        assert data.time == 0.0 and data.qacc.any()
    """
    run_list(model, data, "forward")


def step(model: Model, data: Data, nstep: int = 1) -> None:
    """Advance by nstep times model.opt.timestep, s, in one compiled call without Python's lock (GIL).

    The arrays of contacts and constraint rows grow where they are too short. The first step of a kind of model compiles
    its kernels: tens of seconds, once on a machine.

    nstep   number of steps

    Raises ModelError, with model.unsimulated, where the physics lacks a feature that the model needs; ValueError for a
    Data of another model and for a negative nstep, TypeError for one that is not an integer.

    Source: specification, Computation, "Forward dynamics" and "Numerical integration"; API reference, mj_step.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        kinetree.step(model, data, nstep=10)
        assert abs(data.time - 10 * model.opt.timestep) < 1e-12
    """
    if type(nstep) is not int or not 0 <= nstep <= MOST_STEPS:
        nstep = whole(nstep, "nstep", 0, MOST_STEPS)
    run_list(model, data, "step", nstep)


def inverse(model: Model, data: Data) -> None:
    """Compute data.qfrc_inverse (nv,), N or N m: the forces that make the acceleration data.qacc in the present state.

    The result is the sum of applied and actuator forces that this needs. Constraint forces follow from qacc too
    (data.efc_force, data.qfrc_constraint). With the flag invdiscrete, qacc is a finite difference of velocities under
    the model's integrator, (qvel after a step - qvel) / timestep.

    Raises ModelError as `step` does, ValueError for a Data of another model, and with invdiscrete for the integrator
    RK4.

    Source: specification, Computation, "Inverse dynamics"; API reference, mj_inverse.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        kinetree.inverse(model, data)
        assert np.allclose(data.qfrc_inverse, data.qfrc_actuator, atol=1e-4)
    """
    check_pair(model, data)
    if needs.lacks_discrete_inverse(model):
        raise ValueError("there is no discrete inverse dynamics for the integrator RK4: clear the flag invdiscrete")
    run_list(model, data, "inverse")


def run_list(model: Model, data: Data, name: str, n: int = 1, after: tuple[int, ...] = ()) -> None:
    """Run one of LISTS n times, with the hooks of the data.

    `after`: addresses of stages that follow each time, like the recorder's.
    """
    check_pair(model, data)
    if data.hooks is not None:
        _run_with_hooks(model, data, n, _prepared(model, data).parts(name), np.array(after, np.int64))
        return
    table = table_of(model, data, name)
    run_stages(model, data, n, np.array([*table, *after], np.int64) if after else table)


def table_of(model: Model, data: Data, name: str) -> np.ndarray:
    """Addresses of the stages of one of LISTS, for runs with this Data, which was made for the model, without hooks."""
    return _prepared(model, data).table(name)


def _prepared(model: Model, data: Data) -> Pipeline:
    """The pipeline of the model, once the Data knows its collision functions."""
    found = pipeline(model)
    data.collision_function, data.distance_function = found.collision, found.distance
    return found


def _run_with_hooks(model: Model, data: Data, n: int, parts: list, after: np.ndarray) -> None:
    """Run parts of a list of stages n times: tables of addresses, single checks, hooks."""
    from kinetree.engine.jit.compiler import compiled

    if not isinstance(data.hooks, hooks.Hooks):
        raise TypeError(f"data.hooks must be kinetree.Hooks or None, not {kind_of(data.hooks)}")
    try:
        for _ in range(n):
            k = 0
            while k < len(parts):
                part = parts[k]
                k += 1
                if isinstance(part, HookRow):
                    part.calls(data.hooks, model, data)
                elif isinstance(part, Stage):
                    compiled(part.load())(model, data)
                    if data.redo == 1:  # as in engine/dynamics/run.py
                        data.redo, k = 2, 0
                else:
                    run_stages(model, data, 1, part)
            run_stages(model, data, 1, after)
    except BaseException:
        data.redo = 0
        raise


def run_stages(model: Model, data: Data, n: int, table: np.ndarray) -> None:
    """Run a table of stages n times; where a stage runs out of memory, Data grows and the run goes on from
    there.
    """
    from kinetree.engine.dynamics.run import run
    from kinetree.engine.jit.compiler import caller

    loop, first = caller(run), 0
    threads = data.threads
    if threads is not None:
        _check_threads(threads)
    helped = threads is not None and threads.join(data)
    try:
        while n > 0:
            done = loop(model, data, n, table, first)
            if done < n:
                first = data.stage
                data.grow()
                if helped:
                    threads.follow(data)
            n -= done
    finally:
        if helped:
            threads.leave(data)


def _check_threads(threads: Any) -> None:
    from kinetree.engine.jit.threads import Threads

    if not isinstance(threads, Threads):
        raise TypeError(f"data.threads must be kinetree.Threads or None, not {kind_of(threads)}")


def kinematics(model: Model, data: Data) -> None:
    """Compute the poses of bodies, geoms, sites, cameras, lights, flexes and tendon paths from data.qpos.

    Positions such as data.xpos (nbody, 3) are in m, in the world's frame. It needs no compiled code and works for
    models that cannot be simulated; `forward` is faster.

    Raises ValueError for a Data of another model.

    Source: specification, API reference, mj_kinematics, mj_camlight, mj_flex and mj_tendon.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        assert data.site_xpos[kinetree.name2id(model, "site", "tool")].any()
    """
    from kinetree.engine.jit.uncompiled import Lists, ListState, uncompiled

    check_pair(model, data)
    lists = Lists(model)
    state = ListState(lists, data)
    for row in stages(model, POSITION):
        if row.name in POSE:
            uncompiled(row.load())(lists, state)
    state.store(data)


POSE = ("kinematics", "com_pos", "camlight", "flex_positions", "flex_edges", "tendon", "spatial_tendon")
