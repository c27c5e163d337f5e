"""Objects by name, and their rows as views (engine/model/views.py)."""

import copy
import gc
import pickle
import weakref

import numpy as np
import pytest

import kinetree
from kinetree.engine.model import views
from kinetree.engine.model.fields import by_name
from kinetree.engine.model.kinds import KINDS, parts

TEXT = """
<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="free" pos="0 0 1"><freejoint name="root"/><geom name="ball" size=".1"/></body>
    <body name="arm" pos="1 0 1">
      <joint name="knee" axis="0 1 0" damping=".3" range="-1 1"/><geom size=".1"/>
      <body><joint name="ball joint" type="ball"/><geom size=".1" pos=".3 0 0"/><site name="tip"/></body>
    </body>
    <body name="hand" mocap="true" pos="2 0 0"><geom size=".1" contype="0" conaffinity="0"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="knee"/><general name="act" joint="knee" dyntype="integrator" dynprm="1"/></actuator>
  <sensor><jointpos name="angle" joint="knee"/><framepos name="place" objtype="site" objname="tip"/></sensor>
  <keyframe><key name="start" ctrl="1 2"/></keyframe>
</mujoco>
"""


@pytest.fixture
def pair():
    model = kinetree.load_string(TEXT)
    data = kinetree.Data(model)
    kinetree.forward(model, data)
    return model, data


def test_a_view_shares_its_memory_with_the_arrays(pair):
    model, data = pair
    model.body("arm").mass = 3.0
    assert model.body_mass[kinetree.name2id(model, "body", "arm")] == 3.0
    model.joint("knee").damping[0] = 0.7
    assert model.dof_damping[6] == 0.7
    data.joint("ball joint").qvel = 1, 2, 3
    assert data.qvel[7:10].tolist() == [1, 2, 3]
    data.actuator("motor").ctrl = 2
    assert data.ctrl.tolist() == [2, 0]
    data.actuator("act").act = 0.5
    assert data.act.tolist() == [0.5]


def test_views_have_the_numbers_of_their_objects_only(pair):
    model, data = pair
    assert data.joint("root").qpos.tolist() == [0, 0, 1, 1, 0, 0, 0]
    assert data.joint("root").qvel.shape == (6,) and data.joint("root").cdof.shape == (6, 6)
    assert np.array_equal(data.sensor("place").data, data.site("tip").xpos)
    assert data.body("hand").mocap_pos.tolist() == [[2, 0, 0]]
    assert data.body("arm").mocap_pos.shape == (0, 3), "a body that is no mocap body has none"
    assert data.actuator("motor").act.shape == (0,)
    assert model.key("start").ctrl.tolist() == [1, 2]
    assert not hasattr(model.body("arm"), "damping"), "that of its joints is theirs"


def test_every_attribute_of_every_object_is_a_view_of_its_array(pair):
    for owner in pair:
        for kind in KINDS:
            if kind == "dof" or not hasattr(views.ModelObjects, kind):
                continue
            for id in range(KINDS[kind].count(pair[0]) if owner is pair[0] or hasattr(views.DataObjects, kind) else 0):
                view = getattr(owner, kind)(id)
                rows = parts(pair[0], kind, id)
                assert (view.id, view.kind, view.name) == (id, kind, pair[0].names[kind][id])
                for attribute, (array, size) in views.attributes(owner.kind, kind).items():
                    value, whole = getattr(view, attribute), getattr(owner, array)
                    assert by_name(owner.kind)[array].shape[0] == size
                    assert value.size == whole[rows.get(size, slice(0, 0))].size
                    assert not value.size or np.shares_memory(value, whole), attribute


def test_kinds_have_mujocos_short_names_too(pair):
    model, data = pair
    for name in ("cam", "mat", "tex", "eq", "ten", "jnt", "keyframe"):
        assert callable(getattr(model, name))
    assert model.jnt("knee").id == model.joint(1).id == 1
    assert data.jnt(1).name == "knee"


def test_wrong_names_ids_and_shapes_say_what_was_expected(pair):
    model, data = pair
    with pytest.raises(KeyError, match="did you mean 'knee'"):
        data.joint("kne")
    with pytest.raises(KeyError, match="no body is named ''"):
        model.body("")
    with pytest.raises(IndexError, match="there is no joint 3: there are 3"):
        model.joint(3)
    with pytest.raises(TypeError, match="by its name or its id, not by float"):
        model.joint(1.0)  # pyright: ignore[reportArgumentType]
    arm, motor = model.body("arm"), data.actuator("motor")
    with pytest.raises(AttributeError, match="a body in a Model has no 'mas'; did you mean 'mass'"):
        arm.mas = 1.0
    with pytest.raises(AttributeError, match="has no 'mas'"):
        arm.mas  # noqa: B018
    with pytest.raises(AttributeError, match="fixed with the model"):
        arm.name = "leg"
    with pytest.raises(ValueError, match=r"pos must be an array of shape \(3,\), not of shape \(\)"):
        arm.pos = 0.0
    with pytest.raises(ValueError, match=r"of shape \(1,\), not of shape \(2,\)"):
        motor.ctrl = 1, 2
    with pytest.raises(TypeError, match="ctrl must be real numbers"):
        motor.ctrl = "1"
    assert not hasattr(data, "mesh")


def test_copies_and_pickles_know_their_names(pair):
    model, data = pair
    for twin in (copy.copy(data), pickle.loads(pickle.dumps(data))):
        twin.joint("knee").qpos = 0.25
        assert twin.qpos[7] == 0.25 and data.qpos[7] == 0.0
    data.joint("knee").qpos = 0.5
    assert data.joint(1).qpos[0] == 0.5
    assert copy.copy(model).body("arm").id == 2


def test_a_data_does_not_keep_its_model():
    model = kinetree.load_string(TEXT)
    data, gone = kinetree.Data(model), weakref.ref(model)
    del model
    gc.collect()
    assert gone() is None and data.joint("knee").qpos.tolist() == [0.0]


def test_dir_and_repr_show_what_there_is(pair):
    model, _ = pair
    assert {"id", "name", "mass", "inertia"} <= set(dir(model.body(1)))
    assert repr(model.body("arm")) == "<body 2 'arm' of a Model>"
