"""Triangles of the primitive shapes, of meshes, hulls and height fields.

A vertex is nine floats: position, normal, and (u, v, end), where end is -1 or 1 on a capsule's halves.
Primitives are unit shapes that an instance stretches; normals are those of the curved surface, so that few
triangles look smooth.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.scene.scene import SEGMENTS, ShapeKind

RINGS = 20  # of an infinite plane, each half as far as the last
PLANE_SEGMENTS = 24


def _pack(position, normal, texcoord=None, end=None) -> np.ndarray:
    vertices = np.zeros((len(position), 9), np.float32)
    vertices[:, 0:3], vertices[:, 3:6] = position, normal
    if texcoord is not None:
        vertices[:, 6:8] = texcoord
    if end is not None:
        vertices[:, 8] = end
    return vertices


def _grid(rows: int, columns: int) -> np.ndarray:
    """Triangles of a grid of (rows + 1) x (columns + 1) vertices; counter-clockwise if rows go up, columns
    left."""
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    a = (i * (columns + 1) + j).ravel()
    b, c, d = a + 1, a + columns + 1, a + columns + 2
    return np.concatenate([np.stack([a, b, d], 1), np.stack([a, d, c], 1)]).astype(np.uint32)


def sphere(segments: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit sphere."""
    rings = max(segments // 2, 4)
    polar, around = np.meshgrid(
        np.linspace(-np.pi / 2, np.pi / 2, rings + 1), np.linspace(0, 2 * np.pi, segments + 1), indexing="ij"
    )
    position = np.stack([np.cos(polar) * np.cos(around), np.cos(polar) * np.sin(around), np.sin(polar)], 2)
    position = position.reshape(-1, 3)
    return _pack(position, position), _without_empty(position, _grid(rings, segments))


def capsule(segments: int) -> tuple[np.ndarray, np.ndarray]:
    """Unit sphere cut at the equator; the instance moves its halves apart."""
    half = max(segments // 4, 3)
    angles = np.concatenate([np.linspace(-np.pi / 2, 0, half + 1), np.linspace(0, np.pi / 2, half + 1)])
    polar, around = np.meshgrid(angles, np.linspace(0, 2 * np.pi, segments + 1), indexing="ij")
    position = np.stack([np.cos(polar) * np.cos(around), np.cos(polar) * np.sin(around), np.sin(polar)], 2)
    end = np.where(np.arange(2 * half + 2) <= half, -1.0, 1.0)[:, None] * np.ones(segments + 1)
    position, end = position.reshape(-1, 3), end.ravel()
    spread = position + np.array([0, 0, 1.0]) * end[:, None]
    return _pack(position, position, None, end), _without_empty(spread, _grid(2 * half + 1, segments))


def cylinder(segments: int, top: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Cylinder of radius 1 from z = -1 to 1; `top` is the radius above (0: a cone, without a cap there)."""
    around = np.linspace(0, 2 * np.pi, segments + 1)
    ring = np.stack([np.cos(around), np.sin(around), np.zeros_like(around)], 1)
    up = np.array([0, 0, 1.0])
    slope = ring + up * (1.0 - top) * 0.5
    slope /= np.linalg.norm(slope, axis=1, keepdims=True)
    side = _pack(np.concatenate([ring - up, ring * top + up]), np.concatenate([slope, slope]))
    parts, faces, count = [side], [_grid(1, segments)], len(side)
    for z in (-1.0, 1.0) if top > 0 else (-1.0,):
        cap = _pack(np.concatenate([[z * up], ring + z * up]), np.tile(z * up, (segments + 2, 1)))
        j = np.arange(1, segments + 1)
        fan = np.stack([np.zeros_like(j), j, j + 1] if z > 0 else [np.zeros_like(j), j + 1, j], 1)
        parts.append(cap)
        faces.append(fan + count)
        count += len(cap)
    vertices = np.concatenate(parts)
    return vertices, _without_empty(vertices[:, :3], np.concatenate(faces))


def box() -> tuple[np.ndarray, np.ndarray]:
    """Cube -1..1."""
    parts, faces = [], []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            u, v = np.roll(normal, 1) * sign, np.roll(normal, 2)
            corners = np.array([normal - u - v, normal + u - v, normal + u + v, normal - u + v])
            if np.cross(u, v) @ normal < 0:
                corners = corners[::-1]
            faces.append(np.array([[0, 1, 2], [0, 2, 3]]) + 4 * len(parts))
            parts.append(_pack(corners, np.tile(normal, (4, 1))))
    return np.concatenate(parts), np.concatenate(faces).astype(np.uint32)


def plane() -> tuple[np.ndarray, np.ndarray]:
    """Square -1..1, normal +z."""
    corners = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float)
    return _pack(corners, np.tile([0, 0, 1.0], (4, 1))), np.array([[0, 1, 2], [0, 2, 3]], np.uint32)


def infinite_plane() -> tuple[np.ndarray, np.ndarray]:
    """Disc of radius 1 in rings that halve inwards, so that interpolation is precise near the viewer's
    foot."""
    radii = np.concatenate([[0.0], 2.0 ** np.arange(-RINGS, 1)])
    around = np.linspace(0, 2 * np.pi, PLANE_SEGMENTS + 1)
    r, phi = np.meshgrid(radii, around, indexing="ij")
    position = np.stack([r * np.cos(phi), r * np.sin(phi), np.zeros_like(r)], 2).reshape(-1, 3)
    faces = _grid(len(radii) - 1, PLANE_SEGMENTS)[:, ::-1]
    return _pack(position, np.tile([0, 0, 1.0], (len(position), 1))), _without_empty(position, faces)


def box_edges() -> tuple[np.ndarray, np.ndarray]:
    """The twelve edges of the cube as thin bars (width relative to the box)."""
    parts, faces = [], []
    unit, triangles = box()
    width = 0.04
    for axis in range(3):
        for s in (-1, 1):
            for t in (-1, 1):
                scale = np.full(3, width)
                scale[axis] = 1.0 + width
                offset = np.roll(np.array([0.0, s, t]), axis)
                vertices = unit.copy()
                vertices[:, :3] = unit[:, :3] * scale + offset
                faces.append(triangles + len(unit) * len(parts))
                parts.append(vertices)
    return np.concatenate(parts), np.concatenate(faces).astype(np.uint32)


def pyramid() -> tuple[np.ndarray, np.ndarray]:
    """Square base -1..1 at z = 0, tip at z = 1."""
    base = np.array([[-1, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]], float)
    tip = np.array([0, 0, 1.0])
    triangles = [np.array([base[a], base[(a + 1) % 4], tip]) for a in range(4)]
    triangles += [base[[0, 2, 1]], base[[0, 3, 2]]]
    return _flat(np.array(triangles))


def _flat(corners: np.ndarray, texcoord=None) -> tuple[np.ndarray, np.ndarray]:
    """Separate triangles (n, 3, 3) with their own normals."""
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-30)
    count = 3 * len(corners)
    return (
        _pack(corners.reshape(-1, 3), np.repeat(normal, 3, axis=0), texcoord),
        np.arange(count, dtype=np.uint32).reshape(-1, 3),
    )


def _without_empty(position: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Triangles that have an area."""
    a, b, c = (position[faces[:, k]] for k in range(3))
    return faces[np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-14].astype(np.uint32)


def mesh(model, index: int) -> tuple[np.ndarray, np.ndarray]:
    """A mesh asset: vertices joined where position, normal and texture coordinate agree."""
    v0, vn = int(model.mesh_vertadr[index]), int(model.mesh_vertnum[index])
    f0, fn = int(model.mesh_faceadr[index]), int(model.mesh_facenum[index])
    n0, nn = int(model.mesh_normaladr[index]), int(model.mesh_normalnum[index])
    positions = np.asarray(model.mesh_vert[v0 : v0 + vn], float)
    normals = np.asarray(model.mesh_normal[n0 : n0 + nn], float)
    corner = np.asarray(model.mesh_face[f0 : f0 + fn]).reshape(-1)
    normal = np.asarray(model.mesh_facenormal[f0 : f0 + fn]).reshape(-1)
    t0 = int(model.mesh_texcoordadr[index])
    texcoord = None
    columns = [corner, normal]
    if t0 >= 0:
        texcoords = np.asarray(model.mesh_texcoord[t0 : t0 + int(model.mesh_texcoordnum[index])], float)
        columns.append(np.asarray(model.mesh_facetexcoord[f0 : f0 + fn]).reshape(-1))
    keys = np.stack(columns, 1)
    unique, inverse = np.unique(keys, axis=0, return_inverse=True)
    if t0 >= 0:
        texcoord = texcoords[unique[:, 2]]
    shading = normals[unique[:, 1]]
    if t0 < 0:
        return _crease(positions, normals, corner, normal, unique, inverse)
    return _pack(positions[unique[:, 0]], shading, texcoord), inverse.reshape(-1, 3).astype(np.uint32)


def is_closed(model, index: int) -> bool:
    """Whether each edge of a mesh's triangles has as many triangles on one side as on the other, joined where positions
    agree."""
    f0, fn = int(model.mesh_faceadr[index]), int(model.mesh_facenum[index])
    vertices = _part(model, "mesh_vert", index, "mesh_vertadr", "mesh_vertnum")
    places = np.unique(np.asarray(vertices, np.float32), axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
    faces = places[np.asarray(model.mesh_face[f0 : f0 + fn])]
    start, end = faces.reshape(-1), np.roll(faces, -1, axis=1).reshape(-1)
    keys, sides = np.minimum(start, end) * len(vertices) + np.maximum(start, end), np.sign(end - start)
    _, edges = np.unique(keys, return_inverse=True)
    return fn > 0 and not np.bincount(edges.reshape(-1), sides).any()


CREASE = 0.8  # cosine between a face and a vertex normal below which the face's own is used


def _crease(positions, normals, corner, normal, unique, inverse) -> tuple[np.ndarray, np.ndarray]:
    """Without texture coordinates, corners whose normal strays from the face's get the face's (as MuJoCo
    draws them)."""
    triangles = positions[corner].reshape(-1, 3, 3)
    face = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    face /= np.maximum(np.linalg.norm(face, axis=1, keepdims=True), 1e-30)
    face = np.repeat(face, 3, axis=0)
    stray = np.einsum("ij,ij->i", normals[normal], face) < CREASE
    if not stray.any():
        return _pack(positions[unique[:, 0]], normals[unique[:, 1]]), inverse.reshape(-1, 3).astype(np.uint32)
    shading = np.where(stray[:, None], face, normals[normal])
    rows = np.concatenate([corner[:, None].astype(float), np.round(shading, 5)], axis=1)
    unique, inverse = np.unique(rows, axis=0, return_inverse=True)
    return _pack(positions[unique[:, 0].astype(int)], unique[:, 1:]), inverse.reshape(-1, 3).astype(np.uint32)


def hull(model, index: int) -> tuple[np.ndarray, np.ndarray]:
    """The convex hull of a mesh, flat. mesh_graph holds: numvert, numface, edge addresses, vertex ids, edges,
    faces."""
    start = int(model.mesh_graphadr[index])
    numvert, numface = int(model.mesh_graph[start]), int(model.mesh_graph[start + 1])
    faces_at = start + 2 + 3 * numvert + 3 * numface
    faces = np.asarray(model.mesh_graph[faces_at : faces_at + 3 * numface]).reshape(-1, 3)
    v0 = int(model.mesh_vertadr[index])
    positions = np.asarray(model.mesh_vert[v0 : v0 + int(model.mesh_vertnum[index])], float)
    return _flat(positions[faces])


def hfield(model, index: int) -> tuple[np.ndarray, np.ndarray]:
    """A height field: smooth on top, skirts down to its base."""
    sx, sy, top, base = (float(value) for value in model.hfield_size[index])
    nrow, ncol = int(model.hfield_nrow[index]), int(model.hfield_ncol[index])
    start = int(model.hfield_adr[index])
    z = np.asarray(model.hfield_data[start : start + nrow * ncol], float).reshape(nrow, ncol) * top
    xs, ys = np.linspace(-sx, sx, ncol), np.linspace(-sy, sy, nrow)
    x, y = np.meshgrid(xs, ys)
    dz_dy, dz_dx = np.gradient(z, ys, xs) if nrow > 1 and ncol > 1 else (0 * z, 0 * z)
    normal = np.stack([-dz_dx, -dz_dy, np.ones_like(z)], 2)
    normal /= np.linalg.norm(normal, axis=2, keepdims=True)
    surface = np.stack([x, y, z], 2)
    parts = [_pack(surface.reshape(-1, 3), normal.reshape(-1, 3))]
    faces = [_grid(nrow - 1, ncol - 1)]
    count = nrow * ncol
    edges = (
        (surface[0], (0, -1, 0), False),
        (surface[-1], (0, 1, 0), True),
        (surface[:, 0], (-1, 0, 0), True),
        (surface[:, -1], (1, 0, 0), False),
    )
    for edge, direction, flip in edges:
        foot = edge.copy()
        foot[:, 2] = -base
        skirt = _pack(np.concatenate([foot, edge]), np.tile(direction, (2 * len(edge), 1)))
        triangles = _grid(1, len(edge) - 1)
        faces.append((triangles[:, ::-1] if flip else triangles) + count)
        parts.append(skirt)
        count += len(skirt)
    bottom = _pack(
        np.array([[-sx, -sy, -base], [sx, -sy, -base], [sx, sy, -base], [-sx, sy, -base]]),
        np.tile([0, 0, -1.0], (4, 1)),
    )
    parts.append(bottom)
    faces.append(np.array([[0, 2, 1], [0, 3, 2]]) + count)
    return np.concatenate(parts), np.concatenate(faces).astype(np.uint32)


def sources(model, kind: ShapeKind, asset: int) -> list[np.ndarray]:
    """The parts of a model that `triangles` makes a shape of: equal parts give equal shapes. Raises IndexError if the
    model has no such asset."""
    if kind in (ShapeKind.MESH, ShapeKind.HULL):
        vertices = _part(model, "mesh_vert", asset, "mesh_vertadr", "mesh_vertnum")
        if kind is ShapeKind.HULL:
            start = int(model.mesh_graphadr[asset])
            if start < 0:
                return [vertices]
            numvert, numface = model.mesh_graph[start : start + 2].tolist()
            return [vertices, model.mesh_graph[start : start + 2 + 3 * numvert + 6 * numface]]
        faces = ("mesh_face", "mesh_facenormal", "mesh_facetexcoord")
        return [
            vertices,
            _part(model, "mesh_normal", asset, "mesh_normaladr", "mesh_normalnum"),
            _part(model, "mesh_texcoord", asset, "mesh_texcoordadr", "mesh_texcoordnum"),
            *(_part(model, name, asset, "mesh_faceadr", "mesh_facenum") for name in faces),
            model.mesh_texcoordadr[asset : asset + 1] < 0,
        ]
    if kind is ShapeKind.HFIELD:
        nrow, ncol = int(model.hfield_nrow[asset]), int(model.hfield_ncol[asset])
        start = int(model.hfield_adr[asset])
        heights = model.hfield_data[start : start + nrow * ncol].reshape(nrow, ncol)
        return [model.hfield_size[asset], heights]
    return []


def _part(model, name: str, asset: int, address: str, count: str) -> np.ndarray:
    """The rows of an array that belong to one asset; none where the address is negative."""
    start, number = int(getattr(model, address)[asset]), int(getattr(model, count)[asset])
    return getattr(model, name)[start : start + number] if start >= 0 else getattr(model, name)[:0]


def triangles(model, kind: ShapeKind, asset: int, lod: int) -> tuple[np.ndarray, np.ndarray]:
    """Vertices (n, 9) float32 and faces (m, 3) uint32 of a shape."""
    segments = SEGMENTS[lod]
    makers = {
        ShapeKind.PLANE: plane,
        ShapeKind.INFINITE: infinite_plane,
        ShapeKind.SPHERE: lambda: sphere(segments),
        ShapeKind.CAPSULE: lambda: capsule(segments),
        ShapeKind.CYLINDER: lambda: cylinder(segments),
        ShapeKind.BOX: box,
        ShapeKind.CONE: lambda: cylinder(segments, 0.0),
        ShapeKind.MESH: lambda: mesh(model, asset),
        ShapeKind.HULL: lambda: hull(model, asset),
        ShapeKind.HFIELD: lambda: hfield(model, asset),
        ShapeKind.LINES_BOX: box_edges,
        ShapeKind.PYRAMID: pyramid,
    }
    return makers[kind]()
