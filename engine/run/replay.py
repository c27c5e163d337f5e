"""The steps that a history keeps, computed again apart from it: to write them to a file, in a thread of its own.

    replay = history.replay(model)       # in the thread of the history; quick
    motion = replay.motion()             # in any thread, with a Data of its own

The numbers are those of the first time, to the bit. What is left out are steps before the last reset and of earlier
versions of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.model.data import Data
from kinetree.engine.model.model import Model
from kinetree.engine.progress import tracked
from kinetree.engine.run.motion import FORCES, INPUTS, Motion, labels
from kinetree.engine.run.recorder import Chunk, Recorder, channel, step
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.run.history import Keyframe

MOST_BYTES = 2 << 30
"""Most memory of a motion."""


class MotionBuilder:
    """Puts together a Motion from the rows of recorders."""

    def __init__(self, model: Model):
        found = list(labels(model))
        self._fields = list(dict.fromkeys(place.field for _, place in found))
        found.sort(key=lambda pair: (self._fields.index(pair[1].field), pair[1].index))  # as they lie in the fields
        self._names = [label for label, _ in found]
        self._places = [place for _, place in found]
        self._inputs = np.array([place.field in INPUTS for place in self._places], bool)
        self._channels = [channel(model, field) for field in self._fields]
        self._times: list[np.ndarray] = []
        self._rows: list[np.ndarray] = []

    @property
    def width(self) -> int:
        """Numbers of a row, with its time."""
        return len(self._names) + 1

    def recorder(self, model: Model, capacity: int) -> Recorder:
        """A recorder whose rows it takes."""
        return Recorder(model, self._channels, capacity)

    def begin(self, data: Data) -> None:
        """Start with the first state."""
        self._times, self._rows = [np.array([data.time])], [self._row(data)]

    def add(self, chunk: Chunk) -> None:
        """Append the rows of the next steps."""
        self._times.append(chunk.times)
        self._rows.append(chunk.values)

    def replace(self, data: Data) -> None:
        """Replace the last state, which was changed by hand before the next step."""
        before = self._rows.pop()  # of a recorder: nobody may write into it
        state = np.where(self._inputs, before[-1:], self._row(data))
        self._rows += [before[:-1], state]

    def motion(self, data: Data) -> Motion:
        """All rows. `data`: as it is after the last step, with the inputs from there on."""
        values, times = np.concatenate(self._rows), np.concatenate(self._times)
        # A recorded row has the inputs that the step used: they belong to the state before it.
        values[:-1, self._inputs] = values[1:, self._inputs]
        values[-1:, self._inputs] = self._row(data)[:, self._inputs]
        unused = np.array([place.field in FORCES for place in self._places]) & ~values.any(axis=0)
        names = [name for name, is_unused in zip(self._names, unused, strict=True) if not is_unused]
        return Motion(times, values[:, ~unused], names)

    def _row(self, data: Data) -> np.ndarray:
        return np.concatenate([np.ravel(np.asarray(getattr(data, field), float)) for field in self._fields])[None]


class Replay:
    """Steps of one version of a model, up to the step `last`."""

    def __init__(self, model: Model, keyframes: Sequence[Keyframe], last: int):
        self._model, self._keyframes, self._last = model, list(keyframes), last
        times = [keyframe.time for keyframe in self._keyframes]
        falls = [k for k in range(1, len(times)) if times[k] <= times[k - 1]]
        del self._keyframes[: falls[-1] if falls else 0]

    @property
    def steps(self) -> int:
        """How many steps it has."""
        return self._last - self._keyframes[0].step if self._keyframes else 0

    def motion(self) -> Motion:
        """All states, and the inputs from each on. Raises ValueError where nothing is kept, or too much; Cancelled."""
        if not self._keyframes:
            raise ValueError(tr("nothing was recorded yet: let the simulation run first"))
        model = self._model.with_own_options()
        data, builder = Data(model), MotionBuilder(model)
        if 8 * builder.width * (self.steps + 1) > MOST_BYTES:
            raise ValueError(
                tr(
                    "{number} states of {width} numbers are more than {number2} GB: limit the time of the history",
                    number=self.steps + 1,
                    width=builder.width,
                    number2=MOST_BYTES >> 30,
                )
            )
        for place, keyframe in enumerate(tracked(self._keyframes)):
            end = self._keyframes[place + 1].step if place + 1 < len(self._keyframes) else self._last
            keyframe.restore(model, data)
            if place:
                builder.replace(data)
            else:
                builder.begin(data)
            at = keyframe.step
            changes = [change for change in keyframe.changes if change.step < end or change.step == self._last]
            for number, change in enumerate([None, *changes]):
                if change is not None:
                    data.block("inputs")[change.places] = change.values
                stop = changes[number].step if number < len(changes) else end
                if stop > at:
                    recorder = builder.recorder(model, stop - at)
                    step(model, data, stop - at, [recorder])
                    builder.add(recorder.read())
                    at = stop
        return builder.motion(data)
