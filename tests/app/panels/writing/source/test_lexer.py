"""Colours of XML: what begins in the middle of the text has the colours that it has from its start, and tags and
attributes are those of the tree."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.app.panels.writing.source.lexer import Lexer, TokenKind, boundary_before
from kinetree.engine.document import scanner
from tests.conftest import ROOT

PIECES = st.lists(
    st.sampled_from(
        ["<a ", "b=", '"1 2', '"', "'", ">", "/>", "</a>", "<!-- ", "-->", "\n", "text", "&amp;", "<?x ", "?>"]
    ),
    max_size=25,
).map("".join)
MODELS = sorted((ROOT / "resources" / "models").glob("*.xml"))


def lines(text):
    """(start, end) of each line."""
    at = 0
    for line in text.split("\n"):
        yield at, at + len(line)
        at += len(line) + 1


def kinds(text):
    lexer = Lexer(text)
    return [
        [(text[start + low : start + high], kind.name.lower()) for low, high, kind in lexer.line(start, end)]
        for start, end in lines(text)
    ]


def test_tokens():
    assert kinds('<geom size=".1 x"/> <!-- c --> &lt;') == [
        [
            ("<", "punctuation"), ("geom", "element"), ("size", "attribute"), ("=", "punctuation"), ('"', "value"),
            (".1", "number"), (" x", "value"), ('"', "value"), ("/>", "punctuation"), ("<!-- c -->", "comment"),
            ("&lt;", "reference"),
        ]
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("<a b", [[("<", "punctuation"), ("a", "element"), ("b", "attribute")]]),
        ("<", [[("<", "punctuation")]]),
        ("<![CDATA[x", [[("<![CDATA[x", "value")]]),
        ("<!-- x\ny -->", [[("<!-- x", "comment")], [("y -->", "comment")]]),
        ("</a >", [[("</", "punctuation"), ("a", "element"), (">", "punctuation")]]),
        ("<?xml?>", [[("<?xml?>", "declaration")]]),
        # Where the closing quote is forgotten the value ends with its line, as for the tree.
        ('<a b="1\n  c="2"/>', [
            [("<", "punctuation"), ("a", "element"), ("b", "attribute"), ("=", "punctuation"), ('"', "value"),
             ("1", "number")],
            [("c", "attribute"), ("=", "punctuation"), ('"', "value"), ("2", "number"), ('"', "value"),
             ("/>", "punctuation")],
        ]),
    ],
)  # fmt: skip
def test_what_is_being_typed(text, shown):
    assert kinds(text) == shown


@given(PIECES)
def test_tokens_are_in_order_and_inside_of_the_line(text):
    lexer = Lexer(text)
    for start, end in lines(text):
        place = 0
        for low, high, kind in lexer.line(start, end):
            assert place <= low < high <= end - start and kind in TokenKind
            place = high


def test_a_line_has_the_tokens_that_it_has_from_the_start_of_the_text():
    text = '<a>\n<!-- x\n <y>\n -->\n<b c="1\n2\n"/>\n<d\n e="f"/>\n<![CDATA[\n<g>\n]]>\n</a>'
    whole = Lexer(text)
    for start, end in lines(text):
        assert Lexer(text).line(start, end) == whole.line(start, end), text[start:end]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_jumps_through_a_model_change_nothing(path):
    text = path.read_text(encoding="utf-8")
    places = list(lines(text))
    whole = Lexer(text)
    expected = [whole.line(*place) for place in places]
    jumping = Lexer(text)
    order = [*range(0, len(places), 7), *range(len(places) - 1, 0, -5)]
    assert all(jumping.line(*places[number]) == expected[number] for number in order)


@given(PIECES)
def test_elements_and_attributes_are_those_of_the_scanner(text):
    named = set()
    for kind, _, _, name, start, found in scanner.scan(text, lambda *_report: None):
        if kind in (scanner.START, scanner.EMPTY, scanner.END, scanner.UNCLOSED) and name:
            named.add((start, TokenKind.ELEMENT))
            known = scanner.attributes(text, *found) if isinstance(found, tuple) else found
            named.update((attribute[1], TokenKind.ATTRIBUTE) for attribute in known)
    lexer = Lexer(text)
    shown = {(start + low, kind) for start, end in lines(text) for low, _, kind in lexer.line(start, end)}
    assert named <= shown


def test_the_scan_begins_outside_of_comments_that_have_ended():
    text = "<a/><!-- <b> --> &lt; "
    assert boundary_before(text, len(text)) == text.index(" &lt;")
    assert boundary_before(text, text.index("<b>") + 1) == text.index("<!--")
