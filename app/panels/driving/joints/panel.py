"""The joints panel: positions of all joints as sliders, set for now. Its menu also writes the range of a hinge or slide
into the model, as one step of the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from kinetree.app.panels.driving import joints
from kinetree.app.panels.driving.joints.rows import joint_rows
from kinetree.app.panels.live.pose_button import PoseButton
from kinetree.app.panels.live.rows import LiveRow
from kinetree.app.panels.live.sliders import SliderPanel, SliderRow
from kinetree.app.panels.live.units_button import UnitsButton
from kinetree.app.viewport.gizmo.target import find
from kinetree.app.workspace.selection import select_object
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine import document, editing
from kinetree.engine.translation import tr

ANGLE, LENGTH = 1e-4, 1e-5  # how precise a range is written, rad and m


class JointsPanel(SliderPanel):
    what = "joint"
    made_of = (
        "names.joint",
        "names.body",
        "njnt",
        "jnt_type",
        "jnt_qposadr",
        "jnt_bodyid",
        "jnt_range",
        "jnt_limited",
        "qpos0",
        "stat.extent",
    )

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(workspace, settings, parent)
        self.top.addWidget(PoseButton(workspace, self))
        self.top.addWidget(UnitsButton(self.units, self))
        self.view.add_to_menu = self._add_to_menu

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        return joint_rows(model, self.simulation)

    def _add_to_menu(self, menu: QMenu, rows: list[LiveRow]) -> None:
        menu.addAction(tr("Type a Value"), lambda: self.sliders.type_value(self.view.currentIndex())).setEnabled(
            bool(rows)
        )
        menu.addAction(tr("To Initial Position"), lambda: self.reset_rows(rows)).setEnabled(bool(rows))
        menu.addAction(tr("All Joints to Initial Position"), lambda: self.reset_rows(self.model.rows))
        menu.addSeparator()
        write = menu.addMenu(tr("Save Range to Model"))
        row = rows[0] if len(rows) == 1 else None
        is_one = isinstance(row, SliderRow) and row.quantity != "" and not row.group
        write.setEnabled(is_one)
        now = self.model.newest_value(row) if is_one and row is not None else None
        if not is_one or now is None:
            return
        assert isinstance(row, SliderRow)
        shown = f"{now * self.units.factor(row.unit):.4g} {self.units.name(row.unit)}"
        low, high = row.low, row.high
        lower = write.addAction(tr("Lower Limit Here ({shown})", shown=shown), lambda: self.write_range(row, now, high))
        lower.setEnabled(now < high)
        upper = write.addAction(tr("Upper Limit Here ({shown})", shown=shown), lambda: self.write_range(row, low, now))
        upper.setEnabled(now > low)
        write.addAction(tr("Range…"), lambda: self._ask_range(row))

    def _ask_range(self, row: SliderRow) -> None:
        dialog = joints.range_dialog.RangeDialog(row.name, row.low, row.high, row.unit, self.units, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.wanted.connect(lambda low, high: self.write_range(row, low, high) and dialog.accept())
        dialog.open()

    def write_range(self, row: SliderRow, low: float, high: float) -> bool:
        """Write the range of a joint into the text, as one step. False, and said why, where that cannot be done."""

        project, model = self.workspace.project, self.simulation.model
        element = None if model is None else select_object(model, "joint", row.selection.id).element
        found = None if element is None else find(project.document, element)
        if found is None:
            self.said.emit(tr("This joint is not in the text that is open: it cannot be given a range here"))
            return False
        try:
            edits = editing.limit.write_range(*found, low, high, ANGLE if row.unit == "rad" else LENGTH)
            project.apply(tr("Set range of joint"), edits)
        except (editing.pose.NotPlaced, document.element_edit.EditRefused) as error:
            reason = str(error)
            self.said.emit(reason[:1].upper() + reason[1:])
            return False
        self.said.emit(tr("The range of {name} is saved to the model: Undo takes it back", name=row.name))
        return True
