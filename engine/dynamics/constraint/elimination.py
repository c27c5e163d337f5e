"""The order in which the blocks of large islands are eliminated, and the layout of the factor that it gives.

The block with the fewest dofs among its neighbours is eliminated first (minimum degree, ties: the lowest
block), so that stacks, chains and rings of bodies stay sparse. The order is kept as long as the same blocks
are coupled in the same way.

The graph of an island is stored as a quotient graph (George and Liu, The Evolution of the Minimum Degree
Ordering Algorithm, 1989). A block that is eliminated becomes a node, whose list holds the blocks that it was
next to: these are the columns of its panel in the factor. A block that is left lists its neighbours and the
nodes next to it; two blocks in the list of a node are neighbours without being listed as such. So the lists
of blocks never grow, and memory is proportional to the number of couplings and of the factor's non-zeros.
"""

from __future__ import annotations

from kinetree.engine.dynamics.constraint.island import DENSE, begin_node_layout, finish_layout, one_node, place_pairs
from kinetree.engine.jit.capacity import NADJMAX, NSUBMAX, request
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.simd import padded


@kernel
def elimination(model, data):
    """Lay out the Hessians of all islands: their nodes, panels, and the place of every pair and segment."""
    if data.ngrp == 0:
        return
    if not _is_known(model, data):
        _order(model, data)
        if data.needs_memory:
            return
    finish_layout(model, data)


@kernel
def _is_known(model, data):
    """Whether the present order was made for these islands and pairs."""
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
            used = _many_nodes(model, data, i, used)
            if data.needs_memory:
                return
    place_pairs(model, data)
    for k in range(data.npair):
        data.pair_known[k] = data.pair_key[k]
    for t in range(model.ntree):
        data.tree_known[t] = data.tree_island[t]
    data.nknown = data.npair + 1


@kernel
def _many_nodes(model, data, i, used):
    """A node for each block of island i, by minimum degree.

    The lists of nodes go to sub_node from `used` on; the end of the last one is returned.
    """
    if not _build_graph(model, data, i):
        return used
    n, start, first = data.isl_blocknum[i], data.isl_blockadr[i], data.nnode
    order, degree = data.sym_order, data.sym_degree
    data.isl_nodeadr[i] = first
    data.isl_nodenum[i] = n
    for k in range(n):
        data.sym_mark[k] = -1
        data.sym_heap[k] = k
        data.sym_place[k] = k
    for at in range(n // 2 - 1, -1, -1):
        _sift_down(data, at, n)
    visit = 0
    begin_node_layout(data, i)
    x, panel, begin = data.isl_xadr[i], data.isl_Hadr[i], used
    for p in range(n):
        best = data.sym_heap[0]
        _remove_first(data, n - p)
        order[best] = p
        node = first + p
        visit += 1
        end = _eliminate(data, best, node, first, used, visit)
        if end < 0:
            request(data, NSUBMAX, 2 * data.nsubmax + n)
            return used
        block = data.isl_block[start + best]
        data.block_node[block] = node
        data.block_off[block] = 0
        dim = model.block_dofnum[block]
        cols = padded(dim) + degree[best]
        data.node_dim[node] = dim
        data.node_x[node] = data.block_x[block] = x
        data.node_H[node] = panel
        data.node_cols[node] = cols
        x += padded(dim)
        panel += dim * cols
        listed = visit
        for k in range(used, end):
            u = data.sub_node[k]
            visit += 1
            degree[u] = degree[best] - data.sym_size[u] + _degree_beside(data, u, first, listed, visit)
            _restore_heap(data, data.sym_place[u], n - p - 1)
        used = end
    data.nnode = first + n
    data.isl_xnum[i] = x - data.isl_xadr[i]
    data.isl_Hnum[i] = panel - data.isl_Hadr[i]
    _sort_lists(data, first, n, begin, used)
    return used


@kernel
def _build_graph(model, data, i):
    """List the neighbours of every block of island i; whether there is memory for it."""
    n, start, base = data.isl_blocknum[i], data.isl_blockadr[i], model.nv
    adj, adr, num = data.sym_adj, data.sym_adjadr, data.sym_adjnum
    local = data.sym_local
    if 2 * data.npair > data.nadjmax:
        request(data, NADJMAX, 2 * data.npair)
        return False
    for k in range(n):
        block = data.isl_block[start + k]
        local[block] = k
        data.sym_size[k] = padded(model.block_dofnum[block])
        data.sym_mark[k] = -1
        data.sym_adjnode[k] = 0
        data.sym_order[k] = -1
        num[k] = 0
    for k in range(data.npair):
        key = data.pair_key[k]
        a, b = key // base, key % base
        if a != b and data.dof_island[model.block_dofadr[a]] == i:
            num[local[a]] += 1
            num[local[b]] += 1
    end = 0
    for k in range(n):
        adr[k] = end
        end += num[k]
        num[k] = 0
    for k in range(data.npair):
        key = data.pair_key[k]
        a, b = key // base, key % base
        if a != b and data.dof_island[model.block_dofadr[a]] == i:
            a, b = local[a], local[b]
            adj[adr[a] + num[a]] = b
            adj[adr[b] + num[b]] = a
            num[a] += 1
            num[b] += 1
    for k in range(n):  # pairs may be there more than once
        kept, total = 0, 0
        for e in range(adr[k], adr[k] + num[k]):
            other = adj[e]
            if data.sym_mark[other] != k:
                data.sym_mark[other] = k
                adj[adr[k] + kept] = other
                kept += 1
                total += data.sym_size[other]
        num[k] = kept
        data.sym_degree[k] = total
    return True


@kernel
def _eliminate(data, best, node, first, used, visit):
    """Make a node of a block: list the blocks next to it from sub_node[used] on, and note it in their lists.

    Nodes next to the block are absorbed: all that they list, the new node lists too. The end of the list, -1
    where it does not fit.
    """
    adj, adr, num, nodes = data.sym_adj, data.sym_adjadr, data.sym_adjnum, data.sym_adjnode
    mark, order = data.sym_mark, data.sym_order
    end = used
    middle = adr[best] + num[best]
    for e in range(adr[best], middle):
        if end >= data.nsubmax:
            return -1
        data.sub_node[end] = adj[e]
        mark[adj[e]] = visit
        end += 1
    for e in range(middle, middle + nodes[best]):
        absorbed = first + adj[e]
        for k in range(data.node_sub[absorbed], data.node_sub[absorbed] + data.node_nsub[absorbed]):
            u = data.sub_node[k]
            if order[u] < 0 and mark[u] != visit:
                if end >= data.nsubmax:
                    return -1
                data.sub_node[end] = u
                mark[u] = visit
                end += 1
        data.sym_absorbed[adj[e]] = 1
    data.node_sub[node] = used
    data.node_nsub[node] = end - used
    data.sym_absorbed[node - first] = 0
    for k in range(used, end):
        u = data.sub_node[k]
        kept = adr[u]
        middle = kept + num[u]
        for e in range(adr[u], middle):  # neighbours that the new node lists as well need not be listed
            if order[adj[e]] < 0 and mark[adj[e]] != visit:
                adj[kept] = adj[e]
                kept += 1
        num[u] = kept - adr[u]
        for e in range(middle, middle + nodes[u]):
            if not data.sym_absorbed[adj[e]]:
                adj[kept] = adj[e]
                kept += 1
        adj[kept] = node - first
        nodes[u] = kept + 1 - adr[u] - num[u]
    return end


@kernel
def _degree_beside(data, u, first, listed, visit):
    """Number of padded dofs of the blocks next to block u, but for those that the newest node lists (marked
    so).
    """
    adj, adr, num = data.sym_adj, data.sym_adjadr, data.sym_adjnum
    mark, order, size = data.sym_mark, data.sym_order, data.sym_size
    middle = adr[u] + num[u]
    last = middle + data.sym_adjnode[u] - 1  # the newest node
    total = 0
    for e in range(adr[u], middle):
        mark[adj[e]] = visit
        total += size[adj[e]]
    for e in range(middle, last):
        node = first + adj[e]
        for k in range(data.node_sub[node], data.node_sub[node] + data.node_nsub[node]):
            v = data.sub_node[k]
            if mark[v] != listed and mark[v] != visit and order[v] < 0:
                mark[v] = visit
                total += size[v]
    return total


@small
def _before(data, a, b):
    """Whether block a is to be eliminated before block b."""
    da, db = data.sym_degree[a], data.sym_degree[b]
    return da < db or (da == db and a < b)


@small
def _put(data, at, block):
    data.sym_heap[at] = block
    data.sym_place[block] = at


@kernel
def _sift_down(data, at, n):
    """Move the entry at a place of the heap of n down to where it belongs."""
    heap = data.sym_heap
    block = heap[at]
    while 2 * at + 1 < n:
        child = 2 * at + 1
        if child + 1 < n and _before(data, heap[child + 1], heap[child]):
            child += 1
        if not _before(data, heap[child], block):
            break
        _put(data, at, heap[child])
        at = child
    _put(data, at, block)


@kernel
def _restore_heap(data, at, n):
    """Restore the heap of n after the degree of the block at a place has changed."""
    heap = data.sym_heap
    block = heap[at]
    while at > 0 and _before(data, block, heap[(at - 1) // 2]):
        _put(data, at, heap[(at - 1) // 2])
        at = (at - 1) // 2
    _put(data, at, block)
    _sift_down(data, at, n)


@small
def _remove_first(data, n):
    """Take the first entry out of the heap of n."""
    _put(data, 0, data.sym_heap[n - 1])
    _sift_down(data, 0, n - 1)


@kernel
def _sort_lists(data, first, n, begin, end):
    """Turn the blocks in the lists of n nodes into nodes, ascending, and set the columns of their panels.

    By transposing the lists twice, in time proportional to their length.
    """
    sub_node, sub_col, order = data.sub_node, data.sub_col, data.sym_order
    fill, adr = data.sym_adjnum, data.sym_adjadr
    for k in range(n):
        fill[k] = 0
        data.sym_local[order[k]] = k  # from here on the block at a place in the order
    for k in range(begin, end):
        fill[order[sub_node[k]]] += 1
    at = begin
    for q in range(n):
        adr[q] = at
        at += fill[q]
        fill[q] = 0
    for p in range(n):
        node = first + p
        for k in range(data.node_sub[node], data.node_sub[node] + data.node_nsub[node]):
            q = order[sub_node[k]]
            sub_col[adr[q] + fill[q]] = p
            fill[q] += 1
    last = data.sym_place
    for p in range(n):
        last[p] = 0
    for q in range(n):
        for k in range(adr[q], adr[q] + fill[q]):
            p = sub_col[k]
            sub_node[data.node_sub[first + p] + last[p]] = first + q
            last[p] += 1
    for p in range(n):
        node = first + p
        col = padded(data.node_dim[node])
        for k in range(data.node_sub[node], data.node_sub[node] + data.node_nsub[node]):
            sub_col[k] = col
            col += data.sym_size[data.sym_local[sub_node[k] - first]]
