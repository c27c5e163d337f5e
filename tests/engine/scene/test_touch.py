"""Plates of touch sensors, beside those that the reference's plugins draw."""

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import default_free
from kinetree.engine.scene.decor.table import collect
from kinetree.engine.scene.options import VisOptions
from kinetree.engine.scene.scene import ShapeKind

TEXT = """<mujoco><extension><plugin plugin="mujoco.sensor.touch_{kind}"/></extension><worldbody>
<geom type="plane" size="1 1 .1"/><geom type="box" size=".1 .05 .02" pos=".05 .02 .02" euler="0 0 20"/>
<body pos="0 0 .12" euler="{tilt}"><freejoint/><geom size=".1" contype="1"/><site name="s"/></body>
<body pos=".3 .3 .0"><freejoint/><geom size=".05"/></body></worldbody>
<sensor><plugin name="t" plugin="mujoco.sensor.touch_{kind}" objtype="site" objname="s"><config key="size" value="{size}"/>
<config key="fov" value="{fov}"/><config key="gamma" value="{gamma}"/><config key="nchannel" value="{channels}"/></plugin>
</sensor></mujoco>"""


def theirs(text: str, steps: int) -> tuple[np.ndarray, list]:
    """The position and the plates of the reference after some steps."""
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, steps)
    mujoco.mj_forward(model, data)
    scene = mujoco.MjvScene(model, 2000)
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL, scene)
    plates = [geom for geom in scene.geoms[: scene.ngeom] if geom.category == mujoco.mjtCatBit.mjCAT_DECOR]
    return data.qpos.copy(), [(geom.pos, geom.mat, geom.size, geom.rgba) for geom in plates]


def ours(model, data) -> np.ndarray:
    """The rows of the plates."""
    view = build(model, data, VisOptions(), default_free(model)).view
    rows = collect(model, data, VisOptions(), None, view).rows
    return rows[rows["shape"] == ShapeKind.BOX]


@pytest.mark.parametrize(
    ("kind", "size", "fov", "gamma", "channels", "tilt"),
    [
        ("grid", "5 7", "60 40", 0, 3, "0 0 0"),
        ("grid", "8 5", "90 50", 0.7, 6, "10 20 30"),
        ("grid", "3 3", "45 45", 0, 1, "0 15 0"),
        ("stress", "6 9", "45 30", 0.3, 3, "5 10 15"),
        ("stress", "5 5", "45 45", 0, 1, "0 0 0"),
    ],
)
def test_plates_as_the_plugins_draw_them(kind, size, fov, gamma, channels, tilt):
    text = TEXT.format(kind=kind, size=size, fov=fov, gamma=gamma, channels=channels, tilt=tilt)
    qpos, want = theirs(text, 60)
    assert want
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.step(model, data, 60)
    kinetree.forward(model, data)
    np.testing.assert_allclose(data.qpos, qpos, atol=1e-6)
    found = ours(model, data)
    assert len(found) == len(want)
    far = np.array([np.linalg.norm(pos - data.site_xpos[0]) for pos, *_ in want])
    assert far.min() > 0.05
    for pos, mat, extent, rgba in want:
        row = found[np.argmin(np.linalg.norm(found["pos"] - pos, axis=1))]
        np.testing.assert_allclose(row["pos"], pos, atol=1e-4)
        np.testing.assert_allclose(row["mat"], mat, atol=1e-3)
        np.testing.assert_allclose(row["size"], extent, atol=1e-4)
        np.testing.assert_allclose(row["rgba"], np.clip(rgba, 0, 1), atol=2e-3)


def test_nothing_is_drawn_without_a_reading():
    model = kinetree.load_string(TEXT.format(kind="grid", size="5 7", fov="60 40", gamma=0, channels=3, tilt="0 0 0"))
    data = kinetree.Data(model)
    data.qpos[2] = 2.0
    kinetree.forward(model, data)
    assert not len(ours(model, data))
    assert not data.sensordata.any()
