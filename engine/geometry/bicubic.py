"""Bicubic surfaces through a grid of points: the weight of each point at the places between them.

Each patch is written in values, slopes and twists at its corners (Hermite), and these as differences of neighbouring
points (Catmull-Rom); outside the grid the surface is extended linearly. Keys, "Cubic convolution interpolation for
digital image processing", 1981. Sums are taken monomial by monomial: rounding leaves weights of 1e-16 where others
cancel, and the reference lists these too.
"""

from __future__ import annotations

import itertools

import numpy as np

# value at 0 and 1, slope at 0 and 1: as powers of t, and as what four points in a row have of them
_POWERS = np.array([[1, 0, -3, 2], [0, 0, 3, -2], [0, 1, -2, 1], [0, 0, -1, 1]], float)
_POINTS = np.array([[0, 1, 0, 0], [0, 0, 1, 0], [-0.5, 0, 0.5, 0], [0, -0.5, 0, 0.5]])


class Bicubic:
    """The weights of `shape` points, at `steps` places in each piece between two of them, in both directions."""

    def __init__(self, shape: tuple[int, int], steps: int):
        self.pieces = shape[0] - 1, shape[1] - 1
        self.steps = steps
        inner = _inner(np.arange(steps + 1) * (1 / steps))
        self.patches = {ends: _straight(inner, *ends) for ends in itertools.product(*[(False, True)] * 4)}

    @property
    def size(self) -> tuple[int, int]:
        """How many places there are in each direction."""
        return self.pieces[0] * self.steps + 1, self.pieces[1] * self.steps + 1

    def places(self, direction: int, piece: int) -> range:
        """The places in a piece; the last piece has its end."""
        start = piece * self.steps
        return range(start, start + self.steps + (piece == self.pieces[direction] - 1))

    def of(self, point: tuple[int, int]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(places in the first direction, in the second, weights) for which a point counts, piece by piece."""
        found = []
        near = [range(max(k - 2, 0), min(k + 2, number)) for k, number in zip(point, self.pieces, strict=True)]
        for p, q in itertools.product(*near):
            rows, columns = self.places(0, p), self.places(1, q)
            ends = p == 0, p == self.pieces[0] - 1, q == 0, q == self.pieces[1] - 1
            patch = self.patches[ends][: len(rows), : len(columns), point[0] + 1 - p, point[1] + 1 - q]
            row, column = np.meshgrid(rows, columns, indexing="ij")
            used = patch != 0
            found.append((row[used], column[used], patch[used]))
        rows, columns, weights = (np.concatenate(part) for part in zip(*found, strict=True))
        return rows, columns, weights


def _inner(t: np.ndarray) -> np.ndarray:
    """(n, n, 4, 4): the weights of the points around a patch, at all pairs of t."""
    powers = [np.ones_like(t), t, t * t, t * t * t]
    result = np.zeros((len(t), len(t), 4, 4))
    for u, v in itertools.product(range(4), range(4)):
        total = np.zeros((len(t), len(t)))
        for m, n in itertools.product(range(4), range(4)):
            total += _POWERS[u, m] * _POWERS[v, n] * (powers[m][:, None] * powers[n][None, :])
        for i, j in itertools.product(range(4), range(4)):
            result[:, :, i, j] += _POINTS[u, i] * _POINTS[v, j] * total
    return result


def _straight(inner: np.ndarray, *ends: bool) -> np.ndarray:
    """The weights at the border of the grid, where points beyond the ends are missing."""
    result = inner.copy()
    for axis, (before, after) in ((2, ends[:2]), (3, ends[2:])):
        point = np.moveaxis(result, axis, 0)
        for there, (beyond, last, other) in ((before, (0, 1, 2)), (after, (3, 2, 1))):
            if there:
                point[last] += 2 * point[beyond]
                point[other] -= point[beyond]
                point[beyond] = 0
    return result
