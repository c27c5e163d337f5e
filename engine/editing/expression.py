"""Arithmetic that a user types where a number is expected: "0.5*pi", "sqrt(2)/2", "+= 0.1".

    evaluate("2*pi")                 6.28...
    evaluate("*= 2", current=0.25)   0.5

The text is parsed by `ast` and only numbers, the operators + - * / // % **, brackets and the names in NAMES are
computed. Nothing else of Python is reachable.
"""

from __future__ import annotations

import ast
import math
import operator
import warnings
from collections.abc import Callable
from typing import Any

from kinetree.engine.translation import tr

__all__ = ["NAMES", "InvalidExpression", "evaluate"]

MOST = 300
"""Longer texts are refused."""

NAMES: dict[str, float | Callable[..., Any]] = {
    "pi": math.pi,
    "tau": math.tau,
    "e": math.e,
    **{
        function.__name__: function
        for function in (
            math.sin, math.cos, math.tan, math.asin, math.acos, math.atan, math.atan2, math.sqrt, math.exp, math.log,
            math.radians, math.degrees, math.hypot, abs, min, max, round,
        )
    },
    "deg": math.degrees,
    "rad": math.radians,
}  # fmt: skip
_BINARY: dict[type, Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_UNARY: dict[type, Callable[[float], float]] = {ast.UAdd: operator.pos, ast.USub: operator.neg}


class InvalidExpression(ValueError):
    """A text that is no arithmetic; str() says why."""


def evaluate(text: str, current: float | None = None) -> float:
    """The value of an expression. `current` is the value before, for "+= 1", "-= 1", "*= 2" and "/= 2". Raises
    InvalidExpression."""
    text = text.strip()
    if len(text) > MOST:
        raise InvalidExpression(tr("the expression is too long"))
    change = text[:2] if text[:2] in ("+=", "-=", "*=", "/=") else ""
    body = text[len(change) :].strip()
    if not body:
        raise InvalidExpression(tr("type a number, such as 0.5 or 2*pi"))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's about what is typed, such as "1if"
            tree = ast.parse(body, mode="eval")
        value = _value(tree.body)
        if change and current is not None:
            value = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}[change[0]](
                current, value
            )
        value = float(value)
    except InvalidExpression:
        raise
    except ZeroDivisionError:
        raise InvalidExpression(tr("division by zero")) from None
    except (OverflowError, MemoryError):
        raise InvalidExpression(tr("the result is too large")) from None
    except (SyntaxError, TypeError, ValueError, RecursionError):
        raise InvalidExpression(tr("'{body}' is not a number or an expression such as 0.5*pi", body=body)) from None
    if change and current is None:
        raise InvalidExpression(tr("there is no single value to start from"))
    if not math.isfinite(value):
        raise InvalidExpression(tr("the result is not a finite number"))
    return value


def _value(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return float(value)  # powers of integers could grow without limit
        case ast.BinOp() if type(node.op) in _BINARY:
            return _real(_BINARY[type(node.op)](_value(node.left), _value(node.right)))
        case ast.UnaryOp() if type(node.op) in _UNARY:
            return _UNARY[type(node.op)](_value(node.operand))
        case ast.Name():
            found = NAMES.get(node.id)
            if isinstance(found, float):
                return found
            raise InvalidExpression(
                tr("'{id}' is not known; there are {names}", id=node.id, names=", ".join(sorted(NAMES)))
            )
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            function = NAMES.get(name)
            if callable(function):
                return _real(function(*map(_value, arguments)))
            raise InvalidExpression(
                tr("'{name}' is not a function; there are {names}", name=name, names=", ".join(sorted(NAMES)))
            )
        case _:
            raise InvalidExpression(tr("only numbers, + - * / ** % and brackets can be computed"))


def _real(value: complex) -> float:
    if isinstance(value, complex):
        raise InvalidExpression(tr("the result is not a real number"))
    return value
