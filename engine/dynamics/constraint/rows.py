"""Storage of constraint rows, and functions that append to it.

Rows that touch the same dofs form a group: the rows of a contact, of a weld, a limit. A group has segments,
one for each block of dofs that it touches: a dense matrix of grp_dim rows over consecutive dofs, in seg_J,
each row padded with zeros to a multiple of four. The rows of a frictional contact in seg_J are those of the
contact frame (normal, tangents, spin, rolls); the edges of a pyramid are computed from them where needed: row
2j is normal + mu_j tangent_j, row 2j + 1 is normal - mu_j tangent_j.

Impedance, regulariser and reference: specification, Computation, "Parameters"; Modeling, "Solver parameters".
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.position.jacobian import last_dof
from kinetree.engine.jit.capacity import NJENTRIES, NJMAX, NSEGMAX, request
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.simd import padded, vset, vstore
from kinetree.engine.jit.vec import MINVAL
from kinetree.engine.model import enums

MINIMP, MAXIMP = 0.0001, 0.9999
SPARSE_DOFS = 60
"""Degrees of freedom from which on jacobian "auto" means sparse."""

# Laws of a group of rows.
QUADRATIC, FRICTION, UNILATERAL, PYRAMID, CONE = 0, 1, 2, 3, 4


@small
def add_segment(data, block, dof, num, dim):
    """Append a segment of dim rows of zeros over num dofs; its index, -1 where it does not fit."""
    s, adr = data.nseg, data.nJ
    size = dim * padded(num)
    data.nseg = s + 1
    data.nJ = adr + size
    if s >= data.nsegmax or adr + size > data.nJmax:
        return -1
    data.seg_block[s] = block
    data.seg_dof[s] = dof
    data.seg_num[s] = num
    data.seg_adr[s] = adr
    zero = vset(0.0)
    for k in range(adr, adr + size, 4):
        vstore(data.seg_J, k, zero)
    return s


@small
def has_memory(data):
    """Whether everything so far fitted."""
    return data.nefc <= data.njmax and data.nseg <= data.nsegmax and data.nJ <= data.nJmax


@small
def row_counts(data):
    """The numbers of rows, groups, segments and entries: what a stage that adds rows starts from."""
    return data.nefc, data.ngrp, data.nseg, data.nJ


@small
def finish_rows(data, start):
    """At the end of a stage that adds rows: if they did not fit, ask for memory and restore the counters."""
    if not has_memory(data):
        request(data, NJMAX, data.nefc)
        request(data, NSEGMAX, data.nseg)
        request(data, NJENTRIES, data.nJ)
        data.nefc, data.ngrp, data.nseg, data.nJ = start


@kernel
def add_chains(model, data, a, b, meet, dim):
    """Append the segments of dof a, dof b and their ancestors, down to but without dof meet."""
    while True:
        dof = max(a, b)
        if dof <= meet:
            return
        block = model.dof_blockid[dof]
        high = low = dof
        while dof > meet and model.dof_blockid[dof] == block:
            low = dof
            if a == dof:
                a = model.dof_parentid[a]
            if b == dof:
                b = model.dof_parentid[b]
            dof = max(a, b)
        add_segment(data, block, low, high - low + 1, dim)


@kernel
def add_many_chains(model, data, n, dim):
    """Append the segments of the dofs that move any of the first n bodies of data.side_body; whether there
    are any.
    """
    dofs = data.side_dof
    dof = -1
    for k in range(n):
        dofs[k] = last_dof(model, data.side_body[k])
        dof = max(dof, dofs[k])
    found = dof >= 0
    while dof >= 0:
        block = model.dof_blockid[dof]
        high = low = dof
        while dof >= 0 and model.dof_blockid[dof] == block:
            low = dof
            above = -1
            for k in range(n):
                if dofs[k] == dof:
                    dofs[k] = model.dof_parentid[dof]
                above = max(above, dofs[k])
            dof = above
        add_segment(data, block, low, high - low + 1, dim)
    return found


@kernel
def meeting_dof(model, a, b):
    """The last common ancestor of dofs a and b (or one of them), -1 if there is none."""
    while a != b:
        if a > b:
            a = model.dof_parentid[a]
        else:
            b = model.dof_parentid[b]
    return a


@kernel
def add_group(data, kind, efc_type, index, dim, nrow, seg):
    """Append a group whose segments begin at seg; its first row, -1 where it does not fit."""
    row, g = data.nefc, data.ngrp
    data.nefc = row + nrow
    if not has_memory(data):
        return -1
    data.ngrp = g + 1
    data.grp_kind[g] = kind
    data.grp_row[g] = row
    data.grp_nrow[g] = nrow
    data.grp_dim[g] = dim
    data.grp_seg[g] = seg
    data.grp_nseg[g] = data.nseg - seg
    for r in range(row, row + nrow):
        data.efc_type[r] = efc_type
        data.efc_id[r] = index
        data.efc_frictionloss[r] = 0.0
        data.efc_margin[r] = 0.0
        data.efc_pos[r] = 0.0
    return row


@small
def solimp_of(a, i):
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4]


@small
def _clamp(x, low, high):
    return max(low, min(x, high))


@kernel
def impedance(solimp, violation):
    """(impedance d, its derivative) at a constraint violation."""
    d0 = _clamp(solimp[0], MINIMP, MAXIMP)
    d1 = _clamp(solimp[1], MINIMP, MAXIMP)
    width = max(0.0, solimp[2])
    if d0 == d1 or width <= MINVAL:
        return 0.5 * (d0 + d1), 0.0
    x, sign = violation / width, 1.0
    if x < 0.0:
        x, sign = -x, -1.0
    if x >= 1.0:
        return d1, 0.0
    if x == 0.0:
        return d0, 0.0
    middle = _clamp(solimp[3], MINIMP, MAXIMP)
    power = max(1.0, solimp[4])
    if power == 1.0:
        y, slope = x, 1.0
    elif power == 2.0:
        if x <= middle:
            y, slope = x * x / middle, 2.0 * x / middle
        else:
            rest = (1.0 - x) / (1.0 - middle)
            y, slope = 1.0 - rest * (1.0 - x), 2.0 * rest
    elif x <= middle:
        scale = (x / middle) ** (power - 1.0)
        y, slope = scale * x, power * scale
    else:
        scale = ((1.0 - x) / (1.0 - middle)) ** (power - 1.0)
        y, slope = 1.0 - scale * (1.0 - x), power * scale
    return d0 + y * (d1 - d0), slope * sign * (d1 - d0) / width


@kernel
def stiffness(model, solref0, solref1, dmax):
    """(k, b) of the reference acceleration."""
    if (solref0 > 0.0) != (solref1 > 0.0):  # the two formats mixed
        solref0, solref1 = 0.02, 1.0
    dmax = _clamp(dmax, MINIMP, MAXIMP)
    if solref0 > 0.0:
        if not model.opt_disableflags & enums.DSBL_REFSAFE:
            solref0 = max(solref0, 2.0 * model.opt_timestep)
        k = 1.0 / max(MINVAL, dmax * dmax * solref0 * solref0 * solref1 * solref1)
        return k, 2.0 / max(MINVAL, dmax * solref0)
    return -solref0 / max(MINVAL, dmax * dmax), -solref1 / max(MINVAL, dmax)


@small
def set_KBIP(data, row, k, b, d, slope):
    data.efc_KBIP[row, 0] = k
    data.efc_KBIP[row, 1] = b
    data.efc_KBIP[row, 2] = d
    data.efc_KBIP[row, 3] = slope


@small
def set_R(data, row, r, d):
    """Regulariser, constraint mass, and the diagonal that belongs to them at impedance d."""
    data.efc_R[row] = r
    data.efc_D[row] = 1.0 / r
    data.efc_diagApprox[row] = r * d / (1.0 - d)


@kernel
def finish_row(model, data, row, solref0, solref1, solimp, violation, diagonal, friction):
    """Set impedance, reference and regulariser of a row with approximate diagonal of A."""
    d, slope = impedance(solimp, violation)
    k, b = stiffness(model, solref0, solref1, solimp[1])
    if friction:
        k = 0.0
    set_KBIP(data, row, k, b, d, slope)
    set_R(data, row, max(MINVAL, (1.0 - d) * diagonal / d), d)


@kernel
def add_dof_row(model, data, kind, efc_type, index, dof, value):
    """A row with one entry; the row, -1 where it does not fit."""
    seg = data.nseg
    s = add_segment(data, model.dof_blockid[dof], dof, 1, 1)
    if s >= 0:
        data.seg_J[data.seg_adr[s]] = value
    return add_group(data, kind, efc_type, index, 1, 1, seg)


@kernel
def add_tendon_segments(model, data, t1, scale1, t2, scale2):
    """The segments of scale1 J1 + scale2 J2 of one or two (t2 >= 0) tendons; whether there are any."""
    adr1, num1, adr2, num2 = model.ten_J_rowadr[t1], model.ten_J_rownnz[t1], 0, 0
    if t2 >= 0:
        adr2, num2 = model.ten_J_rowadr[t2], model.ten_J_rownnz[t2]
    i, k = num1 - 1, num2 - 1
    found = False
    while i >= 0 or k >= 0:
        dof1 = model.ten_J_colind[adr1 + i] if i >= 0 else -1
        dof2 = model.ten_J_colind[adr2 + k] if k >= 0 else -1
        high = max(dof1, dof2)
        block = model.dof_blockid[high]
        first, i0, k0 = high, i, k
        while i >= 0 and model.dof_blockid[model.ten_J_colind[adr1 + i]] == block:
            first = min(first, model.ten_J_colind[adr1 + i])
            i -= 1
        while k >= 0 and model.dof_blockid[model.ten_J_colind[adr2 + k]] == block:
            first = min(first, model.ten_J_colind[adr2 + k])
            k -= 1
        s = add_segment(data, block, first, high - first + 1, 1)
        found = True
        if s >= 0:
            adr = data.seg_adr[s] - first
            for a in range(i + 1, i0 + 1):
                data.seg_J[adr + model.ten_J_colind[adr1 + a]] += scale1 * data.ten_J[adr1 + a]
            for a in range(k + 1, k0 + 1):
                data.seg_J[adr + model.ten_J_colind[adr2 + a]] += scale2 * data.ten_J[adr2 + a]
    return found


@kernel
def add_edge_segments(model, data, edge):
    """The segments of flexedge_J of an edge of a flex; whether there are any."""
    first = model.flexedge_J_rowadr[edge]
    last = first + model.flexedge_J_rownnz[edge] - 1
    found = last >= first
    while last >= first:
        high = low = model.flexedge_J_colind[last]
        block, begin = model.dof_blockid[high], last
        while begin > first and model.dof_blockid[model.flexedge_J_colind[begin - 1]] == block:
            begin -= 1
            low = model.flexedge_J_colind[begin]
        s = add_segment(data, block, low, high - low + 1, 1)
        if s >= 0:
            adr = data.seg_adr[s] - low
            for k in range(begin, last + 1):
                data.seg_J[adr + model.flexedge_J_colind[k]] = data.flexedge_J[k]
        last = begin - 1
    return found


@kernel
def leave_out_if_idle(model, data, start):
    """Take back the segments and rows since `start` if their Jacobian is zero; whether it did.

    The reference does so where its Jacobian is dense: always, never, or (auto) below 60 dofs.
    """
    if model.opt_jacobian == enums.JAC_SPARSE or (model.opt_jacobian == enums.JAC_AUTO and model.nv >= SPARSE_DOFS):
        return False
    if not has_memory(data):  # the Jacobian is not there to look at
        return False
    for k in range(start[3], data.nJ):
        if data.seg_J[k] != 0.0:
            return False
    data.nefc, data.ngrp, data.nseg, data.nJ = start
    return True


@small
def set_tendon_row(data, tendon, row):
    """Set tendon_efcadr to the first row that involves a tendon."""
    if data.tendon_efcadr[tendon] < 0:
        data.tendon_efcadr[tendon] = row


@small
def norm(values, start, count):
    total = 0.0
    for i in range(start, start + count):
        total += values[i] * values[i]
    return math.sqrt(total)
