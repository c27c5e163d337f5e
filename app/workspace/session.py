"""The session: one open file with its model, findings, live simulation and view. No widgets.

It lives in the GUI thread and never waits: files are read and compiled by the compile thread, kernels are made ready
by the warm-up thread, the simulation thread owns the state, the watch thread looks at files. Their news come in as
queued signals. A result that is older than what is wanted is dropped by its version (of the text) or generation (of
the model).
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from app.marks import mark
from app.workers.compiling import CompileResult, CompileThread
from app.workers.notifying import Notifier
from app.workers.saving import SaveThread
from app.workers.simulation import Simulation
from app.workers.warming import WarmUpThread, is_loaded
from app.workers.watching import WatchThread
from app.workspace.selection import NOTHING, Selection, body_of, follow
from engine.diagnostics import Severity

SLOW = 100  # how long compiling may take before it is shown, ms
PATIENCE = 100  # how long a reload waits for physics before the model is shown without, ms
UNSEEN = 1000  # how long the warm-up waits for the first frame to be drawn, ms


class Session(QObject):
    """Signals say what is new; the state is in the attributes.

    path         the open file, "" if none
    attempt      the file that is being opened, or that could not be opened while another one runs on; else ""
    model        what is shown: the last text that compiled, None before the first
    snapshot     the newest state of the model, None before the first
    diagnostics  of the newest text: what the compiler says, and soon after what the checks find; without hidden kinds
    hidden       how many findings of hidden kinds are left out
    failed       whether the newest text has errors (then `model` is from an older one)
    selection, camera, options, perturb    the view
    ready        whether physics is compiled for the model
    unsimulated  why the model can be looked at but not simulated (findings), empty for one that can
    """

    model_changed = Signal()
    snapshot_changed = Signal()
    diagnostics_changed = Signal()
    selection_changed = Signal()
    camera_changed = Signal()
    options_changed = Signal()
    run_changed = Signal()
    path_changed = Signal()
    progress_changed = Signal()
    failure = Signal(str, str)
    saved = Signal(str)

    _compiled = Signal(object)
    _checked = Signal(int, object)
    _compile_progress = Signal(int, object, str)
    _stepped = Signal()
    _warmed = Signal(int)
    _warm_progress = Signal(int, int, int, str)
    _warm_failed = Signal(int, str, str)
    _compile_begun = Signal()
    _save_done = Signal(str, str, str)
    _simulation_failed = Signal(str, str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.path = self.attempt = ""
        self.model = None
        self.snapshot = None
        self.diagnostics: list = []
        self.hidden = 0
        self._hidden_codes: frozenset[str] = frozenset()
        self._found: list = []
        self.failed = False
        self.ready = False
        self.unsimulated: list = []
        self.running = True
        self.speed = 1.0
        self.auto_reload = True
        self.selection: Selection = NOTHING
        self.camera = None
        self.options = None
        self.perturb = None
        self.progress: tuple[str, float | None] | None = None
        self.generation = 0
        self._keep = False
        self.compile_seconds = 0.0
        self.compiling_since: float | None = None  # time.monotonic(), while a text is compiled
        self._files: list[str] = []
        self._attempt_files: list[str] = []
        self.reload_pending: tuple[int, float] | None = None
        self._load_waits = False  # the reloaded model waits for its physics before it goes to the simulation
        self._compiling_text = "Reading the model"
        self._warm_state: tuple[str, float | None] | None = None
        self._warm: WarmUpThread | None = None
        self._retired: list[WarmUpThread | SaveThread] = []
        self._closed = False

        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SLOW)
        self._slow.timeout.connect(self._show_progress)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.timeout.connect(self._stop_waiting)

        self._compiled.connect(self._take_compiled)
        self._compile_progress.connect(self._take_compile_progress)
        self._checked.connect(self._take_checked)
        self._stepped.connect(self._take_snapshot)
        self._warmed.connect(self._take_warmed)
        self._warm_progress.connect(self._take_warm_progress)
        self._warm_failed.connect(self._take_warm_failed)
        self._save_done.connect(self._take_saved)
        self._compile_begun.connect(self._take_compile_begun)
        self._simulation_failed.connect(self.failure)

        self.simulation = Simulation(self._stepped.emit, self._simulation_failed.emit)
        self._compiler = CompileThread(
            self._compiled.emit, self._compile_progress.emit, is_loaded, self._checked.emit
        )
        self._watcher = WatchThread(self._follow, self._arm)
        self._notifier = Notifier(self._watcher.poke, self)
        for thread in (self.simulation, self._compiler, self._watcher, self._notifier):
            thread.start()

    @property
    def seed(self) -> int | None:
        """What random joint axes of x_xy models are drawn from, see engine.load."""
        return self._compiler.seed

    @seed.setter
    def seed(self, value: int | None) -> None:
        self._compiler.seed = value

    # ---- files -------------------------------------------------------------------------------------------

    def open(self, path: str) -> None:
        """Open a file in place of what is open. The old model runs on until the new one is there."""
        self.attempt = os.path.abspath(path)
        self._attempt_files = []
        self._compile(fresh=True)
        self.path_changed.emit()

    def reload(self) -> None:
        """Compile the file again, keeping the state."""
        if self.attempt or self.path:
            self._compile(fresh=bool(self.attempt))

    def set_auto_reload(self, on: bool) -> None:
        """Whether changes of files are followed; switching it on looks for changes since."""
        self.auto_reload = on
        if on:
            self.reload()

    def cancel(self) -> None:
        """Give up what is being read and compiled; what was there before stays."""
        self._compiler.cancel()
        self.compiling_since = None
        if self.model is not None:
            self.attempt, self._attempt_files = "", []
        self._set_progress(None)
        self.path_changed.emit()

    def save_copy(self, path: str) -> None:
        """Write the model that is shown as canonical MJCF, in a thread; `saved` or `failure` says how it went."""
        path = os.path.abspath(path)
        if self.model is None:
            return
        if os.path.realpath(path) in map(os.path.realpath, [self.path, *self._files]):
            self.failure.emit(
                f"{path} is part of the model that is open: choose another name for the copy", ""
            )
            return
        self._retired = [thread for thread in self._retired if thread.is_alive()]
        thread = SaveThread(self.model, path, self._save_done.emit)
        self._retired.append(thread)
        thread.start()

    @Slot(str, str, str)
    def _take_saved(self, path: str, message: str, details: str) -> None:
        if self._closed:
            return
        if message:
            self.failure.emit(message, details)
        else:
            self.saved.emit(path)

    def close_file(self) -> None:
        """Nothing is open any more."""
        self._compiler.cancel()
        self._cancel_warm_up()
        self.compiling_since = None
        self.path, self.attempt = "", ""
        self._files, self._attempt_files = [], []
        self._patience.stop()
        self.model = self.snapshot = self.camera = self.perturb = None
        self.failed, self.ready, self.unsimulated = False, False, []
        self._find([])
        self.selection = NOTHING
        self.generation += 1
        self._set_progress(None)
        self.simulation.unload()
        self._watcher.watch([])
        self.path_changed.emit()
        self.diagnostics_changed.emit()
        self.selection_changed.emit()
        self.model_changed.emit()

    def _compile(self, fresh: bool, saved: float | None = None) -> None:
        """Ask for the newest text. Also called in the watch thread: a change need not wait for a frame."""
        self._compiling_text = "Reading the model"
        self.compiling_since = time.monotonic()
        self._compiler.submit(self.attempt if fresh else self.path, fresh=fresh, saved=saved)
        self._compile_begun.emit()

    @Slot()
    def _take_compile_begun(self) -> None:
        if self.compiling_since is not None and not self._closed:
            self._slow.start()

    @Slot(int, object, str)
    def _take_compile_progress(self, version: int, fraction: float | None, text: str) -> None:
        if version == self._compiler.newest and self.compiling_since is not None:
            self._compiling_text = text or self._compiling_text
            if not self._slow.isActive():
                self._set_progress((self._compiling_text, fraction))

    def _show_progress(self) -> None:
        self._set_progress((self._compiling_text, None))

    def _set_progress(self, progress: tuple[str, float | None] | None) -> None:
        if progress is None:
            self._slow.stop()
        if progress != self.progress:
            self.progress = progress
            self.progress_changed.emit()

    @Slot(int, object)
    def _take_checked(self, version: int, items: list) -> None:
        if version == self._compiler.newest and not self._closed and items != self._found:
            self._find(items)
            self.diagnostics_changed.emit()

    def hide_codes(self, codes: Iterable[str]) -> None:
        """Leave findings of these kinds out, errors excepted."""
        self._hidden_codes = frozenset(codes)
        self._find(self._found)
        self.diagnostics_changed.emit()

    def _find(self, items: list) -> None:
        self._found = items
        self.diagnostics = [
            item for item in items if item.code not in self._hidden_codes or item.severity is Severity.ERROR
        ]
        self.hidden = len(items) - len(self.diagnostics)

    @Slot(object)
    def _take_compiled(self, result: CompileResult) -> None:
        if result.version != self._compiler.newest or self._closed:
            return
        self.compiling_since = None
        self._set_progress(None)
        self.compile_seconds = result.seconds
        self._find(result.diagnostics)
        self.failed = result.model is None
        fresh = result.fresh
        if not self.failed:
            self._files, self._attempt_files = result.files, []
            self.path, self.attempt = result.path, ""
        elif not fresh or self.model is None:
            # A text with errors may not have got as far as naming all the files that the good one needs.
            self._files = list(dict.fromkeys([*result.files, *(self._files if not fresh else [])]))
        else:
            self._attempt_files = result.files
        files = list(dict.fromkeys([*self._files, *self._attempt_files]))
        self._watcher.watch(files, result.hashes, result.started)
        if result.model is not None:
            self._show(result)
        if fresh:
            self.path_changed.emit()
        self.diagnostics_changed.emit()

    def _show(self, result: CompileResult) -> None:
        """Swap the model in."""
        from engine.scene.camera import initial
        from engine.scene.perturb import Perturb

        old, was_ready, model = self.model, self.ready, result.model
        fresh = result.fresh or old is None
        self._cancel_warm_up()
        self.generation += 1
        self.ready = result.ready
        self.model, self.unsimulated = model, model.unsimulated
        if self.options is None:
            from engine.scene.options import VisOptions

            self.options = VisOptions()
        if fresh:
            self.camera = initial(model)
            self.selection = NOTHING
        else:
            self.selection = follow(self.selection, old, model)
            self.camera = _follow_camera(self.camera, old, model)
        self.perturb = Perturb()
        self.perturb.select = body_of(self.selection, model) if self.selection else 0
        if result.saved is not None and not fresh:
            self.reload_pending = (self.generation, result.saved)
        self._keep = not fresh
        # The kernels of an edited model are nearly always loaded: it goes on without a break. If they are not, it
        # waits for them a little; a model that is opened is shown first.
        self._load_waits = not self.ready and was_ready and not fresh and not self.unsimulated
        if self._load_waits:
            self._warm_up()
            self._patience.start(PATIENCE)
        else:
            self._load(ready=self.ready)
            self._patience.start(UNSEEN)
        self.model_changed.emit()
        self.selection_changed.emit()
        self.camera_changed.emit()

    def _load(self, ready: bool) -> None:
        self._load_waits = False
        self.simulation.load(self.model, self.generation, keep=self._keep, ready=ready)
        if not self._keep and self.running:
            self.simulation.play()

    def _stop_waiting(self) -> None:
        """Show the reloaded model without physics, or begin the warm-up though nobody sees the model."""
        if self._load_waits:
            self._load(ready=False)
        elif self.model is not None and self._warm is None and not self.ready:
            self._warm_up()

    # ---- getting physics ready -----------------------------------------------------------------------------

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
        self._warm_state = None

    @Slot(int, int, int, str)
    def _take_warm_progress(self, generation: int, done: int, total: int, name: str) -> None:
        if generation == self.generation and done < total:
            short = name.rpartition(":")[2] or name
            text = f"Preparing physics: {done} of {total}" + (f" ({short})" if short else "")
            self._warm_state = (text, done / total)
            self.progress_changed.emit()

    @Slot(int)
    def _take_warmed(self, generation: int) -> None:
        if generation == self.generation and not self._closed:
            self.ready = True
            self._warm_state = None
            if self._load_waits:
                self._patience.stop()
                self._load(ready=True)
            else:
                self.simulation.make_ready(generation)
            self.progress_changed.emit()

    @Slot(int, str, str)
    def _take_warm_failed(self, generation: int, message: str, details: str) -> None:
        if generation == self.generation and not self._closed:
            self._warm_state = None
            if self._load_waits:
                self._load(ready=False)
            self.progress_changed.emit()
            self.failure.emit(f"Physics cannot run this model: {message}", details)

    @property
    def busy(self) -> tuple[str, float | None] | None:
        """What is going on besides the simulation, and how far it is (None: unknown)."""
        return self.progress or self._warm_state

    # ---- watching ------------------------------------------------------------------------------------------

    def _follow(self, paths: list[str], written: float) -> None:
        """Files changed (called in the watch thread)."""
        if not self.auto_reload or self._closed:
            return
        ours = not self.attempt or any(path in self._files for path in paths)
        if ours and self.model is not None and self.path:
            self._compile(fresh=False, saved=min(written, time.time()))
        elif self.attempt or self.path:
            self._compile(fresh=bool(self.attempt))

    def _arm(self) -> None:
        """Ask the system again for notifications (called in the watch thread)."""
        if not self._closed:
            self._notifier.arm([*self._files, *self._attempt_files])

    # ---- simulation ----------------------------------------------------------------------------------------

    @Slot()
    def _take_snapshot(self) -> None:
        if self._closed:
            return
        snapshot = self.simulation.take()
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
        (self.simulation.play if running else self.simulation.pause)()
        self.run_changed.emit()

    def toggle(self) -> None:
        self.set_running(not self.running)

    def set_speed(self, speed: float) -> None:
        self.speed = speed
        self.simulation.set_speed(speed)
        self.run_changed.emit()

    # ---- view ------------------------------------------------------------------------------------------------

    def select(self, selection: Selection) -> None:
        """Select an element; its body is what the mouse pushes."""
        if selection == self.selection or self.model is None:
            return
        self.selection = selection
        body = body_of(selection, self.model)
        if self.perturb is not None and self.perturb.select != body:
            self.release()
            self.perturb.clear()
            self.perturb.select = body
            self.perturb.localpos = self.perturb.localpos * 0.0
        self.selection_changed.emit()

    def set_fixed_camera(self, index: int) -> None:
        """One of the model's cameras; -1: look around freely from where the camera is."""
        if self.camera is None:
            return
        from engine.scene.camera import FIXED, FREE

        if index >= 0:
            self.camera.type, self.camera.fixedcamid = FIXED, index
        else:
            self.camera.type = FREE
        self.camera_changed.emit()

    def cycle_camera(self, by: int) -> None:
        """The next or previous of the model's cameras."""
        if self.camera is not None and self.model.ncam > 0:
            now = self.camera.fixedcamid if self.camera.type == "fixed" else (-1 if by > 0 else 0)
            self.set_fixed_camera((now + by) % self.model.ncam)

    def align_camera(self) -> None:
        """The free camera as the model opens with."""
        if self.model is not None:
            from engine.scene.camera import default_free

            self.camera = default_free(self.model)
            self.camera_changed.emit()

    def track_selection(self) -> None:
        """Keep the selected body in the middle."""
        body = body_of(self.selection, self.model) if self.model is not None and self.selection else 0
        if body > 0:
            from engine.scene.camera import TRACKING

            self.camera.type, self.camera.trackbodyid = TRACKING, body
            self.camera_changed.emit()

    def release(self) -> None:
        """Let go of what the mouse pushes."""
        if self.perturb is not None and self.perturb.active:
            self.perturb.end()
            self.simulation.perturb(None)

    def set_option(self, name: str, value) -> None:
        """One of VisOptions' values."""
        setattr(self.options, name, value)
        self.options_changed.emit()

    def first_drawn(self) -> None:
        """The viewport drew the model: the first time counts."""
        if self._warm is None and not self.ready and not self._load_waits and self.model is not None:
            self._patience.stop()
            self._warm_up()
        if self.reload_pending is not None and self.reload_pending[0] == self.generation:
            mark("reload", max(0.0, time.time() - self.reload_pending[1]))
            self.reload_pending = None

    # ---- end -------------------------------------------------------------------------------------------------

    def close(self, wait: float = 3.0) -> None:
        """End all threads."""
        if self._closed:
            return
        self._closed = True
        self._slow.stop()
        self._patience.stop()
        self._cancel_warm_up()
        threads = [self.simulation, self._compiler, self._watcher, *self._retired]
        for thread in (self.simulation, self._compiler, self._watcher, self._notifier):
            thread.stop()
        end = time.monotonic() + wait
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))
        self._notifier.wait(max(1, int(1000 * (end - time.monotonic()))))


def _follow_camera(camera, old, new):
    """The same view on the next version of the model."""
    from engine.run.transfer import match
    from engine.scene.camera import FIXED, FREE, TRACKING

    camera = camera.copy()
    if camera.type == FIXED:
        found = {theirs: mine for mine, theirs in match(old, new, "camera").items()}.get(
            camera.fixedcamid, -1
        )
        camera.fixedcamid = found
        if found < 0:
            camera.type = FREE
    elif camera.type == TRACKING:
        found = {theirs: mine for mine, theirs in match(old, new, "body").items()}.get(camera.trackbodyid, -1)
        camera.trackbodyid = found
        if found < 0:
            camera.type = FREE
    return camera
