"""What lies under the cursor: a ray against every geom, flex and skin that is shown.

Each kind of geom has one function, ray in the geom's own frame -> distance. Distances are in units of the direction's
length; infinity means missed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.scene import build as B
from engine.scene.appearance import colors
from engine.scene.options import VisOptions

MISS = float("inf")


@dataclass(frozen=True)
class Pick:
    """What a ray hit first: geom, flex or skin (the others are -1), the body that carries it there, the world point, and
    the distance along the ray in metres."""

    geomid: int
    bodyid: int
    point: np.ndarray
    distance: float
    flexid: int = -1
    skinid: int = -1

    @property
    def object(self) -> tuple[str, int]:
        """Kind and id of what was hit."""
        ids = {"geom": self.geomid, "flex": self.flexid, "skin": self.skinid}
        return next((kind, index) for kind, index in ids.items() if index >= 0)

    def localpos(self, state) -> np.ndarray:
        """(3,) the point in the body's frame."""
        mat = np.asarray(state.xmat[self.bodyid], float).reshape(3, 3)
        return mat.T @ (self.point - np.asarray(state.xpos[self.bodyid], float))


def ray_plane(origin, direction, size) -> float:
    """Plane z = 0 within size (0: infinite), seen from above."""
    if direction[2] > -1e-15:
        return MISS
    t = -origin[2] / direction[2]
    point = origin + t * direction
    if t < 0 or (size[0] > 0 and abs(point[0]) > size[0]) or (size[1] > 0 and abs(point[1]) > size[1]):
        return MISS
    return float(t)


def _quadratic(a, b, c) -> tuple[float, float]:
    """Roots of a t^2 + 2 b t + c, ascending; both infinite where there is none."""
    root = b * b - a * c
    if root < 0 or a < 1e-30:
        return MISS, MISS
    root = np.sqrt(root)
    return (-b - root) / a, (-b + root) / a


def _first(*roots) -> float:
    return min((float(t) for t in roots if t >= 0 and t < MISS), default=MISS)


def ray_ellipsoid(origin, direction, size) -> float:
    """Ellipsoid with semi-axes `size`; a sphere has three equal ones."""
    o, d = origin / size, direction / size
    return _first(*_quadratic(d @ d, o @ d, o @ o - 1.0))


def ray_cylinder(origin, direction, radius, half, caps=True) -> float:
    """Cylinder of half-length `half` along z."""
    o, d = origin[:2], direction[:2]
    hits = [
        t
        for t in _quadratic(d @ d, o @ d, o @ o - radius * radius)
        if abs(origin[2] + t * direction[2]) <= half
    ]
    if caps and abs(direction[2]) > 1e-15:
        for z in (-half, half):
            t = (z - origin[2]) / direction[2]
            point = o + t * d
            if point @ point <= radius * radius:
                hits.append(t)
    return _first(*hits)


def ray_capsule(origin, direction, radius, half) -> float:
    """Capsule of radius and half-length between the centres of its ends, along z."""
    best = ray_cylinder(origin, direction, radius, half, caps=False)
    for sign in (-1.0, 1.0):
        shifted = origin - np.array([0.0, 0.0, sign * half])
        for t in _quadratic(direction @ direction, shifted @ direction, shifted @ shifted - radius * radius):
            if t < MISS and (shifted[2] + t * direction[2]) * sign >= 0:
                best = min(best, _first(t))
    return best


def ray_box(origin, direction, size) -> float:
    """Box with half-sizes `size`, by slabs."""
    with np.errstate(divide="ignore", invalid="ignore"):
        a, b = (-size - origin) / direction, (size - origin) / direction
    low, high = np.fmin(a, b), np.fmax(a, b)
    parallel = np.abs(direction) < 1e-15
    outside = parallel & (np.abs(origin) > size)
    low, high = np.where(parallel, -np.inf, low), np.where(parallel, np.inf, high)
    near, far = low.max(), high.min()
    if outside.any() or near > far or far < 0:
        return MISS
    return float(near if near >= 0 else far)


def ray_triangles(origin, direction, corners) -> float:
    """Triangles (n, 3, 3), either side (Moeller and Trumbore 1997)."""
    return first_triangle(origin, direction, corners)[0]


def first_triangle(origin, direction, corners) -> tuple[float, int]:
    """Distance to the first of the triangles (n, 3, 3), and which it is."""
    edge1, edge2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    p = np.cross(direction, edge2)
    determinant = np.einsum("ij,ij->i", edge1, p)
    with np.errstate(divide="ignore", invalid="ignore"):
        inverse = 1.0 / determinant
        s = origin - corners[:, 0]
        u = np.einsum("ij,ij->i", s, p) * inverse
        q = np.cross(s, edge1)
        v = (q @ direction) * inverse
        t = np.einsum("ij,ij->i", edge2, q) * inverse
        hit = (np.abs(determinant) > 1e-18) & (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0)
    if not hit.any():
        return MISS, -1
    which = int(np.argmin(np.where(hit, t, MISS)))
    return float(t[which]), which


def first_capsule(origin, direction, start, end, radius: float) -> tuple[float, int]:
    """Distance along a unit direction to the first of the capsules between (n, 3) and (n, 3), and which it is."""
    along, away = end - start, origin - start
    square = np.einsum("ij,ij->i", along, along)
    slope, offset = along @ direction, np.einsum("ij,ij->i", along, away)
    a = square - slope * slope
    b = square * (away @ direction) - offset * slope
    c = square * (np.einsum("ij,ij->i", away, away) - radius * radius) - offset * offset
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (-b - np.sqrt(b * b - a * c)) / a
        height = offset + t * slope
        best = np.where((t >= 0) & (height >= 0) & (height <= square), t, MISS)
        for centre in (start, end):
            away = origin - centre
            b = away @ direction
            t = -b - np.sqrt(b * b - np.einsum("ij,ij->i", away, away) + radius * radius)
            best = np.fmin(best, np.where(t >= 0, t, MISS))
    which = int(np.argmin(best))
    return float(best[which]), which


def ray_hfield(origin, direction, model, hfield: int) -> float:
    """Height field: its surface as triangles, and its base box."""
    sx, sy, top, base = (float(value) for value in model.hfield_size[hfield])
    nrow, ncol = int(model.hfield_nrow[hfield]), int(model.hfield_ncol[hfield])
    low, high = np.array([-sx, -sy, -base]), np.array([sx, sy, top])
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    if ray_box(origin - middle, direction, half) == MISS:
        return MISS
    start = int(model.hfield_adr[hfield])
    heights = np.asarray(model.hfield_data[start : start + nrow * ncol], float).reshape(nrow, ncol) * top
    x, y = np.meshgrid(np.linspace(-sx, sx, ncol), np.linspace(-sy, sy, nrow))
    grid = np.stack([x, y, heights], axis=2)
    a, b, c, d = grid[:-1, :-1], grid[:-1, 1:], grid[1:, :-1], grid[1:, 1:]
    corners = np.concatenate(
        [np.stack([a, b, d], axis=2).reshape(-1, 3, 3), np.stack([a, d, c], axis=2).reshape(-1, 3, 3)]
    )
    best = ray_triangles(origin, direction, corners)
    foot = ray_box(origin - np.array([0, 0, -0.5 * base]), direction, np.array([sx, sy, 0.5 * base]))
    return min(best, foot)


def ray_geom(model, geom: int, origin, direction) -> float:
    """Distance along a ray, given in the geom's frame, to geom number `geom`."""
    kind, size = int(model.geom_type[geom]), np.asarray(model.geom_size[geom], float)
    if kind == B.PLANE:
        return ray_plane(origin, direction, size)
    if kind == B.SPHERE:
        return ray_ellipsoid(origin, direction, np.full(3, size[0]))
    if kind == B.ELLIPSOID:
        return ray_ellipsoid(origin, direction, size)
    if kind == B.CAPSULE:
        return ray_capsule(origin, direction, size[0], size[1])
    if kind == B.CYLINDER:
        return ray_cylinder(origin, direction, size[0], size[1])
    if kind == B.BOX:
        return ray_box(origin, direction, size)
    if kind in (B.MESH, B.SDF):
        mesh = int(model.geom_dataid[geom])
        first, count = int(model.mesh_vertadr[mesh]), int(model.mesh_vertnum[mesh])
        vertices = np.asarray(model.mesh_vert[first : first + count], float)
        first, count = int(model.mesh_faceadr[mesh]), int(model.mesh_facenum[mesh])
        faces = np.asarray(model.mesh_face[first : first + count])
        return ray_triangles(origin, direction, vertices[faces])
    if kind == B.HFIELD:
        return ray_hfield(origin, direction, model, int(model.geom_dataid[geom]))
    return MISS


def pick(model, state, origin, direction, options: VisOptions) -> Pick | None:
    """The first shown geom, flex or skin that a world ray hits, or None.

    Hidden groups and what has alpha 0 is looked through, as are static bodies while they are not shown.
    """
    origin, direction = np.asarray(origin, float), np.asarray(direction, float)
    direction = direction / np.linalg.norm(direction)
    distance, geom = _first_geom(model, state, origin, direction, options)
    found = (
        Pick(geom, int(model.geom_bodyid[geom]), origin + distance * direction, distance)
        if geom >= 0
        else None
    )
    if int(model.nflex) or int(model.nskin):
        return _first_soft(model, state, origin, direction, options, found)
    return found


def _first_geom(model, state, origin, direction, options: VisOptions) -> tuple[float, int]:
    """Distance and geom. Geoms are tried in order of the distance to their bounding spheres, so that a big model costs
    little more than a small one."""
    shown = _shown(model, options)
    if not len(shown):
        return MISS, -1
    centres = np.asarray(state.geom_xpos, float)[shown]
    radius = np.array(model.geom_rbound, float)[shown]
    radius[np.asarray(model.geom_type)[shown] == B.PLANE] = np.inf
    along = (centres - origin) @ direction
    across = np.linalg.norm(centres - origin - along[:, None] * direction, axis=1)
    candidates = np.flatnonzero((across <= radius) & (along >= -radius))
    nearest = along[candidates] - radius[candidates]
    best, found = MISS, -1
    for which in np.argsort(nearest):
        if nearest[which] > best:
            break
        geom = int(shown[candidates[which]])
        axes = np.asarray(state.geom_xmat[geom], float).reshape(3, 3)
        local = axes.T @ (origin - np.asarray(state.geom_xpos[geom], float))
        distance = ray_geom(model, geom, local, axes.T @ direction)
        if distance < best:
            best, found = distance, geom
    return best, found


def _first_soft(model, state, origin, direction, options: VisOptions, best: Pick | None) -> Pick | None:
    """The first part of a flex or skin as it is drawn, if it is nearer than `best`."""
    from engine.scene.soft import OBJ_FLEX, Shell, shown_parts
    from engine.scene.surface import flex_body

    for part in shown_parts(model, options):
        kind, index = part.obj
        name = "flex" if kind == OBJ_FLEX else "skin"
        matid, rgba = (np.asarray(getattr(model, f"{name}_{what}"))[index] for what in ("matid", "rgba"))
        if colors(rgba, np.array([int(matid)]), model)[0, 3] <= 0:
            continue
        if isinstance(part, Shell):
            part.surface.follow(state)
            distance, which = first_triangle(origin, direction, part.surface.triangles())
        else:
            start, end = part.ends(state)
            distance, which = first_capsule(origin, direction, start, end, part.radius)
        if which < 0 or distance >= (MISS if best is None else best.distance):
            continue
        point = origin + distance * direction
        if isinstance(part, Shell):
            body = part.surface.body_at(model, state, which, point)
        else:
            nearer = int(np.linalg.norm(end[which] - point) < np.linalg.norm(start[which] - point))
            body = flex_body(model, state, index, int(part.pairs[which, nearer]), point)
        best = Pick(-1, body, point, distance, **{f"{name}id": index})
    return best


def _shown(model, options: VisOptions) -> np.ndarray:
    """Ids of the geoms that a ray can hit."""
    rgba = colors(model.geom_rgba, np.asarray(model.geom_matid).astype(int), model)
    groups = np.clip(np.asarray(model.geom_group).astype(int), 0, len(options.geomgroup) - 1)
    shown = np.array(options.geomgroup, bool)[groups] & (rgba[:, 3] > 0)
    if not options.static:
        shown &= np.asarray(model.body_weldid).astype(int)[np.asarray(model.geom_bodyid)] != 0
    return np.flatnonzero(shown)
