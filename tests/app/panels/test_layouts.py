"""The arrangement of panels is kept for each model."""

import pytest

ONE = '<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>'


@pytest.fixture
def paths(tmp_path):
    found = [tmp_path / "one.xml", tmp_path / "two.xml"]
    for path in found:
        path.write_text(ONE)
    return [str(path) for path in found]


def open_model(window, qtbot, path):
    window.open(path)
    qtbot.waitUntil(lambda: window.project.path == path and window.layouts._path == path)
    qtbot.wait(50)


def is_open(window):
    return {name for name in ("display", "watch", "tree") if not window.docks[name].isHidden()}


def test_each_model_has_its_arrangement(make_window, qtbot, paths):
    window = make_window(paths[0])
    first, second = paths
    open_model(window, qtbot, first)
    window.docks["watch"].bring_up()
    window.docks["watch"].setFloating(True)
    window.docks["tree"].close()
    open_model(window, qtbot, second)
    assert is_open(window) == {"watch"}  # it was never arranged: all stays
    window.docks["watch"].close()
    window.docks["display"].bring_up()
    open_model(window, qtbot, first)
    assert is_open(window) == {"watch"} and window.docks["watch"].isFloating()
    open_model(window, qtbot, second)
    assert is_open(window) == {"display"}


def test_a_window_that_opens_a_model_has_its_arrangement(make_window, qtbot, paths, settings):
    window = make_window(paths[0])
    open_model(window, qtbot, paths[0])
    window.docks["tree"].close()
    open_model(window, qtbot, paths[1])
    window.docks["tree"].bring_up()
    window.close()
    window = make_window()
    assert is_open(window) == set()  # no file: no panel
    window.close()
    again = make_window(paths[0])
    open_model(again, qtbot, paths[0])
    assert is_open(again) == set()


def test_only_what_the_user_arranged_is_kept(make_window, qtbot, paths, settings):
    window = make_window(paths[0])
    open_model(window, qtbot, paths[0])
    window.resize(window.width() + 60, window.height() + 40)
    open_model(window, qtbot, paths[1])
    assert not settings.of_model(paths[0], "layout")


def test_a_spoilt_arrangement_changes_nothing(make_window, qtbot, paths, settings):
    settings.set_of_model(paths[1], "layout", "é no layout")
    window = make_window(paths[0])
    open_model(window, qtbot, paths[0])
    before = window.dock_layout.state
    open_model(window, qtbot, paths[1])
    assert window.dock_layout.state == before


def test_the_timeline_is_shown_as_the_settings_say(make_window, qtbot, paths):
    window = make_window(paths[0])
    open_model(window, qtbot, paths[0])
    window.docks["tree"].close()
    open_model(window, qtbot, paths[1])
    window.actions_["view.timeline"].trigger()
    assert not window.timeline.isVisible()
    open_model(window, qtbot, paths[0])
    assert not window.timeline.isVisible() and not window.actions_["view.timeline"].isChecked()


def test_a_model_that_is_saved_under_another_name_keeps_its_arrangement(make_window, qtbot, paths, tmp_path, settings):
    window = make_window(paths[0])
    open_model(window, qtbot, paths[0])
    window.docks["tree"].close()
    other = str(tmp_path / "other.xml")
    window.workspace.saving.save_as(other)
    qtbot.waitUntil(lambda: window.project.path == other and window.layouts._path == other)
    assert is_open(window) == set()
    assert settings.of_model(paths[0], "layout")
    open_model(window, qtbot, paths[1])
    window.docks["tree"].bring_up()
    open_model(window, qtbot, paths[0])
    assert is_open(window) == set()


def shown(window):
    return {name for name, dock in window.docks.items() if dock.in_view}


def test_without_a_file_no_panel_is_shown_and_each_comes_back_as_it_was(make_window, qtbot, paths):
    window = make_window()
    assert not shown(window) and all(dock.widget() is None for name, dock in window.docks.items() if name == "controls")
    open_model(window, qtbot, paths[0])
    qtbot.waitUntil(lambda: shown(window) == {"tree", "inspector"})
    window.docks["tree"].close()
    window.docks["watch"].bring_up()
    window.docks["watch"].setFloating(True)
    window.docks["joints"].raise_()
    qtbot.waitUntil(lambda: shown(window) == {"joints", "watch"})
    width = window.docks["joints"].width()
    window.actions_["file.close"].trigger()
    qtbot.waitUntil(lambda: not shown(window))
    open_model(window, qtbot, paths[1])
    qtbot.waitUntil(lambda: shown(window) == {"joints", "watch"})
    assert window.docks["watch"].isFloating() and window.docks["joints"].width() == width


def test_a_panel_that_is_opened_without_a_file_stays_open(make_window, qtbot, paths):
    window = make_window()
    window.actions_["panel.log"].trigger()
    qtbot.waitUntil(lambda: shown(window) == {"log"})
    open_model(window, qtbot, paths[0])
    qtbot.waitUntil(lambda: shown(window) == {"tree", "inspector", "log"})


def test_a_file_with_errors_has_its_panels(make_window, qtbot, tmp_path):
    window, path = make_window(), tmp_path / "broken.xml"
    path.write_text("<mujoco><")
    window.open(str(path))
    qtbot.waitUntil(lambda: window.compiler.failed)
    qtbot.waitUntil(lambda: "tree" in shown(window))


def test_a_window_that_ends_without_a_file_keeps_the_arrangement(make_window, qtbot, paths):
    window = make_window(paths[0])
    open_model(window, qtbot, paths[0])
    window.docks["inspector"].close()
    window.actions_["file.close"].trigger()
    qtbot.waitUntil(lambda: not shown(window))
    window.close()
    again = make_window(paths[1])
    open_model(again, qtbot, paths[1])
    qtbot.waitUntil(lambda: shown(again) in ({"tree", "controls"}, {"tree", "joints"}))  # of the same tabs


def test_the_layout_is_reset_without_a_file(make_window, qtbot, paths):
    window = make_window(paths[0])
    open_model(window, qtbot, paths[0])
    window.docks["inspector"].close()
    window.actions_["file.close"].trigger()
    qtbot.waitUntil(lambda: not shown(window))
    window.actions_["view.layout"].trigger()
    assert not shown(window)
    open_model(window, qtbot, paths[1])
    qtbot.waitUntil(lambda: shown(window) == {"tree", "inspector"})
