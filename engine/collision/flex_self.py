"""Contacts of a flex with itself: internal ones, which keep elements from turning inside out, and those of elements.

Internal contacts come first, then pairs of elements that share no vertex, in the order of the method: a double loop
("narrow"), a tree of boxes ("bvh") or a sweep along the longest axis of the flex ("sap"). Margins count as 0.

Source: specification, XML reference, "deformable/flex", contact: internal, selfcollide, activelayers.
"""

from __future__ import annotations

import numpy as np

from engine.collision.broadphase import GAPS
from engine.collision.flex_contact import add_contacts
from engine.collision.flex_pairs import element_element
from engine.collision.flex_shape import boxes_overlap, corner, is_active, line_of, position, touch_triangle
from engine.collision.flex_tree import STACK, fit_tree, nodes_overlap
from engine.collision.primitive import ZERO, put, touch_capsule
from engine.jit.capacity import MOST_CONTACTS, NCONMAX, request
from engine.jit.kernel import kernel, small
from engine.jit.vec import addscale3, cross3, dot3, normalize3, scale3, sub3
from engine.jit.warn import warn
from engine.model.enums import DSBL_CONSTRAINT, DSBL_CONTACT, DSBL_MIDPHASE, WARN_CONTACTFULL

NONE, NARROW, TREE, SWEEP, AUTO = range(5)
"""flex_selfcollide"""


@kernel
def flex_self_collision(model, data):
    """Stage after `collision`: append the contacts of flexes with themselves, or ask for memory."""
    if (model.opt_disableflags & (DSBL_CONTACT | DSBL_CONSTRAINT)) != 0:
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
        if (model.opt_disableflags & DSBL_MIDPHASE) != 0 or method == NARROW:
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
        warn(data, WARN_CONTACTFULL, total)
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
    """What decides which of two nodes is split: meant as the surface of its box, in the reference of something else."""
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

    Places are rounded to single precision, as in the reference, whose order of contacts depends on it.
    """
    first, number = model.flex_elemadr[flex], model.flex_elemnum[flex]
    A, K, S, opened = data.flexelem_aabb, data.flex_key, data.flex_sweep, data.flex_open
    axis = _longest_axis(model, data, flex)
    for i in range(first, first + number):
        K[i, 0], K[i, 1] = np.float32(A[i, axis] - A[i, axis + 3]), np.float32(A[i, axis] + A[i, axis + 3])
    n = _list_ends(model, data, flex)
    _sort_ends(data, first, n)
    count = 0
    for at in range(n):
        end = int(S[first + (at >> 1), at & 1])
        e = end >> 1
        if end & 1:
            k = 0
            while k < count and opened[first + k] != e:
                k += 1
            if k < count:  # else its extent is not a number
                count -= 1
            for j in range(k, count):
                opened[first + j] = opened[first + j + 1]
            continue
        for k in range(count):
            other = int(opened[np.uint64(first + k)])
            if boxes_overlap(data, first + other, first + e, 0.0):
                total = _add_pair(model, data, flex, other, e, total)
        opened[first + count] = e
        count += 1
    return total


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
def _longest_axis(model, data, flex):
    """The axis along which the active elements extend farthest."""
    A = data.flexelem_aabb
    x = y = z = 0.0
    for c in range(3):
        low, high = np.inf, -np.inf
        for e in range(model.flex_elemnum[flex]):
            if is_active(model, flex, e):
                i = model.flex_elemadr[flex] + e
                low, high = min(low, A[i, c] - A[i, c + 3]), max(high, A[i, c] + A[i, c + 3])
        if c == 0:
            x = high - low
        elif c == 1:
            y = high - low
        else:
            z = high - low
    if x > y and x > z:
        return 0
    return 1 if y > z else 2


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
