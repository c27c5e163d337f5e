"""ParsedSource: one text with its tree and the diagnostics of its XML; fixed, and shared between documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from engine.diagnostics import Diagnostic, Diagnostics
from engine.document.edit import Edit, apply, carried, ordered
from engine.document.parser import parse_text
from engine.document.source import Source
from engine.document.subtree import Subtree, Syntax
from engine.document.tree import Node, diagnose, root_node


class ParsedSource:
    """One text, parsed.

    source       the text
    root         Node: its root element; a node with an empty tag if it has none
    diagnostics  what is wrong with its encoding and its XML, in the order of discovery
    """

    __slots__ = ("_decoding", "_diagnostics", "_parents", "root", "source", "syntax")

    def __init__(self, source: Source, syntax: Syntax, decoding: Iterable[Diagnostic] = ()) -> None:
        self.source = source
        self.syntax = syntax
        self.root = root_node(syntax.root, source)
        self._decoding = tuple(decoding)
        self._diagnostics: list[Diagnostic] | None = None
        self._parents: dict[int, int] | None = None

    @classmethod
    def parse(cls, source: Source, decoding: Iterable[Diagnostic] = ()) -> ParsedSource:
        """The parse of a text. `decoding`: what was found when its bytes were decoded."""
        return cls(source, parse_text(source.text), decoding)

    @property
    def diagnostics(self) -> list[Diagnostic]:
        if self._diagnostics is None:
            found = Diagnostics(self._decoding)
            diagnose(self.syntax.reports, self.source, found)
            self._diagnostics = found.items
        return self._diagnostics

    # Elements

    def node(self, identity: int) -> Node | None:
        """The element of that `id`; None if there is none."""
        parents = self._parents
        if parents is None:
            root = self.syntax.root
            items = () if root is None else root.walk(0)
            self._parents = parents = {subtree.id: parent for subtree, _, parent in items}
        if identity not in parents:
            return None
        path = [identity]
        while parents[path[-1]]:
            path.append(parents[path[-1]])
        node = self.root
        for identity in reversed(path[:-1]):
            ids = [child.id for child in node.subtree.children]
            node = node.child(ids.index(identity))
        return node

    def includes(self) -> Iterator[Node]:
        """The <include> elements inside the root element, in the order of the text."""
        stack = [self.root]
        while stack:
            node = stack.pop()
            if node.tag == "include" and node is not self.root:
                yield node
            children = node.subtree.children
            stack += [node.child(i) for i in reversed(range(len(children))) if children[i].includes]

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
        source = self.source.with_text(apply(self.source.text, edits))
        syntax = parse_text(source.text)
        kept, vanished = {}, {}
        for subtree, start, _ in _walk(self.syntax):
            offset = carried(start, edits)
            if offset is None:
                vanished[start] = subtree.id
            else:
                kept[offset] = subtree.id
        appeared = {}
        for subtree, start, _ in _walk(syntax):
            if start in kept:
                subtree.id = kept.pop(start)
            else:
                subtree.id = identities.get(start, subtree.id)
                appeared[start] = subtree.id
        return ParsedSource(source, syntax), vanished, appeared


def _walk(syntax: Syntax) -> Iterator[tuple[Subtree, int, int]]:
    return iter(()) if syntax.root is None else syntax.root.walk(syntax.root.gap)
