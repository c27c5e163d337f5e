"""Frame time and frame rate, measured over the same frames."""

from __future__ import annotations

from collections import deque
from time import perf_counter

WINDOW = 2.0  # s; older frames do not count, but for the last two
STILL = 1.0  # s; after so long without a frame, or two frame times, there is no rate


class FrameTimes:
    """Measures the time between frames: call `begin()` when a frame is begun, `end()` when it is on the screen."""

    def __init__(self) -> None:
        self._frames: deque[tuple[float, float]] = deque()  # begun, on the screen
        self._begun: float | None = None

    def begin(self) -> None:
        self._begun = perf_counter()

    def end(self) -> None:
        if self._begun is not None:
            self._frames.append((self._begun, perf_counter()))
            self._begun = None
            while len(self._frames) > 2 and self._frames[0][0] < self._frames[-1][0] - WINDOW:
                self._frames.popleft()

    @property
    def seconds(self) -> float | None:
        """Mean time from the beginning of a frame until it is on the screen, s; None without frames."""
        if not self._frames:
            return None
        return sum(end - begin for begin, end in self._frames) / len(self._frames)

    @property
    def rate(self) -> float | None:
        """Frames per second; None while nothing moves."""
        frames = self._frames
        if len(frames) < 2 or perf_counter() - frames[-1][1] > max(STILL, 2 * (self.seconds or 0.0)):
            return None
        return (len(frames) - 1) / (frames[-1][0] - frames[0][0])
