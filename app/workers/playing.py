"""The simulation thread that also shows recorded motions, and hands out what it has recorded.

While a motion is shown, Run goes through its rows at the speed that is set, and the timeline is that of the motion. The
history of the simulation waits meanwhile, and nothing is added to it. Recorders get every row that is played, with
numbers of steps below 0 (engine/run/playback.py). Nothing can be pushed or posed: the next row would undo it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from kinetree.app.workers.loaded import Loaded
from kinetree.app.workers.poser import POSE_FIELDS
from kinetree.app.workers.simulation import Simulation
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.posing.aim import Aim
    from kinetree.engine.run.history import History
    from kinetree.engine.run.playback import Playback
    from kinetree.engine.run.replay import Replay
    from kinetree.engine.run.timeline import Mark
    from kinetree.engine.scene.perturb import Perturb

REFUSAL = marked(
    "A recorded motion is shown, which cannot be moved by hand. Go On From Here (in the timeline) simulates "
    "from this state; End the Motion returns to the simulation"
)
AGAIN = 2.0  # after how long without an attempt the refusal is told again, s


class PlayingSimulation(Simulation):
    """See the module and `Simulation`."""

    def __init__(self, notify: Callable[[], None], failed: Callable[[str, str], None]):
        super().__init__(notify, failed)
        self._playback: Playback | None = None
        self._refused = -AGAIN  # when somebody tried last to move what a motion shows

    # ---- commands, from any thread --------------------------------------------------------------------

    def play_motion(self, playback: Playback, generation: int) -> None:
        """Show a motion, made for the model of this generation, from its first row on. Nobody else may use it then."""
        self._post(lambda: self._play_motion(playback, generation))

    def end_motion(self, goes_on: bool) -> None:
        """Show the simulation again: as it was left, or from the state that the motion shows."""
        self._post(lambda: self._end_motion(goes_on))

    def take_replay(self, take: Callable[[Replay | None], None]) -> None:
        """Call `take`, in this thread, with what the history keeps; None without a model."""
        self._post(lambda: self._take_replay(take))

    # ---- the thread -------------------------------------------------------------------------------------

    def _past(self, loaded: Loaded) -> History | Playback:
        return super()._past(loaded) if self._playback is None else self._playback

    def _timestep(self, loaded: Loaded) -> float:
        return super()._timestep(loaded) if self._playback is None else self._playback.timestep

    def _advance(self, loaded: Loaded) -> None:
        playback = self._playback
        if playback is None:
            super()._advance(loaded)
            return
        start = time.perf_counter()
        count = self._clock.due(start, loaded.data.time, playback.timestep)
        if count < 1:
            return
        begun = time.thread_time()
        begins_again = playback.loops and not playback.behind
        playback.play(loaded.model, loaded.data, 0 if begins_again else playback.position + count, loaded.recorders)
        spent, end = time.thread_time() - begun, time.perf_counter()
        if begins_again:
            self._clock.start(end, loaded.data.time)
        self._clock.done(count, spent, end, loaded.data.time)
        if not playback.behind and not playback.loops:
            self._running = False
            self._say(tr("{name} is over", name=playback.name))
        self._stale, self._dirty = False, True

    def _play_motion(self, playback: Playback, generation: int) -> None:
        loaded = self._loaded
        if loaded is None or generation != self._generation or not self._ready:
            return
        history = loaded.history
        if self._playback is None and not history.behind and not history.is_current(loaded.model, loaded.data):
            history.before_step(loaded.model, loaded.data)  # what was set by hand is there again afterwards
        self._hand.poser.clear()
        self._playback = playback
        playback.play(loaded.model, loaded.data, 0, loaded.recorders)
        self._clock.new_model()
        self._set_running(True)

    def _end_motion(self, goes_on: bool) -> None:
        loaded = self._loaded
        if self._playback is None or loaded is None:
            return
        self._set_running(False)
        if goes_on:
            self._after_jump(loaded)
        else:
            self._playback = None
            self._clock.new_model()
            loaded.history.seek(loaded.model, loaded.data, loaded.history.position)
            loaded.note_sought()
            self._stale = False

    def _after_jump(self, loaded: Loaded) -> None:
        if self._playback is not None:
            self._playback = None
            self._clock.new_model()
        super()._after_jump(loaded)

    def _refuses(self) -> bool:
        """Whether a motion is shown, which nobody may move by hand; says so, once for each drag."""
        if self._playback is None:
            return False
        now = time.perf_counter()
        if now - self._refused >= AGAIN:
            self._say(tr(REFUSAL))
        self._refused = now
        return True

    def _set_perturb(self, perturb: Perturb | None) -> None:
        if perturb is None or not self._refuses():
            super()._set_perturb(perturb)

    def _pose(self, body: int, aim: Aim | None, generation: int) -> None:
        if aim is None or not self._refuses():
            super()._pose(body, aim, generation)

    def _place(self, values, generation: int) -> None:
        if not self._refuses():
            super()._place(values, generation)

    def _put(self, name: str, start: int, values, generation: int) -> None:
        if name not in POSE_FIELDS or not self._refuses():
            super()._put(name, start, values, generation)

    def _load(self, model, generation: int, keep: bool, ready: bool) -> None:
        if self._playback is not None:
            self._end_motion(goes_on=False)
        super()._load(model, generation, keep, ready)

    def _unload(self) -> None:
        self._playback = None
        super()._unload()

    def _step(self, count: int) -> None:
        if self._playback is None:
            super()._step(count)
        elif not self._running:
            self._seek(count, relative=True)

    def _seek(self, to: int | Mark, relative: bool) -> None:
        loaded, playback = self._loaded, self._playback
        if loaded is None or playback is None:
            super()._seek(to, relative)
            return
        self._running = False
        if isinstance(to, int):
            playback.seek(loaded.model, loaded.data, to + (playback.position if relative else 0))
        else:
            playback.seek_mark(loaded.model, loaded.data, to)
        self._stale, self._dirty = False, True

    def _take_replay(self, take: Callable[[Replay | None], None]) -> None:
        loaded = self._loaded
        if loaded is None:
            take(None)
            return
        history = loaded.history
        if self._playback is None and not history.behind and not history.is_current(loaded.model, loaded.data):
            history.before_step(loaded.model, loaded.data)
        take(history.replay(loaded.shared))
