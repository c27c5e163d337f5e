"""The selection of one model, read and set by every panel and viewport in one place.

What is selected is an object of the compiled model together with the element of the text that made it. Panels
of the text follow `Selection.element`, panels of the model `kind` and `id`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

from kinetree.engine import run
from kinetree.engine.model import kinds

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Node
    from kinetree.engine.model.kinds import ObjectId
    from kinetree.engine.model.model import Model
    from kinetree.engine.run.matching import Matching
    from kinetree.engine.scene.contact_figures import ContactKey


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
    """The selection of one model: any number of objects and elements; the last one is the primary one. Lives in the GUI
    thread. `changed()`: other objects or elements are selected, or the same ones have other ids in the next version of
    the model.

    selections  the selected objects, in the order of selection
    contacts    the selected contacts, see `kinetree.engine.scene.contact_figures.ContactKey`; `contacts_changed()`:
                others are
    model       the compiled model, None without one: only elements of the text can be selected then
    """

    changed = Signal()
    contacts_changed = Signal()

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.selections: tuple[Selection, ...] = ()
        self.contacts: frozenset[ContactKey] = frozenset()
        self.model: Model | None = None

    @property
    def current(self) -> Selection:
        """The primary one; NOTHING if nothing is selected."""
        return self.selections[-1] if self.selections else NOTHING

    @property
    def elements(self) -> tuple[int, ...]:
        """The identities of the selected elements, each once, the primary one last."""
        found = [each.element for each in self.selections if each.element is not None]
        return tuple(reversed(dict.fromkeys(reversed(found))))

    def select(self, selection: Selection) -> None:
        """Select one object or element of the text and nothing else, or NOTHING."""
        self.select_several((selection,))

    def select_several(self, selections: Iterable[Selection]) -> None:
        """Select these and nothing else; the last one is the primary one. An object brings its element with
        it."""
        completed = [each for each in map(self._completed, selections) if each]
        found = tuple(reversed({tuple(each): each for each in reversed(completed)}.values()))
        if list(map(tuple, found)) != list(map(tuple, self.selections)):
            self.selections = found
            self.changed.emit()

    def toggle(self, selection: Selection) -> None:
        """Add an object or element to the selection, as the primary one; remove it if it is selected."""
        selection = self._completed(selection)
        others = [each for each in self.selections if tuple(each) != tuple(selection)]
        self.select_several(others if len(others) < len(self.selections) else [*others, selection])

    def select_contacts(self, contacts: Iterable[ContactKey]) -> None:
        """Select these contacts and no others. What else is selected stays."""
        found = frozenset(contacts)
        if found != self.contacts:
            self.contacts = found
            self.contacts_changed.emit()

    def follow(self, model: Model | None, keep: bool) -> None:
        """Adapt the selection to another model. `keep`: it is the next version of the last one, so objects that still
        exist stay selected. Otherwise elements that are part of the new model stay selected."""
        old, self.model = self.model, model
        if model is None:
            found = []
        elif keep and old is not None:
            matching = run.matching.Matching(old, model)
            found = [follow(each, matching) for each in self.selections]
        else:
            known = model.provenance.node if model.provenance is not None else lambda _: None
            nodes = [known(element) for element in self.elements]
            found = [select_element(model, node) for node in nodes if node is not None]
        before, self.selections = self.selections, tuple({tuple(each): each for each in found if each}.values())
        self.select_contacts(())  # their sides have other numbers now
        if list(map(tuple, before)) != list(map(tuple, self.selections)):
            self.changed.emit()

    def _completed(self, selection: Selection) -> Selection:
        """The selection with its element; NOTHING for an object that the model does not have: rows of a list may still
        be those of the version before."""
        if not selection.kind:
            return selection
        if self.model is None or not 0 <= selection.id < kinds.KINDS[selection.kind].count(self.model):
            return NOTHING
        known = selection.element is not None
        return selection if known else select_object(self.model, selection.kind, selection.id)

    @property
    def body(self) -> int:
        """The body that the selected element belongs to; 0 for the world, for elements without a body and for
        nothing."""
        return body_of(self.current, self.model) if self.current and self.model is not None else 0


def body_of(selection: Selection, model) -> int:
    """The body that a selection belongs to; 0 for the world and for selections without a body."""
    return max(kinds.body_of(model, selection.kind, selection.id), 0) if selection.kind else 0


def follow(selection: Selection, matching: Matching) -> Selection:
    """The same object and element in the next version of the model: by the element's identity, else by name,
    else by place. NOTHING if the object is gone. An element without an object stays selected, and has its object
    as soon as there is one."""
    old, new = matching.old, matching.new
    number = matching.new_id(selection.kind, selection.id) if selection.kind else -1
    if number >= 0:
        followed = select_object(new, selection.kind, number)
        own = select_object(old, selection.kind, selection.id).element == selection.element
        return followed if own else followed._replace(element=selection.element)
    node = None
    if selection.element is not None and new.provenance is not None:
        node = new.provenance.node(selection.element)
    if node is not None:
        return select_element(new, node)  # what makes no object yet, or makes other objects now
    return NOTHING if selection.kind else selection
