"""The merge thread: merges an unsaved text with another program's version, without the window waiting."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kinetree.engine import document

if TYPE_CHECKING:
    from kinetree.engine.document.files import FileRead
    from kinetree.engine.document.merge import Merge
    from kinetree.engine.document.parsed import ParsedSource


@dataclass(frozen=True)
class MergeResult:
    """Result of a merge.

    path    the file
    ours    the text with unsaved edits
    theirs  the text on the disk
    merge   see kinetree.engine.document.merge
    """

    path: str
    ours: ParsedSource
    theirs: FileRead
    merge: Merge


class MergeThread(threading.Thread):
    """Compares `ours` and `theirs` with `base`. `done(MergeResult)` is called in this thread."""

    def __init__(self, path: str, base: str, ours: ParsedSource, theirs: FileRead, done: Callable[[MergeResult], None]):
        super().__init__(name="merge", daemon=True)
        self._path, self._base, self._ours, self._theirs, self._done = path, base, ours, theirs, done

    def run(self) -> None:
        merge = document.merge.Merge.of(self._base, self._ours.source.text, self._theirs.text.source.text)
        self._done(MergeResult(self._path, self._ours, self._theirs, merge))
