"""The mode of the simulation in which time goes on by steps of the physics."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING

from kinetree.engine import run
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.workers.simulation.core import SimulationCore
    from kinetree.app.workers.simulation.loaded import Loaded
    from kinetree.engine.run.history import History
    from kinetree.engine.run.timeline import Mark
    from kinetree.engine.run.until import Until

LONGEST = 0.01  # time that steps with a controller file may take before requests are looked at, s
PUSH_BATCH = 0.004  # simulated time of a batch while the mouse pushes a body, s


class Stepping:
    """The methods of a mode; `Playing` has the same ones. They run in the simulation thread."""

    def timeline(self, loaded: Loaded) -> History:
        """The range of a seek: its position, first, last, course and name."""
        return loaded.history

    def timestep(self, loaded: Loaded) -> float:
        """Time to the next state, s."""
        return loaded.model.opt.timestep

    def refuses_poses(self, core: SimulationCore) -> bool:
        """Whether nothing may be moved by hand."""
        return False

    def advance(self, core: SimulationCore, loaded: Loaded) -> None:
        """Take the steps that are due by the clock."""
        model, data = loaded.model, loaded.data
        start = time.perf_counter()
        count = core.clock.due(start, data.time, model.opt.timestep)
        if count < 1:
            return
        if core.mouse.perturb is not None:
            count = min(count, max(1, int(PUSH_BATCH / model.opt.timestep)))
            core.mouse.push(loaded, core.moves, core.ready)
        resets = data.nreset
        # the thread's own time: waiting for the interpreter while a frame is drawn is not the cost of a step
        begun = time.thread_time()
        if loaded.until is None:
            count = self._take_steps(core, loaded, count, start + LONGEST)
        else:
            count = self._take_steps_until(core, loaded, loaded.until, count)
        spent = time.thread_time() - begun
        end = time.perf_counter()
        if data.nreset != resets:  # the simulation diverged and was reset
            core.clock.start(end, data.time)
            if loaded.companion is not None:
                loaded.companion.reset(data)
        core.clock.done(count, spent, end, data.time)

    def step(self, core: SimulationCore, loaded: Loaded, count: int) -> None:
        """Forward through the history, at its end by real steps."""
        model, data, history = loaded.model, loaded.data, loaded.history
        if history.behind and history.is_current(model, data):
            known = min(count, history.behind)
            history.seek(model, data, history.position + known)
            loaded.note_sought()
            core.mouse.poser.poses.clear()
            count -= known
            core.is_stale = False
        end = time.perf_counter() + LONGEST
        while count:
            core.mouse.push(loaded, core.moves, core.ready)
            if not self._take_steps(core, loaded, 1):
                core.owed = count if loaded.controller is not None else 0
                break
            count -= 1
            if loaded.controller is not None and count and time.perf_counter() > end:
                core.owed = count
                break
        core.is_dirty = True

    def seek(self, core: SimulationCore, loaded: Loaded, to: int | Mark, relative: bool) -> None:
        """Go to a recorded step or a mark; relative: by so many steps."""
        model, data, history = loaded.model, loaded.data, loaded.history
        loaded.keep_changes()  # what was changed by hand at the newest step can be sought too
        if isinstance(to, int):
            history.seek(model, data, to + (history.position if relative else 0))
        else:
            history.seek_mark(model, data, to)
        loaded.note_sought()
        core.mouse.poser.poses.clear()
        core.is_stale, core.is_dirty = False, True

    def _take_steps_until(self, core: SimulationCore, loaded: Loaded, until: Until, count: int) -> int:
        """Advance by so many steps at most; pause at the very step at which the run is to stop. How many were done."""
        done, end = 0, time.perf_counter() + LONGEST
        while done < count:
            steps = self._take_steps(core, loaded, until.most_steps(loaded.model, loaded.data, count - done), end)
            if not steps:
                break
            done += steps
            if until.is_met(loaded.model, loaded.data):
                loaded.until, core.running = None, False
                core.say(tr("Stopped at {time:.9g} s: {told}", time=loaded.data.time, told=until.told))
                break
        return done

    def _take_steps(self, core: SimulationCore, loaded: Loaded, count: int, end: float = math.inf) -> int:
        """Advance, with history and recorders. How many steps were taken: fewer where a controller file has not given
        its controls, or takes longer than to a time (time.perf_counter())."""
        controller = loaded.controller
        if count > 1 and (loaded.drive or controller is not None):
            done = 0
            while done < count and self._take_steps(core, loaded, 1):
                done += 1
                if controller is not None and time.perf_counter() > end:
                    break
            return done
        if controller is not None and not controller.is_ready(loaded.model, loaded.data):
            if controller.has_ended:
                core.leave_controller(loaded)
            return 0
        model, data, history = loaded.model, loaded.data, loaded.history
        core.mouse.poser.poses.clear()
        if loaded.companion is not None:
            loaded.companion.check(data)
        if controller is not None:
            controller.apply(model, data)
        if loaded.drive:
            loaded.drive.apply(model, data, controller is not None)
        history.before_step(model, data, core.clock.cost)
        for recorder in loaded.recorders:
            recorder.step = history.position
        run.recorder.step(model, data, count, loaded.recorders)
        history.after_step(data, count)
        if loaded.companion is not None:
            loaded.companion.follow(data, history.position)
        core.steps += count
        core.is_dirty = True
        core.is_stale = False
        return count
