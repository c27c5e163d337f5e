"""Which geoms may collide, and what keeps the others apart: the filters of the broad phase for every pair, wherever the
geoms are.

    filters = Filters(model)
    filters.geoms(3)        # for each geom of the model, a Reason for or against contacts with geom 3
    filters.bodies(1)       # likewise for each body: the reason of the pair of geoms that comes nearest to colliding

Source: specification, Computation, "Collision detection", Selection; `engine/collision/broadphase.py` does it.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from kinetree.engine.collision.table import APART
from kinetree.engine.model import enums
from kinetree.engine.model.model import Model


class Reason(IntEnum):
    """Why two geoms may collide, or not; the later, the nearer to colliding."""

    NOTHING = 0
    SAME = 1
    WELDED = 2
    PARENT = 3
    EXCLUDED = 4
    MASKS = 5
    SHAPES = 6
    DISABLED = 7
    COLLIDES = 8
    PAIR = 9


TEXTS: dict[Reason, tuple[str, str]] = {
    Reason.NOTHING: ("No geoms", "The body has no geoms"),
    Reason.SAME: ("Same body", "Geoms of one body never collide"),
    Reason.WELDED: ("Fixed together", "No joint lies between the bodies, so they never collide"),
    Reason.PARENT: ("Parent and child", "The flag filterparent keeps bodies and their children apart"),
    Reason.EXCLUDED: ("Excluded", "contact/exclude names the two bodies"),
    Reason.MASKS: ("contype, conaffinity", "No bit of contype of one is in conaffinity of the other"),
    Reason.SHAPES: ("Shapes", "Planes and height fields never collide with each other"),
    Reason.DISABLED: ("Disabled", "The flag contact or constraint is off: nothing collides"),
    Reason.COLLIDES: ("May collide", "The filters let them collide"),
    Reason.PAIR: ("contact/pair", "contact/pair names the two geoms: they collide whatever the filters say"),
}
"""A few words, and a sentence."""


class Filters:
    """The filters of a model, for the options that it, or a simulation of it, has. Nothing is stored for pairs: a row
    is computed when it is asked for."""

    def __init__(self, model: Model, disableflags: int | None = None):
        flags = int(model.opt.disableflags if disableflags is None else disableflags)
        self.flags = flags
        self._body = np.asarray(model.geom_bodyid).astype(np.intp)
        self._weld = np.asarray(model.body_weldid).astype(np.intp)
        self._above = self._weld[np.asarray(model.body_parentid).astype(np.intp)[self._weld]]
        self._contype = np.asarray(model.geom_contype).astype(np.int64)
        self._conaffinity = np.asarray(model.geom_conaffinity).astype(np.int64)
        self._type = np.asarray(model.geom_type).astype(np.intp)
        self._excluded = _by_first(np.asarray(model.exclude_signature).astype(np.int64))
        self._pairs: dict[int, list[int]] = {}
        for first, second in zip(model.pair_geom1.tolist(), model.pair_geom2.tolist(), strict=True):
            self._pairs.setdefault(first, []).append(second)
            self._pairs.setdefault(second, []).append(first)
        self._is_off = bool(flags & (enums.DSBL_CONTACT | enums.DSBL_CONSTRAINT))
        self._keeps_parents = not flags & enums.DSBL_FILTERPARENT
        number = int(self._type.max(initial=0)) + 1
        self._apart = np.zeros((max(number, 16), max(number, 16)), bool)
        for first, second in APART:
            self._apart[first, second] = self._apart[second, first] = True
        self._first = np.asarray(model.body_geomadr).astype(np.intp)
        self._number = np.asarray(model.body_geomnum).astype(np.intp)

    def geoms(self, geom: int) -> np.ndarray:
        """(ngeom,) int8: the Reason for each geom with this one."""
        body = int(self._body[geom])
        touch = (self._contype[geom] & self._conaffinity) | (self._contype & self._conaffinity[geom])
        found = np.where(touch != 0, np.int8(Reason.COLLIDES), np.int8(Reason.MASKS))
        found[(touch != 0) & self._apart[self._type[geom], self._type]] = Reason.SHAPES
        of_bodies = self._bodies_apart(body)[self._body]
        found = np.where(of_bodies != 0, of_bodies, found)
        found[self._pairs.get(geom, [])] = Reason.PAIR
        if self._is_off:
            found[found >= Reason.COLLIDES] = Reason.DISABLED
        return found

    def bodies(self, body: int) -> np.ndarray:
        """(nbody,) int8: the Reason for each body with this one."""
        result = np.zeros(len(self._number), np.int8)
        first, number = int(self._first[body]), int(self._number[body])
        if not number:
            return result
        rows = np.max([self.geoms(geom) for geom in range(first, first + number)], axis=0)
        filled = np.flatnonzero(self._number > 0)
        order = filled[np.argsort(self._first[filled], kind="stable")]
        result[order] = np.maximum.reduceat(rows, self._first[order])
        return result

    def _bodies_apart(self, body: int) -> np.ndarray:
        """(nbody,) int8: the Reason why a body never collides with each other one, 0 where nothing says so."""
        weld = self._weld[body]
        found = np.zeros(len(self._weld), np.int8)
        others = self._excluded.get(body, [])
        found[others] = Reason.EXCLUDED
        if self._keeps_parents and weld:
            related = (self._above[body] == self._weld) | (self._above == weld)
            found[related & (self._weld != 0)] = Reason.PARENT
        found[self._weld == weld] = Reason.WELDED
        found[body] = Reason.SAME
        return found


def _by_first(signatures: np.ndarray) -> dict[int, list[int]]:
    """Body -> bodies that it is excluded from."""
    found: dict[int, list[int]] = {}
    for signature in signatures.tolist():
        first, second = signature >> 16, signature & 0xFFFF
        found.setdefault(first, []).append(second)
        found.setdefault(second, []).append(first)
    return found
