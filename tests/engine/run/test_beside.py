"""Quantities of two models recorded together: each number is the one that its model computed."""

import numpy as np
import pytest

import kinetree
from kinetree.engine.run.capture import Capture
from kinetree.engine.run.companion import Companion
from kinetree.engine.run.expression import parse
from kinetree.engine.run.recorder import prepare, step
from tests.engine.run.test_companion import arm


@pytest.fixture
def make():
    prepare()

    def made(dt=0.002, text="other.qpos[0]"):
        model, other = arm(), arm(damping=2.0, dt=dt)
        data = kinetree.Data(model)
        kinetree.forward(model, data)
        companion = Companion(other, model, data)
        texts = {"first": "qpos[0]", "second": text}
        capture = Capture(model, {name: parse(model, each, other) for name, each in texts.items()}, other)
        companion.recorders.append(capture.other_recorder)
        position = 0

        def run(count, batch=5):
            nonlocal position
            data.ctrl[:] = 0.3
            for _ in range(0, count, batch):
                step(model, data, batch, [capture.recorder])
                position += batch
                companion.follow(data, position)

        return model, data, companion, capture, run

    return made


def alone(model, count: int, every: int = 1) -> np.ndarray:
    data = kinetree.Data(model)
    data.ctrl[:] = 0.3
    found = []
    for _ in range(count):
        kinetree.step(model, data, every)
        found.append(data.qpos[0])
    return np.array(found)


def test_numbers_are_those_of_each_step_to_the_bit(make):
    model, _, companion, beside, run = make()
    rows = []
    for _ in range(4):
        run(25)
        rows.append(beside.read())
    assert [len(each.times) for each in rows] == [25] * 4
    values = np.concatenate([each.values for each in rows])
    np.testing.assert_array_equal(values[:, 0], alone(model, 100))
    np.testing.assert_array_equal(values[:, 1], alone(companion.shared, 100))


def test_after_resets_runs_belong_together(make):
    model, data, companion, beside, run = make()
    run(30)
    for _ in range(3):
        kinetree.reset(model, data)
        companion.reset(data)
        run(20)
    values = beside.read().values
    expected = alone(companion.shared, 30)
    np.testing.assert_array_equal(values[:, 1], np.concatenate([expected, *[expected[:20]] * 3]))
    kinetree.reset(model, data)
    companion.reset(data)
    run(10)
    np.testing.assert_array_equal(beside.read().values[:, 1], expected[:10])


def test_rows_wait_for_the_other_model_once(make):
    _, _, companion, beside, run = make()
    run(10)
    beside.read()
    companion.diverged = True
    run(10)
    assert len(beside.read().times) == 0
    rows = beside.read()
    assert len(rows.times) == 10 and np.isnan(rows.values[1:, 1]).all()


def test_other_time_steps(make):
    model, _, companion, beside, run = make(dt=0.004)
    run(40, batch=4)
    rows = beside.read()
    expected = alone(companion.shared, 20)
    np.testing.assert_array_equal(rows.values[:, 0], alone(model, 40)[: len(rows.times)])
    found = rows.values[1:, 1]
    np.testing.assert_array_equal(found, expected[(np.arange(len(found))) // 2])


def test_an_expression_of_both_models_is_computed_at_each_step(make):
    model, _, companion, both, run = make(text="qpos[0] - 2 * other.qpos[0] + other(norm(qvel) * 0)")
    run(50)
    values = both.read().values
    expected = alone(model, 50) - 2 * alone(companion.shared, 50)
    np.testing.assert_array_equal(values[:, 1], expected)
    assert not np.array_equal(values[:, 0], values[:, 1])
