"""Starts compiler processes. Imports next to nothing, so that the first one starts before Qt and numpy are loaded."""

from __future__ import annotations

import os
import socket
import subprocess
import tempfile
from typing import IO

from kinetree.engine.interpreter import command

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
        self.connection: socket.socket | tuple[int, int]
        if os.name == "posix":
            self.connection, theirs = socket.socketpair()
            with theirs:
                descriptor = theirs.fileno()
                line = command(MODULE, str(descriptor), str(memory))
                self.process = subprocess.Popen(
                    line, stdin=subprocess.DEVNULL, stderr=self.errors, pass_fds=[descriptor]
                )
        else:
            line = command(MODULE, "0,1", str(memory))
            self.process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors)
            assert self.process.stdin is not None and self.process.stdout is not None
            self.connection = os.dup(self.process.stdout.fileno()), os.dup(self.process.stdin.fileno())
            self.process.stdin.close()
            self.process.stdout.close()


_ahead: list[Started] = []


def memory_limit() -> int:
    """The address space that a compiler process may take, bytes."""
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        there = 0
    return max(LEAST_MEMORY, int(SHARE_OF_MEMORY * there))


def ahead() -> None:
    """Start a process for the next one who needs it."""
    _ahead.append(Started(memory_limit()))


def started(memory: int) -> Started:
    """A process that may take so much memory: the one that was started ahead, or a new one."""
    if _ahead and _ahead[-1].memory == memory:
        return _ahead.pop()
    return Started(memory)
