"""Broad phase: finds candidate pairs of geoms by bounding boxes, a sweep along one axis, and filters.

Bodies that can move relative to the world are swept against each other as wholes; the geoms that are fixed to
the world are swept against them one by one (they never collide with each other); planes are tested against
every body. Data keeps the order of the last sweep, which makes the next sort cheap. It does not change the
result: candidates are sorted by bodies and geoms at the end.

Source: specification, Computation, "Collision detection", Selection.
"""

from __future__ import annotations

import math

import numpy as np

from kinetree.engine.jit.capacity import MOST_CANDIDATES, NNEARMAX, request
from kinetree.engine.jit.kernel import kernel, small, view
from kinetree.engine.jit.vec import add3, load3, load9, mulmat3
from kinetree.engine.jit.warn import warn
from kinetree.engine.model import enums

# The gaps of Shell's sort (Ciura), then times 2.25.
GAPS = (1, 4, 10, 23, 57, 132, 301, 701, 1750, 3937, 8858, 19930, 44842, 100894, 227011, 510774, 1149241)
FEW = 100  # candidates that are sorted by comparing them
LOW_HALF = 0xFFFFFFFF


@kernel
def geom_bounds(model, data):
    """World boxes of all geoms that can collide, with their margins; (inf, -inf) for the others."""
    override = (model.opt_enableflags & enums.ENBL_OVERRIDE) != 0
    bounds = data.geom_bounds
    aabb = model.geom_aabb
    for g in range(model.ngeom):
        if (model.geom_contype[g] | model.geom_conaffinity[g]) == 0 or model.geom_type[g] == enums.GEOM_PLANE:
            for k in range(3):
                bounds[g, k] = math.inf
                bounds[g, k + 3] = -math.inf
            continue
        margin = model.opt_o_margin if override else model.geom_margin[g]
        margin += model.opt_ccd_tolerance  # nearer than that, the convex collider decides
        R = load9(data.geom_xmat, g)
        p = load3(data.geom_xpos, g)
        c = add3(p, mulmat3(R, load3(aabb, g)))
        hx, hy, hz = aabb[g, 3], aabb[g, 4], aabb[g, 5]
        r = model.geom_rbound[g]
        half = (
            abs(R[0]) * hx + abs(R[1]) * hy + abs(R[2]) * hz,
            abs(R[3]) * hx + abs(R[4]) * hy + abs(R[5]) * hz,
            abs(R[6]) * hx + abs(R[7]) * hy + abs(R[8]) * hz,
        )
        bounds[g, 0] = max(c[0] - half[0], p[0] - r) - margin
        bounds[g, 1] = max(c[1] - half[1], p[1] - r) - margin
        bounds[g, 2] = max(c[2] - half[2], p[2] - r) - margin
        bounds[g, 3] = min(c[0] + half[0], p[0] + r) + margin
        bounds[g, 4] = min(c[1] + half[1], p[1] + r) + margin
        bounds[g, 5] = min(c[2] + half[2], p[2] + r) + margin


@kernel
def start(model, data):
    """List the moving bodies and the fixed geoms, in the order of their ids."""
    moving = 0
    fixed = 0
    for b in range(model.nbody):
        if model.body_weldid[b] != 0:
            if model.body_geomnum[b] > 0:
                data.sweep_body[moving] = b
                moving += 1
        else:
            for g in range(model.body_geomadr[b], model.body_geomadr[b] + model.body_geomnum[b]):
                data.sweep_geom[fixed] = g
                fixed += 1
    data.nsweep_body = moving
    data.nsweep_geom = fixed
    data.sweep_ready = 1


@kernel
def body_bounds(model, data):
    """World boxes of the moving bodies, and the axis (0, 1, 2) along which their centres are spread most."""
    bounds = data.geom_bounds
    n = 0
    s0 = s1 = s2 = q0 = q1 = q2 = 0.0
    for i in range(data.nsweep_body):
        b = data.sweep_body[i]
        x0 = y0 = z0 = math.inf
        x1 = y1 = z1 = -math.inf
        for g in range(model.body_geomadr[b], model.body_geomadr[b] + model.body_geomnum[b]):
            x0 = min(x0, bounds[g, 0])
            y0 = min(y0, bounds[g, 1])
            z0 = min(z0, bounds[g, 2])
            x1 = max(x1, bounds[g, 3])
            y1 = max(y1, bounds[g, 4])
            z1 = max(z1, bounds[g, 5])
        if not (x0 <= x1 and y0 <= y1 and z0 <= z1):  # nothing that collides, or not a number
            x0 = y0 = z0 = math.inf
            x1 = y1 = z1 = -math.inf
        else:
            c0, c1, c2 = x0 + x1, y0 + y1, z0 + z1
            n += 1
            s0 += c0
            s1 += c1
            s2 += c2
            q0 += c0 * c0
            q1 += c1 * c1
            q2 += c2 * c2
        w = data.body_bounds
        w[b, 0] = x0
        w[b, 1] = y0
        w[b, 2] = z0
        w[b, 3] = x1
        w[b, 4] = y1
        w[b, 5] = z1
    scale = 1.0 / max(n, 1)
    q0 -= s0 * s0 * scale
    q1 -= s1 * s1 * scale
    q2 -= s2 * s2 * scale
    if q0 >= q1 and q0 >= q2:
        return 0
    return 1 if q1 >= q2 else 2


@kernel
def sort_along(order, bounds, axis, n, boxes):
    """Sort order[:n] by the lower bounds along the axis and gather the boxes in that order, the axis first.

    Rows of boxes: low and high along the axis, then along the two others.
    """
    for k in range(len(GAPS) - 1, -1, -1):
        gap = GAPS[k]
        if gap > n // 2 and gap > 1:
            continue
        for i in range(gap, n):
            item = order[i]
            low = bounds[item, axis]
            j = i
            while j >= gap and bounds[order[j - gap], axis] > low:
                order[j] = order[j - gap]
                j -= gap
            order[j] = item
    second = (axis + 1) % 3
    third = (axis + 2) % 3
    for i in range(n):
        item = order[i]
        boxes[i, 0] = bounds[item, axis]
        boxes[i, 1] = bounds[item, axis + 3]
        boxes[i, 2] = bounds[item, second]
        boxes[i, 3] = bounds[item, second + 3]
        boxes[i, 4] = bounds[item, third]
        boxes[i, 5] = bounds[item, third + 3]


@small
def has(values, n, value):
    """Whether the sorted values[:n] hold the value."""
    low = 0
    high = n
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low < n and values[low] == value


@kernel
def bodies_may_collide(model, b1, b2):
    """The filters for bodies: not welded together, not parent and child, not excluded."""
    w1 = model.body_weldid[b1]
    w2 = model.body_weldid[b2]
    if w1 == w2:
        return False
    if (model.opt_disableflags & enums.DSBL_FILTERPARENT) == 0 and w1 != 0 and w2 != 0:
        if model.body_weldid[model.body_parentid[w1]] == w2 or model.body_weldid[model.body_parentid[w2]] == w1:
            return False
    if model.nexclude > 0:
        if has(model.exclude_signature, model.nexclude, (min(b1, b2) << 16) + max(b1, b2)):
            return False
    return True


@kernel
def is_explicit(model, b1, b2, g1, g2):
    """Whether the two geoms are named by a contact/pair."""
    signature = (min(b1, b2) << 16) + max(b1, b2)
    if not has(model.pair_signature, model.npair, signature):
        return False
    for i in range(model.npair):
        p1 = model.pair_geom1[i]
        p2 = model.pair_geom2[i]
        if (p1 == g1 and p2 == g2) or (p1 == g2 and p2 == g1):
            return True
    return False


@small
def two_in_one(a, b):
    """Two indices as one number, which sorts by the first, then by the second."""
    return (np.int64(a) << 32) | np.int64(b)


@kernel
def add_pair(model, data, n, g1, g2):
    """Append the two geoms as candidate n when their contype and conaffinity match; the number of candidates.

    Candidates that do not fit are counted too.
    """
    if (model.geom_contype[g1] & model.geom_conaffinity[g2]) == 0:
        if (model.geom_contype[g2] & model.geom_conaffinity[g1]) == 0:
            return n
    if g1 > g2:
        g1, g2 = g2, g1
    b1 = model.geom_bodyid[g1]
    b2 = model.geom_bodyid[g2]
    if model.npair > 0 and is_explicit(model, b1, b2, g1, g2):
        return n
    if (model.opt_disableflags & enums.DSBL_MIDPHASE) == 0:
        if model.geom_type[g1] > model.geom_type[g2]:
            g1, g2 = g2, g1
    elif b1 > b2:
        g1, g2 = g2, g1
    if n < data.nnearmax:
        data.near_bodies[n] = two_in_one(min(b1, b2), max(b1, b2))
        data.near_geoms[n] = two_in_one(g1, g2)
    return n + 1


@small
def overlap(a, i, b, j):
    """Whether the boxes a[i] and b[j], (low, high), overlap."""
    return (
        a[i, 0] <= b[j, 3]
        and b[j, 0] <= a[i, 3]
        and a[i, 1] <= b[j, 4]
        and b[j, 1] <= a[i, 4]
        and a[i, 2] <= b[j, 5]
        and b[j, 2] <= a[i, 5]
    )


@kernel
def add_bodies(model, data, n, b1, b2):
    """Append the geoms of two bodies whose boxes overlap."""
    if not bodies_may_collide(model, b1, b2):
        return n
    first1, first2 = model.body_geomadr[b1], model.body_geomadr[b2]
    number1, number2 = model.body_geomnum[b1], model.body_geomnum[b2]
    if number1 == 1 and number2 == 1:  # their boxes are those of the bodies
        return add_pair(model, data, n, int(first1), int(first2))
    bounds = data.geom_bounds
    for g1 in range(first1, first1 + number1):
        if overlap(bounds, g1, data.body_bounds, b2):
            for g2 in range(first2, first2 + number2):
                if overlap(bounds, g1, bounds, g2):
                    n = add_pair(model, data, n, g1, g2)
    return n


@kernel
def find_single(model, data, n):
    """sweep_single <- the geoms of bodies for which `add_bodies` has nothing to test but the types of contacts."""
    for i in range(n):
        b = np.uint64(data.sweep_body[i])
        geom = -1
        if model.body_geomnum[b] == 1 and model.nexclude == 0 and model.npair == 0 and model.body_weldid[b] == b:
            if model.body_weldid[np.uint64(model.body_parentid[b])] == 0:
                geom = model.body_geomadr[b]
        data.sweep_single[i] = geom


@small
def add_single(model, data, n, b1, b2, g1, g2):
    """`add_pair` for the geoms of two bodies in sweep_single; without tests for negative indices."""
    low, high = np.uint64(min(g1, g2)), np.uint64(max(g1, g2))
    if (model.geom_contype[low] & model.geom_conaffinity[high]) == 0:
        if (model.geom_contype[high] & model.geom_conaffinity[low]) == 0:
            return n
    if n < data.nnearmax:
        k = np.uint64(n)
        data.near_bodies[k] = two_in_one(min(b1, b2), max(b1, b2))
        if model.geom_type[low] > model.geom_type[high] and (model.opt_disableflags & enums.DSBL_MIDPHASE) == 0:
            data.near_geoms[k] = two_in_one(high, low)
        else:
            data.near_geoms[k] = two_in_one(low, high)
    return n + 1


@kernel
def add_fixed(model, data, n, b, g):
    """Append the geoms of a moving body whose boxes overlap that of a fixed geom."""
    if not bodies_may_collide(model, b, model.geom_bodyid[g]):
        return n
    bounds = data.geom_bounds
    for h in range(model.body_geomadr[b], model.body_geomadr[b] + model.body_geomnum[b]):
        if overlap(bounds, h, bounds, g):
            n = add_pair(model, data, n, h, g)
    return n


@kernel
def add_plane(model, data, n, g):
    """Append the moving geoms whose bounding spheres reach the plane g."""
    override = (model.opt_enableflags & enums.ENBL_OVERRIDE) != 0
    R = data.geom_xmat
    nx, ny, nz = R[g, 2], R[g, 5], R[g, 8]
    p = load3(data.geom_xpos, g)
    margin = model.opt_o_margin if override else model.geom_margin[g]
    height = nx * p[0] + ny * p[1] + nz * p[2] + margin
    w = data.body_bounds
    for i in range(data.nsweep_body):
        b = data.sweep_body[i]
        low = (
            nx * (w[b, 0] if nx > 0 else w[b, 3])
            + ny * (w[b, 1] if ny > 0 else w[b, 4])
            + nz * (w[b, 2] if nz > 0 else w[b, 5])
        )
        if not low <= height or not bodies_may_collide(model, b, model.geom_bodyid[g]):
            continue
        for h in range(model.body_geomadr[b], model.body_geomadr[b] + model.body_geomnum[b]):
            reach = model.geom_rbound[h] + (0.0 if override else model.geom_margin[h])
            x = data.geom_xpos
            if nx * x[h, 0] + ny * x[h, 1] + nz * x[h, 2] - height <= reach:
                n = add_pair(model, data, n, h, g)
    return n


@kernel
def add_explicit(model, data, n):
    """Append the pairs that the model names; they come before the others of the same two bodies."""
    for i in range(model.npair):
        b1 = model.geom_bodyid[model.pair_geom1[i]]
        b2 = model.geom_bodyid[model.pair_geom2[i]]
        if n < data.nnearmax:
            data.near_bodies[n] = two_in_one(min(b1, b2), max(b1, b2))
            data.near_geoms[n] = i - model.npair
        n += 1
    return n


@kernel
def sort_range(bodies, geoms, n):
    """Sort n candidates by bodies, then by geoms."""
    for k in range(len(GAPS) - 1 if n > 12 else 0, -1, -1):
        gap = GAPS[k]
        if gap > n // 2 and gap > 1:
            continue
        for i in range(gap, n):
            b = bodies[i]
            g = geoms[i]
            j = i
            while j >= gap and (bodies[j - gap] > b or (bodies[j - gap] == b and geoms[j - gap] > g)):
                bodies[j] = bodies[j - gap]
                geoms[j] = geoms[j - gap]
                j -= gap
            bodies[j] = b
            geoms[j] = g


@kernel
def sort_candidates(model, data, n):
    """Sort by bodies, then by geoms. Many candidates are put in the order of their higher bodies first, then of their
    lower ones, which keeps the order of those with the same lower body.
    """
    bodies, geoms = data.near_bodies, data.near_geoms
    if n < FEW:
        sort_range(bodies, geoms, n)
        return
    _count_bodies(model, data, n)
    spare, next_place = data.near_spare, data.near_number
    for i in range(n):
        high = np.uint64(bodies[i] & LOW_HALF)
        k = np.uint64(next_place[high, 1])
        next_place[high, 1] += 1
        spare[k, 0], spare[k, 1] = bodies[i], geoms[i]
    for i in range(n):
        low = np.uint64(spare[i, 0] >> 32)
        k = np.uint64(next_place[low, 0])
        next_place[low, 0] += 1
        bodies[k], geoms[k] = spare[i, 0], spare[i, 1]
    first = 0
    while first < n:
        end = first + 1
        while end < n and bodies[end] == bodies[first]:
            end += 1
        if end > first + 1:
            sort_range(view(bodies, first, end - first), view(geoms, first, end - first), end - first)
        first = end


@kernel
def _count_bodies(model, data, n):
    """near_number <- where the first candidate of each lower body, and of each higher body goes."""
    bodies, number = data.near_bodies, data.near_number
    for b in range(model.nbody):
        number[b, 0] = number[b, 1] = 0
    for i in range(n):
        number[np.uint64(bodies[i] >> 32), 0] += 1
        number[np.uint64(bodies[i] & LOW_HALF), 1] += 1
    low = high = 0
    for b in range(model.nbody):
        before_low, before_high = low, high
        low += number[b, 0]
        high += number[b, 1]
        number[b, 0], number[b, 1] = before_low, before_high


@kernel
def next_overlap(a, i, b, j, n):
    """The first of the boxes b[j:n] that overlaps box a[i], n if there is none. b is sorted along the axis.

    One branch for the two other axes: mostly they do not overlap.
    """
    high = a[i, 1]
    low2, high2, low3, high3 = a[i, 2], a[i, 3], a[i, 4], a[i, 5]
    while j < n:
        k = np.uint64(j)  # unsigned: no test for negative indices
        if not b[k, 0] <= high:
            return n
        if max(b[k, 2] - high2, low2 - b[k, 3], b[k, 4] - high3, low3 - b[k, 5]) <= 0.0:
            return j
        j += 1
    return n


@kernel
def sweep(model, data, n, moving, fixed):
    """Append the moving bodies that overlap each other, then those that overlap fixed geoms."""
    a = data.sweep_body_box
    for i in range(moving):
        j = next_overlap(a, i, a, i + 1, moving)
        while j < moving:
            k = np.uint64(j)
            g1, g2 = data.sweep_single[i], data.sweep_single[k]
            if g1 >= 0 and g2 >= 0:
                n = add_single(model, data, n, data.sweep_body[i], data.sweep_body[k], g1, g2)
            else:
                n = add_bodies(model, data, n, data.sweep_body[i], data.sweep_body[j])
            j = next_overlap(a, i, a, j + 1, moving)
    f = data.sweep_geom_box
    i = 0
    k = 0
    while i < moving and k < fixed:
        # of the two that come next, the one that begins first meets all of the other kind that begin within
        # it
        if a[i, 0] <= f[k, 0]:
            j = next_overlap(a, i, f, k, fixed)
            while j < fixed:
                n = add_fixed(model, data, n, data.sweep_body[i], int(data.sweep_geom[j]))
                j = next_overlap(a, i, f, j + 1, fixed)
            i += 1
        else:
            j = next_overlap(f, k, a, i, moving)
            while j < moving:
                n = add_fixed(model, data, n, data.sweep_body[j], int(data.sweep_geom[k]))
                j = next_overlap(f, k, a, j + 1, moving)
            k += 1
    return n


@kernel
def broad_phase(model, data):
    """Stage: list the candidate pairs in data.near_bodies and near_geoms, sorted; their number in data.nnear.

    near_bodies: lower body, higher body, two_in_one. near_geoms: geom of the lower type (with midphase="disable" that
    of the lower body), the other geom likewise, or pair - npair for a pair that the model names. Their order is the
    order of contacts, as in the reference. Asks for memory when they do not fit.
    """
    data.nnear = 0
    data.ncon = 0
    if (model.opt_disableflags & (enums.DSBL_CONTACT | enums.DSBL_CONSTRAINT)) != 0:
        return
    if data.sweep_ready == 0:
        start(model, data)
    geom_bounds(model, data)
    axis = body_bounds(model, data)
    moving = data.nsweep_body
    fixed = data.nsweep_geom
    sort_along(data.sweep_body, data.body_bounds, axis, moving, data.sweep_body_box)
    sort_along(data.sweep_geom, data.geom_bounds, axis, fixed, data.sweep_geom_box)
    find_single(model, data, moving)
    n = sweep(model, data, 0, moving, fixed)
    for k in range(fixed):
        g = int(data.sweep_geom[k])
        if model.geom_type[g] == enums.GEOM_PLANE and (model.geom_contype[g] | model.geom_conaffinity[g]) != 0:
            n = add_plane(model, data, n, g)
    n = add_explicit(model, data, n)
    if n > MOST_CANDIDATES <= data.nnearmax:
        n = MOST_CANDIDATES
        warn(data, enums.WARN_CONTACTFULL, data.ncon)
    if n > data.nnearmax:
        request(data, NNEARMAX, min(n, MOST_CANDIDATES))
        return
    sort_candidates(model, data, n)
    data.nnear = n
