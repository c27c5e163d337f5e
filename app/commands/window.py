"""Starts the window: signals, display, theme, reports of unexpected exceptions, and Qt's event loop."""

from __future__ import annotations

import gc
import logging
import os
import signal
import sys
import threading
import traceback
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

from kinetree import app
from kinetree.app.workers import compiler, rehearsing
from kinetree.engine.platforms import display, processes
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from kinetree.app.crashes.recorder import CrashRecorder
    from kinetree.app.running.message import FilePlace
    from kinetree.app.running.place import StartLock
    from kinetree.app.viewport.viewport import Viewport
    from kinetree.app.window import Window
    from kinetree.app.workspace.simulation_controller import SimulationController
    from kinetree.app.workspace.workspace import Workspace

AHEAD = ("numpy", "kinetree.engine.document.document", "kinetree.engine.model")
"""Modules of the window, in this order: imported by another thread while Qt starts."""


def run(files: Sequence[FilePlace] = (), seed: int | None = None, lock: StartLock | None = None, name: str = "") -> int:
    """Show the window with the first of some files until it is closed; the others get windows of their own. `seed`: see
    kinetree.load. `lock` is released when the window listens to other starts. `name`: ask which model with this name is
    meant."""
    path = files[0].path if files else ""
    recorder = app.crashes.recorder.CrashRecorder()
    gc.disable()  # GarbageCollection takes over when there is a window; a search meanwhile would find nothing
    ending = _Ending()
    if not display.answers():
        model = path or "MODEL.xml"
        other = app.terminal.command("render", model, "-o", "picture.png")
        return app.terminal.fail(
            tr(
                "cannot connect to the display {shown}; `{other}` renders without one",
                shown=display.name(),
                other=other,
            )
        )

    compiler.start.ahead()
    rehearsing.first_frame.begin()
    processes.use_fine_timer()
    from PySide6.QtCore import QLoggingCategory, Qt, QTimer, qVersion
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QApplication

    # Read the window's modules from disk while Qt starts. Not earlier: while PySide6 is imported it walks over
    # sys.modules, and fails if another thread imports something meanwhile.
    threading.Thread(target=_read_ahead, name="read-ahead", daemon=True).start()

    app.overrides.install()  # before any class is made from one of Qt

    QLoggingCategory.setFilterRules("qt.qpa.wayland.textinput.warning=false")  # a line at each change of the focus
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(Qt.HighDpiScaleFactorRoundingPolicy.PassThrough)
    application = QApplication(sys.argv[:1])
    application.setApplicationName("kinetree")
    application.setApplicationDisplayName("Kinetree")
    application.setDesktopFileName("kinetree")
    application.setStyle("Fusion")
    settings = app.settings.settings.Settings()
    app.settings.language.apply(application, settings.language)
    app.settings.theme.apply(application, app.settings.theme.choose(settings.theme))

    application.setWindowIcon(app.settings.icons.app_icon())
    if ending.asked:
        return 0
    workspace = app.workspace.workspace.Workspace(journal=settings.journal)
    workspace.project.seed = seed
    recorder.keep(settings.crashes)
    recorder.note_fact("Qt", f"{qVersion()}, {application.platformName()}")
    window = app.window.Window(settings, workspace, complete=False, recorder=recorder)
    _catch_everything(workspace, window, recorder)
    _mark_start(workspace.simulation, window.viewport)
    app.workspace.garbage.GarbageCollection(workspace, window)
    _serve_later(window, files, lock)
    window.begin(path, name)
    ticker = QTimer(window)  # Python sees a signal when the timer ticks, if nothing else happens
    ticker.start(500)
    ticker.timeout.connect(lambda: None)
    ending.close_with(window)
    code = application.exec()
    rehearsing.first_frame.end()
    workspace.close()
    recorder.end()
    return code


def _serve_later(shown: Window, files: Sequence[FilePlace], lock: StartLock | None) -> None:
    """Serve once the second part of the window is there."""
    idle_queue = shown.workspace.idle_queue
    shown.completed.connect(lambda: idle_queue.ask(partial(_serve, shown, files, lock)))


def _serve(shown: Window, files: Sequence[FilePlace], lock: StartLock | None) -> None:
    """Show the place that was asked for, listen to other starts, and start windows for the other files."""
    handed = shown.handed
    if files:
        handed.show(files[0])
    try:
        folder = app.running.place.folder()
        listener = app.running.listener.Listener(folder, handed.take, shown)
    except OSError as error:
        logging.getLogger(__name__).warning("other starts of the program cannot find this window: %s", error)
    else:
        shown.leaving.connect(listener.end)
        opening = shown.workspace.opening
        listener.show(opening.shown_path)
        shown.project.changed.connect(lambda: listener.show(opening.shown_path))
        shown.handlers.windows.meet(app.running.neighbours.Neighbours(folder, listener.place, shown))
    recent = app.workspace.recent_documents.RecentDocuments(shown.compiler, shown.settings, shown)
    shown.leaving.connect(recent.end)
    if lock is not None:
        lock.release()
    app.running.client.open_in_windows(files[1:])


class _Ending:
    """Closes the window on SIGINT (Ctrl-C) and SIGTERM, also while it is still being created.

    Python handles a signal between any two instructions, so the window is closed by the event loop.
    """

    def __init__(self) -> None:
        self.asked = False
        self._window = None
        for number in processes.ENDING_SIGNALS:
            signal.signal(number, self._ask)

    def _ask(self, *_signal) -> None:
        self.asked = True
        if self._window is not None:
            self.close_with(self._window)

    def close_with(self, window) -> None:
        """Close this window on a signal; at once if a signal came before the window was created."""
        from PySide6.QtCore import QTimer

        self._window = window
        if self.asked:
            QTimer.singleShot(0, window.close)


def _read_ahead() -> None:
    try:
        for module in AHEAD:
            import_module(module)
    except Exception:
        pass  # the compile thread imports the same modules and reports what is wrong


def _catch_everything(workspace: Workspace, window: QWidget, recorder: CrashRecorder) -> None:
    """Report unexpected exceptions in a dialog and in the log, and keep the window open."""
    from PySide6.QtCore import QTimer

    logging.basicConfig(format="%(name)s: %(message)s")
    logging.getLogger().addHandler(recorder)

    def report(kind, error, trace) -> None:
        if issubclass(kind, KeyboardInterrupt):
            QTimer.singleShot(0, window.close)
            return
        details = "".join(traceback.format_exception(kind, error, trace))
        workspace.failed.emit(tr("Internal error: {error}", error=error), details)

    def report_soon(kind, error, trace) -> None:
        QTimer.singleShot(0, window, lambda: report(kind, error, trace))  # not while something is painted

    sys.excepthook = report_soon
    threading.excepthook = lambda hook: report(hook.exc_type, hook.exc_value, hook.exc_traceback)


def _mark_start(simulation: SimulationController, viewport: Viewport) -> None:
    if not os.environ.get("KINETREE_MARKS"):
        return

    def first_frame(_model) -> None:
        viewport.drawn.disconnect(first_frame)
        app.marks.mark("first-frame")

    def physics() -> None:
        snapshot = simulation.snapshot
        if snapshot is not None and snapshot.ready and snapshot.steps > 0:
            simulation.snapshot_changed.disconnect(physics)
            app.marks.mark("physics")

    viewport.drawn.connect(first_frame)
    simulation.snapshot_changed.connect(physics)
