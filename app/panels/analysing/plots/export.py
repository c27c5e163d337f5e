"""Recorded steps written to files: every step that is kept whole, every number as it was computed, to the bit.

Each row has the number of the run (they are counted from 1; a reset and a seek begin another one), the number of the
step, the simulation time and the columns. Rows of a recorded motion that was played have numbers below 0. Where a
column was not recorded at a step, CSV has nothing, Parquet has null.

    CSV      numbers in as many digits as tell them apart
    Parquet  doubles, in row groups of one block each
    MCAP     a topic for each run; messages in JSON; log time is the simulation time in nanoseconds
"""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kinetree.engine import extras
from kinetree.engine.atomic import replaced
from kinetree.engine.progress import tracked
from kinetree.engine.run.series import SeriesRows
from kinetree.engine.translation import marked, tr

MCAP_SCHEMA = {
    "type": "object",
    "properties": {
        "step": {"type": "integer"},
        "time": {"type": "number"},
        "values": {"type": "object", "additionalProperties": {"type": ["number", "string", "null"]}},
    },
}


@dataclass(frozen=True)
class ExportColumn:
    """A column of a file: its key in Rows, its place there, name and unit."""

    key: Any
    place: int
    name: str
    unit: str

    def of(self, rows: SeriesRows) -> np.ndarray | None:
        """Its numbers, None where it was not recorded."""
        columns = rows.columns.get(self.key)
        return None if columns is None else rows.values[:, columns.start + self.place]


def write(path: str, blocks: Sequence[SeriesRows], columns: Sequence[ExportColumn]) -> int:
    """Write a file in the format that its ending names, and return the number of rows. The file is there once it is
    complete. Raises ValueError where it cannot be written; Cancelled leaves nothing behind."""
    writer = WRITERS.get(Path(path).suffix.lower())
    if writer is None:
        raise ValueError(tr("{name}: the name should end in {names}", name=Path(path).name, names=", ".join(WRITERS)))
    try:
        with replaced(path) as draft:
            writer(draft, blocks, columns)
    except OSError as error:
        raise ValueError(
            tr("{path} cannot be written: {strerror}", path=path, strerror=error.strerror or error)
        ) from None
    return sum(len(rows.times) for rows in blocks)


def _csv(path: str, blocks: Sequence[SeriesRows], columns: Sequence[ExportColumn]) -> None:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["run", "step", "time", *(column.name for column in columns)])
        for rows in tracked(blocks):
            count = len(rows.times)
            parts = [[rows.run] * count, rows.steps.tolist(), map(repr, rows.times.tolist())]
            for column in columns:
                values = column.of(rows)
                parts.append([""] * count if values is None else list(map(repr, values.tolist())))
            writer.writerows(zip(*parts, strict=True))


def _parquet(path: str, blocks: Sequence[SeriesRows], columns: Sequence[ExportColumn]) -> None:
    extras.places.activate("parquet")
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [
        pa.field("run", pa.int64()),
        pa.field("step", pa.int64()),
        pa.field("time", pa.float64(), metadata={"unit": "s"}),
    ]
    fields += [pa.field(each.name, pa.float64(), metadata={"unit": each.unit}) for each in columns]
    schema = pa.schema(fields)
    with pq.ParquetWriter(path, schema) as writer:
        for rows in tracked(blocks):
            arrays = [np.full(len(rows.times), rows.run), rows.steps, rows.times]
            made = [pa.array(np.ascontiguousarray(each)) for each in arrays]
            for column in columns:
                values = column.of(rows)
                made.append(
                    pa.nulls(len(rows.times), pa.float64())
                    if values is None
                    else pa.array(np.ascontiguousarray(values), from_pandas=False)
                )
            writer.write_table(pa.table(made, schema=schema))


def _mcap(path: str, blocks: Sequence[SeriesRows], columns: Sequence[ExportColumn]) -> None:
    from mcap.writer import Writer

    with open(path, "wb") as file:
        writer = Writer(file)
        writer.start(profile="", library="kinetree")
        schema = writer.register_schema("kinetree.Step", "jsonschema", json.dumps(MCAP_SCHEMA).encode())
        channels: dict[int, int] = {}
        for rows in tracked(blocks):
            if rows.run not in channels:
                channels[rows.run] = writer.register_channel(f"/run{rows.run}", "json", schema)
            known = [(each.name, values) for each in columns if (values := each.of(rows)) is not None]
            for k, (time, step) in enumerate(zip(rows.times.tolist(), rows.steps.tolist(), strict=True)):
                values = {name: _plain(float(numbers[k])) for name, numbers in known}
                message = json.dumps({"step": step, "time": time, "values": values}).encode()
                stamp = max(0, round(time * 1e9))
                writer.add_message(channels[rows.run], stamp, message, stamp, sequence=max(step, 0))
        writer.finish()


def _plain(value: float) -> float | str | None:
    """A number in JSON, which has no nan and no infinity."""
    return value if math.isfinite(value) else None if math.isnan(value) else repr(value)


WRITERS: dict[str, Callable[[str, Sequence[SeriesRows], Sequence[ExportColumn]], None]] = {
    ".csv": _csv,
    ".parquet": _parquet,
    ".mcap": _mcap,
}
"""Ending of a file -> what writes it."""
NEEDS = {".parquet": "parquet"}
"""Ending of a file -> the extra that writes it."""
FORMATS = {".csv": marked("CSV Table"), ".parquet": "Parquet", ".mcap": marked("MCAP Log")}
