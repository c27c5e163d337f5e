"""Merging by lines, three ways."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.document.merge import ConflictChoice, Merge

TEXT = st.lists(st.sampled_from(["<geom/>\n", "<body>\n", "</body>\n", "\n", "<joint/>\r\n", "x"]), max_size=12).map(
    "".join
)


def merged(base: str, ours: str, theirs: str, **choices) -> str:
    return Merge.of(base, ours, theirs).text(choices.get("choices"))


@given(TEXT, TEXT)
def test_what_one_side_changed_is_taken_from_it(base, changed):
    for ours, theirs in ((changed, base), (base, changed), (changed, changed)):
        merge = Merge.of(base, ours, theirs)
        assert not merge.conflicts
        assert merge.text() == changed


@given(TEXT, TEXT, TEXT)
def test_a_conflict_can_be_decided_either_way(base, ours, theirs):
    """All conflicts decided for one side, from either side, give one text; nothing that a side wrote is lost
    with BOTH."""
    merge, mirrored = Merge.of(base, ours, theirs), Merge.of(base, theirs, ours)
    every = dict.fromkeys(range(len(merge.conflicts)), ConflictChoice.THEIRS)
    assert merge.text(every) == mirrored.text()
    assert mirrored.text(every) == merge.text()
    assert [(each.base, each.theirs) for each in merge.conflicts] == [
        (each.base, each.ours) for each in mirrored.conflicts
    ]
    for each in merge.conflicts:
        assert ours[each.start : each.end] == each.ours
        assert each.line == len(ours[: each.start].splitlines()) + 1 or not ours[: each.start].endswith("\n")
    both = merge.text(dict.fromkeys(every, ConflictChoice.BOTH))
    for each in merge.conflicts:
        assert each.ours in both and each.theirs in both


@given(TEXT, TEXT, TEXT, TEXT)
def test_changes_of_different_places_are_both_taken(head, tail, ours, theirs):
    keep = "<!-- between -->\n" * 2
    assert merged("a\n" + keep + "b\n", head + "a\n" + keep + "b\n", "a\n" + keep + "b\n" + tail) == (
        head + "a\n" + keep + "b\n" + tail
    )
    assert merged("a\n" + keep + "b\n", ours + keep + "b\n", "a\n" + keep + theirs) == ours + keep + theirs


def test_an_example():
    base = "<mujoco>\n  <a/>\n  <b/>\n  <c/>\n  <d/>\n</mujoco>\n"
    ours = base.replace("<a/>", '<a size="1"/>').replace("<c/>", '<c ours="1"/>')
    theirs = base.replace("  <d/>\n", "  <d/>\n  <new/>\n").replace("<c/>", '<c theirs="1"/>')
    merge = Merge.of(base, ours, theirs)
    [conflict] = merge.conflicts
    assert (conflict.ours, conflict.theirs, conflict.line) == ('  <c ours="1"/>\n', '  <c theirs="1"/>\n', 4)
    assert merge.text({0: ConflictChoice.THEIRS}) == theirs.replace("  <a/>", '  <a size="1"/>')


def test_a_large_file_is_merged():
    lines = [f'<geom name="g{i}" size="{i % 7}"/>\n' for i in range(20_000)]
    ours, theirs = list(lines), list(lines)
    ours[5_000], theirs[15_000] = "ours\n", "theirs\n"
    merge = Merge.of("".join(lines), "".join(ours), "".join(theirs))
    assert len(merge.taken) == 1 and not merge.conflicts
