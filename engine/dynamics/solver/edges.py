"""Products with the rows that keep the edges of flexes.

An edge between two vertices that slide freely has one row with two segments of three dofs. There are thousands of such
rows one after the other, so loops over them know where everything is, which takes a third of the time of
`multiply_J` and `add_forces` (engine/dynamics/constraint/constraint.py).
"""

from __future__ import annotations

from kinetree.engine.jit.kernel import kernel, small, view
from kinetree.engine.jit.simd import vfma, vload, vmul, vsum

FEWEST = 16
"""Fewer rows are not worth a loop of their own."""


@small
def _is_edge(data, g):
    """Whether a group is one row with two segments of three dofs."""
    s = data.grp_seg[g]
    return data.grp_dim[g] == 1 and data.grp_nseg[g] == 2 and data.seg_num[s] == 3 and data.seg_num[s + 1] == 3


@small
def _follows(data, before, g):
    """Whether group g, with its row, segments and entries, comes right after another of these."""
    s = data.grp_seg[before]
    if g != before + 1 or data.grp_row[g] != data.grp_row[before] + 1 or data.grp_seg[g] != s + 2:
        return False
    return data.seg_adr[s + 1] == data.seg_adr[s] + 4 and data.seg_adr[s + 2] == data.seg_adr[s] + 8


@kernel
def find_edges(data, first, end):
    """The longest range in isl_grp[first:end] of rows of edges that follow each other: (begin, end)."""
    best, best_end, begin = first, first, -1
    for k in range(first, end):
        g = data.isl_grp[k]
        if not _is_edge(data, g):
            begin = -1
            continue
        if begin < 0 or not _follows(data, data.isl_grp[k - 1], g):
            begin = k
        if k + 1 - begin > best_end - best:
            best, best_end = begin, k + 1
    if best_end - best < FEWEST:
        return first, first
    return best, best_end


@kernel
def multiply_edges(data, first, end, vector, result):
    """result <- J vector for the rows of edges in isl_grp[first:end]; the vector is over dofs."""
    n = end - first
    if n <= 0:
        return
    g = data.isl_grp[first]
    s = data.grp_seg[g]
    values, places = view(data.seg_J, data.seg_adr[s], 8 * n), view(data.seg_dof, s, 2 * n)
    products = view(result, data.grp_row[g], n)
    for i in range(n):
        part = vmul(vload(values, 8 * i), vload(vector, places[2 * i]))
        products[i] = vsum(vfma(vload(values, 8 * i + 4), vload(vector, places[2 * i + 1]), part))


@kernel
def add_edge_forces(data, first, end, force, vector):
    """vector += J' force for the rows of edges in isl_grp[first:end]; the vector is by island."""
    n = end - first
    if n <= 0:
        return
    g = data.isl_grp[first]
    s = data.grp_seg[g]
    values, places = view(data.seg_J, data.seg_adr[s], 8 * n), view(data.seg_x, s, 2 * n)
    forces = view(force, data.grp_row[g], n)
    for i in range(n):
        value = forces[i]
        x, y = view(values, 8 * i, 8), view(vector, places[2 * i], 3)
        y[0] += value * x[0]
        y[1] += value * x[1]
        y[2] += value * x[2]
        y = view(vector, places[2 * i + 1], 3)
        y[0] += value * x[4]
        y[1] += value * x[5]
        y[2] += value * x[6]
