"""Convex decomposition, in the window and with the real library."""

from __future__ import annotations

import os
import signal

from PySide6.QtCore import QProcess

from kinetree.app.panels.dialogs.decomposition import DecompositionDialog
from kinetree.app.workers.decomposer import Decomposer, DecompositionSettings
from kinetree.app.workspace.selection import Selection
from tests.engine.editing.tools.test_decompose import MODEL as TEXT
from tests.engine.editing.tools.test_decompose import PARTS

QUICK = 0.8
"""A concavity that is reached without a search."""


def opened(window, qtbot) -> DecompositionDialog:
    node = next(node for node in window.project.document.root.iter("geom") if node.get("name") == "g")
    window.selection.select(Selection(element=node.id))
    window.actions_["tools.decompose"].trigger()
    qtbot.waitUntil(lambda: window.findChild(DecompositionDialog) is not None)
    dialog = window.findChild(DecompositionDialog)
    assert dialog is not None and not dialog.insert.isEnabled()
    return dialog


def test_parts_are_made_shown_and_inserted_in_one_step(window, tmp_path, qtbot):
    dialog = opened(window, qtbot)
    assert dialog.folder.text() == str(tmp_path / "meshes")
    dialog.threshold.setValue(QUICK)
    dialog.start.click()
    assert dialog.decomposer.is_running and dialog.start.text() == "Stop"
    qtbot.waitUntil(lambda: not dialog.decomposer.is_running)
    assert dialog.insert.isEnabled() and "than that of the mesh" in dialog.result_.text()
    assert all(part.volume > 0 for part in dialog.parts)
    dialog.preview.grab()
    dialog.insert.click()
    qtbot.waitUntil(lambda: bool(window.project.modified))
    assert window.project.texts.undo_names == ["Convex Decomposition"]
    assert (tmp_path / "meshes" / "ell_hull0.obj").exists()
    qtbot.waitUntil(lambda: "g_hull0" in window.project.compiled.model.names["geom"])
    window.project.undo()
    assert window.project.texts.text(window.project.path) == TEXT


def test_a_decomposition_can_be_stopped(window, qtbot):
    dialog = opened(window, qtbot)
    dialog.threshold.setValue(0.01)
    dialog.start.click()
    dialog.start.click()
    assert not dialog.decomposer.is_running and dialog.result_.text() == "Stopped"
    assert dialog.threshold.isEnabled() and not dialog.insert.isEnabled()
    dialog.start.click()
    dialog.reject()
    qtbot.waitUntil(lambda: window.findChild(DecompositionDialog) is None)
    assert not window.project.modified


def test_a_crash_of_the_library_ends_only_its_process(qtbot):
    decomposer = Decomposer()
    decomposer.start(PARTS[0], DecompositionSettings(0.01))
    process = decomposer.findChild(QProcess)
    assert process is not None and process.waitForStarted(10_000)
    with qtbot.waitSignal(decomposer.failed) as failed:
        os.kill(process.processId(), signal.SIGSEGV)
    assert "coacd crashed" in failed.args[0] and not decomposer.is_running


def test_a_missing_library_is_named(qtbot, tmp_path, monkeypatch):
    (tmp_path / "coacd.py").write_text("raise ImportError('no coacd here')")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", os.getcwd())]))
    decomposer = Decomposer()
    with qtbot.waitSignal(decomposer.failed) as failed:
        decomposer.start(PARTS[0], DecompositionSettings(QUICK))
    assert failed.args[0] == "the library coacd cannot be used on this machine (no coacd here)"
