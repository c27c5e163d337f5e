"""Use without a mouse, or without seeing the screen: the keyboard reaches every panel and its focus is visible, menus
have mnemonics, and focusable widgets have names.
"""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QDialog,
    QLabel,
    QMainWindow,
    QTabBar,
    QWidget,
)

from kinetree.app.panels.docks import DOCKS
from kinetree.app.workspace.selection import select_object

NONE = Qt.FocusPolicy.NoFocus
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier


def has_name(widget: QWidget) -> bool:
    """Whether a screen reader can say what a widget is for."""
    if widget.accessibleName() or (isinstance(widget, QAbstractButton) and widget.text()):
        return True
    if any(label.buddy() is widget for label in widget.window().findChildren(QLabel)):
        return True
    if isinstance(widget, QLabel):  # says its text
        return True
    parent = widget.parentWidget()
    if isinstance(parent, QAbstractSpinBox):
        return has_name(parent)
    inside_list = parent is not None and isinstance(parent.parentWidget(), QComboBox)
    of_qt = isinstance(widget, QTabBar) and isinstance(parent, QMainWindow)  # its tabs have names
    return inside_list or of_qt or isinstance(widget, (QMainWindow, QDialog))


def path_of(widget: QWidget | None) -> str:
    names = []
    while widget is not None and len(names) < 5:
        names.append(f"{type(widget).__name__}#{widget.objectName()}".rstrip("#"))
        widget = widget.parentWidget()
    return " < ".join(names)


def unnamed(window: QWidget) -> set[str]:
    """The widgets that take the keyboard and have no name."""
    widgets = [each for each in [window, *window.findChildren(QWidget)] if each.focusPolicy() != NONE]
    return {path_of(each) for each in widgets if not has_name(each)}


@pytest.mark.parametrize("dock", [row.name for row in DOCKS])
def test_what_takes_the_keyboard_has_a_name(window, qtbot, dock):
    window.selection.select(select_object(window.simulation.model, "geom", 1))
    window.docks[dock].bring_up()
    qtbot.wait(50)
    assert not unnamed(window)


@pytest.mark.parametrize("action", ["edit.settings", "edit.keys", "view.palette", "help.about"])
def test_dialogs_have_names_too(window, action):
    window.actions_[action].trigger()
    for top in [window, *window.findChildren(QDialog)]:
        assert not unnamed(top)
    for dialog in window.findChildren(QDialog):
        dialog.close()


def test_the_keyboard_goes_through_all_panels(window, qtbot):
    for name in ("tree", "inspector", "problems"):
        window.docks[name].bring_up()
    window.viewport.setFocus()
    seen, back = [], []
    for steps, key in ((seen, "view.next_panel"), (back, "view.previous_panel")):
        for _ in range(8):
            window.actions_[key].trigger()
            steps.append(window.focusWidget())
    for name in ("tree", "inspector", "problems"):
        assert any(window.docks[name].isAncestorOf(each) for each in seen), name
        assert any(window.docks[name].isAncestorOf(each) for each in back), name
    assert window.viewport in seen and any(window.toolbar.isAncestorOf(each) for each in seen)
    assert len(set(seen)) < 8  # it came round


@pytest.mark.parametrize("where", ["tree", "controls", "joints", "sensors", "timeline"])
def test_space_runs_and_pauses_from_lists_too(window, qtbot, where):
    if where == "timeline":
        widget = window.timeline.track
    else:
        window.docks[where].bring_up()
        widget = window.docks[where].panel.view
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)
    was = window.simulation.running
    QTest.keyClick(widget, Qt.Key.Key_Space)
    assert window.simulation.running is not was
    QTest.keyClick(widget, Qt.Key.Key_Space)
    assert window.simulation.running is was


def test_space_flips_a_switch_where_a_list_has_them(window, qtbot):
    window.docks["equalities"].bring_up()
    view, was = window.docks["equalities"].panel.view, window.simulation.running
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Space)
    assert window.simulation.running is was


def test_keys_with_ctrl_show_things_in_the_viewport_wherever_the_keyboard_is(window, qtbot):
    window.selection.select(select_object(window.simulation.model, "geom", 1))
    tree = window.tree.view
    tree.setFocus()
    qtbot.waitUntil(tree.hasFocus)
    before = window.view.camera.distance
    QTest.keyClick(tree, Qt.Key.Key_Period, CTRL)
    qtbot.waitUntil(lambda: window.view.camera.distance != before)
    for key, name in ((Qt.Key.Key_X, "section.toggle"), (Qt.Key.Key_O, "camera.orthographic")):
        QTest.keyClick(tree, key, CTRL | ALT)
        assert window.actions_[name].isChecked(), name
    assert tree.hasFocus()


def test_panels_that_keys_open_leave_the_keyboard_to_the_viewport(window, qtbot):
    window.viewport.setFocus()
    qtbot.waitUntil(window.viewport.hasFocus)
    for key, name in ((Qt.Key.Key_F4, "sensors"), (Qt.Key.Key_F3, "profiler")):
        QTest.keyClick(window.viewport, key)
        qtbot.waitUntil(lambda name=name: window.docks[name].in_view)
        assert window.viewport.hasFocus(), name
    QTest.keyClick(window.viewport, Qt.Key.Key_T)
    assert window.view.options.transparent
    window.actions_["panel.watch"].trigger()
    assert window.docks["watch"].isAncestorOf(window.focusWidget())


def test_menus_have_mnemonics(window):
    titles = [action.text() for action in window.menuBar().actions()]
    marked = [title[title.index("&") + 1].casefold() for title in titles]
    assert len(set(marked)) == len(marked), titles
