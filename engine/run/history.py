"""The past of a simulation: any recorded step can be sought, to the bit, and resumed from.

A step is a function of the state, the inputs and the options, so the history keeps these at some steps (keyframes)
and computes the steps between again. A keyframe is made wherever something came from outside (a control, a push, an
option, a pose) and else so often that a seek repeats at most `REPLAY` seconds of steps. What belongs to the state and
the inputs is said in `engine/model/fields.py`.

Measured: one keyframe for each step of the humanoid takes 1.8 KB and 20 us (the step itself 27 us); 100 humanoids take
67 KB. With one for each 10 ms of work the humanoid takes 3 KB for each simulated second, and a seek 1 to 7 ms; 100
humanoids take 3 MB for each simulated second and a seek 9 to 30 ms.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from engine.dynamics import forward
from engine.model.data import Data
from engine.model.fields import select
from engine.model.model import Model, Options

LIMIT = 200_000_000
"""Memory of a history unless the user sets another limit, bytes."""
REPLAY = 0.01
"""Most work that a seek repeats, s."""
WARNINGS = ("warning", "warning_time", "nreset")
"""Counted when a step is computed first, not when it is computed again."""
KEYFRAME_BYTES = 1000
"""Memory of a keyframe besides its arrays, bytes."""

CELLS: tuple[str, ...] = tuple(f.name for f in select(lambda f: f.history and f.kind == "cell"))
TIME = CELLS.index("time")


@dataclass(slots=True)
class Keyframe:
    """State, inputs and options before a step. Inputs and options are shared with the keyframe before if equal."""

    step: int
    cells: tuple[float, ...]
    state: np.ndarray
    inputs: np.ndarray
    options: Options

    @property
    def time(self) -> float:
        """Simulation time, s."""
        return self.cells[TIME]

    def restore(self, model: Model, data: Data) -> None:
        """Put everything back. Outputs are stale afterwards."""
        for name, value in zip(CELLS, self.cells, strict=True):
            setattr(data, name, value)
        words = data.block("history")
        words[: self.state.size] = self.state
        words[self.state.size :] = self.inputs
        self.options.restore(model)


class History:
    """The recorded steps of one simulation, from `first` to `last`, and the `position` among them.

    Steps are numbered from 0 at the first `before_step`. Belongs to one thread. Call `before_step`, advance, and call
    `after_step`; whatever was recorded after the position is forgotten then. `clear` where another model comes.
    """

    def __init__(self, limit: int = LIMIT):
        self._limit = limit
        self._keyframes: list[Keyframe] = []
        self._bytes = 0
        self._now: np.ndarray | None = None  # state and inputs after the last step or seek
        self._now_cells: tuple[float, ...] = ()
        self._jumped = False
        self.position = self.last = 0

    def __len__(self) -> int:
        """Number of keyframes."""
        return len(self._keyframes)

    @property
    def first(self) -> int:
        """The oldest step that can be sought."""
        return self._keyframes[0].step if self._keyframes else self.position

    @property
    def behind(self) -> int:
        """How many steps before the last one the position is."""
        return self.last - self.position

    @property
    def nbytes(self) -> int:
        """Memory in use, bytes."""
        return self._bytes

    @property
    def limit(self) -> int:
        """Most memory, bytes; the oldest steps are forgotten for it. At least one keyframe stays."""
        return self._limit

    @limit.setter
    def limit(self, limit: int) -> None:
        self._limit = int(limit)
        self._forget_oldest()

    def clear(self) -> None:
        """Forget everything; the next step has number 0."""
        self._keyframes.clear()
        self._bytes = self.position = self.last = 0
        self._now, self._jumped = None, False

    def before_step(self, model: Model, data: Data, cost: float = 0.0) -> None:
        """The data will be advanced from here. `cost`: wall time of a step, s, 0 where unknown."""
        while self._keyframes and self._keyframes[-1].step > self.position:
            self._bytes -= self._size(len(self._keyframes) - 1)
            self._keyframes.pop()
        self.last = self.position
        newest = self._keyframes[-1] if self._keyframes else None
        if (
            newest is None
            or self._jumped
            or not self.is_current(model, data)
            or (cost == 0.0 and newest.step < self.position)
            or (self.position - newest.step) * cost >= REPLAY
        ):
            self._add(model, data)

    def after_step(self, data: Data, steps: int) -> None:
        """The data was advanced by so many steps."""
        time = self._now_cells[TIME] if self._now_cells else 0.0
        self.position += steps
        self.last = self.position
        self._remember(data)
        self._jumped = self._now_cells[TIME] < time  # an automatic reset: times are counted from here

    def seek(self, model: Model, data: Data, step: int) -> int:
        """Go to the recorded step nearest to the number `step`; returns its number.

        State, inputs and options are what they were, to the bit; outputs are those of `engine.forward`. The model's
        options are changed: pass a model with options of its own. The steps after it stay until the next
        `before_step`.
        """
        if not self._keyframes:
            return self.position
        step = min(max(step, self.first), self.last)
        keyframe = self._keyframes[self._index(step)]
        counted = {name: np.copy(getattr(data, name)) for name in WARNINGS}
        keyframe.restore(model, data)
        if step > keyframe.step:
            forward.step(model, data, step - keyframe.step)
        self.position = step
        self._remember(data)
        forward.forward(model, data)
        data.block("history")[...] = self._now  # forward changes the warm start
        for name, value in counted.items():
            setattr(data, name, value)
        return step

    def time_of(self, step: int) -> float:
        """Simulation time of a recorded step, s, within rounding."""
        if not self._keyframes:
            return self._now_cells[TIME] if self._now_cells else 0.0
        step = min(max(step, self.first), self.last)
        keyframe = self._keyframes[self._index(step)]
        return float(keyframe.time + (step - keyframe.step) * keyframe.options.timestep)

    def marks(self) -> list[tuple[int, float]]:
        """(step, time) of the keyframes and of the last step: what a timeline shows."""
        marks = [(keyframe.step, keyframe.time) for keyframe in self._keyframes]
        if marks and marks[-1][0] < self.last:
            marks.append((self.last, self.time_of(self.last)))
        return marks

    def _index(self, step: int) -> int:
        return bisect_right(self._keyframes, step, key=lambda keyframe: keyframe.step) - 1

    def is_current(self, model: Model, data: Data) -> bool:
        """Whether nobody changed state, inputs or options since the last step or seek."""
        return (
            self._now is not None
            and np.array_equal(self._now, data.block("history"))
            and self._now_cells == _cells(data)
            and self._keyframes[self._index(self.position)].options.is_current(model)
        )

    def _remember(self, data: Data) -> None:
        words = data.block("history")
        if self._now is None or self._now.size != words.size:
            self._now = words.copy()
        else:
            self._now[...] = words
        self._now_cells = _cells(data)

    def _add(self, model: Model, data: Data) -> None:
        """A keyframe at the position, in place of one that is there already."""
        if self._keyframes and self._keyframes[-1].step == self.position:
            self._bytes -= self._size(len(self._keyframes) - 1)
            self._keyframes.pop()
        words = data.block("history")
        inputs = data.block("inputs")
        options = None
        if self._keyframes:
            before = self._keyframes[-1]
            if np.array_equal(before.inputs, inputs):
                inputs = before.inputs
            if before.options.is_current(model):
                options = before.options
        if inputs.base is not None:
            inputs = inputs.copy()
        state = words[: words.size - inputs.size].copy()
        self._keyframes.append(Keyframe(self.position, _cells(data), state, inputs, options or Options(model)))
        self._bytes += self._size(len(self._keyframes) - 1)
        self._remember(data)
        self._jumped = False
        self._forget_oldest()

    def _size(self, k: int) -> int:
        """Memory of a keyframe, without what the one before it shares, bytes."""
        keyframe = self._keyframes[k]
        shared = k > 0 and self._keyframes[k - 1].inputs is keyframe.inputs
        return KEYFRAME_BYTES + keyframe.state.nbytes + (0 if shared else keyframe.inputs.nbytes)

    def _forget_oldest(self) -> None:
        number = 0
        while self._bytes > self._limit and number < len(self._keyframes) - 1:
            keyframe, after = self._keyframes[number], self._keyframes[number + 1]
            self._bytes -= KEYFRAME_BYTES + keyframe.state.nbytes
            if after.inputs is not keyframe.inputs:
                self._bytes -= keyframe.inputs.nbytes
            number += 1
        if number:
            del self._keyframes[:number]
            self.position = max(self.position, self._keyframes[0].step)


def _cells(data: Data) -> tuple[float, ...]:
    return tuple(getattr(data, name) for name in CELLS)
