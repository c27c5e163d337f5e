"""Number fields with arrows."""

from __future__ import annotations

import math
from typing import TypeVar

from PySide6.QtWidgets import QAbstractSpinBox

DIGITS = 6
"""Significant digits of a value in a field with arrows."""
MOST_DECIMALS = 15
INDENT = 5  # of the text, pixels, as in other fields

Box = TypeVar("Box", bound=QAbstractSpinBox)


def indented(box: Box) -> Box:
    """The same field; its text does not begin at its edge. Qt ignores the padding of a style sheet there."""
    box.lineEdit().setTextMargins(INDENT, 0, 0, 0)
    return box


def decimals_of(value: float, least: int) -> int:
    """The decimals that a field with arrows needs so as not to change a value by more than the last of DIGITS digits:
    it rounds what it is given to its decimals."""
    if value == 0 or not math.isfinite(value):
        return least
    return min(max(least, DIGITS - 1 - math.floor(math.log10(abs(value)))), MOST_DECIMALS)
