"""Arithmetic as text: operators, functions and constants, for number fields (engine/editing/expression.py) and for the
quantities of plots (engine/run/expression.py).

A text is parsed by Python's `ast` and translated node by node: nothing in it is ever run as Python. Values are arrays
of shape (steps, columns). A function works on each row alone, so that a row has the same bits however many there are.
"""

from __future__ import annotations

import ast
import math
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Generic, TypeVar

import numpy as np

from kinetree.engine.expression_syntax import explain
from kinetree.engine.translation import tr

Value = TypeVar("Value")


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


def _log(value: np.ndarray, base: np.ndarray | None = None) -> np.ndarray:
    return np.log(value) if base is None else np.log(value) / np.log(base)


def _hypot(*values: np.ndarray) -> np.ndarray:
    return reduce(np.hypot, values)


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
    "log": Function(_log, 1, 2, "log(x), log(x, base)", "natural logarithm"),
    "log10": Function(np.log10, 1, 1, "log10(x)", "decimal logarithm"),
    "sin": Function(np.sin, 1, 1, "sin(x)", "sine of an angle in radians"),
    "cos": Function(np.cos, 1, 1, "cos(x)", "cosine of an angle in radians"),
    "tan": Function(np.tan, 1, 1, "tan(x)", "tangent of an angle in radians"),
    "asin": Function(np.arcsin, 1, 1, "asin(x)", "angle in radians whose sine is x"),
    "acos": Function(np.arccos, 1, 1, "acos(x)", "angle in radians whose cosine is x"),
    "atan": Function(np.arctan, 1, 1, "atan(x)", "angle in radians whose tangent is x"),
    "atan2": Function(np.arctan2, 2, 2, "atan2(y, x)", "angle in radians of the point (x, y)"),
    "tanh": Function(np.tanh, 1, 1, "tanh(x)", "hyperbolic tangent"),
    "hypot": Function(_hypot, 2, 8, "hypot(x, y, ...)", "length of the vector (x, y)"),
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
BINARY: dict[type, Callable[..., np.ndarray]] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.Div: np.divide,
    ast.FloorDiv: np.floor_divide, ast.Mod: np.mod, ast.Pow: np.power,
}  # fmt: skip


def parsed(text: str) -> ast.expr:
    """The syntax tree of an expression. Raises InvalidSyntax, RecursionError or MemoryError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Python about Python: "1if" and such
        try:
            return ast.parse(text, mode="eval").body
        except SyntaxError as error:
            raise explain(text, (error.offset or 1) - 1) from None
        except ValueError:  # a null character
            raise explain(text) from None


class Arithmetic(ABC, Generic[Value]):
    """Translates numbers and operators. A subclass says what a value is, and what else there is."""

    @abstractmethod
    def value(self, node: ast.expr) -> Value:
        """Translate one node of the expression."""

    @abstractmethod
    def number(self, number: float) -> Value:
        """A number as a value."""

    @abstractmethod
    def apply(self, function: Callable[..., np.ndarray], values: Sequence[Value], at: ast.AST) -> Value:
        """A function of values."""

    @abstractmethod
    def fail(self, node: ast.AST, message: str) -> Exception:
        """The error to raise about a part of the expression."""

    def read_number(self, node: ast.Constant) -> Value:
        assert isinstance(node.value, int | float)
        try:
            return self.number(float(node.value))  # powers of integers could grow without limit
        except OverflowError:
            raise self.fail(node, tr("this number is too large")) from None

    def read_binary(self, node: ast.BinOp) -> Value:
        function = BINARY.get(type(node.op))
        if function is None:
            raise self.fail(node, tr("operators are + - * / // % and ** (power), comparisons, and, or, not"))
        return self.apply(function, [self.value(node.left), self.value(node.right)], node)

    def read_sign(self, node: ast.UnaryOp) -> Value:
        """+x or -x."""
        value = self.value(node.operand)
        return value if isinstance(node.op, ast.UAdd) else self.apply(np.negative, [value], node)


def is_number(node: ast.AST) -> bool:
    """Whether a node is a number as it is written."""
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)
