"""Digits of the keyboard, by the numbers of each system."""

from __future__ import annotations

import pytest

from kinetree.engine.platforms.keyboard import digit

ROW = {
    "linux": [(0, 10 + k) for k in range(10)],
    "windows": [(ord(c), 0) for c in "1234567890"],
    "macos": [(key, 0) for key in (0x12, 0x13, 0x14, 0x15, 0x17, 0x16, 0x1A, 0x1C, 0x19, 0x1D)],
}


@pytest.mark.parametrize("system", ROW)
def test_the_row_of_digits(system):
    assert [digit(*key, system) for key in ROW[system]] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0]
    others = [(key, key) for key in (0x00, 0x0A - 1, 0x18, 0x1B, 0x3A, 0x60, 0x70)]
    assert [digit(*key, system) for key in others] == [None] * len(others)
