"""Sizes, mass and freedom of the model, in one list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from kinetree import engine
from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import NAME, UNIT, LiveColumn, LiveRow, sort_key, value_text
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import marked, tr

MOST_NAMES = 12
EQUALITY_ROWS = {enums.EQ_CONNECT: 3, enums.EQ_WELD: 6, enums.EQ_JOINT: 1, enums.EQ_TENDON: 1, enums.EQ_DISTANCE: 1}
"""Constraint rows of an equality, by its type."""
JOINTS = ((enums.JNT_FREE, "free"), (enums.JNT_BALL, "ball"), (enums.JNT_SLIDE, "slide"), (enums.JNT_HINGE, "hinge"))
SIZES = (
    ("nbody", marked("Bodies")),
    ("njnt", marked("Joints")),
    ("ngeom", marked("Geoms")),
    ("nsite", marked("Sites")),
    ("nmesh", marked("Meshes")),
    ("nu", marked("Actuators")),
    ("nsensor", marked("Sensors")),
    ("ntendon", marked("Tendons")),
    ("neq", marked("Equalities")),
    ("npair", marked("Contact pairs")),
    ("nexclude", marked("Contact exclusions")),
    ("nflex", marked("Flexes")),
    ("nkey", marked("Keyframes")),
)
VALUE = LiveColumn(
    marked("Value"),
    lambda _row, value, units: f"{value:,}" if isinstance(value, int) else value_text(value),
    lambda _row, value: sort_key(value),
    is_live=True,
    is_number=True,
    width=190,
    short=lambda _row, value, _units, places: value_text(value, places=places),
)


def unactuated(model: Any) -> np.ndarray:
    """The degrees of freedom that no actuator moves directly: by a joint or a fixed tendon."""
    moved: set[int] = set()
    for kind, id in zip(model.actuator_trntype.tolist(), model.actuator_trnid[:, 0].tolist(), strict=True):
        joints = []
        if kind in (engine.model.enums.TRN_JOINT, engine.model.enums.TRN_JOINTINPARENT):
            joints = [id]
        elif kind == engine.model.enums.TRN_TENDON:
            first, number = int(model.tendon_adr[id]), int(model.tendon_num[id])
            wraps = range(first, first + number)
            joints = [int(model.wrap_objid[k]) for k in wraps if model.wrap_type[k] == engine.model.enums.WRAP_JOINT]
        for joint in joints:
            moved.update(np.flatnonzero(np.asarray(model.dof_jntid) == joint).tolist())
    return np.setdiff1d(np.arange(model.nv), list(moved))


def _joints_of(model: Any, dofs: np.ndarray) -> str:
    """The names of the joints of some degrees of freedom, the first ones of many; without a name that of the body."""
    joints = np.unique(np.asarray(model.dof_jntid)[dofs]).tolist()
    titles = [
        model.names["joint"][joint] or name_of(model, "body", int(model.jnt_bodyid[joint]))
        for joint in joints[:MOST_NAMES]
    ]
    names = ", ".join(titles)
    return (
        names
        if len(joints) <= MOST_NAMES
        else tr("{names} and {count} more", names=names, count=len(joints) - MOST_NAMES)
    )


class OverviewPanel(LivePanel):
    what = "fact"
    columns = (NAME, VALUE, UNIT)

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        mass = float(np.sum(model.body_mass))
        masses = np.array(model.body_mass, float)  # a copy: rows of a panel that is closed keep no model
        yield _fact(tr("Total mass"), mass, tr("Mass"), unit="kg")
        yield LiveRow(
            tr("Centre of mass"), lambda state: _centre(masses, state), "m", group=tr("Mass"),
            help=tr("Of all bodies, in world axes"),
        )  # fmt: skip
        yield LiveRow(
            tr("Norm of qvel"),
            lambda state: float(np.linalg.norm(state.qvel)),
            "",
            quantity="norm(qvel)",
            group=tr("Mass"),
            help=tr("Of the velocities of all degrees of freedom"),
        )
        yield _fact(
            tr("Weight"),
            mass * float(np.linalg.norm(model.opt.gravity)),
            tr("Mass"),
            tr("Under the gravity of the text"),
            "N",
        )
        types = np.asarray(model.jnt_type)
        kinds = ", ".join(f"{int((types == kind).sum())} {tr(name)}" for kind, name in JOINTS if (types == kind).any())
        yield _fact(
            tr("Degrees of freedom"),
            int(model.nv),
            tr("Freedom"),
            tr("Joints: {kinds}", kinds=kinds) if kinds else tr("No joints"),
        )
        yield _fact(
            tr("Kinematic trees"), int(model.ntree), tr("Freedom"), tr("Bodies that joints connect, without the world")
        )
        equalities = sum(EQUALITY_ROWS.get(int(kind), 0) for kind in model.eq_type)
        yield _fact(
            tr("Bound by equalities"),
            equalities,
            tr("Freedom"),
            tr("Constraint rows of all equalities but those of flexes"),
        )
        free = unactuated(model)
        yield _fact(
            tr("Degrees of freedom without actuator"),
            len(free),
            tr("Freedom"),
            tr("Of the joints: {names}", names=_joints_of(model, free))
            if len(free)
            else tr("Actuators move all joints"),
        )
        yield _fact(tr("Limited joints"), int(np.sum(model.jnt_limited)), tr("Freedom"), tr("Joints with a range"))
        yield _fact(
            tr("Actuator states"), int(model.na), tr("Freedom"), tr("Activations, such as of muscles and filters")
        )
        for size, title in SIZES:
            count = int(getattr(model, size))
            if count or size in ("nbody", "njnt", "ngeom"):
                yield _fact(tr(title), count, tr("Sizes"), f"model.{size}")
        yield _fact(tr("Positions"), int(model.nq), tr("Sizes"), tr("model.nq: numbers in qpos"))


def _fact(name: str, value: float | int, group: str, help: str = "", unit: str = "") -> LiveRow:
    read: Callable[[Any], Any] = lambda _state: value  # noqa: E731
    return LiveRow(name, read, unit, group=group, help=help)


def _centre(mass: np.ndarray, state: Any) -> np.ndarray:
    """Centre of mass of everything that has mass."""
    total = mass.sum()
    return mass @ np.asarray(state.xipos, float) / total if total > 0 else np.zeros(3)
