"""Real-time pacing: how many steps to do now so that simulated time follows the wall clock times a speed factor.

The clock never tries to catch up more than `MAX_LAG` seconds of wall time: when physics is too slow for the speed
asked for, the debt is dropped, the achieved rate falls below the speed, and everything else stays responsive.
All times are seconds; the caller passes the wall time in, so that the clock can be tested without waiting.
"""

from __future__ import annotations

import math
from collections import deque

from kinetree.engine.translation import tr

SPEEDS: tuple[float, ...] = (
    1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1.0, 2.0, 4.0, 8.0, 16.0, math.inf,
)  # fmt: skip
"""The speed factors that the window offers; infinity runs as fast as the machine can."""

BATCH = 0.004  # time that one compiled call should take, s
MAX_LAG = 0.2  # wall time of simulation that may be owed, s
WINDOW = 1.0  # wall time over which the achieved rate is measured, s
FIRST_RATE = 0.2  # wall time after which a first estimate of the achieved rate is given, s
RATE_EVERY = (
    0.5  # wall time for which a measured rate holds, s: long enough to be read, and the same wherever it is shown
)


class Clock:
    """Pacing for one simulation. `speed` is simulated seconds per wall second."""

    def __init__(self, speed: float = 1.0):
        self._speed = float(speed)
        self._cost = 0.0  # wall time of one step, s; 0 while unknown
        self._wall = 0.0  # the pair (wall, simulated) from which time is counted
        self._time = 0.0
        self._marks: deque[tuple[float, float]] = deque()
        self._lagged = -math.inf  # when simulated time was last dropped
        self._rate: float | None = None  # as it was measured at `_rated`
        self._rated = -math.inf

    @property
    def speed(self) -> float:
        """Simulated seconds per wall second that are asked for."""
        return self._speed

    @property
    def cost(self) -> float:
        """Wall time of one step, smoothed, s; 0 while unknown."""
        return self._cost

    def set_speed(self, speed: float, wall: float, time: float) -> None:
        """Change the speed without a jump. Raises ValueError unless it is positive."""
        if not speed > 0:
            raise ValueError(tr("the speed must be positive, not {speed}", speed=speed))
        self._speed = float(speed)
        self.start(wall, time)

    def start(self, wall: float, time: float) -> None:
        """Count from here: after play, a reset, a new model or a jump in time."""
        self._wall, self._time = wall, time
        self._marks.clear()
        self._marks.append((wall, time))
        self._lagged = -math.inf
        self._rate, self._rated = None, -math.inf

    def new_model(self) -> None:
        """Forget what a step costs."""
        self._cost = 0.0

    def due(self, wall: float, time: float, timestep: float) -> int:
        """How many steps to do now in one call (0: wait). What cannot be caught up is dropped."""
        most = max(1, int(BATCH / self._cost)) if self._cost > 0 else 1
        if math.isinf(self._speed):
            return most
        owed = (wall - self._wall) * self._speed + self._time - time
        most_owed = max(MAX_LAG * self._speed, timestep)
        if owed > most_owed + 1e-12:
            self._wall, self._time = wall - most_owed / self._speed, time
            self._lagged = wall
            owed = most_owed
        # A step is due when its end is reached, within rounding.
        return min(most, int(owed / timestep + 1e-9))

    def wait(self, wall: float, time: float, timestep: float) -> float:
        """Wall time until the next step is due, s."""
        if math.isinf(self._speed):
            return 0.0
        due = self._wall + (time + timestep - self._time) / self._speed
        return max(0.0, due - wall)

    def done(self, steps: int, seconds: float, wall: float, time: float) -> None:
        """Report that `steps` steps took `seconds` of processor time and that simulated time is now `time`."""
        if steps > 0:
            cost = max(seconds, 1e-9) / steps
            self._cost = cost if self._cost == 0 else self._cost + 0.2 * (cost - self._cost)
        marks = self._marks
        marks.append((wall, time))
        while len(marks) > 2 and marks[1][0] <= wall - WINDOW:
            marks.popleft()

    def rate(self, wall: float) -> float | None:
        """Simulated seconds per wall second achieved over the last second; None while too little is known. A number
        holds for `RATE_EVERY`, so that all who show it show the same one."""
        if wall - self._rated >= RATE_EVERY:
            self._rate = self._measured(wall)
            self._rated = -math.inf if self._rate is None else wall
        return self._rate

    def _measured(self, wall: float) -> float | None:
        if len(self._marks) < 2:
            return None
        (wall0, time0), (_, time1) = self._marks[0], self._marks[-1]
        if wall - wall0 < FIRST_RATE:
            return None
        return (time1 - time0) / (wall - wall0)

    def overloaded(self, wall: float) -> bool:
        """Whether simulated time was dropped within the last second."""
        return wall - self._lagged < WINDOW


def speed_text(speed: float) -> str:
    """A speed as people write it: "1/8×", "1×", "16×", "Max"."""
    if math.isinf(speed):
        return "Max"
    if speed < 1 and abs(1 / speed - round(1 / speed)) < 1e-9:
        return f"1/{round(1 / speed)}×"
    return f"{speed:g}×"
