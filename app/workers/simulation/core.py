"""State of the simulation thread that several of its request handlers share."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import kinetree
from kinetree.app.workers.simulation.mouse_forces import MouseForces
from kinetree.app.workers.simulation.stepping import Stepping
from kinetree.engine import model, run
from kinetree.engine.run.clock import Clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from kinetree.app.workers.simulation.loaded import Loaded
    from kinetree.app.workers.simulation.playing import Playing
    from kinetree.app.workers.simulation.requests import ForModel
    from kinetree.engine.jit.threads import Threads
    from kinetree.engine.model.model import Options

FRAME = 1 / 60  # time between snapshots while running, s
MIN_SLEEP = 0.004  # shortest sleep between batches of steps, s


class SimulationCore:
    """Belongs to the simulation thread.

    loaded         the model with its state and history, None without one
    generation     the number of the model
    ready          whether its kernels are compiled
    running        whether time goes on, once the kernels are ready
    mode           how time goes on: by steps of the physics, or by rows of a recorded motion
    clock          how many steps are due
    mouse          what the mouse does to bodies
    is_stale       what depends on the state is older than the state
    is_dirty       the newest snapshot is older than the data
    published      when the newest snapshot was made (time.perf_counter()); 0: the next one is due at once
    steps          how many steps were taken
    history_limit  most memory of the history, bytes, and time, s; None: as the engine has it
    remark         how many remarks were made, and the last one
    waiting        requests for models that are still to come
    owed           steps that were asked for while paused, and wait for their controls
    wake           lets the thread go on, from any thread
    is_ending      the thread is to end
    """

    def __init__(self) -> None:
        self.loaded: Loaded | None = None
        self.generation = 0
        self.ready = self.running = False
        self.physics = Stepping()
        self.mode: Stepping | Playing = self.physics
        self.clock = Clock()
        self.mouse = MouseForces()
        self.is_stale = self.is_dirty = False
        self.published = 0.0
        self.steps = 0
        self.history_limit: tuple[int, float] | None = None
        self.remark = 0, ""
        self.waiting: list[ForModel] = []
        self.owed = 0
        self.wake: Callable[[], None] = lambda: None
        self.is_ending = False
        self.threads: Threads | None = None  # these share the work of a step
        self._serial = 0
        self._opt: Options | None = None

    # ---- one turn of the thread --------------------------------------------------------------------------

    @property
    def moves(self) -> bool:
        """Whether simulation time advances."""
        return self.running and self.ready

    def rest(self) -> float | None:
        """How long to sleep for a request before there is something else to do, s; None: until one comes."""
        loaded = self.loaded
        if loaded is None:
            return None
        if loaded.controller is not None and loaded.controller.is_waiting:
            left = loaded.controller.left()
            return min(left, max(0.0, self.published + FRAME - time.perf_counter())) if self.is_dirty else left
        if not self.moves:
            return 0.0 if self.owed or self.is_dirty or self.is_stale or self.mouse.is_searching(self.ready) else None
        now = time.perf_counter()
        rest = self.clock.wait(now, loaded.data.time, self.mode.timestep(loaded))
        if rest <= 0.0:
            return 0.0
        rest = max(rest, MIN_SLEEP)
        return min(rest, max(0.0, self.published + FRAME - now)) if self.is_dirty else rest

    def advance(self, loaded: Loaded) -> None:
        """Take the steps that are due; while paused, bring what depends on the state up to date."""
        if self.moves:
            self.mode.advance(self, loaded)
            return
        if self.owed and self.ready:
            count, self.owed = self.owed, 0
            self.mode.step(self, loaded, count)
            return
        if loaded.controller is not None:
            loaded.controller.look()
            if loaded.controller.has_ended:
                self.leave_controller(loaded)
        self.is_stale |= self.mouse.improve(loaded, self.ready)
        if self.is_stale:
            self.compute(loaded)

    def is_snapshot_due(self, now: float) -> bool:
        return self.is_dirty and (not self.running or now - self.published >= FRAME or not self.ready)

    def snapshots(self, loaded: Loaded, now: float) -> tuple[run.snapshot.Snapshot, run.snapshot.Snapshot | None]:
        """The state as it is, and that of the model that is compared, None without one."""
        self._serial += 1
        timeline, poser, moving = self.mode.timeline(loaded), self.mouse.poser, self.moves
        other = loaded.companion
        other_made = (
            None if other is None else run.snapshot.Snapshot(other.shared, other.data, serial=self._serial, wall=now)
        )
        made = run.snapshot.Snapshot(
            loaded.shared,
            loaded.data,
            opt=self.options(loaded),
            serial=self._serial,
            wall=now,
            running=self.running,
            ready=self.ready,
            speed=self.clock.speed,
            rate=self.clock.rate(now) if moving else None,
            overloaded=moving and self.clock.overloaded(now),
            steps=self.steps,
            cost=self.clock.cost,
            generation=self.generation,
            step=timeline.position,
            first=timeline.first,
            last=timeline.last,
            poses=poser.poses.counts,
            at_limit=poser.at_limit,
            course=timeline.course,
            motion=timeline.name,
            until="" if loaded.until is None else loaded.until.told,
            said=self.remark,
        )
        self.is_dirty = False
        self.published = now
        return made, other_made

    def recover(self) -> None:
        """After an exception: pause, and end what the mouse does."""
        self.running = False
        self.mouse.drop()
        self.owed = 0
        self.is_dirty = True
        self.is_stale = False

    def next_waiting(self) -> ForModel | None:
        """The first request that does not have to wait any more."""
        for place, request in enumerate(self.waiting):
            if request.generation <= self.generation:
                return self.waiting.pop(place)
        return None

    # ---- for the handlers --------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Show a remark to the user, with the next snapshot."""
        self.remark = self.remark[0] + 1, text
        self.is_dirty = True

    def compute(self, loaded: Loaded) -> None:
        """Bring everything that depends on the state up to date, without advancing."""
        if self.ready:
            kinetree.forward(loaded.model, loaded.data)
        else:
            kinetree.kinematics(loaded.model, loaded.data)
        if loaded.companion is not None:
            loaded.companion.check(loaded.data)
        self.is_stale = False
        self.is_dirty = True

    def start_clock(self, loaded: Loaded) -> None:
        """Count time from here, and publish at once."""
        self.clock.start(time.perf_counter(), loaded.data.time)
        self.published = 0.0

    def set_running(self, running: bool) -> None:
        self.running, self.owed = running, 0
        self.mouse.poser.let_go()
        loaded = self.loaded
        if loaded is not None:
            if running:
                self.mouse.release(loaded)
                if loaded.until is not None:
                    loaded.until.begin(loaded.data)
                self.clock.start(time.perf_counter(), loaded.data.time)
            self.is_dirty = True
            self.published = 0.0

    def take_state(self, loaded: Loaded, origin: str = "") -> None:
        """The state was put elsewhere: the simulation goes on from there. The drive begins again, and the history has
        the state after its last step. `origin`: the name of the state (engine/run/timeline.py)."""
        self.leave_motion()
        self.owed = 0
        loaded.drive.restart(loaded.data.time)
        if loaded.until is not None:
            loaded.until.begin(loaded.data)
        self.mouse.poser.poses.clear()
        self.is_stale = True
        if self.moves:
            self.compute(loaded)
        loaded.history.append(loaded.model, loaded.data, origin)
        self.start_clock(loaded)

    def leave_controller(self, loaded: Loaded) -> None:
        """The controller file has ended: pause before the step that it gave no controls for."""
        loaded.controller = None
        self.set_running(False)

    @property
    def plays_motion(self) -> bool:
        """Whether a recorded motion is shown."""
        return self.mode is not self.physics

    def leave_motion(self) -> None:
        """Time goes on by steps of the physics again."""
        if self.plays_motion:
            self.mode = self.physics
            self.clock.new_model()

    def restore_history(self, loaded: Loaded) -> None:
        """End the motion that is shown, and be paused where the simulation was left."""
        self.set_running(False)
        self.leave_motion()
        loaded.history.seek(loaded.model, loaded.data, loaded.history.position)
        loaded.note_sought()
        self.is_stale = False

    def options(self, loaded: Loaded) -> model.model.Options:
        """The options as they are, the same object while they stay the same."""
        if self._opt is None or not self._opt.is_current(loaded.model):
            self._opt = model.model.Options(loaded.model)
        return self._opt

    def set_threads(self, number: int) -> None:
        """How many threads share the work of a step."""
        if self.threads is not None:
            self.threads.close()
            self.threads = None
        if number > 1:
            self.threads = kinetree.Threads(number)
        if self.loaded is not None:
            self.loaded.share_threads(self.threads)
