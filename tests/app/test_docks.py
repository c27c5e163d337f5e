"""The table of docks: every panel opens from its action, and is made only then."""

import gc
import weakref

import pytest

from kinetree.app.panels.docks import DOCKS
from kinetree.app.settings.icons import icon
from tests.app.conftest import MODEL


@pytest.fixture
def window(make_window, model_file, rig):
    return make_window(model_file, size=(1280, 800))


@pytest.mark.parametrize("row", DOCKS, ids=lambda row: row.name)
def test_a_panel_opens_and_closes_by_its_action(window, row, qtbot):
    dock, action = window.docks[row.name], window.actions_[f"panel.{row.name}"]
    assert dock.isHidden() != row.is_open and dock.windowTitle() == row.title
    if row.panel and not row.is_open:
        assert dock.widget() is None
    if row.icon:
        assert not icon(row.icon).pixmap(16, 16).isNull()
    if dock.in_view:
        action.trigger()
        qtbot.waitUntil(lambda: not dock.in_view and not action.isChecked())
    action.trigger()
    qtbot.waitUntil(lambda: dock.in_view and action.isChecked())
    assert dock.widget() is not None
    action.trigger()
    qtbot.waitUntil(lambda: dock.isHidden() and not action.isChecked())


def test_an_action_brings_up_what_is_behind_another_tab(window, qtbot):
    window.docks["source"].show()
    window.docks["problems"].bring_up()
    qtbot.waitUntil(lambda: not window.docks["source"].in_view)
    window.actions_["panel.source"].trigger()
    qtbot.waitUntil(lambda: window.docks["source"].in_view and not window.docks["problems"].in_view)


def test_the_source_panel_opens_high_enough_to_read_from_the_view_menu(window, qtbot):
    window.actions_["panel.source"].trigger()
    qtbot.waitUntil(lambda: window.docks["source"].height() >= window.height() // 3 - 5)


def test_panels_that_come_into_view_together_are_made_in_turns(window, monkeypatch):
    works = []
    monkeypatch.setattr(window.workspace.idle_queue, "ask", works.append)
    docks = [window.docks[name] for name in ("keyframes", "sensors", "facts")]
    for dock in docks:
        dock.setFloating(True)
        dock.show()
        dock._come_into_view(True)  # as Qt tells, now or in the next pass of the event loop
    assert [dock.widget() for dock in docks] == [None] * 3
    for number, dock in enumerate(docks):
        works[[work.__self__ for work in works].index(dock)]()
        assert [dock.widget() is not None for dock in docks] == [True] * (number + 1) + [False] * (2 - number)
    panels = [dock.panel for dock in docks]
    for work in works:
        work()
    assert [dock.panel for dock in docks] == panels


def test_closed_panels_keep_no_model_that_is_not_open(window, tmp_path, qtbot):
    """Panels stay when they are closed. What they showed does not."""
    for row in DOCKS:
        window.docks[row.name].bring_up()
        qtbot.waitUntil(lambda row=row: window.docks[row.name].widget() is not None)
        qtbot.wait(50)
    facts = window.docks["facts"].panel
    window.docks["facts"].bring_up()
    for part in range(facts.tabs.count()):
        facts.show_part(part)
        qtbot.wait(50)
    window.docks["profiler"].bring_up()
    profiler = window.docks["profiler"].panel
    qtbot.waitUntil(lambda: profiler.profile is not None)
    for dock in window.docks.values():
        dock.close()
    alive, profiled = weakref.ref(window.simulation.model), weakref.ref(profiler._profiler._model)
    other = tmp_path / "other.xml"
    other.write_text(MODEL)
    window.open(str(other))
    is_open = lambda: window.simulation.model is not None and window.simulation.model is not alive()  # noqa: E731
    qtbot.waitUntil(is_open)
    snapshot = lambda: window.simulation.snapshot  # noqa: E731
    qtbot.waitUntil(lambda: snapshot() is not None and snapshot().model is window.simulation.model)

    def is_gone() -> bool:
        gc.collect()
        return alive() is None and profiled() is None

    qtbot.waitUntil(is_gone)
