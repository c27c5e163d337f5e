"""The keyframes panel: states saved, remembered and loaded."""

import numpy as np
import pytest

from kinetree.app.workers.simulation import requests
from kinetree.engine.editing.key_states import keys_of


@pytest.fixture
def panel(open_panel, qtbot):
    found = open_panel("keyframes")
    qtbot.waitUntil(lambda: found.model.rowCount() > 0)
    return found


def choose(panel, name):
    panel.view.show_selected(lambda row: row.name == name)
    panel._show_buttons()


def names(panel):
    return [row.name for row in panel.model.rows]


def test_a_state_is_remembered_loaded_and_saved_as_one_step(panel, paused, qtbot):
    simulation, project = paused.simulation, paused.project
    simulation.post(requests.SetValues("qpos", 0, [0.4]))
    simulation.post(requests.SetValues("ctrl", 0, [0.7]))
    qtbot.waitUntil(lambda: simulation.snapshot.ctrl[0] == 0.7 and simulation.snapshot.qpos[0] == 0.4)
    panel.remember()
    assert names(panel) == ["up", "remembered 1"] and not project.modified
    simulation.post(requests.Reset())
    qtbot.waitUntil(lambda: simulation.snapshot.qpos[0] == 0.0)
    choose(panel, "remembered 1")
    panel.load()
    qtbot.waitUntil(lambda: simulation.snapshot.qpos[0] == 0.4 and simulation.snapshot.ctrl[0] == 0.7)
    before = project.texts.text(project.path)
    panel.save_selected()
    assert project.modified and project.texts.undo_name == "Keyframe remembered_1"
    qtbot.waitUntil(lambda: simulation.model.nkey == 2)
    assert np.array_equal(simulation.model.key_qpos[1], [0.4, 0, 1, 0.5, 1, 0, 0, 0])
    assert simulation.model.key_ctrl[1, 0] == 0.7
    qtbot.waitUntil(lambda: names(panel) == ["up", "remembered_1"])
    project.undo()
    assert project.texts.text(project.path) == before


def test_keyframes_of_the_model_are_updated_renamed_moved_and_deleted(panel, paused, qtbot):
    simulation, project = paused.simulation, paused.project
    panel.remember()
    panel.save_selected()
    qtbot.waitUntil(lambda: names(panel) == ["up", "remembered_1"])
    choose(panel, "up")
    panel.move(1)
    assert [key.get("name") for key in keys_of(project.document)] == ["remembered_1", "up"]
    qtbot.waitUntil(lambda: names(panel) == ["remembered_1", "up"])
    choose(panel, "up")
    panel.move(1)  # nothing below
    panel.rename("down")
    qtbot.waitUntil(lambda: names(panel) == ["remembered_1", "down"])
    simulation.post(requests.SetValues("qpos", 0, [0.25]))
    qtbot.waitUntil(lambda: simulation.snapshot.qpos[0] == 0.25)
    choose(panel, "down")
    panel.update_key()
    qtbot.waitUntil(lambda: simulation.model.key_qpos[1, 0] == 0.25)
    choose(panel, "down")
    panel.delete()
    qtbot.waitUntil(lambda: names(panel) == ["remembered_1"])
    assert simulation.model.nkey == 1


def test_a_state_of_another_model_is_not_loaded(panel, paused, qtbot):
    said = []
    panel.said.connect(said.append)
    panel.remember()
    panel.remembered[0].state["qpos"] = np.zeros(3)
    panel.load()
    assert "cannot be loaded" in said[-1]


def test_the_present_state_is_saved_in_one_step_and_each_row_says_whether_it_is_saved(panel, paused, qtbot):
    simulation, project = paused.simulation, paused.project
    simulation.post(requests.SetValues("qpos", 0, [0.4]))
    qtbot.waitUntil(lambda: simulation.snapshot.qpos[0] == 0.4)
    panel.buttons["remember"].click()
    assert not project.modified
    assert [row.group for row in panel.model.rows] == ["In the model", "Remembered, not saved"]
    assert panel.buttons["save_selected"].isVisible()
    panel.buttons["save"].click()
    assert project.texts.undo_name == "Keyframe pose_1"
    qtbot.waitUntil(lambda: names(panel) == ["up", "pose_1", "remembered 1"])
    assert simulation.model.key_qpos[1, 0] == 0.4
    choose(panel, "pose_1")
    assert not panel.buttons["save_selected"].isVisible()
