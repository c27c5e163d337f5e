"""Fields that the Motphys dialect adds to a model, read from models of both compilers."""

from __future__ import annotations

import numpy as np


def added(model, name: str, count: int, default: float) -> np.ndarray:
    """(count,) values of a field that the Motphys dialect adds; `default` for models of mujoco, which lack it."""
    return np.atleast_1d(getattr(model, f"mpex_{name}", np.full(count, default)))
