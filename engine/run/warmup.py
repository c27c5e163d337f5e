"""Compiles a model's kernels in parallel worker processes, into the cache, then loads them.

With a cold cache the physics of a robot takes tens of seconds to compile. Meanwhile `kinetree.kinematics` computes the
poses of its bodies: the same kernels, uncompiled.
"""

from __future__ import annotations

import functools
import os
import queue
import subprocess
import threading
from collections.abc import Callable, Sequence
from typing import IO

from kinetree.engine.collision import table
from kinetree.engine.dynamics import forward
from kinetree.engine.dynamics.unsimulated import refuse
from kinetree.engine.interpreter import command
from kinetree.engine.jit import compiler
from kinetree.engine.jit.cache import source_of, sources_of
from kinetree.engine.jit.compiler import Signature
from kinetree.engine.jit.kernel import find
from kinetree.engine.jit.targets import Target
from kinetree.engine.model.model import Model
from kinetree.engine.platforms.processes import WITHOUT_CONSOLE

LOOP = "kinetree.engine.dynamics.run:run"
"""The kernel that calls the stages."""


def needed(model: Model) -> list[str]:
    """The kernels that the model needs, as "module:function", those that take longest to compile first."""
    names = [row.where for row in forward.stages(model)]
    names += [*table.needed(model), LOOP]
    return _longest_first(names)


def _longest_first(names: list[str]) -> list[str]:
    return sorted(dict.fromkeys(names), key=_cost, reverse=True)


@functools.cache
def _cost(name: str) -> int:
    """Estimates how long a kernel takes to compile: the size of all sources that it reaches, bytes."""
    module, _, _ = name.partition(":")
    return sum(file.stat().st_size for file in sources_of(source_of(module)))


def signature(name: str) -> Signature:
    """The types of the arguments that a kernel is compiled for."""
    if name in forward.STAGES:
        return compiler.STAGE
    if name in table.FUNCTIONS.values():
        return table.SIGNATURE
    return getattr(find(name), "jit_takes", compiler.STAGE)


def is_compiled(name: str) -> bool:
    """Whether compiled code of the kernel was installed, or lies in the cache."""
    return compiler.is_compiled(name, signature(name))


def warmup(
    model: Model,
    progress: Callable[[int, int, str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    processes: int | None = None,
) -> bool:
    """Compile what was not installed and is not in the cache, in worker processes, then load everything. Call it off
    the GUI thread.

    progress(done, total, name) is called as kernels get ready; cancelled() is asked often, and when it says so the
    workers are ended and False is returned.
    Raises ModelError when the physics lacks something that the model needs: then nothing is compiled.
    """
    refuse(model)
    names = needed(model)
    if not prepare(names, progress, cancelled, processes):
        return False
    bind(model)  # compiles here what a worker could not
    if progress:
        progress(len(names), len(names), "")
    return True


def prepare(
    names: list[str],
    progress: Callable[[int, int, str], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    processes: int | None = None,
) -> bool:
    """Compile the kernels that are neither installed nor in the cache, in worker processes. Returns False if it was
    cancelled.
    """
    names = _longest_first(names)
    missing = [name for name in names if not is_compiled(name)]
    done = len(names) - len(missing)
    report = progress or (lambda done, total, name: None)
    stop = cancelled or (lambda: False)
    report(done, len(names), "")
    workers = min(processes or os.cpu_count() or 1, 4, len(missing))
    if workers > 0:
        with _Workers(missing, workers) as crew:
            while crew.open and not stop():
                name = crew.next(0.1)
                if name:
                    done += 1
                    report(done, len(names), name)
    return not stop()


def compile_all(names: list[str], targets: Sequence[Target], processes: int | None = None) -> None:
    """Compile kernels into the cache for each of these targets. What does not compile is missing there."""
    if targets:
        labels = [target.label for target in targets]
        with _Workers(_longest_first(names), min(processes or os.cpu_count() or 1, len(names)), labels) as crew:
            while crew.open:
                crew.next(1)


def bind(model: Model) -> None:
    """Load (or compile, in this thread) every kernel that a step of the model calls."""
    compiler.address_of(LOOP, *signature(LOOP))
    forward.pipeline(model)


class _Workers:
    """Worker processes that compile the kernels named to them, one at a time, into the cache: for the targets of these
    labels, or for this machine.
    """

    def __init__(self, names: list[str], number: int, labels: Sequence[str] = ()):
        self._todo = list(names)
        self._events: queue.Queue[tuple[int, str]] = queue.Queue()
        self._lock = threading.Lock()
        line = command("kinetree.engine.run.compile_kernels", *labels)
        self._processes = [
            subprocess.Popen(
                line,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                creationflags=WITHOUT_CONSOLE,
            )
            for _ in range(number)
        ]
        self._threads = [
            threading.Thread(target=self._serve, args=(k,), name=f"warmup {k}", daemon=True) for k in range(number)
        ]
        self.open = number

    def _serve(self, k: int) -> None:
        stdin, stdout = _pipes(self._processes[k])
        try:
            while True:
                with self._lock:
                    name = self._todo.pop(0) if self._todo else ""
                stdin.write(name + "\n")
                stdin.flush()
                if not name or not stdout.readline():
                    break
                self._events.put((k, name))
        except OSError:
            pass  # the worker has died: what it was at is compiled by bind
        self._events.put((k, ""))

    def next(self, timeout: float) -> str:
        """The next kernel that is ready; "" after `timeout` seconds, or when a worker has ended."""
        try:
            _, name = self._events.get(timeout=timeout)
        except queue.Empty:
            return ""
        if not name:
            self.open -= 1
        return name

    def __enter__(self):
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *failure):
        with self._lock:
            self._todo.clear()
        for process in self._processes:
            if self.open > 0:
                process.kill()
        for thread in self._threads:
            thread.join()
        for process in self._processes:
            process.wait()
            for pipe in _pipes(process):
                pipe.close()


def _pipes(process: subprocess.Popen[str]) -> tuple[IO[str], IO[str]]:
    """Where a worker reads and where it writes."""
    assert process.stdin is not None and process.stdout is not None, "started with pipes"
    return process.stdin, process.stdout
