"""The panels that steps of the tour need: brought into view, and put back as they were when the tour ends."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QMainWindow

from kinetree.app.panels.dock import Dock


class TourPanels:
    """Docks that the tour opens or brings to the front of their tabs."""

    def __init__(self, docks: Mapping[str, Dock]):
        self._docks = docks
        self._opened: list[str] = []
        self._covered: list[str] = []  # were in front where the tour put another one

    def show(self, names: tuple[str, ...]) -> None:
        """Bring docks into view, without the keyboard."""
        for name in names:
            dock = self._docks[name]
            if dock.in_view and not dock.isHidden():
                continue
            front = [other for other, each in self._docks.items() if each.in_view and other not in self._opened]
            if dock.isHidden():
                self._opened.append(name)
            dock.bring_up(with_keyboard=False)
            main = dock.parentWidget()
            beside = main.tabifiedDockWidgets(dock) if isinstance(main, QMainWindow) else []
            names_beside = {each.objectName() for each in beside}
            self._covered += [other for other in front if other in names_beside and other not in self._covered]

    def restore(self) -> None:
        """Close what the tour opened, and bring to the front what it covered."""
        for name in self._opened:
            self._docks[name].hide()
        for name in self._covered:
            if not self._docks[name].isHidden():
                self._docks[name].raise_()
        self._opened, self._covered = [], []
