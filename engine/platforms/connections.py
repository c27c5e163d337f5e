"""The connection between a program and a process that it starts: bytes both ways, and files in memory where the system
passes them.

Unix: a socket, which carries descriptors too. Windows: the standard input and output of the process, two pipes.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import IO

from kinetree.engine.platforms.processes import WITHOUT_CONSOLE

PASSES_FILES = hasattr(socket, "send_fds")
_PIPES = "pipes"


class SocketConnection:
    """One end of a pair of sockets."""

    def __init__(self, connected: socket.socket):
        self._socket = connected
        self.passes_files = PASSES_FILES

    def write(self, data: bytes) -> None:
        """Write all bytes. Raises OSError."""
        self._socket.sendall(data)

    def write_with_file(self, data: bytes, descriptor: int) -> None:
        """Write all bytes, the first ones with a file, which the other side gets a descriptor of. Raises OSError."""
        if sys.platform != "win32":
            sent = socket.send_fds(self._socket, [data], [descriptor])
            self.write(data[sent:])

    def read(self, view: memoryview) -> int:
        """Read at least one byte into memory; the number of them, 0 at the end of the connection. Raises OSError."""
        return self._socket.recv_into(view)

    def read_with_file(self, view: memoryview) -> tuple[int, int]:
        """As `read`, and the descriptor of the file that came along, -1 without one."""
        if sys.platform == "win32" or not self.passes_files:
            return self.read(view), -1
        data, descriptors, _, _ = socket.recv_fds(self._socket, len(view), 1)
        view[: len(data)] = data
        return len(data), descriptors[0] if descriptors else -1

    def close(self) -> None:
        """End the connection; whoever waits in `read` at either end is told."""
        with suppress(OSError):  # the other side was faster
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()


class PipeConnection:
    """Two pipes, by their descriptors.

    A pipe of Windows that another thread reads cannot be closed before it has something to read. So the one that reads
    closes it, at the latest when the other side has closed its end.
    """

    passes_files = False

    def __init__(self, to_read: int, to_write: int):
        self._to_read, self._to_write = to_read, to_write
        self._state = threading.Lock()
        self._is_reading = self._is_closed = False

    def write(self, data: bytes) -> None:
        """Write all bytes. Raises OSError."""
        view = memoryview(data)
        while view:
            view = view[os.write(self._to_write, view) :]

    def write_with_file(self, data: bytes, descriptor: int) -> None:
        """Not on a pipe."""
        raise OSError("no files go through a pipe")

    def read(self, view: memoryview) -> int:
        """Read at least one byte into memory; the number of them, 0 at the end of the connection. Raises OSError."""
        with self._state:
            if self._is_closed:
                return 0
            self._is_reading = True
        try:
            piece = os.read(self._to_read, min(len(view), 1 << 20))
        finally:
            with self._state:
                self._is_reading = False
                if self._is_closed:
                    os.close(self._to_read)
        view[: len(piece)] = piece
        return len(piece)

    def read_with_file(self, view: memoryview) -> tuple[int, int]:
        """As `read`, and -1."""
        return self.read(view), -1

    def close(self) -> None:
        """End the connection: the other side meets its end, ends too, and with that wakes whoever reads here."""
        with self._state:
            if self._is_closed:
                return
            self._is_closed = True
            if not self._is_reading:
                os.close(self._to_read)
            descriptor, self._to_write = self._to_write, -1
        os.close(descriptor)


Connection = SocketConnection | PipeConnection


def start(
    line: Callable[[str], list[str]], errors: IO[bytes] | None = None, by_socket: bool = sys.platform != "win32"
) -> tuple[subprocess.Popen, Connection]:
    """Start a process and connect with it.

    line       its command line, for the word that it gives to `opened`
    errors     a file for its standard error, None for ours
    """
    if by_socket:
        ours, theirs = socket.socketpair()
        with theirs:
            descriptor = theirs.fileno()
            process = subprocess.Popen(
                line(str(descriptor)), stdin=subprocess.DEVNULL, stderr=errors, pass_fds=[descriptor]
            )
        return process, SocketConnection(ours)
    process = subprocess.Popen(
        line(_PIPES), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, creationflags=WITHOUT_CONSOLE
    )
    assert process.stdin is not None and process.stdout is not None
    connection = PipeConnection(os.dup(process.stdout.fileno()), os.dup(process.stdin.fileno()))
    process.stdin.close()
    process.stdout.close()
    return process, connection


def opened(end: str) -> Connection:
    """In the process: its end of the connection. Whatever prints writes to standard error from now on."""
    if end != _PIPES:
        return SocketConnection(socket.socket(fileno=int(end)))
    connection = PipeConnection(os.dup(0), os.dup(1))
    try:
        os.dup2(2, 1)
    except OSError:  # there is no standard error: a program without a console of Windows
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.close(null)
    return connection


def file_in_memory() -> int:
    """The descriptor of a file without a name: nothing is left behind whoever dies."""
    if sys.platform == "linux":
        return os.memfd_create("kinetree", os.MFD_CLOEXEC)
    import tempfile

    with tempfile.TemporaryFile() as file:
        return os.dup(file.fileno())
