"""Paths around spheres and cylinders, muscles and length ranges against the reference, at random."""

from __future__ import annotations

from types import SimpleNamespace

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics.force import muscle
from kinetree.engine.dynamics.position import wrapping
from kinetree.engine.model import enums

PATH = """<mujoco><worldbody><site name="a" pos=".1 .2 .3" euler="1 2 3"/>
<geom name="g" type="{kind}" size=".3 .1" pos=".1 .2 .3" euler="10 20 30"/><site name="s" pos=".1 .2 .4" euler="1 2 3"/>
<body name="b"><freejoint/><geom size=".01"/><site name="e"/></body></worldbody>
<tendon><spatial><site site="a"/><geom geom="g" {side}/><site site="e"/></spatial></tendon></mujoco>"""


@pytest.mark.parametrize("kind", ["sphere", "cylinder"])
@pytest.mark.parametrize("side", ["none", "outside", "inside"])
def test_paths_around_geoms(kind, side):
    sided = side != "none"
    m = mujoco.MjModel.from_xml_string(PATH.format(kind=kind, side='sidesite="s"' if sided else ""))
    d = mujoco.MjData(m)
    wrap = wrapping.wrap
    rng = np.random.default_rng(3)
    touched = 0
    for _ in range(400):
        start, end, away = rng.normal(size=(3, 3)) * 0.6
        if side == "inside":
            away *= rng.uniform(0, 0.3) / np.linalg.norm(away)
        m.geom_pos[0] = centre = rng.normal(size=3) * 0.3
        turn = rng.normal(size=4)
        m.geom_quat[0] = turn / np.linalg.norm(turn)
        m.site_pos[0], m.site_pos[1] = start + centre, away + centre
        d.qpos[:3], d.qpos[3:] = end + centre, [1, 0, 0, 0]
        mujoco.mj_kinematics(m, d)
        mujoco.mj_comPos(m, d)
        mujoco.mj_tendon(m, d)
        ends = d.site_xpos[0], d.site_xpos[2]
        places = [tuple(v.tolist()) for v in (*ends, d.geom_xpos[0], d.geom_xmat[0])]
        side_site = tuple(d.site_xpos[1].tolist())
        arc, first, second = wrap(*places, 0.3, kind == "cylinder", sided, side_site)
        length = np.linalg.norm(ends[0] - ends[1])
        if arc >= 0:
            touched += 1
            touching = d.wrap_xpos.reshape(-1, 3)[1:3]
            np.testing.assert_allclose([first, second], touching, rtol=0, atol=1e-12)
            length = np.linalg.norm(ends[0] - first) + arc + np.linalg.norm(second - ends[1])
        assert (arc >= 0) == (d.ten_wrapnum[0] == 4)
        assert length == pytest.approx(d.ten_length[0], abs=1e-9)
    assert touched > 40


def test_muscles():
    rng = np.random.default_rng(0)
    curves, rate = muscle.muscle, muscle.activation_rate
    for _ in range(500):
        prm = np.array(
            [
                rng.uniform(0.3, 0.9), rng.uniform(1, 1.6), rng.choice([-1, 100]), 200, rng.uniform(0, 0.9),
                rng.uniform(1.1, 2), rng.uniform(0.5, 3), rng.uniform(0.5, 2), rng.uniform(1.01, 2), 0,
            ]
        )  # fmt: skip
        span, acc0 = np.sort(rng.normal(size=2)), rng.uniform(0.1, 3)
        length, velocity = rng.uniform(span[0] - 0.5, span[1] + 1), rng.normal() * 2 * np.ptp(span)
        dynamics = np.array([*rng.uniform(0.01, 0.1, 2), rng.choice([0, 0.2, 1.0])])
        model = SimpleNamespace(
            nu=1,
            actuator_gaintype=[enums.GAIN_MUSCLE],
            actuator_biastype=[enums.BIAS_MUSCLE],
            actuator_gainprm=prm[None],
            actuator_biasprm=prm[None],
            actuator_dynprm=dynamics[None],
            actuator_lengthrange=span[None],
            actuator_acc0=[acc0],
        )
        data = SimpleNamespace(
            actuator_length=[length],
            actuator_velocity=[velocity],
            muscle_gain=[0.0],
            muscle_gain_vel=[0.0],
            muscle_bias=[0.0],
        )
        curves(model, data)
        gain = mujoco.mju_muscleGain(length, velocity, span, acc0, prm[:9])
        assert data.muscle_gain[0] == pytest.approx(gain, rel=1e-9, abs=1e-9)
        bias = mujoco.mju_muscleBias(length, span, acc0, prm[:9])
        assert data.muscle_bias[0] == pytest.approx(bias, rel=1e-9, abs=1e-9)
        ctrl, act = rng.normal(size=2)
        assert rate(model, 0, ctrl, act) == pytest.approx(mujoco.mju_muscleDynamics(ctrl, act, dynamics))


RANGES = """<mujoco><compiler><lengthrange {}/></compiler><worldbody><site name="w" pos=".1 .2 .3"/>
<geom name="post" size=".1" pos=".6 .2 .2"/>
<body pos="1 0 0"><joint name="j" range="-30 40" damping=".2"/><geom size=".1"/><site name="a" pos=".3 .2 .1"/>
<body pos=".4 0 0"><joint name="k" axis="1 0 0" limited="true" range="-50 20"/><geom size=".2" pos="0 .2 0"/>
<site name="c" pos=".3 .4 .1"/></body></body></worldbody>
<tendon><spatial name="t"><site site="w"/><geom geom="post"/><site site="a"/><site site="c"/></spatial>
<fixed name="f" range="-.2 .3"><joint joint="j" coef="1"/><joint joint="k" coef=".5"/></fixed></tendon>
<actuator><muscle tendon="t"/><muscle tendon="f" gear="2"/><muscle joint="k" gear="-3"/><motor joint="j"/>
<general joint="j" biastype="user"/><muscle joint="j" lengthrange="1 2"/></actuator></mujoco>"""


def test_limits_are_those_of_the_target():
    """With uselimit. The reference looks up the limits of the first actuator right, and others' for the rest."""
    text = RANGES.format('mode="muscleuser" uselimit="true"')
    ours, theirs = kinetree.load_string(text), mujoco.MjModel.from_xml_string(text)
    np.testing.assert_array_equal(ours.actuator_lengthrange[1], ours.tendon_range[1])
    np.testing.assert_array_equal(ours.actuator_lengthrange[4], ours.jnt_range[0])
    assert not np.allclose(theirs.actuator_lengthrange, ours.actuator_lengthrange)


@pytest.mark.parametrize(
    "settings",
    [
        "",
        'mode="all"',
        'mode="muscleuser"',
        'mode="none"',
        'useexisting="false" timestep=".02" inttotal="8" interval="3" timeconst=".5" accel="12"',
        'maxforce=".05" tolrange="1"',
    ],
)
def test_length_ranges(settings):
    text = RANGES.format(settings)
    theirs = mujoco.MjModel.from_xml_string(text)
    np.testing.assert_allclose(kinetree.load_string(text).actuator_lengthrange, theirs.actuator_lengthrange, atol=1e-9)
