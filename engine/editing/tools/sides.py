"""Names of the left and the right side, in the styles that models use. The rule for all that is mirrored.

    sides = NameSides.of(["left_leg", "left_knee", "toe"])
    sides.other("front_left_hip")         "front_right_hip"
    sides.other("toe")                    "toe": it names no side
    sides.suffix                          "_right", for names without a side; None where the names say no side, or both
    sides.in_comments(xml, names)         XML whose comments speak of the other side

A name is read as words: letters between other characters, and parts in camel case. A word is a side if it is left or
right, l or r, or says one of four or six legs: FL or LF, with the side second or first. Every side in a name becomes
the other one, so that the other side of the other side is the name itself, and two names never become one.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_GLUED = re.compile(r"(left|right)[a-z]{3,}|[a-z]{3,}(left|right)", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_IN_COMMENT = re.compile(r"[\w./-]*\w")


def _both(pairs: dict[str, str]) -> dict[str, str]:
    return {**pairs, **{right: left for left, right in pairs.items()}}


_WORDS = _both({"left": "right", "Left": "Right", "LEFT": "RIGHT"})
_LETTERS = _both({"l": "r", "L": "R"})
_OTHER = _WORDS | _LETTERS
_LEGS = {f"{place}L": f"{place}R" for place in "FHBM"} | {f"L{place}": f"R{place}" for place in "FHBM"}
_SECOND = _both({**_LEGS, "RL": "RR"})
_FIRST = _both({**_LEGS, "LR": "RR"})
"""Legs, where R is the rear and the side stands second, or first."""
_IN_LOWER_CASE = frozenset({"fl", "fr", "rl", "rr", "lr", "hl", "hr", "lf", "rf", "lh", "rh"})
_NO_SIDES = {"outright", "downright", "copyright", "forthright", "birthright", "playwright", "wheelwright"}
_NO_SIDES |= {"leftover", "leftovers", "rightful", "righteous"}
_SUFFIXES = {"left": "_{}", "Left": "{}", "LEFT": "_{}", "l": "_{}", "L": "_{}"}
"""A left side, as it is written -> what is appended to names without one, in the same style."""


@dataclass(frozen=True)
class NameSides:
    """How the names of a limb say its side.

    legs    word for one of several legs -> the one on the other side
    suffix  what is appended to names that do not say it; None where the limb is not on one side
    """

    legs: dict[str, str]
    suffix: str | None

    @classmethod
    def of(cls, names: Iterable[str], others: Iterable[str] = ()) -> NameSides:
        """The style of the names of a limb; `others`: of the rest of the model."""
        names = list(names)
        words = {match[0].upper() for name in (*names, *others) for match in _WORD.finditer(name)}
        first = bool(words & {"LF", "RF", "LH", "RH"}) and not words & {"FL", "FR", "HL", "HR"}
        legs = _FIRST if first else _SECOND
        found = [list(_sides(name, legs)) for name in names]
        root = found[0] if found else []
        # A word counts before a letter, which may mean something else.
        for among in (root, [side for side in itertools.chain(*found) if side.is_word], list(itertools.chain(*found))):
            forms = Counter(side.form for side in among)
            if len({form.lower() in ("left", "l") for form in forms}) == 1:
                form = forms.most_common(1)[0][0]
                other = _OTHER[form]
                return cls(legs, _SUFFIXES.get(form, _SUFFIXES.get(other, "")).format(other))
            if forms and among is not root:
                break
        return cls(legs, None)

    def other(self, name: str) -> str:
        """The name on the other side; the name itself if it has no side."""
        for start, end, form, _ in reversed(list(_sides(name, self.legs))):
            name = name[:start] + _OTHER[form] + name[end:]
        return name

    def in_comments(self, xml: str, names: Mapping[str, str]) -> str:
        """XML whose comments speak of the other side. `names`: those that become others."""
        return _COMMENT.sub(lambda comment: _IN_COMMENT.sub(lambda found: self._word(found[0], names), comment[0]), xml)

    def _word(self, word: str, names: Mapping[str, str]) -> str:
        """A word of a comment. One of letters only may be no name, although something is called so: "the left leg". A
        letter alone is seldom a side: "l = 0.3"."""
        if word in names and not word.isalpha():
            return names[word]
        return word if len(word) == 1 else self.other(word)


class _Side(NamedTuple):
    """One side in a name: from `start` to `end`, as it is written. `is_word`: not a single letter that may mean
    something else."""

    start: int
    end: int
    form: str
    is_word: bool


def _sides(name: str, legs: dict[str, str]) -> Iterator[_Side]:
    for match in _WORD.finditer(name):
        word, start, end = match[0], match.start(), match.end()
        if any(c.isalpha() and not c.isascii() for c in (name[max(start - 1, 0) : start], name[end : end + 1])):
            continue  # a part of a word with other letters
        if word in _OTHER:
            yield _Side(start, end, word, len(word) > 1)
        elif word.upper() in legs and (word.isupper() or word in _IN_LOWER_CASE):
            # The letter that differs from that of the other leg.
            at = start + (word.upper()[0] == legs[word.upper()][0])
            yield _Side(at, at + 1, name[at], True)
        elif (glued := _GLUED.fullmatch(word)) is not None and word[1:].islower():
            here, there = glued.span(1 if glued[1] else 2)
            side = word[here:there]
            other = word[:here] + _WORDS[side] + word[there:] if side in _WORDS else word
            if other != word and not {word.lower(), other.lower()} & _NO_SIDES:
                yield _Side(start + here, start + there, side, True)
