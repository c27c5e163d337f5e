"""The save thread: one file written, without the window waiting."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable

from kinetree.engine.diagnostics import CannotSave, ModelError
from kinetree.engine.document.write import ChangedOnDisk
from kinetree.engine.translation import tr


class SaveThread(threading.Thread):
    """Runs `write()`, which writes the file `path`. `done(path, message, details)` is called in this thread;
    an empty message means success."""

    def __init__(self, write: Callable[[], None], path: str, done: Callable[[str, str, str], None]):
        super().__init__(name="save", daemon=True)
        self._write, self._path, self._done = write, path, done

    def run(self) -> None:
        message = details = ""
        try:
            self._write()
        except (CannotSave, ModelError, ChangedOnDisk) as error:
            message = str(error)
        except OSError as error:
            message = tr("{path} cannot be written: {reason}", path=self._path, reason=error.strerror or error)
        except MemoryError:
            message = tr("{path} cannot be written: there is not enough memory; close something else", path=self._path)
        except Exception as error:
            message, details = f"{type(error).__name__}: {error}", traceback.format_exc()
        self._done(self._path, message, details)
