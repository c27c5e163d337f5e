"""A model that the physics cannot run: shown, looked at and reloaded; only what would move it is refused."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import engine
from app.workspace.selection import Selection
from tests.app.conftest import MODEL
from tests.app.test_command_line import kinetree

WITHOUT = MODEL.replace("<worldbody>", "<option integrator='RK4' solver='CG'/>\n  <worldbody>", 1)
PLACE = "rig.xml:2:23:"


@pytest.fixture
def still(tmp_path):
    path = tmp_path / "rig.xml"
    path.write_text(WITHOUT)
    return path


@pytest.fixture
def window(make_window, still, qtbot):
    window = make_window(still, physics=False)
    _shown(window, qtbot)
    window.activateWindow()
    window.viewport.setFocus()
    qtbot.waitUntil(window.viewport.hasFocus, timeout=5000)
    return window


def _shown(window, qtbot):
    session = window.session
    qtbot.waitUntil(
        lambda: (
            session.model is not None
            and session.snapshot is not None
            and session.snapshot.model is session.model
        ),
        timeout=20_000,
    )
    with qtbot.waitSignal(window.viewport.drawn, timeout=20_000):
        window.viewport.update()
    return session.snapshot


def _settled(window, qtbot):
    serial = window.session.snapshot.serial
    window.session.simulation.refresh()
    qtbot.waitUntil(lambda: window.session.snapshot.serial > serial, timeout=10_000)
    return window.session.snapshot


def test_it_is_shown_with_the_reason(window, qtbot):
    session = window.session
    assert session.snapshot.xpos[session.model.nbody - 1, 2] == 0.5
    assert not session.failed and len(session.unsimulated) == 2
    qtbot.waitUntil(window.frame.bar.isVisible)
    text = window.frame.bar.text()
    assert PLACE in text and "RK4" in text and "+1 more" in text
    assert window.frame.status.text() == "Cannot be simulated yet"
    assert window.problems.model.rowCount() == 2 and window.status.warnings.text() == "2"
    window.problems.view.clicked.emit(window.problems.model.index(0, 0))


def test_nothing_moves_it(window, qtbot):
    session, actions = window.session, window.actions_
    for name in ("sim.toggle", "sim.step", "sim.back", "sim.faster", "sim.slower"):
        assert not actions[name].isEnabled(), name
    assert actions["sim.reset"].isEnabled() and actions["sim.toggle"].text() == "Run"
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(window.viewport, key)
    session.simulation.play()  # even if asked past the window
    session.simulation.step(3)
    session.simulation.back()
    snapshot = _settled(window, qtbot)
    assert (snapshot.time, snapshot.steps, snapshot.ready) == (0, 0, False)
    assert session._warm is None and session.busy is None


def test_one_can_look_around(window, qtbot):
    session = window.session
    before = session.camera.azimuth
    viewport = window.viewport
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=viewport.rect().center())
    QTest.mouseMove(viewport, viewport.rect().center() / 2)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: session.camera.azimuth != before)
    session.select(Selection("body", engine.name2id(session.model, "body", "arm")))
    assert session.perturb.select > 0
    window.toolbar._choose_key(1)
    qtbot.waitUntil(lambda: session.snapshot.qpos[0] == -1.0, timeout=10_000)
    tip = session.snapshot.site_xpos[0]
    assert tip[2] > 1.2  # the arm is drawn where the keyframe puts it
    session.simulation.set_qpos(0, 0.5, session.generation)
    qtbot.waitUntil(lambda: session.snapshot.qpos[0] == 0.5, timeout=10_000)
    assert session.snapshot.site_xpos[0][2] < 1
    window.set_theme("light")


def test_reload_from_one_kind_to_the_other(make_window, model_file, rig, qtbot):
    window = make_window(model_file)
    session = window.session
    qtbot.waitUntil(lambda: session.snapshot.time > 0.05, timeout=20_000)
    model_file.write_text(WITHOUT)
    qtbot.waitUntil(lambda: bool(session.unsimulated), timeout=10_000)
    time = _shown(window, qtbot).time
    assert time > 0 and window.frame.bar.isVisible()  # where it was, and stopped
    assert _settled(window, qtbot).time == time
    model_file.write_text(WITHOUT.replace("<body", "<bodi", 1))
    qtbot.waitUntil(lambda: session.failed, timeout=10_000)
    assert "stays" in window.frame.bar.text()
    model_file.write_text(MODEL)
    qtbot.waitUntil(lambda: not session.unsimulated and session.snapshot.time > time, timeout=20_000)
    assert not window.frame.bar.isVisible() and window.frame.status.text() != "Cannot be simulated yet"
    assert window.actions_["sim.toggle"].isEnabled() and window.actions_["sim.toggle"].text() == "Pause"


def test_a_free_body_can_be_put_elsewhere(window, qtbot):
    from engine.scene.perturb import Active

    session = window.session
    box = engine.name2id(session.model, "body", "box")
    session.select(Selection("body", box))
    from engine.scene.camera import Mouse, view_of

    view = view_of(session.camera, session.model, session.snapshot, 1.5)
    session.perturb.begin(Active.TRANSLATE, session.model, session.snapshot, view)
    session.perturb.move(Mouse.MOVE_V, 0.0, -0.1, view)
    before = session.snapshot.xpos[box].copy()
    session.simulation.perturb(session.perturb)
    qtbot.waitUntil(lambda: session.snapshot.xpos[box][2] > before[2] + 0.01, timeout=10_000)
    session.release()


# ---- the command line -------------------------------------------------------------------------------------------------


def test_check_warns(still):
    done = kinetree("check", still)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 2
    assert all("cannot be simulated yet; use " in line and "[not-simulated]" in line for line in lines)
    assert lines[0].startswith(f"{still}:2:23:")


def test_render_draws_it_as_it_stands(still, tmp_path):
    picture = tmp_path / "a.png"
    done = kinetree("render", still, "-o", picture, "--size", "64x48", "--key", "up")
    assert done.returncode == 0 and picture.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("command", [("render", "-o", "a.png", "--time", "1"), ("bench",)])
def test_what_moves_it_is_refused(still, tmp_path, command):
    done = kinetree(command[0], still, *command[1:], cwd=tmp_path)
    refusals = [line for line in done.stderr.splitlines() if line.startswith("kinetree: ")]
    assert done.returncode == 1 and len(refusals) == 1 and done.stdout == ""
    assert PLACE in refusals[0] and "RK4" in refusals[0] and "1 more" in refusals[0]
    assert not (tmp_path / "a.png").exists()
