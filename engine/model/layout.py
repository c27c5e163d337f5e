"""How the fields of a Model or a Data lie in memory, as far as that does not depend on their sizes.

Cells lie one after the other, 8 bytes each. Arrays lie in one piece of memory in the order of `_order`: those that are
copied together are neighbours and form a block.
"""

from __future__ import annotations

import functools
import math
from typing import NamedTuple

import numpy as np

from kinetree.engine.model.fields import DTYPES, TABLES, Field

ALIGNMENT = 64
"""Every array begins at a multiple of this, bytes."""


class Cell(NamedTuple):
    """A cell: its number in memory, and whether it is a double (else an integer)."""

    number: int
    is_double: bool


class ArrayPlace(NamedTuple):
    """An array: its number in memory, its dtype, its dimensions as indices into `Layout.dimensions`."""

    number: int
    dtype: np.dtype
    dimensions: tuple[int, ...]


class Columns(NamedTuple):
    """All arrays in the order of memory.

    slot         place in the table of addresses
    itemsize     bytes of an entry
    dimensions   (2, number of arrays) first and second dimension, as indices into `Layout.dimensions`
    counts_rows  whether compiled code wants the number of rows, else of entries
    """

    slot: np.ndarray
    itemsize: np.ndarray
    dimensions: np.ndarray
    counts_rows: np.ndarray


class Layout:
    """The layout of one kind of table, Model or Data.

    slots       name of a field -> its row in `fields.TABLES`, and so in the table of addresses
    sizes       names of the sizes
    cells       name -> Cell
    arrays      name -> Place
    dimensions  all sizes and numbers that occur in shapes
    growing     names of the arrays whose first dimension is a capacity; of some only the rows in use are shown
    with_first_dimension  size -> the arrays whose first dimension it is
    columns     the same of all arrays together, for numpy
    blocks      name -> range of the arrays in a block.
                Data: `history` (state and inputs), `inputs` (the end of it), `snapshot`.
                Model: `doubles` (all of them), `fixed` (doubles with the same size in every model, among them options)
    """

    def __init__(self, fields: list[Field]):
        self.slots = {field.name: slot for slot, field in enumerate(fields)}
        self.sizes = tuple(field.name for field in fields if field.kind == "size")
        cells = [field for field in fields if field.kind == "cell"]
        self.cells = {field.name: Cell(k, field.dtype == "f8") for k, field in enumerate(cells)}
        arrays = sorted((field for field in fields if field.kind == "array"), key=_order)
        words = sorted({word for field in arrays for word in field.shape if isinstance(word, str)})
        numbers = sorted({1} | {word for field in arrays for word in field.shape if isinstance(word, int)})
        self.dimensions = (*words, *numbers)
        self._words, self._numbers = words, numbers
        index = {dimension: k for k, dimension in enumerate(self.dimensions)}
        places = {
            field.name: ArrayPlace(k, np.dtype(DTYPES[field.dtype]), tuple(index[word] for word in field.shape))
            for k, field in enumerate(arrays)
        }
        self.arrays = {name: places[name] for name in self.slots if name in places}
        self.columns = Columns(
            np.array([self.slots[field.name] for field in arrays]),
            np.array([place.dtype.itemsize for place in places.values()]),
            np.array([(*place.dimensions, index[1])[:2] for place in places.values()]).T.copy(),
            np.array([bool(field.inner) for field in arrays]),
        )
        self.blocks = _blocks(arrays)
        self.growing = frozenset(field.name for field in arrays if field.grows)
        self.with_first_dimension: dict[str, list[Field]] = {}
        for field in arrays:
            if field.shape and isinstance(field.shape[0], str):
                self.with_first_dimension.setdefault(field.shape[0], []).append(field)
        self._bytes: dict[tuple[str, ...], int] = {}  # sizes -> bytes of all arrays for each entry of their product
        for field in arrays:
            factors = tuple(word for word in field.shape if isinstance(word, str))
            each = math.prod(word for word in field.shape if isinstance(word, int)) * places[field.name].dtype.itemsize
            self._bytes[factors] = self._bytes.get(factors, 0) + each

    def lengths(self, sizes: dict[str, int]) -> list[int]:
        """The value of each of `dimensions`. Raises KeyError where a size is missing."""
        return [*map(sizes.__getitem__, self._words), *self._numbers]

    def packed_bytes(self, sizes: dict[str, int]) -> int:
        """Memory that the arrays take, each from a multiple of ALIGNMENT on, bytes."""
        _, itemsize, dimensions, _ = self.columns
        rows, inner = np.array(self.lengths(sizes), np.int64)[dimensions]
        return int((((rows * inner * itemsize) + (ALIGNMENT - 1)) & -ALIGNMENT).sum())

    def nbytes(self, sizes: dict[str, int]) -> int:
        """Memory that the arrays take, bytes, alignment apart; missing sizes count as 0."""
        return sum(math.prod(sizes.get(word, 0) for word in words) * each for words, each in self._bytes.items())


@functools.cache
def layout_of(kind: str) -> Layout:
    """The layout of Model or of Data."""
    return Layout(TABLES[kind])


def _order(field: Field) -> tuple:
    """Sort key of arrays: by the functions that copy them, then by type: doubles first, of these the ones of fixed
    size.
    """
    return _rank(field), field.dtype != "f8", field.dtype, _depends_on_sizes(field)


def _rank(field: Field) -> int:
    """0 to 2: what the history keeps, the inputs last; 1 to 3: what snapshots copy as a block; 4: the rest."""
    if field.history:
        return 0 if not field.snapshot else 2 if field.role == "input" else 1
    return 3 if field.snapshot and not field.grows else 4


def _depends_on_sizes(field: Field) -> bool:
    return any(isinstance(word, str) for word in field.shape)


def _blocks(arrays: list[Field]) -> dict[str, range]:
    """See `Layout.blocks`."""
    if any(field.role for field in arrays):
        members = {
            "history": lambda field: _rank(field) <= 2,
            "inputs": lambda field: _rank(field) == 2,
            "snapshot": lambda field: 1 <= _rank(field) <= 3,
        }
    else:
        members = {
            "doubles": lambda field: field.dtype == "f8",
            "fixed": lambda field: field.dtype == "f8" and not _depends_on_sizes(field),
        }
    blocks = {}
    for name, is_member in members.items():
        numbers = [k for k, field in enumerate(arrays) if is_member(field)]
        blocks[name] = range(numbers[0], numbers[-1] + 1) if numbers else range(0)
    return blocks
