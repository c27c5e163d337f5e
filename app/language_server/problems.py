"""Findings about the models that are open: what `kinetree check` reports, for unsaved texts.

A model is examined in the compiler process (app/workers/compiler) when its texts have not changed for a moment. A later
change drops what is in progress.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from kinetree.app.workers.compiler.client import Compiler
from kinetree.app.workers.compiling import CompileRequest
from kinetree.engine.diagnostics import Diagnostic, shown
from kinetree.engine.document.document import Document
from kinetree.engine.document.source import Source

__all__ = ["DELAY", "ModelProblems"]

DELAY = 0.3
"""Seconds without a change after which a model is examined."""

Found = list[tuple[Diagnostic, Source | None]]
"""Findings, each with its text if that is known."""
Publish = Callable[[str, Found], None]


class ModelProblems:
    """The findings about each model, by its main file. Owned by the thread of the server's loop.

    publish(path, findings)   is called with the findings of a file about all models that it is part of; with an empty
                              list where it has none any more
    """

    def __init__(self, publish: Publish, delay: float = DELAY) -> None:
        self._publish = publish
        self._delay = delay
        self._compiler: Compiler | None = None  # from the first examination on
        self._waiting = ThreadPoolExecutor(1, "examine")  # its thread waits for answers of the compiler
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
            self._publish(path, self.of(path))

    def close(self) -> None:
        """End the compiler."""
        for main in list(self._tasks):
            self._cancel(main)
        self._waiting.shutdown(wait=False, cancel_futures=True)
        if self._compiler is not None:
            self._compiler.close()

    def _cancel(self, main: str) -> None:
        if main in self._tasks:
            task, stop = self._tasks[main]
            stop.set()
            task.cancel()

    async def _examine(self, main: str, document: Callable[[], Document | None], stop: Event) -> None:
        await asyncio.sleep(self._delay)
        version = document()
        if version is None:
            return
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._waiting, self._findings, version, stop)
        if found is None or stop.is_set():
            return
        before = self._found.get(main, {})
        grouped: dict[str, Found] = {}
        for item in found:
            path = os.path.abspath(item.file) if item.file else main
            grouped.setdefault(path, []).append((item, _source(version, path)))
        self._found[main] = grouped
        for path in dict.fromkeys([main, *before, *grouped]):
            self._publish(path, self.of(path))

    def _findings(self, document: Document, stop: Event) -> list[Diagnostic] | None:
        """The findings about a version of a model; None if they are not wanted any more."""
        if stop.is_set():
            return None
        if self._compiler is None:
            self._compiler = Compiler()
        found = self._compiler.examine(CompileRequest(document.path, document), stop.is_set)
        return None if found is None else shown(found)

    def of(self, path: str) -> Found:
        """The findings of a file in all models, each once."""
        found = [each for files in self._found.values() for each in files.get(path, ())]
        return list(
            {(item.line, item.column, item.code, item.message): (item, source) for item, source in found}.values()
        )


def _source(document: Document, path: str) -> Source | None:
    try:
        return document.source_of(path)
    except KeyError:
        return None
