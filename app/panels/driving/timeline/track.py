"""The track of the timeline: the recorded steps from left to right, with marks, and a handle at the one that is shown.

The horizontal axis is simulated time since the history began, which goes on through resets; the labels are simulation
time, which a reset sets back. Drag to scrub; the wheel zooms, with Shift it moves what is in view. Shift and a drag
select a span, whose ends can be dragged then.
"""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QContextMenuEvent,
    QFont,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip, QWidget

from kinetree.app.settings import theme
from kinetree.app.widgets.readouts import time_text
from kinetree.engine.run.timeline import CONTACT, EDIT, KINDS, RESET, Course, Mark
from kinetree.engine.translation import tr

SPAN = 20.0  # time in view at first, s
LEAST_SPAN = 0.02
SIDE = 8  # room beside the ends, pixels
SNAP = 4  # a click this near to a mark goes to it, pixels
GROOVE = 8.0  # height of the groove, pixels
LABEL_ROOM = 90  # between labels at least, pixels
COLOURS = {EDIT: "info", RESET: "warning", CONTACT: "dim"}
"""Kind of mark -> the theme's colour."""


class Track(QAbstractSlider):
    """Slider of the timeline. Its value is the step that is shown, its range the recorded steps.

    kinds  of marks that are shown
    stays  whether what comes after the shown step stays when the run goes on: a motion that is played
    span   time in view, s
    selected  the first and the last step of the span that the user selected, None without

    Signals: `wanted(step or Mark)`: the user goes to a moment; `selection_changed()`; `menu_wanted(QPoint)`.
    """

    wanted = Signal(object)
    selection_changed = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.course = Course()
        self.kinds: set[str] = set(KINDS)
        self.span = SPAN
        self.step_size = 10
        self.time_step = 0.0  # of the simulation, s
        self.stays = False
        self._left: float | None = None  # elapsed time at the left edge; None: the newest step is at the right one
        self._held = False
        self.selected: tuple[int, int] | None = None
        self._anchor: int | None = None  # the end of the span that stays while the other one is dragged
        self._is_dragged = False
        self.setOrientation(Qt.Orientation.Horizontal)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Timeline"))
        self.setAccessibleDescription(tr("The recorded steps of the simulation. Left and Right go to the steps beside"))

    def sizeHint(self) -> QSize:
        return QSize(400, round(GROOVE) + 14 + self._label_font_height())

    def minimumSizeHint(self) -> QSize:
        return QSize(80, self.sizeHint().height())

    def _label_font(self) -> QFont:
        font = QFont(self.font())
        font.setPointSizeF(max(7.0, font.pointSizeF() * 0.82))
        return font

    def _label_font_height(self) -> int:
        from PySide6.QtGui import QFontMetrics

        return QFontMetrics(self._label_font()).height()

    # ---- what is shown -----------------------------------------------------------------------------------

    def show_history(self, course: Course, first: int, step: int, last: int) -> None:
        """Set the range of recorded steps, `first` to `last`, and the step that is shown."""
        if (course, first, step, last) == (self.course, self.minimum(), self.value(), self.maximum()):
            return
        if last < self.maximum() and step == last:
            self._left = None
        self.course = course
        if self.selected is not None:  # steps that the history has forgotten are selected no more
            begin, end = max(self.selected[0], first), min(self.selected[1], last)
            self.select(begin, max(begin, end))
        self.blockSignals(True)
        self.setRange(first, last)
        self.setValue(step)
        self.blockSignals(False)
        if step == last and not self._held:
            self._left = None
        else:
            self._keep_in_view(course.elapsed(step))
        self.update()

    def select(self, first: int, last: int) -> None:
        """Select a span by its ends, in any order; nothing where they are one step."""
        span = (min(first, last), max(first, last)) if first != last else None
        if span != self.selected:
            self.selected = span
            self.selection_changed.emit()
            self.update()

    def clear(self) -> None:
        """Select nothing."""
        self.select(0, 0)

    def select_view(self) -> None:
        """Select the steps in view."""
        begin = self._begin()
        ends = (self.course.step_at(begin), self.course.step_at(begin + self.span))
        first, last = (min(max(each, self.minimum()), self.maximum()) for each in ends)
        self.select(first, last)

    def show_whole(self, stays: bool) -> None:
        """Start with another history: all of it in view if it `stays`, else the initial range."""
        self.stays = stays
        self._left = None
        duration = self.course.elapsed(self.maximum()) - self.course.elapsed(self.minimum())
        self.span = max(LEAST_SPAN, duration) if stays else SPAN
        self.update()

    def show_kinds(self, kinds: set[str]) -> None:
        """Show marks of these kinds."""
        self.kinds = kinds
        self.update()

    def _begin(self) -> float:
        """Elapsed time at the left edge, s."""
        if self._left is not None:
            return self._left
        end, oldest = self.course.elapsed(self.maximum()), self.course.elapsed(self.minimum())
        return max(oldest, end - self.span)

    def _keep_in_view(self, elapsed: float) -> None:
        begin = self._begin()
        if elapsed < begin:
            self._left = elapsed
        elif elapsed > begin + self.span:
            self._left = elapsed - self.span
        else:
            self._left = begin

    def _x(self, elapsed: float) -> float:
        return SIDE + (elapsed - self._begin()) / self.span * (self.width() - 2 * SIDE)

    def _elapsed(self, x: float) -> float:
        return self._begin() + (x - SIDE) / (self.width() - 2 * SIDE) * self.span

    def _step(self, x: float) -> int:
        return min(max(self.course.step_at(self._elapsed(x)), self.minimum()), self.maximum())

    def _mark_near(self, x: float) -> Mark | None:
        """The mark under the mouse: resets and edits before contacts."""
        near = [
            (mark.kind == CONTACT, abs(self._x(self.course.elapsed(mark.step)) - x), mark)
            for mark in self.course.marks
            if mark.kind in self.kinds and self.minimum() <= mark.step <= self.maximum()
        ]
        near = [each for each in near if each[1] <= SNAP]
        return min(near)[2] if near else None

    def zoom(self, factor: float, x: float | None = None) -> None:
        """Show so many times as much time, around a place or the step that is shown."""
        at = self.course.elapsed(self.value()) if x is None else self._elapsed(x)
        share = (at - self._begin()) / self.span
        whole = max(self.course.elapsed(self.maximum()) - self.course.elapsed(self.minimum()), SPAN)
        self.span = min(max(self.span * factor, LEAST_SPAN), whole)
        if self._left is not None:
            self._left = at - share * self.span
        self.update()

    # ---- painting ----------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        colours = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = 7.0
        first, now, last = (
            self._x(self.course.elapsed(step)) for step in (self.minimum(), self.value(), self.maximum())
        )
        left, right = max(first, SIDE), min(last, float(self.width() - SIDE))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.base))
        painter.drawRoundedRect(QRectF(SIDE, top, self.width() - 2 * SIDE, GROOVE), 3, 3)
        if right > left:
            painter.setBrush(QColor(colours.selection))
            painter.drawRoundedRect(QRectF(left, top, right - left, GROOVE), 3, 3)
        is_past = self.value() < self.maximum() and not self.stays
        if is_past and right > now:
            # Steps after the shown one: running from here replaces them.
            painter.setBrush(QColor(colours.base))
            painter.drawRect(QRectF(max(now, left), top, right - max(now, left), GROOVE))
            painter.setBrush(QBrush(QColor(colours.dim), Qt.BrushStyle.BDiagPattern))
            painter.drawRect(QRectF(max(now, left), top, right - max(now, left), GROOVE))
        self._paint_labels(painter, top, left, right)
        self._paint_span(painter, top)
        self._paint_marks(painter, top)
        if self.maximum() > self.minimum():
            self._paint_handle(painter, now, top, colours.warning if is_past else colours.accent)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(QColor(colours.accent), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _paint_span(self, painter: QPainter, top: float) -> None:
        """Paint a frame around the selected span, with a bracket at each end."""
        if self.selected is None:
            return
        first, last = (self._x(self.course.elapsed(step)) for step in self.selected)
        low, high = max(first, 0.0), min(last, float(self.width()))
        if high < low:
            return
        colour = QColor(theme.current().accent)
        fill = QColor(colour)
        fill.setAlpha(70)
        painter.fillRect(QRectF(low, top - 4, high - low, GROOVE + 8), fill)
        painter.setPen(QPen(colour, 2))
        for x, by in ((first, 4.0), (last, -4.0)):
            if 0.0 <= x <= self.width():
                painter.drawPolyline(
                    [QPointF(x + by, top - 4), QPointF(x, top - 4), QPointF(x, top + GROOVE + 4),
                     QPointF(x + by, top + GROOVE + 4)]
                )  # fmt: skip

    def _paint_handle(self, painter: QPainter, x: float, top: float, colour: str) -> None:
        x = min(max(x, SIDE), self.width() - SIDE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colour))
        painter.drawRoundedRect(QRectF(x - 2, top - 4, 4, GROOVE + 8), 2, 2)

    def _paint_marks(self, painter: QPainter, top: float) -> None:
        colours, course = theme.current(), self.course
        begin, scale = self._begin(), (self.width() - 2 * SIDE) / self.span
        low = max(course.elapsed(self.minimum()), begin)
        high = min(course.elapsed(self.maximum()), begin + self.span)
        for kind in sorted(self.kinds, key=lambda kind: kind != CONTACT):
            moments = course.moments[kind]
            moments = moments[np.searchsorted(moments, low) : np.searchsorted(moments, high, "right")]
            found = np.unique(np.rint(SIDE + (moments - begin) * scale)).tolist()
            if not found:
                continue
            colour, inset = QColor(getattr(colours, COLOURS[kind])), 2 if kind == CONTACT else 0
            painter.setPen(QPen(colour, 1 if kind == CONTACT else 1.5))
            painter.drawLines([QLineF(x, top + inset, x, top + GROOVE - inset) for x in found])
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour)
            if kind == RESET:
                painter.drawRects([QRectF(x - 2.5, 0.5, 5, 5) for x in found])
            elif kind != CONTACT:
                for x in found:
                    painter.drawPolygon(QPolygonF([QPointF(x - 3.5, 0), QPointF(x + 3.5, 0), QPointF(x, 6)]))

    def _paint_labels(self, painter: QPainter, top: float, left: float, right: float) -> None:
        """Paint labels at round simulation times."""
        font = self._label_font()
        painter.setFont(font)
        width = self.width() - 2 * SIDE
        if not self.course.segments or width <= 0:
            return
        every = _round_up(self.span * LABEL_ROOM / width)
        colour, free = QColor(theme.current().dim), -math.inf
        segments = self.course.segments
        begin, end = self._elapsed(left), self._elapsed(right)
        for place, segment in enumerate(segments):
            stop = segments[place + 1].elapsed if place + 1 < len(segments) else end
            low, high = max(segment.elapsed, begin), min(stop, end)
            if high < low:
                continue
            offset = segment.time - segment.elapsed
            number = math.ceil((low + offset) / every - 1e-9)
            while number * every <= high + offset + 1e-9:
                x = self._x(number * every - offset)
                text = f"{number * every:.10g} s"
                room = painter.fontMetrics().horizontalAdvance(text)
                x_text = min(max(x - room / 2, 0.0), self.width() - room)
                if x_text > free:
                    painter.setPen(QPen(colour, 1))
                    painter.drawLine(QPointF(x, top + GROOVE), QPointF(x, top + GROOVE + 3))
                    painter.drawText(QPointF(x_text, self.height() - painter.fontMetrics().descent() - 1), text)
                    free = x_text + room + 8
                number += 1

    # ---- the user ----------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            text = self.tip(event.pos().x())
            if text:
                QToolTip.showText(event.globalPos(), text, self)
            return True
        return super().event(event)

    def tip(self, x: float) -> str:
        """Tooltip at a position."""
        if self.maximum() <= self.minimum():
            return tr("The simulation is recorded here: drag to go back to any step, with Shift to select a span")
        if self.selected is not None and self._end_near(x) is not None:
            begin, end = (self.course.elapsed(each) for each in self.selected)
            return tr("Selected: {time}. Drag an end to change it", time=time_text(end - begin, self.time_step))
        mark = self._mark_near(x)
        step = self._step(x) if mark is None else mark.step
        ago = self.course.elapsed(self.maximum()) - self.course.elapsed(step)
        time, ago = (time_text(each, self.time_step) for each in (self.course.time(step), ago))
        text = tr("{time}, {ago} before the newest step", time=time, ago=ago)
        if mark is None:
            return text
        origin = self.course.origin(mark.step).name if mark.kind == RESET else ""
        what = tr("Keyframe {name} loaded", name=origin) if origin else tr(KINDS[mark.kind])
        return f"{what}\n{text}"

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self.maximum() <= self.minimum():
            event.ignore()
            return
        self._held = True
        self._left = self._begin()  # what is in view stands still while the mouse is held
        end, is_new = self._end_near(event.position().x()), event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        if is_new or (end is not None and self.selected is not None):
            self._anchor = self._step(event.position().x())
            if self.selected is not None and end is not None and not is_new:
                self._anchor = self.selected[1 - end]
            self._is_dragged = False
            return
        mark = self._mark_near(event.position().x())
        self.wanted.emit(mark if mark is not None else self._step(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._anchor is not None:
            self._is_dragged = True
            self.select(self._anchor, self._step(event.position().x()))
        elif self._held:
            self.wanted.emit(self._step(event.position().x()))
        else:
            near = self._end_near(event.position().x()) is not None
            self.setCursor(Qt.CursorShape.SizeHorCursor if near else Qt.CursorShape.ArrowCursor)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._held = False
        anchor, self._anchor = self._anchor, None
        if anchor is not None and not self._is_dragged and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.clear()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(event.globalPos())

    def _end_near(self, x: float) -> int | None:
        """The end of the selected span under the mouse: 0 the first, 1 the last; None: neither."""
        if self.selected is None:
            return None
        near = [(abs(self._x(self.course.elapsed(step)) - x), end) for end, step in enumerate(self.selected)]
        distance, end = min(near)
        return end if distance <= SNAP + 1 else None

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier or abs(turn.x()) > abs(turn.y()):
            by = -(turn.x() or turn.y()) / 120 * 0.1 * self.span
            end, oldest = self.course.elapsed(self.maximum()), self.course.elapsed(self.minimum())
            left = min(max(self._begin() + by, oldest), max(oldest, end - self.span))
            self._left = None if left >= end - self.span and self.value() == self.maximum() else left
            self.update()
        else:
            self.zoom(1.25 ** (-turn.y() / 120), event.position().x())
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = Qt.Key
        by = self.step_size if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1
        now = self.value()
        course, kinds = self.course, tuple(self.kinds)
        goals = {
            keys.Key_Left: lambda: now - by,
            keys.Key_Right: lambda: now + by,
            keys.Key_Home: self.minimum,
            keys.Key_End: self.maximum,
            keys.Key_PageUp: lambda: course.mark_before(now, kinds),
            keys.Key_PageDown: lambda: course.mark_after(now, kinds),
        }
        find = goals.get(keys(event.key()))
        if find is None:
            if event.key() in (keys.Key_I, keys.Key_O):
                self._select_from_or_to(event.key() == keys.Key_I)
            elif event.key() == keys.Key_Delete and self.selected is not None:
                self.clear()
            elif event.key() in (keys.Key_Plus, keys.Key_Equal, keys.Key_Minus):
                self.zoom(1.25 if event.key() == keys.Key_Minus else 0.8)
            else:
                event.ignore()
            return
        goal = find()
        if isinstance(goal, int):
            goal = min(max(goal, self.minimum()), self.maximum())
        if goal is not None and goal != now:
            self.wanted.emit(goal)

    def _select_from_or_to(self, is_first: bool) -> None:
        """Let the selected span begin, or end, at the step that is shown."""
        first, last = self.selected or (self.minimum(), self.maximum())
        now = self.value()
        if is_first:
            self.select(now, last if last > now else self.maximum())
        else:
            self.select(first if first < now else self.minimum(), now)


def _round_up(value: float) -> float:
    """The next 1, 2 or 5 times a power of ten."""
    if not value > 0.0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(value))
    return next(each * power for each in (1, 2, 5, 10) if each * power >= value * (1 - 1e-9))
