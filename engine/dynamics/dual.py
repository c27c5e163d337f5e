"""The dual problem of the constraint solver, shared by PGS and noslip: A + R, b, states and accelerations from
forces.

The dual problem minimises 1/2 f'(A + R)f + f'b over the forces f that the constraints allow, with A = J
inverse(M) J' and b = J qacc_smooth - aref (efc_b). Specification: Computation, "Dual problem" and
"Algorithms".

A is zero between rows that act on different kinematic trees, and only the rest is stored. The rows that act on
a tree of group g are listed as runs of consecutive rows (run_row, run_num). Every row of the group has one
stretch of sol_AR: the entries of the first run, padded with zeros to a multiple of four, then those of the
second, and so on. So the product of a row with the forces reads both in chunks of four; it may read three
forces past the last row, which `project` makes room for and sets to zero.
"""

from __future__ import annotations

import math

from engine.dynamics.constraint import add_JT, group_product, store_rows
from engine.dynamics.constraint_rows import CONE, FRICTION, PYRAMID, QUADRATIC
from engine.dynamics.inertia import solve
from engine.jit.capacity import NARMAX, NJMAX, NRUNMAX, request
from engine.jit.kernel import kernel, small, view
from engine.jit.simd import WIDTH, padded, vadd, vfma, vload, vmul, vset, vstore, vsum
from engine.model.enums import (
    CNSTRSTATE_CONE,
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
)

COLUMNS = 8  # rows of a group in seg_J, at most 6, padded
ITERATIONS = 200  # rows of statistics of an island
EXPANDED = 6 * COLUMNS + 60  # place in sol_WJ of a block of at most 10 by 10 constraint rows


@kernel
def project(model, data):
    """Stage: the linear term efc_b and the matrix A + R of the dual problem. Asks for memory where it must."""
    linear_term(model, data)
    if data.nefc == 0:
        return
    if data.nefc + WIDTH > data.njmax:
        request(data, NJMAX, data.nefc + WIDTH)
        return
    _groups_of_trees(model, data)
    if _list_runs(model, data):
        _fill(model, data)


@kernel
def linear_term(model, data):
    """efc_b = J qacc_smooth - aref."""
    row_products(model, data, data.qacc_smooth, data.efc_b)
    for r in range(data.nefc):
        data.efc_b[r] -= data.efc_aref[r]


@kernel
def row_products(model, data, vector, result):
    """result (nefc) <- J vector."""
    x = data.sol_qacc
    for i in range(model.nv):
        x[i] = vector[i]
    for i in range(model.nv, model.nv + WIDTH):  # rows of seg_J are read in chunks
        x[i] = 0.0
    for g in range(data.ngrp):
        store_rows(data, g, group_product(data, g, data.seg_dof, x), result)


@kernel
def _groups_of_trees(model, data):
    """The groups that act on each kinematic tree, ascending: tree_grpadr, tree_grpnum, tree_grp."""
    number, adr = data.tree_grpnum, data.tree_grpadr
    for t in range(model.ntree):
        number[t] = 0
        adr[t] = -1  # the group that was counted last
    for sweep in range(2):
        for g in range(data.ngrp):
            for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
                t = model.dof_treeid[data.seg_dof[s]]
                if sweep == 0:
                    if adr[t] != g:
                        adr[t] = g
                        number[t] += 1
                elif number[t] == 0 or data.tree_grp[adr[t] + number[t] - 1] != g:
                    data.tree_grp[adr[t] + number[t]] = g
                    number[t] += 1
        if sweep == 0:
            start = 0
            for t in range(model.ntree):
                adr[t] = start
                start += number[t]
                number[t] = 0


@small
def _begin_neighbours(model, data, g):
    """Prepare a walk over the groups that share a tree with group g."""
    for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
        data.tree_grpat[model.dof_treeid[data.seg_dof[s]]] = 0


@small
def _next_neighbour(model, data, g):
    """The next group, in ascending order, that shares a tree with group g; ngrp at the end."""
    found = data.ngrp
    for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
        t = model.dof_treeid[data.seg_dof[s]]
        at = data.tree_grpat[t]
        if at < data.tree_grpnum[t]:
            found = min(found, data.tree_grp[data.tree_grpadr[t] + at])
    for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
        t = model.dof_treeid[data.seg_dof[s]]
        at = data.tree_grpat[t]
        if at < data.tree_grpnum[t] and data.tree_grp[data.tree_grpadr[t] + at] == found:
            data.tree_grpat[t] = at + 1
    return found


@kernel
def _list_runs(model, data):
    """The runs of all groups, and where their rows of A begin; whether there is memory for both."""
    run, entries = 0, 0
    for g in range(data.ngrp):
        data.grp_run[g] = run
        data.grp_AR[g] = entries
        length, last, number = 0, -1, 0
        _begin_neighbours(model, data, g)
        h = _next_neighbour(model, data, g)
        while h < data.ngrp:
            row, rows = data.grp_row[h], data.grp_nrow[h]
            if row == last:
                number += rows
            else:
                length += padded(number)
                run += 1
                number = rows
                if run <= data.nrunmax:
                    data.run_row[run - 1] = row
            last = row + rows
            if run <= data.nrunmax:
                data.run_num[run - 1] = number
            h = _next_neighbour(model, data, g)
        if run == data.grp_run[g]:  # the group acts on no dof: its rows couple with themselves only
            run, number = run + 1, data.grp_nrow[g]
            if run <= data.nrunmax:
                data.run_row[run - 1], data.run_num[run - 1] = data.grp_row[g], number
        length += padded(number)
        data.grp_nrun[g] = run - data.grp_run[g]
        data.grp_ARnum[g] = length
        entries += length * data.grp_nrow[g]
    if run > data.nrunmax:
        request(data, NRUNMAX, run)
    if entries > data.nARmax:
        request(data, NARMAX, entries)
    return run <= data.nrunmax and entries <= data.nARmax


@kernel
def _fill(model, data):
    """Set sol_AR. A block of two groups is computed once and written twice, as A is symmetric.

    The entries of a row are written in ascending order. Of each group, grp_changed and efc_state (both free until the
    solver begins) hold how far it has got: the place in its rows, and the constraint row that would follow there.
    """
    matrix, low, high = data.sol_AR, data.sol_search, data.sol_grad
    for i in range(WIDTH * model.nv):
        low[i] = high[i] = 0.0
    for g in range(data.ngrp):
        for k in range(data.grp_AR[g], data.grp_AR[g] + data.grp_nrow[g] * data.grp_ARnum[g], WIDTH):
            vstore(matrix, k, vset(0.0))
        data.grp_changed[g] = data.efc_state[g] = 0
    for g in range(data.ngrp):
        wide = data.grp_dim[g] > WIDTH
        _inverse_columns(model, data, g, 0, low)
        if wide:
            _inverse_columns(model, data, g, WIDTH, high)
        _begin_neighbours(model, data, g)
        h = _next_neighbour(model, data, g)
        while h <= g:
            _block(data, h, low, 0)
            if wide:
                _block(data, h, high, WIDTH)
            _expand(data, g, h)
            _write(data, g, h, False)
            if h < g:
                _write(data, h, g, True)
            h = _next_neighbour(model, data, g) if h < g else data.ngrp
        _clear_trees(model, data, g, low)
        if wide:
            _clear_trees(model, data, g, high)
        place = max(0, data.grp_changed[g] - data.grp_nrow[g])
        for r in range(data.grp_nrow[g]):
            matrix[data.grp_AR[g] + r * data.grp_ARnum[g] + place + r] += data.efc_R[data.grp_row[g] + r]


@kernel
def _clear_trees(model, data, g, x):
    """Zeros in x (four numbers a dof) over the dofs of all kinematic trees that a group acts on."""
    for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
        tree = model.dof_treeid[data.seg_dof[s]]
        for i in range(model.tree_dofadr[tree], model.tree_dofadr[tree] + model.tree_dofnum[tree]):
            vstore(x, WIDTH * i, vset(0.0))


@kernel
def _inverse_columns(model, data, g, first, x):
    """x <- inverse(M) J' of up to four of a group's rows in seg_J, from row `first` on: four numbers a dof.

    x is zero before. It changes in the trees that the group acts on.
    """
    dim = data.grp_dim[g]
    tree, last = -1, -1
    for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
        num, adr, dof = data.seg_num[s], data.seg_adr[s], data.seg_dof[s]
        if model.dof_treeid[dof] != tree:  # segments of a tree follow each other
            if tree >= 0:
                _solve_four(model, data, x, model.tree_dofadr[tree], last, model.tree_dofnum[tree])
            tree, last = model.dof_treeid[dof], -1
        for e in range(first, min(dim, first + WIDTH)):
            for i in range(num):
                x[WIDTH * (dof + i) + e - first] = data.seg_J[adr + e * padded(num) + i]
        last = max(last, dof + num - 1)
    if tree >= 0:
        _solve_four(model, data, x, model.tree_dofadr[tree], last, model.tree_dofnum[tree])


@kernel
def _solve_four(model, data, x, first, last, number):
    """x <- inverse(M) x in one tree for four vectors at once, which are zero after dof `last`."""
    for k in range(last, first - 1, -1):
        value = vload(x, WIDTH * k)
        adr, above = model.M_rowadr[k], model.M_rownnz[k] - 1
        row = view(data.qLD, adr, above)
        col = view(model.M_colind, adr, above)
        for a in range(above):
            vstore(x, WIDTH * col[a], vfma(vset(-row[a]), value, vload(x, WIDTH * col[a])))
        vstore(x, WIDTH * k, vmul(vset(data.qLDiagInv[k]), value))
    for k in range(first, first + number):
        adr, above = model.M_rowadr[k], model.M_rownnz[k] - 1
        row = view(data.qLD, adr, above)
        col = view(model.M_colind, adr, above)
        value = vload(x, WIDTH * k)
        for a in range(above):
            value = vfma(vset(-row[a]), vload(x, WIDTH * col[a]), value)
        vstore(x, WIDTH * k, value)


@kernel
def _block(data, h, x, column):
    """The rows of group h in seg_J times four vectors, into columns of the block that `_expand` reads."""
    dim, block = data.grp_dim[h], data.sol_WJ
    for e in range(dim):
        total = vset(0.0)
        for s in range(data.grp_seg[h], data.grp_seg[h] + data.grp_nseg[h]):
            num, dof = data.seg_num[s], data.seg_dof[s]
            adr = data.seg_adr[s] + e * padded(num)
            for i in range(num):
                total = vfma(vset(data.seg_J[adr + i]), vload(x, WIDTH * (dof + i)), total)
        vstore(block, COLUMNS * e + column, total)


@kernel
def _expand(data, g, h):
    """Turn the block of the rows in seg_J of groups h and g into that of their constraint rows, transposed.

    sol_WJ holds the block (dim of h by COLUMNS), then the block with expanded rows, then the result (rows of g by rows
    of h, 10 numbers a row).
    """
    block = data.sol_WJ
    half, result = EXPANDED - 60, EXPANDED
    rows, columns = data.grp_nrow[h], data.grp_nrow[g]
    dim = data.grp_dim[g]
    c = data.efc_id[data.grp_row[h]]
    pyramid = data.grp_kind[h] == PYRAMID
    for r in range(rows):
        e = r // 2 + 1
        mu = 0.0
        if pyramid:
            mu = data.contact_friction[c, e - 1] * (1.0 if r % 2 == 0 else -1.0)
        for k in range(dim):
            if pyramid:
                block[half + 6 * r + k] = block[k] + mu * block[COLUMNS * e + k]
            else:
                block[half + 6 * r + k] = block[COLUMNS * r + k]
    c = data.efc_id[data.grp_row[g]]
    pyramid = data.grp_kind[g] == PYRAMID
    for k in range(columns):
        e = k // 2 + 1
        mu = 0.0
        if pyramid:
            mu = data.contact_friction[c, e - 1] * (1.0 if k % 2 == 0 else -1.0)
        for r in range(rows):
            if pyramid:
                block[result + 10 * k + r] = block[half + 6 * r] + mu * block[half + 6 * r + e]
            else:
                block[result + 10 * k + r] = block[half + 6 * r + k]


@kernel
def _write(data, g, h, transposed):
    """Copy the expanded block to the rows of group g, after what they hold already."""
    block, matrix = data.sol_WJ, data.sol_AR
    source = EXPANDED
    place = data.grp_changed[g]
    first, columns = data.grp_row[h], data.grp_nrow[h]
    if data.efc_state[g] != first:
        place = padded(place)
    length = data.grp_ARnum[g]
    for r in range(data.grp_nrow[g]):
        adr = data.grp_AR[g] + r * length + place
        for k in range(columns):
            matrix[adr + k] = block[source + 10 * k + r] if transposed else block[source + 10 * r + k]
    data.grp_changed[g] = place + columns
    data.efc_state[g] = first + columns


@kernel
def residual(data, g, first, number):
    """data.efc_jar <- b + (A + R) f for `number` rows of group g from its row `first` on, at the newest efc_force.

    Returns the place of the group's own first column in its rows of sol_AR.
    """
    matrix, force = data.sol_AR, data.efc_force
    row, length = data.grp_row[g], data.grp_ARnum[g]
    run, runs = data.grp_run[g], data.grp_nrun[g]
    own = 0
    r = first
    while r < first + number:
        a = data.grp_AR[g] + r * length
        b = a + length if r + 1 < first + number else a
        sum_a0, sum_a1, sum_b0, sum_b1 = vset(0.0), vset(0.0), vset(0.0), vset(0.0)
        place = 0
        for k in range(run, run + runs):
            column, count = data.run_row[k], data.run_num[k]
            if column <= row and row < column + count:
                own = place + row - column
            end = padded(count)
            for c in range(0, end - WIDTH, 2 * WIDTH):
                f0, f1 = vload(force, column + c), vload(force, column + c + WIDTH)
                sum_a0 = vfma(vload(matrix, a + place + c), f0, sum_a0)
                sum_b0 = vfma(vload(matrix, b + place + c), f0, sum_b0)
                sum_a1 = vfma(vload(matrix, a + place + c + WIDTH), f1, sum_a1)
                sum_b1 = vfma(vload(matrix, b + place + c + WIDTH), f1, sum_b1)
            if end % (2 * WIDTH) != 0:
                c = end - WIDTH
                f0 = vload(force, column + c)
                sum_a0 = vfma(vload(matrix, a + place + c), f0, sum_a0)
                sum_b0 = vfma(vload(matrix, b + place + c), f0, sum_b0)
            place += end
        data.efc_jar[row + r] = data.efc_b[row + r] + vsum(vadd(sum_a0, sum_a1))
        if r + 1 < first + number:
            data.efc_jar[row + r + 1] = data.efc_b[row + r + 1] + vsum(vadd(sum_b0, sum_b1))
        r += 2
    return own


@small
def pad_forces(data):
    """Zeros after the last force, where `residual` reads."""
    vstore(data.efc_force, data.nefc, vset(0.0))


@kernel
def states_from_forces(data):
    """Set efc_state as it follows from efc_force. Returns the number of active rows, and of those that changed."""
    active = changed = 0
    for g in range(data.ngrp):
        kind, row, dim = data.grp_kind[g], data.grp_row[g], data.grp_dim[g]
        if kind == CONE:
            c = data.efc_id[row]
            mu = data.contact_mu[c]
            normal, square = data.efc_force[row] / mu, 0.0
            for e in range(1, dim):
                part = data.efc_force[row + e] / data.contact_friction[c, e - 1]
                square += part * part
            tangent = math.sqrt(square)
            state = CNSTRSTATE_CONE
            if mu * normal >= tangent:
                state = CNSTRSTATE_SATISFIED
            elif normal + mu * tangent <= 0.0:
                state = CNSTRSTATE_QUADRATIC
            for e in range(dim):
                changed += data.efc_state[row + e] != state
                data.efc_state[row + e] = state
            active += 0 if state == CNSTRSTATE_SATISFIED else dim
            continue
        for r in range(row, row + data.grp_nrow[g]):
            force, state = data.efc_force[r], CNSTRSTATE_QUADRATIC
            if kind == FRICTION:
                if force <= -data.efc_frictionloss[r]:
                    state = CNSTRSTATE_LINEARPOS
                elif force >= data.efc_frictionloss[r]:
                    state = CNSTRSTATE_LINEARNEG
            elif kind != QUADRATIC and force <= 0.0:
                state = CNSTRSTATE_SATISFIED
            changed += data.efc_state[r] != state
            active += state != CNSTRSTATE_SATISFIED
            data.efc_state[r] = state
    return active, changed


@kernel
def accelerations_from_forces(model, data):
    """qfrc_constraint = J' efc_force, qacc = qacc_smooth + inverse(M) qfrc_constraint."""
    x = data.sol_qacc
    for i in range(model.nv + 4):
        x[i] = 0.0
    for g in range(data.ngrp):
        add_JT(data, g, data.seg_dof, data.efc_force, 1.0, x)
    for i in range(model.nv):
        data.qfrc_constraint[i] = x[i]
    solve(model, data.qLD, data.qLDiagInv, x)
    for i in range(model.nv):
        data.qacc[i] = data.qacc_smooth[i] + x[i]


@kernel
def note_iteration(data, improvement, nactive, nchange):
    """Statistics of a sweep, after those of the iterations that solver_niter counts so far."""
    k = data.solver_niter[0]
    if k < ITERATIONS:
        data.solver_improvement[k] = improvement
        data.solver_gradient[k] = 0.0
        data.solver_lineslope[k] = 0.0
        data.solver_nactive[k] = nactive
        data.solver_nchange[k] = nchange
        data.solver_neval[k] = 0
        data.solver_nupdate[k] = 0
    data.solver_niter[0] = k + 1
