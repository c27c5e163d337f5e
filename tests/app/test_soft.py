"""Flexes and skins in the window: cloth is seen and picked, a skin moves with its bodies."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint
from PySide6.QtTest import QTest

from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.engine.scene.scene import ShapeKind, shape_number
from tests.app.test_window import CONTROL, LEFT, NONE, RIGHT, drag, held, place_of

CLOTH = """<mujoco><worldbody><light pos="0 0 3"/><camera name="c" pos="0 -1.5 1.8" xyaxes="1 0 0 0 .5 1"/>
<geom name="floor" type="plane" size="2 2 .1"/>
<flexcomp name="cloth" type="grid" dim="2" count="9 9 1" spacing=".1 .1 .1" pos="0 0 .5" radius=".01" rgba="1 .1 0 1"/>
</worldbody></mujoco>"""
SLEEVE = """<mujoco><worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 .1"/>
<body name="a" pos="0 0 1"><joint name="turn" axis="0 1 0"/><geom size=".05" pos=".3 0 0" contype="0" conaffinity="0"/></body>
</worldbody><deformable><skin name="s" rgba="0 0 1 1" vertex="0 0 1  .3 0 1  .3 .3 1  0 .3 1" face="0 1 2  0 2 3">
<bone body="a" bindpos="0 0 1" bindquat="1 0 0 0" vertid="0 1 2 3" vertweight="1 1 1 1"/></skin></deformable></mujoco>"""

HUNG = """<mujoco><option gravity="0 0 0"/><worldbody><light pos="0 0 3"/>
<flexcomp name="cloth" type="grid" dim="2" count="9 9 1" spacing=".1 .1 .1" pos="0 0 1" radius=".01" mass=".5">
<edge equality="true" damping="1"/><contact selfcollide="none"/><pin grid="0 0 8 0 0 8 8 8"/></flexcomp></worldbody></mujoco>"""
JELLY = """<mujoco><option gravity="0 0 0"/><worldbody><light pos="0 0 3"/>
<flexcomp name="jelly" type="grid" dim="3" count="5 5 5" spacing=".1 .1 .1" pos="0 0 1" radius=".01" mass="1" dof="trilinear">
<elasticity young="2e3" poisson=".1" damping=".05"/><contact selfcollide="none" internal="false"/>
<pin id="0 2 4 6"/></flexcomp></worldbody></mujoco>"""
"""Soft bodies that rest where no one pulls."""


def _pixels(window) -> np.ndarray:
    image = window.viewport.picture().convertToFormat(window.viewport.picture().Format.Format_RGB888)
    rows = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return rows[:, : 3 * image.width()].reshape(image.height(), image.width(), 3).astype(int)


def _red(window) -> int:
    picture = _pixels(window)
    return int(((picture[:, :, 0] > 60) & (picture[:, :, 0] > 2 * picture[:, :, 2] + 20)).sum())


@pytest.fixture
def cloth(make_window, tmp_path, qtbot):
    path = tmp_path / "cloth.xml"
    path.write_text(CLOTH)
    window = make_window()
    window.simulation.post(requests.Pause())  # or it falls as soon as the physics is compiled
    window.open(str(path))
    qtbot.waitUntil(lambda: window.simulation.snapshot is not None)
    with qtbot.waitSignal(window.viewport.drawn):
        window.viewport.update()
    return window


def test_cloth_is_seen_and_switched(cloth):
    assert not cloth.simulation.unsimulated
    seen = _red(cloth)
    assert seen > 5000
    cloth.actions_["group.flex.0"].trigger()
    assert _red(cloth) == 0
    cloth.actions_["group.flex.0"].trigger()
    cloth.actions_["flag.flexskin"].trigger()  # edges are left
    assert 0.2 * seen < _red(cloth) < 0.9 * seen


def test_a_double_click_finds_the_body_under_the_cloth(cloth):
    model, snapshot = cloth.simulation.model, cloth.simulation.snapshot
    vertex = 40
    QTest.mouseDClick(cloth.viewport, LEFT, NONE, place_of(cloth, snapshot.flexvert_xpos[vertex] + [0, 0, 0.01]))
    assert cloth.selection.current == Selection("body", int(model.flex_vertbodyid[vertex]))


def test_layers_are_peeled(cloth, tmp_path, qtbot):
    action = cloth.actions_["show.flex_layer"]
    action.trigger()
    assert cloth.view.options.flexlayer == 0  # a surface has no layers
    path = tmp_path / "block.xml"
    path.write_text(CLOTH.replace('dim="2" count="9 9 1"', 'dim="3" count="4 4 4"'))
    cloth.open(str(path))
    qtbot.waitUntil(
        lambda: cloth.simulation.model is not None and cloth.simulation.model.nflexelem == 162,
    )
    qtbot.waitUntil(lambda: cloth.simulation.snapshot.model is cloth.simulation.model)
    cloth.actions_["flag.flexskin"].trigger()
    cloth.actions_["flag.flexface"].trigger()
    shape = shape_number(ShapeKind.FLEX, 0)
    faces = []
    for _ in range(int(cloth.simulation.model.flex_elemlayer.max()) + 2):
        _pixels(cloth)
        faces.append(len(cloth.viewport._scene.surfaces[shape].faces))
        action.trigger()
    assert sum(faces[:-1]) == 4 * 162 and faces[-1] == faces[0]


def test_a_skin_moves_with_its_bodies(make_window, tmp_path, rig, qtbot):
    path = tmp_path / "sleeve.xml"
    path.write_text(SLEEVE)
    window = make_window(path)
    assert not window.simulation.unsimulated
    shape = shape_number(ShapeKind.SKIN, 0)
    qtbot.waitUntil(lambda: window.simulation.snapshot.time > 0.1)
    qtbot.waitUntil(lambda: window.viewport._scene is not None and shape in window.viewport._scene.surfaces)
    serial = window.viewport._scene.surfaces[shape].serial
    qtbot.waitUntil(lambda: window.viewport._scene.surfaces[shape].serial > serial + 3)
    qtbot.waitUntil(lambda: window.viewport._scene.surfaces[shape].low[2] < 0.95)
    window.simulation.post(requests.Pause())


@pytest.mark.parametrize(("text", "vertex"), [(HUNG, 40), (JELLY, 124)], ids=["vertices", "interpolated"])
def test_a_flex_is_pulled_where_it_is_taken(make_window, tmp_path, rig, qtbot, text, vertex):
    """A double-click and a drag on a vertex: what is near moves most, and the force is told in newtons."""
    path = tmp_path / "soft.xml"
    path.write_text(text)
    window = make_window(path)
    model, simulation = window.simulation.model, window.simulation
    start = simulation.snapshot.flexvert_xpos.copy()
    inwards = 0.3 * (start.mean(axis=0) - start[vertex])
    place = place_of(window, start[vertex] + [*inwards[:2], 0.01])
    QTest.mouseDClick(window.viewport, LEFT, NONE, place)
    taken = window.view.perturb.select
    bodies = model.flex_nodebodyid if model.flex_interp[0] else model.flex_vertbodyid
    corner = np.linalg.norm(simulation.snapshot.xpos[bodies] - start[vertex], axis=1)
    assert taken == bodies[np.argmin(corner)]
    simulation.post(requests.Play())
    release = drag(window, place, place + QPoint(0, -90), RIGHT, CONTROL)

    away = np.linalg.norm(start - start[vertex], axis=1)

    def pulled() -> bool:
        """Whether it hangs on the mouse: the vertex has moved far, and what is near more than the rest."""
        snapshot = simulation.snapshot
        moved, force = np.linalg.norm(snapshot.flexvert_xpos - start, axis=1), snapshot.xfrc_applied
        assert not np.delete(force, taken, axis=0).any()
        near, far = moved[away < 0.15].mean(), moved[away > 0.4].mean()
        return force[taken, 2] > 0 and moved[vertex] > 0.05 and near > 2 * far

    qtbot.waitUntil(pulled)
    assert held(window).endswith(" N")
    release()
    qtbot.waitUntil(lambda: not simulation.snapshot.xfrc_applied.any())
    assert held(window) == ""
    simulation.post(requests.Pause())


def test_a_camera_tracks_a_vertex(make_window, tmp_path, rig, qtbot):
    """Ctrl and a double-click with the right button on a cloth: the camera goes with the body of that vertex."""
    path = tmp_path / "soft.xml"
    path.write_text(HUNG)
    window = make_window(path)
    simulation, vertex = window.simulation, 40
    place = place_of(window, simulation.snapshot.flexvert_xpos[vertex] + [0, 0, 0.01])
    QTest.mouseDClick(window.viewport, LEFT, NONE, place)
    QTest.mouseDClick(window.viewport, RIGHT, CONTROL, place)
    camera = window.view.camera
    body = int(simulation.model.flex_vertbodyid[vertex])
    assert (camera.type, camera.trackbodyid) == ("tracking", body)
    simulation.post(requests.Play())
    start = camera.lookat.copy()
    release = drag(window, place, place + QPoint(0, -90), RIGHT, CONTROL)
    qtbot.waitUntil(lambda: window.view.camera.lookat[2] > start[2] + 0.03)
    release()
    simulation.post(requests.Pause())
