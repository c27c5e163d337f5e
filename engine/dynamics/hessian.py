"""The Hessian M + J'WJ of an island: set from M, changed by the weights of groups of rows; products with J' and M.

Layout: engine/dynamics/island.py. Only entries that are in the lower triangle in the order of elimination are kept.
"""

from __future__ import annotations

from engine.dynamics.constraint_rows import PYRAMID
from engine.enums import CNSTRSTATE_QUADRATIC
from engine.kernel import dense, kernel, view


@kernel
def multiply_M(model, data, island, vector, result):
    """result <- M vector over the dofs of an island."""
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        adr = model.block_dofadr[block]
        for i in range(adr, adr + model.block_dofnum[block]):
            number = model.M_rownnz[i]
            row = view(data.M, model.M_rowadr[i], number)
            col = view(model.M_colind, model.M_rowadr[i], number)
            vi = vector[i]
            total = row[number - 1] * vi
            for e in range(number - 1):
                j = col[e]
                total += row[e] * vector[j]
                result[j] += row[e] * vi
            result[i] = total


@kernel
def start_from_M(model, data, island):
    """Set the Hessian of an island to M."""
    H = data.sol_H
    for k in range(data.isl_Hnum[island]):
        H[k] = 0.0
    begin = data.isl_blockadr[island]
    for k in range(begin, begin + data.isl_blocknum[island]):
        block = data.isl_block[k]
        adr = model.block_dofadr[block]
        node = data.block_node[block]
        dim, off = data.node_dim[node], data.block_off[block]
        for i in range(adr, adr + model.block_dofnum[block]):
            number = model.M_rownnz[i]
            row = view(data.M, model.M_rowadr[i], number)
            col = view(model.M_colind, model.M_rowadr[i], number)
            place = data.node_H[node] + (off + i - adr) * dim + off - adr
            e = number - 1
            while e >= 0 and col[e] >= adr:
                H[place + col[e]] = row[e]
                e -= 1
            pair = data.block_pair[block]
            above = model.block_parentid[block]
            while e >= 0:
                first = model.block_dofadr[above]
                other = data.block_node[above]
                swapped = other > node or (other == node and data.block_off[above] > off)
                step = data.node_dim[other]
                while e >= 0 and col[e] >= first:
                    if swapped:
                        H[data.pair_adr[pair] + (col[e] - first) * dim + i - adr] = row[e]
                    else:
                        H[data.pair_adr[pair] + (i - adr) * step + col[e] - first] = row[e]
                    e -= 1
                above = model.block_parentid[above]
                pair += 1


@kernel
def base_force(data, g, force, result):
    """The forces of a group's constraint rows along its rows in seg_J, into result (6)."""
    row, dim = data.grp_row[g], data.grp_dim[g]
    if data.grp_kind[g] == PYRAMID:
        c = data.efc_id[row]
        result[0] = 0.0
        for e in range(dim - 1):
            plus, minus = force[row + 2 * e], force[row + 2 * e + 1]
            result[0] += plus + minus
            result[e + 1] = data.contact_friction[c, e] * (plus - minus)
    else:
        for e in range(dim):
            result[e] = force[row + e]


@kernel
def add_JT(data, g, f, sign, vector):
    """vector += sign J' f for a group, f along its rows in seg_J."""
    dim = data.grp_dim[g]
    first = data.grp_seg[g]
    for s in range(first, first + data.grp_nseg[g]):
        num, adr = data.seg_num[s], data.seg_adr[s]
        v = view(vector, data.seg_dof[s], num)
        if dim == 1:
            f0 = sign * f[0]
            a = view(data.seg_J, adr, num)
            for k in range(num):
                v[k] += f0 * a[k]
        else:
            for e in range(0, dim, 3):
                if dim - e >= 3:
                    f0, f1, f2 = sign * f[e], sign * f[e + 1], sign * f[e + 2]
                    a = view(data.seg_J, adr + e * num, num)
                    b = view(data.seg_J, adr + (e + 1) * num, num)
                    c = view(data.seg_J, adr + (e + 2) * num, num)
                    for k in range(num):
                        v[k] += f0 * a[k] + f1 * b[k] + f2 * c[k]
                else:
                    f0 = sign * f[e]
                    a = view(data.seg_J, adr + e * num, num)
                    for k in range(num):
                        v[k] += f0 * a[k]


@kernel
def weight_change(data, g, W):
    """What a group's weights changed by since the Hessian last held them, along its rows in seg_J.

    Into W (grp_dim x grp_dim); whether anything changed. Not for cones.
    """
    row, dim = data.grp_row[g], data.grp_dim[g]
    changed = False
    if data.grp_kind[g] == PYRAMID:
        c = data.efc_id[row]
        for k in range(dim * dim):
            W[k] = 0.0
        for e in range(dim - 1):
            plus = data.efc_D[row + 2 * e] if data.efc_state[row + 2 * e] == CNSTRSTATE_QUADRATIC else 0.0
            minus = (
                data.efc_D[row + 2 * e + 1]
                if data.efc_state[row + 2 * e + 1] == CNSTRSTATE_QUADRATIC
                else 0.0
            )
            change1, change2 = plus - data.efc_weight[row + 2 * e], minus - data.efc_weight[row + 2 * e + 1]
            data.efc_weight[row + 2 * e] = plus
            data.efc_weight[row + 2 * e + 1] = minus
            if change1 != 0.0 or change2 != 0.0:
                changed = True
                mu = data.contact_friction[c, e]
                W[0] += change1 + change2
                W[e + 1] = mu * (change1 - change2)
                W[(e + 1) * dim] = W[e + 1]
                W[(e + 1) * dim + e + 1] = mu * mu * (change1 + change2)
        return changed
    for k in range(dim * dim):
        W[k] = 0.0
    for e in range(dim):
        weight = data.efc_D[row + e] if data.efc_state[row + e] == CNSTRSTATE_QUADRATIC else 0.0
        W[e * dim + e] = weight - data.efc_weight[row + e]
        if W[e * dim + e] != 0.0:
            changed = True
        data.efc_weight[row + e] = weight
    return changed


@dense
def _add_product(target, stride, a, na, b, nb, W, dim, lower):
    """target (na, nb) += a' W b for a (dim, na), b (dim, nb); only the lower triangle if so asked."""
    for i in range(na):
        count = i + 1 if lower else nb
        row = view(target, i * stride, nb)
        for k in range(0, dim, 3):
            if dim - k >= 3:
                c0 = c1 = c2 = 0.0
                for m in range(dim):
                    am = a[m * na + i]
                    c0 += W[k * dim + m] * am
                    c1 += W[(k + 1) * dim + m] * am
                    c2 += W[(k + 2) * dim + m] * am
                b0, b1, b2 = view(b, k * nb, nb), view(b, (k + 1) * nb, nb), view(b, (k + 2) * nb, nb)
                for j in range(count):
                    row[j] += c0 * b0[j] + c1 * b1[j] + c2 * b2[j]
            else:
                c0 = 0.0
                for m in range(dim):
                    c0 += W[k * dim + m] * a[m * na + i]
                b0 = view(b, k * nb, nb)
                for j in range(count):
                    row[j] += c0 * b0[j]


@kernel
def add_JTWJ(model, data, g, W):
    """Hessian += J' W J for a group, W (grp_dim x grp_dim) along its rows in seg_J."""
    dim = data.grp_dim[g]
    first = data.grp_seg[g]
    last = first + data.grp_nseg[g]
    pair = data.grp_pair[g]
    values = data.seg_J
    for s in range(first, last):
        block, num = data.seg_block[s], data.seg_num[s]
        node, off = data.block_node[block], data.block_off[block]
        at = data.seg_dof[s] - model.block_dofadr[block]
        n = data.node_dim[node]
        place = data.node_H[node] + (off + at) * n + off + at
        a = view(values, data.seg_adr[s], dim * num)
        _add_product(view(data.sol_H, place, n * num), n, a, num, a, num, W, dim, True)
        for t in range(s + 1, last):
            other_block, other_num = data.seg_block[t], data.seg_num[t]
            other, other_off = data.block_node[other_block], data.block_off[other_block]
            other_at = data.seg_dof[t] - model.block_dofadr[other_block]
            b = view(values, data.seg_adr[t], dim * other_num)
            if other > node or (other == node and other_off > off):
                place = data.pair_adr[pair] + other_at * n + at
                _add_product(view(data.sol_H, place, n * other_num), n, b, other_num, a, num, W, dim, False)
            else:
                stride = data.node_dim[other]
                place = data.pair_adr[pair] + at * stride + other_at
                _add_product(
                    view(data.sol_H, place, stride * num), stride, a, num, b, other_num, W, dim, False
                )
            pair += 1
