"""Drive of the selected controls: the user's hand, or a signal with editable parameters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from kinetree.app.panels.driving.controls.rows import control_range
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.numbers import NumbersField
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.engine.run.signals import SHAPES, Signal
from kinetree.engine.translation import marked, tr

NUMBERS: dict[str, tuple[str, str, float | None, bool]] = {
    "mean": (marked("Mean"), marked("Around which the control swings"), None, False),
    "amplitude": (marked("Amplitude"), marked("How far the control swings to either side"), None, False),
    "frequency": (marked("Hz"), marked("Frequency: swings a second; of noise: new values a second"), 1e-6, False),
    "end_frequency": (marked("To Hz"), marked("Frequency at the end of the chirp"), 1e-6, False),
    "duration": (marked("Duration, s"), marked("Duration of the chirp, after which it starts again"), 1e-6, False),
    "seed": (
        marked("Seed"),
        marked("The same seed gives the same noise; each control has a seed of its own"),
        0.0,
        True,
    ),
}
"""Number of a signal -> label, help, least value, whether it is whole."""
BY_HAND = marked("By hand")


class SignalBar(QWidget):
    """Sets the signals of some actuators of a simulation."""

    def __init__(self, simulation: SimulationController, parent: QWidget | None = None):
        super().__init__(parent)
        self._simulation = simulation
        self._actuators: list[int] = []
        self.shape = ComboBox(self)
        self.shape.setAccessibleName(tr("Drive of the selected controls"))
        self.shape.addItem(tr(BY_HAND), "")
        for name, shape in SHAPES.items():
            self.shape.addItem(tr(shape.label), name)
            self.shape.setItemData(self.shape.count() - 1, tr(shape.help), Qt.ItemDataRole.ToolTipRole)
        self.title = QLabel(self)
        self.title.setObjectName("dim")
        self.fields: dict[str, NumbersField] = {}
        self._labels: dict[str, QLabel] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(8, 6, 8, 8)
        self._grid.setHorizontalSpacing(8)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._grid.setColumnStretch(3, 1)
        self._grid.addWidget(self.title, 0, 0)
        self._grid.addWidget(self.shape, 0, 1, 1, 3)
        for name, (label, help, low, whole) in NUMBERS.items():
            field = self.fields[name] = NumbersField(self)
            field.set_kind(1, integer=whole, low=low)
            field.setAccessibleName(tr(label))
            field.setToolTip(tr(help))
            field.dragged.connect(lambda _cell, value, name=name: self._set_number(name, value))
            field.typed.connect(lambda _cell, text, name=name: self._set_number(name, float(text)))
            text = self._labels[name] = QLabel(tr(label), self)
            text.setToolTip(tr(help))
        self.shape.activated.connect(lambda _index: self._set_shape(self.shape.currentData()))
        simulation.drive_changed.connect(self.refresh)
        self.show_actuators([])

    def show_actuators(self, actuators: Sequence[int]) -> None:
        """Show the signals of the selected actuators."""
        self._actuators = list(actuators)
        self.refresh()

    @property
    def signal(self) -> Signal | None:
        """Signal of the first selected actuator."""
        return self._simulation.signals.get(self._actuators[0]) if self._actuators else None

    def refresh(self) -> None:
        number, signal = len(self._actuators), self.signal
        self.setVisible(bool(number))
        self.title.setText(tr("Driven by") if number <= 1 else tr("{number} controls driven by", number=number))
        self.shape.setCurrentIndex(max(0, self.shape.findData("" if signal is None else signal.shape)))
        numbers = () if signal is None else SHAPES[signal.shape].numbers
        for name, field in self.fields.items():
            field.setVisible(name in numbers)
            self._labels[name].setVisible(name in numbers)
        for place, name in enumerate(numbers):
            value, (line, column) = getattr(signal, name), divmod(place, 2)
            self._grid.addWidget(self._labels[name], line + 1, 2 * column)
            self._grid.addWidget(self.fields[name], line + 1, 2 * column + 1)
            self.fields[name].show_values([str(value) if isinstance(value, int) else f"{value:.6g}"])

    def _set_shape(self, shape: str) -> None:
        model = self._simulation.model
        if model is None or not self._actuators:
            return
        made: dict[int, Signal | None] = {}
        for place, actuator in enumerate(self._actuators):
            before = self._simulation.signals.get(actuator)
            low, high = control_range(model, actuator)
            first = before or Signal(mean=0.5 * (low + high), amplitude=0.25 * (high - low), seed=place)
            made[actuator] = replace(first, shape=shape) if shape else None
        self._simulation.post(requests.SetSignals(made))

    def _set_number(self, name: str, value: float) -> None:
        """Set a parameter of the signals of all selected actuators; each signal keeps its own seed."""
        made: dict[int, Signal | None] = {}
        for place, actuator in enumerate(self._actuators):
            signal = self._simulation.signals.get(actuator)
            if signal is not None:
                made[actuator] = replace(signal, **{name: round(value) + place if name == "seed" else value})
        self._simulation.post(requests.SetSignals(made))
