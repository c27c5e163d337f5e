"""The live simulation of one compiled model: shows a model, prepares its kernels, and passes requests on to the
simulation thread.

    simulation.post(requests.SetControl(actuator, 0.5))

The controller lives in the GUI thread. The simulation thread (`app/workers/simulation`) owns the Data and
sends snapshots; a warm-up thread for each model loads or compiles its kernels. Their reports arrive as queued
signals. Each model gets a generation number, and reports about older generations are dropped.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kinetree.app.settings.following import SettingsFollower
from kinetree.app.settings.settings import Settings
from kinetree.app.workers.simulation import requests
from kinetree.app.workers.simulation.thread import SimulationThread
from kinetree.app.workers.started import StartedThreads
from kinetree.app.workers.warming import WarmUpThread
from kinetree.engine import run
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model
    from kinetree.engine.run.matching import Matching
    from kinetree.engine.run.noise import Noise
    from kinetree.engine.run.replay import Replay
    from kinetree.engine.run.signals import ControlSeries
    from kinetree.engine.run.signals import Signal as ControlSignal
    from kinetree.engine.run.snapshot import Snapshot

RELOAD_PATIENCE = 100  # how long the next version of a model waits for its kernels before it is shown without, ms
FIRST_FRAME_PATIENCE = 1000  # how long the warm-up waits for the first frame to be drawn, ms


class SimulationController(QObject):
    """One simulation; several views may show it.

    model        the model that is simulated, None before the first
    snapshot     the newest state of the model, None before the first
    other        the model that is compared with it, None without one; `other_label`: what it is; `other_snapshot`: its
                 state at the same moment
    threads      threads of others that work on copies of the simulation, and end with it
    ready        whether the kernels of the model are loaded
    unsimulated  why the model can be shown but not simulated (list of Diagnostic), empty for one that can
    running, speed
    signals      actuator -> the Signal that drives its control
    series       the recorded controls that are played back, None without
    noise        the Noise that moves the controls, None without
    progress     what the warm-up does: (text, fraction), None while there is none

    Signals: `model_changed(old model, keep)` (`keep`: the new model is the next version of the old one, and
    its state was carried over), `snapshot_changed()`, `run_changed()` (running or speed),
    `progress_changed()`, `drive_changed()` (signals, series or noise), `controls_cleared()`, `other_changed()`,
    `said(text)` (a remark, such as why the run stopped), `failed(message, details)`.
    """

    model_changed = Signal(object, bool)
    snapshot_changed = Signal()
    run_changed = Signal()
    progress_changed = Signal()
    drive_changed = Signal()
    controls_cleared = Signal()
    other_changed = Signal()
    said = Signal(str)
    failed = Signal(str, str)

    _stepped = Signal()
    _replayed = Signal(object, object)
    _warmed = Signal(int)
    _warm_progress = Signal(int, int, int, str)
    _warm_failed = Signal(int, str, str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.model = None
        self.snapshot = None
        self.other: Model | None = None
        self.other_label = ""
        self.other_snapshot: Snapshot | None = None
        self._other_matching: Matching | None = None
        self.ready = False
        self.unsimulated: list = []
        self.running = True
        self._steps_before = 0
        self.speed = 1.0
        self.generation = 0
        self.signals: dict[int, ControlSignal] = {}
        self.series: ControlSeries | None = None
        self.noise: Noise | None = None
        self._last_noise: Noise | None = None
        self._remarks = 0  # of the thread, that were told
        self.progress: tuple[str, float | None] | None = None
        self._keep = False
        self._load_waits = False  # the next version of the model waits for its kernels
        self._warm: WarmUpThread | None = None
        self._retired: list[WarmUpThread] = []
        self.threads = StartedThreads()
        self._closed = False
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._stop_waiting)
        self._stepped.connect(self._take_snapshot)
        self._replayed.connect(lambda take, replay: take(replay))
        self._warmed.connect(self._take_warmed)
        self._warm_progress.connect(self._take_warm_progress)
        self._warm_failed.connect(self._take_warm_failed)
        self._thread = SimulationThread(self._stepped.emit, self.failed.emit)
        self._notes: dict[type[requests.SimulationRequest], Callable[[Any], None]] = {
            requests.Play: self._note_running,
            requests.Pause: self._note_running,
            requests.SetSpeed: self._note_speed,
            requests.ClearControls: self._note_cleared,
            requests.SetControl: self._note_control,
            requests.SetValues: self._note_values,
            requests.SetSignals: self._note_signals,
            requests.PlaySeries: self._note_series,
            requests.SetNoise: self._note_noise,
        }  # what the window knows of the run without waiting for a snapshot
        self._thread.start()

    # ---- the model -----------------------------------------------------------------------------------

    def show(self, model, *, keep: bool, ready: bool) -> None:
        """Simulate another model.

        keep   it is the next version of the model that is shown: carry the state over
        ready  its kernels are loaded
        """
        old, was_ready = self.model, self.ready
        keep = keep and old is not None
        self._cancel_warm_up()
        self.generation += 1
        self.model, self.ready, self.unsimulated = model, ready, model.unsimulated
        drive_changed = self._follow_drive(old if keep else None)
        other_changed = not keep and self._end_comparison()
        self._keep = keep
        # The kernels of an edited model are nearly always loaded, and it runs on without a break. If they are
        # not, the model waits for them a little; a model that was just opened is shown first.
        self._load_waits = not ready and was_ready and keep and not self.unsimulated
        if self._load_waits:
            self._warm_up()
            self._patience.start(RELOAD_PATIENCE)
        else:
            self._load(ready=ready)
            self._patience.start(FIRST_FRAME_PATIENCE)
        self._tell(old, keep, drive_changed, other_changed)

    def _tell(self, old: Model | None, keep: bool, drive_changed: bool, other_changed: bool) -> None:
        """Emit the signals of a change. That of the model comes first: selection and cameras follow it, and receivers
        of the others read these."""
        self.model_changed.emit(old, keep)
        if drive_changed:
            self.drive_changed.emit()
        if other_changed:
            self.other_changed.emit()

    def unload(self) -> None:
        """Simulate nothing."""
        old = self.model
        self._cancel_warm_up()
        self._patience.stop()
        self.generation += 1
        self.model = self.snapshot = None
        other_changed, drive_changed = self._end_comparison(), self._follow_drive(None)
        self.ready, self.unsimulated, self._load_waits = False, [], False
        self._thread.post(requests.Unload())
        self._tell(old, False, drive_changed, other_changed)
        self.progress_changed.emit()

    def first_drawn(self) -> None:
        """Called when a viewport drew the model: start loading its kernels. Only the first call for a model counts."""
        if self._warm is None and not self.ready and not self._load_waits and self.model is not None:
            self._patience.stop()
            self._warm_up()

    def _load(self, ready: bool) -> None:
        self._load_waits = False
        assert self.model is not None
        self._thread.post(requests.Load(self.model, self.generation, keep=self._keep, ready=ready))
        if not self._keep and self.running:
            self._thread.post(requests.Play())

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
            text = tr("Preparing physics: {done} of {total}", done=done, total=total) + (f" ({short})" if short else "")
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
            self._thread.post(requests.MakeReady(generation=generation))
        self._set_progress(None)

    @Slot(int, str, str)
    def _take_warm_failed(self, generation: int, message: str, details: str) -> None:
        if generation != self.generation or self._closed:
            return
        if self._load_waits:
            self._load(ready=False)
        self._set_progress(None)
        self.failed.emit(tr("Physics cannot run this model: {message}", message=message), details)

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
        # A run that was asked for may have ended before a snapshot of it came.
        changed |= self.running and not snapshot.running and snapshot.steps > self._steps_before
        self.snapshot = snapshot
        other = self._thread.latest_other
        self.other_snapshot = other if other is not None and other.model is self.other else None
        if changed:
            self.running = snapshot.running
            self.run_changed.emit()
        self.snapshot_changed.emit()
        number, text = snapshot.said
        if number != self._remarks:
            self._remarks = number
            self.said.emit(text)

    def run_until(self, text: str) -> None:
        """Run up to a simulation time, "5" or "5 s", or up to where a condition begins to hold; "": do not stop by
        itself any more. Raises ExpressionError, with the column and a remedy."""
        if self.model is None:
            return
        now = -math.inf if self.snapshot is None else float(self.snapshot.time)
        self.post(requests.RunUntil(run.until.read(self.model, text, now) if text.strip() else None))

    def take_replay(self, take: Callable[[Replay | None], None]) -> None:
        """Call `take`, in the GUI thread, with the replayable history; None without a model."""
        self._thread.post(requests.TakeReplay(lambda replay: self._replayed.emit(take, replay)))

    def toggle(self) -> None:
        """Pause if running, else run."""
        self.post(requests.Pause() if self.running else requests.Play())

    def follow(self, settings: Settings) -> None:
        """Apply the settings about the run and its history."""

        def limit_history(_value: object) -> None:
            self.post(
                requests.SetHistoryLimit(settings.history_memory * 1_000_000, settings.history_seconds or math.inf)
            )

        applied = {
            "physics_threads": lambda number: self.post(requests.SetThreads(number)),
            "posing.contacts": lambda on: self.post(requests.SetContactsBlockPoses(on)),
            "history_memory": limit_history,
            "history_seconds": limit_history,
        }
        SettingsFollower(settings, self, applied)

    # ---- another model beside it ---------------------------------------------------------------------

    def compare(self, model: Model | None, label: str = "") -> None:
        """Simulate another model beside this one, from its present state on and with the same inputs; its kernels must
        be loaded. `label` says what it is. None: no more."""
        self._take_other(model if self.model is not None else None, label)
        self.other_changed.emit()

    def _take_other(self, model: Model | None, label: str) -> None:
        self.other, self.other_label = model, label
        self.other_snapshot = self._other_matching = None
        self.post(requests.Compare(model))

    def _end_comparison(self) -> bool:
        """Compare no more; whether a model was compared."""
        compared = self.other is not None
        if compared:
            self._take_other(None, "")
        return compared

    @property
    def other_matching(self) -> run.matching.Matching | None:
        """Which objects of the model that is compared (new) are those of the open one (old); None without one."""
        if self.model is None or self.other is None:
            return None
        found = self._other_matching
        if found is None or found.old is not self.model or found.new is not self.other:
            found = self._other_matching = run.matching.Matching(self.model, self.other)
        return found

    # ---- requests ------------------------------------------------------------------------------------

    def post(self, request: requests.SimulationRequest) -> None:
        """Send a request to the simulation thread; returns at once. A request about a numbered object of a model
        (`ForModel`) is for the model that is shown now, unless it names another generation; it is dropped if its model
        is not shown any more."""
        if isinstance(request, requests.ForModel):
            if request.generation == requests.SHOWN:
                request = replace(request, generation=self.generation)
            elif request.generation != self.generation:
                return
        self._thread.post(request)
        note = self._notes.get(type(request))
        if note is not None:
            note(request)

    def _note_running(self, request: requests.Play | requests.Pause) -> None:
        self.running = isinstance(request, requests.Play)
        self._steps_before = 0 if self.snapshot is None else self.snapshot.steps
        self.run_changed.emit()

    def _note_speed(self, request: requests.SetSpeed) -> None:
        self.speed = request.speed
        self.run_changed.emit()

    def _note_cleared(self, _request: requests.ClearControls) -> None:
        if self.signals or self.series is not None or self.noise is not None:
            self.signals, self.series, self.noise = {}, None, None
            self.drive_changed.emit()
        self.controls_cleared.emit()

    def _note_control(self, request: requests.SetControl) -> None:
        self._forget_signals(range(request.actuator, request.actuator + 1))

    def _note_values(self, request: requests.SetValues) -> None:
        if request.field == "ctrl":
            self._forget_signals(range(request.start, request.start + len(request.values)))

    def _forget_signals(self, actuators: range) -> None:
        """Remove the signals of actuators whose controls were set by hand."""
        if any(actuator in self.signals for actuator in actuators):
            self.signals = {actuator: each for actuator, each in self.signals.items() if actuator not in actuators}
            self.drive_changed.emit()

    def _note_signals(self, request: requests.SetSignals) -> None:
        merged = {**self.signals, **request.signals}
        self.signals = {actuator: signal for actuator, signal in merged.items() if signal is not None}
        self.drive_changed.emit()

    def _note_series(self, request: requests.PlaySeries) -> None:
        self.series = request.series
        self.drive_changed.emit()

    def _note_noise(self, request: requests.SetNoise) -> None:
        self.noise = request.noise
        self._last_noise = request.noise or self._last_noise
        self.drive_changed.emit()

    def switch_noise(self, on: bool) -> None:
        """Switch the noise on, as it was the last time, or off."""
        self.post(requests.SetNoise((self._last_noise or run.noise.Noise()) if on else None))

    def _follow_drive(self, old: Model | None) -> bool:
        """Signals stay with their actuators; another model has none. Whether there was any drive."""
        if not self.signals and self.series is None and self.noise is None:
            return False
        if old is None or self.model is None:
            self.signals, self.series, self.noise = {}, None, None
        elif self.signals:
            found = run.matching.Matching(old, self.model).of("actuator").tolist()
            self.signals = {new: self.signals[old_id] for new, old_id in enumerate(found) if old_id in self.signals}
        return True

    # ---- end -----------------------------------------------------------------------------------------

    def stop(self) -> list:
        """End the threads; returns those that are to be joined."""
        self._closed = True
        self._patience.stop()
        self._cancel_warm_up()
        self._thread.stop()
        return [self._thread, *self._retired, *self.threads.stop()]
