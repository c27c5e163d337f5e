"""When the plots of a panel are drawn: as often as the GUI thread can afford, one plot in each turn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    from kinetree.app.panels.analysing.plots.panel import PlotsPanel
    from kinetree.app.panels.analysing.plots.plot import Plot

FRAME = 0.015  # least time between two frames, s
LONGEST = 0.25  # most time between two frames because the GUI thread is busy with other work, s
SHARE = 0.4  # part of the GUI thread's time that drawing may take


class PlotFrames(QObject):
    """Draws the frames of one panel of plots.

    timer    runs until the next frame is due
    waiting  the plots of this frame that are drawn next, one in each turn
    """

    def __init__(self, panel: PlotsPanel):
        super().__init__(panel)
        self._panel = panel
        self.waiting: list[Plot] = []
        self._drawn = 0.0  # when the last frame was done
        self._cost = 0.0  # what a frame takes before it is painted, s
        self._due = 0.0  # when the next frame should be drawn, 0: nobody said
        self._late = 0.0  # how late the last one was, because the GUI thread had other work, s
        self._drawn_end = -1.0  # the simulated time up to which the last frame shows steps, -1: draw again
        self._frame_cost = 0.0
        self._shown_times: tuple[float, float] | None = None  # of this frame; None: those of each plot
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.timeout.connect(self.begin_frame)

    def outdate(self) -> None:
        """Draw the next frame even if no step was added, as the plots show something else."""
        self._drawn_end = -1.0

    def soon(self) -> None:
        """Draw when the next frame is due; frames that take long are drawn less often."""
        if self._panel.in_view and not self.timer.isActive() and not self.waiting:
            now = time.monotonic()
            cost = self._cost + sum(plot.canvas.paint_time for plot in self._panel.plots)
            rest = max(0.0, self._drawn + max(FRAME, cost / SHARE, min(2.0 * self._late, LONGEST)) - now)
            self._due = now + rest
            self.timer.start(int(1000 * rest))

    def now(self) -> None:
        """Draw the newest steps in all plots now."""
        self._prepare()
        while self.waiting:
            self._draw_next()

    def begin_frame(self) -> None:
        """Draw the newest steps in one plot after the other, so that the window answers in between."""
        self._prepare()
        if self.waiting:
            self._panel.workspace.idle_queue.ask(self.draw_in_turn)

    def draw_in_turn(self) -> None:
        self._draw_next()
        if self.waiting:
            self._panel.workspace.idle_queue.ask(self.draw_in_turn)
        elif self._panel.recording.series.end != self._drawn_end:
            self.soon()  # steps that have come meanwhile

    def _prepare(self) -> None:
        """Find out what is to be drawn; nothing where nothing would be seen to move."""
        self.waiting = []
        if not self._panel.in_view:
            return
        series, now = self._panel.recording.series, time.monotonic()
        self._late = max(0.0, now - self._due) if self._due else 0.0
        self._due, self._shown_times = 0.0, None
        if self._panel.following:
            self._shown_times = start, end = self._times()
            pixel = (end - start) / max(200, self._panel.width())
            if 0.0 <= self._drawn_end <= series.end < self._drawn_end + 0.5 * pixel:
                return
        elif self._drawn_end >= 0.0:
            return  # nothing moves while it stands still
        self._drawn_end = series.end
        self.waiting = list(self._panel.plots)
        self._frame_cost = 0.0

    def _draw_next(self) -> None:
        """Draw the next plot of this frame."""
        self.waiting = [plot for plot in self.waiting if plot in self._panel.plots]
        if not self.waiting:
            return
        if not self._panel.in_view:
            self.waiting, self._drawn_end = [], -1.0  # the others when it is seen again
            return
        begun, plot = time.monotonic(), self.waiting.pop(0)
        if self._panel.following and self._shown_times is not None:
            plot.canvas.set_times(*self._shown_times)
        plot.refresh()
        self._drawn = time.monotonic()
        self._frame_cost += self._drawn - begun
        if not self.waiting:
            self._cost = 0.7 * self._cost + 0.3 * self._frame_cost
            self._panel.say_lost()

    def _times(self) -> tuple[float, float]:
        """The simulated times in view while following."""
        series = self._panel.recording.series
        lines = series.timelines()
        first = lines[-1][0].start if lines else 0.0
        if self._panel.span == 0.0:
            return first, max(series.end, first + 1e-3)
        start = max(first, series.end - self._panel.span)
        return start, start + self._panel.span
