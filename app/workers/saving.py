"""The save thread: a copy of a model written to a file, off everybody's way."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable


class SaveThread(threading.Thread):
    """Writes one file. `done(path, message, details)` is called in this thread; message "" says that all went well."""

    def __init__(self, model, path: str, done: Callable[[str, str, str], None]):
        super().__init__(name="save", daemon=True)
        self._model, self._path, self._done = model, path, done

    def run(self) -> None:
        from engine.diagnostics import CannotSave
        from engine.storage.saving import save

        message = details = ""
        try:
            save(self._model, self._path)
        except CannotSave as error:
            message = str(error)
        except OSError as error:
            message = f"{self._path} cannot be written: {error.strerror or error}"
        except Exception as error:
            message, details = f"{type(error).__name__}: {error}", traceback.format_exc()
        self._done(self._path, message, details)
