"""Objects that stand for one without a shape: the bodies, joints, sites and others that it acts on.

related(model, "actuator", 2)    # [ObjectId("joint", 5)]
closure(model, objects)          # the objects, their targets, the targets of these, ...
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.kinds import BY_OBJECT, ObjectId
from kinetree.engine.model.model import Model

Found = list[tuple[str, int]]
_TRANSMISSIONS = {
    enums.TRN_JOINT: "joint",
    enums.TRN_JOINTINPARENT: "joint",
    enums.TRN_SLIDERCRANK: "site",
    enums.TRN_TENDON: "tendon",
    enums.TRN_SITE: "site",
    enums.TRN_BODY: "body",
}
_COUPLED = {enums.EQ_JOINT: "joint", enums.EQ_TENDON: "tendon", enums.EQ_FLEX: "flex", enums.EQ_DISTANCE: "geom"}


def related(model: Model, kind: str, id: int) -> list[ObjectId]:
    """The objects that an object acts on, measures or is made of; none for kinds that have a shape."""
    find = _RELATED.get(kind)
    return [] if find is None else [ObjectId(name, int(i)) for name, i in find(model, id) if i >= 0]


def closure(model: Model, objects: Iterable[ObjectId]) -> list[ObjectId]:
    """Objects with everything that they are related to, each once, in the order in which they are found."""
    found: dict[ObjectId, None] = {}
    waiting = list(objects)
    while waiting:
        following: list[ObjectId] = []
        for each in waiting:
            if each not in found:
                found[each] = None
                following += related(model, *each)
        waiting = following
    return list(found)


def _body(model: Model, id: int) -> Found:
    first, count = int(model.body_geomadr[id]), int(model.body_geomnum[id])
    return [("geom", first + i) for i in range(count)] if id > 0 else []


def _joint(model: Model, id: int) -> Found:
    return [("body", model.jnt_bodyid[id])]


def _actuator(model: Model, id: int) -> Found:
    kind = _TRANSMISSIONS.get(int(model.actuator_trntype[id]))
    first, second = model.actuator_trnid[id]
    return [] if kind is None else [(kind, first), *([("site", second)] if kind == "site" else [])]


def _sensor(model: Model, id: int) -> Found:
    pairs = (
        (model.sensor_objtype[id], model.sensor_objid[id]),
        (model.sensor_reftype[id], model.sensor_refid[id]),
    )
    return [(BY_OBJECT[int(kind)].name, number) for kind, number in pairs if int(kind) in BY_OBJECT]


def _equality(model: Model, id: int) -> Found:
    of_object = BY_OBJECT.get(int(model.eq_objtype[id]))
    kind = _COUPLED.get(int(model.eq_type[id]), "" if of_object is None else of_object.name)
    return [(kind, model.eq_obj1id[id]), (kind, model.eq_obj2id[id])] if kind else []


def _tendon(model: Model, id: int) -> Found:
    """The joints of a fixed tendon."""
    first, count = int(model.tendon_adr[id]), int(model.tendon_num[id])
    return [
        ("joint", model.wrap_objid[i]) for i in range(first, first + count) if model.wrap_type[i] == enums.WRAP_JOINT
    ]


def _pair(model: Model, id: int) -> Found:
    return [("geom", model.pair_geom1[id]), ("geom", model.pair_geom2[id])]


def _exclude(model: Model, id: int) -> Found:
    signature = int(model.exclude_signature[id])
    return [("body", signature >> 16), ("body", signature & 0xFFFF)]


def _users(*types: int) -> Callable[[Model, int], Found]:
    """Geoms of some types that show an asset."""

    def find(model: Model, id: int) -> Found:
        shown = (np.asarray(model.geom_dataid) == id) & np.isin(model.geom_type, types)
        return [("geom", i) for i in np.flatnonzero(shown).tolist()]

    return find


def _material(model: Model, id: int) -> Found:
    return [
        (kind, i)
        for kind in ("geom", "site", "skin", "flex", "tendon")
        for i in np.flatnonzero(np.asarray(getattr(model, f"{kind}_matid")) == id).tolist()
    ]


_RELATED: dict[str, Callable[[Model, int], Found]] = {
    "body": _body,
    "joint": _joint,
    "actuator": _actuator,
    "sensor": _sensor,
    "equality": _equality,
    "tendon": _tendon,
    "pair": _pair,
    "exclude": _exclude,
    "mesh": _users(enums.GEOM_MESH, enums.GEOM_SDF),
    "hfield": _users(enums.GEOM_HFIELD),
    "material": _material,
}
