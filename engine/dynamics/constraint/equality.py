"""Constraint rows of equalities: connect, weld, joint, tendon, flex.

Specification: Computation, "Equality". The residual of connect and weld is position 1 minus position 2.
"""

from __future__ import annotations

from kinetree.engine.dynamics.constraint.rows import (
    QUADRATIC,
    add_chains,
    add_dof_row,
    add_edge_segments,
    add_group,
    add_segment,
    add_tendon_segments,
    finish_row,
    finish_rows,
    leave_out_if_idle,
    norm,
    row_counts,
    set_tendon_row,
    solimp_of,
)
from kinetree.engine.dynamics.position.flex import has_edges
from kinetree.engine.dynamics.position.jacobian import last_dof
from kinetree.engine.jit.kernel import kernel, small, view
from kinetree.engine.jit.simd import padded
from kinetree.engine.jit.vec import add3, cross3, load3, load4, load9, mulmat3, mulquat, negquat, sub3
from kinetree.engine.model import enums


@kernel
def equality(model, data):
    """Rows of the active equalities."""
    if model.opt_disableflags & (enums.DSBL_CONSTRAINT | enums.DSBL_EQUALITY):
        return
    start = row_counts(data)
    for e in range(model.neq):
        if not data.eq_active[e]:
            continue
        kind = model.eq_type[e]
        if kind == enums.EQ_CONNECT or kind == enums.EQ_WELD:
            _bodies(model, data, e, kind == enums.EQ_WELD)
        elif kind == enums.EQ_JOINT or kind == enums.EQ_TENDON:
            _scalars(model, data, e, kind == enums.EQ_JOINT)
        elif kind == enums.EQ_FLEX:
            _edges(model, data, e)
    data.ne = data.nefc
    finish_rows(data, start)


@small
def _polynomial(a, e, x):
    """a0 + a1 x + ... + a4 x^4 of the equality's data, and its derivative."""
    value = a[e, 0] + x * (a[e, 1] + x * (a[e, 2] + x * (a[e, 3] + x * a[e, 4])))
    slope = a[e, 1] + x * (2.0 * a[e, 2] + x * (3.0 * a[e, 3] + x * 4.0 * a[e, 4]))
    return value, slope


@kernel
def _scalars(model, data, e, joints):
    """y - y0 = polynomial(x - x0) of two joints or two tendons; of one: y - y0 = a0."""
    id1, id2 = model.eq_obj1id[e], model.eq_obj2id[e]
    if joints:
        q = model.jnt_qposadr[id1]
        y = data.qpos[q] - model.qpos0[q]
        dof1 = model.jnt_dofadr[id1]
        diagonal = model.dof_invweight0[dof1]
    else:
        y = data.ten_length[id1] - model.tendon_length0[id1]
        dof1 = 0
        diagonal = model.tendon_invweight0[id1]
    value, slope = model.eq_data[e, 0], 0.0
    dof2 = -1
    if id2 >= 0:
        if joints:
            q = model.jnt_qposadr[id2]
            x = data.qpos[q] - model.qpos0[q]
            dof2 = model.jnt_dofadr[id2]
            diagonal += model.dof_invweight0[dof2]
        else:
            x = data.ten_length[id2] - model.tendon_length0[id2]
            diagonal += model.tendon_invweight0[id2]
        value, slope = _polynomial(model.eq_data, e, x)
    seg, before = data.nseg, row_counts(data)
    if not joints:
        if not add_tendon_segments(model, data, id1, 1.0, id2, -slope) or leave_out_if_idle(model, data, before):
            return
        row = add_group(data, QUADRATIC, enums.CNSTR_EQUALITY, e, 1, 1, seg)
        if row >= 0:
            set_tendon_row(data, id1, row)
            if id2 >= 0:
                set_tendon_row(data, id2, row)
    elif dof2 < 0:
        row = add_dof_row(model, data, QUADRATIC, enums.CNSTR_EQUALITY, e, dof1, 1.0)
    else:
        add_chains_of_two(model, data, dof1, dof2, -slope)
        row = add_group(data, QUADRATIC, enums.CNSTR_EQUALITY, e, 1, 1, seg)
    if row >= 0:
        data.efc_pos[row] = y - value
        _finish(model, data, e, row, y - value, diagonal)


@kernel
def _edges(model, data, e):
    """The edges of a flex keep their lengths: one row for each edge that may change its length."""
    flex = model.eq_obj1id[e]
    if not has_edges(model, flex):
        return
    for edge in range(model.flex_edgeadr[flex], model.flex_edgeadr[flex] + model.flex_edgenum[flex]):
        if model.flexedge_rigid[edge]:
            continue
        seg, before = data.nseg, row_counts(data)
        if not add_edge_segments(model, data, edge) or leave_out_if_idle(model, data, before):
            continue
        row = add_group(data, QUADRATIC, enums.CNSTR_EQUALITY, e, 1, 1, seg)
        if row >= 0:
            stretch = data.flexedge_length[edge] - model.flexedge_length0[edge]
            data.efc_pos[row] = stretch
            _finish(model, data, e, row, stretch, model.flexedge_invweight0[edge])


@kernel
def add_chains_of_two(model, data, dof1, dof2, scale):
    """Segments of a row with 1 at dof1 and scale at dof2."""
    high, low = max(dof1, dof2), min(dof1, dof2)
    at_high, at_low = (1.0, scale) if dof1 > dof2 else (scale, 1.0)
    if model.dof_blockid[high] == model.dof_blockid[low]:
        s = add_segment(data, model.dof_blockid[high], low, high - low + 1, 1)
        if s >= 0:
            data.seg_J[data.seg_adr[s]] += at_low
            data.seg_J[data.seg_adr[s] + high - low] += at_high if high != low else scale
        return
    s = add_segment(data, model.dof_blockid[high], high, 1, 1)
    if s >= 0:
        data.seg_J[data.seg_adr[s]] = at_high
    s = add_segment(data, model.dof_blockid[low], low, 1, 1)
    if s >= 0:
        data.seg_J[data.seg_adr[s]] = at_low


@kernel
def _finish(model, data, e, row, violation, diagonal):
    solref = model.eq_solref
    finish_row(
        model,
        data,
        row,
        solref[e, 0],
        solref[e, 1],
        solimp_of(model.eq_solimp, e),
        violation,
        diagonal,
        False,
    )


@kernel
def _bodies(model, data, e, weld):
    """Two bodies (or sites) joined at a point, and for a weld also in orientation."""
    id1, id2 = model.eq_obj1id[e], model.eq_obj2id[e]
    values = model.eq_data
    sites = model.eq_objtype[e] == enums.OBJ_SITE
    relative = (1.0, 0.0, 0.0, 0.0)
    if sites:
        body1, body2 = model.site_bodyid[id1], model.site_bodyid[id2]
        point1, point2 = load3(data.site_xpos, id1), load3(data.site_xpos, id2)
        quat1 = mulquat(load4(data.xquat, body1), load4(model.site_quat, id1))
        quat2 = mulquat(load4(data.xquat, body2), load4(model.site_quat, id2))
    else:
        body1, body2 = id1, id2
        first = (values[e, 0], values[e, 1], values[e, 2])
        second = (values[e, 3], values[e, 4], values[e, 5])
        if weld:  # the anchor in body 2, then its place in body 1
            first, second = second, first
        point1 = add3(load3(data.xpos, body1), mulmat3(load9(data.xmat, body1), first))
        point2 = add3(load3(data.xpos, body2), mulmat3(load9(data.xmat, body2), second))
        quat1, quat2 = load4(data.xquat, body1), load4(data.xquat, body2)
        relative = (values[e, 6], values[e, 7], values[e, 8], values[e, 9])
    dof1, dof2 = last_dof(model, body1), last_dof(model, body2)
    if dof1 < 0 and dof2 < 0:
        return
    dim = 6 if weld else 3
    seg, before = data.nseg, row_counts(data)
    add_chains(model, data, dof1, dof2, -1, dim)
    row = add_group(data, QUADRATIC, enums.CNSTR_EQUALITY, e, dim, dim, seg)
    if row < 0:
        return
    apart = sub3(point1, point2)
    for k in range(3):
        data.efc_pos[row + k] = apart[k]
    half = (0.0, 0.0, 0.0, 0.0)
    turned = quat1
    back = negquat(quat2)
    if weld:
        scale = values[e, 10]
        if not sites:
            turned = mulquat(quat1, relative)
        difference = mulquat(back, turned)
        for k in range(3):
            data.efc_pos[row + 3 + k] = scale * difference[k + 1]
        half = (0.5 * scale * back[0], 0.5 * scale * back[1], 0.5 * scale * back[2], 0.5 * scale * back[3])
    _fill(model, data, body1, dof1, point1, 1.0, weld, half, turned, seg)
    _fill(model, data, body2, dof2, point2, -1.0, weld, half, turned, seg)
    if leave_out_if_idle(model, data, before):
        return
    violation = norm(data.efc_pos, row, dim)
    weight = model.body_invweight0
    for k in range(dim):
        which = 0 if k < 3 else 1
        _finish(model, data, e, row + k, violation, weight[body1, which] + weight[body2, which])


@kernel
def _fill(model, data, body, dof, point, sign, weld, half, turned, seg):
    """Add sign times the motion of a body's point (and the turn of a weld) to the segments from seg."""
    arm = sub3(point, load3(data.subtree_com, model.body_rootid[body]))
    block, num, adr = -1, 0, 0
    cdof = data.cdof
    while dof >= 0:
        if model.dof_blockid[dof] != block:
            block = model.dof_blockid[dof]
            while data.seg_block[seg] != block:
                seg += 1
            num = padded(data.seg_num[seg])
            adr = data.seg_adr[seg] - data.seg_dof[seg]
        turn = (sign * cdof[dof, 0], sign * cdof[dof, 1], sign * cdof[dof, 2])
        move = cross3(turn, arm)
        column = view(data.seg_J, adr + dof, 6 * num)
        column[0] += move[0] + sign * cdof[dof, 3]
        column[num] += move[1] + sign * cdof[dof, 4]
        column[2 * num] += move[2] + sign * cdof[dof, 5]
        if weld:
            rate = mulquat(mulquat(half, (0.0, turn[0], turn[1], turn[2])), turned)
            column[3 * num] += rate[1]
            column[4 * num] += rate[2]
            column[5 * num] += rate[3]
        dof = model.dof_parentid[dof]
