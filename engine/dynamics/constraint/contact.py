"""Constraint rows of contacts: frictionless, pyramidal and elliptic, of dimension 1, 3, 4 and 6.

Specification: Computation, "Contact" and "Friction cones".
"""

from __future__ import annotations

import math

from kinetree.engine.dynamics.constraint.rows import (
    CONE,
    PYRAMID,
    UNILATERAL,
    add_chains,
    add_group,
    add_many_chains,
    add_segment,
    finish_rows,
    impedance,
    meeting_dof,
    row_counts,
    set_KBIP,
    set_R,
    solimp_of,
    stiffness,
)
from kinetree.engine.dynamics.position.contact_side import contact_bodies, inverse_mass, side_body
from kinetree.engine.dynamics.position.jacobian import arm_of, dof_velocity, last_dof
from kinetree.engine.jit.kernel import apart, exact_small, kernel, small, view
from kinetree.engine.jit.parallel import for_each
from kinetree.engine.jit.simd import padded
from kinetree.engine.jit.vec import MINVAL, load3, load9
from kinetree.engine.model import enums

SHARE = 16
"""Groups of rows whose entries are computed in one turn of a loop that threads share."""


@kernel
def contact_constraint(model, data):
    """Add the rows of all contacts that are not excluded; set contact_efc_address and contact_mu."""
    if model.opt_disableflags & (enums.DSBL_CONSTRAINT | enums.DSBL_CONTACT):
        return
    start = row_counts(data)
    for c in range(data.ncon):
        _add_rows(model, data, c)
    finish_rows(data, start)
    for_each(_fill_groups, model, data, start[1] // SHARE, (data.ngrp + SHARE - 1) // SHARE)


@small
def _dofs_of_sides(model, body1, body2):
    """The last dofs that move two bodies, and the last one that moves both; -1 for none."""
    dof1, dof2 = last_dof(model, body1), last_dof(model, body2)
    meet = -1
    if dof1 >= 0 and dof2 >= 0 and model.dof_treeid[dof1] == model.dof_treeid[dof2]:
        meet = meeting_dof(model, dof1, dof2)
    return dof1, dof2, meet


@kernel
def _add_rows(model, data, c):
    """Add the group of rows of a contact, with its segments; their entries are zero so far."""
    data.contact_efc_address[c] = -1
    data.contact_mu[c] = 0.0
    if data.contact_exclude[c] != 0:
        return
    dim = data.contact_dim[c]
    seg = data.nseg
    body1, body2 = side_body(model, data, c, 0), side_body(model, data, c, 1)
    if body1 >= 0 and body2 >= 0:
        dof1, dof2, meet = _dofs_of_sides(model, body1, body2)
        if dof1 < 0 and dof2 < 0:
            data.contact_exclude[c] = 3
            return
        if dof1 == dof2:  # nothing moves the two apart: rows of zeros
            add_segment(data, model.dof_blockid[dof1], dof1, 1, dim)
        else:
            add_chains(model, data, dof1, dof2, meet, dim)
    elif not add_many_chains(model, data, contact_bodies(model, data, c), dim):
        data.contact_exclude[c] = 3
        return
    kind, efc_type, nrow = UNILATERAL, enums.CNSTR_CONTACT_FRICTIONLESS, 1
    if dim > 1:
        if model.opt_cone == enums.CONE_PYRAMIDAL:
            kind, efc_type, nrow = PYRAMID, enums.CNSTR_CONTACT_PYRAMIDAL, 2 * dim - 2
        else:
            kind, efc_type, nrow = CONE, enums.CNSTR_CONTACT_ELLIPTIC, dim
    data.contact_efc_address[c] = add_group(data, kind, efc_type, c, dim, nrow, seg)


@apart
def _fill_groups(model, data, turn):
    """Task: entries and parameters of some groups, those of contacts among them."""
    for g in range(turn * SHARE, min((turn + 1) * SHARE, data.ngrp)):
        row, dim, seg = data.grp_row[g], data.grp_dim[g], data.grp_seg[g]
        if data.efc_type[row] < enums.CNSTR_CONTACT_FRICTIONLESS:
            continue
        c = data.efc_id[row]
        body1, body2 = side_body(model, data, c, 0), side_body(model, data, c, 1)
        if body1 >= 0 and body2 >= 0:
            translation = model.body_invweight0[body1, 0] + model.body_invweight0[body2, 0]
            dof1, dof2, meet = _dofs_of_sides(model, body1, body2)
            _fill(model, data, c, body1, dof1, meet, -1.0, dim, seg)
            _fill(model, data, c, body2, dof2, meet, 1.0, dim, seg)
        else:
            translation = inverse_mass(model, data, c)
            for k in range(contact_bodies(model, data, c)):
                body, weight = data.side_body[k], data.side_weight[k]
                _fill(model, data, c, body, last_dof(model, body), -1, weight, dim, seg)
        _parameters(model, data, c, row, data.grp_kind[g], data.grp_nrow[g], translation)


@exact_small
def _along(direction, v):
    """The dot product without fused operations, so that what cancels is zero: some rows have forces of 1e17."""
    return direction[0] * v[0] + direction[1] * v[1] + direction[2] * v[2]


@apart
def _fill(model, data, c, body, dof, meet, weight, dim, seg):
    """Add weight times the motion of the contact point of one body, in the contact frame, to the segments
    from seg.
    """
    if dof <= meet:
        return
    arm = arm_of(model, data, body, load3(data.contact_pos, c))
    frame = load9(data.contact_frame, c)
    normal = (weight * frame[0], weight * frame[1], weight * frame[2])
    tangent1 = (weight * frame[3], weight * frame[4], weight * frame[5])
    tangent2 = (weight * frame[6], weight * frame[7], weight * frame[8])
    block, num, adr = -1, 0, 0
    values = data.seg_J
    while dof > meet:
        if model.dof_blockid[dof] != block:
            block = model.dof_blockid[dof]
            while data.seg_block[seg] != block:
                seg += 1
            num = padded(data.seg_num[seg])
            adr = data.seg_adr[seg] - data.seg_dof[seg]
        turn, move = dof_velocity(data, dof, arm)
        column = view(values, adr + dof, (dim - 1) * num + 1)
        column[0] += _along(normal, move)
        if dim > 1:
            column[num] += _along(tangent1, move)
            column[2 * num] += _along(tangent2, move)
            if dim > 3:
                column[3 * num] += _along(normal, turn)
                if dim > 4:
                    column[4 * num] += _along(tangent1, turn)
                    column[5 * num] += _along(tangent2, turn)
        dof = model.dof_parentid[dof]


@kernel
def _parameters(model, data, c, row, kind, nrow, translation):
    """Positions, impedance, reference and regulariser of the rows of a contact.

    translation: the approximate inverse mass of the two sides together.
    """
    solimp = solimp_of(data.contact_solimp, c)
    solref = data.contact_solref
    distance, margin = data.contact_dist[c], data.contact_includemargin[c]
    mu = data.contact_friction
    d, slope = impedance(solimp, distance - margin)
    k, b = stiffness(model, solref[c, 0], solref[c, 1], solimp[1])
    ratio = (1.0 - d) / d
    if kind == PYRAMID:
        sliding = mu[c, 0] * mu[c, 0]
        r = max(MINVAL, ratio * (translation + sliding * translation))
        data.contact_mu[c] = mu[c, 0] * math.sqrt(1.0 / max(MINVAL, model.opt_impratio))
        r = max(MINVAL, 2.0 * data.contact_mu[c] * data.contact_mu[c] * r)
        for i in range(row, row + nrow):
            data.efc_pos[i] = distance
            data.efc_margin[i] = margin
            set_KBIP(data, i, k, b, d, slope)
            set_R(data, i, r, d)
        return
    r = max(MINVAL, ratio * translation)
    data.efc_pos[row] = distance
    data.efc_margin[row] = margin
    set_KBIP(data, row, k, b, d, slope)
    set_R(data, row, r, d)
    if kind != CONE:
        return
    first = max(MINVAL, r / max(MINVAL, model.opt_impratio))
    data.contact_mu[c] = mu[c, 0] * math.sqrt(first / r)
    ref = data.contact_solreffriction
    if ref[c, 0] != 0.0 or ref[c, 1] != 0.0:
        k, b = stiffness(model, ref[c, 0], ref[c, 1], solimp[1])
    for e in range(1, nrow):
        set_KBIP(data, row + e, 0.0, b, d, slope)
        scaled = first * mu[c, 0] * mu[c, 0] / max(MINVAL, mu[c, e - 1] * mu[c, e - 1])
        set_R(data, row + e, max(MINVAL, scaled), d)
