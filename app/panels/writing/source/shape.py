"""Coarse picture of a text for the overview: the share of each kind of character, on a grid of few rows and columns."""

from __future__ import annotations

import re

import numpy as np

KINDS = 4
TAG, ATTRIBUTE, VALUE, COMMENT = range(KINDS)
"""Kinds of characters: the last axis of a shape."""

WIDEST = 110
"""Characters of a line that are shown."""
LONGEST = 4_000_000
"""Characters of a text that are looked at."""

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def shape_of(text: str, rows: int, columns: int) -> np.ndarray:
    """The shape of a text: float32 array (rows, columns, KINDS), each number the part of that place, 0 to 1, that
    characters of that kind fill. Its lines are spread over the rows; with as many rows as lines, or more, each line
    has a row."""
    text = text[:LONGEST]
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    if not codes.size or rows <= 0 or columns <= 0:
        return np.zeros((max(rows, 0), max(columns, 0), KINDS), np.float32)
    index = np.arange(codes.size, dtype=np.int32)
    breaks = (codes == 10) | ((codes == 13) & (np.append(codes[1:], 0) != 10))
    line = np.cumsum(breaks, dtype=np.int32) - breaks
    starts = np.concatenate(([0], np.flatnonzero(breaks) + 1)).astype(np.int32)
    column = index - starts[line]
    ink = (codes > 32) & (column < WIDEST)
    count = int(line[-1]) + 1
    kind = _kinds(text, codes, index)[ink]
    per_row = max(count / rows, 1.0)
    row = line[ink] if count <= rows else (line[ink].astype(np.int64) * rows // count).astype(np.int32)
    place = (row * columns + column[ink] * columns // WIDEST) * KINDS + kind
    filled = np.bincount(place, minlength=rows * columns * KINDS).astype(np.float32)
    return np.minimum(filled / (per_row * max(WIDEST / columns, 1.0)), 1.0).reshape(rows, columns, KINDS)


def _kinds(text: str, codes: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Kind of each character."""
    opened = _last(codes == 60, index)
    spaced = _last(codes <= 32, index)
    quotes = np.cumsum(codes == 34, dtype=np.int32)
    quotes = quotes - np.where(opened >= 0, quotes[opened], 0)  # since the last "<": a quote too few harms one tag
    is_value = ((quotes & 1) == 1) | (codes == 34)
    is_tag = (opened > spaced) | (codes == 62) | (codes == 47)
    kind = np.where(is_value, VALUE, np.where(is_tag, TAG, ATTRIBUTE)).astype(np.int32)
    for match in _COMMENT.finditer(text):
        kind[match.start() : match.end()] = COMMENT
    return kind


def _last(mask: np.ndarray, index: np.ndarray) -> np.ndarray:
    """For each place the last one up to it that is marked, -1 where there is none."""
    return np.maximum.accumulate(np.where(mask, index, -1))


def picture_of(shape: np.ndarray, colours: list[tuple[int, int, int]], repeat: int) -> np.ndarray:
    """A shape in colours, one for each kind: uint8 array (rows * repeat, columns, 4), RGBA. Each row is `repeat` pixels
    high; the last pixel stays empty if there are three or more.
    """
    filled = shape.sum(-1)
    mixed = shape @ np.array(colours, np.float32) / np.maximum(filled, 1e-6)[..., None]
    alpha = np.sqrt(np.minimum(filled, 1.0)) * 215.0
    picture = np.concatenate([mixed, alpha[..., None]], -1).astype(np.uint8)
    picture = np.repeat(picture, repeat, axis=0)
    if repeat > 2:
        picture[repeat - 1 :: repeat] = 0
    return np.ascontiguousarray(picture)
