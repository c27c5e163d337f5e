"""Islands that are found from constraint rows are those of the solver and of the reference; their geoms have its colours."""

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.scene import scene as S
from kinetree.engine.scene.build import build
from kinetree.engine.scene.camera import initial
from kinetree.engine.scene.decor.labels import labels
from kinetree.engine.scene.islands import color_of, island_of_bodies
from kinetree.engine.scene.options import Label, VisOptions
from kinetree.engine.scene.scene import encoded

TEXT = """
<mujoco><option>{}</option><worldbody><geom type="plane" size="3 3 .1"/>
  <body pos="0 0 .099"><freejoint/><geom size=".1"/></body>
  <body pos="1 0 .099"><freejoint/><geom size=".1"/></body>
  <body pos="1 0 .298"><freejoint/><geom size=".1"/></body>
  <body pos="-1 0 2"><freejoint/><geom size=".1"/></body>
  <body name="a" pos="0 1 2"><joint name="a" range="0.1 1" limited="true"/><geom size=".1" pos=".2 0 0"/></body>
  <body name="b" pos="0 -1 2"><joint name="b" frictionloss="1"/><geom size=".1" pos=".2 0 0"/><site name="b" pos=".2 0 0"/></body>
  <body name="c" pos="0 -2 2"><joint name="c"/><geom size=".1" pos=".2 0 0"/><site name="c" pos=".2 0 0"/></body>
  <body name="d" pos="0 -3 2"><joint name="d"/><geom size=".1" pos=".2 0 0"/><site name="d"/></body>
</worldbody>
<tendon><spatial range="0 .5" limited="true"><site site="b"/><site site="c"/></spatial></tendon>
<equality><joint joint1="d" joint2="c"/></equality></mujoco>
"""
ON = '<flag island="enable"/>'


@pytest.fixture
def rig():
    model, data = mujoco.MjModel.from_xml_string(TEXT.format(ON)), None
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    return model, data


def test_islands_are_those_of_the_solver(rig):
    model, data = rig
    of_body = island_of_bodies(model, data)
    assert of_body is not None
    for body in range(1, model.nbody):
        dof = int(model.body_dofadr[body])
        island = int(data.dof_island[dof])
        assert (of_body[body] >= 0) == (island >= 0)
        if island >= 0:
            assert of_body[body] == np.flatnonzero(data.dof_island == island)[0]
    assert len(np.unique(of_body[of_body >= 0])) == data.nisland == 4


def test_geoms_have_the_colours_of_the_reference(rig):
    model, data = rig
    theirs = mujoco.MjvScene(model, 100)
    mujoco.mjv_updateScene(
        model, data, mujoco.MjvOption(), None, mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL, theirs
    )
    colors = {g.objid: g.rgba[:3] for g in theirs.geoms[: theirs.ngeom] if g.objtype == mujoco.mjtObj.mjOBJ_GEOM}
    scene = build(model, data, VisOptions(), initial(model))
    rows = scene.instances[: scene.ninstance]
    for row in rows:
        kind, geom = scene.segments[int(row[S.SEGMENT])]
        if kind == mujoco.mjtObj.mjOBJ_GEOM:
            np.testing.assert_allclose(encoded(row[S.COLOR : S.COLOR + 3]), colors[geom], atol=1e-4)
    texts = [label.text for label in labels(model, data, VisOptions(label=Label.ISLAND), None, scene.view)]
    assert sorted(set(texts)) == ["0", "1", "2", "3"]


@pytest.mark.parametrize("flag", ["", ON])
def test_without_the_flag_or_the_option_nothing_is_painted(flag):
    model = kinetree.load_string(TEXT.format(flag))
    data = kinetree.Data(model)
    kinetree.kinematics(model, data)
    assert island_of_bodies(model, data) is None  # without forces there are no constraint rows


def test_colours_of_islands_differ():
    colors = color_of(np.arange(0, 60, 6))
    assert colors.shape == (10, 3) and len(np.unique(colors.round(3), axis=0)) == 10
