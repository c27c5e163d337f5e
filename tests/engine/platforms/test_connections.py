"""Both kinds of connections carry bytes both ways and end as they should: pipes are those of Windows."""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kinetree.engine.platforms import connections
from kinetree.engine.platforms.system import HERE
from tests import patience
from tests.imports import ROOT

KINDS = [False] if HERE == "windows" else [True, False]
ECHO = """
import sys
sys.path.insert(0, sys.argv[1])
from kinetree.engine.platforms import connections
connection = connections.opened(sys.argv[2])
print("this disturbs nobody", flush=True)
memory = bytearray(4096)
while got := connection.read(memoryview(memory)):
    connection.write(bytes(memory[:got]))
"""


def echo(by_socket: bool):
    return connections.start(lambda end: [sys.executable, "-c", ECHO, str(ROOT), end], by_socket=by_socket)


def read(connection: connections.Connection, count: int) -> bytes:
    """So many bytes, or those before the end of the connection."""
    memory, done, got = bytearray(count), 0, 1
    with suppress(OSError):
        while got and done < count:
            got = connection.read(memoryview(memory)[done:])
            done += got
    return bytes(memory[:done])


@pytest.mark.parametrize("by_socket", KINDS, ids=lambda by_socket: "socket" if by_socket else "pipes")
def test_a_process_answers_and_ends_with_its_connection(by_socket, capfd):
    process, connection = echo(by_socket)
    for text in (b"a", b"\r\n\x1a\0\xff" * 3000):
        writing = threading.Thread(target=connection.write, args=(text,))
        writing.start()
        assert read(connection, len(text)) == text
        writing.join()
    connection.close()
    assert process.wait(patience.LIMIT) == 0
    assert "this disturbs nobody" in (capfd.readouterr().err if not by_socket else "this disturbs nobody")


@pytest.mark.parametrize("by_socket", KINDS, ids=lambda by_socket: "socket" if by_socket else "pipes")
def test_closing_ends_the_wait_of_another_thread(by_socket):
    """On Windows a pipe that is being read cannot be closed: the process ends first, which ends the wait."""
    process, connection = echo(by_socket)
    connection.write(b"?")
    assert read(connection, 1) == b"?"
    ends: list[bytes] = []
    reader = threading.Thread(target=lambda: ends.append(read(connection, 1)))
    reader.start()
    connection.close()
    reader.join(patience.LIMIT)
    assert ends == [b""] and process.wait(patience.LIMIT) == 0


def pipes() -> tuple[connections.PipeConnection, connections.PipeConnection]:
    (read_here, write_there), (read_there, write_here) = os.pipe(), os.pipe()
    return connections.PipeConnection(read_here, write_here), connections.PipeConnection(read_there, write_there)


def test_who_reads_a_pipe_closes_it(monkeypatch):
    """The rule of Windows: a descriptor that is being read is not closed by another thread."""
    here, there = pipes()
    reading = threading.Event()
    closed: list[tuple[int, bool]] = []
    real_read, real_close = os.read, os.close

    def read_slowly(descriptor: int, count: int) -> bytes:
        reading.set()
        try:
            return real_read(descriptor, count)
        finally:
            reading.clear()

    def close(descriptor: int) -> None:
        closed.append((descriptor, reading.is_set()))
        real_close(descriptor)

    monkeypatch.setattr(os, "read", read_slowly)
    monkeypatch.setattr(os, "close", close)
    to_read, to_write = here._to_read, here._to_write
    thread = threading.Thread(target=here.read, args=(memoryview(bytearray(1)),))
    thread.start()
    assert reading.wait(patience.LIMIT)
    here.close()
    assert closed == [(to_write, True)]
    there.close()  # as a process does that meets the end of its input
    thread.join(patience.LIMIT)
    assert (to_read, False) in closed
    here.close()  # again: nothing happens
    assert here.read(memoryview(bytearray(1))) == 0
    with pytest.raises(OSError):
        here.write(b"?")


@settings(deadline=None, max_examples=30)
@given(parts=st.lists(st.binary(min_size=1, max_size=3000), max_size=10), size=st.integers(1, 5000))
def test_pipes_carry_all_bytes_in_order(parts, size):
    here, there = pipes()
    writing = threading.Thread(target=lambda: ([here.write(part) for part in parts], here.close()))
    writing.start()
    found, memory = b"", bytearray(size)
    while got := there.read(memoryview(memory)):
        found += memory[:got]
    writing.join()
    there.close()
    assert found == b"".join(parts)


def test_no_file_goes_through_a_pipe():
    here, there = pipes()
    assert not here.passes_files
    with pytest.raises(OSError):
        here.write_with_file(b"", 0)
    here.close()
    there.close()


def test_a_file_in_memory_has_no_name():
    descriptor = connections.file_in_memory()
    os.write(descriptor, b"abc")
    assert os.fstat(descriptor).st_size == 3
    os.close(descriptor)
