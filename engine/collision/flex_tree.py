"""Trees of boxes around the elements of flexes (`engine/compile/soft/tree.py`): their boxes now, what is in a place."""

from __future__ import annotations

from kinetree.engine.jit.kernel import kernel, small

STACK = 128
"""Pairs of nodes that data.bvh_stack holds; to descend a tree of n leaves takes log2(n), a pair of trees twice that."""
RUN = 16
"""Elements of a run, in data.flexrun_aabb: elements that follow each other in a flex are mostly near each other."""


@kernel
def fit_tree(model, data, flex):
    """Set the boxes of a flex's tree, from the leaves up."""
    adr, T, A = model.flex_treeadr[flex], data.flextree_aabb, data.flexelem_aabb
    first = model.flex_elemadr[flex]
    for node in range(model.flex_treenum[flex] - 1, -1, -1):
        i = adr + node
        element = model.flextree_elem[i]
        if element >= 0:
            for c in range(6):
                T[i, c] = A[first + element, c]
            continue
        j, k = adr + model.flextree_child[i, 0], adr + model.flextree_child[i, 1]
        for c in range(3):
            low = min(T[j, c] - T[j, c + 3], T[k, c] - T[k, c + 3])
            high = max(T[j, c] + T[j, c + 3], T[k, c] + T[k, c + 3])
            T[i, c], T[i, c + 3] = 0.5 * (low + high), 0.5 * (high - low)


@small
def nodes_overlap(data, i, j):
    """Whether two boxes of data.flextree_aabb overlap."""
    T = data.flextree_aabb
    return (
        abs(T[i, 0] - T[j, 0]) <= T[i, 3] + T[j, 3]
        and abs(T[i, 1] - T[j, 1]) <= T[i, 4] + T[j, 4]
        and abs(T[i, 2] - T[j, 2]) <= T[i, 5] + T[j, 5]
    )


@kernel
def find_near(model, data, flex, box, reach):
    """List the elements of a flex's tree near the box of an element (of all flexes), ascending; their number.

    They are in data.flex_open, from the flex's first element on.
    """
    adr, T, A, stack = model.flex_treeadr[flex], data.flextree_aabb, data.flexelem_aabb, data.bvh_stack
    first, found = model.flex_elemadr[flex], 0
    x, y, z = A[box, 0], A[box, 1], A[box, 2]
    rx, ry, rz = A[box, 3] + reach, A[box, 4] + reach, A[box, 5] + reach
    stack[0] = 0
    n = 1 if model.flex_treenum[flex] > 0 else 0
    while n > 0:
        n -= 1
        i = adr + int(stack[n])
        if not (
            abs(T[i, 0] - x) <= T[i, 3] + rx and abs(T[i, 1] - y) <= T[i, 4] + ry and abs(T[i, 2] - z) <= T[i, 5] + rz
        ):
            continue
        element = model.flextree_elem[i]
        if element < 0:
            for k in range(2):
                stack[n] = model.flextree_child[i, k]
                n += 1
            continue
        k = found
        while k > 0 and data.flex_open[first + k - 1] > element:
            data.flex_open[first + k] = data.flex_open[first + k - 1]
            k -= 1
        data.flex_open[first + k] = element
        found += 1
    return found
