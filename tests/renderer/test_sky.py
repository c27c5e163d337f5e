"""The background is left out where an endless floor covers the window: no picture changes by that."""

import numpy as np
import pytest

from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FREE, Camera
from kinetree.engine.scene.options import VisOptions
from kinetree.renderer.passes import sky
from tests.engine.scene.worlds import load
from tests.renderer.test_render import world

SIZE = 150, 100
HEAD = (
    '<asset><texture name="sky" type="skybox" builtin="flat" rgb1="1 0 1" rgb2="1 0 1" width="8" height="48"/></asset>'
)
FLOOR = '<geom type="plane" size="0 0 1" rgba="0.2 0.3 0.2 {alpha}" {turned}/>'
BALL = '<geom size="0.4" pos="0 0 0.4"/>'


def scene_of(elevation: float, azimuth=30.0, distance=3.0, alpha=1.0, turned="", **flags):
    model, data = load(world(FLOOR.format(alpha=alpha, turned=turned) + BALL, HEAD))
    camera = Camera(FREE, lookat=np.zeros(3), distance=distance, azimuth=azimuth, elevation=elevation)
    return build(model, data, VisOptions(**flags), camera, size=SIZE)


@pytest.mark.parametrize("samples", [1, 4])
def test_no_picture_changes(drawer, monkeypatch, samples):
    covered = []
    for number, elevation in enumerate((-90, -70, -45, -35, -28, -23, -18, -10, -1, 20)):
        scene = scene_of(elevation, 37.0 * number, 2.0 + number, samples=samples)
        covered.append(sky.is_covered(scene))
        drawer.read(scene_of(30.0, samples=samples), *SIZE)  # nothing of the last picture shines through
        [found] = drawer.read(scene, *SIZE)
        with monkeypatch.context() as patch:
            patch.setattr(sky, "is_covered", lambda scene: False)
            [expected] = drawer.read(scene, *SIZE)
        assert (found == expected).all()
    assert covered[:4] == [True] * 4 and covered[-4:] == [False] * 4


def test_what_does_not_cover_the_window():
    assert sky.is_covered(scene_of(-60.0))
    assert not sky.is_covered(scene_of(-60.0, alpha=0.5))  # it shows through
    assert not sky.is_covered(scene_of(-60.0, turned='euler="90 0 0"'))  # a wall
    assert not sky.is_covered(scene_of(60.0))  # from below
    assert not sky.is_covered(scene_of(-60.0, distance=1e6))  # beyond what the view shows


def test_the_pass_is_left_out(drawer):
    drawer.timing.enabled = True
    for elevation, drawn in ((-60.0, False), (-5.0, True)):
        drawer.timing.passes.clear()
        drawer.read(scene_of(elevation), *SIZE)
        assert "opaque" in drawer.timing.passes and ("sky" in drawer.timing.passes) is drawn
    drawer.timing.enabled = False
