"""The live simulation of one compiled model: shows a model, prepares its kernels, runs, pauses and takes
commands.

The controller lives in the GUI thread. The simulation thread (`app/workers/simulation.py`) owns the Data and
sends snapshots; a warm-up thread for each model loads or compiles its kernels. Their reports arrive as queued
signals. Each model gets a generation number, and reports about older generations are dropped.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.marks import mark
from app.workers.simulation import Simulation
from app.workers.warming import WarmUpThread

RELOAD_PATIENCE = 100  # how long the next version of a model waits for its kernels before it is shown without, ms
FIRST_FRAME_PATIENCE = 1000  # how long the warm-up waits for the first frame to be drawn, ms


class SimulationController(QObject):
    """One simulation; several views may show it.

    model        the model that is simulated, None before the first
    snapshot     the newest state of the model, None before the first
    ready        whether the kernels of the model are loaded
    unsimulated  why the model can be shown but not simulated (list of Diagnostic), empty for one that can
    running, speed
    progress     what the warm-up does: (text, fraction), None while there is none

    Signals: `model_changed(old model, keep)` (`keep`: the new model is the next version of the old one, and
    its state was carried over), `snapshot_changed()`, `run_changed()` (running or speed),
    `progress_changed()`, `failed(message, details)`.
    """

    model_changed = Signal(object, bool)
    snapshot_changed = Signal()
    run_changed = Signal()
    progress_changed = Signal()
    failed = Signal(str, str)

    _stepped = Signal()
    _warmed = Signal(int)
    _warm_progress = Signal(int, int, int, str)
    _warm_failed = Signal(int, str, str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.model = None
        self.snapshot = None
        self.ready = False
        self.unsimulated: list = []
        self.running = True
        self.speed = 1.0
        self.generation = 0
        self.progress: tuple[str, float | None] | None = None
        self._keep = False
        self._load_waits = False  # the next version of the model waits for its kernels
        self._saved: float | None = None  # when the shown version was saved, until its first frame is drawn
        self._warm: WarmUpThread | None = None
        self._retired: list[WarmUpThread] = []
        self._closed = False
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._stop_waiting)
        self._stepped.connect(self._take_snapshot)
        self._warmed.connect(self._take_warmed)
        self._warm_progress.connect(self._take_warm_progress)
        self._warm_failed.connect(self._take_warm_failed)
        self._thread = Simulation(self._stepped.emit, self.failed.emit)
        self._thread.start()

    # ---- the model -----------------------------------------------------------------------------------

    def show(self, model, *, keep: bool, ready: bool, saved: float | None = None) -> None:
        """Simulate another model.

        keep   it is the next version of the model that is shown: carry the state over
        ready  its kernels are loaded
        saved  when the change that it follows was written (time.time()), for the reload benchmark
        """
        old, was_ready = self.model, self.ready
        keep = keep and old is not None
        self._cancel_warm_up()
        self.generation += 1
        self.model, self.ready, self.unsimulated = model, ready, model.unsimulated
        self._keep = keep
        self._saved = saved if keep else None
        # The kernels of an edited model are nearly always loaded, and it runs on without a break. If they are
        # not, the model waits for them a little; a model that was just opened is shown first.
        self._load_waits = not ready and was_ready and keep and not self.unsimulated
        if self._load_waits:
            self._warm_up()
            self._patience.start(RELOAD_PATIENCE)
        else:
            self._load(ready=ready)
            self._patience.start(FIRST_FRAME_PATIENCE)
        self.model_changed.emit(old, keep)

    def unload(self) -> None:
        """Simulate nothing."""
        old = self.model
        self._cancel_warm_up()
        self._patience.stop()
        self.generation += 1
        self.model = self.snapshot = self._saved = None
        self.ready, self.unsimulated, self._load_waits = False, [], False
        self._thread.unload()
        self.progress_changed.emit()
        self.model_changed.emit(old, False)

    def first_drawn(self) -> None:
        """A viewport drew the model; only the first call for each model counts."""
        if self._warm is None and not self.ready and not self._load_waits and self.model is not None:
            self._patience.stop()
            self._warm_up()
        if self._saved is not None:
            mark("reload", max(0.0, time.time() - self._saved))
            self._saved = None

    def _load(self, ready: bool) -> None:
        self._load_waits = False
        self._thread.load(self.model, self.generation, keep=self._keep, ready=ready)
        if not self._keep and self.running:
            self._thread.play()

    def _stop_waiting(self) -> None:
        """Show the next version without physics, or begin the warm-up although no frame was drawn."""
        if self._load_waits:
            self._load(ready=False)
        elif self.model is not None and self._warm is None and not self.ready:
            self._warm_up()

    # ---- kernels -------------------------------------------------------------------------------------

    def _warm_up(self) -> None:
        if self.unsimulated:
            return
        self._warm = WarmUpThread(
            self.model, self.generation, self._warm_progress.emit, self._warmed.emit, self._warm_failed.emit
        )
        self._warm.start()

    def _cancel_warm_up(self) -> None:
        self._retired = [thread for thread in self._retired if thread.is_alive()]
        if self._warm is not None:
            self._warm.cancel()
            self._retired.append(self._warm)
            self._warm = None
        self.progress = None

    @Slot(int, int, int, str)
    def _take_warm_progress(self, generation: int, done: int, total: int, name: str) -> None:
        if generation == self.generation and done < total:
            short = name.rpartition(":")[2] or name
            text = f"Preparing physics: {done} of {total}" + (f" ({short})" if short else "")
            self._set_progress((text, done / total))

    @Slot(int)
    def _take_warmed(self, generation: int) -> None:
        if generation != self.generation or self._closed:
            return
        self.ready = True
        if self._load_waits:
            self._patience.stop()
            self._load(ready=True)
        else:
            self._thread.make_ready(generation)
        self._set_progress(None)

    @Slot(int, str, str)
    def _take_warm_failed(self, generation: int, message: str, details: str) -> None:
        if generation != self.generation or self._closed:
            return
        if self._load_waits:
            self._load(ready=False)
        self._set_progress(None)
        self.failed.emit(f"Physics cannot run this model: {message}", details)

    def _set_progress(self, progress: tuple[str, float | None] | None) -> None:
        self.progress = progress
        self.progress_changed.emit()

    # ---- the run -------------------------------------------------------------------------------------

    @Slot()
    def _take_snapshot(self) -> None:
        if self._closed:
            return
        snapshot = self._thread.take()
        if snapshot is None or snapshot.model is not self.model:
            return
        changed = self.snapshot is None or snapshot.running != self.snapshot.running
        self.snapshot = snapshot
        if changed:
            self.running = snapshot.running
            self.run_changed.emit()
        self.snapshot_changed.emit()

    def set_running(self, running: bool) -> None:
        self.running = running
        (self._thread.play if running else self._thread.pause)()
        self.run_changed.emit()

    def toggle(self) -> None:
        """Pause if running, else run."""
        self.set_running(not self.running)

    def set_speed(self, speed: float) -> None:
        """Simulated time per real time; inf: as fast as possible."""
        self.speed = speed
        self._thread.set_speed(speed)
        self.run_changed.emit()

    def step(self, count: int = 1) -> None:
        """While paused: forward through the history, at its end by real steps."""
        self._thread.step(count)

    def back(self, count: int = 1) -> None:
        """Pause and go steps back in the history."""
        self._thread.back(count)

    def seek(self, step: int) -> None:
        """Pause and go to a step of the history, snapshot.first to snapshot.last. Running goes on from
        there."""
        self._thread.seek(step)

    def set_history_limit(self, limit: int) -> None:
        """Most memory of the history, bytes."""
        self._thread.set_history_limit(limit)

    def record(self, recorder) -> None:
        """Write every step to a Recorder made for `model`, until another model comes. See
        `Simulation.record`."""
        self._thread.record(recorder, self.generation)

    def stop_recording(self, recorder) -> None:
        self._thread.stop_recording(recorder)

    def reset(self, key: int | str | None = None) -> None:
        """To qpos0, or to a keyframe by index or name."""
        self._thread.reset(key)

    # ---- inputs --------------------------------------------------------------------------------------

    def set_ctrl(self, actuator: int, value: float) -> None:
        self._thread.set_ctrl(actuator, value, self.generation)

    def clear_ctrl(self) -> None:
        """Set all controls to zero."""
        self._thread.clear_ctrl()

    def set_qpos(self, address: int, value: float) -> None:
        """Set the position of one hinge or slide joint and stop it."""
        self._thread.set_qpos(address, value, self.generation)

    def set_option(self, name: str, value) -> None:
        """Change an option of the simulation, `snapshot.opt.NAME`; the model stays as it is."""
        self._thread.set_option(name, value)

    def perturb(self, perturb) -> None:
        """Push, or pose, a body as a Perturb says (the caller must not change it any more); None lets go."""
        self._thread.perturb(perturb)

    def ask(self, question: Callable) -> None:
        """Run question(model, data) in the simulation thread between two steps. It must not keep or change
        the data."""
        self._thread.ask(question)

    def refresh(self) -> None:
        """Ask for a snapshot even if nothing changed."""
        self._thread.refresh()

    # ---- end -----------------------------------------------------------------------------------------

    def stop(self) -> list:
        """End the threads; returns those that are to be joined."""
        self._closed = True
        self._patience.stop()
        self._cancel_warm_up()
        self._thread.stop()
        return [self._thread, *self._retired]
