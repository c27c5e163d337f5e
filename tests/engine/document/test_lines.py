"""Comparing texts by lines."""

from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.document.lines import LineChange, LineFate, changed_lines, matching_runs, split_lines

LINES = st.lists(st.sampled_from(["<a>", "</a>", "<b/>", "x", "y", "z"]), max_size=14)


@given(LINES, LINES)
def test_runs_are_in_both_and_in_order(one, other):
    a = b = 0
    for start, place, count in matching_runs(one, other):
        assert count > 0 and start >= a and place >= b
        assert one[start : start + count] == other[place : place + count]
        a, b = start + count, place + count
    assert a <= len(one) and b <= len(other)


@given(LINES, LINES)
def test_the_rest_is_what_changed(one, other):
    old, new = "\n".join(one), "\n".join(other)
    kept = set(range(len(split_lines(new))))
    restored = split_lines(new)
    for change in reversed(changed_lines(old, new)):
        kept -= set(range(change.first, change.last))
        restored[change.first : change.last] = split_lines(old)[change.old_first : change.old_last]
    assert restored == split_lines(old)
    assert all(split_lines(new)[line] in split_lines(old) for line in kept)
    assert bool(changed_lines(old, new)) == (split_lines(old) != split_lines(new))


def test_lines_that_are_new_different_or_gone():
    old = "a\nb\nc\nd\ne\n"
    found = changed_lines(old, "a\nB\nc\nnew\nd\n")
    assert found == [LineChange(1, 2, 1, 2), LineChange(3, 4, 3, 3), LineChange(5, 5, 4, 5)]
    assert [each.fate for each in found] == [LineFate.CHANGED, LineFate.ADDED, LineFate.REMOVED]
    assert changed_lines(old, old) == []


def test_far_ends_of_a_text_of_equal_lines_are_found():
    old = "<body>\n</body>\n" * 20_000
    new = old.replace("<body>", "<body >", 1)
    new = new[: new.rindex("</body>")] + "</body >\n"
    found = changed_lines(old, new)
    assert found[0].first == 0 and found[-1].last == 40_000
