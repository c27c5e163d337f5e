"""The Edit menu acts on what has the focus: the selected elements, or a text."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from kinetree.app.widgets.mnemonics import plain
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from tests.app.actions.conftest import settle

CTRL = Qt.KeyboardModifier.ControlModifier
MODEL = """<mujoco>
  <worldbody>
    <body name="a"><geom name="g" size=".1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def window(make_window, qtbot, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    window = make_window(tmp_path / "m.xml", physics=False)
    window.simulation.post(requests.Pause())
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    qtbot.waitUntil(lambda: window.simulation.model is not None and len(window.tree.outline) > 0)
    return window


def text_of(window):
    return window.project.texts.text(window.project.path)


def select(window, name):
    node = next(node for node in window.project.document.root.iter() if node.get("name") == name)
    window.selection.select(Selection(element=node.id))


@pytest.mark.parametrize("place", ["viewport", "tree"])
def test_keys_act_on_the_selected_element(window, qtbot, place):
    widget = window.viewport if place == "viewport" else window.tree.view
    select(window, "g")
    widget.setFocus()
    window.actions_["edit.copy"].trigger()
    assert QGuiApplication.clipboard().text().strip() == '<geom name="g" size=".1"/>'
    QTest.keyClick(widget, Qt.Key.Key_D, CTRL)
    settle(window)
    assert text_of(window).count("<geom") == 2
    select(window, "a")
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_V, CTRL)
    settle(window)
    assert text_of(window).count("<geom") == 3
    select(window, "g")
    widget.setFocus()
    QTest.keyClick(widget, Qt.Key.Key_Delete)
    settle(window)
    assert text_of(window).count("<geom") == 2
    while window.project.texts.undo_names:
        window.project.undo()
    assert text_of(window) == MODEL


def test_in_a_text_they_act_on_it(window, qtbot):
    window.actions_["source.show"].trigger()
    editor = window.source.editor
    editor.setFocus()
    at = editor.text.index("body")
    editor.select(at, at + 4)
    window.actions_["edit.copy"].trigger()
    assert QGuiApplication.clipboard().text() == "body"
    window.actions_["edit.delete"].trigger()
    assert text_of(window).startswith("<mujoco>\n  <world>")
    window.actions_["edit.paste"].trigger()
    assert text_of(window) == MODEL
    line = window.tree.filter
    line.setFocus()
    line.setText("geom")
    line.selectAll()
    window.actions_["edit.cut"].trigger()
    assert line.text() == "" and text_of(window) == MODEL


def test_insert_opens_a_menu_of_what_fits(window, qtbot):
    select(window, "a")
    window.viewport.setFocus()
    QTest.keyClick(window.viewport, Qt.Key.Key_Insert)
    qtbot.waitUntil(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    entries = {plain(action.text()): action for action in menu.actions()}
    assert {"site", "joint"} <= set(entries) and "Insert After" in entries
    entries["site"].trigger()
    menu.close()
    settle(window)
    assert "<site" in text_of(window)


def test_a_hidden_tree_answers_in_the_status_line(window, qtbot):
    window.docks["tree"].hide()
    window.selection.select(Selection())
    window.viewport.setFocus()
    QTest.keyClick(window.viewport, Qt.Key.Key_Delete)
    assert text_of(window) == MODEL and "Select an element first" in window.status.file.text()
