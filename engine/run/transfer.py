"""Carry the state of one model over to the next version of it: what live reload keeps.

Joints that still exist keep their positions, velocities and applied forces, actuators their controls and activations,
bodies the forces on them, mocap bodies their poses, equalities their switches, user data stay, and time goes on. Which
object is which is told by `engine/run/matching.py`. What is new starts as `kinetree.reset` leaves it.
"""

from __future__ import annotations

import math

import numpy as np

from kinetree.engine.model.data import Data
from kinetree.engine.model.fields import select
from kinetree.engine.model.kinds import JOINT_NQ, JOINT_NV
from kinetree.engine.model.model import Model
from kinetree.engine.run.matching import Matching

_NQ, _NV = np.array(JOINT_NQ), np.array(JOINT_NV)


def transfer(
    old: Model, old_data, new: Model, new_data: Data, matching: Matching | None = None, follow_text: bool = True
) -> None:
    """Copy the state and inputs that still make sense from `old_data` (a Data, a Snapshot or a StateCopy) into
    `new_data`.

    What belongs to them is said by the roles of `engine/model/fields.py`; rows that are not finite stay as they are.
    `new_data` must be freshly reset. Nothing that depends on the state is computed.

    follow_text  what the simulation never moved starts where the new text puts it: an edit of where a body starts is
                 seen at once. False: everything is where it was.
    """
    rows = _rows_kept(old, old_data, new, matching or Matching(old, new), follow_text)
    for field in select(lambda field: field.history):
        if not hasattr(old_data, field.name):
            continue  # a snapshot need not have all
        if field.kind == "cell":
            setattr(new_data, field.name, getattr(old_data, field.name))
        elif field.shape[0] in rows:
            mine, theirs = rows[field.shape[0]]
            _copy(getattr(new_data, field.name), mine, getattr(old_data, field.name), theirs)


Rows = tuple[np.ndarray, np.ndarray]
"""Rows of an array of the new model, and of the old one, that belong to the same object."""


def rows_of(matching: Matching) -> dict[str, Rows]:
    """The rows that the same objects have in arrays of Data, by the size that their first dimension has."""
    old, new = matching.old, matching.new
    rows: dict[str, Rows] = {}
    mine, theirs = matching.pairs("joint")
    same = new.jnt_type[mine] == old.jnt_type[theirs]
    mine, theirs = mine[same], theirs[same]
    kinds = new.jnt_type[mine]
    rows["nq"] = _ranges(new.jnt_qposadr[mine], old.jnt_qposadr[theirs], _NQ[kinds])
    rows["nv"] = _ranges(new.jnt_dofadr[mine], old.jnt_dofadr[theirs], _NV[kinds])
    for kind, size, start, count in (
        ("actuator", "na", "actuator_actadr", "actuator_actnum"),
        ("plugin", "npluginstate", "plugin_stateadr", "plugin_statenum"),
        ("sensor", "nsensordata", "sensor_adr", "sensor_dim"),
    ):
        mine, theirs = matching.pairs(kind)
        counts = getattr(new, count)[mine]
        same = (counts > 0) & (counts == getattr(old, count)[theirs])
        if kind == "plugin":
            same &= new.plugin[mine] == old.plugin[theirs]
        mine, theirs = mine[same], theirs[same]
        rows[size] = _ranges(getattr(new, start)[mine], getattr(old, start)[theirs], counts[same])
    mine, theirs = matching.pairs("body")
    posed = (new.body_mocapid[mine] >= 0) & (old.body_mocapid[theirs] >= 0)
    rows["nmocap"] = new.body_mocapid[mine[posed]], old.body_mocapid[theirs[posed]]
    for kind, size in (
        ("body", "nbody"), ("actuator", "nu"), ("equality", "neq"), ("joint", "njnt"), ("geom", "ngeom"),
        ("site", "nsite"), ("camera", "ncam"), ("light", "nlight"), ("tendon", "ntendon"),
    ):  # fmt: skip
        rows[size] = matching.pairs(kind)
    shared = np.arange(min(old.nuserdata, new.nuserdata))
    rows["nuserdata"] = shared, shared
    return rows


def _rows_kept(old: Model, old_data, new: Model, matching: Matching, follow_text: bool) -> dict[str, Rows]:
    """`rows_of` those arrays and objects whose state is kept."""
    rows = rows_of(matching)
    moved = _Moved(old, old_data, follow_text)
    for size, kept in (("nq", moved.positions), ("nv", moved.velocities), ("nmocap", moved.mocap), ("neq", moved.eq)):
        mine, theirs = rows[size]
        rows[size] = mine[kept[theirs]], theirs[kept[theirs]]
    return rows


class StateCopy:
    """A copy of state and inputs of a Data, under their names, to transfer them from."""

    def __init__(self, data: Data):
        self._block = data.copy_block("history")
        for field in select(lambda field: field.history and field.kind == "cell"):
            self.__dict__[field.name] = getattr(data, field.name)

    def __getattr__(self, name: str) -> np.ndarray:
        try:
            array = self.__dict__[name] = self.__dict__["_block"][name]
        except KeyError:
            raise AttributeError(f"{name!r} is neither state nor input") from None
        return array


class _Moved:
    """Objects that have left their start state, with finite numbers, or move: masks over rows of arrays of the old
    data.

    positions (nq,), velocities (nv,): of joints; mocap (nmocap,); eq (neq,): equalities that were switched. Without
    `follow_text` the rest counts too.
    """

    def __init__(self, old: Model, data, follow_text: bool):
        joint_of_position = np.repeat(np.arange(old.njnt), _NQ[old.jnt_type])  # one after the other
        finite = np.ones(old.njnt, bool)
        finite[joint_of_position[~np.isfinite(data.qpos)]] = False
        moved = np.zeros(old.njnt, bool)
        moved[joint_of_position[data.qpos != old.qpos0]] = True
        moved[old.dof_jntid[np.asarray(data.qvel) != 0]] = True
        if not follow_text:
            moved[:] = True
        kept = finite & moved
        self.positions, self.velocities = kept[joint_of_position], kept[old.dof_jntid]
        self.mocap = np.ones(old.nmocap, bool)
        self.eq = np.ones(old.neq, bool)
        if follow_text:
            bodies = np.flatnonzero(old.body_mocapid >= 0)
            numbers = old.body_mocapid[bodies]
            self.mocap[numbers] = (data.mocap_pos[numbers] != old.body_pos[bodies]).any(1) | (
                data.mocap_quat[numbers] != old.body_quat[bodies]
            ).any(1)
            self.eq = np.asarray(data.eq_active != old.eq_active0)


def _ranges(mine: np.ndarray, theirs: np.ndarray, counts: np.ndarray) -> Rows:
    """All rows of ranges that start at `mine` and at `theirs` and have `counts` rows each."""
    counts = np.asarray(counts, int)
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    return np.repeat(mine, counts) + within, np.repeat(theirs, counts) + within


def _copy(target: np.ndarray, mine: np.ndarray, source: np.ndarray, theirs: np.ndarray) -> None:
    """Copy rows whose numbers are all finite."""
    values = source[theirs]
    finite = np.isfinite(values.reshape(len(values), math.prod(values.shape[1:]))).all(axis=1)
    if finite.all():
        target[mine] = values
    else:
        target[mine[finite]] = values[finite]
