"""The toolbar: which keyframe the state is or came from, and saving one in one step."""

import math

from kinetree.app.widgets.readouts import rate_text
from kinetree.app.workers.simulation import requests


def shown(window):
    keys = window.toolbar.keys
    return keys.currentText() or keys.placeholderText()


def test_the_keyframes_box_says_which_key_was_loaded_and_when_the_state_has_left_it(paused, qtbot):
    simulation, toolbar = paused.simulation, paused.toolbar
    assert shown(paused) == "Keyframes" and toolbar.keys.count() == 1
    toolbar.keys.activated.emit(0)
    qtbot.waitUntil(lambda: simulation.snapshot.qpos[0] == -1.0)
    qtbot.waitUntil(lambda: shown(paused) == "up" and toolbar.keys.currentIndex() == 0)
    simulation.post(requests.SetValues("qpos", 0, [0.4]))
    qtbot.waitUntil(lambda: shown(paused) == "from up" and toolbar.keys.currentIndex() == -1)
    assert "has left it" in toolbar.keys.toolTip()
    simulation.post(requests.LoadKeyframe(0))
    qtbot.waitUntil(lambda: shown(paused) == "up")
    simulation.post(requests.StepRequest(5))
    qtbot.waitUntil(lambda: simulation.snapshot.time > 0 and shown(paused) == "from up")
    simulation.post(requests.StepBack(5))  # back at the moment at which it was loaded
    qtbot.waitUntil(lambda: shown(paused) == "up")
    simulation.post(requests.Reset())
    qtbot.waitUntil(lambda: shown(paused) == "Keyframes")


def test_a_pose_is_saved_as_a_key_in_one_step(paused, qtbot):
    simulation, project = paused.simulation, paused.project
    simulation.post(requests.SetValues("qpos", 0, [0.25]))
    qtbot.waitUntil(lambda: simulation.snapshot.qpos[0] == 0.25)
    action = paused.actions_["sim.save_key"]
    assert action in paused.toolbar.actions() and action.isEnabled()
    action.trigger()
    assert project.texts.undo_name == "Keyframe pose_1"
    qtbot.waitUntil(lambda: simulation.model.nkey == 2)
    assert simulation.model.key_qpos[1, 0] == 0.25
    qtbot.waitUntil(lambda: shown(paused) == "pose_1")
    action.trigger()
    assert project.texts.undo_name == "Keyframe pose_2"


def test_the_achieved_speed_is_the_same_wherever_it_is_shown(paused, open_panel, qtbot):
    simulation, frame, toolbar = paused.simulation, paused.frame, paused.toolbar
    panel = open_panel("statistics")
    simulation.post(requests.SetSpeed(math.inf))
    simulation.post(requests.Play())
    qtbot.waitUntil(lambda: simulation.snapshot.rate is not None)
    panel.refresh()  # no event comes in between: all are about the same snapshot
    toolbar.refresh()
    (row,) = (row for _, row in panel.model.indices() if row.name == "Speed")
    (line,) = (line for line in frame._info_text().splitlines() if line.startswith("Speed"))
    texts = [toolbar.rate.text(), panel.model.value(row), line.split()[-1], frame._status_text()]
    assert texts == [rate_text(simulation.snapshot.rate)] * 4
