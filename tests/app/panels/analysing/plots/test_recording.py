"""Plots of a running window record the engine's numbers, over resets, edits and other models."""

import numpy as np
import pytest

import kinetree
from kinetree.app.panels.analysing.plots.curves import PanelState, PlotState, read_state
from kinetree.app.panels.analysing.plots.recording import PlotRecording
from kinetree.app.workers.simulation import requests
from kinetree.engine.run.expression import parse
from tests.app.conftest import save_over


@pytest.fixture
def running(make_window, model_file):
    """A window whose simulation stands at its start, and a recording of it."""
    window = make_window(model_file)
    window.simulation.post(requests.Pause())
    window.simulation.post(requests.Reset())
    recording = PlotRecording(window.simulation, 50_000_000, window)
    recording.set_on(True)
    return window, recording


def go(qtbot, window, recording, steps: int):
    """Take so many steps, and wait until they are recorded."""
    wanted = recording.series.count + steps
    window.simulation.post(requests.StepRequest(steps))

    def is_there() -> bool:
        recording.drain()
        return recording.series.count == wanted

    qtbot.waitUntil(is_there)


def test_what_is_plotted_is_what_the_engine_computes(qtbot, running):
    window, recording = running
    texts = ['joint("hinge").qpos', "norm(qvel)", "ncon + 0.5"]
    quantities = [recording.use(text) for text in texts]
    qtbot.waitUntil(lambda: not recording._later.isActive())
    go(qtbot, window, recording, 300)
    model = window.simulation.model.with_own_options()
    data = kinetree.Data(model)
    expected = []
    for _ in range(300):
        kinetree.step(model, data)
        expected.append([parse(model, text).of_state(data)[0] for text in texts])
    for number, quantity in enumerate(quantities):
        _, y = recording.series.raw(quantity, 0, 0.0, 1e9)
        assert y.tobytes() == np.array(expected)[:, number].tobytes()


def test_a_quantity_that_nobody_shows_is_not_recorded(qtbot, running):
    _, recording = running
    first, again = recording.use("time"), recording.use("time")
    assert first is again
    recording.drop(first)
    assert recording.quantities == [first]
    recording.drop(first)
    qtbot.waitUntil(lambda: not recording._later.isActive())
    assert recording.quantities == []
    assert recording._capture is None


def test_an_edit_goes_on_with_the_recording_under_the_new_name(qtbot, running, model_file):
    window, recording = running
    quantity = recording.use('joint("hinge").qpos')
    qtbot.waitUntil(lambda: not recording._later.isActive())
    go(qtbot, window, recording, 50)
    before = window.simulation.model
    save_over(model_file, model_file.read_text().replace('"hinge"', '"elbow"'))
    qtbot.waitUntil(lambda: window.simulation.model is not before)
    qtbot.waitUntil(lambda: window.simulation.snapshot.model is window.simulation.model)
    assert quantity.text == 'joint("elbow").qpos'
    go(qtbot, window, recording, 50)
    times, _ = recording.series.raw(quantity, 0, 0.0, 1e9)
    assert len(times) == 100
    assert (np.diff(times) > 0).all()
    assert [event.kind for event in recording.series.events] == ["edit"]


def test_what_an_edit_takes_away_is_told_and_the_rest_goes_on(qtbot, running, model_file):
    window, recording = running
    gone, stays = recording.use('actuator("motor").force'), recording.use("qpos[0]")
    qtbot.waitUntil(lambda: not recording._later.isActive())
    go(qtbot, window, recording, 20)
    before = window.simulation.model
    text = model_file.read_text()
    start, end = text.index("<actuator>"), text.index("</actuator>") + len("</actuator>")
    save_over(model_file, text[:start] + text[end:])
    qtbot.waitUntil(lambda: window.simulation.model is not before)
    qtbot.waitUntil(lambda: window.simulation.snapshot.model is window.simulation.model)
    assert "no actuator is named 'motor'" in gone.error
    go(qtbot, window, recording, 20)
    assert len(recording.series.raw(stays, 0, 0.0, 1e9)[0]) == 40
    assert len(recording.series.raw(gone, 0, 0.0, 1e9)[0]) == 20


def test_a_reset_begins_another_timeline(qtbot, running):
    window, recording = running
    recording.use("qpos[0]")
    qtbot.waitUntil(lambda: not recording._later.isActive())
    go(qtbot, window, recording, 20)
    window.simulation.post(requests.Reset())
    go(qtbot, window, recording, 10)
    lines = recording.series.timelines()[-2:]  # before them is the run of the window before the test
    assert [sum(block.number for run in line for block in run.blocks) for line in lines] == [20, 10]


def test_a_state_is_remembered_as_text():
    state = PanelState([PlotState([("qpos", 2, 1, -1, True)], "phase"), PlotState()], 30.0, ["edit"], False)
    assert read_state(state.text()) == state
    for wrong in ("", "[]", "{}", '{"plots": 3}', '{"plots": [], "span": "x", "events": [], "earlier": true}'):
        assert read_state(wrong) is None


def past_is_there(qtbot, recording):
    qtbot.waitUntil(lambda: not recording._later.isActive() and not recording.past.is_computing)


def test_a_plot_that_is_opened_later_shows_the_past(qtbot, running):
    window, recording = running
    recording.set_on(False)
    window.simulation.post(requests.StepRequest(300))
    qtbot.waitUntil(lambda: window.simulation.snapshot.time > 0.5)
    quantity = recording.use("qvel")
    recording.set_on(True)
    past_is_there(qtbot, recording)
    model = window.simulation.model.with_own_options()
    data = kinetree.Data(model)
    expected = []
    for _ in range(300):
        kinetree.step(model, data)
        expected.append(data.qvel.copy())
    for column in range(quantity.expression.width):
        _, y = recording.series.raw(quantity, column, 0.0, 1e9)
        assert y.tobytes() == np.array(expected)[:, column].tobytes()


def test_a_curve_that_is_added_later_begins_with_the_first_one(qtbot, running):
    window, recording = running
    first = recording.use("qpos[0]")
    past_is_there(qtbot, recording)
    go(qtbot, window, recording, 200)
    late = recording.use("norm(qvel)")
    past_is_there(qtbot, recording)
    go(qtbot, window, recording, 50)
    times, _ = recording.series.raw(first, 0, 0.0, 1e9)
    found, values = recording.series.raw(late, 0, 0.0, 1e9)
    np.testing.assert_array_equal(found, times)
    assert len(found) == 250 and np.isfinite(values).all()


def test_the_past_that_was_sought_away_is_not_shown(qtbot, running):
    window, recording = running
    recording.set_on(False)
    begun = window.simulation.snapshot.step
    window.simulation.post(requests.StepRequest(400))
    window.simulation.post(requests.Seek(begun + 100))
    quantity = recording.use("qpos[0]")
    recording.set_on(True)
    past_is_there(qtbot, recording)
    assert len(recording.series.raw(quantity, 0, 0.0, 1e9)[0]) == 400  # the future that can be sought too
    window.simulation.post(requests.SetControl(0, 1.0, generation=window.simulation.generation))
    window.simulation.post(requests.StepRequest(20))
    qtbot.waitUntil(lambda: window.simulation.snapshot.last == begun + 120)
    recording.drain()
    past_is_there(qtbot, recording)
    times, _ = recording.series.raw(quantity, 0, 0.0, 1e9)
    assert times[-1] == pytest.approx(0.24) and (np.diff(times) > 0).all()


def test_energy_that_was_off_is_computed_again(qtbot, running):
    window, recording = running
    energy = recording.use("energy[0]")
    past_is_there(qtbot, recording)
    go(qtbot, window, recording, 50)
    assert not recording.series.raw(energy, 0, 0.0, 1e9)[1].any()
    recording.compute_again([energy])
    past_is_there(qtbot, recording)
    values = recording.series.raw(energy, 0, 0.0, 1e9)[1]
    assert len(values) == 50 and values.all()


def test_a_history_of_another_model_is_asked_for_again(qtbot, running):
    """The next version of a model is shown before the simulation has it."""
    window, recording = running
    quantity = recording.use("qpos[0]")
    past_is_there(qtbot, recording)
    go(qtbot, window, recording, 20)
    recording.series.forget(quantity)
    past = recording.past
    past.ask(recording.quantities)
    other = kinetree.load_string("<mujoco/>")
    past._begin(past._asked, other, None)
    assert past.is_computing
    past_is_there(qtbot, recording)
    assert len(recording.series.raw(quantity, 0, 0.0, 1e9)[0]) == 20


def test_an_edit_that_moves_numbers_keeps_the_past(qtbot, running, model_file):
    window, recording = running
    quantity = recording.use('joint("hinge").qpos')
    past_is_there(qtbot, recording)
    go(qtbot, window, recording, 40)
    before = recording.series.raw(quantity, 0, 0.0, 1e9)[1]
    text = model_file.read_text().replace('<key name="up" qpos="-1 0 1 .5 1 0 0 0"/>', "")
    free = '<body><freejoint/><geom size=".1" pos="2 2 2"/></body>'
    save_over(model_file, text.replace('<body name="base"', f'{free}<body name="base"'))
    qtbot.waitUntil(lambda: window.simulation.model.nbody == 6)
    late = recording.use('2 * joint("hinge").qpos')
    past_is_there(qtbot, recording)
    np.testing.assert_array_equal(recording.series.raw(late, 0, 0.0, 1e9)[1][:40], 2 * before)
