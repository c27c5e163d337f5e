"""Narrow phase: calls the collision function of each candidate pair, and sets the parameters of contacts.

The candidates come from the stage before, `broad_phase` in `engine/collision/broadphase.py`.

A pair function has the signature (model, data, g1, g2, margin) -> number of contacts, with the type of g1 not
above that of g2. It writes its contacts into the rows of data.near_dist, near_pos and near_frame (normal from
g1 to g2, then a preferred direction of the first tangent, zero if there is none). `engine/collision/table.py`
says which function belongs to which types. Candidates with a flex have one function (`engine/collision/flex_pairs.py`),
which appends the contacts itself.

Source: specification, Computation, "Collision detection" and "Contact"; XML reference, `contact`, `geom`,
`option` (contact override).
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.collision.broadphase import LOW_HALF
from kinetree.engine.collision.unfused import unit
from kinetree.engine.jit.addresses import call_int
from kinetree.engine.jit.capacity import MOST_CONTACTS, NCONMAX, request
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import MINVAL, addscale3, cross3, dot3, load3, normalize3
from kinetree.engine.jit.warn import warn
from kinetree.engine.model import enums

FLEX_PLACE = 82  # in data.collision_function, after the convex collider: the function for candidates with a flex
MINMU = 1e-5  # friction is never below this


@small
def contact_frame(normal, along):
    """(first tangent, second tangent) of a normal; the first follows `along` where that is not zero."""
    if dot3(along, along) < 0.25:
        along = (0.0, 1.0, 0.0) if abs(normal[1]) < 0.5 else (0.0, 0.0, 1.0)
    first, _ = normalize3(addscale3(along, normal, -dot3(along, normal)))
    return first, cross3(normal, first)


@small
def mixing_weight(p1, s1, p2, s2):
    """Weight of the first of two sides of a contact in its parameters, by their priorities and solmix."""
    if p1 != p2:
        return 1.0 if p1 > p2 else 0.0
    if s1 >= MINVAL and s2 >= MINVAL:
        return s1 / (s1 + s2)
    if s1 < MINVAL and s2 < MINVAL:
        return 0.5
    return 0.0 if s1 < MINVAL else 1.0


@kernel
def set_parameters(model, data, first, number, g1, g2, pair):
    """Set the parameters of contacts: those of the named pair, else mixed from the two geoms."""
    row, a, b = np.uint64(first), np.uint64(g1), np.uint64(g2)  # unsigned: no tests for negative indices
    solref, solreffriction = data.contact_solref, data.contact_solreffriction
    solimp, friction = data.contact_solimp, data.contact_friction
    if pair >= 0:
        dim = model.pair_dim[pair]
        margin = model.pair_margin[pair]
        gap = model.pair_gap[pair]
        for k in range(2):
            solref[row, k] = model.pair_solref[pair, k]
            solreffriction[row, k] = model.pair_solreffriction[pair, k]
        for k in range(5):
            solimp[row, k] = model.pair_solimp[pair, k]
            friction[row, k] = model.pair_friction[pair, k]
    else:
        margin = max(model.geom_margin[a], model.geom_margin[b])
        gap = max(model.geom_gap[a], model.geom_gap[b])
        weight = mixing_weight(
            model.geom_priority[g1], model.geom_solmix[g1], model.geom_priority[g2], model.geom_solmix[g2]
        )
        higher = a if model.geom_priority[a] > model.geom_priority[b] else b
        equal = model.geom_priority[a] == model.geom_priority[b]
        dim = max(model.geom_condim[a], model.geom_condim[b]) if equal else model.geom_condim[higher]
        blend = model.geom_solref[a, 0] > 0.0 and model.geom_solref[b, 0] > 0.0
        for k in range(2):
            r1 = model.geom_solref[a, k]
            r2 = model.geom_solref[b, k]
            if blend or not equal:
                solref[row, k] = weight * r1 + (1.0 - weight) * r2
            else:
                solref[row, k] = min(r1, r2)
            solreffriction[row, k] = 0.0
        for k in range(5):
            solimp[row, k] = weight * model.geom_solimp[a, k] + (1.0 - weight) * model.geom_solimp[b, k]
            which = 0 if k < 2 else (1 if k == 2 else 2)  # tangent, tangent, spin, roll, roll
            if equal:
                friction[row, k] = max(model.geom_friction[a, which], model.geom_friction[b, which])
            else:
                friction[row, k] = model.geom_friction[higher, which]
    if (model.opt_enableflags & enums.ENBL_OVERRIDE) != 0:
        margin = model.opt_o_margin
        for k in range(2):
            solref[row, k] = solreffriction[row, k] = model.opt_o_solref[k]
        for k in range(5):
            solimp[row, k] = model.opt_o_solimp[k]
            friction[row, k] = model.opt_o_friction[k]
    for k in range(5):
        friction[row, k] = max(MINMU, friction[row, k])
    for r in range(first + 1, first + number):
        i = np.uint64(r)
        for k in range(2):
            solref[i, k] = solref[row, k]
            solreffriction[i, k] = solreffriction[row, k]
        for k in range(5):
            solimp[i, k] = solimp[row, k]
            friction[i, k] = friction[row, k]
    for r in range(first, first + number):
        i = np.uint64(r)
        data.contact_dim[i] = dim
        data.contact_geom[i, 0] = g1
        data.contact_geom[i, 1] = g2
        for side in range(2):
            data.contact_flex[i, side] = data.contact_elem[i, side] = data.contact_vert[i, side] = -1
        data.contact_includemargin[i] = margin - gap
        data.contact_exclude[i] = 0 if data.contact_dist[i] < margin - gap else 1
        data.contact_efc_address[i] = -1
        data.contact_mu[i] = 0.0


@kernel
def set_geometry(data, first, number):
    """Set distance, position and frame of contacts from the output of the pair function."""
    for k in range(number):
        i = np.uint64(first + k)
        data.contact_dist[i] = data.near_dist[k]
        for c in range(3):
            data.contact_pos[i, c] = data.near_pos[k, c]
        row = data.near_frame
        normal = unit((row[k, 0], row[k, 1], row[k, 2]))
        tangents = contact_frame(normal, (row[k, 3], row[k, 4], row[k, 5]))
        frame = data.contact_frame
        for c in range(3):
            frame[i, c] = normal[c]
            frame[i, 3 + c] = tangents[0][c]
            frame[i, 6 + c] = tangents[1][c]


@small
def pair_margin(model, g1, g2, pair):
    """The distance below which two geoms make contacts."""
    if (model.opt_enableflags & enums.ENBL_OVERRIDE) != 0:
        return model.opt_o_margin
    if pair >= 0:
        return model.pair_margin[pair]
    return max(model.geom_margin[g1], model.geom_margin[g2])


@small
def spheres_apart(model, data, g1, g2, margin):
    """Whether the bounding spheres are farther apart than the margin; never for planes (radius 0)."""
    r1 = model.geom_rbound[g1]
    r2 = model.geom_rbound[g2]
    if r1 <= 0.0 or r2 <= 0.0:
        return False
    a = load3(data.geom_xpos, g1)
    b = load3(data.geom_xpos, g2)
    d = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    reach = r1 + r2 + margin
    return not dot3(d, d) <= reach * reach


@kernel
def collision(model, data):
    """Stage: find the contacts of all candidates. Writes ncon and contact_*, or asks for memory."""
    total = kept = 0
    data.nsdfpoint = 0
    room = min(data.nconmax, MOST_CONTACTS)
    for i in range(data.nnear):
        code = data.near_geoms[i]
        pair = -1
        if code < 0:
            pair = code + model.npair
            g1 = int(model.pair_geom1[pair])
            g2 = int(model.pair_geom2[pair])
        else:
            g1, g2 = code >> 32, code & LOW_HALF
        if g2 >= model.ngeom:
            fits = kept == total
            total = call_int(data.collision_function[FLEX_PLACE], (model, data, g1, g2, total))
            if fits:
                kept = min(total, room)
            continue
        if model.geom_type[g1] > model.geom_type[g2]:
            g1, g2 = g2, g1
        address = data.collision_function[9 * model.geom_type[g1] + model.geom_type[g2]]
        margin = pair_margin(model, g1, g2, pair)
        if address == 0 or spheres_apart(model, data, g1, g2, margin):
            continue
        found = call_int(address, (model, data, g1, g2, margin))
        if found > 0:
            total += found
            if total <= room:
                set_geometry(data, kept, found)
                set_parameters(model, data, kept, found, g1, g2, pair)
                kept = total
            elif total > MOST_CONTACTS:
                break
    if total > data.nconmax and data.nconmax < MOST_CONTACTS:
        request(data, NCONMAX, min(total, MOST_CONTACTS))
        return
    data.ncon = kept
    if total > kept and data.needs_memory == 0:
        warn(data, enums.WARN_CONTACTFULL, kept)
