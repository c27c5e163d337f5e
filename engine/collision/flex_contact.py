"""Contacts with flexes: one row of the list of contacts, and its parameters from the two sides.

A side is a number here: a geom below model.ngeom, and from there on a flex.

Source: specification, Computation, "Contact"; XML reference, "flex/contact".
"""

from __future__ import annotations

from engine.collision.driver import MINMU, mixing_weight, set_geometry
from engine.jit.capacity import MOST_CONTACTS
from engine.jit.kernel import apart, kernel, small
from engine.model.enums import ENBL_OVERRIDE


@small
def priority_of(model, side):
    return model.geom_priority[side] if side < model.ngeom else model.flex_priority[side - model.ngeom]


@small
def condim_of(model, side):
    return model.geom_condim[side] if side < model.ngeom else model.flex_condim[side - model.ngeom]


@small
def margin_of(model, side):
    return model.geom_margin[side] if side < model.ngeom else model.flex_margin[side - model.ngeom]


@small
def gap_of(model, side):
    return model.geom_gap[side] if side < model.ngeom else model.flex_gap[side - model.ngeom]


@small
def solmix_of(model, side):
    return model.geom_solmix[side] if side < model.ngeom else model.flex_solmix[side - model.ngeom]


@small
def solref_of(model, side, k):
    return model.geom_solref[side, k] if side < model.ngeom else model.flex_solref[side - model.ngeom, k]


@small
def solimp_of(model, side, k):
    return model.geom_solimp[side, k] if side < model.ngeom else model.flex_solimp[side - model.ngeom, k]


@small
def friction_of(model, side, k):
    return model.geom_friction[side, k] if side < model.ngeom else model.flex_friction[side - model.ngeom, k]


@small
def masks_match(model, one, other):
    """Whether contype and conaffinity let two sides collide."""
    n = model.ngeom
    contype1 = model.geom_contype[one] if one < n else model.flex_contype[one - n]
    conaffinity1 = model.geom_conaffinity[one] if one < n else model.flex_conaffinity[one - n]
    contype2 = model.geom_contype[other] if other < n else model.flex_contype[other - n]
    conaffinity2 = model.geom_conaffinity[other] if other < n else model.flex_conaffinity[other - n]
    return (contype1 & conaffinity2) != 0 or (contype2 & conaffinity1) != 0


@small
def touching_distance(model, one, other):
    """The distance below which two sides make contacts."""
    if (model.opt_enableflags & ENBL_OVERRIDE) != 0:
        return model.opt_o_margin
    return max(margin_of(model, one), margin_of(model, other))


@kernel
def set_mixed(model, data, row, one, other):
    """Set the parameters of a contact from its two sides."""
    p1, p2 = priority_of(model, one), priority_of(model, other)
    weight = mixing_weight(p1, solmix_of(model, one), p2, solmix_of(model, other))
    higher = one if p1 > p2 else other
    blend = p1 != p2 or (solref_of(model, one, 0) > 0.0 and solref_of(model, other, 0) > 0.0)
    override = (model.opt_enableflags & ENBL_OVERRIDE) != 0
    data.contact_dim[row] = max(condim_of(model, one), condim_of(model, other))
    if p1 != p2:
        data.contact_dim[row] = condim_of(model, higher)
    for k in range(2):
        r1, r2 = solref_of(model, one, k), solref_of(model, other, k)
        data.contact_solref[row, k] = weight * r1 + (1.0 - weight) * r2 if blend else min(r1, r2)
        data.contact_solreffriction[row, k] = 0.0
        if override:
            data.contact_solref[row, k] = data.contact_solreffriction[row, k] = model.opt_o_solref[k]
    for k in range(5):
        which = 0 if k < 2 else (1 if k == 2 else 2)  # tangent, tangent, spin, roll, roll
        mu = max(friction_of(model, one, which), friction_of(model, other, which))
        if p1 != p2:
            mu = friction_of(model, higher, which)
        solimp = weight * solimp_of(model, one, k) + (1.0 - weight) * solimp_of(model, other, k)
        if override:
            mu, solimp = model.opt_o_friction[k], model.opt_o_solimp[k]
        data.contact_friction[row, k] = max(MINMU, mu)
        data.contact_solimp[row, k] = solimp
    margin = touching_distance(model, one, other)
    data.contact_includemargin[row] = margin - max(gap_of(model, one), gap_of(model, other))


@kernel
def set_side(model, data, row, k, side, elem, vert):
    """Name side k of a contact: a geom, or the element or the vertex (else -1) of a flex."""
    data.contact_geom[row, k] = side if side < model.ngeom else -1
    data.contact_flex[row, k] = side - model.ngeom if side >= model.ngeom else -1
    data.contact_elem[row, k] = elem
    data.contact_vert[row, k] = vert


@apart
def add_contacts(model, data, total, found, one, other, elem1, vert1, elem2, vert2):
    """Append `found` contacts from data.near_dist, near_pos and near_frame to `total`; their number then.

    Those that do not fit are counted too.
    """
    number = min(found, min(data.nconmax, MOST_CONTACTS) - total)
    if number <= 0:
        return total + found
    set_geometry(data, total, number)
    for row in range(total, total + number):
        set_mixed(model, data, row, one, other)
        set_side(model, data, row, 0, one, elem1, vert1)
        set_side(model, data, row, 1, other, elem2, vert2)
        if one == other:
            data.contact_includemargin[row] = 0.0
        data.contact_exclude[row] = 0 if data.contact_dist[row] < data.contact_includemargin[row] else 1
        data.contact_efc_address[row] = -1
        data.contact_mu[row] = 0.0
    return total + found
