"""Bounding volume hierarchies of meshes: complete binary trees of boxes, which rays descend.

The triangles are ordered along a space-filling curve (Morton 1966) of their centres, and a leaf holds a few
consecutive ones: leaf i of n triangles in a tree of depth d holds those from (i n >> d) to ((i + 1) n >> d) of
mesh_boxface. Everything is computed on whole arrays, so that a large mesh costs little.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kinetree.engine.model.model import Model

LEAF = 4
"""Most triangles of a leaf."""
_BITS = 21
"""Bits of the curve for each coordinate."""


def depth(faces: int) -> int:
    """Depth of the tree of a mesh with this many triangles."""
    return max(0, -(-faces // LEAF) - 1).bit_length()


Boxes = tuple[np.ndarray, np.ndarray]
"""The triangles of a mesh in the order of the leaves (m,), and the boxes (2^(depth + 1) - 1, 6), root first."""


def fill(model: Model, boxes: Sequence[Boxes] | None = None) -> None:
    """Set mesh_boxadr, mesh_boxdepth, mesh_box and mesh_boxface. `boxes`: of each mesh, where they are known."""
    if not model.nmesh:
        return
    depths = [depth(int(number)) for number in model.mesh_facenum]
    counts = [2 ** (d + 1) - 1 for d in depths]
    model.resize("nmeshbox", sum(counts))
    model.mesh_boxdepth = depths
    model.mesh_boxadr = np.cumsum([0, *counts[:-1]])
    for i, (adr, count) in enumerate(zip(model.mesh_boxadr.tolist(), counts, strict=True)):
        rows = slice(model.mesh_faceadr[i], model.mesh_faceadr[i] + model.mesh_facenum[i])
        if boxes is None:
            vert = model.mesh_vert[model.mesh_vertadr[i] : model.mesh_vertadr[i] + model.mesh_vertnum[i]]
            found = boxes_of(vert, model.mesh_face[rows])
        else:
            found = boxes[i]
        model.mesh_boxface[rows], model.mesh_box[adr : adr + count] = found


def boxes_of(vert: np.ndarray, face: np.ndarray) -> Boxes:
    """The tree of boxes around triangles; vert (n, 3) in single precision, face (m, 3)."""
    if not len(face):
        return np.zeros(0, np.int32), np.zeros((1, 6), np.float32)
    a, b, c = (vert[face[:, k]] for k in range(3))
    low, high = np.minimum(np.minimum(a, b), c), np.maximum(np.maximum(a, b), c)
    order = np.argsort(_morton(low + high), kind="stable")
    levels = depth(len(face))
    starts = np.arange(2**levels, dtype=np.int64) * len(face) >> levels
    boxes = np.empty((2 ** (levels + 1) - 1, 6), np.float32)
    level = np.concatenate([np.minimum.reduceat(low[order], starts), np.maximum.reduceat(high[order], starts)], 1)
    while True:
        boxes[len(level) - 1 : 2 * len(level) - 1] = level
        if len(level) == 1:
            return order, boxes
        one, other = level[::2], level[1::2]
        level = np.concatenate([np.minimum(one[:, :3], other[:, :3]), np.maximum(one[:, 3:], other[:, 3:])], 1)


def _morton(centre: np.ndarray) -> np.ndarray:
    """Places of points on the curve: the bits of their coordinates, interleaved."""
    low = centre.min(0).astype(float)
    size = float((centre.max(0) - low).max())
    scaled = ((centre - low) * ((2**_BITS - 1) / size if size > 0 else 0.0)).astype(np.uint64)
    for shift, mask in (
        (32, 0x1F00000000FFFF), (16, 0x1F0000FF0000FF), (8, 0x100F00F00F00F00F), (4, 0x10C30C30C30C30C3),
        (2, 0x1249249249249249),
    ):  # fmt: skip
        scaled = (scaled | scaled << np.uint64(shift)) & np.uint64(mask)
    return scaled[:, 0] | scaled[:, 1] << np.uint64(1) | scaled[:, 2] << np.uint64(2)
