"""The pictures of the tutorial, docs/tutorial: each function does what its step tells the reader to do."""

from __future__ import annotations

from collections.abc import Callable

from PIL import Image, ImageDraw, ImageFont
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QWidget

from kinetree.app.workers.simulation import requests
from tests.benchmark.window import wait_until
from tests.pictures.saving import save
from tests.pictures.stage import RIGHT, Stage, stage

MODEL = "arm.xml"
CLOSE = 152.0, -18.0, 1.55, (0.2, 0.02, 0.45)
"""Azimuth, elevation, distance and point of a camera that sees the arm and the table."""
SMALL_RANGE = 20
ACCENT = "#f0603f"


def start() -> None:
    """The start page."""
    with stage(MODEL) as shown:
        shown.do("file.close")
        QTest.qWait(2500)  # thumbnails
        print(f"tutorial/start: {'written' if save(shown.grab(), 'tutorial/start') else 'as before'}", flush=True)


def window() -> None:
    """The parts of the window, with numbers on them."""
    with stage(MODEL) as shown:
        shown.camera(*CLOSE)
        shown.at(1.0)
        shown.settle()
        window = shown.window
        tabs = next(
            bar for bar in window.findChildren(QTabBar) if bar.tabText(0) == window.docks["controls"].windowTitle()
        )
        parts: list[tuple[QWidget, float, float]] = [
            (window.toolbar, 0.72, 0.35),
            (window.docks["tree"], 0.5, 0.01),
            (window.viewport, 0.55, 0.06),
            (tabs, tabs.tabRect(0).center().x() / tabs.width(), -0.7),
            (window.docks["inspector"], 0.5, 0.02),
            (window.timeline, 0.5, 0.2),
        ]
        picture = _numbered(shown, parts)
        print(f"tutorial/window: {'written' if save(picture, 'tutorial/window') else 'as before'}", flush=True)


def _numbered(shown: Stage, parts: list[tuple[QWidget, float, float]]) -> Image.Image:
    picture = shown.grab()
    draw = ImageDraw.Draw(picture)
    font = ImageFont.load_default(22)
    for number, (widget, across, down) in enumerate(parts, 1):
        place = widget.mapTo(shown.window, QPoint(round(across * widget.width()), round(down * widget.height())))
        x, y, radius = place.x(), place.y() + 8, 17
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=ACCENT, outline="white", width=2)
        draw.text((x, y), str(number), fill="white", font=font, anchor="mm")
    return picture


def push() -> None:
    """The hand is pulled away from the green ball while the simulation runs."""
    with stage(MODEL) as shown:
        shown.camera(*CLOSE)
        shown.at(0.5)
        shown.select("body", "hand")
        shown.settle()
        begin = shown.place(shown.snapshot.xpos[shown.simulation.model.names["body"].index("hand")])
        shown.simulation.post(requests.Play())
        wait_until(lambda: shown.snapshot.running)
        path = [begin + QPoint(round(140 * part / 12), round(-90 * part / 12)) for part in range(13)]
        shown.begin_drag(path, RIGHT)
        QTest.qWait(1500)
        shown.save("tutorial/push")
        shown.end_drag(path[-1], RIGHT)


def steps() -> None:
    """A state of the past, and marks in the timeline."""
    with stage(MODEL) as shown:
        shown.camera(*CLOSE)
        shown.at(1.5)
        shown.simulation.post(requests.LoadKeyframe("deliver"))
        shown.simulation.post(requests.SetControl(6, 0.0))
        shown.run_until(2.5)
        shown.settle()
        last = shown.snapshot.last
        shown.simulation.post(requests.Seek(last - 450))
        wait_until(lambda: shown.snapshot.behind == 450)
        shown.save("tutorial/steps")


def joint() -> None:
    """The upper limit of the elbow is another one, by the inspector."""
    with stage(MODEL) as shown:
        shown.camera(*CLOSE)
        shown.at(1.0)
        shown.select("joint", "elbow")
        shown.settle()
        form = shown.window.inspector.form
        form.complete()
        row = form.row("range")
        numbers = row.editor.numbers
        numbers.edit(1)
        numbers.editor.selectAll()
        QTest.keyClicks(numbers.editor, str(SMALL_RANGE))
        QTest.keyClick(numbers.editor, Qt.Key.Key_Return)
        _scroll_to(row)
        text = shown.window.project.texts.text(shown.window.project.path)
        assert f'<joint name="elbow" axis="0 1 0" range="-110 {SMALL_RANGE}"/>' in text
        assert shown.window.project.texts.undo_names == ["Set range"]
        wait_until(lambda: shown.simulation.model.jnt_range[2, 1] < 0.5)
        shown.save("tutorial/joint")


def _scroll_to(widget: QWidget) -> None:
    from PySide6.QtWidgets import QScrollArea

    area = widget.parentWidget()
    while not isinstance(area, QScrollArea):
        area = area.parentWidget()
    area.ensureWidgetVisible(widget, 0, 120)


def source() -> None:
    """An error in the text, marked where it was typed; the last good model stays."""
    with stage(MODEL) as shown:
        shown.camera(*CLOSE)
        shown.at(1.0)
        editor = _open_source(shown)
        good = 'name="elbow" axis="0 1 0" range="-110 100"'
        offset = editor.text.index(good) + len(good) - 1
        editor.select(offset - 3, offset)
        QTest.keyClicks(editor, "1OO")
        wait_until(lambda: any("1OO" in each.message for each in shown.window.compiler.result.diagnostics))
        shown.save("tutorial/source")
        shown.do("edit.undo")
        wait_until(lambda: good in editor.text)
        end = editor.text.index(good) - 1
        editor.select(end, end)
        QTest.keyClicks(editor, " dam")
        shown.do("source.complete")
        QTest.qWait(1000)
        shown.save("tutorial/completion", shown.window.docks["source"], margin=4)


def _open_source(shown: Stage):
    shown.do("source.show")
    wait_until(lambda: shown.window.source.editor is not None)
    editor = shown.window.source.editor
    editor.setFocus()
    QTest.qWait(300)
    return editor


def plots() -> None:
    """Curves of a joint and of a sensor while a slider was moved."""
    with stage(MODEL) as shown:
        shown.camera(*CLOSE)
        panel = shown.panel("plots")
        shown.simulation.post(requests.Reset())
        wait_until(lambda: bool(panel.plots))
        panel.add_quantities(['joint("yaw").qpos', 'joint("elbow").qpos'])
        plot = panel.add_plot()
        assert plot.add('norm(sensor("wrist_force"))'), "the text of the tutorial"
        shown.at(1.0)
        for value, until in ((0.6, 2.0), (-0.6, 3.0), (0.0, 4.0)):
            shown.simulation.post(requests.SetControl(0, value))
            shown.run_until(until)
        shown.settle()
        shown.save("tutorial/plots")


def contacts() -> None:
    """Fingers hold a cube: forces and friction cones."""
    with stage(MODEL) as shown:
        shown.simulation.post(requests.LoadKeyframe("lift"))
        shown.run_until(0.6)
        shown.camera(170.0, -12.0, 0.3, (0.3, 0.158, 0.42))
        panel = shown.panel("contacts")
        panel.filter.setText("pad")
        wait_until(lambda: panel.model.rowCount() > 0)
        shown.settle()
        panel.view.selectAll()
        shown.save("tutorial/contacts")


def pose() -> None:
    """The arm is posed by its hand, and the pose is a keyframe."""
    with stage(MODEL) as shown:
        shown.camera(*CLOSE)
        shown.at(0.2)
        equalities = shown.panel("equalities")
        shown.settle()
        (row,) = [row for row in equalities.model.rows if row.name == "follow"]
        equalities.switch(row, False)
        keyframes = shown.panel("keyframes")
        shown.select("body", "hand")
        shown.settle()
        begin = shown.place(shown.snapshot.xpos[shown.simulation.model.names["body"].index("hand")])
        path = [begin + QPoint(round(110 * part / 30), round(80 * part / 30)) for part in range(31)]
        shown.begin_drag(path, RIGHT)
        QTest.qWait(1500)
        shown.end_drag(path[-1], RIGHT)
        QTest.qWait(300)
        keyframes.save()
        wait_until(lambda: shown.simulation.model.nkey == 5)
        shown.save("tutorial/pose")


def film() -> None:
    """The dialog of a video of the past."""
    with stage(MODEL) as shown:
        shown.camera(*CLOSE)
        shown.at(3.0)
        shown.do("file.video")
        QTest.qWait(800)
        dialog = QApplication.activeModalWidget()
        assert dialog is not None
        shown.save("tutorial/film", dialog, margin=60)
        dialog.close()


PICTURES: dict[str, Callable[[], None]] = {
    f"tutorial/{make.__name__}": make
    for make in (start, window, push, steps, joint, source, plots, contacts, pose, film)
}
