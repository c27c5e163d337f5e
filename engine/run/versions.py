"""The versions of an edited model that the steps of a history were computed with.

A recorded step is computed again with the model that it was first computed with. Where the next version has the same
sizes and every number in the same place (`Matching.keeps_places`), only the numbers that differ are kept: an edit of
one number takes some hundred bytes, and a slider that is dragged makes thirty versions each second. At other edits the
old model is kept as a whole, without the elements that it was compiled from.

Options are no part of this: each keyframe of a history has its own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from kinetree.engine.model.data import Data
from kinetree.engine.model.layout import layout_of
from kinetree.engine.model.model import Model
from kinetree.engine.run.matching import Matching

UNUSED = frozenset({"tex_data", "mesh_texcoord", "mesh_facetexcoord", "mesh_normal", "mesh_facenormal"})
"""Large arrays that are only drawn: no step depends on them."""


class ModelChange:
    """The numbers in which a model differs from the version before, in both directions.

    fields   name of an array -> (places in the flat array, values before, values after)
    nbytes   memory, bytes
    """

    def __init__(self, old: Model, new: Model):
        """Find the differences of two models with the same sizes."""
        layout = layout_of(new.kind)
        options = layout.blocks["fixed"]
        self.fields: dict[str, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
        for name, place in layout.arrays.items():
            if name in UNUSED or place.number in options:
                continue
            before, after = old._arrays[name].reshape(-1), new._arrays[name].reshape(-1)
            if before.tobytes() != after.tobytes():  # the quickest way for small arrays, and no slow one for large ones
                bits = f"u{after.itemsize}"
                places = np.flatnonzero(before.view(bits) != after.view(bits))
                self.fields[name] = places, before[places], after[places]
        self.nbytes = sum(array.nbytes for row in self.fields.values() for array in row)

    def undo(self, model: Model) -> None:
        """Write the values before the change into a model."""
        for name, (places, before, _after) in self.fields.items():
            model._arrays[name].reshape(-1)[places] = before

    def redo(self, model: Model) -> None:
        """Write the values after the change into a model."""
        for name, (places, _before, after) in self.fields.items():
            model._arrays[name].reshape(-1)[places] = after


@dataclass(slots=True)
class Family:
    """Versions with the same sizes and places, numbered from `first`.

    model    the last one
    changes  from each version to the next
    """

    first: int
    model: Model
    changes: list[ModelChange] = field(default_factory=list)

    @property
    def last(self) -> int:
        """Number of the last version."""
        return self.first + len(self.changes)


class Past:
    """One family's model as it was in any of its versions, and Data for it."""

    def __init__(self, family: Family):
        self.family = family
        self.number = family.last
        model = self.model = Model(family.model.sizes)
        for name, array in family.model._arrays.items():
            if name not in UNUSED:
                model._arrays[name][...] = array
        model._cells.words[...] = family.model._cells.words
        self.data = Data(model)

    def go_to(self, number: int) -> None:
        """Make the model that of a version."""
        changes, first = self.family.changes, self.family.first
        while self.number > number:
            self.number -= 1
            changes[self.number - first].undo(self.model)
        while self.number < number:
            changes[self.number - first].redo(self.model)
            self.number += 1


class Versions:
    """The versions of one model that something was recorded with, numbered from 0.

    newest   number of the one that is simulated
    nbytes   memory of the others, bytes
    """

    def __init__(self) -> None:
        self.newest = self.nbytes = 0
        self._families: list[Family] = []  # the last one goes up to the newest version
        self._past: Past | None = None

    def copy(self) -> Versions:
        """The same versions, for another thread."""
        twin = Versions()
        twin.newest, twin.nbytes = self.newest, self.nbytes
        twin._families = [Family(each.first, each.model, each.changes.copy()) for each in self._families]
        return twin

    def clear(self) -> None:
        """Forget all versions but the newest."""
        self._families.clear()
        self._past = None
        self.nbytes = 0

    def add(self, matching: Matching, last_used: int) -> None:
        """Add another version of the model, `matching.new`, with which the simulation goes on.

        last_used   number of the last version that a step was recorded with, -1 for none
        """
        if not self._families:
            self._families.append(Family(self.newest, matching.old))
        family = self._families[-1]
        self.newest += 1
        if last_used < family.first:  # nothing needs the family
            self._families[-1] = Family(self.newest, matching.new)
        elif matching.keeps_places:
            change = ModelChange(family.model, matching.new)
            family.changes.append(change)
            family.model = matching.new
            self.nbytes += change.nbytes
        else:
            family.model = _to_be_kept(family.model)
            self.nbytes += _nbytes(family.model)
            self._families.append(Family(self.newest, matching.new))

    def forget(self, first_used: int, last_used: int) -> None:
        """Forget the versions outside of those that steps were recorded with, apart from the newest."""
        if not self._families:
            return
        *closed, newest = self._families
        kept = [family for family in closed if family.last >= first_used and family.first <= last_used]
        oldest = kept[0] if kept else newest
        unused = min(max(0, first_used - oldest.first), len(oldest.changes))
        if unused:
            del oldest.changes[:unused]
            oldest.first += unused
        if self._past is not None and (
            self._past.family not in (*kept, newest) or self._past.number < self._past.family.first
        ):
            self._past = None
        self._families = [*kept, newest]
        self.nbytes = sum(change.nbytes for family in self._families for change in family.changes)
        self.nbytes += sum(_nbytes(family.model) for family in kept)

    def past(self, number: int) -> tuple[Past, Matching | None]:
        """A version as it was, and which of its objects are which in the newest one; None where all are the same.

        It may be used, and its Data and options be changed, until the next call.
        """
        family = next(family for family in reversed(self._families) if family.first <= number)
        if self._past is None or self._past.family is not family:
            self._past = Past(family)
        self._past.go_to(number)
        newest = self._families[-1]
        return self._past, None if family is newest else Matching(family.model, newest.model)


def _to_be_kept(model: Model) -> Model:
    """The model without the elements that it was compiled from."""
    twin = model.with_own_options()
    if twin.provenance is not None:
        twin.provenance = twin.provenance.identities_only
    twin.spec = twin.pipeline = None
    return twin


def _nbytes(model: Model) -> int:
    return sum(array.nbytes for name, array in model._arrays.items() if name not in UNUSED)
