"""The dialog is made from the table: every setting has a field that shows and sets it, is found, and can be restored."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit

from kinetree.app.panels.dialogs.settings_dialog import SettingsDialog
from kinetree.app.settings.table import SETTINGS
from tests.app.settings.test_settings import others


@pytest.fixture
def dialog(qtbot, settings):
    dialog = SettingsDialog(settings)
    qtbot.addWidget(dialog)
    dialog.show()
    return dialog


@pytest.mark.parametrize("row", SETTINGS, ids=lambda row: row.name)
def test_a_field_shows_sets_and_restores(dialog, settings, qtbot, row):
    part = dialog.rows[row.name]
    field = part.editor
    assert field.accessibleName() == row.title and part.reset.isHidden()
    dialog.show_setting(row.name)
    other = others(row)[0]
    if isinstance(field, QCheckBox):
        qtbot.keyClick(field, Qt.Key.Key_Space)
    elif isinstance(field, QComboBox):
        field.setCurrentIndex(field.findData(other))
        field.activated.emit(field.currentIndex())
    elif isinstance(field, QLineEdit):
        field.setText(str(other))
        qtbot.keyClick(field, Qt.Key.Key_Return)
    else:
        field.selectAll()
        qtbot.keyClicks(field, field.textFromValue(other))
        qtbot.keyClick(field, Qt.Key.Key_Return)
    assert settings.value(row.name) == other
    assert dialog.isVisible() and part.reset.isVisible()
    part.reset.click()
    assert settings.value(row.name) == row.default and part.reset.isHidden()
    settings.set(row.name, other)  # elsewhere
    assert part.reset.isVisible()


def test_search_finds_by_all_words(dialog, qtbot):
    def shown():
        return {name for name, part in dialog.rows.items() if part.isVisibleTo(dialog)}

    assert shown() == set(dialog.rows)
    qtbot.keyClicks(dialog.filter, "memory PLOT")
    assert shown() == {"plots.memory"}
    qtbot.keyClicks(dialog.filter, " zebra")
    assert shown() == set() and dialog.nothing.isVisible()
    dialog.filter.setText("dark")
    assert shown() == {"theme"}
    qtbot.keyClick(dialog.filter, Qt.Key.Key_Down)
    assert dialog.focusWidget() is dialog.rows["theme"].editor
