"""Contacts of a flex with itself: internal ones, which keep elements from turning inside out, and those of elements.

Internal contacts come first, then pairs of elements that share no vertex, in the order of the method: a double loop
("narrow"), a tree of boxes ("bvh") or a sweep along the longest axis of the flex ("sap"). Margins count as 0.

Source: specification, XML reference, "deformable/flex", contact: internal, selfcollide, activelayers.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.collision.broadphase import GAPS
from kinetree.engine.collision.flex_contact import add_contacts
from kinetree.engine.collision.flex_pairs import element_element
from kinetree.engine.collision.flex_shape import boxes_overlap, corner, is_active, line_of, position, touch_triangle
from kinetree.engine.collision.flex_tree import STACK, fit_tree, nodes_overlap
from kinetree.engine.collision.primitive import ZERO, put, touch_capsule
from kinetree.engine.jit.capacity import MOST_CONTACTS, NCONMAX, request
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.rounding import to_int
from kinetree.engine.jit.vec import MINVAL, addscale3, cross3, dot3, normalize3, scale3, sub3
from kinetree.engine.jit.warn import warn
from kinetree.engine.model import enums

NONE, NARROW, TREE, SWEEP, AUTO = range(5)
"""flex_selfcollide"""
FIRST, LAST, BEFORE, AFTER, RANK = range(5)
"""Columns of data.flex_list: ends of the list of a bucket; neighbours in its list, and rank, of an element."""
LATEST = 1 << 30
"""Above every rank."""


@kernel
def flex_self_collision(model, data):
    """Stage after `collision`: append the contacts of flexes with themselves, or ask for memory."""
    if (model.opt_disableflags & (enums.DSBL_CONTACT | enums.DSBL_CONSTRAINT)) != 0:
        return
    total = data.ncon
    for flex in range(model.nflex):
        if (model.flex_contype[flex] & model.flex_conaffinity[flex]) == 0 or model.flex_rigid[flex]:
            continue
        if model.flex_internal[flex]:
            total = internal(model, data, flex, total)
        method = model.flex_selfcollide[flex]
        if method == NONE:
            continue
        if method == AUTO:
            method = TREE if model.flex_dim[flex] == 3 else SWEEP
        if (model.opt_disableflags & enums.DSBL_MIDPHASE) != 0 or method == NARROW:
            total = by_loop(model, data, flex, total)
        elif method == TREE:
            total = by_tree(model, data, flex, total)
        else:
            total = by_sweep(model, data, flex, total)
    if total > data.nconmax and data.nconmax < MOST_CONTACTS:
        request(data, NCONMAX, min(total, MOST_CONTACTS))
        return
    if total > MOST_CONTACTS:
        total = MOST_CONTACTS
        warn(data, enums.WARN_CONTACTFULL, total)
    data.ncon = total


@kernel
def internal(model, data, flex, total):
    """Vertices against the elements of their neighbours; in solids against the far side of their own element."""
    side = model.ngeom + flex
    if model.flex_dim[flex] == 3:
        for element in range(model.flex_elemnum[flex]):
            for k in range(4):
                total = _inside_out(model, data, flex, element, k, total)
        return total
    radius = model.flex_radius[flex]
    first = model.flex_evpairadr[flex]
    for pair in range(first, first + model.flex_evpairnum[flex]):
        element, vertex = model.flex_evpair[pair, 0], model.flex_evpair[pair, 1]
        centre = position(model, data, flex, vertex)
        if model.flex_dim[flex] == 1:
            found = touch_capsule(data, centre, radius, ZERO, line_of(model, data, flex, element), 0.0)
        else:
            found = touch_triangle(model, data, centre, radius, flex, element, 0.0)
        if found > 0:
            total = add_contacts(model, data, total, found, side, side, -1, vertex, element, -1)
    return total


@kernel
def _inside_out(model, data, flex, element, face, total):
    """Contact of a vertex of a tetrahedron with the face opposite to it, one of (0 1 2), (0 2 3), (0 3 1), (1 3 2)."""
    i, j, k, opposite = 0, 1, 2, 3
    if face == 1:
        i, j, k, opposite = 0, 2, 3, 1
    elif face == 2:
        i, j, k, opposite = 0, 3, 1, 2
    elif face == 3:
        i, j, k, opposite = 1, 3, 2, 0
    a = position(model, data, flex, corner(model, data, flex, element, i))
    b = position(model, data, flex, corner(model, data, flex, element, j))
    c = position(model, data, flex, corner(model, data, flex, element, k))
    vertex = corner(model, data, flex, element, opposite)
    point = position(model, data, flex, vertex)
    normal, _ = normalize3(cross3(sub3(b, a), sub3(c, a)))
    height = dot3(normal, sub3(point, a))
    thickness = 2.0 * model.flex_radius[flex]
    if not height > -thickness:
        return total
    put(data, 0, -height - thickness, addscale3(point, normal, -0.5 * height), scale3(normal, -1.0), ZERO)
    side = model.ngeom + flex
    row = total
    total = add_contacts(model, data, total, 1, side, side, element, -1, -1, vertex)
    if total <= min(data.nconmax, MOST_CONTACTS):
        data.contact_dim[row] = 1
    return total


@small
def _add_pair(model, data, flex, e1, e2, total):
    found = element_element(model, data, flex, e1, flex, e2, 0.0)
    if found > 0:
        side = model.ngeom + flex
        total = add_contacts(model, data, total, found, side, side, e1, -1, e2, -1)
    return total


@kernel
def by_loop(model, data, flex, total):
    """Every pair of active elements."""
    first, number = model.flex_elemadr[flex], model.flex_elemnum[flex]
    for e1 in range(number):
        if is_active(model, flex, e1):
            for e2 in range(e1 + 1, number):
                if boxes_overlap(data, first + e1, first + e2, 0.0) and is_active(model, flex, e2):
                    total = _add_pair(model, data, flex, e1, e2, total)
    return total


@small
def _extent(data, i):
    """Decides which of two nodes is split: meant as the surface area of its box, but computed from other numbers, as in
    MuJoCo.
    """
    T = data.flextree_aabb
    x, y, z = T[i, 3] - T[i, 0], T[i, 4] - T[i, 1], T[i, 5] - T[i, 2]
    return x * y + y * z + z * x


@kernel
def by_tree(model, data, flex, total):
    """Pairs of leaves of the flex's tree whose boxes overlap, the tree against itself."""
    if model.flex_treenum[flex] == 0:
        return total
    fit_tree(model, data, flex)
    adr, stack = model.flex_treeadr[flex], data.bvh_stack
    stack[0] = stack[1] = 0
    n = 1
    while n > 0:
        n -= 1
        a, b = int(stack[2 * n]), int(stack[2 * n + 1])
        i, j = adr + a, adr + b
        if a > b:
            continue
        if not nodes_overlap(data, i, j):
            continue
        e1, e2 = model.flextree_elem[i], model.flextree_elem[j]
        if e1 >= 0 and e2 >= 0:
            if e1 != e2:
                total = _add_pair(model, data, flex, e1, e2, total)
            continue
        if n + 2 > STACK:
            continue
        first = e2 >= 0 or (e1 < 0 and _extent(data, i) > _extent(data, j))
        for k in range(2):
            stack[2 * n] = model.flextree_child[i, k] if first else a
            stack[2 * n + 1] = b if first else model.flextree_child[j, k]
            n += 1
    return total


@small
def _end(data, first, end):
    """The place of an end of an element's extent (twice the element, plus 1 for the high end)."""
    return data.flex_key[first + (end >> 1), end & 1]


@kernel
def by_sweep(model, data, flex, total):
    """Pairs of elements whose extents along the longest axis overlap, in the order in which they begin.

    Places are rounded to single precision, as in the reference, whose order of contacts depends on it. Those that have
    begun and not ended are in buckets along the next longest axis, as lists in the order in which they began. An
    element meets those of three buckets only, in the order in which they would come in one list.
    """
    first, number = model.flex_elemadr[flex], model.flex_elemnum[flex]
    A, K, S, L = data.flexelem_aabb, data.flex_key, data.flex_sweep, data.flex_list
    axis, across, low, width = _axes(model, data, flex)
    for i in range(first, first + number):
        K[i, 0], K[i, 1] = np.float32(A[i, axis] - A[i, axis + 3]), np.float32(A[i, axis] + A[i, axis + 3])
        L[i, FIRST] = L[i, LAST] = L[i, RANK] = -1
    n = _list_ends(model, data, flex)
    _sort_ends(data, first, n)
    rank = 0
    for at in range(n):
        end = int(S[first + (at >> 1), at & 1])
        e = end >> 1
        bucket = _bucket(A[first + e, across], low, width, number)
        if end & 1:
            if L[first + e, RANK] >= 0:  # else its extent is not a number
                _close(L, first, bucket, e)
            continue
        one = _next_near(data, first, int(L[first + bucket - 1, FIRST]) if bucket > 0 else -1, e)
        two = _next_near(data, first, int(L[first + bucket, FIRST]), e)
        three = _next_near(data, first, int(L[first + bucket + 1, FIRST]) if bucket + 1 < number else -1, e)
        while one >= 0 or two >= 0 or three >= 0:
            r1, r2, r3 = _rank(L, first, one), _rank(L, first, two), _rank(L, first, three)
            if r1 <= r2 and r1 <= r3:
                other = one
                one = _next_near(data, first, int(L[first + one, AFTER]), e)
            elif r2 <= r3:
                other = two
                two = _next_near(data, first, int(L[first + two, AFTER]), e)
            else:
                other = three
                three = _next_near(data, first, int(L[first + three, AFTER]), e)
            total = _add_pair(model, data, flex, other, e, total)
        _open(L, first, bucket, e, rank)
        rank += 1
    return total


@small
def _bucket(place, low, width, number):
    """The bucket of an element with its middle at a place; the first where this is no number."""
    return to_int((place - low) / width, 0, number - 1)


@small
def _rank(L, first, e):
    return L[first + e, RANK] if e >= 0 else LATEST


@small
def _next_near(data, first, other, e):
    """The first element, from `other` on in its bucket, whose box overlaps that of element e; -1 if there is none."""
    while other >= 0 and not boxes_overlap(data, first + other, first + e, 0.0):
        other = int(data.flex_list[first + other, AFTER])
    return other


@small
def _open(L, first, bucket, e, rank):
    last = L[first + bucket, LAST]
    L[first + e, BEFORE], L[first + e, AFTER], L[first + e, RANK] = last, -1, rank
    L[first + bucket, LAST] = e
    if last < 0:
        L[first + bucket, FIRST] = e
    else:
        L[first + last, AFTER] = e


@small
def _close(L, first, bucket, e):
    before, after = L[first + e, BEFORE], L[first + e, AFTER]
    if before < 0:
        L[first + bucket, FIRST] = after
    else:
        L[first + before, AFTER] = after
    if after < 0:
        L[first + bucket, LAST] = before
    else:
        L[first + after, BEFORE] = before
    L[first + e, RANK] = -1


@kernel
def _list_ends(model, data, flex):
    """Have the ends of all active elements in data.flex_sweep, best in the order of the last step; their number.

    The order does not change the result, but is almost that of this step. What is there may be anything.
    """
    first, number = model.flex_elemadr[flex], model.flex_elemnum[flex]
    S, seen = data.flex_sweep, data.flex_open
    n = 0
    for e in range(number):
        seen[first + e] = 0
        n += 2 if is_active(model, flex, e) else 0
    for i in range(n):
        end = int(S[first + (i >> 1), i & 1])
        known = 0 <= end < 2 * number and is_active(model, flex, end >> 1)
        if known:
            known = seen[first + (end >> 1)] & (1 << (end & 1)) == 0
            seen[first + (end >> 1)] |= 1 << (end & 1)
        if not known:
            break
    else:
        return n
    n = 0
    for e in range(number):
        if is_active(model, flex, e):
            for side in range(2):
                S[first + (n >> 1), n & 1] = 2 * e + side
                n += 1
    return n


@kernel
def _axes(model, data, flex):
    """The longest axis of a flex's active elements and the next one, where they begin along the latter, and the width
    of buckets there: two elements that overlap are in the same one or side by side.
    """
    A = data.flexelem_aabb
    first, number = model.flex_elemadr[flex], model.flex_elemnum[flex]
    x0 = y0 = z0 = np.inf
    x1 = y1 = z1 = -np.inf
    hx = hy = hz = 0.0
    for e in range(number):
        if is_active(model, flex, e):
            i = np.uint64(first + e)  # unsigned: no test for negative indices
            x0, x1, hx = min(x0, A[i, 0] - A[i, 3]), max(x1, A[i, 0] + A[i, 3]), max(hx, A[i, 3])
            y0, y1, hy = min(y0, A[i, 1] - A[i, 4]), max(y1, A[i, 1] + A[i, 4]), max(hy, A[i, 4])
            z0, z1, hz = min(z0, A[i, 2] - A[i, 5]), max(z1, A[i, 2] + A[i, 5]), max(hz, A[i, 5])
    x, y, z = x1 - x0, y1 - y0, z1 - z0
    if x > y and x > z:
        axis, across = 0, 1 if y > z else 2
    elif y > z:
        axis, across = 1, 0 if x > z else 2
    else:
        axis, across = 2, 0 if x > y else 1
    if across == 0:
        return axis, 0, x0, _width(x, hx, number)
    if across == 1:
        return axis, 1, y0, _width(y, hy, number)
    return axis, 2, z0, _width(z, hz, number)


@small
def _width(extent, half, number):
    return max(2.00001 * half, extent / number, MINVAL)


@kernel
def _sort_ends(data, first, n):
    """Sort the ends of extents by place; those in one place by element, the low end first."""
    S = data.flex_sweep
    for k in range(len(GAPS) - 1, -1, -1):
        gap = GAPS[k]
        if gap > n // 2 and gap > 1:
            continue
        for i in range(gap, n):
            end = S[first + (i >> 1), i & 1]
            place = _end(data, first, end)
            j = i
            while j >= gap:
                before = S[first + ((j - gap) >> 1), (j - gap) & 1]
                there = _end(data, first, before)
                if there < place or (there == place and before <= end):
                    break
                S[first + (j >> 1), j & 1] = before
                j -= gap
            S[first + (j >> 1), j & 1] = end
