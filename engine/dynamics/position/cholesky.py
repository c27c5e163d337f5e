"""Cholesky factor U'U of a symmetric positive definite matrix kept by nodes (engine/dynamics/constraint/island.py).

A panel holds the rows of a node in the upper triangle. In the factor the diagonal of a panel is zero and so
is what lies left of it within its chunk of four columns; the inverse diagonal is stored separately, so that
whole chunks can be used.
"""

from __future__ import annotations

import math

from kinetree.engine.jit.kernel import kernel, small, view
from kinetree.engine.jit.simd import vadd, vfma, vload, vmul, vset, vstore, vsum
from kinetree.engine.jit.vec import MINVAL


@small
def _factor_panel(source, target, n, cols, inverse):
    """Rows of U, one after the other, from the rows of the matrix: target may be source.

    Returns the smallest and the largest pivot; those below MINVAL count as MINVAL.
    """
    least, most = math.inf, 0.0
    for i in range(n):
        at = i * cols
        start = i // 4 * 4
        c = start
        while c < cols:
            if cols - c >= 16:
                a0, a1 = vload(source, at + c), vload(source, at + c + 4)
                a2, a3 = vload(source, at + c + 8), vload(source, at + c + 12)
                p = c
                for _ in range(i):
                    f = vset(-target[p - c + i])
                    a0 = vfma(f, vload(target, p), a0)
                    a1 = vfma(f, vload(target, p + 4), a1)
                    a2 = vfma(f, vload(target, p + 8), a2)
                    a3 = vfma(f, vload(target, p + 12), a3)
                    p += cols
                vstore(target, at + c, a0)
                vstore(target, at + c + 4, a1)
                vstore(target, at + c + 8, a2)
                vstore(target, at + c + 12, a3)
                c += 16
            elif cols - c >= 8:
                a0, a1 = vload(source, at + c), vload(source, at + c + 4)
                p = c
                for _ in range(i):
                    f = vset(-target[p - c + i])
                    a0 = vfma(f, vload(target, p), a0)
                    a1 = vfma(f, vload(target, p + 4), a1)
                    p += cols
                vstore(target, at + c, a0)
                vstore(target, at + c + 4, a1)
                c += 8
            else:
                a0 = vload(source, at + c)
                p = c
                for _ in range(i):
                    a0 = vfma(vset(-target[p - c + i]), vload(target, p), a0)
                    p += cols
                vstore(target, at + c, a0)
                c += 4
        pivot = target[at + i]
        least, most = min(least, pivot), max(most, pivot)
        scale = 1.0 / math.sqrt(max(pivot, MINVAL))
        inverse[i] = scale
        f = vset(scale)
        for c in range(start, cols, 4):
            vstore(target, at + c, vmul(f, vload(target, at + c)))
        for c in range(start, i + 1):
            target[at + c] = 0.0
    return least, most


@kernel
def factor_nodes(data, island):
    """Factor the Hessian of an island: data.sol_H into data.sol_L, data.sol_inv.

    Returns the smallest and the largest pivot. Where one is below MINVAL, the factor is that of another matrix.
    """
    least, most = math.inf, 0.0
    L = data.sol_L
    first, number = data.isl_nodeadr[island], data.isl_nodenum[island]
    source = data.sol_H
    if number > 1:
        start = data.isl_Hadr[island]
        for k in range(start, start + data.isl_Hnum[island], 4):
            vstore(L, k, vload(source, k))
        source = L
    sub_node, sub_col = data.sub_node, data.sub_col
    for p in range(first, first + number):
        n, cols = data.node_dim[p], data.node_cols[p]
        panel = view(L, data.node_H[p], n * cols)
        inverse = view(data.sol_inv, data.node_x[p], n)
        low, high = _factor_panel(view(source, data.node_H[p], n * cols), panel, n, cols, inverse)
        least, most = min(least, low), max(most, high)
        begin, end = data.node_sub[p], data.node_sub[p] + data.node_nsub[p]
        for t in range(begin, end):
            q = sub_node[t]
            nq, stride = data.node_dim[q], data.node_cols[q]
            target = view(L, data.node_H[q], nq * stride)
            k = data.node_sub[q]
            for s in range(t, end):
                r = sub_node[s]
                to = sub_col[k] * 0
                if s > t:
                    while sub_node[k] != r:
                        k += 1
                    to = sub_col[k]
                _subtract(panel, n, cols, sub_col[t], nq, sub_col[s], data.node_dim[r], target, to, stride)
    return least, most


@kernel
def _subtract(panel, n, cols, a, na, b, nb, target, to, stride):
    """Subtract the product of na columns from a and nb columns from b of a panel from the target's columns
    from `to`.
    """
    for c in range(0, nb, 4):
        if n == 6:
            v0, v1, v2 = vload(panel, b + c), vload(panel, cols + b + c), vload(panel, 2 * cols + b + c)
            v3, v4 = vload(panel, 3 * cols + b + c), vload(panel, 4 * cols + b + c)
            v5 = vload(panel, 5 * cols + b + c)
            for i in range(na):
                p = a + i
                t = vload(target, i * stride + to + c)
                u = vmul(vset(-panel[p]), v0)
                t = vfma(vset(-panel[p + cols]), v1, t)
                u = vfma(vset(-panel[p + 2 * cols]), v2, u)
                t = vfma(vset(-panel[p + 3 * cols]), v3, t)
                u = vfma(vset(-panel[p + 4 * cols]), v4, u)
                t = vfma(vset(-panel[p + 5 * cols]), v5, t)
                vstore(target, i * stride + to + c, vadd(t, u))
        else:
            for i in range(na):
                p = 0
                t = vload(target, i * stride + to + c)
                for _ in range(n):
                    t = vfma(vset(-panel[p + a + i]), vload(panel, p + b + c), t)
                    p += cols
                vstore(target, i * stride + to + c, t)


@kernel
def solve_nodes(data, island, x):
    """x <- inverse(U'U) x for an island, in the order of elimination."""
    first, number = data.isl_nodeadr[island], data.isl_nodenum[island]
    L, inverse = data.sol_L, data.sol_inv
    sub_node, sub_col = data.sub_node, data.sub_col
    for p in range(first, first + number):
        n, cols, at = data.node_dim[p], data.node_cols[p], data.node_x[p]
        for k in range(n):
            row = data.node_H[p] + k * cols
            value = x[at + k] * inverse[at + k]
            x[at + k] = value
            f = vset(-value)
            for c in range(k // 4 * 4, n, 4):
                vstore(x, at + c, vfma(f, vload(L, row + c), vload(x, at + c)))
        for t in range(data.node_sub[p], data.node_sub[p] + data.node_nsub[p]):
            q = sub_node[t]
            to = data.node_x[q]
            for c in range(0, data.node_dim[q], 4):
                entry = data.node_H[p] + sub_col[t] + c
                v = vload(x, to + c)
                for k in range(n):
                    v = vfma(vset(-x[at + k]), vload(L, entry), v)
                    entry += cols
                vstore(x, to + c, v)
    for p in range(first + number - 1, first - 1, -1):
        n, cols, at = data.node_dim[p], data.node_cols[p], data.node_x[p]
        for k in range(n - 1, -1, -1):
            row = data.node_H[p] + k * cols
            v = vset(0.0)
            for t in range(data.node_sub[p], data.node_sub[p] + data.node_nsub[p]):
                to = data.node_x[sub_node[t]]
                for c in range(0, data.node_dim[sub_node[t]], 4):
                    v = vfma(vload(L, row + sub_col[t] + c), vload(x, to + c), v)
            for c in range(k // 4 * 4, n, 4):
                v = vfma(vload(L, row + c), vload(x, at + c), v)
            x[at + k] = (x[at + k] - vsum(v)) * inverse[at + k]
