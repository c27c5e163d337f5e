"""Versions such as 1.2, 1.2.3rc1, 1.2.dev4 or 1.2.post1: the part of PEP 440 without epochs and local labels."""

from __future__ import annotations

import re
from functools import total_ordering

_FORM = re.compile(
    r"v?(\d{1,9}(?:\.\d{1,9}){0,5})(?:(a|b|rc)(\d{1,9}))?(?:\.post(\d{1,9}))?(?:\.dev(\d{1,9}))?(?:\+[a-z0-9.]+)?",
    re.IGNORECASE,
)
_STAGES = {"a": 1, "b": 2, "rc": 3}
_FINAL, _DEVELOPMENT = 4, 0


@total_ordering
class Version:
    """A version that can be compared. `text` is as it was written; `is_preview`: a development or candidate version."""

    def __init__(self, text: str, key: tuple, is_preview: bool):
        self.text, self.is_preview, self._key = text, is_preview, key

    @classmethod
    def of(cls, text: str) -> Version | None:
        """The version of a text; None for a text of another form."""
        found = _FORM.fullmatch(text.strip())
        if found is None:
            return None
        numbers = [int(each) for each in found[1].split(".")]
        while len(numbers) > 1 and numbers[-1] == 0:
            numbers.pop()
        stage, post, development = found[2], found[4], found[5]
        # 1.0.dev1 < 1.0a1 < 1.0 < 1.0.post1; 1.0a1.dev1 < 1.0a1
        kind = _STAGES[stage.lower()] if stage else _DEVELOPMENT if development and post is None else _FINAL
        key = (
            numbers,
            kind,
            int(found[3] or 0),
            -1 if post is None else int(post),
            development is None,
            int(development or 0),
        )
        return cls(text.strip(), key, stage is not None or development is not None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self._key == other._key

    def __lt__(self, other: Version) -> bool:
        return self._key < other._key

    def __hash__(self) -> int:
        return hash(repr(self._key))

    def __str__(self) -> str:
        return self.text
