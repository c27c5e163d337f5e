"""Carry the state of one model over to the next version of it: what live reload keeps.

Joints that still exist keep their positions and velocities, actuators their controls and activations, mocap bodies
their poses, equalities their switches, and time goes on. Objects are matched by name; those without a name by their
place: the same number among the unnamed ones of the same kind under the same body, bodies likewise under their
parents. What is new starts as `engine.reset` leaves it.
"""

from __future__ import annotations

import numpy as np

from engine.data import Data
from engine.enums import JNT_BALL, JNT_FREE, JNT_HINGE, JNT_SLIDE
from engine.model import Model

JOINT_SIZES = {JNT_FREE: (7, 6), JNT_BALL: (4, 3), JNT_SLIDE: (1, 1), JNT_HINGE: (1, 1)}
"""Numbers of positions and of velocities of each joint type."""


def transfer(old: Model, old_data, new: Model, new_data: Data) -> None:
    """Copy the state that still makes sense from `old_data` (a Data or a Snapshot) into `new_data`.

    `new_data` must be freshly reset. Nothing that depends on the state is computed.
    """
    bodies = match_bodies(old, new)
    new_data.time = old_data.time
    for mine, theirs in _match(new, "joint", new.jnt_bodyid, old, old.jnt_bodyid, bodies).items():
        kind = int(new.jnt_type[mine])
        if kind != old.jnt_type[theirs]:
            continue
        positions, velocities = JOINT_SIZES[kind]
        if not _finite(old_data.qpos, int(old.jnt_qposadr[theirs]), positions):
            continue
        _keep_joint(old, old_data, theirs, new, new_data, mine, positions, velocities)
    for mine, theirs in _match(new, "actuator", None, old, None, bodies).items():
        new_data.ctrl[mine] = old_data.ctrl[theirs]
        count = int(new.actuator_actnum[mine])
        if count > 0 and count == old.actuator_actnum[theirs]:
            _copy(
                new_data.act,
                int(new.actuator_actadr[mine]),
                old_data.act,
                int(old.actuator_actadr[theirs]),
                count,
            )
    for mine, theirs in bodies.items():
        to, source = int(new.body_mocapid[mine]), int(old.body_mocapid[theirs])
        if to >= 0 and source >= 0 and _moved(old, old_data, theirs, source):
            new_data.mocap_pos[to] = old_data.mocap_pos[source]
            new_data.mocap_quat[to] = old_data.mocap_quat[source]
    for mine, theirs in _match(new, "equality", None, old, None, bodies).items():
        if old_data.eq_active[theirs] != old.eq_active0[theirs]:
            new_data.eq_active[mine] = old_data.eq_active[theirs]


def _keep_joint(old, old_data, theirs, new, new_data, mine, positions, velocities) -> None:
    """A joint that the simulation never moved follows the text: an edit of where a body starts is seen at once."""
    source, to = int(old.jnt_qposadr[theirs]), int(new.jnt_qposadr[mine])
    velocity = int(old.jnt_dofadr[theirs])
    still = np.array_equal(old_data.qpos[source : source + positions], old.qpos0[source : source + positions])
    if still and not np.any(old_data.qvel[velocity : velocity + velocities]):
        return
    _copy(new_data.qpos, to, old_data.qpos, source, positions)
    if _finite(old_data.qvel, velocity, velocities):
        _copy(new_data.qvel, int(new.jnt_dofadr[mine]), old_data.qvel, velocity, velocities)


def _moved(old: Model, old_data, body: int, mocap: int) -> bool:
    """Whether a mocap body is elsewhere than where its text puts it."""
    return not (
        np.array_equal(old_data.mocap_pos[mocap], old.body_pos[body])
        and np.array_equal(old_data.mocap_quat[mocap], old.body_quat[body])
    )


def match_bodies(old: Model, new: Model) -> dict[int, int]:
    """New body id -> old body id, for the bodies that both have."""
    keys = _body_keys(old)
    known = {key: i for i, key in enumerate(keys)}
    return {i: known[key] for i, key in enumerate(_body_keys(new)) if key in known}


def match(old: Model, new: Model, kind: str) -> dict[int, int]:
    """New id -> old id of the objects of a kind (as in `model.names`) that both have, by name, else by place."""
    if kind == "body":
        return match_bodies(old, new)
    owners = {"joint": "jnt_bodyid", "geom": "geom_bodyid", "site": "site_bodyid"}
    owners |= {"camera": "cam_bodyid", "light": "light_bodyid"}
    field = owners.get(kind)
    if field is None:
        return _match(new, kind, None, old, None, {})
    return _match(new, kind, getattr(new, field), old, getattr(old, field), match_bodies(old, new))


def _body_keys(model: Model) -> list[tuple]:
    """What identifies each body: its name, else its number among the unnamed children of its parent."""
    names = model.names.get("body", [])
    keys: list[tuple] = []
    unnamed: dict[int, int] = {}
    for body in range(model.nbody):
        name = names[body] if body < len(names) else ""
        if body == 0:
            keys.append(("world",))
        elif name:
            keys.append((name,))
        else:
            parent = int(model.body_parentid[body])
            number = unnamed[parent] = unnamed.get(parent, -1) + 1
            keys.append((*keys[parent], number))
    return keys


def _keys(model: Model, kind: str, owner, body_of) -> list[tuple]:
    names = model.names.get(kind, [])
    count = len(owner) if owner is not None else len(names)
    keys: list[tuple] = []
    unnamed: dict = {}
    for i in range(count):
        name = names[i] if i < len(names) else ""
        if name:
            keys.append((name,))
            continue
        place = body_of(int(owner[i])) if owner is not None else None
        number = unnamed[place] = unnamed.get(place, -1) + 1
        keys.append((None, place, number))
    return keys


def _match(new: Model, kind: str, new_owner, old: Model, old_owner, bodies: dict[int, int]) -> dict[int, int]:
    # A body that is new gets a place of its own, so that nothing of an old body falls to it.
    known = {key: i for i, key in enumerate(_keys(old, kind, old_owner, lambda body: body))}
    mine = _keys(new, kind, new_owner, lambda body: bodies.get(body, ("new", body)))
    return {i: known[key] for i, key in enumerate(mine) if key in known}


def _finite(array: np.ndarray, start: int, count: int) -> bool:
    return bool(np.isfinite(array[start : start + count]).all())


def _copy(target: np.ndarray, to: int, source: np.ndarray, start: int, count: int) -> None:
    target[to : to + count] = source[start : start + count]
