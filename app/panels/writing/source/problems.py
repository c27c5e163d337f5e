"""Findings about one file, as stretches of its present text."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.document.edit import Edit, moved
from kinetree.engine.document.source import Source

SYNTAX = "xml-"
"""The codes of the parser's findings begin so."""

GRAVITY = {Severity.INFO: 0, Severity.WARNING: 1, Severity.ERROR: 2}


class TextProblem(NamedTuple):
    """A finding about [start, end)."""

    start: int
    end: int
    severity: Severity
    message: str
    code: str
    facts: tuple[str, ...] = ()


class TextProblems:
    """The findings of the last compiled version, moved along with the edits since, and the parser's present findings
    about the XML.
    """

    def __init__(self) -> None:
        self._compiled: list[Diagnostic] = []
        self._starts = np.empty(0, np.int64)
        self._ends = np.empty(0, np.int64)
        self._syntax: list[TextProblem] = []
        self._all: list[TextProblem] | None = None
        self._begins: list[int] = []
        self._longest = 0

    def take(self, found: Iterable[Diagnostic], source: Source) -> None:
        """Set the findings about the present text, whose source is given."""
        self._compiled = list(found)
        places = [_stretch(item, source) for item in self._compiled]
        self._starts = np.array([start for start, _ in places], np.int64)
        self._ends = np.array([end for _, end in places], np.int64)
        self._syntax = []
        self._all = None

    def follow(self, edits: Sequence[Edit], syntax: Iterable[Diagnostic], source: Source) -> bool:
        """Move the findings along with an edit; `syntax` are the XML errors of the new text, which replace those of the
        last compiled version. Returns whether any finding is new or gone.
        """
        self._starts, self._ends = moved([self._starts, self._ends], edits)
        now = [_problem(item, *_stretch(item, source)) for item in syntax]
        old = [item[2:] for item in self._syntax]
        kept = [i for i, item in enumerate(self._compiled) if not item.code.startswith(SYNTAX)]
        dropped = len(kept) < len(self._compiled)
        if dropped:
            self._compiled = [self._compiled[i] for i in kept]
            self._starts, self._ends = self._starts[kept], self._ends[kept]
        self._syntax, self._all = now, None
        return dropped or old != [item[2:] for item in now]

    @property
    def all(self) -> list[TextProblem]:
        """All findings in the order of the text."""
        if self._all is None:
            found = [
                _problem(item, int(start), int(end))
                for item, start, end in zip(self._compiled, self._starts, self._ends)
            ]
            self._all = sorted([*found, *self._syntax])
            self._begins = [item.start for item in self._all]
            self._longest = max((item.end - item.start for item in self._all), default=0)
        return self._all

    def between(self, start: int, end: int) -> list[TextProblem]:
        """The findings that touch a stretch of the text; the gravest last."""
        every = self.all
        result = []
        for i in range(bisect_left(self._begins, start - self._longest), len(every)):
            item = every[i]
            if item.start > end:
                break
            if item.end > start or item.start >= start:
                result.append(item)
        return sorted(result, key=lambda item: GRAVITY[item.severity])


def _problem(item: Diagnostic, start: int, end: int) -> TextProblem:
    return TextProblem(start, end, item.severity, item.message, item.code, item.facts)


def _stretch(item: Diagnostic, source: Source) -> tuple[int, int]:
    start = source.offset(item.line, item.column)
    if item.end_line:
        return start, max(source.offset(item.end_line, item.end_column), start)
    return start, start
