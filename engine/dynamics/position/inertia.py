"""Joint-space inertia: composite rigid bodies, its sparse factor, products and solutions with it.

M is kept as the lower triangle in rows (model.M_rownnz, M_rowadr, M_colind): row i holds the dof ancestors of i in
ascending order, then i itself; of simple dofs (dof_simplenum > 0) only the diagonal is not zero. Its factor has the
same rows: M = L' D L with L unit lower triangular, D on the diagonal (Featherstone 2008, section 8.4: no fill when
eliminated from the leaves).
"""

from __future__ import annotations

from kinetree.engine.dynamics.position.spatial import add10, dot6, load10, mul_inert, store10
from kinetree.engine.jit.kernel import apart, kernel, small, view
from kinetree.engine.jit.parallel import for_each, slice_of, turns_for
from kinetree.engine.jit.vec import MINVAL, load6


@kernel
def crb(model, data):
    """Composite inertia of each subtree (crb) and the joint-space inertia (M)."""
    composite = data.crb
    for i in range(model.nbody):
        store10(composite, i, load10(data.cinert, i))
    for i in range(model.nbody - 1, 0, -1):
        parent = model.body_parentid[i]
        if parent > 0:
            store10(composite, parent, add10(load10(composite, parent), load10(composite, i)))
    for_each(_inertia_of_trees, model, data, 0, turns_for(data, model.ntree))


@apart
def _inertia_of_trees(model, data, turn):
    """Task: rows of M."""
    composite = data.crb
    first, end = dofs_of_turn(model, data, turn)
    n = end - first
    adrs, numbers = view(model.M_rowadr, first, n), view(model.M_rownnz, first, n)
    bodies, simple = view(model.dof_bodyid, first, n), view(model.dof_simplenum, first, n)
    armature = view(model.dof_armature, first, n)
    for k in range(n):
        i, number = first + k, numbers[k]
        row = view(data.M, adrs[k], number)
        col = view(model.M_colind, adrs[k], number)
        force = mul_inert(load10(composite, bodies[k]), load6(data.cdof, i))
        if simple[k] > 0:  # of simple bodies the reference takes the diagonal alone
            for e in range(number - 1):
                row[e] = 0.0
            row[number - 1] = dot6(load6(data.cdof, i), force)
        else:
            for e in range(number):
                row[e] = dot6(load6(data.cdof, col[e]), force)
        row[number - 1] += armature[k]


@kernel
def tendon_armature(model, data):
    """Add the inertia of tendons with armature: armature J'J, where M has entries."""
    for t in range(model.ntendon):
        armature = model.tendon_armature[t]
        if armature == 0.0:
            continue
        adr, number = model.ten_J_rowadr[t], model.ten_J_rownnz[t]
        for a in range(number):
            i = model.ten_J_colind[adr + a]
            ji = armature * data.ten_J[adr + a]
            b = 0
            for k in range(model.M_rownnz[i]):
                j = model.M_colind[model.M_rowadr[i] + k]
                while b < number and model.ten_J_colind[adr + b] < j:
                    b += 1
                if b < number and model.ten_J_colind[adr + b] == j:
                    data.M[model.M_rowadr[i] + k] += ji * data.ten_J[adr + b]


@small
def factor(model, ld, diaginv):
    """Turn the rows of M in ld into those of L' D L, in place; the inverse of D into diaginv (nv).

    Pivots below MINVAL count as MINVAL, so that a singular M (two hinges on one axis) gives finite accelerations.
    """
    factor_dofs(model, ld, diaginv, 0, model.nv)


@small
def factor_dofs(model, ld, diaginv, first, end):
    """The same for the dofs from first to end only: whole kinematic trees."""
    n = end - first
    adrs, numbers = view(model.M_rowadr, first, n), view(model.M_rownnz, first, n)
    inverses, simple = view(diaginv, first, n), view(model.dof_simplenum, first, n)
    for k in range(n - 1, -1, -1):
        adr, number = adrs[k], numbers[k]
        inverse = 1.0 / max(ld[adr + number - 1], MINVAL)
        inverses[k] = inverse
        if simple[k] > 0:
            continue
        row = view(ld, adr, number)
        col = view(model.M_colind, adr, number)
        for a in range(number - 2, -1, -1):
            scale = row[a] * inverse
            if scale != 0.0:
                up = view(ld, model.M_rowadr[col[a]], a + 1)
                for b in range(a + 1):
                    up[b] -= scale * row[b]
            row[a] = scale


@small
def solve(model, ld, diaginv, x):
    """x <- inverse(M) x for one vector of nv numbers, with the factor of M."""
    solve_dofs(model, ld, diaginv, x, 0, model.nv)


@small
def solve_dofs(model, ld, diaginv, x, first, end):
    """The same for the dofs from first to end only: whole kinematic trees."""
    n = end - first
    y, inverse, simple = view(x, first, n), view(diaginv, first, n), view(model.dof_simplenum, first, n)
    adrs, numbers = view(model.M_rowadr, first, n), view(model.M_rownnz, first, n)
    for i in range(n):
        k = n - 1 - i
        value = y[k]
        if value != 0.0 and simple[k] == 0:
            adr, number = adrs[k], numbers[k] - 1
            row = view(ld, adr, number)
            col = view(model.M_colind, adr, number)
            for a in range(number):
                x[col[a]] -= row[a] * value
    for k in range(n):
        y[k] *= inverse[k]
    for k in range(n):
        if simple[k] > 0:
            continue
        adr, number = adrs[k], numbers[k] - 1
        row = view(ld, adr, number)
        col = view(model.M_colind, adr, number)
        value = y[k]
        for a in range(number):
            value -= row[a] * x[col[a]]
        y[k] = value


@small
def mul_m(model, m, x, result):
    """result <- M x, from the rows of M in m."""
    mul_dofs(model, m, x, result, 0, model.nv)


@small
def mul_dofs(model, m, x, result, first, end):
    """The same for the dofs from first to end only: whole kinematic trees."""
    n = end - first
    y, to, simple = view(x, first, n), view(result, first, n), view(model.dof_simplenum, first, n)
    adrs, numbers = view(model.M_rowadr, first, n), view(model.M_rownnz, first, n)
    for i in range(n):
        adr, number = adrs[i], numbers[i] - 1
        xi = y[i]
        value = view(m, adr + number, 1)[0] * xi
        if simple[i] == 0:
            row = view(m, adr, number)
            col = view(model.M_colind, adr, number)
            for a in range(number):
                j = col[a]
                value += row[a] * x[j]
                result[j] += row[a] * xi
        to[i] = value


@kernel
def factor_m(model, data):
    """The factor of M: qLD, qLDiagInv."""
    for_each(_factor_trees, model, data, 0, turns_for(data, model.ntree))


@small
def dofs_of_turn(model, data, turn):
    """The dofs of the kinematic trees in one of the turns that they are done in."""
    first, end = slice_of(data, turn, model.ntree)
    if first == end:
        return 0, 0
    return model.tree_dofadr[first], model.tree_dofadr[end - 1] + model.tree_dofnum[end - 1]


@small
def entries(model, first, end):
    """The range of entries in the rows of M from first to end."""
    if first == end:
        return 0, 0
    return model.M_rowadr[first], model.M_rowadr[end - 1] + model.M_rownnz[end - 1]


@apart
def _factor_trees(model, data, turn):
    """Task: the factor of M for some kinematic trees."""
    first, end = dofs_of_turn(model, data, turn)
    begin, stop = entries(model, first, end)
    source, target = view(data.M, begin, stop - begin), view(data.qLD, begin, stop - begin)
    for i in range(stop - begin):
        target[i] = source[i]
    factor_dofs(model, data.qLD, data.qLDiagInv, first, end)
