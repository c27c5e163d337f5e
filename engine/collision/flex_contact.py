"""Contacts with flexes: one row of the list of contacts, and its parameters from the two sides.

A side is a number here: a geom below model.ngeom, and from there on a flex.

Source: specification, Computation, "Contact"; XML reference, "flex/contact".
"""

from __future__ import annotations

from kinetree.engine.collision.driver import MINMU, mixing_weight, set_geometry
from kinetree.engine.jit.capacity import MOST_CONTACTS
from kinetree.engine.jit.kernel import apart, kernel, small
from kinetree.engine.jit.vec import load3
from kinetree.engine.model import enums


@small
def row_of(priority, condim, gap, solmix, solref, solimp, friction, i):
    return (
        priority[i],
        condim[i],
        gap[i],
        solmix[i],
        (solref[i, 0], solref[i, 1]),
        (solimp[i, 0], solimp[i, 1], solimp[i, 2], solimp[i, 3], solimp[i, 4]),
        load3(friction, i),
    )


@small
def parameters_of(model, side):
    """Priority, condim, gap, solmix, solref, solimp and friction (along, about the normal, rolling) of a side."""
    if side < model.ngeom:
        return row_of(
            model.geom_priority, model.geom_condim, model.geom_gap, model.geom_solmix, model.geom_solref,
            model.geom_solimp, model.geom_friction, side,
        )  # fmt: skip
    return row_of(
        model.flex_priority, model.flex_condim, model.flex_gap, model.flex_solmix, model.flex_solref,
        model.flex_solimp, model.flex_friction, side - model.ngeom,
    )  # fmt: skip


@small
def margin_of(model, side):
    return model.geom_margin[side] if side < model.ngeom else model.flex_margin[side - model.ngeom]


@small
def masks_of(model, side):
    """contype and conaffinity of a side."""
    if side < model.ngeom:
        return model.geom_contype[side], model.geom_conaffinity[side]
    flex = side - model.ngeom
    return model.flex_contype[flex], model.flex_conaffinity[flex]


@small
def masks_match(model, one, other):
    """Whether contype and conaffinity let two sides collide."""
    contype1, conaffinity1 = masks_of(model, one)
    contype2, conaffinity2 = masks_of(model, other)
    return (contype1 & conaffinity2) != 0 or (contype2 & conaffinity1) != 0


@small
def touching_distance(model, one, other):
    """The distance below which two sides make contacts."""
    if (model.opt_enableflags & enums.ENBL_OVERRIDE) != 0:
        return model.opt_o_margin
    return max(margin_of(model, one), margin_of(model, other))


@kernel
def set_mixed(model, data, row, one, other):
    """Set the parameters of a contact from its two sides."""
    p1, dim1, gap1, mix1, ref1, imp1, friction1 = parameters_of(model, one)
    p2, dim2, gap2, mix2, ref2, imp2, friction2 = parameters_of(model, other)
    weight = mixing_weight(p1, mix1, p2, mix2)
    equal = p1 == p2
    blend = not equal or (ref1[0] > 0.0 and ref2[0] > 0.0)
    override = (model.opt_enableflags & enums.ENBL_OVERRIDE) != 0
    data.contact_dim[row] = max(dim1, dim2) if equal else (dim1 if p1 > p2 else dim2)
    for k in range(2):
        data.contact_solref[row, k] = weight * ref1[k] + (1.0 - weight) * ref2[k] if blend else min(ref1[k], ref2[k])
        data.contact_solreffriction[row, k] = 0.0
        if override:
            data.contact_solref[row, k] = data.contact_solreffriction[row, k] = model.opt_o_solref[k]
    for k in range(5):
        which = 0 if k < 2 else (1 if k == 2 else 2)  # tangent, tangent, spin, roll, roll
        mu1, mu2 = friction1[which], friction2[which]
        mu = max(mu1, mu2) if equal else (mu1 if p1 > p2 else mu2)
        solimp = weight * imp1[k] + (1.0 - weight) * imp2[k]
        if override:
            mu, solimp = model.opt_o_friction[k], model.opt_o_solimp[k]
        data.contact_friction[row, k] = max(MINMU, mu)
        data.contact_solimp[row, k] = solimp
    data.contact_includemargin[row] = touching_distance(model, one, other) - max(gap1, gap2)


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
