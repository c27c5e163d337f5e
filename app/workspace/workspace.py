"""Read first: the parts of a window's state, and how they are connected.

    project     the open document: its texts and their edits        app/workspace/project.py
    opening     which document is open or being opened              app/workspace/opening.py
    disk        changes of its files by other programs              app/workspace/disk.py
    merging     conflicts of those with unsaved edits               app/workspace/merging.py
    saving      its texts written to the disk                       app/workspace/saving.py
    converting  its model written as MJCF or .kmodel                app/workspace/converting.py
    compiler    a version of the text -> a model and diagnostics    app/workspace/compile_controller.py
    simulation  the live simulation of the model                    app/workspace/simulation_controller.py
    selection   the selected element                                app/workspace/selection.py
    questions   what the text means, answered in a thread           app/workspace/questions.py
    tasks       long work for the user, with progress and Cancel    app/workspace/tasks.py
    drawings    the same for pictures and videos: edits do not wait for them
    extras      large packages that a feature may need            app/workspace/extras.py
    installs    tasks that fetch or remove those
    controller  the Python file that drives the actuators           app/workspace/controller.py
    comparison  another model that is simulated beside it           app/workspace/comparison.py
    views       camera and visualisation options of each viewport   app/workspace/view.py
    bookmarks   named cameras to go back to                         app/workspace/bookmarks.py
    measurements  distances and angles between points of the model  app/workspace/measurements.py
    units       angles in degrees or radians, for all panels        app/workspace/units.py
    idle_queue  work of panels in small pieces, so that the window answers  app/workspace/idle_queue.py
    log         what happened, with its time                        app/workspace/log.py
    recovery    unsaved texts kept for the case of a crash          app/workspace/recovery.py

    project --compile_wanted--> compiler --compiled--> opening, simulation --model_changed--> selection, views

All parts live in the GUI thread and none waits for another thread. Panels receive the parts that they need. A
process may have several workspaces, and a workspace several views.
"""

from __future__ import annotations

import time
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from kinetree import app
from kinetree.app.settings.following import SettingsFollower
from kinetree.app.settings.settings import Settings
from kinetree.app.settings.table import PACKAGE_FOLDERS, SETTINGS
from kinetree.app.workers.compiling import CompileResult
from kinetree.app.workspace.bindings import Bindings
from kinetree.app.workspace.bookmarks import Bookmarks
from kinetree.app.workspace.comparison import Comparison
from kinetree.app.workspace.compile_controller import CompileController
from kinetree.app.workspace.converting import ModelConverter
from kinetree.app.workspace.disk import DiskFollower
from kinetree.app.workspace.idle_queue import IdleQueue
from kinetree.app.workspace.log import Log
from kinetree.app.workspace.measurements import Measurements
from kinetree.app.workspace.merging import ConflictMerger
from kinetree.app.workspace.opening import FileOpener
from kinetree.app.workspace.project import ProjectController
from kinetree.app.workspace.questions import Questions
from kinetree.app.workspace.recovery import Recovery
from kinetree.app.workspace.saving import TextSaver
from kinetree.app.workspace.selection import SelectionModel
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.app.workspace.tasks import Tasks
from kinetree.app.workspace.units import Units
from kinetree.app.workspace.view import ViewModel
from kinetree.engine.resources import packages

if TYPE_CHECKING:
    from kinetree.app.workspace.controller import ControllerHost
    from kinetree.app.workspace.extras import Extras


class Workspace(QObject):
    """State of one window without its widgets: makes the parts and connects them.

    journal  folder in which unsaved texts are kept for the case of a crash; None: they are not
    views    one for each viewport
    view     the active one, which panels and actions show and change

    Signals: `failed(message, details)`: any part failed; `leaving()`: another model is about to be opened, or this one
    closed; `view_changed()`: another view is the active one;
    `controller_changed()`: the controller file, or what it does;
    `camera_changed()` and `options_changed()`: the active view has another camera or other options, also because it is
    another view.
    """

    failed = Signal(str, str)
    poses_changed = Signal()
    leaving = Signal()
    view_changed = Signal()
    camera_changed = Signal()
    options_changed = Signal()
    controller_changed = Signal()

    def __init__(self, parent: QObject | None = None, journal: Path | None = None):
        super().__init__(parent)
        self.project = ProjectController(self)
        self.opening = FileOpener(self.project, self)
        self.merging = ConflictMerger(self.project, self)
        self.disk = DiskFollower(self.project, self.opening, self.merging, self)
        self.saving = TextSaver(self.project, self)
        self.converting = ModelConverter(self.project, self.saving, self)
        self.compiler = CompileController(self)
        self.simulation = SimulationController(self)
        self.selection = SelectionModel(self)
        self.units = Units(parent=self)
        self.bookmarks = Bookmarks(self)
        self.measurements = Measurements(self.simulation, self)
        self.idle_queue = IdleQueue(self)
        self._questions: list[Questions] = []
        self.questions = self.add_questions()
        self.tasks = Tasks(self.project, self)
        self.drawings = Tasks(self.project, self)
        self.installs = Tasks(self.project, self)
        self.comparison = Comparison(self.project, self.simulation, self.tasks, self)
        self.simulation.model_changed.connect(lambda _old, keep: self.selection.follow(self.simulation.model, keep))
        self.views: list[ViewModel] = []
        self.view = self.add_view()
        self.log = Log(self.project, self.saving, self.merging, self.compiler, self.simulation, self)
        self.failed.connect(self.log.fail)
        self._closed = False
        self.project.compile_wanted.connect(self.compiler.submit)
        self.project.closed.connect(self._close_file)
        self.project.changed.connect(self._select_findings)
        self.compiler.compiled.connect(self._take_result)
        self.compiler.cancelled.connect(self.opening.abandon)
        self.recovery = Recovery(self.project, self.opening, journal, self) if journal is not None else None
        if self.recovery is not None:
            self.recovery.failed.connect(self.failed)
        self.saving.failed.connect(self.failed)
        self.simulation.failed.connect(self.failed)
        for tasks in (self.tasks, self.drawings, self.installs):
            tasks.failed.connect(self.failed)
        self.project.closed.connect(self.tasks.cancel)

    @cached_property
    def extras(self) -> Extras:
        """The extras of this machine, made when first wanted."""
        return app.workspace.extras.Extras(self.installs, self.questions, self)

    @cached_property
    def controller(self) -> ControllerHost:
        """The controller file, made when first wanted."""
        host = app.workspace.controller.ControllerHost(self.simulation, self)
        host.changed.connect(self.controller_changed)
        self.log.follow_controller(host)
        return host

    @property
    def has_controller(self) -> bool:
        """Whether a controller file was ever wanted."""
        return "controller" in self.__dict__

    def add_questions(self) -> Questions:
        """Another thread that answers questions, for a panel whose answers are not to wait for those of others."""
        made = Questions(self)
        made.failed.connect(self.failed)
        self._questions.append(made)
        return made

    def add_view(self) -> ViewModel:
        """Another view of the simulation, for another viewport."""
        view = ViewModel(self.simulation, self.selection, self)
        if self.views:
            first = self.views[0]
            view.wheel, view.poses, view.bindings = first.wheel, first.poses, first.bindings
        self.views.append(view)
        view.poses_changed.connect(lambda: self.set_poses(view.poses))
        view.camera_changed.connect(lambda: view is self.view and self.camera_changed.emit())
        view.options_changed.connect(lambda: view is self.view and self.options_changed.emit())
        return view

    def remove_view(self, view: ViewModel) -> None:
        """End a view whose viewport is closed. The first one stays."""
        self.views.remove(view)
        if view is self.view:
            self.activate(self.views[0])
        view.stop_flight()
        view.release()
        view.deleteLater()

    def activate(self, view: ViewModel) -> None:
        """Let panels and actions show and change another view."""
        if view is not self.view:
            self.view = view
            self.view_changed.emit()
            self.camera_changed.emit()
            self.options_changed.emit()

    @property
    def poses(self) -> bool:
        """Whether handles move the running state, and not the text."""
        return self.views[0].poses

    def set_poses(self, on: bool) -> None:
        """Let the handles of all views move the running state, or edit the text again."""
        for view in self.views:
            view.set_poses(on)
        self.poses_changed.emit()

    def follow(self, settings: Settings) -> None:
        """Let every part apply its own settings; those of the mouse are of all views."""
        for part in (self.disk, self.units, self.simulation):
            part.follow(settings)
        gestures = [row.name for row in SETTINGS if row.group]

        def bind(_value: object) -> None:
            self.set_bindings(Bindings({name: str(settings.value(name)) for name in gestures}))

        applied = {"viewport.wheel": self.set_wheel, PACKAGE_FOLDERS: self.set_package_folders}
        SettingsFollower(settings, self, {**applied, **dict.fromkeys(gestures, bind)})

    def set_bindings(self, bindings: Bindings) -> None:
        """Set the actions of the mouse in all views."""
        for view in self.views:
            view.bindings = bindings

    def set_wheel(self, wheel: str) -> None:
        """Set how the wheel zooms in all views: "away" or "nearer"."""
        for view in self.views:
            view.wheel = wheel

    def set_package_folders(self, text: str) -> None:
        """Set the folders in which packages are looked for, and compile the model that is open again."""
        found = packages.read(text)
        if found != packages.chosen():
            packages.use(found)
            if self.project.path:
                self.project.compile()

    def reset_effects(self) -> None:
        """Take back the effects that were chosen one by one, in all views."""
        for view in self.views:
            view.set_preset(view.preset)

    @Slot(object)
    def _take_result(self, result: CompileResult) -> None:
        if result.model is not None:
            if result.fresh:
                self.leaving.emit()
            self.simulation.show(result.model, keep=not result.fresh, ready=result.ready)
        self.opening.adopt(result)

    @Slot()
    def _select_findings(self) -> None:
        """Show the findings about a file that is being opened in place of those about the open one."""
        self.compiler.show_findings(self.opening.attempt, self.project.path)

    @Slot()
    def _close_file(self) -> None:
        self.leaving.emit()
        self.compiler.clear()
        self.simulation.unload()

    def close(self, wait: float = 3.0) -> None:
        """End all threads, and wait at most so many seconds for them."""
        if self._closed:
            return
        self._closed = True
        self.idle_queue.stop()
        parts = [self.disk, self.merging, self.saving, self.converting, self.compiler, self.simulation]
        parts += [self.tasks, self.drawings, self.installs, *self._questions]
        if self.recovery is not None:
            parts.append(self.recovery)
        if self.has_controller:
            parts.append(self.controller)
        threads = [thread for part in parts for thread in part.stop()]
        end = time.monotonic() + wait
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
