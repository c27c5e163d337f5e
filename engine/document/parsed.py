"""ParsedSource: one text with its tree and the diagnostics of its XML; fixed, and shared between documents."""

from __future__ import annotations

from collections.abc import Iterable

from engine.diagnostics import Diagnostic, Diagnostics
from engine.document.edit import Edit, apply
from engine.document.source import Source
from engine.document.tree import Node, parse


class ParsedSource:
    """One text, parsed.

    source       the text
    root         Node: its root element; a node with an empty tag if it has none
    diagnostics  what is wrong with its encoding and its XML, in the order of discovery
    """

    __slots__ = ("diagnostics", "root", "source")

    def __init__(self, source: Source, root: Node, diagnostics: list[Diagnostic]) -> None:
        self.source = source
        self.root = root
        self.diagnostics = diagnostics

    @classmethod
    def parse(cls, source: Source, found: Diagnostics | None = None) -> ParsedSource:
        """The parse of a text. `found` may hold what decoding it gave; the parser's findings are added."""
        found = Diagnostics() if found is None else found
        root = parse(source, found)
        return cls(source, root, found.items)

    def edited(self, edits: Iterable[Edit]) -> ParsedSource:
        """The parse of the text after some edits. Raises ValueError (see `edit.ordered`)."""
        return ParsedSource.parse(self.source.with_text(apply(self.source.text, edits)))
