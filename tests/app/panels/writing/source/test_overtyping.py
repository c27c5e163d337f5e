"""The text always equals the typed text: characters that the editor has inserted are typed over."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kinetree.app.panels.writing.source import carets as strokes
from kinetree.app.panels.writing.source import markup
from kinetree.app.panels.writing.source.carets import Caret, Stroke
from kinetree.app.panels.writing.source.overtyping import Typing
from kinetree.engine.document.edit import apply
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.source import Source
from tests.app.panels.writing.source.test_editor import CTRL, SHIFT, agrees, make_panel, press, put

__all__ = ["make_panel"]


class Page:
    """A text with one caret, typed into as an editor does it. "|" is the caret."""

    def __init__(self, text: str) -> None:
        at = text.index("|")
        self.parsed = ParsedSource.parse(Source("page", None, text.replace("|", ""), Path()))
        self.carets = [Caret(at, at)]
        self.typing = Typing()

    @property
    def text(self) -> str:
        text, at = self.parsed.source.text, self.carets[0].position
        return text[:at] + "|" + text[at:]

    def take(self, done: Stroke) -> None:
        expected = apply(self.parsed.source.text, done.edits)
        self.parsed = self.parsed.edited(done.edits)
        self.carets = list(done.carets)
        assert self.parsed.source.text == expected

    def type(self, keys: str) -> str:
        """Type characters; "\\n" is Enter, "\\b" Backspace. The text then."""
        for key in keys:
            text = self.parsed.source.text
            if key == "\n":
                self.take(markup.new_line(text, self.typing.new_line(self.carets)))
            elif key == "\b":
                self.take(strokes.backspace(text, self.carets))
            else:
                self.take(self.typing.type(self.parsed, self.carets, key))
        return self.text


@pytest.mark.parametrize(
    ("before", "keys", "after"),
    [
        # the end of a comment
        ("<a>|</a>", "<!--", "<a><!-- | --></a>"),
        ("<a>|</a>", "<!-- hi -->", "<a><!-- hi -->|</a>"),
        ("<a>|</a>", "<!--hi-->", "<a><!-- hi-->|</a>"),
        ("<a>|</a>", "<!-- -->", "<a><!-- -->|</a>"),
        ("<a>|</a>", "<!---->", "<a><!-- -->|</a>"),
        ("<a>|</a>", "<!-- a - b, well-known -->", "<a><!-- a - b, well-known -->|</a>"),
        ("<a>|</a>", "<!-- a --b", "<a><!-- a --b|--></a>"),
        ("<a>|</a>", "<!-- a --b -->", "<a><!-- a --b -->|</a>"),
        ("<a>|</a>", "<!-- hi\b\bho -->", "<a><!-- ho -->|</a>"),
        ("<a>|</a>", "<!-- one\ntwo -->", "<a><!-- one\ntwo -->|</a>"),
        ("<a>\n  |\n</a>", "<!--\ntwo\n-->", "<a>\n  <!--\n  two\n  -->|\n</a>"),
        ("<a>|</a>", "<!-- a --><!-- b -->", "<a><!-- a --><!-- b -->|</a>"),
        # end tags
        ("<a>|</a>", "<b>", "<a><b>|</b></a>"),
        ("<a>|</a>", "<b></b>", "<a><b></b>|</a>"),
        ("<a>|</a>", "<b><c></c></b><d/>", "<a><b><c></c></b><d/>|</a>"),
        ("<a>|</a>", "<b></x", "<a><b></x|</b></a>"),
        ("<a>|</a>", "<b></bo", "<a><b></bo|</b></a>"),
        ("<a>|</a>", "<b><c/></b>", "<a><b><c/></b>|</a>"),
        ("<a>|</a>", "<b><!-- c --></b>", "<a><b><!-- c --></b>|</a>"),
        ("<a>\n|\n</a>", "<b>\n<c/>\n</b>", "<a>\n<b>\n  <c/>\n</b>|\n</a>"),
        # the rest of an end tag
        ("<a>|", "</", "<a></a>|"),
        ("<a>|", "</a>", "<a></a>|"),
        ("<body>|", "</body>", "<body></body>|"),
        ("<body>|", "</bow", "<body></bow|"),
        ("<body>|", "</x", "<body></x|"),
        ("<body>|", "</ ", "<body></body> |"),
        # quotes and the ends of tags
        ("<a>|</a>", '<b c="d"/>', '<a><b c="d"/>|</a>'),
        ("<a>|</a>", "<b c='d' e=\"'\"/>", "<a><b c='d' e=\"'\"/>|</a>"),
        ("<a><b |/></a>", 'c="d"/>', '<a><b c="d"/>|</a>'),
        ("<a><b|></b></a>", ">", "<a><b>|</b></a>"),
        ("<a><b|></a>", ">", "<a><b>|</b></a>"),
        ("<a><b></b|></a>", ">", "<a><b></b>|</a>"),
        ('<a><b c="|>"/></a>', ">", '<a><b c=">|>"/></a>'),
        ('<a><b c="|/>"/></a>', "/", '<a><b c="/|/>"/></a>'),
        ("<a>|></a>", ">", "<a>>|></a>"),
        # what is never put in
        ("|", '<?xml version="1.0"?>', '<?xml version="1.0"?>|'),
        ("<a>|</a>", "<![CDATA[x > y]]>", "<a><![CDATA[x > y]]>|</a>"),
    ],
)
def test_what_is_typed_is_there(before: str, keys: str, after: str) -> None:
    assert Page(before).type(keys) == after


NAMES = st.sampled_from(["a", "body", "geom"])
VALUES = st.text("x1 /'>-", max_size=6).map(lambda value: value.replace("'", "’"))
COMMENTS = st.text("ab -\"'/", max_size=8).filter(
    lambda text: "--" not in text and text[-1:] != "-" and text[:1] == " "
)


def element(children: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    attributes = st.lists(st.tuples(NAMES, VALUES), max_size=2).map(
        lambda each: "".join(f' {name}="{value}"' for name, value in each)
    )
    tags = st.tuples(NAMES, attributes, st.lists(children, max_size=3))
    return tags.map(lambda tag: f"<{tag[0]}{tag[1]}>{''.join(tag[2])}</{tag[0]}>")


XML = st.recursive(
    st.one_of(NAMES.map(lambda name: f"<{name}/>"), COMMENTS.map(lambda text: f"<!--{text}-->")), element, max_leaves=8
)


@given(XML, st.sampled_from(["|", "<root>|</root>", "<root>\n  |\n</root>", "<a><a>|</a></a>"]))
def test_any_text_that_is_typed(text: str, around: str) -> None:
    assert Page(around).type(text) == around.replace("|", text + "|")


@pytest.mark.parametrize("keys", ["<!-- hi ", "<b>", "<b><c/>"])
def test_nothing_is_typed_over_once_the_caret_was_away(keys: str) -> None:
    page = Page("<a>|</a>")
    before = page.type(keys)
    page.typing.forget()
    typed = " -->" if "--" in keys else "</x>"
    assert page.type(typed) == before.replace("|", typed + "|")


def test_several_characters_and_carets_are_just_inserted() -> None:
    page = Page("<a>|</a>")
    page.type("<!--")
    assert page.type("hi") == "<a><!-- hi| --></a>"
    page.take(page.typing.type(page.parsed, page.carets, " -->"))  # as an input method does
    assert page.text == "<a><!-- hi -->| --></a>"


def test_keys_in_the_window(make_panel, qtbot):
    window, editor = make_panel()
    before = editor.text
    put(editor, "<light")
    QTest.keyClicks(editor, "<!-- hi -->")
    assert editor.text == before.replace("<light", "<!-- hi --><light") and agrees(window, editor)
    assert window.project.texts.undo_names == ["Typing"]
    press(editor, Qt.Key.Key_Z, held=CTRL)
    assert editor.text == before
    press(editor, Qt.Key.Key_Z, held=CTRL | SHIFT)
    assert editor.text == before.replace("<light", "<!-- hi --><light")


def test_keys_while_the_list_of_completions_is_open(make_panel, qtbot):
    window, editor = make_panel()
    before = editor.text
    put(editor, "<light")
    for key in '<body name="b"><geom size="1"/></body>':
        QTest.keyClicks(editor, key)
        qtbot.wait(30)  # so that lists come and go
    assert editor.text == before.replace("<light", '<body name="b"><geom size="1"/></body><light')
    assert agrees(window, editor)


def test_lines_in_a_comment_and_a_caret_that_was_away(make_panel, qtbot):
    window, editor = make_panel()
    before = editor.text
    put(editor, "<light")
    QTest.keyClicks(editor, "<!--")
    press(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "hi")
    press(editor, Qt.Key.Key_Return)
    QTest.keyClicks(editor, "-->")
    assert editor.text == before.replace("<light", "<!--\n    hi\n    --><light") and agrees(window, editor)
    QTest.keyClicks(editor, "<!-- a")
    press(editor, Qt.Key.Key_Left, Qt.Key.Key_Right)
    QTest.keyClicks(editor, "-->")
    assert "<!-- a--> --><light" in editor.text and agrees(window, editor)
