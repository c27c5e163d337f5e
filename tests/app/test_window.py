"""The window as a user meets it: open, run, select, push, keys, themes, files that are bad."""

import os

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox

import kinetree
from kinetree.app.settings.thumbnails import SIZE
from kinetree.app.viewport.held import held_text
from kinetree.app.viewport.viewport import portrait
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.engine.diagnostics import Diagnostic, Severity
from tests.app.conftest import FLAWED, MODEL

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
NONE, SHIFT, CONTROL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


def settled(window, qtbot):
    """Everything asked of the simulation is done, and the window has the result."""
    done = []
    window.simulation.post(requests.Ask(lambda model, data: done.append(True)))
    window.simulation.post(requests.Publish())
    qtbot.waitUntil(lambda: bool(done))
    serial = window.simulation.snapshot.serial
    window.simulation.post(requests.Publish())
    qtbot.waitUntil(lambda: window.simulation.snapshot.serial > serial)
    return window.simulation.snapshot


def body(window, name):
    return kinetree.name2id(window.simulation.model, "body", name)


def place_of(window, point):
    """Where a world point is in the viewport."""
    from kinetree.engine.scene.camera import view_of

    viewport = window.viewport
    view = view_of(
        window.view.camera,
        window.simulation.model,
        window.simulation.snapshot,
        viewport.width() / viewport.height(),
    )
    x, y, depth = view.project(np.array([point], float))[0]
    assert depth > 0 and 0 < x < 1 and 0 < y < 1
    return QPoint(round(x * viewport.width()), round(y * viewport.height()))


def drag(window, start, end, button, modifiers=NONE):
    viewport = window.viewport
    QTest.mousePress(viewport, button, modifiers, start)
    middle = QPoint((start.x() + end.x()) // 2, (start.y() + end.y()) // 2)
    for point in (middle, end):
        move(viewport, point, button, modifiers)
    return lambda: QTest.mouseRelease(viewport, button, modifiers, end)


def move(viewport, point, button, modifiers):
    """QTest.mouseMove holds no button: send the event itself."""
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent

    where = QPointF(point)
    event = QMouseEvent(
        QEvent.Type.MouseMove, where, viewport.mapToGlobal(where), Qt.MouseButton.NoButton, button, modifiers
    )
    QApplication.sendEvent(viewport, event)


# ---- opening ----------------------------------------------------------------------------------------------


def test_a_model_opens_and_moves(make_window, model_file, rig, qtbot):
    window = make_window(model_file)
    qtbot.waitUntil(lambda: window.simulation.snapshot.time > 0.1)
    assert window.middle.currentWidget() is window.viewports
    assert window.windowTitle() == "rig.xml[*] - Kinetree"
    assert window.settings.recent() == [str(model_file)]
    image = window.viewport.picture()
    colours = {image.pixel(x, y) for x in range(5, image.width(), 37) for y in range(5, image.height(), 37)}
    assert len(colours) > 10


def test_nothing_is_open(make_window, qtbot):
    window = make_window()
    assert window.middle.currentWidget() is window.start
    assert not window.actions_["sim.toggle"].isEnabled()
    for name in ("inspector", "options", "problems", "source"):
        window.docks[name].bring_up()
        qtbot.waitUntil(lambda name=name: window.docks[name].in_view)
    options = window.docks["options"].panel
    qtbot.waitUntil(lambda: "No model is open." in window.inspector.facts.text())
    assert "No model is open." in [label.text() for label in options.findChildren(QLabel) if label.isVisible()]
    assert not any(editor.isVisible() for editor in options.editors.values())
    assert window.source.nothing.isVisible() and window.source.nothing.text() == "No model is open."
    assert window.problems.view.empty == "No model is open."
    window.grab()


def test_problems_of_one_line_have_rows_of_one_line(window, qtbot):
    assert window.problems.view.empty == "No errors and no warnings."
    window.docks["problems"].bring_up()
    messages = ("short", "many words of a message " * 20)
    window.problems.set_items([Diagnostic(Severity.ERROR, "code", text, "x.xml", 1, 1) for text in messages])
    view, height = window.problems.view, window.problems.view.fontMetrics().height()
    qtbot.waitUntil(lambda: view.rowHeight(1) >= 2 * height)
    assert height < view.rowHeight(0) < 2 * height


def test_many_problems_are_filtered(window, qtbot):
    panel = window.problems
    window.docks["problems"].bring_up()
    found = [Diagnostic(Severity.WARNING, f"code-{k % 3}", f"geom {k}", "x.xml", k + 1, 1) for k in range(9)]
    panel.set_items(found[:5])
    assert panel.filter.isHidden() and panel.model.items == found[:5]
    panel.set_items(found)
    qtbot.waitUntil(panel.filter.isVisible)
    QTest.keyClicks(panel.filter, "CODE-1 geom")
    assert panel.model.items == found[1::3]
    QTest.keyClicks(panel.filter, " zzz")
    assert not panel.model.items and panel.view.empty == "No problem has these words."
    QTest.keyClick(panel.filter, Qt.Key.Key_Escape)
    assert panel.model.items == found


def test_steps_of_the_history_are_filtered(window, qtbot):
    from kinetree.engine.document.change import set_attribute

    path, panel = window.project.path, window.history
    window.docks["history"].bring_up()
    for name in ("Move the arm", "Delete a light", "Move the light"):
        window.project.apply(name, set_attribute(window.project.document.root, "model", name))
    qtbot.waitUntil(lambda: panel.model.rowCount() == 4)
    shown = lambda: [k for k in range(4) if not panel.view.isRowHidden(k)]  # noqa: E731
    QTest.keyClicks(panel.filter, "move light")
    assert shown() == [3]
    panel.filter.setText("arm")
    assert shown() == [1]
    place = panel.view.visualRect(panel.model.index(1)).center()
    QTest.mouseClick(panel.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert 'model="Move the arm"' in window.project.texts.text(path) and shown() == [1]
    QTest.keyClick(panel.filter, Qt.Key.Key_Escape)
    assert shown() == [0, 1, 2, 3]
    window.workspace.opening.close()


def test_a_first_file_that_fails_is_explained_and_opens_when_mended(make_window, tmp_path, rig, qtbot):
    path = tmp_path / "broken.xml"
    path.write_text("<mujoco><worldbody><boddy/></worldbody></mujoco>")
    window = make_window()
    window.open(str(path))
    qtbot.waitUntil(lambda: window.compiler.failed)
    assert window.middle.currentWidget() is window.start
    assert window.start.problems.model.rowCount() >= 1
    assert "boddy" in window.start.problems.model.index(0, 0).data()
    window.grab()
    path.write_text(MODEL)
    qtbot.waitUntil(lambda: window.simulation.model is not None)
    assert window.middle.currentWidget() is window.viewports
    assert window.problems.model.rowCount() == 0


def test_opening_a_bad_file_does_not_cost_the_good_model(window, tmp_path, qtbot):
    good = window.simulation.model
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco>")
    window.open(str(bad))
    qtbot.waitUntil(lambda: window.compiler.failed)
    assert window.simulation.model is good and window.windowTitle() == "rig.xml[*] - Kinetree"
    assert "bad.xml cannot be opened" in window.frame.bar.text() and window.frame.bar.isVisible()
    bad.write_text(MODEL.replace("rig", "other"))
    qtbot.waitUntil(lambda: window.simulation.model is not good)
    assert window.windowTitle() == "bad.xml[*] - Kinetree" and not window.frame.bar.isVisible()


def test_a_dropped_file_opens(window, tmp_path, qtbot):
    other = tmp_path / "a name with spaces and ü.xml"
    other.write_text(MODEL)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(other))])
    event = QDropEvent(QPointF(50, 50), Qt.DropAction.CopyAction, data, LEFT, NONE)
    window.dropEvent(event)
    qtbot.waitUntil(lambda: window.project.path == str(other))


def test_closing_the_model_keeps_the_window(window, qtbot):
    window.actions_["file.close"].trigger()
    assert window.simulation.model is None and window.middle.currentWidget() is window.start
    assert window.tree.view.tree_model.rowCount() == 0
    window.grab()


def test_a_canonical_copy_is_saved(window, tmp_path, qtbot):
    path = tmp_path / "copy.xml"
    window.actions_["file.save_copy"].trigger()
    dialog = window.findChild(QFileDialog)
    assert dialog is not None and dialog.selectedFiles()[0].endswith("rig_canonical.xml")
    said = []
    window.status.say, say = said.append, window.status.say
    with qtbot.waitSignal(window.workspace.saving.saved):
        dialog.fileSelected.emit(str(path))
    dialog.close()
    window.status.say = say
    assert said == [f"Saved {path}"]
    assert kinetree.load(path).names == window.simulation.model.names


@pytest.mark.parametrize("name", ["rig.xml", "no/such/folder.xml", "copy.txt"])
def test_a_copy_that_cannot_be_saved_is_reported(window, model_file, tmp_path, name, qtbot):
    before = model_file.read_text()
    reported = []
    window.workspace.failed.disconnect(window.report)
    window.workspace.failed.connect(lambda message, _details: reported.append(message))
    window.workspace.converting.save_copy(str(tmp_path / name))
    qtbot.waitUntil(lambda: bool(reported))
    assert os.path.basename(name) in reported[0] and model_file.read_text() == before


# ---- run ---------------------------------------------------------------------------------------------------


def test_keys_run_step_and_reset(window, qtbot):
    viewport = window.viewport
    step = window.simulation.model.opt.timestep
    QTest.keyClick(viewport, Qt.Key.Key_Right)
    QTest.keyClick(viewport, Qt.Key.Key_Right)
    assert settled(window, qtbot).time == pytest.approx(2 * step)
    QTest.keyClick(viewport, Qt.Key.Key_Left)
    assert settled(window, qtbot).time == pytest.approx(step)
    QTest.keyClick(viewport, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: window.simulation.snapshot.time > 0.05)
    assert window.simulation.running
    QTest.keyClick(viewport, Qt.Key.Key_Space)
    QTest.keyClick(viewport, Qt.Key.Key_Backspace)
    snapshot = settled(window, qtbot)
    assert snapshot.time == 0 and not window.simulation.running


def test_keys_change_the_speed(window):
    for key, speed in ((Qt.Key.Key_Minus, 0.5), (Qt.Key.Key_Equal, 1.0), (Qt.Key.Key_Equal, 2.0)):
        QTest.keyClick(window.viewport, key)
        assert window.simulation.speed == speed
    assert window.toolbar.speed.currentText() == "2×"


def test_keyframes_can_be_chosen(window, qtbot):
    window.toolbar.keys.activated.emit(0)
    assert settled(window, qtbot).qpos[0] == -1


def test_single_keys_act_only_in_the_viewport(window, qtbot):
    window.tree.filter.setFocus()
    qtbot.waitUntil(window.tree.filter.hasFocus)
    QTest.keyClicks(window.tree.filter, "hinge j=")
    assert window.tree.filter.text() == "hinge j="
    assert not window.simulation.running and window.simulation.speed == 1.0 and not window.view.options.joint


def test_tone_mapping_and_exposure_are_in_the_menu(window):
    options, actions = window.view.options, window.actions_
    assert actions["tonemap.model"].isChecked()
    actions["tonemap.aces"].trigger()
    assert options.tonemap == "aces"
    assert [name for name in actions.rows if name.startswith("tonemap.") and actions[name].isChecked()] == [
        "tonemap.aces"
    ]
    actions["exposure.brighter"].trigger()
    actions["exposure.brighter"].trigger()
    assert options.exposure == 1.0
    actions["exposure.darker"].trigger()
    assert options.exposure == 0.5
    actions["exposure.reset"].trigger()
    assert options.exposure == 0.0


def test_flags_and_groups_have_keys(window):
    viewport, options = window.viewport, window.view.options
    QTest.keyClick(viewport, Qt.Key.Key_J)
    assert options.joint and window.actions_["flag.joint"].isChecked()
    QTest.keyClick(viewport, Qt.Key.Key_Comma)
    assert options.activation
    QTest.keyClick(viewport, Qt.Key.Key_Slash)
    assert not options.haze
    QTest.keyClick(viewport, Qt.Key.Key_4)
    assert options.geomgroup == [True, True, True, False, True, False]
    QTest.keyClick(viewport, Qt.Key.Key_1, SHIFT)
    assert options.sitegroup == [True, False, True, False, False, False]
    QTest.keyClick(viewport, Qt.Key.Key_F6)
    assert options.frame.name == "BODY"
    QTest.keyClick(viewport, Qt.Key.Key_F7)
    assert options.label.name == "BODY"


def test_tab_hides_the_panels(window):
    QTest.keyClick(window.viewport, Qt.Key.Key_Tab)
    assert window.docks["tree"].isHidden() and not window.docks["controls"].isHidden()
    QTest.keyClick(window.viewport, Qt.Key.Key_Backtab, SHIFT)
    assert window.docks["controls"].isHidden()
    QTest.keyClick(window.viewport, Qt.Key.Key_Tab)
    assert not window.docks["tree"].isHidden()


def test_help_and_information_lie_over_the_viewport(window, qtbot):
    QTest.keyClick(window.viewport, Qt.Key.Key_F1)
    assert window.help.isVisible() and "Backspace" in window.help.text()
    QTest.keyClick(window.viewport, Qt.Key.Key_F1)
    assert not window.help.isVisible()
    QTest.keyClick(window.viewport, Qt.Key.Key_F2)
    assert window.frame.info.isVisible() and "Contacts" in window.frame.info.text()
    window.grab()


def test_labels_are_written(window, qtbot):
    QTest.keyClick(window.viewport, Qt.Key.Key_F7)
    qtbot.waitUntil(lambda: any(text == "arm" for *_, text in window.frame.labels._shown))


# ---- camera ------------------------------------------------------------------------------------------------


def test_the_mouse_moves_the_camera(window, qtbot):
    camera = window.view.camera
    start, end = QPoint(200, 200), QPoint(260, 230)
    azimuth, lookat, distance = camera.azimuth, camera.lookat.copy(), camera.distance
    drag(window, start, end, LEFT)()
    assert camera.azimuth != azimuth and np.allclose(camera.lookat, lookat)
    drag(window, start, end, RIGHT)()
    assert camera.lookat[2] != pytest.approx(lookat[2])
    lookat = camera.lookat.copy()
    drag(window, start, end, RIGHT, SHIFT)()
    assert camera.lookat[2] == pytest.approx(lookat[2]) and not np.allclose(camera.lookat[:2], lookat[:2])
    drag(window, start, end, MIDDLE)()
    assert camera.distance != distance


def test_the_wheel_zooms_as_in_simulate_or_the_other_way_round(window, settings):
    camera = window.view.camera

    def moved(turn, held=NONE):
        before = camera.distance
        wheel(window.viewport, turn, held)
        return camera.distance - before

    away = moved(120)
    assert away > 0 > moved(-120)
    assert 0 < moved(120, SHIFT) < 0.5 * away < 2 * away < moved(120, CONTROL)
    settings.wheel = "nearer"
    assert moved(120) < 0 < moved(-120)
    assert window.workspace.add_view().wheel == "nearer"


def wheel(viewport, turn, held=NONE):
    from PySide6.QtGui import QWheelEvent

    where = QPointF(viewport.width() / 2, viewport.height() / 2)
    event = QWheelEvent(
        where,
        viewport.mapToGlobal(where),
        QPoint(),
        QPoint(0, turn),
        Qt.MouseButton.NoButton,
        held,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(viewport, event)


def test_keys_and_the_box_choose_the_camera(window):
    QTest.keyClick(window.viewport, Qt.Key.Key_BracketRight)
    assert (window.view.camera.type, window.view.camera.fixedcamid) == ("fixed", 0)
    assert window.toolbar.cameras.currentText() == "front"
    QTest.keyClick(window.viewport, Qt.Key.Key_BracketRight)
    assert window.view.camera.fixedcamid == 1
    QTest.keyClick(window.viewport, Qt.Key.Key_BracketLeft)
    assert window.view.camera.fixedcamid == 0
    QTest.keyClick(window.viewport, Qt.Key.Key_Escape)
    assert window.view.camera.type == "free" and window.toolbar.cameras.currentText() == "Free camera"
    window.toolbar.cameras.activated.emit(2)
    assert window.view.camera.fixedcamid == 1
    QTest.keyClick(window.viewport, Qt.Key.Key_A, CONTROL)
    assert window.view.camera.type == "free"


def test_right_double_click_centres_and_tracks(window, qtbot):
    box = body(window, "box")
    QTest.mouseDClick(window.viewport, RIGHT, NONE, place_of(window, window.simulation.snapshot.xpos[box]))
    assert np.linalg.norm(window.view.camera.lookat - window.simulation.snapshot.xpos[box]) < 0.4
    QTest.mouseDClick(window.viewport, RIGHT, CONTROL, place_of(window, window.simulation.snapshot.xpos[box]))
    assert window.view.camera.type == "tracking" and window.view.camera.trackbodyid == box
    assert window.toolbar.cameras.currentText() == "Track box"


# ---- selection ---------------------------------------------------------------------------------------------


def test_a_double_click_selects_in_the_tree(window, qtbot):
    box = body(window, "box")
    QTest.mouseDClick(window.viewport, LEFT, NONE, place_of(window, window.simulation.snapshot.xpos[box]))
    assert window.selection.current == Selection("body", box)
    assert window.tree.view.currentIndex().data() == "box"
    assert "box" in window.frame.selected.whole and window.frame.selected.isVisible()
    QTest.keyClick(window.viewport, Qt.Key.Key_PageUp)
    assert window.selection.current == NOTHING
    assert not window.tree.view.currentIndex().isValid()


def test_a_click_in_the_tree_selects(window):
    joint = Selection("joint", kinetree.name2id(window.simulation.model, "joint", "hinge"))
    view = window.tree.view
    model = view.tree_model
    index = next(model.index(row, 0) for row in range(model.rowCount()) if model.index(row, 0).data() == "hinge")
    view.scrollTo(index)
    QTest.mouseClick(view.viewport(), LEFT, NONE, view.visualRect(index).center())
    assert window.selection.current == joint
    assert window.view.perturb.select == body(window, "arm")
    assert "hinge" in window.frame.selected.whole


# ---- pushing -----------------------------------------------------------------------------------------------


def test_a_body_is_pulled_by_the_mouse_while_running(window, qtbot):
    box = body(window, "box")
    place = place_of(window, window.simulation.snapshot.xpos[box])
    QTest.mouseDClick(window.viewport, LEFT, NONE, place)
    window.simulation.post(requests.Play())
    camera = window.view.camera.copy()
    release = drag(window, place, place + QPoint(0, -120), RIGHT, CONTROL)
    qtbot.waitUntil(lambda: window.simulation.snapshot.xfrc_applied[box, 2] > 0)
    assert window.view.perturb.active
    release()
    qtbot.waitUntil(lambda: not window.simulation.snapshot.xfrc_applied.any())
    assert camera.azimuth == window.view.camera.azimuth and np.allclose(camera.lookat, window.view.camera.lookat)


def test_mocap_and_paused_free_bodies_are_posed_by_the_mouse(window, qtbot):
    for name in ("target", "box"):
        index = body(window, name)
        before = window.simulation.snapshot.xpos[index].copy()
        window.selection.select(Selection("body", index))
        place = place_of(window, before)
        drag(window, place, place + QPoint(0, -60), RIGHT, CONTROL)()
        after = settled(window, qtbot).xpos[index]
        assert after[2] > before[2] + 0.05, name
        turned = window.simulation.snapshot.xquat[index].copy()
        drag(window, place, place + QPoint(40, 0), LEFT, CONTROL)()
        assert not np.allclose(settled(window, qtbot).xquat[index], turned), name


def held(window) -> str:
    """Text of the viewport beside the body that the mouse holds."""
    return held_text(window.simulation.model, window.simulation.snapshot, window.view.perturb)


def test_the_force_of_the_mouse_is_told_in_newtons(window, qtbot):
    box = body(window, "box")
    window.selection.select(Selection("body", box))
    assert held(window) == ""
    window.simulation.post(requests.Play())
    qtbot.waitUntil(lambda: window.simulation.snapshot.running)
    place = place_of(window, window.simulation.snapshot.xpos[box])
    release = drag(window, place, place + QPoint(0, -120), RIGHT, CONTROL)
    qtbot.waitUntil(lambda: window.simulation.snapshot.xfrc_applied[box, 2] > 0)
    force = np.linalg.norm(window.simulation.snapshot.xfrc_applied[box, :3])
    text = held(window)
    assert text.endswith(" N") and float(text[:-2].replace(",", "")) == pytest.approx(force, rel=0.01)
    window.grab()
    release()
    release = drag(window, place, place + QPoint(60, 0), LEFT, CONTROL)
    qtbot.waitUntil(lambda: window.simulation.snapshot.xfrc_applied[box, 3:].any())
    assert held(window).endswith(" N m")
    release()


def test_a_limb_is_posed_while_paused_and_the_pose_taken_back(window, qtbot):
    arm = body(window, "arm")
    hinge = int(window.simulation.model.jnt_qposadr[kinetree.name2id(window.simulation.model, "joint", "hinge")])
    window.selection.select(Selection("body", arm))
    window.view.perturb.localpos = np.array([0.5, 0.0, 0.0])
    start = settled(window, qtbot)
    place = place_of(window, start.xpos[arm] + (0.5, 0, 0))
    release = drag(window, place, place + QPoint(0, -60), RIGHT, CONTROL)
    qtbot.waitUntil(lambda: settled(window, qtbot).qpos[hinge] < -0.05)
    assert held(window).startswith("x ")
    window.grab()
    release()
    posed = settled(window, qtbot).qpos.copy()
    window.actions_["sim.undo_pose"].trigger()
    np.testing.assert_array_equal(settled(window, qtbot).qpos, start.qpos)
    assert window.frame.said.whole == "Pose taken back"
    window.actions_["sim.redo_pose"].trigger()
    np.testing.assert_array_equal(settled(window, qtbot).qpos, posed)
    drag(window, place, place + QPoint(-300, 100), RIGHT, CONTROL)  # beyond what the hinge allows
    qtbot.waitUntil(lambda: "hinge is at its limit" in held(window))
    QTest.keyClick(window.viewport, Qt.Key.Key_Escape)
    np.testing.assert_array_equal(settled(window, qtbot).qpos, posed)
    assert held(window) == "" and window.project.texts.undo_name is None


# ---- panels ------------------------------------------------------------------------------------------------


def test_the_state_is_copied_as_a_keyframe(window, qtbot):
    QTest.keyClick(window.viewport, Qt.Key.Key_C, CONTROL)
    text = QGuiApplication.clipboard().text()
    assert text.startswith("<key ") and 'ctrl="0"' in text and 'mpos="1 0 0.5"' in text
    model = kinetree.load_string(MODEL.replace("</keyframe>", text + "</keyframe>"))
    assert model.nkey == 2


# ---- look --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["light", "dark", "system"])
def test_themes(window, name, settings):
    window.actions_[f"view.theme_{name}"].trigger()
    assert settings.theme == name
    assert window.actions_[f"view.theme_{name}"].isChecked()
    window.grab()


def test_the_layout_and_recent_files_are_remembered(make_window, settings, model_file, rig, qtbot):
    window = make_window(model_file)
    window.docks["problems"].show()
    window.docks["controls"].hide()
    window.close()
    assert QSettings(settings.file, QSettings.Format.IniFormat).contains("layout/state")
    again = make_window(model_file, physics=False)
    assert not again.docks["problems"].isHidden() and again.docks["controls"].isHidden()
    assert settings.recent() == [str(model_file)]
    again.dock_layout.reset()
    assert again.docks["problems"].isHidden() and not again.docks["controls"].isHidden()


def test_an_unexpected_failure_is_told_and_the_window_stays(window, qtbot, caplog):
    from kinetree.app.panels.pages.failure import FailureDialog

    window.workspace.failed.emit("Something went wrong: test", "details")
    box = FailureDialog._open
    assert box is not None and box.isVisible() and "test" in box.text()
    window.workspace.failed.emit("again", "")
    assert FailureDialog._open is box
    box.close()
    assert FailureDialog._open is None and window.isVisible()


def test_what_the_checks_find_comes_after_the_model_and_kinds_can_be_hidden(make_window, tmp_path, qtbot):
    path = tmp_path / "flawed.xml"
    path.write_text(FLAWED)
    window = make_window()
    window.open(str(path))

    def codes():
        return [item.code for item in window.problems.model.items]

    qtbot.waitUntil(lambda: codes() == ["overlap-at-rest", "unused-asset"])
    assert window.simulation.model is not None and window.problems.hidden.isHidden()
    menu = window.problems.menu(window.problems.model.items[0])
    menu.actions()[-1].trigger()
    assert codes() == ["unused-asset"] and window.settings.hidden_checks == ["overlap-at-rest"]
    assert "1 problem hidden" in window.problems.hidden.text()
    path.write_text(FLAWED.replace("idle", "unused"))
    qtbot.waitUntil(lambda: "'unused'" in str(window.problems.model.items))
    assert codes() == ["unused-asset"]
    window.problems.hidden.menu().actions()[0].trigger()
    assert codes() == ["overlap-at-rest", "unused-asset"] and window.settings.hidden_checks == []
    assert window.problems.hidden.isHidden()
    actions = window.problems.menu(window.problems.model.items[0]).actions()
    box = next(action for action in actions if action.text() == "Explain")
    box.trigger()
    from PySide6.QtWidgets import QMessageBox

    boxes = window.problems.findChildren(QMessageBox)
    assert len(boxes) == 1 and "qpos0" in boxes[0].informativeText()
    boxes[0].close()


def test_an_error_cannot_be_hidden(make_window, tmp_path, qtbot):
    path = tmp_path / "broken.xml"
    path.write_text("<mujoco><boddy/></mujoco>")
    window = make_window()
    window.settings.hidden_checks = ["unknown-element"]
    window.compiler.hide_codes(["unknown-element"])
    window.open(str(path))
    qtbot.waitUntil(lambda: window.compiler.failed)
    assert [item.code for item in window.compiler.diagnostics] == ["unknown-element"]
    assert not window.problems.menu(window.compiler.diagnostics[0]).actions()[-1].isEnabled()


# ---- edits -------------------------------------------------------------------------------------------------


def set_hub(window, size):
    from kinetree.engine.document.change import set_attribute

    hub = next(node for node in window.project.document.root.iter("geom") if node.get("name") == "hub")
    window.project.apply("Set size", set_attribute(hub, "size", size))


def question(window):
    boxes = question_boxes(window)
    assert len(boxes) == 1 and "rig.xml" in boxes[0].text()
    return boxes[0]


def question_boxes(window):
    return [box for box in window.findChildren(QMessageBox) if box.isVisible()]


def test_edits_can_be_undone_and_saved_from_the_menu(window, model_file, qtbot):
    actions = window.actions_
    for name in ("edit.undo", "edit.redo", "file.save", "file.save_all"):
        assert not actions[name].isEnabled()
    set_hub(window, ".3")
    assert window.isWindowModified() and actions["edit.undo"].text() == "Undo Set size"
    QTest.keyClick(window.viewport, Qt.Key.Key_Z, CONTROL)
    assert not window.isWindowModified() and actions["edit.redo"].text() == "Redo Set size"
    QTest.keyClick(window.viewport, Qt.Key.Key_Z, CONTROL | SHIFT)
    assert window.isWindowModified()
    QTest.keyClick(window.viewport, Qt.Key.Key_S, CONTROL)
    qtbot.waitUntil(lambda: not window.isWindowModified())
    assert 'size=".3" mass="1"' in model_file.read_text() and not actions["file.save"].isEnabled()


def test_closing_asks_about_unsaved_edits(window, model_file, qtbot):
    set_hub(window, ".3")
    window.close()
    question(window).button(QMessageBox.StandardButton.Cancel).click()
    assert window.isVisible() and window.isWindowModified()
    window.actions_["file.close"].trigger()
    question(window).button(QMessageBox.StandardButton.Cancel).click()
    assert window.project.path == str(model_file)
    window.actions_["file.close"].trigger()
    window.close()  # the newest edit counts
    question(window).button(QMessageBox.StandardButton.Save).click()
    qtbot.waitUntil(lambda: not window.isVisible())
    assert 'size=".3" mass="1"' in model_file.read_text()


def test_edits_can_be_thrown_away(window, model_file, tmp_path, qtbot):
    other = tmp_path / "other.xml"
    other.write_text(MODEL)
    set_hub(window, ".3")
    window.open(str(other))
    qtbot.waitUntil(lambda: bool(question_boxes(window)))
    question(window).button(QMessageBox.StandardButton.Discard).click()
    qtbot.waitUntil(lambda: window.project.path == str(other))
    assert model_file.read_text() == MODEL and not window.isWindowModified()


def test_a_conflict_stands_over_the_model_until_it_is_decided(window, model_file, qtbot):
    bar = window.frame.files_bar
    set_hub(window, ".3")
    model_file.write_text(MODEL.replace('size=".1" mass="1"', 'size=".2" mass="1"'))
    qtbot.waitUntil(bar.isVisible)
    assert "unsaved changes" in bar.text()
    assert [button.text() for button in bar.buttons] == ["Merge…", "Reload", "Keep Mine"]
    bar.buttons[1].click()
    assert not bar.isVisible() and not window.isWindowModified()
    assert window.actions_["edit.undo"].text() == "Undo Reload rig.xml"


def test_without_automatic_reload_a_bar_offers_it(window, model_file, qtbot):
    bar, old = window.frame.files_bar, window.simulation.model
    window.actions_["file.auto_reload"].trigger()
    model_file.write_text(MODEL.replace('size=".1" mass="1"', 'size=".2" mass="1"'))
    qtbot.waitUntil(bar.isVisible)
    assert "Changed on disk: rig.xml" in bar.text() and window.simulation.model is old
    bar.buttons[0].click()
    qtbot.waitUntil(lambda: window.simulation.model is not old)
    assert not bar.isVisible()


def test_giving_up_a_bad_file_leaves_nothing_of_it(window, tmp_path, model_file, qtbot):
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco>")
    window.open(str(bad))
    qtbot.waitUntil(lambda: window.status.errors.text() == "1")
    window.frame.bar._close.click()
    assert window.status.errors.text() == "0" and not window.frame.bar.isVisible()
    assert window.problems.model.rowCount() == 0


def test_only_models_are_remembered(make_window, tmp_path, rig, qtbot):
    window = make_window()
    bad, picture, missing = tmp_path / "bad.xml", tmp_path / "a.png", tmp_path / "missing.xml"
    bad.write_text("<mujoco><boddy/></mujoco>")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    for path in (missing, picture, bad):
        window.open(str(path))
        qtbot.waitUntil(lambda: window.compiler.compiling_since is None)
    assert window.settings.recent() == [str(bad)]


def test_an_opened_model_gets_a_small_picture(window, qtbot):
    path = window.project.path
    qtbot.waitUntil(lambda: (window.viewport.update(), not window.thumbnails.load(path).isNull())[1])
    window.workspace.opening.close()
    qtbot.waitUntil(lambda: window.start.isVisible())
    assert window.start.recent.item(0).text() == "rig.xml"


def test_a_small_picture_shows_the_model_large_wherever_the_camera_stands(make_window, tmp_path, rig, qtbot):
    path = tmp_path / "far.xml"
    path.write_text(
        """<mujoco><visual><rgba haze="0 0 0 1"/></visual><worldbody><light pos="0 0 4"/>
        <geom name="wall" type="box" size="4 4 .1" pos="0 0 -3" rgba="0 0 0 1"/>
        <body><joint axis="0 0 1"/><geom type="box" size=".1 .1 .1" rgba="1 0 0 1"/></body></worldbody></mujoco>"""
    )
    window = make_window(path)
    window.view.camera.distance = 200.0
    picture = portrait(window.viewport, SIZE)
    assert picture.size() == SIZE
    red = [picture.pixelColor(x, SIZE.height() // 2).red() > 60 for x in range(0, SIZE.width(), 8)]
    assert sum(red) > len(red) // 3, "the box that moves fills the picture"
