"""The log: what happened, when; filtered; a click goes to the place."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.log import EDIT, FILE, MOST, PHYSICS, PROBLEM
from kinetree.app.workspace.selection import Selection
from tests.app.conftest import FLAWED


def texts(window, kind=None):
    return [entry.text for entry in window.workspace.log.entries if kind is None or entry.kind == kind]


def edit(window, old, new, name="Set size"):
    project = window.project
    text = project.texts.text(project.path)
    start = text.index(old)
    from kinetree.engine.document.edit import Edit

    project.apply(name, {project.path: [Edit(start, start + len(old), new)]})


@pytest.fixture
def panel(window, qtbot):
    dock = window.docks["log"]
    dock.bring_up()
    qtbot.waitUntil(lambda: dock.panel.isVisible())
    return dock.panel


def rows(panel):
    return [str(panel.shown.index(row, 2).data()) for row in range(panel.shown.rowCount())]


def test_files_edits_undo_and_saves_are_told(window, qtbot):
    assert texts(window, FILE)[0].startswith("Opened rig.xml in ")
    edit(window, 'mass="1"', 'mass="2"', "Set mass")
    window.project.undo()
    window.project.redo()
    assert texts(window, EDIT) == ["Set mass", "Undid: Set mass", "Set mass"]
    entry = window.workspace.log.entries[-1]
    text = window.project.texts.text(window.project.path)
    assert entry.place is not None and text[entry.place[1] : entry.place[2]] in 'mass="2"'
    window.workspace.saving.save_all()
    qtbot.waitUntil(lambda: "Saved rig.xml" in texts(window))
    window.workspace.failed.emit("The disk is full", "details")
    assert window.workspace.log.entries[-1].level == "error"


def test_problems_are_told_once(make_window, model_file, qtbot):
    model_file.write_text(FLAWED)
    window = make_window(model_file)
    qtbot.waitUntil(lambda: len(texts(window, PROBLEM)) >= 2)
    before = len(texts(window, PROBLEM))
    window.compiler.diagnostics_changed.emit()
    assert len(texts(window, PROBLEM)) == before
    assert len(set(texts(window, PROBLEM))) >= 2


def test_after_an_edit_only_new_problems_are_told_and_those_that_are_solved(make_window, model_file, qtbot):
    model_file.write_text(FLAWED)
    window = make_window(model_file)
    compiler = window.compiler
    qtbot.waitUntil(lambda: compiler.is_checked and len(texts(window, PROBLEM)) >= 2)
    before = texts(window, PROBLEM)
    with qtbot.waitSignal(compiler.checked):
        edit(window, 'name="idle"', 'name="idle"  ')
    assert texts(window, PROBLEM) == before
    with qtbot.waitSignal(compiler.checked):
        edit(window, '<material name="idle"  />', "")
    (solved,) = texts(window, PROBLEM)[len(before) :]
    assert solved.startswith("Solved: ") and "idle" in solved
    with qtbot.waitSignal(compiler.compiled):
        edit(window, "<asset>", "<asset")
    errors = texts(window, PROBLEM)[len(before) + 1 :]
    assert len(errors) == 1
    with qtbot.waitSignal(compiler.checked):
        window.project.undo()
    assert texts(window, PROBLEM)[len(before) + 1 :] == [*errors, f"Solved: {errors[0]}"]


def test_a_keyframe_that_is_loaded_is_named(window, qtbot):
    window.simulation.post(requests.LoadKeyframe(0))
    qtbot.waitUntil(lambda: "Loaded the keyframe up" in texts(window, PHYSICS))
    window.simulation.post(requests.StepRequest(20))
    qtbot.waitUntil(lambda: window.simulation.snapshot.time > 0.03)
    window.simulation.post(requests.LoadKeyframe(0))
    qtbot.waitUntil(
        lambda: (
            texts(window, PHYSICS).count("Loaded the keyframe up")
            + sum(entry.number - 1 for entry in window.workspace.log.entries if entry.text == "Loaded the keyframe up")
            == 2
        )
    )
    assert "Reset" not in texts(window, PHYSICS)


def test_resets_and_what_diverges_are_told(open_paused, model_file, qtbot):
    model_file.write_text(
        """<mujoco><worldbody><body name="ball"><joint name="slide" type="slide"/><geom size=".1"/></body></worldbody>
        <actuator><motor joint="slide"/></actuator></mujoco>"""
    )
    window = open_paused(model_file)
    simulation = window.simulation
    simulation.post(requests.StepRequest(20))
    qtbot.waitUntil(lambda: simulation.snapshot.time > 0.03)
    simulation.post(requests.Reset())
    qtbot.waitUntil(lambda: "Reset" in texts(window))
    simulation.post(requests.SetValues("qvel", 0, [1e12]))
    simulation.post(requests.StepRequest(1))
    qtbot.waitUntil(lambda: any("Diverged" in text for text in texts(window, PHYSICS)))
    entry = next(entry for entry in window.workspace.log.entries if "Diverged" in entry.text)
    assert entry.level == "warning" and entry.selection == Selection("joint", 0)
    assert texts(window).count("Reset") == 1, "an automatic reset is part of the warning"


def test_the_panel_filters_by_kind_and_words(panel):
    window = panel.window()
    edit(window, 'mass="1"', 'mass="2"', "Set mass")
    edit(window, 'size=".05"', 'size=".06"', "Set size")
    assert any(text.startswith("Opened") for text in rows(panel)) and "Set mass" in rows(panel)
    panel.kinds[FILE].click()
    assert not any(text.startswith("Opened") for text in rows(panel))
    panel.filter.setText("SIZE")
    assert rows(panel) == ["Set size"]
    panel.filter.setText("nothing like it")
    assert rows(panel) == [] and panel.view.empty.startswith("No entry fits")


def test_a_click_goes_to_the_text_or_selects(panel, qtbot):
    window = panel.window()
    edit(window, 'size=".05"', 'size=".06"', "Set size")
    row = panel.shown.index(panel.shown.rowCount() - 1, 2)
    panel.view.clicked.emit(row)
    qtbot.waitUntil(lambda: window.source.editor is not None and window.source.isVisible())
    qtbot.waitUntil(lambda: "06" in window.source.editor.textCursor().selectedText())
    window.workspace.log.add("warning", PHYSICS, "Diverged: x", selection=Selection("joint", 0))
    panel.view.clicked.emit(panel.shown.index(panel.shown.rowCount() - 1, 2))
    assert window.selection.current == Selection("joint", 0)


def test_the_same_again_is_counted_and_the_oldest_are_forgotten(panel):
    log = panel.log
    panel.log.clear()
    assert rows(panel) == []
    for _ in range(3):
        log.add("info", FILE, "Again")
    assert rows(panel) == ["Again  ×3"]
    for number in range(MOST + 10):
        log.add("info", FILE, f"Entry {number}")
    assert len(log.entries) <= MOST and panel.model.rowCount() == len(log.entries)
    assert rows(panel)[-1] == f"Entry {MOST + 9}"
    panel.view.selectAll()
    QTest.keyClick(panel.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert f"Entry {MOST + 9}" in QApplication.clipboard().text()
