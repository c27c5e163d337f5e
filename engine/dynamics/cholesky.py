"""Cholesky factor of a symmetric positive definite matrix kept by nodes (engine/dynamics/island.py).

A panel holds the columns of a node, row by row: node_rows rows of node_dim entries. Of its square part only the
lower triangle is used. The factor has the same layout.
"""

from __future__ import annotations

import math

from engine.kernel import dense, dense_small, kernel, view
from engine.vec import MINVAL


@dense
def factor_panel(panel, n, rows, inverse):
    """Factor the square part of a panel (rows, n) and solve the rows below it; inverse diagonal into inverse."""
    for i in range(rows):
        a = view(panel, i * n, n)
        m = min(i, n)
        for j in range(m):
            b = view(panel, j * n, n)
            total = a[j]
            for k in range(j):
                total -= a[k] * b[k]
            a[j] = total * inverse[j]
        if i < n:
            total = a[i]
            for k in range(i):
                total -= a[k] * a[k]
            total = math.sqrt(max(total, MINVAL))
            a[i] = total
            inverse[i] = 1.0 / total


@dense_small
def _subtract_product(target, stride, a, b, na, nb, n):
    """target (na, nb) -= a (na, n) b' (n, nb)"""
    for i in range(na):
        ai = view(a, i * n, n)
        row = view(target, i * stride, nb)
        for j in range(nb):
            bj = view(b, j * n, n)
            total = 0.0
            for k in range(n):
                total += ai[k] * bj[k]
            row[j] -= total


@kernel
def factor_nodes(data, first, number):
    """Factor the nodes first ... first + number - 1 of data.sol_L in place; inverse diagonal into data.sol_inv."""
    L = data.sol_L
    sub_node, sub_row = data.sub_node, data.sub_row
    for p in range(first, first + number):
        n, adr = data.node_dim[p], data.node_H[p]
        rows = data.node_rows[p]
        panel = view(L, adr, n * rows)
        factor_panel(panel, n, rows, view(data.sol_inv, data.node_x[p], n))
        begin, end = data.node_sub[p], data.node_sub[p] + data.node_nsub[p]
        for t in range(begin, end):
            q = sub_node[t]
            nq = data.node_dim[q]
            b = view(panel, sub_row[t] * n, nq * n)
            target = view(L, data.node_H[q], nq * data.node_rows[q])
            _subtract_product(target, nq, b, b, nq, nq, n)
            k = data.node_sub[q]
            for s in range(t + 1, end):
                r = sub_node[s]
                while sub_node[k] != r:
                    k += 1
                nr = data.node_dim[r]
                a = view(panel, sub_row[s] * n, nr * n)
                _subtract_product(view(target, sub_row[k] * nq, nr * nq), nq, a, b, nr, nq, n)


@dense
def solve_nodes(data, first, number, x):
    """x <- inverse(L L') x, in the order of elimination."""
    L, inverse = data.sol_L, data.sol_inv
    sub_node, sub_row = data.sub_node, data.sub_row
    for p in range(first, first + number):
        n, at = data.node_dim[p], data.node_x[p]
        panel = view(L, data.node_H[p], n * data.node_rows[p])
        v = view(x, at, n)
        for i in range(n):
            row = view(panel, i * n, n)
            total = v[i]
            for k in range(i):
                total -= row[k] * v[k]
            v[i] = total * inverse[at + i]
        for t in range(data.node_sub[p], data.node_sub[p] + data.node_nsub[p]):
            q = sub_node[t]
            w = view(x, data.node_x[q], data.node_dim[q])
            for i in range(data.node_dim[q]):
                row = view(panel, (sub_row[t] + i) * n, n)
                total = 0.0
                for k in range(n):
                    total += row[k] * v[k]
                w[i] -= total
    for p in range(first + number - 1, first - 1, -1):
        n, at = data.node_dim[p], data.node_x[p]
        panel = view(L, data.node_H[p], n * data.node_rows[p])
        v = view(x, at, n)
        for t in range(data.node_sub[p], data.node_sub[p] + data.node_nsub[p]):
            q = sub_node[t]
            w = view(x, data.node_x[q], data.node_dim[q])
            for i in range(data.node_dim[q]):
                row = view(panel, (sub_row[t] + i) * n, n)
                wi = w[i]
                for k in range(n):
                    v[k] -= row[k] * wi
        for i in range(n - 1, -1, -1):
            row = view(panel, i * n, n)
            vi = v[i] * inverse[at + i]
            v[i] = vi
            for k in range(i):
                v[k] -= row[k] * vi
