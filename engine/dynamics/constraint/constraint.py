"""Constraint rows: start, friction loss and limits; velocity and reference acceleration of all rows.

Equalities and contacts are stages of their own (constraint_equality, constraint_contact). The order of rows
is equality, friction loss, limit, contact. Specification: Computation, "Constraint model".
"""

from __future__ import annotations

from kinetree.engine.dynamics.constraint.rows import (
    FRICTION,
    PYRAMID,
    UNILATERAL,
    add_dof_row,
    add_group,
    add_segment,
    add_tendon_segments,
    finish_row,
    finish_rows,
    leave_out_if_idle,
    row_counts,
    set_tendon_row,
    solimp_of,
)
from kinetree.engine.jit.kernel import kernel, small, view
from kinetree.engine.jit.simd import padded, vfma, vload, vset, vstore, vsum
from kinetree.engine.jit.vec import normalize3, normalize4, quat2vel
from kinetree.engine.model import enums


@kernel
def begin_constraint(model, data):
    """Reset the counters of rows, groups and segments."""
    data.ne = data.nf = data.nl = data.nefc = 0
    data.ngrp = data.nseg = data.nJ = 0
    for t in range(model.ntendon):
        data.tendon_efcadr[t] = -1


@kernel
def friction_loss(model, data):
    """Add the rows of dry friction in dofs, then in tendons."""
    if model.opt_disableflags & (enums.DSBL_CONSTRAINT | enums.DSBL_FRICTIONLOSS):
        return
    start = row_counts(data)
    for i in range(model.nv):
        loss = model.dof_frictionloss[i]
        if loss > 0.0:
            row = add_dof_row(model, data, FRICTION, enums.CNSTR_FRICTION_DOF, i, i, 1.0)
            if row >= 0:
                data.efc_frictionloss[row] = loss
                finish_row(
                    model,
                    data,
                    row,
                    model.dof_solref[i, 0],
                    model.dof_solref[i, 1],
                    solimp_of(model.dof_solimp, i),
                    0.0,
                    model.dof_invweight0[i],
                    True,
                )
    for t in range(model.ntendon):
        loss = model.tendon_frictionloss[t]
        if loss > 0.0:
            seg, before = data.nseg, row_counts(data)
            if not add_tendon_segments(model, data, t, 1.0, -1, 0.0):
                continue
            set_tendon_row(data, t, data.nefc)  # also if the row is left out, as in the reference
            if leave_out_if_idle(model, data, before):
                continue
            row = add_group(data, FRICTION, enums.CNSTR_FRICTION_TENDON, t, 1, 1, seg)
            if row >= 0:
                data.efc_frictionloss[row] = loss
                finish_row(
                    model,
                    data,
                    row,
                    model.tendon_solref_fri[t, 0],
                    model.tendon_solref_fri[t, 1],
                    solimp_of(model.tendon_solimp_fri, t),
                    0.0,
                    model.tendon_invweight0[t],
                    True,
                )
    data.nf = data.nefc - start[0]
    finish_rows(data, start)


@kernel
def limit(model, data):
    """Add the rows of joint limits, then of tendon limits. Those of hard joint limits (hard.py) exist everywhere."""
    if model.opt_disableflags & (enums.DSBL_CONSTRAINT | enums.DSBL_LIMIT):
        return
    start = row_counts(data)
    for j in range(model.njnt):
        if not model.jnt_limited[j]:
            continue
        kind, margin, dof = model.jnt_type[j], model.jnt_margin[j], model.jnt_dofadr[j]
        low, high = model.jnt_range[j, 0], model.jnt_range[j, 1]
        if kind == enums.JNT_BALL:
            qpos = view(data.qpos, model.jnt_qposadr[j], 4)
            turn = quat2vel(normalize4((qpos[0], qpos[1], qpos[2], qpos[3])), 1.0)
            axis, angle = normalize3(turn)
            distance = max(low, high) - angle
            if distance < margin or model.mpex_jnt_hardlimit[j]:
                seg = data.nseg
                s = add_segment(data, model.dof_blockid[dof], dof, 3, 1)
                if s >= 0:
                    for k in range(3):
                        data.seg_J[data.seg_adr[s] + k] = -axis[k]
                row = add_group(data, UNILATERAL, enums.CNSTR_LIMIT_JOINT, j, 1, 1, seg)
                _finish_limit(model, data, row, j, dof, distance, margin)
        elif kind != enums.JNT_FREE:
            value = data.qpos[model.jnt_qposadr[j]]
            for side in range(2):
                distance = value - low if side == 0 else high - value
                if distance < margin or model.mpex_jnt_hardlimit[j]:
                    sign = 1.0 if side == 0 else -1.0
                    row = add_dof_row(model, data, UNILATERAL, enums.CNSTR_LIMIT_JOINT, j, dof, sign)
                    _finish_limit(model, data, row, j, dof, distance, margin)
    for t in range(model.ntendon):
        if not model.tendon_limited[t]:
            continue
        margin, value = model.tendon_margin[t], data.ten_length[t]
        for side in range(2):
            distance = value - model.tendon_range[t, 0] if side == 0 else model.tendon_range[t, 1] - value
            if distance < margin:
                seg, before = data.nseg, row_counts(data)
                if not add_tendon_segments(model, data, t, 1.0 if side == 0 else -1.0, -1, 0.0):
                    continue
                set_tendon_row(data, t, data.nefc)
                if leave_out_if_idle(model, data, before):
                    continue
                row = add_group(data, UNILATERAL, enums.CNSTR_LIMIT_TENDON, t, 1, 1, seg)
                if row >= 0:
                    data.efc_pos[row] = distance
                    data.efc_margin[row] = margin
                    finish_row(
                        model,
                        data,
                        row,
                        model.tendon_solref_lim[t, 0],
                        model.tendon_solref_lim[t, 1],
                        solimp_of(model.tendon_solimp_lim, t),
                        distance - margin,
                        model.tendon_invweight0[t],
                        False,
                    )
    data.nl = data.nefc - start[0]
    finish_rows(data, start)


@kernel
def _finish_limit(model, data, row, j, dof, distance, margin):
    if row >= 0:
        data.efc_pos[row] = distance
        data.efc_margin[row] = margin
        finish_row(
            model,
            data,
            row,
            model.jnt_solref[j, 0],
            model.jnt_solref[j, 1],
            solimp_of(model.jnt_solimp, j),
            distance - margin,
            model.dof_invweight0[dof],
            False,
        )


@kernel
def group_product(data, g, places, vector):
    """A group's rows of seg_J times a vector, as six numbers (0 past grp_dim). places: seg_dof or seg_x."""
    dim = data.grp_dim[g]
    begin, number = data.grp_seg[g], data.grp_nseg[g]
    nums, adrs, ats = view(data.seg_num, begin, number), view(data.seg_adr, begin, number), view(places, begin, number)
    values = data.seg_J
    if dim == 1:
        y0 = 0.0
        for s in range(number):
            num, adr, place = nums[s], adrs[s], ats[s]
            if num == 1:
                y0 += values[adr] * vector[place]
            else:
                a0 = vset(0.0)
                for c in range(0, num, 4):
                    a0 = vfma(vload(values, adr + c), vload(vector, place + c), a0)
                y0 += vsum(a0)
        return y0, 0.0, 0.0, 0.0, 0.0, 0.0
    a0 = a1 = a2 = a3 = a4 = a5 = vset(0.0)
    for s in range(number):
        num, adr, place = nums[s], adrs[s], ats[s]
        n = padded(num)
        for c in range(0, n, 4):
            v = vload(vector, place + c)
            a0 = vfma(vload(values, adr + c), v, a0)
            a1 = vfma(vload(values, adr + n + c), v, a1)
            a2 = vfma(vload(values, adr + 2 * n + c), v, a2)
        if dim > 3:
            for c in range(0, n, 4):
                a3 = vfma(vload(values, adr + 3 * n + c), vload(vector, place + c), a3)
        if dim > 4:
            for c in range(0, n, 4):
                v = vload(vector, place + c)
                a4 = vfma(vload(values, adr + 4 * n + c), v, a4)
                a5 = vfma(vload(values, adr + 5 * n + c), v, a5)
    if dim == 3:
        return vsum(a0), vsum(a1), vsum(a2), 0.0, 0.0, 0.0
    return vsum(a0), vsum(a1), vsum(a2), vsum(a3), vsum(a4), vsum(a5)


@small
def store_rows(data, g, y, result):
    """Turn values along a group's rows in seg_J into values of its constraint rows."""
    row, dim = data.grp_row[g], data.grp_dim[g]
    if data.grp_kind[g] == PYRAMID:
        c = data.efc_id[row]
        for e in range(dim - 1):
            side = data.contact_friction[c, e] * y[e + 1]
            result[row + 2 * e] = y[0] + side
            result[row + 2 * e + 1] = y[0] - side
    else:
        for e in range(dim):
            result[row + e] = y[e]


@kernel
def add_JT(data, g, places, force, sign, vector):
    """vector += sign J' force for the rows of a group; places: seg_dof or seg_x, as vector is ordered."""
    f = data.sol_F
    row, dim = data.grp_row[g], data.grp_dim[g]
    if data.grp_kind[g] == PYRAMID:
        c = data.efc_id[row]
        f[0] = 0.0
        for e in range(dim - 1):
            plus, minus = sign * force[row + 2 * e], sign * force[row + 2 * e + 1]
            f[0] += plus + minus
            f[e + 1] = data.contact_friction[c, e] * (plus - minus)
    else:
        for e in range(dim):
            f[e] = sign * force[row + e]
    values = data.seg_J
    begin, number = data.grp_seg[g], data.grp_nseg[g]
    nums, adrs, ats = view(data.seg_num, begin, number), view(data.seg_adr, begin, number), view(places, begin, number)
    f0, f1, f2 = vset(f[0]), vset(f[1]), vset(f[2])
    for s in range(number):
        num, adr, place = nums[s], adrs[s], ats[s]
        if dim == 1:
            if num == 1:
                vector[place] += f[0] * values[adr]
            else:
                for c in range(0, num, 4):
                    vstore(vector, place + c, vfma(f0, vload(values, adr + c), vload(vector, place + c)))
        else:
            n = (num + 3) // 4 * 4
            for c in range(0, n, 4):
                v = vfma(f0, vload(values, adr + c), vload(vector, place + c))
                v = vfma(f1, vload(values, adr + n + c), v)
                v = vfma(f2, vload(values, adr + 2 * n + c), v)
                for e in range(3, dim):
                    v = vfma(vset(f[e]), vload(values, adr + e * n + c), v)
                vstore(vector, place + c, v)


@kernel
def multiply_J(data, first, end, places, vector, result):
    """result <- J vector for the rows of the groups in isl_grp[first:end]. places: seg_dof or seg_x, as vector is
    ordered.
    """
    values = data.seg_J
    groups = view(data.isl_grp, first, end - first)
    for k in range(end - first):
        g = groups[k]
        if data.grp_dim[g] > 1:
            store_rows(data, g, group_product(data, g, places, vector), result)
            continue
        begin, number = data.grp_seg[g], data.grp_nseg[g]
        nums, adrs, ats = (
            view(data.seg_num, begin, number),
            view(data.seg_adr, begin, number),
            view(places, begin, number),
        )
        total, part = 0.0, vset(0.0)
        for s in range(number):
            num, adr, place = nums[s], adrs[s], ats[s]
            if num == 1:
                total += values[adr] * vector[place]
            else:
                part = vfma(vload(values, adr), vload(vector, place), part)
                for c in range(4, num, 4):
                    part = vfma(vload(values, adr + c), vload(vector, place + c), part)
        result[data.grp_row[g]] = total + vsum(part)


@kernel
def add_forces(data, first, end, places, force, sign, vector):
    """vector += sign J' force for the rows of the groups in isl_grp[first:end]."""
    values = data.seg_J
    groups = view(data.isl_grp, first, end - first)
    for k in range(end - first):
        g = groups[k]
        row = data.grp_row[g]
        if data.grp_dim[g] > 1:
            is_zero = True
            for r in range(row, row + data.grp_nrow[g]):
                is_zero = is_zero and force[r] == 0.0
            if not is_zero:
                add_JT(data, g, places, force, sign, vector)
            continue
        value = sign * force[row]
        if value == 0.0:
            continue
        begin, number = data.grp_seg[g], data.grp_nseg[g]
        nums, adrs, ats = (
            view(data.seg_num, begin, number),
            view(data.seg_adr, begin, number),
            view(places, begin, number),
        )
        for s in range(number):
            num, adr, place = nums[s], adrs[s], ats[s]
            if num <= 3:
                # One by one: a load of four that overlaps a store of four just before has to wait for it.
                y, x = view(vector, place, num), view(values, adr, num)
                y[0] += value * x[0]
                if num > 1:
                    y[1] += value * x[1]
                if num > 2:
                    y[2] += value * x[2]
            else:
                for c in range(0, num, 4):
                    vstore(vector, place + c, vfma(vset(value), vload(values, adr + c), vload(vector, place + c)))


@kernel
def reference_constraint(model, data):
    """Velocity (efc_vel) and reference acceleration (efc_aref) of all rows."""
    padding = data.sol_qacc
    for i in range(model.nv):
        padding[i] = data.qvel[i]
    for i in range(model.nv, model.nv + 4):
        padding[i] = 0.0
    for g in range(data.ngrp):
        store_rows(data, g, group_product(data, g, data.seg_dof, padding), data.efc_vel)
    kbip = data.efc_KBIP
    for i in range(data.nefc):
        residual = data.efc_pos[i] - data.efc_margin[i]
        data.efc_aref[i] = -kbip[i, 1] * data.efc_vel[i] - kbip[i, 0] * kbip[i, 2] * residual
