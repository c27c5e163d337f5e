"""Hard contacts and hard limits (MPEX): nothing passes, nothing gains energy, whatever the load and the speed."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.dynamics import forward
from kinetree.engine.dynamics.constraint.hard import REACH, SLOP

DROP = """<mujoco><option cone="{cone}" solver="{solver}" iterations="{iterations}"><flag energy="enable"/></option>
 <worldbody><geom type="plane" size="5 5 1" hard="true"/>
 <body pos="0 0 1" euler="20 30 0"><freejoint/><geom type="{kind}" size=".1 .15 .2" mass="{mass}"/></body></worldbody>
 </mujoco>"""
LOAD = """<mujoco><worldbody><geom type="plane" size="5 5 1" {floor}/>
 <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="1" {geom}/></body>
 <body pos="0 0 .3"><freejoint/><geom type="box" size=".1 .1 .1" mass="{mass}" {geom}/></body></worldbody></mujoco>"""
JOINTS = {
    "hinge": ('axis="0 1 0" range="-30 40"', 0.7),
    "slide": ('type="slide" axis="1 0 0" range="-.3 .2"', 0.2),
    "ball": ('type="ball" range="0 40"', np.radians(40)),
}
LIMIT = """<mujoco><option gravity="0 0 0" integrator="{integrator}"><flag energy="enable"/></option><worldbody><body>
 <joint {joint} limited="true" {hard}/><geom type="capsule" size=".03 .2" pos=".1 0 .1"/></body></worldbody></mujoco>"""


def depth(data) -> float:
    """How deep the deepest contact is."""
    return max(0.0, -float(data.contact.dist.min())) if data.ncon else 0.0


def passed(model, data) -> float:
    """How far the joint is beyond its limit."""
    if model.jnt_type[0] == 1:
        angle = 2 * np.arctan2(np.linalg.norm(data.qpos[1:4]), abs(data.qpos[0]))
        return max(0.0, angle - model.jnt_range[0, 1])
    low, high = model.jnt_range[0]
    return max(0.0, low - data.qpos[0], data.qpos[0] - high)


def settle(model, data, steps) -> tuple[float, float]:
    """(greatest depth, greatest rise of the energy above its lowest value so far)"""
    deepest = rise = 0.0
    lowest = np.inf
    for _ in range(steps):
        kinetree.step(model, data)
        deepest = max(deepest, depth(data))
        energy = float(data.energy.sum())
        lowest = min(lowest, energy)
        rise = max(rise, energy - lowest)
    return deepest, rise


@pytest.mark.parametrize("mass", [1.0, 1e5])
@pytest.mark.parametrize("kind", ["box", "sphere", "capsule", "cylinder"])
@pytest.mark.parametrize(
    ("cone", "solver"), [("pyramidal", "Newton"), ("elliptic", "Newton"), ("elliptic", "PGS"), ("pyramidal", "CG")]
)
def test_a_fall_ends_at_the_surface_and_only_loses_energy(cone, solver, kind, mass):
    text = DROP.format(cone=cone, solver=solver, kind=kind, mass=mass, iterations=200)
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    deepest, rise = settle(model, data, 1500)
    assert deepest < 1.5 * SLOP
    assert rise < (1e-6 if solver != "CG" else 1e-4) * mass  # CG leaves more of the way to the minimum
    assert depth(data) > 0.5 * SLOP and np.abs(data.qvel).max() < 1e-3
    assert not data.warning.any()


@pytest.mark.parametrize("hard", ["floor", "boxes"])
@pytest.mark.parametrize("mass", [1.0, 100.0, 1e4])
def test_load_does_not_press_anything_in(mass, hard):
    """A heavy box on a light one, on the floor: where the floor is hard, or the boxes are."""
    words = 'hard="true"'
    text = LOAD.format(mass=mass, floor=words if hard == "floor" else "", geom=words if hard == "boxes" else "")
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    depths = []
    for _ in range(10):
        kinetree.step(model, data, 100)
        depths.append(0.1 - data.qpos[2])
    tolerance = SLOP * (1.5 + 1e-3 * mass)  # SOFTNESS is relative to the mass of the light box
    assert max(depths) < tolerance
    assert depths[-1] - depths[0] < 0.1 * SLOP
    if hard == "boxes":
        assert depth(data) < tolerance


def test_soft_contacts_are_deeper():
    soft = kinetree.load_string(LOAD.format(mass=1e4, floor="", geom=""))
    data = kinetree.Data(soft)
    kinetree.step(soft, data, 1000)
    assert depth(data) > 1000 * SLOP


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast", "RK4"])
@pytest.mark.parametrize("name", JOINTS)
@pytest.mark.parametrize("speed", [0.5, 5.0, 50.0])
def test_a_limit_holds_at_speed(name, speed, integrator):
    joint, _ = JOINTS[name]
    model = kinetree.load_string(LIMIT.format(joint=joint, hard='hardlimit="true"', integrator=integrator))
    data = kinetree.Data(model)
    data.qvel[0] = speed
    kinetree.forward(model, data)
    most, start = 0.0, float(data.energy[1])
    for _ in range(1000):
        kinetree.step(model, data)
        most = max(most, passed(model, data))
    step = speed * model.opt.timestep
    # a ball joint slides along its limit, in a curve; the stages of RK4 are not ends of steps
    allowed = {"RK4": 1.5 * step, "ball": step * min(1.0, speed / 10)}
    assert most < allowed.get(integrator, allowed.get(name, 1e-6))
    soft = kinetree.load_string(LIMIT.format(joint=joint, hard="", integrator=integrator))
    other = kinetree.Data(soft)
    other.qvel[0] = speed
    worst = 0.0
    for _ in range(1000):
        kinetree.step(soft, other)
        worst = max(worst, passed(soft, other))
    assert worst > 2 * most
    assert float(data.energy[1]) <= start * (1 + 1e-9)


def test_a_motor_cannot_push_through_a_hard_limit():
    text = LIMIT.format(
        joint='name="j" ' + JOINTS["hinge"][0], hard='hardlimit="true" damping="1"', integrator="implicit"
    )
    model = kinetree.load_string(text.replace("</mujoco>", '<actuator><motor joint="j"/></actuator></mujoco>'))
    data = kinetree.Data(model)
    for torque in (100.0, 1e4):
        data.ctrl = torque
        for _ in range(300):
            kinetree.step(model, data)
            assert passed(model, data) < 5e-3  # for a step or two, as the integrator damps velocities too
        assert passed(model, data) < 1e-5


def test_the_geom_with_the_higher_priority_decides():
    for floor, geom, is_hard in (
        ('hard="true" priority="1"', "", True),
        ("priority='1'", 'hard="true"', False),
        ('hard="true"', "priority='1'", False),
        ('hard="true" priority="1"', "priority='1'", True),
    ):
        model = kinetree.load_string(LOAD.format(mass=1, floor=floor, geom=geom))
        data = kinetree.Data(model)
        kinetree.step(model, data, 500)
        assert (0.1 - data.qpos[2] < 2 * SLOP) == is_hard


@pytest.mark.parametrize("kind", ["geom", "pair", "override"])
def test_hard_contacts_rest_at_their_margin(kind):
    """The reach does not count: the distance at rest is margin minus gap, as in MuJoCo."""
    floor = 'name="floor" hard="true" margin=".03" gap=".01"'
    text = LOAD.format(mass=1, floor=floor, geom='margin=".05"').replace('mass="1"', 'mass="1" name="low"', 1)
    rest = 0.05 - 0.01
    if kind == "pair":
        pair = '<contact><pair geom1="floor" geom2="low" margin=".04" gap=".03"/></contact></mujoco>'
        text, rest = text.replace("</mujoco>", pair), 0.01
    if kind == "override":
        option = '<mujoco><option o_margin=".015"><flag override="enable"/></option>'
        text, rest = text.replace("<mujoco>", option), 0.015 - 0.01
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    data.qpos[2], data.qpos[9] = 0.2, 0.5
    kinetree.step(model, data, 150)  # much later a fifth contact of the aligned boxes, found by rounding, tilts them
    assert data.qpos[2] - 0.1 == pytest.approx(rest - SLOP, abs=SLOP)


def test_what_overlaps_moves_apart_without_gaining_much_energy():
    model = kinetree.load_string(DROP.format(cone="elliptic", solver="Newton", kind="sphere", mass=1, iterations=100))
    data = kinetree.Data(model)
    data.qpos[2] = 0.05  # half of it is below the floor
    highest = 0.0
    for _ in range(1000):
        kinetree.step(model, data)
        highest = max(highest, data.qpos[2])
    assert highest < 0.16
    assert abs(data.qpos[2] - 0.1) < 1e-3


def test_the_reach_bounds_the_speed_at_which_nothing_enters():
    """Faster than REACH a step, a body enters for one step and is pushed out."""
    model = kinetree.load_string(DROP.format(cone="elliptic", solver="Newton", kind="sphere", mass=1, iterations=100))
    for factor, enters in ((0.9, False), (3.0, True)):
        data = kinetree.Data(model)
        data.qpos[2] = 0.1 + 1.5 * REACH
        data.qvel[2] = -factor * REACH / model.opt.timestep
        deepest, _ = settle(model, data, 300)
        assert (deepest > 1.5 * SLOP) == enters
        assert depth(data) < 1e-3


def test_models_without_hard_parts_have_no_stage_for_them():
    names = [row.name for row in forward.stages(kinetree.load_string(LOAD.format(mass=1, floor="", geom="")))]
    assert "harden" not in names and "hard_contacts" not in names
    names = [
        row.name for row in forward.stages(kinetree.load_string(LOAD.format(mass=1, floor='hard="true"', geom="")))
    ]
    assert "harden" in names and "hard_contacts" in names
