"""One table of every array and number of Model and Data: everything else about them follows from their rows.

Names and shapes are MuJoCo's (mjModel, mjData). Everything that holds, shows, saves or checks model and data loops over
this table: allocation, the layout inside compiled code (`engine/jit/kernel.py`), resets, history, snapshots, `.kmodel`
files and their checks, comparison, units in plots, the inspector. The rows are in `engine/model/model_rows.py` and
`engine/model/data_rows.py`.

A row of Model is `name | dtype | shape | numbers | help`, one of Data `name | dtype | shape | role | unit | help`. The
first word of the shape is a size of the model or a capacity of the data, the others are numbers or sizes.

The kind of a row:
  size   an integer fixed with the model (or, for a capacity, until Data grows)
  cell   one number that may change at any time
  array

The numbers of a row of Model, if they are real: their unit; in brackets, `nan`: they may be NaN. If they are whole,
what they may be, which a `.kmodel` file is held to (engine/storage/binary_rules.py):
  JNT_             one of these constants of engine/model/enums.py; `JNT_ below 3`: only those
  of body          ids of objects of this kind, or of the kinds that this array gives; `of body?`: or -1 for none
  id nq, id? nq    at least 0 (-1) and below this size
  span             where the numbers of an object begin in another array: rows of engine/model/kinds.py
  span COUNT SIZE  likewise, with the array of their numbers and the size of the other array
  below 3, flag, count   at least 0 and below 3, 2, 2147483647
  any              nothing is indexed by them
  checked          a function of engine/storage/binary_rules.py knows
  derived          made of other rows (engine/compile/derived/structure.py), not in `.kmodel` files; in brackets if real

The unit of a row of Data; two, for the entries of dofs that turn and that slide, or for the first and the last three of
six numbers.

The role of a row of Data:
  state    a step starts from it and advances it: in the history; a reset sets it to its start value
  input    set from outside, a step starts from it: likewise
  output   what a step computes, as MuJoCo shows it
  scratch  work space of the step: its content means nothing afterwards, except for drawn figures
  address  addresses of compiled code and of memory outside: kept by a reset, never copied
`snapshot` after the role: snapshots copy it for the window. `thread` after it: where several threads share a step
(engine/jit/parallel.py), each has its own.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from kinetree.engine.model import data_rows, model_rows
from kinetree.engine.model.data_rows import CAPACITIES as CAPACITIES

HISTORY_ROLES = ("state", "input")
ROLES = (*HISTORY_ROLES, "output", "scratch", "address")


@dataclass(frozen=True)
class Field:
    """One row. `role` is "" for rows of Model and for sizes.

    snapshot  whether snapshots copy it
    thread    whether each thread that takes part in a step has its own
    units     none, one, or two for dofs that turn and slide or for halves of six numbers
    rule      what whole numbers may be, "" for reals and in Data
    constants prefix of the constants that they are, "" for none
    refers    kind, or array of kinds, of the objects that they are ids of; "" for none; "?" at the end: -1 for none
    may_be_nan, derived   see the module
    """

    name: str
    dtype: str
    shape: tuple[int | str, ...]
    help: str
    kind: str
    role: str = ""
    snapshot: bool = False
    thread: bool = False
    units: tuple[str, ...] = ()
    rule: str = ""
    constants: str = ""
    refers: str = ""
    may_be_nan: bool = False
    derived: bool = False

    @property
    def inner(self) -> tuple[int, ...]:
        """Inner dimensions inside compiled code: arrays whose inner dimension is a size are flat there."""
        inner = tuple(n for n in self.shape[1:] if isinstance(n, int))
        return inner if len(inner) == len(self.shape) - 1 else ()

    @property
    def history(self) -> bool:
        """Whether a step starts from it, so that the history keeps it and a reset sets it to its start value."""
        return self.role in HISTORY_ROLES

    @property
    def grows(self) -> bool:
        """Whether it is an array of Data whose first dimension is a capacity: contacts, constraint rows."""
        return bool(self.shape) and self.shape[0] in CAPACITIES


_REAL = re.compile(r"(?P<unit>[^(]*?)\s*(?:\((?P<marks>[a-z ]+)\))?")
_RULE = r"span(?: \w+ \w+)?|id\?? \w+|below \d+|flag|count|any|checked|derived"
_WHOLE = re.compile(rf"(?:(?P<constants>[A-Z]+_)|of (?P<refers>\w+\??))?\s*(?P<rule>{_RULE})?")


def _lines(text: str, columns: int) -> list[list[str]]:
    return [[part.strip() for part in line.split("|", columns - 1)] for line in text.strip().splitlines()]


def _shape(text: str) -> tuple[int | str, ...]:
    return tuple(int(word) if word.isdigit() else word for word in text.split())


def _help(help: str, units: tuple[str, ...], joined: str = " and ") -> str:
    unit = joined.join(units).replace("²", "^2").replace("³", "^3")
    return f"{help}, {unit}" if unit else help


def _model_rows(text: str, kind: str) -> list[Field]:
    return [_model_row(*line, kind=kind) for line in _lines(text, 5)]


def _model_row(name: str, dtype: str, shape: str, numbers: str, help: str, kind: str) -> Field:
    if dtype.startswith("f"):
        match = _REAL.fullmatch(numbers)
        marks = (match["marks"] or "").split() if match else ["?"]
        if match is None or not set(marks) <= {"nan", "derived"}:
            raise ValueError(f"{name}: no such unit: {numbers}")
        units = (match["unit"],) if match["unit"] else ()
        return Field(
            name, dtype, _shape(shape), _help(help, units), kind,
            units=units, may_be_nan="nan" in marks, derived="derived" in marks,
        )  # fmt: skip
    match = _WHOLE.fullmatch(numbers)
    if match is None or not numbers:
        raise ValueError(f"{name}: say what its numbers may be, not {numbers!r}")
    constants = match["constants"] or ""
    return Field(
        name, dtype, _shape(shape), f"{constants} {help}".strip(), kind,
        rule=match["rule"] or "", constants=constants, refers=match["refers"] or "", derived=match["rule"] == "derived",
    )  # fmt: skip


def _data_rows(text: str, kind: str) -> list[Field]:
    return [_data_row(*line, kind=kind) for line in _lines(text, 6)]


def _data_row(name: str, dtype: str, shape: str, roles: str, unit: str, help: str, kind: str) -> Field:
    role, *marks = roles.split() or [""]
    if role not in ROLES or marks not in ([], ["snapshot"], ["thread"]):
        raise ValueError(f"{name}: no such role: {roles}")
    units = tuple(unit.split(", ")) if unit else ()
    by_dof = shape == "nv"
    if (len(units) == 2 and not (by_dof or shape.endswith(" 6"))) or len(units) > 2:
        raise ValueError(f"{name}: {len(units)} units for the shape {shape}")
    return Field(
        name, dtype, _shape(shape), _help(help, units, " or " if by_dof else " and "), kind, role,
        "snapshot" in marks, "thread" in marks, units,
    )  # fmt: skip


def _sizes(text: str) -> list[Field]:
    return [Field(name, "i8", (), "", "size") for name in text.split()]


TABLES: dict[str, list[Field]] = {
    "Model": [
        *_sizes(model_rows.SIZES),
        *_model_rows(model_rows.CELLS, "cell"),
        *_model_rows(model_rows.ARRAYS, "array"),
    ],
    "Data": [
        *_sizes(data_rows.SIZES),
        *_data_rows(data_rows.CELLS, "cell"),
        *_data_rows(data_rows.ARRAYS, "array"),
    ],
}


@functools.cache
def by_name(kind: str) -> dict[str, Field]:
    """The rows of Model or Data by name."""
    return {field.name: field for field in TABLES[kind]}


def select(condition: Callable[[Field], bool]) -> list[Field]:
    """The cells and arrays of Data that meet a condition on their role, in the order of the table."""
    return [field for field in TABLES["Data"] if field.role and condition(field)]


DTYPES = {"f8": np.float64, "f4": np.float32, "i4": np.int32, "i8": np.int64, "u1": np.uint8}
