"""Springs, dampers and gravity compensation against mujoco at random states, far from rest too."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import kinetree
from tests.oracle.bridge import copy_state
from tests.oracle.test_smooth import random_state

TEXT = """<mujoco><option>{flags}</option><worldbody>
 <body pos="0 0 1" gravcomp=".3"><freejoint/><geom type="box" size=".1 .2 .3"/>
  <body pos=".3 .1 0" gravcomp="1.5"><joint type="ball" stiffness="3" damping=".4"/><geom size=".1" pos="0 .1 0"/>
   <body pos="0 .3 .1"><joint name="h" axis="1 2 3" ref="20" springref="60" stiffness="2" damping=".3"/>
    <joint name="s" type="slide" axis="0 1 1" ref=".1" springref=".3" stiffness="5" damping="2"/>
    <geom size=".1"/><site name="a" pos=".1 .2 0"/></body></body></body>
 <body pos="3 0 0" gravcomp="1"><joint type="free" stiffness="7" damping=".2"/><geom size=".1"/>
  <body pos="0 0 .3" gravcomp="1"><geom size=".2"/><site name="b"/></body></body>
 <body pos="-3 0 0" gravcomp="2"><geom size=".2"/></body>
</worldbody><tendon>
 <fixed stiffness="4" springlength=".1 .9" damping=".7"><joint joint="h" coef=".5"/><joint joint="s" coef="-2"/></fixed>
 <fixed stiffness="4" damping=".7"><joint joint="h" coef="1"/></fixed>
 <spatial stiffness="9" springlength=".2" damping=".1"><site site="a"/><site site="b"/></spatial>
 <spatial damping=".1"><site site="b"/><site site="a"/></spatial></tendon>{actuator}</mujoco>"""
FLAGS = ["", 'gravity="disable"', 'passive="disable"']


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("actuator", ["", '<actuator><motor joint="h"/></actuator>'])
def test_passive_forces(flags, actuator):
    text = TEXT.format(flags=flags and f"<flag {flags}/>", actuator=actuator)
    if actuator:
        text = text.replace('name="h"', 'name="h" actuatorgravcomp="true"')
    m, model = mujoco.MjModel.from_xml_string(text), kinetree.load_string(text)
    d, data = mujoco.MjData(m), kinetree.Data(model)
    rng = np.random.default_rng(8)
    for scale in (1.0, 1.0, 5.0, 5.0, 0.0):
        random_state(m, d, rng)
        d.qpos[:] = d.qpos * scale if scale else m.qpos0
        d.qvel *= scale
        mujoco.mj_forward(m, d)
        for array in data._arrays.values():
            if array.dtype == np.float64:
                array[...] = np.nan
        copy_state(m, d, data)
        kinetree.forward(model, data)
        for name in ("qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_passive"):
            np.testing.assert_allclose(getattr(data, name), getattr(d, name), rtol=1e-11, atol=1e-11, err_msg=name)


def test_no_gravity_no_compensation():
    text = TEXT.format(flags="", actuator="").replace("<option>", '<option gravity="0 0 0">')
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    assert not data.qfrc_gravcomp.any()
