"""Read first: the main window. Docks around the viewport, and who tells whom.

The state is in the workspace (`app/workspace/workspace.py`), what the user can do in the table of actions
(`app/menus/table.py`), what each action does in `app/actions/handlers.py`. Here is what the first picture needs;
`second_part.py` has the rest.
"""

from __future__ import annotations

import os
from functools import partial
from importlib import import_module
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QResizeEvent,
    QShowEvent,
    QStatusTipEvent,
)
from PySide6.QtWidgets import QDialog, QMainWindow, QWidget

from kinetree import app
from kinetree.app.actions.context import ActionContext
from kinetree.app.actions.rows import all_actions
from kinetree.app.crashes.recorder import CrashRecorder
from kinetree.app.menus.build import Actions
from kinetree.app.menus.table import VIEWPORT
from kinetree.app.panels import pages
from kinetree.app.panels.dock import AREAS, Dock, add_dock, add_docks
from kinetree.app.panels.dock_layout import DockLayout
from kinetree.app.panels.docks import LEFT, RIGHT, DockRow, dock_action
from kinetree.app.panels.driving.timeline.bar import TimelineBar
from kinetree.app.panels.layouts import LayoutMemory
from kinetree.app.panels.middle import Middle
from kinetree.app.panels.pages.start import StartPage
from kinetree.app.panels.plot_docks import PlotDocks
from kinetree.app.panels.status import StatusBar
from kinetree.app.panels.toolbar import ToolBar
from kinetree.app.settings import theme
from kinetree.app.settings.settings import Settings
from kinetree.app.settings.thumbnails import Thumbnails
from kinetree.app.viewport.overlay import ViewportFrame
from kinetree.app.viewport.remembering import ViewMemory
from kinetree.app.viewport.thumbnail import Thumbnail
from kinetree.app.viewport.viewport import Viewport
from kinetree.app.viewport.viewports import Viewports
from kinetree.app.widgets.keyboard import hold_keyboard
from kinetree.app.workers.compiling import CompileResult
from kinetree.app.workspace.view import ViewModel
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.translation import tr

SECOND_PART = (
    "kinetree.engine.assist.language",
    "kinetree.engine.editing.structure",
    "kinetree.app.panels.writing.tree.panel",
    "kinetree.app.panels.writing.source.editor",
    "kinetree.app.panels.writing.source.panel",
    "kinetree.app.panels.writing.inspector.form",
    "kinetree.app.panels.writing.inspector.panel",
    "kinetree.app.actions.handlers",
    "kinetree.app.second_part",
)
"""Modules of the second part of a window, imported after the first picture."""
FOR_PICTURE, FOR_STEPS = 1500, 300
"""The second part of a window waits at most so long for the first picture, and then for the first steps, ms: both take
longer where the model is large or its kernels are not compiled yet."""
ENDING = 10.0
"""How long a recording may take to be written to the end when the window is closed, s."""


class Window(QMainWindow):
    """One window on one workspace. It is made in two parts: first what the first picture needs, then what a user needs
    to act (`complete`).

    is_complete  whether the second part is there: panels of writing, handlers of actions, dialogs

    Signals: `completed()`: the second part is there now; `leaving()`: the window is about to close.
    """

    completed = Signal()
    leaving = Signal()

    def __init__(
        self,
        settings: Settings | None = None,
        workspace: Workspace | None = None,
        complete: bool = True,
        recorder: CrashRecorder | None = None,
    ):
        """`complete`: make the second part too; else `complete_soon` does, after the first picture. `recorder`: keeps
        notes for a crash report; None: in memory only."""
        super().__init__()
        self.settings = settings or Settings()
        self.recorder = recorder or CrashRecorder()
        self.workspace = workspace or Workspace(journal=self.settings.journal)
        self.workspace.setParent(self)
        self.project, self.compiler = self.workspace.project, self.workspace.compiler
        self.simulation, self.selection = self.workspace.simulation, self.workspace.selection
        self.workspace.follow(self.settings)
        theme.ThemeFollower(self.settings, self)
        self._closing = self.is_complete = False
        self._asked_name = ""
        self._waits = QTimer(self)  # for the first picture, then for the first steps
        self._waits.setSingleShot(True)
        self.setObjectName("window")
        self.setAcceptDrops(True)
        self.resize(1280, 800)

        self.viewports = Viewports(self.workspace, self.settings, self)
        self.view_memory = ViewMemory(self.workspace, self.viewports, self.settings)
        self.thumbnails = Thumbnails(self.settings.thumbnails)
        self.start = StartPage(self.thumbnails, self, lambda: bool(self.settings.value("start.plays")))
        self.middle = Middle(self.workspace, self.settings, self.start, self.viewports, lambda: self.viewport, self)
        self.setCentralWidget(self.middle)

        self.actions_ = Actions(all_actions(), self.settings, self)
        self.actions_.attach(self.viewport, VIEWPORT)
        self.toolbar = ToolBar(self.workspace, self.actions_, self)
        self.addToolBar(self.toolbar)
        self.timeline = TimelineBar(self.simulation, self.settings, self.actions_, self)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, self.timeline)
        self._run_from(self.timeline.track)
        self.status = StatusBar(self.workspace, self)
        self.setStatusBar(self.status)
        self.actions_.fill(self.menuBar())
        self.docks = add_docks(self, self._make_panel, self.workspace.idle_queue)
        self.docks["controls"].raise_()
        right = [self.docks["controls"], self.docks["inspector"]]
        self.resizeDocks(right, [300, 300], Qt.Orientation.Horizontal)
        self.resizeDocks(right, [310, 370], Qt.Orientation.Vertical)
        self.setCorner(Qt.Corner.BottomLeftCorner, AREAS[LEFT])
        self.setCorner(Qt.Corner.BottomRightCorner, AREAS[RIGHT])
        self.plots = PlotDocks(self, self.workspace, self.settings, self.docks, self._add_dock)
        self.dock_layout = DockLayout(self, self.docks, self.plots, self.settings)
        self._connect_picture()
        self.dock_layout.restore()
        self.layouts = LayoutMemory(self.workspace, self.settings, self.dock_layout)
        self._show_path()
        if complete:
            self.complete()
        self.middle.refresh()

    def begin(self, path: str = "", name: str = "") -> None:
        """Open a model ("": none), show the window, and make its second part after the first picture. `name`: ask then
        which model with this name is meant."""
        if path:
            self.open(path)
        self._asked_name = name
        self.show()
        self.complete_soon()

    def complete_soon(self) -> None:
        """Make the second part once the first picture is on the screen and the simulation runs, or there is nothing to
        wait for."""
        self._waits.timeout.connect(self._complete_in_pieces)
        self._waits.start(FOR_PICTURE if self.workspace.opening.shown_path else 0)
        self.viewport.drawn.connect(self._wait_for_steps)
        self.compiler.compiled.connect(self._wait_no_more)
        self.simulation.snapshot_changed.connect(self._wait_no_more)

    def _wait_for_steps(self) -> None:
        if self._waits.isActive() and self._waits.interval() == FOR_PICTURE:
            self._waits.start(FOR_STEPS)

    def _wait_no_more(self, result: CompileResult | None = None) -> None:
        snapshot = self.simulation.snapshot
        has_steps, has_failed = snapshot is not None and snapshot.steps > 0, result is not None and result.model is None
        if self._waits.isActive() and (has_steps or has_failed):
            self._waits.start(0)

    def _complete_in_pieces(self) -> None:
        """Import the modules of the second part one in each pass of the event loop, then make it."""
        for module in SECOND_PART:
            self.workspace.idle_queue.ask(partial(import_module, module))
        self.workspace.idle_queue.ask(self.complete)

    def complete(self) -> None:
        """Make the second part, if it is not there."""
        if self.is_complete:
            return
        self.is_complete = True
        context = ActionContext(
            self.workspace,
            self.settings,
            self.actions_,
            self.docks,
            self.viewports,
            self,
            self.status.say,
            self.report,
            self.recorder,
        )
        part = app.second_part.SecondPart(
            context,
            self.timeline,
            self.middle,
            self.toolbar,
            self.dock_layout,
            self.plots,
            self.start,
            self._run_from,
            self.status,
        )
        self.source, self.tree, self.problems = part.source, part.tree, part.problems
        self.history, self.inspector, self.help = part.history, part.inspector, part.help
        self.handlers, self.documents, self.dialogs = part.handlers, part.handlers.documents, part.handlers.dialogs
        self.findings, self.handed, self._end_part = part.findings, part.handed, part.end
        part.connect(self.status)
        self.handlers.windows.changed.connect(self._show_path)
        self._show_path()
        for dock in self.docks.values():
            dock.release()
        self.completed.emit()
        name, self._asked_name = self._asked_name, ""
        if name:
            self.documents.ask_name(name)

    @property
    def frame(self) -> ViewportFrame:
        """The active viewport with its overlays."""
        return self.viewports.active

    @property
    def viewport(self) -> Viewport:
        """The active viewport."""
        return self.viewports.active.viewport

    @property
    def view(self) -> ViewModel:
        """The view of the active viewport."""
        return self.workspace.view

    def _run_from(self, widget: QWidget) -> None:
        """Let the keys that run and pause act in a list too, which does not use them."""
        widget.addAction(self.actions_["sim.toggle"])

    def _make_panel(self, row: DockRow) -> QWidget:
        """The panel of a dock that has come into view for the first time, with its connections to others."""
        self.complete()
        if not row.panel:
            return self.docks[row.name].widget()
        panel = row.make(self.workspace, self.settings, self)
        for each in panel.running_lists:
            self._run_from(each)
        for shared, action in panel.shared_keys.items():
            self.actions_.share_keys(shared, action)
        self.actions_.keys_changed.connect(panel.take_keys)
        panel.said.connect(self.status.say)
        panel.action_wanted.connect(lambda name: self.actions_[name].trigger())
        panel.setting_wanted.connect(self.dialogs.show_settings)
        panel.keys_wanted.connect(self.dialogs.show_keys)
        panel.plot_wanted.connect(self.plots.show)
        panel.other_wanted.connect(self.plots.open_other)
        panel.bookmark_wanted.connect(self.handlers.viewing.go_to)
        panel.place_wanted.connect(self.findings.show_entry)
        return panel

    def _add_dock(self, row: DockRow) -> Dock:
        """Add a closed dock that is not in the table, with its action."""
        action = self.actions_.add(dock_action(row), lambda _on: self.handlers.toggle_panel(row.name))
        self.actions_.menus[f"View/{row.menu}"].addAction(action)
        dock = Dock(row, lambda: self._make_panel(row), self.workspace.idle_queue, self, not self.is_complete)
        add_dock(self, self.docks, row, dock)
        if self.is_complete:  # else the handlers follow all docks that they find
            dock.visibilityChanged.connect(self.handlers.refresh_state)
        return dock

    def _connect_picture(self) -> None:
        """Connect the signals of the first part."""
        frame, say = self.frame, self.status.say
        self.middle.refreshed.connect(self.timeline.show_for)
        self.middle.refreshed.connect(lambda _: self.dock_layout.show_for(bool(self.workspace.opening.shown_path)))
        self.dock_layout.placed.connect(self.middle.refresh)  # the timeline is shown where the settings say so
        for show in (say, frame.announce):
            self.simulation.said.connect(show)
        self.compiler.compiled.connect(self._remember)
        self.project.changed.connect(self._show_path)
        self.workspace.saving.saved.connect(lambda path: self.status.say(tr("Saved {path}", path=path)))
        for failed in (self.settings.failed, self.workspace.failed, self.viewport.broken):
            failed.connect(self.report)
        for box in (self.toolbar.keys, self.toolbar.speed, self.toolbar.cameras):
            box.activated.connect(lambda _index: self.viewport.setFocus())
        frame.drops.said.connect(say)
        self.viewport.driver_found.connect(partial(self.recorder.note_fact, "OpenGL"))
        self.viewports.frame_added.connect(self._add_frame)
        self._take_thumbnail = Thumbnail(self.workspace, self.viewports.frames[0].viewport, self.thumbnails, self)

    def _add_frame(self, frame: ViewportFrame) -> None:
        """Connect another viewport."""
        self.complete()
        self.actions_.attach(frame.viewport, VIEWPORT)
        self.handlers.editing.attach(frame.gizmo)
        frame.viewport.broken.connect(self.report)
        frame.drops.said.connect(self.status.say)

    # ---- files ---------------------------------------------------------------------------------------

    def open(self, path: str) -> None:
        """Open a model file, once the user has decided about unsaved edits."""
        if self.is_complete:
            self.documents.open(path)
        else:  # nothing is unsaved yet
            self.settings.folder = os.path.dirname(os.path.abspath(path))
            self.workspace.opening.open(path)

    def _remember(self, result: CompileResult) -> None:
        """Add opened files that hold a model, with or without errors, to Open Recent."""
        if result.fresh and result.recognised and not self.project.is_new:
            self.settings.add_recent(result.path)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if _dropped(event):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = _dropped(event)
        if paths:
            event.acceptProposedAction()
            self.complete()
            self.handed.open_dropped(paths)
            self.activateWindow()

    # ---- showing -------------------------------------------------------------------------------------

    def _show_path(self) -> None:
        path = self.workspace.opening.shown_path
        name = self.handlers.windows.title(path) if path and self.is_complete else os.path.basename(path)
        self.setWindowTitle(f"{name}[*] - Kinetree" if path else "Kinetree")
        self.setWindowModified(bool(self.project.modified))
        self.setWindowFilePath(path)
        if self.is_complete:
            self.problems.set_open(bool(path))

    def report(self, message: str, details: str = "") -> None:
        """Show an unexpected failure in a dialog, and keep the window open."""
        pages.failure.FailureDialog.report(self, message, details, self._write_report, self._show_report)

    def _write_report(self, message: str, details: str) -> Path | None:
        """Write a crash report about an unexpected exception; its path. None for other failures."""
        if "Traceback" not in details:
            return None
        return app.crashes.reports.write(self.settings.crashes, self.recorder.report(message, details))

    def _show_report(self, path: Path) -> None:
        self.complete()
        self.handlers.crashes.show(path)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.dock_layout.follow_window()
        if not self.is_complete:
            return
        self.dialogs.place()
        if not self.help.isHidden():
            self.help.place()

    def event(self, event: QEvent) -> bool:
        """Show status tips beside the counters of the status bar; QMainWindow would hide the counters meanwhile."""
        if event.type() == QEvent.Type.WindowActivate:
            hold_keyboard(self)  # what had it may be gone since
        if isinstance(event, QStatusTipEvent):
            self.status.show_hint(event.tip())
            return True
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous() and self.focusWidget() is None:  # Qt would take the first in the order of Tab
            self.middle.heir.setFocus()

    def focusNextPrevChild(self, forward: bool) -> bool:
        return hold_keyboard(self) or super().focusNextPrevChild(forward)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.complete()
        if self.documents.unsaved and not self._closing:
            event.ignore()
            self.documents.unless_unsaved(self.close_anyway)
            return
        self.leaving.emit()
        self._end_part()
        self.view_memory.save()
        self.layouts.leave()
        self.plots.end()
        self.dock_layout.save()
        for dialog in self.findChildren(QDialog):
            dialog.close()
        for dock in self.docks.values():
            if dock.isFloating():
                dock.hide()
        self.hide()
        threads = self.handlers.end()
        self.viewports.end()
        self.workspace.close()
        for thread in threads:
            thread.join(ENDING)
        event.accept()

    def close_anyway(self) -> None:
        """Close the window, and lose what is unsaved."""
        self._closing = True
        self.close()


def _dropped(event) -> list[str]:
    """The local files and folders of a drop."""
    data = event.mimeData()
    urls = data.urls() if data is not None and data.hasUrls() else []
    return [url.toLocalFile() for url in urls if url.isLocalFile()]
