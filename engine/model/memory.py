"""The memory of a Model or Data: one block of arrays, and the table of their addresses that compiled code reads."""

from __future__ import annotations

import functools
import math
from bisect import bisect_left, bisect_right
from operator import itemgetter, mul
from typing import Self

import numpy as np

from engine.model.fields import DTYPES, TABLES, Field

ALIGNED = 64
"""Bytes: every array begins at a multiple of this."""


class Plan:
    """What of a table's layout does not depend on the sizes: found once for each kind.

    Arrays are numbered as they lie in memory: by role (`_rank`), then by type, those of doubles first, and of these
    the ones of fixed size. Arrays that are copied together are neighbours: a block.

    arrays   name -> number
    blocks   name -> (number of its first array, number after its last)
    sizes    name -> slot
    cells    name -> number
    table    addresses and lengths, as far as they are known
    """

    def __init__(self, rows: list[Field]):
        self.sizes = {f.name: slot for slot, f in enumerate(rows) if f.kind == "size"}
        self.take_sizes = itemgetter(*self.sizes)
        self.zeros = dict.fromkeys(self.sizes, 0)
        cells = [(slot, f) for slot, f in enumerate(rows) if f.kind == "cell"]
        self.cells = {f.name: k for k, (_, f) in enumerate(cells)}
        self.real = [f.dtype == "f8" for _, f in cells]
        arrays = [(slot, f) for slot, f in enumerate(rows) if f.kind == "array"]
        self.sized: dict[str, list[tuple[int, Field]]] = {}
        for slot, f in arrays:
            if f.shape and isinstance(f.shape[0], str):
                self.sized.setdefault(f.shape[0], []).append((slot, f))
        arrays.sort(key=lambda row: (_rank(row[1]), row[1].dtype != "f8", row[1].dtype, _has_size(row[1])))
        number = {f.name: k for k, (_, f) in enumerate(arrays)}
        self.arrays = {f.name: number[f.name] for f in rows if f.kind == "array"}
        self.in_use = frozenset(name for name in number if name.startswith(("efc_", "contact_")))
        """Arrays that show their rows in use."""
        self.dtypes = [np.dtype(DTYPES[f.dtype]) for _, f in arrays]
        self.blocks = _blocks([f for _, f in arrays])
        self.itemsize = np.array([dtype.itemsize for dtype in self.dtypes])
        self.words = sorted({word for _, f in arrays for word in f.shape if isinstance(word, str)})
        self.numbers = sorted({1} | {word for _, f in arrays for word in f.shape if isinstance(word, int)})
        self.take_dims = itemgetter(*self.words)
        self.nothing = dict.fromkeys(self.words, 0)
        place = {word: k for k, word in enumerate([*self.words, *self.numbers])}
        self.shapes = [tuple(place[word] for word in f.shape) for _, f in arrays]
        deepest = max(map(len, self.shapes))
        self.shape = np.array([[*s, *[place[1]] * (deepest - len(s))] for s in self.shapes]).T.copy()
        self.places = {name: (k, self.dtypes[k], *self.shapes[k], -1)[:4] for name, k in self.arrays.items()}
        self.table = np.zeros(2 * len(rows), np.int64)
        self.size_slots = 2 * np.array(list(self.sizes.values()))
        self.cell_slots = 2 * np.array([slot for slot, _ in cells])
        self.cell_offsets = 8 * np.arange(len(cells))
        self.array_slots = 2 * np.array([slot for slot, _ in arrays])
        self.length_slots = self.array_slots + 1
        self.row_slots = np.array([2 * slot + 1 for slot, f in arrays if f.inner])
        self.with_rows = np.array([k for k, (_, f) in enumerate(arrays) if f.inner])
        self._weigh(arrays)

    def _weigh(self, arrays: list[tuple[int, Field]]) -> None:
        """The room of all arrays as a polynomial of the sizes."""
        self.constant, linear = 0, dict.fromkeys(self.words, 0)
        self.products: list[tuple[tuple[str, ...], int]] = []
        for k, (_, f) in enumerate(arrays):
            words = tuple(word for word in f.shape if isinstance(word, str))
            each = math.prod(word for word in f.shape if isinstance(word, int)) * self.dtypes[k].itemsize
            if len(words) == 1:
                linear[words[0]] += each
            elif words:
                self.products.append((words, each))
            else:
                self.constant += each
        self.linear = list(linear.values())

    def bytes(self, sizes: dict[str, int]) -> int:
        """Room that the arrays take; sizes that are missing count as none."""
        sizes = {**self.nothing, **sizes}
        total = self.constant + sum(map(mul, self.linear, self.take_dims(sizes)))
        for words, each in self.products:
            for word in words:
                each *= sizes[word]
            total += each
        return total


def _has_size(field: Field) -> bool:
    return any(isinstance(word, str) for word in field.shape)


def _rank(field: Field) -> int:
    """Where in memory an array lies: first what the history keeps, the inputs last of it, then what snapshots show."""
    if field.history:
        return 0 if not field.snapshot else 2 if field.role == "input" else 1
    return 3 if field.snapshot and not field.grows else 4


def _blocks(arrays: list[Field]) -> dict[str, tuple[int, int]]:
    """The blocks of Data, or those of Model: `reals`, all doubles, and `fixed`, those with the same size everywhere."""
    if any(f.role for f in arrays):
        ranks = [_rank(f) for f in arrays]
        bounds = {"history": (0, 2), "inputs": (2, 2), "snapshot": (1, 3)}
        return {name: (bisect_left(ranks, a), bisect_right(ranks, b)) for name, (a, b) in bounds.items()}
    return {
        "reals": (0, sum(f.dtype == "f8" for f in arrays)),
        "fixed": (0, sum(f.dtype == "f8" and not _has_size(f) for f in arrays)),
    }


@functools.cache
def plan(kind: str) -> Plan:
    """The plan of Model or of Data."""
    return Plan(TABLES[kind])


class _Arrays(dict):
    """Arrays by name, most of them parts of one block of memory, made when they are first asked for."""

    def __init__(self, plan: Plan, dims: list[int], offsets: list[int], memory: np.ndarray):
        self.plan, self.dims, self.offsets, self.memory = plan, dims, offsets, memory
        self.apart: set[str] = set()

    def __missing__(self, name: str) -> np.ndarray:
        k, dtype, first, second = self.plan.places[name]
        dims = self.dims
        shape = dims[first] if second < 0 else (dims[first], dims[second])
        array = self[name] = np.ndarray(shape, dtype, self.memory, self.offsets[k])
        return array

    def replace(self, name: str, array: np.ndarray) -> None:
        """Another array, outside of the block of memory."""
        self[name] = array
        self.apart.add(name)

    def __contains__(self, name: object) -> bool:
        return name in self.plan.arrays

    def __iter__(self):
        return iter(self.plan.arrays)

    def __len__(self) -> int:
        return len(self.plan.arrays)

    def items(self):
        return [(name, self[name]) for name in self.plan.arrays]

    def values(self):
        return [self[name] for name in self.plan.arrays]

    def clear(self) -> None:
        """Zeros everywhere."""
        self.memory[...] = 0
        for name in self.apart:
            self[name][...] = 0


class _Cells(dict):
    """Cells by name, each as an array of one number, made when it is first asked for."""

    def __init__(self, plan: Plan, whole: np.ndarray, real: np.ndarray):
        self.plan, self.whole, self.real = plan, whole, real

    def __missing__(self, name: str) -> np.ndarray:
        k = self.plan.cells[name]
        cell = self[name] = (self.real if self.plan.real[k] else self.whole)[k : k + 1]
        return cell

    def __contains__(self, name: object) -> bool:
        return name in self.plan.cells

    def __iter__(self):
        return iter(self.plan.cells)

    def __len__(self) -> int:
        return len(self.plan.cells)

    def items(self):
        return [(name, self[name]) for name in self.plan.cells]

    def values(self):
        return [self[name] for name in self.plan.cells]


class Copied:
    """A read-only copy of the arrays of a block: one copy of memory, arrays made when they are asked for."""

    __slots__ = ("_first", "_numbers", "_offsets", "_plan", "_shapes", "memory")

    def __init__(self, table: Table, block: str):
        arrays = table._arrays
        self._plan, self._shapes, self._offsets = arrays.plan, arrays.dims, arrays.offsets
        self._numbers = range(*arrays.plan.blocks[block])
        self._first = self._offsets[self._numbers.start] if self._numbers else 0
        self.memory = table._blocks[block].copy()
        self.memory.flags.writeable = False

    def __getitem__(self, name: str) -> np.ndarray:
        """An array by name. Raises KeyError for one that is not in the block."""
        k, dtype, first, second = self._plan.places[name]
        if k not in self._numbers:
            raise KeyError(name)
        dims = self._shapes
        shape = dims[first] if second < 0 else (dims[first], dims[second])
        return np.ndarray(shape, dtype, self.memory, self._offsets[k] - self._first)


class Table:
    """Arrays by name, and the table of their addresses that compiled code reads.

    Attributes are numpy arrays (cells and sizes: numbers) that share their memory with the kernels. Assigning to
    an array attribute copies into it.
    """

    kind = ""

    def __init__(self, sizes: dict[str, int]):
        own, layout = self.__dict__, plan(self.kind)
        sizes = {**layout.zeros, **sizes}
        table = layout.table.copy()
        fixed = layout.take_sizes(sizes)
        table[layout.size_slots] = fixed
        cells = np.zeros(len(layout.cells), np.int64)
        table[layout.cell_slots] = layout.cell_offsets + cells.ctypes.data
        dims = [*layout.take_dims(sizes), *layout.numbers]
        shapes = np.array(dims, np.int64)[layout.shape]
        number = shapes.prod(0)
        room = (number * layout.itemsize + (ALIGNED - 1)) & -ALIGNED
        ends = room.cumsum()
        memory = np.zeros(int(ends[-1]) + ALIGNED, np.uint8)
        start = memory.ctypes.data
        skipped = -start % ALIGNED
        offsets = ends - room + skipped
        table[layout.array_slots] = offsets + start
        table[layout.length_slots] = number
        table[layout.row_slots] = shapes[0, layout.with_rows]
        own["_dims"] = sizes
        own["_sizes"] = dict(zip(layout.sizes, table[layout.size_slots].tolist()))
        own["_cells"] = _Cells(layout, cells, cells.view(np.float64))
        own["_arrays"] = _Arrays(layout, dims, offsets.tolist(), memory)
        bounds = [skipped, *(ends + skipped).tolist()]
        own["_blocks"] = {name: memory[bounds[a] : bounds[b]] for name, (a, b) in layout.blocks.items()}
        own["_table"] = table
        own["address"] = table.ctypes.data

    def put(self, columns: dict[str, list]) -> None:
        """Set arrays by name."""
        arrays = self._arrays
        for name, values in columns.items():
            arrays[name][...] = values

    def begin_like(self, other: Table) -> None:
        """Take over all cells, and the arrays of doubles whose size is the same in every model."""
        self._cells.whole[...] = other._cells.whole
        self._blocks["fixed"][...] = other._blocks["fixed"]

    def all_finite(self) -> bool:
        """Whether no array has a number that is infinite or none. Arrays that were resized do not count."""
        return bool(np.isfinite(self._blocks["reals"].view(np.float64)).all())

    def block(self, name: str) -> np.ndarray:
        """The memory of neighbouring arrays (`Plan.blocks`), shared, as 64-bit words."""
        return self._blocks[name].view(np.int64)

    def copy_block(self, name: str) -> Copied:
        """A read-only copy of the arrays of a block."""
        return Copied(self, name)

    def share(self, block: str) -> Self:
        """A twin that shares all memory with this table, except for the cells and one block, which it copies."""
        layout, twin = plan(self.kind), object.__new__(type(self))
        own = twin.__dict__
        own.update(self.__dict__)
        cells, memory, table = self._cells.whole.copy(), self._blocks[block].copy(), self._table.copy()
        arrays = _Arrays(layout, self._arrays.dims, self._arrays.offsets, self._arrays.memory)
        arrays.update(dict.items(self._arrays))
        arrays.apart |= self._arrays.apart
        first, end = layout.blocks[block]
        start = self._arrays.offsets[first] if end > first else 0
        for name, k in layout.arrays.items():
            if first <= k < end:
                old, offset = self._arrays[name], self._arrays.offsets[k] - start
                arrays.replace(name, np.ndarray(old.shape, old.dtype, memory, offset))
                own.pop(name, None)
                table[layout.array_slots[k]] = memory.ctypes.data + offset
        table[layout.cell_slots] = layout.cell_offsets + cells.ctypes.data
        own["_cells"] = _Cells(layout, cells, cells.view(np.float64))
        own["_arrays"], own["_blocks"] = arrays, {**self._blocks, block: memory}
        own["_table"], own["address"] = table, table.ctypes.data
        return twin

    def _length(self, word: int | str) -> int:
        return word if isinstance(word, int) else int(self._dims[word])

    def _allocate(self, slot: int, field: Field) -> None:
        array = np.zeros(tuple(self._length(word) for word in field.shape), DTYPES[field.dtype])
        old = self._arrays[field.name][: len(array)]
        array[: len(old)] = old
        self._place(slot, field, array)

    def _place(self, slot: int, field: Field, array: np.ndarray) -> None:
        self._arrays.replace(field.name, array)
        self.__dict__.pop(field.name, None)
        self._table[2 * slot] = array.ctypes.data
        self._table[2 * slot + 1] = array.shape[0] if field.inner else array.size

    def resize(self, name: str, number: int) -> None:
        """Give a size another value; the arrays whose first dimension it is keep their rows, new ones are zeros."""
        number = int(number)
        if number == self._sizes[name] == 0:
            return
        self._sizes[name] = self._dims[name] = number
        if name in self.__dict__:
            self.__dict__[name] = number
        layout = plan(self.kind)
        self._table[2 * layout.sizes[name]] = number
        for slot, field in layout.sized.get(name, ()):
            self._allocate(slot, field)

    def __getattr__(self, name):
        layout = plan(self.kind)
        if name in layout.arrays:
            array = self.__dict__["_arrays"][name]
            if name not in layout.in_use:
                self.__dict__[name] = array  # found without this function from now on
            return array
        if name in layout.sizes:
            return self.__dict__["_sizes"][name]
        if name in layout.cells:
            return self.__dict__["_cells"][name].item()
        raise AttributeError(f"{type(self).__name__} has no field {name!r}")

    def __setattr__(self, name, value):
        layout = plan(self.kind)
        if name in layout.arrays:
            self._arrays[name][...] = value
        elif name in layout.cells:
            self._cells[name][0] = value
        elif name in layout.sizes:
            raise AttributeError(f"{name} is a size: it is fixed with the model")
        else:
            object.__setattr__(self, name, value)

    def __dir__(self):
        return [*super().__dir__(), *self._arrays, *self._sizes, *self._cells]
