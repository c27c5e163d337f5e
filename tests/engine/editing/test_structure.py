"""Structural edits: what is refused, what happens to names and references, and that nothing else of the text changes."""

import contextlib
import random
from collections import Counter

import pytest

from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import EditRefused, Insert, Move, Remove, SetAttribute
from kinetree.engine.editing.copying import copied, duplicate, paste
from kinetree.engine.editing.removal import referring, remove
from kinetree.engine.editing.structure import CannotEdit, move, place_for
from tests.corpus import listed
from tests.engine.editing.structural import KINDS, Edited, check_element, elements
from tests.malformed import damaged

MODEL = """<mujoco>
  <default><default class="part"><geom rgba="1 0 0 1"/></default></default>
  <asset><material name="steel"/></asset>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="leg1"><!-- the first -->
      <freejoint name="root"/>
      <geom name="thigh1" size=".1" class="part" material="steel"/>
      <body name="foot">
        <joint name="hip1"/>
        <geom name="sole" size=".1"/>
        <site name="tip"/>
      </body>
    </body>
    <body name="other" mocap="true"><geom size=".1"/></body>
  </worldbody>
  <tendon><fixed name="pull"><joint joint="hip1" coef="1"/></fixed></tendon>
  <actuator><motor name="drive" joint="hip1"/><position name="pulling" tendon="pull"/></actuator>
  <sensor><jointpos name="angle" joint="hip1"/><actuatorfrc name="force" actuator="drive"/></sensor>
  <contact><exclude body1="leg1" body2="foot"/></contact>
</mujoco>
"""


@pytest.fixture
def edited():
    return Edited(text=MODEL)


def find(document: Document, name: str, tag: str | None = None):
    found = next(n for n in document.root.iter(tag) if n.get("name") == name or (name == n.tag and tag is None))
    own = document.node(found.id)
    assert own is not None
    return own


def after(edited: Edited, edits) -> str:
    edited.project.apply("Edit", edits)
    return edited.project.text(edited.path)


# ---- refused -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "target", "words"),
    [
        ("leg1", "foot", "into itself"),
        ("leg1", "leg1", "into itself"),
        ("hip1", "worldbody", "<joint> cannot stand in <worldbody>, only in"),
        ("mujoco", "worldbody", "root"),
        ("drive", "worldbody", "<motor> cannot stand in <worldbody>, only in <actuator>"),
        ("leg1", "other", "free joint"),
        ("other", "foot", "mocap"),
        ("root", "foot", "is free"),
        ("floor", "sole", "cannot stand in <geom>"),
    ],
)
def test_moves_that_the_schema_or_the_model_does_not_allow_are_refused_in_words(edited, name, target, words):
    document = edited.document
    with pytest.raises(CannotEdit, match=words):
        move(document, [find(document, name)], find(document, target))


def test_a_second_inertial_and_a_lonely_geometry_are_refused():
    document = Edited(
        text='<mujoco><worldbody><body><inertial pos="0 0 0" mass="1"/></body></worldbody></mujoco>'
    ).document
    inertial = next(document.root.iter("inertial"))
    with pytest.raises(CannotEdit, match="takes one <inertial> only"):
        duplicate(document, [inertial])
    text = '<robot><link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual></link></robot>'
    document = Edited("/models/robot.urdf", text).document
    with pytest.raises(CannotEdit, match="<visual> needs its <geometry>"):
        remove(document, [next(document.root.iter("geometry"))])
    with pytest.raises(CannotEdit, match="takes one element only"):
        paste(document, next(document.root.iter("geometry")), None, '<sphere radius="1"/>')


@pytest.mark.parametrize("text", ["", "hello", "<geom", "<geom></body>", "<!-- only this -->"])
def test_a_text_that_is_no_xml_of_elements_cannot_be_pasted(edited, text):
    document = edited.document
    with pytest.raises(CannotEdit, match="no XML of elements"):
        paste(document, find(document, "worldbody"), None, text)


def test_a_whole_model_is_not_pasted_into_another_one(edited):
    with pytest.raises(CannotEdit, match="is a whole model"):
        paste(edited.document, edited.document.root, None, MODEL)


# ---- names ---------------------------------------------------------------------------------------------------


def test_a_duplicate_has_names_of_its_own_and_refers_to_itself(edited):
    text = after(edited, duplicate(edited.document, [find(edited.document, "leg1")]))
    copy = text[text.index('<body name="leg2">') : text.index('<body name="other"')]
    for name in (
        '"thigh2"',
        '"foot_2"',
        '"hip2"',
        '"sole_2"',
        '"tip_2"',
        'class="part"',
        'material="steel"',
        "the first",
    ):
        assert name in copy
    text = after(edited, duplicate(edited.document, [find(edited.document, "pull"), find(edited.document, "tendon")]))
    assert '<fixed name="pull_2"><joint joint="hip1"' in text
    both = [find(edited.document, "drive"), find(edited.document, "force")]
    text = after(edited, duplicate(edited.document, both))
    assert '<motor name="drive_2" joint="hip1"/>' in text
    assert '<actuatorfrc name="force_2" actuator="drive_2"/>' in text


def test_what_is_cut_and_pasted_keeps_its_names_and_what_is_pasted_twice_gets_others(edited):
    node = find(edited.document, "foot")
    xml = copied(edited.document, [node])
    assert xml.splitlines()[1] == '  <joint name="hip1"/>'
    after(edited, remove(edited.document, [node]))
    once = after(edited, paste(edited.document, find(edited.document, "other"), None, xml))
    assert once.count('name="foot"') == 1
    twice = after(edited, paste(edited.document, find(edited.document, "other"), None, xml))
    assert twice.count('name="foot"') == 1 and twice.count('name="foot_2"') == 1 and twice.count('name="hip2"') == 1


def test_a_copy_gets_no_name_that_a_replica_has():
    text = '<mujoco><worldbody><replicate count="3" sep="_"><body name="a"/></replicate><body name="b"/></worldbody></mujoco>'
    edited = Edited(text=text)
    document = edited.document
    assert 'name="a_copy"' in after(edited, duplicate(document, [find(document, "a")]))


def test_xml_from_another_editor_is_indented_for_its_place(edited):
    xml = '<?xml version="1.0"?>\n        <body name="new">\n            <geom size="1"/>\n        </body>\n'
    text = after(edited, paste(edited.document, find(edited.document, "worldbody"), 1, xml))
    assert '\n    <body name="new">\n      <geom size="1"/>\n    </body>\n    <body name="leg1">' in text
    xml = '<body name="newer">\n            <geom size="1"/>\n        </body>'
    text = after(edited, paste(edited.document, find(edited.document, "worldbody"), None, xml))
    assert '\n    <body name="newer">\n      <geom size="1"/>\n    </body>\n  </worldbody>' in text


def test_pasting_goes_where_the_elements_may_stand(edited):
    document = edited.document
    foot, sole = find(document, "foot"), find(document, "sole")
    assert place_for(document, foot, ["geom"]) == (foot, None)
    parent, index = place_for(document, sole, ["geom"])
    assert (parent.id, index) == (foot.id, 2)
    assert place_for(document, sole, ["motor"])[0].tag == "actuator"
    with pytest.raises(CannotEdit, match="not an element of MJCF"):
        place_for(document, sole, ["link"])


# ---- removing ------------------------------------------------------------------------------------------------


def test_what_refers_to_a_removed_element_is_found_and_goes_with_it(edited):
    document = edited.document
    found = referring(document, [find(document, "foot")])
    assert [(each.node.tag, each.removed) for each in found] == [
        ("fixed", True), ("motor", True), ("position", True), ("jointpos", True), ("actuatorfrc", True), ("exclude", True),
    ]  # fmt: skip
    text = after(edited, remove(document, [find(document, "foot")], with_referring=True))
    for gone in ("hip1", "pull", "drive", "foot"):
        assert gone not in text


def test_what_can_do_without_a_removed_element_stays(edited):
    document = edited.document
    nodes = [find(document, "steel"), find(document, "default").find("default")]
    found = referring(document, nodes)
    assert [(each.node.tag, each.attribute.name, each.removed) for each in found if each.attribute] != []
    text = after(edited, remove(document, nodes, with_referring=True))
    assert '<geom name="thigh1" size=".1"/>' in text


def test_what_lists_an_element_goes_with_it():
    """Others count the places of the list: without one name, all that stand behind it would mean another."""
    text = (
        '<mujoco><worldbody><body name="a"/><body name="b"/></worldbody><deformable>'
        '<flex name="f" dim="1" body="a b a" element="0 1"/></deformable></mujoco>'
    )
    edited = Edited(text=text)
    document = edited.document
    assert "<flex" not in after(edited, remove(document, [find(document, "a")], with_referring=True))


def test_urdf_loses_the_joints_of_a_removed_link():
    text = (
        '<robot name="r"><link name="a"/><link name="b"/>'
        '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint></robot>'
    )
    edited = Edited("/models/robot.urdf", text)
    document = edited.document
    assert [str(each) for each in referring(document, [find(document, "b")])] == [
        "<joint> \"j\", robot.urdf:1: link='b'"
    ]
    assert (
        after(edited, remove(document, [find(document, "b")], with_referring=True))
        == '<robot name="r"><link name="a"/></robot>'
    )


# ---- included files ------------------------------------------------------------------------------------------


def test_an_include_takes_what_goes_to_its_file_and_elements_move_between_files(tmp_path):
    (tmp_path / "main.xml").write_text(
        '<mujoco>\n  <worldbody>\n    <body name="a"/>\n    <include file="arm.xml"/>\n  </worldbody>\n</mujoco>\n'
    )
    (tmp_path / "arm.xml").write_text('<mujocoinclude>\n  <body name="b"/>\n</mujocoinclude>\n')
    edited = Edited(str(tmp_path / "main.xml"))
    document = edited.document
    include, a = next(document.root.iter("include")), find(document, "a")
    identity = a.id
    edited.project.apply("Move", move(document, [a], include, 0))
    assert (
        edited.project.text(str(tmp_path / "arm.xml"))
        == '<mujocoinclude>\n  <body name="a"/>\n  <body name="b"/>\n</mujocoinclude>\n'
    )
    moved = edited.document.node(identity)
    assert moved is not None and moved.source.path.endswith("arm.xml")
    with pytest.raises(CannotEdit, match="into itself"):
        move(edited.document, [next(edited.document.root.iter("include"))], moved)
    with pytest.raises(CannotEdit, match="<motor> cannot stand in"):
        paste(edited.document, next(edited.document.root.iter("include")), None, "<motor/>")


# ---- all models ----------------------------------------------------------------------------------------------


def test_an_edit_of_an_element_changes_only_its_own_span(edited):
    for node in elements(edited.document):
        check_element(edited, node, random.Random(node.line))


def test_edits_of_the_models_of_the_corpus_change_only_their_own_span(shared):
    """A sample; `python -m tests.benchmark.every_element` takes every element."""
    counts = Counter()
    chance = random.Random(8)
    for model in listed(shared / "corpus")[::10]:
        try:
            edited = Edited(str(model.path))
        except (ValueError, ModelError):
            continue
        document = edited.document
        if document.diagnostics.has_errors or len(document.source.text) > 200_000:
            continue
        nodes = elements(document)
        for node in chance.sample(nodes, min(len(nodes), 12)):
            counts.update(check_element(edited, node, chance))
    assert all(counts[kind] > 100 for kind in KINDS), counts


def test_edits_of_texts_with_errors_are_done_or_refused():
    done = 0
    for seed in range(120):
        chance = random.Random(seed)
        edited = Edited(text=damaged(MODEL, chance, chance.randint(1, 4)))
        for _ in range(12):
            document = edited.document
            nodes = elements(document)
            node, target = chance.choice(nodes), chance.choice(nodes)
            index = chance.randint(0, 3)
            edit = chance.choice(
                (
                    lambda document, node, *_: duplicate(document, [node]),
                    lambda document, node, *_: remove(document, [node], True),
                    lambda document, node, target, index: move(document, [node], target, index),
                    lambda document, node, target, index: paste(document, target, None, copied(document, [node])),
                    lambda document, node, target, index: [Insert(target, "<site/>", index), Insert(node, "<site/>")],
                    lambda document, node, target, index: [Move(node, target, index)],
                    lambda document, node, target, index: [Remove(node), Remove(target)],
                    lambda document, node, *_: [SetAttribute(node, "pos", "1\n2")],
                )
            )
            with contextlib.suppress(CannotEdit, EditRefused):
                edited.step(edit(document, node, target, index))
                done += 1
    assert done > 500


def test_nothing_is_put_where_an_error_would_swallow_it():
    edited = Edited(text='<mujoco>\n<worldbody>\n<geom name="a"/\n</worldbody>\n</mujoco>')
    with pytest.raises(EditRefused, match="has errors, so that nothing can be put there"):
        edited.project.apply("Insert", [Insert(next(edited.document.root.iter("geom")), "<site/>")])


def test_a_name_with_a_line_break_is_made_unique_too():
    edited = Edited(text='<mujoco><worldbody><geom name="one&#10;two" size=".1"/></worldbody></mujoco>')
    geom = next(edited.document.root.iter("geom"))
    after(edited, duplicate(edited.document, [geom]))
    assert [node.get("name") for node in edited.document.root.iter("geom")] == ["one\ntwo", "one\ntwo_2"]
