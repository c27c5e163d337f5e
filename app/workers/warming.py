"""The warm-up thread: compiles (or loads from the cache) the kernels that a model needs, off everybody's
way."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable

from kinetree import engine

_loaded: set[str] = set()
"""The kernels that this process has loaded so far."""


def is_loaded(model) -> bool:
    """Whether everything that a step of the model calls is loaded; quick, and compiles nothing."""
    if not _loaded or model.unsimulated:
        return False

    if not _loaded.issuperset(engine.run.warmup.needed(model)):
        return False
    engine.run.warmup.bind(model)
    return True


class WarmUpThread(threading.Thread):
    """One warm-up of one model. Callbacks come in this thread:

    progress(generation, done, total, name), ready(generation), failed(generation, message, details).
    """

    def __init__(
        self,
        model,
        generation: int,
        progress: Callable[[int, int, int, str], None],
        ready: Callable[[int], None],
        failed: Callable[[int, str, str], None],
    ):
        super().__init__(name="warm-up", daemon=True)
        self._model, self._generation = model, generation
        self._progress, self._ready, self._failed = progress, ready, failed
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        """Give up as soon as possible; no further callback comes."""
        self._cancelled.set()

    def run(self) -> None:
        try:
            self._warm_up(self._model)
        finally:
            self._model = None  # who keeps a thread that has ended keeps no model

    def _warm_up(self, model) -> None:
        try:
            if not engine.run.warmup.warmup(model, self._report, self._cancelled.is_set):
                return
            _loaded.update(engine.run.warmup.needed(model))
        except Exception as error:
            if not self._cancelled.is_set():
                self._failed(self._generation, f"{type(error).__name__}: {error}", traceback.format_exc())
            return
        if not self._cancelled.is_set():
            self._ready(self._generation)

    def _report(self, done: int, total: int, name: str) -> None:
        if not self._cancelled.is_set():
            self._progress(self._generation, done, total, name)
