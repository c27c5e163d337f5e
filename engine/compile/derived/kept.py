"""Caches results of the compiler's passes for the next version of a model.

A pass run by `PassCache` works on stand-ins for the model (`NotedModel`) and its lists, which record every field that
it reads or writes, with its value at the first access. The pass is a function of these fields, of the sizes, and of the
values that the caller names as `others`. So if all of them are equal in another model, to the bit, the pass would
compute the same: its results are copied instead. No list of fields has to be maintained.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from kinetree.engine.jit.uncompiled import Lists
from kinetree.engine.model.model import Model
from kinetree.engine.model.noted import NotedModel, field

MOST = 1 << 24
"""Largest result that is kept, bytes."""


class _NotedLists(Lists):
    """Stands for Lists that hold some fields already. `rounded`: one of these has more digits than the model."""

    def __init__(self, noted: NotedModel, lists: Lists):
        super().__init__(noted)  # pyright: ignore[reportArgumentType]
        self.__dict__["_lists"] = lists
        self.__dict__["rounded"] = False

    def __getattr__(self, name: str) -> Any:
        own, noted = self.__dict__, self.__dict__["model"]
        value = getattr(own["_lists"], name)
        if name in noted._arrays:
            own["rounded"] |= noted._arrays[name].dtype == np.float32
        own[name] = value
        return value


class _Result:
    """One cached result: inputs and outputs of one run of a pass."""

    def __init__(self, key: Hashable, before: dict[str, np.ndarray], model: Model, returned: Any):
        self.key, self.before, self.returned = key, before, returned
        self.sizes = model.sizes
        self.after = {name: field(model, name).copy() for name in before if not _same(before[name], field(model, name))}

    @property
    def nbytes(self) -> int:
        return sum(array.nbytes for arrays in (self.before, self.after) for array in arrays.values())

    def fits(self, key: Hashable, model: Model) -> bool:
        return self.key == key and all(_same(array, field(model, name)) for name, array in self.before.items())

    def apply(self, model: Model) -> None:
        for name, size in self.sizes.items():
            if model.sizes[name] != size:
                model.resize(name, size)
        for name, array in self.after.items():
            field(model, name)[...] = array


class PassCache:
    """The last results of one pass, for as many models as are open at a time."""

    def __init__(self, number: int = 4):
        self._results: deque[_Result] = deque(maxlen=number)
        self._lock = threading.Lock()

    def run(self, work: Callable[[Model, Lists], Any], model: Model, lists: Lists, others: Hashable) -> Any:
        """Do `work(model, lists)`, or what it did to an equal model. Returns what it returned, which nobody may change.

        The work must reach the model only through its arguments. `lists` is not to be used afterwards. `others`: all
        that the work depends on besides the model.
        """
        key = tuple(model.sizes.items()), others
        with self._lock:
            results = list(self._results)
        for result in reversed(results):
            if result.fits(key, model):
                result.apply(model)
                return result.returned
        before: dict[str, np.ndarray] = {}

        def note(name: str) -> None:
            if name not in before:
                before[name] = field(model, name).copy()

        noted = NotedModel(model, note)
        stand_in = _NotedLists(noted, lists)
        returned = work(noted, stand_in)  # pyright: ignore[reportArgumentType]
        result = _Result(key, before, model, returned)
        if not stand_in.rounded and result.nbytes < MOST:
            with self._lock:
                self._results.append(result)
        return returned


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether both have the same shape and bits."""
    bits = f"u{one.itemsize}"
    return one.shape == other.shape and np.array_equal(one.reshape(-1).view(bits), other.reshape(-1).view(bits))
