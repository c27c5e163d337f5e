"""Islands: sets of kinematic trees that constraint rows couple, and the order in which each one is eliminated.

The Hessian M + J'DJ of an island is kept by nodes. A node is one or more blocks of dofs; its panel holds the rows
of its dofs in the upper triangle: its own columns first, then those of the later nodes that it has entries with
(fill included). Columns are padded to a multiple of four; so is the place of each node in vectors over the island.
A small island is one dense node. In a large one the nodes are eliminated by least degree (the node with the fewest
dofs among its neighbours first), so that stacks, chains and rings of bodies stay sparse. The order is kept as long
as the same blocks are coupled in the same way.
"""

from __future__ import annotations

from engine.kernel import kernel, view
from engine.simd import padded

# An island with at most this many dofs is one dense node.
DENSE = 40


@kernel
def islands(model, data):
    """Find the islands, their blocks and groups of rows; lay out their Hessians."""
    data.nisland = 0
    for i in range(model.nv):
        data.dof_island[i] = -1
    if data.ngrp == 0:
        return
    _connect(model, data)
    _sort_blocks(model, data)
    _sort_groups(model, data)
    _pairs(model, data)
    if data.npair > data.npairmax:
        data.need_pair = data.npair
        data.need_efc = max(data.need_efc, 1)
        return
    if not _is_known(model, data):
        _order(model, data)
        if data.need_efc:
            return
    most = 0
    for i in range(data.nisland):
        most = max(most, data.isl_Hnum[i] + 4)
    if most > data.nHmax:
        data.need_H = most
        data.need_efc = max(data.need_efc, 1)
    for s in range(data.nseg):
        block = data.seg_block[s]
        place = data.node_x[data.block_node[block]] + data.block_off[block]
        data.seg_at[s] = data.seg_dof[s] - model.block_dofadr[block]
        data.seg_x[s] = place + data.seg_at[s]


@kernel
def _find(root, tree):
    while root[tree] != tree:
        root[tree] = root[root[tree]]
        tree = root[tree]
    return tree


@kernel
def _connect(model, data):
    """Number the islands in the order of their first trees; trees without rows have island -1."""
    root, island = data.tree_root, data.tree_island
    for t in range(model.ntree):
        root[t] = t
        island[t] = -1
    tree_of = model.dof_treeid
    for g in range(data.ngrp):
        first = data.grp_seg[g]
        number = data.grp_nseg[g]
        if number == 0:
            continue
        t = tree_of[data.seg_dof[first]]
        island[t] = 0
        for s in range(first + 1, first + number):
            u = tree_of[data.seg_dof[s]]
            if u != t:
                island[u] = 0
                a, b = _find(root, t), _find(root, u)
                root[max(a, b)] = min(a, b)
    number = 0
    for t in range(model.ntree):
        if island[t] < 0:
            continue
        r = _find(root, t)
        if r == t:
            island[t] = number
            number += 1
        else:
            island[t] = island[r]
    data.nisland = number


@kernel
def _sort_blocks(model, data):
    """The blocks of each island, ascending."""
    for i in range(data.nisland):
        data.isl_blocknum[i] = 0
        data.isl_grpnum[i] = 0
        data.isl_dofnum[i] = 0
    nblock = model.dof_blockid[model.nv - 1] + 1
    for b in range(nblock):
        adr, number = model.block_dofadr[b], model.block_dofnum[b]
        i = data.tree_island[model.dof_treeid[adr]]
        if i >= 0:
            data.isl_blocknum[i] += 1
            data.isl_dofnum[i] += number
            for k in range(adr, adr + number):
                data.dof_island[k] = i
    start = 0
    for i in range(data.nisland):
        data.isl_blockadr[i] = start
        start += data.isl_blocknum[i]
        data.isl_blocknum[i] = 0
    for b in range(nblock):
        i = data.tree_island[model.dof_treeid[model.block_dofadr[b]]]
        if i >= 0:
            data.isl_block[data.isl_blockadr[i] + data.isl_blocknum[i]] = b
            data.isl_blocknum[i] += 1


@kernel
def _sort_groups(model, data):
    """The groups of each island, ascending."""
    island, tree_of = data.tree_island, model.dof_treeid
    for g in range(data.ngrp):
        if data.grp_nseg[g] > 0:
            data.isl_grpnum[island[tree_of[data.seg_dof[data.grp_seg[g]]]]] += 1
    start = 0
    for i in range(data.nisland):
        data.isl_grpadr[i] = start
        start += data.isl_grpnum[i]
        data.isl_grpnum[i] = 0
    for g in range(data.ngrp):
        if data.grp_nseg[g] > 0:
            i = island[tree_of[data.seg_dof[data.grp_seg[g]]]]
            data.isl_grp[data.isl_grpadr[i] + data.isl_grpnum[i]] = g
            data.isl_grpnum[i] += 1


@kernel
def _pairs(model, data):
    """Every pair of blocks that share an entry of J'DJ (by group, later segments first in a pair) or of M."""
    n, base, room = 0, model.nv, data.npairmax
    for g in range(data.ngrp):
        data.grp_pair[g] = n
        first = data.grp_seg[g]
        last = first + data.grp_nseg[g]
        for s in range(first, last):
            for t in range(s + 1, last):
                if n < room:
                    data.pair_key[n] = data.seg_block[s] * base + data.seg_block[t]
                n += 1
    for i in range(data.nisland):
        for k in range(data.isl_blockadr[i], data.isl_blockadr[i] + data.isl_blocknum[i]):
            block = data.isl_block[k]
            data.block_pair[block] = n
            above = model.block_parentid[block]
            while above >= 0:
                if n < room:
                    data.pair_key[n] = block * base + above
                n += 1
                above = model.block_parentid[above]
    data.npair = n


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
    used = 0
    for i in range(data.nisland):
        data.isl_nodeadr[i] = data.nnode
        if data.isl_dofnum[i] <= DENSE or data.isl_blocknum[i] == 1:
            _one_node(model, data, i)
        else:
            used = _many_nodes(model, data, i, used)
        data.isl_nodenum[i] = data.nnode - data.isl_nodeadr[i]
    if used > data.npairmax:
        data.need_pair = used
        data.need_efc = max(data.need_efc, 1)
    if data.need_efc:
        return
    base = model.nv
    for k in range(data.npair):
        key = data.pair_key[k]
        data.pair_known[k] = key
        data.pair_adr[k] = _place(data, key // base, key % base)
    for t in range(model.ntree):
        data.tree_known[t] = data.tree_island[t]
    data.nknown = data.npair + 1


@kernel
def _one_node(model, data, i):
    node = data.nnode
    data.nnode = node + 1
    off = 0
    for k in range(data.isl_blockadr[i], data.isl_blockadr[i] + data.isl_blocknum[i]):
        block = data.isl_block[k]
        data.block_node[block] = node
        data.block_off[block] = off
        off += model.block_dofnum[block]
    cols = padded(off)
    data.node_dim[node] = off
    data.node_x[node] = 0
    data.node_H[node] = 0
    data.node_cols[node] = cols
    data.node_sub[node] = 0
    data.node_nsub[node] = 0
    data.isl_xnum[i] = cols
    data.isl_Hnum[i] = off * cols


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


@kernel
def _place(data, a, b):
    """Address in the Hessian of the entry of the first dofs of two blocks (row: the one that comes first)."""
    p, q = data.block_node[a], data.block_node[b]
    off_p, off_q = data.block_off[a], data.block_off[b]
    if p > q or (p == q and off_p > off_q):
        p, q = q, p
        off_p, off_q = off_q, off_p
    col = off_q
    if p != q:
        k = data.node_sub[p]
        while data.sub_node[k] != q:
            k += 1
        col += data.sub_col[k]
    return data.node_H[p] + off_p * data.node_cols[p] + col
