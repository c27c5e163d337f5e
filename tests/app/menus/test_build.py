"""Menus of a real window: headed groups, icons, one meaning of each key in a place."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QWidgetAction

from kinetree.app.menus.help import help_sections
from kinetree.app.menus.table import HEADINGS, MENUS
from kinetree.app.panels.docks import DOCKS, GROUPS, dock_actions


def test_every_panel_is_in_one_group_of_the_view_menu_and_has_an_icon():
    assert sorted(name for names in GROUPS.values() for name in names) == sorted(row.name for row in DOCKS)
    assert all(row.icon for row in dock_actions())
    icons = [row.icon for row in DOCKS if row.name not in ("inspector", "mocap")]
    assert len(set(icons)) == len(icons)


def test_the_view_menu_has_headed_groups_with_icons(window):
    menu = window.actions_.menus["View"]
    headings, groups = [], {}
    for action in menu.actions():
        if isinstance(action, QWidgetAction):
            label = action.defaultWidget()
            assert isinstance(label, QLabel) and not action.isEnabled()
            headings.append(label.text())
        elif not action.isSeparator():
            groups.setdefault(headings[-1], []).append(action)
    assert headings == [title for (name, _section), title in HEADINGS.items() if name == "View"]
    assert [each.text() for each in groups["Editing"]] == ["Model", "Inspector", "Source", "Problems", "History"]
    panels = [each for each in menu.actions() if each.objectName().startswith("panel.")]
    assert panels and all(each.isIconVisibleInMenu() and not each.icon().isNull() for each in panels)
    assert menu.sizeHint().height() < 780  # on a screen of 1280x800


def test_display_is_the_one_word_for_what_the_viewport_draws():
    assert "Display" in MENUS and "Show" not in MENUS
    assert next(row.title for row in DOCKS if row.name == "display") == "Display"


def test_f2_shows_the_statistics_in_the_viewport_and_nowhere_else(window, qtbot):
    panel = window.docks["tree"].panel
    panel.filter.setFocus()
    qtbot.waitUntil(panel.filter.hasFocus)
    QTest.keyClick(panel.filter, Qt.Key.Key_F2)
    assert not window.frame.info_shown
    window.viewport.setFocus()
    qtbot.waitUntil(window.viewport.hasFocus)
    QTest.keyClick(window.viewport, Qt.Key.Key_F2)
    assert window.frame.info_shown
    rows = [row.text for _title, rows in help_sections(window.actions_) for row in rows if row.keys == "F2"]
    assert sorted(rows) == ["Rename (lists, texts)", "Rename (source)", "Statistics (viewport)"]
