"""Recorded columns of a simulation for plots: every step while memory lasts, the extremes of older steps.

    series = Series(limit=100_000_000)
    series.set_columns({"height": 1, "force": 3})
    series.append(times, steps, values)                      # any number of steps at a time
    x, y = series.curve("force", 2, start=0.0, end=10.0, most=2000)

Steps are kept in blocks of `BLOCK`. Where memory runs out, the oldest blocks keep the least and the greatest number of
each `BIN` steps, then those of the whole block: 4,096 steps in 24 bytes for each column, so that a plot of hours shows
every peak. `curve` decimates to the resolution of a screen, by bins that do not move as time goes on.

Time falls where the simulation is reset or the history is sought. There a new Run begins. A seek cuts the runs before
it: steps after that moment are dropped. A reset begins a new timeline; the earlier ones stay to compare with. So does
the play of a recorded motion, whose steps have numbers below 0, and the simulation that goes on after it.

Steps of the past, which a history computed again, go in with `fill`: beside the steps that are there, as further
columns, and where nothing was recorded. `missing` says which steps these are.

Belongs to one thread. Another one may go over `rows()` that it was given: rows once written are never changed.
"""

from __future__ import annotations

import itertools
import math
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

BLOCK = 4096
BIN = 64
LIMIT = 100_000_000
"""Memory unless the user sets another limit, bytes."""
BIN_SHARE = 0.25
"""The part of the memory that bins without their steps may take."""
MOST_BLOCKS = 200_000
"""Blocks that are kept at all: 800 million steps."""
MOST_EVENTS = 5000


class Event(NamedTuple):
    """Something that happened: the number of its run, the time in it, what ("reset", "motion", "contact" ...)."""

    run: int
    time: float
    kind: str


class SeriesRows(NamedTuple):
    """Steps of one run with the same columns: `columns` are those of `values` by key, which has one row for each."""

    run: int
    times: np.ndarray
    steps: np.ndarray
    values: np.ndarray
    columns: Mapping[Hashable, slice]


@dataclass(slots=True)
class _Block:
    """Consecutive steps of one run. Raw numbers may be gone (`times` None), then bins too; low and high stay."""

    run: int
    columns: Mapping[Hashable, slice]
    times: np.ndarray | None
    steps: np.ndarray | None
    values: np.ndarray | None  # (columns, BLOCK)
    number: int = 0
    start: float = 0.0
    end: float = 0.0
    step: int = 0  # the number of its first step, and of its last one
    last: int = 0
    bin_times: np.ndarray | None = None
    bins: tuple[np.ndarray, np.ndarray] | None = None  # least, greatest: (columns, bins)
    low: np.ndarray | None = None
    high: np.ndarray | None = None
    partial: frozenset[Hashable] | set[Hashable] = frozenset()  # keys whose steps came later, not all of them yet

    @property
    def nbytes(self) -> int:
        arrays = (self.times, self.steps, self.values, self.bin_times, *(self.bins or ()), self.low, self.high)
        return 200 + sum(array.nbytes for array in arrays if array is not None)

    def level(self, size: int) -> int:
        """How many steps its entries stand for where `size` of them make two points: 1, BIN or BLOCK."""
        if self.times is not None and size < BIN:
            return 1
        return BIN if self.bins is not None or self.low is None else BLOCK

    def close(self) -> None:
        """Work out the bins and free unused memory, after the last step was added."""
        if self.times is None or self.steps is None or self.values is None:
            return
        n = self.number
        self.times, self.steps, self.values = self.times[:n].copy(), self.steps[:n].copy(), self.values[:, :n].copy()
        starts = np.arange(0, n, BIN)
        self.bin_times = self.times[starts]
        if self.values.shape[0]:
            self.bins = np.fmin.reduceat(self.values, starts, axis=1), np.fmax.reduceat(self.values, starts, axis=1)
        else:
            self.bins = np.empty((0, len(starts))), np.empty((0, len(starts)))
        self.low, self.high = np.fmin.reduce(self.bins[0], axis=1), np.fmax.reduce(self.bins[1], axis=1)

    def count(self, start: float, end: float) -> int:
        """About how many of its steps are between two times."""
        if end < self.start or start > self.end or not self.number:
            return 0
        if start <= self.start and end >= self.end:
            return self.number
        first, last = self._range(start, end)
        return max(0, last - first)

    def _range(self, start: float, end: float) -> tuple[int, int]:
        """Steps between two times, and one more at each side, so that lines go on beyond the edge."""
        if self.times is not None:
            times, size = self.times[: self.number], 1
        elif self.bin_times is not None:
            times, size = self.bin_times, BIN
        else:
            return 0, self.number
        first = max(0, int(np.searchsorted(times, start)) - 1) * size
        last = min(self.number, (int(np.searchsorted(times, end, "right")) + 1) * size)
        return first, last

    def points(self, column: int, start: float, end: float, size: int) -> tuple[np.ndarray, np.ndarray]:
        """A column between two times: each step, or least and greatest of each `size` (a power of 2) steps. The raw
        numbers must be there."""
        assert self.times is not None
        assert self.values is not None
        first, last = self._range(start, end)
        times, row = self.times, self.values[column]
        if size == 1:
            return times[first:last], row[first:last]
        starts = np.arange(first // size * size, last, size)
        if not len(starts):
            return np.empty(0), np.empty(0)
        stop = min(self.number, -(-last // size) * size)
        return _both(times[starts], np.fmin.reduceat(row[:stop], starts), np.fmax.reduceat(row[:stop], starts))

    def extremes(self, column: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Times, least and greatest of a column, by bins, or for the block as a whole where these are gone."""
        if self.bins is not None and self.bin_times is not None:
            return self.bin_times, self.bins[0][column], self.bins[1][column]
        if self.low is not None and self.high is not None:
            return np.array([self.start]), self.low[column : column + 1], self.high[column : column + 1]
        assert self.times is not None
        assert self.values is not None
        starts = np.arange(0, self.number, BIN)
        row = self.values[column, : self.number]
        return self.times[starts], np.fmin.reduceat(row, starts), np.fmax.reduceat(row, starts)


def _both(times: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two points for each bin: a line through them covers all that is in it."""
    return np.repeat(times, 2), np.stack([low, high], axis=1).ravel()


def _start(block: _Block) -> float:
    return block.start


def _end(block: _Block) -> float:
    return block.end


def _without_gaps(blocks: list[tuple[_Block, float]]) -> Iterator[list[tuple[_Block, float]]]:
    """Blocks whose steps follow each other."""
    part: list[tuple[_Block, float]] = []
    for pair in blocks:
        if part and pair[0].step > part[-1][0].last + 1:
            yield part
            part = []
        part.append(pair)
    if part:
        yield part


def _gathered(
    blocks: list[tuple[_Block, float]], key: Hashable, column: int, start: float, end: float, together: int
) -> tuple[np.ndarray, np.ndarray]:
    """Points of blocks by their bins; `together` bins are combined into one."""
    parts = []
    for block, stop in blocks:
        times, low, high = block.extremes(block.columns[key].start + column)
        if stop < end and stop < block.end:
            number = int(np.searchsorted(times, stop))
            times, low, high = times[:number], low[:number], high[:number]
        parts.append((times, low, high))
    times, low, high = (np.concatenate([part[k] for part in parts]) for k in range(3))
    last = int(np.searchsorted(times, end, "right")) + 1
    first = max(0, int(np.searchsorted(times, start)) - 1)
    first = first // together * together
    times, low, high = times[:last], low[:last], high[:last]
    starts = np.arange(first, len(times), together)
    if not len(starts):
        return np.empty(0), np.empty(0)
    return _both(times[starts], np.fmin.reduceat(low, starts), np.fmax.reduceat(high, starts))


@dataclass(slots=True)
class SeriesRun:
    """Consecutive steps with increasing time; a reset or a seek begins another run.

    number       counts runs
    begins       whether a timeline begins with it: the simulation was reset
    step         number of its first step
    cut          the time at which a later run of the timeline took over
    start, end   simulation times, s
    """

    number: int
    begins: bool
    step: int = 0
    cut: float = math.inf
    start: float = 0.0
    end: float = 0.0
    blocks: list[_Block] = field(default_factory=list)


class Series:
    """Recorded columns of a simulation for plots: every step while memory lasts, the extremes of older steps.

    runs    all that is kept, oldest first
    events  what happened, oldest first
    lost    steps that nobody could keep, because they were not read in time
    """

    def __init__(self, limit: int = LIMIT):
        self._limit = limit
        self._columns: dict[Hashable, slice] = {}
        self._width = 0
        self._open: _Block | None = None
        self._closed: deque[_Block] = deque()
        self._bytes = 0
        self._raw = self._binned = 0  # how many of the closed blocks have lost their raw numbers, their bins
        self._bin_bytes = 0  # of blocks that have bins alone
        self._time, self._step, self._number = -math.inf, 0, 0
        self._before: dict[str, float] = {}
        self.runs: list[SeriesRun] = []
        self.events: deque[Event] = deque(maxlen=MOST_EVENTS)
        self.lost = 0
        self.count = 0

    @property
    def nbytes(self) -> int:
        """Memory in use, bytes."""
        return self._bytes + (self._open.nbytes if self._open is not None else 0)

    @property
    def limit(self) -> int:
        """Most memory, bytes. At least the newest block of steps is kept whole."""
        return self._limit

    @limit.setter
    def limit(self, limit: int) -> None:
        self._limit = limit
        self._shrink()

    def clear(self) -> None:
        """Forget all steps; the columns stay."""
        self.runs.clear()
        self.events.clear()
        self._closed.clear()
        self._open = None
        self._bytes = self._raw = self._binned = self._bin_bytes = 0
        self._time, self._before = -math.inf, {}
        self.lost = self.count = 0

    def set_columns(self, widths: Mapping[Hashable, int]) -> None:
        """Set the columns of the steps that come, in this order. Other columns are forgotten in time, or by
        `forget_all_but`."""
        self._close()
        self._columns, self._width = {}, 0
        for key, width in widths.items():
            self._columns[key] = slice(self._width, self._width + width)
            self._width += width

    def forget_all_but(self, keys: Collection[Hashable]) -> None:
        """Let go of columns that were, but for these and the present ones, and of steps that have no others."""
        kept: deque[_Block] = deque()
        gone: set[int] = set()
        known = {*self._columns, *keys}
        raw = binned = 0
        for number, block in enumerate(self._closed):
            block.columns = {key: place for key, place in block.columns.items() if key in known}
            if block.columns:
                kept.append(block)
                raw += number < self._raw
                binned += number < self._binned
                continue
            gone.add(id(block))
            self._bytes -= block.nbytes
            self._bin_bytes -= block.nbytes if self._binned <= number < self._raw else 0
        if gone:
            self._closed, self._raw, self._binned = kept, raw, binned
            for run in self.runs:
                run.blocks = [block for block in run.blocks if id(block) not in gone]
            self._drop_empty_runs()

    def forget(self, key: Hashable) -> None:
        """Let go of the values of a key: those that come are kept, and `fill` may bring those of before."""
        self._close()
        for block in self._closed:
            block.columns = {each: place for each, place in block.columns.items() if each != key}

    def _drop_empty_runs(self) -> None:
        self.runs = [run for run in self.runs if run.blocks or run is self.runs[-1]]

    # ---- steps that come ---------------------------------------------------------------------------------

    def append(
        self,
        times: np.ndarray,
        steps: np.ndarray,
        values: np.ndarray,
        rising: Mapping[str, np.ndarray] | None = None,
        resets: Sequence[int] = (),
    ) -> None:
        """Add steps: shapes (n,), (n,), (n, columns). `rising`: counts; where one grows, there is an event of that
        name. `resets`: steps at which a timeline ended, in order, where nobody recorded."""
        if not len(times):
            return
        if steps[0] != self._step + 1:  # steps of a block have no gap
            self._close()
        played = np.diff(steps < 0, prepend=self._step < 0)  # a motion begins, or ends
        falls = np.flatnonzero(
            (np.diff(times, prepend=self._time) <= 0.0) | (np.diff(steps, prepend=self._step) <= 0) | played
        )
        was_reset = 0 <= self._step < steps[0] and bisect_left(resets, self._step) < bisect_left(resets, int(steps[0]))
        if (not self.runs or was_reset) and not (len(falls) and falls[0] == 0):
            falls = np.concatenate([[0], falls])
        at = 0
        for fall in falls.tolist():
            self._write(times[at:fall], steps[at:fall], values[at:fall])
            before = (self._time, self._step) if fall == 0 else (float(times[fall - 1]), int(steps[fall - 1]))
            self._begin_run(float(times[fall]), int(steps[fall]), *before)
            at = fall
        self._write(times[at:], steps[at:], values[at:])
        self._time, self._step = float(times[-1]), int(steps[-1])
        self.count += len(times)
        for kind, counts in (rising or {}).items():
            grows = np.flatnonzero(np.diff(counts, prepend=self._before.get(kind, float(counts[0]))) > 0)
            self._before[kind] = float(counts[-1])
            run = self.runs[-1]
            for k in grows[-100:].tolist():
                if times[k] >= run.start and (not len(falls) or k >= falls[-1]):
                    self.events.append(Event(run.number, float(times[k]), kind))
        self._shrink()

    def mark(self, kind: str, time: float | None = None) -> None:
        """Add an event at the present time, or at a time of the newest run."""
        if self.runs:
            self.events.append(Event(self.runs[-1].number, self._time if time is None else time, kind))

    def _begin_run(self, time: float, step: int, time_before: float, step_before: int) -> None:
        self._close()
        is_motion = step < 0
        begun = next((run.step for run in reversed(self.runs) if run.begins), 0) if is_motion else 1
        sought = bool(self.runs) and begun < step <= step_before and is_motion == (step_before < 0)
        if self.runs:
            kind = "seek" if sought else "reset" if is_motion == (step_before < 0) else "motion"
            self.events.append(Event(self.runs[-1].number, time_before, kind))
        if sought:
            for run in reversed(self.runs):
                if run.step >= step and run is not self.runs[0]:  # a reset that is past: the timeline before it goes on
                    run.begins, run.cut = False, -math.inf
                    continue
                run.cut = min(run.cut, time)
                if run.begins:
                    break
        self._number += 1
        self.runs.append(SeriesRun(self._number, not sought, step, start=time, end=time))

    def _write(self, times: np.ndarray, steps: np.ndarray, values: np.ndarray) -> None:
        at = 0
        while at < len(times):
            block = self._open
            if block is None:
                block = self._open = _Block(
                    self.runs[-1].number, self._columns,
                    np.empty(BLOCK), np.empty(BLOCK, np.int64), np.empty((self._width, BLOCK)), start=float(times[at]),
                    step=int(steps[at]),
                )  # fmt: skip
                self.runs[-1].blocks.append(block)
            assert block.times is not None
            assert block.steps is not None
            assert block.values is not None
            first, number = block.number, min(BLOCK - block.number, len(times) - at)
            block.times[first : first + number] = times[at : at + number]
            block.steps[first : first + number] = steps[at : at + number]
            block.values[:, first : first + number] = values[at : at + number].T
            block.number += number
            at += number
            block.end = self.runs[-1].end = float(times[at - 1])
            block.last = int(steps[at - 1])
            if block.number == BLOCK:
                self._close()

    def _close(self) -> None:
        block, self._open = self._open, None
        if block is not None:
            block.close()
            self._closed.append(block)
            self._bytes += block.nbytes

    def _shrink(self) -> None:
        """Take from the oldest blocks what the limit does not allow."""
        while self._bytes > self._limit and self._raw < len(self._closed):
            block = self._closed[self._raw]
            self._raw += 1
            self._bytes -= block.nbytes
            block.times = block.steps = block.values = None
            self._bytes += block.nbytes
            self._bin_bytes += block.nbytes
        while self._bin_bytes > self._limit * BIN_SHARE and self._binned < self._raw:
            block = self._closed[self._binned]
            self._binned += 1
            self._bytes -= block.nbytes
            self._bin_bytes -= block.nbytes
            block.bins = block.bin_times = None
            self._bytes += block.nbytes
        while len(self._closed) > MOST_BLOCKS:
            block = self._closed.popleft()
            self._bytes -= block.nbytes
            if self._binned == 0 and self._raw > 0:
                self._bin_bytes -= block.nbytes
            self._raw, self._binned = max(0, self._raw - 1), max(0, self._binned - 1)
            for run in self.runs:
                if run.blocks and run.blocks[0] is block:
                    run.blocks.pop(0)
            self._drop_empty_runs()

    # ---- steps of the past -------------------------------------------------------------------------------

    @property
    def is_full(self) -> bool:
        """Whether the memory is used up, so that the oldest steps are not kept whole."""
        return self._raw > 0

    def _valid_blocks(self) -> Iterator[tuple[SeriesRun, _Block, int]]:
        """Blocks of steps of the simulation in order, and up to which step each counts: a later run took over there."""
        runs = [run for run in self.runs if run.step >= 0 and run.cut > -math.inf]
        limit = 1 << 62
        found = []
        for run in reversed(runs):
            found.append((run, limit))
            limit = min(limit, run.step - 1)
        for run, limit in reversed(found):
            for block in run.blocks:
                if block.number and block.step <= limit:
                    yield run, block, min(block.last, limit)

    def missing(self, keys: Collection[Hashable], first: int, last: int) -> list[tuple[int, int]]:
        """The steps from `first` to `last` that some of the keys have no values of, as ranges with both ends; those
        that are not kept whole any more count as known."""
        gaps, at = [], first
        for _run, block, stop in self._valid_blocks():
            if block.times is not None and any(key not in block.columns for key in keys):
                continue
            if block.step > at:
                gaps.append((at, min(block.step - 1, last)))
            at = max(at, stop + 1)
            if at > last:
                break
        if at <= last:
            gaps.append((at, last))
        return [(low, high) for low, high in gaps if low <= high]

    def fill(
        self,
        widths: Mapping[Any, int],
        times: np.ndarray,
        steps: np.ndarray,
        values: np.ndarray,
        resets: Sequence[int] = (),
    ) -> None:
        """Add steps of the past, without those that are there already, and columns to those that are.

        widths   the columns of `values`, in their order
        steps    without gaps
        resets   steps at which a timeline ended, beside those at which the time falls
        """
        columns, width = {}, 0
        for key, number in widths.items():
            columns[key] = slice(width, width + number)
            width += number
        cuts = [0, *(np.flatnonzero(np.diff(times) <= 0.0) + 1).tolist(), len(times)]
        for begin, end in itertools.pairwise(cuts):
            if begin == end:
                continue
            after = bisect_left(resets, int(steps[begin]))  # rows of a timeline are those after its reset
            low = resets[after - 1] if after else -1
            high = resets[after] if after < len(resets) else 1 << 62
            if begin:
                low = int(steps[begin]) - 1
            if end < len(times):
                high = int(steps[end - 1])
            part = slice(begin, end)
            self._fill_timeline(columns, times[part], steps[part], values[part], low, high)
        self._shrink()

    def _fill_timeline(
        self,
        columns: Mapping[Hashable, slice],
        times: np.ndarray,
        steps: np.ndarray,
        values: np.ndarray,
        low: int,
        high: int,
    ) -> None:
        """Add steps of one timeline, which are after step `low` and not after `high`."""
        known = np.zeros(len(steps), bool)
        first, last = int(steps[0]), int(steps[-1])
        for _run, block, stop in self._valid_blocks():
            if block.last < first or block.step > last:
                continue
            known |= (steps >= block.step) & (steps <= stop)
            if block is not self._open:
                self._widen(block, columns, steps, values)
        edges = np.flatnonzero(np.diff(known.astype(np.int8), prepend=1, append=1))
        for begin, end in edges.reshape(-1, 2).tolist():
            run = self._run_of(int(steps[begin]), float(times[begin]), low, high)
            for at in range(begin, end, BLOCK):
                part = slice(at, min(at + BLOCK, end))
                block = _Block(
                    run.number, dict(columns), times[part].copy(), steps[part].copy(), values[part].T.copy(),
                    len(times[part]), float(times[part][0]), float(times[part][-1]), int(steps[part][0]),
                    int(steps[part][-1]),
                )  # fmt: skip
                block.close()
                self._insert(run, block)

    def _widen(self, block: _Block, columns: Mapping[Hashable, slice], steps: np.ndarray, values: np.ndarray) -> None:
        """Give a block the columns that it lacks; steps that are not there yet are nan until they come."""
        if block.times is None or block.steps is None or block.values is None:
            return
        places = np.flatnonzero((block.steps >= steps[0]) & (block.steps <= steps[-1]))
        rows = block.steps[places] - steps[0]
        before = block.nbytes
        wider, known, changed = [block.values], dict(block.columns), False
        at = len(block.values)
        for key, place in columns.items():
            if key not in known:
                new = np.full((place.stop - place.start, block.number), np.nan)
                new[:, places] = values[rows, place].T
                wider.append(new)
                known[key] = slice(at, at + len(new))
                at += len(new)
                block.partial = {*block.partial, key}
                changed = True
            elif key in block.partial:
                if not changed:
                    wider[0] = block.values.copy()  # somebody may be reading the one of before
                    changed = True
                wider[0][known[key], places] = values[rows, place].T
        if changed:
            block.values, block.columns = np.concatenate(wider), known
            block.close()
            self._bytes += block.nbytes - before

    def _run_of(self, step: int, time: float, low: int, high: int) -> SeriesRun:
        """The run that a step belongs to, of the timeline between two resets; a new one where none was recorded."""
        candidates = [run for run in self.runs if low < run.step <= high and run.cut > -math.inf]
        before = [run for run in candidates if run.step <= step]
        if before:
            return before[-1]
        if candidates:
            return candidates[0]
        place = next((k for k, run in enumerate(self.runs) if run.step > step), len(self.runs))
        self._number += 1
        run = SeriesRun(self._number, True, step, start=time, end=time)
        self.runs.insert(place, run)
        if place + 1 < len(self.runs):
            self.runs[place + 1].begins = True
        return run

    def _insert(self, run: SeriesRun, block: _Block) -> None:
        """Add a closed block to a run, at its place in time."""
        place = bisect_left(run.blocks, block.start, key=_start)
        run.blocks.insert(place, block)
        if block.step < run.step:
            run.step, run.start = block.step, block.start
        run.end = max(run.end, block.end)
        if run is self.runs[-1] and block.last > self._step:
            self._time, self._step = block.end, block.last
        self._closed.insert(self._raw, block)  # the next one whose steps are given up
        self._bytes += block.nbytes

    # ---- what is drawn -----------------------------------------------------------------------------------

    @property
    def end(self) -> float:
        """Time of the last step, s; 0 before the first."""
        return self.runs[-1].end if self.runs else 0.0

    def timelines(self) -> list[list[SeriesRun]]:
        """Runs that follow each other: from a reset to the next one, oldest first."""
        found: list[list[SeriesRun]] = []
        for run in self.runs:
            if run.begins or not found:
                found.append([])
            found[-1].append(run)
        return found

    def curve(
        self, key: Hashable, column: int, start: float, end: float, most: int, timeline: list[SeriesRun] | None = None
    ) -> tuple[np.ndarray, np.ndarray]:
        """(times, values) of a column between two times, in about `most` points at most; by default of the newest
        timeline. More steps than that are shown by the least and the greatest of several."""
        blocks = self._blocks(key, start, end, timeline)
        total = sum(block.count(start, stop) for block, stop in blocks)
        size = 1
        while total > most * size // (1 if size == 1 else 2):
            size *= 2
        xs, ys = [np.empty(0)], [np.empty(0)]
        for part in _without_gaps(blocks):
            if len(xs) > 1 and len(xs[-1]):  # a gap: no line goes over it
                xs.append(xs[-1][-1:])
                ys.append(np.array([math.nan]))
            for level, group in itertools.groupby(part, lambda pair: pair[0].level(size)):
                if level == 1:
                    for block, stop in group:
                        x, y = block.points(block.columns[key].start + column, start, stop, size)
                        if stop < end:
                            x, y = x[x < stop], y[x < stop]
                        xs.append(x)
                        ys.append(y)
                else:
                    x, y = _gathered(list(group), key, column, start, end, max(1, size // level))
                    xs.append(x)
                    ys.append(y)
        return np.concatenate(xs), np.concatenate(ys)

    def begin_of(self, key: Hashable) -> tuple[float, int] | None:
        """Time, s, and number of the first step of the newest timeline that a key has a value of; None without one."""
        blocks = self._blocks(key, -math.inf, math.inf, None)
        return (blocks[0][0].start, blocks[0][0].step) if blocks else None

    def _blocks(
        self, key: Hashable, start: float, end: float, timeline: list[SeriesRun] | None
    ) -> list[tuple[_Block, float]]:
        """Blocks with a key between two times, and up to where each counts."""
        if timeline is None:
            lines = self.timelines()
            timeline = lines[-1] if lines else []
        return [
            (block, min(end, run.cut))
            for run in timeline
            for block in run.blocks[
                bisect_left(run.blocks, start, key=_end) : bisect_right(run.blocks, end, key=_start)
            ]
            if key in block.columns and block.number and block.start <= run.cut
        ]

    def value_at(self, key: Hashable, column: int, time: float) -> float:
        """The value of the newest timeline at the last step up to a time; nan where there is none."""
        for block, stop in reversed(self._blocks(key, -math.inf, time, None)):
            if block.times is not None and block.values is not None:
                place = int(np.searchsorted(block.times[: block.number], min(time, stop), "right")) - 1
                if place >= 0:
                    return float(block.values[block.columns[key].start + column, place])
        return math.nan

    def raw(self, key: Hashable, column: int, start: float, end: float) -> tuple[np.ndarray, np.ndarray]:
        """(times, values) of every step of the newest timeline between two times that is still kept."""
        xs, ys = [np.empty(0)], [np.empty(0)]
        for block, stop in self._blocks(key, start, end, None):
            if block.times is not None and block.values is not None:
                times = block.times[: block.number]
                chosen = (times >= start) & (times <= end) & (times < stop if stop < end else True)
                xs.append(times[chosen])
                ys.append(block.values[block.columns[key].start + column, : block.number][chosen])
        return np.concatenate(xs), np.concatenate(ys)

    def rows(self) -> Iterator[SeriesRows]:
        """Every step that is kept whole, oldest first, with the numbers as they were computed."""
        blocks = [block for run in self.runs for block in run.blocks]
        found = [
            SeriesRows(block.run, block.times[:n], block.steps[:n], block.values[:, :n].T, block.columns)
            for block in blocks
            if (n := block.number) and block.times is not None and block.steps is not None and block.values is not None
        ]
        return iter(found)
