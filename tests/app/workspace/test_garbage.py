"""Garbage is looked for when a model was replaced, and not while something else is done."""

import gc
import threading
import weakref

import pytest

from app.workspace.garbage import OLD, YOUNG, GarbageCollection
from app.workspace.workspace import Workspace
from engine.storage.loading import load_string
from tests.app.conftest import MODEL


class Ring:
    """An object that only the collector can free."""

    def __init__(self):
        self.itself = self


@pytest.fixture
def collection(qapp, monkeypatch):
    workspace = Workspace()
    simulation = workspace.simulation
    workspace.compiler.compiled.disconnect()  # the test says when a text was compiled
    before = gc.get_threshold()
    found = GarbageCollection(workspace, settled=50)
    assert gc.get_threshold()[2] == OLD
    yield workspace, simulation
    found.end()
    assert gc.get_threshold() == before and gc.get_freeze_count() == 0 and gc.isenabled()
    workspace.close()


def test_garbage_of_an_edit_is_collected_soon_after(collection, qtbot):
    workspace, simulation = collection
    model = load_string(MODEL)
    simulation.show(model, keep=False, ready=True)
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0)
    gone = weakref.ref(Ring())
    gc.collect(0)
    assert gone() is None
    ring = Ring()
    gone = weakref.ref(ring)
    gc.collect(1)  # it is old now
    del ring
    gc.collect(1)
    assert gone() is not None
    simulation.show(load_string(MODEL), keep=True, ready=True)
    workspace.compiler.compiled.emit(None)
    qtbot.waitUntil(lambda: gone() is None)


def test_another_model_frees_what_came_with_the_one_before(collection, qtbot):
    _, simulation = collection
    ring = Ring()
    gone = weakref.ref(ring)
    simulation.show(load_string(MODEL), keep=False, ready=True)
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0)
    del ring
    gc.collect()
    assert gone() is not None  # it was there when the model was
    simulation.show(load_string(MODEL), keep=False, ready=True)
    assert gc.get_freeze_count() == 0
    qtbot.waitUntil(lambda: gc.get_freeze_count() > 0)
    assert gone() is None


def test_only_the_thread_of_the_window_collects(collection, qtbot):
    deleted_in, kept = [], []

    class Noted(Ring):
        def __del__(self):
            deleted_in.append(threading.current_thread())

    def work():
        Noted()
        kept.extend([number] for number in range(20 * YOUNG))
        assert not deleted_in

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: bool(deleted_in))
    assert deleted_in == [threading.main_thread()]
