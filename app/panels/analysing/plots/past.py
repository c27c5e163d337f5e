"""The past of plotted quantities: steps that the history keeps and that were not recorded are computed again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kinetree.app.workers.past import PastThread
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.engine import run
from kinetree.engine.run.series import Series
from kinetree.engine.run.timeline import RESET, Course
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.analysing.plots.recording import Quantity
    from kinetree.engine.run.past import PastRows


RETRY = 200
"""Time until the history is asked for again where it is still that of another model, ms."""


class PlottedPast(QObject):
    """Fills a Series with the past. Lives in the GUI thread; a thread computes. `filled()`: curves have more steps.

    is_computing  whether steps of the past are still to come
    """

    filled = Signal()

    _copied = Signal(int, object, object)
    _computed = Signal(object, object)
    _failed = Signal(str)

    def __init__(self, simulation: SimulationController, series: Series, parent: QObject, drain: Callable[[], None]):
        super().__init__(parent)
        self._simulation, self._series, self._drain = simulation, series, drain
        self._quantities: list[Quantity] = []
        self._widths: dict[Quantity, int] = {}
        self._thread: PastThread | None = None
        self._asked = 0  # counts requests: the answer to an older one is dropped
        self._last = 0  # the newest step of the history that is computed again
        self.is_computing = False
        self._copied.connect(self._begin)
        self._computed.connect(self._take)
        self._failed.connect(self._fail)

    @property
    def resets(self) -> list[int]:
        """The steps of the history at which a run ended."""
        snapshot = self._simulation.snapshot
        return [] if snapshot is None else _resets(snapshot.course)

    def ask(self, quantities: list[Quantity]) -> None:
        """Compute the steps that the history keeps, and some of these quantities lack."""
        self.stop()
        self._quantities = [each for each in quantities if each.expression is not None and not each.needs_other]
        if self._quantities:
            number, copied = self._asked, self._copied
            self.is_computing = True
            self._simulation.post(requests.CopyHistory(lambda model, history: copied.emit(number, model, history)))

    def stop(self) -> None:
        """Compute no more."""
        self._asked += 1
        self._widths = {}
        self.is_computing = False
        if self._thread is not None:
            self._thread.stop()
            self._thread = None

    def note_steps(self, first: int) -> None:
        """Steps from a number on were recorded. Where the history was sought and goes on from there, the steps that are
        computed are those of another course: ask again."""
        if self._thread is not None and 0 <= first <= self._last:
            self.ask(self._quantities)

    @Slot(int, object, object)
    def _begin(self, number: int, model: Any, history: Any) -> None:
        if number != self._asked:
            return
        if model is None:
            self._end()
            return
        shown = self._simulation.model
        if shown is None or model.structure != shown.structure:
            QTimer.singleShot(RETRY, self, partial(self._ask_again, number))  # the next version waits for its kernels
            return
        self._drain()  # the steps up to the copy
        past = run.past.PastSteps(model, history)
        self._last = past.last
        wanted = self._series.missing(self._quantities, past.first + 1, past.last)
        known = {each: each.expression for each in self._quantities if each.expression is not None}
        self._widths = {each: expression.width for each, expression in known.items()}
        if not wanted or self._series.is_full:
            self._end()
            return
        self._thread = PastThread(past, known, wanted, self._computed.emit, self._failed.emit)
        self._simulation.threads.start(self._thread)

    def _ask_again(self, number: int) -> None:
        if number == self._asked:
            self.ask(self._quantities)

    @Slot(object, object)
    def _take(self, thread: PastThread, rows: PastRows | None) -> None:
        if thread is not self._thread:
            return
        if rows is None or self._series.is_full:
            self.stop()
            self._end()
            return
        widths = {each: width for each, width in self._widths.items() if each.users}
        if widths == self._widths:
            self._series.fill(widths, rows.times, rows.steps, rows.values, self.resets)
        thread.taken()
        self.filled.emit()

    def _end(self) -> None:
        self.is_computing = False
        self.filled.emit()

    @Slot(str)
    def _fail(self, details: str) -> None:
        self.stop()
        self._simulation.failed.emit(
            tr("The past of the plots could not be computed: this is a mistake in Kinetree, please report it."), details
        )


def _resets(course: Course) -> list[int]:
    return [mark.step for mark in course.marks if mark.kind == RESET]
