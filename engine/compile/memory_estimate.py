"""Estimates the memory of a model before allocating it, and refuses models above the limit."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.document.limits import MAX_BODIES, MAX_ELEMENTS
from kinetree.engine.model.fields import DTYPES, TABLES
from kinetree.engine.model.layout import layout_of
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.compile.indexing import ObjectIndex
    from kinetree.engine.diagnostics import Diagnostics, Located
    from kinetree.engine.document.document import Document

MAX_BYTES = 2 << 30
"""Most that the arrays of a model, or of its state, may take together."""


def check_text(document: Document, diagnostics: Diagnostics) -> None:
    """Refuse a text with more elements, or MJCF with more bodies, than can be compiled in reasonable time. It takes
    some milliseconds, before an element is looked at. Raises ModelError."""
    texts = [source.text for source in document.sources.values()]
    if sum(text.count("<") for text in texts) > MAX_ELEMENTS:
        count, place = _number_and_place(document, None, MAX_ELEMENTS)
        if count > MAX_ELEMENTS:
            message = tr(
                "the model has {count} elements; at most {most} are read: use fewer, or keep data in files",
                count=count,
                most=MAX_ELEMENTS,
            )
            diagnostics.error(place, "too-large", message)
    has_many = sum(text.count("<body") for text in texts) > MAX_BODIES
    if has_many and document.root.tag == "mujoco" and not any("fusestatic" in text for text in texts):
        count, place = _number_and_place(document, "body", MAX_BODIES)
        if count > MAX_BODIES:
            diagnostics.error(place, "too-large", _too_many_bodies(count))
    diagnostics.raise_if_errors()


def _number_and_place(document: Document, tag: str | None, most: int) -> tuple[int, Located]:
    """How many elements with a tag (None: of all) the model has with its includes, the world being a body, and where
    one stands that is more than `most`."""
    count, place = int(tag == "body"), document.merged.tag_span
    for node in document.merged.iter():
        if tag is None or node.tag == tag:
            count += 1
            if count == most + 1:
                place = node.tag_span
    return count, place


def _too_many_bodies(count: int) -> str:
    return tr(
        "the model has {count} bodies; at most {most} are read: make fewer copies or points",
        count=count,
        most=MAX_BODIES,
    )


def check_bodies(index: ObjectIndex, diagnostics: Diagnostics) -> None:
    """Refuse a model with more bodies than can be compiled in reasonable time. Raises ModelError."""
    if len(index.bodies) > MAX_BODIES:
        diagnostics.error(
            index.bodies[MAX_BODIES].node.tag_span,
            "too-large",
            _too_many_bodies(len(index.bodies)),
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
