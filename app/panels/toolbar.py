"""The toolbar: run, step, reset, keyframes, speed with the achieved rate, camera, automatic reload."""

from __future__ import annotations

import math

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QToolBar, QToolButton, QWidget

from app.actions.build import Actions
from app.settings.icons import icon
from app.workspace.view import View
from engine.model.kinds import name_of
from engine.run.clock import SPEEDS, speed_text

FREE = "Free camera"
TRACKING = "Tracking camera"
LEAST_BOX = 46  # the smallest width of a box, pixels


class _Rate(QLabel):
    """Its width does not depend on its text, and it gives way first in a narrow window."""

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("00000.00×") + 8, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


class ToolBar(QToolBar):
    def __init__(self, view: View, actions: Actions, parent: QWidget):
        super().__init__("Toolbar", parent)
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setIconSize(QSize(20, 20))
        self._view, self._simulation, self._actions = view, view.simulation, actions
        simulation = view.simulation
        for name in ("file.open", "file.reload", "file.auto_reload"):
            self.addAction(actions[name])
        self.addSeparator()
        for name in ("sim.reset", "sim.back", "sim.toggle", "sim.step"):
            self.addAction(actions[name])
        self.keys = QComboBox(self)
        self.keys.setToolTip("Reset to a keyframe")
        self.keys.activated.connect(self._choose_key)
        self.addSeparator()
        self.addWidget(self.keys)
        self.speed = QComboBox(self)
        self.speed.setToolTip("Speed: simulated time per real time (-, =)")
        for value in SPEEDS:
            self.speed.addItem(speed_text(value), value)
        self.speed.activated.connect(lambda index: simulation.set_speed(SPEEDS[index]))
        self.rate = _Rate(self)
        self.rate.setObjectName("dim")
        self.rate.setToolTip("Achieved speed")
        self.rate.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.addSeparator()
        self.addWidget(self.speed)
        self.addWidget(self.rate)
        self.addSeparator()
        self.cameras = QComboBox(self)
        self.cameras.setToolTip("Camera ([, ], Esc)")
        self.cameras.activated.connect(self._choose_camera)
        self.addWidget(self.cameras)
        for box in (self.keys, self.cameras):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
            box.setMaximumWidth(220)
        boxes = {self.keys: "Keyframe", self.speed: "Speed", self.cameras: "Camera"}
        for box, name in boxes.items():
            box.setAccessibleName(name)
            box.setMinimumWidth(LEAST_BOX)
            box.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        simulation.model_changed.connect(self.set_model)
        simulation.run_changed.connect(self.refresh)
        simulation.snapshot_changed.connect(self.refresh)
        view.camera_changed.connect(self.show_camera)
        actions["file.auto_reload"].toggled.connect(self.show_auto_reload)
        self.show_auto_reload(actions["file.auto_reload"].isChecked())
        overflow = self.findChild(QToolButton, "qt_toolbar_ext_button")
        assert overflow is not None
        overflow.setIcon(icon("more"))
        overflow.setToolTip("More")
        self.set_model()

    def set_model(self) -> None:
        model = self._simulation.model
        blockers = [QSignalBlocker(self.keys), QSignalBlocker(self.cameras)]
        self.keys.clear()
        self.keys.addItem("Keyframes")
        self.cameras.clear()
        self.cameras.addItem(FREE)
        if model is not None:
            for i in range(model.nkey):
                self.keys.addItem(name_of(model, "key", i))
            for i in range(model.ncam):
                self.cameras.addItem(name_of(model, "camera", i))
        self.keys.setEnabled(model is not None and model.nkey > 0)
        self.cameras.setEnabled(model is not None)
        del blockers
        self.show_camera()
        self.refresh()

    def refresh(self) -> None:
        """Show the state of the run."""
        simulation, snapshot = self._simulation, self._simulation.snapshot
        action = self._actions["sim.toggle"]
        movable = simulation.model is not None and not simulation.unsimulated
        name = "pause" if simulation.running and not simulation.unsimulated else "play"
        if action.property("shown") != name:
            action.setProperty("shown", name)
            action.setIcon(icon(name))
            action.setText("Pause" if name == "pause" else "Run")
        action.setEnabled(movable)
        self.speed.setEnabled(simulation.model is None or movable)
        self._actions["sim.reset"].setEnabled(simulation.model is not None)
        self._actions["sim.step"].setEnabled(movable and simulation.ready and not simulation.running)
        self._actions["sim.back"].setEnabled(movable and simulation.ready)
        index = SPEEDS.index(simulation.speed) if simulation.speed in SPEEDS else -1
        if self.speed.currentIndex() != index:
            self.speed.setCurrentIndex(index)
        rate = snapshot.rate if snapshot is not None and simulation.model is not None else None
        self.rate.setText(f"{rate:.2f}×" if rate is not None and math.isfinite(rate) else "")

    def show_camera(self) -> None:
        camera = self._view.camera
        blocker = QSignalBlocker(self.cameras)
        tracking = self.cameras.findText(TRACKING)
        is_tracking = camera is not None and camera.type == "tracking"
        if is_tracking and tracking < 0:
            self.cameras.insertItem(1, TRACKING)
        elif not is_tracking and tracking >= 0:
            self.cameras.removeItem(tracking)
        if camera is None or camera.type == "free":
            self.cameras.setCurrentIndex(0)
        elif is_tracking:
            self.cameras.setCurrentIndex(1)
        else:
            self.cameras.setCurrentIndex(1 + camera.fixedcamid)
        del blocker

    def show_auto_reload(self, on: bool) -> None:
        """Show whether changes on disk are followed."""
        self._actions["file.auto_reload"].setIcon(icon("watch" if on else "watch-off"))

    def _choose_key(self, index: int) -> None:
        if index > 0:
            self._simulation.reset(index - 1)
        self.keys.setCurrentIndex(0)

    def _choose_camera(self, index: int) -> None:
        camera = self._view.camera
        is_tracking = camera is not None and camera.type == "tracking"
        if is_tracking and index == 1:
            return
        self._view.set_fixed_camera(index - 1 - is_tracking if index > 0 else -1)
