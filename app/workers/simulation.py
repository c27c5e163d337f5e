"""The simulation thread: owns the live Data, takes commands through a queue and publishes immutable snapshots.

No other thread reads or writes the Data, and the model that was loaded is never changed: options that change while
running are those of the thread's own `with_own_options`. A command is a call of a public method, from any thread; it
returns at once. The window reads `latest`, the newest snapshot. While paused the thread sleeps until a command comes;
while running it sleeps between batches of steps.
"""

from __future__ import annotations

import queue
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from engine.run.clock import Clock

if TYPE_CHECKING:
    from engine.model.data import Data
    from engine.model.model import Model, Options
    from engine.run.history import History
    from engine.run.recorder import Recorder
    from engine.run.snapshot import Snapshot
    from engine.scene.perturb import Perturb

FRAME = 1 / 60  # time between snapshots while running, s
MIN_SLEEP = 0.004  # shortest sleep between batches of steps, s
PUSH_BATCH = 0.004  # simulated time of a batch while the mouse pushes a body, s


@dataclass(slots=True)
class _Loaded:
    """What there is while a model is loaded.

    shared     the model as it was loaded, which other threads use too
    model      the same with options of this simulation
    history    steps of this model; those of the one before cannot be computed again with it
    recorders  Recorders that every step is written to
    """

    shared: Model
    model: Model
    data: Data
    history: History
    recorders: list[Recorder] = field(default_factory=list)


class Simulation(threading.Thread):
    """Calls, in its own thread, `notify()` when there is a snapshot and the one before was taken by `take()`, and
    `failed(message, details)` when a command or a step raised an exception."""

    def __init__(self, notify: Callable[[], None], failed: Callable[[str, str], None]):
        super().__init__(name="simulation", daemon=True)
        self.latest: Snapshot | None = None
        self._notify, self._failed = notify, failed
        self._notified = False
        self._commands: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._clock = Clock()
        self._history_limit: int | None = None
        self._loaded: _Loaded | None = None
        self._ready = self._running = self._stopping = False
        self._dirty = False  # the snapshot is older than the data
        self._stale = False  # what depends on the state is older than the state
        self._perturb: Perturb | None = None
        self._opt: Options | None = None
        self._serial = self._steps = self._generation = 0
        self._published = 0.0

    # ---- commands, from any thread --------------------------------------------------------------------

    def load(self, model, generation: int, *, keep: bool, ready: bool) -> None:
        """Simulate another model. keep: with the state of the one before; ready: its kernels are compiled."""
        self._post(lambda: self._load(model, generation, keep, ready))

    def make_ready(self, generation: int) -> None:
        """Start physics: the kernels of the model of this generation are compiled."""
        self._post(lambda: self._make_ready(generation))

    def unload(self) -> None:
        """Forget the model."""
        self._post(self._unload)

    def play(self) -> None:
        self._post(lambda: self._set_running(True))

    def pause(self) -> None:
        self._post(lambda: self._set_running(False))

    def toggle(self) -> None:
        """Pause if running, else play."""
        self._post(lambda: self._set_running(not self._running))

    def step(self, count: int = 1) -> None:
        """While paused: forward through the history, at its end by real steps."""
        self._post(lambda: self._step(count))

    def back(self, count: int = 1) -> None:
        """Steps back through the history; pauses."""
        self._post(lambda: self._seek(-count, relative=True))

    def seek(self, step: int) -> None:
        """To a recorded step by its number (Snapshot.first to Snapshot.last); pauses. Playing resumes from there."""
        self._post(lambda: self._seek(step, relative=False))

    def set_history_limit(self, limit: int) -> None:
        """Most memory of the history, bytes; the oldest steps are forgotten for it."""
        self._post(lambda: self._set_history_limit(limit))

    def reset(self, key: int | str | None = None) -> None:
        """To qpos0, or to a keyframe by index or name."""
        self._post(lambda: self._reset(key))

    def set_speed(self, speed: float) -> None:
        self._post(lambda: self._set_speed(speed))

    def set_ctrl(self, actuator: int, value: float, generation: int) -> None:
        self._post(lambda: self._put("ctrl", actuator, value, generation))

    def set_qpos(self, address: int, value: float, generation: int) -> None:
        """Put one coordinate (a hinge or a slide) somewhere, at rest."""
        self._post(lambda: self._put("qpos", address, value, generation))

    def clear_ctrl(self) -> None:
        """All controls to zero."""
        self._post(self._clear_ctrl)

    def set_option(self, name: str, value) -> None:
        """Change an option of this simulation, `model.opt.NAME`. The model that was loaded stays as it is."""
        self._post(lambda: self._set_option(name, value))

    def record(self, recorder, generation: int) -> None:
        """Write every step to a Recorder, made for the model of this generation, until another model comes.

        Call `engine.run.recorder.prepare` before, in a thread that may wait. Its step numbers are those of the history.
        """
        self._post(lambda: self._record(recorder, generation))

    def stop_recording(self, recorder) -> None:
        """Leave a Recorder as it is from now on; it can still be read."""
        self._post(lambda: self._stop_recording(recorder))

    def perturb(self, perturb) -> None:
        """Push, or pose, the selected body with a Perturb that nobody else changes any more; None lets go."""
        self._post(lambda: self._set_perturb(perturb))

    def ask(self, question: Callable) -> None:
        """Run question(model, data) between two steps. It must not keep or change the data."""
        self._post(lambda: self._answer(question))

    def refresh(self) -> None:
        """Publish a snapshot even if nothing changed."""
        self._post(self._touch)

    def stop(self) -> None:
        """End the thread; join it afterwards."""
        self._post(self._end)

    def take(self) -> Snapshot | None:
        """The newest snapshot; the next one will call `notify` again."""
        self._notified = False
        return self.latest

    # ---- the thread -------------------------------------------------------------------------------------

    def run(self) -> None:
        while not self._stopping:
            try:
                self._turn()
            except Exception as error:
                self._running = False
                self._perturb = None
                self._dirty = True
                self._stale = False
                self._failed(f"{type(error).__name__}: {error}", traceback.format_exc())
        self._loaded = None

    def _turn(self) -> None:
        self._take_commands(self._rest())
        loaded = self._loaded
        if self._stopping or loaded is None:
            return
        if self._running and self._ready:
            self._advance(loaded)
        elif self._stale:
            self._compute(loaded)
        now = time.perf_counter()
        if self._dirty and (not self._running or now - self._published >= FRAME or not self._ready):
            self._publish(loaded, now)

    def _rest(self) -> float | None:
        """How long to sleep for a command before there is something else to do; None: until one comes."""
        loaded = self._loaded
        if loaded is None:
            return None
        if not (self._running and self._ready):
            return 0.0 if self._dirty or self._stale else None
        now = time.perf_counter()
        rest = self._clock.wait(now, loaded.data.time, loaded.model.opt.timestep)
        if rest <= 0.0:
            return 0.0
        rest = max(rest, MIN_SLEEP)
        return min(rest, max(0.0, self._published + FRAME - now)) if self._dirty else rest

    def _take_commands(self, rest: float | None) -> None:
        try:
            command = self._commands.get(timeout=rest) if rest != 0.0 else self._commands.get_nowait()
            while True:
                command()
                if self._stopping:
                    return
                command = self._commands.get_nowait()
        except queue.Empty:
            pass

    def _advance(self, loaded: _Loaded) -> None:
        model, data = loaded.model, loaded.data
        start = time.perf_counter()
        count = self._clock.due(start, data.time, model.opt.timestep)
        if count < 1:
            return
        if self._perturb is not None:
            count = min(count, max(1, int(PUSH_BATCH / model.opt.timestep)))
            self._push(loaded, self._perturb)
        resets = data.nreset
        # the thread's own time: waiting for the interpreter while a frame is drawn is not the cost of a step
        begun = time.thread_time()
        self._take_steps(loaded, count)
        spent = time.thread_time() - begun
        end = time.perf_counter()
        if data.nreset != resets:  # the simulation diverged and was reset
            self._clock.start(end, data.time)
        self._clock.done(count, spent, end, data.time)

    def _take_steps(self, loaded: _Loaded, count: int) -> None:
        """Advance, with history and recorders."""
        from engine.run.recorder import step

        model, data, history = loaded.model, loaded.data, loaded.history
        history.before_step(model, data, self._clock.cost)
        for recorder in loaded.recorders:
            recorder.step = history.position
        step(model, data, count, loaded.recorders)
        history.after_step(data, count)
        self._steps += count
        self._dirty = True
        self._stale = False

    def _compute(self, loaded: _Loaded) -> None:
        """Bring everything that depends on the state up to date, without advancing."""
        if self._ready:
            from engine import forward

            forward(loaded.model, loaded.data)
        else:
            from engine import kinematics

            kinematics(loaded.model, loaded.data)
        self._stale = False
        self._dirty = True

    def _publish(self, loaded: _Loaded, now: float) -> None:
        from engine.run.snapshot import Snapshot

        self._serial += 1
        history = loaded.history
        moving = self._running and self._ready
        self.latest = Snapshot(
            loaded.shared,
            loaded.data,
            opt=self._options(loaded),
            serial=self._serial,
            wall=now,
            running=self._running,
            ready=self._ready,
            speed=self._clock.speed,
            rate=self._clock.rate(now) if moving else None,
            overloaded=moving and self._clock.overloaded(now),
            steps=self._steps,
            cost=self._clock.cost,
            generation=self._generation,
            step=history.position,
            first=history.first,
            last=history.last,
        )
        self._dirty = False
        self._published = now
        if not self._notified:
            self._notified = True
            self._notify()

    # ---- the commands, in the thread ----------------------------------------------------------------------

    def _post(self, command: Callable[[], None]) -> None:
        self._commands.put(command)

    def _load(self, model, generation: int, keep: bool, ready: bool) -> None:
        from engine import Data
        from engine.run.history import LIMIT, History
        from engine.run.options import transfer_options
        from engine.run.transfer import transfer

        data, own = Data(model), model.with_own_options()
        before = self._loaded
        if keep and before is not None:
            self._release(before)
            transfer(before.model, before.data, model, data)
            transfer_options(before.shared, before.model, model, own)
        history = History(LIMIT if self._history_limit is None else self._history_limit)
        loaded = self._loaded = _Loaded(model, own, data, history)
        self._generation, self._ready = generation, ready
        self._perturb = None
        self._clock.new_model()
        self._steps = 0
        self._compute(loaded)
        self._begin(loaded)

    def _make_ready(self, generation: int) -> None:
        loaded = self._loaded
        if generation == self._generation and loaded is not None and not self._ready:
            self._ready = True
            self._compute(loaded)
            self._begin(loaded)

    def _begin(self, loaded: _Loaded) -> None:
        """Count time, and keep steps, from here."""
        loaded.history.clear()
        loaded.history.before_step(loaded.model, loaded.data)
        self._clock.start(time.perf_counter(), loaded.data.time)
        self._published = 0.0

    def _unload(self) -> None:
        self._loaded = self._perturb = self.latest = None
        self._ready = self._dirty = self._stale = False

    def _set_running(self, running: bool) -> None:
        self._running = running
        loaded = self._loaded
        if loaded is not None:
            if running:
                self._release(loaded)
                self._clock.start(time.perf_counter(), loaded.data.time)
            self._dirty = True
            self._published = 0.0

    def _step(self, count: int) -> None:
        loaded = self._loaded
        if loaded is None or self._running or not self._ready:
            return
        model, data, history = loaded.model, loaded.data, loaded.history
        if history.behind and history.is_current(model, data):
            known = min(count, history.behind)
            history.seek(model, data, history.position + known)
            count -= known
            self._stale = False
        for _ in range(count):
            if self._perturb is not None:
                self._push(loaded, self._perturb)
            self._take_steps(loaded, 1)
        self._dirty = True

    def _seek(self, step: int, relative: bool) -> None:
        loaded = self._loaded
        if loaded is None or not self._ready:
            return
        self._running = False
        model, data, history = loaded.model, loaded.data, loaded.history
        if not history.behind and not history.is_current(model, data):
            history.before_step(model, data)  # what was changed by hand at the newest step can be sought too
        history.seek(model, data, step + (history.position if relative else 0))
        self._stale, self._dirty = False, True

    def _record(self, recorder, generation: int) -> None:
        loaded = self._loaded
        if loaded is not None and generation == self._generation and recorder not in loaded.recorders:
            loaded.recorders.append(recorder)

    def _stop_recording(self, recorder) -> None:
        if self._loaded is not None:
            self._loaded.recorders = [other for other in self._loaded.recorders if other is not recorder]

    def _set_history_limit(self, limit: int) -> None:
        self._history_limit = limit
        if self._loaded is not None:
            self._loaded.history.limit = limit
            self._dirty = True

    def _reset(self, key: int | str | None) -> None:
        from engine import reset

        loaded = self._loaded
        if loaded is None:
            return
        reset(loaded.model, loaded.data, key)
        self._stale = True
        if self._running and self._ready:
            self._compute(loaded)
        self._begin(loaded)

    def _set_speed(self, speed: float) -> None:
        loaded = self._loaded
        self._clock.set_speed(speed, time.perf_counter(), 0.0 if loaded is None else loaded.data.time)
        self._dirty = loaded is not None

    def _put(self, name: str, index: int, value: float, generation: int) -> None:
        loaded = self._loaded
        if loaded is None or generation != self._generation:
            return
        model, data = loaded.model, loaded.data
        array = getattr(data, name)
        array[index] = value
        if name == "qpos":
            dof = model.jnt_dofadr[np.flatnonzero(model.jnt_qposadr == index)]
            data.qvel[dof] = 0.0
        self._stale = self._dirty = True

    def _clear_ctrl(self) -> None:
        if self._loaded is not None:
            self._loaded.data.ctrl[:] = 0.0
            self._stale = self._dirty = True

    def _set_option(self, name: str, value) -> None:
        from engine.dynamics.unsimulated import refuse

        loaded = self._loaded
        if loaded is None:
            return
        before = self._options(loaded)
        try:
            if not np.isfinite(value).all() or (name == "timestep" and not value > 0):
                raise ValueError(f"the option {name} cannot be {value}")
            setattr(loaded.model.opt, name, value)
            if not loaded.shared.unsimulated:
                refuse(loaded.model)
        except Exception:
            before.restore(loaded.model)
            raise
        self._stale = self._dirty = True

    def _answer(self, question: Callable) -> None:
        loaded = self._loaded
        question(*((None, None) if loaded is None else (loaded.model, loaded.data)))

    def _touch(self) -> None:
        self._dirty = self._loaded is not None
        self._published = 0.0

    def _options(self, loaded: _Loaded) -> Options:
        """The options as they are, the same object while they stay the same."""
        from engine.model.model import Options

        if self._opt is None or not self._opt.is_current(loaded.model):
            self._opt = Options(loaded.model)
        return self._opt

    def _end(self) -> None:
        self._stopping = True

    # ---- the mouse's hand on a body -----------------------------------------------------------------------

    def _set_perturb(self, perturb) -> None:
        loaded = self._loaded
        if loaded is None:
            return
        if perturb is None or (self._perturb is not None and perturb.select != self._perturb.select):
            self._release(loaded)
        self._perturb = perturb
        if perturb is not None and not (self._running and self._ready):
            self._push(loaded, perturb)
            self._stale = True
        self._dirty = True

    def _release(self, loaded: _Loaded) -> None:
        if self._perturb is not None and 0 < self._perturb.select < loaded.model.nbody:
            loaded.data.xfrc_applied[self._perturb.select] = 0.0

    def _push(self, loaded: _Loaded, perturb: Perturb) -> None:
        """The perturbation's pose (mocap bodies; free bodies while paused) or force, into the data."""
        model, data = loaded.model, loaded.data
        if not 0 < perturb.select < model.nbody:
            return
        posed = perturb.pose(model, data, not (self._running and self._ready))
        if posed is None:
            data.xfrc_applied[perturb.select] = perturb.force(model, data)
            return
        target, address, position, rotation = posed
        data.xfrc_applied[perturb.select] = 0.0
        if target == "mocap":
            data.mocap_pos[address], data.mocap_quat[address] = position, rotation
        else:
            data.qpos[address : address + 3], data.qpos[address + 3 : address + 7] = position, rotation
