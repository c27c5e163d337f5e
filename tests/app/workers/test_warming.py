"""The warm-up thread by itself."""

import gc
import weakref

import kinetree
from kinetree.app.workers.warming import WarmUpThread
from tests.patience import LIMIT

MODEL = '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>'


def test_a_thread_that_has_ended_keeps_no_model():
    model = kinetree.load_string(MODEL)
    alive, ready = weakref.ref(model), []
    thread = WarmUpThread(model, 3, lambda *_: None, ready.append, lambda *_: None)
    thread.start()
    thread.join(LIMIT)
    assert not thread.is_alive() and ready == [3]
    del model
    gc.collect()
    assert alive() is None
