"""Read first: the main window. Docks around the viewport, and who tells whom.

The state is in the workspace (`app/workspace/workspace.py`), what the user can do in the table of actions
(`app/menus/table.py`), what each action does in `app/actions/handlers.py`.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar, cast

from PySide6.QtCore import QByteArray, QEvent, Qt
from PySide6.QtGui import (
    QAction,
    QCloseEvent,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QResizeEvent,
    QShowEvent,
    QStatusTipEvent,
)
from PySide6.QtWidgets import QApplication, QDialog, QDockWidget, QMainWindow, QMessageBox, QStackedWidget, QWidget

from kinetree.app.actions.documents import Documents
from kinetree.app.actions.handlers import Handlers
from kinetree.app.actions.rows import all_actions
from kinetree.app.menus.build import Actions
from kinetree.app.panels.dialogs.help_overlay import HelpOverlay
from kinetree.app.panels.dock import AREAS, add_docks
from kinetree.app.panels.docks import LEFT, RIGHT, DockRow
from kinetree.app.panels.driving.timeline.bar import TimelineBar
from kinetree.app.panels.layouts import LayoutMemory
from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.pages.failure import FailureDialog
from kinetree.app.panels.pages.start import StartPage
from kinetree.app.panels.plot_docks import PlotDocks
from kinetree.app.panels.status import StatusBar
from kinetree.app.panels.toolbar import ToolBar
from kinetree.app.panels.writing.history import HistoryPanel
from kinetree.app.panels.writing.inspector.panel import InspectorPanel
from kinetree.app.panels.writing.problems import ProblemsPanel
from kinetree.app.panels.writing.source.panel import SourcePanel
from kinetree.app.panels.writing.tree.panel import TreePanel
from kinetree.app.settings import theme
from kinetree.app.settings.settings import Settings
from kinetree.app.settings.table import SETTING_BY_NAME, SETTINGS
from kinetree.app.settings.thumbnails import Thumbnails
from kinetree.app.viewport.overlay import ViewportFrame
from kinetree.app.viewport.remembering import ViewMemory
from kinetree.app.viewport.thumbnail import Thumbnail
from kinetree.app.viewport.viewport import Viewport
from kinetree.app.viewport.viewports import Viewports
from kinetree.app.widgets.keyboard import hold_keyboard, replace_page
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.app.widgets.paint_turn import PaintTurn
from kinetree.app.workers.compiling import CompileResult
from kinetree.app.workspace.bindings import Bindings
from kinetree.app.workspace.log import Entry
from kinetree.app.workspace.view import View
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.diagnostics import Diagnostic
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.actions.pictures import Pictures
    from kinetree.app.panels.dialogs.palette.palette import Palette

D = TypeVar("D", bound=QDialog)
LAYOUT_VERSION = 2
TREE_KEYS = {
    **{name: f"edit.{name}" for name in ("rename", "cut", "copy", "paste", "duplicate", "delete")},
    "hide": "show.hide", "isolate": "show.isolate", "fade": "show.fade", "show": "show.all",
}  # fmt: skip
"""Actions of the tree that have the keys of actions of the table, which do the same in the viewport."""
ENDING = 10.0
"""How long a recording may take to be written to the end when the window is closed, s."""


class Window(QMainWindow):
    """One window on one workspace."""

    _paint_turn: PaintTurn | None = None  # Qt sends events before it is made

    def __init__(self, settings: Settings | None = None, workspace: Workspace | None = None):
        super().__init__()
        self._paint_turn = PaintTurn(self)
        self.settings = settings or Settings()
        self.workspace = workspace or Workspace(journal=self.settings.journal)
        self.workspace.setParent(self)
        self.project, self.compiler = self.workspace.project, self.workspace.compiler
        self.simulation, self.selection = self.workspace.simulation, self.workspace.selection
        self.project.auto_reload = self.settings.auto_reload
        self.workspace.units.set_degrees(self.settings.degrees)
        self.workspace.set_wheel(self.settings.wheel)
        self.workspace.set_bindings(self._bindings())
        self._limit_history()
        self.simulation.set_threads(self.settings.physics_threads)
        self.simulation.mind_contacts(self.settings.poses_mind_contacts)
        self.compiler.hide_codes(self.settings.hidden_checks)
        self._closing = False
        self._question: QMessageBox | None = None
        self._palette: Palette | None = None
        self.setObjectName("window")
        self.setAcceptDrops(True)
        self.resize(1280, 800)

        self.viewports = Viewports(self.workspace, self.settings, self)
        self.view_memory = ViewMemory(self.workspace, self.viewports, self.settings)
        self.thumbnails = Thumbnails(self.settings.thumbnails)
        self.start = StartPage(self.thumbnails, self)
        self.middle = QStackedWidget(self)
        self.middle.addWidget(self.start)
        self.middle.addWidget(self.viewports)
        self.setCentralWidget(self.middle)

        self.source = SourcePanel(self.workspace, self.settings, self)
        self.actions_ = Actions(all_actions(), self.settings, self, self.viewport, self.source)
        self.frame.shelf.fill(self.actions_)
        self.toolbar = ToolBar(self.workspace, self.actions_, self)
        self.addToolBar(self.toolbar)
        self.timeline = TimelineBar(self.simulation, self.settings, self.actions_, self)
        self.addToolBar(Qt.ToolBarArea.BottomToolBarArea, self.timeline)
        self.status = StatusBar(self.workspace, self)
        self.setStatusBar(self.status)
        self.tree, self.problems = TreePanel(self.workspace, self), ProblemsPanel(self)
        for name, shared in TREE_KEYS.items():
            self.actions_.share_keys(shared, self.tree.actions_[name])
        self.history = HistoryPanel(self.project, self)
        self._run_from(self.tree.view)
        self._run_from(self.timeline.track)
        self.inspector = InspectorPanel(self.workspace, self)
        made = {
            "tree": self.tree, "history": self.history, "inspector": self.inspector,
            "problems": self.problems, "source": self.source,
        }  # fmt: skip
        self.docks = add_docks(self, made, self.make_panel, self.workspace.turns)
        self.docks["controls"].raise_()
        right = [self.docks["controls"], self.docks["inspector"]]
        self.resizeDocks(right, [300, 300], Qt.Orientation.Horizontal)
        self.resizeDocks(right, [310, 370], Qt.Orientation.Vertical)
        self.setCorner(Qt.Corner.BottomLeftCorner, AREAS[LEFT])
        self.setCorner(Qt.Corner.BottomRightCorner, AREAS[RIGHT])
        self.help = HelpOverlay(self)
        self._first_layout = self.saveState(LAYOUT_VERSION)

        self.documents = Documents(self)
        self.handlers = Handlers(self)
        self.menus = self.actions_.fill(self.menuBar())
        self.handlers.fill_menus()
        for menu in self.menus.values():
            give_letters(menu)
        self.actions_.connect(self.handlers.table())
        self.handlers.announce_all()
        self._connect()
        self.plots = PlotDocks(self)
        self.restore_layout()
        self.layouts = LayoutMemory(self)
        self.handlers.refresh()
        self._show_path()
        self._show_middle()

    @property
    def frame(self) -> ViewportFrame:
        """The active viewport with what lies over it."""
        return self.viewports.active

    @property
    def viewport(self) -> Viewport:
        """The active viewport."""
        return self.viewports.active.viewport

    @property
    def view(self) -> View:
        """The view of the active viewport."""
        return self.workspace.view

    @cached_property
    def pictures(self) -> Pictures:
        """Pictures and videos; made when they are first wanted."""
        from kinetree.app.actions.pictures import Pictures

        return Pictures(self)

    def _run_from(self, widget: QWidget) -> None:
        """Let the keys that run and pause act in a list too, which has no other use for them."""
        widget.addAction(self.actions_["sim.toggle"])

    def make_panel(self, row: DockRow) -> QWidget:
        """The panel of a dock that has come into view for the first time."""
        panel = row.make(self.workspace, self.settings, self)
        if isinstance(panel, LivePanel) and panel.model.is_on is None:  # where there are switches Space flips them
            self._run_from(panel.view)
        for shared, action in cast(dict[str, QAction], getattr(panel, "shared_keys", {})).items():
            self.actions_.share_keys(shared, action)
        said: Any = getattr(panel, "said", None)
        if said is not None:
            said.connect(self.status.say)
        setting_wanted: Any = getattr(panel, "setting_wanted", None)
        if setting_wanted is not None:
            setting_wanted.connect(self.show_settings)
        other_wanted: Any = getattr(panel, "other_wanted", None)
        if other_wanted is not None:
            other_wanted.connect(self.plots.open_other)
        bookmark_wanted: Any = getattr(panel, "bookmark_wanted", None)
        if bookmark_wanted is not None:
            bookmark_wanted.connect(self.handlers.viewing.go_to)
            cast(Any, panel).keys_wanted.connect(self.show_keys)
            cast(Any, panel).action_wanted.connect(lambda name: self.actions_[name].trigger())
            self.actions_.keys_changed.connect(lambda _name: cast(Any, panel).refresh())
        place_wanted: Any = getattr(panel, "place_wanted", None)
        if place_wanted is not None:
            place_wanted.connect(self._go_to_entry)
        plot_wanted: Any = (
            panel.view.plot_wanted if isinstance(panel, LivePanel) else getattr(panel, "plot_wanted", None)
        )
        if plot_wanted is not None:
            plot_wanted.connect(self.plots.show)
        return panel

    def _connect(self) -> None:
        project, simulation = self.project, self.simulation
        simulation.model_changed.connect(self._show_middle)
        for say in (self.status.say, self.frame.announce):
            simulation.said.connect(say)
        self.compiler.compiled.connect(self._remember)
        self.compiler.diagnostics_changed.connect(self._show_problems)
        self.workspace.units.changed.connect(self._keep_units)
        self.settings.changed.connect(self._apply_setting)
        self.settings.failed.connect(self.report)
        project.changed.connect(self._show_path)
        project.changed.connect(self._show_middle)
        self.source.told.connect(self.status.say)
        project.saved.connect(lambda path: self.status.say(tr("Saved {path}", path=path)))
        self.workspace.failed.connect(self.report)
        self.viewport.broken.connect(self.report)
        self.viewports.frame_added.connect(self._add_frame)
        self.problems.chosen.connect(self.handlers.select_problem)
        self.problems.chosen.connect(self.source.show_problem)
        self.start.problems.chosen.connect(self.handlers.select_problem)
        for panel in (self.problems, self.start.problems):
            panel.copied.connect(lambda place: self.status.say(tr("Copied {place}", place=place)))
            panel.opened.connect(self._open_problem)
            panel.hide_kind.connect(lambda code: self._hide_checks([*self.settings.hidden_checks, code]))
            panel.show_again.connect(self._show_checks)
        for box in (self.toolbar.keys, self.toolbar.speed, self.toolbar.cameras):
            box.activated.connect(lambda _index: self.viewport.setFocus())
        self.help.dismissed.connect(lambda: self.handlers.show_help(False))
        self.start.open_dialog.connect(self.handlers.open_dialog)
        self.start.open_file.connect(self.open)
        self.start.new_wanted.connect(lambda: self.documents.new())
        self._take_thumbnail = Thumbnail(self.workspace, self.viewports.frames[0].viewport, self.thumbnails, self)
        self.frame.show_problems.connect(self.show_problems)
        self.frame.open_wanted.connect(self.open)
        self.frame.drops.open_file.connect(self.open)
        self.frame.drops.said.connect(self.status.say)
        self.frame.show_conflicts.connect(self.documents.show_conflicts)
        self.frame.save_elsewhere.connect(lambda: self.documents.save_as())
        self.status.show_problems.connect(self.show_problems)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._system_scheme_changed)

    def _add_frame(self, frame: ViewportFrame) -> None:
        """Connect another viewport."""
        self.actions_.attach(frame.viewport)
        self.handlers.editing.attach(frame.gizmo)
        frame.viewport.broken.connect(self.report)
        frame.drops.said.connect(self.status.say)

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
            tr("Save the changes to {names}?", names=" and ".join(map(os.path.basename, modified))),
            choices.Save | choices.Discard | choices.Cancel,
            self,
        )
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(tr("They are lost otherwise."))
        box.setDefaultButton(choices.Save)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def decide(choice: int) -> None:
            self._question = None
            if choice == choices.Save:
                self.documents.save_all(then)
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

    def _show_problems(self) -> None:
        self.problems.set_items(self.compiler.diagnostics)
        self.problems.set_hidden(self.settings.hidden_checks, self.compiler.hidden)
        self._show_middle()

    def _open_problem(self, item: Diagnostic) -> None:
        """Show a finding in the text."""
        texts = self.project.texts
        if self.project.attempt and item.file and texts.key(item.file) not in texts.files:
            file, other = (os.path.basename(path) for path in (item.file, self.project.path))
            self.status.say(tr("To mend {file}, close {other} and open {file} again", file=file, other=other))
            return
        self.docks["source"].bring_up()
        self.source.show_problem(item)

    def _go_to_entry(self, entry: Entry) -> None:
        """Show where in the text something of the log was."""
        if entry.place is None:
            return
        if isinstance(entry.place, Diagnostic):
            self._open_problem(entry.place)
            return
        path, start, end = entry.place
        if path not in self.project.texts.files:
            self.status.say(tr("{file} is not open any more", file=os.path.basename(path)))
            return
        most = len(self.project.texts.text(path))
        self.docks["source"].bring_up()
        self.source.show_place(path, min(start, most), min(end, most), focus=False)

    def _hide_checks(self, codes: list[str]) -> None:
        self.settings.hidden_checks = codes
        self.compiler.hide_codes(self.settings.hidden_checks)

    def _keep_units(self) -> None:
        self.settings.degrees = self.workspace.units.degrees
        self.handlers.refresh()

    def _bindings(self) -> Bindings:
        """What the movements of the mouse do, as the settings say."""
        return Bindings({row.name: str(self.settings.value(row.name)) for row in SETTINGS if row.group})

    def _apply_setting(self, name: str) -> None:
        """A setting has another value: pass it on to the part of the window that it is about. Panels follow theirs
        by themselves."""
        settings = self.settings
        if name == "theme":
            self.retheme()
        elif name == "auto_reload":
            self.project.set_auto_reload(settings.auto_reload)
        elif name == "degrees":
            self.workspace.units.set_degrees(settings.degrees)
        elif name in ("history_memory", "history_seconds"):
            self._limit_history()
        elif name == "timeline.shown":
            self._show_middle()
        elif name == "posing.contacts":
            self.simulation.mind_contacts(settings.poses_mind_contacts)
        elif name == "physics_threads":
            self.simulation.set_threads(settings.physics_threads)
        elif SETTING_BY_NAME[name].group:
            self.workspace.set_bindings(self._bindings())
        elif name == "viewport.wheel":
            self.workspace.set_wheel(settings.wheel)
        self.handlers.refresh()

    def _limit_history(self) -> None:
        """Let the history keep as much as the settings say."""
        settings = self.settings
        self.simulation.set_history_limit(settings.history_memory * 1_000_000, settings.history_seconds or math.inf)

    def show_settings(self, name: str = "") -> None:
        """Open the dialog of all settings, at one of them."""
        from kinetree.app.panels.dialogs.settings_dialog import SettingsDialog

        dialog = self._only_dialog(SettingsDialog, lambda: SettingsDialog(self.settings, self))
        if name:
            dialog.show_setting(name)

    def show_keys(self, name: str = "") -> None:
        """Open the dialog of all keys, at an action."""
        from kinetree.app.panels.dialogs.keys_dialog import KeysDialog

        dialog = self._only_dialog(KeysDialog, lambda: KeysDialog(self.actions_, self.settings, self))
        if name:
            dialog.select(name)

    def show_palette(self) -> None:
        """Open the command palette."""
        from kinetree.app.panels.dialogs.palette.palette import Palette

        if self._palette is None:
            self._palette = Palette(self.actions_, self.workspace, self.tree, self.settings, self)
        self._palette.open()

    def _only_dialog(self, kind: type[D], make: Callable[[], D]) -> D:
        """Show the dialog of a kind beside the window, in front if it is open already."""
        dialog = next((each for each in self.findChildren(kind) if each.isVisible()), None) or make()
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        return dialog

    def _show_checks(self, codes: list[str]) -> None:
        self._hide_checks([code for code in self.settings.hidden_checks if code not in codes])

    def _show_middle(self) -> None:
        if self.simulation.model is not None:
            page = self.viewports
        else:
            page = self.start
            path, result = self.project.shown_path, self.compiler.result
            if path and self.compiler.failed and result is not None and result.models:
                self.start.show_part(result, self.compiler.diagnostics)
            elif path and self.compiler.failed:
                self.start.show_failed(path, self.compiler.diagnostics, self.settings.recent())
            elif path:
                self.start.show_loading(path)
            else:
                self.start.show_nothing(self.settings.recent())
        self.timeline.setVisible(page is self.viewports and self.settings.shows_timeline)
        if self.middle.currentWidget() is not page:
            replace_page(self.middle, page, self.viewport if page is self.viewports else self.start)

    def _show_path(self) -> None:
        path = self.project.shown_path
        self.setWindowTitle(f"{os.path.basename(path)}[*] - Kinetree" if path else "Kinetree")
        self.setWindowModified(bool(self.project.modified))
        self.setWindowFilePath(path)
        self.problems.set_open(bool(path))

    def show_problems(self) -> None:
        """Open the problems panel."""
        self.docks["problems"].bring_up()

    def report(self, message: str, details: str = "") -> None:
        """Something failed: say so, and keep the window."""
        FailureDialog.report(self, message, details)

    # ---- look ----------------------------------------------------------------------------------------

    def set_theme(self, name: str) -> None:
        """ "system", "light" or "dark"."""
        self.settings.theme = name
        self.handlers.refresh()  # the action of the same theme stays checked

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
        self.plots.make_for_layout()
        if state is not None:
            self.restoreState(state, LAYOUT_VERSION)

    def layout_state(self) -> QByteArray:
        """Where the panels are and how large."""
        return self.saveState(LAYOUT_VERSION)

    def set_layout_state(self, state: QByteArray) -> None:
        """Put the panels where they were when this was told."""
        if self._place_panels(state):
            self._show_middle()  # the timeline is shown where the settings say so
            for dock in self.docks.values():
                dock.note_size()

    def default_layout(self) -> None:
        """Every panel back where it was at first."""
        self.settings.clear_layout()
        self._place_panels(self._first_layout)
        self.plots.reset_layout()
        for dock in self.docks.values():
            dock.note_size()

    def _place_panels(self, state: QByteArray) -> bool:
        """Place the panels as a state says, and forget the sizes that the user gave them. False if it is unreadable."""
        # Forgotten first: Qt resizes the window in between, while panels that the state does not know are in no layout.
        for dock in self.docks.values():
            dock.wanted = None
        return self.restoreState(state, LAYOUT_VERSION)

    def _restore_sizes(self) -> None:
        """Enlarge panels that a small window has shrunk to the sizes that the user gave them."""
        sides: dict[QDockWidget, int] = {}
        bottoms: dict[QDockWidget, int] = {}
        for dock in self.docks.values():
            if dock.wanted is None or dock.isHidden() or dock.isFloating():
                continue
            if self.dockWidgetArea(dock) in (AREAS[LEFT], AREAS[RIGHT]):
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
        for over in (self.help, self._palette):
            if over is not None and not over.isHidden():
                over.place()

    def event(self, event: QEvent) -> bool:
        """Status tips are shown beside the counters, which QMainWindow would hide meanwhile."""
        if self._paint_turn is not None and self._paint_turn.waits(event):
            return True
        if event.type() == QEvent.Type.WindowActivate:
            hold_keyboard(self)  # what had it may be gone since
        if isinstance(event, QStatusTipEvent):
            self.status.show_hint(event.tip())
            return True
        return super().event(event)

    def save_layout(self) -> None:
        self.settings.set_layout("geometry", self.saveGeometry())
        self.settings.set_layout("state", self.layout_state())
        self.plots.save_layout()
        self.settings.save()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not event.spontaneous() and self.focusWidget() is None:  # Qt would take the first in the order of Tab
            (self.viewport if self.middle.currentWidget() is self.viewports else self.start).setFocus()

    def focusNextPrevChild(self, forward: bool) -> bool:
        return hold_keyboard(self) or super().focusNextPrevChild(forward)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.project.modified and not self._closing:
            event.ignore()
            self.unless_unsaved(self.close_anyway)
            return
        self.view_memory.save()
        self.layouts.leave()
        self.plots.end()
        self.save_layout()
        for dialog in self.findChildren(QDialog):
            dialog.close()
        for dock in self.docks.values():
            if dock.isFloating():
                dock.hide()
        self.hide()
        threads = self.pictures.filming.close() if "pictures" in self.__dict__ else []
        self.viewports.end()
        self.workspace.close()
        for thread in threads:
            thread.join(ENDING)
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
