"""The mouse in a viewport, between two models."""

from pathlib import Path

from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication

from kinetree.app.viewport.viewport import Viewport

BARE = '<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>'


def send(viewport: Viewport, kind: QEvent.Type, x: float, y: float, held: Qt.MouseButton) -> None:
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    place = QPointF(x, y)
    where = QPointF(viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, QMouseEvent(kind, place, where, button, held, Qt.KeyboardModifier.NoModifier))


def test_a_drag_goes_on_while_another_model_comes(open_paused, model_file: Path, rig, qtbot):
    """For a moment there is the new model, with a camera of it, and a snapshot of the old one, which has no camera."""
    bare = model_file.with_name("bare.xml")
    bare.write_text(BARE)
    window = open_paused(bare)
    viewport, simulation, view = window.viewport, window.simulation, window.view
    seen = []

    def drag(*_ignored) -> None:
        view.set_fixed_camera(0)
        seen.append((simulation.model.ncam, simulation.snapshot.model.ncam))
        send(viewport, QEvent.Type.MouseMove, 90, 70, Qt.MouseButton.LeftButton)

    send(viewport, QEvent.Type.MouseButtonPress, 50, 50, Qt.MouseButton.LeftButton)
    simulation.model_changed.connect(drag)
    window.workspace.opening.open(str(model_file))
    qtbot.waitUntil(lambda: bool(seen))
    simulation.model_changed.disconnect(drag)
    assert seen == [(2, 0)]
    qtbot.waitUntil(lambda: simulation.snapshot.model is simulation.model)
    view.set_fixed_camera(-1)
    before = view.camera.azimuth
    send(viewport, QEvent.Type.MouseMove, 130, 70, Qt.MouseButton.LeftButton)
    assert view.camera.azimuth != before
    send(viewport, QEvent.Type.MouseButtonRelease, 130, 70, Qt.MouseButton.NoButton)
