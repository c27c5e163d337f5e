"""Candidates with flexes: geoms and flexes whose boxes overlap, put among those of `engine/collision/broadphase.py`.

Source: specification, Computation, "Collision detection", Selection.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.broadphase import overlap, sort_range, two_in_one
from kinetree.engine.collision.flex_contact import masks_match
from kinetree.engine.jit.capacity import MOST_CANDIDATES, NNEARMAX, request
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.vec import load3
from kinetree.engine.jit.warn import warn
from kinetree.engine.model import enums


@kernel
def flex_bounds(model, data):
    """World boxes of all flexes, with radius and margin; (inf, -inf) for those that collide with nothing."""
    override = (model.opt_enableflags & enums.ENBL_OVERRIDE) != 0
    B, X = data.flex_bounds, data.flexvert_xpos
    for f in range(model.nflex):
        for c in range(3):
            B[f, c], B[f, c + 3] = math.inf, -math.inf
        if (model.flex_contype[f] | model.flex_conaffinity[f]) == 0:
            continue
        reach = model.flex_radius[f] + (model.opt_o_margin if override else model.flex_margin[f])
        reach += model.opt_ccd_tolerance
        first = model.flex_vertadr[f]
        for v in range(first, first + model.flex_vertnum[f]):
            for c in range(3):
                B[f, c] = min(B[f, c], X[v, c])
                B[f, c + 3] = max(B[f, c + 3], X[v, c])
        for c in range(3):
            B[f, c] -= reach
            B[f, c + 3] += reach


@kernel
def _reaches_plane(model, data, flex, geom):
    """Whether the box around a flex comes near a plane."""
    R, B = data.geom_xmat, data.flex_bounds
    p = load3(data.geom_xpos, geom)
    margin = model.opt_o_margin if (model.opt_enableflags & enums.ENBL_OVERRIDE) != 0 else model.geom_margin[geom]
    low = -margin
    for c in range(3):
        n = R[geom, 3 * c + 2]
        low += n * ((B[flex, c] if n > 0 else B[flex, c + 3]) - p[c])
    return low <= 0.0


@kernel
def _may_touch(model, data, geom, flex):
    """Whether masks and boxes let a geom touch a flex.

    As in the reference, where there is a midphase, planes need no mask of their own, if that of their body allows.
    """
    side = model.ngeom + flex
    body = model.geom_bodyid[geom]
    if model.geom_type[geom] == enums.GEOM_PLANE:
        if (model.opt_disableflags & enums.DSBL_MIDPHASE) != 0:
            return masks_match(model, geom, side) and _reaches_plane(model, data, flex, geom)
        contype, conaffinity = model.body_contype[body], model.body_conaffinity[body]
        if (contype & model.flex_conaffinity[flex]) == 0 and (model.flex_contype[flex] & conaffinity) == 0:
            return False
        return _reaches_plane(model, data, flex, geom)
    return masks_match(model, geom, side) and overlap(data.geom_bounds, geom, data.flex_bounds, flex)


@small
def _add(data, n, body, other, one, two):
    if n < data.nnearmax:
        data.near_bodies[n] = two_in_one(body, other)
        data.near_geoms[n] = two_in_one(one, two)
    return n + 1


@kernel
def flex_candidates(model, data):
    """Stage after `broad_phase`: add the candidates with flexes, in the order of contacts. Asks for memory.

    Flexes are numbered after the bodies in near_bodies, and after the geoms in near_geoms.
    """
    if (model.opt_disableflags & (enums.DSBL_CONTACT | enums.DSBL_CONSTRAINT)) != 0:
        return
    flex_bounds(model, data)
    n = data.nnear
    for flex in range(model.nflex):
        for geom in range(model.ngeom):
            if _may_touch(model, data, geom, flex):
                n = _add(data, n, model.geom_bodyid[geom], model.nbody + flex, geom, model.ngeom + flex)
        for other in range(flex + 1, model.nflex):
            one, two = model.ngeom + flex, model.ngeom + other
            if masks_match(model, one, two) and overlap(data.flex_bounds, flex, data.flex_bounds, other):
                n = _add(data, n, model.nbody + flex, model.nbody + other, one, two)
    if n > MOST_CANDIDATES <= data.nnearmax:
        n = MOST_CANDIDATES
        warn(data, enums.WARN_CONTACTFULL, data.ncon)
    if n > data.nnearmax:
        request(data, NNEARMAX, min(n, MOST_CANDIDATES))
        return
    sort_range(data.near_bodies, data.near_geoms, n)
    data.nnear = n
