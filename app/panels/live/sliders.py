"""Lists of live values that can be changed: each row is a slider as wide as the list, with name and value on it.

Drag sideways to change a value, with Shift in finer steps. Left and Right, or Ctrl and the wheel, step it (Shift finer,
Ctrl coarser). Return, a digit or a double-click begins typing, arithmetic such as pi/2 too. A middle click, or Delete,
puts it back to where it rests. A drag that begins at the icon takes the quantity along, to be dropped on a plot.

What is set here is set for now: the running state changes, the text of the model does not.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen, QWheelEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionViewItem, QWidget

from kinetree.app.panels.live.model import Index, LiveModel
from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import NAME, UNIT, VALUE, LiveColumn, LiveRow, sort_key
from kinetree.app.panels.live.view import LiveView
from kinetree.app.settings import theme
from kinetree.app.settings.icons import draw_icon
from kinetree.app.widgets.line_delegate import LineDelegate
from kinetree.app.widgets.number_steps import FINE
from kinetree.app.widgets.numbers import DRAG, factor
from kinetree.app.widgets.readouts import number_text
from kinetree.app.widgets.style import set_property
from kinetree.app.workspace.units import Units
from kinetree.engine.editing.expression import InvalidExpression, evaluate
from kinetree.engine.translation import marked, tr

ICON = 22  # width of the place of the icon, pixels
GAP = 2  # around a slider, pixels
PAD = 7  # beside the texts on it, pixels
RADIUS = 4.0
STRIP = 2.0  # height of the bar at the bottom of a slider, pixels
MARK = (4.0, 5.0)  # width and height of the mark at the value, pixels
STEPS = 100  # steps of the keyboard from one end to the other


@dataclass(frozen=True, slots=True)
class SliderRow(LiveRow):
    """A value with a range. Without limits (`limited` false) `low` and `high` are the ends of the slider only.

    write  sets the value; None: it can only be seen
    rest   what a middle click sets
    mark   a sign before the value, such as that of the signal that drives it
    """

    low: float = -1.0
    high: float = 1.0
    limited: bool = False
    rest: float = 0.0
    write: Callable[[float], None] | None = None
    mark: Callable[[], str] | None = None

    def fraction(self, value: float) -> float:
        """Where a value is on the slider, from 0 to 1."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    def kept(self, value: float) -> float:
        """The value, or the limit that it exceeds."""
        return min(max(value, self.low), self.high) if self.limited else value

    def exceeds(self, value: float) -> bool:
        """Whether a value is beyond its limits, by more than a slider can show."""
        slack = 1e-3 * (self.high - self.low)
        return self.limited and not self.low - slack <= value <= self.high + slack

    def range_text(self, factor: float, unit: str) -> str:
        """The limits as text."""
        if not self.limited:
            return tr("No limits")
        return tr("{low:.6g} to {high:.6g} {unit}", low=self.low * factor, high=self.high * factor, unit=unit).rstrip()


SLIDER = LiveColumn(
    marked("Value"), lambda row, _value, _units: row.name, lambda _row, value: sort_key(value), is_live=True
)


class SliderDelegate(LineDelegate):
    """Paints a row with a range as a slider."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(120, option.fontMetrics.height() + 12)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = cast(LiveModel, index.model())
        row = model.row(index)
        if not isinstance(row, SliderRow):
            super().paint(painter, option, index)
            return
        colours, units = theme.current(), model.units
        value = model.value(row)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected:
            painter.fillRect(option.rect, QColor(colours.selection))
        sign = model.icon_of(row)
        if sign:
            side = min(16, option.rect.height() - 4)
            top = option.rect.top() + (option.rect.height() - side) // 2
            draw_icon(painter, QRect(option.rect.left() + 3, top, side, side), sign)
        area = track(option.rect)
        over = bool(option.state & QStyle.StateFlag.State_MouseOver) and row.write is not None
        painter.setPen(QPen(QColor(colours.accent if over else colours.line), 1))
        painter.setBrush(QColor(colours.surface))
        painter.drawRoundedRect(area.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        if isinstance(value, float) and math.isfinite(value):
            _paint_bar(painter, area, row, value)
        mark = row.mark() if row.mark is not None else ""
        inside = area.adjusted(PAD, 0, -PAD, 0)
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(QColor(colours.text))
        text = seen(row, value, units, option.fontMetrics, int(inside.width()))
        painter.drawText(inside, right, text)
        taken = option.fontMetrics.horizontalAdvance(text) + 8
        if mark:
            painter.setPen(QColor(colours.accent))
            painter.drawText(inside.adjusted(0, 0, -taken, 0), right, mark)
            taken += option.fontMetrics.horizontalAdvance(mark) + 6
        painter.setPen(QColor(colours.text if row.write is not None else colours.dim))
        name = option.fontMetrics.elidedText(row.name, Qt.TextElideMode.ElideMiddle, int(inside.width() - taken))
        painter.drawText(inside, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        painter.restore()

    # ---- typing ------------------------------------------------------------------------------------------

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        editor = QLineEdit(parent)
        editor.setObjectName("number-editor")
        editor.setAlignment(Qt.AlignmentFlag.AlignRight)
        editor.setAccessibleName(tr("Value of {data}", data=index.data()))
        editor.textEdited.connect(lambda: _mark_wrong(editor, ""))
        return editor

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        model, line = cast(LiveModel, index.model()), cast(QLineEdit, editor)
        row = model.row(index)
        if row is None or line.isModified():
            return
        value = model.value(row)
        line.setText("" if value is None else f"{value * model.units.factor(row.unit):.10g}")
        line.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        line, live = cast(QLineEdit, editor), cast(LiveModel, model)
        row = live.row(index)
        if isinstance(row, SliderRow) and row.write is not None and line.isModified():
            try:
                row.write(row.kept(self._typed(line, live, row)))
            except InvalidExpression:
                return  # the line was left, not confirmed

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: Index) -> None:
        area = track(option.rect).toRect()
        editor.setGeometry(area.adjusted(area.width() // 2, 0, 0, 0))

    def accepts(self, line: QLineEdit) -> bool:
        """Invalid input stays in the field, with the reason, instead of being lost at Return."""
        if line.isModified():
            try:
                evaluate(line.text(), 0.0)
            except InvalidExpression as error:
                _mark_wrong(line, str(error))
                return False
        return True

    def _typed(self, line: QLineEdit, live: LiveModel, row: SliderRow) -> float:
        factor, now = live.units.factor(row.unit), live.newest_value(row)
        return evaluate(line.text(), (now or 0.0) * factor) / factor


def seen(row: SliderRow, value: float | None, units: Units, metrics: QFontMetrics, room: int) -> str:
    """Visible text of a value and its unit: the end is left out if it does not fit."""
    if value is None:
        return ""
    text = f"{number_text(value * units.factor(row.unit))} {units.name(row.unit)}".rstrip()
    return metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)


def track(rect: QRect) -> QRectF:
    """Where the slider is in a row."""
    return QRectF(rect).adjusted(ICON, GAP, -GAP, -GAP)


def _mark_wrong(line: QLineEdit, reason: str) -> None:
    line.setToolTip(reason)
    set_property(line, "wrong", bool(reason))


def _paint_bar(painter: QPainter, area: QRectF, row: SliderRow, value: float) -> None:
    """Paint a bar from zero, or from the lower end, to the value: a strip at the bottom with a mark at the value, below
    the texts, so that nothing crosses a letter."""
    colours = theme.current()
    inside = area.adjusted(1.5, 1.5, -1.5, -1.5)
    at = inside.left() + row.fraction(value) * inside.width()
    zero = inside.left() + row.fraction(0.0) * inside.width()
    colour = QColor(colours.warning if row.exceeds(value) else colours.accent)
    fill = QColor(colour)
    fill.setAlpha(45)
    left, width = min(zero, at), abs(at - zero)
    painter.fillRect(QRectF(left, inside.top(), width, inside.height()), fill)
    painter.fillRect(QRectF(left, inside.bottom() - STRIP, width, STRIP), colour)
    left = min(max(at - 0.5 * MARK[0], inside.left()), inside.right() - MARK[0])
    painter.fillRect(QRectF(left, inside.bottom() - MARK[1], MARK[0], MARK[1]), colour)


class SliderView(LiveView):
    """A list of sliders."""

    def __init__(self, model: LiveModel, parent: QWidget | None = None):
        super().__init__(model, parent)
        self.setItemDelegateForColumn(0, SliderDelegate(self))
        model.can_edit = lambda row: isinstance(row, SliderRow) and row.write is not None
        model.line_columns = (NAME, VALUE, UNIT)
        self.header().hide()
        self.setMouseTracking(True)
        self._press: tuple[QPoint, SliderRow] | None = None
        self._value: float | None = None  # while it is dragged
        self._x = 0.0

    def slider_at(self, point: QPoint) -> SliderRow | None:
        """The row whose slider is at a place, beside its icon."""
        index = self.indexAt(point)
        row = self.live.row(index)
        inside = isinstance(row, SliderRow) and track(self.visualRect(index)).contains(point)
        return cast(SliderRow, row) if inside else None

    # ---- mouse -------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point, buttons = event.position().toPoint(), Qt.MouseButton
        row = self.slider_at(point)
        self._press = self._value = None
        if row is not None and row.write is not None:
            if event.button() == buttons.MiddleButton:
                row.write(row.kept(row.rest))
                event.accept()
                return
            if event.button() == buttons.LeftButton:
                self._press = point, row
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._press is None:
            over = self.slider_at(event.position().toPoint())
            can = over is not None and over.write is not None
            self.viewport().setCursor(Qt.CursorShape.SizeHorCursor if can else Qt.CursorShape.ArrowCursor)
            super().mouseMoveEvent(event)
            return
        point, row = self._press
        if not any(each is row for each in self.live.rows):  # another model has come
            self._press = self._value = None
            return
        x = event.position().x()
        if self._value is None:
            if abs(x - point.x()) < DRAG:
                return
            value = self.live.newest_value(row)
            if value is None:
                return
            self._value, self._x = float(value), point.x()
        width = max(1.0, track(self.visualRect(self.currentIndex())).width())
        fine = FINE if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1.0
        self._value += (x - self._x) * fine * (row.high - row.low) / width
        self._x = x
        assert row.write is not None
        row.write(row.kept(self._value))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._press = self._value = None
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._press = None
        index = self.indexAt(event.position().toPoint())
        if self.slider_at(event.position().toPoint()) is not None:
            self.type_value(index)
        else:
            super().mouseDoubleClickEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        row = self.slider_at(event.position().toPoint())
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier and row is not None:
            delta = event.angleDelta()
            self.step(row, (delta.y() or delta.x()) / 120, event.modifiers() & ~Qt.KeyboardModifier.ControlModifier)
            event.accept()
        else:
            super().wheelEvent(event)

    # ---- keyboard ----------------------------------------------------------------------------------------

    def step(self, row: SliderRow, count: float, modifiers: Any) -> None:
        """Change a value by so many steps."""
        value = self.live.newest_value(row)
        if value is not None and row.write is not None:
            row.write(row.kept(float(value) + count * factor(modifiers) * (row.high - row.low) / STEPS))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() == SliderView.State.EditingState:
            return  # what a line leaves over, such as Return
        keys, row = Qt.Key, self.live.row(self.currentIndex())
        if not isinstance(row, SliderRow) or row.write is None:
            super().keyPressEvent(event)
            return
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if event.key() in (keys.Key_Left, keys.Key_Right):
            self.step(row, 1 if event.key() == keys.Key_Right else -1, event.modifiers())
        elif event.key() in (keys.Key_Return, keys.Key_Enter, keys.Key_F2):
            self.type_value(self.currentIndex())
        elif event.key() in (keys.Key_Delete, keys.Key_Backspace):
            row.write(row.kept(row.rest))
        elif plain and event.text() and event.text() in "0123456789.-+(":
            self.type_value(self.currentIndex(), event.text())
        else:
            super().keyPressEvent(event)

    def type_value(self, index: QModelIndex, text: str = "") -> None:
        """Begin to type a value; `text` replaces the present one."""
        row = self.live.row(index)
        if not isinstance(row, SliderRow) or row.write is None:
            return
        if self.state() == SliderView.State.EditingState:
            self.setFocus(Qt.FocusReason.OtherFocusReason)  # ends the typing of another value
        self.edit(index, SliderView.EditTrigger.AllEditTriggers, QEvent(QEvent.Type.None_))
        line = self.viewport().findChild(QLineEdit)
        if line is not None and text:
            line.setText(text)
            line.setModified(True)


class SliderPanel(LivePanel):
    """A LivePanel whose rows are SliderRows."""

    columns = (SLIDER,)

    def make_view(self) -> SliderView:
        return SliderView(self.model, self)

    @property
    def sliders(self) -> SliderView:
        """The list."""
        return cast(SliderView, self.view)

    def reset_rows(self, rows: list[LiveRow]) -> None:
        """Put values back to where they rest."""
        for row in rows:
            if isinstance(row, SliderRow) and row.write is not None:
                row.write(row.kept(row.rest))
