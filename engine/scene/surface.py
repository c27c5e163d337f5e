"""Meshes whose vertices move: the shells and faces of flexes, and skins.

What never changes (triangles, texture coordinates, which vertex is which) is found once; `follow` then brings
positions and normals up to date from the state with a few operations on whole arrays, and does nothing where
nothing moved.

Sources: XML reference, "deformable/flex" (radius, flatskin) and "deformable/skin". Where these say nothing,
as the reference draws it: a flex's vertex normals are means of its faces' unit normals, a skin's are weighted
by area.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np

from engine.scene.rotation import quat_mat

SIDES = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
"""Faces of a tetrahedron, seen from outside."""
TINY = 1e-30


class Surface(ABC):
    """A mesh whose vertices move.

    vertices  (n, 9) float32: position relative to `centre`, normal, texture coordinate u, v, 0
    faces     (m, 3) uint32, fixed
    centre    (3,) where its instance is
    low, high (3,) world bounds
    serial    counts the changes of `vertices`
    centred   whether `centre` follows the mesh, which keeps precision far from the origin
    """

    centred = True

    def __init__(self, faces: np.ndarray, texcoord: np.ndarray | None, count: int):
        self.faces = np.ascontiguousarray(faces, np.uint32).reshape(-1, 3)
        self.vertices = np.zeros((count, 9), np.float32)
        if texcoord is not None:
            self.vertices[:, 6:8] = texcoord
        self.centre = np.zeros(3)
        self.low = self.high = np.zeros(3)
        self.serial = 0
        self._pose: np.ndarray | None = None

    def follow(self, state) -> None:
        """Bring the vertices up to date with a state."""
        pose = self.pose(state)
        if self._pose is not None and np.array_equal(pose, self._pose):
            return
        self._pose = pose.copy()
        position, normal = self.shape(pose)
        if len(position):
            self.low, self.high = position.min(axis=0), position.max(axis=0)
        if self.centred:
            self.centre = 0.5 * (self.low + self.high)
        self.vertices[:, 0:3] = position - self.centre
        self.vertices[:, 3:6] = normal
        self.serial += 1

    @property
    def radius(self) -> float:
        """Of a sphere around `centre` that holds all vertices."""
        return float(np.linalg.norm(np.maximum(self.high - self.centre, self.centre - self.low)))

    def triangles(self) -> np.ndarray:
        """(m, 3, 3) corners in the world."""
        return self.vertices[:, :3].astype(float)[self.faces] + self.centre

    def nearest(self, face: int, point: np.ndarray) -> int:
        """The vertex of a face that is nearest to a point."""
        corners = self.faces[face]
        away = self.vertices[corners, :3] + self.centre - point
        return int(corners[np.argmin(np.einsum("ij,ij->i", away, away))])

    @abstractmethod
    def body_at(self, model, state, face: int, point: np.ndarray) -> int:
        """The body that moves the mesh at a point on a face."""

    @abstractmethod
    def pose(self, state) -> np.ndarray:
        """What the vertices depend on."""

    @abstractmethod
    def shape(self, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Positions and normals of all vertices, (n, 3) each, in the world."""


def normals(position: np.ndarray, faces: np.ndarray, unit: bool) -> np.ndarray:
    """(n, 3) unit normals of vertices: means of their faces' unit normals, or of the faces' normals times
    their areas."""
    normal = _cross(position, faces)
    if unit:
        normal = _unit(normal)
    return _unit(_gather(np.repeat(normal, 3, axis=0), faces.ravel(), len(position)))


def _cross(position: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """(m, 3) normals of faces, as long as twice their areas."""
    a, b, c = position[faces[:, 0]], position[faces[:, 1]], position[faces[:, 2]]
    return _product(b - a, c - a)


def _product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Cross products of rows (numpy's own takes thrice the time)."""
    result = np.empty_like(a)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        result[:, i] = a[:, j] * b[:, k] - a[:, k] * b[:, j]
    return result


def _unit(vectors: np.ndarray) -> np.ndarray:
    length = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    return vectors / np.maximum(length, TINY)[:, None]


def _gather(rows: np.ndarray, index: np.ndarray, count: int) -> np.ndarray:
    """(count, 3) sums of the rows with the same index."""
    return np.stack([np.bincount(index, rows[:, k], count) for k in range(3)], axis=1)


def _joined(vertex: np.ndarray, texcoord: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """Corners with the same vertex and texture coordinate become one: their vertices, coordinates, and who is
    whose."""
    keys = vertex[:, None] if texcoord is None else np.stack([vertex, texcoord], axis=1)
    unique, inverse = np.unique(keys, axis=0, return_inverse=True)
    return unique[:, 0], None if texcoord is None else unique[:, 1], inverse.reshape(-1)


class FlexSurface(Surface):
    """A flex of triangles or tetrahedra: its shell at the distance `radius` (`skin`), or all its faces one by
    one."""

    def __init__(self, model, flex: int, skin: bool, layer: int = 0):
        dim = int(model.flex_dim[flex])
        self._flex = flex
        self._first, self._count = int(model.flex_vertadr[flex]), int(model.flex_vertnum[flex])
        self._radius = float(model.flex_radius[flex])
        self._skin = skin
        start, count = int(model.flex_elemdataadr[flex]), int(model.flex_elemnum[flex])
        size = (dim + 1) * count
        elements = np.asarray(model.flex_elem[start : start + size]).astype(np.int64).reshape(-1, dim + 1)
        start, count = int(model.flex_shelldataadr[flex]), dim * int(model.flex_shellnum[flex])
        shell = np.asarray(model.flex_shell[start : start + count]).astype(np.int64).reshape(-1, dim)
        texcoords = texcoord = None  # coordinates, and which one each corner of `front` has
        start = int(model.flex_texcoordadr[flex])
        if dim == 2:
            front = elements
        elif skin:
            front = shell
        else:
            depth = np.asarray(model.flex_elemlayer[int(model.flex_elemadr[flex]) :][: len(elements)])
            front = elements[depth == layer][:, SIDES].reshape(-1, 3)
        if start >= 0:
            texcoords = np.asarray(model.flex_texcoord[start:], float)
            if dim == 2:
                first = int(model.flex_elemdataadr[flex])
                texcoord = np.asarray(model.flex_elemtexcoord[first : first + size]).astype(np.int64)
            else:
                texcoord = front.ravel()
            texcoord = np.minimum(texcoord, len(texcoords) - 1)
        self._front = front
        smooth = skin and not bool(model.flex_flatskin[flex])
        # vertices: the smooth ones, then three for each flat face
        vertex, sign, coordinate, faces = [], [], [], []

        def add(which, side, where, corners) -> None:
            faces.append(corners.reshape(-1, 3) + sum(len(part) for part in vertex))
            vertex.append(which)
            sign.append(np.full(len(which), side) if np.ndim(side) == 0 else side)
            coordinate.append(where)

        back = np.array([0, 2, 1])
        self._smooth = self._smooth_faces = 0
        if smooth:
            which, where, corner = _joined(front.ravel(), texcoord)
            corner = corner.reshape(-1, 3)
            add(which, 1.0, where, corner)
            if dim == 2:
                add(which, -1.0, where, corner[:, back])
            self._smooth, self._smooth_faces = (sum(map(len, parts)) for parts in (vertex, faces))
        else:
            along = np.arange(front.size)
            add(front.ravel(), 1.0, texcoord, along)
            if dim == 2:
                turned = along.reshape(-1, 3)[:, back].ravel()
                add(front.ravel()[turned], -1.0, None if texcoord is None else texcoord[turned], along)
        self._rim, self._rim_faces = (sum(map(len, parts)) for parts in (vertex, faces))
        if dim == 2 and skin:  # the rim
            which = shell[:, [0, 1, 1, 1, 0, 0]].ravel()
            where = None
            if texcoord is not None:
                of = np.zeros(self._count, np.int64)
                of[front.ravel()[::-1]] = texcoord[::-1]
                where = of[which]
            side = np.tile([1.0, -1.0, 1.0, -1.0, 1.0, -1.0], len(shell))
            add(which, side, where, np.arange(len(which)))
        self._vertex, self._sign = np.concatenate(vertex), np.concatenate(sign)[:, None]
        given = None if texcoords is None else texcoords[np.concatenate(coordinate)]
        super().__init__(np.concatenate(faces), given, len(self._vertex))

    def body_at(self, model, state, face: int, point: np.ndarray) -> int:
        """The body that carries the vertex of a face that is nearest to a point."""
        vertex = int(self._vertex[self.nearest(face, point)])
        return flex_body(model, state, self._flex, self._first + vertex, point)

    def pose(self, state) -> np.ndarray:
        """(nvert, 3) the flex's vertices."""
        return np.asarray(state.flexvert_xpos, float).reshape(-1, 3)[self._first : self._first + self._count]

    def shape(self, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Surface."""
        if not self._skin:
            normal = np.repeat(_unit(_cross(pose[self._vertex], self.faces)), 3, axis=0)
            return pose[self._vertex] + self._radius * normal, normal
        normal = normals(pose, self._front, unit=True)[self._vertex] * self._sign
        position = pose[self._vertex] + self._radius * normal
        if self._smooth < self._rim:
            faces = self.faces[self._smooth_faces : self._rim_faces]
            normal[self._smooth : self._rim] = np.repeat(_unit(_cross(pose[self._vertex], faces)), 3, axis=0)
        if self._rim < len(position):
            faces = self.faces[self._rim_faces :]
            normal[self._rim :] = np.repeat(_unit(_cross(position, faces)), 3, axis=0)
        return position, normal


class SkinSurface(Surface):
    """A skin, bent by its bones."""

    def __init__(self, model, skin: int):
        first, count = int(model.skin_vertadr[skin]), int(model.skin_vertnum[skin])
        start, number = int(model.skin_faceadr[skin]), int(model.skin_facenum[skin])
        faces = np.asarray(model.skin_face[start : start + number]).astype(np.int64)
        start = int(model.skin_texcoordadr[skin])
        texcoord = None if start < 0 else np.asarray(model.skin_texcoord[start : start + count], float)
        super().__init__(faces, texcoord, count)
        self._triangles = faces
        self._inflate = float(model.skin_inflate[skin])
        start, number = int(model.skin_boneadr[skin]), int(model.skin_bonenum[skin])
        bones = np.arange(start, start + number)
        self._bodies = np.asarray(model.skin_bonebodyid).astype(int)[bones]
        lengths = np.asarray(model.skin_bonevertnum).astype(int)[bones]
        entries = int(model.skin_bonevertadr[start]) + np.arange(lengths.sum())
        self._vertex = np.asarray(model.skin_bonevertid)[entries].astype(np.int64)
        self._bone = np.repeat(np.arange(number), lengths)
        self._weight = np.asarray(model.skin_bonevertweight, float)[entries]
        bind = np.array([quat_mat(quat) for quat in np.asarray(model.skin_bonebindquat, float)[bones]])
        position = np.asarray(model.skin_vert, float)[first + self._vertex]
        position -= np.asarray(model.skin_bonebindpos, float)[bones][self._bone]
        local = np.einsum("eji,ej->ei", bind[self._bone], position)  # in the bone
        self._weighted = np.concatenate([local, np.ones((len(local), 1))], axis=1) * self._weight[:, None]

    def body_at(self, model, state, face: int, point: np.ndarray) -> int:
        """The body with the most weight at the vertex of a face that is nearest to a point."""
        entries = np.flatnonzero(self._vertex == self.nearest(face, point))
        return int(self._bodies[self._bone[entries[np.argmax(self._weight[entries])]]])

    def pose(self, state) -> np.ndarray:
        """(nbone, 3, 4) orientations and positions of the bones."""
        mats = np.asarray(state.xmat, float).reshape(-1, 3, 3)[self._bodies]
        return np.concatenate([mats, np.asarray(state.xpos, float)[self._bodies][:, :, None]], axis=2)

    def shape(self, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """See Surface."""
        parts = np.einsum("eij,ej->ei", pose[self._bone], self._weighted)
        position = _gather(parts, self._vertex, len(self.vertices))
        normal = normals(position, self._triangles, unit=False)
        if self._inflate:
            position += self._inflate * normal
        return position, normal


def flex_body(model, state, flex: int, vertex: int, point: np.ndarray) -> int:
    """The body that carries a vertex of a flex; of an interpolated one the nearest node's."""
    if int(model.flex_interp[flex]) == 0:
        return int(model.flex_vertbodyid[vertex])
    first = int(model.flex_nodeadr[flex])
    nodes = slice(first, first + int(model.flex_nodenum[flex]))
    bodies = np.asarray(model.flex_nodebodyid).astype(int)[nodes]
    local = np.asarray(model.flex_node, float).reshape(-1, 3)[nodes]  # of pinned nodes not zero
    turned = np.einsum("nij,nj->ni", np.asarray(state.xmat, float).reshape(-1, 3, 3)[bodies], local)
    away = np.asarray(state.xpos, float)[bodies] + turned - point
    return int(bodies[np.argmin(np.einsum("ij,ij->i", away, away))])
