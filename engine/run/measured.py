"""Measured data beside a simulation: columns of a CSV file, with the offset of its clock and the units of its numbers.

    table = preview(path)                            # names of the columns, first rows, a guess of the time
    data = read(path, table, "time", "knee (deg)")   # times and values as they are written
    x, y = mapped(data, ColumnMapping(path, "time", "knee (deg)", offset=-1.5, factor=math.pi / 180))

Files of instruments differ: comma, semicolon, tab or spaces between cells, a decimal comma beside semicolons, comments
after #, and names in the first row or none. Empty cells are nan.
"""

from __future__ import annotations

import csv
import itertools
import math
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TextIO

import numpy as np

from kinetree.engine.progress import reached
from kinetree.engine.translation import tr

SHOWN = 6
"""Rows of a preview."""
MOST_BYTES = 4 << 30
CHUNK = 5000
"""Rows between two reports of progress."""
SEPARATORS = (",", ";", "\t", " ")
TIME_UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9}
"""Unit of times -> seconds."""
VALUE_UNITS = {
    "": ("", 1.0), "deg": ("rad", math.pi / 180), "°": ("rad", math.pi / 180), "mm": ("m", 1e-3), "cm": ("m", 1e-2),
    "deg/s": ("rad/s", math.pi / 180), "°/s": ("rad/s", math.pi / 180), "mm/s": ("m/s", 1e-3), "kN": ("N", 1e3),
}  # fmt: skip
"""Unit in a file -> the unit of MuJoCo, and the factor to it."""
_TIME = re.compile(r"^\W*(sim_?|simulation )?(time|t|zeit|timestamp|stamp|clock|secs?|seconds?|sekunden?)\b", re.I)
_UNIT = re.compile(r"[\[(]\s*([^\])]+?)\s*[\])]\s*$|[_ ](ms|us|µs|ns|s|deg|mm|cm|rad|m)$")


class ColumnMapping(NamedTuple):
    """A column of a CSV file as a curve.

    time, value  names of the columns
    offset       added to the times, s
    time_factor  from the written times to seconds
    factor       from the written values to the unit of the plot
    unit         MuJoCo's unit of the values then, "" for none
    """

    path: str
    time: str
    value: str
    offset: float = 0.0
    time_factor: float = 1.0
    factor: float = 1.0
    unit: str = ""


class MeasuredData(NamedTuple):
    """A column as it is written: (n,), (n,). The times increase."""

    times: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Table:
    """The beginning of a CSV file.

    columns  their names; `column 2` where the file has none
    rows     the first rows, as they are written
    first    the line of the first row, from 1
    time     the column that has the times, by a guess
    """

    separator: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    first: int
    time: int

    @property
    def has_decimal_comma(self) -> bool:
        return self.separator != "," and any("," in cell for row in self.rows for cell in row)


def unit_of(name: str) -> str:
    """The unit in the name of a column, `knee [deg]`, "" without one."""
    found = _UNIT.search(name.strip())
    return "" if found is None else next(each for each in found.groups() if each).replace("us", "µs")


def without_unit(name: str) -> str:
    """The name of a column without its unit, `knee` of `knee [deg]`."""
    found = _UNIT.search(name.strip())
    shorter = name.strip() if found is None or found[1] is None else name.strip()[: found.start()].strip()
    return shorter or name


def preview(path: str) -> Table:
    """The columns of a file. Raises ValueError, with the line, where it is no table of numbers."""
    try:
        with _opened(path) as file:
            lines = [line for _, line in zip(range(200), file, strict=False)]
    except OSError as error:
        raise ValueError(_unreadable(path, error)) from None
    except UnicodeDecodeError:
        raise ValueError(tr("{name} is not a text; a CSV file is wanted", name=os.path.basename(path))) from None
    used = [(number, line) for number, line in enumerate(lines, 1) if _is_used(line)]
    if not used:
        raise ValueError(tr("{name} has no rows", name=os.path.basename(path)))
    separator = _separator([line for _, line in used[:20]])
    rows = [(number, _cells(line, separator)) for number, line in used]
    has_names = any(_number(cell, separator) is None and cell for cell in rows[0][1])
    count = len(rows[1 if has_names and len(rows) > 1 else 0][1])
    if count < 2:
        raise ValueError(
            tr("{name}:{line}: there is one column; times and values are wanted", name=path, line=rows[0][0])
        )
    names = rows[0][1] if has_names else []
    columns = [
        name.strip() or tr("column {number}", number=number)
        for number, name in itertools.zip_longest(range(1, count + 1), names[:count], fillvalue="")
    ]
    for place, name in enumerate(columns):
        if name in columns[:place]:
            columns[place] = f"{name} ({place + 1})"
    body = rows[1:] if has_names else rows
    if not body:
        raise ValueError(tr("{name}:{line}: there are names, but no numbers", name=path, line=rows[0][0]))
    time = next((place for place, name in enumerate(columns) if _TIME.search(name)), 0)
    return Table(separator, tuple(columns), tuple(tuple(cells) for _, cells in body[:SHOWN]), body[0][0], time)


def read(path: str, table: Table, time: str, value: str) -> MeasuredData:
    """Two columns of a file. Raises ValueError with the line of the first mistake; Cancelled."""
    for name in (time, value):
        if name not in table.columns:
            raise ValueError(
                tr(
                    "{path} has no column {name!r}; it has {names}",
                    path=path,
                    name=name,
                    names=", ".join(table.columns),
                )
            )
    places = table.columns.index(time), table.columns.index(value)
    times: list[float] = []
    values: list[float] = []
    try:
        size = os.path.getsize(path)
        if size > MOST_BYTES:
            raise ValueError(tr("{path} is larger than {most} GB", path=path, most=MOST_BYTES >> 30))
        with _opened(path) as file:
            for number, cells in _rows(file, table, size):
                x, y = (_cell(path, number, cells, place, table) for place in places)
                if math.isnan(x):
                    raise ValueError(tr("{path}:{line}: there is no time", path=path, line=number))
                if times and x < times[-1]:
                    raise ValueError(
                        tr("{path}:{line}: the time {time:g} is before {last:g}, that of the row before",
                           path=path, line=number, time=x, last=times[-1])
                    )  # fmt: skip
                times.append(x)
                values.append(y)
    except OSError as error:
        raise ValueError(_unreadable(path, error)) from None
    except UnicodeDecodeError:
        raise ValueError(tr("{name} is not a text; a CSV file is wanted", name=os.path.basename(path))) from None
    return MeasuredData(np.array(times), np.array(values))


def mapped(data: MeasuredData, mapping: ColumnMapping) -> tuple[np.ndarray, np.ndarray]:
    """Times in s and values in the unit of the mapping."""
    return data.times * mapping.time_factor + mapping.offset, data.values * mapping.factor


def decimated(
    times: np.ndarray, values: np.ndarray, start: float, end: float, most: int
) -> tuple[np.ndarray, np.ndarray]:
    """The points between two times, and one at each side; of more than `most` the least and the greatest of several."""
    first = max(0, int(np.searchsorted(times, start)) - 1)
    last = min(len(times), int(np.searchsorted(times, end, "right")) + 1)
    times, values = times[first:last], values[first:last]
    if len(times) <= most:
        return times, values
    starts = np.arange(0, len(times), -(-2 * len(times) // most))
    low, high = np.fmin.reduceat(values, starts), np.fmax.reduceat(values, starts)
    return np.repeat(times[starts], 2), np.stack([low, high], axis=1).ravel()


class Difference(NamedTuple):
    """How far measured values are from simulated ones: root mean square, greatest, and of how many samples."""

    rms: float
    greatest: float
    count: int


def difference(
    times: np.ndarray, values: np.ndarray, simulated_times: np.ndarray, simulated: np.ndarray, most: int = 20_000
) -> Difference | None:
    """The difference at the measured times that the simulation covers, of every k-th of too many; None without one."""
    known = np.isfinite(simulated)
    simulated_times, simulated = simulated_times[known], simulated[known]
    if not len(simulated_times):
        return None
    inside = (times >= simulated_times[0]) & (times <= simulated_times[-1]) & np.isfinite(values)
    times, values = times[inside], values[inside]
    if not len(times):
        return None
    stride = -(-len(times) // most)
    errors = np.abs(values[::stride] - np.interp(times[::stride], simulated_times, simulated))
    return Difference(float(np.sqrt(np.mean(errors * errors))), float(errors.max()), len(errors))


# ---- the text ------------------------------------------------------------------------------------------------


def _opened(path: str) -> TextIO:
    return open(path, encoding="utf-8-sig", newline=None)


def _unreadable(path: str, error: OSError) -> str:
    return tr("{path} cannot be read: {reason}", path=path, reason=error.strerror or error)


def _is_used(line: str) -> bool:
    return bool(line.strip()) and not line.lstrip().startswith("#")


def _separator(lines: Sequence[str]) -> str:
    """The separator that makes the most columns, as many in each line."""
    best, most = ",", (0, 0)
    for separator in SEPARATORS:
        counts = [len(_cells(line, separator)) for line in lines]
        usual = max(sorted(set(counts), reverse=True), key=counts.count)
        found = (usual > 1) * counts.count(usual), -SEPARATORS.index(separator)
        if separator == "," and any(";" in line for line in lines):
            continue  # then the comma is the decimal one
        if found > most or most == (0, 0):
            best, most = separator, found
    return best


def _cells(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    return [cell.strip() for cell in next(csv.reader([line.rstrip("\n")], delimiter=separator))]


def _number(cell: str, separator: str) -> float | None:
    """The number in a cell, nan in an empty one; None for something else."""
    if not cell:
        return math.nan
    try:
        return float(cell)
    except ValueError:
        pass
    if separator == ",":
        return None
    try:
        return float(cell.replace(",", "."))
    except ValueError:
        return None


def _rows(file: TextIO, table: Table, size: int) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each row with numbers."""
    passed = 0
    for number, line in enumerate(file, 1):
        passed += len(line)
        if number % CHUNK == 0:
            reached(min(1.0, passed / max(size, 1)))
        if number >= table.first and _is_used(line):
            yield number, _cells(line, table.separator)


def _cell(path: str, number: int, cells: list[str], place: int, table: Table) -> float:
    if place >= len(cells):
        raise ValueError(
            tr("{path}:{line}: there are {count} cells, and {name!r} is the number {place}",
               path=path, line=number, count=len(cells), name=table.columns[place], place=place + 1)
        )  # fmt: skip
    found = _number(cells[place], table.separator)
    if found is None:
        raise ValueError(
            tr("{path}:{line}: {text!r} in the column {name!r} is not a number", path=path, line=number,
               text=cells[place], name=table.columns[place])
        )  # fmt: skip
    return found
