"""The memory of a Model or a Data: its cells, its arrays, and the table of their addresses that compiled code reads."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Collection
from typing import Any, Self

import numpy as np

from kinetree.engine.model.arguments import meant
from kinetree.engine.model.fields import DTYPES, Field
from kinetree.engine.model.layout import ALIGNMENT, Layout, layout_of

ADDRESS, LENGTH = 0, 1
"""Columns of the table of addresses. A size has its value in place of an address. The length of an array is its number
of rows where its inner dimensions are numbers, else of entries."""


GUARD = 0
"""Bytes behind each array of Data that belong to none. Tests set it, and see that no kernel writes there."""


class _Named(dict[str, np.ndarray], ABC):
    """Arrays by name, each made when it is first asked for. Iterating goes over all names, made or not."""

    def __init__(self, names: Collection[str]):
        self._names = names

    @abstractmethod
    def make(self, name: str) -> np.ndarray:
        """The array of this name. Raises KeyError."""

    def __missing__(self, name: str) -> np.ndarray:
        array = self[name] = self.make(name)
        return array

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self):
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def items(self):
        return [(name, self[name]) for name in self._names]

    def values(self):
        return [self[name] for name in self._names]


class _Cells(_Named):
    """Cells, each as an array of one number. `words`: all of them as 64-bit integers."""

    def __init__(self, layout: Layout, words: np.ndarray):
        super().__init__(layout.cells)
        self._cells, self.words, self._doubles = layout.cells, words, words.view(np.float64)

    def make(self, name: str) -> np.ndarray:
        number, is_double = self._cells[name]
        return (self._doubles if is_double else self.words)[number : number + 1]


class _Arrays(_Named):
    """Arrays, most of them in one piece of memory; `moved`: names of those that have memory of their own by now."""

    def __init__(self, layout: Layout, lengths: list[int], offsets: list[int], memory: np.ndarray):
        super().__init__(layout.arrays)
        self._places, self.lengths, self.offsets, self.memory = layout.arrays, lengths, offsets, memory
        self.moved: set[str] = set()

    def make(self, name: str) -> np.ndarray:
        return self.view(name, self.memory, 0)

    def view(self, name: str, memory: np.ndarray, start: int) -> np.ndarray:
        """The array in memory that is a copy of this one from byte `start` on."""
        number, dtype, dimensions = self._places[name]
        shape = tuple([self.lengths[dimension] for dimension in dimensions])
        return np.ndarray(shape, dtype, memory, self.offsets[number] - start)

    def move(self, name: str, array: np.ndarray) -> None:
        """Put another array in place of one."""
        self[name] = array
        self.moved.add(name)

    def twin(self, layout: Layout) -> _Arrays:
        """The same arrays, to move some of them."""
        twin = _Arrays(layout, self.lengths, self.offsets, self.memory)
        twin.update(dict.items(self))
        twin.moved |= self.moved
        return twin

    def clear(self) -> None:
        """Zeros everywhere."""
        self.memory[...] = 0
        for name in self.moved:
            self[name][...] = 0


class BlockCopy:
    """A read-only copy of the arrays of a block: one copy of memory, arrays by name made when they are asked for."""

    __slots__ = ("_arrays", "_block", "_places", "memory")

    def __init__(self, table: AddressTable, block: str):
        layout = layout_of(table.kind)
        self._arrays, self._places, self._block = table._arrays, layout.arrays, layout.blocks[block]
        self.memory = table._blocks[block].copy()
        self.memory.flags.writeable = False

    def __getitem__(self, name: str) -> np.ndarray:
        """An array by name. Raises KeyError for one that is not in the block."""
        if self._places[name].number not in self._block:
            raise KeyError(name)
        return self._arrays.view(name, self.memory, self._arrays.offsets[self._block.start])


class AddressTable:
    """Fields by name, and the table of their addresses that compiled code reads.

    Attributes are numpy arrays (cells and sizes: numbers) that share their memory with the kernels. Assigning to
    an array attribute copies into it.
    """

    kind = ""
    assignable: frozenset[str] = frozenset()
    """Names that may be assigned besides those of fields."""

    def __init__(self, sizes: dict[str, int], memory: np.ndarray | None = None):
        """`memory`: bytes that hold the arrays already (see `Model.pack`), which are not copied; zeros if not given."""
        layout = layout_of(self.kind)
        sizes = {**dict.fromkeys(layout.sizes, 0), **sizes}
        lengths = layout.lengths(sizes)
        slot, itemsize, dimensions, counts_rows = layout.columns
        shapes = np.array(lengths, np.int64)[dimensions]
        rows, entries = shapes[0], shapes[0] * shapes[1]
        nbytes = ((entries * itemsize + (ALIGNMENT - 1)) & -ALIGNMENT) + (GUARD if self.kind == "Data" else 0)
        ends = nbytes.cumsum()
        if memory is None:
            memory = np.zeros(int(ends[-1]) + ALIGNMENT, np.uint8)
            first = -memory.ctypes.data % ALIGNMENT
        elif memory.nbytes != int(ends[-1]) or memory.ctypes.data % ALIGNMENT:
            raise ValueError(f"the memory of a {self.kind} has {memory.nbytes} bytes in place of {int(ends[-1])}")
        else:
            first = 0
        offsets = first + ends - nbytes
        cells = np.zeros(len(layout.cells), np.int64)

        own = self.__dict__
        own["_dimensions"] = sizes
        own["_sizes"] = {name: int(sizes[name]) for name in layout.sizes}
        own["_cells"] = _Cells(layout, cells)
        own["_arrays"] = _Arrays(layout, lengths, offsets.tolist(), memory)
        own["_blocks"] = {
            name: memory[offsets[block.start] : first + ends[block.stop - 1]] if block else memory[:0]
            for name, block in layout.blocks.items()
        }
        table = np.zeros((len(layout.slots), 2), np.int64)
        table[: len(layout.sizes), ADDRESS] = list(own["_sizes"].values())
        table[slot, ADDRESS] = memory.ctypes.data + offsets
        table[slot, LENGTH] = np.where(counts_rows, rows, entries)
        self._use_table(layout, table)

    def _use_table(self, layout: Layout, table: np.ndarray) -> None:
        """Take a table of addresses in which those of the cells are still missing."""
        words = self._cells.words
        start = len(layout.sizes)  # rows are in the order of fields.TABLES: sizes, cells, arrays
        table[start : start + len(words), ADDRESS] = words.ctypes.data + 8 * np.arange(len(words))
        self.__dict__["_table"] = table
        self.__dict__["address"] = table.ctypes.data

    def put(self, columns: dict[str, list]) -> None:
        """Set arrays by name."""
        arrays = self._arrays
        for name, values in columns.items():
            arrays[name][...] = values

    def begin_like(self, other: AddressTable) -> None:
        """Copy all cells of another Model, and the arrays of doubles whose size is the same in every model."""
        self._cells.words[...] = other._cells.words
        self._blocks["fixed"][...] = other._blocks["fixed"]

    def all_finite(self) -> bool:
        """Whether all doubles in the arrays of a Model are finite. Resized arrays are left out."""
        return bool(np.isfinite(self._blocks["doubles"].view(np.float64)).all())

    def block(self, name: str) -> np.ndarray:
        """The memory of neighbouring arrays (`Layout.blocks`) as 64-bit integers, not copied."""
        return self._blocks[name].view(np.int64)

    def copy_block(self, name: str) -> BlockCopy:
        """A read-only copy of the arrays of a block."""
        return BlockCopy(self, name)

    def share(self, block: str) -> Self:
        """A twin that shares all memory with this table, except for the cells and one block, which it copies."""
        layout, twin = layout_of(self.kind), object.__new__(type(self))
        own = twin.__dict__
        own.update(self.__dict__)
        table, arrays = self._table.copy(), self._arrays.twin(layout)
        memory, numbers = self._blocks[block].copy(), layout.blocks[block]
        for name, place in layout.arrays.items():
            if place.number in numbers:
                arrays.move(name, arrays.view(name, memory, arrays.offsets[numbers.start]))
                table[layout.slots[name], ADDRESS] = arrays[name].ctypes.data
                own.pop(name, None)
        own["_cells"] = _Cells(layout, self._cells.words.copy())
        own["_arrays"], own["_blocks"] = arrays, {**self._blocks, block: memory}
        twin._use_table(layout, table)
        return twin

    def _allocate(self, field: Field) -> None:
        """Give an array new memory for the present sizes; rows that fit are kept, new ones are zeros."""
        shape = tuple(word if isinstance(word, int) else int(self._dimensions[word]) for word in field.shape)
        dtype = np.dtype(DTYPES[field.dtype])
        nbytes = math.prod(shape) * dtype.itemsize
        array = np.zeros(nbytes + GUARD, np.uint8)[:nbytes].view(dtype).reshape(shape)
        old = self._arrays[field.name][: len(array)]
        array[: len(old)] = old
        self._move(field, array)

    def _move(self, field: Field, array: np.ndarray) -> None:
        self._arrays.move(field.name, array)
        self.__dict__.pop(field.name, None)
        row = self._table[layout_of(self.kind).slots[field.name]]
        row[ADDRESS], row[LENGTH] = array.ctypes.data, array.shape[0] if field.inner else array.size

    def resize(self, name: str, number: int) -> None:
        """Give a size another value; the arrays whose first dimension it is keep their rows, new ones are zeros."""
        number = int(number)
        if number == self._sizes[name] == 0:
            return
        self._sizes[name] = self._dimensions[name] = number
        if name in self.__dict__:
            self.__dict__[name] = number
        layout = layout_of(self.kind)
        self._table[layout.slots[name], ADDRESS] = number
        for field in layout.with_first_dimension.get(name, ()):
            self._allocate(field)

    def __getattr__(self, name: str) -> Any:
        layout = layout_of(self.kind)
        if name in layout.arrays:
            array = self.__dict__["_arrays"][name]
            if name not in layout.growing:
                self.__dict__[name] = array  # found without this function from now on
            return array
        if name in layout.cells:
            return self.__dict__["_cells"][name].item()
        sizes = self.__dict__["_sizes"]
        if name in sizes:
            return sizes[name]
        # Python looks for similar names itself, where the error is shown
        raise AttributeError(f"{type(self).__name__} has no field {name!r}", name=name, obj=self)

    def __setattr__(self, name, value):
        layout = layout_of(self.kind)
        if name in layout.arrays:
            self._arrays[name][...] = value
        elif name in layout.cells:
            self._cells[name][0] = value
        elif name in self._sizes:
            raise AttributeError(f"{name} is a size: it is fixed with the model")
        elif name in self.assignable:
            object.__setattr__(self, name, value)
        elif hasattr(type(self), name):
            raise AttributeError(f"{name} cannot be replaced: assign to its parts")
        else:
            raise AttributeError(f"{type(self).__name__} has no field {name!r}{meant(name, dir(self))}")

    def __dir__(self):
        return [*super().__dir__(), *self._arrays, *self._sizes, *self._cells]
