"""A real window for the programs of this folder, and what goes wrong in it.

    with opened("model.xml") as (window, failures):
        ...

`failures` fills with exceptions that nobody caught, reports of the workspace, messages of Qt, log records of level ERROR
and warnings of Python.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import tempfile
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from tests import screen


class _Log(logging.Handler):
    def __init__(self, failures: list[str]) -> None:
        super().__init__(logging.WARNING)
        self.failures = failures

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.ERROR or record.name == "py.warnings":
            self.failures.append(record.getMessage())


@contextlib.contextmanager
def display() -> Iterator[None]:
    """A virtual screen for Qt and OpenGL."""
    server, name = screen.start()
    screen.put_on(os.environ, name)
    try:
        yield
    except BaseException:
        traceback.print_exc()  # the end of the process may hide it
        raise
    finally:
        screen.stop(server)


def wait_until(condition: Callable[[], object], seconds: float = 240.0) -> None:
    """Let the window go on until a condition holds. It sleeps where nothing happens, as the program does: a loop that
    asks all the time would keep Python from the other threads. Raises TimeoutError."""
    from PySide6.QtCore import QEvent, QEventLoop, QTimer
    from PySide6.QtWidgets import QApplication

    end = time.monotonic() + seconds
    wake = QTimer()
    wake.start(5)
    while not condition():
        QApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # else only a loop of Qt's own does it
        if time.monotonic() > end:
            raise TimeoutError
    wake.stop()


def _python_stack() -> str:
    """Python stack of this thread, innermost last: Qt does not report the origin of its messages."""
    return "".join(traceback.format_stack()[-9:-2])


class Beats:
    """Whether the thread of the window answers: it is asked every millisecond."""

    def __init__(self) -> None:
        from PySide6.QtCore import QTimer

        self._times: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._timer.start(1)

    def _beat(self) -> None:
        now = time.perf_counter()
        self._times.append(now - self._last)
        self._last = now

    def clear(self) -> None:
        """Forget what was."""
        self._times.clear()

    def longest(self) -> float:
        """The longest time without an answer until now, s."""
        self._beat()
        return max(self._times)

    def stop(self) -> None:
        self._timer.stop()


@contextlib.contextmanager
def opened(path: str | Path, size: tuple[int, int] = (1280, 800), runs: bool = True) -> Iterator[tuple]:
    """(window, failures) with a model that runs, or is paused at its start. Needs a display."""
    from PySide6.QtCore import qInstallMessageHandler
    from PySide6.QtWidgets import QApplication

    from kinetree.app import overrides

    overrides.install()
    from kinetree.app.settings import theme
    from kinetree.app.settings.settings import Settings
    from kinetree.app.window import Window
    from kinetree.app.workers.simulation import requests
    from kinetree.app.workspace.garbage import GarbageCollection

    application = QApplication.instance()
    if not isinstance(application, QApplication):
        application = QApplication([])
        application.setStyle("Fusion")
        theme.apply(application, theme.choose("dark"))
    failures: list[str] = []
    log = _Log(failures)
    logging.getLogger().addHandler(log)
    logging.captureWarnings(True)
    qInstallMessageHandler(
        lambda kind, _context, message: failures.append(f"{kind.name}: {message}\n{_python_stack()}")
    )
    sys.excepthook = lambda *found: failures.append("".join(traceback.format_exception(*found)))
    threading.excepthook = lambda found: failures.append(f"{found.thread}: {found.exc_type}: {found.exc_value}")
    window = Window(Settings(tempfile.mkdtemp()))
    GarbageCollection(window.workspace, window)
    window.workspace.failed.disconnect(window.report)
    window.workspace.failed.connect(lambda message, details: failures.append(f"{message}\n{details}"))
    window.resize(*size)
    if not runs:
        window.simulation.post(requests.Pause())
    window.open(str(path))
    window.show()
    wait_until(lambda: window.simulation.snapshot is not None and window.simulation.snapshot.ready)
    try:
        yield window, failures
    finally:
        window.close_anyway()
        application.processEvents()
        logging.getLogger().removeHandler(log)
        logging.captureWarnings(False)
        qInstallMessageHandler(None)
        sys.excepthook, threading.excepthook = sys.__excepthook__, threading.__excepthook__
