"""Where the docks of a window are and how large: restored, saved, put back, and kept while the window shrinks."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QObject, Qt, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow

from kinetree.app.panels.dock import AREAS, Dock
from kinetree.app.panels.docks import LEFT, RIGHT
from kinetree.app.panels.plot_docks import PlotDocks
from kinetree.app.settings.settings import Settings

VERSION = 2


class DockLayout(QObject):
    """Restores, saves and resets the layout of a window's docks. Made when all docks are in their default places.
    While no file is open all panels are put away, as none has anything to show; they come back as they were arranged.
    `placed()`: a layout was restored; it includes tool bars."""

    placed = Signal()

    def __init__(self, main: QMainWindow, docks: Mapping[str, Dock], plots: PlotDocks, settings: Settings):
        super().__init__(main)
        self._main, self._docks, self._plots, self._settings = main, docks, plots, settings
        self._first = main.saveState(VERSION)
        self._put_away: QByteArray | None = None  # the layout to come back, while the panels are put away

    @property
    def state(self) -> QByteArray:
        """Where the panels are and how large; while they are put away, where they will be."""
        return self._main.saveState(VERSION) if self._put_away is None else self._put_away

    def show_for(self, has_file: bool) -> None:
        """Show the panels where a file is open, and put them away where none is."""
        if has_file and self._put_away is not None:
            opened = [dock for dock in self._docks.values() if not dock.isHidden()]  # by the user, in between
            state, self._put_away = self._put_away, None
            self._place(state)
            for dock in opened:
                dock.show()
            self.placed.emit()
            self._note_sizes()
        elif not has_file and self._put_away is None:
            self._put_away = self._main.saveState(VERSION)
            for dock in self._docks.values():
                dock.hide()

    def arrangement(self) -> object:
        """Which panels are where; without sizes, which change with the window's."""
        main = self._main
        return {
            name: (main.dockWidgetArea(dock), dock.isFloating(), dock.isHidden(), len(main.tabifiedDockWidgets(dock)))
            for name, dock in self._docks.items()
        }

    def restore(self) -> None:
        """Restore the saved geometry of the window and layout of its panels."""
        geometry, state = self._settings.layout("geometry"), self._settings.layout("state")
        if geometry is not None:
            self._main.restoreGeometry(geometry)
        self._plots.make_for_layout()
        if state is not None:
            self._main.restoreState(state, VERSION)

    def save(self) -> None:
        """Save the geometry of the window, the layout of the panels and the plots for the next start."""
        self._settings.set_layout("geometry", self._main.saveGeometry())
        self._settings.set_layout("state", self.state)
        self._plots.save_layout()
        self._settings.save()

    def place_for_model(self, path: str, state: QByteArray) -> None:
        """Put the panels where they were when the model was left."""
        self._plots.make_for_model(path)
        if self._place(state):
            self.placed.emit()
            self._note_sizes()

    def reset(self) -> None:
        """Put every panel back to its place in the default layout."""
        self._settings.clear_layout()
        if self._put_away is None:
            self._place(self._first)
        else:
            self._put_away = self._first
        self._plots.reset_layout()
        self._note_sizes()

    def _place(self, state: QByteArray) -> bool:
        """Place the panels as a state says, and forget the sizes that the user gave them. False if it is unreadable."""
        # Forgotten first: Qt resizes the window in between, while panels that the state does not know are in no layout.
        for dock in self._docks.values():
            dock.wanted = None
        return self._main.restoreState(state, VERSION)

    def _note_sizes(self) -> None:
        for dock in self._docks.values():
            dock.note_size()

    def restore_sizes(self) -> None:
        """Enlarge panels that a small window has shrunk to the sizes that the user gave them."""
        sides: dict[QDockWidget, int] = {}
        bottoms: dict[QDockWidget, int] = {}
        for dock in self._docks.values():
            if dock.wanted is None or dock.isHidden() or dock.isFloating():
                continue
            if self._main.dockWidgetArea(dock) in (AREAS[LEFT], AREAS[RIGHT]):
                sides[dock] = dock.wanted.width()
            else:
                bottoms[dock] = dock.wanted.height()
        if any(dock.width() < width for dock, width in sides.items()):
            self._main.resizeDocks(list(sides), list(sides.values()), Qt.Orientation.Horizontal)
        if any(dock.height() < height for dock, height in bottoms.items()):
            self._main.resizeDocks(list(bottoms), list(bottoms.values()), Qt.Orientation.Vertical)
