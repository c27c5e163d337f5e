"""Which objects a view hides, leaves out or marks.

What the user chose are selections, which follow their objects through the versions of a model. What is drawn are the
objects themselves, in the options of the view.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from kinetree.app.workspace.selection import Selection, follow, selected_objects
from kinetree.engine import run
from kinetree.engine.model.kinds import KINDS, ObjectId

if TYPE_CHECKING:
    from kinetree.app.workspace.view import ViewModel
    from kinetree.engine.model.model import Model


class Visibility:
    """The objects that one view hides or marks. Its results are the options "hidden", "faded", "framed" and "labelled".

    hidden  what the user has hidden, by whatever tells it apart where it was hidden, such as the row of a tree
    marked  single objects that are transparent ("faded"), or whose frame or name is drawn ("framed", "labelled")
    """

    def __init__(self, view: ViewModel):
        self._view = view
        self.hidden: dict[Hashable, Selection] = {}
        self.marked: dict[str, tuple[Selection, ...]] = {"faded": (), "framed": (), "labelled": ()}
        self._isolated: list[Selection] = []

    @property
    def hides(self) -> bool:
        """Whether anything is hidden, left out or made transparent."""
        return bool(self.hidden or self._isolated or self.marked["faded"])

    def toggle_hidden(self, selections: Mapping[Hashable, Selection]) -> None:
        """Hide objects, or show them again if all of them are hidden. A body hides with all below it."""
        if all(key in self.hidden for key in selections):
            self.hidden = {key: each for key, each in self.hidden.items() if key not in selections}
        else:
            self.hidden = {**self.hidden, **selections}
        self._apply_hidden()

    def isolate(self, selections: Iterable[Selection]) -> None:
        """Show only these objects, and what stands on their bodies and below."""
        self._isolated = [each for each in selections if each]
        self._apply_hidden()

    def show_all(self) -> None:
        """Show all that was hidden, left out or made transparent."""
        self.hidden, self._isolated = {}, []
        self._apply_hidden()
        self._set_marked("faded", ())

    def is_marked(self, what: str, selections: Iterable[Selection]) -> bool:
        """Whether all of some objects are marked in one way, and there is at least one."""
        selections = list(selections)
        return bool(selections) and all(each in self.marked[what] for each in selections)

    def toggle_marked(self, what: str, selections: Iterable[Selection]) -> bool:
        """Mark objects in one way ("faded", "framed", "labelled"), or no more if all of them are; returns whether they
        are now. Of a body its own shapes are faded, and not those below it."""
        selections = list(selections)
        off = self.is_marked(what, selections)
        kept = [each for each in self.marked[what] if each not in selections]
        self._set_marked(what, kept if off else [*kept, *selections])
        return not off

    def unmark(self) -> None:
        """Take away the frames and names of single objects."""
        for what in ("framed", "labelled"):
            self._set_marked(what, ())

    def _set_marked(self, what: str, selections: Iterable[Selection]) -> None:
        if not selections and not self.marked[what]:
            return
        self.marked[what] = tuple(selections)
        model = self._view.simulation.model
        found: set[ObjectId] = set()
        if model is not None:
            found = {each for selection in self.marked[what] for each in selected_objects(selection, model)}
            if what == "faded":
                found = _own_shapes(model, found)
        self._view.set_option(what, frozenset(found))

    def _apply_hidden(self) -> None:
        model = self._view.simulation.model
        found: set[ObjectId] = set()
        if model is not None and (self.hidden or self._isolated):
            if self._isolated:
                found = set(drawn_objects(model)) - _drawn_with(model, self._isolated)
            found |= _drawn_with(model, self.hidden.values())
        self._view.set_option("hidden", frozenset(found))

    def take(self, other: Visibility) -> None:
        """Copy the hidden and marked objects from another view of the same simulation; the caller copies options."""
        self.hidden, self._isolated = dict(other.hidden), list(other._isolated)
        self.marked = dict(other.marked)

    def clear(self) -> None:
        """Hide and mark nothing any more; the options are left to the caller."""
        self.hidden, self._isolated = {}, []
        self.marked = dict.fromkeys(self.marked, ())

    def follow(self, old: Model | None, model: Model | None) -> None:
        """Adapt what is hidden and marked to another model. `old`: the version before of the same model, None for a new
        one."""
        marked = any(self.marked.values())
        if not marked and not self.hidden and not self._isolated:
            return
        if old is None or model is None:
            self.show_all()
            self.unmark()
            return

        matching = run.matching.Matching(old, model)
        if self.hidden or self._isolated:
            self.hidden = {key: follow(each, matching) for key, each in self.hidden.items()}
            self._isolated = [follow(each, matching) for each in self._isolated]
            self._apply_hidden()
        for what, selections in self.marked.items():
            if selections:
                self._set_marked(what, [each for each in (follow(each, matching) for each in selections) if each])


def _own_shapes(model: Model, objects: Iterable[ObjectId]) -> set[ObjectId]:
    """The shapes of objects: of bodies and joints the shapes of the body itself."""
    objects = set(objects)
    bodies = {number for kind, number in objects if kind == "body"}
    bodies |= {int(model.jnt_bodyid[number]) for kind, number in objects if kind == "joint"}
    for kind in ("geom", "site") if bodies else ():
        owners = getattr(model, KINDS[kind].owner_field).tolist()
        objects |= {ObjectId(kind, number) for number, body in enumerate(owners) if body in bodies}
    return {each for each in objects if each.kind in ("geom", "site", "flex", "skin")}


def drawn_objects(model: Model) -> Iterator[ObjectId]:
    """Everything that can be hidden."""
    for kind in ("geom", "site", "flex", "skin"):
        for number in range(KINDS[kind].count(model)):
            yield ObjectId(kind, number)


def _drawn_with(model: Model, selections: Iterable[Selection]) -> set[ObjectId]:
    """The parts of objects that can be hidden: of bodies all shapes on them and on the bodies below."""
    objects = {each for selection in selections for each in selected_objects(selection, model)}
    bodies = {each.id for each in objects if each.kind == "body"}
    if bodies:
        for body, parent in enumerate(model.body_parentid.tolist()):
            if parent in bodies:
                bodies.add(body)
        for kind in ("geom", "site"):
            owners = getattr(model, KINDS[kind].owner_field).tolist()
            objects |= {ObjectId(kind, number) for number, body in enumerate(owners) if body in bodies}
    return {each for each in objects if each.kind in ("geom", "site", "flex", "skin")}
