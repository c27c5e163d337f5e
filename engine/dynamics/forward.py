"""Read first: what happens in a step, as an ordered list of stages.

Every stage is a kernel `stage(model, data)`. A row names it, says where it is and for which models it is needed;
what a model does not need is neither imported nor compiled. `pipeline(model)` turns the rows into addresses, and
`engine/dynamics/run.py` calls them one after the other, with the GIL released, n steps in one call.

Order and meaning of the stages: specification, Computation, "Forward dynamics" and "Simulation pipeline".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

import numpy as np

from engine.dynamics import needs, unsimulated
from engine.model.data import Data
from engine.model.enums import (
    INT_EULER,
    INT_IMPLICITFAST,
    SENS_ACCELEROMETER,
    SENS_CAMPROJECTION,
    SENS_FORCE,
    SENS_FRAMEANGACC,
    SENS_FRAMELINACC,
    SENS_SUBTREEANGMOM,
    SENS_SUBTREELINVEL,
    SENS_TORQUE,
    STAGE_ACC,
    STAGE_POS,
    STAGE_VEL,
    TRN_BODY,
    TRN_JOINT,
    TRN_JOINTINPARENT,
    TRN_SITE,
    TRN_SLIDERCRANK,
    TRN_TENDON,
)
from engine.model.model import Model


@dataclass(frozen=True)
class Stage:
    """A kernel (module:function) and the models that need it. It must not depend on what may change live."""

    name: str
    where: str
    needed: Callable[[Model], bool] = lambda model: True

    def load(self):
        module, _, function = self.where.partition(":")
        return getattr(import_module(module), function)


DYNAMICS = "engine.dynamics"

MOMENTUM_SENSORS = (SENS_SUBTREELINVEL, SENS_SUBTREEANGMOM)
FORCE_SENSORS = (SENS_ACCELEROMETER, SENS_FORCE, SENS_TORQUE, SENS_FRAMELINACC, SENS_FRAMEANGACC)

POSITION = [
    Stage("kinematics", f"{DYNAMICS}.kinematics:kinematics"),
    Stage("com_pos", f"{DYNAMICS}.kinematics:com_pos"),
    Stage("camlight", f"{DYNAMICS}.kinematics:camlight", lambda m: m.ncam + m.nlight > 0),
    Stage("flex_positions", f"{DYNAMICS}.flex:flex_positions", lambda m: m.nflex > 0),
    Stage("tendon", f"{DYNAMICS}.tendon:tendon", needs.fixed_tendons),
    Stage("spatial_tendon", f"{DYNAMICS}.spatial_tendon:spatial_tendon", needs.spatial_tendons),
    Stage("crb", f"{DYNAMICS}.inertia:crb", needs.has_dofs),
    Stage("tendon_armature", f"{DYNAMICS}.inertia:tendon_armature", lambda m: bool(m.tendon_armature.any())),
    Stage("factor_m", f"{DYNAMICS}.inertia:factor_m", needs.has_dofs),
    Stage("broad_phase", "engine.collision.broadphase:broad_phase", needs.collides),
    Stage("collision", "engine.collision.driver:collision", needs.collides),
    Stage("begin_constraint", f"{DYNAMICS}.constraint:begin_constraint", needs.constrained),
    Stage(
        "equality", f"{DYNAMICS}.constraint_equality:equality", lambda m: needs.constrained(m) and m.neq > 0
    ),
    Stage("friction_loss", f"{DYNAMICS}.constraint:friction_loss", needs.rubs),
    Stage("limit", f"{DYNAMICS}.constraint:limit", needs.limited),
    Stage("contact_constraint", f"{DYNAMICS}.constraint_contact:contact_constraint", needs.touches),
    Stage(
        "transmission",
        f"{DYNAMICS}.transmission:transmission",
        needs.acts_on(TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON),
    ),
    Stage(
        "transmission_site",
        f"{DYNAMICS}.transmission_site:transmission_site",
        needs.acts_on(TRN_SITE, TRN_SLIDERCRANK),
    ),
    Stage("transmission_body", f"{DYNAMICS}.transmission_site:transmission_body", needs.acts_on(TRN_BODY)),
    Stage("energy", f"{DYNAMICS}.energy:energy", needs.wants_energy),
    Stage("sensor_pos", f"{DYNAMICS}.sensor:sensor_pos", needs.sensors(STAGE_POS)),
    Stage(
        "camera_projection", f"{DYNAMICS}.projection:camera_projection", needs.has_sensor(SENS_CAMPROJECTION)
    ),
]

VELOCITY = [
    Stage("com_vel", f"{DYNAMICS}.velocity:com_vel"),
    Stage("tendon_velocity", f"{DYNAMICS}.velocity:tendon_velocity", needs.has_tendons),
    Stage("actuator_velocity", f"{DYNAMICS}.velocity:actuator_velocity", lambda m: m.nu > 0),
    Stage("passive", f"{DYNAMICS}.passive:passive", needs.has_dofs),
    Stage("reference_constraint", f"{DYNAMICS}.constraint:reference_constraint", needs.constrained),
    Stage("rne", f"{DYNAMICS}.velocity:rne", needs.has_dofs),
    Stage(
        "spatial_armature",
        f"{DYNAMICS}.spatial_tendon:spatial_armature",
        lambda m: needs.spatial_tendons(m) and m.nv > 0 and bool(m.tendon_armature.any()),
    ),
    Stage("subtree_vel", f"{DYNAMICS}.post_constraint:subtree_vel", needs.has_sensor(*MOMENTUM_SENSORS)),
    Stage("sensor_vel", f"{DYNAMICS}.sensor:sensor_vel", needs.sensors(STAGE_VEL)),
]

ACCELERATION = [
    Stage("muscle", f"{DYNAMICS}.muscle:muscle", needs.has_muscles),
    Stage("actuation", f"{DYNAMICS}.actuation:actuation", lambda m: m.nu > 0),
    Stage("acceleration", f"{DYNAMICS}.acceleration:acceleration", needs.has_dofs),
    Stage("islands", f"{DYNAMICS}.island:islands", needs.constrained),
    Stage("elimination", f"{DYNAMICS}.elimination:elimination", needs.large),
    Stage("solve", f"{DYNAMICS}.solver_newton:solve", needs.constrained),
    Stage("unconstrained", f"{DYNAMICS}.acceleration:unconstrained", lambda m: not needs.constrained(m)),
    Stage(
        "rne_post_constraint",
        f"{DYNAMICS}.post_constraint:rne_post_constraint",
        needs.has_sensor(*FORCE_SENSORS),
    ),
    Stage("sensor_acc", f"{DYNAMICS}.sensor:sensor_acc", needs.sensors(STAGE_ACC)),
]

FORWARD = [*POSITION, *VELOCITY, *ACCELERATION]

CHECKS = [
    Stage("check_state", f"{DYNAMICS}.integrate:check_state", needs.has_dofs),
    Stage("check_acc", f"{DYNAMICS}.integrate:check_acc", needs.has_dofs),
]

INTEGRATE = [
    Stage("euler", f"{DYNAMICS}.integrate:euler", lambda m: m.opt.integrator == INT_EULER),
    Stage(
        "implicitfast", f"{DYNAMICS}.integrate:implicitfast", lambda m: m.opt.integrator == INT_IMPLICITFAST
    ),
]

STEP = [CHECKS[0], *FORWARD, CHECKS[1], *INTEGRATE]

# What decides the choice of stages, or whether there are any, and may be changed on a live model: a change makes a new
# pipeline.
LIVE = (
    "opt_integrator", "opt_enableflags", "opt_disableflags", "opt_solver", "opt_noslip_iterations", "opt_density",
    "opt_viscosity",
)  # fmt: skip


@dataclass(frozen=True)
class Pipeline:
    """Addresses of the compiled stages of one model."""

    key: tuple
    forward: np.ndarray
    step: np.ndarray
    names: tuple[str, ...]


def stages(model: Model, rows: list[Stage] = STEP) -> list[Stage]:
    """The stages that a model needs, in order."""
    return [row for row in rows if row.needed(model)]


def _key(model: Model) -> tuple:
    arrays = (model.jnt_limited, model.tendon_limited, model.dof_frictionloss, model.tendon_frictionloss)
    cells = model._cells
    return (*[cells[name].item() for name in LIVE], *(bool(a.any()) for a in arrays), needs.collides(model))


def pipeline(model: Model) -> Pipeline:
    """The compiled stages of the model, made at the first call (or read from the cache).

    Raises ModelError when the physics lacks something that the model needs.
    """
    key = _key(model)
    if model.pipeline is None or model.pipeline.key != key:
        unsimulated.refuse(model)
        from engine.jit.compiler import address_of

        tables = [
            np.array([address_of(row.load()) for row in stages(model, rows)], np.int64)
            for rows in (FORWARD, STEP)
        ]
        model.pipeline = Pipeline(key, *tables, tuple(row.name for row in stages(model)))
    return model.pipeline


def forward(model: Model, data: Data) -> None:
    """Compute everything that depends on the state and the inputs, without advancing time.

    Raises ModelError, with model.unsimulated, when the physics lacks something that the model needs.
    """
    table = pipeline(model).forward
    run = _loop()
    _bind(model, data)
    while run(model, data, 1, table) < 1:
        data.grow()


def step(model: Model, data: Data, nstep: int = 1, *, after: tuple[int, ...] = ()) -> None:
    """Advance by nstep times model.opt.timestep, in one compiled call with the GIL released.

    `after`: addresses of stages that follow each step, like the recorder's.
    The arrays of contacts and constraint rows grow, and the step is done again, when they were too short.
    Raises ModelError, with model.unsimulated, when the physics lacks something that the model needs.
    """
    table = pipeline(model).step
    if after:
        table = np.array([*table, *after], np.int64)
    run = _loop()
    _bind(model, data)
    while nstep > 0:
        nstep -= run(model, data, nstep, table)
        if nstep > 0:
            data.grow()


def kinematics(model: Model, data: Data) -> None:
    """Where everything is at data.qpos: bodies, geoms, sites, cameras, lights, flexes, paths of tendons.

    Needs no compiled code, and works for models that cannot be simulated; slower than `forward`.
    """
    from engine.jit.uncompiled import Lists, State

    lists = Lists(model)
    state = State(lists, data)
    for row in stages(model, POSITION):
        if row.name in POSE:
            row.load()(lists, state)
    state.store(data)


POSE = ("kinematics", "com_pos", "camlight", "flex_positions", "tendon", "spatial_tendon")


def _loop() -> Callable:
    """The compiled loop over stages and steps."""
    from engine.dynamics.run import run
    from engine.jit.compiler import compiled

    return compiled(run)


def _bind(model: Model, data: Data) -> None:
    """Give the data the addresses of the collision functions that the model needs, once."""
    if needs.collides(model) and not data.collision_function.any():
        from engine.collision.table import addresses

        data.collision_function[...] = addresses(model)
