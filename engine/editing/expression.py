"""Arithmetic that a user types where a number is expected: "0.5*pi", "sqrt(2)/2", "+= 0.1".

    evaluate("2*pi")                 6.28...
    evaluate("*= 2", current=0.25)   0.5

It has the operators, functions and constants of `engine/arithmetic.py`, and deg, rad and tau.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence

import numpy as np

from kinetree.engine.arithmetic import BINARY, CONSTANTS, FUNCTIONS, Arithmetic, is_number, parsed
from kinetree.engine.expression_syntax import InvalidSyntax
from kinetree.engine.translation import tr

__all__ = ["InvalidExpression", "evaluate"]

MOST = 300
"""Longer texts are refused."""

_CONSTANTS = {**{name: value for name, value in CONSTANTS.items() if math.isfinite(value)}, "tau": math.tau}
_FUNCTIONS = {**FUNCTIONS, "deg": FUNCTIONS["degrees"], "rad": FUNCTIONS["radians"]}
_CHANGES: dict[str, Callable[..., np.ndarray]] = {
    "+=": np.add, "-=": np.subtract, "*=": np.multiply, "/=": np.divide,
}  # fmt: skip


class InvalidExpression(ValueError):
    """A text that is no arithmetic; str() says why."""


def evaluate(text: str, current: float | None = None) -> float:
    """The value of an expression. `current` is the value before, for "+= 1", "-= 1", "*= 2" and "/= 2". Raises
    InvalidExpression."""
    text = text.strip()
    if len(text) > MOST:
        raise InvalidExpression(tr("the expression is too long"))
    change = _CHANGES.get(text[:2])
    body = text[2:].strip() if change is not None else text
    if not body:
        raise InvalidExpression(tr("type a number, such as 0.5 or 2*pi"))
    reader = _Numbers()
    try:
        tree = parsed(body)
        value = reader.value(tree)
        if change is not None:
            if current is None:
                raise InvalidExpression(tr("there is no single value to start from"))
            value = reader.apply(change, [reader.number(current), value], tree)
    except InvalidExpression:
        raise
    except (OverflowError, MemoryError):
        raise InvalidExpression(tr("the result is too large")) from None
    except InvalidSyntax as error:
        raise InvalidExpression(
            tr("'{body}' is not a number or an expression such as 0.5*pi", body=body)
            + tr("; column {column}: {message}", column=error.start + 1, message=error.message)
        ) from None
    except (ValueError, RecursionError):
        raise InvalidExpression(tr("'{body}' is not a number or an expression such as 0.5*pi", body=body)) from None
    result = value.item()
    if not math.isfinite(result):
        raise InvalidExpression(tr("the result is not a finite number"))
    return result


class _Numbers(Arithmetic[np.ndarray]):
    """Computes the value of each node, of shape (1, 1)."""

    def number(self, number: float) -> np.ndarray:
        return np.array([[number]])

    def fail(self, node: ast.AST, message: str) -> InvalidExpression:
        return InvalidExpression(message)

    def apply(self, function: Callable[..., np.ndarray], values: Sequence[np.ndarray], at: ast.AST) -> np.ndarray:
        try:
            with np.errstate(divide="raise", invalid="raise", over="raise"):
                return np.asarray(function(*values), np.float64)
        except FloatingPointError as error:
            raise InvalidExpression(_reason(str(error), isinstance(at, ast.BinOp))) from None

    def value(self, node: ast.expr) -> np.ndarray:
        match node:
            case ast.Constant() if is_number(node):
                return self.read_number(node)
            case ast.BinOp() if type(node.op) in BINARY:
                return self.read_binary(node)
            case ast.UnaryOp(op=ast.UAdd() | ast.USub()):
                return self.read_sign(node)
            case ast.Name(id=name):
                if name not in _CONSTANTS:
                    raise InvalidExpression(tr("'{id}' is not known; there are {names}", id=name, names=_names()))
                return self.number(_CONSTANTS[name])
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                row = _FUNCTIONS.get(name)
                if row is None:
                    raise InvalidExpression(
                        tr("'{name}' is not a function; there are {names}", name=name, names=_names())
                    )
                if not row.least <= len(arguments) <= row.most:
                    raise ValueError(name)
                return self.apply(row.compute, [self.value(each) for each in arguments], node)
            case _:
                raise InvalidExpression(tr("only numbers, + - * / ** % and brackets can be computed"))


def _reason(said: str, is_operator: bool) -> str:
    """Reason why a result is invalid, from numpy's error message."""
    if said.startswith("overflow"):
        return tr("the result is too large")
    if is_operator and (said.startswith("divide by zero") or "power" not in said):
        return tr("division by zero")
    if said.startswith("divide by zero"):
        return tr("the result is not a finite number")
    return tr("the result is not a real number")


def _names() -> str:
    return ", ".join(sorted([*_CONSTANTS, *_FUNCTIONS]))
