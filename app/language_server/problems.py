"""Findings about the models that are open: what `kinetree check` reports, for unsaved texts.

A model is examined on a worker thread when its texts have not changed for a moment. A later change drops what is in
progress.
"""

from __future__ import annotations

import asyncio
import gc
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from kinetree.app import workers
from kinetree.engine.diagnostics import Diagnostic, shown
from kinetree.engine.document.document import Document
from kinetree.engine.document.source import Source

__all__ = ["DELAY", "ModelProblems"]

DELAY = 0.3
"""Seconds without a change after which a model is examined."""
PATIENCE = 3.0
"""Seconds that an examination waits at most for requests that are being answered."""
REST = 0.005
"""Seconds between looks whether they are."""

Found = list[tuple[Diagnostic, Source | None]]
"""Findings, each with its text if that is known."""
Publish = Callable[[str, Found], None]


class ModelProblems:
    """The findings about each model, by its main file. Owned by the thread of the server's loop.

    publish(path, findings)   is called with the findings of a file about all models that it is part of; with an empty
                              list where it has none any more
    """

    def __init__(self, publish: Publish, delay: float = DELAY, is_busy: Callable[[], bool] = lambda: False) -> None:
        """`is_busy`: whether requests are being answered, with which an examination would share the processor."""
        self._publish, self._is_busy = publish, is_busy
        self._delay = delay
        self._worker = ThreadPoolExecutor(1, "examine")
        self._tasks: dict[str, tuple[asyncio.Task[None], Event]] = {}
        self._found: dict[str, dict[str, Found]] = {}

    def examine(self, main: str, document: Callable[[], Document | None]) -> None:
        """Examine a model when it has rested for a moment; `document` gives its text then, None for one that is not
        to be examined."""
        self._cancel(main)
        stop = Event()
        self._tasks[main] = asyncio.get_running_loop().create_task(self._examine(main, document, stop)), stop

    def forget(self, main: str) -> None:
        """Forget the findings about a model that is not open any more."""
        self._cancel(main)
        self._tasks.pop(main, None)
        for path in self._found.pop(main, {}):
            self._publish(path, self._of(path))

    def close(self) -> None:
        """End the worker."""
        for main in list(self._tasks):
            self._cancel(main)
        self._worker.shutdown(wait=False, cancel_futures=True)

    def _cancel(self, main: str) -> None:
        if main in self._tasks:
            task, stop = self._tasks[main]
            stop.set()
            task.cancel()

    async def _examine(self, main: str, document: Callable[[], Document | None], stop: Event) -> None:
        await asyncio.sleep(self._delay)
        loop = asyncio.get_running_loop()
        end = loop.time() + PATIENCE
        while self._is_busy() and loop.time() < end:
            await asyncio.sleep(0.02)
        version = document()
        if version is None:
            return
        found = await loop.run_in_executor(self._worker, findings, version, _Stop(stop, self._is_busy))
        gc.freeze()  # what it left stays (see garbage.py)
        if found is None or stop.is_set():
            return
        before = self._found.get(main, {})
        grouped: dict[str, Found] = {}
        for item in found:
            path = os.path.abspath(item.file) if item.file else main
            grouped.setdefault(path, []).append((item, _source(version, path)))
        self._found[main] = grouped
        for path in dict.fromkeys([main, *before, *grouped]):
            self._publish(path, self._of(path))

    def _of(self, path: str) -> Found:
        """The findings of a file in all models, what several say of it once."""
        found = [each for files in self._found.values() for each in files.get(path, ())]
        return list(
            {(item.line, item.column, item.code, item.message): (item, source) for item, source in found}.values()
        )


def _source(document: Document, path: str) -> Source | None:
    try:
        return document.source_of(path)
    except KeyError:
        return None


class _Stop:
    """Whether an examination is to be given up, which it asks now and then. It rests there while requests are being
    answered, for PATIENCE seconds at most in all: both would share Python's lock."""

    def __init__(self, stop: Event, is_busy: Callable[[], bool]) -> None:
        self._stop, self._is_busy = stop, is_busy
        self._patience = PATIENCE

    def is_set(self) -> bool:
        start = time.monotonic()
        while self._is_busy() and self._patience > 0 and not self._stop.wait(REST):
            self._patience -= time.monotonic() - start
            start = time.monotonic()
        return self._stop.is_set()


def findings(document: Document, stop: Event | _Stop) -> list[Diagnostic] | None:
    """The findings about a version of a model; None if they are not wanted any more."""
    if stop.is_set():
        return None
    result = workers.compiling.compile_file(document.path, cancelled=stop.is_set, keep=True, document=document)
    if result is None or stop.is_set():
        return None
    if result.examined is None:
        return shown(result.diagnostics)
    return shown(workers.compiling.check_file(result, cancelled=stop.is_set))
