"""Carry the state of one model over to the next version of it: what live reload keeps.

Joints that still exist keep their positions, velocities and applied forces, actuators their controls and activations,
bodies the forces on them, mocap bodies their poses, equalities their switches, user data stay, and time goes on.
Objects are matched by the identity of their elements, where both models come from versions of one text
(`Provenance.identities`); then by name; then by place: the same number among the unnamed ones of the same kind on the
same body, bodies likewise under their parents. What is left over on a body, if it is equally many before and after,
was renamed. What is new starts as `engine.reset` leaves it.
"""

from __future__ import annotations

import math

import numpy as np

from engine.model.data import Data
from engine.model.fields import select
from engine.model.kinds import JOINT_NQ, JOINT_NV, KINDS, on_bodies
from engine.model.model import Model


def transfer(old: Model, old_data, new: Model, new_data: Data) -> None:
    """Copy the state and inputs that still make sense from `old_data` (a Data or a Snapshot) into `new_data`.

    What belongs to them is said by the roles of `engine/model/fields.py`; rows that are not finite stay as they are.
    `new_data` must be freshly reset. Nothing that depends on the state is computed.
    """
    rows = _rows_kept(old, old_data, new)
    for field in select(lambda field: field.history):
        if not hasattr(old_data, field.name):
            continue  # a snapshot need not have all
        if field.kind == "cell":
            setattr(new_data, field.name, getattr(old_data, field.name))
        elif field.shape[0] in rows:
            mine, theirs = rows[field.shape[0]]
            _copy(getattr(new_data, field.name), mine, getattr(old_data, field.name), theirs)


Rows = tuple[list[int], list[int]]
"""Rows of an array of the new model, and of the old one, that belong to the same object."""


def _rows_kept(old: Model, old_data, new: Model) -> dict[str, Rows]:
    """The rows to copy of each array of state and input, by the size that its first dimension has."""
    bodies = match_bodies(old, new)
    actuators = _match("actuator", new, old, {0: 0})
    rows: dict[str, Rows] = {size: ([], []) for size in ("nq", "nv", "na", "nmocap", "npluginstate")}

    def add(size: str, mine: int, theirs: int, count: int = 1) -> None:
        rows[size][0].extend(range(mine, mine + count))
        rows[size][1].extend(range(theirs, theirs + count))

    for mine, theirs in _match("joint", new, old, bodies).items():
        kind = int(new.jnt_type[mine])
        if kind == old.jnt_type[theirs] and _joint_moved(old, old_data, theirs):
            add("nq", int(new.jnt_qposadr[mine]), int(old.jnt_qposadr[theirs]), JOINT_NQ[kind])
            add("nv", int(new.jnt_dofadr[mine]), int(old.jnt_dofadr[theirs]), JOINT_NV[kind])
    for mine, theirs in actuators.items():
        count = int(new.actuator_actnum[mine])
        if count > 0 and count == old.actuator_actnum[theirs]:
            add("na", int(new.actuator_actadr[mine]), int(old.actuator_actadr[theirs]), count)
    for mine, theirs in bodies.items():
        to, source = int(new.body_mocapid[mine]), int(old.body_mocapid[theirs])
        if to >= 0 and source >= 0 and _mocap_moved(old, old_data, theirs, source):
            add("nmocap", to, source)
    for mine, theirs in _match("plugin", new, old, {0: 0}).items():
        count = int(new.plugin_statenum[mine])
        if count > 0 and count == old.plugin_statenum[theirs] and new.plugin[mine] == old.plugin[theirs]:
            add("npluginstate", int(new.plugin_stateadr[mine]), int(old.plugin_stateadr[theirs]), count)
    switched = {
        mine: theirs
        for mine, theirs in _match("equality", new, old, {0: 0}).items()
        if old_data.eq_active[theirs] != old.eq_active0[theirs]
    }
    shared = range(min(old.nuserdata, new.nuserdata))
    for size, pairs in (("nu", actuators), ("nbody", bodies), ("neq", switched)):
        rows[size] = list(pairs.keys()), list(pairs.values())
    rows["nuserdata"] = list(shared), list(shared)
    return rows


def _joint_moved(old: Model, old_data, joint: int) -> bool:
    """Whether a joint is elsewhere than at its start, with finite numbers, or moves.

    One that the simulation never moved follows the text: an edit of where a body starts is seen at once.
    """
    kind = int(old.jnt_type[joint])
    position, velocity = int(old.jnt_qposadr[joint]), int(old.jnt_dofadr[joint])
    positions = slice(position, position + JOINT_NQ[kind])
    if not np.isfinite(old_data.qpos[positions]).all():
        return False
    moves = np.any(old_data.qvel[velocity : velocity + JOINT_NV[kind]])
    return bool(moves) or not np.array_equal(old_data.qpos[positions], old.qpos0[positions])


def _mocap_moved(old: Model, old_data, body: int, mocap: int) -> bool:
    """Whether a mocap body is elsewhere than where its text puts it."""
    return not (
        np.array_equal(old_data.mocap_pos[mocap], old.body_pos[body])
        and np.array_equal(old_data.mocap_quat[mocap], old.body_quat[body])
    )


def match_bodies(old: Model, new: Model) -> dict[int, int]:
    """New body id -> old body id, for the bodies that both have."""
    pairs = _by_identity_or_name("body", new, old)
    pairs[0] = 0
    taken = set(pairs.values())
    mine, theirs = on_bodies(new, "body"), on_bodies(old, "body")
    for body in range(new.nbody):  # parents come before their children
        if body in pairs:
            _by_place(
                mine.get(body, []),
                theirs.get(pairs[body], []),
                new.names["body"],
                old.names["body"],
                pairs,
                taken,
            )
    return pairs


def match(old: Model, new: Model, kind: str) -> dict[int, int]:
    """New id -> old id of the objects of a kind (as in `model.names`) that both have."""
    if kind == "body":
        return match_bodies(old, new)
    return _match(kind, new, old, match_bodies(old, new) if KINDS[kind].owner == "body" else {0: 0})


def _match(kind: str, new: Model, old: Model, bodies: dict[int, int]) -> dict[int, int]:
    new_names, old_names = new.names.get(kind, []), old.names.get(kind, [])
    mine, theirs = _owned(new, kind, new_names), _owned(old, kind, old_names)
    pairs = _by_identity_or_name(kind, new, old)
    taken = set(pairs.values())
    for body, places in mine.items():
        if body in bodies:
            _by_place(places, theirs.get(bodies[body], []), new_names, old_names, pairs, taken)
    return pairs


def _owned(model: Model, kind: str, names: list[str]) -> dict[int, list[int]]:
    """Body -> the objects on it; those that belong to no body stand under 0."""
    return on_bodies(model, kind) if KINDS[kind].owner == "body" else {0: list(range(len(names)))}


def _by_identity_or_name(kind: str, new: Model, old: Model) -> dict[int, int]:
    pairs: dict[int, int] = {}
    if new.provenance is not None and old.provenance is not None:
        theirs = {identity: i for i, identity in enumerate(old.provenance.identities(kind))}
        for i, identity in enumerate(new.provenance.identities(kind)):
            if identity in theirs:
                pairs[i] = theirs[identity]
    taken = set(pairs.values())
    named = {name: i for i, name in enumerate(old.names.get(kind, [])) if name and i not in taken}
    for i, name in enumerate(new.names.get(kind, [])):
        if name in named and i not in pairs:
            pairs[i] = named[name]
    return pairs


def _by_place(
    mine: list[int],
    theirs: list[int],
    new_names: list[str],
    old_names: list[str],
    pairs: dict[int, int],
    taken: set[int],
) -> None:
    """Pair, in order, the unnamed objects of one place, then what is left if it is equally many: renamed ones."""
    mine = [i for i in mine if i not in pairs]
    theirs = [i for i in theirs if i not in taken]
    unnamed = [i for i in mine if not new_names[i]], [i for i in theirs if not old_names[i]]
    pairs.update(zip(*unnamed))
    count = min(len(part) for part in unnamed)
    done_mine, done_theirs = set(unnamed[0][:count]), set(unnamed[1][:count])
    rest = [i for i in mine if i not in done_mine], [i for i in theirs if i not in done_theirs]
    if len(rest[0]) == len(rest[1]):
        pairs.update(zip(*rest))
    taken.update(theirs)


def _copy(target: np.ndarray, mine: list[int], source: np.ndarray, theirs: list[int]) -> None:
    """Copy rows whose numbers are all finite."""
    values = source[theirs]
    finite = np.isfinite(values.reshape(len(values), math.prod(values.shape[1:]))).all(axis=1)
    target[np.array(mine, int)[finite]] = values[finite]
