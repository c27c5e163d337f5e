"""Distance of two geoms, with the nearest points.

Geoms whose contacts the convex collider finds, and two boxes, are measured by it. Other pairs are measured by the
function for their contacts, with the greatest distance as margin: the least of its distances counts.

Source: specification, API reference, mj_geomDistance; what it leaves open is decided as in MuJoCo 3.3.4.
"""

from __future__ import annotations

import math

from kinetree.engine.collision.ccd import collider, witness
from kinetree.engine.collision.support import set_geom
from kinetree.engine.collision.table import SIGNATURE
from kinetree.engine.jit.addresses import call_int
from kinetree.engine.jit.kernel import kernel, small, takes
from kinetree.engine.jit.vec import addscale3, load3

LARGEST = 1.7976931348623157e308
NOTHING, BY_TYPE, BY_GEOM = 0, 1, 2
"""Results: nothing found; points on the geom of the lower type first; points on g1 first."""


@small
def set_fromto(data, a, b):
    for c in range(3):
        data.dist_fromto[c] = a[c]
        data.dist_fromto[3 + c] = b[c]


@takes(*SIGNATURE)
@kernel
def convex_distance(model, data, g1, g2, distmax):
    """Measure with the convex collider; the type of g1 is not above that of g2. See geom_distance."""
    set_geom(model, data, 0, g1, 0.0)
    set_geom(model, data, 1, g2, 0.0)
    collider(model, data, distmax)
    if not data.ccd_dist < math.inf:
        return NOTHING
    set_fromto(data, witness(data, 0), witness(data, 1))
    return BY_TYPE


@takes(*SIGNATURE)
@kernel
def contact_distance(model, data, g1, g2, distmax):
    """Measure with the function for contacts; the type of g1 is not above that of g2. See geom_distance."""
    address = data.collision_function[9 * model.geom_type[g1] + model.geom_type[g2]]
    best = -1
    number = call_int(address, (model, data, g1, g2, distmax))
    data.ccd_dist = distmax
    for k in range(number):
        if data.near_dist[k] < data.ccd_dist:
            data.ccd_dist = data.near_dist[k]
            best = k
    if best < 0:
        return NOTHING
    row = data.near_frame
    normal = (row[best, 0], row[best, 1], row[best, 2])
    middle = load3(data.near_pos, best)
    half = 0.5 * data.ccd_dist
    set_fromto(data, addscale3(middle, normal, -half), addscale3(middle, normal, half))
    return BY_GEOM


@takes(*SIGNATURE)
@kernel
def geom_distance(model, data, g1, g2, distmax):
    """Distance of two geoms, negative where they overlap; data.dist_fromto gets the nearest points.

    Where no distance below distmax was found, the points are 0 and the distance is distmax, or LARGEST if the pair is
    measured by the convex collider. Its points are those on the geom of the lower type and on the other one; the points
    of other pairs are those on g1 and on g2. data.distance_function must have the function for the pair's types:
    without it nothing is found.
    """
    swap = model.geom_type[g1] > model.geom_type[g2]
    first, second = (g2, g1) if swap else (g1, g2)
    set_fromto(data, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    data.ccd_dist = distmax
    found = NOTHING
    address = data.distance_function[9 * model.geom_type[first] + model.geom_type[second]]
    if address != 0:
        found = call_int(address, (model, data, first, second, distmax))
    if found == BY_GEOM and swap:
        near = data.dist_fromto
        a = (near[0], near[1], near[2])
        set_fromto(data, (near[3], near[4], near[5]), a)
    return min(data.ccd_dist, LARGEST)
