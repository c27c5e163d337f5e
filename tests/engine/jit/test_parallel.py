"""Loops that threads share: each turn once, by all threads, and sums that do not depend on who did what."""

from __future__ import annotations

import numpy as np
import pytest

import kinetree
from kinetree.engine.jit.addresses import address_of_task, load_word, store_word
from kinetree.engine.jit.compiler import compiled
from kinetree.engine.jit.kernel import kernel
from kinetree.engine.jit.parallel import for_each
from tests.engine.dynamics.test_threads import piles


@kernel
def _count(model, data, k):
    data.sol_W[0] = k  # each thread's own
    data.isl_sum[k, 0] += 1.0
    data.isl_sum[k, 1] = data.sol_W[0]


@kernel
def _loops(model, data):
    for first in range(model.ntree + 1):
        for_each(_count, model, data, first, model.ntree)
        for_each(_count, model, data, first, first)


@pytest.fixture
def model():
    return kinetree.load_string(piles())


@pytest.fixture
def data(model):
    return kinetree.Data(model)


@pytest.mark.parametrize("number", [1, 2, 3, 7, 40])
def test_every_turn_is_done_once(model, data, number):
    """Also where there are more threads than turns, or than processors."""
    n = model.ntree
    with kinetree.Threads(number) as threads:
        assert threads.join(data)
        try:
            for _ in range(20):
                compiled(_loops)(model, data)
        finally:
            threads.leave(data)
    assert data.isl_sum[:, 0].tolist() == [20 * (k + 1) for k in range(n)]
    assert data.isl_sum[:, 1].tolist() == list(range(n))


@kernel
def _meet(model, data, k):
    """Turn 0 waits for turn 1, for some seconds at most."""
    if k == 1:
        store_word(data.recorder, 1)
    waits = 0
    while k == 0 and load_word(data.recorder) == 0 and waits < 3_000_000_000:
        waits += 1
    data.isl_sum[k, 0] = waits


@kernel
def _meeting(model, data):
    for_each(_meet, model, data, 0, 2)


def test_another_thread_takes_part(model, data):
    word = np.zeros(1, np.int64)
    data.recorder = word.ctypes.data
    with kinetree.Threads(2) as threads:
        assert threads.join(data)
        compiled(_meeting)(model, data)
        threads.leave(data)
    assert word[0] == 1 and 0 < data.isl_sum[0, 0] < 3_000_000_000


def test_a_pool_helps_one_data_at_a_time(model, data):
    other = kinetree.Data(model)
    with kinetree.Threads(2) as threads:
        assert threads.join(data)
        assert not threads.join(other)
        assert other.pool == 0
        threads.leave(data)
        assert threads.join(other)
        threads.leave(other)


def test_atomic_words_exist_in_compiled_code_only():
    with pytest.raises(TypeError, match="compiled code only"):
        address_of_task(_count, None, None)
