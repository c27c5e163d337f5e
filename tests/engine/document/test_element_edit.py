"""Many edits about one version: one well-formed change, or a refusal that names them."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.document.edit import apply
from kinetree.engine.document.element_edit import (
    EditRefused,
    Insert,
    Move,
    Remove,
    RemoveAttribute,
    RenameAttribute,
    RenameElement,
    SetAttribute,
    carry_out,
)
from kinetree.engine.document.files import read_file
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.project import Project
from kinetree.engine.document.source import Source

TEXT = """<mujoco>
  <!-- the world -->
  <worldbody>
    <body name="a">  <!-- first -->
      <geom name="g" size="0.1"/>
      <body name="b">
        <geom name="h" size="0.2"/>
      </body>
    </body>
    <body name="c"/>
    <body name="d"/>
  </worldbody>
</mujoco>
"""


class Case:
    def __init__(self, text: str = TEXT) -> None:
        self.parsed = ParsedSource.parse(Source("m.xml", None, text, Path("/")))

    def __getitem__(self, name: str):
        return next(node for node in self.parsed.root.iter() if name in (node.get("name"), node.tag))

    def do(self, *edits) -> str:
        self.after = self.parsed
        done = carry_out(edits, {"m.xml": self.parsed})
        if not done:
            return self.parsed.source.text
        after, what = done["m.xml"]
        assert apply(self.parsed.source.text, what.forward) == after.source.text
        assert apply(after.source.text, what.backward) == self.parsed.source.text
        assert not after.diagnostics
        ids = [node.id for node in after.root.iter()]
        assert len(set(ids)) == len(ids)
        self.after = after
        return after.source.text

    def refused(self, *edits) -> str:
        with pytest.raises(EditRefused) as caught:
            self.do(*edits)
        assert set(caught.value.edits) <= set(edits)
        return str(caught.value)


@pytest.fixture
def case():
    return Case()


def test_the_last_value_counts(case):
    text = case.do(SetAttribute(case["c"], "pos", "1"), SetAttribute(case["c"], "pos", "2"))
    assert text == TEXT.replace('<body name="c"/>', '<body name="c" pos="2"/>')
    assert case.do(SetAttribute(case["g"], "size", "3"), RemoveAttribute(case["g"], "size")) == TEXT.replace(
        ' size="0.1"', ""
    )


def test_several_new_attributes_of_one_element(case):
    text = case.do(*(SetAttribute(case["c"], name, "1") for name in ("pos", "quat", "mocap")))
    assert text == TEXT.replace('<body name="c"/>', '<body name="c" pos="1" quat="1" mocap="1"/>')


def test_removing_an_element_and_one_inside_it(case):
    text = case.do(Remove(case["h"]), Remove(case["a"]), Remove(case["b"]))
    assert text == TEXT[: TEXT.index('    <body name="a"')] + TEXT[TEXT.index('    <body name="c"') :]


def test_moving_an_element_and_changing_what_is_in_it(case):
    text = case.do(
        Move(case["b"], case["c"]), SetAttribute(case["h"], "size", "9"), SetAttribute(case["b"], "pos", "1")
    )
    assert '    <body name="c">\n      <body name="b" pos="1">\n        <geom name="h" size="9"/>\n' in text
    assert case.after.node(case["h"].id).get("size") == "9"
    assert case.after.node(case["b"].id).parent.id == case["c"].id


def test_moving_out_of_what_is_removed(case):
    text = case.do(Remove(case["a"]), Move(case["b"], case["worldbody"], 0), Move(case["g"], case["worldbody"], 0))
    assert re.findall('name="(.)"', text) == ["b", "h", "g", "c", "d"]
    assert case.after.node(case["b"].id).children[0].id == case["h"].id


def test_two_things_at_the_same_place(case):
    world = case["worldbody"]
    text = case.do(
        Insert(world, '<body name="1"/>', 1), Move(case["g"], world, 1), Insert(world, '<body name="2"/>', 1)
    )
    assert re.findall('name="(.)"', text) == ["a", "b", "h", "1", "2", "g", "c", "d"]
    empty = case.do(
        Insert(case["c"], '<geom name="1"/>'),
        Insert(case["c"], '<geom name="2"/>'),
        Move(case["g"], case["c"]),
    )
    assert re.findall('name="(.)"', empty) == ["a", "b", "h", "c", "1", "2", "g", "d"]


def test_reordering(case):
    world = case["worldbody"]
    text = case.do(Move(case["d"], world, 0), Move(case["c"], world, 0), Move(case["a"], world))
    assert re.findall('<body name="([acd])"', text) == ["d", "c", "a"]


def test_an_index_counts_what_is_there_now(case):
    world = case["worldbody"]
    text = case.do(Remove(case["a"]), Remove(case["c"]), Insert(world, '<body name="e"/>', 2))
    assert re.findall('name="(.)"', text) == ["e", "d"]
    assert re.findall('name="(.)"', case.do(*map(Remove, world.children), Insert(world, '<body name="e"/>', 1))) == [
        "e"
    ]


def test_a_tag_and_attributes_of_the_same_element(case):
    text = case.do(
        RenameElement(case["g"], "site"),
        SetAttribute(case["g"], "size", "2"),
        RenameAttribute(case["g"], "name", "id"),
    )
    assert '<site id="g" size="2"/>' in text and case.after.node(case["g"].id).tag == "site"


@pytest.mark.parametrize(
    ("edits", "reason"),
    [
        (lambda c: [Remove(c["a"]), SetAttribute(c["h"], "size", "1")], r'set size of <geom> "h" .m.xml:7. and remove <body> "a"'),
        (lambda c: [Insert(c["b"], "<site/>"), Remove(c["b"])], 'insert into <body> "b"'),
        (lambda c: [Remove(c["c"]), Move(c["a"], c["c"])], 'move <body> "a" .* and remove <body> "c"'),
        (lambda c: [Move(c["g"], c["c"]), Move(c["g"], c["d"])], "one place only"),
        (lambda c: [Move(c["g"], c["c"]), Remove(c["g"])], "one place only"),
        (lambda c: [Move(c["c"], c["d"]), Move(c["d"], c["c"])], 'move <body> "c" .* and move <body> "d"'),
        (lambda c: [Move(c["a"], c["b"])], "into itself"),
        (lambda c: [Remove(c["mujoco"])], "root element"),
        (lambda c: [Move(c["mujoco"], c["c"])], "root element"),
        (lambda c: [RenameAttribute(c["g"], "size", "pos"), SetAttribute(c["g"], "size", "1")], "the attribute size"),
        (lambda c: [RenameAttribute(c["g"], "none", "pos")], "no such attribute"),
        (lambda c: [RenameElement(c["g"], "1 2")], "cannot be the name"),
        (lambda c: [Insert(c["c"], "<a><b></a>")], "closed"),
        (lambda c: [SetAttribute(c["g"], "size", "\0")], "is not allowed in XML"),
    ],
)  # fmt: skip
def test_refusals(case, edits, reason):
    assert re.search(reason, case.refused(*edits(case)))


def test_an_element_of_an_older_version_is_found_again_or_refused(case):
    old = case["h"]
    case.do(Insert(case["worldbody"], "<light/>", 0), Remove(case["c"]))
    gone = case["c"]
    case.parsed = case.after
    assert 'name="h" size="5"' in case.do(SetAttribute(old, "size", "5"))
    assert "not there any more" in case.refused(SetAttribute(gone, "pos", "1"))


def test_edits_over_included_files(tmp_path):
    (tmp_path / "m.xml").write_text(
        '<mujoco>\n  <worldbody>\n    <include file="p.xml"/>\n    <body name="z"/>\n  </worldbody>\n</mujoco>\n'
    )
    (tmp_path / "p.xml").write_text('<mujoco>\n  <body name="p">\n    <geom name="g"/>\n  </body>\n</mujoco>\n')
    project = Project()
    path = project.open(read_file(tmp_path / "m.xml"))
    project.provide(*map(read_file, project.wanted))
    world = project.snapshot(path).document.merged.find("worldbody")
    body, target = world.children
    geom = body.children[0]
    project.apply("Move", [Move(geom, target), SetAttribute(body, "pos", "1"), Insert(world, '<body name="n"/>')])
    document = project.snapshot(path).document
    assert [os.path.basename(name) for name in project.modified] == ["m.xml", "p.xml"]
    assert [node.get("name") for node in document.merged.iter("body")] == ["p", "z", "n"]
    assert document.node(geom.id).parent.id == target.id  # the same element in another file
    project.undo()
    assert not project.modified and project.snapshot(path).document.node(geom.id).parent.id == body.id
    project.redo()
    assert project.snapshot(path).document.node(geom.id).parent.id == target.id


def test_many_edits_at_once():
    text = "<a>\n" + "".join(f'  <b name="{i}">\n    <c/>\n  </b>\n' for i in range(300)) + "</a>\n"
    case = Case(text)
    nodes = list(case.parsed.root.iter("b"))
    changed = case.do(*(SetAttribute(node, "x", "1") for node in nodes), *map(Remove, case.parsed.root.iter("c")))
    assert changed == re.sub(r"\n    <c/>", "", text.replace('">', '" x="1">'))


@st.composite
def texts(draw):
    """A document with comments, in one of several layouts."""
    line, indent = draw(st.sampled_from([("\n", "  "), ("\r\n", "\t"), ("", "")]))
    count = 0

    def element(depth: int) -> str:
        nonlocal count
        count += 1
        number, pad = count, line + indent * depth
        attributes = draw(st.sampled_from(["", " a='1'", f' name="n{number}" a = "x"']))
        tag = draw(st.sampled_from("pq"))
        inner = [element(depth + 1) for _ in range(draw(st.integers(0, 3 if depth < 3 else 0)))]
        if draw(st.booleans()):
            inner.append(f"{pad}{indent}<!-- {number} -->")
        if not inner:
            return f"{pad}<{tag}{attributes}/>"
        return f"{pad}<{tag}{attributes}>{''.join(inner)}{pad}</{tag}>"

    return f"<root>{''.join(element(1) for _ in range(draw(st.integers(1, 4))))}{line}</root>{line}"


@given(texts(), st.data())
def test_any_edits(text, data):
    case = Case(text)
    nodes = list(case.parsed.root.iter())
    some = st.sampled_from(nodes)
    index = st.one_of(st.none(), st.integers(0, 4))
    name = st.sampled_from(["a", "b", "name"])
    kinds = {
        SetAttribute: lambda: (data.draw(some), data.draw(name), data.draw(st.sampled_from(["", "1", "<&\"'"]))),
        RemoveAttribute: lambda: (data.draw(some), data.draw(name)),
        RenameAttribute: lambda: (data.draw(some), data.draw(name), "z"),
        RenameElement: lambda: (data.draw(some), "r"),
        Insert: lambda: (data.draw(some), data.draw(st.sampled_from(["<new/>", "<new>\n  <in/>\n</new>", "<!-- new -->"])), data.draw(index)),
        Move: lambda: (data.draw(some), data.draw(some), data.draw(index)),
        Remove: lambda: (data.draw(some),),
    }  # fmt: skip
    edits = [kind(*kinds[kind]()) for kind in data.draw(st.lists(st.sampled_from(list(kinds)), min_size=1, max_size=6))]
    refused = None
    try:
        after = case.do(*edits)
    except EditRefused as refusal:
        refused = refusal.edits
    if refused is not None:
        assert refused and set(refused) <= set(edits)
        return
    removed = {inner.id for edit in edits if isinstance(edit, Remove) for inner in edit.node.iter()}
    moved = {inner.id for edit in edits if isinstance(edit, Move) for inner in edit.node.iter()}
    for node in nodes:
        assert case.after.node(node.id) is not None or node.id in removed
    # Comments disappear only together with the element around them.
    for comment in re.findall("<!--.*?-->", text):
        around = case.parsed.root.at(text.index(comment))
        if around.id not in removed | moved:
            assert comment in after
    # Text that no edit is about keeps its bytes.
    about = {node.id for edit in edits for node in (edit.node, *edit.node.ancestors())}
    about |= {n.id for edit in edits if isinstance(edit, Move) for n in (edit.parent, *edit.parent.ancestors())}
    for node in nodes:
        inside = {inner.id for inner in node.iter()} | {around.id for around in node.ancestors()}
        if not (inside | {node.id}) & removed | moved & inside and not {i.id for i in node.iter()} & about:
            if node.id not in moved:
                assert case.after.node(node.id).span.text == node.span.text
