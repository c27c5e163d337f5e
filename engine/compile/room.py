"""How much memory a model will take, asked before any of it is taken."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from engine.fields import DTYPES, TABLES

if TYPE_CHECKING:
    from engine.compile.indexing import Index
    from engine.diagnostics import Diagnostics, Located

MAX_BYTES = 2 << 30
"""Most that the arrays of a model, or of its state, may take together."""
MAX_BODIES = 20_000
"""Most bodies of a model, and so of points of soft objects with bodies of their own."""


def check_bodies(index: Index, diagnostics: Diagnostics) -> None:
    """Refuse a model with more bodies than can be compiled in reasonable time. Raises ModelError."""
    if len(index.bodies) > MAX_BODIES:
        diagnostics.error(
            index.bodies[MAX_BODIES].node.tag_span,
            "too-large",
            f"the model has {len(index.bodies)} bodies; at most {MAX_BODIES} are read: make fewer copies or points",
        )
        diagnostics.raise_if_errors()


def check(sizes: dict[str, int], place: Located, diagnostics: Diagnostics) -> None:
    """Report sizes that would take more than MAX_BYTES for Model or Data."""
    for kind, rows in TABLES.items():
        needed = {}
        for row in rows:
            if row.role == "array":
                count = 1
                for word in row.shape:
                    count *= max(word if isinstance(word, int) else int(sizes.get(word, 0)), 0)
                needed[row.name] = count * np.dtype(DTYPES[row.dtype]).itemsize
        total = sum(needed.values())
        if total > MAX_BYTES:
            most = max(needed, key=needed.get)
            diagnostics.error(
                place,
                "too-large",
                f"the {'model' if kind == 'Model' else 'state'} would take {total / 2**30:.1f} GB, most of it for {most}; "
                "make it smaller",
            )
            return
