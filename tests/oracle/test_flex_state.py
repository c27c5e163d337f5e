"""State of models with flexes beside mujoco: keyframes, sensors, skins on their bodies; momentum and energy.

What holds without a reference: tests/engine/dynamics/force/test_flex.py; history and snapshots:
tests/engine/run/test_flexes.py.
"""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.scene.surface import SkinSurface
from tests.oracle import flexes


@pytest.fixture(scope="module")
def fallen():
    """The reference's world after 60 steps, and the text with this state as a keyframe."""
    m = mujoco.MjModel.from_xml_string(flexes.TEXT)
    d = mujoco.MjData(m)
    mujoco.mj_step(m, d, 60)
    assert d.ncon > 20
    return flexes.with_keyframe(d.qpos, d.qvel)


@pytest.fixture(scope="module")
def pair(fallen):
    """Both simulations, 20 steps after the keyframe, with the same state."""
    m, model = mujoco.MjModel.from_xml_string(fallen), kinetree.load_string(fallen)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    data.sensordata[...] = np.nan
    mujoco.mj_resetDataKeyframe(m, d, 0)
    kinetree.reset(model, data, key="fallen")
    assert data.time == d.time == 3
    np.testing.assert_array_equal(data.qpos, d.qpos)
    np.testing.assert_array_equal(data.qvel, d.qvel)
    for _ in range(20):
        mujoco.mj_step(m, d)
        kinetree.step(model, data)
    return m, d, model, data


def test_keyframes(pair):
    """From a keyframe both move the same way."""
    m, d, model, data = pair
    np.testing.assert_array_equal(model.key_qpos, m.key_qpos)
    np.testing.assert_allclose(data.qpos, d.qpos, atol=1e-7)
    np.testing.assert_allclose(data.qvel, d.qvel, atol=1e-5)
    assert np.abs(d.qpos - m.key_qpos[0]).max() > 1e-3


def test_sensors(pair):
    m, d, _, data = pair
    for i, name in enumerate(mujoco.mjtSensor(int(kind)).name for kind in m.sensor_type):
        part = slice(m.sensor_adr[i], m.sensor_adr[i] + m.sensor_dim[i])
        scale = 1 + np.abs(d.sensordata[part]).max()
        np.testing.assert_allclose(data.sensordata[part], d.sensordata[part], atol=1e-5 * scale, err_msg=name)
        assert d.sensordata[part].any(), name


def test_skins_follow_the_bodies_of_flexes(pair):
    m, model = pair[0], pair[2]
    d, data = mujoco.MjData(m), kinetree.Data(model)
    mujoco.mj_resetDataKeyframe(m, d, 0)
    kinetree.reset(model, data, key=0)
    moved = m.body("shell_4").dofadr[0]
    d.qvel[moved + 2] = data.qvel[moved + 2] = 1.0
    scene, vis = mujoco.MjvScene(m, 1000), mujoco.MjvOption()
    places = []
    for steps in (1, 10):
        mujoco.mj_step(m, d, steps)
        kinetree.step(model, data, steps)
        mujoco.mjv_updateScene(m, d, vis, None, mujoco.MjvCamera(), mujoco.mjtCatBit.mjCAT_ALL, scene)
        surface = SkinSurface(model, 0)
        surface.follow(data)
        places.append(surface.vertices[:, :3] + surface.centre)
        np.testing.assert_allclose(places[-1], scene.skinvert.reshape(-1, 3), atol=1e-6)
    assert np.abs(places[1] - places[0]).max() > 1e-3


# ---- invariants, beside the reference's ----------------------------------------------------------------------------

QUIET = '<contact selfcollide="none" internal="false" contype="0" conaffinity="0"/>'
UNDAMPED = {
    "line": f'type="grid" dim="1" count="6 1 1" spacing=".1 .1 .1"><edge stiffness="30"/>{QUIET}',
    "stretched": 'type="grid" dim="2" count="4 5 1" spacing=".1 .1 .1"><elasticity young="1e4" poisson=".2" thickness=".02"'
    f' elastic2d="stretch"/>{QUIET}',
    "bent": 'type="grid" dim="2" count="4 5 1" spacing=".1 .1 .1"><elasticity young="1e6" poisson=".2" thickness=".02"'
    f' elastic2d="bend"/>{QUIET}',
    "both": 'type="grid" dim="2" count="4 5 1" spacing=".1 .1 .1"><elasticity young="1e4" poisson=".2" thickness=".02"'
    f' elastic2d="both"/>{QUIET}',
    "solid": f'type="grid" dim="3" count="3 3 3" spacing=".1 .1 .1"><elasticity young="1e3" poisson=".2"/>{QUIET}',
}


def elastic_energy(m, positions) -> float:
    """Energy of edges, stretched elements and bent edges of the one flex, J; `positions`: of its vertices, m."""
    ends = positions[m.flex_edge]
    length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    energy = 0.5 * m.flex_edgestiffness[0] * ((length - m.flexedge_length0) ** 2).sum()
    if m.flex_dim[0] == 1:
        return energy
    edges = {2: 3, 3: 6}[int(m.flex_dim[0])]
    square = length**2 - m.flexedge_length0**2
    above = np.triu_indices(edges)
    for element, stiffness in enumerate(m.flex_stiffness.reshape(m.nflexelem, -1)):
        form = np.zeros((edges, edges))
        form[above] = stiffness[: len(above[0])]
        change = square[m.flex_elemedge[edges * element : edges * (element + 1)]]
        energy += 0.25 * change @ (form + np.triu(form, 1).T) @ change
    if m.flex_dim[0] == 2:
        for edge, flap, bending in zip(m.flex_edge, m.flex_edgeflap, m.flex_bending.reshape(-1, 16), strict=True):
            if flap[0] >= 0 and flap[1] >= 0:
                four = positions[[*edge, *flap]]
                energy += 0.5 * np.einsum("ik,ij,jk->", four, bending.reshape(4, 4), four)
    return energy


@pytest.mark.parametrize("text", UNDAMPED.values(), ids=UNDAMPED)
def test_momentum_and_energy_are_kept_as_well_as_by_the_reference(text):
    """300 steps of a flex that flies and turns. Momentum, about the origin, up to rounding; energy up to the error of the
    integrator, which is the reference's too."""
    xml = (
        '<mujoco><option gravity="0 0 0" timestep=".001"/><worldbody>'
        f'<flexcomp name="f" mass="1" radius=".01" {text}</flexcomp></worldbody></mujoco>'
    )
    m, model = mujoco.MjModel.from_xml_string(xml), kinetree.load_string(xml)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    places = m.flex_vertbodyid
    start = np.random.default_rng(2).normal(0, 0.1, m.nv).reshape(-1, 3)
    start += np.cross((0.3, 0.2, 1.0), m.body_pos[places])
    d.qvel[:] = data.qvel[:] = start.ravel()
    mass = m.body_mass[places][:, None]

    def kept(positions, velocities):
        momentum = mass * velocities.reshape(-1, 3)
        kinetic = 0.5 * (momentum * velocities.reshape(-1, 3)).sum()
        return [*momentum.sum(0), *np.cross(positions, momentum).sum(0), kinetic + elastic_energy(m, positions)]

    rows: tuple[list, list] = ([], [])
    for _ in range(300):
        mujoco.mj_kinematics(m, d)
        mujoco.mj_flex(m, d)
        kinetree.kinematics(model, data)
        rows[0].append(kept(d.flexvert_xpos, d.qvel))
        rows[1].append(kept(data.flexvert_xpos, data.qvel))
        mujoco.mj_step(m, d)
        kinetree.step(model, data)
    theirs, ours = (np.abs(np.array(r) - r[0]).max(0) for r in rows)
    assert ours[:6].max() <= 2 * theirs[:6].max() + 1e-13
    assert ours[6] <= 1.001 * theirs[6] and theirs[6] < 0.05 * rows[0][0][6]
