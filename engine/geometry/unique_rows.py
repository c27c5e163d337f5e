"""Finds equal rows of an array."""

from __future__ import annotations

import numpy as np

_FACTORS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x27D4EB2F165667C5], np.uint64)


def distinct(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(index of the first occurrence of each distinct row, the distinct row of each row), in the order of first
    occurrence.

    rows  (n, k) integers of 32 or 64 bits, k up to 4

    Rows are sorted by a 64-bit hash; rows with equal hashes are compared.
    """
    count = len(rows)
    if not count:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    code = np.zeros(count, np.uint64)
    for k in range(rows.shape[1]):
        code = (code ^ rows[:, k].astype(np.uint64)) * _FACTORS[k]
        code ^= code >> np.uint64(29)
    order = np.argsort(code)
    code = code[order]
    new = np.empty(count, bool)
    new[0] = True
    np.not_equal(code[1:], code[:-1], out=new[1:])
    starts = np.flatnonzero(new)
    first = np.minimum.reduceat(order, starts)
    group = np.cumsum(new) - 1
    inverse = np.empty(count, np.int64)
    inverse[order] = group
    if not np.array_equal(rows[first[inverse]], rows):
        _, first, inverse = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        inverse = inverse.ravel()
    by_coming = np.argsort(first)
    rank = np.empty(len(first), np.int64)
    rank[by_coming] = np.arange(len(first))
    return first[by_coming], rank[inverse]
