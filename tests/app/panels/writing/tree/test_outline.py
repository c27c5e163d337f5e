"""An outline by itself: what a filter and expanded rows show, compared with the definition, row by row."""

from typing import NamedTuple

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kinetree.app.panels.writing.tree.outline import Block, TreeOutline, block_of


class Row(NamedTuple):
    id: object


@st.composite
def trees(draw):
    """Rows with random depths, and which are expanded."""
    depths: list[int] = []
    for number in range(draw(st.integers(0, 25))):
        depths.append(0 if number == 0 else draw(st.integers(0, depths[-1] + 1)))
    expanded = [draw(st.booleans()) for _ in depths]
    return Block([Row(number) for number in range(len(depths))], depths), np.array(expanded, bool)


def ancestors(block, row):
    result = []
    depth = block.depths[row]
    for other in range(row - 1, -1, -1):
        if block.depths[other] < depth:
            result.append(other)
            depth = block.depths[other]
    return result


@given(trees(), st.data())
def test_shown_rows_are_those_that_the_definition_shows(tree, data):
    block, expanded = tree
    outline = TreeOutline()
    outline.set_rows(block, expanded, keep=False)
    count = len(block)
    above = [ancestors(block, row) for row in range(count)]
    hits, visible, opened = [False] * count, [True] * count, expanded.tolist()
    if data.draw(st.booleans()):
        hits = [data.draw(st.booleans()) for _ in range(count)]
        holds = [any(hits[other] and row in above[other] for other in range(count)) for row in range(count)]
        visible = [hits[row] or holds[row] or any(hits[a] for a in above[row]) for row in range(count)]
        opened = holds
        outline.set_matching(np.array(hits, bool))
    shown = [row for row in range(count) if visible[row] and all(opened[a] for a in above[row])]
    assert outline.shown.tolist() == shown
    for row in range(count):
        assert outline.parent(row) == (above[row][0] if above[row] else -1)
        below = [other for other in range(count) if row in above[other] and visible[other]]
        assert outline.has_children(row) == bool(below)
        assert outline.position(row) == (shown.index(row) if row in shown else -1)
        assert outline.children(row) == [other for other in range(count) if above[other][:1] == [row]]


@given(trees(), st.data())
def test_a_revealed_row_is_shown_and_a_cleared_filter_brings_expanded_rows_back(tree, data):
    block, expanded = tree
    if not len(block):
        return
    outline = TreeOutline()
    outline.set_rows(block, expanded, keep=False)
    before = outline.shown.tolist()
    outline.set_matching(np.array([data.draw(st.booleans()) for _ in range(len(block))], bool))
    row = data.draw(st.integers(0, len(block) - 1))
    outline.expand(row, data.draw(st.booleans()), everything=data.draw(st.booleans()))
    outline.set_matching(None)
    assert outline.shown.tolist() == before
    outline.reveal([row])
    assert outline.position(row) >= 0


@given(trees())
def test_rows_of_the_next_version_stay_expanded_by_their_id(tree):
    block, expanded = tree
    outline = TreeOutline()
    outline.set_rows(block, expanded, keep=False)
    longer = Block([Row("new"), *block.items], [0, *block.depths.tolist()])
    at_first = ~np.array([False, *expanded], bool)
    outline.set_rows(longer, at_first, keep=True)
    assert [outline.is_expanded(row) for row in range(len(longer))] == [True, *expanded.tolist()]
    outline.set_rows(longer, at_first, keep=False)
    assert [outline.is_expanded(row) for row in range(len(longer))] == at_first.tolist()


@given(trees(), st.data())
def test_a_branch_that_is_replaced_leaves_the_columns_as_if_all_rows_were_made_anew(tree, data):
    block, expanded = tree
    outline = TreeOutline()
    depths = block.depths.tolist()
    outline.set_rows(Block(list(block.items), depths), expanded, keep=False)
    parent = data.draw(st.integers(-1, len(block) - 1))
    inside = outline.children(parent)
    end = int(outline.ends[parent]) if parent >= 0 else len(block)
    first = data.draw(st.integers(0, len(inside)))
    last = data.draw(st.integers(first, len(inside)))
    starts = [*inside, end]
    start, stop = starts[first], starts[last]
    depth = depths[parent] + 1 if parent >= 0 else 0
    fresh = [depth + extra for extra in data.draw(st.sampled_from(([], [0], [0, 1, 1, 0], [0, 1, 2])))]
    outline.splice(start, stop, parent, Block([Row(("new", i)) for i in range(len(fresh))], fresh))
    outline.refresh()
    items = [*block.items[:start], *(Row(("new", i)) for i in range(len(fresh))), *block.items[stop:]]
    anew = Block(items, [*depths[:start], *fresh, *depths[stop:]])
    assert outline.items == items
    for column in ("depths", "ends", "parents"):
        assert getattr(outline, column).tolist() == getattr(anew, column).tolist(), column
    kept = [*expanded[:start].tolist(), *[False] * len(fresh), *expanded[stop:].tolist()]
    assert [outline.is_expanded(row) for row in range(len(items))] == kept
    assert outline.row_of(items[-1].id) == len(items) - 1 if items else True


def test_a_branch_that_comes_back_is_expanded_as_it_was():
    outline = TreeOutline()
    block = Block([Row(i) for i in range(4)], [0, 1, 2, 1])
    outline.set_rows(block, np.array([True, True, False, False]), keep=False)
    outline.splice(1, 3, 0, Block([], []))
    outline.splice(1, 1, 0, Block([Row(1), Row(2)], [1, 2]))
    outline.refresh()
    assert outline.is_expanded(1) and outline.shown.tolist() == [0, 1, 2, 3]


def test_everything_below_a_row_is_expanded_at_once():
    outline = TreeOutline()
    outline.set_rows(Block([Row(i) for i in range(5)], [0, 1, 2, 3, 0]), np.zeros(5, bool), keep=False)
    assert outline.shown.tolist() == [0, 4]
    outline.expand(0, True, everything=True)
    assert outline.shown.tolist() == [0, 1, 2, 3, 4]
    outline.expand_all(False)
    assert outline.shown.tolist() == [0, 1, 4]


def test_a_block_is_in_depth_first_order():
    inside = {"a": ["b", "d"], "b": ["c"]}
    block = block_of("ae", lambda item: inside.get(str(item), ()), 3)
    assert block.items == list("abcde") and block.depths.tolist() == [3, 4, 5, 4, 3]
