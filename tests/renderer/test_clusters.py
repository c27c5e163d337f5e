"""Lists of the lamps that reach a part of the picture: they change nothing in it, and hold few of many lamps."""

from dataclasses import replace

import numpy as np
import pytest

from kinetree.engine.scene import scene as S
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.options import VisOptions
from kinetree.renderer.frame import GRAPH
from kinetree.renderer.passes import clusters
from tests.engine.scene.worlds import load
from tests.renderer.test_render import DARK

SIZE = 210, 130
KINDS = (
    'dir="{d}" cutoff="{c}" exponent="1" diffuse="0.5 0.3 0.2" specular="0.3 0.3 0.3"',
    'dir="{d}" cutoff="{c}" intensity="9000" range="1.5" diffuse="0.9 0.6 0.5"',
    'type="point" intensity="7000" range="1.2" diffuse="0.5 0.6 0.9"',
    'type="point" diffuse="0.2 0.3 0.3" attenuation="1 0 40" ambient="0.02 0.02 0.02"',
    'dir="{d}" cutoff="100" exponent="0" diffuse="0.05 0.05 0.04"',
)
CAMERAS = (
    '<camera pos="0 -6 3" xyaxes="1 0 0 0 0.45 0.9" fovy="50"/>'
    '<camera pos="0.4 -0.3 0.6" xyaxes="0.8 -0.6 0 0.2 0.3 0.9" fovy="75"/>'
    '<camera pos="0 0 5" xyaxes="1 0 0 0 1 0" fovy="5" orthographic="true"/>'
)


def hall(seed: int, pbr: bool = False) -> str:
    """Lamps of all kinds at random places over a mirror with balls."""
    rng = np.random.default_rng(seed)

    def lamp(kind: str) -> str:
        x, y, z = rng.uniform((-3, -3, 0.4), (3, 3, 2.5))
        aim = " ".join(map(str, rng.normal(size=3) - [0, 0, 1]))
        return f'<light pos="{x} {y} {z}" castshadow="false" {kind.format(d=aim, c=rng.uniform(5, 80))}/>'

    lamps = "".join(lamp(kind) for kind in KINDS for _ in range(8))
    balls = "".join(f'<geom size="0.3" pos="{x} {y} 0.4" material="m"/>' for x in range(-2, 3) for y in range(-2, 3))
    glass = '<geom size="0.4" pos="0.5 -1.5 1" material="m" rgba="0.7 0.8 0.9 0.4"/>'
    look = 'metallic="0.5" roughness="0.2"' if pbr else 'specular="0.5" shininess="0.5"'
    material = (
        f'<material name="m" rgba="0.7 0.6 0.5 1" {look}/><material name="floor" reflectance="0.4" specular="0.2"/>'
    )
    floor = '<geom type="plane" size="4 4 1" material="floor"/>'
    return (
        f"<mujoco>{DARK}<asset>{material}</asset><worldbody>{CAMERAS}{lamps}{floor}{balls}{glass}</worldbody></mujoco>"
    )


def scene_of(text: str, camera: int, **flags):
    model, data = load(text)
    options = VisOptions(mirrordetail="smooth", **flags)
    return build(model, data, options, Camera(FIXED, fixedcamid=camera), size=SIZE)


@pytest.mark.parametrize("camera", range(3))
@pytest.mark.parametrize("pbr", [False, True])
def test_nothing_is_left_out_that_is_seen(drawer, monkeypatch, camera, pbr):
    scene = scene_of(hall(camera, pbr), camera)
    assert scene.mirrors and scene.transparent and scene.nlight - scene.ndirectional == 40
    [listed] = drawer.read(scene, *SIZE)
    monkeypatch.setattr(clusters, "FEWEST", 1000)
    [every] = drawer.read(scene, *SIZE)
    assert every.max() > 60 and every.std() > 5
    assert np.abs(listed.astype(int) - every).max() <= 1


def lists(drawer, scene) -> np.ndarray:
    """(rows, columns, MAXLIGHT) whether a lamp is in the list of a cluster."""
    found = []

    def note(job):
        clusters.draw(job)
        width, height = job.target.size
        found.append(
            np.frombuffer(job.target.read(components=4, dtype="u4", alignment=1), "<u4").reshape(height, width, 4)
        )

    steps = GRAPH.passes
    try:
        GRAPH.passes = tuple(replace(step, draw=note) if step.name == "clusters" else step for step in steps)
        drawer.read(scene, *SIZE)
    finally:
        GRAPH.passes = steps
    [words] = found
    return np.unpackbits(np.ascontiguousarray(words).view(np.uint8), bitorder="little").reshape(*words.shape[:2], -1)


@pytest.mark.parametrize("kind", ['dir="0 0 -1" cutoff="20"', 'type="point" intensity="9000" range="1"'])
def test_lists_hold_few_of_many_lamps(drawer, kind):
    lamps = "".join(
        f'<light pos="{2 * x - 9} {2 * y - 9} 1.5" castshadow="false" {kind}/>' for x in range(10) for y in range(10)
    )
    text = (
        f'<mujoco>{DARK}<worldbody><camera pos="0 -16 9" xyaxes="1 0 0 0 0.49 0.87" fovy="50"/>{lamps}'
        '<geom type="plane" size="10 10 1"/></worldbody></mujoco>'
    )
    scene = scene_of(text, 0)
    listed = lists(drawer, scene)
    assert listed[:, :, 100:].max() == 0
    assert set(np.flatnonzero(listed.max(axis=(0, 1)))) == set(range(100))  # each lights some of the floor
    view, (across, _) = scene.view, clusters.grid(*SIZE)
    counts = []  # of lamps in the lists of places on the floor
    first, rate, _ = clusters.depths(scene)
    for x, y in np.random.default_rng(0).uniform(-9, 9, (300, 2)):
        left, top, depth = view.project(np.array([[x, y, 0.0]]))[0]
        if not (0 < left < 1 and 0 < top < 1):
            continue
        cut = int(np.clip(1 + rate * np.log2(depth / first), 0, clusters.SLICES - 1))
        column, row = int(left * across) + cut * across, int((1 - top) * listed.shape[0])
        there = listed[row, column, :100]
        away = scene.lights[scene.ndirectional : scene.nlight, S.L_POS : S.L_POS + 3] - [x, y, 0]
        limit = 1.5 * np.tan(np.radians(20)) if "cutoff" in kind else 1.0
        flat = np.hypot(away[:, 0], away[:, 1]) if "cutoff" in kind else np.linalg.norm(away, axis=1)
        assert not (set(np.flatnonzero(flat < limit)) - set(np.flatnonzero(there)))
        counts.append(there.sum())
    assert len(counts) > 100 and np.mean(counts) < 8


def test_a_few_lamps_need_no_lists(drawer):
    text = f'<mujoco>{DARK}<worldbody><light pos="0 0 3"/><geom size="1"/>{CAMERAS}</worldbody></mujoco>'
    drawer.timing.enabled = True
    drawer.timing.passes.clear()
    drawer.read(scene_of(text, 0), *SIZE)
    assert "opaque" in drawer.timing.passes and "clusters" not in drawer.timing.passes
    drawer.read(scene_of(hall(0), 0), *SIZE)
    assert "clusters" in drawer.timing.passes
    drawer.timing.enabled = False


def lamp(attenuation: str) -> str:
    return f'<light pos="0 0 3" diffuse="0.7 0.7 0.7" specular="0.3 0.3 0.3" attenuation="{attenuation}"/>'


@pytest.mark.parametrize(
    ("attenuation", "reach"),
    [("1 0 0", 0.0), ("1 0 1", 509**0.5), ("0 1 0", 510), ("0 2 0", 255), ("0 0 4", 127.5**0.5)],
)
def test_reach_of_a_legacy_lamp(attenuation, reach):
    """Where a lamp of colour 1 is fainter than half of the last bit of a colour; constant light has no end."""
    text = f'<mujoco><worldbody>{lamp(attenuation)}<geom size="1"/>{CAMERAS}</worldbody></mujoco>'
    scene = scene_of(text, 0)
    assert scene.lights[scene.ndirectional, S.L_REACH] == pytest.approx(reach, rel=1e-3)
    brighter = scene_of(text, 0, exposure=2.0)
    assert brighter.lights[scene.ndirectional, S.L_REACH] >= reach * 1.9


def test_many_lamps_reach_farther():
    """The light that all of them lack together is invisible."""
    text = f'<mujoco><worldbody>{16 * lamp("0 0 4")}<geom size="1"/>{CAMERAS}</worldbody></mujoco>'
    scene = scene_of(text, 0)
    assert scene.lights[scene.ndirectional, S.L_REACH] == pytest.approx(4 * 127.5**0.5, rel=1e-3)


@pytest.mark.parametrize("camera", range(2))
def test_captured_views_find_their_lamps_in_lists(drawer, monkeypatch, camera):
    """The reflection in a glossy ball is the same as with all lamps."""
    ball = '<geom size="0.7" pos="0 0 1.2" material="chrome"/></worldbody>'
    chrome = '<asset><material name="chrome" metallic="1" roughness="0.1"/>'
    text = hall(camera).replace("</worldbody>", ball).replace("<asset>", chrome)
    scene = scene_of(text, camera, captures=1)
    read = []
    for fewest in (clusters.FEWEST, 1000):
        monkeypatch.setattr(clusters, "FEWEST", fewest)
        drawer.load(scene.model)  # forgets what was captured
        [image] = drawer.read(scene, *SIZE)
        assert drawer.device.captured.count == 1
        maps = drawer.device.captured.maps()
        read.append((image.astype(int), np.frombuffer(maps.read(alignment=1), np.float16).astype(float)))
    (listed, found), (every, expected) = read
    assert np.abs(listed - every).max() <= 1
    assert expected.max() > 0.1 and np.abs(found - expected).max() < 0.01 * expected.max()
