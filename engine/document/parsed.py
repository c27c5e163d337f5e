"""ParsedSource: one text with its tree and the diagnostics of its XML; fixed, and shared between documents."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.diagnostics import Diagnostic, Diagnostics
from engine.document.edit import Edit, apply, carried, ordered
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
        return self.with_edits(edits, {})[0]

    def with_edits(
        self, edits: Iterable[Edit], identities: Mapping[int, int]
    ) -> tuple[ParsedSource, dict[int, int], dict[int, int]]:
        """The parse of the text after some edits, with what became of the elements: (parsed, vanished, appeared).

        identities  ids of elements that come back, by offset in the new text
        vanished    ids of the elements that are no more, by offset in the old text
        appeared    ids of the elements that are new or came back, by offset in the new text

        Raises ValueError (see `edit.ordered`).
        """
        edits = ordered(edits, len(self.source.text))
        after = ParsedSource.parse(self.source.with_text(apply(self.source.text, edits)))
        kept, vanished = {}, {}
        for node in self.root.iter():
            offset = carried(node.start, edits)
            if offset is None:
                vanished[node.start] = node.id
            else:
                kept[offset] = node.id
        appeared = {}
        for node in after.root.iter():
            if node.start in kept:
                node.id = kept.pop(node.start)
            else:
                node.id = identities.get(node.start, node.id)
                appeared[node.start] = node.id
        return after, vanished, appeared
