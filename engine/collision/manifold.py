"""Contacts of flat faces: where two boxes or meshes meet face to face, or edge to face, the corners of the overlap.

The faces and edges are those on which the polytope algorithm's answer lies. Polygons wind so that the cross product of
a side with the normal points inwards.

Source: I. Sutherland, G. Hodgman, Reentrant polygon clipping, Communications of the ACM 17(1), 1974. Which faces and
edges count, and which corners stay when there are more than four, is decided as in MuJoCo 3.3.4.
"""

from __future__ import annotations

from kinetree.engine.collision.ccd import witness
from kinetree.engine.collision.primitive import ZERO, put
from kinetree.engine.collision.support import vertex
from kinetree.engine.collision.unfused import cross, dot, minus, norm, plus, times, to_world, turned, unit
from kinetree.engine.jit.capacity import NCCDMAX, request
from kinetree.engine.jit.kernel import exact, exact_small, kernel, small
from kinetree.engine.jit.vec import MINVAL
from kinetree.engine.model import enums

PARALLEL = 0.99999872  # cosine of faces that meet flat
ACROSS = 0.00159999931  # cosine of an edge, and the normal of the face that it lies on
MOST = 4
CORNERS = (7, 3, 1, 5, 2, 6, 4, 0, 2, 3, 7, 6, 4, 5, 1, 0, 6, 7, 5, 4, 3, 2, 0, 1)
"""Of the faces +x, -x, +y, -y, +z, -z of a box, by the bits of their signs: 1 x, 2 y, 4 z."""


@small
def feature(data, k):
    """(number of distinct vertices of object k on the answer, those vertices in order)"""
    a = data.ccd_index[data.ccd_answer[0], k]
    b = data.ccd_index[data.ccd_answer[1], k]
    c = data.ccd_index[data.ccd_answer[2], k]
    if a == b:
        return (1 if a == c else 2), a, c, c
    if a == c or b == c:
        return 2, a, b, b
    return 3, a, b, c


# ---- faces and edges of a feature -------------------------------------------------------------------


@small
def has_polygon(model, i, p):
    """Whether polygon p of a mesh meets at a vertex (number in all meshes)."""
    start = model.mesh_polymapadr[i]
    found = False
    for at in range(start, start + model.mesh_polymapnum[i]):
        found |= model.mesh_polymap[at] == p
    return found


@kernel
def mesh_face(model, data, k, f, number):
    """Polygon `number` (0, 1, ...) of those that meet at all vertices of a mesh's feature; -1 if there is none."""
    n, a, b, c = f
    first = data.ccd_mesh[k, 0]
    if n > 1 and number >= 4 - n:
        return -1
    start = model.mesh_polymapadr[first + a]
    for at in range(start, start + model.mesh_polymapnum[first + a]):
        p = model.mesh_polymap[at]
        if n > 1 and not (has_polygon(model, first + b, p) and has_polygon(model, first + c, p)):
            continue
        if number == 0:
            return p
        number -= 1
    return -1


@exact_small
def box_normal(data, k, face):
    axis = face // 2
    s = 1.0 if face % 2 == 0 else -1.0
    R = data.ccd_mat
    return R[k, axis] * s, R[k, 3 + axis] * s, R[k, 6 + axis] * s


@exact
def box_face(data, k, f, number, direction):
    """Face `number` of those that meet at all corners of a box's feature; -1 if there is none.

    Corners that are not an edge or a face have the one face that looks along a direction.
    """
    n, a, b, c = f
    common = 7 & ~((a ^ b) | (a ^ c)) if n > 1 else 7
    shared = (common & 1) + (common >> 1 & 1) + (common >> 2)
    if shared == 4 - n:
        for axis in range(3):
            if common >> axis & 1:
                if number == 0:
                    return 2 * axis + (0 if a >> axis & 1 else 1)
                number -= 1
    elif number == 0:
        for face in range(6):
            if dot(box_normal(data, k, face), direction) > PARALLEL:
                return face
    return -1


@exact
def face_of(model, data, k, f, number, direction):
    """(face `number` of the feature of object k, -1 if there is none; its outward normal)"""
    if data.ccd_type[k] == enums.GEOM_BOX:
        face = box_face(data, k, f, number, direction)
        return face, box_normal(data, k, max(face, 0))
    face = mesh_face(model, data, k, f, number)
    row = model.mesh_polyadr[data.ccd_mesh[k, 1]] + max(face, 0)
    N = model.mesh_polynormal
    return face, turned(data.ccd_mat, k, (N[row, 0], N[row, 1], N[row, 2]))


@exact
def corner(model, data, k, i):
    """Corner i of a box, by the bits of its signs, or vertex i of a mesh; in the world."""
    if data.ccd_type[k] == enums.GEOM_BOX:
        S = data.ccd_size
        p = S[k, 0] if i & 1 else -S[k, 0], S[k, 1] if i & 2 else -S[k, 1], S[k, 2] if i & 4 else -S[k, 2]
    else:
        p = vertex(model, data.ccd_mesh[k, 0] + i)
    return to_world(data.ccd_mat, k, p, data.ccd_pos)


@exact
def edge_end(model, data, k, f, number):
    """The vertex at which edge `number` of the feature of object k ends, -1 if there is none.

    Edges begin at the feature's first vertex. As in the reference, an edge at a single vertex of a mesh ends at the
    vertex whose number is the place, in a polygon, before that vertex.
    """
    n, a, b, _ = f
    if n == 2:
        return b if number == 0 else -1
    if data.ccd_type[k] == enums.GEOM_BOX:
        return a ^ (1 << number) if number < 3 else -1
    i = data.ccd_mesh[k, 0] + a
    if number >= model.mesh_polymapnum[i]:
        return -1
    row = model.mesh_polyadr[data.ccd_mesh[k, 1]] + model.mesh_polymap[model.mesh_polymapadr[i] + number]
    start, count = model.mesh_polyvertadr[row], model.mesh_polyvertnum[row]
    for at in range(count):
        if model.mesh_polyvert[start + at] == a:
            return at - 1 if at > 0 else count - 1
    return -1


# ---- clipping ---------------------------------------------------------------------------------------


@small
def store_point(array, row, first, p):
    for c in range(3):
        array[row, first + c] = p[c]


@small
def load_point(array, row, first):
    return array[row, first], array[row, first + 1], array[row, first + 2]


@exact
def store_face(model, data, k, face, array):
    """Write the corners of a face into the first columns of an array; their number, 0 when there is no room."""
    box = data.ccd_type[k] == enums.GEOM_BOX
    start, count = 4 * face, 4
    if not box:
        row = model.mesh_polyadr[data.ccd_mesh[k, 1]] + face
        start, count = int(model.mesh_polyvertadr[row]), int(model.mesh_polyvertnum[row])
    if 2 * count > data.nccdmax:
        request(data, NCCDMAX, 2 * count)
        return 0
    for i in range(count):
        at = CORNERS[start + i] if box else model.mesh_polyvert[start + count - 1 - i]
        store_point(array, i, 0, corner(model, data, k, at))
    return count


@exact
def clip(data, count, sides, normal):
    """Clip the polygon in data.ccd_clipped by that in data.ccd_polygon, given their numbers of corners.

    Returns (number of corners, first of the columns in which they are); no corners when there is no room.
    """
    P, C = data.ccd_polygon, data.ccd_clipped
    now = 0
    for side in range(sides):
        a = load_point(P, side, 0)
        inward = cross(minus(load_point(P, (side + 1) % sides, 0), a), normal)
        left = 0
        for i in range(count):
            p, q = load_point(C, i, now), load_point(C, (i + 1) % count, now)
            hp, hq = dot(minus(p, a), inward), dot(minus(q, a), inward)
            if left + 2 > data.nccdmax:
                request(data, NCCDMAX, 2 * data.nccdmax)
                return 0, now
            if (hp > -MINVAL) != (hq > -MINVAL):
                step = minus(q, p)
                t = (dot(a, inward) - dot(p, inward)) / dot(step, inward)  # rounded as in the reference
                if t >= 0.0 and t <= 1.0:
                    store_point(C, left, 3 - now, plus(p, step, t))
                    left += 1
            if hq > -MINVAL:
                store_point(C, left, 3 - now, q)
                left += 1
        count = left
        now = 3 - now
        if count == 0:
            break
    return count, now


@exact_small
def spread(C, now, a, b, c, d):
    u = minus(load_point(C, b, now), load_point(C, a, now))
    v = minus(load_point(C, c, now), load_point(C, d, now))
    return 0.5 * norm(cross(u, v))


@exact
def choose(data, n, now):
    """The four of n > 4 corners that span most, by advancing one after the other."""
    C = data.ccd_clipped
    a, b, c, d = 0, 1, 2, 3
    best = (a, b, c, d)
    most = spread(C, now, a, b, c, d)
    for a in range(n):
        if b == a:
            b = (b + 1) % n
            if c == b:
                c = (c + 1) % n
                if d == c:
                    d = (d + 1) % n
        for _ in range(n):
            value = spread(C, now, a, b, c, (d + 1) % n)
            if not value > most:
                break
            most = value
            d = (d + 1) % n
            best = (a, b, c, d)
            for _ in range(n):
                value = spread(C, now, a, b, (c + 1) % n, d)
                if not value > most:
                    break
                most = value
                c = (c + 1) % n
                best = (a, b, c, d)
            for _ in range(n):
                value = spread(C, now, a, (b + 1) % n, c, d)
                if not value > most:
                    break
                most = value
                b = (b + 1) % n
                best = (a, b, c, d)
    return best


@exact
def put_corners(data, n, now, shift):
    """Write the corners as contacts, at most four and none twice; `shift`: from object 1 to object 0. Their number."""
    C = data.ccd_clipped
    chosen = (0, 1, 2, 3)
    if n > MOST:
        chosen = choose(data, n, now)
    count = 0
    for i in range(min(n, MOST)):
        p = load_point(C, chosen[i], now)
        known = False
        for j in range(i):
            q = load_point(C, chosen[j], now)
            known |= n <= MOST and norm(minus(p, q)) < MINVAL
        if not known:
            q = plus(p, shift, 1.0)
            put(data, count, data.ccd_dist, times(plus(p, q, 1.0), 0.5), unit(minus(q, p)), ZERO)
            count += 1
    return count


@exact
def flat_contacts(model, data):
    """Replace the one contact of two flat objects by up to four; their number, 0 where nothing lies flat on anything.

    Needs the polytope algorithm's answer.
    """
    delta = minus(witness(data, 1), witness(data, 0))
    depth = norm(delta)
    f, g = feature(data, 0), feature(data, 1)
    towards = times(unit(delta), -1.0)
    for i in range(data.nccdmax):
        face, n1 = face_of(model, data, 0, f, i, towards)
        if face < 0:
            break
        for j in range(data.nccdmax):
            other, n2 = face_of(model, data, 1, g, j, unit(delta))
            if other < 0:
                break
            if dot(n1, n2) < -PARALLEL:
                sides = store_face(model, data, 0, face, data.ccd_polygon)
                count = store_face(model, data, 1, other, data.ccd_clipped)
                count, now = clip(data, count, sides if count > 0 else 0, n1)
                return put_corners(data, count, now, times(n2, -depth))
    k = 0 if f[0] < 3 and f[0] <= g[0] else 1  # whose edges
    edges = f if k == 0 else g
    faces = g if k == 0 else f
    if edges[0] > 2:
        return 0
    start = corner(model, data, k, edges[1])
    for j in range(data.nccdmax):
        face, normal = face_of(model, data, 1 - k, faces, j, unit(delta) if k == 0 else towards)
        if face < 0:
            break
        for i in range(data.nccdmax):
            end = edge_end(model, data, k, edges, i)
            if end < 0:
                break
            tip = corner(model, data, k, end)
            if abs(dot(unit(minus(tip, start)), normal)) < ACROSS:
                sides = store_face(model, data, 1 - k, face, data.ccd_polygon)
                store_point(data.ccd_clipped, 0, 0, start)
                store_point(data.ccd_clipped, 1, 0, tip)
                count, now = clip(data, 2, sides, normal)
                return put_corners(data, count, now, times(normal, -depth if k == 0 else depth))
    return 0
