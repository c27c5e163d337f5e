"""Actuation against mujoco at random states: transmissions, dynamics, gains, biases, limits, groups and bad controls."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.model import enums
from tests.oracle.bridge import copy_state, forward_on_contacts
from tests.oracle.test_smooth import random_state

ARM = """
<mujoco><option {option}>{flags}</option><worldbody>
 <site name="w" pos=".1 .2 .3" euler="10 20 30"/><geom name="floor" type="plane" size="0 0 1" pos="0 0 -.5"/>
 <body name="a" pos="0 0 1" euler="40 10 -20"><joint name="h" axis="0 1 0" range="-90 90"/>
  <geom size=".1 .2" type="capsule" pos="0 0 .3"/><site name="s1" pos=".1 .2 .3" euler="30 -10 20"/>
  <body name="b" pos="0 0 .6"><joint name="s" type="slide" axis="1 0 0" range="-1 2" actuatorfrcrange="-2 1"/>
   <geom size=".1"/><joint name="h2" axis="1 2 3"/><site name="s2" pos=".3 .1 .2" euler="60 -10 50"/>
   <body name="c" pos="0 0 .2"><joint name="ball" type="ball"/><geom type="box" size=".1 .2 .1" pos=".1 0 0"/>
    <site name="s3" pos=".1 0 .4" euler="5 90 50"/></body></body></body>
 <body name="f" pos="1 0 0"><freejoint name="free"/><geom type="box" size=".3 .2 .3"/>
  <site name="s4" pos=".1 .2 .3" euler="3 80 7"/></body>
</worldbody>
<tendon><fixed name="t" actuatorfrcrange="-.5 .7" actuatorfrclimited="true"><joint joint="h" coef=".5"/>
  <joint joint="s" coef="2"/></fixed>
 <fixed name="u" actuatorfrcrange="-.1 .1" actuatorfrclimited="false"><joint joint="h" coef="1"/></fixed>
 <spatial name="p" range=".1 3"><site site="w"/><site site="s3"/></spatial></tendon>
<actuator>{actuators}</actuator></mujoco>"""

TRANSMISSIONS = {
    "hinge and slide": '<motor joint="h" gear="3"/><position joint="s" kp="2" gear="-2"/>',
    "ball": '<position joint="ball" kp="3" gear="1 2 3"/><position jointinparent="ball" kp="2" gear="3 -1 .5"/>',
    "free": '<motor joint="free" gear="1 2 3 4 5 6"/><motor jointinparent="free" gear="1 2 3 4 5 6"/>',
    "hinge in parent": '<position jointinparent="h" kp="2" gear="2"/>',
    "slider-crank": '<position cranksite="s2" slidersite="w" cranklength="3" gear="2" kp="2"/>'
    '<velocity cranksite="s4" slidersite="s1" cranklength=".9" gear="-1" kv=".3"/>',
    "slider-crank out of reach": '<position cranksite="s2" slidersite="w" cranklength=".05" gear="2" kp="2"/>'
    '<position cranksite="s4" slidersite="s1" cranklength=".1" kp="2"/>',
    "site": '<motor site="s2" gear="1 2 3 4 5 6"/><motor site="w" gear="1 0 0 0 0 0"/><motor site="s4" gear="0 0 1 0 0 .1"/>',
    "translation from a refsite": '<position site="s3" refsite="s1" kp="3" gear="1 0 2"/>'
    '<position site="s4" refsite="w" kp="3" gear="1 0 2"/><position site="s2" refsite="s4" kp="3" gear="1 1 2"/>',
    "rotation from a refsite": '<position site="s3" refsite="s1" kp="3" gear="0 0 0 1 0 2"/>'
    '<position site="s4" refsite="w" kp="3" gear="0 0 0 1 0 2"/><position site="s1" refsite="s3" gear="1 2 3 4 5 6"/>',
    "tendons": '<motor tendon="t" gear="2"/><position tendon="p" kp="5" kv="1"/><velocity tendon="u" kv="3"/>',
    "adhesion": '<adhesion body="f" ctrlrange="0 2" gain="5"/><adhesion body="floor_" ctrlrange="0 1"/>'.replace(
        "floor_", "world"
    ),
}
DYNAMICS = {
    "integrator": '<general joint="h" dyntype="integrator" gainprm="2"/><intvelocity joint="s" kp="4" actrange="-.1 .1"/>',
    "filter": '<general joint="h" dyntype="filter" dynprm=".3" gainprm="2"/>'
    '<general joint="s" dyntype="filter" dynprm="0" actrange="-1 1"/>',
    "filterexact": '<general joint="h" dyntype="filterexact" dynprm=".3"/><cylinder joint="s" timeconst=".01" area=".5"/>',
    "muscle": '<muscle joint="h" lengthrange="-1 2"/><muscle tendon="p" lengthrange=".3 2" tausmooth=".2" force="9"/>'
    '<muscle joint="s" lengthrange="-3 3" timeconst=".02 .3" range=".5 1.3" scale="77" lmin=".3" lmax="1.9" vmax="3"'
    ' fpmax="2" fvmax="1.9"/><general joint="h2" dyntype="muscle" dynprm=".02 .05"/>',
    "muscle by its parts": '<general joint="h" gaintype="muscle" gainprm=".6 1.2 -1 50 .4 1.7 1.4 1.2 1.3" '
    'lengthrange="-2 2"/><general joint="s" biastype="muscle" biasprm=".6 1.2 30 50 .4 1.7 1.4 1.2 1.3" '
    'lengthrange="-1 1"/>',
    "user": '<general joint="h" dyntype="user" actdim="3" gaintype="user" biastype="user" gainprm="7" biasprm="8"/>',
    "early": '<general joint="h" dyntype="integrator" gainprm="2" actearly="true" actrange="-.3 .3"/>'
    '<general joint="s" dyntype="filterexact" dynprm=".003" actearly="true"/>'
    '<muscle joint="h2" lengthrange="-1 2"/><general joint="h2" dyntype="muscle" dynprm=".02 .05" actearly="true"/>'
    '<general joint="h" dyntype="filter" dynprm=".03" actearly="true"/>',
    "affine": '<general joint="h" gaintype="affine" gainprm="1 2 3" biastype="affine" biasprm=".1 .2 .3"/>'
    '<damper joint="s" kv="3" ctrlrange="0 1"/><velocity joint="h2" kv="2"/><position joint="s" kp="9" dampratio="1"/>',
}
LIMITS = {
    "control": '<motor joint="h" ctrlrange="-.2 .3"/><motor joint="s" ctrlrange="-.2 .3" ctrllimited="false"/>',
    "force": '<motor joint="h" gear="3" forcerange="-.2 .3"/><position joint="h2" kp="9" forcerange="-1 1"/>',
    "joint": '<motor joint="s" gear="5"/><motor joint="s" gear="-3"/><motor joint="h"/>',
    "tendon": '<motor tendon="t" gear="3"/><motor tendon="t" gear="-2" forcerange="-.1 .1"/><motor tendon="u"/>'
    '<position tendon="t" kp="5" group="2"/>',
    "activation": '<general joint="h" dyntype="integrator" actrange="-.1 .2"/><motor joint="s"/>',
}
EVERYTHING = "".join([*TRANSMISSIONS.values(), *DYNAMICS.values(), *LIMITS.values()])
FIELDS = ("actuator_length", "actuator_velocity", "act_dot", "actuator_force", "qfrc_actuator")


def worlds(actuators, option="", flags=""):
    text = ARM.format(actuators=actuators, option=option, flags=flags and f"<flag {flags}/>")
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    return m, mujoco.MjData(m), model, kinetree.Data(model)


def dense_moment(colind, rownnz, rowadr, values, shape):
    dense = np.zeros(shape)
    for i, (number, adr) in enumerate(zip(rownnz, rowadr, strict=True)):
        dense[i, colind[adr : adr + number]] = values[adr : adr + number]
    return dense


def compare(m, d, model, data, fields=FIELDS):
    for name in fields:
        ours, theirs = getattr(data, name), getattr(d, name)
        if theirs.size:
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-11 * max(1, abs(theirs).max()), err_msg=name)
    moments = [
        dense_moment(side.moment_colind, side.moment_rownnz, side.moment_rowadr, side.actuator_moment, (m.nu, m.nv))
        for side in (data, d)
    ]
    np.testing.assert_allclose(*moments, rtol=1e-9, atol=1e-11)


def run(m, d, model, data, seed=1, count=8, height=(-0.25, -0.18), kept=()):
    """Compare at random states with large controls; everything of ours is poisoned before."""
    rng = np.random.default_rng(seed)
    touching = 0
    for _ in range(count):
        random_state(m, d, rng)
        d.qpos[-4:] = [1, 0, 0, 0.1]
        d.qpos[-7:-4] = [3, 0, rng.uniform(*height)]
        d.ctrl *= 3
        mujoco.mj_forward(m, d)
        for name, array in data._arrays.items():
            if array.dtype == np.float64 and name not in kept:
                array[...] = np.nan
        copy_state(m, d, data)
        forward_on_contacts(m, d, model, data)
        compare(m, d, model, data)
        touching += d.ncon
    assert touching


CASES = {**TRANSMISSIONS, **DYNAMICS, **LIMITS, "everything": EVERYTHING}


@pytest.mark.parametrize("actuators", CASES.values(), ids=CASES)
def test_actuators(actuators):
    run(*worlds(actuators))


@pytest.mark.parametrize(
    "flags", ['clampctrl="disable"', 'actuation="disable"', 'gravity="disable"', 'passive="disable"']
)
def test_flags(flags):
    run(*worlds(EVERYTHING, flags=flags), kept=("actuator_velocity",) if "actuation" in flags else ())


def test_groups_that_are_switched_off():
    groups = EVERYTHING
    for number in (1, 2, 30, 31, 32, -1, 0, 5):
        groups = groups.replace(' joint="h"', f' group="{number}" joint="h_"', 1)
    m, d, model, data = worlds(groups.replace("h_", "h"))
    for mask in (0, 1, 0b110, 1 << 30, (1 << 31) - 1):
        m.opt.disableactuator = model.opt.disableactuator = mask
        run(m, d, model, data, count=3)


def test_gap_counts_for_adhesion():
    text = ARM.format(option="", flags="", actuators='<adhesion body="f" ctrlrange="0 2" gain="5"/>')
    text = text.replace('type="box" size=".3 .2 .3"', 'type="box" size=".3 .2 .3" margin=".3" gap=".2"')
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d = mujoco.MjData(m)
    run(m, d, model, kinetree.Data(model), height=(-0.06, -0.04))
    assert (d.contact.exclude == 1).any()


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e11, -1e11])
def test_bad_controls_count_as_zero(bad):
    """One bad control switches all of them off, with a warning; an infinite one within a range is clipped instead."""
    for actuators in ('<motor joint="h"/><motor joint="s"/>', '<motor joint="h" ctrlrange="-1 2"/><motor joint="s"/>'):
        m, d, model, data = worlds(actuators)
        d.ctrl[:] = data.ctrl[:] = [bad, 3.0]
        mujoco.mj_forward(m, d)
        kinetree.forward(model, data)
        compare(m, d, model, data)
        np.testing.assert_array_equal(data.ctrl, d.ctrl)
        theirs = d.warning[mujoco.mjtWarning.mjWARN_BADCTRL]
        assert data.warning[enums.WARN_BADCTRL].tolist() == [theirs.lastinfo, theirs.number]


GRAVITY = """<mujoco><option>{}</option><worldbody>
 <body pos="0 0 1" gravcomp=".7"><joint name="j" axis="0 1 0" actuatorgravcomp="true" actuatorfrcrange="-.5 .5"/>
  <geom type="capsule" size=".1" fromto="0 0 0 .5 0 .1"/>
  <body pos=".5 0 0" gravcomp="1.2"><joint name="k" type="ball" actuatorgravcomp="true"/><geom size=".1" pos=".2 0 0"/>
   <body pos=".2 .3 0" gravcomp="2"><joint axis="1 0 0"/><geom size=".1" pos=".2 0 0"/></body></body></body>
 <body gravcomp="1"><freejoint/><geom size=".1"/></body></worldbody>{}</mujoco>"""


@pytest.mark.parametrize("actuators", ["", '<actuator><motor joint="j"/></actuator>'])
@pytest.mark.parametrize("flags", ["", 'gravity="disable"', 'passive="disable"', 'actuation="disable"'])
def test_gravity_compensation_through_actuators(actuators, flags):
    text = GRAVITY.format(f"<flag {flags}/>" if flags else "", actuators)
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    rng = np.random.default_rng(2)
    for _ in range(4):
        random_state(m, d, rng)
        mujoco.mj_forward(m, d)
        copy_state(m, d, data)
        kinetree.forward(model, data)
        for name in ("qfrc_gravcomp", "qfrc_passive", "qfrc_actuator", "qfrc_smooth"):
            np.testing.assert_allclose(getattr(data, name), getattr(d, name), atol=1e-12, err_msg=name)


SERVO = """<mujoco><worldbody><body><joint name="h" axis="0 1 0" armature=".1" damping="2"/><geom size=".1" pos=".3 0 0"/>
  <body pos=".5 0 0"><joint name="s" type="slide" axis="1 0 .2"/><geom size=".2"/><site name="e" pos=".1 0 0"/></body>
  </body><site name="w" pos="0 .3 1"/></worldbody>
 <tendon><fixed name="t"><joint joint="h" coef="2"/><joint joint="s" coef="-1"/></fixed>
  <spatial name="p"><site site="w"/><site site="e"/></spatial></tendon>
 <actuator><position joint="h" kp="40" dampratio=".7"/><position tendon="t" kp="3" dampratio="1" gear="2"/>
  <position tendon="p" kp="30" dampratio="2"/><position site="e" refsite="w" kp="7" dampratio="1" gear="1 0 1"/>
  <general joint="s" gainprm="5" biastype="affine" biasprm="0 -5 .3"/>
  <general joint="s" gainprm="5" biastype="affine" biasprm="0 -4 .3"/>
  <intvelocity joint="s" kp="4" dampratio=".4" actrange="-1 1"/></actuator></mujoco>"""


def test_damping_ratios():
    m, model = mujoco.MjModel.from_xml_string(SERVO), kinetree.load_string(SERVO)
    np.testing.assert_allclose(model.actuator_biasprm, m.actuator_biasprm, rtol=1e-10)


PID = """<mujoco><extension><plugin plugin="mujoco.pid"/></extension><worldbody><body><joint name="h" axis="0 1 0"/>
  <geom size=".1" pos=".3 0 0"/></body></worldbody>
 <tendon><fixed name="t" actuatorfrcrange="-.5 .7" actuatorfrclimited="true"><joint joint="h" coef="2"/></fixed></tendon>
 <actuator><plugin plugin="mujoco.pid" tendon="t"><config key="kp" value="90"/></plugin>{}</actuator></mujoco>"""


@pytest.mark.parametrize(
    "other",
    ["", '<motor tendon="t" group="2"/>', '<motor tendon="t"/>', '<motor joint="h"/>', '<motor tendon="t" gear="0"/>'],
)
def test_plugins_alone_do_not_count_for_force_limits_of_tendons(other):
    """The limit holds only where an enabled actuator that is no plugin pulls the tendon; then for all their forces."""
    m, model = mujoco.MjModel.from_xml_string(PID.format(other)), kinetree.load_string(PID.format(other))
    m.opt.disableactuator = model.opt.disableactuator = 0b100
    d, data = mujoco.MjData(m), kinetree.Data(model)
    d.ctrl[:] = data.ctrl[:] = 1.0
    mujoco.mj_forward(m, d)
    kinetree.forward(model, data)
    compare(m, d, model, data)
