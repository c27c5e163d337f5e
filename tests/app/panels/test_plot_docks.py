"""Any number of panels of plots: opened, closed, placed with the layout, open again for the model they were open for."""

import pytest
from PySide6.QtCore import QSettings

from tests.app.conftest import MODEL


@pytest.fixture
def window(make_window, model_file, rig):
    return make_window(model_file, size=(1280, 800))


def opened(window):
    """The names of the further docks that are open."""
    return [dock.objectName() for dock in window.plots.further() if not dock.isHidden()]


def test_as_many_panels_as_are_wanted(window, qtbot):
    window.actions_["panel.plots"].trigger()
    for number in range(2, 13):
        window.actions_["plots.new"].trigger()
        dock = window.docks[f"plots{number}"]
        qtbot.waitUntil(lambda dock=dock: dock.in_view)
        assert dock.windowTitle() == f"Plots {number}" and window.actions_[f"panel.plots{number}"].isChecked()
    docks = window.plots.all()
    assert len(docks) == 12 and not any(dock.isHidden() for dock in docks)
    assert len({dock.panel.kept_as for dock in docks}) == 12
    assert window.width() == 1280, "panels that have no room beside each other are tabs"
    assert docks[-1].panel.isVisible() and not docks[-1].panel.recording.quantities
    texts = [action.text() for action in window.actions_.menus["View/More Plots"].actions()]
    assert [text.replace("&", "") for text in texts] == ["New Panel", *(f"Plots {number}" for number in range(2, 13))]


def test_a_closed_panel_is_used_before_another_one_is_made(window, qtbot):
    for _ in range(3):
        window.actions_["plots.new"].trigger()
    assert opened(window) == ["plots2", "plots3"], "the first one was closed"
    window.actions_["panel.plots2"].trigger() if window.docks["plots2"].in_view else window.docks["plots2"].close()
    window.actions_["plots.new"].trigger()
    assert opened(window) == ["plots2", "plots3"] and len(window.plots.all()) == 3


def test_panels_are_open_again_for_the_model(make_window, window, settings, model_file, tmp_path, qtbot):
    other = tmp_path / "other.xml"
    other.write_text(MODEL.replace('"rig"', '"other"'))
    for _ in range(4):
        window.plots.open_other()
    window.docks["plots3"].close()
    assert opened(window) == ["plots2", "plots4"]
    window.open(str(other))
    qtbot.waitUntil(lambda: opened(window) == [])
    window.plots.open_other()
    window.plots.open_other()
    there = opened(window)
    assert there
    window.open(str(model_file))
    qtbot.waitUntil(lambda: opened(window) == ["plots2", "plots4"])
    window.open(str(other))
    qtbot.waitUntil(lambda: opened(window) == there)
    window.close()
    again = make_window(model_file)
    qtbot.waitUntil(lambda: opened(again) == ["plots2", "plots4"])


def test_the_places_of_panels_are_part_of_the_layout(make_window, window, settings, model_file, qtbot):
    for _ in range(3):
        window.plots.open_other()
    window.docks["plots2"].setFloating(True)
    window.close()
    assert QSettings(settings.file, QSettings.Format.IniFormat).contains("layout/plots")
    again = make_window(model_file)
    qtbot.waitUntil(lambda: opened(again) == ["plots2", "plots3"])
    assert again.docks["plots2"].isFloating() and not again.docks["plots3"].isFloating()
    again.dock_layout.reset()
    assert opened(again) == [] and again.docks["plots"].isHidden()
    assert not again.docks["plots2"].isFloating()
    again.plots.open_other()
    again.plots.open_other()
    assert not again.docks["plots2"].isHidden()
    assert again.dockWidgetArea(again.docks["plots2"]) == again.dockWidgetArea(again.docks["plots"])


@pytest.mark.parametrize("text", ["plots0 plots1 plots plots-3 rubbish", "plots03", ""])
def test_names_that_are_no_panels_are_passed_over(make_window, model_file, settings, rig, qtbot, text):
    settings.set_of_model(str(model_file), "open_plots", f"{text} plots5".strip())
    window = make_window(model_file)
    qtbot.waitUntil(lambda: opened(window) == ["plots5"])
    assert [dock.objectName() for dock in window.plots.all()] == ["plots", "plots5"]


def test_keys_of_further_panels_are_remembered(make_window, window, settings, model_file, qtbot):
    window.plots.open_other()
    window.plots.open_other()
    window.actions_.set_keys("panel.plots2", ["Ctrl+Alt+F9"])
    window.close()
    again = make_window(model_file)
    again.actions_.set_keys("panel.watch", ["Ctrl+Alt+F8"])  # writes all keys that are known
    qtbot.waitUntil(lambda: opened(again) == ["plots2"])
    assert again.actions_.key_text("panel.plots2") == "Ctrl+Alt+F9"
