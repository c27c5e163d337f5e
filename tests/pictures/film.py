"""The moving picture of the README: a model is opened, pushed, changed while it moves, and plotted, in the real window.

The window runs slowly, so that a machine without a graphics card draws every frame; the film plays as fast as the
simulation would run.
"""

from __future__ import annotations

import io

from PIL import Image, ImageDraw
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from kinetree.app.workers.simulation import requests
from tests.benchmark.window import wait_until
from tests.pictures.saving import IMAGES
from tests.pictures.stage import RIGHT, Stage, stage

SIZE = 1200, 750  # of the window
SHOWN = 960, 600  # of the film
RATE = 12.5  # frames a second
SLOW = 0.06  # simulated time per real time while it is filmed
MOST = 3_000_000  # bytes
POINTER = ((0, 0), (0, 17), (4, 13), (7, 20), (10, 19), (7, 12), (12, 12))
"""The outline of the mouse pointer, which a picture of the window has not."""


class Film:
    """Frames of a window. `pointer`: where the mouse is, in the window."""

    def __init__(self, shown: Stage):
        self.shown = shown
        self.frames: list[Image.Image] = []
        self.times: list[int] = []
        self.pointer = QPoint(SIZE[0] // 2, SIZE[1] // 2)

    def take(self, seconds: float = 1 / RATE) -> None:
        """One frame, seen for some time."""
        picture = self.shown.grab()
        draw = ImageDraw.Draw(picture)
        outline = [(self.pointer.x() + x * 1.4, self.pointer.y() + y * 1.4) for x, y in POINTER]
        draw.polygon(outline, fill="white", outline="black")
        self.frames.append(picture.resize(SHOWN, Image.Resampling.LANCZOS))
        self.times.append(round(1000 * seconds))

    def point(self, place: QPoint, frames: int = 6) -> None:
        """The mouse goes to a place while the simulation goes on."""
        begin = self.pointer
        for part in range(1, frames + 1):
            self.pointer = begin + (place - begin) * (part / frames)
            self.run(1)

    def point_at(self, widget: QWidget, frames: int = 6) -> None:
        self.point(widget.mapTo(self.shown.window, widget.rect().center()), frames)

    def run(self, frames: int) -> None:
        """Let the simulation go on; while it stands still, time alone goes on."""
        for _ in range(frames):
            snapshot = self.shown.snapshot
            if snapshot is not None and snapshot.running:
                until = snapshot.time + 1 / RATE
                wait_until(lambda until=until: self.shown.snapshot.time >= until)
                QTest.qWait(20)
            self.take()

    def save(self, name: str) -> int:
        """Write docs/images/NAME.webp. Returns its bytes."""
        data = io.BytesIO()
        first, *others = self.frames
        first.save(data, "WEBP", save_all=True, append_images=others, duration=self.times, loop=0, quality=55, method=4)
        assert data.tell() < MOST, f"{data.tell()} bytes: fewer frames, or a lower quality"
        (IMAGES / f"{name}.webp").write_bytes(data.getvalue())
        return data.tell()


def film() -> None:
    """A car is pushed while it drives, and gets larger wheels."""
    with stage("car.xml", SIZE) as shown:
        frame = shown.window.viewports.active
        frame.status.show_text = lambda _text: None  # it would say that the simulation is slow
        frame.status.hide()
        shown.do("file.close")
        QTest.qWait(2000)
        made = Film(shown)
        made.take(0.6)
        _open(shown, made)
        _push(shown, made)
        _plot(shown, made)
        _wheels(shown, made)
        made.run(24)
        made.times[-1] = 1500
        print(f"film: {len(made.frames)} frames, {sum(made.times) / 1000:.1f} s, {made.save('film')} bytes", flush=True)


def _open(shown: Stage, made: Film) -> None:
    made.point(QPoint(400, 330), 8)  # the model that was opened last
    made.take(0.3)
    shown.simulation.post(requests.SetSpeed(SLOW))
    shown.window.open(str(shown.folder / "car.xml"))
    wait_until(lambda: shown.snapshot is not None and shown.snapshot.ready)
    wait_until(lambda: shown.simulation.ready)
    shown.simulation.post(requests.LoadKeyframe("circle"))
    shown.select("body", "car")
    shown.do("camera.track")
    shown.do("edit.move")  # without handles
    shown.camera(120.0, -20.0, 4.4)
    shown.simulation.post(requests.Play())
    wait_until(lambda: shown.snapshot.running)
    made.run(18)


def _push(shown: Stage, made: Film) -> None:
    window = shown.window
    car = shown.simulation.model.names["body"].index("car")

    def seen() -> QPoint:
        return shown.place(shown.snapshot.xpos[car])

    made.point(window.viewport.mapTo(window, seen()), 5)
    made.run(2)
    place = seen()
    shown.begin_drag([place], RIGHT)
    for part in range(1, 15):
        there = place + QPoint(round(6 * part), round(-13 * part))
        shown.drag_on(there, RIGHT)
        made.pointer = window.viewport.mapTo(window, there)
        made.run(1)
    shown.end_drag(there, RIGHT)
    made.run(12)


def _plot(shown: Stage, made: Film) -> None:
    panel = shown.panel("plots")
    wait_until(lambda: bool(panel.plots))
    made.run(2)
    plot = panel.plots[0]
    assert plot.add('norm(sensor("speed"))') and plot.add('actuator("drive").force')
    made.run(14)


def _wheels(shown: Stage, made: Film) -> None:
    """The tyres of all wheels, by their default class."""
    from kinetree.app.workspace.selection import select_element

    project = shown.window.project
    (tyre,) = [
        node for node in project.document.root.iter() if node.tag == "geom" and node.parent.get("class") == "tyre"
    ]
    made.point(shown.window.docks["tree"].mapTo(shown.window, QPoint(90, 300)), 4)
    shown.window.selection.select(select_element(shown.simulation.model, tyre))
    made.run(5)
    form = shown.window.inspector.form
    form.complete()
    row = form.row("size")
    made.point_at(row, 5)
    numbers = row.editor.numbers
    for size in ("0.2", "0.24", "0.28"):
        numbers.edit(0)
        numbers.editor.selectAll()
        QTest.keyClicks(numbers.editor, size)
        made.run(2)
        QTest.keyClick(numbers.editor, Qt.Key.Key_Return)
        made.run(8)
    assert 'size="0.28 0.06"' in project.texts.text(project.path)
