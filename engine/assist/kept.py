"""Caches results for as long as their document is in use."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

from kinetree.engine.document.document import Document

T = TypeVar("T")


def kept(compute: Callable[[Document], T]) -> Callable[[Document], T]:
    """Decorator: computes a function of a document once for each document.

    Two threads that call it at the same moment may both compute; they get the same result.
    """
    results: WeakKeyDictionary[Document, T] = WeakKeyDictionary()

    @wraps(compute)
    def once(document: Document) -> T:
        try:
            return results[document]
        except KeyError:
            return results.setdefault(document, compute(document))

    return once
