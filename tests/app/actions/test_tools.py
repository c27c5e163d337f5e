"""The menu Tools, in the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from kinetree.app.panels.dialogs.extract import ExtractDialog
from kinetree.app.workspace.selection import Selection
from kinetree.engine.document.element_edit import Insert, RemoveAttribute, SetAttribute
from tests.app.actions.conftest import message, select, settle, trigger

TEXT = """<mujoco>
  <worldbody>
    <geom name="a" size="0.1" rgba="1 0 0 1" friction="0.2"/>
    <geom name="b" size="0.2" rgba="1 0 0 1" friction="0.2" pos="1 0 0"/>
    <site name="s"/>
  </worldbody>
</mujoco>
"""


def test_a_class_is_extracted_and_dissolved_again(window, qtbot):
    select(window, "a", "b")
    trigger(window, "tools.extract")
    dialog = window.findChild(ExtractDialog)
    assert dialog is not None and not dialog.button.isEnabled()
    QTest.keyClicks(dialog.name, "main")
    qtbot.mouseClick(dialog.button, Qt.MouseButton.LeftButton)
    settle(window)
    assert "already" in message(window, qtbot) and dialog.isVisible()
    dialog.name.setText("red")
    dialog.list.item(1).setCheckState(Qt.CheckState.Unchecked)
    assert dialog.chosen == ["rgba"]
    qtbot.mouseClick(dialog.button, Qt.MouseButton.LeftButton)
    settle(window)
    text = window.project.texts.text(window.project.path)
    assert (
        '<default class="red">\n      <geom rgba="1 0 0 1"/>\n    </default>' in text and text.count('class="red"') == 3
    )
    assert window.project.texts.undo_names == ["Extract Default Class"]
    qtbot.waitUntil(lambda: not dialog.isVisible())
    node = next(each for each in window.project.document.root.iter("default") if each.get("class") == "red")
    window.selection.select(Selection(element=node.id))
    trigger(window, "tools.inline")
    text = window.project.texts.text(window.project.path)
    assert text.count('rgba="1 0 0 1"') == 2 and "red" not in text
    window.workspace.opening.close()


@pytest.mark.parametrize(
    ("names", "action", "why"),
    [
        ((), "tools.extract", "Select the elements"),
        (("a", "s"), "tools.extract", "Select elements of one kind"),
        (("s",), "tools.extract", "no attribute in common"),
        (("a",), "tools.inline", "Select a default class"),
    ],
)
def test_what_cannot_be_is_told(window, qtbot, names, action, why):
    select(window, *names)
    trigger(window, action)
    assert why in message(window, qtbot)
    assert not window.project.modified


def test_default_classes_are_merged(window, qtbot):
    root = window.project.document.root
    classes = '<default><default class="red"><geom rgba="1 0 0 1"/></default><default class="blue"><geom rgba="0 0 1 1"/></default></default>'
    geoms = list(root.iter("geom"))
    window.project.apply(
        "Classes", [Insert(root, classes, 0), *(SetAttribute(node, "class", "blue") for node in geoms)]
    )
    window.project.apply("Colours", [RemoveAttribute(node, "rgba") for node in geoms])
    trigger(window, "tools.merge_classes")
    assert "the first one of the text stays" in message(window, qtbot)
    nodes = [node for node in window.project.document.root.iter("default") if node.get("class")]
    window.selection.select_several([Selection(element=node.id) for node in nodes])
    trigger(window, "tools.merge_classes")
    text = window.project.texts.text(window.project.path)
    assert "blue" not in text and text.count('class="red" rgba="0 0 1 1"') == 2
