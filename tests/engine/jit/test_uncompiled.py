"""Kernels run uncompiled over lists: the same numbers as compiled ones, and numba is not imported."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import kinetree
from kinetree.engine.jit.uncompiled import Lists, ListState
from kinetree.engine.model.fields import by_name

ROOT = Path(__file__).resolve().parents[3]
STAGES = {
    "kinetree.engine.dynamics.position.kinematics": ("kinematics", "com_pos", "camlight"),
    "kinetree.engine.dynamics.position.tendon": ("tendon",),
    "kinetree.engine.dynamics.position.spatial_tendon": ("spatial_tendon",),
    "kinetree.engine.dynamics.position.inertia": ("crb", "tendon_armature"),
    "kinetree.engine.dynamics.position.transmission": ("transmission",),
    "kinetree.engine.dynamics.position.transmission_site": ("transmission_site", "transmission_body"),
}
ARM = """<mujoco><worldbody>
  <light pos="1 2 3" dir="0 1 -1"/><camera name="eye" mode="targetbody" target="hand" pos="2 0 1"/>
  <body name="upper" pos="0.1 0.2 1" euler="10 20 30"><joint name="shoulder" type="ball" pos="0 0.1 0"/>
    <geom type="capsule" fromto="0 0 0 0.3 0.1 0" size="0.05"/><site name="a" pos="0.1 0 0.1" euler="5 0 0"/>
    <body name="hand" pos="0.3 0.1 0"><joint name="elbow" axis="0 1 1" ref="20" range="-90 90"/><joint name="slide" type="slide"/>
      <geom type="box" size="0.1 0.05 0.02" pos="0.1 0 0" euler="0 0 40"/><site name="b" pos="0.1 0.1 0"/></body></body>
  <body name="ball" pos="1 0 2"><freejoint/><geom name="round" size="0.1"/><site name="c"/></body>
  <body name="target" mocap="true" pos="3 2 1" quat="1 1 0 0"><geom size="0.1" contype="0"/></body>
</worldbody>
<tendon><spatial name="cable" armature="0.1"><site site="a"/><site site="b"/><pulley divisor="2"/><site site="a"/><site site="c"/></spatial>
  <fixed name="sum"><joint joint="elbow" coef="2"/><joint joint="slide" coef="-1"/></fixed></tendon>
<actuator><motor joint="shoulder" gear="1 2 3"/><motor tendon="cable"/><motor tendon="sum"/><motor joint="elbow"/>
  <motor site="b" refsite="c" gear="1 2 3 4 5 6"/><motor site="a" gear="0 0 1 0 0 0"/></actuator></mujoco>"""


def test_stages_over_lists_give_what_they_give_over_arrays():
    model = kinetree.load_string(ARM)
    data, lists = kinetree.Data(model), Lists(model)
    state = ListState(lists)
    for name, stages in STAGES.items():
        module = __import__(name, fromlist=stages)
        for stage in stages:
            getattr(module, stage)(model, data)
            getattr(module, stage)(lists, state)
    for field in (
        "xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat",
        "subtree_com", "cinert", "cdof", "crb", "M", "cam_xpos", "cam_xmat", "light_xpos", "light_xdir", "ten_length", "ten_J",
        "wrap_xpos", "wrap_obj", "actuator_length", "actuator_moment", "moment_colind", "moment_rownnz", "mocap_pos",
    ):  # fmt: skip
        ours = getattr(state.arrays, field)
        assert ours.dtype == getattr(data, field).dtype, field
        assert np.array_equal(ours, getattr(data, field)), field


def test_kinematics_are_those_of_the_kernels():
    model = kinetree.load_string(ARM)
    ours, theirs = kinetree.Data(model), kinetree.Data(model)
    for data in (ours, theirs):
        data.qpos += np.linspace(0.1, 0.5, model.nq)
        data.mocap_pos[0] = 1, 2, 3
    before = ours.qpos.copy()
    kinetree.kinematics(model, ours)
    for name in (
        "kinetree.engine.dynamics.position.kinematics",
        "kinetree.engine.dynamics.position.tendon",
        "kinetree.engine.dynamics.position.spatial_tendon",
    ):
        for stage in STAGES[name]:
            getattr(__import__(name, fromlist=[stage]), stage)(model, theirs)
    assert np.array_equal(ours.qpos, before)
    for name, array in ours._arrays.items():
        assert by_name("Data")[name].role == "address" or np.array_equal(array, theirs._arrays[name]), name


def test_one_number_of_a_row_that_others_share():
    state = ListState(Lists(kinetree.load_string(ARM)))
    state.xpos[1, 2] = 5.0
    assert state.xpos[1, 2] == 5.0
    assert state.xpos[2, 2] == state.xpos[0, 2] == 0.0


@pytest.mark.parametrize("text", ["<mujoco/>", ARM])
def test_loading_imports_no_compiler(text):
    code = f"import sys, kinetree\nkinetree.load_string({text!r})\nprint(sorted(set(sys.modules) & {{'numba', 'llvmlite', 'scipy', 'PIL'}}))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr
