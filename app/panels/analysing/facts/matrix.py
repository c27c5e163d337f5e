"""Collision matrix: the pairs of bodies, or of geoms, that may collide, with the reasons. A click selects the two."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from kinetree.app.settings import theme
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.empty import paint_empty
from kinetree.app.widgets.filter import FilteredColumn, FilterEdit
from kinetree.app.widgets.labels import Elided
from kinetree.app.workspace.selection import Selection
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.collision.filters import TEXTS, Filters, Reason
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

Index = QModelIndex | QPersistentModelIndex
Roles = Qt.ItemDataRole
CELL = 17  # pixels
NAMES = 150  # most room for the names of rows and columns, pixels
LEAST_NAMES = 30  # room for the names of columns where the matrix is low, pixels
SHARE = 0.4  # of the height of the matrix that the names of columns may have
LOW = 380  # height of a panel that has one line for words, pixels
SIGNS: dict[Reason, tuple[str, str, str]] = {
    Reason.NOTHING: ("", "", ""),
    Reason.SAME: ("–", "", ""),
    Reason.WELDED: ("W", "", ""),
    Reason.PARENT: ("P", "#c9a227", "#8a6d00"),
    Reason.EXCLUDED: ("E", "#f2726a", "#c62f27"),
    Reason.MASKS: ("M", "#9fb8e0", "#3d5a80"),
    Reason.SHAPES: ("S", "", ""),
    Reason.DISABLED: ("D", "#f2726a", "#c62f27"),
    Reason.COLLIDES: ("●", "#35c79a", "#007f5f"),
    Reason.PAIR: ("◆", "#56b4e9", "#0072b2"),
}
"""The sign of a reason, and its colour in the dark and in the light theme; "" for the dim one."""


class MatrixModel(QAbstractTableModel):
    """Table of pairs of bodies or geoms, with the reasons why they may collide or not. Rows are computed when they are
    asked for."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.kind = "body"
        self.model: Model | None = None
        self.ids: list[int] = []  # of rows and columns
        self.names: list[str] = []
        self._filters: Filters | None = None
        self._rows: dict[int, np.ndarray] = {}

    def show_objects(self, model: Model | None, disableflags: int, kind: str, words: list[str]) -> None:
        """Show the bodies or geoms of a model whose names have every word."""
        self.beginResetModel()
        self.model, self.kind, self._rows = model, kind, {}
        self._filters = None if model is None else Filters(model, disableflags)
        self.ids, self.names = [], []
        if model is not None:
            count = model.nbody if kind == "body" else model.ngeom
            for id in range(count):
                name = self.full_name(id)
                if (kind == "geom" or model.body_geomnum[id]) and all(word in name.casefold() for word in words):
                    self.ids.append(id)
                    self.names.append(name)
        self.endResetModel()

    @property
    def flags_of_options(self) -> int:
        """The flags that the reasons are for."""
        return -1 if self._filters is None else self._filters.flags

    def full_name(self, id: int) -> str:
        """The name of a row's object; of a geom with its body, where it has none."""
        assert self.model is not None
        name = name_of(self.model, self.kind, id)
        if self.kind == "geom" and not self.model.names["geom"][id]:
            return f"{name_of(self.model, 'body', int(self.model.geom_bodyid[id]))}/{name}"
        return name

    def reason(self, row: int, column: int) -> Reason:
        """Why two objects may collide, or not."""
        assert self._filters is not None
        id = self.ids[row]
        if id not in self._rows:
            self._rows[id] = self._filters.bodies(id) if self.kind == "body" else self._filters.geoms(id)
        return Reason(int(self._rows[id][self.ids[column]]))

    def sentence(self, row: int, column: int) -> str:
        """The two objects and the reason, as text."""
        few, all_ = TEXTS[self.reason(row, column)]
        return f"{self.names[row]} – {self.names[column]}: {tr(few)}. {tr(all_)}."

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.ids)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.ids)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Roles.DisplayRole):
        if role in (Roles.DisplayRole, Roles.ToolTipRole) and section < len(self.names):
            return self.names[section]
        return None

    def data(self, index: Index, role: int = Roles.DisplayRole):
        if role == Roles.DisplayRole:
            return SIGNS[self.reason(index.row(), index.column())][0]
        if role in (Roles.ToolTipRole, Roles.AccessibleTextRole):
            return self.sentence(index.row(), index.column())
        return None


class _Upright(QHeaderView):
    """Column names written upwards."""

    def __init__(self, parent: QWidget):
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setMinimumSectionSize(CELL)
        self.setDefaultSectionSize(CELL)

    def room(self) -> int:
        """The length of the longest name, within `NAMES` and a part of the matrix."""
        model = self.model()
        names: list[str] = getattr(model, "names", [])
        longest = max(names, key=len, default="")
        table = self.parentWidget()
        most = max(LEAST_NAMES, int(SHARE * table.height())) if table is not None else NAMES
        return min(NAMES, most, self.fontMetrics().horizontalAdvance(longest) + 12)

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.room())

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:
        text = str(self.model().headerData(logicalIndex, Qt.Orientation.Horizontal) or "")
        painter.save()
        painter.setPen(QColor(theme.current().text))
        painter.translate(rect.left(), rect.bottom())
        painter.rotate(-90)
        area = QRect(5, 0, rect.height() - 8, rect.width())
        painter.drawText(
            area, Qt.AlignmentFlag.AlignVCenter, self.fontMetrics().elidedText(text, _MIDDLE, area.width())
        )
        painter.restore()


class _SignDelegate(QStyledItemDelegate):
    """Paints the sign of a cell of the collision matrix."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        model = index.model()
        assert isinstance(model, MatrixModel)
        sign, dark, light = SIGNS[model.reason(index.row(), index.column())]
        colours = theme.current()
        rect: QRect = option.rect  # type: ignore[attr-defined]
        table = self.parent()
        assert isinstance(table, _MatrixView)
        if table.is_crossed(index.row(), index.column()):
            painter.fillRect(rect, QColor(colours.selection))
        painter.setPen(QColor((dark if colours.dark else light) or colours.dim))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, sign)


class _MatrixView(QTableView):
    """Shows the collision matrix. `pointed(row, column)`: the mouse or the keyboard is at a cell; -1 at none."""

    pointed = Signal(int, int)

    def __init__(self, model: MatrixModel, parent: QWidget):
        super().__init__(parent)
        self.empty = ""
        self.cell = (-1, -1)
        self.setHorizontalHeader(_Upright(self))
        self.setModel(model)
        self.setItemDelegate(_SignDelegate(self))
        self.setMouseTracking(True)
        self.setShowGrid(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setCornerButtonEnabled(False)
        self.setAccessibleName(tr("Matrix of collisions"))
        self.setObjectName("collisions")
        rows = self.verticalHeader()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        rows.setMinimumSectionSize(CELL)
        rows.setDefaultSectionSize(CELL)
        rows.setMaximumWidth(NAMES)
        rows.setTextElideMode(_MIDDLE)
        rows.setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def fit_names(self) -> None:
        """Size the header to its labels, up to the free space."""
        if self.horizontalHeader().height() != self.horizontalHeader().sizeHint().height():
            self.updateGeometries()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit_names()

    def is_crossed(self, row: int, column: int) -> bool:
        """Whether a cell is in the row or the column that is pointed at."""
        return row == self.cell[0] or column == self.cell[1]

    def point_at(self, index: QModelIndex) -> None:
        cell = (index.row(), index.column()) if index.isValid() else (-1, -1)
        if cell != self.cell:
            self.cell = cell
            self.viewport().update()
            self.pointed.emit(*cell)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self.point_at(self.indexAt(event.position().toPoint()))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.point_at(self.model().index(current.row(), current.column()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self.clicked.emit(self.currentIndex())
        elif event.matches(QKeySequence.StandardKey.Copy) and self.currentIndex().isValid():
            model = self.model()
            assert isinstance(model, MatrixModel)
            QGuiApplication.clipboard().setText(model.sentence(self.currentIndex().row(), self.currentIndex().column()))
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self.empty and not self.model().rowCount():
            paint_empty(self, self.empty)


class _Words(Elided):
    """Label with the meaning of a cell or of the signs: in several lines, or in one where the panel is `LOW`; the
    tooltip has all."""

    def __init__(self, parent: QWidget):
        super().__init__(parent=parent)
        self.is_low = False
        self.set_low(False)

    def set_low(self, on: bool) -> None:
        self.is_low = on
        self.setWordWrap(not on)
        self.setMinimumHeight((1 if on else 2) * self.fontMetrics().height() + 10)
        self._elide()

    def _elide(self) -> None:
        if self.is_low:
            super()._elide()
        else:
            self.setText(self._all)


class CollisionsPanel(QWidget):
    """Panel with the collision matrix. `said(text)`: a remark for the status bar."""

    said = Signal(str)

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(parent)
        self.simulation, self.selection = workspace.simulation, workspace.selection
        self.model = MatrixModel(self)
        self.table = _MatrixView(self.model, self)
        self.filter = FilterEdit(self)
        self.filter.setPlaceholderText(tr("Filter names"))
        self.filter.setAccessibleName(tr("Filter of the matrix"))
        self.filter.textChanged.connect(lambda _text: self._renew())
        self.filter.entered.connect(self.table.setFocus)
        self.kinds = ComboBox(self)
        self.kinds.addItem(tr("Bodies"), "body")
        self.kinds.addItem(tr("Geoms"), "geom")
        self.kinds.setAccessibleName(tr("Rows and columns"))
        self.kinds.activated.connect(lambda _index: self._renew())
        self.words = _Words(self)
        self.words.setContentsMargins(8, 3, 8, 5)
        column = FilteredColumn(self, self.filter, self.table)
        column.top.addWidget(self.kinds)
        column.addWidget(self.words)
        self.setFocusProxy(self.table)
        self.table.pointed.connect(self._tell)
        self.table.clicked.connect(self._select)
        self.simulation.model_changed.connect(self._renew_in_view)
        self.simulation.snapshot_changed.connect(self._follow_flags)
        self._is_stale = True

    def showEvent(self, event: Any) -> None:
        super().showEvent(event)
        if self._is_stale:
            self._renew()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.words.is_low != (self.height() < LOW):
            self.words.set_low(self.height() < LOW)

    def _renew_in_view(self) -> None:
        self._is_stale = True
        if self.isVisible():
            self._renew()
        else:  # nobody sees the model before, which would stay
            self.table.cell = (-1, -1)
            self.model.show_objects(None, -1, self.model.kind, [])

    def _follow_flags(self) -> None:
        """Renew the matrix if the flags of the options have changed while the simulation runs."""
        if (
            self.isVisible()
            and self.model.model is self.simulation.model
            and self._flags() != self.model.flags_of_options
        ):
            self._renew()

    def _flags(self) -> int:
        model, snapshot = self.simulation.model, self.simulation.snapshot
        if model is None:
            return -1
        is_current = snapshot is not None and snapshot.model is model
        return int((snapshot if is_current and snapshot is not None else model).opt.disableflags)

    def _renew(self) -> None:
        self._is_stale = False
        words, kind = self.filter.text().casefold().split(), str(self.kinds.currentData())
        self.model.show_objects(self.simulation.model, self._flags(), kind, words)
        self.table.cell = (-1, -1)
        self.table.fit_names()
        if self.simulation.model is None:
            self.table.empty = tr("No model is open.")
        elif words:
            self.table.empty = tr(
                "No {kind} has “{filter}” in its name.", kind=tr(kind), filter=self.filter.text().strip()
            )
        else:
            self.table.empty = tr("This model has no geoms.")
        self._tell(-1, -1)

    def _tell(self, row: int, column: int) -> None:
        """Say what the cell means, or what the signs mean."""
        if row >= 0:
            self.words.set_text(self.model.sentence(row, column))
            return
        known = [Reason.COLLIDES, Reason.PAIR, Reason.PARENT, Reason.EXCLUDED, Reason.MASKS, Reason.WELDED]
        signs = [f"{SIGNS[each][0]} {tr(TEXTS[each][0])}".replace(" ", "\u00a0") for each in known]  # kept on a line
        self.words.set_text("    ".join(signs) if self.model.ids else "")

    def _select(self, index: QModelIndex) -> None:
        ids = dict.fromkeys((self.model.ids[index.row()], self.model.ids[index.column()]))
        self.selection.select_several([Selection(self.model.kind, id) for id in ids])


_MIDDLE = Qt.TextElideMode.ElideMiddle
