"""A real window on a copy of our models, driven as a user drives it, for pictures.

with stage("arm") as shown:
    shown.at(1.5)
    shown.save("tutorial/open")
"""

from __future__ import annotations

import contextlib
import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from PIL import Image
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QCursor, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from kinetree.app.workers.simulation import requests
from tests.benchmark.window import opened, wait_until
from tests.pictures.saving import ROOT, save

MODELS = ROOT / "resources" / "models"
SIZE = 1280, 800
CTRL = Qt.KeyboardModifier.ControlModifier
NO_KEY = Qt.KeyboardModifier.NoModifier
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton


class Stage:
    """A window and what pictures need of it.

    folder  the copies of the models that it may change
    """

    def __init__(self, window: Any, folder: Path):
        self.window, self.folder = window, folder
        self.simulation, self.actions = window.simulation, window.actions_
        self._written: list[str] = []

    # ---- the simulation ---------------------------------------------------------------------------------

    def at(self, seconds: float) -> None:
        """The state after so many seconds from the start, paused: the same each time."""
        self.pause()
        self.simulation.post(requests.Reset())
        wait_until(lambda: self.snapshot.time == 0.0)
        self.run_until(seconds)

    def run_until(self, seconds: float) -> None:
        """Simulate on to a time, and pause there."""
        from kinetree.engine.run.until import Until

        self.simulation.post(requests.SetSpeed(float("inf")))
        self.simulation.post(requests.RunUntil(Until(f"{seconds} s", time=seconds)))
        self.simulation.post(requests.Play())
        wait_until(lambda: not self.snapshot.running and self.snapshot.time >= seconds - 1e-6)
        self.simulation.post(
            requests.Pause()
        )  # where it stopped before a picture of it, the window takes it for running
        self.simulation.post(requests.SetSpeed(1.0))

    def pause(self) -> None:
        self.simulation.post(requests.Pause())
        wait_until(lambda: not self.snapshot.running)

    @property
    def snapshot(self) -> Any:
        return self.simulation.snapshot

    # ---- the window -------------------------------------------------------------------------------------

    def do(self, action: str) -> None:
        """Choose a menu entry by its id."""
        self.actions[action].trigger()
        QTest.qWait(50)

    def panel(self, name: str) -> Any:
        """The panel of a dock, opened and in view."""
        dock = self.window.docks[name]
        dock.bring_up()
        wait_until(lambda: dock.in_view and (not hasattr(dock.panel, "in_view") or dock.panel.in_view))
        return dock.panel

    def select(self, kind: str, name: str) -> None:
        """Select an object of the model by its name."""
        from kinetree.app.workspace.selection import select_object

        model = self.simulation.model
        self.window.selection.select(select_object(model, kind, model.names[kind].index(name)))

    def camera(self, azimuth: float, elevation: float, distance: float, lookat: Sequence[float] | None = None) -> None:
        camera = self.window.workspace.view.camera
        camera.azimuth, camera.elevation, camera.distance = azimuth, elevation, distance
        if lookat is not None:
            camera.lookat[:] = lookat
        self.window.viewport.update()

    def place(self, point: Sequence[float]) -> QPoint:
        """Where a point of the world is in the viewport."""
        from kinetree.app.viewport.painting import pixels

        viewport = self.window.viewport
        (place,) = pixels(viewport.eye(), point, (viewport.width(), viewport.height()))
        return place.toPoint()

    def mouse(
        self, kind: QEvent.Type, place: QPoint, button: Qt.MouseButton, held: Qt.KeyboardModifier = NO_KEY
    ) -> None:
        """An event of the mouse in the viewport."""
        viewport = self.window.viewport
        moves = kind == QEvent.Type.MouseMove
        pressed = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseButtonRelease else button
        where = QPointF(viewport.mapToGlobal(QPointF(place)))
        event = QMouseEvent(kind, QPointF(place), where, Qt.MouseButton.NoButton if moves else button, pressed, held)
        QApplication.sendEvent(viewport, event)

    def begin_drag(self, path: Sequence[QPoint], button: Qt.MouseButton, held: Qt.KeyboardModifier = CTRL) -> None:
        """Press at the first place of a path and go through the others; the button stays down."""
        self.mouse(QEvent.Type.MouseButtonPress, path[0], button, held)
        for place in path[1:]:
            self.drag_on(place, button, held)

    def drag_on(self, place: QPoint, button: Qt.MouseButton, held: Qt.KeyboardModifier = CTRL) -> None:
        """Go on with a drag."""
        self.mouse(QEvent.Type.MouseMove, place, button, held)
        QTest.qWait(30)

    def end_drag(self, place: QPoint, button: Qt.MouseButton, held: Qt.KeyboardModifier = CTRL) -> None:
        self.mouse(QEvent.Type.MouseButtonRelease, place, button, held)

    # ---- the picture ------------------------------------------------------------------------------------

    def settle(self, quiet: float = 1.2) -> None:
        """Wait until no frame was drawn for so many seconds, lists are filled, and messages over the picture are gone."""
        drawn = [time.monotonic()]
        viewports = [frame.viewport for frame in self.window.viewports.frames]
        queue = self.window.workspace.idle_queue

        def draw(_model: object) -> None:
            drawn.append(time.monotonic())

        for viewport in viewports:
            viewport.drawn.connect(draw)
        begun = time.monotonic()
        wait_until(
            lambda: (
                (time.monotonic() - drawn[-1] > quiet or (self.snapshot.running and time.monotonic() - begun > 3.0))
                and not queue._waiting
                and not self.window.viewports.active.said.isVisible()
            )
        )
        for viewport in viewports:
            viewport.drawn.disconnect(draw)

    def grab(self, *widgets: QWidget, margin: int = 0) -> Image.Image:
        """A picture of the whole window, or of the part around some widgets, as the screen shows it: with menus and
        dialogs that stand over it."""
        window = self.window
        pixmap = window.screen().grabWindow(0)
        image = pixmap.toImage().convertToFormat(QImage.Format.Format_RGBA8888)
        whole = Image.frombuffer(
            "RGBA", (image.width(), image.height()), bytes(image.constBits()), "raw", "RGBA", image.bytesPerLine(), 1
        ).convert("RGB")
        corner = window.mapToGlobal(QPoint(0, 0))
        box = QRect(corner, window.size())
        if widgets:
            box = QRect()
            for widget in widgets:
                box = box.united(QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size()))
            box = box.adjusted(-margin, -margin, margin, margin).intersected(QRect(corner, window.size()))
        return whole.crop((box.left(), box.top(), box.right() + 1, box.bottom() + 1))

    def save(self, name: str, *widgets: QWidget, margin: int = 0) -> Image.Image:
        """Write docs/images/NAME.webp."""
        self.settle()
        picture = self.grab(*widgets, margin=margin)
        print(f"{name}: {'written' if save(picture, name) else 'as before'}", flush=True)
        return picture


@contextlib.contextmanager
def stage(model: str, size: tuple[int, int] = SIZE, quality: bool = False) -> Iterator[Stage]:
    """A window on a model of resources/models, whose physics is ready; paused at the start. Needs a display."""
    from kinetree.engine.scene.effects import Preset, set_preset

    folder = Path(tempfile.mkdtemp(prefix="kinetree"))
    shutil.copytree(MODELS, folder / "models")
    try:
        with opened(folder / "models" / model, size, runs=False) as (window, failures):
            window.move(0, 0)
            shown = Stage(window, folder / "models")
            wait_until(lambda: window.simulation.ready)
            shown.pause()
            if quality:
                set_preset(window.workspace.view.options, Preset.QUALITY)
            window.viewports.active.viewport.set_may_reduce(False)
            window.statusBar().hide()  # names the folder
            QCursor.setPos(QApplication.primaryScreen().geometry().bottomRight())  # over nothing of the window
            QApplication.setCursorFlashTime(0)  # a caret that blinks is another picture
            window.activateWindow()
            window.viewport.setFocus()
            yield shown
            assert not failures, failures
    finally:
        shutil.rmtree(folder)
