"""Hard contacts and hard joint limits: the attributes `hard` of geoms and `hardlimit` of joints (MPEX).

The Motphys reference says "enable hard contact mode" and "the limit constraint is hard", no more. Kinetree reads
this as rigid bodies do: nothing gives way. A hard contact is a unilateral constraint on velocity with Coulomb's
friction. At the end of each time step the approach has stopped where the surfaces touch, inelastically, and with
no softness beyond SOFTNESS (so that the solver has one answer where a body stands on more feet than it needs).
solref and solimp have no effect on it. A contact is hard if the geom with the higher priority is; of equal
priorities, if one of the two is. A joint limit is hard on both sides; its margin works as in MuJoCo.

How it is solved: the rows of the constraint Jacobian, the friction cones and all solvers stay the same. Only the
parameters of the rows change: with the gap r (distance minus margin), the time step h and v = J qvel,

    J qacc >= aref = -v / h - r / h^2           the gap closes at the end of the step, and not further
    J qacc >= aref = -v / h - r / (h t)         r < 0: what overlaps moves apart, slowly, so that it gains no energy

with t = |r| / (PUSH + |r| / RECOVERY), at least two time steps: small overlaps close at once, deep ones in the time
RECOVERY. The rows have the regulariser R that belongs to an impedance of 1 - SOFTNESS.

So that a gap can close exactly, the rows exist before the surfaces touch: rows of a hard limit always; those of a
contact from the distance REACH on (in small geoms their bounding radius), for which the compiler enlarges margin and
gap of hard geoms (MuJoCo finds contacts in the gap, and ignores them). What moves farther than REACH in one step is
noticed too late, and pushed out. Contacts come to rest SLOP deep, so that faces that lie on each other keep all their
contacts.

Limits: as everywhere in MuJoCo's convex model, a body that slides floats by its speed times friction and time step.
Stages of RK4, and velocities that an integrator damps implicitly, are not those of the end of a step: a stop then
takes a few steps.
"""

from __future__ import annotations

from kinetree.engine.dynamics.constraint.rows import set_KBIP, set_R
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MINVAL
from kinetree.engine.model import enums

REACH = 0.02
"""Distance from which hard contacts are watched, m."""
SLOP = 1e-5
"""Depth at which hard contacts rest, m."""
PUSH = 0.1
"""Speed at which small overlaps close, m/s or rad/s."""
RECOVERY = 0.05
"""Time in which deep overlaps shrink by a factor of e, s."""
SOFTNESS = 1e-6


@small
def reach(model, geom):
    """By how much margin and gap of a hard geom are enlarged; 0 for other geoms."""
    if not model.mpex_geom_hard[geom]:
        return 0.0
    radius = model.geom_rbound[geom]
    distance = min(REACH, radius) if radius > 0.0 else REACH
    return distance if model.geom_gap[geom] >= distance else 0.0


@small
def is_hard(model, data, c):
    """Whether a contact is hard. Sides that are flexes are not."""
    g1, g2 = data.contact_geom[c, 0], data.contact_geom[c, 1]
    hard1 = g1 >= 0 and model.mpex_geom_hard[g1] != 0
    hard2 = g2 >= 0 and model.mpex_geom_hard[g2] != 0
    if g1 >= 0 and g2 >= 0 and model.geom_priority[g1] != model.geom_priority[g2]:
        return hard1 if model.geom_priority[g1] > model.geom_priority[g2] else hard2
    return hard1 or hard2


@kernel
def hard_contacts(model, data):
    """Stage before the rows of contacts: hard contacts within reach get rows, and rest at the model's own margin."""
    override = (model.opt_enableflags & enums.ENBL_OVERRIDE) != 0
    for c in range(data.ncon):
        if not is_hard(model, data, c):
            continue
        g1, g2 = data.contact_geom[c, 0], data.contact_geom[c, 1]
        if g1 >= 0 and g2 >= 0:
            margin = max(model.geom_margin[g1], model.geom_margin[g2])
            less = max(model.geom_margin[g1] - reach(model, g1), model.geom_margin[g2] - reach(model, g2))
            if override:
                margin = less = model.opt_o_margin
            gap = max(model.geom_gap[g1], model.geom_gap[g2])
            if data.contact_includemargin[c] == margin - gap:  # else it is that of a named pair
                less -= max(model.geom_gap[g1] - reach(model, g1), model.geom_gap[g2] - reach(model, g2))
                data.contact_includemargin[c] = less
        if data.contact_exclude[c] == 1:
            data.contact_exclude[c] = 0


@kernel
def harden(model, data):
    """Stage after all rows exist: the parameters of hard limits and hard contacts."""
    for g in range(data.ngrp):
        row = data.grp_row[g]
        kind, index = data.efc_type[row], data.efc_id[row]
        if kind == enums.CNSTR_LIMIT_JOINT:
            if model.mpex_jnt_hardlimit[index]:
                _set_row(model, data, row, data.efc_pos[row] - data.efc_margin[row])
        elif kind >= enums.CNSTR_CONTACT_FRICTIONLESS and is_hard(model, data, index):
            for r in range(row, row + data.grp_nrow[g]):
                if kind == enums.CNSTR_CONTACT_ELLIPTIC and r > row:
                    _set_row(model, data, r, 0.0)
                else:
                    data.efc_margin[r] -= SLOP
                    _set_row(model, data, r, data.efc_pos[r] - data.efc_margin[r])


@small
def _set_row(model, data, row, residual):
    dt, impedance = model.opt_timestep, 1.0 - SOFTNESS
    time = max(2.0 * dt, -residual / (PUSH - residual / RECOVERY)) if residual < 0.0 else dt
    before = data.efc_KBIP[row, 2]
    softer = data.efc_R[row] * before / (1.0 - before)
    set_KBIP(data, row, 1.0 / (dt * time * impedance), 1.0 / dt, impedance, 0.0)
    set_R(data, row, max(MINVAL, softer * SOFTNESS / impedance), impedance)
