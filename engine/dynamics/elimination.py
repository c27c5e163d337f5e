"""The order in which the blocks of large islands are eliminated.

The nodes are eliminated by least degree (the node with the fewest dofs among its neighbours first), so that stacks,
chains and rings of bodies stay sparse. The order is kept as long as the same blocks are coupled in the same way.
"""

from __future__ import annotations

from engine.dynamics.island import DENSE, finish_layout, one_node, place_pairs
from engine.jit.kernel import kernel, view
from engine.jit.simd import padded


@kernel
def elimination(model, data):
    """Lay out the Hessians of all islands: their nodes, panels, and the place of every pair and segment."""
    if data.ngrp == 0:
        return
    if not _is_known(model, data):
        _order(model, data)
        if data.need_efc:
            return
    finish_layout(model, data)


@kernel
def _is_known(model, data):
    """Whether the present order was made for these islands and pairs; if not, it will be."""
    n = data.npair
    same = data.nknown == n + 1
    if same:
        for t in range(model.ntree):
            if data.tree_known[t] != data.tree_island[t]:
                same = False
                break
    if same:
        for k in range(n):
            if data.pair_known[k] != data.pair_key[k]:
                same = False
                break
    return same


@kernel
def _order(model, data):
    """Nodes, their order, panels and the place of every pair, for all islands."""
    data.nknown = 0
    data.nnode = 0
    used = data.nnode
    for i in range(data.nisland):
        if data.isl_dofnum[i] <= DENSE or data.isl_blocknum[i] == 1:
            one_node(model, data, i)
        else:
            data.isl_nodeadr[i] = data.nnode
            used = _many_nodes(model, data, i, used)
            data.isl_nodenum[i] = data.nnode - data.isl_nodeadr[i]
    if used > data.npairmax:
        data.need_pair = used
        data.need_efc = max(data.need_efc, 1)
    if data.need_efc:
        return
    place_pairs(model, data)
    for k in range(data.npair):
        data.pair_known[k] = data.pair_key[k]
    for t in range(model.ntree):
        data.tree_known[t] = data.tree_island[t]
    data.nknown = data.npair + 1


@kernel
def _many_nodes(model, data, i, used):
    """A node for each block of the island, by least degree; the number of entries of sub_node in use."""
    n, start = data.isl_blocknum[i], data.isl_blockadr[i]
    if n * n > data.nadjmax:
        data.need_adj = max(data.need_adj, n * n)
        data.need_efc = max(data.need_efc, 1)
        return used
    adj = data.sym_adj
    local, degree, size, order = data.sym_local, data.sym_degree, data.sym_size, data.sym_order
    for k in range(n * n):
        adj[k] = 0
    for k in range(n):
        block = data.isl_block[start + k]
        local[block] = k
        size[k] = padded(model.block_dofnum[block])
    base = model.nv
    for k in range(data.npair):
        key = data.pair_key[k]
        a, b = key // base, key % base
        if data.dof_island[model.block_dofadr[a]] == i:
            adj[local[a] * n + local[b]] = 1
            adj[local[b] * n + local[a]] = 1
    for k in range(n):
        adj[k * n + k] = 0
        degree[k] = _degree(adj, size, k, n)
        order[k] = -1
    first = data.nnode
    x, panel = 0, 0
    for p in range(n):
        best = -1
        for k in range(n):
            if order[k] < 0 and (best < 0 or degree[k] < degree[best]):
                best = k
        order[best] = p
        row = view(adj, best * n, n)
        node = first + p
        block = data.isl_block[start + best]
        data.block_node[block] = node
        data.block_off[block] = 0
        dim = model.block_dofnum[block]
        data.node_dim[node] = dim
        data.node_x[node] = x
        data.node_H[node] = panel
        cols = padded(dim) + degree[best]
        data.node_cols[node] = cols
        x += padded(dim)
        panel += dim * cols
        for u in range(n):  # the neighbours become neighbours of each other
            if row[u]:
                other = view(adj, u * n, n)
                for v in range(n):
                    other[v] |= row[v]
                other[u] = 0
                other[best] = 0
                degree[u] = _degree(adj, size, u, n)
    data.nnode = first + n
    data.isl_xnum[i] = x
    data.isl_Hnum[i] = panel
    for k in range(n):
        local[order[k]] = k  # from here on the block at a place in the order
    for p in range(n):
        node = first + p
        row = view(adj, local[p] * n, n)
        data.node_sub[node] = used
        col = padded(data.node_dim[node])
        for q in range(p + 1, n):
            if row[local[q]]:
                if used < data.npairmax:
                    data.sub_node[used] = first + q
                    data.sub_col[used] = col
                used += 1
                col += size[local[q]]
        data.node_nsub[node] = used - data.node_sub[node]
    return used


@kernel
def _degree(adj, size, k, n):
    total = 0
    row = view(adj, k * n, n)
    for u in range(n):
        total += row[u] * size[u]
    return total
