"""The window on Wayland, without an X server."""

import json
import os
import subprocess
import sys

import pytest

from tests import wayland
from tests.conftest import ROOT
from tests.patience import LIMIT

MODEL = ROOT / "resources" / "models" / "boxes.xml"
MISSES_INPUT = "qt.qpa.wayland: Failed to create grabbing popup."  # the events of QTest are not the compositor's
STEPS = """
import json, os, sys, time, traceback
from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from kinetree import app
from kinetree.app import main
from kinetree.app.viewport import filming
from kinetree.app.window import Window
from kinetree.app.workers.simulation.requests import Pause
from tests.patience import LIMIT

LEFT, NONE, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
found = {}

def until(condition):
    end = time.monotonic() + LIMIT
    while not condition():
        assert time.monotonic() < end
        QTest.qWait(10)

def drag(viewport, start, end, held=NONE):
    QTest.mousePress(viewport, LEFT, held, start)
    QTest.mouseMove(viewport, (start + end) / 2)
    QTest.mouseMove(viewport, end)

def steps(window):
    viewport, view = window.viewport, window.workspace.view
    until(lambda: window.simulation.snapshot is not None and viewport.labels is not None and view.camera is not None)
    until(lambda: viewport.frame_seconds > 0)
    window.simulation.post(Pause())
    found["platform"] = QGuiApplication.platformName()
    found["ratio"] = viewport.devicePixelRatioF()
    found["drawn"] = viewport.grabFramebuffer().size().toTuple(), viewport.size().toTuple()

    before, middle = view.camera.azimuth, viewport.rect().center()
    corner = QPoint(viewport.width() - 60, viewport.height() - 60)
    drag(viewport, corner, corner - QPoint(80, 0))
    QTest.mouseRelease(viewport, LEFT, NONE, corner - QPoint(80, 0))
    found["turned"] = view.camera.azimuth != before

    places = [QPoint(x, y) for y in range(80, viewport.height() - 60, 20) for x in range(120, viewport.width() - 120, 20)]
    hits = ((place, viewport.pick(place.toPointF())) for place in places)
    place = next(place for place, hit in hits if hit is not None and hit.bodyid > 0)
    QTest.mouseDClick(viewport, LEFT, NONE, place)
    until(lambda: window.selection.current.kind)
    found["selected"] = window.selection.current.kind

    viewport.gizmo = None  # its handles may lie there
    drag(viewport, place, place + QPoint(30, -30), CTRL)
    found["held"] = bool(view.perturb.active)
    QTest.mouseRelease(viewport, LEFT, CTRL, place + QPoint(30, -30))

    dock = window.docks["controls"]
    dock.setFloating(True)
    until(lambda: dock.windowHandle() is not None and dock.windowHandle().isExposed())
    found["floats"] = dock.isFloating() and dock.isVisible()
    dock.setFloating(False)
    found["back"] = not dock.isWindow() and dock.isVisible()

    menu = window.menuBar().actions()[0].menu()
    menu.popup(window.mapToGlobal(QPoint(5, 25)))
    until(lambda: menu.windowHandle() is not None and menu.windowHandle().isExposed())
    found["menu"] = menu.windowHandle().transientParent() is window.windowHandle()
    menu.close()

    image = filming.screenshot(window)
    colors = {image.pixel(x, y) for x in range(0, image.width(), 9) for y in range(0, image.height(), 9)}
    found["shot"] = len(colors) > 50
    window.close()

def try_steps(window):
    try:
        steps(window)
    except BaseException:
        traceback.print_exc()
        os._exit(3)

class Watched(Window):
    def __init__(self, *arguments, **named):
        super().__init__(*arguments, **named)
        self.completed.connect(lambda: QTimer.singleShot(0, self, lambda: try_steps(self)))

app.window.Window = Watched
code = main.main(sys.argv[1:])
print(json.dumps(found))
sys.exit(code)
"""
"""A program that is `kinetree`, uses the window as a user would, and prints what it found."""


@pytest.mark.skipif(not wayland.IS_INSTALLED, reason="weston is not installed (apt-get install weston)")
@pytest.mark.parametrize(
    "scale", [1, pytest.param(2, marks=pytest.mark.slow("draws four times the pixels in software"))]
)
def test_the_window_works_without_x11(tmp_path, scale) -> None:
    environment = os.environ | {"KINETREE_CONFIG": str(tmp_path), "PYTHONPATH": str(ROOT)}
    with wayland.compositor((1280 * scale, 800 * scale), scale) as variables:
        wayland.put_on(environment, variables)
        line = [sys.executable, "-P", "-c", STEPS, str(MODEL)]
        done = subprocess.run(line, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=LIMIT)
    said = [each for each in done.stderr.splitlines() if not each.startswith(MISSES_INPUT)]
    assert done.returncode == 0 and not said, done.stderr
    found = json.loads(done.stdout)
    pixels, points = found.pop("drawn")
    assert pixels == [scale * side for side in points]
    expected = dict.fromkeys(("turned", "held", "floats", "back", "menu", "shot"), True)
    assert found == expected | {"platform": "wayland", "ratio": scale, "selected": "body"}
