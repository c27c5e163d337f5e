"""The simulation thread: owns the live Data, takes commands through a queue and publishes immutable snapshots.

No other thread reads or writes the Data, and the model that was loaded is never changed: options that change while
running are those of the thread's own `with_own_options`. A command is a call of a public method, from any thread; it
returns at once. The window reads `latest`, the newest snapshot. While paused the thread sleeps until a command comes;
while running it sleeps between batches of steps.
"""

from __future__ import annotations

import math
import queue
import threading
import time
import traceback
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.app.workers.hand import Hand
from kinetree.app.workers.loaded import Loaded
from kinetree.engine.run.clock import Clock
from kinetree.engine.run.signals import actuator_names
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.jit.threads import Threads
    from kinetree.engine.model.data import Data
    from kinetree.engine.model.model import Model, Options
    from kinetree.engine.posing.aim import Aim
    from kinetree.engine.run.history import History
    from kinetree.engine.run.matching import Matching
    from kinetree.engine.run.noise import Noise
    from kinetree.engine.run.playback import Playback
    from kinetree.engine.run.recorder import Recorder
    from kinetree.engine.run.signals import Series, Signal
    from kinetree.engine.run.snapshot import Snapshot
    from kinetree.engine.run.timeline import Mark
    from kinetree.engine.run.until import Until

FRAME = 1 / 60  # time between snapshots while running, s
MIN_SLEEP = 0.004  # shortest sleep between batches of steps, s
PUSH_BATCH = 0.004  # simulated time of a batch while the mouse pushes a body, s


class Simulation(threading.Thread):
    """Calls, in its own thread, `notify()` when there is a snapshot and the one before was taken by `take()`, and
    `failed(message, details)` when a command or a step raised an exception."""

    def __init__(self, notify: Callable[[], None], failed: Callable[[str, str], None]):
        super().__init__(name="simulation", daemon=True)
        self.latest: Snapshot | None = None
        self.latest_other: Snapshot | None = None  # of the model that is compared, at the same moment
        self._notify, self._failed = notify, failed
        self._notified = False
        self._commands: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._clock = Clock()
        self._history_limit: tuple[int, float] | None = None  # bytes, s
        self._said = 0, ""  # how many remarks were made, and the last one
        self._sought: tuple[int | Mark] | None = None  # where a seek that has not begun leads to
        self._threads: Threads | None = None  # these share the work of a step
        self._loaded: Loaded | None = None
        self._ready = self._running = self._stopping = self._closing = False
        self._dirty = False  # the snapshot is older than the data
        self._stale = False  # what depends on the state is older than the state
        self._hand = Hand()
        self._early: list[tuple[Recorder, int]] = []  # recorders of models that are still to come
        self._opt: Options | None = None
        self._serial = self._steps = self._generation = 0
        self._published = 0.0

    # ---- commands, from any thread --------------------------------------------------------------------

    def load(self, model, generation: int, *, keep: bool, ready: bool) -> None:
        """Simulate another model. keep: it is the next version of the one before, whose state, history and recorders it
        takes over; ready: its kernels are compiled."""
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

    def run_until(self, until: Until | None, generation: int) -> None:
        """Run up to a time or a condition of the model of this generation, to the very step; None: do not stop by
        itself any more. Pausing keeps it."""
        self._post(lambda: self._run_until(until, generation))

    def back(self, count: int = 1) -> None:
        """Steps back through the history; pauses."""
        self._post(lambda: self._seek(-count, relative=True))

    def seek(self, to: int | Mark) -> None:
        """To a recorded step by its number (Snapshot.first to Snapshot.last), or to where something happened; pauses.
        Playing resumes from there. Of several seeks that wait only the last one is done."""
        self._sought = (to,)
        self._post(self._seek_newest)

    def set_history_limit(self, limit: int, seconds: float = math.inf) -> None:
        """Most memory of the history, bytes, and most simulated time, s; the oldest steps are forgotten for it."""
        self._post(lambda: self._set_history_limit(limit, seconds))

    def set_threads(self, number: int) -> None:
        """How many threads share the work of a step: with 1, this one does all."""
        self._post(lambda: self._set_threads(number))

    def reset(self, key: int | str | None = None) -> None:
        """To qpos0, or to a keyframe by index or name."""
        self._post(lambda: self._reset(key))

    def set_speed(self, speed: float) -> None:
        self._post(lambda: self._set_speed(speed))

    def set_ctrl(self, actuator: int, value: float, generation: int) -> None:
        """Set a control by hand: a signal does not drive it any more."""
        self.put("ctrl", actuator, [value], generation)

    def set_qpos(self, address: int, value: float, generation: int) -> None:
        """Put one coordinate (a hinge or a slide) somewhere, at rest."""
        self.put("qpos", address, [value], generation)

    def put(self, name: str, start: int, values, generation: int) -> None:
        """Write values into an array of the state or the inputs, from a flat index on. Joints whose qpos is written are
        at rest afterwards; an actuator whose ctrl is written does not follow a signal any more."""
        self._post(lambda: self._put(name, start, values, generation))

    def set_state(self, state: Mapping[str, Any], generation: int) -> None:
        """Write arrays of the state and the inputs, and the time, by name. What is not named is as after a reset."""
        self._post(lambda: self._set_state(state, generation))

    def set_signals(self, signals: Mapping[int, Signal | None], generation: int) -> None:
        """Let signals drive actuators; None: none any more."""
        self._post(lambda: self._set_signals(signals, generation))

    def set_noise(self, noise: Noise | None) -> None:
        """Let noise move the controls that nothing else drives; None: they stay as they are."""
        self._post(lambda: self._set_noise(noise))

    def play_series(self, series: Series | None, loops: bool, generation: int) -> None:
        """Play recorded controls from the present moment on; None: no more."""
        self._post(lambda: self._play_series(series, loops, generation))

    def clear_ctrl(self) -> None:
        """All controls to zero; signals and series end."""
        self._post(self._clear_ctrl)

    def set_option(self, name: str, value) -> None:
        """Change an option of this simulation, `model.opt.NAME`. The model that was loaded stays as it is."""
        self._post(lambda: self._set_option(name, value))

    def record(self, recorder, generation: int) -> None:
        """Write every step to a Recorder, made for the model of this generation (which may still be loading), until
        another file is opened. Where the model is edited, the columns follow their objects.

        Call `kinetree.engine.run.recorder.prepare` before, in a thread that may wait. Its step numbers are those of the
        history.
        """
        self._post(lambda: self._record(recorder, generation))

    def stop_recording(self, recorder) -> None:
        """Leave a Recorder as it is from now on; it can still be read."""
        self._post(lambda: self._stop_recording(recorder))

    def compare(self, model: Model | None, generation: int) -> None:
        """Simulate another model, whose kernels are loaded, beside this one: with the same inputs, from the present
        state on. None: no more."""
        self._post(lambda: self._compare(model, generation))

    def record_other(self, recorder, on: bool) -> None:
        """Write every step of the model that is compared to a Recorder made for it, or no more."""
        self._post(lambda: self._record_other(recorder, on))

    def perturb(self, perturb) -> None:
        """Push, or pose, the selected body with a Perturb that nobody else changes any more; None lets go."""
        self._post(lambda: self._set_perturb(perturb))

    def pose(self, body: int, aim: Aim | None, generation: int) -> None:
        """While paused: draw a body to a place, and let the joints follow that carry it. None ends the drag."""
        self._post(lambda: self._pose(body, aim, generation))

    def place(self, values, generation: int) -> None:
        """Write (array, flat index, values) of positions; while paused all until the end of a drag is one pose."""
        self._post(lambda: self._place(values, generation))

    def give_up_pose(self) -> None:
        """End the drag of a body; while paused, put everything back to before it."""
        self._post(self._give_up_pose)

    def mind_contacts(self, on: bool) -> None:
        """Whether contacts stop a body that is drawn to a place while paused."""
        self._post(lambda: self._hand.mind_contacts(on))

    def undo_pose(self) -> None:
        """Take the last pose back that was set by hand since the simulation stopped."""
        self._post(lambda: self._change_pose(self._hand.poser.poses.back))

    def redo_pose(self) -> None:
        """Set the pose again that was taken back last."""
        self._post(lambda: self._change_pose(self._hand.poser.poses.again))

    def ask(self, question: Callable) -> None:
        """Run question(model, data) between two steps. It must not keep or change the data."""
        self._post(lambda: self._answer(question))

    def ask_both(self, question: Callable) -> None:
        """Run question(model, data, other model, other data) between two steps: the latter of the model that is
        compared, as it was given, None without one. It must not keep or change the data."""
        self._post(lambda: self._answer_both(question))

    def copy_history(self, take: Callable) -> None:
        """Call take(model, history) between two steps: a model with options of its own and a copy of the history, for
        another thread; (None, None) where there is no model."""
        self._post(lambda: self._copy_history(take))

    def refresh(self) -> None:
        """Publish a snapshot even if nothing changed."""
        self._post(self._touch)

    def stop(self) -> None:
        """End the thread; join it afterwards. Nobody hears of failures from now on."""
        self._closing = True
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
                if self._closing:  # what a step needs may be gone: the pool of threads ends with the program
                    break
                self._running = False
                self._hand.drop()
                self._dirty = True
                self._stale = False
                self._failed(f"{type(error).__name__}: {error}", traceback.format_exc())
        self._loaded = None

    def _turn(self) -> None:
        self._take_commands(self._rest())
        loaded = self._loaded
        if self._stopping or loaded is None:
            return
        if self._moves:
            self._advance(loaded)
        else:
            self._stale |= self._hand.improve(loaded, self._ready)
            if self._stale:
                self._compute(loaded)
        now = time.perf_counter()
        if self._dirty and (not self._running or now - self._published >= FRAME or not self._ready):
            self._publish(loaded, now)

    @property
    def _moves(self) -> bool:
        return self._running and self._ready

    def _rest(self) -> float | None:
        """How long to sleep for a command before there is something else to do; None: until one comes."""
        loaded = self._loaded
        if loaded is None:
            return None
        if not self._moves:
            return 0.0 if self._dirty or self._stale or self._hand.is_searching(self._ready) else None
        now = time.perf_counter()
        rest = self._clock.wait(now, loaded.data.time, self._timestep(loaded))
        if rest <= 0.0:
            return 0.0
        rest = max(rest, MIN_SLEEP)
        return min(rest, max(0.0, self._published + FRAME - now)) if self._dirty else rest

    def _past(self, loaded: Loaded) -> History | Playback:
        """What the timeline shows."""
        return loaded.history

    def _timestep(self, loaded: Loaded) -> float:
        """Time to the next state, s."""
        return loaded.model.opt.timestep

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

    def _advance(self, loaded: Loaded) -> None:
        model, data = loaded.model, loaded.data
        start = time.perf_counter()
        count = self._clock.due(start, data.time, model.opt.timestep)
        if count < 1:
            return
        if self._hand.perturb is not None:
            count = min(count, max(1, int(PUSH_BATCH / model.opt.timestep)))
            self._hand.push(loaded, self._moves, self._ready)
        resets = data.nreset
        # the thread's own time: waiting for the interpreter while a frame is drawn is not the cost of a step
        begun = time.thread_time()
        if loaded.until is None:
            self._take_steps(loaded, count)
        else:
            count = self._take_steps_until(loaded, loaded.until, count)
        spent = time.thread_time() - begun
        end = time.perf_counter()
        if data.nreset != resets:  # the simulation diverged and was reset
            self._clock.start(end, data.time)
            if loaded.companion is not None:
                loaded.companion.reset(data)
        self._clock.done(count, spent, end, data.time)

    def _take_steps_until(self, loaded: Loaded, until: Until, count: int) -> int:
        """Advance by so many steps at most; pause at the very step at which the run is to stop. How many were done."""
        done = 0
        while done < count:
            steps = until.most_steps(loaded.model, loaded.data, count - done)
            self._take_steps(loaded, steps)
            done += steps
            if until.is_met(loaded.model, loaded.data):
                loaded.until, self._running = None, False
                self._say(tr("Stopped at {time:.9g} s: {told}", time=loaded.data.time, told=until.told))
                break
        return done

    def _say(self, text: str) -> None:
        """Tell the user something, with the next snapshot."""
        self._said = self._said[0] + 1, text
        self._dirty = True

    def _take_steps(self, loaded: Loaded, count: int) -> None:
        """Advance, with history and recorders."""
        from kinetree.engine.run.recorder import step

        if loaded.drive and count > 1:
            for _ in range(count):
                self._take_steps(loaded, 1)
            return
        model, data, history = loaded.model, loaded.data, loaded.history
        self._hand.poser.poses.clear()
        if loaded.companion is not None:
            loaded.companion.check(data)
        if loaded.drive:
            loaded.drive.apply(model, data)
        history.before_step(model, data, self._clock.cost)
        for recorder in loaded.recorders:
            recorder.step = history.position
        step(model, data, count, loaded.recorders)
        history.after_step(data, count)
        if loaded.companion is not None:
            loaded.companion.follow(data, history.position)
        self._steps += count
        self._dirty = True
        self._stale = False

    def _compute(self, loaded: Loaded) -> None:
        """Bring everything that depends on the state up to date, without advancing."""
        if self._ready:
            from kinetree import forward

            forward(loaded.model, loaded.data)
        else:
            from kinetree import kinematics

            kinematics(loaded.model, loaded.data)
        if loaded.companion is not None:
            loaded.companion.check(loaded.data)
        self._stale = False
        self._dirty = True

    def _publish(self, loaded: Loaded, now: float) -> None:
        from kinetree.engine.run.snapshot import Snapshot

        self._serial += 1
        past = self._past(loaded)
        other = loaded.companion
        self.latest_other = None if other is None else Snapshot(other.shared, other.data, serial=self._serial, wall=now)
        moving = self._moves
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
            step=past.position,
            first=past.first,
            last=past.last,
            poses=self._hand.poser.poses.counts,
            at_limit=self._hand.poser.at_limit,
            course=past.course,
            motion=past.name,
            until="" if loaded.until is None else loaded.until.told,
            said=self._said,
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
        from kinetree import Data
        from kinetree.engine.run.history import LIMIT, History

        before, matching = self._loaded, None
        if keep and before is not None:
            loaded, matching = self._next_version(before, model)
        else:
            history = History(*(self._history_limit or (LIMIT, math.inf)))
            loaded = Loaded(model, model.with_own_options(), Data(model), history)
        if matching is None or not matching.keeps_places:
            self._clock.new_model()
            self._steps = 0
        loaded.data.threads = self._threads
        self._loaded = loaded
        self._hand.clear()
        self._generation, self._ready = generation, ready
        early, self._early = self._early, []
        for recorder, for_generation in early:
            self._record(recorder, for_generation)
        self._compute(loaded)
        if matching is not None:
            loaded.history.follow(matching, loaded.model, loaded.data)
        self._begin(loaded)

    def _next_version(self, before: Loaded, model: Model) -> tuple[Loaded, Matching]:
        """Go on with the next version of the model, from the state in which it is.

        Where every number stays in its place, Data and what its memory has grown to are kept. Recorders and history
        follow the objects that are still there.
        """
        from kinetree import Data, reset
        from kinetree.engine.dynamics.forward import keep_pipeline
        from kinetree.engine.run.matching import Matching
        from kinetree.engine.run.options import transfer_options
        from kinetree.engine.run.transfer import StateCopy, transfer

        self._hand.release(before)
        own, matching = model.with_own_options(), Matching(before.shared, model)
        transfer_options(before.shared, before.model, model, own)
        state, data = StateCopy(before.data), before.data
        if matching.keeps_places:
            keep_pipeline(before.model, own)
            data.adopt(own)
            reset(own, data)
        else:
            data = Data(own)
            for recorder in before.recorders:
                recorder.follow(matching)
        transfer(before.model, state, own, data, matching)
        before.drive.follow(matching)
        until = None if before.until is None else before.until.follow(matching)
        if before.until is not None and until is None:
            self._say(tr("Runs on: this version of the model does not have {told}", told=before.until.told))
        loaded = Loaded(model, own, data, before.history, before.recorders, before.drive, until=until)
        loaded.companion = before.companion
        if loaded.companion is not None:
            loaded.companion.take_model(model, data)
        return loaded, matching

    def _make_ready(self, generation: int) -> None:
        loaded = self._loaded
        if generation == self._generation and loaded is not None and not self._ready:
            self._ready = True
            self._compute(loaded)
            self._begin(loaded)

    def _begin(self, loaded: Loaded) -> None:
        """Count time, and keep steps, from here."""
        if not loaded.history.behind:
            loaded.history.before_step(loaded.model, loaded.data)
        self._clock.start(time.perf_counter(), loaded.data.time)
        self._published = 0.0

    def _unload(self) -> None:
        self._loaded = self.latest = self.latest_other = None
        self._hand.perturb = None
        self._ready = self._dirty = self._stale = False

    def _set_running(self, running: bool) -> None:
        self._running = running
        self._hand.poser.let_go()
        loaded = self._loaded
        if loaded is not None:
            if running:
                self._hand.release(loaded)
                if loaded.until is not None:
                    loaded.until.begin(loaded.data)
                self._clock.start(time.perf_counter(), loaded.data.time)
            self._dirty = True
            self._published = 0.0

    def _run_until(self, until: Until | None, generation: int) -> None:
        loaded = self._loaded
        if loaded is None or generation != self._generation:
            return
        loaded.until = until
        self._dirty = True
        if until is not None:
            self._set_running(True)

    def _step(self, count: int) -> None:
        loaded = self._loaded
        if loaded is None or self._running or not self._ready:
            return
        model, data, history = loaded.model, loaded.data, loaded.history
        if history.behind and history.is_current(model, data):
            known = min(count, history.behind)
            history.seek(model, data, history.position + known)
            loaded.note_sought()
            self._hand.poser.poses.clear()
            count -= known
            self._stale = False
        for _ in range(count):
            self._hand.push(loaded, self._moves, self._ready)
            self._take_steps(loaded, 1)
        self._dirty = True

    def _seek_newest(self) -> None:
        wanted, self._sought = self._sought, None
        if wanted is not None:
            self._seek(wanted[0], relative=False)

    def _seek(self, to: int | Mark, relative: bool) -> None:
        loaded = self._loaded
        if loaded is None or not self._ready:
            return
        self._running = False
        model, data, history = loaded.model, loaded.data, loaded.history
        if not history.behind and not history.is_current(model, data):
            history.before_step(model, data)  # what was changed by hand at the newest step can be sought too
        if isinstance(to, int):
            history.seek(model, data, to + (history.position if relative else 0))
        else:
            history.seek_mark(model, data, to)
        loaded.note_sought()
        self._hand.poser.poses.clear()
        self._stale, self._dirty = False, True

    def _record(self, recorder, generation: int) -> None:
        loaded = self._loaded
        if loaded is None or generation > self._generation:
            self._early.append((recorder, generation))
        elif generation == self._generation and recorder not in loaded.recorders:
            loaded.recorders.append(recorder)

    def _stop_recording(self, recorder) -> None:
        self._early = [each for each in self._early if each[0] is not recorder]
        if self._loaded is not None:
            self._loaded.recorders = [other for other in self._loaded.recorders if other is not recorder]

    def _compare(self, model: Model | None, generation: int) -> None:
        if self._loaded is not None and generation == self._generation:
            self._loaded.compare(model)
            self._touch()

    def _record_other(self, recorder, on: bool) -> None:
        if self._loaded is not None:
            self._loaded.record_other(recorder, on)

    def _set_history_limit(self, limit: int, seconds: float) -> None:
        self._history_limit = limit, seconds
        if self._loaded is not None:
            self._loaded.limit_history(limit, seconds)
            self._dirty = True

    def _set_threads(self, number: int) -> None:
        if self._threads is not None:
            self._threads.close()
            self._threads = None
        if number > 1:
            from kinetree import Threads

            self._threads = Threads(number)
        if self._loaded is not None:
            self._loaded.share_threads(self._threads)

    def _reset(self, key: int | str | None) -> None:
        from kinetree import reset

        loaded = self._loaded
        if loaded is None:
            return
        reset(loaded.model, loaded.data, key)
        if loaded.companion is not None:
            loaded.companion.reset(loaded.data, key)
        self._after_jump(loaded)

    def _after_jump(self, loaded: Loaded) -> None:
        """The state was put elsewhere: the drive begins anew, and the history has it after its last step."""
        loaded.drive.restart(loaded.data.time)
        if loaded.until is not None:
            loaded.until.begin(loaded.data)
        self._hand.poser.poses.clear()
        self._stale = True
        if self._moves:
            self._compute(loaded)
        loaded.history.append(loaded.model, loaded.data)
        self._clock.start(time.perf_counter(), loaded.data.time)
        self._published = 0.0

    def _set_speed(self, speed: float) -> None:
        loaded = self._loaded
        self._clock.set_speed(speed, time.perf_counter(), 0.0 if loaded is None else loaded.data.time)
        self._dirty = loaded is not None

    def _put(self, name: str, start: int, values, generation: int) -> None:
        loaded = self._loaded
        if loaded is None or generation != self._generation:
            return
        self._stale = self._dirty = self._hand.put(loaded, name, start, values, self._moves)
        if name == "ctrl":
            for actuator in range(start, start + len(values)):
                loaded.drive.set_signal(actuator, None, loaded.data.time)

    def _set_state(self, state: Mapping[str, Any], generation: int) -> None:
        from kinetree import reset

        loaded = self._loaded
        if loaded is None or generation != self._generation:
            return
        reset(loaded.model, loaded.data)
        for name, value in state.items():
            if name == "time":
                loaded.data.time = float(value)
            else:
                getattr(loaded.data, name)[...] = value
        self._after_jump(loaded)

    def _set_signals(self, signals: Mapping[int, Signal | None], generation: int) -> None:
        loaded = self._loaded
        if loaded is not None and generation == self._generation:
            for actuator, signal in signals.items():
                loaded.drive.set_signal(actuator, signal, loaded.data.time)

    def _set_noise(self, noise: Noise | None) -> None:
        if self._loaded is not None:
            self._loaded.drive.set_noise(self._loaded.model, noise)

    def _play_series(self, series: Series | None, loops: bool, generation: int) -> None:
        loaded = self._loaded
        if loaded is not None and generation == self._generation:
            loaded.drive.play(series, actuator_names(loaded.model), loaded.data.time, loops)

    def _clear_ctrl(self) -> None:
        if self._loaded is not None:
            self._loaded.drive.stop()
            self._loaded.data.ctrl[:] = 0.0
            self._stale = self._dirty = True

    def _set_option(self, name: str, value) -> None:
        from kinetree.engine.dynamics.unsimulated import refuse

        loaded = self._loaded
        if loaded is None:
            return
        before = self._options(loaded)
        try:
            if not np.isfinite(value).all() or (name == "timestep" and not value > 0):
                raise ValueError(tr("the option {name} cannot be {value}", name=name, value=value))
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

    def _answer_both(self, question: Callable) -> None:
        loaded = self._loaded
        other = None if loaded is None else loaded.companion
        found = (None, None) if other is None else (other.shared, other.data)
        question(*((None, None) if loaded is None else (loaded.model, loaded.data)), *found)

    def _copy_history(self, take: Callable) -> None:
        loaded = self._loaded
        take(*((None, None) if loaded is None else (loaded.model.with_own_options(), loaded.history.copy())))

    def _touch(self) -> None:
        self._dirty = self._loaded is not None
        self._published = 0.0

    def _options(self, loaded: Loaded) -> Options:
        """The options as they are, the same object while they stay the same."""
        from kinetree.engine.model.model import Options

        if self._opt is None or not self._opt.is_current(loaded.model):
            self._opt = Options(loaded.model)
        return self._opt

    def _end(self) -> None:
        self._stopping = True
        self._set_threads(1)

    # ---- bodies moved by hand -----------------------------------------------------------------------------

    def _set_perturb(self, perturb) -> None:
        loaded = self._loaded
        if loaded is not None:
            self._stale |= self._hand.take(loaded, perturb, self._moves, self._ready)
            self._dirty = True

    def _pose(self, body: int, aim: Aim | None, generation: int) -> None:
        loaded = self._loaded
        if loaded is not None and generation == self._generation:
            self._stale |= self._hand.draw(loaded, body, aim, self._moves)
            self._dirty = True

    def _place(self, values, generation: int) -> None:
        loaded = self._loaded
        if loaded is not None and generation == self._generation:
            self._stale = self._dirty = self._hand.place(loaded, values, self._moves)

    def _give_up_pose(self) -> None:
        loaded = self._loaded
        if loaded is not None:
            self._hand.put_back(loaded.data, self._moves)
            self._stale = True
            self._set_perturb(None)
            self._hand.poser.let_go()

    def _change_pose(self, change: Callable[[Data], bool]) -> None:
        loaded = self._loaded
        if loaded is not None and not self._moves:
            self._hand.poser.let_go()
            if change(loaded.data):
                self._stale = self._dirty = True
