"""Meshes whose vertices move: the shells and faces of flexes, and skins.

What never changes (triangles, texture coordinates, which vertex is which) is found once; `follow` then brings
positions and normals up to date from the state with a few operations on whole arrays, and does nothing where
nothing moved.

Sources: XML reference, "deformable/flex" (radius, flatskin) and "deformable/skin". Where these say nothing,
as the reference draws it: a flex's vertex normals are means of its faces' unit normals, a skin's are weighted
by area.
"""

from __future__ import annotations

import itertools
from abc import ABC, abstractmethod

import numpy as np

from kinetree.engine.scene.rotation import quat_mat

SIDES = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 1], [1, 3, 2]])
"""Faces of a tetrahedron, seen from outside."""
TINY = 1e-30
_SERIALS = itertools.count(1)


class MovingSurface(ABC):
    """A mesh whose vertices move.

    vertices  (n, 9) float32: position relative to `centre`, normal, texture coordinate u, v, 0
    faces     (m, 3) uint32, fixed
    centre    (3,) where its instance is
    low, high (3,) world bounds
    serial    another number after each change of `vertices`, and never that of another surface
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
        self._point = np.arange(count)  # column of each vertex in the result of `shape`

    def follow(self, state) -> None:
        """Bring the vertices up to date with a state."""
        pose = self.pose(state)
        if self._pose is not None and np.array_equal(pose, self._pose):
            return
        self._pose = pose  # a copy: both kinds gather it
        points = self.shape(pose)
        if points.shape[1]:
            self.low, self.high = points.min(axis=1), points.max(axis=1)
        if self.centred:
            self.centre = 0.5 * (self.low + self.high)
        local = (points - self.centre[:, None]).astype(np.float32)
        self.vertices[:, 0:3] = local.take(self._point, axis=1).T
        self.serial = next(_SERIALS)

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
        """The state that the vertices depend on."""

    @abstractmethod
    def shape(self, pose: np.ndarray) -> np.ndarray:
        """(3, n) the points in the world at which the vertices are. Writes the normals into `vertices`."""


class Triangles:
    """Normals of fixed triangles between points that move; points and normals are columns, which numpy is fastest with.

    faces   (m, 3) points of each triangle
    count   number of points
    """

    def __init__(self, faces: np.ndarray, count: int):
        from scipy.sparse import csr_matrix  # for few models

        self.corners = [np.ascontiguousarray(faces[:, k]) for k in range(3)]
        m = len(faces)
        self._touching = csr_matrix((np.ones(3 * m), (faces.ravel(), np.repeat(np.arange(m), 3))), (count, m))

    def normals(self, points: np.ndarray, unit: bool) -> np.ndarray:
        """Normals (3, m) of the triangles, of length 1 or of twice their areas; `points` (3, count)."""
        a, b, c = (points.take(corner, axis=1) for corner in self.corners)
        (x, y, z), (u, v, w) = b - a, c - a
        normal = np.stack([y * w - z * v, z * u - x * w, x * v - y * u])
        return _unit(normal) if unit else normal

    def smooth(self, normals: np.ndarray) -> np.ndarray:
        """(3, count) unit normals of the points: means of `normals` (3, m) of the triangles round them."""
        return _unit(np.stack([self._touching @ row for row in normals]))


def _unit(vectors: np.ndarray) -> np.ndarray:
    """Columns of length 1."""
    x, y, z = vectors
    return vectors / np.maximum(np.sqrt(x * x + y * y + z * z), TINY)


def _joined(vertex: np.ndarray, texcoord: np.ndarray | None) -> tuple[np.ndarray, np.ndarray | None, np.ndarray]:
    """Corners with the same vertex and texture coordinate become one: their vertices, coordinates, and who is
    whose."""
    if texcoord is None:
        unique, inverse = _different(vertex)
        return unique, None, inverse
    room = int(texcoord.max(initial=0)) + 1
    unique, inverse = np.unique(vertex * room + texcoord, return_inverse=True)
    return unique // room, unique % room, inverse.reshape(-1)


def _different(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The different ones of small numbers from 0 on, in order, and which of them each is, without a search."""
    there = np.zeros(int(numbers.max(initial=-1)) + 1, bool)
    there[numbers] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[numbers]


class FlexSurface(MovingSurface):
    """A flex of triangles or tetrahedra: its shell at the distance `radius` (`skin`), or all its faces one by
    one."""

    def __init__(self, model, flex: int, skin: bool, layer: int = 0):
        dim = int(model.flex_dim[flex])
        self._flex = flex
        self._first = int(model.flex_vertadr[flex])
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
                of = np.zeros(int(model.flex_vertnum[flex]), np.int64)
                of[front.ravel()[::-1]] = texcoord[::-1]
                where = of[which]
            side = np.tile([1.0, -1.0, 1.0, -1.0, 1.0, -1.0], len(shell))
            add(which, side, where, np.arange(len(which)))
        whole, back = np.concatenate(vertex), np.concatenate(sign) < 0
        used, self._vertex = _different(whole)  # those inside a solid are not
        self._used = self._first + used
        self._sides = 2 if dim == 2 else 1
        self._triangles = Triangles(np.searchsorted(used, front), len(used))
        given = None if texcoords is None else texcoords[np.concatenate(coordinate)]
        super().__init__(np.concatenate(faces), given, len(whole))
        if skin:  # its points are the flex's vertices, pushed to one side, then to the other
            self._point = self._vertex + len(used) * back
            self._rim_triangles = Triangles(self._point[self.faces[self._rim_faces :]], self._sides * len(used))

    def body_at(self, model, state, face: int, point: np.ndarray) -> int:
        """The body that carries the vertex of a face that is nearest to a point."""
        vertex = int(self._used[self._vertex[self.nearest(face, point)]])
        return flex_body(model, state, self._flex, vertex, point)

    def pose(self, state) -> np.ndarray:
        """(n, 3) the vertices on the surface."""
        return np.asarray(state.flexvert_xpos, float).reshape(-1, 3)[self._used]

    def shape(self, pose: np.ndarray) -> np.ndarray:
        """See Surface."""
        points, radius = np.ascontiguousarray(pose.T), self._radius
        face = self._triangles.normals(points, unit=True)
        signs = (1.0, -1.0)[: self._sides]
        if not self._skin:
            corners = points[:, np.stack(self._triangles.corners, axis=1)]  # (3, m, 3)
            self._flat(0, face)
            back = corners[:, :, [0, 2, 1]]
            sides = [side + sign * radius * face[:, :, None] for side, sign in zip((corners, back), signs)]
            return np.concatenate([side.reshape(3, -1) for side in sides], axis=1)
        smooth = self._triangles.smooth(face)
        shell = np.concatenate([points + sign * radius * smooth for sign in signs], axis=1)
        if self._smooth:
            both = np.concatenate([sign * smooth for sign in signs], axis=1).astype(np.float32)
            self.vertices[: self._smooth, 3:6] = both.take(self._point[: self._smooth], axis=1).T
        else:
            self._flat(0, face)
        if self._rim < len(self.vertices):
            self._flat(self._rim, self._rim_triangles.normals(shell, unit=True), sides=1)
        return shell

    def _flat(self, start: int, face: np.ndarray, sides: int | None = None) -> None:
        """Give the vertices from `start` on, three for each face, the normals of faces (3, m), then the far side's."""
        count = 3 * face.shape[1]
        normal = face.T.astype(np.float32)[:, None, :]
        for side in range(sides or self._sides):
            part = self.vertices[start + side * count : start + (side + 1) * count]
            part.reshape(-1, 3, 9)[:, :, 3:6] = normal if side == 0 else -normal


class SkinSurface(MovingSurface):
    """A skin, bent by its bones."""

    def __init__(self, model, skin: int):
        from scipy.sparse import csr_matrix  # for few models

        first, count = int(model.skin_vertadr[skin]), int(model.skin_vertnum[skin])
        start, number = int(model.skin_faceadr[skin]), int(model.skin_facenum[skin])
        faces = np.asarray(model.skin_face[start : start + number]).astype(np.int64)
        start = int(model.skin_texcoordadr[skin])
        texcoord = None if start < 0 else np.asarray(model.skin_texcoord[start : start + count], float)
        super().__init__(faces, texcoord, count)
        self._triangles = Triangles(faces, count)
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
        weighted = np.concatenate([local, np.ones((len(local), 1))], axis=1) * self._weight[:, None]
        columns = 4 * self._bone[:, None] + np.arange(4)
        rows = np.repeat(self._vertex, 4)
        self._bend = csr_matrix((weighted.ravel(), (rows, columns.ravel())), (count, 4 * number))

    def body_at(self, model, state, face: int, point: np.ndarray) -> int:
        """The body with the most weight at the vertex of a face that is nearest to a point."""
        entries = np.flatnonzero(self._vertex == self.nearest(face, point))
        return int(self._bodies[self._bone[entries[np.argmax(self._weight[entries])]]])

    def pose(self, state) -> np.ndarray:
        """(nbone, 3, 4) orientations and positions of the bones."""
        mats = np.asarray(state.xmat, float).reshape(-1, 3, 3)[self._bodies]
        return np.concatenate([mats, np.asarray(state.xpos, float)[self._bodies][:, :, None]], axis=2)

    def shape(self, pose: np.ndarray) -> np.ndarray:
        """See Surface."""
        points = np.ascontiguousarray((self._bend @ pose.transpose(0, 2, 1).reshape(-1, 3)).T)
        normal = self._triangles.smooth(self._triangles.normals(points, unit=False))
        self.vertices[:, 3:6] = normal.T
        return points + self._inflate * normal


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
