"""Control signals: what an actuator's control is as a function of time, without a hand on a slider.

    drive = Drive()
    drive.set_signal(0, Signal("chirp", amplitude=0.5, frequency=0.1, end_frequency=20.0, duration=30.0), data.time)
    drive.apply(model, data)            # before each step: writes data.ctrl

A value depends on the time of the step and on the numbers of the signal only: the same run gives the same bits, however
its steps are grouped, and after a step back in the history too. Noise is a hash of seed and time.

A Series is the record of all controls over time, to be played back, saved and loaded.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from kinetree.engine import run
from kinetree.engine.atomic import replaced
from kinetree.engine.run.noise import Noise, NoiseSource
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.run.matching import Matching

_MASK = (1 << 64) - 1
CONTROL = "ctrl/"
"""How the names of columns begin that are controls of a motion."""


@dataclass(frozen=True, slots=True)
class Signal:
    """A control over time, s from the start.

    shape          one of SHAPES
    mean           around which it swings, in the unit of the control
    amplitude      how far it swings to either side
    frequency      swings a second, Hz; of noise: new values a second
    end_frequency  of a chirp, at the end of `duration`, Hz
    duration       of a chirp, after which it starts again, s
    seed           of noise
    """

    shape: str = "sine"
    mean: float = 0.0
    amplitude: float = 1.0
    frequency: float = 1.0
    end_frequency: float = 10.0
    duration: float = 10.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError for an unknown shape and for numbers that have no meaning."""
        if self.shape not in SHAPES:
            raise ValueError(tr("{shape!r} is not one of {names}", shape=self.shape, names=", ".join(SHAPES)))
        for item in fields(self)[1:]:
            if not math.isfinite(getattr(self, item.name)):
                raise ValueError(tr("{name} of a signal must be a finite number", name=item.name))
        if self.frequency <= 0.0 or self.end_frequency <= 0.0 or self.duration <= 0.0:
            raise ValueError(tr("frequencies and the duration of a signal must be greater than 0"))

    def value(self, time: float) -> float:
        """The control at a time, s."""
        return self.mean + self.amplitude * SHAPES[self.shape].swing(self, time)


def _sine(signal: Signal, time: float) -> float:
    return math.sin(2.0 * math.pi * signal.frequency * time)


def _square(signal: Signal, time: float) -> float:
    return 1.0 if (signal.frequency * time) % 1.0 < 0.5 else -1.0


def _chirp(signal: Signal, time: float) -> float:
    within = time % signal.duration
    growth = (signal.end_frequency - signal.frequency) / (2.0 * signal.duration)
    return math.sin(2.0 * math.pi * (signal.frequency + growth * within) * within)


def _noise(signal: Signal, time: float) -> float:
    return 2.0 * _hashed(signal.seed, math.floor(signal.frequency * time)) - 1.0


def _hashed(seed: int, number: int) -> float:
    """Uniform in [0, 1): SplitMix64 (Steele, Lea, Flood 2014) of the seed, then of the number."""
    state = _mixed(seed & _MASK)
    return (_mixed((state + number) & _MASK) >> 11) * 2.0**-53


def _mixed(state: int) -> int:
    state = (state + 0x9E3779B97F4A7C15) & _MASK
    state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
    return state ^ (state >> 31)


@dataclass(frozen=True, slots=True)
class Waveform:
    """A row of SHAPES. `swing`: (signal, time) -> -1 to 1; `numbers`: the fields of Signal that it uses."""

    label: str
    swing: Callable[[Signal, float], float]
    numbers: tuple[str, ...]
    help: str


SHAPES: dict[str, Waveform] = {
    "sine": Waveform("Sine", _sine, ("mean", "amplitude", "frequency"), "A sine wave"),
    "square": Waveform("Square", _square, ("mean", "amplitude", "frequency"), "Jumps between two values"),
    "chirp": Waveform(
        "Chirp", _chirp, ("mean", "amplitude", "frequency", "end_frequency", "duration"),
        "A sine wave whose frequency rises steadily, then starts again",
    ),
    "noise": Waveform(
        "Noise", _noise, ("mean", "amplitude", "frequency", "seed"),
        "Random values, evenly distributed, each held for 1/frequency; the same for the same seed",
    ),
}  # fmt: skip


# ---- recorded controls ---------------------------------------------------------------------------------------


class ControlSeries:
    """Controls over time. Each row holds until the next.

    times   (n,) s, from 0 and rising
    values  (n, number of names)
    names   of the actuators
    """

    def __init__(self, times: ArrayLike, values: ArrayLike, names: Sequence[str]):
        """Raises ValueError where the arrays do not fit together or hold what no control can be."""
        self.times, self.values = np.asarray(times, float), np.asarray(values, float)
        self.names = tuple(names)
        if self.values.ndim != 2 or self.values.shape != (len(self.times), len(self.names)) or not len(self.times):
            raise ValueError(tr("a series needs one row of controls for each time, and one column for each actuator"))
        if not (np.isfinite(self.times).all() and np.isfinite(self.values).all()):
            raise ValueError(tr("a series must not hold nan or infinity"))
        if (np.diff(self.times) < 0.0).any():
            raise ValueError(tr("the times of a series must not fall"))

    @property
    def duration(self) -> float:
        """Time of the last row, s."""
        return float(self.times[-1])

    def row(self, time: float) -> np.ndarray:
        """The controls at a time: of the last row that has begun."""
        return self.values[max(int(np.searchsorted(self.times, time, side="right")) - 1, 0)]

    def save(self, path: str | Path) -> None:
        """Write it: `.npz` for numpy, everything else as CSV with a line of names. The file is there once it is
        complete. Raises OSError."""
        path = Path(path)
        if path.suffix == ".npz":
            names = np.array(self.names, dtype=str)
            packed = run.npz.packed(time=self.times, ctrl=self.values, names=names)
            with replaced(path) as draft, open(draft, "wb") as binary:
                binary.write(packed)
            return
        with replaced(path) as draft, open(draft, "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["time", *self.names])
            for time, row in zip(self.times.tolist(), self.values.tolist(), strict=True):
                writer.writerow([repr(number) for number in (time, *row)])

    @staticmethod
    def load(path: str | Path) -> ControlSeries:
        """Read what `save` wrote, or the controls of a motion (engine/run/motion.py). Raises ValueError, which says
        what is wrong with the file."""
        motion = run.motion.Motion.load(path)
        controls = [column for column, name in enumerate(motion.names) if name.startswith(CONTROL)]
        chosen = controls or range(len(motion.names))
        names = [motion.names[column].removeprefix(CONTROL) for column in chosen]
        begins = (
            motion.times[0] if len(chosen) < len(motion.names) else 0.0
        )  # a motion goes on with the clock of its run
        return ControlSeries(motion.times - begins, motion.values[:, list(chosen)], names)

    def columns_for(self, names: Sequence[str]) -> list[tuple[int, int]]:
        """(actuator, column) of the actuators that have a column: by name; without any common name by place."""
        places = {name: column for column, name in enumerate(self.names)}
        found = [(number, places[name]) for number, name in enumerate(names) if name in places]
        return found or [(number, number) for number in range(min(len(names), len(self.names)))]


# ---- in the simulation ---------------------------------------------------------------------------------------


class Drive:
    """Writes the controls of a simulation before each step: signals of some actuators, a series, and noise.

    Belongs to the thread that steps. An actuator with a signal does not follow the series; noise moves those that have
    neither.
    """

    def __init__(self) -> None:
        self.signals: dict[int, Signal] = {}
        self.series: ControlSeries | None = None
        self.loops = False
        self.noise: NoiseSource | None = None
        self._noised: float | None = None  # the time whose controls have their noise already
        self._columns: list[tuple[int, int]] = []
        self._begun = 0.0  # time at which the signals began, s
        self._series_begun = 0.0

    def __bool__(self) -> bool:
        return bool(self.signals) or self.series is not None or self.noise is not None

    def set_noise(self, model: Any, noise: Noise | None) -> None:
        """Add noise to the controls of a model; None: no noise."""
        self.noise = None if noise is None or not model.nu else NoiseSource(model, noise)
        self._noised = None

    def sought(self, time: float | None) -> None:
        """Called when the recorded state of a time is shown, s, with the controls of the step from it, which include
        noise: none is added again. None: the newest state, from which no step was taken."""
        self._noised = time

    def set_signal(self, actuator: int, signal: Signal | None, time: float) -> None:
        """Set the control of an actuator from a signal; None: leave it as it is. Signals start with the first one."""
        if signal is None:
            self.signals.pop(actuator, None)
            return
        if not self.signals:
            self._begun = time
        self.signals[actuator] = signal

    def play(self, series: ControlSeries | None, names: Sequence[str], time: float, loops: bool = False) -> None:
        """Play a series of controls from its start, for the actuators of these names; None: stop playing."""
        self.series, self.loops, self._series_begun = series, loops, time
        self._columns = [] if series is None else series.columns_for(names)

    def restart(self, time: float) -> None:
        """Start signals and series again, after a reset of the simulation."""
        self._begun = self._series_begun = time
        self._noised = None

    def stop(self) -> None:
        """Remove all signals, the series and the noise."""
        self.signals.clear()
        self.series = self.noise = None

    def apply(self, model: Any, data: Any, is_controlled: bool = False) -> None:
        """Write the controls for the step that comes. `is_controlled`: all of them were written already, which leaves
        none to the noise."""
        ctrl, time = data.ctrl, float(data.time)
        if self.noise is not None and time != self._noised and not is_controlled:
            free = np.ones(len(ctrl), bool)
            free[list(self.signals)] = False
            if self.series is not None:
                free[[actuator for actuator, _ in self._columns]] = False
            self.noise.apply(model, data, free)
        if self.series is not None:
            at = time - self._series_begun
            if self.loops and self.series.duration > 0.0:
                at %= self.series.duration
            row = self.series.row(at)
            for actuator, column in self._columns:
                ctrl[actuator] = row[column]
        for actuator, signal in self.signals.items():
            ctrl[actuator] = signal.value(time - self._begun)

    def follow(self, matching: Matching) -> None:
        """Go on with the next version of the model: signals stay with their actuators."""
        if self.signals:
            self.signals = {
                new: self.signals[int(old)]
                for new, old in enumerate(matching.of("actuator"))
                if int(old) in self.signals
            }
        if self.series is not None:
            self._columns = self.series.columns_for(actuator_names(matching.new))
        if self.noise is not None:
            self.set_noise(matching.new, self.noise.noise)


def actuator_names(model: Any) -> list[str]:
    """A name for each actuator; those without one are called by their number."""
    return [name or f"actuator {number}" for number, name in enumerate(model.names["actuator"])]
