"""The dialog for the range of a joint, which is written into the model."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QVBoxLayout,
    QWidget,
)

from kinetree.app.widgets.spin import DoubleSpinBox, decimals_of
from kinetree.app.workspace.units import Units
from kinetree.engine.translation import tr

FAR = 1e6


class RangeDialog(QDialog):
    """Asks for the two ends of a joint's range. `wanted(low, high)`, rad or m: the user agrees; the dialog stays open
    until the caller accepts it."""

    wanted = Signal(float, float)

    def __init__(self, title: str, low: float, high: float, unit: str, units: Units, parent: QWidget | None = None):
        super().__init__(parent)
        self.setWindowTitle(tr("Range of a Joint"))
        self._factor = units.factor(unit)
        text = QLabel(tr("The range of {title} is saved to the model, as one step that Undo takes back.", title=title))
        text.setWordWrap(True)
        text.setTextFormat(Qt.TextFormat.PlainText)
        self.low, self.high = (self._field(value, units.name(unit)) for value in (low, high))
        self.box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.button = self.box.addButton(tr("Save to Model"), QDialogButtonBox.ButtonRole.ActionRole)
        self.button.setDefault(True)
        self.button.clicked.connect(
            lambda: self.wanted.emit(self.low.value() / self._factor, self.high.value() / self._factor)
        )
        self.box.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow(tr("Lower limit"), self.low)
        form.addRow(tr("Upper limit"), self.high)
        layout = QVBoxLayout(self)
        layout.setSpacing(10)
        layout.addWidget(text)
        layout.addLayout(form)
        layout.addWidget(self.box)
        self._check()
        self.low.setFocus()
        self.low.selectAll()

    def _field(self, value: float, unit: str) -> QDoubleSpinBox:
        field = DoubleSpinBox(step=1.0 if unit == "°" else math.radians(1))
        field.setDecimals(decimals_of(value * self._factor, least=2 if unit == "°" else 4))
        field.setRange(-FAR, FAR)
        field.setSuffix(f" {unit}")
        field.setValue(value * self._factor)
        field.valueChanged.connect(self._check)
        return field

    def _check(self) -> None:
        is_valid = self.low.value() < self.high.value()
        self.button.setEnabled(is_valid)
        self.button.setToolTip("" if is_valid else tr("The lower limit must be below the upper one"))
