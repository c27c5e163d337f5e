"""Adds the files that a window opens to the recent documents of the desktop, where the settings allow it."""

from __future__ import annotations

import logging
import threading
from functools import partial

from PySide6.QtCore import QObject, Slot

from kinetree.app.settings.settings import Settings
from kinetree.app.workers.compiling import CompileResult
from kinetree.app.workers.started import StartedThreads
from kinetree.app.workspace.compile_controller import CompileController
from kinetree.engine.platforms import recent_documents

MIME_TYPES = {"mujoco": "model/x-mjcf+xml", "robot": "model/x-urdf+xml", "x_xy": "model/x-x-xy+xml"}
BINARY = "model/x-kinetree"


class RecentDocuments(QObject):
    """Follows a window's compiler. The list is written in a thread."""

    def __init__(self, compiler: CompileController, settings: Settings, parent: QObject):
        super().__init__(parent)
        self._settings, self._threads = settings, StartedThreads()
        compiler.compiled.connect(self.take)
        if compiler.result is not None:  # the window has opened a file before
            self.take(compiler.result)

    @Slot(object)
    def take(self, result: CompileResult) -> None:
        """Add the file of a result that opened it."""
        if result.fresh and result.recognised and self._settings.value("recent_documents"):
            tag = "" if result.document is None else result.document.root.tag
            work = partial(_add, result.path, MIME_TYPES.get(tag, BINARY))
            self._threads.start(threading.Thread(target=work, name="recent documents", daemon=True))

    def end(self) -> None:
        """Wait for the threads that write the list."""
        for thread in self._threads.stop():
            thread.join(2.0)


def _add(path: str, mime_type: str) -> None:
    try:
        recent_documents.add(path, mime_type)
    except OSError as error:
        logging.getLogger(__name__).info("the recent documents of the desktop: %s", error)
