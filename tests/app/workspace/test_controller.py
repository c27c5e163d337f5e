"""The controller file in the window: chosen, reloaded, failing, offered again; nothing is left when the window closes."""

import os

import numpy as np
import pytest

from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.controller import ControllerState
from tests.app.conftest import save_over

HOLD = """
def control(time, data):
    return [{control}]
"""


@pytest.fixture
def file(tmp_path):
    return tmp_path / "hold.py"


@pytest.fixture
def driven(window, file, qtbot):
    """A window whose motor is driven by a file, paused."""
    file.write_text(HOLD.format(control="0.5"))
    window.handlers.controllers.choose(str(file))
    host = window.workspace.controller
    qtbot.waitUntil(lambda: host.state is ControllerState.RUNNING)
    return window


def log(window):
    return [entry.text for entry in window.workspace.log.entries]


def is_gone(pid):
    return not os.path.exists(f"/proc/{pid}")


def stepped(window, qtbot, control):
    before = window.simulation.snapshot.time
    window.simulation.post(requests.StepRequest())
    qtbot.waitUntil(lambda: window.simulation.snapshot.time > before)
    assert window.simulation.snapshot.ctrl.tolist() == [control]


def test_a_file_drives_and_a_new_version_of_it_takes_over(driven, file, qtbot):
    host = driven.workspace.controller
    assert "hold.py drives the actuators" in log(driven)
    stepped(driven, qtbot, 0.5)
    first = host.process
    save_over(file, "print('again')" + HOLD.format(control="0.25"))
    qtbot.waitUntil(lambda: host.process not in (None, first))
    stepped(driven, qtbot, 0.25)
    qtbot.waitUntil(lambda: is_gone(first))
    qtbot.waitUntil(lambda: "hold.py: again" in log(driven))


def test_the_last_good_version_goes_on_while_the_new_one_cannot_be_imported(driven, file, qtbot):
    host, bar = driven.workspace.controller, driven.frame.controller_bar
    first = host.process
    save_over(file, "def control(time, data)\n    return [1]")
    qtbot.waitUntil(bar.isVisible)
    assert bar.text().startswith("hold.py:1: expected ':'") and "The version before drives on" in bar.text()
    assert host.process == first and log(driven)[-1].startswith("hold.py:1: expected ':'")
    stepped(driven, qtbot, 0.5)
    save_over(file, HOLD.format(control="1.0"))
    qtbot.waitUntil(bar.isHidden)
    qtbot.waitUntil(lambda: host.process not in (None, first))
    stepped(driven, qtbot, 1.0)


def test_an_error_pauses_and_the_mended_file_goes_on(driven, file, qtbot):
    host, simulation = driven.workspace.controller, driven.simulation
    save_over(file, "def control(time, data):\n    return [1 / 0 if time > 0.1 else 0.75]\n")
    qtbot.waitUntil(lambda: "hold.py drives the actuators" == log(driven)[-1] and host.failure is None)
    simulation.post(requests.Play())
    qtbot.waitUntil(lambda: host.failure is not None and not simulation.running)
    assert host.failure.text == "hold.py:2: ZeroDivisionError: division by zero"
    assert host.state is ControllerState.FAILED and "The simulation is paused" in driven.frame.controller_bar.text()
    qtbot.waitUntil(lambda: simulation.snapshot.time > 0.1)
    save_over(file, HOLD.format(control="-1"))
    qtbot.waitUntil(lambda: host.state is ControllerState.RUNNING)
    stepped(driven, qtbot, -1.0)


def test_a_new_file_keeps_the_controls_and_has_the_names(window, tmp_path, qtbot):
    from kinetree.app.panels.driving.controls.controller_file import write_new_controller

    path = tmp_path / "new.py"
    refused = []
    write_new_controller(window.workspace, window.settings, str(path), refused.append)
    qtbot.waitUntil(lambda: window.workspace.controller.state is ControllerState.RUNNING)
    text = path.read_text()
    assert "joints: hinge, float" in text and "actuators: motor" in text and refused == []
    window.simulation.post(requests.SetControl(0, 0.5))
    stepped(window, qtbot, 0.5)
    assert "motor" in text.splitlines()[-1]
    write_new_controller(window.workspace, window.settings, str(tmp_path / "no" / "new.py"), refused.append)
    qtbot.waitUntil(lambda: refused != [])
    assert "cannot be written" in refused[0]


def test_clear_controls_and_end_controller_end_it(driven, qtbot):
    host = driven.workspace.controller
    pid = host.process
    stepped(driven, qtbot, 0.5)
    assert driven.actions_["sim.end_controller"].isEnabled()
    driven.simulation.post(requests.ClearControls())
    assert host.state is ControllerState.NONE and host.path == ""
    assert not driven.actions_["sim.end_controller"].isEnabled()
    qtbot.waitUntil(lambda: is_gone(pid))
    stepped(driven, qtbot, 0.0)


def test_it_follows_an_edit_of_the_model(driven, qtbot):
    stepped(driven, qtbot, 0.5)
    project, simulation = driven.project, driven.simulation
    text = project.texts.text(project.path)
    from kinetree.engine.document.edit import Edit

    place = text.index("<motor")
    project.apply("Add", {project.path: [Edit(place, place, '<motor name="new" joint="hinge"/>')]})
    qtbot.waitUntil(lambda: simulation.model.nu == 2)
    simulation.post(requests.StepRequest())
    host = driven.workspace.controller
    qtbot.waitUntil(lambda: host.failure is not None)
    assert "returned 1 numbers for 2 actuators" in host.failure.text


def test_it_is_offered_again_and_not_run(driven, file, model_file, qtbot):
    host = driven.workspace.controller
    pid = host.process
    driven.workspace.opening.close()
    qtbot.waitUntil(lambda: driven.simulation.model is None)
    assert host.state is ControllerState.NONE
    qtbot.waitUntil(lambda: is_gone(pid))
    driven.open(str(model_file))
    qtbot.waitUntil(lambda: host.offered == str(file))
    assert host.state is ControllerState.NONE and host.process is None
    driven.docks["controls"].bring_up()
    bar = driven.docks["controls"].panel.controller_bar
    qtbot.waitUntil(lambda: bar.isVisible() and bar.use.isVisible())
    bar.use.click()
    qtbot.waitUntil(lambda: host.state is ControllerState.RUNNING)
    host.end()
    driven.workspace.opening.close()
    qtbot.waitUntil(lambda: driven.simulation.model is None)
    driven.open(str(model_file))
    qtbot.waitUntil(lambda: host.offered == str(file))
    bar.close_.click()
    assert host.offered == "" and driven.settings.of_model(str(model_file), "controller") == ""


def test_closing_the_window_ends_an_endless_loop(driven, file, qtbot):
    host = driven.workspace.controller
    save_over(file, "def control(time, data):\n    while True: pass\n")
    first = host.process
    qtbot.waitUntil(lambda: host.process not in (None, first))
    pid = host.process
    driven.simulation.post(requests.Play())
    qtbot.wait(100)
    driven.close_anyway()
    qtbot.waitUntil(lambda: is_gone(pid))
    assert np.isfinite(driven.simulation.snapshot.time)
