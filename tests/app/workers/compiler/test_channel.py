"""Messages arrive as they were sent, over sockets and pipes; what is damaged is refused."""

from __future__ import annotations

import json
import os
import socket
import threading

import numpy as np
import pytest

from kinetree.app.workers.compiler.channel import ALIGNMENT, HEAD, SHARED, Closed, Filled, Message, MessageChannel
from kinetree.engine.platforms import connections


@pytest.fixture(params=["socket", "pipes"])
def ends(request):
    if request.param == "socket":
        if not connections.PASSES_FILES:
            pytest.skip("no descriptors over sockets")
        one, other = (MessageChannel(connections.SocketConnection(end)) for end in socket.socketpair())
    else:
        (read, their_write), (their_read, write) = os.pipe(), os.pipe()
        one, other = (
            MessageChannel(connections.PipeConnection(*end)) for end in ((read, write), (their_read, their_write))
        )
    yield one, other
    for end in (one, other):
        end.close()


def carried(ends, message: Message) -> Message:
    thread = threading.Thread(target=ends[0].send, args=(message,))
    thread.start()
    try:
        return ends[1].receive()
    finally:
        thread.join()


def descriptors() -> int:
    return len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else 0


@pytest.mark.parametrize("size", [0, 1, 1000, SHARED, 3_000_001])
def test_arrays_arrive(ends, size):
    numbers = np.random.default_rng(size)
    arrays = {
        dtype: np.ascontiguousarray(numbers.integers(0, 100, (size, 2)).astype(dtype))
        for dtype in ("uint8", "int32", "int64", "float32", "float64")
    }
    arrays["turned"] = arrays["float64"].T
    arrays["filled"] = Filled(size, lambda memory: memory.fill(7))
    plain = {"text": "\ud800\u4e2d\n", "numbers": [1, 2.5, float("inf"), 2**53 + 1], "none": None}
    before = descriptors()
    got = carried(ends, Message(plain, arrays))
    assert got.plain == plain and list(got.arrays) == list(arrays)
    for name, array in arrays.items():
        arrived = got.arrays[name]
        if name != "filled":
            assert arrived.dtype == array.dtype and np.array_equal(arrived, array)
        assert arrived.size == 0 or arrived.ctypes.data % ALIGNMENT == 0
        arrived[...] = 1  # it belongs to the receiver
    assert (arrays["uint8"] != 1).any() or size < 2
    assert descriptors() <= before, "descriptors are closed"


def test_many_messages_of_many_threads(ends):
    def send(number: int) -> None:
        for _ in range(20):
            ends[0].send(Message({"of": number}, {"a": np.full(SHARED // 4 * number, number, np.int32)}))

    threads = [threading.Thread(target=send, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    got = [ends[1].receive() for _ in range(80)]
    for thread in threads:
        thread.join()
    assert sorted(each.plain["of"] for each in got) == sorted(list(range(4)) * 20)
    for each in got:
        assert (each.arrays["a"] == each.plain["of"]).all() and each.arrays["a"].size == SHARED // 4 * each.plain["of"]


def test_the_end_of_the_connection_is_told():
    one, other = (MessageChannel(connections.SocketConnection(end)) for end in socket.socketpair())
    one.send(Message({"last": 1}))
    one.close()
    assert other.receive().plain == {"last": 1}
    with pytest.raises(Closed):
        other.receive()
    with pytest.raises(Closed):
        other.send(Message({}))
    other.close()


def damaged(row: list, nbytes: int = 64, shared: int = 0, head: tuple[int, int] | None = None) -> bytes:
    text = json.dumps({"plain": {}, "arrays": [row]}).encode()
    return HEAD.pack(*(head or (len(text), nbytes)), shared) + text + bytes(nbytes)


@pytest.mark.parametrize(
    "data",
    [
        damaged(["a", "float64", [9], 0]),
        damaged(["a", "float64", [-1], 0]),
        damaged(["a", "float64", [1], -8]),
        damaged(["a", "object", [1], 0]),
        damaged(["a", "float64", "no", 0]),
        damaged(["a", "float64", [1], 0], shared=1),
        damaged(["a", "float64", [1], 0], head=(1 << 60, 0)),
        damaged(["a", "float64", [1], 0], head=(3, 0)),
    ],
    ids=range(8),
)
def test_damaged_messages_are_refused(data):
    raw, end = socket.socketpair()
    channel = MessageChannel(connections.SocketConnection(end))
    raw.sendall(data)
    raw.close()
    with pytest.raises(Closed):
        channel.receive()
    channel.close()
