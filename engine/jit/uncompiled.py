"""Runs kernels as plain Python, over Model and Data as lists.

    state = ListState(lists := Lists(model))    # at qpos0
    uncompiled(kinematics)(lists, state)    # a kernel of engine/dynamics, as the Python function that it is

The compiler uses this to compute constants at qpos0 (inverse weights, lengths), and the window to compute the first
picture. Lists of Python's numbers are several times as fast as numpy arrays element by element. Nothing has to be
compiled, and numba is not even imported. `uncompiled` makes x / 0 behave as in compiled code.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.model.fields import DTYPES, by_name

if TYPE_CHECKING:
    from kinetree.engine.model.data import Data
    from kinetree.engine.model.model import Model


@functools.cache
def uncompiled(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel to be called from Python, with the results that it has compiled: infinity and NaN, and no exception.

    The kernel runs as it stands, the fastest way. Where Python's arithmetic raises an exception, what it has written to
    a State, an array or a list is undone, and it runs again with that of `engine/jit/ieee.py`.
    """

    @functools.wraps(kernel)
    def call(*args: Any) -> Any:
        before = [(arg, _copy(arg)) for arg in args if type(arg) in _WRITTEN]
        with np.errstate(all="ignore"):
            try:
                return kernel(*args)
            except (ArithmeticError, ValueError):
                from kinetree.engine.jit.ieee import with_ieee

                for arg, copy in before:
                    _put_back(arg, copy)
                return with_ieee(kernel)(*args)

    return call


def _copy(arg: Any) -> Any:
    """Copy of an argument before a kernel writes to it."""
    if type(arg) is not ListState:
        return arg.copy()
    return {name: type(value)(value) if isinstance(value, list) else value for name, value in vars(arg).items()}


def _put_back(arg: Any, copy: Any) -> None:
    """Make an argument what it was when it was copied."""
    if type(arg) is not ListState:
        arg[:] = copy
        return
    vars(arg).clear()
    vars(arg).update(copy)


class _Rows(list):
    """Rows of numbers that can also be reached one number at a time, a[i, k], as kernels now and then do."""

    __slots__ = ()

    def __getitem__(self, at):
        if type(at) is tuple:
            return list.__getitem__(self, at[0])[at[1]]
        return list.__getitem__(self, at)

    def __setitem__(self, at, value):
        if type(at) is tuple:
            row = list(list.__getitem__(self, at[0]))  # rows may be shared
            row[at[1]] = value
            value, at = row, at[0]
        list.__setitem__(self, at, value)


class Lists:
    """A model's numbers and arrays as Python's, each converted when it is first asked for."""

    def __init__(self, model: Model, **instead: Any):
        self.model = model
        self.__dict__.update(instead)

    def put(self, **columns: Any) -> None:
        """Set fields of the model, and what they are here, to lists."""
        own, arrays = self.__dict__, self.model._arrays
        for name, values in columns.items():
            if type(values) is list:
                arrays[name][...] = values
                if values and type(values[0]) not in (int, float):
                    values = _Rows(values)
            own[name] = values

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.model, name)
        if isinstance(value, np.ndarray):
            value = value.tolist() if value.ndim == 1 else _Rows(value.tolist())
        self.__dict__[name] = value
        return value


class ListState:
    """Stands for Data: its arrays as lists, zeros at the first access, positions at qpos0.

    arrays   the same as arrays of the types and shapes that Data has, each with its value at the first access
    """

    ncon = pool = 0

    def __init__(self, model: Lists, data: Data | None = None):
        """`data`: where positions come from instead."""
        self._model = model
        self._found: dict[str, np.ndarray] = {}
        if data is not None:
            self.qpos = data.qpos.tolist()
            self.mocap_pos, self.mocap_quat = _Rows(data.mocap_pos.tolist()), _Rows(data.mocap_quat.tolist())
            return
        self.qpos = model.qpos0
        mocap = {at: body for body, at in enumerate(model.body_mocapid) if at >= 0}
        self.mocap_pos = _Rows(model.body_pos[mocap[at]] for at in range(len(mocap)))
        self.mocap_quat = _Rows(model.body_quat[mocap[at]] for at in range(len(mocap)))

    @property
    def arrays(self) -> Arrays:
        return Arrays(self, self._found)

    def store(self, data: Data) -> None:
        """Write everything that was computed into a Data."""
        arrays = data._arrays
        for name, values in vars(self).items():
            if name in arrays and values:
                arrays[name][...] = values

    def shape(self, name: str) -> list[int]:
        """The shape that an array of Data has."""
        return [n if isinstance(n, int) else getattr(self._model, n) for n in by_name("Data")[name].shape]

    def __getattr__(self, name: str) -> list:
        if name.startswith("__"):
            raise AttributeError(name)
        zero, length = _zeros()[name]
        value = [zero] * getattr(self._model, length) if isinstance(length, str) else [zero] * length
        if type(zero) is tuple:
            value = _Rows(value)
        self.__dict__[name] = value
        return value


_WRITTEN = (ListState, np.ndarray, list)
"""Types of arguments that kernels write to."""


@functools.cache
def _zeros() -> dict[str, tuple[Any, int | str]]:
    """Array of Data -> (one item of its list, how many there are)."""
    found: dict[str, tuple[Any, int | str]] = {}
    for name, field in by_name("Data").items():
        if field.kind == "array":
            zero = 0.0 if field.dtype in ("f8", "f4") else 0
            found[name] = (zero,) * field.inner[0] if field.inner else zero, field.shape[0]
    return found


class Arrays:
    """See ListState.arrays. The state keeps what was `found`, and not this object, which refers to the state: nothing
    here is garbage that only the collector of Python finds."""

    __slots__ = ("__dict__", "_state")

    def __init__(self, state: ListState, found: dict[str, np.ndarray]):
        self._state = state
        self.__dict__ = found

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("__"):
            raise AttributeError(name)
        found = np.array(getattr(self._state, name), DTYPES[by_name("Data")[name].dtype])
        found = self.__dict__[name] = found.reshape(self._state.shape(name))
        return found
