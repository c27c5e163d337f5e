"""Building blocks of a list of live values: rows and columns. No toolkit."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from kinetree.app.widgets.readouts import beginnings, number_text, numbers_text
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.engine.translation import marked

if TYPE_CHECKING:
    from kinetree.app.workspace.units import Units
    from kinetree.engine.run.snapshot import Snapshot

MIME = "application/x-kinetree-quantity"
"""Mime type of quantities dragged out of a list: one expression a line, as plots take them."""


def quantities_of(dragged: bytes) -> list[str]:
    """The expressions in a drag from a list."""
    return [text for line in dragged.decode(errors="replace").splitlines() if (text := line.strip())]


@dataclass(frozen=True, slots=True)
class LiveRow:
    """A line of a list.

    name       what it is called
    read       Snapshot -> its number, or numbers, or a text; None where it has none
    unit       of the numbers as MuJoCo has them: "rad", "m/s", "N"; "" for none
    selection  the object that it is about
    quantity   the expression that a plot shows for it, "" where it cannot be plotted
    group      the title that it stands under; "" directly in the list
    help       more about it, for the tool tip
    key        tells it from the other rows, also in the next list; by default its object, else its group and name
    error      why it has no value; it is shown in place of one
    """

    name: str
    read: Callable[[Snapshot], Any] | None = None
    unit: str = ""
    selection: Selection = NOTHING
    quantity: str = ""
    group: str = ""
    help: str = ""
    key: Hashable = None
    error: str = field(default="", kw_only=True)

    @property
    def identity(self) -> Hashable:
        """The key, or what stands for it."""
        if self.key is not None:
            return self.key
        return (self.selection.kind, self.selection.id) if self.selection.kind else (self.group, self.name)


def entries(field: str, start: int, count: int = 1) -> Callable[[Snapshot], Any]:
    """A reader of `count` numbers from flat index `start` on in an array of the snapshot: a float if it is one."""

    def read(snapshot: Snapshot):
        array = getattr(snapshot, field).reshape(-1)
        return float(array[start]) if count == 1 else array[start : start + count]

    return read


def value_text(value: Any, factor: float = 1.0, places: int | None = None) -> str:
    """A value of a row as text: a number, several, or a text itself. `places`: only the beginning of several, with so
    many decimals."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, (int, float)):
        return number_text(value * factor)
    values = [float(each) * factor for each in value]
    return numbers_text(values) if places is None else beginnings(values, places)


def sort_key(value: Any) -> tuple:
    """Sorts numbers by size, several by the first, texts by letters; what has no value comes last."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return (2, 0.0)
    if isinstance(value, str):
        return (1, value.casefold())
    if isinstance(value, (int, float)):
        return (0, float(value))
    return (0, float(value[0])) if len(value) else (2, 0.0)


@dataclass(frozen=True, slots=True)
class LiveColumn:
    """A column of a list. `text` and `order` get the row and the result of its `read`: None while there is no state.

    is_live   whether it changes with the simulation: lists that are sorted by it are sorted again as it runs
    is_number aligned to the right
    width     pixels at first, 0 to fit the text
    short     as `text`, with so many decimals at most: for several numbers that the row has no room for
    """

    title: str
    text: Callable[[LiveRow, Any, Units], str]
    order: Callable[[LiveRow, Any], Any]
    is_live: bool = False
    is_number: bool = False
    width: int = 0
    help: str = ""
    short: Callable[[LiveRow, Any, Units, int], str] | None = None


NAME = LiveColumn(marked("Name"), lambda row, _value, _units: row.name, lambda row, _value: row.name.casefold())
VALUE = LiveColumn(
    marked("Value"),
    lambda row, value, units: value_text(value, units.factor(row.unit)),
    lambda _row, value: sort_key(value),
    is_live=True,
    is_number=True,
    short=lambda row, value, units, places: value_text(value, units.factor(row.unit), places),
)
UNIT = LiveColumn(
    marked("Unit"), lambda row, _value, units: units.name(row.unit), lambda row, _value: row.unit, width=46
)


def part(title: str, index: int, unit: str = "", help: str = "") -> LiveColumn:
    """A column for one of the numbers of each row."""

    def text(_row: LiveRow, value: Sequence[float] | None, units: Units) -> str:
        return "" if value is None else number_text(float(value[index]) * units.factor(unit))

    def order(_row: LiveRow, value: Sequence[float] | None):
        return sort_key(None if value is None else float(value[index]))

    return LiveColumn(title, text, order, is_live=True, is_number=True, help=help)
