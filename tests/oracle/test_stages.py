"""Every stage of a step, and every result in Data, against mujoco.

Each model takes a step, one stage after the other, from a state that mujoco has too. All results are poisoned before;
what a stage writes is found by comparing Data before and after it. Afterwards each result and each state is compared.

A new stage fails here until one of these models needs it and one of its results is compared, or UNCOMPARED_STAGES says
why not; a new result of Data until it is compared, or UNCOMPARED says why not.
"""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics import forward
from kinetree.engine.jit.compiler import compiled
from kinetree.engine.model.fields import TABLES
from tests.oracle.bridge import copy_contacts, copy_state, model_from
from tests.oracle.compiled import distance, turn
from tests.oracle.constrained import CONSTRAINED, settle
from tests.oracle.models import SENSOR_MODEL, SMOOTH_MODELS
from tests.oracle.parity import contact_gaps
from tests.oracle.test_flex_forces import CABLE, CABLES, edge_jacobian
from tests.oracle.test_smooth import random_state

RESULTS = {field.name: field for field in TABLES["Data"] if field.role in ("state", "output")}
UNCOMPARED = {
    "efc_b": "only dual solvers need it: compared in test_dual.py",
    "tree_island": "mujoco shows islands by dof: dof_island",
    "qH": "the integrator's factor: seen in the velocities after the step",
    "qHDiagInv": "likewise",
    **dict.fromkeys(("qDeriv", "qDeriv_upper"), "compared in test_integrators.py"),
    **dict.fromkeys(("qLU", "qLU_upper"), "the factor of implicit: seen in the velocities after the step"),
    "solver_fwdinv": "compared in test_inverse.py",
    "nJ": "how our engine stores the constraint Jacobian",
    **dict.fromkeys(
        (
            f"solver_{name}"
            for name in ["niter", "improvement", "gradient", "lineslope", "nactive", "nchange", "neval", "nupdate"]
        ),
        "compared in test_solver.py",
    ),
    "nreset": "mujoco does not count automatic resets",
    "warning_time": "mujoco does not keep the time of a warning",
    "warning": "compared in test_checks_of_the_state",
    "plugin_state": "no plugin of mujoco 3.3.4 has state of its own",
    "qfrc_inverse": "compared in test_inverse.py",
    "nsdfpoint": "mujoco draws these points and counts them nowhere: compared in test_sdf.py",
}
UNCOMPARED_STAGES = {
    **dict.fromkeys(("hard_contacts", "harden", "contact_sensor"), "MPEX: mujoco has none"),
    "pid": "compared in test_plugins.py: its parameters are no field of mujoco",
    "touch_grid": "likewise",
    "touch_stress": "likewise",
    "check_state": "compared in test_checks_of_the_state",
    "check_acc": "compared in test_checks_of_the_state",
    "check_result": "the reference has no such check: test_integrators.py",
    "flex_candidates": "leaves the pairs for collision, whose contacts are compared",
    **dict.fromkeys(("smooth_derivative", "bias_derivative"), "qDeriv is compared in test_integrators.py"),
    **dict.fromkeys(("damping_factor", "fast_factor", "implicit_factor"), "seen in the velocities after the step"),
    **dict.fromkeys(
        (
            "discrete_acceleration",
            "inverse_constraint",
            "inverse",
            "restore_acceleration",
            "keep_forward",
            "compare_inverse",
        ),
        "compared in test_inverse.py",
    ),
    "rk4_begin": "keeps the state for rk4",
    "clear_energy": "compared in test_integrators.py: the flag energy is on here",
    "muscle": "gains for actuation, whose forces are compared",
    "fluid_derivative": "compared in test_fluid.py",
    "range_finder_sdf": "compared in test_ray.py",
    "project": "the matrix of PGS and noslip, whose solutions are compared",
    "elimination": "the order of elimination is our own; solve uses it",
}

UNPOISONED = {"warning", "warning_time", "nreset"}  # counters continue from their values
STATE_TOLERANCE = {"qpos": 1e-6, "qvel": 1e-6, "qacc_warmstart": 1e-6}
SOLUTION = ("qacc", "qfrc_constraint", "efc_force", "sensordata", "cacc", "cfrc_int", "cfrc_ext")
TOLERANCE = {**STATE_TOLERANCE, **dict.fromkeys(SOLUTION, 1e-5), "contact_H": 1e-5}
SMOOTH_TOLERANCE = 1e-9
CONE = int(mujoco.mjtConstraintState.mjCNSTRSTATE_CONE)

ADHESION = """<mujoco><worldbody><geom type="plane" size="5 5 1"/><body name="foot" pos="0 0 .099"><freejoint/>
 <geom size=".1" margin=".01"/></body><body pos="1 0 .5"><joint axis="0 1 0"/><geom size=".1" pos=".2 0 0"/></body>
 </worldbody><actuator><adhesion body="foot" gain="3" ctrlrange="0 1"/></actuator></mujoco>"""

DAMPED = """<mujoco><worldbody><body><joint axis="0 1 0" damping="2"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
 </mujoco>"""

MEDIUM = """<mujoco><option density="90" viscosity=".3" wind="1 2 .5" integrator="implicit"/><worldbody>
 <body><freejoint/><geom type="box" size=".1 .2 .05"/>
  <body pos=".3 0 0"><joint axis="0 1 0"/><geom type="ellipsoid" size=".1 .05 .02" fluidshape="ellipsoid"/></body></body>
 </worldbody></mujoco>"""

MEASURED = """<mujoco><worldbody><geom name="wall" type="box" size=".1 2 2" pos="-2 0 0"/>
 <body pos="0 0 1"><joint type="slide" axis="1 0 0" damping="1"/><geom name="ball" size=".1"/>
  <site name="eye" zaxis="-1 0 .1"/></body></worldbody>
 <sensor><rangefinder site="eye"/><distance geom1="ball" geom2="wall" cutoff="9"/>
  <fromto geom1="ball" geom2="wall" cutoff="9"/></sensor></mujoco>"""

CABLE_TEXT = CABLE.format(**CABLES["bent"])
FLEXES = """<mujoco><worldbody><geom type="plane" size="5 5 1"/>
 <body pos=".1 .1 .2"><freejoint/><geom size=".08" mass=".2"/></body>
 <flexcomp name="cloth" type="grid" dim="2" count="5 4 1" spacing=".1 .1 .1" mass=".5" radius=".02" pos="0 0 .3">
  <contact selfcollide="narrow" margin=".01"/><edge equality="true"/><pin id="0"/></flexcomp>
 <flexcomp name="sheet" type="grid" dim="2" count="3 4 1" spacing=".1 .1 .1" mass=".5" radius=".02" pos="1 0 .05">
  <elasticity young="1e4" poisson=".2" damping=".01" thickness=".02" elastic2d="both"/><edge damping=".1"/></flexcomp>
 <flexcomp name="solid" type="grid" dim="3" count="3 3 3" spacing=".1 .1 .1" mass="1" radius=".02" pos="0 1 .11">
  <contact internal="true"/><elasticity young="1e3" poisson=".2" damping=".01"/></flexcomp></worldbody></mujoco>"""


def constrained(name: str, **options: int) -> mujoco.MjModel:
    m = mujoco.MjModel.from_xml_string(CONSTRAINED[name])
    for option, value in options.items():
        setattr(m.opt, option, value)
    return m


def without_contacts(text: str) -> mujoco.MjModel:
    """Contacts of convex shapes are compared in test_collision.py: ours end elsewhere within the tolerance."""
    m = mujoco.MjModel.from_xml_string(text)
    m.geom_contype[:] = m.geom_conaffinity[:] = 0
    return m


SMOOTH = {**SMOOTH_MODELS, "sensors": SENSOR_MODEL}
MODELS: dict[str, Callable[[], mujoco.MjModel]] = {
    **{name: lambda text=text: without_contacts(text) for name, text in SMOOTH.items()},
    **{name: lambda name=name: constrained(name) for name in CONSTRAINED},
    "elliptic contacts": lambda: constrained("contacts", cone=1),
    "RK4": lambda: constrained("limits", integrator=1),
    "implicit": lambda: constrained("limits", integrator=2),
    "implicitfast": lambda: constrained("limits", integrator=3),
    "PGS": lambda: constrained("contacts", cone=1, solver=0),
    "CG": lambda: constrained("contacts", solver=1, iterations=5),
    "noslip": lambda: constrained("contacts", noslip_iterations=3),
    "damped": lambda: mujoco.MjModel.from_xml_string(DAMPED),
    "medium": lambda: mujoco.MjModel.from_xml_string(MEDIUM),
    "measured": lambda: mujoco.MjModel.from_xml_string(MEASURED),
    "adhesion": lambda: mujoco.MjModel.from_xml_string(ADHESION),
    "flexes": lambda: mujoco.MjModel.from_xml_string(FLEXES),
    "cable": lambda: mujoco.MjModel.from_xml_string(CABLE_TEXT),
}
OWN = {"flexes": FLEXES, "cable": CABLE_TEXT}
"""Our compiler makes the model of these: mujoco's has no fields for parts of it."""


# ---- results that are kept in another form
# -----------------------------------------------------------------------------


def _factored(model: kinetree.Model, ld: np.ndarray) -> np.ndarray:
    """L'DL, where the rows of `ld` hold L and, at their end, D."""
    lower, d = np.eye(model.nv), np.zeros(model.nv)
    for i in range(model.nv):
        first, count = model.M_rowadr[i], model.M_rownnz[i]
        row = ld[first : first + count]
        lower[i, model.M_colind[first : first + count - 1]] = row[:-1]
        d[i] = row[-1]
    return lower.T @ np.diag(d) @ lower


def _dense(values, rownnz, rowadr, colind, nv: int) -> np.ndarray:
    dense = np.zeros((len(rownnz), nv))
    for row, (count, first) in enumerate(zip(rownnz, rowadr, strict=True)):
        dense[row, colind[first : first + count]] = values[first : first + count]
    return dense


def _inertia(m, d) -> np.ndarray:
    dense = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, dense, d.qM)
    return dense


def _tendon_jacobian(m, d) -> np.ndarray:
    if mujoco.mj_isSparse(m):
        return _dense(np.ravel(d.ten_J), d.ten_J_rownnz, d.ten_J_rowadr, np.ravel(d.ten_J_colind), m.nv)
    return np.reshape(d.ten_J, (m.ntendon, m.nv))


def _edge_jacobian(m, d) -> np.ndarray:
    if mujoco.mj_isSparse(m):
        return _dense(
            np.ravel(d.flexedge_J), d.flexedge_J_rownnz, d.flexedge_J_rowadr, np.ravel(d.flexedge_J_colind), m.nv
        )
    return np.reshape(d.flexedge_J, (m.nflexedge, m.nv))


def _cone_hessians(data_or_d) -> np.ndarray:
    """Of the contacts whose force lies on the friction cone: it means nothing for others."""
    contact = data_or_d.contact
    blocks = [
        np.ravel(contact.H[i])[: contact.dim[i] ** 2]
        for i in range(data_or_d.ncon)
        if contact.efc_address[i] >= 0 and data_or_d.efc_state[contact.efc_address[i]] == CONE
    ]
    return np.concatenate([np.zeros(0), *blocks])


def _moment(model, data, m, d):
    ours = _dense(data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind, m.nv)
    return ours, _dense(d.actuator_moment, d.moment_rownnz, d.moment_rowadr, d.moment_colind, m.nv)


def _paths(name: str):
    def used(model, data, m, d):
        count = int(d.ten_wrapnum.sum())
        return np.ravel(getattr(data, name))[: count * 2], np.ravel(getattr(d, name))[: count * 2]

    return used


def _points(model, data, m, d):
    count = 3 * int(d.ten_wrapnum.sum())
    return np.ravel(data.wrap_xpos)[:count], np.ravel(d.wrap_xpos)[:count]


def _without_world(name: str):
    def moving(model, data, m, d):
        return (getattr(data, name)[1:], getattr(d, name)[1:]) if m.nv else ((), ())

    return moving


def _islands(model, data, m, d):
    """As partitions of the dofs: each island by its first dof."""

    def first_dofs(numbers):
        return [-1 if number < 0 else list(numbers).index(number) for number in numbers]

    return (first_dofs(data.dof_island), first_dofs(d.dof_island)) if d.nefc else ((), ())


def _rows_of_tendons(model, data, m, d):
    if d.ne or not d.nefc:  # of an equality mujoco notes its id here, not its row
        return (), ()
    return data.tendon_efcadr, d.tendon_efcadr


IN_ANOTHER_FORM = {
    "M": lambda model, data, m, d: (kinetree.full_m(model, data), _inertia(m, d)),
    "qLD": lambda model, data, m, d: (_factored(model, data.qLD), _inertia(m, d)),
    "qLDiagInv": lambda model, data, m, d: (data.qLDiagInv, d.qLDiagInv),
    "ten_J": lambda model, data, m, d: (
        _dense(data.ten_J, model.ten_J_rownnz, model.ten_J_rowadr, model.ten_J_colind, m.nv),
        _tendon_jacobian(m, d),
    ),
    **dict.fromkeys(("actuator_moment", "moment_rownnz", "moment_rowadr", "moment_colind"), _moment),
    "wrap_obj": _paths("wrap_obj"),
    "wrap_xpos": _points,
    "cinert": _without_world("cinert"),
    "crb": _without_world("crb"),
    "warning": lambda model, data, m, d: (data.warning, [(w.lastinfo, w.number) for w in d.warning]),
    "dof_island": _islands,
    "tendon_efcadr": _rows_of_tendons,
    "flexedge_J": lambda model, data, m, d: (edge_jacobian(model, data), _edge_jacobian(m, d)),
    "contact_H": lambda model, data, m, d: (_cone_hessians(data), _cone_hessians(d)),
}


def values(name: str, model, data, m, d) -> tuple:
    """Our value of a field and mujoco's."""
    if name in IN_ANOTHER_FORM:
        return IN_ANOTHER_FORM[name](model, data, m, d)
    if name.startswith("contact_"):
        return getattr(data, name), getattr(d.contact, name.removeprefix("contact_"))
    return getattr(data, name), getattr(d, name)


def agrees(name: str, ours, theirs) -> bool:
    ours, theirs = np.ravel(np.asarray(ours, float)), np.ravel(np.asarray(theirs, float))
    gap = turn(ours, theirs) if name == "xquat" else distance(ours, theirs)
    return gap <= TOLERANCE.get(name, SMOOTH_TOLERANCE)


# ---- a step in stages
# --------------------------------------------------------------------------------------------------


POISON = -771.5  # no NaN: arithmetic with one gives the same NaN, which looks as if nothing had been written


def poison(data: kinetree.Data) -> None:
    """Every result holds a wrong number, so that a stage which adds to it or reads it too early shows."""
    for name, field in RESULTS.items():
        if field.role == "output" and name not in UNPOISONED:
            if field.kind == "array":
                data._arrays[name][...] = POISON
            else:
                setattr(data, name, int(POISON))


def raw(data: kinetree.Data) -> dict[str, np.ndarray]:
    return {
        name: data._arrays[name].copy() if field.kind == "array" else np.array([getattr(data, name)])
        for name, field in RESULTS.items()
    }


def changed(before: dict[str, np.ndarray], after: dict[str, np.ndarray]) -> set[str]:
    return {name for name in RESULTS if before[name].tobytes() != after[name].tobytes()}


def fill_unwritten(data: kinetree.Data) -> None:
    """Results that no stage wrote are what they are from the beginning, zero."""
    for name, field in RESULTS.items():
        if field.role == "output" and name not in UNPOISONED:
            if field.kind == "array":
                array = data._arrays[name]
                array[array == array.dtype.type(POISON)] = 0
            elif getattr(data, name) == int(POISON):
                setattr(data, name, 0)


def find_islands(m: mujoco.MjModel, d: mujoco.MjData) -> None:
    """mujoco finds them only where its solver uses them."""
    flags = m.opt.enableflags
    m.opt.enableflags = flags | mujoco.mjtEnableBit.mjENBL_ISLAND
    mujoco.mj_island(m, d)
    m.opt.enableflags = flags


def take_step(
    m: mujoco.MjModel, seed: int, spoiled: tuple[str, str] = ("", ""), text: str = ""
) -> tuple[dict[str, set[str]], list[str]]:
    """(stage -> the results that it wrote, the results that differ from mujoco's) in a step from a random state.

    seed      0: any state, else one that some steps under random controls lead to
    spoiled   (stage, result): the result is made wrong after that stage
    text      our model is compiled from it, else made of mujoco's
    """
    m.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    m.opt.tolerance = 1e-14  # mujoco's solution is then good to more digits
    d, rng = mujoco.MjData(m), np.random.default_rng(seed)
    model = kinetree.load_string(text) if text else model_from(m)
    model.opt.enableflags, model.opt.tolerance = m.opt.enableflags, m.opt.tolerance
    data = kinetree.Data(model)
    if seed:
        settle(m, d, 3 * seed, rng)
    else:
        random_state(m, d, rng)
    copy_state(m, d, data)
    kinetree.forward(model, data)  # makes room for contacts and rows
    copy_state(m, d, data)
    data.ncon = data.nefc = 0
    poison(data)
    written = {}
    mujoco.mj_step(m, d)
    find_islands(m, d)
    found = []
    rows = forward.stages(model)
    last_of_contacts = [row.name for row in rows if row.name in ("collision", "flex_self_collision")][-1:]
    for row in rows:
        before = raw(data)
        compiled(row.load())(model, data)
        assert not data.needs_memory, row.name
        written[row.name] = changed(before, raw(data))
        if row.name == spoiled[0]:
            data._arrays[spoiled[1]][...] += 1e-3
        if row.name in last_of_contacts:
            found += [name for name, gap in contact_gaps(data, d).items() if not gap <= 1.0]
            copy_contacts(d, data)  # their order is free
    fill_unwritten(data)
    for name in RESULTS:
        if name not in UNCOMPARED:
            ours, theirs = values(name, model, data, m, d)
            if not agrees(name, ours, theirs):
                found.append(name)
    return written, found


SEEDS = (0, 1, 5)
OTHER_SEEDS = {
    "PGS": (1, 5, 6)
}  # with seed 0, a force lies on the edge of its cone: a rounding error decides its state


def seeds_of(name: str) -> tuple[int, ...]:
    return OTHER_SEEDS.get(name, SEEDS)


@pytest.fixture(scope="module")
def runs() -> dict[str, list[tuple[dict[str, set[str]], list[str]]]]:
    return {
        name: [take_step(make(), seed, text=OWN.get(name, "")) for seed in seeds_of(name)]
        for name, make in MODELS.items()
    }


@pytest.mark.parametrize("name", MODELS)
def test_results_agree(runs, name):
    for seed, (_, found) in zip(seeds_of(name), runs[name], strict=True):
        assert not found, f"seed {seed}"


def test_every_stage_and_every_result_is_compared(runs):
    written: dict[str, set[str]] = {row.name: set() for row in forward.STEP if isinstance(row, forward.Stage)}
    for steps in runs.values():
        for stages, _ in steps:
            for stage, names in stages.items():
                written[stage] |= names - set(UNCOMPARED)
    without = {stage for stage, names in written.items() if not names}
    assert without == set(UNCOMPARED_STAGES), "stages that write no result which is compared here"
    compared = set().union(*written.values())
    assert set(RESULTS) - compared == set(UNCOMPARED), "results that no stage writes here"


@pytest.mark.parametrize(
    "spoiled",
    [
        ("kinematics", "xaxis"),
        ("rne", "qfrc_bias"),
        ("reference_constraint", "efc_vel"),
        ("solve", "efc_force"),
    ],
)
def test_a_wrong_result_is_found(spoiled):
    assert spoiled[1] in take_step(MODELS["pile"](), 5, spoiled)[1]


# ---- stages that no step above goes through
# ----------------------------------------------------------------------------


SWING = "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>"


@pytest.mark.parametrize(
    ("stage", "check", "field", "warning"),
    [
        ("check_state", "mj_checkPos", "qpos", "mjWARN_BADQPOS"),
        ("check_state", "mj_checkVel", "qvel", "mjWARN_BADQVEL"),
        ("check_acc", "mj_checkAcc", "qacc", "mjWARN_BADQACC"),
    ],
)
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e12, 1.0])
def test_checks_of_the_state(stage, check, field, warning, value):
    mujoco.set_mju_user_warning(lambda message: None)
    m = mujoco.MjModel.from_xml_string(SWING)
    model, d = model_from(m), mujoco.MjData(m)
    data = kinetree.Data(model)
    d.time = data.time = 0.5
    getattr(d, field)[0] = getattr(data, field)[0] = value
    getattr(mujoco, check)(m, d)
    mujoco.set_mju_user_warning(None)
    (row,) = [row for row in forward.CHECKS if row.name == stage]
    compiled(row.load())(model, data)
    number = int(getattr(mujoco.mjtWarning, warning))
    assert data.warning.tolist() == [[w.lastinfo, w.number] for w in d.warning]
    assert data.warning[number, 1] == (value != 1.0)
    assert (data.qpos, data.qvel, data.time) == (d.qpos, d.qvel, d.time)
