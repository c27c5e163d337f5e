"""Inverse kinematics: targets are reached, limits and equalities hold, and the result is the same each time."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import kinetree
from kinetree.engine.posing.aim import Aim
from kinetree.engine.posing.mechanism import residual
from kinetree.engine.posing.posing import NotPosable, Posing, pose

ARM = """
<mujoco>
  <worldbody>
    <body name="trunk" pos="0 0 1">
      <joint name="waist" axis="0 0 1" range="-60 60"/>
      <geom size="0.15 0.2 0.3" type="box"/>
      <body name="upper" pos="0 0.25 0.2">
        <joint name="shoulder" type="ball" range="0 100"/>
        <geom type="capsule" fromto="0 0 0 0 0.3 0" size="0.04"/>
        <body name="lower" pos="0 0.3 0">
          <joint name="elbow" axis="0 0 1" range="0 150" ref="0"/>
          <geom type="capsule" fromto="0 0 0 0 0.3 0" size="0.03"/>
          <body name="hand" pos="0 0.3 0">
            <joint name="reach" type="slide" axis="0 1 0" range="-0.02 0.1"/>
            <joint name="twist" axis="0 1 0" range="-90 90"/>
            <geom size="0.05"/>
          </body>
        </body>
      </body>
      <body name="other" pos="0 -0.25 0.2"><joint name="idle" axis="1 0 0"/><geom size="0.1"/></body>
    </body>
  </worldbody>
</mujoco>"""
LOOP = """
<mujoco>
  <worldbody>
    <body name="crank"><joint name="crank" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .3" size=".02"/>
      <body name="rod" pos="0 0 .3"><joint name="rod" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 1 0 .2" size=".02"/></body>
    </body>
    <body name="rocker" pos="1 0 0"><joint name="rocker" axis="0 1 0" range="-50 50"/>
      <geom type="capsule" fromto="0 0 0 0 0 .5" size=".02"/></body>
    <body name="gauge" pos="2 0 0"><joint name="gauge" axis="0 1 0"/><geom size=".1"/></body>
  </worldbody>
  <equality>
    <connect body1="rod" body2="rocker" anchor="1 0 .2"/>
    <joint joint1="gauge" joint2="crank" polycoef="0.1 2 0.5 0 0"/>
  </equality>
</mujoco>"""
ROBOT = """
<mujoco>
  <worldbody>
    <body name="base" pos="0 0 1"><freejoint/><geom size=".2 .2 .1" type="box"/>
      <body name="arm" pos=".2 0 0"><joint axis="0 1 0" range="-80 80"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
        <body name="tip" pos=".3 0 0"><joint axis="0 0 1" range="-80 80"/><geom size=".05"/></body>
      </body>
    </body>
    <body name="fixed" pos="3 0 0"><geom size=".1"/></body>
    <body name="load" pos=".5 0 .8"><freejoint/><geom size=".05"/></body>
  </worldbody>
  <equality><weld body1="tip" body2="load"/></equality>
</mujoco>"""


def made(text: str):
    model = kinetree.load_string(text)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    return model, data


@pytest.fixture(scope="module")
def arm():
    return made(ARM)


def body(model, name: str) -> int:
    return kinetree.name2id(model, "body", name)


def limits_hold(model, data) -> bool:
    """Whether hinges and slides are within their ranges, exactly, and balls but for the last bits."""
    for joint in np.flatnonzero(model.jnt_limited):
        low, high = model.jnt_range[joint]
        q = data.qpos[model.jnt_qposadr[joint] :]
        if model.jnt_type[joint] == 1:
            if 2 * np.arccos(min(1.0, abs(q[0]))) > high + 1e-6:
                return False
        elif not low <= q[0] <= high:
            return False
    return True


def test_a_target_within_reach_is_reached(arm):
    model, data = arm
    hand = body(model, "hand")
    data.qpos[:] = model.qpos0
    data.qpos[:] = [0.4, 0.9, 0.3, 0.2, 0.1, 1.1, 0.05, 0.3, 0.0]
    data.qpos[1:5] /= np.linalg.norm(data.qpos[1:5])
    kinetree.forward(model, data)
    target, turned = data.xpos[hand].copy(), data.xquat[hand].copy()
    kinetree.reset(model, data)
    found = pose(model, data, hand, Aim(pos=target, quat=turned))
    kinetree.forward(model, data)
    assert found.distance < 1e-8 and found.angle < 1e-8
    np.testing.assert_allclose(data.xpos[hand], target, atol=1e-8)
    assert abs(data.xquat[hand] @ turned) == pytest.approx(1.0, abs=1e-12)
    assert limits_hold(model, data)


def test_only_the_limb_moves(arm):
    model, data = arm
    kinetree.reset(model, data)
    found = pose(model, data, body(model, "hand"), Aim(pos=(-0.2, 0.5, 1.4)))
    idle = model.jnt_qposadr[kinetree.name2id(model, "joint", "idle")]
    assert found.distance < 1e-8
    assert data.qpos[idle] == model.qpos0[idle]


def test_out_of_reach_the_body_gets_as_near_as_it_can(arm):
    model, data = arm
    kinetree.reset(model, data)
    kinetree.forward(model, data)
    hand = body(model, "hand")
    found = pose(model, data, hand, Aim(pos=(0.0, 3.0, 1.2)))
    assert limits_hold(model, data)
    # stretched along y from the shoulder: 0.25 + 0.3 + 0.3 + 0.1
    assert found.distance == pytest.approx(3.0 - 0.95, abs=1e-3)
    names = {model.names["joint"][joint] for joint in found.at_limit}
    assert "reach" in names


def test_dragging_back_gives_the_pose_again(arm):
    model, data = arm
    kinetree.reset(model, data)
    kinetree.forward(model, data)
    hand = body(model, "hand")
    start = data.xpos[hand].copy()
    posing = Posing(model, data, hand)
    for target in ((0.3, 0.6, 1.3), (0.5, 0.3, 1.0), (0.1, 0.7, 1.5), start):
        posing.aim(Aim(pos=target))
        posing.improve(300)
    np.testing.assert_allclose(data.qpos, model.qpos0, atol=1e-5)


@given(
    x=st.floats(-1.2, 1.2), y=st.floats(-1.2, 1.2), z=st.floats(-0.2, 2.2),
    turn=st.lists(st.floats(-1, 1), min_size=4, max_size=4),
)  # fmt: skip
@settings(max_examples=25, deadline=None)
def test_limits_hold_wherever_one_drags(arm, x, y, z, turn):
    model, data = arm
    kinetree.reset(model, data)
    kinetree.forward(model, data)
    hand = body(model, "hand")
    before = np.linalg.norm(data.xpos[hand] - (x, y, z))
    posing = Posing(model, data, hand)
    posing.aim(Aim(pos=(x, y, z), quat=turn if np.linalg.norm(turn) > 0.1 else None))
    for _ in range(60):
        more = posing.improve(1)
        assert limits_hold(model, data)
        if not more:
            break
    assert np.isfinite(data.qpos).all()
    if np.linalg.norm(turn) <= 0.1:
        assert posing.distance <= before + 1e-9


@given(angle=st.floats(-3.0, 3.0), shift=st.floats(-0.6, 0.6))
@settings(max_examples=25, deadline=None)
def test_equalities_hold_at_every_step(angle, shift):
    model, data = made(LOOP)
    rod = body(model, "rod")
    posing = Posing(model, data, rod)
    assert len(posing.dofs) == 4  # crank, rod, rocker, gauge
    posing.aim(Aim(pos=(0.3 * np.sin(angle) + shift, 0.0, 0.3 * np.cos(angle))))
    for _ in range(80):
        more = posing.improve(1)
        kinetree.forward(model, data)
        left = residual(model, data, posing.dofs)[1]
        assert np.abs(left).max() < 1e-7
        assert limits_hold(model, data)
        if not more:
            break


def test_a_loop_reaches_what_it_can():
    model, data = made(LOOP)
    rod = body(model, "rod")
    found = pose(model, data, rod, Aim(pos=(0.3 * np.sin(0.5), 0.0, 0.3 * np.cos(0.5))))
    assert found.distance < 1e-8
    q = {name: float(data.qpos[model.jnt_qposadr[i]]) for i, name in enumerate(model.names["joint"])}
    assert q["crank"] == pytest.approx(0.5, abs=1e-7)
    assert q["gauge"] == pytest.approx(0.1 + 2 * q["crank"] + 0.5 * q["crank"] ** 2, abs=1e-7)


def test_the_base_of_a_robot_stays_and_what_it_holds_comes_along():
    model, data = made(ROBOT)
    tip, base, load = (body(model, name) for name in ("tip", "base", "load"))
    where = data.xpos[base].copy()
    relative = data.xpos[load] - data.xpos[tip]
    found = pose(model, data, tip, Aim(pos=(0.45, 0.1, 1.15)))
    kinetree.forward(model, data)
    np.testing.assert_array_equal(data.xpos[base], where)
    assert found.distance == pytest.approx(np.hypot(0.1, 0.3 - np.hypot(0.25, 0.15)), abs=1e-6)
    turned = data.xmat[tip].reshape(3, 3) @ relative
    np.testing.assert_allclose(data.xpos[load] - data.xpos[tip], turned, atol=1e-7)


def test_what_no_joint_moves_is_refused():
    model, data = made(ROBOT)
    with pytest.raises(NotPosable, match="no joint"):
        Posing(model, data, body(model, "fixed"))


def test_a_state_that_is_not_finite_is_refused(arm):
    model, data = arm
    kinetree.reset(model, data)
    data.qpos[0] = np.nan
    with pytest.raises(NotPosable, match="diverged"):
        Posing(model, data, body(model, "hand"))


def test_the_same_drag_gives_the_same_bits(arm):
    model, data = arm
    found = []
    for _ in range(2):
        kinetree.reset(model, data)
        kinetree.forward(model, data)
        posing = Posing(model, data, body(model, "hand"))
        for target in ((0.3, 0.6, 1.3), (1.5, 0.3, 1.0), (0.1, -0.7, 1.5)):
            posing.aim(Aim(pos=target, quat=(1, 0.2, 0, 0.3)))
            posing.improve(25)
        found.append(data.qpos.tobytes())
    assert found[0] == found[1]


def test_limits_of_tendons_hold():
    model, data = made("""
        <mujoco><worldbody>
          <body><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".02"/>
            <body pos="1 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".02"/>
              <body name="end" pos="1 0 0"><geom size=".05"/></body></body></body>
        </worldbody>
        <tendon><fixed limited="true" range="-0.5 0.5"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed>
        </tendon></mujoco>""")
    found = pose(model, data, body(model, "end"), Aim(pos=(0.0, 0.0, -1.9)))
    kinetree.forward(model, data)
    assert -0.5 - 1e-7 <= data.ten_length[0] <= 0.5 + 1e-7
    assert data.ten_length[0] == pytest.approx(0.5, abs=1e-6)
    assert found.distance > 0.1


def test_switched_off_limits_and_equalities_do_not_count():
    model, data = made(LOOP)
    data.eq_active[:] = 0
    assert Posing(model, data, body(model, "rod")).dofs.tolist() == [0, 1]
    own = model.with_own_options()
    own.opt.disableflags = 1 << 3  # limit
    data = kinetree.Data(own)
    kinetree.forward(own, data)
    data.eq_active[:] = 0
    rocker = body(model, "rocker")
    found = pose(own, data, rocker, Aim(quat=(np.cos(0.6), 0, np.sin(0.6), 0)))
    assert found.angle < 1e-8 and data.qpos[2] == pytest.approx(1.2, abs=1e-8)


# ---- contacts --------------------------------------------------------------------------------------------------

TABLE = """
<mujoco>
  <worldbody>
    <geom name="plate" type="box" pos=".6 0 .5" size=".4 .6 .005"/>
    <body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
      <body name="lower" pos=".4 0 0"><joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
        <body name="hand" pos=".4 0 0"><joint axis="0 1 0"/><geom name="palm" size=".05"/></body></body></body>
    <body name="ball" pos=".5 .3 .8"><freejoint/><geom name="ball" size=".05"/></body>
    <body name="deep" pos=".5 -.3 .54"><freejoint/><geom name="deep" size=".05"/></body>
  </worldbody>
</mujoco>"""


def depth(model, data) -> float:
    """How deep the deepest contact is, m."""
    kinetree.forward(model, data)
    return max(0.0, -float(data.contact_dist[: data.ncon].min(initial=0.0)))


@pytest.mark.parametrize("name", ["hand", "ball"])
def test_a_thin_plate_stops_a_body_that_is_drawn_through_it(name):
    model, data = made(TABLE)
    bent = data.qpos.copy()
    bent[model.jnt_qposadr[kinetree.name2id(model, "joint", "elbow")]] = 0.3
    data.qpos[:] = bent
    deep = depth(model, data)
    aim = Aim(pos=(0.4, float(data.xpos[body(model, name), 1]), 0.35))
    found = pose(model, data, body(model, name), aim, contacts=True)
    assert depth(model, data) <= deep + 2e-4
    assert found.distance == pytest.approx(0.5 + 0.005 + 0.05 - 0.35, abs=5e-3)  # it rests on the plate
    data.qpos[:] = bent
    assert pose(model, data, body(model, name), aim).distance < 1e-6


def test_what_overlaps_already_goes_no_deeper_and_may_come_out():
    model, data = made(TABLE)
    deep = depth(model, data)
    assert deep > 0.01
    pose(model, data, body(model, "deep"), Aim(pos=(0.5, -0.3, 0.3)), contacts=True)
    assert depth(model, data) <= deep + 2e-4
    found = pose(model, data, body(model, "deep"), Aim(pos=(0.5, -0.3, 0.7)), contacts=True)
    assert found.distance < 1e-6 and depth(model, data) == 0.0


def test_with_contacts_switched_off_in_the_model_nothing_stops_it():
    model, data = made(TABLE.replace("<worldbody>", '<option><flag contact="disable"/></option><worldbody>', 1))
    assert pose(model, data, body(model, "ball"), Aim(pos=(0.5, 0.3, 0.2)), contacts=True).distance < 1e-6


@given(x=st.floats(0.1, 0.9), z=st.floats(0.1, 1.5))
@settings(max_examples=15, deadline=None)
def test_wherever_one_drags_nothing_gets_into_the_plate(x, z):
    model, data = TABLE_MODEL
    kinetree.reset(model, data)
    deep = depth(model, data)
    posing = Posing(model, data, body(model, "hand"), contacts=True)
    posing.aim(Aim(pos=(x, 0.0, z)))
    while posing.improve():
        assert depth(model, data) <= deep + 2e-4


SOFT = """
<mujoco>
  <worldbody>
    <flexcomp name="soft" type="grid" {kind} spacing=".1 .1 .1" pos=".5 0 .5" radius=".01" mass="1">
      <contact selfcollide="none" internal="false" {contact}/></flexcomp>
    <body name="ball" pos=".5 .03 1"><freejoint/><geom name="ball" size=".06"/></body>
    <body name="arm" pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .7 0 0" size=".03"/>
      <body name="hand" pos=".7 0 0"><joint axis="0 1 0"/><geom type="box" size=".05 .05 .05"/></body></body>
  </worldbody>
</mujoco>"""
KINDS = {
    "cloth": 'dim="2" count="9 9 1"',
    "solid": 'dim="3" count="5 5 3"',
    "jelly": 'dim="3" count="5 5 3" dof="trilinear"',
}


@pytest.mark.parametrize("name", ["ball", "hand"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_flex_stops_what_is_drawn_into_it(kind, name):
    model, data = made(SOFT.format(kind=KINDS[kind], contact=""))
    start = data.qpos.copy()
    where = body(model, name)
    aim = Aim(pos=(0.45, float(data.xpos[where, 1]), 0.45))
    pose(model, data, where, aim, contacts=True)
    assert depth(model, data) <= 2e-4
    low = float(data.xpos[where, 2])
    assert low == pytest.approx(data.flexvert_xpos[:, 2].max() + 0.01 + (0.06 if name == "ball" else 0.05), abs=0.03)
    data.qpos[:] = start
    pose(model, data, where, aim)
    assert depth(model, data) > 0.02  # nothing stops it without contacts


def test_a_flex_that_collides_with_nothing_stops_nothing():
    model, data = made(SOFT.format(kind=KINDS["cloth"], contact='contype="0" conaffinity="0"'))
    where = body(model, "ball")
    assert pose(model, data, where, Aim(pos=(0.5, 0.03, 0.4)), contacts=True).distance < 1e-6


PAD = """
<mujoco>
  <worldbody>
    <geom name="table" type="box" pos=".5 0 .2" size=".5 .5 .02"/>
    <body name="hand" pos=".5 0 .6"><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/>
      <geom size=".02" contype="0" conaffinity="0"/>
      <flexcomp name="pad" type="grid" dim="3" count="3 3 3" spacing=".05 .05 .05" pos="0 0 -.1" radius=".01" mass="1" {}>
        <contact selfcollide="none" internal="false"/><pin id="{}"/></flexcomp></body>
  </worldbody>
</mujoco>"""


@pytest.mark.parametrize(("dof", "pins"), [("", "2 5 8"), ('dof="trilinear"', "1 3 5 7")], ids=["full", "trilinear"])
def test_the_pad_of_a_hand_is_stopped(dof, pins):
    """Where a hand goes its pad goes, and the pad does not go into the table."""
    model, data = made(PAD.format(dof, pins))
    hand = body(model, "hand")
    pose(model, data, hand, Aim(pos=(0.4, 0.0, 0.1)), contacts=True)
    assert depth(model, data) <= 2e-4
    assert data.flexvert_xpos[:, 2].min() == pytest.approx(0.22 + 0.01, abs=2e-3)
    assert data.xpos[hand, 0] == pytest.approx(0.4, abs=1e-3)  # it slides on


TABLE_MODEL = made(TABLE)
