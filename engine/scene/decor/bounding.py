"""Bounding volumes: boxes around geoms and bodies, the boxes of the trees of meshes, and those of elements of flexes.

What touches something now has another colour.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.scene.decor.look import Look, matrices, objects, vectors
from kinetree.engine.scene.decor.rows import IDENTITY, Decor

SIGNS = np.array(np.meshgrid((-1, 1), (-1, 1), (-1, 1))).T.reshape(8, 3)
LEVEL = 4  # of the tree of a mesh: 16 boxes
LINE = 1.0  # radius of an edge, pixels of the screen's scaling
EDGES = np.array([(a, b) for a in range(8) for b in range(a + 1, 8) if np.abs(SIGNS[a] - SIGNS[b]).sum() == 2])
"""Of a box: pairs of corners in SIGNS."""


def bodies(decor: Decor, look: Look) -> None:
    """Draw the box of each geom, and for a body with several geoms the box around them in the body's inertial frame."""
    model, state = look.model, look.state
    kinds = np.asarray(model.geom_type).astype(int)
    ids = look.shown("geom", model.geom_group)
    ids = ids[kinds[ids] != enums.GEOM_PLANE]
    if not len(ids):
        return
    box = np.asarray(model.geom_aabb, float).reshape(-1, 6)[ids]
    mat = matrices(state.geom_xmat)[ids]
    centre = vectors(state.geom_xpos)[ids] + np.einsum("nij,nj->ni", mat, box[:, :3])
    touching = _touching(look)[ids]
    _boxes(decor, look, centre, mat, box[:, 3:], _colors(look, touching), objects(enums.OBJ_GEOM, ids))
    owner = np.asarray(model.geom_bodyid).astype(int)[ids]
    order = np.argsort(owner, kind="stable")
    owners, first, count = np.unique(owner[order], return_index=True, return_counts=True)
    corners = centre[:, None] + np.einsum("nij,nkj->nki", mat, SIGNS * box[:, None, 3:])
    frames, places = matrices(state.ximat), vectors(state.xipos)
    local = np.einsum("nkj,nji->nki", corners - places[owner][:, None], frames[owner])[order]
    low, high = np.minimum.reduceat(local.min(1), first), np.maximum.reduceat(local.max(1), first)
    several = (count > 1) & (owners > 0)
    owners, low, high = owners[several], low[several], high[several]
    middle = places[owners] + np.einsum("nij,nj->ni", frames[owners], 0.5 * (low + high))
    active = np.maximum.reduceat(touching[order], first)[several]
    half = 0.5 * (high - low)
    _boxes(decor, look, middle, frames[owners], half, _colors(look, active), objects(enums.OBJ_BODY, owners))


def meshes(decor: Decor, look: Look) -> None:
    """Draw for each geom with a mesh the boxes of one level of the tree around its triangles."""
    model, state = look.model, look.state
    if not hasattr(model, "mesh_boxadr"):  # another program's model
        return
    kinds = np.asarray(model.geom_type).astype(int)
    ids = look.shown("geom", model.geom_group)
    touching = _touching(look)
    for geom in ids[np.isin(kinds[ids], (enums.GEOM_MESH, enums.GEOM_SDF))].tolist():
        mesh = int(model.geom_dataid[geom])
        level = min(LEVEL, int(model.mesh_boxdepth[mesh]))
        first = int(model.mesh_boxadr[mesh]) + (1 << level) - 1
        box = np.asarray(model.mesh_box[first : first + (1 << level)], float)
        box = box[(box[:, 3:] >= box[:, :3]).all(axis=1)]  # leaves may be empty
        mat = matrices(state.geom_xmat)[geom]
        centre = vectors(state.geom_xpos)[geom] + 0.5 * (box[:, :3] + box[:, 3:]) @ mat.T
        half = 0.5 * (box[:, 3:] - box[:, :3])
        _boxes(decor, look, centre, mat, half, _colors(look, touching[[geom]]), objects(enums.OBJ_GEOM, geom))


def flexes(decor: Decor, look: Look) -> None:
    """Draw the boxes around the elements of flexes, with their radius."""
    model, state = look.model, look.state
    if not model.nflex:
        return
    vertices = vectors(state.flexvert_xpos)
    for flex in look.shown("flex", model.flex_group).tolist():
        corners, count = int(model.flex_dim[flex]) + 1, int(model.flex_elemnum[flex])
        first = int(model.flex_elemdataadr[flex])
        element = np.asarray(model.flex_elem[first : first + corners * count]).reshape(count, corners)
        points = vertices[int(model.flex_vertadr[flex]) + element]
        low, high = points.min(axis=1), points.max(axis=1)
        half = 0.5 * (high - low) + float(model.flex_radius[flex])
        _boxes(decor, look, 0.5 * (low + high), IDENTITY, half, look.color("bv"), objects(enums.OBJ_FLEX, flex))


def _boxes(decor: Decor, look: Look, centre, mat, half, rgba, object) -> None:
    """Draw edges of boxes: centres (n, 3), axes (n, 3, 3) or (3, 3), half sizes (n, 3), as wide everywhere on the
    screen."""
    count = len(centre)
    mat = np.broadcast_to(mat, (count, 3, 3))
    corners = centre[:, None] + np.einsum("nij,nkj->nki", mat, SIGNS * half[:, None])
    edges = len(EDGES)
    decor.capsules(
        corners[:, EDGES[:, 0]].reshape(-1, 3),
        corners[:, EDGES[:, 1]].reshape(-1, 3),
        look.pixels(centre, LINE).repeat(edges),
        np.broadcast_to(rgba, (count, 4)).repeat(edges, 0) * [1.0, 1.0, 1.0, 2.0],
        object=np.broadcast_to(object, (count, 2)).repeat(edges, 0),
        emission=1.0,
    )


def _touching(look: Look) -> np.ndarray:
    """(ngeom,) bool: geoms with a contact."""
    result = np.zeros(int(look.model.ngeom), bool)
    geoms = np.asarray(look.state.contact.geom).reshape(-1, 2)[: int(look.state.ncon)].astype(int)
    result[geoms[geoms >= 0]] = True
    return result


def _colors(look: Look, active: np.ndarray) -> np.ndarray:
    """(n, 4) colours of volumes; touching ones are highlighted."""
    return np.where(np.asarray(active, bool)[:, None], look.color("bvactive"), look.color("bv"))
