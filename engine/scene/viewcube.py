"""The view cube: a small cube that shows how the camera stands, and whose faces, edges and corners are 26 directions
to look from.

Its picture is an orthographic one, with y downwards, in units in which the cube's corners are at most 1 from the
middle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

EDGE = 0.5  # width of the cells along an edge, of half the cube's side
CUTS = (-1.0, EDGE - 1.0, 1.0 - EDGE, 1.0)
FACES: tuple[tuple[int, int], ...] = tuple((axis, side) for axis in range(3) for side in (1, -1))
"""Axis and side of each face."""

Direction = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class CubeCell:
    """One of nine cells of a face that is seen: the direction that it stands for, and its corners (4, 2)."""

    direction: Direction
    corners: np.ndarray


@dataclass(frozen=True, slots=True)
class Face:
    """A face that is seen: its direction, its corners (4, 2) from the upper left one of its text on, and how squarely
    it is seen (0 to 1)."""

    direction: Direction
    corners: np.ndarray
    facing: float


def faces(right: np.ndarray, up: np.ndarray) -> list[Face]:
    """The faces that a camera with these axes (3,) in the world sees."""
    towards = np.cross(right, up)
    found = []
    for axis, side in FACES:
        facing = float(side * towards[axis])
        if facing > 1e-6:
            normal, across, upward = _frame(axis, side)
            corners = np.array([normal + x * across + y * upward for x, y in ((-1, 1), (1, 1), (1, -1), (-1, -1))])
            found.append(Face(_direction(normal), _flat(corners, right, up), facing))
    return found


def cells(right: np.ndarray, up: np.ndarray) -> list[CubeCell]:
    """The cells that a camera with these axes sees. An edge has a cell on each of two faces, a corner on three."""
    towards = np.cross(right, up)
    found = []
    for axis, side in FACES:
        if side * towards[axis] <= 1e-6:
            continue
        normal, across, upward = _frame(axis, side)
        for i in range(3):
            for j in range(3):
                sides = ((CUTS[i], CUTS[j]), (CUTS[i + 1], CUTS[j]), (CUTS[i + 1], CUTS[j + 1]), (CUTS[i], CUTS[j + 1]))
                corners = np.array([normal + x * across + y * upward for x, y in sides])
                found.append(
                    CubeCell(_direction(normal + (i - 1) * across + (j - 1) * upward), _flat(corners, right, up))
                )
    return found


def cell_at(found: Sequence[CubeCell], x: float, y: float) -> Direction | None:
    """The direction of the cell under a point, None beside the cube."""
    for cell in found:
        start, end = cell.corners, np.roll(cell.corners, -1, axis=0)
        turns = (end[:, 0] - start[:, 0]) * (y - start[:, 1]) - (end[:, 1] - start[:, 1]) * (x - start[:, 0])
        if (turns >= 0).all() or (turns <= 0).all():
            return cell.direction
    return None


def _frame(axis: int, side: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Normal of a face, and the directions of its text: to the right and up, as seen from outside."""
    normal, upward = np.zeros(3), np.zeros(3)
    normal[axis] = side
    upward[1 if axis == 2 else 2] = 1.0  # seen from below too, y points up
    return normal, np.cross(upward, normal), upward


def _direction(vector: np.ndarray) -> Direction:
    x, y, z = (round(value) for value in vector.tolist())
    return x, y, z


def _flat(points: np.ndarray, right: np.ndarray, up: np.ndarray) -> np.ndarray:
    return np.stack([points @ right, -(points @ up)], axis=1) / sqrt(3.0)
