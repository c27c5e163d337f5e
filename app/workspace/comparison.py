"""Comparison: a second model that is simulated beside the open one, to judge a change against what was before.

The other model gets the same inputs at the same times (`engine/run/companion.py`). Viewports draw it as a ghost, and
plots have its quantities under the prefix `other.`. It stays what it is while the open model is edited.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from kinetree import engine
from kinetree.app import workers
from kinetree.app.workspace.project import ProjectController
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.app.workspace.tasks import Tasks
from kinetree.engine import run
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model


class Comparison(QObject):
    """Compares the open model with a second one. Lives in the GUI thread. `refused(reason)`: a model cannot be
    compared. The other model is `SimulationController.other`, which announces its changes.

    previous  the version of the open model before the last edit, None before the first
    """

    refused = Signal(str)

    def __init__(
        self,
        project: ProjectController,
        simulation: SimulationController,
        tasks: Tasks,
        parent: QObject | None = None,
    ):
        super().__init__(parent)
        self._project, self._simulation, self._tasks = project, simulation, tasks
        self.previous: Model | None = None
        self._opened = 0  # counts the models that were opened
        simulation.model_changed.connect(self._take_model)

    @Slot(object, bool)
    def _take_model(self, old: Model | None, keep: bool) -> None:
        self.previous = old if keep else None
        self._opened += not keep

    # ---- begin and end -------------------------------------------------------------------------------

    def with_file(self, path: str) -> None:
        """Compare with a file."""
        self._begin(os.path.basename(path), partial(_model_of, path))

    def with_saved(self) -> None:
        """Compare with the saved version of the open model."""
        if self._project.path:
            self._begin(
                tr("{file} as saved", file=os.path.basename(self._project.path)), partial(_model_of, self._project.path)
            )

    def with_previous(self) -> None:
        """Compare with the version before the last edit."""
        if self.previous is not None:
            self._begin(tr("the version before the last edit"), partial(_itself, self.previous))

    def with_present(self) -> None:
        """Keep the present version, to compare the edits to come with it."""
        if self._simulation.model is not None:
            self._begin(tr("the version that was kept"), partial(_itself, self._simulation.model))

    def end(self) -> None:
        """Compare no more."""
        self._simulation.compare(None)

    def _begin(self, label: str, find: Callable[[], Model]) -> None:
        """Find the other model and load its kernels in a thread, then simulate it."""
        opened = self._opened

        def work() -> Model:
            model = find()
            _prepare(model)
            return model

        def take(model: Model) -> None:
            if self._simulation.model is not None and self._opened == opened:
                self._simulation.compare(model, label)

        self._tasks.run(tr("Preparing the comparison"), work, take, self.refused.emit)


def _itself(model: Model) -> Model:
    return model


def _model_of(path: str) -> Model:
    """The model of a file. Raises ValueError."""

    compiler = workers.compiler.client.Compiler()
    try:
        result = compiler.compile(workers.compiling.CompileRequest(path), cancelled=engine.progress.is_cancelled)
    finally:
        compiler.close()
    if result is not None and result.model is not None:
        return result.model
    items = [] if result is None else result.diagnostics
    first = next((item for item in items if item.severity is engine.diagnostics.Severity.ERROR), None)
    reason = (
        tr("it cannot be read")
        if first is None
        else tr("line {line}: {message}", line=first.line, message=first.message)
    )
    raise ValueError(tr("{file} cannot be compared: {reason}", file=os.path.basename(path), reason=reason))


def _prepare(model: Model) -> None:
    """Load or compile the kernels of a model. Raises ValueError."""

    if model.unsimulated:
        raise ValueError(
            tr(
                "The model cannot be compared, as it cannot be simulated: {message}",
                message=model.unsimulated[0].message,
            )
        )
    if not run.warmup.warmup(model, cancelled=engine.progress.is_cancelled):
        raise engine.progress.Cancelled
