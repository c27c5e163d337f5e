"""Times and events of a history for the timeline: the time of each step, and marks of edits, resets and contacts.

    course = history.course            # immutable: any thread may keep it
    course.time(step)                  # simulation time, which falls at a reset
    course.elapsed(step)               # simulated time since the history began, which never falls
    course.step_at(elapsed)
    course.marks                       # edits of the model, resets, contacts that begin
    course.origin(step)                # the state that was set last before a step, such as a keyframe

The time step seldom changes, so the times of all steps are kept as a few Segments.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

EDIT, RESET, CONTACT = "edit", "reset", "contact"
KINDS: dict[str, str] = {EDIT: "Edit of the model", RESET: "Reset", CONTACT: "Contact begins"}
"""Kinds of marks, and their texts for the user."""
MOST_MARKS = 2000
"""Of each kind, and of origins; the oldest are forgotten."""


class Mark(NamedTuple):
    """Something that happened.

    step   at which state
    kind   one of KINDS
    since  the first state at which it may have happened, where several steps were taken in one call; else `step`
    """

    step: int
    kind: str
    since: int


class Origin(NamedTuple):
    """A state that was set, which the steps from `step` on go out from.

    name    of the keyframe or the remembered state, "" for another state, such as the initial one
    number  how many were set up to it
    """

    step: int
    name: str
    number: int = 0


class Segment(NamedTuple):
    """Steps of equal length. step: its first one; time: simulation time there, s; elapsed: simulated time since the
    history began, s; timestep: s."""

    step: int
    time: float
    elapsed: float
    timestep: float


@dataclass(frozen=True)
class Course:
    """Times and events of a history at one moment: segments of equal steps, marks and origins in the order of their
    steps."""

    segments: tuple[Segment, ...] = ()
    marks: tuple[Mark, ...] = ()
    origins: tuple[Origin, ...] = ()

    def _segment(self, step: int) -> Segment:
        if not self.segments:
            return Segment(0, 0.0, 0.0, 0.0)
        return self.segments[max(0, bisect_right(self.segments, step, key=lambda each: each.step) - 1)]

    def time(self, step: int) -> float:
        """Simulation time of a step, s, within rounding."""
        segment = self._segment(step)
        return segment.time + (step - segment.step) * segment.timestep

    def elapsed(self, step: float) -> float:
        """Simulated time from the begin of the history to a step, s. It never falls."""
        segment = self._segment(int(step))
        return segment.elapsed + (step - segment.step) * segment.timestep

    @cached_property
    def moments(self) -> dict[str, np.ndarray]:
        """Kind of mark -> the elapsed times of its marks, in order, s."""
        steps: dict[str, list[int]] = {kind: [] for kind in KINDS}
        for mark in self.marks:
            steps[mark.kind].append(mark.step)
        return {kind: self._all_elapsed(np.array(found, np.int64)) for kind, found in steps.items()}

    def _all_elapsed(self, steps: np.ndarray) -> np.ndarray:
        if not self.segments:
            return np.zeros(len(steps))
        begins, _, elapsed, timestep = (np.array(column) for column in zip(*self.segments, strict=True))
        segment = np.maximum(np.searchsorted(begins, steps, "right") - 1, 0)
        return elapsed[segment] + (steps - begins[segment]) * timestep[segment]

    def step_at(self, elapsed: float) -> int:
        """The step nearest to a time since the begin of the history, s. It may be beyond the last one."""
        if not self.segments:
            return 0
        place = max(0, bisect_right(self.segments, elapsed, key=lambda each: each.elapsed) - 1)
        segment = self.segments[place]
        step = segment.step + round((elapsed - segment.elapsed) / segment.timestep)
        return min(step, self.segments[place + 1].step) if place + 1 < len(self.segments) else step

    def origin(self, step: int) -> Origin:
        """The state that was set last at or before a step."""
        place = bisect_right(self.origins, step, key=lambda each: each.step) - 1
        return self.origins[place] if place >= 0 else Origin(0, "")

    def mark_after(self, step: int, kinds: Sequence[str] = tuple(KINDS)) -> Mark | None:
        """The first mark after a step, of some kinds; None without one."""
        place = bisect_right(self.marks, step, key=lambda mark: mark.step)
        return next((mark for mark in self.marks[place:] if mark.kind in kinds), None)

    def mark_before(self, step: int, kinds: Sequence[str] = tuple(KINDS)) -> Mark | None:
        """The last mark before a step, of some kinds; None without one."""
        place = bisect_left(self.marks, step, key=lambda mark: mark.since)
        return next((mark for mark in reversed(self.marks[:place]) if mark.kind in kinds and mark.step < step), None)


class Timeline:
    """The course of a history while it grows. Belongs to the thread of the history."""

    def __init__(self) -> None:
        self._segments: list[Segment] = []
        self._marks: list[Mark] = []
        self._origins: list[Origin] = []
        self._set = 0  # how many states were set
        self._course: Course | None = Course()

    @property
    def course(self) -> Course:
        """The present course; the same object while nothing changes."""
        if self._course is None:
            self._course = Course(tuple(self._segments), tuple(self._marks), tuple(self._origins))
        return self._course

    def copy(self) -> Timeline:
        """The same course, for another thread."""
        twin = Timeline()
        twin._segments, twin._marks, twin._course = self._segments.copy(), self._marks.copy(), self._course
        twin._origins, twin._set = self._origins.copy(), self._set
        return twin

    def clear(self) -> None:
        """Forget everything."""
        self._segments.clear()
        self._marks.clear()
        self._origins.clear()
        self._course = Course()

    def note(self, step: int, time: float, timestep: float) -> None:
        """Record the time of the newest step, and the length of the steps from there on, s."""
        while self._segments and self._segments[-1].step >= step and len(self._segments) > 1:
            self._segments.pop()
            self._course = None
        if self._segments:
            last = self._segments[-1]
            number = step - last.step
            expected = last.time + number * last.timestep
            if abs(time - expected) <= 0.5 * timestep and timestep == last.timestep:
                return
            elapsed = last.elapsed + number * last.timestep
            if number == 0:
                self._segments.pop()
            if time < expected - 0.5 * timestep and step > 0:
                self.mark(step, RESET)
        else:
            elapsed = 0.0
        self._segments.append(Segment(step, time, elapsed, timestep))
        self._course = None

    def mark(self, step: int, kind: str, since: int | None = None) -> None:
        """Mark an event at the newest step, or between the steps `since` and `step`."""
        mark = Mark(step, kind, step if since is None else since)
        if mark in self._marks[-4:]:
            return
        self._marks.append(mark)
        if len(self._marks) > MOST_MARKS:
            contacts = [place for place, each in enumerate(self._marks) if each.kind == CONTACT]
            del self._marks[contacts[0] if len(contacts) > MOST_MARKS // 2 else 0]
        self._course = None

    def begin(self, step: int, name: str) -> None:
        """Note that a state was set at the newest step."""
        while self._origins and self._origins[-1].step >= step:
            self._origins.pop()
        self._set += 1
        self._origins.append(Origin(step, name, self._set))
        del self._origins[:-MOST_MARKS]
        self._course = None

    def cut(self, step: int) -> None:
        """Forget what came after a step."""
        while self._origins and self._origins[-1].step > step:
            self._origins.pop()
        while self._marks and self._marks[-1].step > step:
            self._marks.pop()
        while len(self._segments) > 1 and self._segments[-1].step > step:
            self._segments.pop()
        self._course = None

    def forget(self, step: int) -> None:
        """Forget what came before a step."""
        while len(self._origins) > 1 and self._origins[1].step <= step:
            del self._origins[0]
            self._course = None
        number = next((k for k, mark in enumerate(self._marks) if mark.step >= step), len(self._marks))
        if number:
            del self._marks[:number]
            self._course = None
        while len(self._segments) > 1 and self._segments[1].step <= step:
            del self._segments[0]
            self._course = None
