"""The dual problem of the constraint solver, shared by PGS and noslip: A + R, b, states and accelerations from
forces.

The dual problem minimises 1/2 f'(A + R)f + f'b over the forces f that the constraints allow, with A = J
inverse(M) J' and b = J qacc_smooth - aref (efc_b). Specification: Computation, "Dual problem" and
"Algorithms".

A is not formed, but the rows of B = J inverse(L) sqrt(inverse(D)) with the factor M = L'DL: A = B B'. With h = B' f
(sol_half) the residual of a row is b + B h + R f, and when its force changes, h changes by its row of B. Both take time
for the dofs of the trees that the row acts on only, however many rows act on them too.

Rows are treated in batches: up to four consecutive rows of one kind that act on the same trees, or one group. The rows
of B of a batch consist of chunks of four consecutive dofs of a tree; chunks that are zero in all rows are left out.
A + R among the rows of a batch is stored too.
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.constraint.constraint import add_JT, group_product, store_rows
from kinetree.engine.dynamics.constraint.island import drop_rows
from kinetree.engine.dynamics.constraint.rows import CONE, PYRAMID
from kinetree.engine.dynamics.position.inertia import solve
from kinetree.engine.jit.capacity import MOST_DUAL, NBMAX, NCHUNKMAX, NJMAX, request
from kinetree.engine.jit.kernel import kernel, small, view
from kinetree.engine.jit.simd import WIDTH, padded, vadd, vfma, vload, vmul, vset, vstore, vsum
from kinetree.engine.model import enums

ROWS = 4  # rows that are treated at once
ITERATIONS = 200  # rows of statistics of an island


@kernel
def project(model, data):
    """Stage: the linear term efc_b, the batches and their rows of B and A + R; efc_correction: its inverse diagonal.

    Asks for memory where it must.
    """
    linear_term(model, data)
    if data.nefc == 0:
        return
    if data.ngrp >= data.njmax:  # batch_row[nbatch] is the end of the last batch
        request(data, NJMAX, data.ngrp + 1)
        return
    data.nbatch = 0
    root = data.sol_step
    for i in range(model.nv):
        root[i] = math.sqrt(data.qLDiagInv[i])
    x = 0
    for t in range(model.ntree):
        data.tree_x[t] = x
        x += padded(model.tree_dofnum[t])
    chunk = entries = g = 0
    while g < data.ngrp:
        chunk, entries, g = _add_batch(model, data, chunk, entries, g)
        if entries > MOST_DUAL:
            drop_rows(model, data)
        if data.needs_memory or entries > MOST_DUAL:
            return
    data.batch_row[data.nbatch], data.batch_chunk[data.nbatch] = data.nefc, chunk


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
def _add_batch(model, data, first, own, g):
    """Add a batch that begins with group g. Chunks and entries of sol_B that come before it; the same after it, and the
    group after it.

    Asks for memory where the chunks or entries do not fit, for as much as all groups take if they are alike.
    """
    kind, row, rows, begin = data.grp_kind[g], data.grp_row[g], data.grp_nrow[g], g
    last = _add_chunks(model, data, g, first)
    if last > data.nchunkmax:
        request(data, NCHUNKMAX, last * data.ngrp // (g + 1))
        return first, own, g
    g += 1
    while g < data.ngrp and data.grp_kind[g] == kind and kind != CONE and rows + data.grp_nrow[g] <= ROWS:
        if not _fits(model, data, g, first, last):
            break
        rows += data.grp_nrow[g]
        g += 1
    adr, length = own + padded(rows * rows), WIDTH * (last - first)
    end = adr + rows * length
    if end > data.nBmax:
        if end <= MOST_DUAL:
            request(data, NBMAX, min(end * data.ngrp // g, MOST_DUAL))
        return first, end, g
    batch = data.nbatch
    data.batch_row[batch], data.batch_kind[batch] = row, kind
    data.batch_chunk[batch], data.batch_own[batch] = first, own
    data.nbatch = batch + 1
    zero = vset(0.0)
    for k in range(adr, end, WIDTH):
        vstore(data.sol_B, k, zero)
    for k in range(begin, g):
        _fill_group(model, data, k, adr + (data.grp_row[k] - row) * length, first, last)
    last = _drop_zeros(data, adr, rows, first, last)
    _multiply(data, own, adr, row, rows, WIDTH * (last - first))
    return last, adr + rows * WIDTH * (last - first), g


@kernel
def _drop_zeros(data, adr, rows, first, last):
    """Take the chunks that are zero in all rows, at sol_B[adr], out of the chunks first to last; the new last."""
    matrix, old = data.sol_B, last - first
    kept = first
    for k in range(first, last):
        found = False
        for r in range(rows):
            at = adr + WIDTH * (r * old + k - first)
            for i in range(at, at + WIDTH):
                found |= matrix[i] != 0.0
        if found:
            data.chunk_x[kept], data.chunk_dof[kept] = data.chunk_x[k], k - first
            kept += 1
    new = kept - first
    if new < old:
        for r in range(rows):
            for k in range(new):
                source = adr + WIDTH * (r * old + data.chunk_dof[first + k])
                vstore(matrix, adr + WIDTH * (r * new + k), vload(matrix, source))
    return kept


@small
def _place(model, data, s):
    """Where a segment ends in sol_half."""
    dof = data.seg_dof[s]
    tree = model.dof_treeid[dof]
    return data.tree_x[tree] + dof - model.tree_dofadr[tree] + data.seg_num[s]


@kernel
def _add_chunks(model, data, g, first):
    """List the chunks of a batch that begins with group g; the end of the list, also if it does not fit."""
    end = first
    for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
        tree = model.dof_treeid[data.seg_dof[s]]
        x, dof = data.tree_x[tree], model.tree_dofadr[tree]
        if _chunk_of(data, x, first, min(end, data.nchunkmax)) >= 0:
            continue
        last = 0
        for other in range(s, data.grp_seg[g] + data.grp_nseg[g]):
            if model.dof_treeid[data.seg_dof[other]] == tree:
                last = max(last, _place(model, data, other))
        for k in range(0, last - x, WIDTH):
            if end < data.nchunkmax:
                data.chunk_x[end], data.chunk_dof[end] = x + k, dof + k
            end += 1
    return end


@small
def _chunk_of(data, x, first, end):
    """The one of the chunks first to end that is at x in sol_half, -1 where there is none."""
    for k in range(first, end):
        if data.chunk_x[k] == x:
            return k
    return -1


@kernel
def _fits(model, data, g, first, end):
    """Whether group g acts on the trees of the chunks first to end, on no other dofs, and on all these trees."""
    trees = 0
    for k in range(first, end):
        trees += data.chunk_dof[k] == model.tree_dofadr[model.dof_treeid[data.chunk_dof[k]]]
    if data.grp_nseg[g] < trees:
        return False
    for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
        if _chunk_of(data, (_place(model, data, s) - 1) // WIDTH * WIDTH, first, end) < 0:
            return False
    return True


@kernel
def _fill_group(model, data, g, adr, first, last):
    """The rows of B of group g, at sol_B[adr]; first to last: the chunks of its batch."""
    matrix, values, dim = data.sol_B, data.seg_J, data.grp_dim[g]
    length = WIDTH * (last - first)
    for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
        num, place = data.seg_num[s], _place(model, data, s) - data.seg_num[s]
        x = data.tree_x[model.dof_treeid[data.seg_dof[s]]]
        at = WIDTH * (_chunk_of(data, x, first, last) - first) + place - x
        for e in range(dim):
            source, to = view(values, data.seg_adr[s] + e * padded(num), num), view(matrix, adr + e * length + at, num)
            for i in range(num):
                to[i] += source[i]
    k = first
    while k < last:
        begin, dof = k, data.chunk_dof[k]
        k += 1
        while k < last and data.chunk_dof[k] == dof + WIDTH * (k - begin):
            k += 1
        for e in range(dim):
            at, n = adr + e * length + WIDTH * (begin - first), WIDTH * (k - begin)
            _half_solve(model, data, view(matrix, at, n), dof, n)
    if data.grp_kind[g] == PYRAMID:
        _edges(data, g, adr, length)


@kernel
def _half_solve(model, data, b, first, n):
    """b <- sqrt(inverse(D)) inverse(L') b for n dofs of one tree, from dof `first` on; sol_step: the square root."""
    for i in range(n):
        k = n - 1 - i
        value = b[k]
        if value == 0.0:
            continue
        dof = first + k
        if model.dof_simplenum[dof] == 0:
            adr, number = model.M_rowadr[dof], model.M_rownnz[dof] - 1
            row, col = view(data.qLD, adr, number), view(model.M_colind, adr, number)
            for a in range(number):
                b[col[a] - first] -= row[a] * value
        b[k] = value * data.sol_step[dof]


@kernel
def _edges(data, g, adr, length):
    """Turn the rows of the normal and the tangents, at sol_B[adr], into those of the edges of the pyramid, in place."""
    matrix, c = data.sol_B, data.efc_id[data.grp_row[g]]
    for i in range(1, data.grp_dim[g]):
        e = data.grp_dim[g] - i
        mu = vset(data.contact_friction[c, e - 1])
        less = vset(-data.contact_friction[c, e - 1])
        for at in range(adr, adr + length, WIDTH):
            normal, side = vload(matrix, at), vload(matrix, at + e * length)
            vstore(matrix, at + (2 * e - 2) * length, vfma(mu, side, normal))
            vstore(matrix, at + (2 * e - 1) * length, vfma(less, side, normal))


@kernel
def _multiply(data, own, adr, row, rows, length):
    """A + R among the rows of a batch, from constraint row `row` on, and its inverse diagonal. adr: its rows of B."""
    matrix = data.sol_B
    for i in range(rows):
        for j in range(i + 1):
            a, b = view(matrix, adr + i * length, length), view(matrix, adr + j * length, length)
            total = vset(0.0)
            for c in range(0, length, WIDTH):
                total = vfma(vload(a, c), vload(b, c), total)
            value = vsum(total)
            if i == j:
                value += data.efc_R[row + i]
                data.efc_correction[row + i] = 1.0 / value
            matrix[own + i * rows + j] = matrix[own + j * rows + i] = value


@small
def row_times_half(row, places, half, n):
    """A row of B, of n chunks at these places, times sol_half."""
    total = vset(0.0)
    for c in range(n):
        total = vfma(vload(row, WIDTH * c), vload(half, places[c]), total)
    return vsum(total)


@small
def add_row(row, places, half, n, change):
    """sol_half for a change of the force of a row of B, of n chunks at these places."""
    factor = vset(change)
    for c in range(n):
        x = places[c]
        vstore(half, x, vfma(factor, vload(row, WIDTH * c), vload(half, x)))


@kernel
def residual(data, batch, at, number):
    """data.efc_jar <- b + A f for `number` rows of a batch from row `at` of it on."""
    half, b, result, row = data.sol_half, data.efc_b, data.efc_jar, data.batch_row[batch]
    first, rows = data.batch_chunk[batch], data.batch_row[batch + 1] - row
    chunks = data.batch_chunk[batch + 1] - first
    length = WIDTH * chunks
    places = view(data.chunk_x, first, chunks)
    adr = data.batch_own[batch] + padded(rows * rows)
    for r in range(at, at + number, ROWS):
        n = min(ROWS, at + number - r)
        at1, at2, at3 = min(1, n - 1), min(2, n - 1), min(3, n - 1)  # rows that are not there repeat the last one
        row0 = view(data.sol_B, adr + r * length, length)
        row1 = view(data.sol_B, adr + (r + at1) * length, length)
        row2 = view(data.sol_B, adr + (r + at2) * length, length)
        row3 = view(data.sol_B, adr + (r + at3) * length, length)
        sum0 = sum1 = sum2 = sum3 = vset(0.0)
        for c in range(chunks):
            h = vload(half, places[c])
            sum0 = vfma(vload(row0, WIDTH * c), h, sum0)
            sum1 = vfma(vload(row1, WIDTH * c), h, sum1)
            sum2 = vfma(vload(row2, WIDTH * c), h, sum2)
            sum3 = vfma(vload(row3, WIDTH * c), h, sum3)
        to = row + r
        result[to + at3] = b[to + at3] + vsum(sum3)
        result[to + at2] = b[to + at2] + vsum(sum2)
        result[to + at1] = b[to + at1] + vsum(sum1)
        result[to] = b[to] + vsum(sum0)


@kernel
def add_rows(data, batch, at, number, change):
    """sol_half for an array of changes of the forces of `number` rows of a batch, from row `at` of it on."""
    half, first, rows = data.sol_half, data.batch_chunk[batch], data.batch_row[batch + 1] - data.batch_row[batch]
    chunks = data.batch_chunk[batch + 1] - first
    length = WIDTH * chunks
    places = view(data.chunk_x, first, chunks)
    adr = data.batch_own[batch] + padded(rows * rows)
    for r in range(0, number, ROWS):
        n = min(ROWS, number - r)
        at1, at2, at3 = min(1, n - 1), min(2, n - 1), min(3, n - 1)
        change0, change1 = vset(change[r]), vset(change[r + 1] if n > 1 else 0.0)
        change2, change3 = vset(change[r + 2] if n > 2 else 0.0), vset(change[r + 3] if n > 3 else 0.0)
        row0 = view(data.sol_B, adr + (at + r) * length, length)
        row1 = view(data.sol_B, adr + (at + r + at1) * length, length)
        row2 = view(data.sol_B, adr + (at + r + at2) * length, length)
        row3 = view(data.sol_B, adr + (at + r + at3) * length, length)
        for c in range(chunks):
            x = places[c]
            more = vfma(change2, vload(row2, WIDTH * c), vmul(change3, vload(row3, WIDTH * c)))
            most = vfma(change0, vload(row0, WIDTH * c), vload(half, x))
            vstore(half, x, vadd(vfma(change1, vload(row1, WIDTH * c), most), more))


@kernel
def half_from_forces(model, data):
    """sol_half = B' efc_force."""
    for i in range(0, len(data.sol_half), WIDTH):
        vstore(data.sol_half, i, vset(0.0))
    for batch in range(data.nbatch):
        row = data.batch_row[batch]
        number = data.batch_row[batch + 1] - row
        add_rows(data, batch, 0, number, view(data.efc_force, row, number))


@kernel
def states_from_forces(model, data):
    """Set efc_state as it follows from efc_force. Returns the number of active rows, and of those that changed."""
    force, state, n = data.efc_force, data.efc_state, data.ne
    changed = 0
    for r in range(n):
        changed += state[r] != enums.CNSTRSTATE_QUADRATIC
        state[r] = enums.CNSTRSTATE_QUADRATIC
    active = n + data.nf
    end = active
    for r in range(n, end):
        new = enums.CNSTRSTATE_QUADRATIC
        if force[r] <= -data.efc_frictionloss[r]:
            new = enums.CNSTRSTATE_LINEARPOS
        elif force[r] >= data.efc_frictionloss[r]:
            new = enums.CNSTRSTATE_LINEARNEG
        changed += state[r] != new
        state[r] = new
    rest = (data.nefc if model.opt_cone == enums.CONE_PYRAMIDAL else end + data.nl) - end
    a, b = _unilateral_states(view(force, end, rest), view(state, end, rest), rest)
    active, changed, end = active + a, changed + b, end + rest
    if end < data.nefc:
        for batch in range(data.nbatch - 1, -1, -1):
            row, number = data.batch_row[batch], data.batch_row[batch + 1] - data.batch_row[batch]
            if row < end:
                break
            if data.batch_kind[batch] == CONE:
                a, b = _cone_state(data, row, number)
            else:
                a, b = _unilateral_states(view(force, row, number), view(state, row, number), number)
            active, changed = active + a, changed + b
    return active, changed


@small
def _unilateral_states(force, state, n):
    """`states_from_forces` for n rows whose forces are not negative."""
    active = changed = 0
    for r in range(n):
        new = enums.CNSTRSTATE_SATISFIED if force[r] <= 0.0 else enums.CNSTRSTATE_QUADRATIC
        active += new != enums.CNSTRSTATE_SATISFIED
        changed += state[r] != new
        state[r] = new
    return active, changed


@kernel
def _cone_state(data, row, dim):
    """`states_from_forces` for a contact with an elliptic cone."""
    c = data.efc_id[row]
    mu = data.contact_mu[c]
    normal, square = data.efc_force[row] / mu, 0.0
    for e in range(1, dim):
        part = data.efc_force[row + e] / data.contact_friction[c, e - 1]
        square += part * part
    tangent = math.sqrt(square)
    new = enums.CNSTRSTATE_CONE
    if mu * normal >= tangent:
        new = enums.CNSTRSTATE_SATISFIED
    elif normal + mu * tangent <= 0.0:
        new = enums.CNSTRSTATE_QUADRATIC
    changed = 0
    for r in range(row, row + dim):
        changed += data.efc_state[r] != new
        data.efc_state[r] = new
    return (0 if new == enums.CNSTRSTATE_SATISFIED else dim), changed


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
