"""Kernels in Python with the arithmetic of compiled code: IEEE 754, where no operation fails.

Python raises an exception for 1 / 0, math.sqrt(-1), math.exp(1000) and the like; compiled code goes on with an infinity
or NaN. `with_ieee(kernel)` is a kernel whose divisions, powers and functions of `math` do so too, as are all kernels
that it calls. It is made from the kernel's source and slower than the kernel as it stands, so it runs only where that
one failed: see `uncompiled` in `engine/jit/uncompiled.py`.
"""

from __future__ import annotations

import ast
import functools
import inspect
import math
import textwrap
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np


@functools.cache
def with_ieee(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel, as a Python function in which no arithmetic operation raises an exception."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kernel)))
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    function.decorator_list = []
    ast.increment_lineno(_Operators().visit(tree), kernel.__code__.co_firstlineno - 1)
    names = {name: _adapted(value) for name, value in kernel.__globals__.items()} | _BY_NAME
    exec(compile(ast.fix_missing_locations(tree), kernel.__code__.co_filename, "exec"), names)
    return names[kernel.__name__]


def _adapted(value: Any) -> Any:
    """Replacement of a global name in a kernel's module: kernels, modules of kernels and `math` with IEEE 754."""
    if value is math:
        return _Math()
    if isinstance(value, ModuleType) and value.__name__.startswith("kinetree.engine."):
        return _Module(value)
    if hasattr(value, "jit_options"):
        return lambda *args: with_ieee(value)(*args)
    return value


class _Module:
    """A module of kernels."""

    def __init__(self, module: ModuleType) -> None:
        self._module = module

    def __getattr__(self, name: str) -> Any:
        return _adapted(getattr(self._module, name))


# ---- operations -----------------------------------------------------------------------------------------------------


def _divide(a: Any, b: Any) -> Any:
    try:
        return a / b
    except ZeroDivisionError:
        return _by_numpy("divide", a, b)


def _floor_divide(a: int, b: int) -> int:
    return a // b if b != 0 else 0


def _modulo(a: int, b: int) -> int:
    return a % b if b != 0 else 0


def _power(a: Any, b: Any) -> Any:
    try:
        result = a**b
    except ArithmeticError:
        return _by_numpy("power", a, b)
    return math.nan if isinstance(result, complex) else result


def _by_numpy(name: str, *args: float) -> float:
    """A function of numpy's that gives infinity or NaN where Python's raises an exception."""
    with np.errstate(all="ignore"):
        return float(getattr(np, name)(*map(float, args)))


_NUMPY = {"acos": "arccos", "asin": "arcsin", "pow": "power"}
"""Functions of `math` that raise exceptions, where numpy's name is another."""


class _Math:
    """The module `math`."""

    @functools.cache  # noqa: B019 (there are few objects, and they stay)
    def __getattr__(self, name: str) -> Any:
        function = getattr(math, name)
        if not callable(function):
            return function

        def call(*args: Any) -> Any:
            try:
                return function(*args)
            except (ValueError, OverflowError):
                return _by_numpy(_NUMPY.get(name, name), *args)

        return call


_BY_NAME: dict[str, Any] = {function.__name__: function for function in (_divide, _floor_divide, _modulo, _power)}
_FUNCTIONS = {ast.Div: _divide, ast.FloorDiv: _floor_divide, ast.Mod: _modulo, ast.Pow: _power}


class _Operators(ast.NodeTransformer):
    """Replaces operators that can raise an exception by calls of functions that do not."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        return self._call(node, node.op, node.left, node.right) or node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        self.generic_visit(node)
        old = ast.parse(ast.unparse(node.target), mode="eval").body
        called = self._call(node, node.op, old, node.value)
        return node if called is None else ast.copy_location(ast.Assign([node.target], called), node)

    def _call(self, node: ast.AST, operator: ast.operator, left: ast.expr, right: ast.expr) -> ast.expr | None:
        function = _FUNCTIONS.get(type(operator))
        if function is None:
            return None
        return ast.copy_location(ast.Call(ast.Name(function.__name__, ast.Load()), [left, right], []), node)
