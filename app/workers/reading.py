"""The read thread: texts read and parsed, without the window waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from kinetree.engine import document

if TYPE_CHECKING:
    from kinetree.engine.document.files import FileRead
    from kinetree.engine.document.parsed import ParsedSource


def read_again(path: str, known: ParsedSource | None) -> FileRead:
    """Read a text and parse only its differences from the known version."""
    return document.files.read_file(path) if known is None else document.files.reread_file(path, known)


class ReadThread(threading.Thread):
    """Reads texts: path -> the version that is known, or None. `done(reads)` is called in this thread with a
    list of FileRead."""

    def __init__(self, texts: Mapping[str, ParsedSource | None], done: Callable[[list[FileRead]], None]):
        super().__init__(name="read", daemon=True)
        self._texts, self._done = texts, done

    def run(self) -> None:
        self._done([read_again(path, known) for path, known in self._texts.items()])
