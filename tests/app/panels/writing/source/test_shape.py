"""The shape of a text, as the minimap shows it."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from kinetree.app.panels.writing.source.shape import ATTRIBUTE, COMMENT, KINDS, TAG, VALUE, WIDEST, picture_of, shape_of


def test_each_character_is_what_it_is():
    lines = ["<a>", '  <b x="1"/>', "  <!-- <c/> -->", "</a>"]
    shape = shape_of("\n".join(lines), 4, WIDEST)
    found = [[" TAVC"[1 + row.argmax()] if row.any() else " " for row in line] for line in shape]
    kinds = {"T": TAG, "A": ATTRIBUTE, "V": VALUE, "C": COMMENT}
    assert [kinds[letter] for letter in "TAVC"] == list(range(KINDS))
    assert ["".join(line).rstrip() for line in found] == ["TTT", "  TT AAVVVTT", "  CCCC CCCC CCC", "TTTT"]


def test_lines_share_rows_where_there_are_few():
    text = "\n".join(["xxxx", ""] * 500)
    shape = shape_of(text, 10, WIDEST)
    assert shape.shape == (10, WIDEST, KINDS)
    assert np.allclose(shape[:, :4].sum(-1), 0.5, atol=0.02) and not shape[:, 4:].any()


def test_a_quote_too_few_harms_one_tag():
    shape = shape_of('<a x="1>\n<b y="2"/>', 2, WIDEST)
    assert shape[1, 1].argmax() == TAG and shape[1, 3].argmax() == ATTRIBUTE


@given(
    st.text(st.sampled_from("<>/ab \"'=!-\n\r\u00e9\U0001f600"), max_size=80), st.integers(0, 30), st.integers(0, 30)
)
def test_any_text(text, rows, columns):
    shape = shape_of(text, rows, columns)
    assert shape.shape == (rows, columns, KINDS) and (shape >= 0).all() and (shape <= 1).all()
    assert picture_of(shape, [(0, 0, 0)] * KINDS, 3).shape == (rows * 3, columns, 4)
