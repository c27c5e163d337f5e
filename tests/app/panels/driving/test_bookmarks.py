"""The panel of bookmarks: saved views are gone to, renamed, reordered, deleted, and given keys."""

import numpy as np
import pytest
from PySide6.QtCore import Qt

from kinetree.app.panels.dialogs.keys_dialog import KeysDialog
from kinetree.app.panels.driving.bookmarks import KEYS, NAME


@pytest.fixture
def panel(window, qtbot):
    window.view.flight = 0
    window.docks["bookmarks"].bring_up()
    panel = window.docks["bookmarks"].panel
    for number, name in enumerate(("front", "side", "top")):
        camera = window.view.camera.copy()
        camera.azimuth = 10.0 + 20.0 * number
        window.workspace.bookmarks.add(name, camera, window.simulation.model)
    return panel


def lines(panel):
    items = [panel.list.topLevelItem(place) for place in range(panel.list.topLevelItemCount())]
    return [(item.text(NAME), item.text(KEYS)) for item in items]


def choose(panel, number):
    panel.list.setCurrentItem(panel.list.topLevelItem(number))


def test_a_view_is_gone_to_with_return_and_found_by_its_name(panel, qtbot):
    window = panel.window()
    assert lines(panel) == [("front", "Alt+1"), ("side", "Alt+2"), ("top", "Alt+3")]
    choose(panel, 1)
    qtbot.keyClick(panel.list, Qt.Key.Key_Return)
    assert np.isclose(window.view.camera.azimuth, 30.0)
    panel.filter.setText("to")
    hidden = [panel.list.topLevelItem(place).isHidden() for place in range(3)]
    assert hidden == [True, True, False]


def test_names_order_and_number_are_changed(panel, qtbot):
    window = panel.window()
    names = lambda: [each.name for each in window.workspace.bookmarks.items]  # noqa: E731
    choose(panel, 2)
    panel.buttons["up"].click()
    assert names() == ["front", "top", "side"] and panel.current == 1 and lines(panel)[1] == ("top", "Alt+2")
    panel.list.topLevelItem(1).setText(NAME, " above ")
    assert names() == ["front", "above", "side"]
    for wrong in ("", "side"):
        panel.list.topLevelItem(1).setText(NAME, wrong)
        assert names() == ["front", "above", "side"] == [name for name, _ in lines(panel)]
    item = panel.list.takeTopLevelItem(2)  # as a drag to the top does
    panel.list.insertTopLevelItem(0, item)
    panel.list.moved.emit()
    assert names() == ["side", "front", "above"]
    choose(panel, 1)
    qtbot.keyClick(panel.list, Qt.Key.Key_Delete)
    assert names() == ["side", "above"] == [name for name, _ in lines(panel)]
    assert not panel.buttons["down"].isEnabled() and panel.buttons["up"].isEnabled()


def test_keys_of_bookmarks_are_changed(panel, qtbot):
    window = panel.window()
    choose(panel, 1)
    menu = panel.menu()
    next(action for action in menu.actions() if "Keys" in action.text()).trigger()
    menu.close()
    (dialog,) = window.findChildren(KeysDialog)
    assert dialog.current.id == "bookmark.2"
    window.actions_.set_keys("bookmark.2", ("F24",))
    assert lines(panel)[1] == ("side", "F24")
    assert window.actions_["bookmark.2"].text() == "side" and not window.actions_["bookmark.7"].isVisible()
