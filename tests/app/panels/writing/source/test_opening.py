"""The panel follows what is opened: the text of the open model is shown, and whoever types in it goes on typing."""

from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

OTHER = '<mujoco model="other"><worldbody><geom size=".1"/></worldbody></mujoco>'


@pytest.mark.parametrize("again", [True, False], ids=["same", "other"])
def test_the_keyboard_stays_in_the_text_when_a_model_is_opened(window, model_file: Path, qtbot, again: bool):
    path = model_file if again else model_file.with_name("other.xml")
    if not again:
        path.write_text(OTHER)
    window.actions_["source.show"].trigger()
    qtbot.waitUntil(lambda: window.source.editor is not None and window.source.editor.hasFocus())
    editor, texts = window.source.editor, window.project.texts
    window.workspace.opening.open(str(path))
    qtbot.waitUntil(lambda: window.project.texts is not texts)
    new = window.source.editor
    assert new is not None
    assert new is not editor
    assert new.text == path.read_text()
    assert QApplication.focusWidget() is new
    QTest.keyClick(QApplication.focusWidget(), "T")
    assert window.project.texts.text(str(path)) == "T" + path.read_text()
    qtbot.waitUntil(lambda: window.compiler.compiling_since is None)
