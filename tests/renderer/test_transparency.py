"""Transparent shapes that are in each other are sorted pixel by pixel."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import FIXED, Camera
from kinetree.engine.scene.options import ToneMapping, VisOptions

W, H = 160, 100
PANES = (
    '<geom type="box" size=".8 .005 .5" euler="0 0 40" rgba="1 0 0 .5"/>',
    '<geom type="box" size=".8 .005 .5" euler="0 0 -40" rgba="0 0 1 .5"/>',
)
MODEL = """
<mujoco><compiler angle="degree"/><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual>
<worldbody><camera name="c" pos="0 -3 0" xyaxes="1 0 0 0 0 1"/>{}</worldbody></mujoco>
"""


def picture(*geoms: str, **options) -> np.ndarray:
    model = kinetree.load_string(MODEL.format("".join(geoms)))
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    look = VisOptions(skybox=False, shadow=False, tonemap=ToneMapping.NONE, **options)
    return kinetree.render(model, data, W, H, "c", look).astype(int)


@pytest.mark.parametrize("samples", [1, 4])
def test_two_crossing_panes_are_before_each_other_on_one_side_each(samples):
    image = picture(*PANES, samples=samples, peeling=True)
    left, right = image[H // 2, W // 2 - 12], image[H // 2, W // 2 + 12]
    assert left[0] > left[2] + 30 and right[2] > right[0] + 30
    assert np.abs(left - right[::-1]).max() <= 2 + abs(int(left[1]) - int(right[1]))


def test_the_order_in_the_model_does_not_matter():
    one, other = picture(*PANES, peeling=True), picture(*PANES[::-1], peeling=True)
    assert np.abs(one - other).max() <= 1
    assert np.abs(picture(*PANES, peeling=False) - one).max() > 30  # the test can see the difference


def test_shapes_apart_are_drawn_as_without():
    apart = (
        '<geom type="sphere" size=".2" pos="-.4 0 0" rgba="1 0 0 .5"/>',
        '<geom size=".2" pos=".4 1 0" rgba="0 1 0 .5"/>',
    )
    assert np.array_equal(picture(*apart, peeling=True), picture(*apart, peeling=False))


def test_an_opaque_shape_hides_what_is_behind_it():
    wall = '<geom type="box" size="1 .01 1" pos="0 -1 0" rgba="0 1 0 1"/>'
    assert np.array_equal(picture(*PANES, wall, peeling=True), picture(wall, peeling=True))


@pytest.mark.parametrize(("gap", "tangled"), [(0.39, True), (0.41, False)])
def test_only_shapes_that_may_meet_cost_time(gap, tangled):
    geoms = f'<geom size=".2" rgba="1 0 0 .5"/><geom size=".2" pos="{gap} 0 0" rgba="1 0 0 .5"/>'
    model = kinetree.load_string(MODEL.format(geoms))
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    assert (build(model, data, VisOptions(), Camera(FIXED, fixedcamid=0)).tangled is not None) is tangled
    assert build(model, data, VisOptions(peeling=False), Camera(FIXED, fixedcamid=0)).tangled is None


def test_glass_reflects_lamps_as_much_as_solid_surfaces_do():
    def brightest(alpha: float, material: str) -> int:
        text = f"""
        <mujoco><asset><material name="m" rgba="0 0 0 {alpha}" {material}/></asset>
        <visual><headlight ambient="0 0 0" diffuse="0 0 0" specular="0 0 0"/></visual>
        <worldbody><light type="directional" pos="0 -3 3" dir="0 1 -1" specular="1 1 1" diffuse="1 1 1"/>
        <camera name="c" pos="0 -3 0" xyaxes="1 0 0 0 0 1"/><geom size=".8" material="m"/></worldbody></mujoco>"""
        model = kinetree.load_string(text)
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        look = VisOptions(skybox=False, shadow=False, tonemap=ToneMapping.NONE)
        return int(kinetree.render(model, data, W, H, "c", look).max())

    glass = 'metallic="0" roughness="0.2"'
    assert brightest(0.2, glass) > 0.9 * brightest(1.0, glass)
    legacy = 'specular="1" shininess="0.3"'  # fades as if it was blended twice
    assert 0.4 * brightest(1.0, legacy) < brightest(0.3, legacy) < 0.9 * brightest(1.0, legacy)
