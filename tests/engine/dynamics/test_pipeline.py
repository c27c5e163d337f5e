"""The choice of stages follows the model: whatever field changes on a live model, the pipeline is that of a
fresh one.
"""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.collision import table
from kinetree.engine.dynamics import forward, needs
from kinetree.engine.dynamics.pipeline import recorded
from kinetree.engine.model import enums
from kinetree.engine.model.fields import TABLES

# Everything that a predicate asks for, so that changes can take it away; and objects that have none of it
# yet.
RICH = """<mujoco>
  <option><flag energy="enable"/></option>
  <worldbody>
    <geom type="plane" size="2 2 1"/>
    <body name="a" pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s"/></body>
    <body name="b" pos="0 .5 .3">
      <joint name="hinge" axis="1 0 0" limited="true" range="-60 60" frictionloss=".1"/>
      <geom type="capsule" size=".05 .2"/>
      <site name="t" pos="0 .2 0"/>
      <body pos="0 .3 0">
        <joint name="slide" type="slide" axis="0 1 0"/><geom type="ellipsoid" size=".1 .05 .05"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="path" armature=".1" limited="true" range="0 .6" frictionloss=".1">
      <site site="s"/><site site="t"/></spatial>
    <fixed name="sum"><joint joint="hinge" coef="1"/><joint joint="slide" coef="2"/></fixed>
  </tendon>
  <equality><joint joint1="hinge" joint2="slide" active="false"/></equality>
  <actuator>
    <motor joint="hinge"/><muscle tendon="path" lengthrange="0 1"/><motor site="s" gear="1 0 0 0 0 0"/>
    <adhesion body="a" ctrlrange="0 1"/>
  </actuator>
  <sensor>
    <jointpos joint="hinge"/><gyro site="s"/><accelerometer site="s"/><subtreelinvel body="b"/><e_kinetic/>
  </sensor>
</mujoco>"""
FIELDS = [
    f"opt_{name}"
    for name in [
        "integrator",
        "cone",
        "solver",
        "disableflags",
        "enableflags",
        "noslip_iterations",
        "density",
        "viscosity",
    ]
]


@pytest.fixture(scope="module")
def rich() -> kinetree.Model:
    return kinetree.load_string(RICH)


def choice(model) -> tuple[list[str], dict]:
    return [row.name for row in forward.stages(model)], table.needed_pairs(model) if needs.may_collide(model) else {}


def fields_read(model) -> tuple[str, ...]:
    """All fields that the predicates of stages read, without short cuts between them."""
    predicates = [row.needed for row in (*forward.FORWARD, *forward.STEP)]
    return recorded(model, *predicates, table.needed_pairs)[0]


def test_the_fields_that_predicates_read_are_recorded(rich):
    fields, results = recorded(rich, needs.has_tendons, needs.has_muscles_or_user_types)
    assert (fields, results) == (("actuator_biastype", "actuator_gaintype"), [True, True])


def test_what_the_predicates_read_is_in_the_tables(rich):
    known = {field.name for field in TABLES["Model"] if field.kind != "size"}
    assert {"jnt_limited", "geom_contype", "opt_integrator", "sensor_type"} <= set(fields_read(rich)) <= known


def test_the_same_pipeline_while_nothing_changes(rich):
    first = forward.pipeline(rich)
    rich.opt.timestep = 0.001
    rich.body_mass[1] = 2.0
    assert forward.pipeline(rich) is first
    assert forward.pipeline(rich.copy()) is not first


def variants(name: str, array: np.ndarray):
    """Other values for a field: all zeros, all ones, each bit of flags."""
    if name.endswith("flags"):
        return [array ^ (1 << bit) for bit in range(22)]
    if name == "opt_integrator":
        return [np.array([1]), np.array([2]), np.array([3])]
    if name in ("opt_cone", "jnt_limited", "tendon_limited", "geom_contype", "geom_conaffinity"):
        return [np.zeros_like(array), np.ones_like(array)]
    if name in ("dof_frictionloss", "tendon_frictionloss", "tendon_armature"):
        return [np.zeros_like(array), np.full_like(array, 0.2)]
    if name in ("actuator_gaintype", "actuator_biastype"):
        return [np.zeros_like(array)]
    return []


def test_a_live_model_is_stepped_like_a_fresh_one():
    """Every field that a predicate reads, and every option: after a change the same stages and the same
    results.
    """
    model = kinetree.load_string(RICH)
    start = kinetree.Data(model)
    start.ctrl = 0.3
    kinetree.step(model, start, 3)
    changed = set()
    for name in sorted({*fields_read(model), *FIELDS}):
        field = model._arrays[name] if name in model._arrays else model._cells[name]
        before = field.copy()
        for value in variants(name, before):
            field[...] = value
            if model.unsimulated:
                with pytest.raises(kinetree.ModelError):
                    kinetree.step(model, kinetree.Data(model))
                continue
            fresh = model.copy()
            assert choice(model) == choice(fresh)
            live_data, fresh_data = kinetree.Data(model), kinetree.Data(fresh)
            for data in (live_data, fresh_data):
                data.qpos, data.qvel, data.ctrl = start.qpos, start.qvel, 0.3
            kinetree.step(model, live_data, 2)
            kinetree.step(fresh, fresh_data, 2)
            assert list(forward.pipeline(model).names) == choice(fresh)[0], name
            for result in ("qpos", "qvel", "sensordata", "energy", "efc_force"):
                ours, theirs = getattr(live_data, result), getattr(fresh_data, result)
                assert np.array_equal(ours, theirs, equal_nan=True), (name, result)
            changed.add(name)
        field[...] = before
    assert {
        "jnt_limited",
        "dof_frictionloss",
        "geom_contype",
        "opt_enableflags",
        "tendon_armature",
    } <= changed


@pytest.mark.parametrize(
    ("change", "stage", "there"),
    [
        (lambda m: m.opt.__setattr__("integrator", enums.INT_IMPLICITFAST), "implicitfast", True),
        (lambda m: m.opt.__setattr__("integrator", enums.INT_RK4), "rk4", True),
        (lambda m: m.dof_damping.fill(1), "damped_euler", True),
        (lambda m: m.dof_damping.fill(1), "euler", False),
        (lambda m: m.opt.__setattr__("enableflags", m.opt.enableflags ^ enums.ENBL_ENERGY), "potential_energy", False),
        (lambda m: m.jnt_limited.fill(0), "limit", True),
        (lambda m: (m.jnt_limited.fill(0), m.tendon_limited.fill(0)), "limit", False),
        (lambda m: (m.geom_contype.fill(0), m.geom_conaffinity.fill(0)), "broad_phase", False),
        (lambda m: m.opt.__setattr__("disableflags", enums.DSBL_CONTACT), "broad_phase", True),
        (lambda m: m.sensor_type.fill(9), "subtree_vel", False),
    ],
)
def test_stages_come_and_go(change, stage, there):
    model = kinetree.load_string(RICH)
    forward.pipeline(model)
    change(model)
    assert (stage in forward.pipeline(model).names) == there


def test_a_pair_of_types_that_may_collide_later():
    """Masks that are changed on a live model bring in collision functions that were not needed before."""
    text = """<mujoco><worldbody>
      <body><freejoint/><geom type="box" size=".1 .1 .1" contype="1" conaffinity="2"/></body>
      <geom size=".1" contype="4" conaffinity="8" pos="0 0 .15"/>
      <geom type="plane" size="1 1 1" pos="0 0 -1"/>
      </worldbody></mujoco>"""
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    assert data.ncon == 0
    model.geom_conaffinity[:] = 1
    kinetree.forward(model, data)
    assert data.ncon > 0
    fresh = kinetree.Data(model)
    kinetree.forward(model, fresh)
    assert np.array_equal(data.contact.dist, fresh.contact.dist)
