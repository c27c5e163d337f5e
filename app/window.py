"""Read first: the main window. Docks around the viewport, and who tells whom.

The state is in the workspace (`app/workspace/workspace.py`), what the user can do in the table of actions
(`app/actions/table.py`), what each action does in `app/actions/handlers.py`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QResizeEvent,
    QShowEvent,
    QStatusTipEvent,
)
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QMessageBox, QStackedWidget

from app.actions.build import Actions
from app.actions.handlers import Handlers
from app.actions.table import all_actions
from app.panels.dock import Dock
from app.panels.failure import FailureDialog
from app.panels.help_overlay import HelpOverlay
from app.panels.problems import ProblemsPanel
from app.panels.start import StartPage
from app.panels.status import StatusBar
from app.panels.toolbar import ToolBar
from app.panels.tree import TreePanel
from app.panels.values import ValuesPanel
from app.settings import theme
from app.settings.settings import Settings
from app.viewport.overlay import ViewportFrame
from app.workers.compiling import CompileResult
from app.workspace.workspace import Workspace

LAYOUT_VERSION = 1
LEFT, RIGHT, BOTTOM = (
    Qt.DockWidgetArea.LeftDockWidgetArea,
    Qt.DockWidgetArea.RightDockWidgetArea,
    Qt.DockWidgetArea.BottomDockWidgetArea,
)


class Window(QMainWindow):
    """One window on one workspace."""

    def __init__(self, settings: Settings | None = None, workspace: Workspace | None = None):
        super().__init__()
        self.settings = settings or Settings()
        self.workspace = workspace or Workspace()
        self.workspace.setParent(self)
        self.project, self.compiler = self.workspace.project, self.workspace.compiler
        self.simulation, self.selection = self.workspace.simulation, self.workspace.selection
        self.view = self.workspace.view
        self.project.auto_reload = self.settings.auto_reload
        self.simulation.set_history_limit(self.settings.history_memory * 1_000_000)
        self.compiler.hide_codes(self.settings.hidden_checks)
        self._closing = False
        self._question: QMessageBox | None = None
        self.setObjectName("window")
        self.setAcceptDrops(True)
        self.resize(1280, 800)

        self.frame = ViewportFrame(self.view, self.compiler, self.project, self)
        self.viewport = self.frame.viewport
        self.start = StartPage(self)
        self.middle = QStackedWidget(self)
        self.middle.addWidget(self.start)
        self.middle.addWidget(self.frame)
        self.setCentralWidget(self.middle)

        self.actions_ = Actions(all_actions(), self, self.viewport)
        self.toolbar = ToolBar(self.view, self.actions_, self)
        self.addToolBar(self.toolbar)
        self.status = StatusBar(self.project, self.compiler, self.simulation, self)
        self.setStatusBar(self.status)
        self.tree, self.values, self.problems = TreePanel(self), ValuesPanel(self), ProblemsPanel(self)
        self.docks: dict[str, Dock] = {}
        self._add_dock("tree", "Model", self.tree, LEFT, 270)
        self._add_dock("values", "Controls", self.values, RIGHT, 290)
        self._add_dock("problems", "Problems", self.problems, BOTTOM, 150)
        self.setCorner(Qt.Corner.BottomLeftCorner, LEFT)
        self.setCorner(Qt.Corner.BottomRightCorner, RIGHT)
        self.docks["problems"].hide()
        self.help = HelpOverlay(self)
        self._first_layout = self.saveState(LAYOUT_VERSION)

        self.handlers = Handlers(self)
        self.menus = self.actions_.fill(self.menuBar())
        self.handlers.fill_menus()
        self.actions_.connect(self.handlers.table())
        self._connect()
        self.restore_layout()
        self.handlers.refresh()
        self._show_path()
        self._show_middle()

    def _add_dock(self, name: str, title: str, content, area, size: int) -> None:
        dock = self.docks[name] = Dock(name, title, content, size, self)
        self.addDockWidget(area, dock)

    def _connect(self) -> None:
        project, simulation, selection = self.project, self.simulation, self.selection
        simulation.model_changed.connect(self._show_model)
        self.compiler.compiled.connect(self._remember)
        self.compiler.diagnostics_changed.connect(self._show_problems)
        selection.changed.connect(lambda: self.tree.set_selection(selection.current))
        simulation.snapshot_changed.connect(lambda: self.values.set_snapshot(simulation.snapshot))
        project.changed.connect(self._show_path)
        project.changed.connect(self._show_middle)
        project.saved.connect(lambda path: self.status.say(f"Saved {path}"))
        self.workspace.failed.connect(self.report)
        self.viewport.broken.connect(self.report)
        self.tree.selected.connect(selection.select)
        self.values.picked.connect(selection.select)
        self.values.ctrl.connect(simulation.set_ctrl)
        self.values.qpos.connect(simulation.set_qpos)
        self.problems.chosen.connect(self.handlers.select_problem)
        self.start.problems.chosen.connect(self.handlers.select_problem)
        for panel in (self.problems, self.start.problems):
            panel.copied.connect(lambda place: self.status.say(f"Copied {place}"))
            panel.hide_kind.connect(lambda code: self._hide_checks([*self.settings.hidden_checks, code]))
            panel.show_again.connect(self._show_checks)
        for box in (self.toolbar.keys, self.toolbar.speed, self.toolbar.cameras):
            box.activated.connect(lambda _index: self.viewport.setFocus())
        self.help.dismissed.connect(lambda: self.handlers.show_help(False))
        self.start.open_dialog.connect(self.handlers.open_dialog)
        self.start.open_file.connect(self.open)
        self.frame.show_problems.connect(self.show_problems)
        self.status.show_problems.connect(self.show_problems)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_scheme_changed)

    # ---- files ---------------------------------------------------------------------------------------

    def open(self, path: str) -> None:
        """Open a model file, once the user has decided about unsaved edits."""
        self.settings.folder = os.path.dirname(os.path.abspath(path))
        self.unless_unsaved(lambda: self.project.open(path))

    def unless_unsaved(self, then: Callable[[], None]) -> None:
        """Do something that loses unsaved edits: at once if there are none, else after asking what to do with
        them."""
        modified = self.project.modified
        if not modified:
            then()
            return
        if self._question is not None:
            self._question.close()  # the newest wish counts
        choices = QMessageBox.StandardButton
        box = QMessageBox(
            QMessageBox.Icon.Warning,
            "Kinetree",
            f"Save the changes to {' and '.join(map(os.path.basename, modified))}?",
            choices.Save | choices.Discard | choices.Cancel,
            self,
        )
        box.setInformativeText("They are lost otherwise.")
        box.setDefaultButton(choices.Save)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def decide(choice: int) -> None:
            self._question = None
            if choice == choices.Save:
                self.project.save_all(then)
            elif choice == choices.Discard:
                then()

        self._question = box
        box.finished.connect(decide)
        box.open()

    def _remember(self, result: CompileResult) -> None:
        """Files that hold a model, also one with errors, are offered again under Open Recent."""
        if result.fresh and result.recognised:
            self.settings.add_recent(result.path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        path = _dropped(event)
        if path:
            event.acceptProposedAction()
            self.open(path)
            self.activateWindow()

    # ---- showing -------------------------------------------------------------------------------------

    def _show_model(self, _old, keep: bool) -> None:
        simulation = self.simulation
        self.tree.set_model(simulation.model, keep)
        self.values.set_model(simulation.model)
        if simulation.snapshot is not None and simulation.snapshot.model is simulation.model:
            self.values.set_snapshot(simulation.snapshot)
        self.tree.set_selection(self.selection.current)
        self.handlers.refresh()
        self._show_middle()

    def _show_problems(self) -> None:
        self.problems.set_items(self.compiler.diagnostics)
        self.problems.set_hidden(self.settings.hidden_checks, self.compiler.hidden)
        self._show_middle()

    def _hide_checks(self, codes: list[str]) -> None:
        self.settings.hidden_checks = codes
        self.compiler.hide_codes(self.settings.hidden_checks)

    def set_history_memory(self, megabytes: int) -> None:
        """Limit the memory of the simulation's history, now and in future."""
        self.settings.history_memory = megabytes
        self.simulation.set_history_limit(megabytes * 1_000_000)

    def _show_checks(self, codes: list[str]) -> None:
        self._hide_checks([code for code in self.settings.hidden_checks if code not in codes])

    def _show_middle(self) -> None:
        if self.simulation.model is not None:
            page = self.frame
        else:
            page = self.start
            path = self.project.shown_path
            if path and self.compiler.failed:
                self.start.show_failed(path, self.compiler.diagnostics, self.settings.recent())
            elif path:
                self.start.show_loading(path)
            else:
                self.start.show_nothing(self.settings.recent())
        if self.middle.currentWidget() is not page:
            self.middle.setCurrentWidget(page)
            if page is self.frame:
                self.viewport.setFocus()

    def _show_path(self) -> None:
        path = self.project.shown_path
        self.setWindowTitle(f"{os.path.basename(path)}[*] - Kinetree" if path else "Kinetree")
        self.setWindowModified(bool(self.project.modified))
        self.setWindowFilePath(path)

    def show_problems(self) -> None:
        """Open the problems panel."""
        self.docks["problems"].show()
        self.docks["problems"].raise_()

    def report(self, message: str, details: str = "") -> None:
        """Something failed: say so, and keep the window."""
        FailureDialog.report(self, message, details)

    # ---- look ----------------------------------------------------------------------------------------

    def set_theme(self, name: str) -> None:
        """ "system", "light" or "dark"."""
        self.settings.theme = name
        self.retheme()

    def _system_scheme_changed(self) -> None:
        if self.settings.theme == "system":
            self.retheme()

    def retheme(self) -> None:
        theme.apply(cast(QApplication, QApplication.instance()), theme.choose(self.settings.theme))
        self.handlers.refresh()

    def restore_layout(self) -> None:
        """Size, place and panels as they were saved."""
        geometry, state = self.settings.layout("geometry"), self.settings.layout("state")
        if geometry is not None:
            self.restoreGeometry(geometry)
        if state is not None:
            self.restoreState(state, LAYOUT_VERSION)

    def default_layout(self) -> None:
        """Every panel back where it was at first."""
        self.settings.clear_layout()
        self.restoreState(self._first_layout, LAYOUT_VERSION)
        for dock in self.docks.values():
            dock.wanted = None
            dock.note_size()

    def _restore_sizes(self) -> None:
        """Enlarge panels that a small window has shrunk to the sizes that the user gave them."""
        sides: dict[QDockWidget, int] = {}
        bottoms: dict[QDockWidget, int] = {}
        for dock in self.docks.values():
            if dock.wanted is None or dock.isHidden() or dock.isFloating():
                continue
            if self.dockWidgetArea(dock) in (LEFT, RIGHT):
                sides[dock] = dock.wanted.width()
            else:
                bottoms[dock] = dock.wanted.height()
        if any(dock.width() < width for dock, width in sides.items()):
            self.resizeDocks(list(sides), list(sides.values()), Qt.Orientation.Horizontal)
        if any(dock.height() < height for dock, height in bottoms.items()):
            self.resizeDocks(list(bottoms), list(bottoms.values()), Qt.Orientation.Vertical)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._restore_sizes()
        if not self.help.isHidden():
            self.help.place()

    def event(self, event: QEvent) -> bool:
        """Status tips are shown beside the counters, which QMainWindow would hide meanwhile."""
        if isinstance(event, QStatusTipEvent):
            self.status.show_hint(event.tip())
            return True
        return super().event(event)

    def save_layout(self) -> None:
        self.settings.set_layout("geometry", self.saveGeometry())
        self.settings.set_layout("state", self.saveState(LAYOUT_VERSION))
        self.settings.save()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self.middle.currentWidget() is self.frame:
            self.viewport.setFocus()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.project.modified and not self._closing:
            event.ignore()
            self.unless_unsaved(self.close_anyway)
            return
        self.save_layout()
        self.hide()
        self.viewport.end()
        self.workspace.close()
        event.accept()

    def close_anyway(self) -> None:
        """Close the window, and lose what is unsaved."""
        self._closing = True
        self.close()


def _dropped(event) -> str:
    """The first local file of a drop, "" if there is none."""
    data = event.mimeData()
    if data is not None and data.hasUrls():
        for url in data.urls():
            if url.isLocalFile():
                return url.toLocalFile()
    return ""
