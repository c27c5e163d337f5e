"""Rows of a document: after any edit they equal those of the whole text, and only changed ones are rebuilt."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.app.panels.writing.tree.describe import describe
from kinetree.app.panels.writing.tree.elements import GeneratedRow, RowNesting, first_expanded
from kinetree.app.panels.writing.tree.objects import made_things, objects_block
from kinetree.app.panels.writing.tree.outline import TreeOutline, block_of
from kinetree.app.panels.writing.tree.search import CannotSearch, Search
from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.element_edit import Insert, Move, Remove, SetAttribute
from kinetree.engine.document.files import read_file
from kinetree.engine.document.project import Project
from tests.app.conftest import MODEL

MANY = """<mujoco>
  <worldbody>
{bodies}
  </worldbody>
</mujoco>
"""
BODY = '    <body name="b{0}"><joint name="j{0}"/><geom name="g{0}" size=".1"/><site name="s{0}"/></body>'


def shown(document: Document, made=None) -> tuple[TreeOutline, RowNesting]:
    shape = RowNesting.of(document, made or {})
    outline, block = TreeOutline(), shape.block()
    outline.set_rows(block, first_expanded(block), keep=False)
    return outline, shape


def follow(outline: TreeOutline, shape: RowNesting, document: Document) -> RowNesting | None:
    """Apply an edit to the rows, like the panel."""
    newer = RowNesting.of(document, shape.made)
    found = shape.changes(outline, newer)
    if found is None:
        return None
    items, places = found
    for row, item in items.items():
        outline.items[row] = item
    for start, stop, parent, inside in places:
        depth = int(outline.depths[parent]) + 1 if parent >= 0 else 0
        outline.splice(start, stop, parent, block_of(inside, newer.children, depth))
    outline.refresh()
    return newer


def assert_anew(outline: TreeOutline, document: Document, made=None) -> None:
    block = RowNesting.of(document, made or {}).block()
    assert [item.id for item in outline.items] == [item.id for item in block.items]
    for item, other in zip(outline.items, block.items, strict=True):
        assert item is other
    for column in ("depths", "ends", "parents"):
        assert getattr(outline, column).tolist() == getattr(block, column).tolist()


@given(st.data())
def test_rows_follow_every_edit_and_every_step_back(data):
    project = Project()
    path = project.create("/models/rig.xml", MODEL)
    outline, shape = shown(project.snapshot(path).document)
    for _ in range(4):
        document = project.snapshot(path).document
        nodes = [node for node in document.root.iter() if node.parent is not None]
        if not nodes:
            return
        node, other = data.draw(st.sampled_from(nodes)), data.draw(st.sampled_from(nodes))
        edits = {
            "set": SetAttribute(node, "name", "other"),
            "remove": Remove(node),
            "insert": Insert(node, "<geom/><site><a/></site>", 0),
            "move": Move(node, other, 0),
        }
        edit = data.draw(st.sampled_from((*edits, "type", "undo", "redo")))
        try:
            if edit == "undo":
                project.undo()
            elif edit == "redo":
                project.redo()
            elif edit == "type":
                at = data.draw(st.integers(0, len(document.source.text) - 1))
                text = data.draw(st.sampled_from(("<", ">", '"', "<geom/>", "</body>", "<body>", "<!--", "-->")))
                project.apply("Type", {path: [Edit(at, at, text)]})
            else:
                project.apply(edit, [edits[edit]])
        except ValueError:
            continue
        document = project.snapshot(path).document
        newer = follow(outline, shape, document)
        if newer is None:
            outline, shape = shown(document)
        else:
            shape = newer
        assert_anew(outline, document)


def test_included_files_are_branches_and_their_edits_are_followed(tmp_path):
    (tmp_path / "main.xml").write_text('<mujoco><worldbody><include file="arm.xml"/><geom/></worldbody></mujoco>')
    (tmp_path / "arm.xml").write_text(
        '<mujocoinclude>\n  <body name="a"><include file="hand.xml"/></body>\n</mujocoinclude>'
    )
    (tmp_path / "hand.xml").write_text('<mujocoinclude>\n  <geom name="palm"/>\n</mujocoinclude>')
    project = Project()
    path = project.open(read_file(str(tmp_path / "main.xml")))
    while project.wanted:
        project.provide(*map(read_file, project.wanted))
    document = project.snapshot(path).document
    outline, shape = shown(document)
    names = [describe(item, None).name for item in outline.items]
    assert names == ["mujoco", "worldbody", "arm.xml", "a", "hand.xml", "palm", "geom"]
    palm = next(node for root in document.trees.values() for node in root.iter("geom") if node.get("name"))
    project.apply("Set", [SetAttribute(palm, "name", "fist"), Insert(palm.parent or palm, "<site/>")])
    document = project.snapshot(path).document
    shape = follow(outline, shape, document)
    assert shape is not None
    assert_anew(outline, document)
    names = [describe(item, None).name for item in outline.items]
    assert names == ["mujoco", "worldbody", "arm.xml", "a", "hand.xml", "fist", "site", "geom"]


def test_what_expansion_made_stands_below_the_element_that_made_it():
    text = (
        '<mujoco><worldbody><replicate count="3" offset="1 0 0" sep="-"><body name="a"><freejoint/><geom size=".1"/>'
        '<body name="c"><joint/><geom size=".1"/></body></body></replicate><geom size=".1"/></worldbody></mujoco>'
    )
    document = Document.from_string(text)
    made = made_things(compile_document(document).model, document)
    outline, shape = shown(document, made)
    replicate = next(document.root.iter("replicate"))
    group = made[replicate.id]
    assert isinstance(group, GeneratedRow) and group.detail == "6 bodies, 6 joints, 6 geoms"
    assert [thing.name for thing in group.inside] == ["a-0", "a-1", "a-2"]
    assert [thing.kind for thing in group.inside[0].inside] == ["joint", "geom", "body"]
    row = outline.row_of(group.id)
    assert outline.parent(row) == outline.row_of(replicate.id)
    again = made_things(compile_document(document).model, document)
    assert shape.made_changes(outline, again) == []
    (change,) = shape.made_changes(outline, {})
    assert (change.start, change.stop, change.items) == (row, int(outline.ends[row]), [])
    ids = [item.id for item in outline.items]
    assert len(set(ids)) == len(ids)


def test_rows_of_a_model_without_text_hold_every_object_once():
    import kinetree

    model = kinetree.load_string(MODEL)
    items = [item for item in objects_block(model).items if item.number >= 0]
    kinds = ("body", "joint", "geom", "site", "camera", "light", "actuator", "key")
    expected = [(kind, i) for kind in kinds for i in range(len(model.names[kind]))]
    assert sorted((item.kind, item.number) for item in items) == sorted(expected)
    assert len({item.id for item in items}) == len(items)


def test_of_ten_thousand_rows_those_that_changed_are_replaced():
    text = MANY.format(bodies="\n".join(map(BODY.format, range(2500))))
    project = Project()
    path = project.create("/models/many.xml", text)
    document = project.snapshot(path).document
    outline, shape = shown(document)
    assert len(outline) == 10_002
    world = document.root.child(0)
    for edits in (
        [SetAttribute(world.child(1200), "pos", "1 2 3")],
        [Remove(world.child(1300))],
        [Insert(world.child(5), '<geom name="new"/>')],
        [Move(world.child(7), world, 2000)],
    ):
        project.apply("Edit", edits)
        after = project.snapshot(path).document
        newer = follow(outline, shape, after)
        assert newer is not None
        shape = newer
        assert_anew(outline, after)


# ---- the filter ----------------------------------------------------------------------------------------------


def found(text: str) -> list[str]:
    document = Document.from_string(MODEL)
    outline, _ = shown(document)
    mask = Search().matching(outline.items, outline.parents, document, text)
    return [describe(outline.items[row], None).name for row in np.flatnonzero(mask)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("tip", ["tip"]),
        ("capsule", ["rod"]),
        ("cameras", ["front", "above"]),
        ("geom sphere", ["hub", "ghost"]),
        ("hinge", ["hinge", "motor"]),
        ("actuators", ["actuator", "motor"]),
        ("mocap=true", ["target"]),
        ("contype=", ["ghost"]),
        ('".1 .1"', []),
        ('"0 -3 1"', ["front"]),
        ("//body/joint", ["hinge"]),
        ("//geom[@type='box']", ["cube"]),
        ("//body/@mocap", ["target"]),
        ("xyzzy", []),
    ],
)
def test_a_filter_finds_by_name_kind_text_and_xpath(text, names):
    assert found(text) == names


@pytest.mark.parametrize(
    ("text", "words"), [("//geom[", "something is missing"), ("//f:geom", "no prefix"), ("(1 + 1)", "a number")]
)
def test_a_wrong_xpath_is_told_in_words(text, words):
    with pytest.raises(CannotSearch, match=words):
        found(text)
