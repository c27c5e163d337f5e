"""Cables in the colours of their stress, beside the colours that the reference's plugin gives to geoms."""

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import default_free
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import linear
from kinetree.engine.scene.stress import ramp

CABLE = """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"/></extension><worldbody>
<geom type="plane" size="2 2 .1" rgba=".2 .3 .4 1"/>
<composite type="cable" curve="{curve}" count="13 1 1" size="1 .2 1" offset="0 0 1" initial="none">
<plugin plugin="mujoco.elasticity.cable"><config key="twist" value="1e7"/><config key="bend" value="4e6"/>
<config key="flat" value="{flat}"/><config key="vmax" value="{vmax}"/></plugin>
<joint kind="main" damping=".015"/><geom type="{shape}" size=".01 .01 .02" rgba=".8 .2 .1 .5"/></composite>
</worldbody></mujoco>"""
SHARED = """<mujoco><extension><plugin plugin="mujoco.elasticity.cable"><instance name="i"><config key="twist" value="1e7"/>
<config key="bend" value="4e6"/><config key="vmax" value=".05"/></instance></plugin></extension><worldbody><body>
<plugin instance="i"/><geom type="capsule" fromto="0 0 0 .1 0 0" size=".01"/><geom size=".02" pos="0 0 .1" rgba="1 0 0 1"/>
<body pos=".1 0 0"><joint type="ball"/><plugin instance="i"/><geom type="capsule" fromto="0 0 0 .1 0 0" size=".01" group="1"/>
<geom size=".02" pos="0 0 .1" rgba="1 0 0 1"/></body></body></worldbody></mujoco>"""


def pose(count: int) -> np.ndarray:
    """Unit quaternions of ball joints, more bent the farther along."""
    rng = np.random.default_rng(5)
    quats = np.tile([1.0, 0, 0, 0], (count, 1))
    quats[:, 1:] += 0.02 * rng.normal(size=(count, 3)) * np.linspace(0, 2, count)[:, None]
    return (quats / np.linalg.norm(quats, axis=1)[:, None]).ravel()


def ours(model, data, options: VisOptions) -> dict[int, np.ndarray]:
    """The linear colour of each geom that is drawn."""
    scene = build(model, data, options, default_free(model))
    rows = scene.instances[: scene.ninstance]
    return {
        int(scene.segments[int(row[S.SEGMENT])][1]): row[S.COLOR : S.COLOR + 4]
        for row in rows
        if int(scene.segments[int(row[S.SEGMENT])][0]) == int(mujoco.mjtObj.mjOBJ_GEOM)
    }


def theirs(text: str, qpos: np.ndarray) -> dict[int, np.ndarray]:
    """The sRGB-encoded colour of each geom in the reference's scene."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, 200)
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL, scene)
    geoms = scene.geoms[: scene.ngeom]
    return {geom.objid: geom.rgba.copy() for geom in geoms if geom.objtype == mujoco.mjtObj.mjOBJ_GEOM}


@pytest.mark.parametrize(
    ("curve", "flat", "vmax", "shape"),
    [
        ("s", "false", 0.4, "capsule"),
        ("s", "false", 0.15, "cylinder"),
        ("cos(s) sin(s) 0", "true", 1.0, "box"),
        ("s", "false", 0.0, "capsule"),
    ],
)
def test_colours_as_the_plugin_gives_them(curve, flat, vmax, shape):
    text = CABLE.format(curve=curve, flat=flat, vmax=vmax, shape=shape)
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    data.qpos[:] = pose(model.nq // 4)
    kinetree.kinematics(model, data)
    want, found = theirs(text, data.qpos), ours(model, data, VisOptions())
    assert sorted(want) == sorted(found) == list(range(13))
    for geom, rgba in want.items():
        np.testing.assert_allclose(found[geom][:3], linear(rgba[:3]), atol=1e-4, err_msg=str(geom))
        assert found[geom][3] == pytest.approx(rgba[3])
    colors = {tuple(np.round(color, 3)) for geom, color in found.items() if geom}
    assert len(colors) > 5 if vmax else len(colors) == 1  # they differ along the cable, or not at all


def test_the_first_geom_of_a_body_shows_it_also_where_others_are_hidden():
    model = kinetree.load_string(SHARED)
    data = kinetree.Data(model)
    data.qpos[:] = [0.9996, 0, 0.02, 0]
    kinetree.kinematics(model, data)
    want = theirs(SHARED, data.qpos)
    found = ours(model, data, VisOptions())
    for geom, rgba in want.items():
        np.testing.assert_allclose(found[geom][:3], linear(rgba[:3]), atol=2e-3)
    np.testing.assert_allclose(found[1][:3], [1, 0, 0], atol=1e-6)
    assert not np.allclose(found[0][:3], found[1][:3])
    options = VisOptions()
    options.geomgroup[0] = False
    hidden = ours(model, data, options)
    assert sorted(hidden) == [2]
    np.testing.assert_allclose(hidden[2], found[2])


def test_ramp():
    shares = np.array([-1, 0, 0.25, 0.5, 0.75, 1, 9, np.nan])
    want = [[0, 0, 1], [0, 0, 1], [0, 1, 1], [0, 1, 0], [1, 1, 0], [1, 0, 0], [1, 0, 0], [0, 0, 1]]
    np.testing.assert_allclose(ramp(shares), want)
