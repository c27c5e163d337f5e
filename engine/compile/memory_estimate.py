"""Estimates the memory of a model before allocating it, and refuses models above the limit."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from engine.mjcf.elements import MAX_BODIES
from engine.model.fields import DTYPES, TABLES
from engine.model.layout import layout_of
from engine.translation import marked, tr

if TYPE_CHECKING:
    from engine.compile.indexing import Index
    from engine.diagnostics import Diagnostics, Located

MAX_BYTES = 2 << 30
"""Most that the arrays of a model, or of its state, may take together."""


def check_bodies(index: Index, diagnostics: Diagnostics) -> None:
    """Refuse a model with more bodies than can be compiled in reasonable time. Raises ModelError."""
    if len(index.bodies) > MAX_BODIES:
        diagnostics.error(
            index.bodies[MAX_BODIES].node.tag_span,
            "too-large",
            tr(
                "the model has {count} bodies; at most {most} are read: make fewer copies or points",
                count=len(index.bodies),
                most=MAX_BODIES,
            ),
        )
        diagnostics.raise_if_errors()


@cache
def _shapes(kind: str) -> dict[tuple[str, ...], dict[str, int]]:
    """The sizes that arrays of Model or Data are products of -> (array -> bytes of one entry of that product)."""
    shapes: dict[tuple[str, ...], dict[str, int]] = {}
    for row in TABLES[kind]:
        if row.kind == "array":
            words = tuple(word for word in row.shape if not isinstance(word, int))
            fixed = math.prod(word for word in row.shape if isinstance(word, int))
            shapes.setdefault(words, {})[row.name] = fixed * np.dtype(DTYPES[row.dtype]).itemsize
    return shapes


def check(sizes: dict[str, int], place: Located, diagnostics: Diagnostics) -> None:
    """Report sizes that would take more than MAX_BYTES for Model or Data."""

    def entries(words: tuple[str, ...]) -> int:
        return math.prod(max(int(sizes.get(word, 0)), 0) for word in words)

    for kind, what in (("Model", marked("model")), ("Data", marked("state"))):
        if layout_of(kind).nbytes(sizes) < 0.99 * MAX_BYTES:
            continue
        needed = {
            name: entries(words) * each for words, arrays in _shapes(kind).items() for name, each in arrays.items()
        }
        total = sum(needed.values())
        if total > MAX_BYTES:
            most = max(needed, key=lambda name: needed[name])
            diagnostics.error(
                place,
                "too-large",
                tr(
                    "the {what} would take {number:.1f} GB, most of it for {most}; make it smaller",
                    what=tr(what),
                    number=total / 2**30,
                    most=most,
                ),
            )
            return
