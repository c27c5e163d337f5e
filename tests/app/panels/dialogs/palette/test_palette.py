"""The palette finds actions and elements, and does what is chosen where the user was before."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit

from kinetree.app.panels.dialogs.palette.palette import Palette

KEY = Qt.Key


@pytest.fixture
def palette(window, qtbot):
    qtbot.keyClick(window.viewport, KEY.Key_P, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    (palette,) = window.findChildren(Palette)
    assert palette.isVisible() and window.focusWidget() is palette.line
    return palette


def names(palette) -> list[str]:
    return [entry.name for entry in palette.rows.entries]


def test_an_action_is_found_and_run(palette, window, qtbot, settings):
    assert len(names(palette)) == len(window.actions_.rows) - 1
    qtbot.keyClicks(palette.line, "transp")
    assert names(palette)[0] == "Surfaces: Transparent" and palette.rows.side(0) == "T"
    qtbot.keyClick(palette.line, KEY.Key_Return)
    assert window.view.options.transparent and not palette.isVisible()
    assert window.focusWidget() is window.viewport
    assert settings.used_actions() == ["flag.transparent"]
    palette.open()
    assert names(palette)[0] == "Surfaces: Transparent" and palette.rows.side(0) == "T ●"
    qtbot.keyClick(palette.line, KEY.Key_Escape)
    assert not palette.isVisible() and window.focusWidget() is window.viewport


def test_panels_are_named_by_their_titles(palette):
    names = {entry.payload: entry.name for entry in palette.rows.entries}
    assert names["panel.keyframes"] == "Keyframes" and names["edit.axes_local"] == "Gizmo Axes: Own"


def test_an_element_is_found_and_selected(palette, window, qtbot):
    qtbot.keyClicks(palette.line, "hinge")
    assert names(palette)[0] == "hinge"
    qtbot.keyClick(palette.line, KEY.Key_Return)
    current = window.selection.current
    assert (current.kind, current.id) == ("joint", 0)
    palette.open()
    qtbot.keyClicks(palette.line, "motor")
    qtbot.keyClick(palette.line, KEY.Key_Return)
    assert window.selection.current.kind == "actuator"


def test_the_list_is_moved_in_from_the_line(palette, qtbot):
    qtbot.keyClicks(palette.line, "save")
    rows = palette.rows.rowCount()
    for key, row in ((KEY.Key_Down, 1), (KEY.Key_Up, 0), (KEY.Key_Up, rows - 1)):
        qtbot.keyClick(palette.line, key)
        assert palette.list.currentIndex().row() == row
    qtbot.keyClick(palette.line, KEY.Key_PageUp)
    assert palette.list.currentIndex().row() < rows - 1
    qtbot.keyClicks(palette.line, "zebra")
    assert palette.nothing.isVisible()
    qtbot.keyClick(palette.line, KEY.Key_Return)
    qtbot.keyClick(palette.line, KEY.Key_Tab)
    assert palette.isVisible()


def test_what_cannot_be_done_now_is_not_done(palette, window, qtbot):
    assert not window.actions_["camera.track"].isEnabled()
    qtbot.keyClicks(palette.line, "track selection")
    qtbot.keyClick(palette.line, KEY.Key_Return)
    assert palette.isVisible()


def test_it_closes_when_the_user_goes_elsewhere(palette, window, qtbot):
    window.tree.filter.setFocus()
    assert not palette.isVisible()
    palette.open()
    qtbot.keyClicks(palette.line, "select all of nothing")
    palette.close_()
    assert window.focusWidget() is window.tree.filter and isinstance(window.focusWidget(), QLineEdit)
