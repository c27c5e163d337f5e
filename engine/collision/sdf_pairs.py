"""Contacts of signed distance fields (geoms of type sdf) with each other, with primitives and with meshes.

With a primitive or another field, contacts are sought from points of a fixed pattern in the box that the two share, by
gradient descent on the depth. With a mesh, the point of least distance is sought on each triangle that may be inside.

Source: specification, XML reference, option/sdf_iterations and sdf_initpoints; what it leaves open was found by
comparing with mujoco 3.3.4.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.primitive import put
from kinetree.engine.collision.sdf import sdf_distance, sdf_frame, sdf_gradient
from kinetree.engine.collision.unfused import cross, dot, minus, norm, plus, times, to_local, to_world, unit
from kinetree.engine.jit.kernel import exact, exact_small
from kinetree.engine.jit.vec import MAXVAL, MINVAL, load3, load9, mulmat3, mulmatT3, store3

MOST = 50  # contacts of a pair
FACES = 1300  # most triangles of a mesh that are looked at
LEAST = 1e-4  # share of a step below which the search along it ends
ENOUGH = 0.1  # share of the expected decrease that is good enough
SUM, LARGER = 0, 1  # what is descended: both distances and the larger one; the larger one


@exact
def pose_in(pos1, R1, pos2, R2):
    """(position, orientation) of frame 1 in frame 2."""
    x = mulmatT3(R2, (R1[0], R1[3], R1[6]))
    y = mulmatT3(R2, (R1[1], R1[4], R1[7]))
    z = mulmatT3(R2, (R1[2], R1[5], R1[8]))
    return mulmatT3(R2, minus(pos1, pos2)), (x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2])


@exact_small
def in_other(pose, p):
    """A point of field 2 in the frame of geom 1, whose (position, orientation) in that frame is given."""
    return mulmatT3(pose[1], minus(p, pose[0]))


@exact
def both(model, g1, g2, pose, p, what):
    """The function that is descended, at a point of field 2."""
    a = sdf_distance(model, g2, p)
    b = sdf_distance(model, g1, in_other(pose, p))
    return max(a, b) if what == LARGER else a + b + abs(max(a, b))


@exact
def slope_of_both(model, g1, g2, pose, p, what):
    """Gradient of `both`."""
    q = in_other(pose, p)
    a, b = sdf_distance(model, g2, p), sdf_distance(model, g1, q)
    u, v = sdf_gradient(model, g2, p), mulmat3(pose[1], sdf_gradient(model, g1, q))
    larger = u if a > b else v
    if what == LARGER:
        return larger
    return plus(plus(u, v, 1.0), larger, 1.0 if max(a, b) > 0.0 else -1.0)


@exact_small
def note(data, step, g1, g2, p, pos, R):
    """Keep a point of a descent, given in a frame, while there is room."""
    k = data.nsdfpoint
    if k < data.nsdfmax:
        store3(data.sdf_point, k, plus(mulmat3(R, p), pos, 1.0))
        data.sdf_step[k] = step
        data.sdf_geom[k, 0] = g1
        data.sdf_geom[k, 1] = g2
        data.nsdfpoint = k + 1


@exact
def descend(model, data, g1, g2, pose, x, what, steps, first, pos, R):
    """(point after some steps of descent from x, value there, number of steps); MAXVAL where the gradient is not
    finite. Notes where each step begins, in the frame (pos, R); `first` is the number of the first one."""
    value = MAXVAL
    done = 0
    for _ in range(steps):
        note(data, first + done, g1, g2, x, pos, R)
        done += 1
        slope = slope_of_both(model, g1, g2, pose, x, what)
        size = max(abs(slope[0]), max(abs(slope[1]), abs(slope[2])))
        if not size <= MAXVAL or math.isnan(slope[0] + slope[1] + slope[2]):
            return x, MAXVAL, done
        start = x
        before = both(model, g1, g2, pose, x, what)
        square = dot(slope, slope)
        part = 1.0
        while True:
            x = plus(start, slope, -part)
            value = both(model, g1, g2, pose, x, what)
            if not (part > LEAST and value - before > -ENOUGH * part * square):
                break
            part *= 0.5
        if before < value:
            break
    return x, value, done


@exact
def radical_inverse(i, base):
    """Element i of the sequence of van der Corput."""
    result, part = 0.0, 1.0
    while i > 0:
        part /= base
        result += part * (i % base)
        i //= base
    return result


@exact
def shared_box(model, data, g1, g2):
    """(low corner, high corner) of the part of geom 1's box that geom 2's reaches, in the frame of geom 1."""
    B = model.geom_aabb
    low = (math.inf, math.inf, math.inf)
    high = (-math.inf, -math.inf, -math.inf)
    for k in range(8):
        corner = (
            B[g2, 0] + (B[g2, 3] if k & 1 else -B[g2, 3]),
            B[g2, 1] + (B[g2, 4] if k & 2 else -B[g2, 4]),
            B[g2, 2] + (B[g2, 5] if k & 4 else -B[g2, 5]),
        )
        p = to_world(data.geom_xmat, g2, corner, data.geom_xpos)
        p = to_local(data.geom_xmat, g1, minus(p, load3(data.geom_xpos, g1)))
        low = (min(low[0], p[0]), min(low[1], p[1]), min(low[2], p[2]))
        high = (max(high[0], p[0]), max(high[1], p[1]), max(high[2], p[2]))
    low = (max(low[0], B[g1, 0] - B[g1, 3]), max(low[1], B[g1, 1] - B[g1, 4]), max(low[2], B[g1, 2] - B[g1, 5]))
    high = (min(high[0], B[g1, 0] + B[g1, 3]), min(high[1], B[g1, 1] + B[g1, 4]), min(high[2], B[g1, 2] + B[g1, 5]))
    return low, high


@exact_small
def put_contact(data, k, dist, p, normal, pos, R):
    """Write contact k at a point of a field with a normal, both in its frame; see is_known."""
    n = mulmat3(R, normal)
    put(data, k, dist, plus(plus(mulmat3(R, p), pos, 1.0), n, -0.5 * dist), n, p)


@exact_small
def is_known(data, number, p):
    """Whether one of the contacts found so far is at this point; near_frame holds their points until the end."""
    for k in range(number):
        if norm(minus(p, (data.near_frame[k, 3], data.near_frame[k, 4], data.near_frame[k, 5]))) < MINVAL:
            return True
    return False


@exact_small
def forget_points(data, number):
    """Give the first tangents of contacts no direction."""
    for k in range(number):
        for c in range(3, 6):
            data.near_frame[k, c] = 0.0


@exact_small
def copy_contact(data, to, source):
    """Copy a contact of a pair function."""
    data.near_dist[to] = data.near_dist[source]
    for c in range(3):
        data.near_pos[to, c] = data.near_pos[source, c]
    for c in range(6):
        data.near_frame[to, c] = data.near_frame[source, c]


@exact
def sdf_geom(model, data, g1, g2, margin):
    """Contacts of a primitive or a field (g1) with a field (g2). The margin does not matter, as in the reference."""
    low, high = shared_box(model, data, g1, g2)
    if low[0] > high[0] or low[1] > high[1] or low[2] > high[2]:
        return 0
    pos1, R1 = sdf_frame(model, data, g1)
    pos2, R2 = sdf_frame(model, data, g2)
    pose = pose_in(pos1, R1, pos2, R2)
    number = 0
    for i in range(model.opt_sdf_initpoints):
        p = (
            low[0] + (high[0] - low[0]) * radical_inverse(i, 2),
            low[1] + (high[1] - low[1]) * radical_inverse(i, 3),
            low[2] + (high[2] - low[2]) * radical_inverse(i, 5),
        )
        p = mulmatT3(R2, minus(to_world(data.geom_xmat, g1, p, data.geom_xpos), pos2))
        p, _, steps = descend(model, data, g1, g2, pose, p, SUM, model.opt_sdf_iterations, 0, pos2, R2)
        p, dist, _ = descend(model, data, g1, g2, pose, p, LARGER, 1, steps, pos2, R2)
        if not dist <= 0.0 or is_known(data, number, p):
            continue
        note(data, steps + 1, g1, g2, p, pos2, R2)
        u = unit(sdf_gradient(model, g2, p))
        v = unit(mulmat3(pose[1], sdf_gradient(model, g1, in_other(pose, p))))
        put_contact(data, number, dist, p, times(unit(minus(u, v)), -1.0), pos2, R2)
        number += 1
        if number == MOST:
            break
    forget_points(data, number)
    return number


@exact
def circumsphere(a, b, c, d):
    """(centre, radius) of the sphere through four points; not a number where they lie in a plane."""
    u, v, w = minus(b, a), minus(c, a), minus(d, a)
    volume = 2.0 * dot(u, cross(v, w))
    centre = plus(plus(times(cross(v, w), dot(u, u)), cross(w, u), dot(v, v)), cross(u, v), dot(w, w))
    centre = times(centre, 1.0 / volume)
    return plus(a, centre, 1.0), norm(centre)


@exact_small
def corner(model, mesh, face, k, pose):
    """Corner k of a triangle of the mesh in the frame of the field."""
    i = model.mesh_vertadr[mesh] + model.mesh_face[model.mesh_faceadr[mesh] + face, k]
    v = (float(model.mesh_vert[i, 0]), float(model.mesh_vert[i, 1]), float(model.mesh_vert[i, 2]))
    return plus(mulmat3(pose[1], v), pose[0], 1.0)


@exact
def least_on_triangle(model, g, a, b, c, steps):
    """The point of least distance on a triangle that a number of steps (Frank and Wolfe) finds from the middle."""
    x = times(plus(plus(a, b, 1.0), c, 1.0), 1.0 / 3.0)
    for k in range(steps):
        slope = sdf_gradient(model, g, x)
        da, db, dc = dot(a, slope), dot(b, slope), dot(c, slope)
        best = a
        if db < da and db <= dc:
            best = b
        elif dc < da and dc < db:
            best = c
        x = plus(x, minus(best, x), 2.0 / (k + 2.0))
    return x


@exact
def add_triangle(model, data, mesh, face, g2, pose, pos, R, number):
    """Add the contact of a triangle of the mesh, in the order of distance; the number of contacts."""
    a = corner(model, mesh, face, 0, pose)
    b = corner(model, mesh, face, 1, pose)
    c = corner(model, mesh, face, 2, pose)
    middle = times(plus(plus(a, b, 1.0), c, 1.0), 1.0 / 3.0)
    normal = unit(cross(minus(b, a), minus(c, a)))
    centre, radius = circumsphere(a, b, c, plus(middle, normal, 0.1 * sdf_distance(model, g2, middle)))
    if not sdf_distance(model, g2, centre) < radius:
        return number
    x = least_on_triangle(model, g2, a, b, c, model.opt_sdf_iterations)
    dist = sdf_distance(model, g2, x)
    if not dist < 0.0 or (number == MOST and not dist < data.near_dist[MOST - 1]):
        return number
    k = number if number < MOST else MOST - 1
    while k > 0 and data.near_dist[k - 1] > dist:
        copy_contact(data, k, k - 1)
        k -= 1
    put_contact(data, k, dist, x, times(unit(sdf_gradient(model, g2, x)), -1.0), pos, R)
    return min(number + 1, MOST)


@exact
def may_be_inside(model, mesh, node, g2, pose):
    """Whether a box of the mesh's tree may reach into the field."""
    i = model.mesh_boxadr[mesh] + node
    B = model.mesh_box
    low = (float(B[i, 0]), float(B[i, 1]), float(B[i, 2]))
    high = (float(B[i, 3]), float(B[i, 4]), float(B[i, 5]))
    middle = times(plus(low, high, 1.0), 0.5)
    p = plus(mulmat3(pose[1], middle), pose[0], 1.0)
    return sdf_distance(model, g2, p) < norm(minus(high, middle))


@exact
def sdf_mesh(model, data, g1, g2, margin):
    """Contacts of a mesh (g1) with a field (g2): the deepest points of its triangles. The margin does not matter."""
    mesh = model.geom_dataid[g1]
    pos2, R2 = sdf_frame(model, data, g2)
    pose = pose_in(load3(data.geom_xpos, g1), load9(data.geom_xmat, g1), pos2, R2)
    faces, depth = int(model.mesh_facenum[mesh]), model.mesh_boxdepth[mesh]
    leaves = 1 << depth
    stack = data.bvh_stack
    stack[0] = 0
    top, seen, number = 1, 0, 0
    while top > 0 and seen < FACES:
        top -= 1
        node = int(stack[top])
        if not may_be_inside(model, mesh, node, g2, pose):
            continue
        if node < leaves - 1:
            stack[top] = 2 * node + 1
            stack[top + 1] = 2 * node + 2
            top += 2
            continue
        leaf = node - (leaves - 1)
        for k in range((leaf * faces) >> depth, ((leaf + 1) * faces) >> depth):
            if seen < FACES:
                face = model.mesh_boxface[model.mesh_faceadr[mesh] + k]
                number = add_triangle(model, data, mesh, face, g2, pose, pos2, R2, number)
                seen += 1
    kept = 0
    for k in range(number):  # triangles share their deepest corners
        if not is_known(data, kept, (data.near_frame[k, 3], data.near_frame[k, 4], data.near_frame[k, 5])):
            copy_contact(data, kept, k)
            kept += 1
    forget_points(data, kept)
    return kept
