"""The panel of controls and joints: a slider for each, which shows the value in its range."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPen, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDoubleSpinBox,
    QHeaderView,
    QStyledItemDelegate,
    QTableView,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.panels.tree import JOINTS
from app.settings import theme
from app.workspace.selection import Selection
from engine.model.enums import JNT_HINGE, JNT_SLIDE
from engine.model.kinds import name_of

Index = QModelIndex | QPersistentModelIndex
Roles = Qt.ItemDataRole


@dataclass(frozen=True, slots=True)
class Row:
    """A slider: `count` numbers from `address` on in an array of the snapshot, and their limits."""

    name: str
    selection: Selection
    address: int
    count: int
    low: float
    high: float
    limited: bool
    unit: str


def control_rows(model) -> list[Row]:
    """One row for each actuator. Without a control range the slider goes from -1 to 1."""
    rows = []
    for i in range(model.nu):
        limited = bool(model.actuator_ctrllimited[i])
        low, high = (float(value) for value in model.actuator_ctrlrange[i]) if limited else (-1.0, 1.0)
        rows.append(
            Row(name_of(model, "actuator", i), Selection("actuator", i), i, 1, low, high, limited, "")
        )
    return rows


def joint_rows(model) -> list[Row]:
    """One row for each joint. Ball and free joints are shown as numbers, without a slider."""
    rows = []
    for i in range(model.njnt):
        kind, address = int(model.jnt_type[i]), int(model.jnt_qposadr[i])
        limited = bool(model.jnt_limited[i])
        count = {0: 7, 1: 4}.get(kind, 1)
        low, high = (float(value) for value in model.jnt_range[i])
        if not limited or not low < high:
            reach = math.pi if kind == JNT_HINGE else 1.0
            low, high, limited = -reach, reach, False
        names = model.names.get("joint", [])
        name = names[i] if i < len(names) else ""
        if not name:
            name = f"{name_of(model, 'body', int(model.jnt_bodyid[i]))} ({JOINTS.get(kind, 'joint')})"
        unit = {JNT_HINGE: "rad", JNT_SLIDE: "m"}.get(kind, "")
        rows.append(Row(name, Selection("joint", i), address, count, low, high, limited, unit))
    return rows


class ValueModel(QAbstractTableModel):
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
        if index.column() == 1 and self.rows[index.row()].count == 1:
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
            if row.count > 1:
                return row.name
            limits = f"{row.low:g} … {row.high:g}" if row.limited else "no limits"
            return (
                f"{row.name}: {limits} {row.unit}\nDrag to change, double-click to type, middle-click for 0"
            )
        return None


class BarDelegate(QStyledItemDelegate):
    """Paints a value as a slider and changes it with the mouse. `changed(row, value)`."""

    changed = Signal(int, float)

    def paint(self, painter: QPainter, option, index: Index) -> None:
        model: ValueModel = index.model()
        row = model.rows[index.row()]
        colours = theme.current()
        text = index.data() or ""
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(option.rect).adjusted(3, 4, -5, -4)
        label = QRectF(option.rect).adjusted(3, 0, -6, 0)
        if row.count == 1:
            room = value_room(option.fontMetrics)
            area.setRight(area.right() - room)
            label.setLeft(label.right() - room)
            painter.setPen(QPen(QColor(colours.line), 1))
            painter.setBrush(QColor(colours.surface))
            painter.drawRoundedRect(area, 3, 3)
            value = model.value(index.row())
            if value is not None and math.isfinite(value):
                span = row.high - row.low
                zero = min(max((0.0 - row.low) / span, 0.0), 1.0)
                at = min(max((value - row.low) / span, 0.0), 1.0)
                left, right = sorted((zero, at))
                fill = QColor(colours.accent)
                fill.setAlpha(120)
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(fill)
                painter.drawRect(
                    QRectF(
                        area.left() + left * area.width(),
                        area.top() + 1,
                        (right - left) * area.width(),
                        area.height() - 2,
                    )
                )
                painter.setBrush(QColor(colours.accent))
                painter.drawRect(
                    QRectF(area.left() + at * area.width() - 1, area.top() + 1, 2, area.height() - 2)
                )
        painter.setPen(QColor(colours.text if row.count == 1 else colours.dim))
        side = Qt.AlignmentFlag.AlignRight if row.count == 1 else Qt.AlignmentFlag.AlignLeft
        shown = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, int(label.width()))
        painter.drawText(label, side | Qt.AlignmentFlag.AlignVCenter, shown)
        painter.restore()

    def editorEvent(self, event: QEvent, model, option, index: Index) -> bool:
        row = model.rows[index.row()]
        kinds = QEvent.Type
        if row.count != 1 or event.type() not in (kinds.MouseButtonPress, kinds.MouseMove):
            return super().editorEvent(event, model, option, index)
        if event.type() == kinds.MouseButtonPress and event.button() == Qt.MouseButton.MiddleButton:
            self.changed.emit(index.row(), min(max(0.0, row.low), row.high))
            return True
        if event.buttons() & Qt.MouseButton.LeftButton:
            self.changed.emit(
                index.row(), value_at(row, event.position().x(), option.rect, option.fontMetrics)
            )
            return True
        return False

    def createEditor(self, parent: QWidget, option, index: Index) -> QWidget:
        row = index.model().rows[index.row()]
        box = QDoubleSpinBox(parent)
        box.setDecimals(4)
        box.setFrame(False)
        box.setRange(*((row.low, row.high) if row.limited else (-1e9, 1e9)))
        box.setSingleStep((row.high - row.low) / 50)
        return box

    def setEditorData(self, editor: QWidget, index: Index) -> None:
        editor.setValue(index.model().value(index.row()) or 0.0)
        editor.selectAll()

    def setModelData(self, editor: QWidget, model, index: Index) -> None:
        self.changed.emit(index.row(), editor.value())


def value_room(metrics) -> int:
    """The width of the number beside a slider, pixels."""
    return metrics.horizontalAdvance("-00.000") + 6


def value_at(row: Row, x: float, rect, metrics) -> float:
    """The value at a horizontal position of a slider."""
    left, width = rect.left() + 3, max(1, rect.width() - 8 - value_room(metrics))
    return row.low + min(max((x - left) / width, 0.0), 1.0) * (row.high - row.low)


class _BarTable(QTableView):
    """Keeps a drag on the slider where it began. Shows the text `empty` where there are no rows."""

    empty = ""

    def paintEvent(self, event) -> None:
        super().paintEvent(event)
        if self.empty and not self.model().rowCount():
            painter = QPainter(self.viewport())
            painter.setPen(QColor(theme.current().dim))
            area = self.viewport().rect().adjusted(12, 12, -12, -12)
            how = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
            painter.drawText(area, how, self.empty)

    def mouseMoveEvent(self, event) -> None:
        index = self.currentIndex()
        if event.buttons() & Qt.MouseButton.LeftButton and index.isValid() and index.column() == 1:
            row = self.model().rows[index.row()]
            if row.count == 1:
                value = value_at(row, event.position().x(), self.visualRect(index), self.fontMetrics())
                self.itemDelegateForColumn(1).changed.emit(index.row(), value)
            return
        super().mouseMoveEvent(event)


class ValueTable(QWidget):
    """`changed(row, value)`, `picked(Selection)`."""

    changed = Signal(object, float)
    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.model = ValueModel(self)
        self.view = _BarTable(self)
        self.view.setModel(self.model)
        self.delegate = BarDelegate(self)
        self.view.setItemDelegateForColumn(1, self.delegate)
        self.view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.view.setEditTriggers(QAbstractItemView.EditTrigger.DoubleClicked)
        self.view.setShowGrid(False)
        self.view.setWordWrap(False)
        self.view.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.view.verticalHeader().hide()
        self.view.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 9)
        self.view.horizontalHeader().hide()
        header = self.view.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.delegate.changed.connect(lambda row, value: self.changed.emit(self.model.rows[row], value))
        self.view.clicked.connect(lambda index: self.picked.emit(self.model.rows[index.row()].selection))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.view)


class ValuesPanel(QTabWidget):
    """Tabs of controls and joints. `ctrl(actuator, value)`, `qpos(address, value)`, `picked(Selection)`."""

    ctrl = Signal(int, float)
    qpos = Signal(int, float)
    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setDocumentMode(True)
        self.controls, self.joints = ValueTable(self), ValueTable(self)
        self.addTab(self.controls, "Controls")
        self.addTab(self.joints, "Joints")
        self.controls.changed.connect(lambda row, value: self.ctrl.emit(row.address, value))
        self.joints.changed.connect(lambda row, value: self.qpos.emit(row.address, value))
        self.currentChanged.connect(self._show_values)
        self._snapshot = None
        self.controls.picked.connect(self.picked)
        self.joints.picked.connect(self.picked)

    def set_model(self, model) -> None:
        for table, what in ((self.controls, "actuators"), (self.joints, "joints")):
            table.view.empty = f"This model has no {what}." if model is not None else ""
        self.controls.model.set_rows(control_rows(model) if model is not None else [])
        self.joints.model.set_rows(joint_rows(model) if model is not None else [])
        self._snapshot = None

    def set_snapshot(self, snapshot) -> None:
        """Show the values of a state: in the visible tab now, in the other one when it becomes visible."""
        self._snapshot = snapshot
        self._show_values()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_values()

    def _show_values(self) -> None:
        if self.isVisible() and self._snapshot is not None:
            if self.currentWidget() is self.controls:
                self.controls.model.set_values(self._snapshot.ctrl)
            else:
                self.joints.model.set_values(self._snapshot.qpos)
