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
from engine.dynamics.island import drop_rows
from engine.jit.capacity import MOST_DUAL, NARMAX, NJMAX, NRUNMAX, request
from engine.jit.kernel import kernel, small, view
from engine.jit.simd import WIDTH, padded, vadd, vfma, vload, vmul, vset, vstore, vsum
from engine.model.enums import (
    CNSTRSTATE_CONE,
    CNSTRSTATE_LINEARNEG,
    CNSTRSTATE_LINEARPOS,
    CNSTRSTATE_QUADRATIC,
    CNSTRSTATE_SATISFIED,
)

ROWS = 4  # rows of A that are computed at once
ITERATIONS = 200  # rows of statistics of an island


@kernel
def project(model, data):
    """Stage: the linear term efc_b and the matrix A + R of the dual problem; efc_correction: its inverse diagonal.

    Asks for memory where it must.
    """
    linear_term(model, data)
    if data.nefc == 0:
        return
    room = max(data.nefc + WIDTH, model.nv)  # forces are read in chunks; grp_changed serves as a list of dofs
    if room > data.njmax:
        request(data, NJMAX, room)
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
def _next_neighbours(model, data, g):
    """The next groups, in ascending order, that share a tree with group g, as a part of tree_grp: first, end.

    They are those of the tree whose next group comes first, up to the next group of the other trees. The part is empty
    at the end.
    """
    nearest = limit = data.ngrp
    tree = -1
    for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
        t = model.dof_treeid[data.seg_dof[s]]
        if t == tree:
            continue
        at, end = data.tree_grpadr[t] + data.tree_grpat[t], data.tree_grpadr[t] + data.tree_grpnum[t]
        if at < end and data.tree_grp[at] == nearest:  # it comes once, with the other tree
            at += 1
            data.tree_grpat[t] += 1
        if at < end:
            h = data.tree_grp[at]
            if h < nearest:
                limit, nearest, tree = nearest, h, t
            else:
                limit = min(limit, h)
    if tree < 0:
        return 0, 0
    first = at = data.tree_grpadr[tree] + data.tree_grpat[tree]
    end = data.tree_grpadr[tree] + data.tree_grpnum[tree]
    while at < end and data.tree_grp[at] < limit:
        at += 1
    data.tree_grpat[tree] += at - first
    return first, at


@kernel
def _list_runs(model, data):
    """The runs of all groups, and where their rows of A begin; whether there is memory for both.

    The groups that act on one tree only share their runs.
    """
    run, spare = 0, 0
    for t in range(model.ntree):
        first, row, place = run, -1, 0
        for k in range(data.tree_grpadr[t], data.tree_grpadr[t] + data.tree_grpnum[t]):
            g = data.tree_grp[k]
            place = _next_place(data, g, place, row) + data.grp_nrow[g]
            run = _add_to_runs(data, g, run, row)
            row = data.grp_row[g] + data.grp_nrow[g]
        width = padded(place)
        spare = max(spare, (model.tree_dofnum[t] + ROWS) * width)
        for k in range(data.tree_grpadr[t], data.tree_grpadr[t] + data.tree_grpnum[t]):
            g = data.tree_grp[k]
            data.grp_run[g], data.grp_nrun[g], data.grp_ARnum[g] = first, run - first, width
    entries = 0
    for g in range(data.ngrp):
        if data.grp_nseg[g] == 0:  # the group acts on no dof: its rows couple with themselves only
            data.grp_run[g], data.grp_nrun[g], data.grp_ARnum[g] = run, 1, padded(data.grp_nrow[g])
            run = _add_to_runs(data, g, run, -1)
        elif not _in_one_tree(model, data, g):
            first, row, place = run, -1, 0
            _begin_neighbours(model, data, g)
            begin, end = _next_neighbours(model, data, g)
            while begin < end:
                for k in range(begin, end):
                    h = data.tree_grp[k]
                    place = _next_place(data, h, place, row) + data.grp_nrow[h]
                    run = _add_to_runs(data, h, run, row)
                    row = data.grp_row[h] + data.grp_nrow[h]
                begin, end = _next_neighbours(model, data, g)
            data.grp_run[g], data.grp_nrun[g], data.grp_ARnum[g] = first, run - first, padded(place)
        data.grp_AR[g] = entries
        entries += data.grp_ARnum[g] * data.grp_nrow[g]
    if entries + spare > MOST_DUAL:
        drop_rows(model, data)
        return False
    if run > data.nrunmax:
        request(data, NRUNMAX, run)
    if entries + spare > data.nARmax:
        request(data, NARMAX, entries + spare)
    data.grp_AR[data.ngrp] = entries  # there is room: project has asked for it
    return not data.needs_memory


@small
def _add_to_runs(data, g, run, row):
    """Append the rows of group g to the last of `run` runs, if constraint row `row` would follow there; else a new one.

    Returns the number of runs.
    """
    if data.grp_row[g] != row:
        run += 1
        if run <= data.nrunmax:
            data.run_row[run - 1], data.run_num[run - 1] = data.grp_row[g], 0
    if run <= data.nrunmax:
        data.run_num[run - 1] += data.grp_nrow[g]
    return run


@small
def _next_place(data, g, place, row):
    """Where the columns of group g begin in rows that have got to `place`, if constraint row `row` would follow."""
    return place if data.grp_row[g] == row else padded(place)


@kernel
def _width(data, t):
    """The number of columns of a tree: those of its groups, each run of consecutive rows padded to four."""
    place, row = 0, -1
    for k in range(data.tree_grpadr[t], data.tree_grpadr[t] + data.tree_grpnum[t]):
        g = data.tree_grp[k]
        place = _next_place(data, g, place, row) + data.grp_nrow[g]
        row = data.grp_row[g] + data.grp_nrow[g]
    return padded(place)


@kernel
def _fill(model, data):
    """Set sol_AR: the sum over trees of B'B, B = sqrt(inverse(D)) inverse(L') J' with the factor L'DL of M."""
    matrix = data.sol_AR
    end = data.grp_AR[data.ngrp]
    zero = vset(0.0)
    for k in range(0, end, WIDTH):
        vstore(matrix, k, zero)
    for t in range(model.ntree):
        if data.tree_grpnum[t] > 0:
            width = _width(data, t)
            _half_solved(model, data, t, end, width)
            _multiply(model, data, t, end, width)
    for g in range(data.ngrp):
        row, place = data.grp_row[g], 0
        for k in range(data.grp_run[g], data.grp_run[g] + data.grp_nrun[g]):
            if data.run_row[k] <= row and row < data.run_row[k] + data.run_num[k]:
                place += row - data.run_row[k]
                break
            place += padded(data.run_num[k])
        for r in range(data.grp_nrow[g]):
            at = data.grp_AR[g] + r * data.grp_ARnum[g] + place + r
            matrix[at] += data.efc_R[row + r]
            data.efc_correction[row + r] = 1.0 / matrix[at]


@kernel
def _half_solved(model, data, t, adr, width):
    """B of one tree at sol_AR[adr]: a row for each dof, a column for each constraint row (see _width)."""
    b = view(data.sol_AR, adr, model.tree_dofnum[t] * width)
    first, number = model.tree_dofadr[t], model.tree_dofnum[t]
    zero = vset(0.0)
    for k in range(0, number * width, WIDTH):
        vstore(b, k, zero)
    place, row = 0, -1
    for k in range(data.tree_grpadr[t], data.tree_grpadr[t] + data.tree_grpnum[t]):
        g = data.tree_grp[k]
        place = _next_place(data, g, place, row)
        for s in range(data.grp_seg[g], data.grp_seg[g] + data.grp_nseg[g]):
            if model.dof_treeid[data.seg_dof[s]] == t:
                _put_segment(data, g, s, b, (data.seg_dof[s] - first) * width + place, width)
        place += data.grp_nrow[g]
        row = data.grp_row[g] + data.grp_nrow[g]
    for k in range(number - 1, -1, -1):
        adr, above = model.M_rowadr[first + k], model.M_rownnz[first + k] - 1
        own = k * width
        for a in range(above):
            factor = vset(-data.qLD[adr + a])
            other = (model.M_colind[adr + a] - first) * width
            for c in range(0, width, WIDTH):
                vstore(b, other + c, vfma(factor, vload(b, own + c), vload(b, other + c)))
        scale = vset(math.sqrt(data.qLDiagInv[first + k]))
        for c in range(0, width, WIDTH):
            vstore(b, own + c, vmul(scale, vload(b, own + c)))


@kernel
def _put_segment(data, g, s, b, at, width):
    """Copy a segment of the constraint Jacobian to the columns of group g from b[at] on, dofs `width` apart."""
    num, adr, dim = data.seg_num[s], data.seg_adr[s], data.grp_dim[g]
    values, n = data.seg_J, padded(data.seg_num[s])
    if data.grp_kind[g] != PYRAMID:
        for e in range(dim):
            for i in range(num):
                b[at + i * width + e] = values[adr + e * n + i]
        return
    c = data.efc_id[data.grp_row[g]]
    for e in range(1, dim):
        mu = data.contact_friction[c, e - 1]
        for i in range(num):
            normal, side = values[adr + i], mu * values[adr + e * n + i]
            b[at + i * width + 2 * e - 2] = normal + side
            b[at + i * width + 2 * e - 1] = normal - side


@kernel
def _multiply(model, data, t, adr, width):
    """Add B'B of one tree, B at sol_AR[adr], to the rows of its groups; dofs where a group's rows are zero are left
    out.
    """
    number = model.tree_dofnum[t]
    b, some = view(data.sol_AR, adr, (number + ROWS) * width), data.grp_changed
    place, row = 0, -1
    for k in range(data.tree_grpadr[t], data.tree_grpadr[t] + data.tree_grpnum[t]):
        g = data.tree_grp[k]
        rows, length = data.grp_nrow[g], data.grp_ARnum[g]
        place = _next_place(data, g, place, row)
        count = 0
        for i in range(number):
            found = False
            for r in range(rows):
                found |= b[i * width + place + r] != 0.0
            if found:
                some[count] = i * width
                count += 1
        alone = _in_one_tree(model, data, g)
        for r in range(0, rows, ROWS):
            n = min(ROWS, rows - r)
            if alone:
                to = data.grp_AR[g] + r * length
                _rows_of_product(b, some, count, place + r, n, width, data.sol_AR, to, length)
            else:
                _rows_of_product(b, some, count, place + r, n, width, b, number * width, width)
                for q in range(n):
                    _add_columns(data, t, g, data.grp_AR[g] + (r + q) * length, adr + (number + q) * width)
        place += rows
        row = data.grp_row[g] + rows


@small
def _in_one_tree(model, data, g):
    """Whether all dofs that a group acts on are in one tree."""
    first = data.grp_seg[g]
    return model.dof_treeid[data.seg_dof[first]] == model.dof_treeid[data.seg_dof[first + data.grp_nseg[g] - 1]]


@kernel
def _rows_of_product(b, some, count, column, n, width, result, to, length):
    """n (1 to 4) rows of B'B from row `column` on, summed over the rows of B at some[:count]; result[to:], `length`
    apart.
    """
    if n == 1:
        for c in range(0, width, WIDTH):
            total = vset(0.0)
            for k in range(count):
                total = vfma(vset(view(b, some[k] + column, 1)[0]), vload(b, some[k] + c), total)
            vstore(result, to + c, total)
        return
    at1, at2, at3 = min(1, n - 1), min(2, n - 1), min(3, n - 1)  # rows that are not wanted repeat the last one
    for c in range(0, width, WIDTH):
        sum0 = sum1 = sum2 = sum3 = vset(0.0)
        for k in range(count):
            adr = some[k]
            part = vload(b, adr + c)
            adr += column
            sum0 = vfma(vset(b[adr]), part, sum0)
            sum1 = vfma(vset(b[adr + at1]), part, sum1)
            sum2 = vfma(vset(b[adr + at2]), part, sum2)
            sum3 = vfma(vset(b[adr + at3]), part, sum3)
        vstore(result, to + c, sum0)
        vstore(result, to + at1 * length + c, sum1)
        vstore(result, to + at2 * length + c, sum2)
        vstore(result, to + at3 * length + c, sum3)


@kernel
def _add_columns(data, t, g, to, source):
    """Add a row over the columns of tree t, at sol_AR[source], to a row of group g at sol_AR[to].

    Columns go in runs of consecutive rows, and in chunks of four: what follows a run at the source is zero.
    """
    matrix = data.sol_AR
    run, runs = data.grp_run[g], data.grp_nrun[g]
    k, begin, place = 0, 0, 0  # run of the group that holds the columns, its place, and the place at the source
    i, end = data.tree_grpadr[t], data.tree_grpadr[t] + data.tree_grpnum[t]
    while i < end:
        first = data.grp_row[data.tree_grp[i]]
        rows = 0
        while i < end and data.grp_row[data.tree_grp[i]] == first + rows:
            rows += data.grp_nrow[data.tree_grp[i]]
            i += 1
        while k < runs and first >= data.run_row[run + k] + data.run_num[run + k]:
            begin += padded(data.run_num[run + k])
            k += 1
        at = to + begin + first - data.run_row[run + k]
        for c in range(0, rows, WIDTH):
            vstore(matrix, at + c, vadd(vload(matrix, at + c), vload(matrix, source + place + c)))
        place += padded(rows)


@kernel
def residual(data, g, number):
    """data.efc_jar <- b + (A + R) f for `number` rows from the first of group g on, at the newest efc_force.

    These are the rows of the group, or of several groups that share their runs. Returns the place of the first one's
    own column in its row of sol_AR.
    """
    matrix, force, b = data.sol_AR, data.efc_force, data.efc_b
    row, length = data.grp_row[g], data.grp_ARnum[g]
    run = data.grp_run[g]
    last = run + data.grp_nrun[g]
    adr = data.grp_AR[g]
    own = 0
    if number == 1:
        sum0 = sum1 = sum2 = sum3 = vset(0.0)
        single = 0.0
        place = adr
        for k in range(run, last):
            column, count = data.run_row[k], data.run_num[k]
            if column <= row and row < column + count:
                own = place - adr + row - column
            if count == 1:  # a load of four would wait for the force, if it was stored just now
                single += view(matrix, place, 1)[0] * view(force, column, 1)[0]
                place += WIDTH
                continue
            end = padded(count)
            long = end // (4 * WIDTH) * (4 * WIDTH)
            for c in range(0, long, 4 * WIDTH):
                a, f = place + c, column + c
                sum0 = vfma(vload(matrix, a), vload(force, f), sum0)
                sum1 = vfma(vload(matrix, a + WIDTH), vload(force, f + WIDTH), sum1)
                sum2 = vfma(vload(matrix, a + 2 * WIDTH), vload(force, f + 2 * WIDTH), sum2)
                sum3 = vfma(vload(matrix, a + 3 * WIDTH), vload(force, f + 3 * WIDTH), sum3)
            for c in range(long, end, WIDTH):
                sum0 = vfma(vload(matrix, place + c), vload(force, column + c), sum0)
            place += end
        data.efc_jar[row] = b[row] + (vsum(vadd(vadd(sum0, sum1), vadd(sum2, sum3))) + single)
        return own
    for first in range(0, number, ROWS):
        n = min(ROWS, number - first)
        at1, at2, at3 = min(1, n - 1), min(2, n - 1), min(3, n - 1)  # rows that are not there repeat the last one
        place0 = adr + first * length
        place1, place2, place3 = place0 + at1 * length, place0 + at2 * length, place0 + at3 * length
        sum0 = sum1 = sum2 = sum3 = vset(0.0)
        place = 0
        for k in range(run, last):
            column, count = data.run_row[k], data.run_num[k]
            if column <= row and row < column + count:
                own = place + row - column
            for c in range(0, count, WIDTH):
                f = vload(force, column + c)
                sum0 = vfma(vload(matrix, place0 + place + c), f, sum0)
                sum1 = vfma(vload(matrix, place1 + place + c), f, sum1)
                sum2 = vfma(vload(matrix, place2 + place + c), f, sum2)
                sum3 = vfma(vload(matrix, place3 + place + c), f, sum3)
            place += padded(count)
        r = row + first
        data.efc_jar[r + at3] = b[r + at3] + vsum(sum3)
        data.efc_jar[r + at2] = b[r + at2] + vsum(sum2)
        data.efc_jar[r + at1] = b[r + at1] + vsum(sum1)
        data.efc_jar[r] = b[r] + vsum(sum0)
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
