"""Numbers as the author of a text writes them.

    style = style_at(node, "pos")                        the author's habits in that attribute and around it
    number(0.30000000000000004, style)                   "0.3"
    numbers((0.1, 0.25, 1), "0.1  0 1", style, 0.001)   "0.1  0.25 1": separators stay

A number gets as many digits after the point as the author gives the attribute, and more only where the gesture
is more precise. Whole numbers stay whole numbers, and there is an exponent only where the author writes one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Node

EXACT = 15
"""Significant digits of a number that no gesture rounds."""
AROUND = 3000
"""Characters before and after an element that show how its author writes numbers."""
SMALL, LARGE = 1e-3, 1e6
"""Numbers between these have no exponent, also where the author writes exponents."""

_WORD = re.compile(r"\S+")
_NUMBER = re.compile(r"[-+]?(?:\d+(\.\d*)?|(\.\d+))(?:([eE])([-+]?)(\d+))?")
_VALUES = re.compile(r"[\"'\s]([-+]?(?:\d+\.\d*|\.\d+)(?:[eE][-+]?\d+)?)(?=[\"'\s])")


class Style(NamedTuple):
    """How someone writes numbers.

    decimals  most digits after the point
    fixed     digits after the point that every number has, as in "0.50 1.00"
    bare      there is no zero before the point, as in ".5"
    exponent  "e" or "E" where exponents are written, else ""
    width     digits that an exponent has at least
    """

    decimals: int = 0
    fixed: int = 0
    bare: bool = False
    exponent: str = ""
    width: int = 1


PLAIN = Style()


def style(text: str, around: str = "") -> Style:
    """The style of the numbers in a text. What it does not show (zeros before the point, exponents) is taken
    from the numbers of the text `around` it."""
    found = [match for match in map(_NUMBER.fullmatch, text.split()) if match is not None]
    points = [len(match[1] or match[2]) - 1 for match in found if match[1] or match[2]]
    fixed = min(points) if points and len(points) == len(found) else 0
    if fixed and not any(match[0].endswith("0") for match in found if not match[3]):
        fixed = 0
    powers = [match for match in found if match[3]]
    shown = [match[0] for match in found if (match[1] or match[2]) and abs(float(match[0])) < 1]
    if not shown:
        shown = [word for word in _VALUES.findall(around) if abs(float(word)) < 1]
    bare = sum(word.lstrip("+-").startswith(".") for word in shown)
    return Style(
        max(points, default=0),
        fixed,
        2 * bare > len(shown),
        powers[0][3] if powers else "",
        min((len(match[5]) for match in powers), default=1),
    )


def style_at(node: Node, name: str) -> Style:
    """The style of one attribute of an element; of one that is not there, that of the text around it."""
    text = node.source.text
    written = node.get(name)
    return style(written or "", text[max(0, node.start - AROUND) : node.start + AROUND])


def decimals(precision: float) -> int:
    """Digits after the point that a number with this precision has: 3 for 0.001, 2 for 0.25."""
    if not 0 < precision < math.inf:
        return 0
    exponent = Decimal(f"{precision:.2g}").normalize().as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def number(value: float, style: Style = PLAIN, precision: float | None = None) -> str:
    """A number as text, rounded to the digits of the style or of the precision, whichever are more; with all
    its digits if there is no precision."""
    if precision is None:
        exact = Decimal(f"{value:.{EXACT}g}")
        exponent = exact.normalize().as_tuple().exponent
        digits = max(style.decimals, -exponent if isinstance(exponent, int) else 0, 0)
    else:
        digits = max(style.decimals, decimals(precision))
    if style.exponent and value and not SMALL <= abs(value) < LARGE:
        return _with_exponent(value, style, precision)
    text = f"{value:.{digits}f}"
    whole, _, part = text.partition(".")
    part = part.rstrip("0").ljust(style.fixed, "0")
    text = f"{whole}.{part}" if part else whole
    if not text.strip("-0."):
        text = text.lstrip("-")
    if style.bare and part:
        text = re.sub(r"^(-?)0\.", r"\1.", text)
    return text


def _with_exponent(value: float, style: Style, precision: float | None) -> str:
    first = math.floor(math.log10(abs(value)))
    digits = EXACT - 1 if precision is None else max(style.decimals, first + decimals(precision), 0)
    mantissa, _, power = f"{value:.{min(digits, EXACT - 1)}e}".partition("e")
    if "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    return f"{mantissa}{style.exponent}{'-' if int(power) < 0 else ''}{str(abs(int(power))).zfill(style.width)}"


def numbers(
    values: Sequence[float],
    written: str = "",
    style: Style = PLAIN,
    precision: float | Sequence[float | None] | None = None,
) -> str:
    """Several numbers as text in place of `written`: its separators stay, and so do numbers that are the same
    when both are rounded. `precision`: one for all, or one for each."""
    precisions = precision if isinstance(precision, Sequence) else [precision] * len(values)
    words = list(_WORD.finditer(written))
    result, end = "", 0
    for i, (value, fine) in enumerate(zip(values, precisions, strict=True)):
        new = number(value, style, fine)
        if i < len(words):
            old = words[i]
            same = _NUMBER.fullmatch(old[0]) and number(float(old[0]), style, fine) == new
            result += written[end : old.start()] + (old[0] if same else new)
            end = old.end()
        else:
            result += (" " if result.strip() else "") + new
    if len(words) <= len(values):
        result += written[end:]
    return result
