"""The atlas of shadow maps: layout, views, what is drawn again, colour and softness of shadows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.model.lights import MAXSHADOW
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, FREE, Camera
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import linear
from kinetree.renderer import context as gl
from kinetree.renderer.frame import Renderer
from kinetree.renderer.passes.shadow import layout
from tests.engine.scene.worlds import load
from tests.renderer.test_render import DARK, MATERIAL, picture, world

SUN = '<light type="directional" dir="0.3 0.2 -1" diffuse="0.8 0.8 0.8" specular="0 0 0"/>'
ABOVE = '<camera pos="0 0 8" xyaxes="1 0 0 0 1 0" fovy="45"/>'
SIDE = '<camera pos="0 -9 2" xyaxes="1 0 0 0 0.5 0.866" fovy="45"/>'
FLOOR = '<geom type="plane" size="9 9 1" material="matte"/>'
AXES = np.concatenate([np.eye(3), -np.eye(3)])


@given(st.lists(st.sampled_from([0, 128, 256, 512, 1024, 2048, 4096]), min_size=1, max_size=MAXSHADOW))
def test_tiles_lie_side_by_side(sides):
    places, width, height = layout(tuple(sides), 4096)
    assert width <= 4096 and height <= 4096
    taken = np.zeros((height // 16, width // 16), int)
    for (x, y, side), wanted in zip(places, sides, strict=True):
        assert side <= wanted and (side > 0) == (wanted > 0)
        taken[y // 16 : (y + side) // 16, x // 16 : (x + side) // 16] += 1
    assert taken.max(initial=0) <= 1


@pytest.mark.parametrize("axis", range(6))
def test_a_lamp_that_shines_all_around_casts_shadows_on_all_sides(axis):
    """In the middle of a wall is the shadow of a ball half-way to it; beside it there is none."""
    towards = AXES[axis]
    aside = np.roll(towards, 1)
    place = 0.6 * aside + 0.9 * towards
    ahead = 2.0 * towards - place
    ahead /= np.linalg.norm(ahead)
    right = np.cross(ahead, np.cross(towards, aside))
    right /= np.linalg.norm(right)
    axes = " ".join(map(str, (*right, *np.cross(right, ahead))))
    wall = " ".join(map(str, np.where(towards != 0, 0.05, 4.0)))
    text = world(
        f'<camera pos="{place[0]} {place[1]} {place[2]}" xyaxes="{axes}" fovy="30"/>'
        + '<light type="point" diffuse="0.9 0.9 0.9" specular="0 0 0"/>'
        + f'<geom type="box" size="{wall}" pos="{" ".join(map(str, 2.05 * towards))}" material="matte"/>'
        + f'<geom size="0.1" pos="{" ".join(map(str, towards))}" material="matte"/>',
        DARK + MATERIAL,
    ).replace('type="point"', 'cutoff="180" exponent="0"')
    lit, image = (picture(text, shadow=on).astype(int) for on in (False, True))
    assert image[80, 120].max() < 8 < lit[80, 120].max()
    np.testing.assert_allclose(image[:20], lit[:20], atol=2)


def test_no_seam_between_the_sides_of_a_lamp():
    """A ball's shadow is on the floor; along the lines where two of the lamp's views meet there is nothing."""
    text = world(
        ABOVE + '<light pos="0 0 2" cutoff="180" exponent="0" diffuse="0.9 0.9 0.9" specular="0 0 0"/>'
        + FLOOR + '<geom size="0.2" pos="0.7 0 1" material="matte"/>' + '<geom size="0.2" pos="0 -4 3" material="matte"/>',
        DARK + MATERIAL,
    )  # fmt: skip
    lit, image = (picture(text, 480, 320, shadow=on).astype(int) for on in (False, True))
    changed = np.abs(image - lit).max(axis=2) > 4
    assert changed[150:170, 300:340].any()
    changed[130:190, 250:380] = False
    assert not changed.any()


def test_glass_colours_its_shadow():
    ball = '<geom size="0.8" pos="0 0 2" material="matte" rgba="{}"/>'
    text = world(ABOVE + SUN + FLOOR + ball, DARK + MATERIAL)
    clear, lit = (linear(picture(text.format("0.9 0.1 0.1 0.5"), 480, 320, shadow=on) / 255) for on in (True, False))
    share = clear[121, 298] / lit[121, 298]  # of the light on the floor beside the ball
    assert 0.1 < share[1] < 0.75 * share[0] < 0.75


def test_shadows_are_softer_farther_from_their_caster():
    def edge(height: float, **flags) -> int:
        lamp = '<light pos="1 -5 6" cutoff="70" exponent="0" diffuse="0.8 0.8 0.8" bulbradius="0.2"/>'
        caster = f'<geom type="box" size="2 8 0.01" pos="2 0 {height}" material="matte"/>'
        text = world(SIDE + lamp + FLOOR + caster, DARK + MATERIAL)
        row = picture(text, 480, 320, **flags)[160, :236, 1].astype(int)
        return int(((row > row.min() + 12) & (row < row.max() - 12)).sum())

    hard, near, far = edge(1.0), edge(1.0, softshadows=True), edge(4.0, softshadows=True)
    assert 0 < max(hard, near) < 12 and far > 4 * near


def moving(position: float = 0.0):
    body = f'<body pos="{position} 0 1"><freejoint/><geom size="0.4" material="matte"/></body>'
    return load(world(ABOVE + SUN + FLOOR + body, DARK + MATERIAL))


def test_what_has_not_moved_is_not_drawn_again():
    context = gl.headless()
    with context:
        renderer = Renderer(context)
        model, data = moving()
        scene, calls, pictures = None, [], []
        for position in (0.0, 0.0, 0.7, 0.7):
            data.geom_xpos[1, 0] = position
            scene = build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0), None, scene, (240, 160))
            pictures.append(renderer.read(scene, 240, 160)[0])
            calls.append(renderer.calls)
        renderer.release()
        fresh = Renderer(context)
        np.testing.assert_array_equal(fresh.read(scene, 240, 160)[0], pictures[-1])
        fresh.release()
    context.release()
    assert calls[1] == calls[3] < calls[0] == calls[2]
    np.testing.assert_array_equal(pictures[0], pictures[1])
    np.testing.assert_array_equal(pictures[2], pictures[3])
    assert np.abs(pictures[2].astype(int) - pictures[0]).max() > 30


def test_a_flex_that_has_not_moved_is_not_drawn_again():
    text = """<mujoco><worldbody><light pos="0 0 3" dir="0 0 -1"/><camera name="c" pos="0 -2 2" xyaxes="1 0 0 0 .7 .7"/>
    <geom type="plane" size="2 2 .1"/><flexcomp name="f" type="grid" dim="2" count="5 5 1" spacing=".2 .2 .2" pos="0 0 .5"
    radius=".01"/></worldbody></mujoco>"""
    model, data = load(text)
    context = gl.headless()
    with context:
        renderer = Renderer(context)
        scene, calls, pictures = None, [], []
        for up in (0.0, 0.0, 0.3, 0.0):
            data.flexvert_xpos[12, 2] += up
            scene = build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0), None, scene, (240, 160))
            pictures.append(renderer.read(scene, 240, 160)[0])
            calls.append(renderer.calls)
        again = build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0), None, None, (240, 160))
        pictures.append(renderer.read(again, 240, 160)[0])  # as it is, but another surface: drawn again
        calls.append(renderer.calls)
        renderer.release()
    context.release()
    assert calls[1] == calls[3] < calls[0] == calls[2] == calls[4]
    np.testing.assert_array_equal(pictures[0], pictures[1])
    np.testing.assert_array_equal(pictures[2], pictures[4])
    assert np.abs(pictures[2].astype(int) - pictures[0]).max() > 30


def test_only_what_a_view_shows_is_drawn_into_it():
    """A spot that lights one ball of two draws one; each ball has its shadow as if it was alone."""
    balls = '<geom size="0.3" pos="-2 0 0.5" material="matte"/>', '<geom size="0.3" pos="2 0 0.5" material="matte"/>'
    lamp = '<light pos="-2 0.4 3" dir="0 0 -1" cutoff="25" exponent="0" diffuse="0.9 0.9 0.9" specular="0 0 0"/>'
    context = gl.headless()
    with context:
        renderer = Renderer(context)
        model, data = load(world(ABOVE + lamp + FLOOR + "".join(balls), DARK + MATERIAL))
        scene = build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0), size=(240, 160))
        renderer.read(scene, 240, 160)
        counts = [sum(run.count for run in runs if run.batch.count == 2) for runs in renderer.device.casters.opaque]
        renderer.release()
    context.release()
    assert counts == [1]


def views(lookat, distance: float, far: float):
    text = world(
        SUN + FLOOR + f'<geom type="box" size="1 1 1" pos="{far} 0 1"/><geom size="0.3" pos="0 0 0.5"/>',
        DARK + MATERIAL,
    )
    model, data = load(text)
    camera = Camera(FREE, lookat=np.array(lookat, float), distance=distance, azimuth=90.0, elevation=-30.0)
    return build(model, data, VisOptions(), camera, size=(960, 640)).shadows


def test_a_wide_scene_has_a_finer_view_of_what_is_near():
    near, everything = views((0, 0, 0), 4.0, 80.0)
    assert near.following == 1 and everything.following == 0
    assert near.width / near.side < 0.2 * everything.width / everything.side
    none, everything = views((0, 0, 0), 4.0, 2.0)
    assert none.side == 0 and none.following == 1 and everything.side > 0


def test_views_move_by_whole_texels():
    """While the camera moves, shadows keep their edges: a place stays at the same part of a texel."""
    parts = []
    for shift in (0.0, 0.0137, 0.1, 0.31):
        view = views((shift, 0.5 * shift, 0), 4.0, 80.0)[0]
        x, y, _, w = view.matrix @ [0.3, 0.2, 0.1, 1.0]
        parts.append((0.5 * np.array([x, y]) / w * view.side) % 1.0)
    distance = np.abs(np.array(parts) - parts[0])
    assert np.minimum(distance, 1.0 - distance).max() < 1e-3


def test_lamps_keep_their_views_while_things_move():
    """Programs know views by their numbers (`renderer/passes/surfaces.py`): a thing that leaves the light of a lamp, or a
    viewer who comes near, must not make the picture wait for other programs."""
    lamps = "".join(f'<light pos="{x} 0 2" cutoff="20" dir="0 0 -1"/>' for x in (-4, 4))
    far = '<geom type="box" size="1 1 0.2" pos="0 60 0.2"/>'
    floor = '<geom type="plane" size="0 0 1"/>'
    found = []
    for x, distance in ((-4, 40.0), (-4, 2.0), (4, 2.0), (0, 2.0)):
        ball = f'<geom size="0.3" pos="{x} 0 0.5"/>'
        model, data = load(world(SUN + lamps + floor + ball + far, DARK))
        camera = Camera(FREE, lookat=np.zeros(3), distance=distance, azimuth=90.0, elevation=-30.0)
        scene = build(model, data, VisOptions(), camera, size=(960, 640))
        used = [any(view.side for view in scene.shadows if view.light == light) for light in scene.casters]
        found.append((scene.lights[: scene.nlight, S.L_SHADOW].tolist(), len(scene.shadows)))
        assert used == [True, x == -4, x == 4]
    assert all(each == found[0] for each in found)
