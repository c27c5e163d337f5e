"""Parsing after an edit gives what parsing the whole text gives, does not touch the rest, and keeps identities."""

from __future__ import annotations

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.document.edit import Edit, apply, difference, inverse
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.reparse import Shift, reparse
from kinetree.engine.document.source import Source

TEXT = """<?xml version="1.0"?>
<!-- a model -->
<mujoco model="m">
  <option timestep="0.1"/>
  <worldbody>
    <body name="a" pos="1 2 &amp; 3">
      <geom name="g" size="0.1"/>text<!-- comment -->
      <geom/>more
      <body><include file="x.xml"/><site name='s'/></body>
    </body>
    <body name="b"><joint/></body>
  </worldbody>
</mujoco>
<!-- the end -->
"""
WORDS = (
    "< > / = \" ' & ; </ /> <!-- --> <a </body> </geom> <geom> <geom/> <body> <body <![CDATA[ ]]> <? ?> <!DOCTYPE \0 \r x "
    'a="1" <b><c/></b> &amp; <include/>'
)
PIECES = [*WORDS.split(" "), "", " ", "\n"]


def parsed(text: str) -> ParsedSource:
    return ParsedSource.parse(Source("m.xml", None, text, Path("/")))


def face(document: ParsedSource) -> list:
    """Everything that can be seen of a parse."""
    result: list = [(str(item), item.end_line, item.end_column) for item in document.diagnostics]
    for node in document.root.iter():
        spans = [node.span, node.tag_span, node.head_span, node.tail_span, *node.text_spans]
        attributes = [(a.name, a.value, a.raw, a.quote, a.span.start, a.span.end) for a in node.attributes]
        parent = None if node.parent is None else node.parent.start
        places = [(span.start, span.end) for span in spans]
        result.append((node.tag, parent, places, attributes, node.text, node.path(), node.subtree.includes))
    return result


def check(before: ParsedSource, edits: list[Edit]) -> ParsedSource:
    after = before.edited(edits)
    assert after.source.text == apply(before.source.text, edits)
    whole = parsed(after.source.text)
    assert face(after) == face(whole)
    ids = [node.id for node in after.root.iter()]
    assert len(set(ids)) == len(ids)
    for node in after.root.iter():
        if node.tag:
            assert after.node(node.id) is node
    return after


def is_confined(before: ParsedSource, edits: list[Edit]) -> bool:
    text = apply(before.source.text, edits)
    return reparse(before.syntax, before.source.text, text, Shift(sorted(edits))) is not None


@given(st.data())
def test_any_edits(data):
    document = parsed(TEXT)
    for _ in range(data.draw(st.integers(1, 4))):
        length = len(document.source.text)
        places = sorted(data.draw(st.lists(st.integers(0, length), min_size=2, max_size=6)))
        edits = [Edit(*pair, data.draw(st.sampled_from(PIECES))) for pair in zip(places[::2], places[1::2])]
        back = inverse(document.source.text, edits)
        document = check(document, edits)
        if data.draw(st.booleans()):
            document = check(document, back)


@given(st.data())
def test_small_edits_at_marks(data):
    """Edits as in typing: a few characters beside a mark, then fixed."""
    document = parsed(TEXT)
    for _ in range(4):
        text = document.source.text
        marks = [index for index, character in enumerate(text) if character in "<>\"'/="]
        at = data.draw(st.sampled_from(marks)) + data.draw(st.integers(0, 1))
        end = min(len(text), at + data.draw(st.sampled_from([0, 0, 1])))
        edit = Edit(at, end, data.draw(st.sampled_from(PIECES)))
        broken = check(document, [edit])
        document = check(broken, inverse(text, [edit])) if data.draw(st.booleans()) else broken


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('size="0.1"', 'size="0.25"'),
        ('model="m"', 'model="n"'),
        ("<geom/>", '<geom name="h"/><site/>'),
        ("      <geom/>more\n", ""),
        ("<joint/>", ""),
        ("<joint/>", "<joint"),
        ("<geom/>more", '<geom size="1'),
        ("<geom/>more", "<geom><site/>"),
        ("  <worldbody>", "  <!-- c --><asset/>\n  <worldbody>"),
        ("a model", "the model"),
        ("the end", "the very end"),
        ("text", "te&xt"),
        ("comment -->", "comment --><geom/>"),
    ],
)
def test_what_is_confined(old, new):
    """Edits that are not allowed to cost a parse of the whole text."""
    before = parsed(TEXT)
    at = TEXT.index(old)
    edits = [Edit(at, at + len(old), new)]
    assert is_confined(before, edits)
    check(check(before, edits), inverse(TEXT, edits))


@pytest.mark.parametrize("place", ["\n      <geom/>", "<joint/></body>", "\n  </worldbody>", "text<!--"])
def test_a_tag_that_is_typed_is_confined(place):
    """Every key while a tag has no ">" yet, also behind others that have none."""
    document, at = parsed(TEXT), TEXT.index(place)
    for typed in '<g a="1"  b=\'2\' c=3 <h d="4"/>':
        edits = [Edit(at, at, typed)]
        assert is_confined(document, edits), document.source.text
        document = check(document, edits)
        at += 1
    for _ in range(12):
        edits = [Edit(at - 1, at, "")]
        assert is_confined(document, edits), document.source.text
        document = check(document, edits)
        at -= 1


OPEN_VALUES = [
    ("<body name=", ' x="1'),
    ("<geom name=", " x='1"),
    ("<worldbody", ' x="1 2'),
    ("<mujoco", " x='1 2"),
    ("<worldbody>", '<light x="1'),
    ('size="0.1', "2\n"),
]


def behind(text: str, mark: str) -> int:
    return text.index(mark) + len(mark)


@pytest.mark.parametrize(("mark", "typed"), OPEN_VALUES)
def test_a_value_that_is_typed_is_confined(mark, typed):
    """Each key costs little while a value has no closing quote, also in the tag of a large element, and at other
    places meanwhile."""
    document = parsed(TEXT)
    at = behind(TEXT, mark)
    last = document.root.children[1].children[1].subtree
    for key in typed:
        edits = [Edit(at, at, key)]
        assert is_confined(document, edits), document.source.text
        document = check(document, edits)
        at += 1
    for mark, key in [("<joint", " a"), ("text", " "), ('"b', "c"), ("the end", "!")]:
        place = behind(document.source.text, mark)
        edits = [Edit(place, place, key)]
        assert is_confined(document, edits), document.source.text
        document = check(document, edits)
    for key in reversed(typed):
        edits = [Edit(at - 1, at, "")]
        assert document.source.text[at - 1] == key
        assert is_confined(document, edits), document.source.text
        document = check(document, edits)
        at -= 1
    assert document.root.children[1].children[1].id == last.id


def test_elements_behind_a_value_that_is_typed_are_shared():
    document = parsed(TEXT)
    at = behind(TEXT, "<worldbody")
    after = check(document, [Edit(at, at, ' x="1')])
    bodies = [each.root.children[1].children for each in (document, after)]
    assert [body.subtree for body in bodies[0]] == [body.subtree for body in bodies[1]]


@given(st.data())
def test_any_edits_behind_a_value_without_its_closing_quote(data):
    """The next quote, wherever it is, decides how such a value is read."""
    mark, typed = data.draw(st.sampled_from(OPEN_VALUES))
    at = behind(TEXT, mark)
    document = check(parsed(TEXT), [Edit(at, at, typed)])
    for _ in range(3):
        start = data.draw(st.integers(0, len(document.source.text)))
        end = min(start + data.draw(st.integers(0, 3)), len(document.source.text))
        piece = data.draw(st.sampled_from(['"', "'", "'/>", '" y="', "' y='", "x", "=", "", "<", ">", "\n", "</body>"]))
        document = check(document, [Edit(start, end, piece)])


def test_an_end_tag_too_many_behind_a_tag_whose_value_has_no_closing_quote():
    """The tag has no ">" either: what it holds moves out of it at such an end tag."""
    document = parsed(TEXT)
    at = behind(TEXT, "<worldbody")
    document = check(document, [Edit(at, at + 1, " x=\"1 ' y='")])
    at = behind(document.source.text, "    </body>\n")
    check(document, [Edit(at, at, "</body>")])


def test_many_edits_at_once_are_confined():
    text = "<a>\n" + "".join(f'  <b name="{i}"><c ref="{i}"/></b>\n' for i in range(200)) + "</a>\n"
    edits = [Edit(at, at + 1, "x") for at in range(len(text)) if text.startswith('"', at - 1) and text[at].isdigit()]
    assert len(edits) == 400 and is_confined(parsed(text), edits)
    check(parsed(text), edits)


def test_subtrees_beside_the_edit_are_shared():
    before = parsed(TEXT)
    after = before.edited(difference(TEXT, TEXT.replace('size="0.1"', 'size="10.1"')))
    assert before.root.children[0].subtree is after.root.children[0].subtree
    assert before.root.children[1].children[1].subtree is after.root.children[1].children[1].subtree
    assert before.root.children[1].children[0].subtree is not after.root.children[1].children[0].subtree


def identities(document: ParsedSource) -> dict:
    return {node.path(): node.id for node in document.root.iter()}


def test_identity_of_what_is_typed():
    before = parsed(TEXT)
    text, document = TEXT, before
    at = TEXT.index("<geom/>") + len("<geom")
    for character in ' size="1"':
        text = text[:at] + character + text[at:]
        document = document.edited([Edit(at, at, character)])
        at += 1
    assert identities(document) == identities(before)


def test_identity_of_what_is_commented_out_for_a_while():
    before = parsed(TEXT)
    at = TEXT.index("    <body name=")
    hidden = before.edited([Edit(at, at, "<!--")])
    assert "a" not in [node.get("name") for node in hidden.root.iter()]
    there = hidden.source.text.index("-->", at)
    other = hidden.edited([Edit(there, there, "x")])
    shown = other.edited([Edit(there, there + 1, ""), Edit(at, at + 4, "")])
    assert face(shown) == face(before) and identities(shown) == identities(before)


def test_identity_of_what_is_renamed_or_moved():
    before = parsed(TEXT)
    body = before.root.children[1].children[1]
    piece = body.span.text
    at = TEXT.index("  <option")
    after = before.edited([Edit(at, at, piece), Edit(body.start, body.end, "")])
    moved = after.root.children[0]
    assert (moved.id, moved.children[0].id) == (body.id, body.children[0].id)
    site = before.root.children[1].children[0].children[2].children[1]
    renamed = before.edited([Edit(site.tag_span.start, site.tag_span.end, "geom")])
    assert renamed.node(site.id).tag == "geom"


def test_identity_over_a_rewritten_text():
    """Another program formatted the file and changed a value."""
    before = parsed(TEXT)
    other = TEXT.replace("\n", "\n\t").replace(' size="0.1"', "\n size='0.2'").replace("<option", "<size/><option")
    after = before.edited(difference(TEXT, other))
    named = {node.get("name"): node.id for node in before.root.iter() if node.get("name")}
    assert named == {node.get("name"): node.id for node in after.root.iter() if node.get("name")}
    assert identities(before)["mujoco/worldbody/body[2]/joint"] == identities(after)["mujoco/worldbody/body[2]/joint"]
    fresh = next(after.root.iter("size")).id
    assert fresh not in identities(before).values()


def test_a_session_of_edits():
    """Hundreds of edits one after another, against a parse of the whole."""
    generator = random.Random(1)
    document = parsed(TEXT)
    for _ in range(300):
        text = document.source.text
        nodes = [node for node in document.root.iter() if node.parent is not None]
        node = generator.choice(nodes)
        kind = generator.random()
        if kind < 0.4:
            at = node.tag_span.end
            edits = [Edit(at, at, f' a{generator.randrange(10**6)}="{generator.random():.3f}"')]
        elif kind < 0.6 and len(nodes) > 8:
            edits = [Edit(node.start, node.end, "")]
        else:
            edits = [Edit(node.start, node.start, f"<n{generator.randrange(5)}><m/></n{0}>")]
            if generator.random() < 0.8:
                edits = [Edit(node.start, node.start, "<n><m/></n>\n ")]
        document = check(document, edits)
        if document.diagnostics:
            document = check(document, inverse(text, edits))
    starts = [node.start for node in document.root.iter()]
    assert all(one < other for one, other in pairwise(starts))
