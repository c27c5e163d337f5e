"""The mocap panel: where mocap bodies are, set for now."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from PySide6.QtWidgets import QMenu, QWidget

from kinetree.app.panels.driving.joints.rows import angles, positions, reach_of
from kinetree.app.panels.live.pose_button import PoseButton
from kinetree.app.panels.live.rows import LiveRow
from kinetree.app.panels.live.sliders import SliderPanel
from kinetree.app.panels.live.units_button import UnitsButton
from kinetree.app.workspace.selection import Selection
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import tr


class MocapPanel(SliderPanel):
    what = "mocap body"
    made_of = ("names.body", "nbody", "body_mocapid", "body_pos", "body_quat", "stat.extent")

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(workspace, settings, parent)
        self.top.addWidget(PoseButton(workspace, self))
        self.top.addWidget(UnitsButton(self.units, self))
        self.view.add_to_menu = self._add_to_menu

    @property
    def plural(self) -> str:
        return "mocap bodies"

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        for body in np.flatnonzero(model.body_mocapid >= 0).tolist():
            number = int(model.body_mocapid[body])
            about = LiveRow(
                name_of(model, "body", body), selection=Selection("body", body), help=tr("Mocap body"),
                quantity=f"{number},",
            )  # fmt: skip
            yield from positions(self.simulation, "mocap_pos", 3 * number, model.body_pos[body], reach_of(model), about)
            yield from angles(self.simulation, "mocap_quat", 4 * number, model.body_quat[body], about)

    def _add_to_menu(self, menu: QMenu, rows: list[LiveRow]) -> None:
        menu.addAction(tr("Type a Value"), lambda: self.sliders.type_value(self.view.currentIndex())).setEnabled(
            bool(rows)
        )
        menu.addAction(tr("To Initial Pose"), lambda: self.reset_rows(rows)).setEnabled(bool(rows))
