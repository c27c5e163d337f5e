"""Marks behind the curves of a plot: events, the ends of earlier runs, and the times before the data begins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from kinetree.app.settings import theme
from kinetree.engine.run.series import Event
from kinetree.engine.translation import tr

EVENT_COLOURS = {
    "motion": "info", "seek": "info", "edit": "accent", "contact": "dim", "limit": "warning", "lost": "error",
}  # fmt: skip
UNKNOWN_ALPHA = 26
"""Of the part without data."""
TEXT_SPACE = 5  # pixels


@dataclass(frozen=True)
class RunEnd:
    """The end of an earlier run, at which the simulation was reset. number: of the run, from 1."""

    number: int
    time: float


class Marks(pg.GraphicsObject):
    """Vertical lines at the times of events, one named ruler for each earlier run, and a shade where no data is kept.

    The shade goes up to `begin`; `late` are the times and colours of curves whose data begins later.
    """

    def __init__(self, box: pg.ViewBox):
        super().__init__()
        self._box = box
        self.events: Sequence[Event] = ()
        self.ends: Sequence[RunEnd] = ()
        self.begin: float | None = None
        self.is_computing = False
        self.late: Sequence[tuple[float, str]] = ()
        self.setZValue(-10)

    def show_marks(
        self,
        events: Sequence[Event],
        ends: Sequence[RunEnd],
        begin: float | None,
        late: Sequence[tuple[float, str]],
        is_computing: bool,
    ) -> None:
        found = events, ends, begin, late, is_computing
        if found != (self.events, self.ends, self.begin, self.late, self.is_computing):
            self.events, self.ends, self.begin, self.late, self.is_computing = found
            self.update()

    @property
    def note(self) -> str:
        """The text in the shade."""
        return tr("Computing the past…") if self.is_computing else tr("Not kept before")

    def viewRangeChanged(self) -> None:
        self.prepareGeometryChange()

    def boundingRect(self) -> QRectF:
        return QRectF(self._box.viewRect())

    def paint(self, painter: QPainter, *_) -> None:
        rect, colours = self._box.viewRect(), theme.current()
        if self.begin is not None and self.begin > rect.left():
            shade = QColor(colours.dim)
            shade.setAlpha(UNKNOWN_ALPHA)
            painter.fillRect(QRectF(rect.left(), rect.top(), self.begin - rect.left(), rect.height()), shade)
            self._line(painter, rect, self.begin, colours.dim, Qt.PenStyle.SolidLine)
        for time, colour in self.late:
            self._line(painter, rect, time, colour, Qt.PenStyle.DotLine)
        for event in self.events:
            colour = QColor(getattr(colours, EVENT_COLOURS[event.kind]))
            colour.setAlpha(150)
            self._line(painter, rect, event.time, colour, Qt.PenStyle.DashLine)
        for end in self.ends:
            self._line(painter, rect, end.time, colours.error, Qt.PenStyle.DashLine)
        self._write(painter, rect)

    def _line(self, painter: QPainter, rect: QRectF, time: float, colour: QColor | str, style: Qt.PenStyle) -> None:
        painter.setPen(QPen(QColor(colour), 0, style))
        painter.drawLine(QPointF(time, rect.top()), QPointF(time, rect.bottom()))

    def _write(self, painter: QPainter, rect: QRectF) -> None:
        """Write the names of the runs and of the shade, in pixels."""
        view = self.getViewBox()
        if view is None or not rect.width():
            return
        colours, scale = theme.current(), view.width() / rect.width()
        transform = painter.transform()
        painter.save()
        painter.resetTransform()
        metrics = painter.fontMetrics()
        top = transform.map(QPointF(rect.left(), rect.bottom())).y()
        taken = transform.map(QPointF(rect.left(), 0.0)).x()  # up to where another name, or the edge, is
        painter.setPen(QColor(colours.error))
        for end in sorted(self.ends, key=lambda each: each.time):
            text = tr("Run {number}", number=end.number)
            width = metrics.horizontalAdvance(text)
            right = transform.map(QPointF(end.time, 0.0)).x() - TEXT_SPACE
            if right - width > taken:
                painter.drawText(QPointF(right - width, top + metrics.ascent() + 2), text)
                taken = right
        if self.begin is not None and (self.begin - rect.left()) * scale > (
            metrics.horizontalAdvance(self.note) + 2 * TEXT_SPACE
        ):
            painter.setPen(QColor(colours.dim))
            right = transform.map(QPointF(self.begin, 0.0)).x() - TEXT_SPACE
            painter.drawText(
                QPointF(right - metrics.horizontalAdvance(self.note), top + 2 * metrics.height()), self.note
            )
        painter.restore()
