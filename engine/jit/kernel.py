"""Read first for `dynamics/` and `collision/`: what a kernel is, and how it becomes compiled code.

A kernel is an ordinary Python function with one of the decorators below. They only note how it is to be compiled, so
that importing a kernel imports no compiler. The compiler of models and the window call some of them as the Python
functions that they are, before anything is compiled: `uncompiled(kernel)` (`engine/jit/uncompiled.py`).

- `compiled(kernel)` (`engine/jit/compiler.py`) is its machine code, callable with the same arguments. Every kernel that
  it calls is part of it. The GIL is released; nothing is allocated, and a kernel that would allocate does not compile.
- A float becomes an integer through `to_int` only (`engine/jit/rounding.py`), which clamps it: as an index, what the
  processor makes of NaN or 1e20 would end the process. A kernel that converts in another way does not compile.
- `@kernel` compiles a function, `@small` one that is inlined where it is called, `@apart` one that is not: large
  functions that are called in several places, and the tasks of loops that threads share (`engine/jit/parallel.py`).
  A small vector is a tuple, a large one lives in Model or Data.
- Inside compiled code a Model or a Data is ONE pointer to a table of (address, length). `data.xpos` is a borrowed
  array, `model.nbody` a constant, `data.ncon` (a cell) a number that can also be assigned. Names and types are those of
  `engine/model/fields.py`.
- `@compiled_as(other)` names the form that compiled code uses in place of a function: another kernel, or an intrinsic
  of `engine/jit/intrinsics.py` by name. `view`, the loads and stores of `engine/jit/vec.py` and the vectors of
  `engine/jit/simd.py` are such functions.
- `address_of(kernel, *types)` gives a compiled function's address; `call_stage` and `call_int` of
  `engine/jit/addresses.py` call through it. What is called through an address is compiled separately: a stage that a
  model does not use is never compiled. `@takes` states the types of a kernel that is called so and is no stage.
- Machine code is cached per user (`engine/jit/cache.py`), and loaded without numba (`engine/jit/object_code.py`). numba
  is imported only to compile (`engine/jit/translation.py`).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

Function = TypeVar("Function", bound=Callable[..., Any])

_OPTIONS = {"error_model": "numpy", "fastmath": {"contract"}}


def _compiled_with(**changes: Any) -> Callable[[Function], Function]:
    """A decorator that notes numba's options for a function."""
    options = {**_OPTIONS, **changes}

    def decorate(function: Function) -> Function:
        function.jit_options = options
        return function

    return decorate


kernel = _compiled_with()
small = _compiled_with(forceinline=True)

_never_inlined = _compiled_with(forceinline=False)  # said, as a function otherwise takes this over from its caller


def apart(function: Function) -> Function:
    """A kernel that is never inlined: there is one copy of its code."""
    function.jit_apart = True  # pyright: ignore[reportFunctionMemberAccess]
    return _never_inlined(function)


exact = _compiled_with(fastmath=False)  # no fused multiply-add
exact_small = _compiled_with(fastmath=False, forceinline=True)
dense = _compiled_with(fastmath={"contract", "reassoc"})  # dot products that may be vectorised
dense_small = _compiled_with(fastmath={"contract", "reassoc"}, forceinline=True)


def compiled_as(form: Callable[..., Any] | str) -> Callable[[Function], Function]:
    """Names what compiled code calls in place of a function: a kernel, or an intrinsic by its name."""

    def decorate(function: Function) -> Function:
        function.jit_form = form
        return function

    return decorate


def takes(*signature: Any) -> Callable[[Function], Function]:
    """Notes the types of the arguments that a kernel is called with from Python or through an address, as words of
    `engine/jit/compiler.py`. Without it a kernel that is called so is a stage(model, data).
    """

    def decorate(function: Function) -> Function:
        function.jit_takes = signature
        return function

    return decorate


def converts_floats(function: Function) -> Function:
    """A kernel that may turn a float into an integer: the others call it (`engine/jit/rounding.py`)."""
    function.jit_converts = True  # pyright: ignore[reportFunctionMemberAccess]
    return function


def compiled_only(function: Function) -> Function:
    """A function that has no form in Python: in compiled code the intrinsic of that name stands for it."""

    @compiled_as(function.__name__)
    @functools.wraps(function)
    def refuse(*_args: Any) -> Any:
        raise TypeError(f"{function.__name__} exists in compiled code only")

    return refuse  # pyright: ignore


def name_of(function: Callable[..., Any]) -> str:
    """The name of a kernel: "module:function"."""
    return f"{function.__module__}:{function.__qualname__}"


def find(name: str) -> Callable[..., Any]:
    """The kernel of a name, "module:function"; its module is imported."""
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)


class ListView:
    """Part of a list, from `start` on; writing to it writes to the list."""

    __slots__ = ("start", "values")

    def __init__(self, values: list, start: int):
        self.values, self.start = values, start

    def __getitem__(self, at: int) -> Any:
        return self.values[self.start + at]

    def __setitem__(self, at: int, value: Any) -> None:
        self.values[self.start + at] = value


@compiled_as("view")
def view(array, start, count):
    """array[start:start + count] of a 1-D array; compiled, without the bounds clamp and the test for negatives."""
    return ListView(array, start) if isinstance(array, list) else array[start : start + count]
