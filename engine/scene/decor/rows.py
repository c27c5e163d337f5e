"""The array that decorations fill: one row of DECOR for each shape, and the composites that are made of
several."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from kinetree.engine.scene import scene as S
from kinetree.engine.scene.scene import Layer, ShapeKind, linear

DECOR = np.dtype(
    [
        ("shape", np.int64),  # scene.ShapeKind
        ("pos", float, 3),  # world position
        ("mat", float, (3, 3)),  # rotation, or any basis
        ("size", float, 3),  # along the shape's axes
        ("half", float),  # half of the length between a capsule's ends
        ("rgba", float, 4),  # as the model gives it: sRGB-encoded
        ("emission", float),
        ("object", np.int32, 2),  # object type and id, -1 for none
        ("solid", bool),  # casts and receives shadows
        ("layer", np.int8),  # scene.Layer
    ]
)
NO_OBJECT = (-1, -1)
SPECULAR, EXPONENT = 0.3, 64.0  # highlight of every decoration: height and width
IDENTITY = np.eye(3)
AXIS_COLORS = np.array([[1.0, 0.25, 0.25, 1.0], [0.2, 0.85, 0.25, 1.0], [0.3, 0.42, 1.0, 1.0]])  # x, y, z
HEAD_WIDTH = 1.8  # of an arrow's head, in widths of the shaft
HEAD_LENGTH = 4.0  # likewise
SHORTEST = 1e-12  # an arrow or capsule below this length has no direction, m
HAS_LEVELS = np.array([shape in S.ROUND for shape in ShapeKind])  # of detail, by shape


def frames_along(along: np.ndarray) -> np.ndarray:
    """(n, 3, 3) rotations whose z columns are the directions of `along` (n, 3); upright where that has no
    length."""
    along = np.asarray(along, float)
    length = np.sqrt(np.einsum("ij,ij->i", along, along))
    z = np.where(length[:, None] > SHORTEST, along / np.maximum(length, SHORTEST)[:, None], [0.0, 0.0, 1.0])
    zero = np.zeros(len(z))
    level = np.abs(z[:, 2]) < 0.9  # the axis z or x, crossed with the direction
    x = np.where(level[:, None], np.stack([-z[:, 1], z[:, 0], zero], 1), np.stack([zero, -z[:, 2], z[:, 1]], 1))
    x /= np.sqrt(np.einsum("ij,ij->i", x, x))[:, None]
    return np.stack([x, np.cross(z, x), z], axis=2)


class Decor:
    """Rows of DECOR, added some at a time. Every argument of `add` is one value for all rows or one for
    each."""

    def __init__(self):
        self._array = np.empty(64, DECOR)
        self.count = 0

    @property
    def rows(self) -> np.ndarray:
        """(count,) DECOR."""
        return self._array[: self.count]

    def add(
        self,
        shape,
        pos,
        mat,
        size,
        rgba,
        half: ArrayLike = 0.0,
        object: ArrayLike = NO_OBJECT,
        emission: ArrayLike = 0.0,
        solid: ArrayLike = False,
        layer: ArrayLike = Layer.PLAIN,
    ) -> None:
        """Add one row (pos (3,)) or n (pos (n, 3)); rows with alpha 0 are left out."""
        pos = np.asarray(pos, float).reshape(-1, 3)
        start, end = self.count, self.count + len(pos)
        if end > len(self._array):
            self._array = np.resize(self._array, 2 * end)
        rows = self._array[start:end]
        rows["shape"], rows["pos"], rows["mat"], rows["size"] = shape, pos, mat, size
        rows["half"], rows["rgba"], rows["emission"] = half, rgba, emission
        rows["object"], rows["solid"], rows["layer"] = object, solid, layer
        seen = rows["rgba"][:, 3] > 0
        if not seen.all():
            kept = rows[seen]
            rows[: len(kept)] = kept
            end = start + len(kept)
        self.count = end

    def capsules(self, start, end, radius, rgba, **rest) -> None:
        """Add capsules between points (n, 3); `radius` (n,) or a number."""
        start, end = np.asarray(start, float).reshape(-1, 3), np.asarray(end, float).reshape(-1, 3)
        along = end - start
        length = np.sqrt(np.einsum("ij,ij->i", along, along))
        mat = np.where((length > SHORTEST)[:, None, None], frames_along(along), IDENTITY)
        size = np.broadcast_to(np.asarray(radius, float).reshape(-1, 1), (len(start), 3))
        self.add(ShapeKind.CAPSULE, 0.5 * (start + end), mat, size, rgba, half=0.5 * length, **rest)

    def arrows(
        self,
        start,
        vector,
        width: float,
        rgba,
        double: ArrayLike = False,
        object: ArrayLike = NO_OBJECT,
        emission: ArrayLike = 0.0,
        layer: Layer = Layer.PLAIN,
    ) -> None:
        """Add arrows from `start` (n, 3) along `vector` (n, 3): shafts of radius `width`, and a head at the
        end.

        double (n,) or one bool: a head at both ends. A vector without length gives no arrow.
        """
        start, vector = np.asarray(start, float).reshape(-1, 3), np.asarray(vector, float).reshape(-1, 3)
        length = np.sqrt(np.einsum("ij,ij->i", vector, vector))
        use = length >= SHORTEST
        object = np.broadcast_to(np.asarray(object, np.int32), (len(start), 2))[use]
        double = np.broadcast_to(double, len(start))[use]
        start, vector, length = start[use], vector[use], length[use]
        if not len(start):
            return
        mat = frames_along(vector)
        z = mat[:, :, 2]
        head = np.minimum(HEAD_LENGTH * width, np.where(double, 0.4, 0.6) * length)
        bottom = np.where(double, head, 0.0)
        shaft = np.maximum(length - head - bottom, 0.0)
        rest = {"emission": emission, "layer": layer}
        self.add(
            ShapeKind.CYLINDER,
            start + z * (bottom + 0.5 * shaft)[:, None],
            mat,
            _sizes(width, 0.5 * shaft),
            rgba,
            object=object,
            **rest,
        )
        tips = _sizes(HEAD_WIDTH * width, 0.5 * head)
        self.add(ShapeKind.CONE, start + z * (length - 0.5 * head)[:, None], mat, tips, rgba, object=object, **rest)
        if double.any():
            back = mat[double] * np.array([1.0, -1.0, -1.0])
            foot = (start + z * (0.5 * head)[:, None])[double]
            self.add(ShapeKind.CONE, foot, back, tips[double], rgba, object=object[double], **rest)

    def frames(self, pos, mat, length, width, object=NO_OBJECT, layer: Layer = Layer.OVER) -> None:
        """Add coordinate frames at `pos` (n, 3) with axes `mat` (n, 3, 3): x red, y green, z blue.

        length, width  of the axes, and their radius: a number, or (n,)
        """
        pos, mat = np.asarray(pos, float).reshape(-1, 3), np.asarray(mat, float).reshape(-1, 3, 3)
        n = len(pos)
        length, width = (np.broadcast_to(each, n).repeat(3) for each in (length, width))
        z = mat.transpose(0, 2, 1).reshape(-1, 3)  # x, y, z of the first frame, of the second, ...
        object = np.broadcast_to(np.asarray(object, np.int32), (n, 2)).repeat(3, axis=0)
        centre = pos.repeat(3, axis=0) + 0.5 * length[:, None] * z
        size = np.stack([width, width, 0.5 * length], axis=1)
        colors = np.tile(AXIS_COLORS, (n, 1))
        self.add(ShapeKind.CYLINDER, centre, frames_along(z), size, colors, object=object, layer=layer)

    # ---- what the scene needs ----------------------------------------------------------------------------

    def instances(self) -> np.ndarray:
        """(count, NFIELD) float32 instance rows."""
        decor = self.rows
        rows = np.zeros((self.count, S.NFIELD), np.float32)
        rows[:, S.POS : S.POS + 3] = decor["pos"]
        rows[:, S.ROW0 : S.ROW2 + 4].reshape(-1, 3, 4)[:, :, :3] = decor["mat"]
        rows[:, S.SIZE] = decor["size"]
        rows[:, S.COLOR : S.COLOR + 3] = linear(decor["rgba"][:, :3])
        rows[:, S.COLOR + 3] = decor["rgba"][:, 3]
        rows[:, S.SURFACE] = decor["emission"]
        rows[:, S.SURFACE + 1], rows[:, S.SURFACE + 2] = SPECULAR, EXPONENT
        rows[:, S.CAPSULE_HALF] = decor["half"]
        return rows

    def radii(self) -> np.ndarray:
        """(count,) bounding radii."""
        return np.linalg.norm(self.rows["size"], axis=1) + self.rows["half"]

    def has_levels(self) -> np.ndarray:
        """(count,) bool: shapes that have levels of detail."""
        return HAS_LEVELS[self.rows["shape"]]

    def caster_points(self) -> np.ndarray:
        """(n, 3) points around everything that casts shadows."""
        solid = self.rows[self.rows["solid"]]
        ends = solid["mat"][:, :, 2] * (solid["half"] + solid["size"][:, 0])[:, None]
        return np.concatenate([solid["pos"] - ends, solid["pos"] + ends])


def _sizes(width: float, half: np.ndarray) -> np.ndarray:
    """(n, 3) half-sizes of cylinders or cones with one radius and many half-lengths."""
    return np.stack([np.full(len(half), width), np.full(len(half), width), half], axis=1)
