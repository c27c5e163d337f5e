"""History of selections: the way back and forward through them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from kinetree.app.workspace.selection import NOTHING, Selection, SelectionModel
from kinetree.engine.model.kinds import KINDS

MOST = 100
"""Selections that are kept."""


class SelectionHistory(QObject):
    """History of the selections of one window, and the place among them. `moved()`: the place has changed."""

    moved = Signal()

    def __init__(self, selection: SelectionModel, parent: QObject | None = None):
        super().__init__(parent)
        self._selection = selection
        self._visited: list[tuple[Selection, ...]] = []
        self._place = -1
        self._going = False

    @property
    def can_go_back(self) -> bool:
        return self._place > 0

    @property
    def can_go_forward(self) -> bool:
        return self._place < len(self._visited) - 1

    def add(self, selections: tuple[Selection, ...]) -> None:
        """Add a selection after the present one, unless it is the same; later ones are dropped."""
        if self._going or not selections:
            return
        last = self._visited[self._place] if self._place >= 0 else ()
        if elements_of(last) != elements_of(selections):
            self._visited = [*self._visited[max(0, self._place + 2 - MOST) : self._place + 1], selections]
            self._place = len(self._visited) - 1

    def clear(self) -> None:
        """Forget all of them."""
        self._visited, self._place = [], -1

    def back(self) -> None:
        """Select what was selected before."""
        self._go(-1)

    def forward(self) -> None:
        """Select what was selected after that."""
        self._go(1)

    def _go(self, by: int) -> None:
        place = self._place + by
        if not 0 <= place < len(self._visited):
            return
        self._place, self._going = place, True
        elements = [each for each in self._visited[place] if each != NOTHING]
        model = self._selection.model
        if model is not None:
            elements = [each for each in elements if not each.kind or each.id < KINDS[each.kind].count(model)]
        self._selection.select_several(elements)
        self._going = False
        self.moved.emit()


def elements_of(selections: tuple[Selection, ...]) -> tuple:
    return tuple(each.element if each.element is not None else (each.kind, each.id) for each in selections)
