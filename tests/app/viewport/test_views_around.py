"""Local reflections of the model are drawn after the picture of a window, and then shown."""

import numpy as np
import pytest
from PySide6.QtTest import QTest

from kinetree.engine.model.kinds import ObjectId
from tests.app.session import pixels

MODEL = """<mujoco><statistic extent="4"/><option gravity="0 0 0"/><asset>
<texture name="sky" type="skybox" builtin="flat" rgb1="0 0 0.5" rgb2="0 0 0.5" width="8" height="48"/>
<material name="chrome" metallic="1" roughness="0"/><material name="lamp" rgba="0 1 0 1" emission="0.5"/></asset>
<worldbody><camera name="front" pos="0 -4 1" xyaxes="1 0 0 0 0 1" fovy="30"/>
<geom size="0.5" pos="0 0 1" material="chrome"/><geom type="box" size="4 0.1 4" pos="0 -8 1" material="lamp"/>
<body mocap="true"><geom size="0.2" pos="1.2 0 1" material="chrome"/></body></worldbody></mujoco>"""


@pytest.fixture
def glossy(open_paused, tmp_path):
    """A window that never reduces its pictures and shows what things reflect."""
    path = tmp_path / "glossy.xml"
    path.write_text(MODEL)
    window = open_paused(path)
    window.viewport.set_may_reduce(False)
    window.viewport.set_quality("quality")
    window.view.set_fixed_camera(0)
    return window


def frames(window, milliseconds: int) -> int:
    """Number of frames drawn in a time."""
    drawn: list = []
    window.viewport.drawn.connect(drawn.append)
    QTest.qWait(milliseconds)
    window.viewport.drawn.disconnect(drawn.append)
    return len(drawn)


def green(picture: np.ndarray) -> float:
    """Of the ball in the middle, which shows the lamp behind the camera."""
    rows, columns = (slice(int(0.45 * side), int(0.55 * side)) for side in picture.shape[:2])
    return float(picture[rows, columns, 1].mean())


def test_the_window_shows_reflections_after_its_first_picture_and_comes_to_rest(glossy, qtbot):
    """Pictures of cameras beside it, which show what is hidden in it, do not make it draw without end."""
    viewport = glossy.viewport
    qtbot.waitUntil(lambda: green(pixels(viewport.grabFramebuffer())) > 100)
    glossy.view.options.hidden = frozenset({ObjectId("geom", 2)})
    glossy.view.toggle_picture(0)
    assert any(not frames(glossy, 700) for _ in range(30)), "the window never rests"
    shown = pixels(viewport.grabFramebuffer())
    assert np.array_equal(shown, pixels(viewport.picture()))


def test_a_picture_that_is_saved_has_its_reflections_at_once(glossy, qtbot):
    assert green(pixels(glossy.viewport.picture())) > 100
