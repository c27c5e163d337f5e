"""Every action of the palette is run in a real window, with things selected, and nothing goes wrong."""

import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QDialog

from kinetree.app.panels.dialogs.palette.palette import Palette
from kinetree.app.panels.pages.failure import FailureDialog
from kinetree.app.running import client
from kinetree.app.settings.table import CUSTOM
from kinetree.app.workspace.selection import select_object
from tests.app.monkey import Guard, close_all

LAST = ("help.tour", "file.reload", "file.close", "file.new", "file.quit")
"""Actions that open another model are run last."""


@pytest.mark.slow("every action of the palette")
def test_every_action_of_the_palette_can_be_chosen(open_paused, model_file, rig, qtbot, tmp_path, offline, monkeypatch):
    monkeypatch.setattr(client, "open_window", lambda: None)
    window = open_paused(model_file, size=(480, 320))
    window.settings.folder = str(tmp_path)
    window.settings.editor, window.settings.editor_command = CUSTOM, f'"{sys.executable}" -c pass'
    failures = []
    window.workspace.failed.connect(lambda message, details: failures.append(f"{message}\n{details}"))
    window.dialogs.show_palette()
    (palette,) = window.findChildren(Palette)
    names = [entry.payload for entry in palette.rows.entries]
    assert {*names, "view.palette"} == set(window.actions_.rows)
    palette.close_()
    guard = Guard(window)
    done = set()
    for name in [*(each for each in names if each not in LAST), *LAST]:
        guard.step += 1
        model = window.simulation.model
        if model is not None and name not in LAST:
            objects = [("body", 1), ("geom", 1)] if len(done) % 2 else [("geom", 1)]
            window.selection.select_several([select_object(model, *each) for each in objects])
        window.viewport.setFocus()
        chosen = choose(window, palette, name, qtbot)
        QApplication.processEvents()
        assert not failures, (name, failures)
        if FailureDialog._open is not None:
            pytest.fail(f"{name}: {FailureDialog._open.text()}")
        done.add(name) if chosen else None
        close_all()
        while window.project.modified and name not in ("edit.undo", "edit.redo") and window.project.texts.undo_name:
            window.project.undo()  # the next action finds the model as it was
    guard.stop()
    window.workspace.opening.open(str(model_file))
    qtbot.waitUntil(lambda: window.simulation.model is not None and window.simulation.snapshot is not None)
    assert not [each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible()]
    never = set(window.actions_.rows) - done
    assert len(never) < 40, never  # those that have no use with this model


def choose(window, palette, name: str, qtbot) -> bool:
    """Choose an action in the palette, with the keyboard; False if it cannot be done now."""
    window.dialogs.show_palette()
    entry = next((each for each in palette.rows.entries if each.payload == name), None)
    if entry is None:  # the palette does not list itself
        palette.close_()
        return True
    palette.list.setCurrentIndex(palette.rows.index(palette.rows.entries.index(entry)))
    is_possible = window.actions_[name].isEnabled()
    qtbot.keyClick(palette.line, Qt.Key.Key_Return)
    if not is_possible:
        palette.close_()
        window.actions_[name].trigger()  # a disabled action does nothing
    return is_possible
