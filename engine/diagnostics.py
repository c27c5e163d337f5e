"""Diagnostics: what is wrong with a model, where in its text, and what to do about it.

A `Diagnostic` is one finding. `Diagnostics` collects findings; whatever knows its place in a text (a node, an
attribute, a span, a source: anything with a `.location`) can be named as the place of one. `ModelError` carries
the findings that stopped a model from being read.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Severity(str, Enum):
    """How grave a diagnostic is. An ERROR keeps the model from compiling, the others do not."""

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
    """Anything that knows its place in a text: Span, Node, Attribute, Source."""

    @property
    def location(self) -> _Span: ...


@dataclass(frozen=True)
class Diagnostic:
    """One finding about a model's text.

    Lines and columns are 1-based and count characters (a tab is one). The end is exclusive: `end_column` is the
    column after the last character; both ends are 0 where the extent is unknown. A finding about a file as a
    whole stands at line 1, column 1. `code` is stable and made for programs; `message` says what is wrong and
    what to do.
    """

    severity: Severity
    code: str
    message: str
    file: str
    line: int = 1
    column: int = 1
    end_line: int = 0
    end_column: int = 0

    def __str__(self) -> str:
        text = f"{self.file}:{self.line}:{self.column}: {self.severity.value}: {self.message} [{self.code}]"
        return _printable(text)


class Diagnostics:
    """A collector of diagnostics, in the order in which they were found."""

    __slots__ = ("items",)

    def __init__(self, items: Iterable[Diagnostic] = ()) -> None:
        self.items: list[Diagnostic] = list(items)

    def error(self, where: Located | str, code: str, message: str) -> Diagnostic:
        """Add an error at `where`: a node, attribute, span or source, or the path of a file as a whole."""
        return self.add(Severity.ERROR, where, code, message)

    def warning(self, where: Located | str, code: str, message: str) -> Diagnostic:
        """Add a warning at `where`."""
        return self.add(Severity.WARNING, where, code, message)

    def info(self, where: Located | str, code: str, message: str) -> Diagnostic:
        """Add a remark at `where`."""
        return self.add(Severity.INFO, where, code, message)

    def add(self, severity: Severity, where: Located | str, code: str, message: str) -> Diagnostic:
        """Add a diagnostic of any severity and return it."""
        if isinstance(where, str):
            diagnostic = Diagnostic(severity, code, _printable(message), where)
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
            )
        self.items.append(diagnostic)
        return diagnostic

    def extend(self, items: Iterable[Diagnostic]) -> None:
        """Add diagnostics that were found elsewhere (another collector, or a ModelError's list)."""
        self.items.extend(items)

    @property
    def has_errors(self) -> bool:
        """Whether any item is an error."""
        return any(item.severity is Severity.ERROR for item in self.items)

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
    """A model cannot be read. `.diagnostics` lists everything found, errors and the rest; str() is a line each,
    errors first."""

    def __init__(self, diagnostics: Iterable[Diagnostic] | Diagnostic) -> None:
        items = [diagnostics] if isinstance(diagnostics, Diagnostic) else list(diagnostics)
        self.diagnostics: list[Diagnostic] = items
        super().__init__(items)

    def __str__(self) -> str:
        errors = [item for item in self.diagnostics if item.severity is Severity.ERROR]
        rest = [item for item in self.diagnostics if item.severity is not Severity.ERROR]
        return "\n".join(str(item) for item in errors + rest) or "the model cannot be read"


class CannotSave(ValueError):
    """A model that cannot be written in this way; str() says what to do."""


_BREAKS = str.maketrans("\n\r\t", "   ")


def _printable(text: str) -> str:
    """`text` on one line, with lone surrogates (bytes that are not valid in their encoding) as escapes."""
    text = text.translate(_BREAKS)
    if text.isascii():
        return text
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
