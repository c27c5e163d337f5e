"""Real windows on small models, under the virtual screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinetree.app import overrides
from kinetree.app.workers.simulation import requests
from tests.patience import wait_for as wait_for

overrides.install()  # as the program does: before any class is made from one of Qt

MODEL = """<mujoco model="rig">
  <worldbody>
    <light name="sun" pos="0 0 4" dir="0 0 -1"/>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <camera name="front" pos="0 -3 1" xyaxes="1 0 0 0 0 1"/>
    <camera name="above" pos="0 0 4"/>
    <body name="base" pos="0 0 1"><!-- kinetree: disable=overlap-at-rest -->
      <geom name="hub" type="sphere" size=".1" mass="1"/>
      <body name="arm" pos="0 0 0">
        <joint name="hinge" axis="0 1 0" range="-90 90" damping=".1"/>
        <geom name="rod" type="capsule" fromto="0 0 0 .5 0 0" size=".05" mass=".5"/>
        <site name="tip" pos=".5 0 0"/>
      </body>
    </body>
    <body name="box" pos="0 1 .5"><freejoint name="float"/><geom name="cube" type="box" size=".2 .2 .2"/></body>
    <body name="target" mocap="true" pos="1 0 .5">
      <geom name="ghost" type="sphere" size=".1" contype="0" conaffinity="0" rgba="1 0 0 .5"/>
    </body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge" ctrlrange="-2 2"/></actuator>
  <keyframe><key name="up" qpos="-1 0 1 .5 1 0 0 0"/></keyframe>
</mujoco>
"""

FLAWED = """<mujoco>
  <asset><material name="idle"/></asset>
  <worldbody>
    <body><freejoint/><geom size=".1"/></body>
    <body pos=".1 0 0"><freejoint/><geom size=".1"/></body>
  </worldbody>
</mujoco>
"""
"""A model that compiles, with two findings of the checks: a material without use, geoms that overlap."""


@pytest.fixture(scope="session")
def rig():
    """The small model, its kernels compiled."""
    import kinetree
    from kinetree.engine.run.warmup import warmup

    model = kinetree.load_string(MODEL)
    assert warmup(model)
    return model


@pytest.fixture(autouse=True)
def no_button_held():
    """The next test begins with no button of the mouse held: Qt remembers those of the last event, for the whole program,
    and a drag that a key ended has no release."""
    yield
    from PySide6.QtCore import Qt
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication, QWidget

    if QApplication.instance() is None:
        return
    held = QGuiApplication.mouseButtons()
    for button in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton):
        if held & button:
            QTest.mouseRelease(QWidget(), button)
    assert QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton


@pytest.fixture
def offline(monkeypatch):
    """Check for Updates sends no request."""
    from kinetree.app.updates.check import UpdateCheck

    monkeypatch.setattr(UpdateCheck, "start", lambda check: None)


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    path = tmp_path / "rig.xml"
    path.write_text(MODEL)
    return path


def save_over(path: Path, text: str) -> None:
    """Replace a file that is watched, at once. One that is written in place is empty for a moment; on a busy machine that
    moment is long enough to be a change of its own."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


@pytest.fixture
def settings(tmp_path):
    from kinetree.app.settings.settings import Settings

    return Settings(str(tmp_path / "config"))


@pytest.fixture
def make_window(qtbot, settings):
    """make_window(path or None, physics=True): a shown window, its model drawn and its physics ready. With `physics` it is
    made in two parts, as the program makes it, else at once: nothing has run yet."""
    from PySide6.QtWidgets import QApplication

    from kinetree.app.settings import theme
    from kinetree.app.window import Window

    windows = []

    def make(path=None, physics=True, size=(900, 560)):
        application = QApplication.instance()
        if application.style().objectName() != "fusion" and not application.styleSheet():
            application.setStyle("Fusion")
        theme.apply(application, theme.choose("dark"))
        window = Window(settings, complete=not physics)
        windows.append(window)
        qtbot.addWidget(window, before_close_func=lambda each: each.close_anyway())
        window.resize(*size)
        window.show()
        if path is not None:
            window.open(str(path))
        if physics:
            window.complete_soon()
            qtbot.waitUntil(lambda: window.is_complete)
        if path is not None:
            if physics:
                qtbot.waitUntil(lambda: window.simulation.ready)
                qtbot.waitUntil(
                    lambda: window.simulation.snapshot is not None and window.simulation.snapshot.ready,
                )
        return window

    yield make
    for window in windows:
        window.close_anyway()


@pytest.fixture
def open_paused(make_window, qtbot):
    """open_paused(path): a shown window with a model that is paused at its start, the viewport in focus."""

    def make(path, **more):
        window = make_window(**more)
        window.simulation.post(requests.Pause())
        window.open(str(path))
        simulation = window.simulation
        qtbot.waitUntil(lambda: simulation.snapshot is not None and simulation.snapshot.ready)
        window.activateWindow()
        window.viewport.setFocus()
        qtbot.waitUntil(window.viewport.hasFocus)
        return window

    return make


@pytest.fixture
def window(open_paused, model_file, rig):
    """The rig, paused at its start."""
    return open_paused(model_file)
