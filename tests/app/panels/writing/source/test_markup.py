"""Indentation, comments and folds."""

from pathlib import Path

import pytest

from kinetree.app.panels.writing.source import markup
from kinetree.app.panels.writing.source.carets import Caret
from kinetree.engine.document.edit import apply
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.source import Source
from tests.app.panels.writing.source.test_carets import marked, shown


def parsed(text):
    return ParsedSource.parse(Source("m.xml", None, text, Path("/")))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<a>|</a>", "<a>\n  |\n</a>"),
        ("<a>\n  <b/>|", "<a>\n  <b/>\n  |"),
        ("<a>\n  <b>|", "<a>\n  <b>\n    |"),
        ('<a>\n  <b x="1" |y="2"/>', '<a>\n  <b x="1" \n     |y="2"/>'),
        ("\t<a>|", "\t<a>\n\t\t|"),
        ("<a/>\r\n|<b/>", "<a/>\r\n\r\n|<b/>"),
    ],
)
def test_enter_indents(before, after):
    plain, carets = marked(before)
    stroke = markup.new_line(plain, carets)
    assert shown(apply(plain, stroke.edits), stroke.carets) == after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<a>\n  <b/>|\n</a>", "<a>\n  <!-- <b/> -->\n</a>"),
        ("<a>\n  <b|>\n    <c/>\n  </b>\n</a>", "<a>\n  <!-- <b>\n    <c/>\n  </b> -->\n</a>"),
        ("<a>[<b/><c/>]</a>", "<a><!-- <b/><c/> --></a>"),
    ],
)
def test_comments_go_around_whole_elements_and_away_again(before, after):
    plain, carets = marked(before)
    stroke = markup.toggle_comment(parsed(plain), carets)
    assert not isinstance(stroke, str)
    text = apply(plain, stroke.edits)
    assert text == after
    again = markup.toggle_comment(parsed(text), stroke.carets)
    assert not isinstance(again, str)
    assert apply(text, again.edits) == plain


def test_a_comment_in_a_comment_is_refused():
    assert "cannot hold" in markup.toggle_comment(parsed("<a><b/><!-- x --></a>"), [Caret(3, 17)])


def test_folds_are_elements_and_comments_over_several_lines():
    text = "<a>\n<b/><c>\n</c>\n<!-- x\n y -->\n<d/>\n</a>"
    tree, at, found = parsed(text), 0, []
    for line in text.split("\n"):
        fold = markup.fold_at(tree, at, at + len(line))
        found.append(None if fold is None else text[slice(*fold)])
        at += len(line) + 1
    assert found == [text, "<c>\n</c>", None, "<!-- x\n y -->", None, None, None]
