"""Outlines and marks of the selection: their places and colours, and that they change nothing else."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import Camera
from kinetree.engine.scene.highlight import Highlight
from kinetree.engine.scene.options import Frame, VisOptions

SIZE = W, H = 200, 140
WORLD = """<mujoco><worldbody>
  <light pos="0 0 5" dir="0 0 -1"/>
  <geom name="floor" type="plane" size="4 4 1" pos="0 0 -1" rgba="{floor}"/>
  <body name="ball"><joint name="hinge" range="-40 60" axis="1 0 0"/><geom name="ball" size=".3" rgba="{ball}"/></body>
  <geom name="wall" type="box" size=".05 .5 .5" pos="-.6 .5 0" rgba="{wall}"/>
  <body name="unseen" pos="0 -.7 0"><geom name="unseen" size=".2" group="4"/></body>
</worldbody></mujoco>"""
COLOURS = ("1 .5 0 1", ".33 .7 1 1", "1 1 1 1", "0 0 0 1", ".5 .5 .5 1", "1 0 0 1")


def picture(drawer, *objects, colour=COLOURS[0], around="0.2 0.3 0.2 1", wall="0 0 0 0", ratio=1.0, **flags):
    """(height, width, 3) float, of the world seen along x, and what the renderer drew it from."""
    model = kinetree.load_string(WORLD.format(ball=colour, floor=around, wall=wall))
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    camera = Camera(lookat=np.zeros(3), distance=3.0, azimuth=0.0, elevation=0.0)
    options = VisOptions(skybox=False, **flags)
    names = {kind: model.names[kind] for kind in ("geom", "body", "joint")}
    found = tuple(ObjectId(kind, names[kind].index(name)) for kind, name in objects)
    scene = build(model, data, options, camera, None, None, SIZE, Highlight(found) if found else None, ratio)
    return drawer.read(scene, *SIZE)[0].astype(float), drawer.read(scene, *SIZE, ["distance"])[0]


_FROM_MIDDLE = np.hypot(*(np.indices((H, W)) + 0.5 - np.array([H / 2, W / 2])[:, None, None]))
RADIUS = 0.3 / np.sqrt(1 - 0.01) / (2 * 3.0 * np.tan(np.radians(22.5))) * H  # of the ball as it is seen, pixels
BALL = RADIUS - 0.8 > _FROM_MIDDLE


def changed(a, b, least=12.0) -> np.ndarray:
    return np.abs(a - b).max(axis=2) > least


@pytest.mark.parametrize("colour", COLOURS)
def test_an_outline_stands_out_on_every_colour(drawer, colour):
    plain, _ = picture(drawer, colour=colour, around=colour)
    shown, _ = picture(drawer, ("geom", "ball"), colour=colour, around=colour)
    line = changed(shown, plain, 30.0) & ~BALL
    assert line.sum() > 1.5 * 2 * np.pi * RADIUS  # at least so many pixels wide
    assert not changed(shown, plain)[BALL].any()
    np.testing.assert_array_equal(shown[_FROM_MIDDLE > RADIUS + 6], plain[_FROM_MIDDLE > RADIUS + 6])


def test_outlines_are_as_wide_on_every_screen(drawer):
    plain, _ = picture(drawer)
    count = {
        ratio: changed(picture(drawer, ("geom", "ball"), ratio=ratio)[0], plain).sum() for ratio in (1.0, 2.0, 3.0)
    }
    assert count[2.0] == pytest.approx(2 * count[1.0], rel=0.2)
    assert count[3.0] == pytest.approx(3 * count[1.0], rel=0.2)


@pytest.mark.parametrize("ratio", [0.5, 0.25])  # sides that reduced pictures have
def test_reduced_pictures_have_the_outline_too(drawer, ratio):
    plain, _ = picture(drawer)
    line = changed(picture(drawer, ("geom", "ball"), ratio=ratio)[0], plain, 60.0) & ~BALL
    assert line.sum() > 2 * np.pi * RADIUS  # all around, at least one pixel wide


def test_what_is_hidden_has_a_fainter_outline(drawer):
    plain, _ = picture(drawer, wall="1 1 1 1")
    shown, distance = picture(drawer, ("geom", "ball"), wall="1 1 1 1")
    difference = np.abs(shown - plain).max(axis=2)
    wall = distance < 2.6
    assert wall.any() and difference[wall].max() > 20
    free, _ = picture(drawer, ("geom", "ball"))
    seen = np.abs(free - picture(drawer)[0]).max(axis=2)
    assert difference[wall].max() < seen[wall].max()


def test_selected_geoms_of_groups_that_are_not_shown_are_outlined(drawer):
    plain, _ = picture(drawer)
    shown, _ = picture(drawer, ("geom", "unseen"))
    assert changed(shown, plain).sum() > 50
    assert changed(picture(drawer, ("body", "unseen"))[0], plain).sum() > 50
    hidden = frozenset({ObjectId("geom", 3)})
    np.testing.assert_array_equal(picture(drawer, ("geom", "unseen"), hidden=hidden)[0], plain)


def test_marks_are_seen_through_bodies(drawer):
    plain, _ = picture(drawer)
    body, _ = picture(drawer, ("body", "ball"))
    joint, _ = picture(drawer, ("joint", "hinge"))
    assert not changed(body, plain)[BALL].any()
    assert changed(joint, plain)[BALL].sum() > 20


def test_depth_and_numbers_know_no_selection(drawer):
    _, plain = picture(drawer)
    _, shown = picture(drawer, ("joint", "hinge"))
    np.testing.assert_array_equal(plain, shown)
    segments = [picture(drawer, *objects, segment=True, idcolor=True)[0] for objects in ((), [("joint", "hinge")])]
    np.testing.assert_array_equal(*segments)


MIRROR = """<mujoco><asset><material name="glass" reflectance="1" rgba=".2 .2 .2 1"/></asset><worldbody>
  <light pos="0 0 5" dir="0 0 -1"/>
  <geom type="plane" size="4 4 1" pos="0 0 -.5" material="glass"/>
  <body name="ball"><freejoint/><geom size=".2"/></body>
</worldbody></mujoco>"""


def test_frames_are_not_mirrored(drawer):
    model = kinetree.load_string(MIRROR)
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    camera = Camera(lookat=np.array([0, 0, -0.4]), distance=3.0, azimuth=20.0, elevation=-10.0)
    pictures = []
    for mode in (Frame.NONE, Frame.BODY):
        scene = build(model, data, VisOptions(frame=mode, shadow=False), camera, size=SIZE)
        pictures.append(drawer.read(scene, *SIZE)[0].astype(float))
    rows = np.nonzero(changed(*pictures))[0]
    image = scene.view.project(np.array([[0, 0, -0.5]]))[0, 1] * H
    assert len(rows) > 10 and rows.max() < image
