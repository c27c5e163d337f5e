"""Comparing what two texts compile to."""

import numpy as np

from kinetree.engine.model.fields import by_name
from kinetree.engine.model.model import Model


def different(one: Model, other: Model) -> list[str]:
    """The fields of two models that differ, to the bit; names apart."""
    return [name for name in by_name("Model") if not _same(getattr(one, name), getattr(other, name))]


def _same(one, other) -> bool:
    one, other = np.asarray(one), np.asarray(other)
    return np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
