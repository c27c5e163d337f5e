"""A table of named values with sliders: a row shows a value in its range, and is dragged or typed to change it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QPersistentModelIndex,
    QRect,
    QRectF,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDoubleSpinBox,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from app.panels.empty import paint_empty
from app.settings import theme
from app.workspace.selection import Selection

Index = QModelIndex | QPersistentModelIndex
Roles = Qt.ItemDataRole
LEFT, RIGHT = 3, 5  # space beside a slider, pixels


@dataclass(frozen=True, slots=True)
class Row:
    """A value: `count` numbers from `address` on in an array of the snapshot.

    Without limits (`limited` false), `low` and `high` are the ends of the slider only.
    """

    name: str
    selection: Selection
    address: int
    count: int
    low: float
    high: float
    limited: bool
    unit: str

    @property
    def has_slider(self) -> bool:
        return self.count == 1

    def fraction(self, value: float) -> float:
        """Where a value is on the slider, from 0 to 1."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    def value_at(self, fraction: float) -> float:
        """The value at a place of the slider, from 0 to 1."""
        return self.low + min(max(fraction, 0.0), 1.0) * (self.high - self.low)


class ValueModel(QAbstractTableModel):
    """Names in the first column, values in the second. `values` is the array of the snapshot, None without one."""

    def __init__(self, parent=None):
        super().__init__(parent)
        self.rows: list[Row] = []
        self.values = None

    def set_rows(self, rows: list[Row]) -> None:
        self.beginResetModel()
        self.rows, self.values = rows, None
        self.endResetModel()

    def set_values(self, values) -> None:
        self.values = values
        if self.rows:
            self.dataChanged.emit(self.index(0, 1), self.index(len(self.rows) - 1, 1), [Roles.DisplayRole])

    def value(self, row: int) -> float | None:
        if self.values is None:
            return None
        address = self.rows[row].address
        return float(self.values[address]) if address < len(self.values) else None

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 2

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if index.column() == 1 and self.rows[index.row()].has_slider:
            flags |= Qt.ItemFlag.ItemIsEditable
        return flags

    def data(self, index: Index, role: int = Roles.DisplayRole):
        row = self.rows[index.row()]
        if role == Roles.DisplayRole:
            if index.column() == 0:
                return row.name
            if self.values is None:
                return ""
            part = self.values[row.address : row.address + row.count]
            return " ".join(f"{value:.3f}" for value in part)
        if role == Roles.EditRole and index.column() == 1:
            return self.value(index.row())
        if role == Roles.ToolTipRole:
            if not row.has_slider:
                return row.name
            limits = f"{row.low:g} … {row.high:g}" if row.limited else "no limits"
            return f"{row.name}: {limits} {row.unit}\nDrag to change, double-click to type, middle-click for 0"
        return None


class SliderDelegate(QStyledItemDelegate):
    """Paints a value as a slider and a number, and changes it with the mouse. `changed(row, value)`."""

    changed = Signal(int, float)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = cast(ValueModel, index.model())
        row, colours = model.rows[index.row()], theme.current()
        label = QRectF(option.rect).adjusted(LEFT, 0, -RIGHT, 0)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.has_slider:
            area = slider_area(option.rect, option.fontMetrics)
            label.setLeft(area.right())
            _paint_slider(painter, area, row, model.value(index.row()))
        painter.setPen(QColor(colours.text if row.has_slider else colours.dim))
        side = Qt.AlignmentFlag.AlignRight if row.has_slider else Qt.AlignmentFlag.AlignLeft
        text = option.fontMetrics.elidedText(index.data() or "", Qt.TextElideMode.ElideRight, int(label.width()))
        painter.drawText(label, side | Qt.AlignmentFlag.AlignVCenter, text)
        painter.restore()

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        row = cast(ValueModel, model).rows[index.row()]
        kinds, buttons = QEvent.Type, Qt.MouseButton
        pressed = event.type() == kinds.MouseButtonPress
        if row.has_slider and isinstance(event, QMouseEvent) and (pressed or event.type() == kinds.MouseMove):
            if pressed and event.button() == buttons.MiddleButton:
                self.changed.emit(index.row(), min(max(0.0, row.low), row.high))
                return True
            if event.buttons() & buttons.LeftButton:
                self.drag(index, option.rect, option.fontMetrics, event.position().x())
                return True
            return False
        return super().editorEvent(event, model, option, index)

    def drag(self, index: Index, rect: QRect, metrics: QFontMetrics, x: float) -> None:
        """Change a value to what is at a horizontal position of its slider."""
        row = cast(ValueModel, index.model()).rows[index.row()]
        area = slider_area(rect, metrics)
        if row.has_slider:
            fraction = (x - area.left()) / max(1.0, area.width())
            self.changed.emit(index.row(), row.value_at(fraction))

    def createEditor(self, parent: QWidget, option: QStyleOptionViewItem, index: Index) -> QWidget:
        row = cast(ValueModel, index.model()).rows[index.row()]
        box = QDoubleSpinBox(parent)
        box.setDecimals(4)
        box.setFrame(False)
        box.setRange(*((row.low, row.high) if row.limited else (-1e9, 1e9)))
        box.setSingleStep((row.high - row.low) / 50)
        return box

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        box = cast(QDoubleSpinBox, editor)
        box.setValue(cast(ValueModel, index.model()).value(index.row()) or 0.0)
        box.selectAll()

    def setModelData(self, editor: QWidget, model: QAbstractItemModel, index: Index) -> None:
        self.changed.emit(index.row(), cast(QDoubleSpinBox, editor).value())


def slider_area(rect: QRect, metrics: QFontMetrics) -> QRectF:
    """Where the slider is in a cell; the number is right of it."""
    number = metrics.horizontalAdvance("-00.000") + 6
    return QRectF(rect).adjusted(LEFT, 4, -RIGHT - number, -4)


def _paint_slider(painter: QPainter, area: QRectF, row: Row, value: float | None) -> None:
    """The range as a frame, the value as a mark, and a bar from zero to it."""
    colours = theme.current()
    painter.setPen(QPen(QColor(colours.line), 1))
    painter.setBrush(QColor(colours.surface))
    painter.drawRoundedRect(area, 3, 3)
    if value is None or not math.isfinite(value):
        return
    inside = area.adjusted(0, 1, 0, -1)
    at = inside.left() + row.fraction(value) * inside.width()
    zero = inside.left() + row.fraction(0.0) * inside.width()
    fill = QColor(colours.accent)
    fill.setAlpha(120)
    painter.fillRect(QRectF(min(zero, at), inside.top(), abs(at - zero), inside.height()), fill)
    painter.fillRect(QRectF(at - 1, inside.top(), 2, inside.height()), QColor(colours.accent))


class _SliderView(QTableView):
    """Keeps a drag on the slider where it began. Shows the text `empty` where there are no rows."""

    def __init__(self, model: ValueModel, delegate: SliderDelegate, parent: QWidget):
        super().__init__(parent)
        self.empty = ""
        self._delegate = delegate
        self.setModel(model)
        self.setItemDelegateForColumn(1, delegate)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.empty and not self.model().rowCount():
            paint_empty(self, self.empty)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        index = self.currentIndex()
        if event.buttons() & Qt.MouseButton.LeftButton and index.isValid() and index.column() == 1:
            self._delegate.drag(index, self.visualRect(index), self.fontMetrics(), event.position().x())
        else:
            super().mouseMoveEvent(event)


class SliderTable(QWidget):
    """A table of rows. `changed(Row, value)`, `picked(Selection)`."""

    changed = Signal(object, float)
    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.model = ValueModel(self)
        delegate = SliderDelegate(self)
        self.view = _SliderView(self.model, delegate, self)
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 9)
        self.view.horizontalHeader().hide()
        self.view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        delegate.changed.connect(lambda row, value: self.changed.emit(self.model.rows[row], value))
        self.view.clicked.connect(lambda index: self.picked.emit(self.model.rows[index.row()].selection))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)
