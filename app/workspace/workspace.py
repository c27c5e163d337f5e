"""Read first: the parts of a window's state, and how they are connected.

    project     which file is open, its text and its files          app/workspace/project.py
    compiler    a version of the text -> a model and diagnostics    app/workspace/compile_controller.py
    simulation  the live simulation of the model                    app/workspace/simulation_controller.py
    selection   the selected element                                app/workspace/selection.py
    views       camera and visualisation options of each viewport   app/workspace/view.py

    project --compile_wanted--> compiler --compiled--> project, simulation --model_changed--> selection, views

All parts live in the GUI thread and none waits for another thread. Panels receive the parts that they need. A
process may have several workspaces, and a workspace several views.
"""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Signal, Slot

from app.workers.compiling import CompileResult
from app.workspace.compile_controller import CompileController
from app.workspace.project import ProjectController
from app.workspace.selection import SelectionModel
from app.workspace.simulation_controller import SimulationController
from app.workspace.view import View


class Workspace(QObject):
    """Makes the parts and connects them. `failed(message, details)`: any of them failed."""

    failed = Signal(str, str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.project = ProjectController(self)
        self.compiler = CompileController(self)
        self.simulation = SimulationController(self)
        self.selection = SelectionModel(self)
        self.simulation.model_changed.connect(lambda _old, keep: self.selection.follow(self.simulation.model, keep))
        self.views: list[View] = []
        self.view = self.add_view()
        self._closed = False
        self.project.compile_wanted.connect(self.compiler.submit)
        self.project.closed.connect(self._close_file)
        self.project.changed.connect(self._select_findings)
        self.compiler.compiled.connect(self._take_result)
        self.compiler.cancelled.connect(self.project.abandon)
        self.project.failed.connect(self.failed)
        self.simulation.failed.connect(self.failed)

    def add_view(self) -> View:
        """Another view of the simulation, for another viewport."""
        self.views.append(View(self.simulation, self.selection, self))
        return self.views[-1]

    @Slot(object)
    def _take_result(self, result: CompileResult) -> None:
        if result.model is not None:
            self.simulation.show(result.model, keep=not result.fresh, ready=result.ready, saved=result.saved)
        self.project.adopt(result)

    @Slot()
    def _select_findings(self) -> None:
        """The findings about a file that is being opened come before those about the open one."""
        self.compiler.show_findings(self.project.attempt, self.project.path)

    @Slot()
    def _close_file(self) -> None:
        self.compiler.clear()
        self.simulation.unload()

    def close(self, wait: float = 3.0) -> None:
        """End all threads, and wait at most so many seconds for them."""
        if self._closed:
            return
        self._closed = True
        threads = [*self.project.stop(), *self.compiler.stop(), *self.simulation.stop()]
        end = time.monotonic() + wait
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
