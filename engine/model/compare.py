"""Compares two models: tells what of them is not the same but for rounding.

differing(one, two)       {"body_mass": 12.0}: arrays, names, sizes; {} for models that are the same
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.model.fields import TABLES

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

TOLERANCE = 1e-9
"""How far numbers may be apart, as a part of the largest one of their array, or of 1 if that is larger."""


def differing(first: Model, second: Model) -> dict[str, float]:
    """Names of differing fields, with the difference in units of TOLERANCE. Models of different sizes are compared by
    their sizes only.
    """
    bad = {name: math.inf for name in first.sizes if first.sizes[name] != second.sizes[name]}
    if bad:
        return bad
    for field in TABLES["Model"]:
        if field.kind != "size":
            apart = gap(getattr(first, field.name), getattr(second, field.name))
            if not apart <= 1.0:
                bad[field.name] = apart
    for kind in first.names:
        if first.names[kind] != second.names[kind]:
            bad[f"names[{kind}]"] = math.inf
    for section in vars(first.vis):
        mine, other = vars(getattr(first.vis, section)), vars(getattr(second.vis, section))
        bad |= {f"vis.{section}.{k}": math.inf for k in mine if not np.array_equal(mine[k], other[k])}
    if (first.name or "MuJoCo Model") != (second.name or "MuJoCo Model"):
        bad["name"] = math.inf
    if first.texts != second.texts:
        bad["texts"] = math.inf
    return bad


def gap(a, b) -> float:
    """How far two arrays are apart in units of TOLERANCE; inf if their shapes differ or only one is finite."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape:
        return math.inf
    if not a.size or np.array_equal(a, b):
        return 0.0
    a, b = a.astype(float), b.astype(float)
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        return 0.0 if np.array_equal(a, b, equal_nan=True) else math.inf
    scale = max(1.0, float(np.abs(b).max()))
    return float(np.abs(a - b).max() / scale) / TOLERANCE
