"""The last check of a compiled model: numbers that are each in order can be too large to compute with together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.fields import TABLES

if TYPE_CHECKING:
    from engine.diagnostics import Diagnostics
    from engine.model import Model

_KINDS = {"body": "body", "jnt": "joint", "geom": "geom", "site": "site", "cam": "camera"}


def check(model: Model, diagnostics: Diagnostics) -> None:
    """Report every body, joint, geom, site and camera with a number that is infinite or none, once."""
    found = set()
    for row in TABLES["Model"]:
        prefix, _, what = row.name.partition("_")
        kind = _KINDS.get(prefix)
        if kind is None or row.role != "array" or row.dtype != "f8":
            continue
        values = getattr(model, row.name)
        bad = ~np.isfinite(values.reshape(len(values), int(np.prod(values.shape[1:])))).all(1)
        for i in np.flatnonzero(bad).tolist():
            place = model.source_map.get((kind, i))
            if place is not None and (kind, i) not in found:
                found.add((kind, i))
                diagnostics.error(
                    place,
                    "out-of-range",
                    f"the {what} of this {kind} cannot be computed; use smaller numbers",
                )
