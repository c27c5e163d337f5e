"""The controller file of a workspace: a Python file that the user chose, which drives the actuators.

    workspace.controller.choose("walk.py")

A new version of the file runs in a new process, and takes over once it is imported without an error: until then the
last good version goes on. An error while it runs pauses the simulation at that step; the next version of the file
goes on from there. Nothing is run before `choose`: a file that was used with a model before is only offered again.
"""

from __future__ import annotations

import os
import threading
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from kinetree.app.workers.controller.client import ControllerFailure, ControllerListener, ControllerProcess
from kinetree.app.workers.simulation import requests
from kinetree.app.workers.watching import FileWatcher, Watched
from kinetree.engine.run.control import layout

if TYPE_CHECKING:
    from kinetree.app.workspace.simulation_controller import SimulationController
    from kinetree.engine.model.model import Model


class ControllerState(Enum):
    """The states of a controller file."""

    NONE = "none"
    STARTING = "starting"
    RUNNING = "running"
    FAILED = "failed"


class ControllerHost(QObject):
    """The controller file of one workspace, in the GUI thread.

    path      of the file, "" without one
    state     what it does
    failure   why the file as it is does not run, None if it does; while `state` is RUNNING the version before goes on
    offered   a file that was used with the open model before, "" without one or once it is chosen

    Signals: `changed()`; `began(path)`: a version of the file has taken over; `failed(failure)`; `said(text)`: a line
    that the file has printed.
    """

    changed = Signal()
    began = Signal(str)
    failed = Signal(object)
    said = Signal(str)

    _ready = Signal(object)
    _failed = Signal(object, object)
    _told = Signal(object, str)

    def __init__(self, simulation: SimulationController, parent: QObject | None = None):
        super().__init__(parent)
        self._simulation = simulation
        self.path = self.offered = ""
        self.failure: ControllerFailure | None = None
        self._running: ControllerProcess | None = None
        self._starting: ControllerProcess | None = None
        self._threads: list[threading.Thread] = []
        self._watcher: FileWatcher | None = None
        self._ready.connect(self._take_ready)
        self._failed.connect(self._take_failed)
        self._told.connect(self._take_told)
        self._listener = ControllerListener(self._ready.emit, self._failed.emit, self._told.emit)
        simulation.model_changed.connect(self._take_model)
        simulation.controls_cleared.connect(self.end)

    @property
    def state(self) -> ControllerState:
        if self._running is not None:
            return ControllerState.RUNNING
        if self._starting is not None:
            return ControllerState.STARTING
        return ControllerState.FAILED if self.failure is not None else ControllerState.NONE

    @property
    def seconds(self) -> float:
        """Mean time of a call, s; 0 while unknown."""
        return 0.0 if self._running is None else self._running.seconds

    @property
    def process(self) -> int | None:
        """The id of the process that drives the actuators, None without."""
        return None if self._running is None else self._running.pid

    # ---- what the user does --------------------------------------------------------------------------------

    def choose(self, path: str) -> None:
        """Let a file drive the actuators of the open model from now on."""
        if path != self.path:
            self._end_running()
        self.path, self.offered = os.path.abspath(path), ""
        if self._watcher is None:
            self._watcher = FileWatcher(self)
            self._watcher.changed.connect(lambda _change: self.reload())
            self._watcher.start()
        self._watcher.watch(Watched([self.path]))
        self.reload()

    def offer(self, path: str) -> None:
        """Offer a file that was used with the open model before. It is not run."""
        self.offered = path
        self.changed.emit()

    def reload(self) -> None:
        """Start the present version of the file; the one before goes on until it is imported."""
        model = self._simulation.model
        if not self.path or model is None:
            return
        self._end_starting()
        self._starting = ControllerProcess(self.path, layout(model), self._listener)
        self._threads = [each for each in self._threads if each.is_alive()]
        self._threads.append(self._starting)
        self._starting.start()
        self.changed.emit()

    def end(self) -> None:
        """Run the file no more; the controls stay as they are."""
        self._end_starting()
        self._end_running()
        self.path, self.failure = "", None
        if self._watcher is not None:
            self._watcher.watch(Watched([]))
        self.changed.emit()

    def _end_starting(self) -> None:
        if self._starting is not None:
            self._starting.kill()
            self._starting = None

    def _end_running(self) -> None:
        running, self._running = self._running, None
        if running is not None:
            self._simulation.post(requests.SetController(None))
            running.kill()

    # ---- what the processes tell ---------------------------------------------------------------------------

    @Slot(object)
    def _take_ready(self, process: ControllerProcess) -> None:
        if process is not self._starting:
            return
        self._starting, self._running, self.failure = None, process, None
        self._simulation.post(requests.SetController(process))  # which ends the one before
        self.began.emit(process.path)
        self.changed.emit()

    @Slot(object, object)
    def _take_failed(self, process: ControllerProcess, failure: ControllerFailure) -> None:
        if process is self._starting:
            self._starting = None
        elif process is self._running:
            self._running = None
            self._simulation.post(requests.SetController(None))
            self._simulation.post(requests.Pause())
        else:
            return
        self.failure = failure
        self.failed.emit(failure)
        self.changed.emit()

    @Slot(object, str)
    def _take_told(self, process: ControllerProcess, text: str) -> None:
        if process in (self._starting, self._running):
            self.said.emit(text)

    @Slot(object, bool)
    def _take_model(self, _old: Model | None, keep: bool) -> None:
        """The next version of the model is driven on; another model is not."""
        if not keep:
            self.offered = ""
            self.end()

    # ---- end -----------------------------------------------------------------------------------------------

    def stop(self) -> list:
        """End the processes; returns the threads that are to be joined."""
        for process in (self._starting, self._running):
            if process is not None:
                process.kill()
        self._starting = self._running = None
        if self._watcher is not None:
            self._watcher.stop()
            return [*self._threads, self._watcher]
        return self._threads
