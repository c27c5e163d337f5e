"""A quiet, lasting sign in the status bar: the simulation diverged, how often, since when, where, and what to try."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QSizePolicy, QToolButton, QToolTip, QWidget

from kinetree.app.settings.icons import icon
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.engine.run.divergence import WarningFinding, findings
from kinetree.engine.translation import tr


class DivergenceSign(QToolButton):
    """Sign in the status bar that the simulation diverged; hidden while it is sound. The tool tip says all; a click
    shows it at once."""

    def __init__(self, simulation: SimulationController, parent: QWidget | None = None):
        super().__init__(parent)
        self._simulation = simulation
        self._raised: bytes = b""
        self._findings: list[WarningFinding] = []
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setIconSize(QSize(14, 14))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)  # elided in a small window
        self.setMinimumWidth(90)
        self.setAccessibleName(tr("Simulation warnings"))
        self.clicked.connect(self._explain)
        self.hide()
        simulation.snapshot_changed.connect(self._show)
        simulation.model_changed.connect(self._show)

    @property
    def findings(self) -> list[WarningFinding]:
        """The shown findings, with the engine's texts."""
        return self._findings

    def _show(self) -> None:
        snapshot = self._simulation.snapshot
        raised = snapshot.warning.tobytes() if snapshot is not None else b""
        if raised == self._raised:
            return
        self._raised = raised
        self._findings = findings(snapshot.model, snapshot) if snapshot is not None else []
        self.setVisible(bool(self._findings))
        if self._findings:
            first = self._findings[0]
            times = f" ×{first.number:,}" if first.number > 1 else ""
            self.setIcon(icon("warning", "warning"))
            self.setText(
                tr(
                    "{summary}{times} since {time:.4g} s: {place}",
                    summary=first.summary,
                    times=times,
                    time=first.time,
                    place=first.place,
                )
            )
            self.setToolTip("<p>" + "</p><p>".join(_html(finding.text) for finding in self._findings) + "</p>")

    def _explain(self) -> None:
        QToolTip.showText(QCursor.pos(), self.toolTip(), self)


def _html(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
