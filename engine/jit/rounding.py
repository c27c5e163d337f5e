"""Floats to integers, for kernels: defined for every number, NaN and infinity included.

The processor turns a float that no integer can hold into the lowest integer, and used as an index that ends the
process. So a float becomes an integer in one way, `to_int`, which clamps it first. Kernels that convert in another way
(`int(x)`, `math.floor(x)`, a float stored among integers) do not compile: `engine/jit/translation.py` refuses them.
"""

from __future__ import annotations

import math

from kinetree.engine.jit.kernel import compiled_as, converts_floats, small


@converts_floats
@small
def to_int(x, low, high):
    """x without its fraction, within low to high; low for NaN."""
    if not x > low:
        return low
    return int(x) if x < high else high


@compiled_as("floor")
def floor(x):
    """The greatest whole number that is not above x, as a float; NaN and infinity as they are."""
    return math.copysign(math.floor(x), x) if math.isfinite(x) else x
