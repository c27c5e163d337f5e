"""Options of a simulation after its text was edited: what the user changed while running stays."""

from __future__ import annotations

import numpy as np

from kinetree.engine.model.fields import by_name
from kinetree.engine.model.model import Model


def transfer_options(old: Model, live: Model, new: Model, new_live: Model) -> None:
    """Carry options that were changed while running over to the next version of a model.

    `old` and `new` have the options of their texts, `live` and `new_live` those of the simulation. An option keeps
    its live value, unless it was never changed or the new text says something else than the old one did.
    """
    for name in by_name("Model"):
        if not name.startswith("opt_"):
            continue
        value, text = getattr(live, name), getattr(old, name)
        if not np.array_equal(value, text) and np.array_equal(text, getattr(new, name)):
            setattr(new_live, name, value)
