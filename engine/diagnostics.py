"""Diagnostics: what is wrong with a model, where in its text, and what to do about it.

A `Diagnostic` is one finding. `Diagnostics` collects findings. Their place is anything with a `.location`: a node, an
attribute, a span or a source. `ModelError` carries the findings that stopped a model from being read.

A text can hold any number of mistakes of one kind (severity and code). A collector keeps the first KEPT of each kind
and counts the rest (`Diagnostic.more`); `shown` reduces these to a list that people can read.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol

from kinetree.engine.translation import tr

KEPT = 200
"""Most findings of one kind that a collector keeps."""
SHOWN, SHOWN_IN_ALL = 100, 1000
"""Most findings that are shown: of one kind, and of all kinds together."""

_kept: ContextVar[int] = ContextVar("kept", default=KEPT)


class Severity(str, Enum):
    """Severity of a diagnostic. An ERROR keeps the model from compiling, the others do not."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"

    def __str__(self) -> str:
        return self.value


class _Span(Protocol):
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...
    @property
    def end_line(self) -> int: ...
    @property
    def end_column(self) -> int: ...


class Located(Protocol):
    """Anything with a place in a text: Span, Node, Attribute, Source."""

    @property
    def location(self) -> _Span: ...


@dataclass(frozen=True)
class Diagnostic:
    """One finding about a model's text.

    Lines and columns are 1-based and count characters (a tab is one). The end is exclusive: `end_column` is the
    column after the last character; both ends are 0 where the extent is unknown. A finding about a file as a
    whole stands at line 1, column 1. `code` is stable, for programs to match; `message` names the problem and the
    remedy. `more` counts the findings of the same kind that were left out, on the last one of the kind. `facts` are
    what a quick fix has to know beside the place, such as the name that was probably meant (engine/editing/fixes).

    Source: Kinetree's own; docs/checks.md lists the codes.

    Example:
        try:
            kinetree.load_string("<mujoco><worldbody><geom size='-1'/></worldbody></mujoco>")
        except kinetree.ModelError as error:
            found: kinetree.Diagnostic = error.diagnostics[0]
            assert found.line == 1 and found.code
    """

    severity: Severity
    code: str
    message: str
    file: str
    line: int = 1
    column: int = 1
    end_line: int = 0
    end_column: int = 0
    more: int = 0
    facts: tuple[str, ...] = ()

    def __str__(self) -> str:
        text = f"{self.file}:{self.line}:{self.column}: {self.severity.value}: {self.text} [{self.code}]"
        return _printable(text)

    @property
    def kind(self) -> tuple[Severity, str]:
        return self.severity, self.code

    @property
    def text(self) -> str:
        """The message, with the number of findings that were left out."""
        if not self.more:
            return self.message
        return tr("{message} (and {rest} more of this kind)", message=self.message, rest=self.more)


REMOVE = ""
"""In place of the word that was meant: the one that is written is to be removed."""


def meant(written: str, guess: str | None) -> tuple[str, ...]:
    """The facts of a finding about a word that means nothing: the word, and the one that was probably meant."""
    return (written, guess) if guess is not None else ()


def limited(items: list[Diagnostic], most: int) -> list[Diagnostic]:
    """The first `most` findings of each kind in reading order, in the order of `items`; the last one of a kind carries
    the number of those left out.
    """
    kinds: dict[tuple[Severity, str], list[int]] = {}
    for number, item in enumerate(items):
        kinds.setdefault(item.kind, []).append(number)
    if all(len(numbers) <= most for numbers in kinds.values()):
        return items
    files: dict[str, int] = {}
    for item in items:
        files.setdefault(item.file, len(files))

    def place(number: int) -> tuple[int, int, int]:
        item = items[number]
        return files[item.file], item.line, item.column

    kept: dict[int, Diagnostic] = {}
    for numbers in kinds.values():
        first = sorted(sorted(numbers, key=place)[:most])
        kept.update((number, items[number]) for number in first)
        if len(first) < len(numbers):
            more = len(numbers) - len(first) + sum(items[number].more for number in numbers)
            kept.update((number, replace(items[number], more=0)) for number in first if items[number].more)
            kept[first[-1]] = replace(items[first[-1]], more=more)
    return [kept[number] for number in sorted(kept)]


def shown(items: Iterable[Diagnostic], most: int = SHOWN, in_all: int = SHOWN_IN_ALL) -> list[Diagnostic]:
    """The findings to show from a list: at most `most` of a kind, fewer where there are many kinds. The message of the
    last finding of a kind says how many were left out.
    """
    items = list(items)
    kinds = len({item.kind for item in items})
    left = limited(items, max(min(most, in_all // max(kinds, 1)), 1))
    return [replace(item, message=item.text, more=0) if item.more else item for item in left]


@contextmanager
def all_kept() -> Iterator[None]:
    """Collectors that are created inside the block keep all findings."""
    token = _kept.set(sys.maxsize)
    try:
        yield
    finally:
        _kept.reset(token)


def are_all_kept() -> bool:
    """Whether this runs inside `all_kept`."""
    return _kept.get() == sys.maxsize


class Diagnostics:
    """Collects diagnostics in the order in which they are found. Keeps the first of each kind in reading order, and
    counts the others.
    """

    __slots__ = ("_is_over", "_items", "_most", "_number")

    def __init__(self, items: Iterable[Diagnostic] = ()) -> None:
        self._most = _kept.get()
        self._items: list[Diagnostic] = []
        self._number: dict[tuple[Severity, str], int] = {}  # of each kind in _items
        self._is_over = False  # whether there are more of a kind in _items than are kept
        self.extend(items)

    @property
    def items(self) -> list[Diagnostic]:
        """The findings. The caller must not change the list."""
        if self._is_over:
            self._limit()
        return self._items

    def _limit(self) -> None:
        self._items = limited(self._items, self._most)
        self._number = dict.fromkeys(self._number, 0)
        for item in self._items:
            self._number[item.kind] += 1
        self._is_over = False

    def _take(self, item: Diagnostic) -> None:
        self._items.append(item)
        number = self._number[item.kind] = self._number.get(item.kind, 0) + 1
        self._is_over |= number > self._most
        if number >= 2 * self._most:
            self._limit()

    def error(self, where: Located | str, code: str, message: str, facts: Iterable[str] = ()) -> Diagnostic:
        """Add an error at `where`: a node, attribute, span or source, or the path of a file as a whole."""
        return self.add(Severity.ERROR, where, code, message, facts)

    def warning(self, where: Located | str, code: str, message: str, facts: Iterable[str] = ()) -> Diagnostic:
        """Add a warning at `where`."""
        return self.add(Severity.WARNING, where, code, message, facts)

    def info(self, where: Located | str, code: str, message: str, facts: Iterable[str] = ()) -> Diagnostic:
        """Add a remark at `where`."""
        return self.add(Severity.INFO, where, code, message, facts)

    def add(
        self, severity: Severity, where: Located | str, code: str, message: str, facts: Iterable[str] = ()
    ) -> Diagnostic:
        """Add a diagnostic of any severity and return it."""
        if isinstance(where, str):
            diagnostic = Diagnostic(severity, code, _printable(message), where, facts=tuple(facts))
        else:
            span = where.location
            diagnostic = Diagnostic(
                severity,
                code,
                _printable(message),
                span.file,
                span.line,
                span.column,
                span.end_line,
                span.end_column,
                facts=tuple(facts),
            )
        self._take(diagnostic)
        return diagnostic

    def extend(self, items: Iterable[Diagnostic]) -> None:
        """Add diagnostics that were found elsewhere (another collector, or a ModelError's list)."""
        for item in items:
            self._take(item)

    def has_enough(self, severity: Severity, code: str) -> bool:
        """Whether further findings of a kind are probably only counted, so that they need no costly message."""
        return self._number.get((severity, code), 0) >= self._most

    @property
    def has_errors(self) -> bool:
        """Whether any item is an error."""
        return any(severity is Severity.ERROR for severity, _ in self._number)

    @property
    def errors(self) -> list[Diagnostic]:
        """The errors alone."""
        return [item for item in self.items if item.severity is Severity.ERROR]

    @property
    def warnings(self) -> list[Diagnostic]:
        """The warnings alone."""
        return [item for item in self.items if item.severity is Severity.WARNING]

    def raise_if_errors(self) -> None:
        """Raise ModelError with everything collected if there is at least one error."""
        if self.has_errors:
            raise ModelError(self.items)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"Diagnostics({len(self.errors)} errors, {len(self.items)} in all)"


class ModelError(Exception):
    """A model cannot be read. `.diagnostics` lists all findings, errors and others (see Diagnostics). str() has one
    line for each finding that is shown, errors first.

    Source: Kinetree's own; docs/checks.md lists the codes.

    Example:
        try:
            kinetree.load_string("<mujoco><worldbody><nope/></worldbody></mujoco>")
        except kinetree.ModelError as error:
            print(error)
        else:
            raise AssertionError("it was read")
    """

    def __init__(self, diagnostics: Iterable[Diagnostic] | Diagnostic) -> None:
        items = [diagnostics] if isinstance(diagnostics, Diagnostic) else list(diagnostics)
        self.diagnostics: list[Diagnostic] = items
        super().__init__(items)

    def __str__(self) -> str:
        items = shown(self.diagnostics)
        errors = [item for item in items if item.severity is Severity.ERROR]
        rest = [item for item in items if item.severity is not Severity.ERROR]
        return "\n".join(str(item) for item in errors + rest) or "the model cannot be read"


class CannotSave(ValueError):
    """A model cannot be written in this way; str() says what to do.

    Source: Kinetree's own.

    Example:
        try:
            kinetree.save(kinetree.load("arm.xml"), "arm.mjb")
        except kinetree.CannotSave as error:
            assert ".kmodel" in str(error)
        else:
            raise AssertionError("it was written")
    """


_BREAKS = str.maketrans("\n\r\t", "   ")


def _printable(text: str) -> str:
    """`text` on one line, with lone surrogates (bytes that are not valid in their encoding) as escapes."""
    text = text.translate(_BREAKS)
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
