"""Which meshes of a compiled model are their own mirror image: they need no mirrored copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.geometry.orientation import matrix, unit

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

TOLERANCE = 1e-5
"""Distance, as a part of the size of the mesh, below which two vertices are the same: they are float32 numbers."""


def symmetric_meshes(model: Model, axis: str) -> set[str]:
    """The names of the meshes whose vertices are the same after a mirroring across an axis ("x", "y", "z") of the
    frame of their file."""
    sign = np.where(np.arange(3) == "xyz".index(axis), -1.0, 1.0)
    found = set()
    for i, name in enumerate(model.names["mesh"]):
        first, count = int(model.mesh_vertadr[i]), int(model.mesh_vertnum[i])
        turn = np.array(matrix(unit(model.mesh_quat[i].tolist())))
        vertices = model.mesh_vert[first : first + count].astype(float) @ turn.T + model.mesh_pos[i]
        if _same(vertices, vertices * sign):
            found.add(name)
    return found


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two sets of points are the same."""
    from scipy.spatial import KDTree

    near = TOLERANCE * float(np.ptp(one, axis=0).max(initial=0.0))
    return bool((KDTree(one).query(other)[0] <= near).all())
