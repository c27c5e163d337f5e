"""No kernel turns a float into an integer but through `to_int`, which clamps it first: others do not compile."""

from __future__ import annotations

import math

import numpy as np
import pytest

from kinetree.engine.jit.compiler import compile_into_cache, compiled, is_compiled
from kinetree.engine.jit.kernel import kernel, small
from kinetree.engine.jit.rounding import floor, to_int
from kinetree.engine.run import warmup
from kinetree.engine.run.kernels import kernels

ODD = (
    0.0, -0.0, 0.3, -0.3, 0.999999, 1.0, -1.0, 2.5, -2.5, 6.99, 7.0, 1e9, 2.0**31, -(2.0**31), 2.0**53 + 2, 2.0**62, 2.0**63,
    -(2.0**63), 1e19, -1e19, 1e300, -1e300, 5e-324, math.inf, -math.inf, math.nan,
)  # fmt: skip
RANGES = ((0, 7), (-5, 9), (-1, -1), (3, 3), (0, 2**31 - 1), (-(2**62), 2**62), (5, 2))


def expected(x: float, low: int, high: int) -> int:
    """Result of `to_int`, in whole numbers."""
    if math.isnan(x) or x <= low:
        return low
    return high if x >= high else math.trunc(x)


@pytest.mark.parametrize("function", [to_int, compiled(to_int)], ids=["uncompiled", "compiled"])
def test_a_float_becomes_an_integer_within_bounds(function):
    for x in ODD:
        for low, high in RANGES:
            assert function(x, low, high) == expected(x, low, high), (x, low, high)


@kernel
def _floor(x):
    return floor(x)


@pytest.mark.parametrize("function", [floor, compiled(_floor)], ids=["uncompiled", "compiled"])
def test_floor_is_a_float_for_every_number(function):
    for x in ODD:
        found, whole = function(x), float(np.floor(x))
        assert type(found) is float and repr(found) == repr(whole), x


@kernel
def _by_int(x, counts):
    return int(x)


@kernel
def _by_floor(x, counts):
    return math.floor(x)


@kernel
def _by_ceil(x, counts):
    return math.ceil(x)


@kernel
def _by_round(x, counts):
    return round(x)


@kernel
def _by_type(x, counts):
    return np.int64(x)


@kernel
def _by_unsigned_type(x, counts):
    return np.uint32(x)


@kernel
def _by_storing(x, counts):
    counts[0] = x


@small
def _inner(x):
    return int(x)


@kernel
def _by_calling(x, counts):
    return _inner(x) + 1


@kernel
def _allowed(x, counts):
    counts[0] = to_int(x, 0, 9)
    return int(counts[0]) + np.int64(counts[0]) + to_int(-floor(-x), 0, 9)


@pytest.mark.parametrize(
    "function",
    [_by_int, _by_floor, _by_ceil, _by_round, _by_type, _by_unsigned_type, _by_storing, _by_calling],
    ids=lambda function: function.__name__,
)
def test_other_conversions_do_not_compile(function):
    from numba.core.errors import NumbaError

    with pytest.raises(NumbaError, match=r"turns a float into an integer.*use to_int and floor of engine/jit/rounding"):
        compiled(function)(1.5, np.zeros(1, np.int32))


def test_what_compiles_and_how_it_rounds():
    counts = np.zeros(1, np.int32)
    assert compiled(_allowed)(3.5, counts) == _allowed(3.5, counts) == 3 + 3 + 4
    assert compiled(_allowed)(math.nan, counts) == 0 and compiled(_allowed)(math.inf, counts) == 27


def test_every_kernel_of_the_engine_compiles():
    """Each was compiled by this version of the translation, so that none converts in another way."""
    names = kernels()
    assert len(names) > 100
    for name in names:
        compile_into_cache(name, warmup.signature(name))
        assert is_compiled(name, warmup.signature(name)), name
