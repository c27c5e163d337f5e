"""Which object of a model is which in the next version of it.

Objects are matched by the identity of their elements, where both models come from versions of one text
(`Provenance.identities`); then by name; then by place: the same number among the unnamed ones of the same kind on the
same body, bodies likewise under their parents. What is left over on a body, if it is equally many before and after,
was renamed.
"""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass, field

import numpy as np

from kinetree.engine.model.kinds import KINDS, on_bodies
from kinetree.engine.model.model import PLACES, Model

STATE = ("body", "joint", "actuator", "equality", "plugin")
"""Kinds of objects that have state or inputs."""


@dataclass
class _Results:
    """Results of comparing two models. It does not refer to them."""

    found: dict[str, np.ndarray] = field(default_factory=dict)
    new_ids: dict[str, dict[int, int]] = field(default_factory=dict)
    keeps_places: bool | None = None


_known: weakref.WeakKeyDictionary[Model, tuple[weakref.ref[Model], _Results]] = weakref.WeakKeyDictionary()
_lock = threading.Lock()


def _results(old: Model, new: Model) -> _Results:
    """The shared comparison of two models, made once: about ten parts of the program follow each edit."""
    with _lock:
        known = _known.get(new)
        if known is None or known[0]() is not old:
            known = _known[new] = weakref.ref(old), _Results()
        return known[1]


class Matching:
    """The objects of two versions of a model, `old` and `new`, that are the same. Neither may be changed afterwards.

    matching.of("joint")   for each joint of the new model the id of the same one in the old model, -1 for new ones
    matching.keeps_places  whether Data of the old model fits the new one, every number of it in its place
    """

    def __init__(self, old: Model, new: Model):
        self.old, self.new = old, new
        self._results = _results(old, new)

    def of(self, kind: str) -> np.ndarray:
        """Old id of each object of the new model, -1 where there is none. Kinds as in `model.names`."""
        found = self._results.found.get(kind)
        if found is None:
            found = self._results.found[kind] = self._match(kind)
        return found

    def new_id(self, kind: str, old_id: int) -> int:
        """The id that an object of the old model has in the new one, -1 if it is gone."""
        known = self._results.new_ids.get(kind)
        if known is None:
            mine, theirs = self.pairs(kind)
            known = self._results.new_ids[kind] = dict(zip(theirs.tolist(), mine.tolist(), strict=True))
        return known.get(old_id, -1)

    def pairs(self, kind: str) -> tuple[np.ndarray, np.ndarray]:
        """(ids in the new model, ids in the old model) of the objects that both have."""
        theirs = self.of(kind)
        mine = np.flatnonzero(theirs >= 0)
        return mine, theirs[mine]

    @property
    def keeps_places(self) -> bool:
        """Whether the sizes are the same and each object has its id, its state and its results in the same place."""
        keeps_places = self._results.keeps_places
        if keeps_places is None:
            old, new = self.old, self.new
            keeps_places = self._results.keeps_places = (
                old.sizes == new.sizes
                and all(np.array_equal(getattr(old, name), getattr(new, name)) for name in PLACES)
                and all(self._keeps_ids(kind) for kind in new.names)
            )
        return keeps_places

    def _keeps_ids(self, kind: str) -> bool:
        theirs = self.of(kind)
        return np.array_equal(theirs, np.arange(len(theirs)))

    def _match(self, kind: str) -> np.ndarray:
        old, new = self.old, self.new
        mine, theirs = new.names.get(kind, []), old.names.get(kind, [])
        if old.provenance is not None and new.provenance is not None:
            before, now = old.provenance.identities(kind), new.provenance.identities(kind)
            if len(now) == len(mine) == len(theirs) and before == now:
                return np.arange(len(mine))
        pairs = _by_identity_or_name(kind, old, new)
        if kind == "body":
            pairs[0] = 0
        if len(pairs) < min(len(mine), len(theirs)):  # else there is nothing left on one side
            self._match_by_place(kind, pairs)
        found = np.full(len(mine), -1)
        found[list(pairs.keys())] = list(pairs.values())
        return found

    def _match_by_place(self, kind: str, pairs: dict[int, int]) -> None:
        old, new = self.old, self.new
        new_names, old_names = new.names.get(kind, []), old.names.get(kind, [])
        mine, theirs = _owned(new, kind, new_names), _owned(old, kind, old_names)
        if kind == "body":
            bodies = pairs  # grows on the way: parents come before their children
            order = range(new.nbody)
        elif KINDS[kind].owner == "body":
            bodies = dict(zip(*(ids.tolist() for ids in self.pairs("body")), strict=True))
            order = list(mine)
        else:
            bodies, order = {0: 0}, [0]
        taken = set(pairs.values())
        for body in order:
            if body in bodies:
                _by_place(mine.get(body, []), theirs.get(bodies[body], []), new_names, old_names, pairs, taken)


def _owned(model: Model, kind: str, names: list[str]) -> dict[int, list[int]]:
    """Body -> the objects on it; those that belong to no body stand under 0."""
    return on_bodies(model, kind) if KINDS[kind].owner == "body" else {0: list(range(len(names)))}


def _by_identity_or_name(kind: str, old: Model, new: Model) -> dict[int, int]:
    """New id -> old id."""
    pairs: dict[int, int] = {}
    if new.provenance is not None and old.provenance is not None:
        numbers = old.provenance.numbers(kind)
        for i, identity in enumerate(new.provenance.identities(kind)):
            if identity in numbers:
                pairs[i] = numbers[identity]
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
