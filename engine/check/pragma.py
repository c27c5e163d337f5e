"""Comments in a model that disable checks.

    <!-- kinetree: disable=overlap-at-rest,unused-asset -->

Inside an element, the comment applies to it and its children; outside the root element or directly in it, to the whole
model with its included files. "all" stands for every code.
`<custom><text name="kinetree:disable" data="overlap-at-rest unused-asset"/></custom>` also applies to the whole model;
it survives programs that drop comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from kinetree import engine
from kinetree.engine.diagnostics import Diagnostic, Severity

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Located
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

NAME = "kinetree:disable"
_COMMENT = re.compile(r"<!--\s*kinetree:\s*disable\s*=([^<>]*?)-->")
_WORD = re.compile(r"[\w-]+")


class Switches:
    """The checks that a document disables.

    everywhere   codes for the whole model
    inside       (file, first line and column, last line and column, codes) of one element each
    unknown      (place, word) of unknown codes
    """

    def __init__(self, document: Document, known: Iterable[str]):
        self.everywhere: set[str] = set()
        self.inside: list[tuple[str, tuple[int, int], tuple[int, int], set[str]]] = []
        self.unknown: list[tuple[Located, str]] = []
        known = {*known, "all"}
        for path, source in document.sources.items():
            if "kinetree:" not in source.text:
                continue
            root = document.root if path == document.path else document.trees.get(path)
            self.comments(source, root, known)
        for node in document.merged.iter():
            data = node.get("data")
            if node.get("name") == NAME and data:
                self.everywhere |= self.codes(data, node, known)

    def comments(self, source, root: Node | None, known: set[str]) -> None:
        for match in _COMMENT.finditer(source.text):
            codes = self.codes(match[1], engine.document.source.Span(source, match.start(), match.end()), known)
            node = root.at(match.start()) if root is not None else None
            if node is None or node.parent is None:
                self.everywhere |= codes
                continue
            span = node.span
            first, last = (span.line, span.column), (span.end_line, span.end_column)
            self.inside.append((span.file, first, last, codes))

    def codes(self, text: str, where, known: set[str]) -> set[str]:
        words = set(_WORD.findall(text))
        self.unknown += [(where, word) for word in sorted(words - known)]
        return words & known

    def hide(self, item: Diagnostic) -> bool:
        """Whether the text disables this finding. Errors cannot be disabled."""
        if item.severity is Severity.ERROR:
            return False
        if self.everywhere & {item.code, "all"}:
            return True
        place = (item.line, item.column)
        return any(
            item.file == file and first <= place < last and codes & {item.code, "all"}
            for file, first, last, codes in self.inside
        )
