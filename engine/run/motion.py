"""Recorded states and controls in named columns: written to files, read from files of other programs, shown again.

    motion = history.replay(model).motion()            # every step that the history keeps since the last reset or edit
    motion.save("walk.npz")                            # or .csv
    motion = Motion.load("walk.npz")                   # the same numbers to the bit
    places = motion.places(model)                      # which column belongs to which number of Data
    motion.show(places, data, row)

A row has the whole state at its time, and the inputs from there on: a simulation that goes on from it takes the same
steps as the one that was recorded, to the bit. Columns are called by field and object: `qpos/knee`,
`qpos/root/2` (its third number), `qvel/knee`, `act/motor`, `ctrl/motor`, `mocap_pos/target/0`, `eq_active/grip`. So a
motion is shown by the names of joints, also by a model with more or other joints.

Read are also columns that other programs write: `knee`, the plain name of a joint, is its position; `qpos[3]` and
`joint("knee").qpos` are expressions (engine/run/expression.py); an .npz may have arrays called qpos, qvel, ctrl ...
with a row for each time, or one array for each joint. The time is `time` or `t`, in s; angles are in radians.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from kinetree.engine import run
from kinetree.engine.atomic import replaced
from kinetree.engine.model import kinds
from kinetree.engine.model.data import Data
from kinetree.engine.model.fields import by_name
from kinetree.engine.model.kinds import name_of
from kinetree.engine.model.model import Model
from kinetree.engine.run.timeline import Course, Segment
from kinetree.engine.translation import tr

OWNERS: dict[str, str] = {
    "qpos": "joint", "qvel": "joint", "act": "actuator", "qacc_warmstart": "joint", "plugin_state": "plugin",
    "ctrl": "actuator", "qfrc_applied": "joint", "xfrc_applied": "body", "mocap_pos": "body", "mocap_quat": "body",
    "eq_active": "equality", "userdata": "",
}  # fmt: skip
"""Field of Data -> the kind of object that its columns are called by."""
FORCES = ("qfrc_applied", "xfrc_applied")
"""Forces from outside. A motion has columns only for those that are not 0 throughout."""
INPUTS = frozenset({"ctrl", *FORCES, "mocap_pos", "mocap_quat", "eq_active", "userdata"})
"""Fields of OWNERS that are not part of the state."""
TIMES = ("time", "t")
FILES = (".csv", ".npz")
LISTED = 6
"""Names that a message lists at most."""


class DataEntry(NamedTuple):
    """A number of Data: its field, and its place in the flat array."""

    field: str
    index: int


@dataclass(frozen=True)
class MotionColumns:
    """Where the columns of a motion belong in a model.

    fields  field -> (places in the flat array, columns)
    unused  the columns that belong nowhere
    """

    fields: Mapping[str, tuple[np.ndarray, np.ndarray]]
    unused: tuple[str, ...]


class Motion:
    """Recorded states and controls over time, in named columns.

    times   (n,) s, rising
    values  (n, number of names)
    names   of the columns
    """

    def __init__(self, times: ArrayLike, values: ArrayLike, names: Sequence[str]):
        """Raises ValueError where the arrays do not fit together or hold what no state can be."""
        with np.errstate(over="ignore", invalid="ignore"):  # of numbers with more bits
            self.times, self.values = np.asarray(times, float), np.asarray(values, float)
        self.names = tuple(names)
        if self.values.ndim != 2 or self.values.shape != (len(self.times), len(self.names)) or not len(self.times):
            raise ValueError(tr("a motion needs one row for each time, and one name for each column"))
        if not (np.isfinite(self.times).all() and np.isfinite(self.values).all()):
            raise ValueError(tr("a motion must not hold nan or infinity"))
        falls = np.flatnonzero(np.diff(self.times) <= 0.0)
        if len(falls):
            raise ValueError(
                tr(
                    "the times must rise; row {number} has an earlier one: keep the rows of one run",
                    number=falls[0] + 2,
                )
            )

    @property
    def duration(self) -> float:
        """Time from the first row to the last, s."""
        return float(self.times[-1] - self.times[0])

    def course(self) -> Course:
        """Which row has which time, for a timeline."""
        times, segments, at = self.times, [], 0
        while at < len(times) - 1:
            step = float(times[at + 1] - times[at])
            with np.errstate(over="ignore", invalid="ignore"):  # times may be as large as numbers can be
                rest = times[at:] - (times[at] + step * np.arange(len(times) - at))
            off = np.flatnonzero(np.abs(rest) > 1e-3 * step)
            segments.append(Segment(at, float(times[at]), float(times[at] - times[0]), step))
            at += max(1, int(off[0]) - 1) if len(off) else len(times)
        return Course(tuple(segments) or (Segment(0, float(times[0]), 0.0, 1.0),))

    # ---- files -------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write it, `.npz` for numpy or `.csv` with a line of names; the file is there once it is complete. Raises
        ValueError where it cannot be written."""
        path = Path(path)
        if path.suffix.lower() not in FILES:
            raise ValueError(tr("{name}: the name should end in {names}", name=path.name, names=" or ".join(FILES)))
        if path.suffix.lower() == ".npz":
            data = run.npz.packed(time=self.times, values=self.values, names=np.array(self.names, dtype=str))
        else:
            data = self._csv().encode()
        try:
            with replaced(path) as draft, open(draft, "wb") as file:
                file.write(data)
        except OSError as error:
            raise ValueError(
                tr("{path} cannot be written: {reason}", path=path, reason=error.strerror or error)
            ) from None

    def _csv(self) -> str:
        import io

        text = io.StringIO(newline="")
        writer = csv.writer(text)
        writer.writerow(["time", *self.names])
        for time, row in zip(self.times.tolist(), self.values.tolist(), strict=True):
            writer.writerow([repr(number) for number in (time, *row)])
        return text.getvalue()

    @staticmethod
    def load(path: str | Path) -> Motion:
        """Read a file, also of another program. Raises ValueError, which says what is wrong with it."""
        path = Path(path)
        try:
            return _read_npz(path) if path.suffix.lower() == ".npz" else _read_csv(path)
        except OSError as error:
            raise ValueError(tr("{path} cannot be read: {reason}", path=path, reason=error.strerror or error)) from None
        except UnicodeDecodeError:
            raise ValueError(tr("{name} is neither CSV nor .npz", name=path.name)) from None

    # ---- in a model --------------------------------------------------------------------------------------

    def places(self, model: Model) -> MotionColumns:
        """Where the columns belong. Raises ValueError where none belongs to the model, or a number has two."""
        known = dict(labels(model))
        for joint in range(model.njnt):
            name, rows = name_of(model, "joint", joint), kinds.parts(model, "joint", joint)["nq"]
            for k, index in enumerate(range(rows.start, rows.stop)):
                known.setdefault(name if rows.stop - rows.start == 1 else f"{name}/{k}", DataEntry("qpos", index))
        found: dict[DataEntry, int] = {}
        unused = []
        for column, name in enumerate(self.names):
            place = known.get(name) or _place_of_expression(model, name)
            if place is None:
                unused.append(name)
            elif place in found:
                raise ValueError(
                    tr(
                        "the columns {names} and {name} are the same number of the model",
                        names=self.names[found[place]],
                        name=name,
                    )
                )
            else:
                found[place] = column
        if not found:
            raise ValueError(
                tr(
                    "no column belongs to this model: the columns are {listed}, and the joints of the model are "
                    "{listed2}",
                    listed=_listed(self.names),
                    listed2=_listed([name_of(model, "joint", k) for k in range(model.njnt)]),
                )
            )
        fields = {}
        for field in OWNERS:
            pairs = [(place.index, column) for place, column in found.items() if place.field == field]
            if pairs:
                fields[field] = (np.array([pair[0] for pair in pairs]), np.array([pair[1] for pair in pairs]))
        return MotionColumns(fields, tuple(unused))

    def show(self, places: MotionColumns, data: Data, row: int) -> None:
        """Put a row into the state and the inputs. What has no column stays; without velocities all stands still, and
        forces from outside are 0."""
        for field in FORCES:
            getattr(data, field)[...] = 0.0
        if "qvel" not in places.fields:
            data.qvel[:] = 0.0
        for field, (indices, columns) in places.fields.items():
            getattr(data, field).reshape(-1)[indices] = self.values[row, columns]
        data.time = float(self.times[row])


def labels(model: Model) -> Iterator[tuple[str, DataEntry]]:
    """The name and the place of every number that a motion has of a model."""
    for field, kind in OWNERS.items():
        row = by_name("Data")[field]
        size, width = str(row.shape[0]), int(np.prod([n for n in row.shape[1:] if isinstance(n, int)]))
        if not kind:
            for index in range(model.sizes[size]):
                yield f"{field}/{index}", DataEntry(field, index)
            continue
        for id in range(kinds.KINDS[kind].count(model)):
            if size == "nmocap":
                mocap = int(model.body_mocapid[id])
                rows = slice(mocap, mocap + 1) if mocap >= 0 else None
            else:
                rows = kinds.parts(model, kind, id).get(size)
            if rows is None:
                continue
            name, start, stop = name_of(model, kind, id), rows.start * width, rows.stop * width
            for k, index in enumerate(range(start, stop)):
                yield (f"{field}/{name}" if stop - start == 1 else f"{field}/{name}/{k}"), DataEntry(field, index)


def _place_of_expression(model: Model, text: str) -> DataEntry | None:
    """The number that an expression is, without arithmetic."""
    try:
        expression = run.expression.parse(model, text)
    except run.expression.ExpressionError:
        return None
    if expression.width != 1 or not expression.is_plain or expression.channels[0].field not in OWNERS:
        return None
    return DataEntry(expression.channels[0].field, expression.channels[0].start)


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:LISTED])
    return (f"{shown} …" if len(names) > LISTED else shown) or "none"


def _read_csv(path: Path) -> Motion:
    with path.open(newline="", encoding="utf-8-sig") as file:
        lines = csv.reader(file)
        header = [text.strip() for text in next(lines, [])]
        place = next((header.index(name) for name in TIMES if name in header), -1)
        if place < 0 or len(header) < 2:
            raise ValueError(
                tr(
                    "{name}: the first line must name the columns, one of them {names}",
                    name=path.name,
                    names=" or ".join(TIMES),
                )
            )
        numbers: list[list[float]] = []
        for number, line in enumerate(lines, 2):
            if not line:
                continue
            if len(line) != len(header):
                raise ValueError(
                    tr(
                        "{name}, line {number}: {count} values, expected {count2}",
                        name=path.name,
                        number=number,
                        count=len(line),
                        count2=len(header),
                    )
                )
            try:
                numbers.append([float(text) for text in line])
            except ValueError:
                raise ValueError(
                    tr("{name}, line {number}: not all values are numbers", name=path.name, number=number)
                ) from None
    table = np.array(numbers, float).reshape(-1, len(header))
    return _motion(path, table[:, place], np.delete(table, place, axis=1), header[:place] + header[place + 1 :])


def _read_npz(path: Path) -> Motion:
    arrays = run.npz.read(path)
    time = next((arrays.pop(name) for name in TIMES if name in arrays), None)
    if time is None or time.ndim != 1 or time.dtype.kind not in run.npz.NUMBERS or not len(time):
        raise ValueError(
            tr("{name} has no array called {names} with the time of each row", name=path.name, names=" or ".join(TIMES))
        )
    given = arrays.get("names")
    if given is not None and given.ndim == 1 and given.dtype.kind == "U":
        if "values" in arrays:
            return _motion(path, time, arrays["values"], given.tolist())
        if "ctrl" in arrays:  # recorded controls, engine/run/signals.py
            return _motion(path, time, arrays["ctrl"], [f"ctrl/{name}" for name in given.tolist()])
    columns, names = [], []
    for name, array in arrays.items():
        if array.dtype.kind in run.npz.NUMBERS and len(np.atleast_1d(array)) == len(time):
            flat = np.asarray(array, float).reshape(len(time), -1)
            columns.append(flat)
            names += [name] if array.ndim == 1 else [f"{name}[{k}]" for k in range(flat.shape[1])]
    if not columns:
        raise ValueError(tr("{name} has no array with a row for each time", name=path.name))
    return _motion(path, time, np.concatenate(columns, axis=1), names)


def _motion(path: Path, times: np.ndarray, values: np.ndarray, names: Sequence[str]) -> Motion:
    try:
        return Motion(times, values, names)
    except ValueError as error:
        raise ValueError(f"{path.name}: {error}") from None
