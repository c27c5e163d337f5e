"""Names for new elements and copies."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from kinetree.engine.assist.language import Language
from kinetree.engine.assist.names import Names

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document

MAKING = ("attach", "composite")
"""Tags of elements that make others, whose names begin with their attribute prefix."""
_NUMBER = re.compile(r"(.*?)(\d*)", re.DOTALL)  # a name may have line breaks
_PREFIX = re.compile(r"(.*?)(\d*)([_\W]*)", re.DOTALL)


class FreshNames:
    """Names that a document does not have yet; each is handed out once."""

    def __init__(self, names: Names, language: Language) -> None:
        self._taken: dict[str, set[str]] = defaultdict(set)
        self._full: dict[tuple[tuple[str, ...], str, int], tuple[int, int]] = {}  # ranges of numbers that are all taken
        self._made = [each for each in names.declarations if each.made is not None or each.parts]
        for declaration in names.declarations:
            self._taken[declaration.space].add(declaration.name)
        for space, implicit in (language.grammar.implicit or {}).items():
            self._taken[space].update(implicit)

    def take(self, space: str, name: str) -> str:
        """The name itself if it is free, else the next one: leg1 -> leg2, arm -> arm_2."""
        return self.take_in((space,), name)

    def take_in(self, spaces: Sequence[str], name: str) -> str:
        """As `take`: a name that is free in several namespaces."""
        match = _NUMBER.fullmatch(name)
        assert match is not None
        stem, digits = match[1], match[2]
        number, new = int(digits or 1), name
        if not digits:
            stem += "_"
        key = (tuple(spaces), stem, len(digits))
        first, last = self._full.get(key, (number, number))
        if digits and first <= number < last:
            number = last
            new = f"{stem}{number:0{len(digits)}d}"
        else:
            first = number
        while True:
            if any(self._is_made(space, new) for space in spaces):  # the next number may be that of a replica, too
                return self.take_in(spaces, f"{name}_copy")
            if not any(new in self._taken[space] for space in spaces):
                break
            number += 1
            new = f"{stem}{number:0{len(digits)}d}"
        for space in spaces:
            self._taken[space].add(new)
        self._full[key] = first, number
        return new

    def _is_made(self, space: str, name: str) -> bool:
        """Whether a replica or a part of an element gets a name."""
        return any(each.space == space and each.suffix(name) is not None for each in self._made)

    def take_prefix(self, document: Document, prefix: str) -> str:
        """Text before names that no element of the document puts there yet: arm_ -> arm2_."""
        used = self._taken["prefix"]
        used.update(node.get("prefix") or "" for tag in MAKING for node in document.merged.iter(tag))
        match = _PREFIX.fullmatch(prefix)
        assert match is not None
        stem, number, end, new = match[1], int(match[2] or 1), match[3], prefix
        while new in used:
            number += 1
            new = f"{stem}{number}{end}"
        used.add(new)
        return new
