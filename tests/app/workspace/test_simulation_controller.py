"""The simulation as the window has it: requests are for the model that is shown."""

import pytest

import kinetree
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.engine.run.noise import Noise
from kinetree.engine.run.signals import Signal
from tests.patience import LIMIT, wait_for

TEXT = """
<mujoco>
  <worldbody><body><joint name="x" type="slide"/><geom size=".1"/></body></worldbody>
  <actuator><motor joint="x"/></actuator>
  <keyframe>{key}<key qpos="1"/></keyframe>
</mujoco>"""


@pytest.fixture
def simulation(qapp, qtbot):
    made = SimulationController()
    made.post(requests.Pause())
    old = kinetree.load_string(TEXT.format(key=""))
    kinetree.step(old, kinetree.Data(old))  # its kernels are loaded
    made.show(old, keep=False, ready=True)
    qtbot.waitUntil(lambda: made.snapshot is not None and made.snapshot.ready)
    yield made
    for thread in made.stop():
        thread.join(LIMIT)


def test_a_keyframe_is_one_of_the_model_that_is_shown_though_the_thread_has_the_one_before(simulation, qtbot):
    new = kinetree.load_string(TEXT.format(key='<key qpos="5"/>'))
    simulation.show(new, keep=True, ready=False)  # waits for its kernels
    assert simulation._load_waits
    simulation.post(requests.LoadKeyframe(0))
    reached = []
    simulation.post(requests.Ask(lambda model, data: reached.append((model.nkey, data.qpos.tolist()))))
    qtbot.waitUntil(lambda: simulation.snapshot.model is new and simulation.snapshot.qpos[0] == 5)
    assert reached == [(1, [0])]


def test_what_is_for_another_model_is_neither_done_nor_noted(simulation, qtbot):
    simulation.post(requests.SetSignals({0: Signal("sine", 0.0, 1.0, 1.0)}, generation=simulation.generation - 1))
    assert not simulation.signals
    simulation.post(requests.SetControl(0, 0.5, generation=simulation.generation - 1))
    simulation.post(requests.SetControl(0, 0.25, generation=simulation.generation))
    qtbot.waitUntil(lambda: simulation.snapshot.ctrl[0] == 0.25)


def test_what_was_asked_for_is_known_at_once(simulation, qtbot):
    changes = []
    simulation.drive_changed.connect(lambda: changes.append("drive"))
    simulation.run_changed.connect(lambda: changes.append("run"))
    signal, noise = Signal("sine", 0.0, 1.0, 1.0), Noise(0.1, 0.1, 1)
    simulation.post(requests.SetSignals({0: signal}))
    assert simulation.signals == {0: signal}
    simulation.post(requests.SetNoise(noise))
    assert simulation.noise is noise
    simulation.post(requests.SetValues("qpos", 0, [0.5]))
    assert simulation.signals and changes == ["drive", "drive"]
    simulation.post(requests.SetValues("ctrl", 0, [0.5]))
    assert not simulation.signals and changes == ["drive"] * 3
    simulation.post(requests.SetSignals({0: signal}))
    simulation.post(requests.SetControl(0, 0.5))
    assert not simulation.signals
    simulation.post(requests.ClearControls())
    assert simulation.noise is None
    simulation.switch_noise(True)
    assert simulation.noise is noise
    del changes[:]
    simulation.post(requests.SetSpeed(0.5))
    assert simulation.speed == 0.5
    simulation.toggle()
    assert simulation.running and changes == ["run", "run"]
    simulation.toggle()
    assert not simulation.running
    qtbot.waitUntil(lambda: not simulation.snapshot.running and simulation.snapshot.speed == 0.5)


def test_a_run_that_has_ended_before_the_window_saw_it_is_known_to_have_ended(simulation, qtbot):
    """The window takes the newest snapshot; here it takes none until the run has ended."""
    changes = []
    simulation.run_changed.connect(lambda: changes.append(simulation.running))
    simulation.run_until(str(simulation.snapshot.time + simulation.model.opt.timestep))
    simulation.post(requests.Play())
    assert simulation.running
    thread = simulation._thread
    wait_for(lambda: thread.latest is not None and thread.latest.steps > 0 and not thread.latest.running)
    qtbot.waitUntil(lambda: simulation.snapshot.steps > 0)
    assert not simulation.running and changes[-1] is False
