"""The mode of the simulation in which a recorded motion is shown in its place.

Run goes through the rows of the motion at the speed that is set, and the timeline is that of the motion. The history of
the simulation waits meanwhile, and nothing is added to it. Recorders get every row that is played, with numbers of
steps below 0 (engine/run/playback.py). Nothing can be pushed or posed: the next row would undo it.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.core import SimulationCore
    from kinetree.app.workers.simulation.loaded import Loaded
    from kinetree.engine.run.playback import Playback
    from kinetree.engine.run.timeline import Mark

REFUSAL = marked(
    "A recorded motion is shown, which cannot be moved by hand. Go On From Here (in the timeline) simulates "
    "from this state; End the Motion returns to the simulation"
)
AGAIN = 2.0  # after how long without an attempt the refusal is shown again, s


class Playing:
    """See the module, and `Stepping` for the methods."""

    def __init__(self, playback: Playback):
        self._playback = playback
        self._refused = -AGAIN  # when somebody tried last to move what the motion shows

    def timeline(self, loaded: Loaded) -> Playback:
        return self._playback

    def timestep(self, loaded: Loaded) -> float:
        return self._playback.timestep

    def refuses_poses(self, core: SimulationCore) -> bool:
        """True; says so, once for each drag."""
        now = time.perf_counter()
        if now - self._refused >= AGAIN:
            core.say(tr(REFUSAL))
        self._refused = now
        return True

    def advance(self, core: SimulationCore, loaded: Loaded) -> None:
        playback = self._playback
        start = time.perf_counter()
        count = core.clock.due(start, loaded.data.time, playback.timestep)
        if count < 1:
            return
        begun = time.thread_time()
        begins_again = playback.loops and not playback.behind
        playback.play(loaded.model, loaded.data, 0 if begins_again else playback.position + count, loaded.recorders)
        spent, end = time.thread_time() - begun, time.perf_counter()
        if begins_again:
            core.clock.start(end, loaded.data.time)
        core.clock.done(count, spent, end, loaded.data.time)
        if not playback.behind and not playback.loops:
            core.running = False
            core.say(tr("{name} has ended", name=playback.name))
        core.is_stale, core.is_dirty = False, True

    def step(self, core: SimulationCore, loaded: Loaded, count: int) -> None:
        """Forward by rows."""
        self.seek(core, loaded, count, relative=True)

    def seek(self, core: SimulationCore, loaded: Loaded, to: int | Mark, relative: bool) -> None:
        playback = self._playback
        if isinstance(to, int):
            playback.seek(loaded.model, loaded.data, to + (playback.position if relative else 0))
        else:
            playback.seek_mark(loaded.model, loaded.data, to)
        core.is_stale, core.is_dirty = False, True
