"""Contacts of planes, spheres, capsules and cylinders, and of spheres with boxes, in closed form.

Each function is (model, data, g1, g2, margin) -> number of contacts; see `engine/collision/driver.py`.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.unfused import rotated_back
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import (
    MINVAL,
    add3,
    addscale3,
    cross3,
    dot3,
    load3,
    load9,
    mulmat3,
    mulmatT3,
    norm3,
    normalize3,
    scale3,
    sub3,
)

ZERO = (0.0, 0.0, 0.0)


@small
def put(data, k, dist, pos, normal, along):
    """Write contact k of a pair function."""
    data.near_dist[k] = dist
    data.near_pos[k, 0] = pos[0]
    data.near_pos[k, 1] = pos[1]
    data.near_pos[k, 2] = pos[2]
    data.near_frame[k, 0] = normal[0]
    data.near_frame[k, 1] = normal[1]
    data.near_frame[k, 2] = normal[2]
    data.near_frame[k, 3] = along[0]
    data.near_frame[k, 4] = along[1]
    data.near_frame[k, 5] = along[2]


@small
def axis_of(data, g):
    """The z axis of a geom's frame: normal of a plane, axis of a capsule or cylinder."""
    R = data.geom_xmat
    return R[g, 2], R[g, 5], R[g, 8]


@small
def touch_plane(data, k, origin, normal, centre, radius, margin, along):
    """Contact of a plane with a sphere, written as number k; the next number."""
    dist = dot3(normal, sub3(centre, origin)) - radius
    if not dist <= margin:
        return k
    put(data, k, dist, addscale3(centre, normal, -(radius + 0.5 * dist)), normal, along)
    return k + 1


@kernel
def touch_spheres(data, k, a, ra, b, rb, axis_a, axis_b, margin):
    """Contact of two spheres, written as number k; the next number.

    Where the centres coincide, the normal is perpendicular to the two given axes.
    """
    gap = sub3(b, a)
    length = norm3(gap)
    dist = length - ra - rb
    if not dist <= margin:
        return k
    if length < MINVAL:
        normal, _ = normalize3(cross3(axis_a, axis_b))
    else:
        normal = scale3(gap, 1.0 / length)
    put(data, k, dist, addscale3(a, normal, ra + 0.5 * dist), normal, ZERO)
    return k + 1


@kernel
def plane_sphere(model, data, g1, g2, margin):
    radius = model.geom_size[g2, 0]
    centre = load3(data.geom_xpos, g2)
    return touch_plane(data, 0, load3(data.geom_xpos, g1), axis_of(data, g1), centre, radius, margin, ZERO)


@kernel
def plane_capsule(model, data, g1, g2, margin):
    """The two ends as spheres; the first tangent follows the capsule."""
    radius = model.geom_size[g2, 0]
    half = model.geom_size[g2, 1]
    axis = axis_of(data, g2)
    centre = load3(data.geom_xpos, g2)
    origin = load3(data.geom_xpos, g1)
    normal = axis_of(data, g1)
    n = touch_plane(data, 0, origin, normal, addscale3(centre, axis, half), radius, margin, axis)
    return touch_plane(data, n, origin, normal, addscale3(centre, axis, -half), radius, margin, axis)


@kernel
def plane_ellipsoid(model, data, g1, g2, margin):
    """The lowest point of the ellipsoid."""
    normal = axis_of(data, g1)
    R = load9(data.geom_xmat, g2)
    size = load3(model.geom_size, g2)
    local = mulmatT3(R, normal)
    scaled, _ = normalize3((local[0] * size[0], local[1] * size[1], local[2] * size[2]))
    lowest = mulmat3(R, (-scaled[0] * size[0], -scaled[1] * size[1], -scaled[2] * size[2]))
    point = add3(load3(data.geom_xpos, g2), lowest)
    return touch_plane(data, 0, load3(data.geom_xpos, g1), normal, point, 0.0, margin, ZERO)


@kernel
def plane_cylinder(model, data, g1, g2, margin):
    """The lowest point, the other end of its side line, and two points that span the lower cap."""
    radius = model.geom_size[g2, 0]
    half = model.geom_size[g2, 1]
    normal = axis_of(data, g1)
    origin = load3(data.geom_xpos, g1)
    centre = load3(data.geom_xpos, g2)
    axis = axis_of(data, g2)
    tilt = dot3(normal, axis)
    if tilt > 0.0:  # from the centre to the lower cap
        axis = scale3(axis, -1.0)
        tilt = -tilt
    down = addscale3(scale3(axis, tilt), normal, -1.0)  # in the cap, downhill
    length = norm3(down)
    if length < MINVAL:
        R = data.geom_xmat
        down = (R[g2, 0] * radius, R[g2, 3] * radius, R[g2, 6] * radius)
    else:
        down = scale3(down, radius / length)
    cap = addscale3(centre, axis, half)
    n = touch_plane(data, 0, origin, normal, add3(cap, down), 0.0, margin, ZERO)
    if n == 0:
        return 0
    n = touch_plane(data, n, origin, normal, add3(addscale3(centre, axis, -half), down), 0.0, margin, ZERO)
    side = scale3(cross3(down, axis), math.sqrt(0.75))
    back = addscale3(cap, down, -0.5)
    n = touch_plane(data, n, origin, normal, add3(back, side), 0.0, margin, ZERO)
    return touch_plane(data, n, origin, normal, sub3(back, side), 0.0, margin, ZERO)


@kernel
def plane_box(model, data, g1, g2, margin):
    """Up to four corners that are not above the box's centre."""
    normal = axis_of(data, g1)
    origin = load3(data.geom_xpos, g1)
    centre = load3(data.geom_xpos, g2)
    R = load9(data.geom_xmat, g2)
    size = load3(model.geom_size, g2)
    height = dot3(normal, sub3(centre, origin))
    n = 0
    for i in range(8):
        corner = mulmat3(
            R,
            (
                size[0] if i & 1 else -size[0],
                size[1] if i & 2 else -size[1],
                size[2] if i & 4 else -size[2],
            ),
        )
        above = dot3(normal, corner)
        if n < 4 and above <= 0.0 and height + above <= margin:
            dist = height + above
            put(data, n, dist, addscale3(add3(centre, corner), normal, -0.5 * dist), normal, ZERO)
            n += 1
    return n


@kernel
def sphere_sphere(model, data, g1, g2, margin):
    return touch_spheres(
        data,
        0,
        load3(data.geom_xpos, g1),
        model.geom_size[g1, 0],
        load3(data.geom_xpos, g2),
        model.geom_size[g2, 0],
        axis_of(data, g1),
        axis_of(data, g2),
        margin,
    )


@small
def touch_capsule(data, a, ra, axis_a, capsule, margin):
    """Contact of a sphere with the nearest point of a capsule's segment; the number of contacts.

    Capsules here and below: (centre, unit axis, radius, half length).
    """
    b, axis, rb, half = capsule
    along = max(-half, min(half, dot3(axis, sub3(a, b))))
    return touch_spheres(data, 0, a, ra, addscale3(b, axis, along), rb, axis_a, axis, margin)


@small
def capsule_of(model, data, g):
    """A geom as a capsule."""
    return load3(data.geom_xpos, g), axis_of(data, g), model.geom_size[g, 0], model.geom_size[g, 1]


@kernel
def sphere_capsule(model, data, g1, g2, margin):
    """The sphere against the nearest point of the capsule's segment."""
    capsule = capsule_of(model, data, g2)
    return touch_capsule(data, load3(data.geom_xpos, g1), model.geom_size[g1, 0], axis_of(data, g1), capsule, margin)


@kernel
def sphere_cylinder(model, data, g1, g2, margin):
    """The sphere against the side, a cap or the rim, whichever gives the least penetration."""
    ra = model.geom_size[g1, 0]
    radius = model.geom_size[g2, 0]
    half = model.geom_size[g2, 1]
    a = load3(data.geom_xpos, g1)
    b = load3(data.geom_xpos, g2)
    axis = axis_of(data, g2)
    gap = sub3(a, b)
    height = dot3(gap, axis)
    across = addscale3(gap, axis, -height)
    distance = norm3(across)
    side = abs(height) < half
    cap = distance < radius
    if side and cap:
        side = radius - distance <= half - abs(height)
        cap = not side
    if side:
        return touch_spheres(data, 0, a, ra, addscale3(b, axis, height), radius, axis_of(data, g1), axis, margin)
    if cap:
        outward = axis if height > 0.0 else scale3(axis, -1.0)
        # the cap as a plane: rounding decides whether things that just touch do
        dist = dot3(outward, sub3(a, addscale3(b, outward, half))) - ra
        if not dist <= margin:
            return 0
        put(data, 0, dist, addscale3(a, outward, -(ra + 0.5 * dist)), scale3(outward, -1.0), ZERO)
        return 1
    rim = addscale3(b, axis, half if height > 0.0 else -half)
    rim = addscale3(rim, across, radius / max(distance, MINVAL))
    return touch_spheres(data, 0, a, ra, rim, 0.0, axis_of(data, g1), axis, margin)


@kernel
def touch_box(data, k, a, radius, b, R, size, margin):
    """Contact of a sphere with a box, written as number k; the next number."""
    local = rotated_back(R, sub3(a, b))
    near = (
        max(-size[0], min(size[0], local[0])),
        max(-size[1], min(size[1], local[1])),
        max(-size[2], min(size[2], local[2])),
    )
    gap = sub3(near, local)
    distance = norm3(gap)
    if not distance - radius <= margin:
        return k
    if distance < MINVAL:  # the centre is inside: out by the nearest face
        depth = math.inf
        for axis in range(3):
            x = near[0] if axis == 0 else (near[1] if axis == 1 else near[2])
            s = size[0] if axis == 0 else (size[1] if axis == 1 else size[2])
            inward = -1.0 if x > 0.0 else 1.0
            if s - abs(x) < depth:
                depth = s - abs(x)
                gap = (
                    inward if axis == 0 else 0.0,
                    inward if axis == 1 else 0.0,
                    inward if axis == 2 else 0.0,
                )
        normal = mulmat3(R, gap)
        put(data, k, -(depth + radius), addscale3(a, normal, 0.5 * (radius - depth)), normal, ZERO)
        return k + 1
    dist = distance - radius
    normal = mulmat3(R, scale3(gap, 1.0 / distance))
    put(data, k, dist, addscale3(a, normal, radius + 0.5 * dist), normal, ZERO)
    return k + 1


@kernel
def sphere_box(model, data, g1, g2, margin):
    return touch_box(
        data,
        0,
        load3(data.geom_xpos, g1),
        model.geom_size[g1, 0],
        load3(data.geom_xpos, g2),
        load9(data.geom_xmat, g2),
        load3(model.geom_size, g2),
        margin,
    )


@kernel
def capsule_capsule(model, data, g1, g2, margin):
    """The nearest points of the two segments; two contacts where the segments are parallel."""
    return touch_capsules(data, capsule_of(model, data, g1), capsule_of(model, data, g2), margin)


@kernel
def touch_capsules(data, first, second, margin):
    """Contacts of two capsules; their number."""
    a, z1, r1, half1 = first
    b, z2, r2, half2 = second
    u = scale3(z1, half1)
    v = scale3(z2, half2)
    d = sub3(a, b)
    uu, vv, uv, ud, vd = dot3(u, u), dot3(v, v), dot3(u, v), dot3(u, d), dot3(v, d)
    det = uu * vv - uv * uv
    if abs(det) >= MINVAL:
        s = (uv * vd - vv * ud) / det
        t = (uu * vd - uv * ud) / det
        if s > 1.0:
            s = 1.0
            t = (vd + uv) / vv
        elif s < -1.0:
            s = -1.0
            t = (vd - uv) / vv
        if t > 1.0:
            t = 1.0
            s = max(-1.0, min(1.0, (uv - ud) / uu))
        elif t < -1.0:
            t = -1.0
            s = max(-1.0, min(1.0, (-uv - ud) / uu))
        return touch_spheres(data, 0, addscale3(a, u, s), r1, addscale3(b, v, t), r2, z1, z2, margin)
    n = 0
    for i in range(4):  # the ends of the first against the second, then the other way
        end = -1.0 if i & 1 else 1.0
        if i < 2:
            s = end
            t = max(-1.0, min(1.0, (vd + end * uv) / vv))
        else:
            t = end
            s = max(-1.0, min(1.0, (end * uv - ud) / uu))
        if n < 2:
            n = touch_spheres(data, n, addscale3(a, u, s), r1, addscale3(b, v, t), r2, z1, z2, margin)
    return n
