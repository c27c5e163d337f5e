"""The selected objects, and the instances of a scene that get an outline.

The renderer draws the outline from the instances' shapes alone (`renderer/passes/outline.py`), so an object is outlined
where it is, also where its group is not shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from kinetree.engine.model.kinds import KINDS, ObjectId
from kinetree.engine.scene.camera import View
from kinetree.engine.scene.related import closure, related
from kinetree.engine.scene.scene import Batch, Layer, ShaderFeatures

OTHER, PRIMARY = 1, 2
"""How an instance is outlined; 0: it is not."""


@dataclass(frozen=True)
class Highlight:
    """Outline of the selection. `objects`: the selected objects, the primary one last; `color` of their outlines (sRGB,
    0..1), a bright one, as the edge around it is dark.
    """

    objects: tuple[ObjectId, ...] = ()
    color: tuple[float, float, float] = (0.33, 0.7, 1.0)


class Reached:
    """The selected objects with all objects related to them (`engine/scene/related.py`), computed once for many frames.

    objects   the selected objects that the model has
    primary   the primary object and those related to it
    others    likewise of the other objects
    """

    def __init__(self, model, objects: tuple[ObjectId, ...] = ()):
        objects = tuple(each for each in objects if 0 <= each.id < KINDS[each.kind].count(model))
        self.objects = objects
        self.primary, self.others = closure(model, objects[-1:]), closure(model, objects[:-1])
        self._codes = [
            np.array([_code(KINDS[kind].obj, id) for kind, id in found], np.int64)
            for found in (self.others, self.primary)
        ]

    @property
    def all(self) -> list[ObjectId]:
        """Each once, the primary object's first."""
        return list(dict.fromkeys([*self.primary, *self.others]))

    def outlined(self, segments: np.ndarray, layer: np.ndarray) -> np.ndarray:
        """(n,) int8: how each instance is outlined, by its object `segments` (n, 2) and layer (n,)."""
        result = np.zeros(len(segments), np.int8)
        if not self.objects:
            return result
        shaped = (layer == Layer.PLAIN) | (layer == Layer.OUTLINED)
        codes = _code(segments[:, 0], segments[:, 1])
        for among, amount in zip(self._codes, (OTHER, PRIMARY), strict=True):
            result[shaped & np.isin(codes, among)] = amount
        return result


def _code(kind, id):
    """One number for an object."""
    return np.asarray(kind, np.int64) * 2**32 + np.asarray(id, np.int64)


def shape_batches(shapes: np.ndarray, first: int) -> list[Batch]:
    """Neighbours of equal shape numbers as batches; `first`: the number of the first instance."""
    if not len(shapes):
        return []
    starts = np.concatenate([[0], np.flatnonzero(np.diff(shapes)) + 1, [len(shapes)]]).tolist()
    return [
        Batch(int(shapes[start]), ShaderFeatures.NONE, -1, -1, first + start, end - start, end - start)
        for start, end in pairwise(starts)
    ]


def bounds(view: View, centres: np.ndarray, radii: np.ndarray) -> tuple[float, float, float, float]:
    """Part of the window that spheres can cover: left, bottom, right, top, 0..1."""
    relative = centres - view.pos
    depth = relative @ view.forward
    if not view.orthographic and (depth - radii <= view.near).any():
        return 0.0, 0.0, 1.0, 1.0
    found = []
    for along, low, high in ((view.right, view.left, view.rightmost), (view.up, view.bottom, view.top)):
        least, most = relative @ along - radii, relative @ along + radii
        if not view.orthographic:
            least = view.near * least / np.where(least > 0, depth + radii, depth - radii)
            most = view.near * most / np.where(most > 0, depth - radii, depth + radii)
        found.append(
            (np.clip((least.min() - low) / (high - low), 0, 1), np.clip((most.max() - low) / (high - low), 0, 1))
        )
    (left, right), (bottom, top) = found
    return float(left), float(bottom), float(right), float(top)


def unseen_geoms(model, reached: Reached, shown: np.ndarray, hidden: frozenset[ObjectId]) -> list[int]:
    """Geoms that are to be outlined and are not among those that are `shown` (ids), unless the user hid them. Of a body
    with geoms that are shown the others are left out: they are what collides in place of those."""
    seen = set(shown.tolist())
    bodies = {each.id: related(model, *each) for each in reached.all if each.kind == "body"}
    chosen = set(reached.objects)
    left_out = {
        geom
        for geoms in bodies.values()
        if any(geom.id in seen for geom in geoms)
        for geom in geoms
        if geom not in chosen
    }
    return [
        each.id
        for each in reached.all
        if each.kind == "geom" and each.id not in seen and each not in hidden and each not in left_out
    ]
