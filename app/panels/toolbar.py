"""The toolbar: run, step, reset, keyframes, speed with the achieved rate, camera, automatic reload."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QComboBox, QLabel, QToolBar, QToolButton, QWidget

from kinetree.app.menus.build import Actions
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.readouts import rate_text
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.camera_choices import camera_choices
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.model.kinds import name_of
from kinetree.engine.run.clock import SPEEDS, speed_text
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.run.snapshot import Snapshot

BOX_LENGTH = 15  # characters of a box, whatever the model has; its list is as wide as its names
MOST_LIST = 480  # the greatest width of the list of a box, pixels
LEAST_BOX = 46  # the smallest width of a box, pixels


class _Rate(QLabel):
    """Label of the achieved rate. Its width does not depend on its text, and it shrinks first in a narrow window."""

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance("00000.00×") + 8, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


class ToolBar(QToolBar):
    def __init__(self, workspace: Workspace, actions: Actions, parent: QWidget):
        super().__init__(tr("Toolbar"), parent)
        self.setObjectName("toolbar")
        self.setMovable(False)
        self.setIconSize(QSize(20, 20))
        self._workspace, self._simulation, self._actions = workspace, workspace.simulation, actions
        simulation = workspace.simulation
        for name in ("file.open", "file.reload", "file.auto_reload"):
            self.addAction(actions[name])
        self.addSeparator()
        for name in ("sim.reset", "sim.back", "sim.toggle", "sim.step"):
            self.addAction(actions[name])
        self.keys = ComboBox(self)
        self.keys.activated.connect(self._choose_key)
        self.addSeparator()
        self.addWidget(self.keys)
        self.addAction(actions["sim.save_key"])
        self.speed = ComboBox(self)
        for value in SPEEDS:
            self.speed.addItem(tr(speed_text(value)), value)
        self.speed.activated.connect(lambda index: simulation.post(requests.SetSpeed(SPEEDS[index])))
        self.rate = _Rate(self)
        self.rate.setObjectName("dim")
        self.rate.setToolTip(tr("Achieved speed"))
        self.rate.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.addSeparator()
        self.addWidget(self.speed)
        self.addWidget(self.rate)
        self.addSeparator()
        self.cameras = ComboBox(self)
        self.cameras.activated.connect(self._choose_camera)
        self.addWidget(self.cameras)
        for box in (self.keys, self.cameras):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(BOX_LENGTH)
        boxes = {self.keys: tr("Keyframe"), self.speed: tr("Speed"), self.cameras: tr("Camera")}
        for box, name in boxes.items():
            box.setAccessibleName(name)
            box.setMinimumWidth(LEAST_BOX)
            box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        simulation.model_changed.connect(self.set_model)
        simulation.run_changed.connect(self.refresh)
        simulation.snapshot_changed.connect(self.refresh)
        workspace.camera_changed.connect(self.show_camera)
        workspace.selection.changed.connect(self.show_camera)
        actions["file.auto_reload"].toggled.connect(self.show_auto_reload)
        self.show_auto_reload(actions["file.auto_reload"].isChecked())
        overflow = self.findChild(QToolButton, "qt_toolbar_ext_button")
        assert overflow is not None
        overflow.setIcon(icon("more"))
        overflow.setToolTip(tr("More"))
        actions.keys_changed.connect(lambda _name: self._show_keys())
        self._show_keys()
        self.set_model()

    def _show_keys(self) -> None:
        """Say in the tool tips of the boxes which keys do the same."""
        for box, tip, names in (
            (self.speed, tr("Speed: simulated time per real time"), ("sim.slower", "sim.faster")),
            (self.cameras, tr("Camera"), ("camera.previous", "camera.next", "camera.free")),
        ):
            keys = ", ".join(filter(None, map(self._actions.key_text, names)))
            box.setToolTip(f"{tip} ({keys})" if keys else tip)

    def set_model(self) -> None:
        model = self._simulation.model
        keys = [] if model is None else [name_of(model, "key", i) for i in range(model.nkey)]
        if keys != [self.keys.itemText(i) for i in range(self.keys.count())]:
            blocker = QSignalBlocker(self.keys)
            self.keys.clear()
            self.keys.addItems(keys)
            _widen_list(self.keys)
            del blocker
        self.keys.setEnabled(bool(keys))
        self.cameras.setEnabled(model is not None)
        self.show_camera()
        self.refresh()

    def _show_key(self, snapshot: Snapshot | None) -> None:
        """Show the keyframe that the state is, or the one that it came from."""
        key, origin = None, ""
        if snapshot is not None and snapshot.model is self._simulation.model:
            key, origin = snapshot.key(), snapshot.course.origin(snapshot.step).name
        names = [self.keys.itemText(i) for i in range(self.keys.count())]
        index = -1 if key is None or key >= len(names) else key
        text = tr("from {name}", name=origin) if origin else tr("Keyframes")
        if (index, text) != (self.keys.currentIndex(), self.keys.placeholderText()):
            self.keys.setPlaceholderText(text)
            self.keys.setCurrentIndex(index)
            self.keys.setToolTip(
                tr("The state is the keyframe {name}. Choose a keyframe to go on from it", name=names[index])
                if index >= 0
                else tr("The state came from {name} and has left it. Choose a keyframe to go on from it", name=origin)
                if origin
                else tr("Choose a keyframe to go on from it")
            )

    def refresh(self) -> None:
        """Show the state of the run."""
        simulation, snapshot = self._simulation, self._simulation.snapshot
        action = self._actions["sim.toggle"]
        movable = simulation.model is not None and not simulation.unsimulated
        name = "pause" if simulation.running and not simulation.unsimulated else "play"
        if action.property("shown") != name:
            action.setProperty("shown", name)
            action.setIcon(icon(name))
            action.setText(tr("Pause") if name == "pause" else tr("Run"))
        action.setEnabled(movable)
        self.speed.setEnabled(simulation.model is None or movable)
        self._actions["sim.reset"].setEnabled(simulation.model is not None)
        self._actions["sim.step"].setEnabled(movable and simulation.ready and not simulation.running)
        self._actions["sim.back"].setEnabled(movable and simulation.ready)
        index = SPEEDS.index(simulation.speed) if simulation.speed in SPEEDS else -1
        if self.speed.currentIndex() != index:
            self.speed.setCurrentIndex(index)
        self._show_rate(snapshot)
        self._show_key(snapshot)

    def _show_rate(self, snapshot) -> None:
        text = rate_text(snapshot.rate) if snapshot is not None and self._simulation.model is not None else ""
        if text != self.rate.text():
            self.rate.setText(text)

    def show_camera(self) -> None:
        """Offer the cameras, and show the one that the active view looks through."""
        choices = camera_choices(self._workspace.view)
        texts = [choice.text for choice in choices]
        blocker = QSignalBlocker(self.cameras)
        if texts != [self.cameras.itemText(i) for i in range(self.cameras.count())]:
            self.cameras.clear()
            self.cameras.addItems(texts)
            _widen_list(self.cameras)
        self.cameras.setCurrentIndex(next((i for i, choice in enumerate(choices) if choice.is_chosen), 0))
        del blocker

    def show_auto_reload(self, on: bool) -> None:
        """Show whether changes on disk are followed."""
        self._actions["file.auto_reload"].setIcon(icon("watch" if on else "watch-off"))

    def _choose_key(self, index: int) -> None:
        if index >= 0:
            self._simulation.post(requests.LoadKeyframe(index))

    def _choose_camera(self, index: int) -> None:
        view = self._workspace.view
        camera_choices(view)[index].choose(view)


def _widen_list(box: QComboBox) -> None:
    """Make the list of a box as wide as its names."""
    names = [box.fontMetrics().horizontalAdvance(box.itemText(i)) for i in range(box.count())]
    box.view().setMinimumWidth(min(max(names, default=0) + 40, MOST_LIST))
