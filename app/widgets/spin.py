"""Number fields with arrows. The wheel changes one only while it has the focus."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox, QWidget

from kinetree.app.widgets.boxes import may_scroll

DIGITS = 6
"""Significant digits of a value in a field with arrows."""
MOST_DECIMALS = 15
INDENT = 5  # of the text, pixels, as in other fields


class SpinBox(QSpinBox):
    """A whole number. Its steps follow its size."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        _set_up(self)
        self.setStepType(QSpinBox.StepType.AdaptiveDecimalStepType)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if may_scroll(self, event):
            super().wheelEvent(event)


class DoubleSpinBox(QDoubleSpinBox):
    """A real number. Its steps follow its size, unless a size is given."""

    def __init__(self, parent: QWidget | None = None, *, step: float | None = None):
        super().__init__(parent)
        _set_up(self)
        if step is None:
            self.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
        else:
            self.setSingleStep(step)

    def wheelEvent(self, event: QWheelEvent) -> None:
        if may_scroll(self, event):
            super().wheelEvent(event)


def decimals_of(value: float, least: int) -> int:
    """The decimals that a field with arrows needs so as not to change a value by more than the last of DIGITS digits:
    it rounds what it is given to its decimals."""
    if value == 0 or not math.isfinite(value):
        return least
    return min(max(least, DIGITS - 1 - math.floor(math.log10(abs(value)))), MOST_DECIMALS)


def _set_up(box: QAbstractSpinBox) -> None:
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)  # Qt's own also takes the focus by the wheel
    box.lineEdit().setTextMargins(INDENT, 0, 0, 0)  # Qt ignores the padding of a style sheet there
