"""Messages between the window and its compiler process: plain data and flat arrays, and never code.

A message on the wire:

    HEAD     bytes of the text, bytes of the block, 1 if the block comes as a file descriptor
    text     JSON (ASCII): {"plain": ..., "arrays": [[name, dtype, shape, offset in the block], ...]}
    block    the arrays, each from a multiple of 64 bytes on

A large block is a file in memory; its descriptor comes with the head. It has no name, so that
nothing is left behind whoever dies. Where connections carry no descriptors (Windows), all blocks come through the pipe.
"""

from __future__ import annotations

import json
import math
import mmap
import os
import struct
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from kinetree.engine.model.layout import ALIGNMENT
from kinetree.engine.platforms import connections

HEAD = struct.Struct("<QQB")
SHARED = 1 << 16
"""Blocks from so many bytes on come as files."""
MOST = 1 << 36
"""Longest text or block, bytes: more is a damaged head."""
DTYPES = frozenset(("uint8", "int32", "int64", "float32", "float64"))


class Closed(Exception):
    """The other side has gone."""


class Filled(NamedTuple):
    """An array of bytes that is made in the block itself: `fill(memory)` writes it."""

    nbytes: int
    fill: Callable[[np.ndarray], None]


@dataclass(frozen=True)
class Message:
    """plain   what JSON can hold, always an object
    arrays  flat arrays by name; those that arrived may be changed, and share nothing with the other process
    """

    plain: dict[str, Any]
    arrays: Mapping[str, np.ndarray | Filled] = field(default_factory=dict)


class MessageChannel:
    """One end of a connection. Any thread may send, one thread receives."""

    def __init__(self, connection: connections.Connection):
        self._connection = connection
        self._sending = threading.Lock()

    def send(self, message: Message) -> None:
        """Send a message. Raises Closed."""
        rows, end = [], 0
        for name, array in message.arrays.items():
            is_filled = isinstance(array, Filled)
            dtype, shape = ("uint8", [array.nbytes]) if is_filled else (array.dtype.name, list(array.shape))
            rows.append([name, dtype, shape, end])
            end += (array.nbytes + ALIGNMENT - 1) & -ALIGNMENT
        text = json.dumps({"plain": message.plain, "arrays": rows}, separators=(",", ":")).encode("ascii")
        is_shared = self._connection.passes_files and end >= SHARED
        with self._sending:
            try:
                if is_shared:
                    self._send_shared(text, rows, message, end)
                else:
                    block = _room(end)
                    _write(block.data, rows, message)
                    self._connection.write(HEAD.pack(len(text), end, 0) + text + block.tobytes())
            except OSError as error:
                raise Closed(str(error)) from None

    def _send_shared(self, text: bytes, rows: list, message: Message, nbytes: int) -> None:
        descriptor = connections.file_in_memory()
        try:
            os.ftruncate(descriptor, nbytes)
            with mmap.mmap(descriptor, nbytes) as mapped, memoryview(mapped) as view:
                _write(view, rows, message)
            self._connection.write_with_file(HEAD.pack(len(text), nbytes, 1) + text, descriptor)
        finally:
            os.close(descriptor)

    def receive(self) -> Message:
        """Wait for a message. Raises Closed."""
        try:
            head, descriptor = self._read_head()
            length, nbytes, is_shared = HEAD.unpack(head)
            if max(length, nbytes) > MOST:
                raise Closed("damaged message")
            try:
                given = json.loads(bytes(self._read(length)))
                memory = _copied(descriptor, nbytes) if is_shared else self._read(nbytes)
            finally:
                if descriptor >= 0:
                    os.close(descriptor)
            return Message(given["plain"], {name: _array(memory, *row) for name, *row in given["arrays"]})
        except (OSError, ValueError, TypeError, KeyError) as error:
            raise Closed(str(error)) from None

    def close(self) -> None:
        """End the connection; whoever waits in `receive` at either end is told."""
        self._connection.close()

    # ---- bytes -------------------------------------------------------------------------------------------

    def _read_head(self) -> tuple[bytes, int]:
        """The head, and the descriptor that came with it, -1 without one."""
        head = bytearray(HEAD.size)
        with memoryview(head) as view:
            got, descriptor = self._connection.read_with_file(view)
            if not got:
                raise Closed("end of the connection")
            self._read_into(view[got:])
        return bytes(head), descriptor

    def _read(self, count: int) -> np.ndarray:
        """So many bytes, at an address that arrays may begin at."""
        memory = _room(count)
        self._read_into(memory.data)
        return memory

    def _read_into(self, view: memoryview) -> None:
        while len(view):
            got = self._connection.read(view)
            if not got:
                raise Closed("end of the connection")
            view = view[got:]


def _room(nbytes: int) -> np.ndarray:
    """Memory at an address that arrays may begin at."""
    room = np.empty(nbytes + ALIGNMENT, np.uint8)
    first = -room.ctypes.data % ALIGNMENT
    return room[first : first + nbytes]


def _write(view: memoryview, rows: list, message: Message) -> None:
    """Write the arrays of a message to its block."""
    block = np.frombuffer(view, np.uint8)
    for name, _, _, offset in rows:
        array = message.arrays[name]
        place = block[offset : offset + array.nbytes]
        if isinstance(array, Filled):
            array.fill(place)
        else:
            place[...] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def _array(memory: np.ndarray, dtype: str, shape: list[int], offset: int) -> np.ndarray:
    if dtype not in DTYPES:
        raise ValueError(f"no such type of arrays: {dtype}")
    kind = np.dtype(dtype)
    nbytes = math.prod(shape) * kind.itemsize
    if min([0, offset, *shape]) < 0 or offset + nbytes > memory.nbytes:
        raise ValueError("an array reaches beyond its block")
    return memory[offset : offset + nbytes].view(kind).reshape(shape)


def _copied(descriptor: int, nbytes: int) -> np.ndarray:
    """The bytes of a file. They are copied: a mapping keeps its descriptor (before Python 3.13), and as many models
    stay as the history has versions."""
    memory = _room(nbytes)
    view, done = memory.data, 0
    if descriptor < 0:
        raise ValueError("a block did not come with its message")
    with open(descriptor, "rb", buffering=0, closefd=False) as file:
        while done < nbytes:
            got = file.readinto(view[done:])
            if not got:
                raise ValueError("a block is shorter than its message says")
            done += got
    return memory
