"""The Hessian M + J'WJ of an island: set from M, changed by the weights of groups of rows.

Layout: engine/dynamics/constraint/island.py. Only the upper triangle in the order of elimination is kept; entries left
of the diagonal in a chunk of four columns are never read.
"""

from __future__ import annotations

from kinetree.engine.dynamics.constraint.rows import CONE, PYRAMID
from kinetree.engine.jit.kernel import apart, kernel, small, view
from kinetree.engine.jit.simd import padded, vfma, vload, vmul, vset, vstore
from kinetree.engine.model import enums


@kernel
def multiply_M(model, data, island, vector, result):
    """result <- M vector over the dofs of an island; returns 1/2 vector' M vector."""
    begin = data.isl_blockadr[island]
    energy = 0.0
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        adr = model.block_dofadr[block]
        for i in range(adr, adr + model.block_dofnum[block]):
            number = model.M_rownnz[i]
            vi = vector[i]
            if model.dof_simplenum[i] > 0:
                result[i] = data.M[model.M_rowadr[i] + number - 1] * vi
                energy += 0.5 * vi * result[i]
                continue
            row = view(data.M, model.M_rowadr[i], number)
            col = view(model.M_colind, model.M_rowadr[i], number)
            total = 0.0
            for e in range(number - 1):
                j = col[e]
                total += row[e] * vector[j]
                result[j] += row[e] * vi
            energy += vi * (0.5 * row[number - 1] * vi + total)
            result[i] = total + row[number - 1] * vi
    return energy


@kernel
def start_from_M(model, data, island):
    """Set the Hessian of an island to M."""
    H = data.sol_H
    zero = vset(0.0)
    start = data.isl_Hadr[island]
    for k in range(start, start + data.isl_Hnum[island], 4):
        vstore(H, k, zero)
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        adr = model.block_dofadr[block]
        node = data.block_node[block]
        cols, off = data.node_cols[node], data.block_off[block]
        for i in range(adr, adr + model.block_dofnum[block]):
            number = model.M_rownnz[i]
            row = view(data.M, model.M_rowadr[i], number)
            col = view(model.M_colind, model.M_rowadr[i], number)
            place = data.node_H[node] + (off - adr) * cols + off + i - adr
            e = number - 1
            while e >= 0 and col[e] >= adr:
                H[place + col[e] * cols] = row[e]
                e -= 1
            pair = data.block_pair[block]
            above = model.block_parentid[block]
            while e >= 0:
                first = model.block_dofadr[above]
                other = data.block_node[above]
                row_is_above = other < node or (other == node and data.block_off[above] < off)
                stride = data.node_cols[other] if row_is_above else cols
                while e >= 0 and col[e] >= first:
                    if row_is_above:
                        H[data.pair_adr[pair] + (col[e] - first) * stride + i - adr] = row[e]
                    else:
                        H[data.pair_adr[pair] + (i - adr) * stride + col[e] - first] = row[e]
                    e -= 1
                above = model.block_parentid[above]
                pair += 1


@kernel
def _multiply_W(values, n, dim, W, result):
    """result (dim, n) <- W times the dim rows of a segment."""
    for k in range(dim):
        for c in range(0, n, 4):
            v = vmul(vset(W[k * dim]), vload(values, c))
            for m in range(1, dim):
                v = vfma(vset(W[k * dim + m]), vload(values, m * n + c), v)
            vstore(result, k * n + c, v)


@kernel
def _add_product(H, place, stride, rows, num, values, number, dim, upper):
    """Add to H, from `place` on, the transpose of dim rows of num entries times dim rows of `number` entries.

    Rows of both are padded. upper: only the upper triangle.
    """
    n, nb = padded(num), padded(number)
    for i in range(num):
        start = i // 4 * 4 if upper else 0
        line = place + i * stride
        if dim == 1:
            f = vset(rows[i])
            for c in range(start, nb, 4):
                vstore(H, line + c, vfma(f, vload(values, c), vload(H, line + c)))
            continue
        at, b = i, 0
        for _ in range(dim // 3):
            f0, f1, f2 = vset(rows[at]), vset(rows[at + n]), vset(rows[at + 2 * n])
            for c in range(start, nb, 4):
                v = vfma(f0, vload(values, b + c), vload(H, line + c))
                v = vfma(f1, vload(values, b + nb + c), v)
                vstore(H, line + c, vfma(f2, vload(values, b + 2 * nb + c), v))
            at += 3 * n
            b += 3 * nb
        if dim == 4:
            f = vset(rows[at])
            for c in range(start, nb, 4):
                vstore(H, line + c, vfma(f, vload(values, b + c), vload(H, line + c)))


@small
def _weight_change(data, g, W):
    """Write to W (grp_dim x grp_dim, along the rows in seg_J) what a group's weights differ by from those in
    the Hessian, efc_weight.

    Returns whether they differ.
    """
    row, dim = data.grp_row[g], data.grp_dim[g]
    changed = False
    if data.grp_kind[g] == CONE:
        c = data.efc_id[row]
        for e in range(dim * dim):
            W[e] = data.contact_dH[c, e]
        return True
    for k in range(dim * dim):
        W[k] = 0.0
    if data.grp_kind[g] == PYRAMID:
        c = data.efc_id[row]
        for e in range(dim - 1):
            r = row + 2 * e
            plus = data.efc_D[r] if data.efc_state[r] == enums.CNSTRSTATE_QUADRATIC else 0.0
            minus = data.efc_D[r + 1] if data.efc_state[r + 1] == enums.CNSTRSTATE_QUADRATIC else 0.0
            change1, change2 = plus - data.efc_weight[r], minus - data.efc_weight[r + 1]
            if change1 != 0.0 or change2 != 0.0:
                changed = True
                mu = data.contact_friction[c, e]
                W[0] += change1 + change2
                W[e + 1] = mu * (change1 - change2)
                W[(e + 1) * dim] = W[e + 1]
                W[(e + 1) * dim + e + 1] = mu * mu * (change1 + change2)
        return changed
    for e in range(dim):
        weight = data.efc_D[row + e] if data.efc_state[row + e] == enums.CNSTRSTATE_QUADRATIC else 0.0
        change = weight - data.efc_weight[row + e]
        if change != 0.0:
            changed = True
        W[e * dim + e] = change
    return changed


@kernel
def keep_weights(data, island):
    """Note in efc_weight that the Hessian has the weights of the groups in grp_changed by now."""
    start = data.isl_grpadr[island]
    for k in range(start, start + data.isl_changenum[island]):
        g = data.grp_changed[k]
        if data.grp_kind[g] != CONE:
            for r in range(data.grp_row[g], data.grp_row[g] + data.grp_nrow[g]):
                data.efc_weight[r] = data.efc_D[r] if data.efc_state[r] == enums.CNSTRSTATE_QUADRATIC else 0.0


@apart
def update_hessian(data, island, low, high):
    """Bring the weights of the island's groups in grp_changed into the Hessian: Hessian += J' (change of W) J.

    Only in the panels of the nodes from low to high. When all are done: `keep_weights`.
    """
    W, WJ, H, values = data.sol_W, data.sol_WJ, data.sol_H, data.seg_J
    start = data.isl_grpadr[island]
    for k in range(start, start + data.isl_changenum[island]):
        g = data.grp_changed[k]
        if not _weight_change(data, g, W):
            continue
        dim = data.grp_dim[g]
        first = data.grp_seg[g]
        last = first + data.grp_nseg[g]
        pair = data.grp_pair[g]
        for s in range(first, last):
            block, num, adr = data.seg_block[s], data.seg_num[s], data.seg_adr[s]
            node, off = data.block_node[block], data.block_off[block]
            at, stride = data.seg_at[s], data.node_cols[node]
            place = data.node_H[node] + (off + at) * stride + off + at
            if dim == 1 and num == 1 and last == first + 1:
                if low <= node < high:
                    H[place] += W[0] * values[adr] * values[adr]
                continue
            n = padded(num)
            J = view(values, adr, dim * n)
            is_ready = False
            for t in range(s, last):
                num_t, at_t = data.seg_num[t], data.seg_at[t]
                other_block = data.seg_block[t]
                other = data.block_node[other_block]
                if t > s:
                    place = data.pair_adr[pair]
                    pair += 1
                panel = min(node, other)
                if panel < low or panel >= high:
                    continue
                if not is_ready:
                    _multiply_W(J, n, dim, W, WJ)
                    is_ready = True
                J = view(values, data.seg_adr[t], dim * padded(num_t))
                if t > s:
                    if other < node or (other == node and data.block_off[other_block] < off):
                        stride_t = data.node_cols[other]
                        place += at_t * stride_t + at
                        _add_product(H, place, stride_t, J, num_t, WJ, num, dim, t == s)
                        continue
                    place += at * stride + at_t
                _add_product(H, place, stride, WJ, num, J, num_t, dim, t == s)
