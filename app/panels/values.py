"""The panel of controls and joints: a slider for each, which shows the value in its range."""

from __future__ import annotations

import math

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QTabWidget, QWidget

from app.panels.sliders import Row, SliderTable
from app.panels.tree import JOINTS
from app.workspace.selection import Selection
from engine.model.enums import JNT_HINGE, JNT_SLIDE
from engine.model.kinds import JOINT_NQ, name_of


def control_rows(model) -> list[Row]:
    """One row for each actuator. Without a control range the slider goes from -1 to 1."""
    rows = []
    for i in range(model.nu):
        low, high = (float(value) for value in model.actuator_ctrlrange[i])
        limited = bool(model.actuator_ctrllimited[i]) and low < high
        if not limited:
            low, high = -1.0, 1.0
        name, selection = name_of(model, "actuator", i), Selection("actuator", i)
        rows.append(Row(name, selection, i, 1, low, high, limited, ""))
    return rows


def joint_rows(model) -> list[Row]:
    """One row for each joint. Ball and free joints are shown as numbers, without a slider."""
    rows = []
    for i in range(model.njnt):
        kind, address = int(model.jnt_type[i]), int(model.jnt_qposadr[i])
        limited = bool(model.jnt_limited[i])
        low, high = (float(value) for value in model.jnt_range[i])
        if not limited or not low < high:
            reach = math.pi if kind == JNT_HINGE else 1.0
            low, high, limited = -reach, reach, False
        names = model.names.get("joint", [])
        name = names[i] if i < len(names) else ""
        if not name:
            name = f"{name_of(model, 'body', int(model.jnt_bodyid[i]))} ({JOINTS.get(kind, 'joint')})"
        unit = {JNT_HINGE: "rad", JNT_SLIDE: "m"}.get(kind, "")
        rows.append(Row(name, Selection("joint", i), address, JOINT_NQ[kind], low, high, limited, unit))
    return rows


class ValuesPanel(QTabWidget):
    """Tabs of controls and joints. `ctrl(actuator, value)`, `qpos(address, value)`, `picked(Selection)`."""

    ctrl = Signal(int, float)
    qpos = Signal(int, float)
    picked = Signal(object)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setDocumentMode(True)
        self.controls, self.joints = SliderTable(self), SliderTable(self)
        self.addTab(self.controls, "Controls")
        self.addTab(self.joints, "Joints")
        self.controls.changed.connect(lambda row, value: self.ctrl.emit(row.address, value))
        self.joints.changed.connect(lambda row, value: self.qpos.emit(row.address, value))
        self.currentChanged.connect(self._show_values)
        self._snapshot = None
        self.controls.picked.connect(self.picked)
        self.joints.picked.connect(self.picked)

    def set_model(self, model) -> None:
        for table, what in ((self.controls, "actuators"), (self.joints, "joints")):
            table.view.empty = f"This model has no {what}." if model is not None else ""
        self.controls.model.set_rows(control_rows(model) if model is not None else [])
        self.joints.model.set_rows(joint_rows(model) if model is not None else [])
        self._snapshot = None

    def set_snapshot(self, snapshot) -> None:
        """Show the values of a state: in the visible tab now, in the other one when it becomes visible."""
        self._snapshot = snapshot
        self._show_values()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_values()

    def _show_values(self) -> None:
        if self.isVisible() and self._snapshot is not None:
            if self.currentWidget() is self.controls:
                self.controls.model.set_values(self._snapshot.ctrl)
            else:
                self.joints.model.set_values(self._snapshot.qpos)
