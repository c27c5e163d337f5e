"""The functions and constants of expressions (engine/run/expression.py).

A function takes arrays of shape (steps, columns) and works on each row alone, so that a row has the same bits however
many there are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce

import numpy as np


@dataclass(frozen=True)
class Function:
    """A row of FUNCTIONS. `compute` takes arrays of shape (steps, columns). least, most: number of arguments."""

    compute: Callable[..., np.ndarray]
    least: int
    most: int
    signature: str
    help: str


def _in_order(operation: Callable[[np.ndarray, np.ndarray], np.ndarray], value: np.ndarray) -> np.ndarray:
    """All columns combined from left to right, so that the bits do not depend on the number of rows."""
    return reduce(operation, (value[:, k : k + 1] for k in range(value.shape[1])))


def _sum(value: np.ndarray) -> np.ndarray:
    return _in_order(np.add, value)


def _norm(value: np.ndarray) -> np.ndarray:
    return np.sqrt(_sum(value * value))


def _min(*values: np.ndarray) -> np.ndarray:
    return _in_order(np.minimum, values[0]) if len(values) == 1 else reduce(np.minimum, values)


def _max(*values: np.ndarray) -> np.ndarray:
    return _in_order(np.maximum, values[0]) if len(values) == 1 else reduce(np.maximum, values)


def _mean(value: np.ndarray) -> np.ndarray:
    return _sum(value) / value.shape[1]


def _dot(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return _sum(first * second)


def _clip(value: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
    return np.minimum(np.maximum(value, low), high)


def where(condition: np.ndarray, yes: np.ndarray, no: np.ndarray) -> np.ndarray:
    return np.where(condition != 0.0, yes, no)


def truth(value: np.ndarray) -> np.ndarray:
    return value.astype(np.float64)


FUNCTIONS: dict[str, Function] = {
    "abs": Function(np.abs, 1, 1, "abs(x)", "absolute value"),
    "sign": Function(np.sign, 1, 1, "sign(x)", "-1, 0 or 1"),
    "sqrt": Function(np.sqrt, 1, 1, "sqrt(x)", "square root"),
    "exp": Function(np.exp, 1, 1, "exp(x)", "e to the power of x"),
    "log": Function(np.log, 1, 1, "log(x)", "natural logarithm"),
    "log10": Function(np.log10, 1, 1, "log10(x)", "decimal logarithm"),
    "sin": Function(np.sin, 1, 1, "sin(x)", "sine of an angle in radians"),
    "cos": Function(np.cos, 1, 1, "cos(x)", "cosine of an angle in radians"),
    "tan": Function(np.tan, 1, 1, "tan(x)", "tangent of an angle in radians"),
    "asin": Function(np.arcsin, 1, 1, "asin(x)", "angle in radians whose sine is x"),
    "acos": Function(np.arccos, 1, 1, "acos(x)", "angle in radians whose cosine is x"),
    "atan": Function(np.arctan, 1, 1, "atan(x)", "angle in radians whose tangent is x"),
    "atan2": Function(np.arctan2, 2, 2, "atan2(y, x)", "angle in radians of the point (x, y)"),
    "tanh": Function(np.tanh, 1, 1, "tanh(x)", "hyperbolic tangent"),
    "hypot": Function(np.hypot, 2, 2, "hypot(x, y)", "length of the vector (x, y)"),
    "floor": Function(np.floor, 1, 1, "floor(x)", "next integer below"),
    "ceil": Function(np.ceil, 1, 1, "ceil(x)", "next integer above"),
    "round": Function(np.rint, 1, 1, "round(x)", "nearest integer"),
    "degrees": Function(np.degrees, 1, 1, "degrees(x)", "an angle in radians, in degrees"),
    "radians": Function(np.radians, 1, 1, "radians(x)", "an angle in degrees, in radians"),
    "sum": Function(_sum, 1, 1, "sum(v)", "sum of all columns"),
    "mean": Function(_mean, 1, 1, "mean(v)", "mean of all columns"),
    "norm": Function(_norm, 1, 1, "norm(v)", "Euclidean length of a vector"),
    "min": Function(_min, 1, 8, "min(v), min(x, y)", "the least column of a vector, or the lesser of several values"),
    "max": Function(_max, 1, 8, "max(v), max(x, y)", "the greatest column, or the greater of several values"),
    "dot": Function(_dot, 2, 2, "dot(v, w)", "scalar product of two vectors"),
    "clip": Function(_clip, 3, 3, "clip(x, low, high)", "x kept between two bounds"),
    "where": Function(where, 3, 3, "where(c, x, y)", "x where the condition c holds, else y"),
}  # fmt: skip
KEEPING = frozenset(
    {np.add, np.subtract, np.negative, np.abs, np.mod, where}
    | {FUNCTIONS[name].compute for name in ("sum", "mean", "norm", "min", "max", "clip", "hypot", "round")}
)
"""Functions whose result has the unit of their arguments."""
CONSTANTS = {"pi": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan}
