"""Enlarges margin and gap of hard geoms, and of named pairs with them: contacts are found before they touch.

`engine/dynamics/constraint/hard.py` says why, and takes it off again from the distance at which these contacts rest.
"""

from __future__ import annotations

import numpy as np

from kinetree.engine.dynamics.constraint.hard import REACH
from kinetree.engine.model.model import Model


def widen(model: Model) -> None:
    """Add the reach of hard geoms to the margins and gaps of geoms, bodies and pairs."""
    hard = np.flatnonzero(model.mpex_geom_hard)
    if not hard.size:
        return
    reach = np.zeros(model.ngeom)
    radius = model.geom_rbound[hard]
    reach[hard] = np.where(radius > 0, np.minimum(REACH, radius), REACH)
    model.geom_margin += reach
    model.geom_gap += reach
    np.maximum.at(model.body_margin, model.geom_bodyid, model.geom_margin)
    if model.npair:
        of_pair = np.maximum(reach[model.pair_geom1], reach[model.pair_geom2])
        model.pair_margin += of_pair
        model.pair_gap += of_pair
