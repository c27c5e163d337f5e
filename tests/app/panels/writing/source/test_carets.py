"""Keys as edits of a text and its carets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.app.panels.writing.source import carets as c
from kinetree.app.panels.writing.source.carets import Caret
from kinetree.engine.document.edit import apply


def marked(text):
    """(the text without marks, its carets): "|" is a caret, "[" and "]" the ends of a selection, "]" with the
    caret."""
    plain, carets, anchor = "", [], 0
    for character in text:
        if character == "|":
            carets.append(Caret(len(plain), len(plain)))
        elif character == "[":
            anchor = len(plain)
        elif character == "]":
            carets.append(Caret(anchor, len(plain)))
        else:
            plain += character
    return plain, carets


def shown(text, carets):
    """The opposite of `marked`."""
    marks = sorted(
        [(c.end, "|" if c.is_empty else "]") for c in carets] + [(c.start, "[") for c in carets if not c.is_empty]
    )
    for place, mark in reversed(marks):
        text = text[:place] + mark + text[place:]
    return text


def done(make, text, *options):
    plain, carets = marked(text)
    stroke = make(plain, carets, *options)
    return shown(apply(plain, stroke.edits), stroke.carets)


@pytest.mark.parametrize(
    ("make", "before", "after"),
    [
        (lambda t, c_: c.insert(c_, "xy"), "a|b[cd]e", "axy|bxy|e"),
        (c.duplicate_lines, "a\nb|\nc\n", "a\nb\nb|\nc\n"),
        (c.duplicate_lines, "a\nb|", "a\nb\nb|"),
        (lambda t, c_: c.duplicate_lines(t, c_, False), "a|\nb|", "a|\nb|\na\nb"),
        (lambda t, c_: c.move_lines(t, c_, True), "a\n[b]b\r\nc", "a\nc\r\n[b]b"),
        (lambda t, c_: c.move_lines(t, c_, False), "a\nb|", "b|\na"),
        (lambda t, c_: c.move_lines(t, c_, True), "a\nb|", "a\nb|"),
        (c.delete_lines, "a\nb|\nc\n", "a\n|c\n"),
        (c.delete_lines, "a\nb|", "a|"),
        (c.indent, "<a>\n  <b>\n  [<c/>\n\n  <d/>]", "<a>\n  <b>\n    [<c/>\n\n    <d/>]"),
        (lambda t, c_: c.indent(t, c_, True), "<a>\n  [<b/>\n <c/>]", "<a>\n[<b/>\n<c/>]"),
        (c.backspace, 'a="|"', "a=|"),
        (c.backspace, "<a>\n    |<b/>", "<a>\n|<b/>"),
        (c.backspace, "a\r\n|b", "a|b"),
        (c.backspace, "\U0001f600|", "|"),
    ],
)
def test_strokes(make, before, after):
    assert done(make, before) == after


def test_occurrences_are_added_one_by_one_and_around_the_end():
    text, carets = marked("torso arm to|rso torsos torso")
    found = []
    for _ in range(5):
        carets = c.add_next(text, carets)
        found.append((carets[-1].start, len(carets)))
    assert found == [(10, 1), (16, 2), (23, 3), (0, 4), (0, 4)]


TEXTS = st.text(st.sampled_from('ab <"\r\n\U0001f600'), max_size=40)


@given(TEXTS, st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=1, max_size=4))
def test_every_stroke_leaves_carets_inside_the_text(text, places):
    carets = c.merged([Caret(min(a, len(text)), min(b, len(text))) for a, b in places])
    for make in (
        c.indent,
        c.backspace,
        c.delete_lines,
        c.duplicate_lines,
        lambda t, cs: c.indent(t, cs, True),
        lambda t, cs: c.move_lines(t, cs, True),
        lambda t, cs: c.move_lines(t, cs, False),
        lambda t, cs: c.insert(cs, "x"),
        lambda t, cs: c.delete(cs, lambda offset: c.next_word(t, offset)),
        lambda t, cs: c.delete(cs, lambda offset: c.previous_word(t, offset)),
    ):
        stroke = make(text, carets)
        new = apply(text, stroke.edits)
        assert len(stroke.carets) in (len(carets), len(stroke.edits))
        assert all(0 <= place <= len(new) for caret in stroke.carets for place in caret)


@given(st.text(st.sampled_from("ab\n"), max_size=40), st.lists(st.integers(0, 40), min_size=1, max_size=3))
def test_moving_lines_down_and_up_again_changes_nothing(text, places):
    carets = c.merged([Caret(min(a, len(text)), min(a, len(text))) for a in places])
    down = c.move_lines(text, carets, True)
    moved = apply(text, down.edits)
    assert sorted(moved.split("\n")) == sorted(text.split("\n"))
    if down.edits and len(carets) == 1:
        assert apply(moved, c.move_lines(moved, down.carets, False).edits) == text
