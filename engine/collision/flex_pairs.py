"""Contacts of a flex with a geom or with another flex: the function for the candidates of the broad phase.

A plane touches vertices, everything else elements. Lines are capsules, where the other side has a function for
capsules; a triangle and a sphere have a function of their own; all others are convex objects with a radius.

Source: specification, XML reference, "deformable/flex".
"""

from __future__ import annotations

import math

import numpy as np

from kinetree.engine.collision.capsule_box import touch_capsule_box
from kinetree.engine.collision.ccd import collider
from kinetree.engine.collision.convex import put_witnesses
from kinetree.engine.collision.flex_contact import add_contacts, touching_distance
from kinetree.engine.collision.flex_hfield import hfield_element
from kinetree.engine.collision.flex_shape import (
    boxes_overlap,
    holds_body,
    is_active,
    line_of,
    share_a_body,
    touch_triangle,
)
from kinetree.engine.collision.flex_tree import RUN, find_near, fit_tree
from kinetree.engine.collision.primitive import ZERO, axis_of, capsule_of, touch_capsule, touch_capsules, touch_plane
from kinetree.engine.collision.support import CORNERS, set_element, set_geom
from kinetree.engine.jit.kernel import apart, kernel, small, takes
from kinetree.engine.jit.vec import MINVAL, cross3, load3, load9, mulmatT3, normalize3, scale3, sub3
from kinetree.engine.model import enums


@takes("Model", "Data", "i8", "i8", "i8")
@kernel
def flex_candidate(model, data, one, other, total):
    """Append the contacts of a candidate to `total` contacts; their number then.

    The sides are geoms below model.ngeom, and flexes from there on; the second is always a flex.
    """
    flex = other - model.ngeom
    if one >= model.ngeom:
        return flex_flex(model, data, one - model.ngeom, flex, total)
    if model.geom_type[one] == enums.GEOM_PLANE:
        return plane_flex(model, data, one, flex, total)
    return geom_flex(model, data, one, flex, total)


@kernel
def plane_flex(model, data, geom, flex, total):
    """Every vertex as a sphere against the plane."""
    other = model.ngeom + flex
    margin = touching_distance(model, geom, other)
    origin, normal = load3(data.geom_xpos, geom), axis_of(data, geom)
    radius = model.flex_radius[flex]
    first = model.flex_vertadr[flex]
    for v in range(model.flex_vertnum[flex]):
        if touch_plane(data, 0, origin, normal, load3(data.flexvert_xpos, first + v), radius, margin, ZERO):
            total = add_contacts(model, data, total, 1, geom, other, -1, -1, -1, v)
    return total


@small
def _is_near(model, data, geom, box, reach):
    """Whether the box around an element reaches that of a geom."""
    A, B = data.flexelem_aabb, data.geom_bounds
    i, g = np.uint64(box), np.uint64(geom)  # unsigned: no test for negative indices
    return (
        A[i, 0] - A[i, 3] - reach <= B[g, 3]
        and B[g, 0] <= A[i, 0] + A[i, 3] + reach
        and A[i, 1] - A[i, 4] - reach <= B[g, 4]
        and B[g, 1] <= A[i, 1] + A[i, 4] + reach
        and A[i, 2] - A[i, 5] - reach <= B[g, 5]
        and B[g, 2] <= A[i, 2] + A[i, 5] + reach
    )


@small
def _is_run_near(data, run, geom, reach):
    """Whether the box around a run of elements reaches that of a geom."""
    R, B = data.flexrun_aabb, data.geom_bounds
    i, g = np.uint64(run), np.uint64(geom)
    return (
        R[i, 0] - reach <= B[g, 3]
        and B[g, 0] <= R[i, 3] + reach
        and R[i, 1] - reach <= B[g, 4]
        and B[g, 1] <= R[i, 4] + reach
        and R[i, 2] - reach <= B[g, 5]
        and B[g, 2] <= R[i, 5] + reach
    )


@kernel
def geom_flex(model, data, geom, flex, total):
    """Every element near a geom that is no plane."""
    other = model.ngeom + flex
    margin = touching_distance(model, geom, other)
    body = model.geom_bodyid[geom]
    first = model.flex_elemadr[flex]
    layers = (model.opt_disableflags & enums.DSBL_MIDPHASE) == 0
    number = model.flex_elemnum[flex]
    for run in range((number + RUN - 1) // RUN):
        if not _is_run_near(data, first + run, geom, margin):
            continue
        for element in range(RUN * run, min(RUN * run + RUN, number)):
            if not _is_near(model, data, geom, first + element, margin):
                continue
            if (layers and not is_active(model, flex, element)) or holds_body(model, flex, element, body):
                continue
            found = geom_element(model, data, geom, flex, element, margin)
            if found > 0:
                total = add_contacts(model, data, total, found, geom, other, -1, -1, element, -1)
    return total


@apart
def geom_element(model, data, geom, flex, element, margin):
    """Contacts of a geom with an element, into data.near_dist and so on; their number."""
    kind, dim = model.geom_type[geom], model.flex_dim[flex]
    if kind == enums.GEOM_HFIELD:
        return hfield_element(model, data, geom, flex, element, margin)
    if dim == 1 and kind == enums.GEOM_SPHERE:
        line = line_of(model, data, flex, element)
        centre = load3(data.geom_xpos, geom)
        return touch_capsule(data, centre, model.geom_size[geom, 0], axis_of(data, geom), line, margin)
    if dim == 1 and kind == enums.GEOM_CAPSULE:
        return touch_capsules(data, capsule_of(model, data, geom), line_of(model, data, flex, element), margin)
    if dim == 1 and kind == enums.GEOM_BOX:
        found = touch_capsule_box(model, data, line_of(model, data, flex, element), geom, margin)
        for k in range(found):
            for c in range(3):
                data.near_frame[k, c] = -data.near_frame[k, c]
        return found
    if dim == 2 and kind == enums.GEOM_SPHERE:
        centre = load3(data.geom_xpos, geom)
        return touch_triangle(model, data, centre, model.geom_size[geom, 0], flex, element, margin)
    set_geom(model, data, 0, geom, 0.5 * margin)
    set_element(model, data, 1, flex, element, 0.5 * margin)
    return 0 if geom_apart(model, data, geom) else convex_pair(model, data, margin)


@kernel
def geom_apart(model, data, geom):
    """Whether a side of the box around a geom separates it from the element that is object 1 of the collider.

    As for two elements, the collider would find no contact.
    """
    R, A, C = load9(data.geom_xmat, geom), model.geom_aabb, data.ccd_corner
    origin = load3(data.geom_xpos, geom)
    reach = data.ccd_half[0] + data.ccd_half[1] + 2.0 * model.opt_ccd_tolerance
    low, high = (math.inf, math.inf, math.inf), (-math.inf, -math.inf, -math.inf)
    for i in range(CORNERS, CORNERS + data.ccd_mesh[1, 0]):
        x, y, z = mulmatT3(R, sub3(load3(C, i), origin))
        low = (min(low[0], x), min(low[1], y), min(low[2], z))
        high = (max(high[0], x), max(high[1], y), max(high[2], z))
    return (
        low[0] - reach > A[geom, 0] + A[geom, 3]
        or high[0] + reach < A[geom, 0] - A[geom, 3]
        or low[1] - reach > A[geom, 1] + A[geom, 4]
        or high[1] + reach < A[geom, 1] - A[geom, 4]
        or low[2] - reach > A[geom, 2] + A[geom, 5]
        or high[2] + reach < A[geom, 2] - A[geom, 5]
    )


@kernel
def convex_pair(model, data, margin):
    """One contact of the two objects of the convex collider."""
    collider(model, data, 0.0)
    if not data.ccd_dist < 0.0:
        return 0
    put_witnesses(data, 0, margin)
    return 1


@kernel
def flex_flex(model, data, flex1, flex2, total):
    """Every pair of active elements of two flexes."""
    one, other = model.ngeom + flex1, model.ngeom + flex2
    margin = touching_distance(model, one, other)
    layers = (model.opt_disableflags & enums.DSBL_MIDPHASE) == 0
    first1, first2 = model.flex_elemadr[flex1], model.flex_elemadr[flex2]
    if layers:
        fit_tree(model, data, flex2)
    for e1 in range(model.flex_elemnum[flex1]):
        if layers and not is_active(model, flex1, e1):
            continue
        number = find_near(model, data, flex2, first1 + e1, margin) if layers else model.flex_elemnum[flex2]
        for k in range(number):
            e2 = int(data.flex_open[first2 + k]) if layers else k
            if not boxes_overlap(data, first1 + e1, first2 + e2, margin):
                continue
            found = element_element(model, data, flex1, e1, flex2, e2, margin)
            if found > 0:
                total = add_contacts(model, data, total, found, one, other, e1, -1, e2, -1)
    return total


@small
def _lowest(data, k, direction):
    """The least coordinate of the vertices of element k of the convex collider along a direction."""
    C, low = data.ccd_corner, math.inf
    for i in range(CORNERS * k, CORNERS * k + data.ccd_mesh[k, 0]):
        low = min(low, direction[0] * C[i, 0] + direction[1] * C[i, 1] + direction[2] * C[i, 2])
    return low


@small
def _middle(data, k):
    """The mean of the vertices of element k of the convex collider."""
    C, x, y, z = data.ccd_corner, 0.0, 0.0, 0.0
    for i in range(CORNERS * k, CORNERS * k + data.ccd_mesh[k, 0]):
        x, y, z = x + C[i, 0], y + C[i, 1], z + C[i, 2]
    scale = 1.0 / data.ccd_mesh[k, 0]
    return scale * x, scale * y, scale * z


@kernel
def elements_apart(model, data):
    """Whether the line between the middles, or the normal of one of two triangles, separates the elements.

    The collider would find no contact either: it looks at objects that are nearer than its tolerance.
    """
    reach = data.ccd_half[0] + data.ccd_half[1] + 2.0 * model.opt_ccd_tolerance
    for k in range(3):
        if k == 0:
            axis = sub3(_middle(data, 1), _middle(data, 0))
        else:
            first = CORNERS * (k - 1)
            if data.ccd_mesh[k - 1, 0] != 3:
                continue
            p = load3(data.ccd_corner, first)
            axis = cross3(sub3(load3(data.ccd_corner, first + 1), p), sub3(load3(data.ccd_corner, first + 2), p))
        axis, length = normalize3(axis)
        if length < MINVAL:
            continue
        back = scale3(axis, -1.0)
        if (
            max(_lowest(data, 1, axis) + _lowest(data, 0, back), _lowest(data, 0, axis) + _lowest(data, 1, back))
            > reach
        ):
            return True
    return False


@kernel
def element_element(model, data, flex1, e1, flex2, e2, margin):
    """Contacts of two elements that share no body, into data.near_dist and so on; their number."""
    if share_a_body(model, flex1, e1, flex2, e2):
        return 0
    return _touch(model, data, flex1, e1, flex2, e2, margin)


@apart
def _touch(model, data, flex1, e1, flex2, e2, margin):
    if model.flex_dim[flex1] == 1 and model.flex_dim[flex2] == 1:
        return touch_capsules(data, line_of(model, data, flex1, e1), line_of(model, data, flex2, e2), margin)
    set_element(model, data, 0, flex1, e1, 0.5 * margin)
    set_element(model, data, 1, flex2, e2, 0.5 * margin)
    return 0 if elements_apart(model, data) else convex_pair(model, data, margin)
