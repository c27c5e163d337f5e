"""The naming rule of mirrored limbs: examples in the styles of models, and that it is its own inverse and injective."""

import contextlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kinetree.engine.assist.language import language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.document.document import Document
from kinetree.engine.editing.structure import CannotEdit, FreshNames
from kinetree.engine.editing.tools.naming import Naming
from kinetree.engine.editing.tools.sides import NameSides


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("left_leg", "right_leg"),
        ("front_left_hip_joint", "front_right_hip_joint"),
        ("hip_left", "hip_right"),
        ("LeftArm", "RightArm"),
        ("upperLeftArm", "upperRightArm"),
        ("ARM_LEFT", "ARM_RIGHT"),
        ("armL", "armR"),
        ("LThigh", "RThigh"),
        ("kneeLJoint", "kneeRJoint"),
        ("l_knee", "r_knee"),
        ("lKnee", "rKnee"),
        ("knee_l_1", "knee_r_1"),
        ("hand.R", "hand.L"),
        ("robot/l_wrist", "robot/r_wrist"),
        ("FL_hip", "FR_hip"),
        ("FLHip", "FRHip"),
        ("RR_hip", "RL_hip"),
        ("RL_hip", "RR_hip"),
        ("fl_hip", "fr_hip"),
        ("LF_HAA", "RF_HAA"),
        ("rh_kfe", "lh_kfe"),
        ("leftfoot", "rightfoot"),
        ("lowerleft", "lowerright"),
        ("left_to_right_bar", "right_to_left_bar"),
        ("all", "all"),
        ("toggle", "toggle"),
        ("bright", "bright"),
        ("upright", "upright"),
        ("cleft", "cleft"),
        ("leftover", "leftover"),
        ("copyright", "copyright"),
        ("copyleft", "copyleft"),
        ("floor", "floor"),
        ("Frame", "Frame"),
        ("ül", "ül"),
        ("", ""),
    ],
)
def test_the_name_on_the_other_side(name, other):
    assert NameSides.of([name]).other(name) == other
    assert NameSides.of([other]).other(other) == name


def test_legs_may_say_the_side_first():
    names = ["LF_hip", "RF_hip", "LR_hip", "RR_hip"]
    assert [NameSides.of(["LR_hip"], names).other(name) for name in names] == ["RF_hip", "LF_hip", "RR_hip", "LR_hip"]
    names = ["FL_hip", "FR_hip", "RL_hip", "RR_hip"]
    assert [NameSides.of(["RL_hip"], names).other(name) for name in names] == ["FR_hip", "FL_hip", "RR_hip", "RL_hip"]


@pytest.mark.parametrize(
    ("names", "suffix"),
    [
        (["left_leg", "left_knee", "toe"], "_right"),
        (["toe", "right_knee"], "_left"),
        (["LeftLeg", "toe"], "Right"),
        (["LEG_RIGHT"], "_LEFT"),
        (["leg_r", "knee_r"], "_l"),
        (["FL_hip"], "_R"),
        (["LThigh"], "_R"),
        (["left_leg", "r"], "_right"),  # a letter may mean something else
        (["left_leg", "right_handed_screw"], "_right"),  # the root of the limb counts
        (["torso", "left_arm", "right_arm"], None),
        (["torso", "l_arm", "r_arm"], None),
        (["all", "toggle"], None),
        ([], None),
    ],
)
def test_names_without_a_side_get_one_in_the_style_of_the_others(names, suffix):
    assert NameSides.of(names).suffix == suffix


PIECES = ["left", "right", "Left", "RIGHT", "l", "r", "L", "R", "FL", "RR", "LR", "RL", "rf", "arm", "Arm", "ARM", "_", "-", ".", "1", "x", "X", "over", "é", " "]  # fmt: skip
text = st.one_of(st.text(max_size=20), st.lists(st.sampled_from(PIECES), max_size=6).map("".join))


@given(text, st.lists(text, max_size=4))
@example("leftleft", [])
@example("rightleft", [])
@example("LRLeft", ["LF"])
@example("LEFTArm", [])
def test_the_other_side_of_the_other_side_is_the_name(name, others):
    sides = NameSides.of([name], others)
    assert sides.other(sides.other(name)) == name


@given(st.lists(text, min_size=2, max_size=8, unique=True))
def test_two_names_never_become_one(names):
    sides = NameSides.of(names)
    assert len({sides.other(name) for name in names}) == len(names)


NAMES = [
    "leg",
    "leg_left",
    "left_leg",
    "leg_right",
    "arm",
    "l_arm",
    "arm_2",
    "FL_hip",
    "toe",
    "toe_right",
    "x_mirrored",
]
ELEMENTS = st.lists(
    st.tuples(st.sampled_from(["body", "geom", "site"]), st.sampled_from(NAMES)), unique=True, max_size=10
)


@given(ELEMENTS, ELEMENTS)
def test_the_names_of_a_copy_are_free_and_differ(limb, others):
    others = [each for each in others if each not in limb]
    inside = "".join(f'<{tag} name="{name}"/>' for tag, name in [*limb, *others])
    document = Document.from_string(f"<mujoco><worldbody>{inside}</worldbody></mujoco>")
    names = names_of(document)
    nodes = {(each.space, each.name): each.node for each in names.declarations}
    naming = Naming(
        NameSides.of([name for _, name in limb]),
        FreshNames(names, language_of(document)),
        lambda space, name: nodes.get((space, name)) if (space, name) in others else None,
    )
    is_there = any(
        naming.sides.other(name) != name and (space, naming.sides.other(name)) in others for space, name in limb
    )
    with pytest.raises(CannotEdit, match="already") if is_there else contextlib.nullcontext():
        naming.add(limb, "_mirrored")
    if is_there:
        return
    made = [(space, naming.new[space, name]) for space, name in limb]
    assert len(set(made)) == len(limb) and not set(made) & set(nodes)
    assert all(naming.new[space, name] == naming.names[name] for space, name in limb)
    wanted = {name: naming.other(name, "_mirrored") for _, name in limb}
    assert naming.numbered == {name: naming.names[name] for name in wanted if naming.names[name] != wanted[name]}
    assert bool(naming.note()) == bool(naming.numbered)
