"""Number fields with arrows."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtWidgets import QAbstractSpinBox

INDENT = 5  # of the text, pixels, as in other fields

Box = TypeVar("Box", bound=QAbstractSpinBox)


def indented(box: Box) -> Box:
    """The same field; its text does not begin at its edge. Qt ignores the padding of a style sheet there."""
    box.lineEdit().setTextMargins(INDENT, 0, 0, 0)
    return box
