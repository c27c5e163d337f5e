"""Noise on controls, as simulate has it: an Ornstein-Uhlenbeck process around the middle of the control range.

    source = NoiseSource(model, Noise(std=0.1, rate=0.5, seed=3))
    source.apply(model, data, actuators)        # before each step: writes data.ctrl

With the time step h, the decay a = exp(-h / rate), the middle m and half the width w of the control range (0 and 1
without one), and independent normal numbers n of mean 0 and deviation 1 (Uhlenbeck and Ornstein 1930, sampled exactly):

    ctrl <- m + a (ctrl - m) + std w sqrt(1 - a^2) n,   within the range

The numbers n are a hash of the seed, the number of the step and the actuator. With the control, which is in the
history, they make the same run again to the bit, after a step back too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.data import Data
    from kinetree.engine.model.model import Model

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Noise:
    """std: deviation, as a part of half the control range, in the unit of the control without one; rate: time after
    which 37 % of a deviation is left, s, 0: new at every step; seed: the same one gives the same noise."""

    std: float = 0.1
    rate: float = 0.1
    seed: int = 0

    def __post_init__(self) -> None:
        """Raises ValueError for numbers that have no meaning."""
        if not (math.isfinite(self.std) and self.std >= 0.0):
            raise ValueError(tr("the deviation of noise must be a finite number, 0 or greater"))
        if not (math.isfinite(self.rate) and self.rate >= 0.0):
            raise ValueError(tr("the rate of noise must be a finite time, 0 s or longer"))


def mixed(state: np.ndarray) -> np.ndarray:
    """SplitMix64 (Steele, Lea, Flood 2014) of each number, uint64."""
    state = state + _GOLDEN
    state = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    state = (state ^ (state >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return state ^ (state >> np.uint64(31))


def normal(seed: int, number: int, count: int) -> np.ndarray:
    """Draw `count` independent normal numbers that depend on the seed and a number only (Box and Muller 1958)."""
    begin = mixed(mixed(np.array([seed & _MASK], np.uint64)) + np.uint64(number & _MASK))
    words = mixed(begin + np.arange(1, 2 * count + 1, dtype=np.uint64) * _GOLDEN)
    uniform = ((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    return np.sqrt(-2.0 * np.log(uniform[:count])) * np.cos(2.0 * math.pi * uniform[count:])


class NoiseSource:
    """The noise of one model."""

    def __init__(self, model: Model, noise: Noise):
        self.noise = noise
        low, high = np.array(model.actuator_ctrlrange, float).reshape(-1, 2).T
        limited = np.array(model.actuator_ctrllimited, bool) & (low < high)
        self._middle = np.where(limited, 0.5 * (low + high), 0.0)
        self._half = np.where(limited, 0.5 * (high - low), 1.0)
        self._low, self._high = np.where(limited, low, -np.inf), np.where(limited, high, np.inf)

    def apply(self, model: Model, data: Data, free: np.ndarray) -> None:
        """Add noise to the controls of the next step, for the actuators that no other drive controls (`free`: mask)."""
        noise, timestep = self.noise, float(model.opt.timestep)
        decay = math.exp(-timestep / noise.rate) if noise.rate > 0.0 else 0.0
        drawn = normal(noise.seed, round(float(data.time) / timestep), len(self._middle))
        scale = noise.std * math.sqrt(1.0 - decay * decay)
        value = self._middle + decay * (data.ctrl - self._middle) + scale * self._half * drawn
        np.copyto(data.ctrl, np.clip(value, self._low, self._high), where=free)
