"""A file that is only part of a model, opened alone: what the window says, and what the source panel knows."""

import os

import pytest
from PySide6.QtCore import Qt

from kinetree.app.panels.writing.source.lexer import TokenKind
from kinetree.app.workers.simulation import requests
from tests.app.panels.writing.source.test_editor import SHIFT, make_panel, press, put
from tests.app.panels.writing.source.test_knowledge import labels, type_slowly

__all__ = ["make_panel"]

WHOLE = """<mujoco>
  <default><default class="link"><joint damping=".5"/></default></default>
  <asset><material name="painted"/><material name="plain"/></asset>
  <worldbody><geom size="1 1 1" type="plane"/><include file="arm.xml"/></worldbody>
  <actuator><motor joint="shoulder"/></actuator>
</mujoco>
"""
ARM = """<mujocoinclude>
  <body name="arm" pos="0 0 1" childclass="link">
    <joint name="shoulder"/>
    <geom size=".1" material="painted"/>
  </body>
</mujocoinclude>
"""


@pytest.fixture
def opened(make_window, qtbot, tmp_path):
    """(window, editor) of the part, opened alone; the editor has the keyboard."""
    (tmp_path / "robot.xml").write_text(WHOLE)
    (tmp_path / "arm.xml").write_text(ARM)
    window = make_window(size=(1100, 800))
    window.simulation.post(requests.Pause())
    window.open(str(tmp_path / "arm.xml"))
    qtbot.waitUntil(lambda: bool(window.start.models))
    window.actions_["source.show"].trigger()
    qtbot.waitUntil(lambda: window.source.editor is not None)
    window.source.editor.setFocus()
    qtbot.waitUntil(lambda: window.source.editor.viewport().height() > 150)
    return window, window.source.editor


def errors(window):
    return [item.code for item in window.compiler.diagnostics if item.severity.value == "error"]


def test_the_window_offers_the_model_and_keeps_the_tab(opened, qtbot, tmp_path):
    window, editor = opened
    assert not errors(window) and window.start._title.text() == "arm.xml is a part of robot.xml"
    assert [button.text() for button in window.start.models] == ["Open robot.xml"]
    assert not window.start.problems.isVisibleTo(window.start)
    window.start.models[0].click()
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    assert window.project.path == str(tmp_path / "robot.xml")
    qtbot.waitUntil(lambda: window.source.editor is not None and window.source.editor is not editor)
    assert window.source.editor.path == str(tmp_path / "arm.xml")
    assert window.project.document_of(window.source.editor.path) is window.project.document


def test_over_an_open_model_the_bar_offers_it(make_window, qtbot, tmp_path):
    (tmp_path / "robot.xml").write_text(WHOLE)
    (tmp_path / "arm.xml").write_text(ARM)
    (tmp_path / "other.xml").write_text('<mujoco><worldbody><geom size="1"/></worldbody></mujoco>')
    window = make_window(tmp_path / "other.xml", physics=False)
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    window.open(str(tmp_path / "arm.xml"))
    bar = window.frame.bar
    qtbot.waitUntil(lambda: not bar.isHidden())
    assert bar.text() == "arm.xml is a part of robot.xml, and not a model by itself. other.xml stays open."
    assert [button.text() for button in bar.buttons] == ["Open robot.xml"] and bar.property("severity") == "info"
    bar.buttons[0].click()
    qtbot.waitUntil(lambda: window.project.path == str(tmp_path / "robot.xml"))
    qtbot.waitUntil(bar.isHidden)


def test_names_of_the_model_are_offered_checked_and_gone_to(opened, qtbot, tmp_path):
    window, editor = opened
    panel = window.source
    assert editor.highlighter.meaning(editor.text.index("painted"), "material") is TokenKind.LINK
    put(editor, 'painted"')
    for _ in "painted":
        press(editor, Qt.Key.Key_Delete)
    type_slowly(window, qtbot, editor, "p", "plain")
    assert "painted" in labels(window)
    press(editor, "x", "y")
    qtbot.waitUntil(lambda: errors(window) == ["undefined-reference"])
    qtbot.waitUntil(lambda: window.start.problems.isVisibleTo(window.start))
    for _ in "xy":
        press(editor, Qt.Key.Key_Backspace)
    press(editor, "l", "a", "i", "n")
    qtbot.waitUntil(lambda: not errors(window))
    press(editor, Qt.Key.Key_Escape)
    put(editor, 'plain"')
    press(editor, Qt.Key.Key_F12)
    qtbot.waitUntil(lambda: panel.editor is not editor)
    robot = panel.editor
    assert robot.path == str(tmp_path / "robot.xml")
    assert robot.text[robot.carets.main.start : robot.carets.main.end] == "plain"
    # The model is edited beside its part: the part is checked against the edited text.
    press(robot, "t", "i", "n")
    qtbot.waitUntil(lambda: errors(window) == ["undefined-reference"])
    window.project.undo()
    qtbot.waitUntil(lambda: not errors(window))


def test_references_and_renames_reach_the_model(opened, qtbot, tmp_path):
    window, editor = opened
    panel, texts = window.source, window.project.texts
    put(editor, 'shoulder"')
    press(editor, Qt.Key.Key_F12, held=SHIFT)
    qtbot.waitUntil(lambda: len(panel.found.rows) == 2)
    press(editor, Qt.Key.Key_F2)
    qtbot.waitUntil(lambda: panel.rename_bar.isVisible())
    panel.rename_bar.name.setText("base")
    press(panel.rename_bar.name, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not panel.rename_bar.isVisible())
    assert sorted(os.path.basename(path) for path in texts.modified) == ["arm.xml", "robot.xml"]
    qtbot.waitUntil(lambda: window.compiler.compiling_since is None)
    assert not errors(window)


def test_a_change_of_the_model_on_the_disk_is_followed(opened, qtbot, tmp_path):
    window, _editor = opened
    (tmp_path / "robot.xml").write_text(WHOLE.replace('name="painted"', 'name="grey"'))
    qtbot.waitUntil(lambda: errors(window) == ["undefined-reference"])
    (tmp_path / "robot.xml").write_text(WHOLE)
    qtbot.waitUntil(lambda: not errors(window))
