"""Asks for the time or the condition at which a run stops."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from kinetree.app.panels.analysing.plots.entry import ExpressionEntry
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.engine.run.until import read
from kinetree.engine.translation import tr


class UntilDialog(QDialog):
    """Dialog that runs the simulation until a time or a condition. It does not block; its line keeps the last input."""

    def __init__(self, simulation: SimulationController, text: str, parent: QWidget):
        super().__init__(parent)
        self._simulation = simulation
        self.setWindowTitle(tr("Run Until"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(420)
        title = QLabel(tr("Run until this simulation time, or until this begins to hold:"), self)
        self.entry = ExpressionEntry(lambda: (simulation.model, None), self, check=self._check)
        line = self.entry.line
        line.setPlaceholderText(tr('5 s, or body("torso").xpos[2] < 0.5'))
        line.setAccessibleName(tr("Time or condition"))
        line.setToolTip(
            tr(
                "A time like 5 s, or an expression: ncon > 0, norm(qvel) > 10, time > 1 and qpos[2] < 0.3.\n"
                "It is looked at after every step, and the run stops at the very step."
            )
        )
        line.setText(text)
        line.selectAll()
        note = QLabel(tr("A condition that holds already must first end. Pausing keeps it."), self)
        note.setObjectName("dim")
        note.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.run = buttons.addButton(tr("Run"), QDialogButtonBox.ButtonRole.ActionRole)
        self.run.setAutoDefault(False)
        self.run.clicked.connect(self.entry.enter)
        close = buttons.button(QDialogButtonBox.StandardButton.Close)
        close.setAutoDefault(False)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(title)
        column.addWidget(self.entry)
        column.addWidget(note)
        column.addWidget(buttons)
        self.entry.entered.connect(self._begin)
        line.setFocus()

    def _check(self, model: Any, text: str, _other: Any) -> None:
        snapshot = self._simulation.snapshot
        read(model, text, -math.inf if snapshot is None else float(snapshot.time))

    def _begin(self, text: str) -> None:
        self._simulation.run_until(text)
        self.entry.line.setText(text)
        self.entry.line.selectAll()
