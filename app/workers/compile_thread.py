"""The compile thread: text to model, one version after the other. It waits while the compiler process does the work
(app/workers/compiler).

Each request is a new version. The next version of the open document does not cancel the one in progress unless that
takes long: while a slider is dragged, the model follows as fast as it compiles. Versions that were asked for in between
are left out. A file that is opened, or `cancel`, voids all versions before it: their results are never delivered.
Whatever goes wrong comes back as diagnostics.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from kinetree.app.workers.compiler.client import Compiler
from kinetree.app.workers.compiling import CompileRequest, CompileResult
from kinetree.app.workers.loop import LoopThread
from kinetree.app.workers.parts import Parts, checked_within, within
from kinetree.engine.diagnostics import Diagnostic

PATIENCE = 0.5
"""How long a version may be compiled while a newer one waits, s."""

CALM = 0.15
"""How long the checks wait for the next version of an edited text, s."""


class CompileThread(LoopThread):
    """Thread that compiles versions of the text. `done(result)` and `progress(version, fraction, text)` are called in
    this thread, as is `is_ready(model)`, which says whether the model's kernels are loaded. `checked(version,
    diagnostics)` follows later, with the findings of the checks added, unless another version was requested in the
    meantime.
    """

    def __init__(
        self,
        done: Callable[[CompileResult], None],
        progress: Callable[[int, float, str], None],
        is_ready: Callable[[object], bool] = lambda model: False,
        checked: Callable[[int, list[Diagnostic]], None] | None = None,
    ):
        super().__init__("compile")
        self._compiler: Compiler = Compiler()
        self._done, self._progress, self._is_ready, self._checked = done, progress, is_ready, checked
        self._request: CompileRequest | None = None
        self._parts = Parts()
        self._newest = self._void = 0  # the last version that was asked for, and that is not wanted any more

    @property
    def newest(self) -> int:
        """The version that was asked for last."""
        return self._newest

    @property
    def process(self) -> int | None:
        """The id of the compiler process; None between two."""
        return self._compiler.pid

    def wants(self, version: int) -> bool:
        """Whether the result of a version is still to be shown, though it may not be the newest."""
        return version > self._void

    def submit(self, request: CompileRequest) -> int:
        """Compile the text as a new version, whose number is returned."""
        with self.waking():
            if request.fresh:
                self._void = self._newest
            self._newest += 1
            self._request = replace(request, version=self._newest)
            return self._newest

    def cancel(self) -> None:
        """Drop what is in progress or waiting."""
        with self.waking():
            self._newest += 1
            self._void = self._newest
            self._request = None

    def stop(self) -> None:
        """End the thread; join it afterwards."""
        self.cancel()
        super().stop()
        self._compiler.stop()

    def end(self) -> None:
        self._compiler.close()

    def take(self, is_late: bool = False) -> CompileRequest | None:
        request, self._request = self._request, None
        return request

    def do(self, work: CompileRequest) -> None:
        result = self._compile(work)
        if result is not None and self.wants(work.version):
            self._done(replace(result, around=None))
            # A while without another version leaves the interpreter to the first picture.
            if not self.rest(0.0 if work.fresh else CALM, until=lambda: self._request is not None):
                self._check(result)

    def _check(self, result: CompileResult) -> None:
        version = result.version
        whole = result.around or result
        if self._checked is None or whole.model is None or self._newest != version:
            return
        found = self._compiler.check(whole, cancelled=lambda: self._newest != version)
        if result.around is not None:
            found = checked_within(result, found)
        if self._newest == version:
            self._checked(version, found)

    def _compile(self, request: CompileRequest) -> CompileResult | None:
        version, start = request.version, time.monotonic()

        def cancelled() -> bool:
            outdated = self._newest != version and time.monotonic() - start > PATIENCE
            return outdated or not self.wants(version)

        def progress(done: int, total: int, text: str) -> None:
            self._progress(version, done / max(1, total), text)

        result = self._compiler.compile(request, progress, cancelled)
        if result is None:
            return None
        models = self._parts.models(request, result)
        if models:
            main = replace(request, path=models[0].main_file, document=models[0])
            around = self._compiler.compile(main, progress, cancelled)
            if around is None:
                return None
            result = within(result, models, around)
        return result if result.model is None else replace(result, ready=self._is_ready(result.model))


PARSING = 0.25
"""The part of the progress that parsing has, where the text is large."""
STEPS = 1000
