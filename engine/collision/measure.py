"""kinetree.geom_distance: the distance of two geoms, asked for from Python."""

from __future__ import annotations

import numpy as np

from kinetree.engine.collision import table
from kinetree.engine.model.arguments import number, object_id
from kinetree.engine.model.data import Data, check_computed
from kinetree.engine.model.model import Model


def geom_distance(
    model: Model, data: Data, geom1: int | str, geom2: int | str, distmax: float
) -> tuple[float, np.ndarray]:
    """Return the distance of the surfaces of two geoms, m, negative in penetration, and the two nearest points, (6,),
    m.

    The points are x, y, z of the one on geom1, then of the one on geom2. Geoms farther apart than distmax have the
    distance distmax, and points that are 0. So have types that never collide (two planes, two height fields). Poses are
    those of the last forward dynamics or kinematics.

    geom1     id or name
    geom2     id or name
    distmax   limit of the distance, m

    Raises KeyError or IndexError for an unknown geom, ValueError when distmax is negative or not a number, and where no
    poses were computed.

    Source: specification, Computation, "Geom distance"; API reference, mj_geomDistance.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        distance, points = kinetree.geom_distance(model, data, "palm", "table", 10.0)
        assert np.isclose(distance, np.linalg.norm(points[3:] - points[:3]))
    """
    from kinetree.engine.collision.distance import geom_distance as kernel
    from kinetree.engine.jit.compiler import caller

    check_computed(model, data)
    first, second = (object_id(model, "geom", geom) for geom in (geom1, geom2))
    distmax = number(distmax, "distmax", least=0.0, infinite=True)
    types = int(model.geom_type[first]), int(model.geom_type[second])
    pair = min(types), max(types)
    function = table.distance_function(model, pair)
    measured = {pair: function} if function is not None else {}
    kept = data.collision_function.copy(), data.distance_function.copy()
    data.collision_function = table.addresses(table.supporting_pairs(model, measured))
    data.distance_function = table.addresses(measured)[: table.PAIR_PLACES]
    try:
        found = caller(kernel)(model, data, first, second, float(distmax))
        while data.needs_memory:
            data.grow()
            found = caller(kernel)(model, data, first, second, float(distmax))
    finally:
        data.collision_function, data.distance_function = kept
    points = data.dist_fromto.copy()
    if types[0] > types[1] and function == table.CONVEX_DISTANCE:
        points = np.roll(points, 3)
    return min(found, float(distmax)), points
