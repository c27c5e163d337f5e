"""Planar reflections: several planes, shadows in them, roughness, what costs nothing."""

import numpy as np

from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.options import VisOptions
from tests.engine.scene.worlds import load
from tests.renderer.test_render import DARK, picture, world

LOOK = '<camera pos="0 -4 1.2" xyaxes="1 0 0 0 0.2425 0.9701" fovy="40"/>'
FLOOR = '<geom type="plane" size="4 4 1" material="{}"/>'
ASSETS = (
    '<asset><material name="mirror" rgba="0.1 0.1 0.1 1" reflectance="0.7" specular="0"/>'
    '<material name="satin" rgba="0.1 0.1 0.1 1" reflectance="0.7" metallic="0" roughness="0.6"/></asset>'
)
TABLE = '<geom type="box" size="0.5 0.5 0.2" pos="1 0 0.2" material="mirror"/>'
POST = '<geom type="cylinder" size="0.1 0.3" pos="1 0.2 0.7" rgba="0 1 0 1"/>'
CALM = {"haze": False, "skybox": False}


def scene_of(text: str, **flags):
    model, data = load(text)
    return build(model, data, VisOptions(**flags), Camera(FIXED, fixedcamid=0))


def changed(text: str, count: int, than: int) -> np.ndarray:
    """Where as many reflecting planes make a picture greener than fewer."""
    more, fewer = (picture(text, 480, 320, shadow=False, mirrors=n, **CALM).astype(int) for n in (count, than))
    return (more - fewer)[:, :, 1] > 30


def test_a_floor_and_a_table_both_reflect():
    text = world(LOOK + FLOOR.format("mirror") + TABLE + POST, ASSETS)
    assert len(scene_of(text, mirrors=2).mirrors) == 2 and len(scene_of(text, mirrors=1).mirrors) == 1
    rows, columns = np.nonzero(changed(text, 2, 1))
    assert len(rows) > 100
    view = scene_of(text).view
    left, top, _ = view.project(np.array([[0.5, 0.5, 0.4]]))[0]
    right, bottom, _ = view.project(np.array([[1.5, -0.5, 0.4]]))[0]
    assert 480 * left - 2 <= columns.min() and columns.max() <= 480 * right + 2  # only on the table's top
    assert 320 * top - 2 <= rows.min() and rows.max() <= 320 * bottom + 2


def test_the_table_is_seen_in_the_floor():
    text = world(LOOK + FLOOR.format("mirror") + TABLE.replace('material="mirror"', 'rgba="0 1 0 1"{}'), ASSETS)
    plain = picture(text.format(""), 480, 320, **CALM).astype(int)
    below = plain[200:, :, 1] - plain[200:, :, 0] > 60
    assert below.sum() > 400


def test_planes_at_one_height_share_an_image():
    boxes = "".join(f'<geom type="box" size="0.3 0.3 0.2" pos="{x} 0 0.2" material="mirror"/>' for x in (-1, 0, 1))
    (mirror,) = scene_of(world(LOOK + boxes, ASSETS), mirrors=4).mirrors
    assert len(mirror.instances) == 3


def test_what_is_seen_in_a_mirror_has_shadows():
    """A ball keeps the lamp from a wall; in the floor the wall has that shadow."""
    text = world(
        LOOK + FLOOR.format("mirror") + '<light type="directional" dir="0 1 0" diffuse="1 1 1" specular="0 0 0"/>'
        + '<geom type="box" size="2 0.1 1" pos="0 1 1" rgba="1 1 1 1"/><geom size="0.3" pos="0.8 -5 0.8" rgba="1 1 1 1"/>',
        DARK + ASSETS,
    )  # fmt: skip
    on, off = (picture(text, 480, 320, shadow=value, **CALM).astype(int) for value in (True, False))
    view = scene_of(text).view
    x, y, _ = view.project(np.array([[0.8, 0.9, -0.8]]))[0]  # where the shadow's mirror image is
    assert off[int(320 * y), int(480 * x)].max() > 120 > 40 > on[int(320 * y), int(480 * x)].max()


def test_rough_planes_blur_their_image():
    def steepest(material: str) -> int:
        text = world(LOOK + FLOOR.format(material) + '<geom size="0.4" pos="0 0 0.6" rgba="1 1 1 1"/>', ASSETS)
        column = picture(text, 480, 320, shadow=False, occlusion="off", **CALM)[230:, 240, 1].astype(int)
        return int(np.abs(np.diff(column)).max())

    assert steepest("satin") < 0.4 * steepest("mirror")
