"""Finds the object under the cursor: intersects a ray with every visible geom, flex and skin.

The intersections are those of `engine/dynamics/sensor/ray.py`, uncompiled: a click need not wait for a compiler.
Distances are in lengths of the direction; infinity: missed.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from kinetree.engine.dynamics.sensor.ray import ray_capsule, ray_hfield, ray_mesh, ray_shape, ray_triangle
from kinetree.engine.jit.uncompiled import uncompiled
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import BY_OBJECT, ObjectId
from kinetree.engine.model.model import Model
from kinetree.engine.scene.appearance import colors
from kinetree.engine.scene.decor.rows import frames_along
from kinetree.engine.scene.normal import against, capsule_normal, geom_normal, triangle_normal
from kinetree.engine.scene.options import SOFT, VisOptions, choose_geoms, hidden_mask
from kinetree.engine.scene.section import seen
from kinetree.engine.scene.soft import Shell, SoftPart, Solids, shown_parts
from kinetree.engine.scene.surface import flex_body

MISS = float("inf")
CONVEX = frozenset((enums.GEOM_SPHERE, enums.GEOM_CAPSULE, enums.GEOM_ELLIPSOID, enums.GEOM_CYLINDER, enums.GEOM_BOX))
"""Shapes whose cut hides what is behind it (`shaders/include/section.glsl`)."""
INNER = 1e-6  # how far behind the section plane a cut counts as, of the way to its far side


@dataclass(frozen=True)
class Pick:
    """First intersection of a ray: geom, flex or skin (the others are -1), the body that carries it there, the world
    point, the distance along the ray in metres, and the unit normal of the surface, against the ray.
    """

    geomid: int
    bodyid: int
    point: np.ndarray
    distance: float
    normal: np.ndarray
    flexid: int = -1
    skinid: int = -1

    @property
    def object(self) -> ObjectId:
        """The object that was hit."""
        ids = {"geom": self.geomid, "flex": self.flexid, "skin": self.skinid}
        return next(ObjectId(kind, index) for kind, index in ids.items() if index >= 0)

    def localpos(self, state) -> np.ndarray:
        """(3,) the point in the body's frame."""
        mat = np.asarray(state.xmat[self.bodyid], float).reshape(3, 3)
        return mat.T @ (self.point - np.asarray(state.xpos[self.bodyid], float))


def first_triangle(origin, direction, corners) -> tuple[float, int]:
    """Distance to the first of the triangles (n, 3, 3), and which it is."""
    if not len(corners):
        return MISS, -1
    a, b, c = (tuple(corners[:, k].T) for k in range(3))
    t, hit = uncompiled(ray_triangle)(a, b, c, tuple(origin), tuple(direction))
    if not hit.any():
        return MISS, -1
    which = int(np.argmin(np.where(hit, t, MISS)))
    return float(t[which]), which


def first_capsule(origin, direction, start, end, radius: float) -> tuple[float, int]:
    """Distance along a unit direction to the first of the capsules between (n, 3) and (n, 3), and which it
    is.
    """
    along = end - start
    half = 0.5 * np.sqrt(np.einsum("ij,ij->i", along, along))
    centre = 0.5 * (start + end)
    axes = frames_along(along)
    best, found = MISS, -1
    for which, nearest in _in_order(centre, half + radius, origin, direction):
        if nearest > best:
            break
        p, v = axes[which].T @ (origin - centre[which]), axes[which].T @ direction
        distance = uncompiled(ray_capsule)(radius, float(half[which]), tuple(p.tolist()), tuple(v.tolist()))
        if distance < best:
            best, found = distance, int(which)
    return best, found


def ray_geom(model, geom: int, origin, direction) -> float:
    """Distance along a ray, given in the geom's frame, to geom number `geom`."""
    kind, size = int(model.geom_type[geom]), model.geom_size[geom].tolist()
    p, v = tuple(origin.tolist()), tuple(direction.tolist())
    if kind in (enums.GEOM_MESH, enums.GEOM_SDF):
        return uncompiled(ray_mesh)(model, int(model.geom_dataid[geom]), p, v)
    if kind == enums.GEOM_HFIELD:
        return uncompiled(ray_hfield)(model, int(model.geom_dataid[geom]), p, v)
    return uncompiled(ray_shape)(kind, size, p, v)


def pick(model, state, origin, direction, options: VisOptions) -> Pick | None:
    """The first shown geom, flex or skin that a world ray hits, or None.

    Hidden groups and what has alpha 0 is looked through, as are static bodies while they are not shown.
    """
    origin, direction = np.asarray(origin, float), np.asarray(direction, float)
    direction = direction / np.linalg.norm(direction)
    distance, geom = _first_geom(model, state, origin, direction, options)
    found = None
    if geom >= 0:
        normal = _normal_of(model, state, geom, origin, direction, distance, options)
        found = Pick(geom, int(model.geom_bodyid[geom]), origin + distance * direction, distance, normal)
    if int(model.nflex) or int(model.nskin):
        return _first_soft(model, state, origin, direction, options, found)
    return found


def _normal_of(model, state, geom: int, origin, direction, distance: float, options: VisOptions) -> np.ndarray:
    """(3,) the normal of a geom, or of its cut, where a ray meets it."""
    first, _ = seen(options.section, origin, direction)
    whole = int(model.geom_type[geom]) == enums.GEOM_PLANE
    if options.section is not None and first > 0.0 and not whole:
        if int(model.geom_type[geom]) in CONVEX and _is_cut(model, state, geom, origin, direction, first):
            return against(options.section.plane[:3], direction)
        origin, distance = origin + first * direction, distance - first
    axes = np.asarray(state.geom_xmat[geom], float).reshape(3, 3)
    local = axes.T @ (origin - np.asarray(state.geom_xpos[geom], float))
    return axes @ geom_normal(model, geom, local, axes.T @ direction, distance)


def _is_cut(model, state, geom: int, origin, direction, first: float) -> bool:
    """Whether the section plane, `first` along a ray, is inside of a convex geom."""
    axes = np.asarray(state.geom_xmat[geom], float).reshape(3, 3)
    local = axes.T @ (origin + first * direction - np.asarray(state.geom_xpos[geom], float))
    return all(ray_geom(model, geom, local, axes.T @ way) < MISS for way in (direction, -direction))


def _first_geom(model, state, origin, direction, options: VisOptions) -> tuple[float, int]:
    """Distance and geom. Geoms are tried in order of the distance to their bounding spheres, so that a big
    model costs little more than a small one.
    """
    shown = _shown(model, options)
    start, end = seen(options.section, origin, direction)
    if not len(shown):
        return MISS, -1
    centres = np.asarray(state.geom_xpos, float)[shown]
    radius = np.array(model.geom_rbound, float)[shown]
    radius[np.asarray(model.geom_type)[shown] == enums.GEOM_PLANE] = np.inf
    best, found = MISS, -1
    for which, nearest in _in_order(centres, radius, origin, direction):
        if nearest > best:
            break
        geom = int(shown[which])
        axes = np.asarray(state.geom_xmat[geom], float).reshape(3, 3)
        cut = options.section is not None and int(model.geom_type[geom]) != enums.GEOM_PLANE
        first, last = (start, end) if cut else (0.0, MISS)
        if first >= last:
            continue
        local = axes.T @ (origin + first * direction - np.asarray(state.geom_xpos[geom], float))
        distance = first + ray_geom(model, geom, local, axes.T @ direction)
        if cut and first > 0.0 and int(model.geom_type[geom]) in CONVEX and distance < MISS:
            if ray_geom(model, geom, local, axes.T @ -direction) < MISS:  # the cut is inside of it: it is seen there
                distance = first + INNER * (distance - first)  # of several the innermost
        if distance < best and distance <= last:
            best, found = distance, geom
    return best, found


def _in_order(centres, radius, origin, direction) -> Iterator[tuple[int, float]]:
    """Which of the spheres a ray meets, and from where on, nearest first."""
    along = (centres - origin) @ direction
    across = np.linalg.norm(centres - origin - along[:, None] * direction, axis=1)
    candidates = np.flatnonzero((across <= radius) & (along >= -radius))
    nearest = along[candidates] - radius[candidates]
    order = np.argsort(nearest)
    return zip(candidates[order].tolist(), nearest[order].tolist(), strict=True)


def _first_soft(model, state, origin, direction, options: VisOptions, best: Pick | None) -> Pick | None:
    """The first part of a flex or skin as it is drawn, if it is nearer than `best`."""
    first, last = seen(options.section, origin, direction)
    if first >= last:
        return best
    origin = origin + first * direction
    for part in _soft_parts(model, options):
        kind, index = part.obj
        name = BY_OBJECT[kind].name
        matid, rgba = (np.asarray(getattr(model, f"{name}_{what}"))[index] for what in ("matid", "rgba"))
        if colors(rgba, np.array([int(matid)]), model)[0, 3] <= 0:
            continue
        limit = min(last, MISS if best is None else best.distance) - first
        if isinstance(part, Shell):
            part.surface.follow(state)
            distance, which = first_triangle(origin, direction, part.surface.triangles())
            if which < 0 or distance >= limit:
                continue
            point = origin + distance * direction
            body = part.surface.body_at(model, state, which, point)
            normal = triangle_normal(part.surface.triangles()[which])
        elif isinstance(part, Solids):
            start, end = part.ends(state)
            distance, which = first_capsule(origin, direction, start, end, part.radius)
            if which < 0 or distance >= limit:
                continue
            point = origin + distance * direction
            nearer = int(np.linalg.norm(end[which] - point) < np.linalg.norm(start[which] - point))
            normal = capsule_normal(start[which], end[which], point)
            body = flex_body(model, state, index, int(part.pairs[which, nearer]), point)
        else:
            continue
        best = Pick(-1, body, point, first + distance, against(normal, direction), **{f"{name}id": index})
    return best


_known = threading.local()
"""Of each thread the parts that it looked for last: `follow` changes them."""


def _soft_parts(model, options: VisOptions) -> list[SoftPart]:
    """`shown_parts`, kept while the mouse moves over the same model."""
    key = (
        *(getattr(options, name) for name in SOFT),
        options.shapes,
        tuple(options.flexgroup),
        tuple(options.skingroup),
        frozenset(each for each in options.hidden if each[0] in ("flex", "skin")),
        *(np.asarray(each).tobytes() for each in (model.flex_group, model.flex_radius, model.skin_group)),
    )
    of, known, parts = getattr(_known, "last", (lambda: None, None, []))
    if of() is not model or known != key:
        parts = shown_parts(model, options)
        if isinstance(model, Model):  # others cannot be told apart once they are gone
            _known.last = weakref.ref(model), key, parts
    return parts


def _shown(model, options: VisOptions) -> np.ndarray:
    """Ids of the geoms that a ray can hit."""
    rgba = colors(model.geom_rgba, np.asarray(model.geom_matid).astype(int), model)
    chosen = choose_geoms(model, options)
    shown = chosen.drawn & ((rgba[:, 3] > 0) | chosen.revealed)
    if not options.static:
        shown &= np.asarray(model.body_weldid).astype(int)[np.asarray(model.geom_bodyid)] != 0
    shown &= ~hidden_mask(options, "geom", len(shown))
    return np.flatnonzero(shown)
