"""Pulling and turning, against the reference and against what it must do."""

import mujoco
import numpy as np
import pytest

from kinetree.engine.run.perturb import Active, Perturb
from kinetree.engine.scene import drag
from kinetree.engine.scene.camera import Mouse, default_free, view_of
from kinetree.engine.scene.rotation import quat_mat
from tests.engine.scene.worlds import load

LOCAL = np.array([0.1, 0.02, -0.05])


@pytest.fixture
def world():
    model, data = load()
    data.qvel[:] = np.random.default_rng(1).normal(size=model.nv) * 0.3
    mujoco.mj_forward(model, data)
    return model, data


def both(world, body: str, active: Active):
    """Our perturbation and the reference's, at the start of a drag."""
    model, data = world
    scene, camera = mujoco.MjvScene(model, 200), mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(model, camera)
    mujoco.mjv_updateScene(model, data, mujoco.MjvOption(), None, camera, 7, scene)
    theirs = mujoco.MjvPerturb()
    theirs.select = model.body(body).id
    theirs.localpos[:] = LOCAL
    mujoco.mjv_initPerturb(model, data, scene, theirs)
    theirs.active = int(active)
    view = view_of(default_free(model), model, data, 1.6)
    ours = Perturb(select=model.body(body).id, localpos=LOCAL.copy())
    drag.begin(ours, active, model, data, view)
    return ours, theirs, view, scene


@pytest.mark.parametrize("action", ["MOVE_V", "MOVE_H", "ROTATE_V", "ROTATE_H"])
@pytest.mark.parametrize("move", [(0.1, 0.0), (0.0, 0.07), (-0.05, 0.12)])
def test_references_move_alike(world, action, move):
    active = Active.ROTATE if "ROTATE" in action else Active.TRANSLATE
    ours, theirs, view, scene = both(world, "e", active)
    assert ours.scale == pytest.approx(theirs.scale, rel=1e-5)
    drag.move(ours, Mouse[action], *move, view)
    mujoco.mjv_movePerturb(*world, getattr(mujoco.mjtMouse, f"mjMOUSE_{action}"), *move, scene, theirs)
    np.testing.assert_allclose(ours.refpos, theirs.refpos, atol=1e-6)
    np.testing.assert_allclose(ours.refselpos, theirs.refselpos, atol=1e-6)
    np.testing.assert_allclose(quat_mat(ours.refquat), quat_mat(theirs.refquat), atol=1e-6)


@pytest.mark.parametrize("action", ["MOVE_V", "ROTATE_V"])
def test_force_on_a_free_body_is_the_references(world, action):
    model, data = world
    ours, theirs, view, scene = both(world, "a", Active.ROTATE if "ROTATE" in action else Active.TRANSLATE)
    ours.localpos[:] = theirs.localpos[:] = 0.0  # where the mass felt is that of the centre
    mujoco.mjv_initPerturb(model, data, scene, theirs)
    drag.begin(ours, ours.active, model, data, view)
    drag.move(ours, Mouse[action], 0.05, 0.02, view)
    mujoco.mjv_movePerturb(*world, getattr(mujoco.mjtMouse, f"mjMOUSE_{action}"), 0.05, 0.02, scene, theirs)
    data.xfrc_applied[:] = 0
    mujoco.mjv_applyPerturbForce(model, data, theirs)
    part = slice(3, 6) if "ROTATE" in action else slice(0, 3)
    np.testing.assert_allclose(
        ours.force(model, data)[part], data.xfrc_applied[ours.select, part], rtol=2e-3, atol=1e-3
    )


def test_a_pulled_body_arrives(world):
    model, data = world
    mujoco.mj_resetData(model, data)
    mujoco.mj_forward(model, data)
    model.opt.gravity[:] = 0
    ours, _, view, _ = both(world, "d", Active.TRANSLATE)
    ours.localpos[:] = 0.0
    drag.begin(ours, Active.TRANSLATE, model, data, view)
    drag.move(ours, Mouse.MOVE_V, 0.1, -0.1, view)
    for _ in range(1500):
        data.xfrc_applied[ours.select] = ours.force(model, data)
        mujoco.mj_step(model, data)
    np.testing.assert_allclose(ours.point(data), ours.refselpos, atol=2e-3)


def test_mocap_and_paused_free_bodies_are_posed(world):
    model, data = world
    ours, _, view, _ = both(world, "m", Active.TRANSLATE)
    drag.move(ours, Mouse.MOVE_V, 0.2, 0.0, view)
    for paused in (True, False):
        kind, index, pos, quat = ours.pose(model, data, paused)
        assert (kind, index) == ("mocap", 0)
        np.testing.assert_allclose(pos, ours.refpos, atol=1e-9)
        np.testing.assert_allclose(quat, [1, 0, 0, 0], atol=1e-9)
    assert not ours.force(model, data).any()
    free, _, view, _ = both(world, "e", Active.ROTATE)
    assert free.pose(model, data, paused=False) is None
    drag.move(free, Mouse.ROTATE_V, 0.1, 0.0, view)
    kind, address, pos, quat = free.pose(model, data, paused=True)
    assert (kind, address) == ("free", model.jnt_qposadr[model.body("e").jntadr[0]])
    data.qpos[address : address + 7] = np.concatenate([pos, quat])
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    np.testing.assert_allclose(data.xipos[free.select], free.refpos, atol=1e-9)
    np.testing.assert_allclose(data.ximat[free.select].reshape(3, 3), quat_mat(free.refquat), atol=1e-9)


def test_idle_does_nothing(world):
    model, data = world
    assert Perturb().pose(model, data, True) is None
    assert not Perturb(select=1).force(model, data).any()


@pytest.mark.parametrize("dof", ["full", "trilinear"])
def test_a_flex_is_pulled_where_it_is_taken(dof):
    """One corner is dragged upwards: it arrives, deforms the flex, and takes the rest along against gravity."""
    text = (
        '<mujoco><option timestep=".001"/><worldbody><geom type="plane" size="3 3 .1"/><flexcomp name="f" type="grid" dim="3" count="4 4 4" '
        f'spacing=".1 .1 .1" radius=".01" mass="2" pos="0 0 .2" dof="{dof}">'
        '<contact selfcollide="none" internal="false"/><elasticity young="5e3" poisson=".1" damping=".002"/>'
        "</flexcomp></worldbody></mujoco>"
    )
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 300)
    ours = Perturb(select=1)
    drag.begin(ours, Active.TRANSLATE, model, data, view_of(default_free(model), model, data, 1.6))
    before = data.flexvert_xpos.copy()
    ours.refselpos = ours.refselpos + [0, 0, 0.6]
    for _ in range(1500):
        data.xfrc_applied[1] = ours.force(model, data)
        mujoco.mj_step(model, data)
    lifted = data.flexvert_xpos[:, 2] - before[:, 2]
    corner = data.xpos[1, 2] - before[:, 2].min()
    assert 0.3 < corner < 0.8
    assert lifted.mean() > 0.03
    assert lifted.max() - lifted.min() > 0.02
