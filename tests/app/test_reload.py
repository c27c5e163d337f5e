"""Live reload in the window: changes are followed, the state stays, errors never cost the good model."""

import os

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

import kinetree
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.engine.document.edit import Edit
from tests.app.conftest import MODEL


@pytest.fixture
def window(window, qtbot):
    """The rig, paused after some steps, with a camera of its own and something selected."""
    window.simulation.post(requests.StepRequest(50))
    window.simulation.post(requests.SetControl(0, 0.5))
    qtbot.waitUntil(lambda: window.simulation.snapshot.ctrl[0] == 0.5)
    window.view.camera.azimuth, window.view.camera.distance = 12.0, 3.0
    window.selection.select(Selection("body", kinetree.name2id(window.simulation.model, "body", "box")))
    window.simulation.post(requests.SetSpeed(0.5))
    return window


def reloaded(window, qtbot, old):
    qtbot.waitUntil(
        lambda: (
            window.simulation.model is not old
            and window.simulation.snapshot.model is window.simulation.model
            and window.simulation.snapshot.ready
        ),
    )
    return window.simulation.snapshot


def failed(window, qtbot):
    qtbot.waitUntil(lambda: window.compiler.failed)
    qtbot.waitUntil(window.frame.bar.isVisible)
    return window.frame.bar.text()


NEW = '<body name="new" pos="-1 0 1"><joint name="extra"/><geom size=".1"/></body>'
EDITED = MODEL.replace('<light name="sun"', NEW + '<light name="sun"').replace('qpos="-1', 'qpos="0 -1')


@pytest.mark.parametrize("how", ["rewrite", "rename"])
def test_a_save_is_followed_and_the_state_kept(window, model_file, qtbot, how):
    before, old = window.simulation.snapshot, window.simulation.model
    if how == "rewrite":
        model_file.write_text(EDITED)
    else:
        temporary = model_file.with_suffix(".tmp")
        temporary.write_text(EDITED)
        os.replace(temporary, model_file)
    after = reloaded(window, qtbot, old)
    hinge = after.model.jnt_qposadr[kinetree.name2id(after.model, "joint", "hinge")]
    assert after.qpos[hinge] == pytest.approx(before.qpos[0]) and before.qpos[0] != 0
    assert after.time == pytest.approx(before.time) and after.ctrl[0] == 0.5
    np.testing.assert_allclose(after.qpos[-7:], before.qpos[-7:])
    assert not window.simulation.running and window.simulation.speed == 0.5 and after.speed == 0.5
    assert (window.view.camera.azimuth, window.view.camera.distance) == (12.0, 3.0)
    assert window.selection.current == Selection("body", kinetree.name2id(after.model, "body", "box"))
    assert window.view.perturb.select == window.selection.current.id
    assert window.tree.view.currentIndex().data() == "box"


def test_a_running_model_runs_on(window, model_file, qtbot):
    window.simulation.post(requests.Play())
    old = window.simulation.model
    model_file.write_text(EDITED)
    time = reloaded(window, qtbot, old).time
    qtbot.waitUntil(lambda: window.simulation.snapshot.time > time)


def test_errors_stand_over_the_model_that_runs_on(window, model_file, qtbot):
    good = window.simulation.model
    model_file.write_text(MODEL.replace('type="sphere" size=".1" mass="1"', 'typ="sphere" size=".1"'))
    text = failed(window, qtbot)
    assert window.simulation.model is good and "rig.xml:8:" in text and "typ" in text
    assert window.problems.model.rowCount() >= 1
    assert window.status.errors.text() == "1"
    window.simulation.post(requests.StepRequest())
    serial = window.simulation.snapshot.serial
    qtbot.waitUntil(lambda: window.simulation.snapshot.serial > serial)
    window.frame.bar.buttons[0].click()
    assert window.docks["problems"].isVisible()
    window.problems.view.clicked.emit(window.problems.model.index(0, 0))
    assert window.selection.current.kind in ("geom", "body")
    model_file.write_text(EDITED)
    reloaded(window, qtbot, good)
    assert not window.frame.bar.isVisible() and window.problems.model.rowCount() == 0
    assert window.status.errors.text() == "0"


def test_a_double_click_on_a_problem_and_return_show_it_in_the_text(window, model_file, qtbot):
    model_file.write_text(MODEL.replace('type="sphere" size=".1" mass="1"', 'typ="sphere" size=".1"'))
    failed(window, qtbot)
    window.findings.show_panel()
    view, source = window.problems.view, window.source
    view.doubleClicked.emit(window.problems.model.index(0, 0))
    qtbot.waitUntil(lambda: window.docks["source"].in_view and source.editor.textCursor().blockNumber() == 7)
    source.editor.moveCursor(QTextCursor.MoveOperation.Start)
    view.setCurrentIndex(window.problems.model.index(0, 0))
    QTest.keyClick(view, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: source.editor.textCursor().blockNumber() == 7)


@pytest.mark.parametrize("by", ["banner", "double click"])
def test_a_file_that_could_not_be_opened_is_opened_to_be_fixed(window, model_file, tmp_path, qtbot, by):
    path = tmp_path / "bad.xml"
    path.write_text("hello")
    window.open(str(path))
    failed(window, qtbot)
    assert [button.text() for button in window.frame.bar.buttons] == ["Problems"]
    path.write_text('<mujoco>\n<option timestep="abc"/>\n</mujoco>')
    qtbot.waitUntil(lambda: "timestep" in str(window.compiler.diagnostics))
    bar = window.frame.bar
    assert [button.text() for button in bar.buttons] == ["Open and Fix", "Problems"]
    if by == "banner":
        bar.buttons[0].click()
    else:
        window.problems.view.doubleClicked.emit(window.problems.model.index(0, 0))
    qtbot.waitUntil(lambda: window.project.path == str(path) and window.docks["source"].in_view)
    editor = window.source.editor
    assert editor.path == str(path) and editor.textCursor().blockNumber() == 1
    qtbot.waitUntil(lambda: window.start.models and window.start.models[0].isVisible())
    assert [button.text() for button in window.start.models] == ["Back to rig.xml"]
    window.start.models[0].click()
    qtbot.waitUntil(lambda: window.project.path == str(model_file) and window.simulation.model is not None)
    assert not window.start.models


def test_unsaved_changes_are_asked_about_before_a_broken_file_is_opened(window, tmp_path, qtbot):
    path = tmp_path / "bad.xml"
    path.write_text('<mujoco><option timestep="abc"/></mujoco>')
    window.open(str(path))
    failed(window, qtbot)
    rig = window.project.path
    window.project.apply("Typing", {rig: [Edit(0, 0, "<!-- mine -->\n")]})
    window.findings.open_broken()
    (box,) = window.findChildren(QMessageBox)
    box.button(QMessageBox.StandardButton.Cancel).click()
    assert window.project.path == rig and window.project.modified == [rig]


def test_truncated_then_whole(window, model_file, qtbot):
    good = window.simulation.model
    model_file.write_text(EDITED[:300])
    failed(window, qtbot)
    model_file.write_text(EDITED)
    reloaded(window, qtbot, good)


def test_deleted_then_restored(window, model_file, qtbot):
    good = window.simulation.model
    model_file.unlink()
    qtbot.waitUntil(window.frame.files_bar.isVisible)
    assert "Deleted on disk: rig.xml" in window.frame.files_bar.text()
    assert window.simulation.model is good and window.isWindowModified()
    model_file.write_text(EDITED)
    reloaded(window, qtbot, good)
    assert not window.compiler.failed and not window.frame.files_bar.isVisible()


def test_an_included_file_is_watched_even_before_it_exists(window, model_file, tmp_path, qtbot):
    good = window.simulation.model
    model_file.write_text(MODEL.replace("<worldbody>", '<include file="parts.xml"/><worldbody>'))
    failed(window, qtbot)
    part = tmp_path / "parts.xml"
    part.write_text("<mujoco><option timestep='.004'/></mujoco>")
    assert reloaded(window, qtbot, good).model.opt.timestep == 0.004
    good = window.simulation.model
    part.write_text("<mujoco><option timestep='.001'/></mujoco>")
    assert reloaded(window, qtbot, good).model.opt.timestep == 0.001


def test_what_is_gone_is_no_longer_selected(window, model_file, qtbot):
    old = window.simulation.model
    start, end = MODEL.index('    <body name="box"'), MODEL.index('    <body name="target"')
    model_file.write_text(
        MODEL[:start] + MODEL[end:].replace(" 1 0 1 .5 1 0 0 0", "").replace("-1 0 1 .5 1 0 0 0", "-1")
    )
    reloaded(window, qtbot, old)
    assert window.selection.current == NOTHING and window.view.perturb.select == 0


def test_auto_reload_is_a_switch(window, model_file, settings, qtbot):
    old = window.simulation.model
    window.actions_["file.auto_reload"].trigger()
    assert not settings.auto_reload
    model_file.write_text(EDITED)
    qtbot.wait(1300)
    assert window.simulation.model is old
    window.actions_["file.auto_reload"].trigger()
    reloaded(window, qtbot, old)
    assert settings.auto_reload


def test_reload_by_key(window, qtbot):
    old, time = window.simulation.model, window.simulation.snapshot.time
    window.actions_["file.reload"].trigger()
    assert reloaded(window, qtbot, old).time == time


def test_a_touch_does_nothing(window, model_file, qtbot):
    old = window.simulation.model
    os.utime(model_file)
    qtbot.wait(500)
    assert window.simulation.model is old


def test_a_burst_of_saves_ends_at_the_last(window, model_file, qtbot):
    for i in range(12):
        model_file.write_text(MODEL.replace('model="rig"', f'model="rig {i}"'))
        qtbot.wait(15)
    qtbot.waitUntil(lambda: window.simulation.snapshot.model.name == "rig 11")


def test_a_save_is_compiled_once_and_no_kernel_with_it(window, model_file, qtbot):
    """For the time of a reload: python -m tests.benchmark.bench_load."""
    compiled, models, kernels = [], [], []
    window.compiler.compiled.connect(compiled.append)
    window.simulation.model_changed.connect(lambda *_: models.append(window.simulation.model))
    window.simulation._warm_progress.connect(lambda _, done, total, name: kernels.append(name))
    old = window.simulation.model
    model_file.write_text(EDITED)
    reloaded(window, qtbot, old)
    qtbot.wait(400)
    assert len(compiled) == len(models) == 1
    assert not any(kernels)


def test_the_tree_stays_as_it_was_opened(window, model_file, qtbot):
    view, old = window.tree.view, window.simulation.model

    def row(name):
        model = window.tree.view.tree_model
        return next(row for row in range(len(window.tree.outline)) if model.describe(row).name == name)

    outline = window.tree.outline
    assert outline.is_expanded(row("base")) and outline.is_expanded(row("arm"))
    view.toggle(row("base"))
    model_file.write_text(EDITED)
    reloaded(window, qtbot, old)
    assert not outline.is_expanded(row("base")) and outline.is_expanded(row("arm"))
