"""A window on the model of a test file, and what a test of the menu Tools does in it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMessageBox

from kinetree.app.workspace.selection import Selection
from tests.app.conftest import wait_for


@pytest.fixture
def window(make_window, tmp_path, request, qtbot):
    """A window without physics on the text TEXT of the test file, in a file of the name FILE or model.xml."""
    path = tmp_path / getattr(request.module, "FILE", "model.xml")
    path.write_text(request.module.TEXT)
    made = make_window(path, physics=False)
    qtbot.waitUntil(lambda: made.simulation.model is not None)
    return made


def select(window, *names: str) -> None:
    """Select the elements with these names, in the order of the text."""
    trees = window.project.document.trees.values()
    nodes = [node for root in trees for node in root.iter() if node.get("name") in names]
    window.selection.select_several([Selection(element=node.id) for node in nodes])


def trigger(window, action: str) -> None:
    """Use a tool, and wait until it is done or has refused."""
    window.actions_[action].trigger()
    settle(window)


def settle(window) -> None:
    """Wait until no tool is at work."""
    wait_for(lambda: not window.workspace.tasks.is_busy, pump=QApplication.processEvents)


def message(window, qtbot) -> str:
    """Wait for a message of the window, close it and return the sentences in it."""

    def boxes() -> list[QMessageBox]:
        return [each for each in window.findChildren(QMessageBox) if each.isVisible()]

    qtbot.waitUntil(lambda: bool(boxes()))
    (box,) = boxes()
    assert box.textFormat() is Qt.TextFormat.PlainText  # elements are named as tags
    text = box.informativeText()
    box.close()
    return text
