"""Meshes of MuJoCo's signed distance plugins: bolt, bowl, gear, nut, torus.

A shape has numbers (the parameters of its plugin), a box around it and a distance, negative inside. Distances put
together from simpler ones are Inigo Quilez's ("Distance functions": cut hollow sphere, torus, smooth union); bolt and
nut follow "Nuts and bolts" on Shadertoy, gear the involute of a circle with a pressure angle that depends on the
number of teeth. How they are blended and how fine the grid is was found by asking the reference for distances and
for the points that it asks of a plugin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from kinetree.engine.compile.assets.marching_cubes import surface
from kinetree.engine.resources.raw_mesh import BadMesh, RawMesh
from kinetree.engine.translation import tr

MESH = "mujoco.sdf.sdflib"
"""The plugin for the distance of a mesh from a file (octree.py)."""
CELLS = 300
"""Cells of the grid along its three sides together: at most a million in all."""
PITCH = 12
"""Turns a thread takes per metre."""
SLOPE = math.sqrt(0.5)
HEAD = 0.5
"""Half the width across flats of a bolt's head and of a nut, m."""

Grid = tuple[np.ndarray, np.ndarray, np.ndarray]


def _torus(grid: Grid, radius1: float, radius2: float) -> np.ndarray:
    """A ring of radius1 with a tube of radius2 around it, about z."""
    x, y, z = grid
    ring = np.sqrt(x * x + y * y) - radius1
    return np.sqrt(ring * ring + z * z) - radius2


def _bowl(grid: Grid, height: float, radius: float, thickness: float) -> np.ndarray:
    """A hollow sphere cut off at a height above its middle."""
    x, y, z = grid
    width = math.sqrt(radius * radius - height * height) if abs(height) <= abs(radius) else math.nan
    across = np.sqrt(x * x + y * y)
    rim = np.sqrt((across - width) ** 2 + (z - height) ** 2)
    sphere = np.abs(np.sqrt(across * across + z * z) - radius)
    return np.where(height * across < width * z, rim, sphere) - thickness


def _thread(grid: Grid, radius: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(distance to a thread about z, distance from a cylinder of `radius`, angle about z)."""
    x, y, z = grid
    outward = np.sqrt(x * x + y * y) - radius
    angle = np.arctan2(y, x)
    turn = z * PITCH - angle / math.pi / 2
    tooth = np.abs(turn - np.floor(turn) - 0.5)
    return (outward - tooth / PITCH) * SLOPE, outward, angle


def _head(grid: Grid, outward: np.ndarray, angle: np.ndarray) -> np.ndarray:
    """A hexagon between z = -0.5 and 0, with its upper corners cut off."""
    x, y, z = grid
    sides = 6 / math.pi / 2
    turn = -np.floor(angle * sides + 0.5) / sides
    flat = np.sin(turn + math.pi / 2) * x - np.sin(turn) * y - HEAD
    return np.maximum(np.maximum(flat, np.abs(z + 0.25) - 0.25), (z + outward - 0.22) * SLOPE)


def _bolt(grid: Grid, radius: float) -> np.ndarray:
    z = grid[2]
    thread, outward, angle = _thread(grid, radius)
    shaft = np.maximum(thread, np.abs(z + 0.5) - 0.5)
    shaft = np.maximum(shaft, -((z - outward) * SLOPE + SLOPE))
    return np.minimum(shaft, _head(grid, outward, angle))


def _nut(grid: Grid, radius: float) -> np.ndarray:
    thread, outward, angle = _thread(grid, radius)
    cone = (grid[2] - outward) * SLOPE
    hole = np.maximum(thread, -(cone + 0.5 * SLOPE))
    hole = np.minimum(hole, -cone - 0.05 * SLOPE)
    return np.maximum(_head(grid, outward, angle), -hole)


def _gear(
    grid: Grid, alpha: float, diameter: float, teeth: float, thickness: float, innerdiameter: float
) -> np.ndarray:
    """A spur gear about z with involute teeth, turned by alpha (rad), with a hole.

    `diameter`: of the pitch circle; `innerdiameter` below 0: a rim as high as suits the teeth. Pressure angle as a
    polynomial of the number of teeth; addendum 1, dedendum 1.2 over the diametral pitch.
    """
    x, y, z = grid
    pressure = 3.096e-5 * teeth * teeth - 6.557e-3 * teeth + 0.551
    pitch = teeth / diameter
    outer = (diameter + 2 / pitch) / 2
    root = outer - 2.2 / pitch
    inner = innerdiameter / 2 if innerdiameter >= 0 else root - 0.14 * diameter
    if not 0 < pressure < math.pi / 2:
        raise ValueError(tr("the flanks of so many teeth face backwards"))
    base = diameter * math.cos(pressure) / 2
    stride = math.pi / pitch / (diameter / 2)
    involute = math.acos(min(base / (diameter / 2), 1.0))
    gap = stride / 2 - 2 * (math.tan(involute) - involute)
    rho = np.sqrt(x * x + y * y)
    angle = np.arctan2(y, x) + alpha
    # angles from the two flanks of the tooth that is nearest
    flanks = [_wrap(turned + gap / 2, stride) - gap / 2 for turned in (angle, -angle - gap)]
    tangent = np.sqrt(np.maximum(rho * rho - base * base, 0))
    unrolled = np.arccos(np.minimum(base / rho, 1))
    tooth = [np.where(base < rho, tangent - base * (flank + unrolled), -1e6) for flank in flanks]
    tooth = np.maximum(np.maximum(*tooth), np.maximum(-flanks[0], -flanks[1]))
    flat = _round(tooth, rho - outer, 0.0035 * diameter)
    flat = _smooth_union(flat, rho - root, base - root)
    flat = np.maximum(flat, inner - rho)
    flat = np.where(rho - outer > 0.2, rho - outer, flat)
    flat = np.where(inner > rho, inner - rho, flat)
    high = np.abs(z) - thickness / 2
    return np.minimum(np.maximum(flat, high), 0) + np.sqrt(np.maximum(flat, 0) ** 2 + np.maximum(high, 0) ** 2)


def _wrap(value: np.ndarray, period: float) -> np.ndarray:
    return value - period * np.floor(value / period)


def _smooth_union(a: np.ndarray, b: np.ndarray, width: float) -> np.ndarray:
    share = np.clip(0.5 + 0.5 * (a - b) / width, 0, 1)
    return a + (b - a) * share - width * share * (1 - share)


def _round(a: np.ndarray, b: np.ndarray, width: float) -> np.ndarray:
    """Intersection of a and b, rounded inside and sharp outside."""
    low, high = np.minimum(a, b), np.maximum(a, b)
    off = low - _smooth_union(a, b, width)
    return np.maximum(high, off + np.minimum(high, -low))


class DistanceShape(NamedTuple):
    """defaults: of its numbers, by parameter; box: numbers -> half sides, m; distance: (grid, *numbers) -> values."""

    defaults: dict[str, float]
    box: Callable[..., tuple[float, float, float]]
    distance: Callable[..., np.ndarray]


SHAPES = {
    "mujoco.sdf.bolt": DistanceShape({"radius": 0.26}, lambda radius: (0.6, 0.6, 1.0), _bolt),
    "mujoco.sdf.bowl": DistanceShape(
        {"height": 0.4, "radius": 1.0, "thickness": 0.02},
        lambda height, radius, thickness: (radius + thickness,) * 3,
        _bowl,
    ),
    "mujoco.sdf.gear": DistanceShape(
        {"alpha": 0.0, "diameter": 2.8, "teeth": 25.0, "thickness": 0.2, "innerdiameter": -1.0},
        lambda alpha, diameter, teeth, thickness, inner: (
            1.25 * diameter / 2,
            1.25 * diameter / 2,
            1.1 * thickness / 2,
        ),
        _gear,
    ),
    "mujoco.sdf.nut": DistanceShape({"radius": 0.26}, lambda radius: (0.6, 0.6, 1.0), _nut),
    "mujoco.sdf.torus": DistanceShape(
        {"radius1": 0.35, "radius2": 0.15},
        lambda radius1, radius2: (radius1 + radius2, radius1 + radius2, radius2),
        _torus,
    ),
}


def mesh(plugin: str, numbers: tuple[float, ...]) -> RawMesh:
    """The mesh of a shape: its plugin, and the numbers of the parameters in the order of its defaults.

    Raises BadMesh where they describe no shape that the grid finds; its attribute is "plugin".
    """
    shape = SHAPES[plugin]
    with np.errstate(all="ignore"):
        try:
            half = np.array(shape.box(*numbers), float)
            cells = _cells(half)
            axes = [2 * h * np.arange(n + 1) / n - h for h, n in zip(half, cells, strict=True)]
            values = shape.distance(np.meshgrid(*axes, indexing="ij", sparse=True), *numbers)
        except BadMesh:
            raise
        except (OverflowError, ValueError, ZeroDivisionError):
            values = np.array(math.nan)
        if not np.isfinite(values.astype(np.float32)).all():
            raise BadMesh(tr("these parameters make no shape; change them"), "plugin")
    points, face = surface(np.broadcast_to(values, cells + 1))
    if len(points) < 4:
        raise BadMesh(tr("{grid} finds nothing of the shape; it is empty or too thin", grid=_grid(cells)), "plugin")
    return RawMesh(2 * half * points.astype(float) / cells - half, face, smooth=True)


def _cells(half: np.ndarray) -> np.ndarray:
    """How many cells of the grid there are along each side."""
    if not (np.isfinite(half).all() and half.min() > 0):
        raise BadMesh(
            tr("the box around it has a side of {number:g} m; make it larger", number=2 * half.min()), "plugin"
        )
    size = 2 * half
    cells = (size * (CELLS / (size[0] + size[1] + size[2]))).astype(int)
    if cells.min() < 1:
        raise BadMesh(tr("{grid} is too coarse for it: it is too thin; make it thicker", grid=_grid(cells)), "plugin")
    return cells


def _grid(cells: np.ndarray) -> str:
    return tr("a grid of {numbers} cells", numbers=" x ".join(map(str, cells)))
