"""Islands: sets of kinematic trees that constraint rows couple, and the order in which each one is
eliminated.

The Hessian M + J'DJ of an island is stored by nodes. A node is one or more blocks of dofs; its panel holds
the rows of its dofs in the upper triangle: its own columns first, then those of the later nodes that it has
entries with (fill included). Columns are padded to a multiple of four; so is the place of each node in
vectors over all islands. A small island is one dense node, a large one has a node for each block
(engine/dynamics/constraint/elimination.py).
"""

from __future__ import annotations

from kinetree.engine.jit.capacity import MOST_HESSIAN, NHMAX, NPAIRMAX, request
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.simd import WIDTH, padded
from kinetree.engine.jit.warn import warn
from kinetree.engine.model import enums

# An island with at most this many dofs is one dense node of the Hessian.
DENSE = 40


@kernel
def islands(model, data):
    """Find the islands, their blocks and groups of rows, and for Newton's method the pairs of blocks that are coupled.

    In a small model every island is one node and is laid out here; in others by the stage `elimination`.
    """
    data.nisland = 0
    for i in range(model.nv):
        data.dof_island[i] = -1
    if data.ngrp == 0:
        return
    _connect(model, data)
    _sort_blocks(model, data)
    _sort_groups(model, data)
    if model.opt_solver == enums.SOL_CG:
        _place_vectors(model, data)
    if model.opt_solver != enums.SOL_NEWTON:  # the others need no Hessian
        return
    _pairs(model, data)
    if data.npair > data.npairmax:
        request(data, NPAIRMAX, data.npair)
        return
    if model.nv <= DENSE:
        data.nnode = 0
        for i in range(data.nisland):
            one_node(model, data, i)
        place_pairs(model, data)
        finish_layout(model, data)


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
    n, base, most = 0, model.nv, data.npairmax
    for g in range(data.ngrp):
        data.grp_pair[g] = n
        first = data.grp_seg[g]
        last = first + data.grp_nseg[g]
        for s in range(first, last):
            for t in range(s + 1, last):
                if n < most:
                    data.pair_key[n] = data.seg_block[s] * base + data.seg_block[t]
                n += 1
    for i in range(data.nisland):
        for k in range(data.isl_blockadr[i], data.isl_blockadr[i] + data.isl_blocknum[i]):
            block = data.isl_block[k]
            data.block_pair[block] = n
            above = model.block_parentid[block]
            while above >= 0:
                if n < most:
                    data.pair_key[n] = block * base + above
                n += 1
                above = model.block_parentid[above]
    data.npair = n


@small
def _begin_vectors(data, i):
    """Place the vectors of island i after those of the island before it, on the next cache line after a gap.

    A chunk of four that begins in one island ends in the gap: islands can be worked at in several threads.
    """
    data.isl_xadr[i] = (data.isl_xadr[i - 1] + data.isl_xnum[i - 1] + WIDTH + 7) // 8 * 8 if i > 0 else 0


@kernel
def _place_vectors(model, data):
    """Vectors by island without a Hessian: the dofs of each island one after the other."""
    for i in range(data.nisland):
        _begin_vectors(data, i)
        x = data.isl_xadr[i]
        for k in range(data.isl_blockadr[i], data.isl_blockadr[i] + data.isl_blocknum[i]):
            data.block_x[data.isl_block[k]] = x
            x += model.block_dofnum[data.isl_block[k]]
        data.isl_xnum[i] = x - data.isl_xadr[i]
    _place_segments(model, data)


@kernel
def _place_segments(model, data):
    """The place of every segment in its block, and in vectors by island."""
    for s in range(data.nseg):
        block = data.seg_block[s]
        data.seg_at[s] = data.seg_dof[s] - model.block_dofadr[block]
        data.seg_x[s] = data.block_x[block] + data.seg_at[s]


@small
def begin_node_layout(data, i):
    """Place the vectors and the Hessian of island i after those of the island before it."""
    _begin_vectors(data, i)
    data.isl_Hadr[i] = 0
    if i > 0:
        data.isl_Hadr[i] = data.isl_Hadr[i - 1] + data.isl_Hnum[i - 1] + WIDTH


@kernel
def one_node(model, data, i):
    """An island as one dense node, its blocks one after the other."""
    begin_node_layout(data, i)
    node = data.nnode
    data.isl_nodeadr[i] = node
    data.isl_nodenum[i] = 1
    data.nnode = node + 1
    off = 0
    for k in range(data.isl_blockadr[i], data.isl_blockadr[i] + data.isl_blocknum[i]):
        block = data.isl_block[k]
        data.block_node[block] = node
        data.block_off[block] = off
        data.block_x[block] = data.isl_xadr[i] + off
        off += model.block_dofnum[block]
    cols = padded(off)
    data.node_dim[node] = off
    data.node_x[node] = data.isl_xadr[i]
    data.node_H[node] = data.isl_Hadr[i]
    data.node_cols[node] = cols
    data.node_sub[node] = 0
    data.node_nsub[node] = 0
    data.isl_xnum[i] = cols
    data.isl_Hnum[i] = off * cols


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
        low, high = data.node_sub[p], data.node_sub[p] + data.node_nsub[p] - 1
        while low < high:
            middle = (low + high) // 2
            if data.sub_node[middle] < q:
                low = middle + 1
            else:
                high = middle
        col += data.sub_col[low]
    return data.node_H[p] + off_p * data.node_cols[p] + col


@kernel
def place_pairs(model, data):
    """Where the block of every pair begins in the Hessian."""
    base = model.nv
    for k in range(data.npair):
        key = data.pair_key[k]
        data.pair_adr[k] = _place(data, key // base, key % base)


@kernel
def drop_rows(model, data):
    """Take all constraint rows out of this step, with a warning: their matrices would take too much memory."""
    warn(data, enums.WARN_CNSTRFULL, data.nefc)
    data.ne = data.nf = data.nl = data.nefc = 0
    data.ngrp = data.nseg = data.nJ = data.npair = data.nisland = data.nknown = 0
    for c in range(data.ncon):
        data.contact_efc_address[c] = -1
    for t in range(model.ntendon):
        data.tendon_efcadr[t] = -1
    for t in range(model.ntree):
        data.tree_island[t] = -1
    for i in range(model.nv):
        data.dof_island[i] = -1


@kernel
def finish_layout(model, data):
    """Memory for the Hessians, and the place of every segment."""
    last = data.nisland - 1
    entries = data.isl_Hadr[last] + data.isl_Hnum[last] + WIDTH
    if entries > MOST_HESSIAN:
        drop_rows(model, data)
        return
    if entries > data.nHmax:
        request(data, NHMAX, entries)
    _place_segments(model, data)
