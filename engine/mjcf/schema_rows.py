"""Rows of the schema table, and the short notation in which the table is written.

A value's type is written much as MuJoCo's XML reference writes it (chapter "Attribute types"):

    real, int, bool, string        one value
    real(3)  real(1..3)            exactly 3 values; 1 to 3 values (the rest keep their defaults)
    real(*)  real(3*)              any number of values; any multiple of 3
    [a b c]  [a b c](*)            one of these keywords; a list of them
    name:geom                      declares a name in the namespace "geom"
    ref:geom  ref:geom(*)          refers to one name, or a list of names, of that namespace
    ref:@objtype                   the namespace is the value of the attribute `objtype`
    file  directory  memory        a file, a folder, an amount of memory such as 64M

A trailing "!" means that the attribute is required.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from kinetree.engine.translation import tr

MUJOCO = "mujoco"
MPEX = "mpex"
KINETREE = "kinetree"

_SPEC = re.compile(
    r"(?:\[(?P<choices>[^\]]+)\]|(?P<type>[a-z]+)(?::(?P<space>@?[a-z]+))?)"
    r"(?:\((?:(?P<low>\d+)\.\.(?P<high>\d+|\*)|(?P<fixed>\d+)|(?P<multiple>\d*)\*)\))?(?P<required>!?)"
)


@dataclass(frozen=True, slots=True, eq=False)
class AttributeRow:
    """One attribute of one kind of element.

    type      "real" | "int" | "bool" | "keyword" | "string" | "name" | "reference" | "file" | "directory" | "memory"
    min_count, max_count   how many values; max_count None: unbounded; `multiple`: the count is a multiple of it
    default   MuJoCo's default as MJCF text, None where nothing is set or the compiler computes it
    mpex_default, mpex_max_count, mpex_choices   where the Motphys dialect differs or allows more
    reads_real   an integer that MuJoCo reads as a real and cuts off
    repeats   one value alone stands for all of them
    choices   accepted keywords; for bool "false" and "true"
    declares  namespace in which the value is a new name
    refers    namespace in which the value must exist; "@attribute": named by that attribute's value
    unit      "" | "m" | "kg" | "s" | "deg" | "angle" (degrees or radians, by compiler/angle) | "angle or m" ...
    low, high useful range of every component, None where open; a guide for editing, not a rule of the format
    dialect   "mujoco" | "mpex" | "kinetree" (of our own)
    same_as   the attribute that this is another spelling for
    """

    name: str
    type: str
    min_count: int
    max_count: int | None
    multiple: int
    default: str | None
    choices: tuple[str, ...]
    declares: str | None
    refers: str | None
    unit: str
    low: float | None
    high: float | None
    dialect: str
    required: bool
    help: str
    mpex_default: str | None = None
    mpex_max_count: int | None = None
    mpex_choices: tuple[str, ...] = ()
    reads_real: bool = False
    repeats: bool = False
    same_as: str | None = None

    def is_foreign(self, value: Any) -> bool:
        """Whether this value is one that only the Motphys dialect has."""
        if self.dialect == MPEX or (self.mpex_choices and value in self.mpex_choices):
            return True
        return self.mpex_max_count is not None and np.size(value) > (self.max_count or np.inf)

    @property
    def all_choices(self) -> tuple[str, ...]:
        """Keywords of both dialects, MuJoCo's first."""
        return self.choices + self.mpex_choices

    @property
    def type_text(self) -> str:
        """The type as text for messages and documentation, for example "real(3)" or "[free, ball]"."""
        if self.type == "keyword":
            base = f"[{', '.join(self.all_choices)}]"
        elif self.type in ("name", "reference"):
            base = "string"
        else:
            base = self.type
        if self.max_count is None:
            return f"{base}({self.multiple}*n)" if self.multiple > 1 else f"{base}(n)"
        if self.max_count == 1:
            return base
        if self.min_count == self.max_count:
            return f"{base}({self.max_count})"
        return f"{base}({self.min_count}..{self.max_count})"


@dataclass(frozen=True, slots=True, eq=False)
class ElementRow:
    """One kind of element: a tag in its place.

    id           unambiguous, for example "body.joint", "equality.joint", "default.joint", "option"
    tag          as written in the file
    multiplicity "!" once | "?" at most once | "*" any number | "R" any number, recursive
    attributes   by name
    children     ids of the kinds that may stand inside
    default      id of the `default` child whose settings this kind inherits, or None
    transparent  True for frame and replicate, which take the same children as their enclosing body
    in_schema    False for kinds that MuJoCo's schema print omits (include, frame, replicate)
    name_from    attribute whose file name (without folder and extension) becomes the name when `name` is absent
    """

    id: str
    tag: str
    multiplicity: str
    attributes: dict[str, AttributeRow]
    children: tuple[str, ...]
    help: str
    dialect: str = MUJOCO
    default: str | None = None
    transparent: bool = False
    in_schema: bool = True
    name_from: str | None = None


def attribute(
    name: str,
    spec: str,
    default: str | None,
    help: str,
    *,
    unit: str = "",
    low: float | None = None,
    high: float | None = None,
    mpex: bool = False,
    mpex_default: str | None = None,
    mpex_max: int | None = None,
    mpex_choices: str = "",
    reads_real: bool = False,
    repeats: bool = False,
    ours: bool = False,
    same_as: str | None = None,
) -> AttributeRow:
    """One attribute row from the short notation (see the module's docstring)."""
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise ValueError(tr("attribute '{name}': cannot read the type '{spec}'", name=name, spec=spec))
    kind, space, choices = match["type"], match["space"], ()
    low_count, high_count, multiple = 1, 1, 1
    if match["fixed"]:
        low_count = high_count = int(match["fixed"])
    elif match["low"]:
        low_count = int(match["low"])
        high_count = None if match["high"] == "*" else int(match["high"])
    elif match["multiple"] is not None:
        low_count, high_count, multiple = 0, None, int(match["multiple"] or 1)
    if match["choices"]:
        kind, choices = "keyword", tuple(match["choices"].split())
    elif kind == "bool":
        choices = ("false", "true")
    elif kind == "ref":
        kind = "reference"
    return AttributeRow(
        name=name,
        type=kind,
        min_count=low_count,
        max_count=high_count,
        multiple=multiple,
        default=default,
        choices=choices,
        declares=space if kind == "name" else None,
        refers=space if kind == "reference" else None,
        unit=unit,
        low=low,
        high=high,
        dialect=KINETREE if ours else MPEX if mpex else MUJOCO,
        required=bool(match["required"]),
        help=help,
        mpex_default=mpex_default,
        mpex_max_count=mpex_max,
        mpex_choices=tuple(mpex_choices.split()),
        reads_real=reads_real,
        repeats=repeats,
        same_as=same_as,
    )


def element(
    id: str,
    multiplicity: str,
    help: str,
    attributes: Iterable[AttributeRow] = (),
    children: str = "",
    *,
    mpex: bool = False,
    default: str | None = None,
    transparent: bool = False,
    in_schema: bool = True,
    name_from: str | None = None,
) -> ElementRow:
    """One element row; the tag is the part of the id after the last dot."""
    table: dict[str, AttributeRow] = {}
    for row in attributes:
        if row.name in table:
            raise ValueError(tr("element '{id}': attribute '{name}' is listed twice", id=id, name=row.name))
        table[row.name] = row
    return ElementRow(
        id=id,
        tag=id.rpartition(".")[2],
        multiplicity=multiplicity,
        attributes=table,
        children=tuple(children.split()),
        help=help,
        dialect=MPEX if mpex else MUJOCO,
        default=default,
        transparent=transparent,
        in_schema=in_schema,
        name_from=name_from,
    )


def pick(rows: Iterable[AttributeRow], only: str = "", without: str = "") -> list[AttributeRow]:
    """Some rows of a group: those named in `only` (all if empty), less those named in `without`."""
    rows = list(rows)
    wanted, unwanted = set(only.split()), set(without.split())
    unknown = (wanted | unwanted) - {row.name for row in rows}
    if unknown:
        raise ValueError(tr("no such rows: {names}", names=", ".join(sorted(unknown))))
    return [row for row in rows if (not wanted or row.name in wanted) and row.name not in unwanted]


def optional(rows: Iterable[AttributeRow]) -> list[AttributeRow]:
    """The same rows, none of them required: in a default class nothing is."""
    return [replace(row, required=False) if row.required else row for row in rows]
