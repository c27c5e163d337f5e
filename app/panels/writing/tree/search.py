"""The filter of the tree: which rows match what was typed. No toolkit; runs on a worker thread.

left arm          elements whose name, type, file or references hold every word, or whose kind it is ("geoms")
type=box          elements with an attribute that holds this text; "type=" those that have the attribute
"-.12 0 .3"       elements that are written with this text
//geom[@mass]     what an XPath expression selects
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.app.panels.writing.tree.describe import icon_of, searched, values_of
from kinetree.app.panels.writing.tree.elements import GeneratedRow
from kinetree.engine.document.tree import Attribute
from kinetree.engine.document.xpath import Selector, XPathError
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document

_TERM = re.compile(r'"([^"]*)"?|([\w:.-]+)=(\S*)|(\S+)')


class CannotSearch(ValueError):
    """A filter that is no XPath expression although it begins like one; str() says why, for the user."""


class Search:
    """Filters rows of the tree. Keeps intermediate results of the last rows for the next filter."""

    def __init__(self) -> None:
        self._texts: dict[int, tuple[Any, str]] = {}
        self._selector: tuple[Document, Selector] | None = None

    def matching(self, items: Sequence[Any], parents: np.ndarray, document: Document | None, text: str) -> np.ndarray:
        """For each row whether it matches. Raises CannotSearch."""
        text = text.strip()
        if text.startswith(("/", "(")):
            return self._selected(items, document, text)
        hits = np.ones(len(items), bool)
        for literal, name, value, word in _TERM.findall(text):
            if name:
                found = (_has(item, name, value.casefold()) for item in items)
            elif word:
                found = self._worded(items, parents, word.casefold())
            else:
                found = (_holds(item, literal.casefold()) for item in items)
            hits &= np.fromiter(found, bool, len(items))
        return hits

    def _worded(self, items: Sequence[Any], parents: np.ndarray, word: str):
        texts = self._searched(items)
        kind = singular(word)
        numbers = parents.tolist()
        for item, text, parent in zip(items, texts, numbers, strict=True):
            yield (
                word in text
                or (item.kind if isinstance(item, GeneratedRow) else item.tag) == kind
                or (kind in _GROUPS and icon_of(item, items[parent] if parent >= 0 else None) == kind)
            )

    def _searched(self, items: Sequence[Any]) -> list[str]:
        before, now, texts = self._texts, {}, []
        for item in items:
            known = before.get(item.id)
            if known is None or known[0] is not item:
                known = (item, searched(item))
            now[item.id] = known
            texts.append(known[1])
        self._texts = now
        return texts

    def _selected(self, items: Sequence[Any], document: Document | None, text: str) -> np.ndarray:
        if document is None:
            raise CannotSearch(tr("XPath needs the text of a model, and a binary file has none"))
        if self._selector is None or self._selector[0] is not document:
            self._selector = document, Selector(document.merged)
        try:
            found = self._selector[1].select(text)
        except XPathError as error:
            raise CannotSearch(str(error)) from None
        ids = {(each.node if isinstance(each, Attribute) else each).id for each in found}
        return np.fromiter((item.id in ids for item in items), bool, len(items))


_GROUPS = frozenset(("actuator", "sensor", "equality", "tendon", "joint", "contact"))
"""Kinds of elements with several tags."""


def _has(item: Any, name: str, value: str) -> bool:
    return not isinstance(item, GeneratedRow) and any(
        own == name and value in text.casefold() for own, text in values_of(item)
    )


def _holds(item: Any, text: str) -> bool:
    if isinstance(item, GeneratedRow):
        return text in item.name.casefold()
    return text in item.tag or any(text in f'{name}="{value}"'.casefold() for name, value in values_of(item))


def singular(word: str) -> str:
    """The name of a kind for its plural."""
    for plural, ending in (("ies", "y"), ("xes", "x"), ("s", "")):
        if word.endswith(plural):
            return word.removesuffix(plural) + ending
    return word
