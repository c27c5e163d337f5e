"""Several quantities recorded together: one Recorder for all, and their values at every step.

capture = Capture(model, {"height": parse(model, "qpos[2]"), "speed": parse(model, "norm(qvel)")})
step(model, data, 500, [capture.recorder])
times, steps, values, lost = capture.read()      # each step once; values: the columns of one quantity after another

Quantities may be of a second model that is simulated beside the first one, or of both: it has a recorder of its own,
`capture.other_recorder`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kinetree.engine.model.model import Model
from kinetree.engine.run.beside import Beside
from kinetree.engine.run.expression_tree import Expression
from kinetree.engine.run.recorder import Channel, RecordedRows, Recorder, RecordReader

RING_BYTES = 8 << 20
"""Memory of a recorder: what may be recorded between two reads."""
LEAST_ROWS, MOST_ROWS = 2048, 65536


class Capture:
    """Quantities of one model, or of one and the model that is compared with it.

    recorder        is to be given to the simulation
    other_recorder  is to be given to the simulation of the other model; None where no quantity reads it
    quantities      key -> Expression
    """

    def __init__(
        self, model: Model, quantities: Mapping[Any, Expression], other: Model | None = None, rows: int | None = None
    ):
        """rows: how many steps may be recorded between two reads; by default as many as some memory holds. Raises
        ValueError where they have too many columns to record."""
        self.quantities = dict(quantities)
        found = dict.fromkeys(item for each in self.quantities.values() for item in each.channels)
        channels = sorted(found, key=lambda item: item.is_other)  # those of the other model come last
        mine, others = ([item for item in channels if item.is_other == is_other] for is_other in (False, True))
        self.recorder = _recorder(model, mine, rows)
        self.other_recorder: Recorder | None = None
        self._reading: RecordReader | Beside = RecordReader(self.recorder)
        if others and other is not None:
            self.other_recorder = _recorder(other, others, rows)
            self._reading = Beside(self._reading, RecordReader(self.other_recorder), other.opt.timestep)
        places: dict[Channel, int] = {}
        width = 0
        for item in channels:
            places[item] = width
            width += item.width
        self._columns = [
            np.array([places[item] + k for item in expression.channels for k in range(item.width)], np.intp)
            for expression in self.quantities.values()
        ]

    @property
    def widths(self) -> dict[Any, int]:
        """How many columns each quantity has."""
        return {key: expression.width for key, expression in self.quantities.items()}

    def read(self) -> RecordedRows:
        """The values recorded since the last call."""
        rows = self._reading.read()
        parts = [
            expression.of_columns(rows.values[:, columns])
            for expression, columns in zip(self.quantities.values(), self._columns, strict=True)
        ]
        values = np.concatenate(parts, axis=1) if parts else np.empty((len(rows.times), 0))
        return rows._replace(values=values)


def _recorder(model: Model, channels: list[Channel], rows: int | None) -> Recorder:
    width = sum(item.width for item in channels)
    if rows is None:
        rows = min(max(RING_BYTES // (8 * (2 + width)), LEAST_ROWS), MOST_ROWS)
    return Recorder(model, channels, capacity=rows)
