"""Moves the keyboard between the panels of a window."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget

from kinetree.app.panels.dock import Dock

FOCUS = Qt.FocusReason.ShortcutFocusReason


class FocusHandlers:
    """Handlers that move the keyboard between the panels of a window. `table()` maps ids of actions to them.

    others  stops that are neither panel nor tool bar
    """

    def __init__(self, docks: Mapping[str, Dock], middle: QStackedWidget, toolbar: QWidget):
        self._docks, self._middle, self._toolbar = docks, middle, toolbar
        self.others: list[QWidget] = []

    def table(self) -> dict[str, Callable]:
        return {"view.next_panel": lambda: self.go(1), "view.previous_panel": lambda: self.go(-1)}

    def panels(self) -> list[QWidget]:
        """The stops of the keyboard: the viewport or first page, the visible panels in the order of the View menu, the
        tool bar; the others come after the first.
        """
        docks = [dock.panel for dock in self._docks.values() if dock.in_view and not dock.isHidden()]
        page = self._middle.currentWidget()
        others = [each for each in self.others if each.isVisible()]
        return [*([page] if page is not None else []), *others, *docks, self._toolbar]

    def go(self, by: int) -> None:
        """Give the keyboard to the next (1) or previous (-1) panel that can take it: to its last focused widget."""
        panels = self.panels()
        focus = self._middle.window().focusWidget()
        present = next(
            (i for i, each in enumerate(panels) if focus is not None and _holds(each, focus)), -1 if by > 0 else 0
        )
        for step in range(1, len(panels) + 1):
            panel = panels[(present + by * step) % len(panels)]
            target = _target(panel)
            if target is not None:
                panel.window().activateWindow()  # it may float
                target.setFocus(FOCUS)
                return


def _holds(panel: QWidget, widget: QWidget) -> bool:
    return panel is widget or panel.isAncestorOf(widget)


def _target(panel: QWidget) -> QWidget | None:
    """The widget of a panel that gets the keyboard: the last focused one, else the first that takes it."""
    last = panel.focusWidget()
    if last is not None and _takes(last):
        return last
    widgets = [panel, *panel.findChildren(QWidget)]
    by_place = sorted(
        filter(_takes, widgets), key=lambda each: (each.mapTo(panel, each.rect().topLeft()).y(), each.x())
    )
    return by_place[0] if by_place else None


def _takes(widget: QWidget) -> bool:
    takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    return takes and widget.isVisible() and widget.isEnabled()
