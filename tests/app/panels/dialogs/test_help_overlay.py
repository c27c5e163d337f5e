"""The columns of the F1 help."""

from hypothesis import given
from hypothesis import strategies as st

from kinetree.app.menus.help import HelpRow
from kinetree.app.panels.dialogs.help_overlay import KEPT, columns_of, lines_of

SECTIONS = st.lists(st.integers(1, 40), min_size=1, max_size=9)


@given(SECTIONS, st.integers(1, 5))
def test_columns_hold_every_row_once_and_keep_small_sections_together(sizes, count):
    sections = [(f"S{i}", [HelpRow(f"{i}.{k}", "", None) for k in range(n)]) for i, n in enumerate(sizes)]
    columns = columns_of(lines_of(sections), count)
    assert len(columns) <= count
    assert [line for column in columns for line in column if line is not None] == [
        line for title, rows in sections for line in (title, *rows)
    ]
    for column in columns:
        assert column[0] is not None and column[-1] is not None and not isinstance(column[-1], str)
        rows = [line.keys.partition(".")[0] for line in column if isinstance(line, HelpRow)]
        for section in set(rows):
            assert rows.count(section) >= min(KEPT, sizes[int(section)])


@given(st.integers(1, 4))
def test_one_long_section_is_divided_evenly(count):
    lines = lines_of([("Display", [HelpRow(str(k), "", None) for k in range(39)])])
    assert [len(column) for column in columns_of(lines, count)] == [40 // count] * count or count == 3
