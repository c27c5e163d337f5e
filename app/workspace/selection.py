"""The selection of one model, read and set by every panel and viewport in one place.

What is selected is an object of the compiled model together with the element of the text that made it. Panels
of the text follow `Selection.element`, panels of the model `kind` and `id`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.model import kinds

if TYPE_CHECKING:
    from engine.document.tree import Node
    from engine.model.kinds import ObjectId
    from engine.model.model import Model


class Selection(NamedTuple):
    """An object of a compiled model, an element of the text, or both.

    kind, id  the object: its kind as in `model.names` and its id; "" and -1 for an element that makes no
              object
    element   the identity of the element (`Node.id`), which it keeps in other versions of the text; None
              where it is not known, as in a model from a binary file

    Selections of one object are equal, whatever element they name; without an object those of one element
    are.
    """

    kind: str = ""
    id: int = -1
    element: int | None = None

    def __bool__(self) -> bool:
        return bool(self.kind) or self.element is not None

    def _key(self) -> tuple:
        return (self.kind, self.id) if self.kind else ("", self.element)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Selection) and self._key() == other._key()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self._key())


NOTHING = Selection()


def select_object(model: Model, kind: str, id: int) -> Selection:
    """An object with the element that it comes from."""
    origin = None if model.provenance is None else model.provenance.origin(kind, id)
    return Selection(kind, id, None if origin is None else origin.node.id)


def select_element(model: Model, node: Node) -> Selection:
    """An element with the object that shows it: the first of its own, else what it made or what it is part of
    (see `Provenance.shown_by`). Without an object where it has nothing to do with any."""
    shown = () if model.provenance is None else model.provenance.shown_by(node)
    return Selection(shown[0].kind, shown[0].id, node.id) if shown else Selection(element=node.id)


def select_at(model: Model, file: str, line: int, column: int) -> Selection:
    """The innermost element with objects at a line and column, both from 1, of a file; NOTHING where there is
    none."""
    node = None if model.provenance is None else model.provenance.at(file, line, column)
    return NOTHING if node is None else select_element(model, node)


def selected_objects(selection: Selection, model: Model) -> tuple[ObjectId, ...]:
    """All objects of the selected element: every replica, all that inherit from a default element; the object
    alone where no element is known."""
    if selection.element is not None and model.provenance is not None:
        node = model.provenance.node(selection.element)
        if node is not None:
            return model.provenance.shown_by(node) or model.provenance.inheriting(node)
    return (kinds.ObjectId(selection.kind, selection.id),) if selection.kind else ()


class SelectionModel(QObject):
    """The selection of one model. Lives in the GUI thread. `changed()`: `current` is another object or
    element, or the same one under the id that it has in the next version of the model."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.current: Selection = NOTHING
        self.model = None

    def select(self, selection: Selection) -> None:
        """Select an object, an element of the text, or NOTHING. An object brings its element with it."""
        if self.model is None:
            return
        if selection.kind and selection.element is None:
            selection = select_object(self.model, selection.kind, selection.id)
        if selection != self.current or selection.element != self.current.element:
            self.current = selection
            self.changed.emit()

    def follow(self, model, keep: bool) -> None:
        """Another model is shown. `keep`: it is the next version of the last one, so that the element stays
        selected if it is still there."""
        old, self.model = self.model, model
        self.current = follow(self.current, old, model) if keep and old is not None else NOTHING
        self.changed.emit()

    @property
    def body(self) -> int:
        """The body that the selected element belongs to; 0 for the world, for elements without a body and for
        nothing."""
        return body_of(self.current, self.model) if self.current and self.model is not None else 0


def body_of(selection: Selection, model) -> int:
    """The body that a selection belongs to; 0 for the world and for what has no body."""
    return max(kinds.body_of(model, selection.kind, selection.id), 0) if selection.kind else 0


def follow(selection: Selection, old: Model, new: Model) -> Selection:
    """The same object and element in the next version of the model: by the element's identity, else by name,
    else by place. NOTHING if the object is gone; an element without an object stays selected."""
    if not selection.kind:
        return selection
    from engine.run.transfer import match

    for mine, theirs in match(old, new, selection.kind).items():
        if theirs == selection.id:
            followed = select_object(new, selection.kind, mine)
            own = select_object(old, selection.kind, selection.id).element == selection.element
            return followed if own else followed._replace(element=selection.element)
    if selection.element is not None and new.provenance is not None:
        node = new.provenance.node(selection.element)
        if node is not None:  # it makes other objects now
            return select_element(new, node)
    return NOTHING
