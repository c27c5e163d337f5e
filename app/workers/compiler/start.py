"""Starts compiler processes. Imports next to nothing, so that the first one starts before Qt and numpy are loaded."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

MODULE = "kinetree.app.workers.compiler.process"
LEAST_MEMORY = 4 << 30
SHARE_OF_MEMORY = 0.75
"""The part of the machine's memory that a process may take, but not less than LEAST_MEMORY."""


class Started:
    """A process and this side of the connection with it, as `Channel` takes it."""

    def __init__(self, memory: int):
        root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
        path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
        environment = {**os.environ, "PYTHONPATH": path}
        command = [sys.executable, "-P", "-m", MODULE]  # -P: no module of the current folder stands for one of Python's
        self.memory = memory
        self.connection: socket.socket | tuple[int, int]
        if os.name == "posix":
            self.connection, theirs = socket.socketpair()
            with theirs:
                descriptor = theirs.fileno()
                self.process = subprocess.Popen(
                    [*command, str(descriptor), str(memory)],
                    stdin=subprocess.DEVNULL,
                    pass_fds=[descriptor],
                    env=environment,
                )
        else:
            self.process = subprocess.Popen(
                [*command, "0,1", str(memory)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
            )
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
