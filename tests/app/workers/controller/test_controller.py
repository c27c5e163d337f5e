"""Controller files in real processes, in lock-step with a simulation thread."""

import os
import subprocess

import numpy as np
import pytest

import kinetree
from kinetree.app.workers.compiler.channel import Message, MessageChannel
from kinetree.app.workers.controller import client
from kinetree.app.workers.controller.client import ControllerListener, ControllerProcess
from kinetree.app.workers.simulation import controlling, requests
from kinetree.engine.interpreter import command
from kinetree.engine.platforms import connections
from kinetree.engine.run.control import layout, pack
from kinetree.engine.run.signals import Signal
from tests.app.conftest import wait_for
from tests.app.workers.simulation.test_thread import settle, simulation
from tests.patience import LIMIT

MODEL = """<mujoco><option timestep=".01"/><worldbody>
  <body><joint name="slide" type="slide" axis="1 0 0"/><geom size=".1" mass="1" contype="0"/>
    <body><joint name="ball" type="ball"/><geom size=".1" mass="1" pos=".3 0 0" contype="0"/></body></body>
</worldbody>
<actuator><motor name="push" joint="slide" ctrlrange="-5 5"/><motor name="twist" joint="ball" gear="0 0 1"/></actuator>
<sensor><jointpos name="place" joint="slide"/><ballquat name="turn" joint="ball"/></sensor></mujoco>"""

SPRING = """
def control(time, data):
    joint = data.joint("slide")
    return [1.0 - 4.0 * joint.qpos - joint.qvel, 0.1]
"""


class Told:
    """Reports of processes, in order."""

    def __init__(self):
        self.ready, self.failed, self.said, self.started = [], [], [], []
        self.listener = ControllerListener(
            self.ready.append, lambda _process, failure: self.failed.append(failure),
            lambda _process, text: self.said.append(text),
        )  # fmt: skip

    def start(self, path, model):
        process = ControllerProcess(str(path), layout(model), self.listener)
        self.started.append(process)
        process.start()
        return process

    def started_and_ready(self, path, model):
        number = len(self.ready)
        process = self.start(path, model)
        wait_for(lambda: len(self.ready) > number or self.failed)
        assert self.ready[number:] == [process], self.failed
        return process


def is_gone(pid):
    """Whether nothing is left of a process, which its parent has waited for."""
    return not os.path.exists(f"/proc/{pid}")


@pytest.fixture(scope="module")
def model():
    from kinetree.engine.run.warmup import warmup

    model = kinetree.load_string(MODEL)
    assert warmup(model)
    return model


@pytest.fixture
def told():
    told = Told()
    yield told
    for process in told.started:
        process.kill()
        process.join(LIMIT)
        assert not process.is_alive() and (process.pid is None or is_gone(process.pid))


@pytest.fixture
def file(tmp_path):
    return tmp_path / "walk.py"


@pytest.fixture
def paused(model):
    with simulation() as thread:
        thread.post(requests.Load(model.copy(), 1, keep=False, ready=True))
        yield thread
        assert thread.failures == []


def drive(paused, told, file, text, model):
    file.write_text(text)
    process = told.started_and_ready(file, model)
    paused.post(requests.SetController(process, generation=1))
    return process


def stepped(paused, time):
    """The snapshot once so many steps were taken."""
    return wait_for(lambda: settle(paused, lambda s: True) if paused.latest.time > time else None)


def by_hand(model, steps, control):
    model = model.copy()
    data = kinetree.Data(model)
    for _ in range(steps):
        data.ctrl[:] = control(data)
        kinetree.step(model, data)
    return data


def test_the_run_is_that_of_the_same_controls_by_hand_to_the_bit(paused, told, file, model):
    drive(paused, told, file, SPRING, model)
    paused.post(requests.StepRequest(200))
    snapshot = stepped(paused, 1.995)
    expected = by_hand(model, 200, lambda data: [1.0 - 4.0 * data.qpos[0] - data.qvel[0], 0.1])
    assert np.array_equal(snapshot.qpos, expected.qpos) and np.array_equal(snapshot.qvel, expected.qvel)
    paused.post(requests.Seek(50))  # the past is computed again without the controller
    back = settle(paused)
    expected = by_hand(model, 50, lambda data: [1.0 - 4.0 * data.qpos[0] - data.qvel[0], 0.1])
    assert np.array_equal(back.qpos, expected.qpos)


def test_a_slow_controller_makes_the_run_slow_and_not_different(paused, told, file, model):
    drive(paused, told, file, "import time as clock" + SPRING.replace("joint =", "clock.sleep(0.02); joint ="), model)
    paused.post(requests.StepRequest(10))
    snapshot = stepped(paused, 0.095)
    expected = by_hand(model, 10, lambda data: [1.0 - 4.0 * data.qpos[0] - data.qvel[0], 0.1])
    assert np.array_equal(snapshot.qpos, expected.qpos)
    assert told.started[0].seconds > 0.015


def test_names_rate_reset_and_what_is_returned(paused, told, file, model):
    drive(
        paused, told, file,
        """
RATE = 20  # every fifth step
calls = []
def reset(data):
    calls.clear()
def control(time, data):
    calls.append(round(time, 6))
    assert data.sensor("turn").data.shape == (4,) and data.sensor("place").data[0] == data.sensordata[0]
    assert data.joint("ball").qpos.shape == (4,) and data.joint("ball").qvel.shape == (3,)
    assert data.joint("slide").qpos.shape == (1,) and data.joint(0).qvel.shape == (1,)
    assert data.actuator("push").ctrlrange.tolist() == [-5.0, 5.0] and data.nu == 2 and data.timestep == 0.01
    print(calls)
    return {"twist": len(calls)}
""", model,
    )  # fmt: skip
    paused.post(requests.StepRequest(11))
    assert stepped(paused, 0.105).ctrl.tolist() == [0.0, 3.0]
    wait_for(lambda: len(told.said) == 3)
    assert told.said[-1] == "[0.0, 0.05, 0.1]"
    paused.post(requests.Reset())
    paused.post(requests.StepRequest(1))
    wait_for(lambda: len(told.said) == 4)
    assert told.said[-1] == "[0.0]"


def test_signals_take_over_from_the_controller_and_zero_ends_nothing(paused, told, file, model):
    drive(paused, told, file, SPRING, model)
    paused.post(requests.SetSignals({1: Signal("square", 2.0, 1.0, 1.0)}, generation=1))
    paused.post(requests.StepRequest(1))
    assert stepped(paused, 0.005).ctrl.tolist() == [1.0, 3.0]
    paused.post(requests.SetController(None, generation=1))
    told.started[0].join(LIMIT)
    assert not told.started[0].is_alive() and told.failed == []


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("def control(time, data)\n    return 0", 1, "expected ':'"),
        ("import nothing_like_it\ndef control(t, d): pass", 1, "ModuleNotFoundError"),
        ("x = 1", 1, "no function control(time, data)"),
        ("RATE = 'fast'\ndef control(t, d): pass", 1, "RATE must be a number"),
        ("import os\nos._exit(3)", 0, "the process ended (3)"),
        ("raise SystemExit", 1, "SystemExit"),
    ],
)
def test_a_file_that_cannot_be_used_says_where_and_why(told, file, model, text, line, message):
    file.write_text(text)
    told.start(file, model)
    wait_for(lambda: told.failed or told.ready)
    (failure,) = told.failed
    assert failure.line == line and message in failure.message
    assert failure.text.startswith(f"walk.py:{line}: " if line else "walk.py: ")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return 1 / 0", "walk.py:3: ZeroDivisionError"),
        ("return data.joint('slid').qpos", "walk.py:3: KeyError: no joint is named 'slid'; did you mean 'slide'?"),
        ("return [1.0]", "returned 1 numbers for 2 actuators"),
        ("return [float('nan'), 0]", "returned nan for the actuator push"),
        ("import os; os.kill(os.getpid(), 9)", "the process ended (SIGKILL)"),
    ],
)
def test_an_error_pauses_the_run_at_its_step_and_the_controls_stay(paused, told, file, model, body, message):
    drive(
        paused,
        told,
        file,
        f"def control(time, data):\n    if time > 0.045:\n        {body}\n    return [time, 2]\n",
        model,
    )
    paused.post(requests.Play())
    wait_for(lambda: told.failed)
    assert message in told.failed[0].text
    snapshot = settle(paused, lambda s: not s.running)
    assert snapshot.time == pytest.approx(0.05) and snapshot.ctrl.tolist() == pytest.approx([0.04, 2])
    paused.post(requests.StepRequest(1))  # on without it
    assert stepped(paused, 0.055).ctrl.tolist() == pytest.approx([0.04, 2])


def test_an_endless_loop_is_ended_and_the_thread_answers_meanwhile(paused, told, file, model, monkeypatch):
    monkeypatch.setattr(controlling, "DEADLINE", 0.3)
    process = drive(paused, told, file, "def control(time, data):\n    while True: pass\n", model)
    paused.post(requests.Play())
    settle(paused)
    wait_for(lambda: told.failed)
    assert "has not answered for 0.3 s" in told.failed[0].message
    assert settle(paused, lambda s: not s.running).time == 0.0
    process.join(LIMIT)
    assert is_gone(process.pid)


def test_an_endless_import_is_ended(told, file, model, monkeypatch):
    monkeypatch.setattr(client, "LOADING", 0.5)
    file.write_text("while True: pass")
    process = told.start(file, model)
    wait_for(lambda: told.failed)
    assert "was not imported within 0.5 s" in told.failed[0].message
    process.join(LIMIT)
    assert is_gone(process.pid)


def test_a_process_ends_with_the_connection_in_an_endless_loop_too(file, model):
    """As when the window is killed: nobody is left to end the process."""
    file.write_text("def control(time, data):\n    while True: pass\n")
    process, connection = connections.start(lambda end: command(client.MODULE, end))
    channel = MessageChannel(connection)
    channel.send(Message({"do": "load", "path": str(file), "layout": layout(model), "language": "en"}))
    assert channel.receive().plain["is"] == "ready"
    state = pack(kinetree.Data(model))
    channel.send(Message({"do": "control", "job": 1, "begins": True}, {"state": state}))
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(0.2)
    channel.close()
    assert process.wait(LIMIT) == 0


def test_it_goes_on_with_the_next_version_of_the_model(paused, told, file, model):
    drive(paused, told, file, "def control(time, data):\n    return {'push': data.nu}\n", model)
    paused.post(requests.StepRequest(1))
    assert stepped(paused, 0.005).ctrl.tolist() == [2.0, 0.0]
    other = kinetree.load_string(MODEL.replace("<actuator>", '<actuator><motor name="new" joint="slide"/>'))
    paused.post(requests.Load(other, 2, keep=True, ready=True))
    paused.post(requests.StepRequest(1))
    assert stepped(paused, 0.015).ctrl.tolist() == [0.0, 3.0, 0.0]
