"""Offsets of a text and positions of the QTextDocument that shows it."""

from hypothesis import given
from hypothesis import strategies as st

from kinetree.app.panels.writing.source.positions import TextPositions, whole_breaks
from kinetree.engine.document.edit import Edit, apply

TEXTS = st.text(st.sampled_from("ab<\r\n\U0001f600é"), max_size=30)


def units(text: str) -> int:
    """Positions that QTextDocument has for a text."""
    return len(text.replace("\r\n", "\n").encode("utf-16-le")) // 2


@st.composite
def edited(draw):
    text = draw(TEXTS)
    places = sorted(draw(st.lists(st.integers(0, len(text)), min_size=0, max_size=6)))
    return text, [Edit(a, b, draw(TEXTS)) for a, b in zip(places[::2], places[1::2])]


@given(TEXTS)
def test_positions_count_units_and_offsets_come_back(text):
    positions = TextPositions(text)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n" and offset:
            continue
        assert positions.position(offset) == units(text[:offset])
        assert positions.offset(positions.position(offset)) == offset


@given(edited())
def test_widened_edits_do_the_same_and_keep_line_breaks_whole(case):
    text, edits = case
    whole = whole_breaks(text, edits)
    assert apply(text, whole) == apply(text, edits)
    # The remaining and the inserted text are counted separately, so an edit may not join them to a "\r\n".
    parts, place = [], 0
    for start, end, new in whole:
        parts += [text[place:start], new]
        place = end
    assert sum(map(units, [*parts, text[place:]])) == units(apply(text, edits))


@given(edited())
def test_positions_follow_edits(case):
    text, edits = case
    whole = whole_breaks(text, edits)
    new = apply(text, whole)
    positions = TextPositions(text)
    positions.follow(whole, new)
    fresh = TextPositions(new)
    assert [positions.position(i) for i in range(len(new) + 1)] == [fresh.position(i) for i in range(len(new) + 1)]
