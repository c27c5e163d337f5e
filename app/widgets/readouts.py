"""How the window writes numbers that it computes: lists, legends, axes, labels, the status bar. No toolkit.

A read-out has five significant digits, whatever the size of the number, so that all read-outs of a value agree. It is
never cut in front. Where there is no room for all of it, its end is left out and an ellipsis says so.

Numbers that the user wrote are shown as they are written: `NumbersField` and `TextField`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import SupportsFloat

DIGITS = 5
"""Significant digits of a read-out."""
RATE_DIGITS = 3
SMALLEST, LARGEST = 1e-3, 1e6
"""Numbers below or from here on are written with a power of ten."""
SPACE = "  "
"""Between the numbers of a row."""
ELLIPSIS = "…"
MOST_PLACES = 15
TIME_PLACES = 3
"""Decimals of a time, s, unless the time step is shorter."""


def number_text(value: float, digits: int = DIGITS) -> str:
    """A number with so many significant digits; large ones have all digits before the point and one behind it. Zeros at
    the end stay, so that a number that changes keeps its width."""
    if value == 0 or not math.isfinite(value):
        return "0" if value == 0 else str(value)
    text = f"{value:.{digits - 1}e}"
    if not SMALLEST <= abs(float(text)) < LARGEST:
        return text
    return f"{value:.{max(1, digits - 1 - int(text.partition('e')[2]))}f}"


def numbers_text(values: Sequence[float]) -> str:
    """Several numbers."""
    return SPACE.join(number_text(value) for value in values)


def beginning(value: float, places: int) -> str:
    """The beginning of a number, with so many decimals: what follows is cut off and not rounded. Digits before the
    point stay, and large numbers with a power of ten."""
    text = number_text(value)
    if "e" in text and abs(value) < SMALLEST:
        text = f"{value:.{MOST_PLACES}f}"
    whole, point, decimals = text.partition(".")
    if not point or "e" in decimals:
        return f"{whole}.{'0' * places}" if value == 0 and places else text
    places = max(0, min(places, len(decimals)) - (len(whole.lstrip("-")) - 1))
    return f"{whole}.{decimals[:places]}" if places else whole


def beginnings(values: Sequence[float], places: int) -> str:
    """The beginnings of several numbers; an ellipsis at the end says that there are more digits."""
    texts = [beginning(value, places) for value in values]
    is_whole = all(math.isnan(value) or float(text) == value for text, value in zip(texts, values, strict=True))
    return SPACE.join(texts) + ("" if is_whole else ELLIPSIS)


def time_text(seconds: SupportsFloat, step: SupportsFloat = 0.0) -> str:
    """A simulated time, in milliseconds, or as fine as a shorter time step."""
    places, step = TIME_PLACES, float(step)
    if 0 < step < 10.0**-TIME_PLACES:
        places = min(MOST_PLACES, math.ceil(-math.log10(step) - 1e-9))
    return f"{float(seconds):.{places}f} s"


def rate_text(rate: float | None) -> str:
    """Achieved speed, simulated time per real time: wherever it is shown, it is written alike. "" while unknown."""
    return f"{number_text(rate, RATE_DIGITS)}×" if rate is not None and math.isfinite(rate) else ""


def tick_texts(values: Sequence[float], spacing: float) -> list[str]:
    """The numbers at the ticks of an axis, which are multiples of a spacing: with as many digits as tell them apart,
    and each is the value itself. All of an axis have a power of ten, or none."""
    if not (spacing > 0 and math.isfinite(spacing)):
        return [number_text(value) for value in values]
    level = math.floor(math.log10(spacing) + 1e-9)
    fine = 10.0**level
    if abs(spacing / fine - round(spacing / fine)) > 1e-6:
        level -= 1  # a spacing such as 2.5
    values = [0.0 if abs(value) < 1e-6 * spacing else value for value in values]
    largest = max(map(abs, values), default=0.0)
    fixed = [f"{value:.{min(max(0, -level), MOST_PLACES)}f}" for value in values]
    if largest == 0 or (SMALLEST <= largest < LARGEST and -level <= MOST_PLACES):
        return fixed
    powers = [_with_power(value, level) for value in values]
    shorter = max(map(len, powers)) < max(map(len, fixed))
    return powers if shorter or -level > MOST_PLACES else fixed


def _with_power(value: float, level: int) -> str:
    """A number with a power of ten, down to the digit of 10**level."""
    if value == 0:
        return "0"
    return f"{value:.{max(0, math.floor(math.log10(abs(value))) - level)}e}"


def seconds_back(snapshot) -> float:
    """How much simulated time the shown state is before the newest one, s."""
    return snapshot.course.elapsed(snapshot.last) - snapshot.course.elapsed(snapshot.step)
