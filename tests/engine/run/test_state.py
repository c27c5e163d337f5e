"""Snapshots are copies; a reload keeps what still exists."""

import mujoco
import numpy as np
import pytest

import kinetree
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.change import combine, set_attribute
from kinetree.engine.document.document import Document
from kinetree.engine.dynamics.query.contact_force import in_contact_frame
from kinetree.engine.model.fields import select
from kinetree.engine.model.model import Options
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.snapshot import Snapshot
from kinetree.engine.run.transfer import transfer
from tests.oracle.bridge import model_from


def compiled(text: str) -> kinetree.Model:
    return model_from(mujoco.MjModel.from_xml_string(text))


ROBOT = """<mujoco><size nuserdata="2"/><worldbody>
  <body name="base" pos="0 0 1"><freejoint name="root"/><geom size=".1"/>
    <body name="arm" pos=".3 0 0"><joint name="shoulder" axis="0 1 0"/><geom size=".1"/>
      <body pos=".3 0 0"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom size=".1"/></body></body>
  </body>
  <body name="target" mocap="true" pos="1 0 0"><geom size=".05" contype="0" conaffinity="0"/></body>
</worldbody>
<equality><weld name="hold" body1="arm" body2="target" active="false"/></equality>
<actuator><motor name="a" joint="shoulder"/><general name="b" joint="shoulder" dyntype="filter" dynprm="1"/></actuator>
</mujoco>"""


def moved(model):
    data = kinetree.Data(model)
    random = np.random.default_rng(1)
    data.qpos[:] = random.normal(size=model.nq)
    data.qvel[:] = random.normal(size=model.nv)
    data.act[:] = random.normal(size=model.na)
    data.ctrl[:] = random.normal(size=model.nu)
    data.mocap_pos[:] = 3.0
    data.mocap_quat[:] = 0.5
    for name in ("qfrc_applied", "xfrc_applied", "userdata", "qacc_warmstart"):
        getattr(data, name)[:] = random.normal(size=getattr(data, name).shape)
    data.eq_active[:] = 1 - data.eq_active
    data.time = 12.5
    return data


# ---- snapshots ------------------------------------------------------------------------------------------


def test_a_snapshot_is_an_immutable_copy():
    model = compiled(ROBOT)
    data = moved(model)
    snapshot = Snapshot(model, data, serial=3, running=True, speed=2.0)
    before = data.qpos.copy()
    data.qpos[:] = np.nan
    np.testing.assert_array_equal(snapshot.qpos, before)
    assert snapshot.time == 12.5 and snapshot.serial == 3 and snapshot.model is model
    with pytest.raises(ValueError, match="read-only"):
        snapshot.qpos[0] = 1.0


def test_a_snapshot_has_datas_names_and_rows_in_use():
    model = compiled(ROBOT)
    data = moved(model)
    data.ncon, data.nefc = 2, 5
    snapshot = Snapshot(model, data)
    for field in select(lambda f: f.snapshot):
        assert np.shape(getattr(snapshot, field.name)) == np.shape(getattr(data, field.name)), field.name
    assert snapshot.contact.dist.shape == (2,) and snapshot.contact.frame.shape == (2, 9)
    assert snapshot.efc_force.shape == (5,)


# ---- transfer -------------------------------------------------------------------------------------------


def carried(old_text: str, new_text: str):
    old, new = compiled(old_text), compiled(new_text)
    old_data, new_data = moved(old), kinetree.Data(new)
    transfer(old, old_data, new, new_data)
    return old, old_data, new, new_data


def test_the_same_model_keeps_everything():
    _, old_data, _, new_data = carried(ROBOT, ROBOT)
    for field in select(lambda field: field.history):
        np.testing.assert_array_equal(getattr(new_data, field.name), getattr(old_data, field.name), field.name)
    assert new_data.time == 12.5


def test_forces_and_user_data_follow_their_objects():
    text = ROBOT.replace(
        "<worldbody>", '<worldbody><body name="new"><joint name="j" type="ball"/><geom size="1"/></body>'
    ).replace('nuserdata="2"', 'nuserdata="3"')
    _, old_data, new, new_data = carried(ROBOT, text)
    np.testing.assert_array_equal(new_data.qfrc_applied[3:], old_data.qfrc_applied)
    np.testing.assert_array_equal(new_data.xfrc_applied[2:], old_data.xfrc_applied[1:])
    np.testing.assert_array_equal(new_data.userdata, [*old_data.userdata, 0])
    assert not new_data.xfrc_applied[kinetree.name2id(new, "body", "new")].any()


def test_joints_are_found_by_name_whatever_stands_before():
    text = ROBOT.replace(
        "<worldbody>", '<worldbody><body name="new"><joint name="j" type="ball"/><geom size="1"/></body>'
    )
    text = text.replace("<actuator>", '<actuator><motor name="first" joint="shoulder"/>')
    _, old_data, _, new_data = carried(ROBOT, text)
    np.testing.assert_array_equal(new_data.qpos[:4], [1, 0, 0, 0])
    np.testing.assert_array_equal(new_data.qpos[4:], old_data.qpos)
    np.testing.assert_array_equal(new_data.qvel[3:], old_data.qvel)
    assert new_data.ctrl[0] == 0
    np.testing.assert_array_equal(new_data.ctrl[1:], old_data.ctrl)
    np.testing.assert_array_equal(new_data.act, old_data.act)


def test_unnamed_joints_are_found_by_place():
    text = ROBOT.replace('<joint axis="0 1 0"/><joint axis="1 0 0"/>', '<joint axis="0 1 0"/>')
    _, old_data, new, new_data = carried(ROBOT, text)
    assert new.nq == 9
    np.testing.assert_array_equal(new_data.qpos, old_data.qpos[:9])


def test_a_joint_of_another_type_starts_anew():
    text = ROBOT.replace('name="shoulder" axis="0 1 0"', 'name="shoulder" type="ball"')
    _, _, new, new_data = carried(ROBOT, text)
    address = int(new.jnt_qposadr[kinetree.name2id(new, "joint", "shoulder")])
    np.testing.assert_array_equal(new_data.qpos[address : address + 4], [1, 0, 0, 0])


def test_a_removed_body_takes_only_its_own_state():
    text = ROBOT.replace('<body pos=".3 0 0"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom size=".1"/></body>', "")
    _, old_data, _, new_data = carried(ROBOT, text)
    np.testing.assert_array_equal(new_data.qpos, old_data.qpos[:8])


def test_a_joint_at_rest_at_the_start_follows_the_text():
    old, new = compiled(ROBOT), compiled(ROBOT.replace('pos="0 0 1"', 'pos="0 0 2"'))
    data = kinetree.Data(new)
    transfer(old, kinetree.Data(old), new, data)
    assert data.qpos[2] == 2.0


def test_a_mocap_body_that_was_never_moved_follows_the_text():
    old, new = compiled(ROBOT), compiled(ROBOT.replace('pos="1 0 0"', 'pos="5 0 0"'))
    data = kinetree.Data(new)
    transfer(old, kinetree.Data(old), new, data)
    np.testing.assert_array_equal(data.mocap_pos[0], [5, 0, 0])


def test_bad_numbers_are_not_carried_over():
    model = compiled(ROBOT)
    old_data, new_data = moved(model), kinetree.Data(model)
    old_data.qpos[0], old_data.qvel[7] = np.nan, np.inf
    transfer(model, old_data, model, new_data)
    assert np.isfinite(new_data.qpos).all() and np.isfinite(new_data.qvel).all()


def test_a_snapshot_serves_as_the_old_state():
    model = compiled(ROBOT)
    data, fresh = moved(model), kinetree.Data(model)
    transfer(model, Snapshot(model, data), model, fresh)
    np.testing.assert_array_equal(fresh.qpos, data.qpos)


def test_what_was_renamed_is_found_by_place():
    renamed = ROBOT.replace('"shoulder"', '"elbow"').replace('name="arm"', 'name="limb"').replace('"arm"', '"limb"')
    _, old_data, _, new_data = carried(ROBOT, renamed)
    np.testing.assert_array_equal(new_data.qpos, old_data.qpos)
    np.testing.assert_array_equal(new_data.ctrl, old_data.ctrl)


def test_a_body_put_in_another_place_keeps_its_name_and_pose():
    inner = '<body pos=".3 0 0"><joint axis="0 1 0"/><joint axis="1 0 0"/><geom size=".1"/></body>'
    text = ROBOT.replace(inner, "").replace('<body name="target"', inner + '<body name="target"')
    old, new = compiled(ROBOT), compiled(text)
    bodies = Matching(old, new).of("body")
    assert bodies[kinetree.name2id(new, "body", "arm")] == kinetree.name2id(old, "body", "arm")
    assert sorted(set(bodies.tolist())) == sorted(bodies.tolist())
    assert Matching(old, new).of("geom")[0] == 0


def test_a_reload_keeps_the_state_of_renamed_and_moved_elements():
    """Elements keep their identities in the versions of one text, whatever is edited in them or around them."""
    before = Document.from_string(
        "<mujoco><worldbody><body name='a'><joint name='j'/><geom size='1'/></body>"
        "<body name='b'><joint name='k'/><geom size='1'/></body></worldbody>"
        "<actuator><motor joint='j'/><motor joint='k'/></actuator></mujoco>"
    )
    old = compile_document(before).model
    data = kinetree.Data(old)
    data.qpos[:], data.qvel[:], data.ctrl[:] = (1, 2), (3, 4), (5, 6)
    first, second = before.root.iter("joint")
    motors = list(before.root.iter("motor"))
    changes = combine(
        set_attribute(first, "name", "k"),
        set_attribute(second, "name", "j"),
        set_attribute(motors[0], "joint", "k"),
        set_attribute(motors[1], "joint", "j"),
    )
    new = compile_document(before.with_edits(changes)).model
    assert new.names["joint"] == ["k", "j"]
    twin = kinetree.Data(new)
    transfer(old, data, new, twin)
    assert (twin.qpos.tolist(), twin.qvel.tolist(), twin.ctrl.tolist()) == ([1, 2], [3, 4], [5, 6])


def test_what_is_drawn_follows_the_options_of_the_simulation():
    """Elliptic and pyramidal cones keep the forces of a contact differently."""
    model = kinetree.load_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 .09'><freejoint/><geom size='.1'/></body>"
        "</worldbody></mujoco>"
    )
    own, data = model.with_own_options(), kinetree.Data(model)
    for cone in (0, 1):
        own.opt.cone = cone
        kinetree.step(own, data, 3)
        force = in_contact_frame(Snapshot(model, data, opt=Options(own)), 0)[:3]
        assert force[0] == pytest.approx(data.efc_force[:4].sum() if cone == 0 else data.efc_force[0])
