"""Converting: the compiled model written as MJCF text, or to a file in the format of its extension."""

from __future__ import annotations

import os
import threading
from functools import partial

from PySide6.QtCore import QObject, Signal

from kinetree.app import workers
from kinetree.app.workers.started import StartedThreads
from kinetree.app.workspace.project import ProjectController
from kinetree.app.workspace.saving import TextSaver


class ModelConverter(QObject):
    """Converts the model of one project.

    Signal: `converted(Conversion)`: first with the text, then with the compiler's findings.
    """

    converted = Signal(object)

    def __init__(self, project: ProjectController, saving: TextSaver, parent: QObject | None = None):
        super().__init__(parent)
        self._project, self._saving = project, saving
        self._threads = StartedThreads()

    def convert(self) -> None:
        """Write the compiled model as MJCF text, in a thread; `converted` reports the outcome."""
        compiled = self._project.compiled
        if compiled is not None and compiled.model is not None:
            self._threads.start(workers.converting.ConversionThread(compiled, self.converted.emit))

    def save_copy(self, path: str) -> None:
        """Write the model as canonical MJCF, or as .kmodel, to another file, in a thread; `saving` reports the
        outcome."""
        compiled = self._project.compiled
        if compiled is not None and compiled.model is not None:
            path = os.path.abspath(path)
            self._saving.write(path, partial(workers.converting.save, compiled, path))

    def stop(self) -> list[threading.Thread]:
        """Returns what is to be joined."""
        return self._threads.stop()
