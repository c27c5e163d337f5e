"""Garbage is looked for among new objects, among old ones where they are many, and only by the thread of the window."""

import gc
import sys
import threading
import weakref
from pathlib import Path

import pytest

from kinetree.app.workspace import garbage
from kinetree.app.workspace.garbage import YOUNG, GarbageCollection
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.source import Source
from kinetree.engine.document.tree import Node
from kinetree.engine.storage.loading import load_string
from tests.app.conftest import MODEL
from tests.patience import LIMIT


class Ring:
    """An object that only the collector can free."""

    def __init__(self):
        self.itself = self


def dropped_ring(is_old: bool = False) -> weakref.ref:
    """A ring that nobody holds; one of the oldest generation, if it is old."""
    ring = Ring()
    if is_old:
        grow_old()
    return weakref.ref(ring)


def grow_old() -> None:
    """Make all objects those of the oldest generation."""
    gc.freeze()
    gc.unfreeze()


@pytest.fixture
def collection(qapp, monkeypatch):
    workspace = Workspace()
    simulation = workspace.simulation
    workspace.compiler.compiled.disconnect()  # the test says when a text was compiled
    found = GarbageCollection(workspace, settled=50)
    assert not gc.isenabled()
    yield workspace, simulation
    found.end()
    assert gc.get_freeze_count() == 0 and gc.isenabled()
    workspace.close()


def test_new_objects_are_searched_where_they_are_many(collection, qtbot):
    gone = dropped_ring()
    kept = [[number] for number in range(YOUNG + 1000)]
    qtbot.waitUntil(lambda: gone() is None)
    assert len(kept) == YOUNG + 1000


def test_very_many_new_objects_are_old_without_a_search(collection, qtbot, monkeypatch):
    monkeypatch.setattr(garbage, "FEW", YOUNG)
    gone = dropped_ring()
    kept = [[number] for number in range(YOUNG + 1000)]
    qtbot.waitUntil(lambda: gc.get_count()[0] < YOUNG)
    gc.collect(garbage.YOUNGER)
    assert gone() is not None and kept


def test_old_objects_are_searched_in_a_pause_where_they_are_many(collection, qtbot, monkeypatch):
    monkeypatch.setattr(garbage, "COUNT", 0.0)
    gone = dropped_ring(is_old=True)
    gc.collect(garbage.YOUNGER)
    assert gone() is not None
    monkeypatch.setattr(garbage, "PAUSE", 0.0)
    monkeypatch.setattr(garbage, "MUCH", 100_000)
    blocks = [[number] for number in range(200_000)]
    qtbot.waitUntil(lambda: gone() is None)
    assert len(blocks) == 200_000


def test_an_edit_puts_off_the_search_of_everything(collection, qtbot, monkeypatch):
    workspace, _ = collection
    monkeypatch.setattr(garbage, "COUNT", 0.0)
    monkeypatch.setattr(garbage, "MUCH", -sys.maxsize)
    monkeypatch.setattr(garbage, "PAUSE", LIMIT)
    searched = []
    gc.callbacks.append(lambda phase, info: searched.append(info["generation"]))
    try:
        workspace.compiler.compiled.emit(None)
        gone = dropped_ring(is_old=True)
        qtbot.wait(3 * garbage.OFTEN)
        assert 2 not in searched and gone() is not None
        monkeypatch.setattr(garbage, "PAUSE", 0.0)
        monkeypatch.setattr(garbage, "PATIENCE", 0.0)
        qtbot.waitUntil(lambda: gone() is None)
    finally:
        gc.callbacks.pop()


def test_another_model_frees_what_came_with_the_one_before(collection, qtbot):
    _, simulation = collection
    ring = Ring()
    gone = weakref.ref(ring)
    simulation.show(load_string(MODEL), keep=False, ready=True)
    grow_old()
    del ring
    gc.collect(garbage.YOUNGER)
    assert gone() is not None
    simulation.show(load_string(MODEL), keep=False, ready=True)
    qtbot.waitUntil(lambda: gone() is None)


def test_only_the_thread_of_the_window_collects(collection, qtbot):
    deleted_in, kept = [], []

    class Noted(Ring):
        def __del__(self):
            deleted_in.append(threading.current_thread())

    def work():
        Noted()
        kept.extend([number] for number in range(YOUNG + 1000))
        assert not deleted_in

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    qtbot.waitUntil(lambda: bool(deleted_in))
    assert deleted_in == [threading.main_thread()]


def test_the_tree_of_a_text_goes_piece_by_piece(collection, qtbot, monkeypatch):
    monkeypatch.setattr(garbage, "PIECE", 0.0)
    parsed = ParsedSource.parse(Source("many.xml", None, "<a>" + "<b c='1'/>" * 900 + "</a>", Path()))
    assert len(parsed.root.children) == 900

    def left() -> int:
        return sum(isinstance(each, Node) and each.source is source for each in gc.get_objects())

    source = parsed.source
    del parsed
    assert left() == 901
    qtbot.waitUntil(lambda: left() == 0)


def test_where_a_thorough_search_finds_little_the_next_one_waits_longer(collection, qtbot, monkeypatch):
    monkeypatch.setattr(garbage, "COUNT", 0.0)
    monkeypatch.setattr(garbage, "PAUSE", 0.0)
    monkeypatch.setattr(garbage, "PATIENCE", 0.0)
    monkeypatch.setattr(garbage, "YOUNG", sys.maxsize)
    blocks, counts, searches = sys.getallocatedblocks(), [], []

    def count() -> int:
        counts.append(blocks)
        return blocks

    monkeypatch.setattr(sys, "getallocatedblocks", count)
    gc.callbacks.append(lambda phase, _info: phase == "start" and searches.append(phase))
    try:
        blocks += 2 * garbage.MUCH
        qtbot.waitUntil(lambda: len(searches) == 1)
        blocks += garbage.MUCH + garbage.MUCH // 2
        counts.clear()
        qtbot.waitUntil(lambda: len(counts) > 3)
        assert len(searches) == 1
        blocks += garbage.MUCH
        qtbot.waitUntil(lambda: len(searches) == 2)
    finally:
        gc.callbacks.pop()
