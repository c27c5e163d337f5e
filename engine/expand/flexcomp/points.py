"""Points and elements of a flexcomp by its type. Source: XML reference, "body/flexcomp", type.

Points are numbered with Z fastest, then Y, then X; those of closed shapes begin with the centre, then the two
sides across Z, across Y, across X.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.mjcf.elements import Element

NODES = "node positions"
"""Key in `Element.values`, no attribute of MJCF: positions of a flex's nodes in their bodies."""

MAX_POINTS = 1_000_000


class BadFlexcomp(Exception):
    """An error of a flexcomp, with the attributes that it is about."""

    def __init__(self, message: str, *attributes: str, code: str = "bad-value"):
        super().__init__(message)
        self.attributes, self.code = attributes, code
        self.place: Element | None = None

    def at(self, place: Element) -> BadFlexcomp:
        """Set the element inside the flexcomp that the error is about; returns the error."""
        self.place = place
        return self


@dataclass
class FlexPoints:
    """Points and elements as the text or a file describes them, before the flexcomp's pose is applied.

    point           (n, 3)
    element         (m, dim + 1)
    texcoord        (k, 2) or None; of each point, where there is no elemtexcoord
    elemtexcoord    (m, 3) texture coordinates of the corners of each element or None
    flat            whether it is shaded flat
    """

    dim: int
    point: np.ndarray
    element: np.ndarray
    texcoord: np.ndarray | None = None
    elemtexcoord: np.ndarray | None = None
    flat: bool = False


def generated(item: Element) -> FlexPoints:
    """The shape of a type that needs no data."""
    kind, dim = item["type"], item["dim"]
    count, spacing = item["count"].astype(int), np.asarray(item["spacing"], float)
    if math.prod(count.tolist()) > MAX_POINTS:
        raise BadFlexcomp(
            tr(
                "{prod} points are more than {most}; use smaller counts",
                prod=math.prod(count.tolist()),
                most=MAX_POINTS,
            ),
            "count",
        )
    if kind == "circle":
        return _circle(dim, count, spacing)
    if kind == "disc":
        return _disc(count, spacing)
    if kind == "grid":
        return _grid(dim, count, spacing)
    return _closed(kind, count, spacing)


def _line(count: int, closed: bool) -> np.ndarray:
    i = np.arange(count if closed else count - 1)
    return np.stack([i, (i + 1) % count], axis=1)


def _circle(dim: int, count: np.ndarray, spacing: np.ndarray) -> FlexPoints:
    if dim != 1:
        raise BadFlexcomp(tr("a circle is made of lines; set dim to 1 (it is {dim})", dim=dim), "dim", "type")
    number = int(count[0]) - 1  # the last point is the first again
    if number < 2:
        raise BadFlexcomp(tr("a circle needs a count of at least 3"), "count")
    radius = spacing[0] / (2 * math.sin(math.pi / number))
    angle = 2 * math.pi / number * np.arange(number)
    point = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(number)], axis=1)
    return FlexPoints(1, point, _line(number, True))


def _lattice(count: np.ndarray) -> np.ndarray:
    """(n, 3) grid coordinates of points, the last one fastest."""
    return np.stack(np.meshgrid(*(np.arange(n) for n in count), indexing="ij"), axis=-1).reshape(-1, 3)


def _flat_texture(place: np.ndarray, count: np.ndarray) -> np.ndarray:
    return place[:, :2] / np.maximum(count[:2] - 1, 1)


def _quads(count: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(corners (m, 4) of the cells of a flat grid: 00, 10, 11, 01; places (m, 2) of the cells)."""
    place = np.stack(np.meshgrid(np.arange(count[0] - 1), np.arange(count[1] - 1), indexing="ij"), axis=-1)
    place = place.reshape(-1, 2)
    first = place[:, 0] * count[1] + place[:, 1]
    return np.stack([first, first + count[1], first + count[1] + 1, first + 1], axis=1), place


CUBE = ((0, 2, 4, 3), (0, 4, 1, 3), (4, 2, 6, 3), (4, 6, 7, 3), (4, 5, 1, 3), (4, 7, 5, 3))
"""Tetrahedra that fill a cube, whose corner (x, y, z) is 4x + 2y + z."""


def _grid(dim: int, count: np.ndarray, spacing: np.ndarray) -> FlexPoints:
    for i in range(3):
        if i < dim and count[i] < 2:
            raise BadFlexcomp(
                tr("a grid of dimension {dim} needs a count of at least 2 in its first {dim} directions", dim=dim),
                "count",
            )
        if i >= dim and count[i] > 1:
            if dim > 1:
                raise BadFlexcomp(
                    tr("a grid of dimension {dim} has one layer; set the other counts to 1, or dim to 3", dim=dim),
                    "count",
                )
            count = np.array([count[0], 1, 1])
    place = _lattice(count)
    point = (place - (count - 1) / 2) * spacing
    if dim == 1:
        return FlexPoints(1, point, _line(int(count[0]), False))
    texcoord = _flat_texture(place, count)
    if dim == 2:
        corner, _ = _quads(count)
        return FlexPoints(2, point, corner[:, [0, 1, 2, 0, 2, 3]].reshape(-1, 3), texcoord)
    cells = _lattice(count - 1)
    step = np.array([count[1] * count[2], count[2], 1])
    corner = (cells @ step)[:, None] + _lattice(np.array([2, 2, 2])) @ step
    element = corner[:, np.array(CUBE)].reshape(-1, 4)
    return FlexPoints(3, point, element, texcoord, flat=True)


def _disc(count: np.ndarray, spacing: np.ndarray) -> FlexPoints:
    if count[0] < 2 or count[1] < 2:
        raise BadFlexcomp(tr("a disc needs a count of at least 2 along X and Y"), "count")
    if count[2] > 1:
        raise BadFlexcomp(tr("a disc has one layer; set the third count to 1"), "count")
    place = _lattice(count)
    point = (place - (count - 1) / 2) * spacing
    # squares around the centre become circles
    ring = np.abs(point[:, :2]).max(1)
    away = np.linalg.norm(point[:, :2], axis=1)
    half = (count[:2] - 1) / 2 * spacing[:2]
    point[:, :2] *= (ring / np.where(away > 0, away, 1))[:, None] * half
    corner, cell = _quads(count)
    one_way = (2 * cell[:, 0] < count[0] - 1) == (2 * cell[:, 1] < count[1] - 1)
    split = np.where(one_way[:, None], corner[:, [0, 1, 2, 0, 2, 3]], corner[:, [0, 1, 3, 1, 2, 3]])
    return FlexPoints(2, point, split.reshape(-1, 3), _flat_texture(place, count))


def _closed(kind: str, count: np.ndarray, spacing: np.ndarray) -> FlexPoints:
    """Box, cylinder and ellipsoid: a closed surface; each of its triangles forms a tetrahedron with the centre."""
    if (count < 2).any():
        raise BadFlexcomp(tr("a {kind} needs a count of at least 2 in each direction", kind=kind), "count")
    nx, ny, nz = (int(n) for n in count)
    every = _lattice(count)
    number = np.full(count, -1)
    x, y, z = every.T
    on_z, on_y = (z == 0) | (z == nz - 1), (y == 0) | (y == ny - 1)
    on_x = (x == 0) | (x == nx - 1)
    places = []
    for side, order in (
        (on_z, (y, x, z)),
        (on_y & ~on_z, (z, x, y)),
        (on_x & ~on_y & ~on_z, (z, y, x)),
    ):
        chosen = np.flatnonzero(side)
        places.append(every[chosen[np.lexsort([key[chosen] for key in order])]])
    place = np.concatenate(places)
    number[tuple(place.T)] = np.arange(1, len(place) + 1)
    unit = 2 * place / (count - 1) - 1
    if kind == "cylinder":
        ring = np.abs(unit[:, :2]).max(1)
        away = np.linalg.norm(unit[:, :2], axis=1)
        unit[:, :2] *= (ring / np.where(away > 0, away, 1))[:, None]
    elif kind == "ellipsoid":
        unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    point = np.concatenate([np.zeros((1, 3)), unit * (count - 1) / 2 * spacing])
    triangles = np.concatenate([_side(number.take(at, axis)) for axis in (2, 1, 0) for at in (0, -1)])
    element = np.concatenate([np.zeros((len(triangles), 1), int), triangles], axis=1)
    share = place / np.maximum(count - 1, 1)
    inner_y, inner_x = on_y & ~on_z, on_x & ~on_y & ~on_z
    sizes = on_z.sum(), inner_y.sum(), inner_x.sum()
    axes = np.repeat([[0, 1], [0, 2], [1, 2]], sizes, axis=0)
    texcoord = np.concatenate([np.zeros((1, 2)), np.take_along_axis(share, axes, 1)])
    return FlexPoints(3, point, element, texcoord, flat=kind != "ellipsoid")


def _side(number: np.ndarray) -> np.ndarray:
    """Two triangles for each cell of one side, from the numbers of its points. The compiler orients them."""
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    return np.stack([a, b, c, a, d, c], axis=-1).reshape(-1, 3)
