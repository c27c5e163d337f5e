"""The dialog that makes a curve of a CSV file: columns, clock, unit, and the simulated curve beside it."""

from __future__ import annotations

import os
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.panels.analysing.plots.curves import Curve
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.spin import DoubleSpinBox
from kinetree.engine.run.measured import TIME_UNITS, VALUE_UNITS, ColumnMapping, Table, unit_of
from kinetree.engine.translation import tr

UNITS = ("", "deg", "mm", "cm", "deg/s", "mm/s", "kN")
"""Units of values that are offered; "" for those of the curve."""
LATE = 1e5
"""A first time beyond this, s, is that of a wall clock: the curve begins at 0 then."""
PREVIEW_HEIGHT = 150  # pixels


class DataDialog(QDialog):
    """Asks how a file is to be shown. `chosen(mapping, beside)`. `curves`: the simulated ones of the plot; `near`: the
    one beside which the data belongs by default; `before`: the mapping that is to be changed."""

    chosen = Signal(object, str)

    def __init__(
        self,
        parent: QWidget,
        path: str,
        table: Table,
        curves: Sequence[Curve],
        near: Curve | None = None,
        before: ColumnMapping | None = None,
    ):
        super().__init__(parent)
        self.path, self.table, self.curves = path, table, list(curves)
        self.setWindowTitle(tr("Measured Data: {name}", name=os.path.basename(path)))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.time = self._columns(tr("Column with the times"))
        self.time_unit = self._box(tr("Unit of the times"), [(unit, unit) for unit in TIME_UNITS])
        self.value = self._columns(tr("Column with the values"))
        self.unit = self._box(
            tr("Unit of the values"), [(unit or tr("as the curve"), unit) for unit in UNITS] + [(tr("Factor"), None)]
        )
        self.factor = _number(1.0, tr("Factor of the values"))
        self.offset = _number(0.0, tr("Added to the times, s"))
        self.offset.setSuffix(" s")
        self.offset.setToolTip(tr("Added to the times of the file, so that they are those of the simulation"))
        beside = [(tr("Nothing"), "")] + [(curve.label, curve.label) for curve in self.curves]
        self.beside = self._box(tr("Compare with"), beside)
        self.beside.setToolTip(tr("It gives the unit and the colour; the legend shows the root mean square difference"))
        form = QFormLayout()
        form.addRow(tr("Times:"), _pair(self.time, self.time_unit))
        form.addRow(tr("Move by:"), self.offset)
        form.addRow(tr("Values:"), _pair(self.value, self.unit))
        form.addRow(tr("Factor:"), self.factor)
        form.addRow(tr("Compare with:"), self.beside)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        note = QLabel(tr("The first rows of the file:"), self)
        note.setObjectName("dim")
        column = QVBoxLayout(self)
        column.addLayout(form)
        column.addWidget(note)
        column.addWidget(self._preview())
        column.addWidget(self.buttons)
        self.resize(520, self.sizeHint().height())
        self.time.currentIndexChanged.connect(self._guess_time)
        self.value.currentIndexChanged.connect(self._guess_value)
        self.unit.currentIndexChanged.connect(self._take_unit)
        self._begin(near, before)

    def _begin(self, near: Curve | None, before: ColumnMapping | None) -> None:
        self.time.setCurrentIndex(self.table.time)
        self._guess_time()
        others = [place for place in range(len(self.table.columns)) if place != self.table.time]
        wanted = near.label if near is not None else ""
        named = [place for place in others if wanted and self.table.columns[place] in (wanted, wanted.split(".")[0])]
        self.value.setCurrentIndex((named or others)[0])
        self._guess_value()
        self.beside.setCurrentIndex(max(0, self.beside.findData(wanted)))
        if before is not None:
            self.time.setCurrentText(before.time)
            self.value.setCurrentText(before.value)
            self.time_unit.setCurrentIndex(max(0, list(TIME_UNITS.values()).index(before.time_factor)))
            self.offset.setValue(before.offset)
            self.unit.setCurrentIndex(self.unit.findData(None))
            self.factor.setValue(before.factor)

    # ---- parts -------------------------------------------------------------------------------------------

    def _columns(self, name: str) -> QComboBox:
        return self._box(name, [(column, column) for column in self.table.columns])

    def _box(self, name: str, rows: Sequence[tuple[str, str | None]]) -> QComboBox:
        box = ComboBox(self)
        for text, data in rows:
            box.addItem(text, data)
        box.setAccessibleName(name)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(8)
        return box

    def _preview(self) -> QTableWidget:
        view = QTableWidget(len(self.table.rows), len(self.table.columns), self)
        view.setHorizontalHeaderLabels(list(self.table.columns))
        view.setVerticalHeaderLabels([str(self.table.first + row) for row in range(len(self.table.rows))])
        for row, cells in enumerate(self.table.rows):
            for place, cell in enumerate(cells[: len(self.table.columns)]):
                view.setItem(row, place, QTableWidgetItem(cell))
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        view.setAccessibleName(tr("First rows of the file"))
        view.setMaximumHeight(PREVIEW_HEIGHT)
        return view

    # ---- guesses -----------------------------------------------------------------------------------------

    def _guess_time(self) -> None:
        """The unit of the times from the name of their column; those of a wall clock begin at 0."""
        place = self.time.currentIndex()
        unit = unit_of(self.table.columns[place])
        self.time_unit.setCurrentIndex(max(0, list(TIME_UNITS).index(unit) if unit in TIME_UNITS else 0))
        first = self._first(place)
        late = first is not None and abs(first) * TIME_UNITS[self.time_unit.currentText()] > LATE
        self.offset.setValue(-(first or 0.0) * TIME_UNITS[self.time_unit.currentText()] if late else 0.0)

    def _guess_value(self) -> None:
        unit = unit_of(self.table.columns[self.value.currentIndex()])
        known = unit.replace("°", "deg")
        self.unit.setCurrentIndex(self.unit.findData(known if known in UNITS else ""))
        self._take_unit()

    def _take_unit(self) -> None:
        unit = self.unit.currentData()
        self.factor.setEnabled(unit is None)
        if unit is not None:
            self.factor.setValue(VALUE_UNITS[unit][1])

    def _first(self, place: int) -> float | None:
        cells = self.table.rows[0]
        try:
            return float(cells[place].replace(",", ".")) if place < len(cells) else None
        except ValueError:
            return None

    # ---- answer ------------------------------------------------------------------------------------------

    def mapping(self) -> ColumnMapping:
        """The mapping that is chosen. Its unit is the one of the curve beside, or that of the values."""
        beside = next((curve for curve in self.curves if curve.label == self.beside.currentData()), None)
        written = self.unit.currentData()
        factor = self.factor.value() if written is None else VALUE_UNITS[written][1]
        unit = beside.unit if beside is not None else VALUE_UNITS[written or ""][0]
        return ColumnMapping(
            self.path, self.time.currentText(), self.value.currentText(), self.offset.value(),
            TIME_UNITS[self.time_unit.currentText()], factor, unit,
        )  # fmt: skip

    def accept(self) -> None:
        mapping, beside = self.mapping(), str(self.beside.currentData())
        super().accept()
        self.chosen.emit(mapping, beside)


class _Number(DoubleSpinBox):
    """A number without zeros at its end."""

    def textFromValue(self, value: float) -> str:
        return self.locale().toString(value, "g", 10)


def _number(value: float, name: str) -> DoubleSpinBox:
    box = _Number()
    box.setDecimals(9)
    box.setRange(-1e12, 1e12)
    box.setValue(value)
    box.setAccessibleName(name)
    return box


def _pair(first: QWidget, second: QWidget) -> QHBoxLayout:
    row = QHBoxLayout()
    row.addWidget(first, 3)
    row.addWidget(second, 1)
    return row
