"""Last pass of the compiler: refuses models whose derived values overflow although each input is finite."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.model.fields import TABLES
from kinetree.engine.model.kinds import KINDS
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.model.model import Model

_KINDS = ("body", "joint", "geom", "site", "camera", "actuator")
_PREFIXES = {KINDS[kind].prefix: kind for kind in _KINDS}
_NUMBERS = [
    (row.name, _PREFIXES[row.name.partition("_")[0]], row.name.partition("_")[2])
    for row in TABLES["Model"]
    if row.name.partition("_")[0] in _PREFIXES and row.kind == "array" and row.dtype == "f8"
]
"""(field, kind of object, name of the field without prefix)"""
_REMEDY = {"actuator_biasprm": marked("a damping ratio needs a kp that is not negative")}


def check(model: Model, diagnostics: Diagnostics) -> None:
    """Report each body, joint, geom, site, camera and actuator with a value that is infinite or NaN, once."""
    if model.all_finite():
        return
    found = set()
    for name, kind, what in _NUMBERS:
        values = getattr(model, name)
        if np.isfinite(values).all():
            continue
        bad = ~np.isfinite(values.reshape(len(values), int(np.prod(values.shape[1:])))).all(1)
        for i in np.flatnonzero(bad).tolist():
            origin = model.provenance.origin(kind, i)
            if origin is not None and (kind, i) not in found:
                found.add((kind, i))
                diagnostics.error(
                    origin.node.span,
                    "out-of-range",
                    tr(
                        "the {what} of this {kind} cannot be computed; {name}",
                        what=what,
                        kind=kind,
                        name=tr(_REMEDY.get(name, marked("use smaller numbers"))),
                    ),
                )
