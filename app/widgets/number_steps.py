"""How far a number goes with one pixel of a drag: in proportion to the number.

step_of(0.435)                0.005: about 1 % of the number, as 1, 2 or 5 of a decimal place
moved(0.435, 0.015, 0.005)    0.45: the offset is counted from where the drag began, not on a grid
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal

FINE, COARSE = 0.1, 10.0
"""Factors of Shift and Ctrl."""
PART = 0.01
"""Part of a number, or of its range, for one pixel."""
FROM_ZERO = 0.01
"""Change for one pixel from zero, where nothing else says how large the number may be."""
DEGREES_FROM_ZERO = 0.5
PIXELS = 10
"""Pixels that one turn of the wheel, or one arrow key, is worth."""
GROWTH = 10.0
"""So many times the size that a step was made for, and a row of steps goes on with larger ones."""
LEAST_SIZE = 1e-100
WHOLE = 0.125
"""Change of a small whole number for one pixel."""


def step_of(
    value: float,
    low: float | None = None,
    high: float | None = None,
    around: Iterable[float] = (),
    from_zero: float = FROM_ZERO,
) -> float:
    """The change for one pixel: PART of the number, and not more than PART of its range. A zero takes the size of the
    largest of the numbers around it, such as the other coordinates of a place."""
    size = abs(value)
    if not LEAST_SIZE < size < math.inf:
        size = max((abs(each) for each in around if math.isfinite(each)), default=0.0)
    step = PART * size if size > LEAST_SIZE else from_zero
    if low is not None and high is not None and high > low:
        step = min(step, PART * (high - low))
    return _short(step)


def whole_step_of(value: float) -> float:
    """The change of a whole number for one pixel."""
    return max(WHOLE, _short(PART * abs(value))) if value else WHOLE


def outgrown(value: float, step: float) -> bool:
    """Whether a number has become too large for a step that was made for a smaller one."""
    return abs(value) >= GROWTH * step / PART


def moved(start: float, offset: float, step: float, whole: bool = False) -> float:
    """The number at an offset from the start. It has the digits of the start, up to one more than the finest step."""
    if whole:
        return float(round(start + offset))
    grain = Decimal(repr(step)) * Decimal(repr(FINE))
    count = round(offset / (step * FINE))
    if count == 0:
        return start
    finest = Decimal(1).scaleb(min(grain.adjusted() - 1, 0))
    first = Decimal(repr(start))
    exponent = first.as_tuple().exponent
    if isinstance(exponent, int) and exponent < finest.adjusted():
        first = round(first / finest) * finest
    return float(first + count * grain) + 0.0


def _short(step: float) -> float:
    """The nearest of 1, 2 and 5 times a power of ten, in proportion."""
    exponent = math.floor(math.log10(step))
    first = step / 10.0**exponent
    digit = min((1, 2, 5, 10), key=lambda each: abs(math.log(each / first)))
    return float(f"{digit}e{exponent}")
