"""The list of a plot's curves: colour, name, value at the cursor; hides, colours and removes them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPoint, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QColor,
    QFontMetrics,
    QGuiApplication,
    QIcon,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHeaderView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from kinetree.app.panels.analysing.plots.curves import AXES, COLOURS, Curve, short_labels
from kinetree.app.settings import theme
from kinetree.app.widgets.empty import paint_empty
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.app.widgets.readouts import number_text
from kinetree.app.workspace.units import Units
from kinetree.engine.run.measured import Difference
from kinetree.engine.translation import marked, tr

NAMES = (
    marked("Blue"),
    marked("Orange"),
    marked("Green"),
    marked("Pink"),
    marked("Yellow"),
    marked("Red"),
    marked("Violet"),
    marked("Grey"),
)
NUMBER = "-0.00000"
"""As wide as most values."""
PADDING = 14  # beside a value, pixels
LEAST_NAME = 40  # of the width of a name, pixels
EMPTY = marked("Type a quantity below, or drop one here from a list.")


class _Value(QStyledItemDelegate):
    """Paints a value of the legend. Where it is too long, its last digits are left out."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        item: Any = option
        item.textElideMode = Qt.TextElideMode.ElideRight


class _Name(QStyledItemDelegate):
    """Paints the name of a curve. A long one loses its middle, and no dot stays beside the ellipsis."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        item: Any = option
        view = item.widget
        if view is None:
            return
        place = view.style().subElementRect(QStyle.SubElement.SE_ItemViewItemText, option, view)
        margin = view.style().pixelMetric(QStyle.PixelMetric.PM_FocusFrameHMargin, None, view) + 1
        item.text = shortened(item.text, item.fontMetrics, place.width() - 2 * margin)


def shortened(name: str, metrics: QFontMetrics, width: int) -> str:
    """A name without its middle where it is wider than so many pixels."""
    found = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, width)
    return found.replace("….", "…").replace(".…", "…") if found != name else name


class Legend(QTreeWidget):
    """List of the curves of a plot. Signals: `changed()`: a curve is shown, hidden or looks different;
    `removed(curves)`; `mapping_wanted(curve)`: other columns of its file are wanted. `difference_of(curve)`: of a
    measured curve to the simulated one."""

    changed = Signal()
    removed = Signal(list)
    mapping_wanted = Signal(object)

    def __init__(self, units: Units, axis_of: Callable[[Curve], int], parent: QWidget | None = None):
        super().__init__(parent)
        self._units, self._axis_of = units, axis_of
        self._curves: list[Curve] = []
        self.difference_of: Callable[[Curve], Difference | None] = lambda _curve: None
        self._filling = False
        self._wanted = 0  # width of the values, pixels
        self.setColumnCount(2)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setUniformRowHeights(True)
        self.setIndentation(0)
        self.setSelectionMode(self.SelectionMode.ExtendedSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setItemDelegateForColumn(0, _Name(self))
        self.setItemDelegateForColumn(1, _Value(self))
        self.setIconSize(QSize(18, 10))
        self.setMinimumHeight(20)
        header = self.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        self.setAccessibleName(tr("Curves"))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.itemChanged.connect(self._take_change)

    def set_curves(self, curves: list[Curve]) -> None:
        """Show these curves. Rows stay where there are as many: this is called while Qt tells of a change of one."""
        self._filling = True
        chosen = self.selected()
        self._curves = list(curves)
        while self.topLevelItemCount() > len(curves):
            self.takeTopLevelItem(len(curves))
        colours = theme.current()
        labels = short_labels([curve.label for curve in curves])
        units = {self._units.name(curve.unit) for curve in curves}
        self._fit_values([f"{NUMBER} {unit}" for unit in units] or [NUMBER], shrink=True)
        for number, (curve, label) in enumerate(zip(curves, labels, strict=True)):
            item = self.topLevelItem(number) or QTreeWidgetItem(self)
            item.setText(0, label)
            item.setText(1, "")
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            item.setCheckState(0, Qt.CheckState.Checked if curve.is_visible else Qt.CheckState.Unchecked)
            item.setIcon(0, _swatch(curve))
            item.setTextAlignment(1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            item.setSelected(curve in chosen)
            tip = curve.help
            item.setData(0, Qt.ItemDataRole.ForegroundRole, None if curve.is_there else QColor(colours.error))
            if not curve.is_there:
                tip += f"\n{curve.why_not_there}"
            item.setToolTip(0, tip)
        self._filling = False

    def _fit_values(self, texts: list[str], shrink: bool = False) -> None:
        """Give the values the width that they need: names have the rest. It grows while they run, unless `shrink`, so
        that it stays calm.
        """
        wanted = max(map(self.fontMetrics().horizontalAdvance, texts)) + PADDING
        self._wanted = wanted if shrink else max(wanted, self._wanted)
        self._fit_column()

    def _fit_column(self) -> None:
        header, room = self.header(), max(0, self.viewport().width() - LEAST_NAME)
        if header.sectionSize(1) != min(self._wanted, room):
            header.resizeSection(1, min(self._wanted, room))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_column()

    def show_values(self, value: Callable[[Curve], float]) -> None:
        """Write the values of all curves."""
        self._filling = True
        for number, curve in enumerate(self._curves):
            item = self.topLevelItem(number)
            if item is None:
                continue
            text = ""
            if curve.is_there:
                found = value(curve)
                text = "–" if math.isnan(found) else f"{found:.0f}" if curve.quantity.is_count else number_text(found)
                unit = self._units.name(curve.unit)
                text = f"{text} {unit}" if unit else text
                difference = self.difference_of(curve)
                if difference is not None:
                    self._tell_difference(item, curve, difference, unit)
                    if math.isnan(found):
                        text = f"RMS {number_text(difference.rms, 3)}" + (f" {unit}" if unit else "")
            if item.text(1) != text:
                item.setText(1, text)
                item.setToolTip(1, text)
                self._fit_values([text])
        self._filling = False

    def _tell_difference(self, item: QTreeWidgetItem, curve: Curve, difference: Difference, unit: str) -> None:
        """Write the difference to the simulated curve into the tooltip of a row."""
        tip = curve.help + "\n" + tr(
            "RMS difference {rms} {unit}, greatest {greatest} {unit}, of {count} samples",
            rms=number_text(difference.rms), greatest=number_text(difference.greatest), unit=unit,
            count=difference.count,
        )  # fmt: skip
        if item.toolTip(0) != tip:
            item.setToolTip(0, tip)

    def selected(self) -> list[Curve]:
        """The curves that are selected."""
        rows = [self.indexOfTopLevelItem(item) for item in self.selectedItems()]
        return [self._curves[row] for row in sorted(rows)]

    def _take_change(self, item: QTreeWidgetItem, column: int) -> None:
        if self._filling or column != 0:
            return
        curve = self._curves[self.indexOfTopLevelItem(item)]
        visible = item.checkState(0) == Qt.CheckState.Checked
        if visible != curve.is_visible:
            curve.is_visible = visible
            self.changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and self.selected():
            self.removed.emit(self.selected())
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._curves:
            paint_empty(self, tr(EMPTY))

    # ---- menu --------------------------------------------------------------------------------------------

    def menu(self) -> QMenu:
        """Context menu of the selected curves."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        curves = self.selected()
        if not curves:
            give_letters(menu)
            return menu
        colours = menu.addMenu(tr("Colour"))
        for number, name in enumerate(NAMES):
            action = colours.addAction(_icon(COLOURS[theme.current().name][number]), tr(name))
            action.triggered.connect(lambda _=False, number=number: self._style(curves, number))
        axes = menu.addMenu(tr("Axis"))
        group = QActionGroup(axes)
        for number, name in enumerate((tr("By Unit"), *map(tr, AXES)), -1):
            action = QAction(name, axes, checkable=True, checked=curves[0].axis == number)
            action.triggered.connect(lambda _=False, number=number: self._set_axis(curves, number))
            group.addAction(action)
            axes.addAction(action)
        menu.addAction(
            tr("Show Only This") if len(curves) == 1 else tr("Show Only These"), lambda: self._isolate(curves)
        )
        menu.addAction(tr("Show All"), lambda: self._isolate(self._curves))
        menu.addSeparator()
        if len(curves) == 1 and curves[0].is_measured:
            menu.addAction(tr("Columns and Offset…"), lambda: self.mapping_wanted.emit(curves[0]))
        menu.addAction(tr("Copy Expression"), lambda: self._copy(curves))
        menu.addAction(tr("Remove"), lambda: self.removed.emit(curves))
        give_letters(menu)
        return menu

    def _open_menu(self, point: QPoint) -> None:
        menu = self.menu()
        if not menu.isEmpty():
            menu.popup(self.viewport().mapToGlobal(point))

    def _style(self, curves: list[Curve], style: int) -> None:
        for curve in curves:
            curve.style = style
        self._tell()

    def _set_axis(self, curves: list[Curve], axis: int) -> None:
        for curve in curves:
            curve.axis = axis
        self._tell()

    def _isolate(self, curves: list[Curve]) -> None:
        for curve in self._curves:
            curve.is_visible = curve in curves
        self._tell()

    def _copy(self, curves: list[Curve]) -> None:
        QGuiApplication.clipboard().setText("\n".join(curve.label for curve in curves))

    def _tell(self) -> None:
        self.set_curves(self._curves)
        self.changed.emit()


def _swatch(curve: Curve) -> QIcon:
    return _icon(curve.colour(theme.current().name), curve.dashes)


def _icon(colour: str, dashes: int = 0) -> QIcon:
    """A piece of a line."""
    pixmap = QPixmap(36, 20)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    width = 36 // (1 + 2 * dashes)
    for k in range(dashes + 1):
        painter.fillRect(2 * k * width, 7, width, 6, QColor(colour))
    painter.end()
    pixmap.setDevicePixelRatio(2.0)
    return QIcon(pixmap)
