"""The past of a simulation: any recorded step can be sought, to the bit, and resumed from.

A step is a function of the state, the inputs and the options, so the history keeps these at some steps (keyframes)
and computes the steps between again. A keyframe is made wherever the state or the options came from outside (a pose, a
reset, an option) and else so often that a seek repeats at most `REPLAY` seconds of work. Where only inputs came from
outside (a control, a push) the numbers that differ are kept: noise on all controls, new at every step, takes little.
What belongs to the state and the inputs is said in `engine/model/fields.py`.

A reset does not end the history: it is a state that came from outside. `course` tells which step has which time.

An edit of the model does not end the history: every step is computed again with the version of the model that it was
first computed with (engine/run/versions.py), and its state is then given to the newest version, object by object. What
is shown is the newest model in the state of then, and running goes on from there with the newest model.

Measured: one keyframe for each step of the humanoid takes 1.8 KB and 20 us (the step itself 27 us); 100 humanoids take
67 KB. With one for each 10 ms of work the humanoid takes 3 KB for each simulated second, and a seek 1 to 7 ms; 100
humanoids take 3 MB for each simulated second and a seek 9 to 30 ms.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np

from kinetree.engine.dynamics import forward
from kinetree.engine.model.data import Data, check_pair, reset
from kinetree.engine.model.fields import select
from kinetree.engine.model.model import Model, Options
from kinetree.engine.run.matching import Matching
from kinetree.engine.run.replay import Replay
from kinetree.engine.run.timeline import CONTACT, EDIT, Course, Mark, Timeline
from kinetree.engine.run.transfer import transfer
from kinetree.engine.run.versions import Past, Versions

LIMIT = 200_000_000
"""Memory of a history unless the user sets another limit, bytes."""
REPLAY = 0.01
"""Most work that a seek repeats, s."""
WARNINGS = ("warning", "warning_time", "nreset")
"""Counted when a step is computed first, not when it is computed again."""
KEYFRAME_BYTES = 1000
"""Memory of a keyframe besides its arrays, bytes."""
CHANGE_BYTES = 400
"""Memory of a change of inputs besides its numbers, bytes."""
CHANGE_COST = 2e-5
"""Work of a seek for each change of inputs, s."""

CELLS: tuple[str, ...] = tuple(f.name for f in select(lambda f: f.history and f.kind == "cell"))
TIME = CELLS.index("time")


@dataclass(frozen=True, slots=True)
class InputChange:
    """Inputs that came from outside before a step: places among the words of all inputs, and their new values."""

    step: int
    places: np.ndarray
    values: np.ndarray

    @property
    def nbytes(self) -> int:
        """Memory, bytes."""
        return CHANGE_BYTES + self.places.nbytes + self.values.nbytes


@dataclass(slots=True)
class Keyframe:
    """State, inputs and options before a step, which is computed with a `version` of the model (Versions). Inputs and
    options are shared with the keyframe before if equal. changes: of inputs, from this step to the next keyframe."""

    step: int
    version: int
    cells: tuple[float, ...]
    state: np.ndarray
    inputs: np.ndarray
    options: Options
    changes: list[InputChange] = field(default_factory=list)

    @property
    def nbytes(self) -> int:
        """Memory without inputs and options, which keyframes share, bytes."""
        return KEYFRAME_BYTES + self.state.nbytes + sum(change.nbytes for change in self.changes)

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

    def replay(self, model: Model, data: Data, step: int) -> None:
        """Put everything back and compute the steps up to the number `step`, with the inputs of then."""
        self.restore(model, data)
        at = self.step
        for change in self.changes:
            if change.step > step:
                break
            if change.step > at:
                forward.step(model, data, change.step - at)
                at = change.step
            data.block("inputs")[change.places] = change.values
        if step > at:
            forward.step(model, data, step - at)


class History:
    """The recorded steps of one simulation, from `first` to `last`, and the `position` among them.

    Steps are numbered from 0 at the first `before_step`. Belongs to one thread. Call `before_step`, advance, and call
    `after_step`; whatever was recorded after the position is forgotten then. `follow` where the next version of the
    model comes, `clear` where another model comes.
    """

    name = ""
    """It is the past of the simulation itself: a Playback has the name of its motion here."""

    def __init__(self, limit: int = LIMIT, seconds: float = inf):
        self._limit, self._seconds = limit, seconds
        self._keyframes: list[Keyframe] = []
        self._bytes = 0
        self._now: np.ndarray | None = None  # state and inputs after the last step or seek
        self._now_cells: tuple[float, ...] = ()
        self._now_options: Options | None = None
        self._versions = Versions()
        self._jumped = False
        self._made_for: bytes | None = None  # Model.structure of the models whose steps these are
        self._timeline = Timeline()
        self._contacts = 0  # after the last step or seek
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
        return self._bytes + self._versions.nbytes

    @property
    def limit(self) -> int:
        """Most memory, bytes; the oldest steps are forgotten for it. At least one keyframe stays."""
        return self._limit

    @limit.setter
    def limit(self, limit: int) -> None:
        self._limit = int(limit)
        self._forget_oldest()

    @property
    def seconds(self) -> float:
        """Most simulated time that is kept, s; the oldest steps are forgotten for it."""
        return self._seconds

    @seconds.setter
    def seconds(self, seconds: float) -> None:
        self._seconds = float(seconds)
        self._forget_oldest()

    @property
    def course(self) -> Course:
        """The time of each step, and what happened when. Immutable."""
        return self._timeline.course

    def copy(self) -> History:
        """The same steps, for another thread to seek in with a model and data of its own. States are not copied: they
        never change."""
        twin = History(self._limit, self._seconds)
        twin._keyframes = [replace(each, changes=each.changes.copy()) for each in self._keyframes]
        twin._bytes, twin._versions, twin._timeline = self._bytes, self._versions.copy(), self._timeline.copy()
        twin.position, twin.last, twin._made_for = self.position, self.last, self._made_for
        return twin

    def clear(self) -> None:
        """Forget everything; the next step has number 0."""
        self._timeline.clear()
        self._keyframes.clear()
        self._versions.clear()
        self._bytes = self.position = self.last = 0
        self._now, self._now_options, self._jumped = None, None, False
        self._made_for = None

    def _check(self, model: Model, data: Data) -> None:
        """Raise ValueError for the model and the data of another simulation."""
        check_pair(model, data)
        if self._made_for not in (None, data.made_for):
            raise ValueError("this history is of another model: clear it, or let it follow the next version of its own")

    def before_step(self, model: Model, data: Data, cost: float = 0.0) -> None:
        """Record the state that the next step starts from. `cost`: wall time of a step, s, 0 where unknown."""
        self._check(model, data)
        if self.last > self.position:
            while self._keyframes and self._keyframes[-1].step > self.position:
                self._pop()
            self.last = self.position
            self._timeline.cut(self.position)
            self._forget_versions()
            self._cut_changes()
        newest = self._keyframes[-1] if self._keyframes else None
        if (
            newest is None
            or self._jumped
            or newest.version != self._versions.newest
            or (cost == 0.0 and newest.step < self.position)
            or (self.position - newest.step) * cost + len(newest.changes) * CHANGE_COST >= REPLAY
        ):
            self._add(model, data)
        elif not self.is_current(model, data):
            places = self._changed_inputs(model, data)
            if places is None:
                self._add(model, data)
            elif places.size:
                self._change(newest, places, data)

    def _changed_inputs(self, model: Model, data: Data) -> np.ndarray | None:
        """Which inputs were changed since the last step or seek; None where more than inputs was changed."""
        words, now = data.block("history"), self._now
        number = words.size - data.block("inputs").size
        if (
            now is None
            or self._now_cells != _cells(data)
            or self._now_options is None
            or not self._now_options.is_current(model)
            or not np.array_equal(now[:number], words[:number])
        ):
            return None
        return np.flatnonzero(now[number:] != words[number:]).astype(np.int32)

    def _change(self, keyframe: Keyframe, places: np.ndarray, data: Data) -> None:
        """Keep inputs that came from outside at the position."""
        keyframe.changes.append(InputChange(self.position, places, data.block("inputs")[places]))
        self._bytes += keyframe.changes[-1].nbytes
        self._remember(data)
        self._forget_oldest()

    def _cut_changes(self) -> None:
        """Forget the changes of inputs after the position."""
        changes = self._keyframes[-1].changes if self._keyframes else []
        while changes and changes[-1].step > self.position:
            self._bytes -= changes.pop().nbytes

    def append(self, model: Model, data: Data, origin: str = "") -> None:
        """Record a state that was set, as by a reset, after the last step, also where an earlier step was shown.
        `origin`: the name of the state, see `engine.run.timeline.Origin`."""
        self.position = self.last
        self._jumped = True
        self.before_step(model, data)
        self._timeline.begin(self.position, origin)

    def after_step(self, data: Data, steps: int) -> None:
        """Record that the data was advanced by a number of steps."""
        time = self._now_cells[TIME] if self._now_cells else 0.0
        self.position += steps
        self.last = self.position
        self._remember(data)
        self._jumped = self._now_cells[TIME] < time  # an automatic reset: times are counted from here
        if self._jumped:
            self._timeline.begin(self.position, "")
        contacts = data.ncon
        if contacts > self._contacts:
            # those of the state before the last step, as the step found them
            self._timeline.mark(self.position - 1, CONTACT, self.position - steps)
        self._contacts = contacts

    def follow(self, matching: Matching, model: Model, data: Data) -> None:
        """Go on with another version of the model, `matching.new`, and this Data. `model`: the same with the options of
        the simulation."""
        at_the_end = not self.behind
        if at_the_end and self._keyframes and self._keyframes[-1].step == self.position:
            self._pop()  # no step was taken from it
        self._versions.add(matching, self._keyframes[-1].version if self._keyframes else -1)
        self._remember(data, Options(model))
        if at_the_end:
            self._add(model, data)
            self._timeline.mark(self.position, EDIT)
        self._forget_oldest()

    def seek(self, model: Model, data: Data, step: int) -> int:
        """Go to the recorded step nearest to the number `step`; returns its number.

        State, inputs and options are what they were, to the bit; outputs are those of `kinetree.forward`. The model's
        options are changed: pass a model with options of its own. The steps after it stay until the next
        `before_step`. A step of a version before gives its state and inputs, as far as their objects are still there;
        options stay as they are.
        """
        if not self._keyframes:
            return self.position
        self._check(model, data)
        step = min(max(step, self.first), self.last)
        keyframe = self._keyframes[self._index(step)]
        counted = {name: np.copy(getattr(data, name)) for name in WARNINGS}
        if keyframe.version == self._versions.newest:
            keyframe.replay(model, data, step)
            options = keyframe.options
        else:
            self._restore_past(keyframe, step, model, data)
            options = Options(model)
        self.position = step
        self._remember(data, options)
        forward.forward(model, data)
        data.block("history")[...] = self._now  # forward changes the warm start
        for name, value in counted.items():
            setattr(data, name, value)
        self._contacts = data.ncon
        return step

    def keyframes(self) -> list[tuple[Keyframe, int]]:
        """All keyframes, oldest first, each with the last step that is computed from it."""
        ends = [keyframe.step for keyframe in self._keyframes[1:]]
        return list(zip(self._keyframes, [*ends, self.last], strict=False))

    def version(self, number: int) -> tuple[Past | None, Matching | None]:
        """The model of a version, and which of its objects are which in the newest one; see `Versions.past`. (None,
        None) for the newest."""
        if number == self._versions.newest:
            return None, None
        return self._versions.past(number)

    def replay(self, model: Model) -> Replay:
        """The part of the newest version that can be computed again, in any thread. `model`: the model of that version;
        it is not changed.
        """
        newest = self._versions.newest
        kept = [
            replace(keyframe, changes=list(keyframe.changes))
            for keyframe in self._keyframes
            if keyframe.version == newest
        ]
        return Replay(model, kept, self.last)

    def seek_mark(self, model: Model, data: Data, mark: Mark) -> int:
        """Go to the very step at which something happened; returns its number."""
        if mark.since >= mark.step or not self.first < mark.since <= mark.step < self.last:
            return self.seek(model, data, mark.step)
        # The contacts of a state are known after the step that begins with it.
        self.seek(model, data, mark.since - 1)
        before, found = data.ncon, mark.step
        counted = {name: np.copy(getattr(data, name)) for name in WARNINGS}
        forward.step(model, data, 1)
        for step in range(mark.since, mark.step):
            forward.step(model, data, 1)
            if data.ncon > before:
                found = step
                break
            before = data.ncon
        for name, value in counted.items():
            setattr(data, name, value)
        return self.seek(model, data, found)

    def _restore_past(self, keyframe: Keyframe, step: int, model: Model, data: Data) -> None:
        """Restore the state of a step after a keyframe, computed with the model version of the keyframe."""
        past, matching = self._versions.past(keyframe.version)
        past.data.threads = data.threads
        keyframe.replay(past.model, past.data, step)
        reset(model, data)
        if matching is not None:
            transfer(matching.old, past.data, model, data, matching, follow_text=False)
            return
        data.block("history")[...] = past.data.block("history")
        for name in CELLS:
            setattr(data, name, getattr(past.data, name))

    def time_of(self, step: int) -> float:
        """Simulation time of a recorded step, s, within rounding."""
        if not self._keyframes:
            return self._now_cells[TIME] if self._now_cells else 0.0
        step = min(max(step, self.first), self.last)
        keyframe = self._keyframes[self._index(step)]
        return float(keyframe.time + (step - keyframe.step) * keyframe.options.timestep)

    def steps_every(self, interval: float, first: int, last: int) -> list[int]:
        """The recorded steps nearest to moments that are `interval` (s) of simulated time apart, from step `first` to
        step `last`. Time goes on where a reset has set it back."""
        first, last = max(first, self.first), min(last, self.last)
        if not self._keyframes or last < first:
            return []
        course = self.course
        begin = course.elapsed(first)
        number = int((course.elapsed(last) - begin) / interval + 1e-9) + 1
        return [min(max(course.step_at(begin + k * interval), first), last) for k in range(number)]

    def _index(self, step: int) -> int:
        return bisect_right(self._keyframes, step, key=lambda keyframe: keyframe.step) - 1

    def is_current(self, model: Model, data: Data) -> bool:
        """Whether nobody changed state, inputs or options since the last step or seek."""
        return (
            self._now is not None
            and np.array_equal(self._now, data.block("history"))
            and self._now_cells == _cells(data)
            and self._now_options is not None
            and self._now_options.is_current(model)
        )

    def _remember(self, data: Data, options: Options | None = None) -> None:
        """Note the present state and inputs, and the options if they are given."""
        self._made_for = data.made_for
        words = data.block("history")
        if self._now is None or self._now.size != words.size:
            self._now = words.copy()
        else:
            self._now[...] = words
        self._now_cells = _cells(data)
        if options is not None:
            self._now_options = options

    def _add(self, model: Model, data: Data) -> None:
        """Add a keyframe at the position, in place of an existing one."""
        if self._keyframes and self._keyframes[-1].step == self.position:
            self._pop()
        words = data.block("history")
        inputs = data.block("inputs")
        options = None
        if self._keyframes:
            before = self._keyframes[-1]
            if before.inputs.size == inputs.size and np.array_equal(before.inputs, inputs):
                inputs = before.inputs
            if before.options.is_current(model):
                options = before.options
        if inputs.base is not None:
            inputs = inputs.copy()
        state = words[: words.size - inputs.size].copy()
        options = options or Options(model)
        self._keyframes.append(Keyframe(self.position, self._versions.newest, _cells(data), state, inputs, options))
        self._bytes += self._size(len(self._keyframes) - 1)
        self._timeline.note(self.position, float(data.time), float(options.timestep))
        self._remember(data, options)
        self._jumped = False
        self._forget_oldest()

    def _size(self, k: int) -> int:
        """Memory of a keyframe, without what the one before it shares, bytes."""
        keyframe = self._keyframes[k]
        shared = k > 0 and self._keyframes[k - 1].inputs is keyframe.inputs
        return keyframe.nbytes + (0 if shared else keyframe.inputs.nbytes)

    def _pop(self) -> None:
        """Forget the newest keyframe."""
        self._bytes -= self._size(len(self._keyframes) - 1)
        self._keyframes.pop()

    def _forget_versions(self) -> None:
        if self._keyframes:
            self._versions.forget(self._keyframes[0].version, self._keyframes[-1].version)

    def _forget_oldest(self) -> None:
        number = 0
        while number < len(self._keyframes) - 1 and (
            self.nbytes > self._limit or self._since(self._keyframes[number + 1].step) > self._seconds
        ):
            keyframe, after = self._keyframes[number], self._keyframes[number + 1]
            self._bytes -= keyframe.nbytes
            if after.inputs is not keyframe.inputs:
                self._bytes -= keyframe.inputs.nbytes
            number += 1
            if after.version != keyframe.version:
                self._versions.forget(after.version, self._keyframes[-1].version)
        if number:
            del self._keyframes[:number]
            self.position = max(self.position, self._keyframes[0].step)
            self._timeline.forget(self._keyframes[0].step)

    def _since(self, step: int) -> float:
        """Simulated time from a step to the last one, s."""
        if self._seconds == inf:
            return 0.0
        course = self._timeline.course
        return course.elapsed(self.last) - course.elapsed(step)


def _cells(data: Data) -> tuple[float, ...]:
    return tuple(getattr(data, name) for name in CELLS)
