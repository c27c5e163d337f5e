"""Rays against geoms: where a half-line meets a shape first.

The shape functions take the ray in the frame of the shape, start p and direction v as tuples, and return the
smallest t >= 0 with p + t v on the surface; MISS where there is none. v need not be a unit vector. They need
no Model or Data, so that picking runs them uncompiled (engine/scene/pick.py) while the touch sensor and
`kinetree.ray` run them compiled.

A start inside a shape meets it from within. Planes and their rectangles are met from the front only. Height
fields are closed by their base and their four side walls; triangles are met from both sides. A geom of type
sdf with a plugin for its distance is met where that is zero (engine/dynamics/sensor/ray_sdf.py), others where their
mesh is.
"""

from __future__ import annotations

import math

import numpy as np

from kinetree.engine.jit.kernel import kernel, small, takes
from kinetree.engine.jit.rounding import to_int
from kinetree.engine.jit.vec import (
    MINVAL,
    addscale3,
    cross3,
    dot3,
    load3,
    load9,
    mulmatT3,
    sub3,
)
from kinetree.engine.model import enums
from kinetree.engine.model.arguments import flag, numbers, object_id
from kinetree.engine.model.data import check_computed

MISS = math.inf
ALL_GROUPS = 0b111111


@small
def _roots(a, b, c):
    """Both solutions of a t^2 + 2 b t + c = 0, ascending; MISS where there are none."""
    det = b * b - a * c
    if det < MINVAL:
        return MISS, MISS
    root = math.sqrt(det)
    return (-b - root) / a, (-b + root) / a


@small
def _first(t1, t2):
    """The smaller one that is not negative."""
    if t1 >= 0.0:
        return t1
    return t2 if t2 >= 0.0 else MISS


@small
def ray_plane(size, p, v):
    """The plane z = 0, or its rectangle where half sizes are given (0: infinite)."""
    if v[2] > -MINVAL:
        return MISS
    t = -p[2] / v[2]
    if t < 0.0:
        return MISS
    for k in range(2):
        if size[k] > 0.0 and abs(p[k] + t * v[k]) > size[k]:
            return MISS
    return t


@small
def ray_sphere(radius, p, v):
    t1, t2 = _roots(dot3(v, v), dot3(p, v), dot3(p, p) - radius * radius)
    return _first(t1, t2)


@small
def ray_ellipsoid(size, p, v):
    """size: the semi-axes."""
    p = (p[0] / size[0], p[1] / size[1], p[2] / size[2])
    v = (v[0] / size[0], v[1] / size[1], v[2] / size[2])
    return ray_sphere(1.0, p, v)


@small
def _round_side(radius, half, p, v):
    """The side of a cylinder about z, of half-length `half`."""
    a = v[0] * v[0] + v[1] * v[1]
    t1, t2 = _roots(a, p[0] * v[0] + p[1] * v[1], p[0] * p[0] + p[1] * p[1] - radius * radius)
    t = _first(t1, t2)
    if t < MISS and abs(p[2] + t * v[2]) <= half:
        return t
    return MISS


@small
def ray_capsule(radius, half, p, v):
    """Capsule about z; half: from its middle to the centres of its ends."""
    best = _round_side(radius, half, p, v)
    for end in (-1.0, 1.0):
        q = (p[0], p[1], p[2] - end * half)
        t1, t2 = _roots(dot3(v, v), dot3(q, v), dot3(q, q) - radius * radius)
        if 0.0 <= t1 < best and end * (q[2] + t1 * v[2]) >= 0.0:
            best = t1
        if 0.0 <= t2 < best and end * (q[2] + t2 * v[2]) >= 0.0:
            best = t2
    return best


@small
def ray_cylinder(radius, half, p, v):
    """Cylinder about z with flat ends."""
    best = _round_side(radius, half, p, v)
    if abs(v[2]) > MINVAL:
        for end in (-1.0, 1.0):
            t = (end * half - p[2]) / v[2]
            x, y = p[0] + t * v[0], p[1] + t * v[1]
            if 0.0 <= t < best and x * x + y * y <= radius * radius:
                best = t
    return best


@small
def _rectangle(t, best, p1, v1, size1, p2, v2, size2):
    """t where it is a better hit than best, on the face of a box with these half sizes."""
    if 0.0 <= t < best and abs(p1 + t * v1) <= size1 and abs(p2 + t * v2) <= size2:
        return t
    return best


@small
def ray_box(size, p, v):
    """size: half sizes."""
    best = MISS
    for end in (-1.0, 1.0):
        if abs(v[0]) > MINVAL:
            t = (end * size[0] - p[0]) / v[0]
            best = _rectangle(t, best, p[1], v[1], size[1], p[2], v[2], size[2])
        if abs(v[1]) > MINVAL:
            t = (end * size[1] - p[1]) / v[1]
            best = _rectangle(t, best, p[0], v[0], size[0], p[2], v[2], size[2])
        if abs(v[2]) > MINVAL:
            t = (end * size[2] - p[2]) / v[2]
            best = _rectangle(t, best, p[0], v[0], size[0], p[1], v[1], size[1])
    return best


@small
def ray_triangle(a, b, c, p, v):
    """(t, whether the triangle is hit), from either side, edges included (Moeller and Trumbore 1997).

    Works on arrays too: corners whose coordinates are arrays give arrays.
    """
    edge1, edge2 = sub3(b, a), sub3(c, a)
    normal = cross3(v, edge2)
    determinant = dot3(edge1, normal)
    away = sub3(p, a)
    u = dot3(away, normal) / determinant
    q = cross3(away, edge1)
    w = dot3(v, q) / determinant
    t = dot3(edge2, q) / determinant
    return t, (abs(determinant) >= MINVAL) & (u >= 0.0) & (w >= 0.0) & (u + w <= 1.0) & (t >= 0.0)


@kernel
def ray_shape(kind, size, p, v):
    """A primitive of type `kind` (GEOM_) and its sizes."""
    if kind == enums.GEOM_PLANE:
        return ray_plane(size, p, v)
    if kind == enums.GEOM_SPHERE:
        return ray_sphere(size[0], p, v)
    if kind == enums.GEOM_CAPSULE:
        return ray_capsule(size[0], size[1], p, v)
    if kind == enums.GEOM_ELLIPSOID:
        return ray_ellipsoid(size, p, v)
    if kind == enums.GEOM_CYLINDER:
        return ray_cylinder(size[0], size[1], p, v)
    if kind == enums.GEOM_BOX:
        return ray_box(size, p, v)
    return MISS


@small
def _slab(low, high, p, v, near, far):
    """The part of near .. far at which one coordinate is between low and high; empty: near > far."""
    if abs(v) <= MINVAL:
        return (near, far) if low <= p <= high else (1.0, 0.0)
    t1, t2 = (low - p) / v, (high - p) / v
    return max(near, min(t1, t2)), min(far, max(t1, t2))


@small
def _mesh_corner(model, first, vertex):
    i = first + vertex  # compiled, float() of a single stays single: adding 0.0 makes it double
    return float(model.mesh_vert[i, 0]) + 0.0, float(model.mesh_vert[i, 1]) + 0.0, float(model.mesh_vert[i, 2]) + 0.0


@small
def _meets_box(model, box, p, v, best):
    """Whether a box of a mesh has a point of the ray before t = best."""
    near, far = 0.0, best
    for k in range(3):
        near, far = _slab(float(model.mesh_box[box, k]), float(model.mesh_box[box, k + 3]), p[k], v[k], near, far)
    return near <= far * (1.0 + ROUNDING)


@small
def _nearer_child(model, box, v):
    """Which of a box and the one after it the ray meets first: 0 or 1."""
    ahead = 0.0
    for k in range(3):
        ahead += v[k] * float(model.mesh_box[box, k] + model.mesh_box[box, k + 3])
        ahead -= v[k] * float(model.mesh_box[box + 1, k] + model.mesh_box[box + 1, k + 3])
    return 1 if ahead > 0.0 else 0


@kernel
def mesh_face(model, mesh, p, v):
    """(t, face) of the first triangle of a mesh, (MISS, -1) without one.

    The mesh's tree of boxes (engine/compile/derived/mesh_boxes.py) is visited nearer half first. The way
    through the tree needs no stack: parent, children and sibling of a node are found by arithmetic.
    """
    best, found = MISS, -1
    vertices, faces, number = model.mesh_vertadr[mesh], model.mesh_faceadr[mesh], int(model.mesh_facenum[mesh])
    root, depth = int(model.mesh_boxadr[mesh]), int(model.mesh_boxdepth[mesh])
    leaves = (1 << depth) - 1
    node = 0
    while True:
        if _meets_box(model, root + node, p, v, best):
            if node < leaves:
                node = 2 * node + 1
                node += _nearer_child(model, root + node, v)
                continue
            leaf = node - leaves
            for k in range(leaf * number >> depth, (leaf + 1) * number >> depth):
                face = faces + model.mesh_boxface[faces + k]
                a = _mesh_corner(model, vertices, model.mesh_face[face, 0])
                b = _mesh_corner(model, vertices, model.mesh_face[face, 1])
                c = _mesh_corner(model, vertices, model.mesh_face[face, 2])
                t, hit = ray_triangle(a, b, c, p, v)
                if hit and t < best:
                    best, found = t, face
        while node > 0:
            first = 2 * ((node - 1) // 2) + 1
            if node == first + _nearer_child(model, root + first, v):
                node = 2 * first + 1 - node  # the sibling
                break
            node = (node - 1) // 2
        if node == 0:
            return best, found


@kernel
def ray_mesh(model, mesh, p, v):
    """The first of all triangles of a mesh."""
    t, _ = mesh_face(model, mesh, p, v)
    return t


@kernel
def ray_hfield(model, hfield, p, v):
    """The surface of a height field, its four side walls and its base."""
    sx, sy = float(model.hfield_size[hfield, 0]), float(model.hfield_size[hfield, 1])
    top, base = float(model.hfield_size[hfield, 2]), float(model.hfield_size[hfield, 3])
    nrow, ncol = int(model.hfield_nrow[hfield]), int(model.hfield_ncol[hfield])
    adr = int(model.hfield_adr[hfield])
    best = ray_box((sx, sy, 0.5 * base), (p[0], p[1], p[2] + 0.5 * base), v)
    if nrow < 2 or ncol < 2:  # no cells
        return best
    near, far = _slab(-sx, sx, p[0], v[0], 0.0, MISS)
    near, far = _slab(-sy, sy, p[1], v[1], near, far)
    near, far = _slab(0.0, top, p[2], v[2], near, far)
    if near > far:
        return best
    dx, dy = 2.0 * sx / (ncol - 1), 2.0 * sy / (nrow - 1)
    for side in (-1.0, 1.0):  # the walls at x = -sx and sx, then at y = -sy and sy
        if abs(v[0]) > MINVAL:
            t = (side * sx - p[0]) / v[0]
            column = 0 if side < 0.0 else ncol - 1
            place, z = (p[1] + t * v[1] + sy) / dy, p[2] + t * v[2]
            if 0.0 <= t < best and 0.0 <= place <= nrow - 1 and z >= 0.0:
                k = to_int(place, 0, nrow - 2)
                one = float(model.hfield_data[adr + k * ncol + column])
                two = float(model.hfield_data[adr + (k + 1) * ncol + column])
                if z <= top * (one + (place - k) * (two - one)):
                    best = t
        if abs(v[1]) > MINVAL:
            t = (side * sy - p[1]) / v[1]
            row = 0 if side < 0.0 else nrow - 1
            place, z = (p[0] + t * v[0] + sx) / dx, p[2] + t * v[2]
            if 0.0 <= t < best and 0.0 <= place <= ncol - 1 and z >= 0.0:
                k = to_int(place, 0, ncol - 2)
                one = float(model.hfield_data[adr + row * ncol + k])
                two = float(model.hfield_data[adr + row * ncol + k + 1])
                if z <= top * (one + (place - k) * (two - one)):
                    best = t
    y1, y2 = p[1] + near * v[1] + sy, p[1] + far * v[1] + sy
    for r in range(_cell(min(y1, y2), dy, nrow, -1), _cell(max(y1, y2), dy, nrow, 1) + 1):
        y = r * dy - sy
        start, end = _slab(y - WIDER * dy, y + (1.0 + WIDER) * dy, p[1], v[1], near, far)
        if start > end:
            continue
        x1, x2 = p[0] + start * v[0] + sx, p[0] + end * v[0] + sx
        for c in range(_cell(min(x1, x2), dx, ncol, -1), _cell(max(x1, x2), dx, ncol, 1) + 1):
            x, k = c * dx - sx, adr + r * ncol + c
            low_low = (x, y, top * float(model.hfield_data[k]))
            low_high = (x + dx, y, top * float(model.hfield_data[k + 1]))
            high_low = (x, y + dy, top * float(model.hfield_data[k + ncol]))
            high_high = (x + dx, y + dy, top * float(model.hfield_data[k + ncol + 1]))
            t, hit = ray_triangle(low_low, high_high, low_high, p, v)
            if hit and t < best:
                best = t
            t, hit = ray_triangle(low_low, high_high, high_low, p, v)
            if hit and t < best:
                best = t
    return best


WIDER = 1e-6  # of a cell: what rounding may put a point beside it
ROUNDING = 1e-12  # of a distance: what rounding may change about it


@small
def _cell(place, width, number, side):
    """The cell of a grid line with `number` points that a place is in; a little before or after, as `side`
    says.
    """
    return to_int(place / width + side * WIDER, 0, number - 2)


@kernel
def ray_geom(model, data, g, point, direction):
    """Geom g against a ray in world coordinates."""
    axes = load9(data.geom_xmat, g)
    p = mulmatT3(axes, sub3(point, load3(data.geom_xpos, g)))
    v = mulmatT3(axes, direction)
    kind = model.geom_type[g]
    if kind == enums.GEOM_MESH or kind == enums.GEOM_SDF:
        return ray_mesh(model, model.geom_dataid[g], p, v)
    if kind == enums.GEOM_HFIELD:
        return ray_hfield(model, model.geom_dataid[g], p, v)
    return ray_shape(kind, load3(model.geom_size, g), p, v)


@small
def ray_hits_site(model, data, site, point, direction):
    """Whether the ray from a global point meets the site's volume (from inside counts)."""
    axes = load9(data.site_xmat, site)
    p = mulmatT3(axes, sub3(point, load3(data.site_xpos, site)))
    return ray_shape(model.site_type[site], load3(model.site_size, site), p, mulmatT3(axes, direction)) < MISS


@small
def _comes_too_late(model, data, g, point, direction, square, best):
    """Whether the ray meets the geom's bounding sphere nowhere before t = best; square: of the direction's length."""
    radius = model.geom_rbound[g]
    if radius <= 0.0:
        return False  # planes have none
    radius *= 1.0 + WIDER
    away = sub3(load3(data.geom_xpos, g), point)
    t = dot3(away, direction) / square
    across = addscale3(away, direction, -t)
    half = radius * radius - dot3(across, across)
    if half < 0.0:
        return True
    half = math.sqrt(half / square)
    return t + half < 0.0 or t - half > best


@small
def is_traced(model, g):
    """Whether a geom is met where its signed distance is zero (`ray_sdf.py`), not where its mesh is."""
    return model.geom_type[g] == enums.GEOM_SDF and model.geom_plugin[g] >= 0


@small
def is_left_out(model, data, g, point, direction, square, groups, static, bodyexclude, best):
    """Whether the geom does not count (see first_geom), or lies elsewhere than the ray before t = best."""
    body, material = model.geom_bodyid[g], model.geom_matid[g]
    alpha = model.mat_rgba[material, 3] if material >= 0 else model.geom_rgba[g, 3]
    return (
        alpha == 0.0
        or body == bodyexclude
        or not (groups >> min(max(model.geom_group[g], 0), 5)) & 1
        or (static == 0 and model.body_weldid[body] == 0)
        or _comes_too_late(model, data, g, point, direction, square, best)
    )


@kernel
def first_geom(model, data, point, direction, groups, static, bodyexclude):
    """(t, geom) of the first geom that a ray in world coordinates meets; (MISS, -1). Not of those of `is_traced`.

    groups: a bit for each of the six geom groups that count. static: 1 where geoms that cannot move count, else 0.
    bodyexclude: a body whose geoms do not count, or -1. Geoms that are invisible (alpha 0) never count.
    """
    best, found = MISS, -1
    square = dot3(direction, direction)
    for g in range(model.ngeom):
        if is_traced(model, g) or is_left_out(
            model, data, g, point, direction, square, groups, static, bodyexclude, best
        ):
            continue
        t = ray_geom(model, data, g, point, direction)
        if t < best:
            best, found = t, g
    return best, found


@takes("Model", "Data", "f8[1]", "f8[2]", "i8", "i8", "i8", "f8[1]", "i8[1]")
@kernel
def rays(model, data, point, directions, groups, static, bodyexclude, distance, geom):
    """first_geom for many directions (n, 3) from one point (3,); fills distance (n,) and geom (n,)."""
    start = (point[0], point[1], point[2])
    for k in range(len(directions)):
        distance[k], geom[k] = first_geom(model, data, start, load3(directions, k), groups, static, bodyexclude)


def has_traced_geoms(model) -> bool:
    """Whether any geom of a Model is one of `is_traced`."""
    return bool(((model.geom_type == enums.GEOM_SDF) & (model.geom_plugin >= 0)).any())


def ray(model, data, pnt, vec, geomgroup=None, flg_static=True, bodyexclude=-1):
    """Return the first geom that a ray meets: (distance, geom), or two arrays (n,) for many rays from one point.

    The distance is in lengths of vec, the geom an id; (-1.0, -1) where nothing is met. Geoms with alpha 0 are left out,
    flexes and skins are not met. Many rays give what each of them gives alone; mj_multiRay of mujoco 3.3.4 loses some
    hits, because it tests a bounding sphere of each body at a place that does not turn with the body.

    pnt          (3,) start, m
    vec          (3,) direction, of any length; or (n, 3)
    geomgroup    six numbers or booleans: which geom groups count; None: all
    flg_static   whether geoms fixed to the world count
    bodyexclude  a body (id or name) whose geoms do not count, -1: none

    Raises ValueError for a direction of length zero or of another shape, and where no poses were computed
    (`kinetree.forward`, `kinetree.kinematics` or a step); KeyError and IndexError for an unknown body.

    Source: specification, API reference, mj_ray and mj_multiRay.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        distance, geom = kinetree.ray(model, data, [0.42, 0.3, 2], [0, 0, -1])
        assert 0.0 < distance < 2.0 and geom >= 0
    """
    check_computed(model, data)
    point = numbers(pnt, (3,), "pnt", finite=True)
    directions = numbers(vec, (-1, 3) if np.ndim(vec) == 2 else (3,), "vec", finite=True)
    groups = np.ones(6) if geomgroup is None else numbers(geomgroup, (6,), "geomgroup")
    if not (isinstance(bodyexclude, int | np.integer) and bodyexclude == -1):
        bodyexclude = object_id(model, "body", bodyexclude)
    rows = directions.reshape(-1, 3)
    if not (np.linalg.norm(rows, axis=1) >= MINVAL).all():
        raise ValueError("the direction of a ray must not be zero")
    distance, geom = np.empty(len(rows)), np.empty(len(rows), np.int64)
    from kinetree.engine.jit.compiler import caller

    mask = int(((groups != 0.0) << np.arange(6)).sum())
    arguments = (model, data, point, rows, mask, int(flag(flg_static, "flg_static")), bodyexclude, distance, geom)
    caller(rays)(*arguments)
    if has_traced_geoms(model):
        from kinetree.engine.dynamics.sensor.ray_sdf import sdf_rays

        caller(sdf_rays)(*arguments)
    distance[geom < 0] = -1.0
    return (float(distance[0]), int(geom[0])) if directions.ndim == 1 else (distance, geom)
