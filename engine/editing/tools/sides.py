"""Names of the left and the right side, in the styles that models use.

    sides = Sides.of(["left_leg", "left_knee", "toe"])      None unless all that name a side name the same one
    sides.other("left_leg")                                 "right_leg"
    sides.other("toe")                                      "toe": it names no side
    sides.suffix                                            "_right", for names without a side

The styles are tried in the order of STYLES; the one that most names have counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_WORDS = {"left": "right", "Left": "Right", "LEFT": "RIGHT"}
_LETTERS = {"l": "r", "L": "R"}
_BOTH = {**_WORDS, **_LETTERS}
_OTHER = {**_BOTH, **{right: left for left, right in _BOTH.items()}}
_LEFT = frozenset(_BOTH)

#: (pattern, what is appended to names without a side, if the other side is right and if it is left). The group "side"
#: is what is replaced.
STYLES: tuple[tuple[re.Pattern[str], str, str], ...] = (
    (re.compile(r"(?P<side>left|right)"), "_right", "_left"),
    (re.compile(r"(?P<side>Left|Right)"), "Right", "Left"),
    (re.compile(r"(?P<side>LEFT|RIGHT)"), "_RIGHT", "_LEFT"),
    (re.compile(r"(?:^|(?<=[^A-Za-z]))(?P<side>[lr])(?=[^A-Za-z]|$)"), "_r", "_l"),
    (re.compile(r"(?:^|(?<=[^A-Za-z]))(?P<side>[LR])(?=[^A-Za-z]|$)"), "_R", "_L"),
    (re.compile(r"(?:^|(?<=[^A-Za-z]))[FRHBM](?P<side>[LR])(?=[^A-Za-z]|$)"), "_R", "_L"),  # FL and RR: of four legs
    (re.compile(r"(?:^|(?<=[^A-Za-z]))(?P<side>[LR])[FHBM](?=[^A-Za-z]|$)"), "_R", "_L"),  # LF and RH
    (re.compile(r"^(?P<side>[LR])(?=[A-Z][a-z])"), "_R", "_L"),  # LThigh
)


@dataclass(frozen=True)
class Sides:
    """How the names of a limb say its side.

    pattern  of the side in a name
    suffix   what is appended to names that do not say it
    """

    pattern: re.Pattern[str]
    suffix: str

    @classmethod
    def of(cls, names: Iterable[str]) -> Sides | None:
        """The style of names; None where they name no side, or both."""
        names = list(names)
        found = []
        for order, (pattern, right, left) in enumerate(STYLES):
            sides = [match["side"] in _LEFT for name in names for match in pattern.finditer(name)]
            if sides and len(set(sides)) == 1:
                found.append((-len(sides), order, cls(pattern, right if sides[0] else left)))
        return min(found)[2] if found else None

    def other(self, name: str) -> str:
        """The name on the other side; the name itself if it has no side."""

        def replaced(match: re.Match[str]) -> str:
            start, end = match.start("side") - match.start(), match.end("side") - match.start()
            return match[0][:start] + _OTHER[match["side"]] + match[0][end:]

        return self.pattern.sub(replaced, name)
