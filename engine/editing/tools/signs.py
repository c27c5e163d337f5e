"""Numbers of a text with other signs, otherwise as the author writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence


def mirror_signs(axis: str) -> list[int]:
    """The signs of the coordinates of a vector that is mirrored across an axis."""
    return [-1 if each == axis else 1 for each in "xyz"]


def negated(word: str) -> str:
    """A number with the other sign; zero, and what is no number, stays."""
    try:
        zero = not float(word)
    except ValueError:
        return word
    if zero:
        return word
    return word[1:] if word.startswith("-") else f"-{word.removeprefix('+')}"


def flipped(text: str, signs: Sequence[int]) -> str:
    """A list of numbers, each with its own sign or the other one (-1); separators stay."""
    left = iter(signs)
    return re.sub(r"\S+", lambda match: negated(match[0]) if next(left, 1) < 0 else match[0], text)
