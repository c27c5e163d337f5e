"""Sockets between programs of one user, for a client without Qt: what QLocalServer listens to.

A Unix socket in a folder that no other user may enter; on Windows a named pipe, whose name is made of the folder's.
"""

from __future__ import annotations

import hashlib
import socket
import threading
from pathlib import Path, PurePath
from typing import IO, Protocol

from kinetree.engine.platforms.system import HERE, System


class Connection(Protocol):
    """One connection, line by line."""

    def send(self, line: bytes) -> None:
        """Send one line. Raises OSError."""

    def receive(self, most: int, timeout: float) -> bytes:
        """The next line. Raises OSError: TimeoutError where none came in time, ConnectionError where none will come."""
        ...

    def close(self) -> None:
        """End the connection."""


def address(folder: PurePath, name: str, system: System = HERE) -> str:
    """The address of a name in a folder, for QLocalServer and for `connect`."""
    if system == "windows":
        return rf"\\.\pipe\kinetree-{hashlib.sha256(str(folder).lower().encode()).hexdigest()[:16]}-{name}"
    return str(folder / f"{name}.socket")


def connect(address: str, timeout: float, system: System = HERE) -> Connection:
    """Connect to a server. Raises OSError; FileNotFoundError and ConnectionRefusedError where there is none."""
    return _Pipe(address) if system == "windows" else _UnixSocket(address, timeout)


def forget(address: str, system: System = HERE) -> None:
    """Remove what a server that crashed has left. Raises OSError."""
    if system != "windows":  # a pipe ends with its process
        Path(address).unlink(missing_ok=True)


class _UnixSocket:
    def __init__(self, address: str, timeout: float):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._rest = b""
        try:
            self._socket.settimeout(timeout)
            self._socket.connect(address)
        except BaseException:
            self._socket.close()
            raise

    def send(self, line: bytes) -> None:
        self._socket.sendall(line + b"\n")

    def receive(self, most: int, timeout: float) -> bytes:
        self._socket.settimeout(timeout)
        while b"\n" not in self._rest:
            part = self._socket.recv(4096) if len(self._rest) <= most else b""
            if not part:
                raise ConnectionResetError("no line")
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    def close(self) -> None:
        self._socket.close()


class _Pipe:
    """A named pipe is a file to Python. Reading from it has no time limit, so another thread reads."""

    def __init__(self, address: str):
        self._file: IO[bytes] = open(address, "r+b", buffering=0)  # noqa: SIM115

    def send(self, line: bytes) -> None:
        self._file.write(line + b"\n")

    def receive(self, most: int, timeout: float) -> bytes:
        lines: list[bytes] = []
        reader = threading.Thread(target=self._read, args=(most, lines), daemon=True)
        reader.start()
        reader.join(timeout)
        if reader.is_alive():
            raise TimeoutError("no answer")
        if not lines:
            raise ConnectionResetError("no line")
        return lines[0]

    def _read(self, most: int, lines: list[bytes]) -> None:
        line = b""
        try:
            while not line.endswith(b"\n"):
                part = self._file.read(1) if len(line) <= most else b""
                if not part:
                    return
                line += part
        except OSError:
            return
        lines.append(line[:-1])

    def close(self) -> None:
        self._file.close()
