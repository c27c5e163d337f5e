"""The selection of one model: a single element, read and set by every panel and viewport in one place."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from engine.model import kinds


class Selection(NamedTuple):
    """An element of a compiled model: its kind as in `model.names` ("" for no element) and its id."""

    kind: str
    id: int

    def __bool__(self) -> bool:
        return bool(self.kind)


NOTHING = Selection("", -1)


class SelectionModel(QObject):
    """The selected element of one model. Lives in the GUI thread. `changed()`: `current` is another element, or the
    same one under the id that it has in the next version of the model."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.current: Selection = NOTHING
        self.model = None

    def select(self, selection: Selection) -> None:
        """Select an element of the model, or NOTHING."""
        if selection != self.current and self.model is not None:
            self.current = selection
            self.changed.emit()

    def follow(self, model, keep: bool) -> None:
        """Another model is shown. `keep`: it is the next version of the last one, so that the element stays selected
        if it is still there."""
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
    return max(kinds.body_of(model, *selection), 0) if selection else 0


def follow(selection: Selection, old, new) -> Selection:
    """The same element in the next version of the model: by name, else by place; NOTHING if it is gone."""
    if not selection:
        return NOTHING
    from engine.run.transfer import match

    for mine, theirs in match(old, new, selection.kind).items():
        if theirs == selection.id:
            return Selection(selection.kind, mine)
    return NOTHING
