"""Compiling: gives versions of the text to the compile thread and keeps what came of the last one that compiled.

The controller lives in the GUI thread; the compile thread's reports arrive as queued signals, and those about
a version that is not wanted any more are dropped.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kinetree.app.workers.compile_thread import CompileThread
from kinetree.app.workers.compiling import CompileRequest, CompileResult
from kinetree.app.workers.warming import is_loaded
from kinetree.engine.diagnostics import Diagnostic, Severity, shown
from kinetree.engine.translation import tr

SHOW_PROGRESS_AFTER = 100  # ms


class CompileController(QObject):
    """Compiles one project.

    result           the CompileResult of the file whose diagnostics are shown (`show_findings`), None without
                     one
    diagnostics      its diagnostics without the hidden kinds: the compiler's, and soon after also the checks'; of each
                     kind the first ones
    hidden           how many diagnostics of hidden kinds are left out
    is_checked       whether they are all of this version: the checks have ended, or there is no model to check
    failed           whether the text has errors
    progress         what the compile thread does: (text, fraction), None while it is idle or has just begun
    compiling_since  when the version that is compiled now was submitted (time.monotonic()), None while idle

    Signals: `compiled(CompileResult)` for a version, with a model or with errors (not the newest one while the text
    changes faster than it compiles); `cancelled()`;
    `diagnostics_changed()`; `checked()`: `is_checked` has become true; `progress_changed()`.
    """

    compiled = Signal(object)
    cancelled = Signal()
    diagnostics_changed = Signal()
    checked = Signal()
    progress_changed = Signal()

    _done = Signal(object)
    _checked = Signal(int, object)
    _progressed = Signal(int, object, str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.result: CompileResult | None = None
        self.diagnostics: list[Diagnostic] = []
        self.hidden = 0
        self._checked_version = -1
        self.progress: tuple[str, float | None] | None = None
        self.compiling_since: float | None = None
        self._results: dict[str, CompileResult] = {}  # the newest of each file that is open or being opened
        self._hidden_codes: frozenset[str] = frozenset()
        self._closed = False
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SHOW_PROGRESS_AFTER)
        self._slow.timeout.connect(lambda: self._set_progress((tr("Reading the model"), None)))
        self._done.connect(self._take_result)
        self._checked.connect(self._take_checked)
        self._progressed.connect(self._take_progress)
        self._thread = CompileThread(self._done.emit, self._progressed.emit, is_loaded, self._checked.emit)
        self._thread.start()

    @property
    def failed(self) -> bool:
        return self.result is not None and self.result.model is None

    @property
    def is_checked(self) -> bool:
        return self.failed or (self.result is not None and self.result.version == self._checked_version)

    @property
    def process(self) -> int | None:
        """The id of the process that compiles; None between two."""
        return self._thread.process

    # ---- versions of the text ------------------------------------------------------------------------

    def submit(self, request: CompileRequest) -> None:
        """Compile a version of the text in place of the one that is being compiled."""
        self.compiling_since = time.monotonic()
        self._thread.submit(request)
        self._slow.start()

    def cancel(self) -> None:
        """Give up what is being compiled."""
        self._drop()
        self.cancelled.emit()

    def clear(self) -> None:
        """Drop the result, after everything was closed."""
        self._drop()
        self.show_findings()

    def _drop(self) -> None:
        self._thread.cancel()
        self.compiling_since = None
        self._set_progress(None)

    @Slot(object)
    def _take_result(self, result: CompileResult) -> None:
        if not self._thread.wants(result.version) or self._closed:
            return
        if result.version == self._thread.newest:
            self.compiling_since = None
            self._set_progress(None)
        self._results[result.path] = result
        self.compiled.emit(result)

    # ---- progress ------------------------------------------------------------------------------------

    @Slot(int, object, str)
    def _take_progress(self, version: int, fraction: float | None, text: str) -> None:
        if version == self._thread.newest and self.compiling_since is not None and not self._slow.isActive():
            self._set_progress((tr(text) if text else tr("Reading the model"), fraction))

    def _set_progress(self, progress: tuple[str, float | None] | None) -> None:
        if progress is None:
            self._slow.stop()
        if progress != self.progress:
            self.progress = progress
            self.progress_changed.emit()

    # ---- diagnostics ---------------------------------------------------------------------------------

    def show_findings(self, *paths: str) -> None:
        """Show the diagnostics of the first of these files that has been compiled, and forget all other
        files."""
        self._results = {path: self._results[path] for path in paths if path in self._results}
        self.result = next(iter(self._results.values()), None)
        self._filter()

    @Slot(int, object)
    def _take_checked(self, version: int, items: list[Diagnostic]) -> None:
        if version != self._thread.newest or self._closed:
            return
        self._checked_version = version
        for path, result in self._results.items():
            if result.version == version and result.diagnostics != items:
                result = self._results[path] = replace(result, diagnostics=items)
                if self.result is not None and self.result.path == path:
                    self.result = result
                    self._filter()
                break
        self.checked.emit()

    def hide_codes(self, codes: Iterable[str]) -> None:
        """Leave out diagnostics of these kinds, except errors."""
        self._hidden_codes = frozenset(codes)
        self._filter()

    def _filter(self) -> None:
        found = self.result.diagnostics if self.result is not None else []
        left = [item for item in found if item.code not in self._hidden_codes or item.severity is Severity.ERROR]
        hidden = len(found) - len(left)
        first = shown(left)
        if (first, hidden) != (self.diagnostics, self.hidden):
            self.diagnostics, self.hidden = first, hidden
            self.diagnostics_changed.emit()

    # ---- end -----------------------------------------------------------------------------------------

    def stop(self) -> list:
        """End the thread; returns what is to be joined."""
        self._closed = True
        self._slow.stop()
        self._thread.stop()
        return [self._thread]
