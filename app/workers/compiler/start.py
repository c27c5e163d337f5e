"""Starts compiler processes. Imports next to nothing, so that the first one starts before Qt and numpy are loaded."""

from __future__ import annotations

import tempfile
from typing import IO

from kinetree.engine.interpreter import command
from kinetree.engine.platforms import connections, processes

MODULE = "kinetree.app.workers.compiler.process"
LEAST_MEMORY = 4 << 30
SHARE_OF_MEMORY = 0.75
"""The part of the machine's memory that a process may take, but not less than LEAST_MEMORY."""


class Started:
    """A process and this side of the connection with it, as `Channel` takes it.

    errors  its standard error, a file: nobody has to read it while the process lives
    """

    def __init__(self, memory: int):
        self.memory = memory
        self.errors: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - whoever ends the process closes it
        self.process, self.connection = connections.start(lambda end: command(MODULE, end, str(memory)), self.errors)


_ahead: list[Started] = []


def memory_limit() -> int:
    """The address space that a compiler process may take, bytes."""
    return max(LEAST_MEMORY, int(SHARE_OF_MEMORY * processes.physical_memory()))


def ahead() -> None:
    """Start a process for the next one who needs it."""
    _ahead.append(Started(memory_limit()))


def started(memory: int) -> Started:
    """A process that may take so much memory: the one that was started ahead, or a new one."""
    if _ahead and _ahead[-1].memory == memory:
        return _ahead.pop()
    return Started(memory)
