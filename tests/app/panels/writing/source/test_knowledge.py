"""Completion, definitions, references, renaming and formatting in the window, by keys."""

import os

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from kinetree.app.panels.writing.source.lexer import TokenKind
from kinetree.app.panels.writing.source.look import formats
from kinetree.app.panels.writing.source.rename_bar import RenameBar
from kinetree.app.settings import theme
from tests.app.panels.writing.source.test_editor import CTRL, MAIN, SHIFT, agrees, make_panel, press, put

__all__ = ["make_panel"]


def popup_of(window):
    return window.source.knowledge._popups[window.source.editor]


def labels(window):
    return [item.label for item in popup_of(window).items] if popup_of(window).isVisible() else []


def type_slowly(window, qtbot, editor, text, wanted):
    """Type, and wait until the list offers something."""
    for character in text:
        press(editor, character)
    qtbot.waitUntil(lambda: wanted in labels(window))


def test_what_is_offered_is_taken_by_keys(make_panel, qtbot):
    window, editor = make_panel()
    put(editor, "    <light")
    press(editor, Qt.Key.Key_Return, Qt.Key.Key_Up)
    type_slowly(window, qtbot, editor, "    <ge", "geom")
    press(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "type" in labels(window))
    press(editor, "t", "y")
    press(editor, Qt.Key.Key_Tab)
    qtbot.waitUntil(lambda: "capsule" in labels(window))
    press(editor, "c", "a", "p", Qt.Key.Key_Tab)  # faster than any answer
    assert '<geom type="capsule"' in editor.text and agrees(window, editor)
    press(editor, Qt.Key.Key_Space, held=CTRL)
    qtbot.wait(100)
    press(editor, Qt.Key.Key_Escape)
    assert not popup_of(window).isVisible()


def test_enter_is_a_line_break_while_nothing_was_chosen(make_panel, qtbot):
    window, editor = make_panel()
    put(editor, '<geom name="chest"', end=True)
    type_slowly(window, qtbot, editor, " ", "type")
    press(editor, Qt.Key.Key_Return)
    assert not popup_of(window).isVisible() and '<geom name="chest" \n' in editor.text


def test_names_are_gone_to_listed_and_renamed_over_files(make_panel, qtbot):
    text = MAIN.replace("</mujoco>", '  <actuator><general body="part"/></actuator>\n</mujoco>')
    window, editor = make_panel(text)
    panel = window.source
    put(editor, 'part"/></actuator>')
    press(editor, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: panel.editor.path.endswith("part.xml"))
    assert panel.editor.text[panel.editor.carets.main.start : panel.editor.carets.main.end] == "part"
    press(panel.editor, Qt.Key.Key_F12, held=SHIFT)
    qtbot.waitUntil(lambda: len(panel.found.rows) == 2)
    press(panel.editor, Qt.Key.Key_F2)
    qtbot.waitUntil(lambda: panel.rename_bar.isVisible())
    assert panel.rename_bar.name.text() == "part"
    panel.rename_bar.name.setText("torso")
    press(panel.rename_bar.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "torso" in panel.rename_bar._reason.toolTip())  # the name is taken
    panel.rename_bar.name.setText("piece")
    press(panel.rename_bar.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not panel.rename_bar.isVisible())
    texts = window.project.texts
    assert [texts.text(path).count('"piece"') for path in texts.files] == [1, 1]
    assert texts.undo_names == ["Rename to piece"] and agrees(window, editor)


def test_formatting_is_one_step_and_keeps_the_place(make_panel, qtbot):
    window, editor = make_panel(MAIN.replace("    <light", " <light").replace("\n", "\r\n"))
    put(editor, "chest")
    press(editor, Qt.Key.Key_I, held=CTRL | SHIFT)
    qtbot.waitUntil(lambda: editor.text == MAIN.replace("\n", "\r\n"))
    assert window.project.texts.undo_names == ["Format"] and agrees(window, editor)


def test_names_have_colours_of_their_own(make_panel, qtbot):
    text = MAIN.replace("</mujoco>", '  <actuator><general body="torso"/></actuator>\n</mujoco>')
    _, editor = make_panel(text)
    table = formats(theme.current())

    def colour(what):
        block, at = editor.shown.block(text.index(what)), editor.shown.position(text.index(what))
        for each in block.layout().formats():
            if each.start <= at - block.position() < each.start + each.length:
                return each.format.foreground().color()
        return None

    put(editor, "actuator")
    editor.repaint()
    qtbot.waitUntil(lambda: colour('torso"/>') is not None)
    assert colour('torso"/>') == table[TokenKind.LINK].foreground().color()
    put(editor, "torso")
    qtbot.waitUntil(lambda: colour('torso" pos') == table[TokenKind.NAME].foreground().color())


def test_the_mouse_shows_help_the_value_in_force_and_problems(make_panel, qtbot):
    window, editor = make_panel()
    put(editor, ".2")
    press(editor, "x")
    qtbot.waitUntil(lambda: bool(editor.problems.all))
    put(editor, "x.2")
    place = editor.cursorRect().center() + QPoint(3, 0)
    QApplication.sendEvent(
        editor.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, editor.viewport().mapToGlobal(place))
    )
    qtbot.waitUntil(lambda: "size" in QToolTip.text())
    assert "x.2" in QToolTip.text() and window.source.isVisible()
    QToolTip.hideText()
    qtbot.waitUntil(lambda: not QToolTip.isVisible())


def test_a_rename_goes_on_in_models_that_are_not_open(make_panel, qtbot, tmp_path):
    other = tmp_path / "other.xml"
    before = '<mujoco><include file="part.xml"/><contact><exclude body1="part" body2="world"/></contact></mujoco>\n'
    other.write_text(before)
    window, _editor = make_panel(MAIN)
    panel, texts = window.source, window.project.texts
    panel.places.show(str(tmp_path / "part.xml"), 0, 0)
    qtbot.waitUntil(lambda: panel.editor.path.endswith("part.xml"))
    put(panel.editor, '"part"')
    press(panel.editor, Qt.Key.Key_Right)
    press(panel.editor, Qt.Key.Key_F12, held=SHIFT)  # places in a file that is not open
    qtbot.waitUntil(
        lambda: [os.path.basename(place.path) for place, _ in panel.found.rows] == ["part.xml", "other.xml"]
    )
    press(panel.editor, Qt.Key.Key_F2)
    qtbot.waitUntil(lambda: panel.rename_bar.isVisible())
    panel.rename_bar.name.setText("world")
    press(panel.rename_bar.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "world" in panel.rename_bar._reason.toolTip())
    panel.rename_bar.name.setText("piece")
    press(panel.rename_bar.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not panel.rename_bar.isVisible())
    assert texts.text(str(other)) == before.replace('"part"', '"piece"')
    assert texts.undo_names == ["Rename to piece"]
    assert sorted(os.path.basename(path) for path in texts.modified) == ["other.xml", "part.xml"]
    window.workspace.saving.save()
    qtbot.waitUntil(lambda: not texts.modified)
    assert other.read_text() == before.replace('"part"', '"piece"')
    window.project.undo()
    assert texts.text(str(other)) == before


ARM = """<mujoco model="arm">
  <worldbody>
    <body name="upper"><joint name="elbow"/><geom size=".1"/></body>
  </worldbody>
</mujoco>
"""
ATTACHING = """<mujoco>
  <asset><model name="arm" file="arm.xml"/></asset>
  <worldbody>
    <frame><attach model="arm" body="upper" prefix="left_"/></frame>
  </worldbody>
  <actuator><motor joint="left_elbow"/></actuator>
</mujoco>
"""


@pytest.mark.parametrize("broken", [False, True])
def test_names_of_an_attached_model(make_panel, qtbot, tmp_path, broken):
    (tmp_path / "arm.xml").write_text(ARM)
    window, editor = make_panel(ATTACHING.replace("<frame>", '<geom size="x"/><frame>') if broken else ATTACHING)
    panel, texts = window.source, window.project.texts
    put(editor, "elbow")
    press(editor, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: panel.editor is not editor)
    arm = panel.editor
    assert arm.path.endswith("arm.xml") and arm.text[arm.carets.main.start : arm.carets.main.end] == "elbow"
    press(arm, Qt.Key.Key_F12, held=SHIFT)
    qtbot.waitUntil(lambda: panel.found.isVisible())
    assert sorted(texts.text(p.path)[p.start : p.end] for p, _ in panel.found.rows) == ["elbow", "left_elbow"]
    if broken:
        return
    panel.places.show(editor.path, editor.text.index("elbow"), editor.text.index("elbow"))
    press(editor, Qt.Key.Key_F2)
    qtbot.waitUntil(lambda: panel.rename_bar.isVisible())
    assert panel.rename_bar._title.toolTip() == "Rename elbow of arm.xml to"
    panel.rename_bar.name.setText("wrist")
    press(panel.rename_bar.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: panel.rename_bar.isHidden())
    assert 'joint="left_wrist"' in editor.text and 'name="wrist"' in arm.text
    assert texts.undo_names == ["Rename to wrist"]


def test_a_file_that_is_no_text_is_not_shown(make_panel, qtbot, tmp_path):
    (tmp_path / "part.obj").write_text("v 0 0 0\n")
    window, editor = make_panel(MAIN.replace("<worldbody>", '<asset><mesh file="part.obj"/></asset>\n  <worldbody>', 1))
    told = []
    window.source.told.connect(told.append)
    put(editor, "part.obj")
    press(editor, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: told == ["part.obj is not an XML file."])
    assert window.source.editor is editor


def test_a_long_name_does_not_make_the_panel_wider(qtbot):
    bar = RenameBar()
    qtbot.addWidget(bar)
    bar.begin("short")
    narrow = bar.minimumSizeHint().width()
    bar.begin("left_front_shoulder_" * 10)
    bar.show_reason("no " * 100)
    assert bar.minimumSizeHint().width() <= narrow + 10
    bar.resize(500, bar.sizeHint().height())
    qtbot.waitUntil(lambda: "…" in bar._title.text())
    assert bar._title.toolTip() == "Rename " + "left_front_shoulder_" * 10 + " to"
