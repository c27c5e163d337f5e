"""The ghost of another model: drawn where it differs, hidden by nearer objects, and only in pictures."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import Camera
from kinetree.engine.scene.options import VisOptions

SIZE = 160, 100
WORLD = """<mujoco><worldbody><light pos="0 0 5"/>
  <geom type="plane" size="0 0 1" pos="0 0 -1" rgba=".3 .3 .3 1"/>
  <body><joint type="slide" axis="0 1 0"/><geom type="{shape}" size=".3 .3 .3" rgba=".8 .3 .2 1"/></body>
</worldbody></mujoco>"""


def scene_of(position: float, shape: str = "sphere", view=None):
    model = kinetree.load_string(WORLD.format(shape=shape))
    data = kinetree.Data(model)
    data.qpos[0] = position
    kinetree.kinematics(model, data)
    camera = Camera(lookat=np.zeros(3), distance=3.0, azimuth=0.0, elevation=-20.0)
    return build(model, data, VisOptions(shadow=False), view or camera, size=SIZE)


def pictures(drawer, position: float, shape: str = "sphere", **flags):
    """Without and with the ghost of a model at another position."""
    scene = scene_of(0.0)
    for name, value in flags.items():
        setattr(scene, name, value)
    plain = drawer.read(scene, *SIZE)[0].astype(int)
    scene.ghost = scene_of(position, shape, scene.view)
    return plain, drawer.read(scene, *SIZE)[0].astype(int), scene


def test_a_ghost_at_the_same_place_is_not_seen(drawer):
    plain, shown, _ = pictures(drawer, 0.0)
    assert (np.abs(plain - shown).max(axis=2) > 30).sum() < 12  # at the very edge at most


def test_a_ghost_beside_is_seen_in_its_colour(drawer):
    plain, shown, _ = pictures(drawer, 0.8)
    different = np.abs(plain - shown).max(axis=2) > 10
    assert 200 < different.sum() < 2000
    red, green, _ = (shown - plain)[different].mean(axis=0)
    assert green > red + 20


def test_the_scene_goes_on_as_before(drawer):
    plain, _, scene = pictures(drawer, 0.8, "box")
    assert not np.array_equal(*[drawer.read(scene, *SIZE)[0] for scene.ghost in (scene.ghost, None)])
    np.testing.assert_array_equal(drawer.read(scene, *SIZE)[0], plain)


def test_depth_knows_no_ghost(drawer):
    scene = scene_of(0.0)
    plain = drawer.read(scene, *SIZE, ["distance"])[0]
    scene.ghost = scene_of(0.8, view=scene.view)
    np.testing.assert_array_equal(drawer.read(scene, *SIZE, ["distance"])[0], plain)


CLOTH = """<mujoco><worldbody><light pos="0 0 5"/>
  <flexcomp name="cloth" type="grid" dim="2" count="4 4 1" spacing=".3 .3 .3" radius=".02" mass="1" {more}>
    <contact selfcollide="none"/></flexcomp></worldbody></mujoco>"""


@pytest.mark.parametrize("more", ["", 'flatskin="true"'])
@pytest.mark.parametrize("flags", [{}, {"flexskin": False, "flexface": True}, {"flexskin": False, "flexedge": True}])
def test_a_flex_of_the_other_model_is_a_ghost_too(drawer, more, flags):
    model = kinetree.load_string(CLOTH.format(more=more))
    camera = Camera(lookat=np.zeros(3), distance=3.0, azimuth=0.0, elevation=-60.0)

    def scene_of_cloth(lift, view):
        data = kinetree.Data(model)
        data.qpos[:] += np.tile([0.0, 0.0, lift], model.nq // 3)
        kinetree.kinematics(model, data)
        return build(model, data, VisOptions(shadow=False, **flags), view, size=SIZE)

    scene = scene_of_cloth(0.0, camera)
    plain = drawer.read(scene, *SIZE)[0].astype(int)
    scene.ghost = scene_of_cloth(0.7, scene.view)
    different = np.abs(plain - drawer.read(scene, *SIZE)[0].astype(int)).max(axis=2) > 10
    assert different.sum() > 300
