"""A window comes in two parts: the first picture does not wait for panels and handlers, and nothing is missing after."""

from __future__ import annotations

import pytest

from kinetree.app.panels.writing.tree.commands import SMALL
from kinetree.app.settings.settings import Settings
from kinetree.app.window import Window

BROKEN = "<mujoco><worldbody><geom size='big'/></worldbody></mujoco>"


@pytest.fixture
def begin(qtbot, tmp_path):
    """begin(path, complete): a shown window that opens a file, whose second part is there or still to come."""
    windows = []

    def make(path, complete=False):
        window = Window(Settings(str(tmp_path / f"settings{len(windows)}")), complete=complete)
        windows.append(window)
        qtbot.addWidget(window, before_close_func=lambda each: each.close_anyway())
        window.resize(1000, 640)
        assert window.is_complete == complete
        if complete:
            window.show()
            window.open(str(path))
        else:
            window.begin("" if path is None else str(path))
        return window

    yield make
    for window in windows:
        window.close_anyway()


def settled(window, qtbot) -> None:
    """Wait until a window shows its model, with all panels in view and all findings."""
    qtbot.waitUntil(lambda: window.is_complete)
    qtbot.waitUntil(lambda: all(dock.widget() is not None for dock in window.docks.values() if dock.in_view))
    simulation = window.simulation
    qtbot.waitUntil(lambda: simulation.snapshot is not None and simulation.snapshot.ready)
    qtbot.waitUntil(lambda: not window.tree.busy and not window.workspace.tasks.is_busy)


def state(window) -> dict:
    """Everything that a window shows, apart from the running simulation."""
    outline = window.tree.outline
    return {
        "title": window.windowTitle(),
        "enabled": {name: action.isEnabled() for name, action in window.actions_.by_id.items()},
        "checked": {name: action.isChecked() for name, action in window.actions_.by_id.items()},
        "keys": {name: [key.toString() for key in each.shortcuts()] for name, each in window.actions_.by_id.items()},
        "menus": {path: [action.text() for action in menu.actions()] for path, menu in window.actions_.menus.items()},
        "docks": {name: (dock.geometry(), dock.isVisible(), dock.in_view) for name, dock in window.docks.items()},
        "viewport": window.viewport.geometry(),
        "tree": [(type(item).__name__, int(depth)) for item, depth in zip(outline.items, outline.depths, strict=True)],
        "source": (window.source.paths, window.source.editor is not None),
        "problems": [item.message for item in window.problems.model.items],
        "shelf": (window.frame.shelf.isVisible(), list(window.frame.shelf.things)),
        "history": window.history.model.rowCount(),
    }


@pytest.fixture(params=[0, SMALL], ids=["small", "large"])
def remarked(tmp_path, request):
    """A model with a finding of the checks, and elements that its expansion makes; the rows of a large one are made by
    a thread."""
    path = tmp_path / "remarked.xml"
    path.write_text(
        f"<mujoco> stray <!-- {'x' * request.param} --><worldbody><body name='b'><joint name='j'/><geom size='.1'/></body>"
        "<replicate count='3' offset='1 0 0'><body><geom size='.1'/></body></replicate></worldbody>"
        "<actuator><motor joint='j'/></actuator></mujoco>"
    )
    return path


def test_both_ways_end_with_the_same_window(begin, remarked, qtbot):
    states = []
    for complete in (True, False):
        window = begin(remarked, complete)
        settled(window, qtbot)
        qtbot.waitUntil(lambda window=window: len(window.problems.model.items) > 0)
        qtbot.waitUntil(lambda window=window: len(window.tree.outline) > 10)
        states.append(state(window))
        window.close_anyway()
    whole, parts = states
    assert whole["problems"]
    for name, value in whole.items():
        assert parts[name] == value, name


def test_the_picture_comes_first_and_stays_where_it_is(begin, model_file, qtbot):
    window = begin(model_file)
    at_first = []
    window.viewport.drawn.connect(lambda _model: at_first.append((window.is_complete, window.viewport.size())))
    settled(window, qtbot)
    assert at_first[0] == (False, window.viewport.size())


def test_a_file_with_errors_waits_for_no_picture(begin, tmp_path, qtbot):
    path = tmp_path / "broken.xml"
    path.write_text(BROKEN)
    window = begin(path)
    qtbot.waitUntil(lambda: window.is_complete)
    qtbot.waitUntil(lambda: window.start.problems.isVisible())
    assert [item.code for item in window.problems.model.items] == [
        item.code for item in window.start.problems.model.items
    ]


def test_without_a_file_it_is_complete_soon(begin, qtbot):
    window = begin(None)
    qtbot.waitUntil(lambda: window.is_complete)
    assert window.start.isVisible() and not window.workspace.opening.shown_path


def test_a_panel_or_the_end_makes_it_complete_at_once(begin, model_file):
    window = begin(model_file)
    window.docks["joints"].bring_up()
    assert window.is_complete and window.docks["joints"].widget() is not None
    window = begin(model_file)
    window.close()
    assert window.is_complete and not window.isVisible()
