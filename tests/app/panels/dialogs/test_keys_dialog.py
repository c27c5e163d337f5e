"""Keys are found by words and by pressing them, changed, refused where they cannot be, and kept; all that shows them
follows."""

import functools

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication

from kinetree.app.actions.rows import all_actions
from kinetree.app.menus.help import help_sections
from kinetree.app.menus.keys import ActionKeys
from kinetree.app.panels.dialogs.keys_dialog import KEYS, KeysDialog
from kinetree.engine.platforms import keyboard

CTRL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def dialog(make_window):
    window = make_window()
    window.actions_["edit.keys"].trigger()
    (dialog,) = window.findChildren(KeysDialog)
    dialog.window_ = window
    return dialog


def press(qtbot, button, key, held=Qt.KeyboardModifier.NoModifier):
    button.click()
    qtbot.keyClick(button, key, held)


def shown(dialog) -> set[str]:
    return {name for name, item in dialog.items.items() if not item.isHidden()}


def test_a_search_without_a_hit_says_so(dialog, qtbot):
    def written() -> int:
        image = dialog.list.viewport().grab().toImage()
        return len({image.pixel(x, y) for x in range(image.width()) for y in range(min(60, image.height()))})

    qtbot.keyClicks(dialog.filter, "no action has these words")
    assert not shown(dialog) and written() > 1


def test_every_action_is_listed_and_found(dialog, qtbot):
    assert set(dialog.items) == {row.id for row in all_actions()} == shown(dialog)
    qtbot.keyClicks(dialog.filter, "canonical")
    assert shown(dialog) == {"file.save_copy"} and dialog.current.id == "file.save_copy"
    press(qtbot, dialog.finder, Qt.Key.Key_S, CTRL)
    assert shown(dialog) == {"file.save"} and not dialog.filter.text()
    press(qtbot, dialog.finder, Qt.Key.Key_Tab)
    assert shown(dialog) == {"view.left"}
    press(qtbot, dialog.finder, Qt.Key.Key_Escape)  # gives up
    assert shown(dialog) == {"view.left"}
    press(qtbot, dialog.finder, Qt.Key.Key_F24)
    assert shown(dialog) == set() and "free" in dialog.message.text()


def test_a_key_is_changed_everywhere_and_kept(dialog, qtbot, settings, make_window):
    window, actions = dialog.window_, dialog.window_.actions_
    dialog.select("file.save")
    press(qtbot, dialog.replace, Qt.Key.Key_F24)
    assert [each.toString() for each in actions["file.save"].shortcuts()] == ["F24"]
    assert dialog.items["file.save"].text(KEYS) == "F24" and "F24" in actions["file.save"].toolTip()
    assert any(row.keys == "F24" for _, rows in help_sections(actions) for row in rows)
    press(qtbot, dialog.add, Qt.Key.Key_F23)
    assert actions.keys.of("file.save") == ("F24", "F23")
    settings.save()
    assert ActionKeys(actions.rows, type(settings)(str(settings.file.rpartition("/")[0]))).of("file.save") == (
        "F24",
        "F23",
    )
    other = make_window()
    assert other.actions_.keys.of("file.save") == ("F24", "F23")
    dialog.restore.click()
    assert actions.keys.of("file.save") == ("Ctrl+S",) and not dialog.restore.isEnabled()
    assert window.actions_["file.save"].shortcut().toString() == "Ctrl+S"


def test_a_key_of_another_action_is_taken_only_when_asked_to(dialog, qtbot):
    actions = dialog.window_.actions_
    dialog.select("camera.track")
    press(qtbot, dialog.replace, Qt.Key.Key_S, CTRL)
    assert "Save" in dialog.message.text() and dialog.take.isVisible()
    assert actions.keys.of("camera.track") == () and actions.keys.of("file.save") == ("Ctrl+S",)
    dialog.take.click()
    assert actions.keys.of("camera.track") == ("Ctrl+S",) and actions.keys.of("file.save") == ()
    dialog.select("file.save")
    dialog.restore.click()
    assert actions.keys.of("file.save") == () and "Track" in dialog.message.text()
    dialog.restore_all.click()
    assert actions.keys.of("file.save") == ("Ctrl+S",) and actions.keys.of("camera.track") == ()


def test_keys_that_fields_need_are_refused(dialog, qtbot):
    actions = dialog.window_.actions_
    dialog.select("file.save")
    press(qtbot, dialog.replace, Qt.Key.Key_Return)
    assert actions.keys.of("file.save") == ("Ctrl+S",) and "need this key" in dialog.message.text()
    dialog.select("edit.copy")
    assert not dialog.replace.isEnabled() and "cannot be changed" in dialog.help.text()
    dialog.select("sim.toggle")  # acts in the viewport
    press(qtbot, dialog.replace, Qt.Key.Key_Return)
    assert actions.keys.of("sim.toggle") == ("Return",)


def test_the_tree_has_the_keys_of_the_table(dialog):
    window = dialog.window_
    window.actions_.set_keys("edit.duplicate", ["Ctrl+Alt+D"])
    assert window.tree.actions_["duplicate"].shortcut().toString() == "Ctrl+Alt+D"


def test_keys_of_a_file_that_somebody_edited(settings):
    settings._store.setValue("keys", ["file.save\nnonsense", "no.such\nCtrl+S", "file.open", 7, "file.new\nCtrl+M"])
    keys = ActionKeys({row.id: row for row in all_actions()}, settings)
    assert keys.of("file.new") == ("Ctrl+M",) and keys.of("file.open") == ()
    assert keys.of("file.save") in (("Ctrl+S",), ("nonsense",))


def test_gestures_of_the_mouse_stand_beside_the_keys(dialog, qtbot, settings):
    qtbot.keyClicks(dialog.filter, "centre the camera")
    assert [name for name, item in dialog.gestures.items() if not item.isHidden()] == ["mouse.centre"]
    assert dialog.current_gesture.name == "mouse.centre" and dialog.gesture.isVisible()
    assert not dialog.replace.isVisible() and dialog.gestures["mouse.centre"].text(KEYS) == "Right double-click"
    index = dialog.gesture.findData("left")
    dialog.gesture.setCurrentIndex(index)
    dialog.gesture.activated.emit(index)
    assert dialog.window_.settings.value("mouse.centre") == "left"
    assert (
        dialog.gestures["mouse.centre"].text(KEYS) == "Double-click"
        and dialog.gestures["mouse.centre"].font(KEYS).bold()
    )
    assert "Select a body" in dialog.message.text()  # which has the same gesture
    dialog.restore.click()
    assert dialog.window_.settings.value("mouse.centre") == "right" and not dialog.message.text()
    dialog.window_.settings.set("mouse.orbit", "middle")  # changed elsewhere
    assert dialog.gestures["mouse.orbit"].text(KEYS) == "Middle drag"
    dialog.restore_all.click()
    assert dialog.window_.settings.value("mouse.orbit") == "left" and not dialog.restore_all.isEnabled()
    dialog.select("file.save")
    assert dialog.replace.isVisible() and not dialog.gesture.isVisible()


@pytest.mark.parametrize(
    ("system", "scan", "virtual"), [("linux", 11, 0x40), ("windows", 3, ord("2")), ("macos", 0, 0x13)]
)
def test_shift_with_a_digit_is_recorded_as_that(dialog, monkeypatch, system, scan, virtual):
    """A keyboard makes another character of it: @ or a quotation mark."""
    monkeypatch.setattr(keyboard, "digit", functools.partial(keyboard.digit, system=system))
    found = []
    button = dialog.finder
    button.recorded.connect(found.append)
    shift = Qt.KeyboardModifier.ShiftModifier
    for key, held, text in (
        (Qt.Key.Key_At, shift, "@"),
        (Qt.Key.Key_QuoteDbl, shift | CTRL, '"'),
        (Qt.Key.Key_2, Qt.KeyboardModifier.NoModifier, "2"),
    ):
        button.click()
        QApplication.sendEvent(button, QKeyEvent(QEvent.Type.KeyPress, key, held, scan, virtual, 0, text))
    button.click()
    other = QKeyEvent(QEvent.Type.KeyPress, Qt.Key.Key_Question, shift, 20, 0xBB, 0, "?")
    QApplication.sendEvent(button, other)
    assert found == ["Shift+2", "Ctrl+Shift+2", "2", "?"]
