"""The numbers of the noise that moves the controls, while there is noise."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from kinetree.app.widgets.numbers import NumbersField
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.engine.translation import marked, tr

NUMBERS: dict[str, tuple[str, str, bool]] = {
    "std": (
        marked("Noise"),
        marked("Standard deviation, as a part of half the control range; without a range, of the control"),
        False,
    ),
    "rate": (
        marked("Correlation, s"),
        marked("Time over which noise is forgotten, s. 0: new noise at every step"),
        False,
    ),
    "seed": (marked("Seed"), marked("The same seed gives the same noise"), True),
}
"""Number of Noise -> label, help, whether it is whole."""


class NoiseBar(QWidget):
    """Sets the noise of a simulation; hidden without noise."""

    def __init__(self, simulation: SimulationController, parent: QWidget | None = None):
        super().__init__(parent)
        self._simulation = simulation
        self.fields: dict[str, NumbersField] = {}
        grid = QGridLayout(self)
        grid.setContentsMargins(8, 6, 8, 4)
        grid.setHorizontalSpacing(8)
        for place, (name, (label, help, whole)) in enumerate(NUMBERS.items()):
            field = self.fields[name] = NumbersField(self)
            field.set_kind(1, integer=whole, low=0.0)
            field.setAccessibleName(tr("{label} of the control noise", label=tr(label)))
            field.setToolTip(tr(help))
            field.dragged.connect(lambda _cell, value, name=name: self._set_number(name, value))
            field.typed.connect(lambda _cell, text, name=name: self._set_number(name, float(text)))
            title = QLabel(tr(label), self)
            title.setToolTip(tr(help))
            grid.addWidget(title, 0, 2 * place)
            grid.addWidget(field, 0, 2 * place + 1)
            grid.setColumnStretch(2 * place + 1, 1)
        simulation.drive_changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show the present noise."""
        noise = self._simulation.noise
        self.setVisible(noise is not None)
        if noise is not None:
            for name, field in self.fields.items():
                value = getattr(noise, name)
                field.show_values([str(value) if isinstance(value, int) else f"{value:.6g}"])

    def _set_number(self, name: str, value: float) -> None:
        noise = self._simulation.noise
        if noise is not None:
            self._simulation.post(
                requests.SetNoise(replace(noise, **{name: round(value) if name == "seed" else value}))
            )
