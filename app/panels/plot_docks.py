"""The panels of plots of a window. The first one is in the table of docks; any number of others are made when they are
wanted. Where they stand belongs to the layout of the window, which are open to the model file.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

from PySide6.QtCore import QByteArray, QObject, Qt, QTimer
from PySide6.QtWidgets import QMainWindow

from kinetree.app.panels.dock import Dock
from kinetree.app.panels.docks import DOCK_BY_NAME, MORE_PLOTS, PLOTS, DockRow
from kinetree.app.settings.settings import Settings
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.translation import tr

LEAST_WIDTH = 280  # of a panel that another one is put beside, pixels; a narrower one gets a tab
FURTHER_HELP = "More plots, in a panel of their own"
KEPT = "open_plots"
NAME = re.compile(rf"{PLOTS}([1-9]\d*)")


def is_plots(name: str) -> bool:
    """Whether a dock has plots."""
    return name == PLOTS or NAME.fullmatch(name) is not None


def plots_row(name: str) -> DockRow:
    """The row of a further dock of plots, as the table of docks would have it; `name`: "plots2" and so on."""
    first = DOCK_BY_NAME[PLOTS]
    title = tr("Plots {number}", number=name.removeprefix(PLOTS))
    return DockRow(
        name, title, first.icon, first.area, first.size, FURTHER_HELP, first.panel, MORE_PLOTS, beside=PLOTS, keeps=name
    )  # fmt: skip


class PlotDocks(QObject):
    """The docks of the further plot panels; lives as long as the main window. `make` adds a closed dock to the window
    and to `docks`, with its action."""

    def __init__(
        self,
        main: QMainWindow,
        workspace: Workspace,
        settings: Settings,
        docks: Mapping[str, Dock],
        make: Callable[[DockRow], Dock],
    ):
        super().__init__(main)
        self._main, self._workspace, self._settings = main, workspace, settings
        self._docks, self._make_dock = docks, make
        self._path = ""  # the model whose panels are open
        self._restoring = False
        self._save_timer = QTimer(self)
        self._save_timer.setSingleShot(True)
        self._save_timer.setInterval(500)
        self._save_timer.timeout.connect(self.save)
        self._restore_timer = QTimer(self)
        self._restore_timer.setSingleShot(True)
        self._restore_timer.timeout.connect(self._restore)
        workspace.simulation.model_changed.connect(self._take_model)
        workspace.project.closed.connect(self._save_now)

    def all(self) -> list[Dock]:
        """The existing docks, open or not, the first one first."""
        return [self._docks[PLOTS], *self.further()]

    def further(self) -> list[Dock]:
        """All but the first one."""
        return [dock for name, dock in self._docks.items() if NAME.fullmatch(name)]

    def show(self, quantities: list[str]) -> None:
        """Show quantities in the panel that is in view, else in the first one."""
        docks = self.all()
        dock = next((each for each in docks if each.in_view), docks[0])
        dock.show()
        dock.raise_()
        cast(Any, dock.panel).add_quantities(quantities)

    def open_other(self, plots: list | None = None) -> Dock:
        """Open another panel, beside the one that is in view, with these PlotStates in it."""
        docks = self.all()
        near = next((each for each in docks if each.in_view), None)
        dock = next((each for each in docks if each.isHidden()), None)
        if dock is None:
            numbers = (f"{PLOTS}{number}" for number in itertools.count(2))
            dock = self._make(next(name for name in numbers if name not in self._docks))
        if near is not None and not near.isFloating() and not dock.isFloating():
            if near.width() >= 2 * LEAST_WIDTH:
                self._main.splitDockWidget(near, dock, Qt.Orientation.Horizontal)
            else:
                self._main.tabifyDockWidget(near, dock)
        dock.bring_up()
        cast(Any, dock.panel).take_plots(plots or [])
        return dock

    def _make(self, name: str) -> Dock:
        """A closed dock that was not there."""
        dock = self._make_dock(plots_row(name))
        dock.visibilityChanged.connect(self._save_soon)
        return dock

    # ---- the layout of the window ------------------------------------------------------------------------

    def save_layout(self) -> None:
        """Remember which docks there are, as the layout has their places."""
        names = " ".join(dock.objectName() for dock in self.further())
        self._settings.set_layout(PLOTS, QByteArray(names.encode()))

    def make_for_layout(self) -> None:
        """Make the docks that the layout has places for; to be called before the layout is restored."""
        saved = self._settings.layout(PLOTS)
        self._make_all(bytes(saved.data()).decode() if saved is not None else "")

    def make_for_model(self, path: str) -> None:
        """Make the docks that the layout of a model has places for."""
        self._make_all(self._settings.of_model(path, KEPT))

    def reset_layout(self) -> None:
        """Close all further docks, and put them back beside the first one."""
        for dock in self.further():
            dock.setFloating(False)
            dock.hide()
            self._main.tabifyDockWidget(self._docks[PLOTS], dock)

    def _make_all(self, names: str) -> list[str]:
        """Make the docks of a remembered text that are not there; returned are all names that it has."""
        found = [name for name in names.split() if NAME.fullmatch(name) and name != f"{PLOTS}1"]
        for name in found:
            if name not in self._docks:
                self._make(name)
        return found

    # ---- remembered for each model -----------------------------------------------------------------------

    def _take_model(self, _old: object, keep: bool) -> None:
        if not keep:
            self._save_now()
            self._restore_timer.start(0)  # the path of the model is known then

    def _save_soon(self, *_ignored: object) -> None:
        if not self._restoring:
            self._save_timer.start()

    def _save_now(self) -> None:
        if self._save_timer.isActive():
            self.save()

    def save(self) -> None:
        """Remember which docks are open for the model."""
        self._save_timer.stop()
        if self._path:
            names = " ".join(dock.objectName() for dock in self.further() if not dock.isHidden())
            self._settings.set_of_model(self._path, KEPT, names)

    def _restore(self) -> None:
        """Open the docks that were open for the model, and close those that were for another one."""
        path = self._workspace.project.path
        if not path or path == self._path:
            return
        self._path, self._restoring = path, True
        wanted = self._make_all(self._settings.of_model(path, KEPT))
        for dock in self.further():
            is_wanted = dock.objectName() in wanted
            if dock.isHidden() == is_wanted:
                dock.setVisible(is_wanted)
        self._restoring = False
        self._save_timer.stop()

    def end(self) -> None:
        """Save the plots before the window closes: docks that are hidden from now on were not hidden by the user."""
        self.save()
        self._path = ""
