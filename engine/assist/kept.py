"""Keeps what was computed of a document for as long as the document is in use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from kinetree.engine.document.document import Document

T = TypeVar("T")


def kept(compute: Callable[[Document], T]) -> Callable[[Document], T]:
    """A function of a document that computes once for each document. Two threads that ask at the same moment may both
    compute; they get the same result."""
    results: WeakKeyDictionary[Document, T] = WeakKeyDictionary()

    @wraps(compute)
    def once(document: Document) -> T:
        try:
            return results[document]
        except KeyError:
            return results.setdefault(document, compute(document))

    return once
