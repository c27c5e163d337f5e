"""Meshes: from the points and triangles of a file or of the text to the arrays of the model.

Vertices are rounded to float32 first, as the model stores them, then moved (refpos, refquat, scale), centred at the
centre of mass and turned to the principal axes. Sources: XML reference, "asset/mesh"; O'Rourke, Computational
Geometry in C, 1.3.8 (volume and inertia as sums over tetrahedra).
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.compile import assets
from kinetree.engine.compile.assets.normals import corner_normals, cross
from kinetree.engine.compile.assets.polygons import flat_faces
from kinetree.engine.compile.derived.mesh_boxes import Boxes, boxes_of
from kinetree.engine.geometry import inertia, orientation
from kinetree.engine.geometry.orientation import Pose
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.model import enums
from kinetree.engine.resources.hull import Hull, NoHull, convex_hull
from kinetree.engine.resources.raw_mesh import BadMesh, RawMesh
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.compile.assets.octree import Octree

MINVAL = 1e-15
PART = 16384
"""Rows that a small matrix product takes at a time."""


class Mesh:
    """A mesh as the model keeps it, in its own frame.

    vert (n, 3), face (m, 3), normal, facenormal, texcoord, facetexcoord
    pose        of the mesh's frame in the frame of its file, after refpos, refquat and scale
    volume      m^3 (m^2 for a shell); inertia: principal moments for density 1
    aabb        centre and half sides of the bounding box
    hull        triangles of the convex hull (raises NoHull)
    """

    def __init__(self, element: Element, raw: RawMesh):
        self.mode = element["inertia"]
        self.refpos, self.refquat = element["refpos"], orientation.unit(element["refquat"].tolist())
        self.smooth = raw.smooth or bool(element.get("smoothnormal"))
        self.from_file = bool(element.get("file"))
        self.scale = tuple(element["scale"].tolist())
        self.most = element["maxhullvert"]
        self.raw = raw
        vert, face = self.moved(raw)
        self.source = vert
        if face is None:
            face = self.need_hull()
        self.face = face
        self.check(vert, face)
        self.weigh()

    # ---- reading ------------------------------------------------------------------------------------

    def moved(self, raw: RawMesh) -> tuple[np.ndarray, np.ndarray | None]:
        """Points after refpos, refquat and scale, and triangles."""
        vert = raw.vert.astype(float)
        if not np.isfinite(vert).all():
            raise BadMesh(tr("a vertex is infinite or not a number"), "vertex")
        turn = np.array(orientation.matrix(self.refquat))
        vert = turned(vert - self.refpos, turn) * self.scale
        face = raw.face
        if face is not None and self.mirrored:
            face = face[:, [0, 2, 1]]
        if not all(self.scale):
            raise BadMesh(tr("a scale of 0 makes the mesh flat; use other numbers"), "scale")
        return vert, face

    def need_hull(self) -> np.ndarray:
        try:
            return self.hull
        except NoHull as error:
            raise BadMesh(tr("{error}; give faces, or points that span a volume", error=error), "vertex") from None

    def check(self, vert: np.ndarray, face: np.ndarray) -> None:
        if len(vert) < 4:
            raise BadMesh(tr("a mesh needs at least 4 vertices, there are {count}", count=len(vert)), "vertex")
        if face.min(initial=0) < 0 or face.max(initial=0) >= len(vert):
            raise BadMesh(
                tr(
                    "a face names vertex {face}, but vertices are numbered 0 to {number}",
                    face=face.max(),
                    number=len(vert) - 1,
                ),
                "face",
            )

    @property
    def mirrored(self) -> bool:
        """Whether faces are flipped because the scale mirrors: faces from files, not those of the text."""
        return bool(np.prod(np.sign(self.scale)) < 0) and self.from_file

    @cached_property
    def _hull(self) -> Hull:
        return convex_hull(self.raw.vert.astype(float), self.most)

    @property
    def hull(self) -> np.ndarray:
        return self._hull.face

    # ---- mass ---------------------------------------------------------------------------------------

    def weigh(self) -> None:
        vert = self.source
        face = self.face
        if self.mode == "convex":
            try:
                face = self.hull if np.prod(np.sign(self.scale)) > 0 else self.hull[:, [1, 0, 2]]
            except NoHull as error:
                raise BadMesh(tr('{error}; use inertia="shell"', error=error), "inertia") from None
        self.volume, centre, matrix = properties(vert, face, self.mode, self.face)
        if self.mode == "exact" and not oriented(face):
            raise BadMesh(
                tr('the faces are not evenly oriented, which inertia="exact" needs; use convex or legacy'),
                "inertia",
            )
        if self.volume < MINVAL:
            raise BadMesh(
                tr(
                    'the area is {volume:.3g}, too small or negative; check size and face order, or use inertia="shell"'
                    if self.mode == "shell"
                    else "the volume is {volume:.3g}, too small or negative; check size and face order, or use "
                    'inertia="shell"',
                    volume=self.volume,
                ),
                "inertia",
            )
        self.inertia, quat = inertia.principal(matrix)
        a, b, c = self.inertia
        if min(self.inertia) <= 0 or a > (b + c) * (1 + 1e-6):
            raise BadMesh(
                tr('the inertia of the surface is impossible; check the faces, or use inertia="convex"'),
                "inertia",
            )
        self.pose: Pose = (tuple(centre.tolist()), quat)
        self.turn = np.array(orientation.matrix(quat))
        exact = self.centred()
        self.vert = exact.astype(np.float32)
        low, high = exact.min(0), exact.max(0)
        self.aabb = tuple(((low + high) / 2).tolist() + ((high - low) / 2).tolist())

    def centred(self) -> np.ndarray:
        """The vertices in the mesh's frame, before they are rounded to single precision."""
        return turned(self.source - np.array(self.pose[0]), self.turn)

    # ---- primitives ---------------------------------------------------------------------------------

    def fit(self, kind: int, aabb: bool, scale: float) -> list[float]:
        """The size of a primitive fitted to the mesh: to its bounding box, or with equal inertia."""
        if aabb:
            return self.fit_box(kind, scale)
        i, j, k = (v / self.volume for v in self.inertia)
        box = [math.sqrt(max(v, 0.0) * 1.5) for v in (j + k - i, i + k - j, i + j - k)]
        a, b, c = (v * scale for v in box)
        if kind == enums.GEOM_SPHERE:
            size = [(a + b + c) / 3, 0.0, 0.0]
        elif kind == enums.GEOM_CAPSULE:
            size = [(a + b) / 2, max(0.0, c - (a + b) / 4), 0.0]
        elif kind == enums.GEOM_CYLINDER:
            size = [(a + b) / 2, c, 0.0]
        else:
            size = [a, b, c]
        return size

    def fit_box(self, kind: int, scale: float) -> list[float]:
        centre, half = self.aabb[:3], self.aabb[3:]
        point = np.abs(self.centred() - np.array(centre))
        across = np.hypot(point[:, 0], point[:, 1])
        radius = float(across.max())
        if kind == enums.GEOM_SPHERE:
            size = [float(np.linalg.norm(point, axis=1).max()), 0.0, 0.0]
        elif kind == enums.GEOM_CYLINDER:
            size = [radius, half[2], 0.0]
        elif kind == enums.GEOM_CAPSULE:
            cap = np.sqrt(np.maximum(radius * radius - across * across, 0))
            size = [radius, max(0.0, float((point[:, 2] - cap).max())), 0.0]
        else:
            size = list(half)
        return [v * scale for v in size]

    @cached_property
    def graph(self) -> np.ndarray:
        """The convex hull as a graph, as mjModel.mesh_graph keeps it; raises NoHull.

        Numbers of vertices and faces; for each vertex of the hull where its neighbours start; its number in the mesh;
        the neighbours (numbers in the hull), each list ended by -1; the faces (numbers in the mesh).
        """
        hull = self._hull
        used = hull.vertices
        local = np.zeros(used.max() + 1, np.int64)
        local[used] = np.arange(len(used))
        start, other = (local[v] for v in hull.neighbours())
        by_start = np.argsort(start, kind="stable")
        number = np.bincount(start, minlength=len(used))
        adr = np.cumsum(number + 1) - (number + 1)
        lists = np.full(len(start) + len(used), -1)
        lists[np.arange(len(start)) + start[by_start]] = other[by_start]
        return np.concatenate([[len(used), len(hull.face)], adr, used, lists, hull.face.ravel()]).astype(np.int32)

    @cached_property
    def polygons(self) -> list[list[int]]:
        """The flat faces of the convex hull; raises NoHull."""
        mirrored = np.prod(np.sign(self.scale)) < 0
        return flat_faces(self.source, self.hull[:, [1, 0, 2]] if mirrored else self.hull)

    @cached_property
    def octree(self) -> Octree:
        """The signed distance of the mesh, in the frame of its file."""
        return assets.octree.build(np.asarray(self.source, float), self.face)

    @cached_property
    def boxes(self) -> Boxes:
        """The tree of boxes that rays descend."""
        return boxes_of(self.vert, self.face)

    @property
    def nbytes(self) -> int:
        """Size in memory, with everything that is computed on demand."""
        return 1000 + 400 * len(self.vert) + 600 * len(self.face)

    # ---- looks --------------------------------------------------------------------------------------

    @cached_property
    def normals(self) -> tuple[np.ndarray, np.ndarray]:
        """(normal, facenormal): given ones turned with the mesh, else from the faces."""
        raw = self.raw
        if raw.normal is not None:
            turn = np.array(orientation.matrix(self.refquat))
            normal = turned(turned(raw.normal.astype(float), turn) / self.scale, self.turn)
            length = np.linalg.norm(normal, axis=1, keepdims=True)
            normal = np.where(length > MINVAL, normal / np.maximum(length, MINVAL), (0.0, 0.0, 1.0))
            indices = raw.facenormal if raw.facenormal is not None else self.face
            if self.mirrored and raw.facenormal is not None:
                indices = indices[:, [0, 2, 1]]
            return normal, indices
        return corner_normals(self.vert.astype(float), self.face, self.smooth)

    @cached_property
    def texcoords(self) -> tuple[np.ndarray, np.ndarray]:
        """(texcoord, facetexcoord); without coordinates both are empty or zero."""
        raw = self.raw
        if raw.texcoord is None:
            return np.zeros((0, 2)), np.zeros_like(self.face)
        # of MSH files and of the text, not turned over with the faces: as in the reference
        indices = raw.facetexcoord if raw.facetexcoord is not None else raw.face
        if indices is None:
            indices = self.face
        if self.mirrored and raw.facetexcoord is not None:
            indices = indices[:, [0, 2, 1]]
        return raw.texcoord, indices


def turned(points: np.ndarray, matrix: np.ndarray) -> np.ndarray:
    """points (n, 3) @ matrix (3, 3), in parts for which BLAS starts no threads: they would cost more than they save."""
    parts = np.array_split(points, -(-len(points) // PART) or 1)
    return parts[0] @ matrix if len(parts) == 1 else np.concatenate([part @ matrix for part in parts])


def properties(
    vert: np.ndarray, face: np.ndarray, mode: str, surface: np.ndarray | None = None
) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume (area for "shell"), centre of mass, and inertia matrix about it (xx yy zz xy xz yz) for density 1.

    "legacy" counts tetrahedra with apex at the centroid of the surface as positive whatever side they are on. Sums
    are taken face by face: symmetric meshes have equal off-diagonal entries, and which of them rounding makes the
    largest decides about the axes. `surface`: the faces whose centroid is the apex, if not the same.
    """
    surface = face if surface is None else surface
    point = np.ascontiguousarray(vert.T)
    normal, area, middle = _triangles(point, surface)
    total = _sum(area)
    if total < MINVAL:
        return 0.0, np.zeros(3), np.zeros(6)
    centroid = (_sum(area * middle) / total)[:, None]
    if face is not surface:
        normal, area, middle = _triangles(point, face)
    weight = area if mode == "shell" else _tetrahedra(normal, area, middle - centroid, mode)
    volume = _sum(weight)
    if abs(volume) < MINVAL:
        return 0.0, centroid[:, 0], np.zeros(6)
    centre = _sum(weight * (middle * 3 / 4 + centroid / 4)) / volume
    point = point - centre[:, None]
    normal, area, middle = _triangles(point, face)
    weight = area if mode == "shell" else _tetrahedra(normal, area, middle, mode)
    d, e, f = (point.take(face[:, i], 1) for i in range(3))
    share = weight / (12 if mode == "shell" else 20)
    product = []
    for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
        moment = 2 * (d[i] * d[j] + e[i] * e[j] + f[i] * f[j])
        for v, w in ((d, e), (d, f), (e, f)):
            moment += v[i] * w[j]
            moment += v[j] * w[i]
        product.append(_sum(share * moment))
    xx, yy, zz, xy, xz, yz = product
    return float(_sum(weight)), centre, np.array([yy + zz, xx + zz, xx + yy, -xy, -xz, -yz])


def _triangles(point: np.ndarray, face: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Unit normal (3, m), area (m,) and centroid (3, m) of each face; point (3, n)."""
    a, b, c = (point.take(face[:, i], 1) for i in range(3))
    across = cross(b - a, c - a)
    length = np.sqrt(across[0] ** 2 + across[1] ** 2 + across[2] ** 2)
    return across / np.where(length > 0, length, 1), length / 2, (a + b + c) / 3


def _sum(values: np.ndarray):
    """The sum along the last axis in order, one after the other."""
    return np.cumsum(values, axis=-1)[..., -1] if values.shape[-1] else np.zeros(values.shape[:-1])


def _tetrahedra(normal: np.ndarray, area: np.ndarray, arm: np.ndarray, mode: str) -> np.ndarray:
    """Volumes of the tetrahedra over the faces; `arm` leads from the apex to each face's centroid."""
    height = normal[0] * arm[0] + normal[1] * arm[1] + normal[2] * arm[2]
    return (np.abs(height) if mode == "legacy" else height) * area / 3


def oriented(face: np.ndarray) -> bool:
    """Whether all faces are oriented consistently: no edge is used twice in the same direction."""
    edges = np.concatenate([face[:, [0, 1]], face[:, [1, 2]], face[:, [2, 0]]]).astype(np.int64)
    codes = np.sort(edges[:, 0] * (int(face.max(initial=0)) + 1) + edges[:, 1])
    return bool((np.diff(codes) > 0).all())
