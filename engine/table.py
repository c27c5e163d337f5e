"""The memory of a Model or Data: one block of arrays, and the table of their addresses that compiled code reads."""

from __future__ import annotations

import functools

import numpy as np

from engine.fields import DTYPES, TABLES, Field

ALIGNED = 64
"""Bytes: every array begins at a multiple of this."""


class _Plan:
    """What of a table's layout does not depend on the sizes: found once for each kind."""

    def __init__(self, rows: list[Field]):
        self.rows = rows
        self.sizes = [(slot, f.name) for slot, f in enumerate(rows) if f.role == "size"]
        self.cells = [(slot, f.name, DTYPES[f.dtype]) for slot, f in enumerate(rows) if f.role == "cell"]
        arrays = [(slot, f) for slot, f in enumerate(rows) if f.role == "array"]
        self.arrays = [(f.name, np.dtype(DTYPES[f.dtype]), len(f.shape)) for _, f in arrays]
        self.index = {name: k for k, (name, _, _) in enumerate(self.arrays)}
        self.sized: dict[str, list[tuple[int, Field]]] = {}
        for slot, f in arrays:
            if f.shape and isinstance(f.shape[0], str):
                self.sized.setdefault(f.shape[0], []).append((slot, f))
        self.slots = {f.name: slot for slot, f in enumerate(rows)}
        self.array_slots = np.array([slot for slot, _ in arrays])
        self.itemsize = np.array([dtype.itemsize for _, dtype, _ in self.arrays])
        self.with_rows = np.array([bool(f.inner) for _, f in arrays])
        words = sorted({word for _, f in arrays for word in f.shape if isinstance(word, str)})
        numbers = sorted({1} | {word for _, f in arrays for word in f.shape if isinstance(word, int)})
        self.words, self.numbers = words, numbers
        place = {word: k for k, word in enumerate([*words, *numbers])}
        deepest = max(len(f.shape) for _, f in arrays)
        self.shape = np.array(
            [[place[w] for w in (*f.shape, *[1] * (deepest - len(f.shape)))] for _, f in arrays]
        )


@functools.cache
def _plan(kind: str) -> _Plan:
    return _Plan(TABLES[kind])


class _Arrays:
    """Arrays by name, most of them parts of one block of memory, made when they are first asked for."""

    def __init__(self, plan: _Plan, shapes: list[list[int]], offsets: list[int], memory: np.ndarray):
        self.plan, self.shapes, self.offsets, self.memory = plan, shapes, offsets, memory
        self.made: dict[str, np.ndarray] = {}
        self.apart: set[str] = set()

    def __getitem__(self, name: str) -> np.ndarray:
        array = self.made.get(name)
        if array is None:
            k = self.plan.index[name]
            _, dtype, depth = self.plan.arrays[k]
            array = self.made[name] = np.ndarray(self.shapes[k][:depth], dtype, self.memory, self.offsets[k])
        return array

    def __setitem__(self, name: str, array: np.ndarray) -> None:
        self.made[name] = array
        self.apart.add(name)

    def __contains__(self, name: str) -> bool:
        return name in self.plan.index

    def __iter__(self):
        return iter(self.plan.index)

    def items(self):
        return [(name, self[name]) for name in self.plan.index]

    def values(self):
        return [self[name] for name in self.plan.index]

    def clear(self) -> None:
        """Zeros everywhere."""
        self.memory[...] = 0
        for name in self.apart:
            self.made[name][...] = 0


class Table:
    """Arrays by name, and the table of their addresses that compiled code reads.

    Attributes are numpy arrays (cells and sizes: numbers) that share their memory with the kernels. Assigning to
    an array attribute copies into it.
    """

    kind = ""

    def __init__(self, sizes: dict[str, int]):
        put = object.__setattr__
        plan = _plan(self.kind)
        table = np.zeros(2 * len(plan.rows), np.int64)
        put(self, "_dims", sizes)
        put(self, "_sizes", {name: int(sizes.get(name, 0)) for _, name in plan.sizes})
        for slot, name in plan.sizes:
            table[2 * slot] = self._sizes[name]
        cells = np.zeros(8 * len(plan.cells), np.uint8)
        start = cells.ctypes.data
        put(self, "_cells", {})
        for k, (slot, name, dtype) in enumerate(plan.cells):
            self._cells[name] = np.ndarray((1,), dtype, cells, 8 * k)
            table[2 * slot] = start + 8 * k
        dims = np.array([int(sizes[word]) for word in plan.words] + plan.numbers, np.int64)
        shapes = dims[plan.shape]
        number = shapes.prod(axis=1)
        room = (number * plan.itemsize + ALIGNED - 1) // ALIGNED * ALIGNED
        offsets = np.cumsum(room) - room
        memory = np.zeros(int(room.sum()) + ALIGNED, np.uint8)
        offsets += -memory.ctypes.data % ALIGNED
        put(self, "_arrays", _Arrays(plan, shapes.tolist(), offsets.tolist(), memory))
        table[2 * plan.array_slots] = memory.ctypes.data + offsets
        table[2 * plan.array_slots + 1] = np.where(plan.with_rows, shapes[:, 0], number)
        put(self, "_table", table)
        put(self, "address", table.ctypes.data)

    def _length(self, word: int | str) -> int:
        return word if isinstance(word, int) else int(self._dims[word])

    def _allocate(self, slot: int, field: Field) -> None:
        shape = tuple(self._length(word) for word in field.shape)
        array = np.zeros(shape, DTYPES[field.dtype])
        self._arrays[field.name] = array
        self.__dict__.pop(field.name, None)
        self._table[2 * slot] = array.ctypes.data
        self._table[2 * slot + 1] = array.shape[0] if field.inner else array.size

    def resize(self, name: str, number: int) -> None:
        """Give a size another value; the arrays whose first dimension it is start anew, as zeros."""
        self._sizes[name] = self._dims[name] = int(number)
        plan = _plan(self.kind)
        self._table[2 * plan.slots[name]] = int(number)
        for slot, field in plan.sized.get(name, ()):
            self._allocate(slot, field)

    def __getattr__(self, name):
        arrays = self.__dict__.get("_arrays")
        if arrays is not None:
            if name in arrays:
                array = arrays[name]
                if not name.startswith(("efc_", "contact_")):  # those show their rows in use
                    self.__dict__[name] = array  # found without this function from now on
                return array
            if name in self._sizes:
                return self._sizes[name]
            if name in self._cells:
                return self._cells[name][0].item()
        raise AttributeError(f"{type(self).__name__} has no field {name!r}")

    def __setattr__(self, name, value):
        if name in self._arrays:
            self._arrays[name][...] = value
        elif name in self._cells:
            self._cells[name][0] = value
        elif name in self._sizes:
            raise AttributeError(f"{name} is a size: it is fixed with the model")
        else:
            object.__setattr__(self, name, value)

    def __dir__(self):
        return [*super().__dir__(), *self._arrays, *self._sizes, *self._cells]
