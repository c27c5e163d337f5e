"""Keyframes keep the numbers of every element that stays, whatever a step does to the structure."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.element_edit import Insert
from kinetree.engine.document.files import read_file
from kinetree.engine.document.project import Project
from kinetree.engine.editing import copying, removal, structure
from kinetree.engine.editing.pose import NotPlaced
from kinetree.engine.editing.states import with_attached_joint, with_states

TEXT = """<mujoco>
  <compiler angle="degree"/>
  <worldbody>
    <body name="a"><freejoint name="fa"/><geom size=".1"/></body>
    <frame pos="0 0 1">
      <body name="b"><joint name="b1"/><joint name="b2" type="slide"/><geom size=".1"/>
        <body name="c"><joint name="c1" type="ball"/><geom size=".1"/></body>
      </body>
    </frame>
    <body name="m" mocap="true" pos="0 0 3"/>
    <body name="d"><joint name="d1" ref="90"/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor joint="b1"/><motor joint="b2"/><motor joint="d1"/></actuator>
  <keyframe>
    <key name="k" qpos="1 2 3 .5 .5 .5 .5   10 20  .5 -.5 .5 -.5  30" qvel="1 2 3 4 5 6  7 8  9 10 11  12"
         ctrl="1 2 3" mpos="4 5 6" mquat="1 0 0 0"/>
    <key name="only time" time="1"/>
  </keyframe>
</mujoco>
"""


def start(text: str = TEXT):
    project = Project()
    return project, project.create("model.xml", text)


def find(document, name: str):
    return next(node for node in document.root.iter() if node.get("name") == name)


def states(project: Project) -> dict[str, list[float]]:
    """Joint -> its numbers in the keyframe, of the compiled model."""
    model = compile_document(project.snapshot("model.xml").document).model
    ends = [*model.jnt_qposadr[1:], model.nq]
    names = model.names["joint"]
    return {names[i]: model.key_qpos[0][model.jnt_qposadr[i] : ends[i]].tolist() for i in range(model.njnt)}


STEPS = {
    "remove a body": lambda d: removal.remove(d, [find(d, "b")], True),
    "remove a joint": lambda d: removal.remove(d, [find(d, "b1")], True),
    "remove the free body": lambda d: removal.remove(d, [find(d, "a")], True),
    "remove all": lambda d: removal.remove(d, [find(d, name) for name in "abmd"], True),
    "duplicate": lambda d: copying.duplicate(d, [find(d, "b")]),
    "duplicate the free body": lambda d: copying.duplicate(d, [find(d, "a")]),
    "duplicate the mocap body": lambda d: copying.duplicate(d, [find(d, "m")]),
    "move": lambda d: structure.move(d, [find(d, "d")], find(d, "b"), 0),
    "move to the front": lambda d: structure.move(d, [find(d, "d")], d.root.find("worldbody"), 0),
    "paste": lambda d: copying.paste(d, find(d, "b"), 1, '<joint name="new" type="slide" ref=".25"/>'),
    "paste another free body": lambda d: copying.paste(
        d, d.root.find("worldbody"), 1, '<body pos="7 8 9"><freejoint name="fn"/><geom size=".1"/></body>'
    ),
}


@pytest.mark.parametrize("name", STEPS)
def test_what_stays_keeps_its_numbers(name) -> None:
    project, path = start()
    before = states(project)
    document = project.snapshot(path).document
    project.apply(name, with_states(document, STEPS[name](document)))
    after = states(project)
    for joint, numbers in before.items():
        assert after.get(joint, numbers) == pytest.approx(numbers), joint
    project.undo()
    assert project.text(path) == TEXT


def test_numbers_keep_what_stands_between_them_and_new_ones_are_those_at_rest() -> None:
    project, path = start()
    document = project.snapshot(path).document
    project.apply("", with_states(document, copying.duplicate(document, [find(document, "d")])))
    assert 'qpos="1 2 3 .5 .5 .5 .5   10 20  .5 -.5 .5 -.5  30 1.570796"' in project.text(path)
    assert 'qvel="1 2 3 4 5 6  7 8  9 10 11  12 0"' in project.text(path)
    document = project.snapshot(path).document
    project.apply("", with_states(document, STEPS["paste another free body"](document)))
    assert 'qpos="1 2 3 .5 .5 .5 .5 7 8 9 1 0 0 0 10 20  .5 -.5' in project.text(path)
    document = project.snapshot(path).document
    project.apply("", with_states(document, removal.remove(document, [find(document, "b")], True)))
    assert 'qpos="1 2 3 .5 .5 .5 .5 7 8 9 1 0 0 0 30 1.570796"' in project.text(path)
    assert 'ctrl="3"' in project.text(path)


def test_lists_that_are_wrong_already_stay() -> None:
    project, path = start(TEXT.replace('qpos="1 2 3 ', 'qpos="'))
    document = project.snapshot(path).document
    project.apply("", with_states(document, removal.remove(document, [find(document, "d")], True)))
    assert 'qpos=".5 .5 .5 .5   10 20' in project.text(path)
    assert 'qvel="1 2 3 4 5 6  7 8  9 10 11"' in project.text(path)


def test_keyframes_in_an_included_file_follow(tmp_path) -> None:
    keys = TEXT[TEXT.index("<keyframe>") : TEXT.index("</mujoco>")]
    (tmp_path / "keys.xml").write_text(f"<mujocoinclude>{keys}</mujocoinclude>")
    project = Project()
    text = TEXT.replace(keys, '<include file="keys.xml"/>')
    path = project.create(str(tmp_path / "model.xml"), text)
    while project.wanted:
        project.provide(*map(read_file, project.wanted))
    document = project.snapshot(path).document
    project.apply("", with_states(document, removal.remove(document, [find(document, "d")], True)))
    assert 'qvel="1 2 3 4 5 6  7 8  9 10 11"' in project.text(str(tmp_path / "keys.xml"))
    compile_document(project.snapshot(path).document)


@given(st.permutations(["a", "b", "m", "d"]))
def test_any_order_of_the_bodies(order) -> None:
    project, path = start(TEXT.replace('<frame pos="0 0 1">', "").replace("</frame>", ""))
    before = states(project)
    for name in order:
        document = project.snapshot(path).document
        world = document.root.find("worldbody")
        project.apply("", with_states(document, structure.move(document, [find(document, name)], world, None)))
    after = states(project)
    assert after.keys() == before.keys()
    for joint in before:
        assert np.allclose(after[joint], before[joint])


def test_activations_follow_their_actuators() -> None:
    actuators = """<intvelocity name="i" joint="b1" actrange="-1 1"/><motor name="n" joint="b2"/>
    <general name="g" joint="d1" dyntype="filter" dynprm="1"/><position name="p" joint="b2" kp="1" timeconst=".1"/>"""
    text = TEXT[: TEXT.index("<motor")] + actuators + TEXT[TEXT.index("</actuator>") :]
    project, path = start(text.replace('ctrl="1 2 3"', 'ctrl="1 2 3 4" act=".1 .2 .3"'))
    document = project.snapshot(path).document
    actuator = document.root.find("actuator")
    project.apply("", with_states(document, structure.move(document, [find(document, "p")], actuator, 0)))
    assert 'ctrl="4 1 2 3" act=".3 .1 .2"' in project.text(path)
    document = project.snapshot(path).document
    project.apply("", with_states(document, removal.remove(document, [find(document, "b")], True)))
    assert 'ctrl="3" act=".2"' in project.text(path)
    compile_document(project.snapshot(path).document)


ARM = """<mujoco><worldbody><body name="upper"><joint name="a"/><geom size=".1"/>
  <body name="lower" pos="1 0 0"><joint name="b" type="ball"/><geom size=".1"/></body></body></worldbody>
  <keyframe><key name="own" qpos="5 1 0 0 0"/></keyframe></mujoco>"""
BASE = """<mujoco><asset><model name="arm" file="arm.xml"/></asset><worldbody>
  <body name="base"><freejoint name="root"/><geom size=".1"/>
    <frame pos="1 0 0"><attach model="arm" body="upper" prefix="l_"/></frame>
    <frame pos="-1 0 0"><attach model="arm" body="upper" prefix="r_"/></frame>{}</body></worldbody>
  <keyframe><key name="k" {}/></keyframe></mujoco>"""
WHOLE = 'qpos="1 2 3 1 0 0 0   10 1 0 0 0   20 0 1 0 0" qvel="1 2 3 4 5 6 7 8 9 10 11 12 13 14"'


def attached(tmp_path, extra: str = "", key: str = WHOLE):
    (tmp_path / "arm.xml").write_text(ARM)
    (tmp_path / "base.xml").write_text(BASE.format(extra, key))
    project = Project()
    path = project.open(read_file(tmp_path / "base.xml"))
    arm = project.open(read_file(tmp_path / "arm.xml"))
    main, document = project.snapshot(path).document, project.snapshot(arm).document
    return project, path, main, document, compile_document(main).model


@pytest.mark.parametrize("body", ["upper", "lower"])
def test_keyframes_follow_a_joint_of_an_attached_model(tmp_path, body) -> None:
    project, path, main, document, before = attached(tmp_path)
    node = find(document, body)
    joint = '<joint name="new" type="slide"/>' if body == "upper" else '<joint name="new" type="slide" ref=".5"/>'
    edits = with_attached_joint(main, before, document, node, with_states(document, [Insert(node, joint)]))
    project.apply("Add joint", edits)
    after = compile_document(project.snapshot(path).document).model
    for name, adr, size in (("key_qpos", "jnt_qposadr", "nq"), ("key_qvel", "jnt_dofadr", "nv")):
        key = [model.names["key"].index("k") for model in (before, after)]
        old, new = (
            {
                each: getattr(model, name)[row][start:end].tolist()
                for each, start, end in zip(
                    model.names["joint"],
                    getattr(model, adr),
                    [*getattr(model, adr)[1:], getattr(model, size)],
                    strict=True,
                )
            }
            for model, row in zip((before, after), key, strict=True)
        )
        rest = 0.5 if body == "lower" and name == "key_qpos" else 0.0
        assert new == {**old, "l_new": [rest], "r_new": [rest]}
    own = after.names["key"].index("l_own")
    assert after.key_qpos[own][7] == 5
    project.undo()
    assert compile_document(project.snapshot(path).document).model.key_qpos.tolist() == before.key_qpos.tolist()


@pytest.mark.parametrize(
    ("extra", "key", "why"),
    [
        ("", 'qpos="1 2 3 1 0 0 0"', "qpos of keyframe k has 7 numbers for the 17"),
        ('<replicate count="2"><geom size=".1"/></replicate>', WHOLE, "<replicate>"),
    ],
)
def test_what_keyframes_cannot_follow_is_said(tmp_path, extra, key, why) -> None:
    _, _, main, document, model = attached(tmp_path, extra, key)
    node = find(document, "upper")
    with pytest.raises(NotPlaced, match=why):
        with_attached_joint(main, model, document, node, [Insert(node, "<joint/>")])
