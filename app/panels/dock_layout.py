"""Where the docks of a window are and how large: restored, saved, put back, and kept while the window shrinks.

Until the user gives a panel a size, the panels follow the window: those at the sides have a share of its width, and in
a low window the inspector has the whole height, with the controls as tabs behind it.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QDockWidget, QMainWindow

from kinetree.app.panels.dock import AREAS, Dock
from kinetree.app.panels.docks import DOCK_BY_NAME, LEFT, RIGHT, first_of_group
from kinetree.app.panels.plot_docks import PlotDocks
from kinetree.app.settings.settings import Settings

VERSION = 2
SHARE = 0.17
"""Width of the panels at a side, of the window's."""
MOST_SHARE = 0.3
"""The same, in a window where SHARE is less than the panel's first size."""
LOW = 900
"""Height of a window below which two panels above each other would show a few rows each, pixels."""
UPPER, LOWER = "controls", "inspector"
"""The panels at the right, above each other."""
UPPER_SHARE = 0.42  # of their height


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
        self._is_joined = False  # whether UPPER and LOWER are tabs of one group, as far as the window's height goes
        self._is_given = False  # whether the sizes were those of the user when they were saved

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
            self.follow_window()
            self.placed.emit()
            self._note_sizes()
        elif not has_file and self._put_away is None:
            self._put_away = self._main.saveState(VERSION)
            for dock in self._docks.values():
                dock.hide()

    def arrangement(self) -> object:
        """Which panels are where; without sizes, which change with the window's."""
        main, joined = self._main, self._are_joined() and self._is_joined
        return {
            name: (
                main.dockWidgetArea(dock),
                dock.isFloating(),
                dock.isHidden(),
                sum(
                    not joined or first_of_group(each.objectName()) == first_of_group(name)
                    for each in main.tabifiedDockWidgets(dock)
                ),
            )
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
            self._is_given = self._settings.layout("follows") is None
            self._is_joined = self._are_joined()
        self.follow_window()
        self._join()

    def save(self) -> None:
        """Save the geometry of the window, the layout of the panels and the plots for the next start."""
        self._settings.set_layout("geometry", self._main.saveGeometry())
        self._settings.set_layout("state", self.state)
        self._settings.set_layout("follows", QByteArray(b"1") if self._follows else QByteArray())
        self._plots.save_layout()
        self._settings.save()

    def place_for_model(self, path: str, state: QByteArray) -> None:
        """Put the panels where they were when the model was left."""
        self._plots.make_for_model(path)
        if self._place(state):
            self.follow_window()
            self.placed.emit()
            self._note_sizes()

    def reset(self) -> None:
        """Put every panel back to its place in the default layout."""
        self._settings.clear_layout()
        self._is_given = self._is_joined = False
        for dock in self._docks.values():
            dock.is_sized = False
        if self._put_away is None:
            self._place(self._first)
            self.follow_window()
            self._join()
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

    # ---- the size of the window ------------------------------------------------------------------------------

    @property
    def _follows(self) -> bool:
        """Whether the panels have their sizes from the window, as the user has given them none."""
        return not self._is_given and not any(dock.is_sized for dock in self._docks.values())

    def follow_window(self) -> None:
        """Adapt the panels to the size of the window: those without sizes of the user, else as far as they fit."""
        if self._follows and self._put_away is None:
            widths = {
                dock: self._width(name)
                for name, dock in self._docks.items()
                if self._is_at_side(dock) and not dock.isHidden()
            }
            self._main.resizeDocks(list(widths), list(widths.values()), Qt.Orientation.Horizontal)
            upper, lower = self._docks[UPPER], self._docks[LOWER]
            if not self._is_joined and not upper.isHidden() and not lower.isHidden():
                height = upper.height() + lower.height()
                heights = [round(UPPER_SHARE * height), round((1 - UPPER_SHARE) * height)]
                self._main.resizeDocks([upper, lower], heights, Qt.Orientation.Vertical)
            for dock, width in widths.items():
                if dock.wanted is not None:
                    dock.wanted.setWidth(width)
            if self._is_joined != (self._main.height() < LOW):
                QTimer.singleShot(0, self, self._join)  # not while the window lays itself out
        self._restore_sizes()

    def _width(self, name: str) -> int:
        row, width = DOCK_BY_NAME.get(first_of_group(name)), self._main.width()
        first = row.size if row is not None else 0
        return round(max(SHARE * width, min(first, MOST_SHARE * width)))

    def _is_at_side(self, dock: Dock) -> bool:
        return not dock.isFloating() and self._main.dockWidgetArea(dock) in (AREAS[LEFT], AREAS[RIGHT])

    def _are_joined(self) -> bool:
        return self._docks[LOWER] in self._main.tabifiedDockWidgets(self._docks[UPPER])

    def _join(self) -> None:
        """Join the panels at the right to one group of tabs in a low window, and part them in a high one. Where the
        user has placed them otherwise they stay."""
        main, low = self._main, self._main.height() < LOW
        right = {name: dock for name, dock in self._docks.items() if main.dockWidgetArea(dock) == AREAS[RIGHT]}
        placed = UPPER in right and LOWER in right and self._are_joined() == self._is_joined
        if not self._follows or self._put_away is not None or low == self._is_joined or not placed:
            return
        if right[UPPER].isFloating() or right[LOWER].isFloating():
            return
        in_front = [dock for dock in right.values() if dock.in_view]
        group = [dock for name, dock in right.items() if first_of_group(name) == LOWER and not dock.isFloating()]
        if low:
            for dock in group:
                main.tabifyDockWidget(right[UPPER], dock)
        else:
            main.addDockWidget(AREAS[RIGHT], right[LOWER])
            for dock in group:
                if dock is not right[LOWER]:
                    main.tabifyDockWidget(right[LOWER], dock)
        self._is_joined = low
        for dock in [*in_front, right[LOWER]] if low else [right[UPPER], right[LOWER], *in_front]:
            dock.raise_()
        self.follow_window()

    def _restore_sizes(self) -> None:
        """Enlarge panels that a small window has shrunk to the sizes that the user gave them."""
        sides: dict[QDockWidget, int] = {}
        bottoms: dict[QDockWidget, int] = {}
        for dock in self._docks.values():
            if dock.wanted is None or dock.isHidden() or dock.isFloating():
                continue
            if self._is_at_side(dock):
                sides[dock] = dock.wanted.width()
            else:
                bottoms[dock] = dock.wanted.height()
        if any(dock.width() < width for dock, width in sides.items()):
            self._main.resizeDocks(list(sides), list(sides.values()), Qt.Orientation.Horizontal)
        if any(dock.height() < height for dock, height in bottoms.items()):
            self._main.resizeDocks(list(bottoms), list(bottoms.values()), Qt.Orientation.Vertical)
