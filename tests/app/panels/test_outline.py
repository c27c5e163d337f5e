"""An outline by itself: what a filter and expanded rows show, compared with the definition, row by row."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from app.panels.outline import Outline, Rows

WORDS = ("arm", "Leg", "hip", "knee joint", "geom")
KINDS = ("body", "geom", "joint")


@st.composite
def trees(draw):
    """Rows with random depths, names and kinds, and which are expanded."""
    rows, depth, expanded = Rows(), 0, []
    for number in range(draw(st.integers(0, 25))):
        depth = 0 if number == 0 else draw(st.integers(0, depth + 1))
        kind = draw(st.sampled_from(KINDS))
        name = draw(st.sampled_from(WORDS))
        rows.add(depth, kind, name, draw(st.sampled_from(("", "hinge"))), number, (kind, number))
        expanded.append(draw(st.booleans()))
    return rows, np.array(expanded, bool)


def ancestors(rows, row):
    result = []
    depth = rows.depths[row]
    for other in range(row - 1, -1, -1):
        if rows.depths[other] < depth:
            result.append(other)
            depth = rows.depths[other]
    return result


@given(trees(), st.sampled_from(("", "a", "LEG", "joint hinge", "geoms", "bodies", "nothing")))
def test_shown_rows_are_those_that_the_definition_shows(tree, text):
    rows, expanded = tree
    outline = Outline()
    outline.set_rows(rows, expanded, keep=False)
    outline.set_filter(text)
    count = len(rows)
    above = [ancestors(rows, row) for row in range(count)]
    if text:
        hits = [all(_hit(rows, row, word) for word in text.casefold().split()) for row in range(count)]
        holds = [any(hits[other] and row in above[other] for other in range(count)) for row in range(count)]
        visible = [hits[row] or holds[row] or any(hits[a] for a in above[row]) for row in range(count)]
        opened = holds
    else:
        hits, visible, opened = [False] * count, [True] * count, expanded.tolist()
    assert outline.matching.tolist() == hits
    shown = [row for row in range(count) if visible[row] and all(opened[a] for a in above[row])]
    assert outline.shown.tolist() == shown
    for row in range(count):
        assert outline.parent(row) == (above[row][0] if above[row] else -1)
        below = [other for other in range(count) if row in above[other] and visible[other]]
        assert outline.has_children(row) == bool(below)
        assert outline.position(row) == (shown.index(row) if row in shown else -1)


def _hit(rows, row, word):
    singular = {"geoms": "geom", "bodies": "body"}.get(word, word)
    text = f"{rows.names[row]}\n{rows.details[row]}".casefold()
    return word in text or rows.kinds[row] == singular


@given(trees(), st.data())
def test_a_revealed_row_is_shown_and_a_cleared_filter_brings_expanded_rows_back(tree, data):
    rows, expanded = tree
    if not len(rows):
        return
    outline = Outline()
    outline.set_rows(rows, expanded, keep=False)
    before = outline.shown.tolist()
    outline.set_filter("leg")
    row = data.draw(st.integers(0, len(rows) - 1))
    outline.expand(row, data.draw(st.booleans()), everything=data.draw(st.booleans()))
    outline.set_filter("")
    assert outline.shown.tolist() == before
    assert outline.reveal(row) and outline.position(row) >= 0


@given(trees())
def test_rows_of_the_next_version_stay_expanded_by_their_key(tree):
    rows, expanded = tree
    outline = Outline()
    outline.set_rows(rows, expanded, keep=False)
    longer = Rows()
    longer.add(0, "body", "new", "", "new", ("body", "new"))
    for row in range(len(rows)):
        longer.add(rows.depths[row], rows.kinds[row], "other name", "", rows.keys[row], rows.values[row])
    at_first = ~np.array([False, *expanded], bool)
    outline.set_rows(longer, at_first, keep=True)
    assert [outline.is_expanded(row) for row in range(len(longer))] == [True, *expanded.tolist()]
    outline.set_rows(longer, at_first, keep=False)
    assert [outline.is_expanded(row) for row in range(len(longer))] == at_first.tolist()


def test_everything_below_a_row_is_expanded_at_once():
    rows = Rows()
    for depth in (0, 1, 2, 3, 0):
        rows.add(depth, "body", "b", "", len(rows), len(rows))
    outline = Outline()
    outline.set_rows(rows, np.zeros(5, bool), keep=False)
    assert outline.shown.tolist() == [0, 4]
    outline.expand(0, True, everything=True)
    assert outline.shown.tolist() == [0, 1, 2, 3, 4]
