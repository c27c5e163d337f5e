import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.document.edit import Edit, apply, compose, difference, difference_of_tags, inverse, moved, ordered


@st.composite
def text_and_edits(draw):
    text = draw(st.text(alphabet="abc\n", max_size=40))
    places = sorted(draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pairs = list(zip(places[::2], places[1::2]))
    return text, [Edit(start, end, draw(st.text(alphabet="xyz", max_size=5))) for start, end in pairs]


def test_apply():
    assert apply("hello", [Edit(0, 1, "J"), Edit(5, 5, "!")]) == "Jello!"
    assert apply("hello", [Edit(5, 5, "!"), Edit(0, 1, "J")]) == "Jello!"
    assert apply("ab", [Edit(1, 1, "1"), Edit(1, 1, "2")]) == "a12b"
    assert apply("ab", [Edit(1, 2, "c"), Edit(1, 1, "-")]) == "a-c"
    assert apply("x", []) == "x"


@pytest.mark.parametrize(
    "edits",
    [
        [Edit(0, 2, ""), Edit(1, 3, "")],
        [Edit(2, 1, "")],
        [Edit(-1, 1, "")],
        [Edit(3, 9, "")],
        [Edit(0, 3, ""), Edit(1, 1, "x")],
    ],
)
def test_edits_that_make_no_sense(edits):
    with pytest.raises(ValueError):
        apply("abcd", edits)


@given(text_and_edits())
def test_edit_and_inverse_is_nothing(case):
    text, edits = case
    changed = apply(text, edits)
    back = inverse(text, edits)
    assert apply(changed, back) == text
    assert apply(apply(text, inverse(changed, back)), back) == text
    assert inverse(changed, back) == ordered(edits)


@given(st.text(alphabet="ab", max_size=30), st.text(alphabet="ab", max_size=30))
def test_difference(old, new):
    edits = difference(old, new)
    assert apply(old, edits) == new
    assert (not edits) == (old == new)
    for edit in edits:
        assert not (edit.text and edit.end > edit.start and old[edit.start] == edit.text[0])


def test_difference_is_small():
    old = "x" * 100_000 + "abc" + "y" * 100_000
    assert difference(old, old.replace("abc", "adc")) == [Edit(100_001, 100_002, "d")]


def test_moved():
    edits = [Edit(2, 2, "++"), Edit(4, 6, "")]
    assert moved(range(8), edits).tolist() == [0, 1, 4, 5, 6, 6, 6, 7]
    assert moved(2, edits, after=False) == 2
    assert moved([1, 2, 3, 4], [Edit(2, 4, "abc")]).tolist() == [1, 2, 5, 5]
    assert moved([[5]], []).tolist() == [[5]]


@given(text_and_edits())
def test_places_outside_the_edits_keep_their_characters(case):
    text, edits = case
    changed = apply(text, edits)
    places = moved(range(len(text)), edits)
    for offset, character in enumerate(text):
        if not any(edit.start <= offset < edit.end for edit in edits):
            assert changed[places[offset]] == character


@given(text_and_edits(), st.data())
def test_two_lists_of_edits_are_one(case, data):
    text, first = case
    between = apply(text, first)
    places = sorted(data.draw(st.lists(st.integers(0, len(between)), max_size=8)))
    second = [Edit(*pair, data.draw(st.text("xyz", max_size=3))) for pair in zip(places[::2], places[1::2])]
    assert apply(text, compose(first, second)) == apply(between, second)


def test_a_difference_of_tags_begins_with_a_whole_tag():
    old = '<a><b name="one"/><b name="two"/></a>'
    [edit] = difference_of_tags(old, '<a><b name="two"/></a>')
    assert old[edit.start :].startswith('<b name="one"') and apply(old, [edit]) == '<a><b name="two"/></a>'
    assert difference_of_tags(old, old.replace("one", "ones")) == [Edit(15, 15, "s")]
    assert difference_of_tags(old, old) == []
