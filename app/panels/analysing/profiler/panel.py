"""The profiler: where the time of a step goes, and what the constraint solver does. It reads.

Stages are timed a few times a second, on a copy of the state (`engine/run/profiler.py`), so that the simulation stays
as it is; at most `SHARE` of its thread's time is spent so. The solver's figures over time are those of every step.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QSplitter, QVBoxLayout, QWidget
from shiboken6 import isValid

from kinetree.app.panels import analysing
from kinetree.app.panels.live.bars import ShareBar
from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import LiveColumn, LiveRow, sort_key
from kinetree.app.widgets.panel import Panel
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine import run
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.app.panels.analysing.profiler.charts import Chart
    from kinetree.engine.run.capture import Capture
    from kinetree.engine.run.profiler import Profile, Profiler

INTERVAL = 0.25  # least time between two samples, s
SHARE = 0.02  # of the simulation thread's time that samples may take
SAMPLES = 9  # whose median is shown: other programs disturb some
DRAW = 0.1  # least time between two drawings of the charts, s
STEPS = 600  # that the chart of the solver shows
FIGURES = {
    marked("Iterations"): "sum(solver_niter)",
    marked("Rows"): "nefc",
    marked("Contacts"): "ncon",
    marked("Islands"): "nisland",
}


def time_text(seconds: float) -> str:
    """A short time with fixed decimals, so that its digits stay where they are while it changes."""
    return f"{1e6 * seconds:,.2f} µs"


class Fields:
    """Pads numbers to the greatest width that each had, with spaces as wide as digits, so that the text around them
    does not move."""

    def __init__(self) -> None:
        self._widths: dict[str, int] = {}

    def padded(self, name: str, text: str) -> str:
        width = self._widths[name] = max(len(text), self._widths.get(name, 0))
        return text.rjust(width, "\u2007")


class StagesPanel(LivePanel):
    """The stages of a step with their times."""

    what = "stage"
    columns = (
        LiveColumn(marked("Stage"), lambda row, _value, _units: row.name, lambda row, _value: row.name),
        LiveColumn(
            marked("Time"),
            lambda _row, value, _units: "" if value is None else time_text(value[0]),
            lambda _row, value: sort_key(value and value[0]),
            is_live=True,
            is_number=True,
            width=84,
            help=marked("In a step"),
        ),
        LiveColumn(
            marked("Share"),
            lambda _row, value, _units: "" if value is None else f"{100 * value[1]:.1f} %",
            lambda _row, value: sort_key(value and value[0]),
            is_live=True,
            is_number=True,
            width=96,
            help=marked("Of a step"),
        ),
    )

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        self.times: dict[str, float] = {}
        self._samples: deque[list[float]] = deque(maxlen=SAMPLES)
        super().__init__(workspace, settings, parent)
        self._delegate = ShareBar(self.view)
        self.view.setItemDelegateForColumn(2, self._delegate)

    def take(self, stages: list[tuple[str, float]]) -> None:
        """Show newer times."""
        names = [name for name, _ in stages]
        if list(self.times) != names:
            self._samples.clear()
            self._is_stale = True
        self._samples.append([seconds for _, seconds in stages])
        self.times = dict(zip(names, np.median(self._samples, axis=0).tolist(), strict=True))
        if self._is_stale and self.in_view:
            self.refresh()
        self.follow()

    def clear(self) -> None:
        """Forget the times."""
        self.times = {}
        self._samples.clear()
        self._is_stale = True
        self.follow()

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        for name in self.times:
            yield LiveRow(name.replace("_", " "), self._reader(name), key=name)

    def _reader(self, name: str) -> Callable[[Any], tuple[float, float] | None]:
        def read(_snapshot: Any) -> tuple[float, float] | None:
            seconds = self.times.get(name)
            return None if seconds is None else (seconds, seconds / max(self.total(), 1e-12))

        return read

    def total(self) -> float:
        """Time of a step, s."""
        return sum(self.times.values())

    def empty_text(self, model: Any) -> str:
        return tr("Times come with the first steps.")


class ProfilerPanel(Panel):
    """Panel of the profiler. `said(text)`: a remark for the status bar; `plot_wanted(expressions)`."""

    _sampled = Signal(object, object)

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(parent)
        self.workspace, self.simulation = workspace, workspace.simulation
        self.summary = QLabel(tr("Preparing the profiler …"), self)
        self.summary.setContentsMargins(8, 5, 8, 3)
        self.summary.setWordWrap(True)
        self.stages = StagesPanel(workspace, settings, self)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.addWidget(self.stages)
        self.stages.said.connect(self.said)
        self.charts: list[Chart] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.summary)
        column.addWidget(self.splitter, 1)
        self.setMinimumSize(60, 60)
        self.setFocusProxy(self.stages)
        self.profile: Profile | None = None
        self._profiler: Profiler | None = None
        self._is_ready = self._preparing = self._asked = False
        self._is_outdated = False  # the profile is of the version of the model before
        self._capture: Capture | None = None
        self._rows = np.zeros((0, 1 + len(FIGURES)))
        self._drawn = 0.0
        self._fields = Fields()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._ask)
        self._sampled.connect(self._take)
        self.simulation.model_changed.connect(self._take_model)
        self.simulation.snapshot_changed.connect(self._follow)

    # ---- getting ready -----------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._is_ready and not self._preparing:
            self._preparing = True
            self.workspace.tasks.run(tr("Preparing the profiler"), _prepare, self._begin, self._cannot_begin)
        self._renew()
        self._ask_soon(0.0)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self._timer.stop()
            self._renew()

    def _cannot_begin(self, reason: str) -> None:
        self._preparing = False
        self.summary.setText(tr("Nothing can be timed: {reason}", reason=reason))

    def _begin(self, _answer: object) -> None:
        """Make the charts, in two turns: each takes some 30 ms."""
        if self._is_ready or self.charts:
            return

        self.solver = analysing.profiler.charts.Chart(
            tr("Work of the constraint solver at every step"), tuple(map(tr, FIGURES)), tr("time, s"), self
        )
        self.charts = [self.solver]
        self.splitter.addWidget(self.solver)
        self.workspace.idle_queue.ask(self._go_on)

    def _go_on(self) -> None:
        if not isValid(self):
            return

        self._is_ready, self._profiler = True, run.profiler.Profiler()
        self.convergence = analysing.profiler.charts.Chart(
            tr("How the constraint solver converged in the last step"),
            (tr("Improvement"), tr("Gradient")),
            tr("iteration"),
            self,
            True,
        )
        self.charts.append(self.convergence)
        self.splitter.addWidget(self.convergence)
        self.splitter.setSizes([420, 260, 260])
        self._lay_out()
        self.summary.setText("")
        self._renew()
        self._ask_soon(0.0)

    def resizeEvent(self, event: Any) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        """Put the charts beside the list if there is room, else below it."""
        wide = self.width() >= 1.4 * self.height()
        orientation = Qt.Orientation.Horizontal if wide else Qt.Orientation.Vertical
        if self.splitter.orientation() != orientation:
            self.splitter.setOrientation(orientation)
            self.splitter.setSizes([420, 260, 260])

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for chart in self.charts:
                chart.retheme()

    # ---- stages ------------------------------------------------------------------------------------------

    def _ask_soon(self, seconds: float) -> None:
        if self.isVisible() and self._is_ready and not self._timer.isActive():
            self._timer.start(int(1000 * seconds))

    def _ask(self) -> None:
        """Ask the simulation thread for a sample."""
        profiler, sampled, simulation = self._profiler, self._sampled, self.simulation
        if self.profile is not None and not simulation.running and not self._is_outdated:
            return  # the times of the last run stay: a state that stands still says nothing of it
        is_able = simulation.model is not None and simulation.ready and not simulation.unsimulated
        if profiler is None or self._asked or not self.isVisible() or not is_able:
            return
        self._asked = True

        def sample(model: Any, data: Any) -> None:
            sampled.emit(None if data is None else profiler.sample(model, data), model)

        simulation.post(requests.Ask(sample))

    def _take(self, profile: Profile | None, model: Any) -> None:
        self._asked = False
        known = self.simulation.model
        if profile is not None and known is not None and model is not None and model.names is known.names:
            self.profile, self._is_outdated = profile, False
            self.stages.take(profile.stages)
            self._show_convergence(profile)
            self._say()
        if self.simulation.running:
            self._ask_soon(max(INTERVAL, profile.seconds / SHARE if profile is not None else 0.0))

    def _say(self) -> None:
        profile, snapshot = self.profile, self.simulation.snapshot
        if profile is None or snapshot is None:
            return
        step = self.stages.total()
        work = profile.work
        padded = self._fields.padded
        self.summary.setText(
            tr(
                "A step takes {time_text}, {number} steps a second.  Contacts: {contacts}   Constraint "
                "rows: {rows}   Islands: {islands}   Solver iterations: {iterations}",
                time_text=padded("time", time_text(step)),
                number=padded("number", f"{1.0 / max(step, 1e-12):,.0f}"),
                contacts=padded("contacts", str(work.contacts)),
                rows=padded("rows", str(work.rows)),
                islands=padded("islands", str(work.islands)),
                iterations=padded("iterations", str(work.iterations)),
            ).replace(": ", ":\u00a0")
        )

    def _show_convergence(self, profile: Profile) -> None:
        found = profile.convergence
        x = np.arange(1, len(found.improvement) + 1)
        self.convergence.show_curves(x, [found.improvement, found.gradient])

    # ---- the solver over time ----------------------------------------------------------------------------

    def _take_model(self, _old: object, keep: bool) -> None:
        self._is_outdated = True
        if not keep:
            self.profile = None
            self._fields = Fields()
            self.stages.clear()
            self._rows = self._rows[:0]
            if self._is_ready:
                self._draw()
        if self._profiler is not None:
            self._profiler = type(self._profiler)()  # the one of before has the model of before
        self._renew()
        self._ask_soon(INTERVAL)

    def _renew(self) -> None:
        """Record with the present model, while somebody sees it."""
        if self._capture is not None:
            self.simulation.post(requests.StopRecording(self._capture.recorder))
            self._capture = None
        model = self.simulation.model
        if self.isVisible() and self._is_ready and model is not None:
            self._capture = run.capture.Capture(
                model, {name: run.expression.parse(model, text) for name, text in FIGURES.items()}
            )
            self.simulation.post(requests.Record(self._capture.recorder))

    def _follow(self) -> None:
        if self._capture is None or not self.isVisible():
            return
        rows = self._capture.read()
        if len(rows.times):
            newer = np.column_stack([rows.times, rows.values])
            if len(self._rows) and newer[0, 0] < self._rows[-1, 0]:  # a reset, or a step back
                self._rows = self._rows[:0]
            self._rows = np.concatenate([self._rows, newer])[-STEPS:]
            now = time.monotonic()
            if now - self._drawn > DRAW or not self.simulation.running:
                self._drawn = now
                self.workspace.idle_queue.ask(self._draw)
        if not self._asked:
            self._ask_soon(INTERVAL)

    def _draw(self) -> None:
        """Draw the curves of the solver, up to the newest step."""
        self.solver.show_curves(self._rows[:, 0], list(self._rows[:, 1:].T))


def _prepare() -> None:
    import pyqtgraph  # noqa: F401

    run.profiler.prepare()
    run.recorder.prepare()
