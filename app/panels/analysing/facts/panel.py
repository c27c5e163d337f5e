"""The panel of model facts: masses, freedom, how far joints and actuators went, what may collide with what. It reads.

Its parts are made when they are first seen, and do nothing while they are not.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.widgets.panel import Panel
from kinetree.app.widgets.tabs import FittingTabs
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.translation import marked, tr

PARTS: tuple[tuple[str, str, str], ...] = (
    (
        marked("Overview"),
        marked("Sizes, mass and degrees of freedom"),
        "kinetree.app.panels.analysing.facts.overview:OverviewPanel",
    ),
    (
        marked("Masses"),
        marked("Mass and centre of mass of every body and of all below it"),
        "kinetree.app.panels.analysing.facts.masses:MassesPanel",
    ),
    (
        marked("Ranges"),
        marked("How far every joint went within its range"),
        "kinetree.app.panels.analysing.facts.reached:RangesPanel",
    ),
    (
        marked("Actuators"),
        marked("How often every actuator was at its limits"),
        "kinetree.app.panels.analysing.facts.reached:ActuatorsPanel",
    ),
    (
        marked("Collisions"),
        marked("Collision matrix: pairs that may collide, and the reasons"),
        "kinetree.app.panels.analysing.facts.matrix:CollisionsPanel",
    ),
)
"""Title, help, "module:Class"."""


class FactsPanel(Panel):
    """Panel with tabs of facts about the model. `said(text)` for the status bar, `plot_wanted(expressions)`."""

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(parent)
        self._make: Callable[[str], QWidget] = lambda where: _class(where)(workspace, settings, self)
        self.tabs = FittingTabs(self)
        self.tabs.setAccessibleName(tr("Facts of the model"))
        self.stack = QStackedWidget(self)
        self.parts: dict[str, QWidget] = {}
        self._empty: list[QWidget] = []
        for title, help, _where in PARTS:
            self.tabs.setTabToolTip(self.tabs.addTab(tr(title)), tr(help))
            self.stack.addWidget(empty := QWidget(self.stack))
            self._empty.append(empty)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.tabs)
        column.addWidget(self.stack, 1)
        self.setMinimumSize(60, 60)
        self.setFocusProxy(self.tabs)
        self.tabs.currentChanged.connect(self.show_part)
        self.show_part(0)

    def show_part(self, number: int) -> None:
        """Show a part, made now if it was never seen."""
        title, _help, where = PARTS[number]
        if title not in self.parts:
            part = self.parts[title] = self._make(where)
            if isinstance(part, LivePanel):
                part.view.plot_wanted.connect(self.plot_wanted)
            part.said.connect(self.said)  # type: ignore[attr-defined]
            empty = self._empty[number]
            self.stack.insertWidget(number, part)
            self.stack.removeWidget(empty)
            empty.deleteLater()
        self.stack.setCurrentIndex(number)
        if self.tabs.currentIndex() != number:
            self.tabs.setCurrentIndex(number)


def _class(where: str) -> Callable[[Workspace, Any, QWidget], QWidget]:
    module, _, name = where.partition(":")
    return getattr(import_module(module), name)
