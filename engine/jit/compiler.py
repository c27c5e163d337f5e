"""Compiled kernels: their addresses, and calls of them from Python.

    address_of(stage)                        # of a stage(model, data), for tables that compiled code calls through
    address_of(pair, "Model", "Data", "i8")  # of a kernel with other arguments
    compiled(kernel)(model, data, array)     # called from Python, for the types of these arguments

A kernel comes from memory, else from the installation (engine/jit/shipped.py), else from the cache
(engine/jit/cache.py), else it is compiled here and now. numba is imported only where something must be compiled
(engine/jit/translation.py).

A signature is a tuple of words: "Model", "Data", a number ("f8", "i8", "b1", ... as in numpy), an array with contiguous
rows ("f8[2]": two dimensions), or a tuple of words for a tuple.
"""

from __future__ import annotations

import ctypes
import functools
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.jit import shipped
from kinetree.engine.jit.cache import file_of, hash_of, source_of
from kinetree.engine.jit.kernel import find, name_of
from kinetree.engine.jit.targets import Target, here
from kinetree.engine.model.memory import AddressTable

if TYPE_CHECKING:
    from kinetree.engine.jit.object_code import ObjectCode

Signature = tuple[Any, ...]

STAGE: Signature = ("Model", "Data")

_lock = threading.RLock()
_loaded: dict[tuple[Any, Signature], tuple[int, Any]] = {}


def address_of(kernel: Callable | str, *signature: Any) -> int:
    """Address of a kernel's code, given the kernel or its name; without a signature, as it states, or of a stage."""
    return _load(kernel, signature or getattr(kernel, "jit_takes", STAGE))[0]


def is_compiled(name: str, signature: Signature) -> bool:
    """Whether compiled code of the kernel of this name was installed, or lies in the cache."""
    return _kept(name, signature) is not None


def compile_into_cache(name: str, signature: Signature, targets: Sequence[Target] = ()) -> None:
    """Compile a kernel into the cache, without loading it, for these targets; without any, for this machine."""
    targets = [target for target in targets or (here(),) if read_cached(name, signature, target) is None]
    if targets:
        for target, code in zip(targets, _translate(find(name), signature, targets), strict=True):
            path = _path(name, signature, target)
            if path is not None:
                code.write(path)


def read_cached(name: str, signature: Signature, target: Target) -> ObjectCode | None:
    """A kernel's code in the cache, None if it is not there."""
    from kinetree.engine.jit.object_code import ObjectCode

    path = _path(name, signature, target)
    return None if path is None else ObjectCode.read(path)


def key_of(name: str, signature: Signature) -> str:
    """The key of a kernel for these arguments among the shipped ones."""
    return f"{name} {signature}"


def _load(kernel: Callable | str, signature: Signature) -> tuple[int, Any]:
    """Address and result of a kernel's code."""
    name = kernel if isinstance(kernel, str) else name_of(kernel)
    key = (kernel if "<" in name else name, signature)
    found = _loaded.get(key)
    if found is None:
        with _lock:
            if key not in _loaded:
                code = _object_code(kernel, name, signature)
                _loaded[key] = code.load(), code.result
            found = _loaded[key]
    return found


def _object_code(kernel: Callable | str, name: str, signature: Signature) -> ObjectCode:
    code = _kept(name, signature)
    if code is None:
        (code,) = _translate(find(kernel) if isinstance(kernel, str) else kernel, signature, [here()])
        path = _path(name, signature, here())
        if path is not None:
            code.write(path)
    return code


def _kept(name: str, signature: Signature) -> ObjectCode | None:
    """A kernel's code that was installed, or is in the cache."""
    source = _source(name)
    if source is None:
        return None
    code = shipped.find(key_of(name, signature), hash_of(source), here())
    return read_cached(name, signature, here()) if code is None else code


def _translate(kernel: Callable, signature: Signature, targets: Sequence[Target]) -> list[ObjectCode]:
    from kinetree.engine.jit.translation import translate

    return translate(kernel, signature, targets)


def _source(name: str) -> Path | None:
    """The file that a kernel is in; None for one that is made inside a function, and so has no name of its own."""
    module, _, function = name.partition(":")
    source = source_of(module)
    return None if "<" in function or not source.is_file() else source


@functools.cache
def _path(name: str, signature: Signature, target: Target) -> Path | None:
    """Where the cache keeps a kernel, None if it cannot be kept."""
    source = _source(name)
    return None if source is None else file_of(source, f"{name.partition(':')[2]} {signature}", target)


# ---- calls from Python ----------------------------------------------------------------------------------------------

_NUMBERS = {
    "f8": ctypes.c_double,
    "f4": ctypes.c_float,
    "i8": ctypes.c_int64,
    "i4": ctypes.c_int32,
    "u1": ctypes.c_uint8,
    "b1": ctypes.c_bool,
}


class CompiledKernel:
    """A kernel's machine code, callable with the arguments of the kernel. The GIL is released meanwhile."""

    def __init__(self, function: Callable):
        self.function = function

    def __call__(self, *args: Any) -> Any:
        return caller(self.function, *map(_word, args))(*args)


@functools.cache
def compiled(function: Callable) -> CompiledKernel:
    """The machine code of a kernel: it is compiled for the types of the arguments that it is called with."""
    return CompiledKernel(function)


@functools.cache
def caller(kernel: Callable, *signature: Any) -> Callable[..., Any]:
    """A function that calls a kernel with arguments of these types and no others; without types, of those it states."""
    signature = signature or kernel.jit_takes
    address, word = _load(kernel, signature)
    # As numba lays it out: where the result goes, where an exception would go, the arguments. It returns a status.
    types = [ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, *(one for part in signature for one in _c_types(part))]
    code, result_type, convert = ctypes.CFUNCTYPE(*types)(address), _c_result(word), [*map(_converter, signature)]

    def call(*args: Any) -> Any:
        result, exception = result_type(), ctypes.c_void_p()
        values = [one for f, arg in zip(convert, args, strict=True) for one in f(arg)]
        status = code(ctypes.addressof(result), ctypes.addressof(exception), *values)
        if status > 0:
            raise RuntimeError(f"{name_of(kernel)} ended with status {status}")
        return _from_c(word, result)

    return call


def _word(value: Any) -> Any:
    """The word of a signature that says what a value is."""
    if isinstance(value, AddressTable):
        return value.kind
    if isinstance(value, np.ndarray):
        if not value.flags.c_contiguous:
            raise TypeError("a kernel takes arrays whose entries follow each other in memory")
        return f"{value.dtype.str[1:]}[{value.ndim}]"
    if isinstance(value, tuple):
        return tuple(map(_word, value))
    if isinstance(value, bool):
        return "b1"
    if isinstance(value, np.generic):
        return value.dtype.str[1:]
    if isinstance(value, int):
        return "i8"
    if isinstance(value, float):
        return "f8"
    raise TypeError(f"a kernel takes no {type(value).__name__}")


def _c_types(word: Any) -> list[Any]:
    """The C types of the arguments that stand for one argument of a kernel."""
    if isinstance(word, tuple):
        return [one for part in word for one in _c_types(part)]
    if word in _NUMBERS:
        return [_NUMBERS[word]]
    return [ctypes.c_int64] * (5 + 2 * int(word[-2]) if word.endswith("]") else 1)


def _converter(word: Any) -> Callable[[Any], tuple[Any, ...]]:
    """A function that makes the values of these C types from an argument."""
    if isinstance(word, tuple):
        parts = [*map(_converter, word)]
        return lambda value: tuple(one for f, part in zip(parts, value, strict=True) for one in f(part))
    if word in _NUMBERS:
        return lambda value: (value,)
    return _array if word.endswith("]") else lambda value: (value.address,)


def _array(value: np.ndarray) -> tuple[int, ...]:
    """An array as numba passes it: two owners, number of entries, size of one, address, shape, strides."""
    return (0, 0, value.size, value.itemsize, value.ctypes.data, *value.shape, *value.strides)


def _c_result(word: Any) -> Any:
    """The C type that a result is written to."""
    if isinstance(word, list):
        fields = [(f"_{k}", _c_result(part)) for k, part in enumerate(word)]
        return type("Result", (ctypes.Structure,), {"_fields_": fields})
    return _NUMBERS[word] if word is not None else ctypes.c_int64


def _from_c(word: Any, result: Any) -> Any:
    """The result as a value of Python's."""
    if isinstance(word, list):
        parts = (getattr(result, f"_{k}") for k in range(len(word)))
        return tuple(_from_c(w, part) if isinstance(w, list) else part for w, part in zip(word, parts, strict=True))
    return None if word is None else result.value
