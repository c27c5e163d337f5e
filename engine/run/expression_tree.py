"""Syntax tree of an expression (`engine/run/expression.py`): three kinds of nodes over recorded columns, and the
columns that have to be recorded for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kinetree.engine.arithmetic import KEEPING, where
from kinetree.engine.run.contact_recording import between
from kinetree.engine.run.recorder import Channel


@dataclass(frozen=True)
class Constant:
    """Numbers that are the same at every step."""

    values: tuple[float, ...]

    @property
    def width(self) -> int:
        return len(self.values)

    def compute(self, columns: np.ndarray) -> np.ndarray:
        return np.broadcast_to(np.array(self.values), (len(columns), len(self.values)))


@dataclass(frozen=True)
class RecordedColumns:
    """Recorded columns, by their numbers."""

    numbers: tuple[int, ...]

    @property
    def width(self) -> int:
        return len(self.numbers)

    def compute(self, columns: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(columns[:, self.numbers])


@dataclass(frozen=True)
class Apply:
    """A function of other nodes."""

    function: Callable[..., np.ndarray]
    arguments: tuple[Node, ...]
    width: int

    def compute(self, columns: np.ndarray) -> np.ndarray:
        return self.function(*(argument.compute(columns) for argument in self.arguments))


Node = Constant | RecordedColumns | Apply


@dataclass(frozen=True)
class ColumnSelection:
    """Some columns of a value."""

    numbers: tuple[int, ...]

    def __call__(self, value: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(value[:, self.numbers])


@dataclass(frozen=True)
class ObjectReference:
    """An object that a text names: its kind and id, and where its name or number stands in the text (from 0, end
    excluded). `is_other`: it is of the model that is compared."""

    kind: str
    id: int
    start: int
    end: int
    is_other: bool = False


@dataclass(frozen=True)
class Expression:
    """A parsed text, for one model, or for one and the model that is compared with it.

    channels     what to record for it (see `kinetree.engine.run.recorder`), of either model; none for a constant
    labels       a name for each column: `qpos[3]`, or the text where it is computed
    references   the objects that it names
    reads_other  whether it is about the model that is compared, alone or together with this one
    fields       the fields of Data that it reads
    """

    text: str
    channels: tuple[Channel, ...]
    labels: tuple[str, ...]
    references: tuple[ObjectReference, ...]
    reads_other: bool
    _tree: Node = field(repr=False)

    @property
    def width(self) -> int:
        """Number of columns."""
        return len(self.labels)

    @property
    def recorded(self) -> tuple[int, ...]:
        """The recorded columns that it is, where it is plain; else none."""
        return self._tree.numbers if isinstance(self._tree, RecordedColumns) else ()

    def combine(self, of_column: Callable[[int], str], common: Callable[[set[str]], str]) -> list[str]:
        """A property of each of its columns, such as a unit: `of_column(number)` of a recorded column, `common` of
        several. Functions that keep it, such as sums, hand it on; "" after all others."""

        def of(node: Node) -> str:
            if isinstance(node, RecordedColumns):
                return common({of_column(number) for number in node.numbers})
            if isinstance(node, Apply) and (node.function in KEEPING or isinstance(node.function, ColumnSelection)):
                return common({of(each) for each in node.arguments[node.function is where :]})
            return ""

        if isinstance(self._tree, RecordedColumns):
            return [of_column(number) for number in self._tree.numbers]
        return [of(self._tree)] * self.width

    def computes_as(self, other: Expression) -> bool:
        """Whether another expression computes the same values from its recorded columns."""
        return self._tree == other._tree and self.width == other.width

    @property
    def is_plain(self) -> bool:
        """Whether it is recorded as it is, without arithmetic."""
        return isinstance(self._tree, RecordedColumns)

    @property
    def fields(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(item.field for item in self.channels))

    def of_columns(self, values: np.ndarray) -> np.ndarray:
        """The value at each of n steps, shape (n, width), from the recorded columns of `channels`, in their order."""
        with np.errstate(all="ignore"):
            result = np.asarray(self._tree.compute(values), np.float64)
        return np.ascontiguousarray(np.broadcast_to(result, (len(values), self.width)))

    def of_state(self, state: Any, other: Any = None) -> np.ndarray:
        """The value, shape (width,), from a Data, or from a Snapshot that has all `fields` (AttributeError if not).
        `other`: the state of the compared model, for expressions with `reads_other`.
        """
        row = np.empty((1, sum(item.width for item in self.channels)))
        column = 0
        for item in self.channels:
            row[0, column : column + item.width] = _read(other if item.is_other else state, item)
            column += item.width
        return self.of_columns(row)[0]

    def holds(self, state: Any) -> bool:
        """Whether it is a condition that is met: every column is there and not 0."""
        value = self.of_state(state)
        return bool(np.all(value != 0.0) and not np.isnan(value).any())


def _read(state: Any, item: Channel) -> np.ndarray | float:
    """The value that the recorder writes for a channel."""
    if item.sides is not None:
        row = np.empty(item.width)
        first, second = item.sides
        between(state, first.low, first.high, second.low, second.high, row, 0)
        return row
    flat = np.ravel(np.asarray(getattr(state, item.field), np.float64))[item.start : item.start + item.number]
    if not item.operation:
        return np.concatenate([flat, np.full(item.number - len(flat), np.nan)])
    if item.operation in ("sum", "norm"):
        total = 0.0
        for x in flat.tolist():
            total += x * x if item.operation == "norm" else x
        return math.sqrt(total) if item.operation == "norm" else total
    if not len(flat) or np.isnan(flat[0]):
        return math.nan
    return (np.fmin if item.operation == "min" else np.fmax).reduce(flat)
