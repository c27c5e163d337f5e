"""The simulation thread by itself, without a window."""

import kinetree
from kinetree.app.workers.simulation import Simulation
from tests.app.conftest import wait_for
from tests.patience import LIMIT

MODEL = '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>'


def started():
    """(thread, failures) with a model that runs with two threads for a step."""
    failures: list[str] = []
    thread = Simulation(lambda: None, lambda message, _details: failures.append(message))
    thread.start()
    thread.set_threads(2)
    thread.load(kinetree.load_string(MODEL), 1, keep=False, ready=True)
    thread.play()
    wait_for(lambda: thread.latest is not None and thread.latest.time > 0.01)
    return thread, failures


def test_a_failure_while_the_program_ends_is_not_told():
    """The program may end while a step waits: its pool of threads is closed by then."""
    thread, failures = started()
    assert thread._threads is not None
    thread._post(
        lambda: thread.stop() or thread._threads.close() or (thread._loaded and thread._compute(thread._loaded))
    )
    thread.join(LIMIT)
    assert not thread.is_alive() and failures == []


def test_a_failure_is_told_and_the_thread_goes_on():
    thread, failures = started()
    thread._post(lambda: 1 / 0)
    wait_for(lambda: failures)
    assert failures == ["ZeroDivisionError: division by zero"]
    thread.play()
    before = thread.latest.time
    wait_for(lambda: thread.latest.time > before)
    thread.stop()
    thread.join(LIMIT)
    assert not thread.is_alive()
