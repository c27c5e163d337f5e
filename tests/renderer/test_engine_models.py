"""Our own models and data are drawn as the reference's are."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.options import Frame, Label, VisOptions

CART = """
<mujoco>
  <statistic extent="2" center="0 0 0.4" meansize="0.1"/>
  <asset>
    <texture type="skybox" builtin="gradient" rgb1="0.4 0.6 0.8" rgb2="0 0 0" width="32" height="192"/>
    <texture name="grid" type="2d" builtin="checker" width="64" height="64" rgb1="0.1 0.2 0.3" rgb2="0.2 0.3 0.4"/>
    <material name="grid" texture="grid" texrepeat="2 2" texuniform="true" reflectance="0.2"/>
    <mesh name="wedge" vertex="0 0 0  0.3 0 0  0 0.3 0  0 0 0.3"/>
  </asset>
  <worldbody>
    <light name="lamp" pos="0.5 -0.5 3" dir="-0.2 0.2 -1"/>
    <camera name="front" pos="0 -2.5 1.2" xyaxes="1 0 0 0 0.3 1"/>
    <geom name="floor" type="plane" size="0 0 0.1" material="grid"/>
    <body name="box" pos="-0.5 0 0.099"><freejoint name="free"/><geom type="box" size="0.2 0.1 0.1" rgba="0.8 0.3 0.2 1"/></body>
    <body name="arm" pos="0.3 0 0.6"><joint name="hinge" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0.2" size="0.05"/><site name="tip" pos="0.3 0 0.2"/>
      <geom type="mesh" mesh="wedge" pos="0 0.3 0"/></body>
    <body name="ball" pos="0 0.3 0.148"><freejoint/><geom size="0.15"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
</mujoco>
"""

FLAGS = {
    "plain": {},
    "contacts": {"contactpoint": True, "contactforce": True},
    "decor": {"joint": True, "actuator": True, "com": True, "inertia": True, "camera": True, "light": True},
    "frames": {"frame": Frame.BODY, "label": Label.BODY},
}


@pytest.fixture(scope="module")
def worlds():
    theirs = mujoco.MjModel.from_xml_string(CART)
    their_data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, their_data)
    ours = kinetree.load_string(CART)
    data = kinetree.Data(ours)
    kinetree.forward(ours, data)
    return (ours, data), (theirs, their_data)


@pytest.mark.parametrize("flags", FLAGS)
def test_same_picture(worlds, flags):
    first, second = (
        kinetree.render(model, data, 240, 160, "front", VisOptions(**FLAGS[flags])).astype(int)
        for model, data in worlds
    )
    difference = np.abs(first - second).max(axis=2)
    assert difference.mean() < 0.5 and (difference > 30).mean() < 0.005


SOFT = Path(__file__).parents[1] / "images" / "models" / "soft.xml"


@pytest.mark.parametrize("flags", [{}, {"flexskin": False, "flexvert": True}, {"label": Label.FLEX}])
def test_flexes_and_skins_without_physics(flags):
    theirs = mujoco.MjModel.from_xml_path(str(SOFT))
    their_data = mujoco.MjData(theirs)
    mujoco.mj_forward(theirs, their_data)
    ours = kinetree.load(SOFT)
    data = kinetree.Data(ours)
    kinetree.kinematics(ours, data)
    first, second = (
        kinetree.render(model, state, 240, 160, "front", VisOptions(**flags)).astype(int)
        for model, state in ((ours, data), (theirs, their_data))
    )
    difference = np.abs(first - second).max(axis=2)
    assert difference.mean() < 0.5 and (difference > 30).mean() < 0.005


def test_snapshots_of_a_selection(worlds):
    from kinetree.engine.run.perturb import Active, Perturb
    from kinetree.engine.scene import drag
    from kinetree.engine.scene.build import build
    from kinetree.engine.scene.camera import default_free
    from kinetree.engine.scene.pick import pick

    model, data = worlds[0]
    scene = build(model, data, VisOptions(label=Label.BODY), default_free(model))
    assert [label.text for label in scene.labels] == ["box", "arm", "ball"]
    hit = pick(model, data, [0, -3, 0.148], [0, 1, 0], VisOptions())
    assert model.names["body"][hit.bodyid] == "ball"
    perturb = Perturb(select=hit.bodyid, localpos=hit.localpos(data))
    drag.begin(perturb, Active.TRANSLATE, model, data, scene.view)
    perturb.refselpos = perturb.refselpos + [0, 0, 0.1]
    assert perturb.force(model, data)[2] > 0
    assert perturb.pose(model, data, paused=True)[0] == "free"


THINGS = {
    "geom": '<geom type="box" size="0.4 0.4 0.05" pos="0 0 0.8" material="m"/>',
    "cloth": '<flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".4 .4 .4" pos="0 0 .8" radius=".02" material="m"/>',
    "rope": '<flexcomp name="f" type="grid" dim="1" count="3 1 1" spacing=".4 .4 .4" pos="0 0 .8" radius=".1" material="m"/>',
}


@pytest.mark.parametrize("thing", THINGS)
def test_materials_without_shadow(thing):
    text = """
<mujoco>
  <asset><material name="m" castshadow="{casts}"/></asset>
  <worldbody>
    <light type="directional" dir="0 0 -1" pos="0 0 3"/>
    <camera name="c" pos="0 -3 2" xyaxes="1 0 0 0 0.55 0.83"/>
    <geom type="plane" size="2 2 0.1"/>
    {thing}
  </worldbody>
</mujoco>"""
    pictures = []
    for casts in ("true", "false"):
        model = kinetree.load_string(text.format(casts=casts, thing=THINGS[thing]))
        data = kinetree.Data(model)
        kinetree.kinematics(model, data)
        pictures.append(kinetree.render(model, data, 120, 80, "c").astype(int))
    plain = kinetree.render(model, data, 120, 80, "c", VisOptions(shadow=False)).astype(int)
    assert np.abs(pictures[0] - pictures[1]).max() > 20
    np.testing.assert_allclose(pictures[1], plain, atol=2)


DIALECT = """
<mujoco>
  <visual>{visual}</visual>
  <asset>
    <texture type="skybox" builtin="flat" rgb1="0.2 0.3 0.9" width="8" height="48"/>
    <material name="metal" metallic="1" roughness="0.2" rgba="0.9 0.9 0.9 1"/>
  </asset>
  <worldbody>
    <light pos="0 0 3" dir="0 0 -1" diffuse="2 2 2" {light}/>
    <camera name="c" pos="0 -3 2" xyaxes="1 0 0 0 0.55 0.83" {camera}/>
    <geom type="plane" size="2 2 0.1" rgba="1 1 1 1"/>
    <geom type="box" size="0.4 0.4 0.05" pos="0 0 0.8" material="metal"/>
  </worldbody>
</mujoco>"""


def _dialect(visual="", light="", camera="") -> np.ndarray:
    model = kinetree.load_string(DIALECT.format(visual=visual, light=light, camera=camera))
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    return kinetree.render(model, data, 120, 80, "c").astype(int)


def test_clipping_distances_of_a_camera():
    whole, near, far = _dialect(), _dialect(camera='znear="3.3"'), _dialect(camera='zfar="3.3"')
    box, back, front = (
        (slice(21, 25), slice(50, 70)),
        (slice(30, 40), slice(30, 40)),
        (slice(60, 78), slice(10, 110)),
    )
    assert np.abs(whole[box] - near[box]).mean() > 20 > np.abs(whole[box] - far[box]).mean()
    assert np.abs(whole[back] - far[back]).mean() > 20 > np.abs(whole[back] - near[back]).mean()
    assert np.abs(whole[front] - near[front]).mean() > 20 > np.abs(whole[front] - far[front]).mean()
    np.testing.assert_allclose(_dialect(camera='znear="0.05" zfar="100"'), whole, atol=2)


def test_tone_mapping():
    ours, cut, aces = (
        _dialect(visual=text) for text in ("", '<tonemapping method="none"/>', '<tonemapping method="aces"/>')
    )
    assert (cut >= ours - 1).all() and (cut == 255).sum() > (ours == 255).sum()
    # Narkowicz's curve leaves black black, lifts the middle and never cuts off
    dark = (cut < 8) & (cut >= 0)
    assert np.abs(aces - cut)[dark].max(initial=0) < 20
    assert np.abs(aces - cut).max() > 5


def test_brightness_of_the_environment():
    pictures = [_dialect(visual=f'<map envmapintensity="{value}"/>') for value in (0, 1, 2)]
    metal = (slice(17, 25), slice(50, 70))
    blue = [image[metal][..., 2].mean() for image in pictures]
    assert blue[0] < blue[1] < blue[2]
    np.testing.assert_array_equal(pictures[1], _dialect())


def test_cone_and_near_plane_of_a_spot():
    wide, narrow = _dialect(light='cutoff="40" innerangle="39"'), _dialect(light='cutoff="40" innerangle="5"')
    assert wide.mean() > narrow.mean() + 2
    shadow, none = _dialect(light='cutoff="40"'), _dialect(light='cutoff="40" nearz="2.5"')
    assert (none - shadow).max() > 20  # the box is nearer to the lamp than its shadow map begins
