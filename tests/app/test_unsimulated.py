"""A model that the physics cannot run: shown, looked at and reloaded; only what would move it is refused."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

import kinetree
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from tests.app.conftest import MODEL
from tests.app.test_command_line import run_kinetree

CLOTH = (
    "<flexcomp name='{}' type='grid' count='2 2 1' spacing='.1 .1 .1' dim='2' radius='.01' rigid='true'>"
    "<plugin plugin='mujoco.elasticity.cable'/></flexcomp>"
)
WITHOUT = MODEL.replace("<worldbody>", f"<worldbody>{CLOTH.format('a')}{CLOTH.format('b')}", 1)
PLACE = f"rig.xml:2:{WITHOUT.splitlines()[1].index('<plugin') + 1}:"


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
    qtbot.waitUntil(window.viewport.hasFocus)
    return window


def _shown(window, qtbot):
    qtbot.waitUntil(
        lambda: (
            window.simulation.model is not None
            and window.simulation.snapshot is not None
            and window.simulation.snapshot.model is window.simulation.model
        ),
    )
    with qtbot.waitSignal(window.viewport.drawn):
        window.viewport.update()
    return window.simulation.snapshot


def _settled(window, qtbot):
    serial = window.simulation.snapshot.serial
    window.simulation.post(requests.Publish())
    qtbot.waitUntil(lambda: window.simulation.snapshot.serial > serial)
    return window.simulation.snapshot


def test_it_is_shown_with_the_reason(window, qtbot):
    assert window.simulation.snapshot.xpos[window.simulation.model.nbody - 1, 2] == 0.5
    assert not window.compiler.failed and len(window.simulation.unsimulated) == 2
    qtbot.waitUntil(window.frame.bar.isVisible)
    text = window.frame.bar.text()
    assert PLACE in text and "deformable" in text and "+1 more" in text
    assert window.frame.status.whole == "Cannot be simulated yet"
    assert len(window.problems.model.items) == 2 and window.status.warnings.text() == "2"
    window.problems.view.clicked.emit(window.problems.model.index(0, 0))


def test_nothing_moves_it(window, qtbot):
    actions = window.actions_
    for name in ("sim.toggle", "sim.step", "sim.back", "sim.faster", "sim.slower"):
        assert not actions[name].isEnabled(), name
    assert actions["sim.reset"].isEnabled() and actions["sim.toggle"].text() == "Run"
    for key in (Qt.Key.Key_Space, Qt.Key.Key_Right, Qt.Key.Key_Left):
        QTest.keyClick(window.viewport, key)
    window.simulation.post(requests.Play())  # even if asked past the window
    window.simulation.post(requests.StepRequest(3))
    window.simulation.post(requests.StepBack())
    snapshot = _settled(window, qtbot)
    assert (snapshot.time, snapshot.steps, snapshot.ready) == (0, 0, False)
    assert window.simulation._warm is None and window.simulation.progress is None


def test_one_can_look_around(window, qtbot):
    before = window.view.camera.azimuth
    viewport = window.viewport
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=viewport.rect().center())
    QTest.mouseMove(viewport, viewport.rect().center() / 2)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.view.camera.azimuth != before)
    window.selection.select(Selection("body", kinetree.name2id(window.simulation.model, "body", "arm")))
    assert window.view.perturb.select > 0
    window.toolbar._choose_key(0)
    qtbot.waitUntil(lambda: window.simulation.snapshot.qpos[0] == -1.0)
    tip = window.simulation.snapshot.site_xpos[0]
    assert tip[2] > 1.2  # the arm is drawn where the keyframe puts it
    window.simulation.post(requests.SetValues("qpos", 0, [0.5]))
    qtbot.waitUntil(lambda: window.simulation.snapshot.qpos[0] == 0.5)
    assert window.simulation.snapshot.site_xpos[0][2] < 1
    window.handlers.set_theme("light")


def test_reload_from_one_kind_to_the_other(make_window, model_file, rig, qtbot):
    window = make_window(model_file)
    qtbot.waitUntil(lambda: window.simulation.snapshot.time > 0.05)
    model_file.write_text(WITHOUT)
    qtbot.waitUntil(lambda: bool(window.simulation.unsimulated))
    time = _shown(window, qtbot).time
    assert time > 0 and window.frame.bar.isVisible()  # where it was, and stopped
    assert _settled(window, qtbot).time == time
    model_file.write_text(WITHOUT.replace("<body", "<bodi", 1))
    qtbot.waitUntil(lambda: window.compiler.failed)
    assert "stays" in window.frame.bar.text()
    model_file.write_text(MODEL)
    qtbot.waitUntil(lambda: not window.simulation.unsimulated and window.simulation.snapshot.time > time)
    assert not window.frame.bar.isVisible() and window.frame.status.whole != "Cannot be simulated yet"
    assert window.actions_["sim.toggle"].isEnabled() and window.actions_["sim.toggle"].text() == "Pause"


def test_a_free_body_can_be_put_elsewhere(window, qtbot):
    from kinetree.engine.run.perturb import Active
    from kinetree.engine.scene import drag

    box = kinetree.name2id(window.simulation.model, "body", "box")
    window.selection.select(Selection("body", box))
    from kinetree.engine.scene.camera import Mouse, view_of

    view = view_of(window.view.camera, window.simulation.model, window.simulation.snapshot, 1.5)
    drag.begin(window.view.perturb, Active.TRANSLATE, window.simulation.model, window.simulation.snapshot, view)
    drag.move(window.view.perturb, Mouse.MOVE_V, 0.0, -0.1, view)
    before = window.simulation.snapshot.xpos[box].copy()
    window.simulation.post(requests.ApplyPerturb(window.view.perturb))
    qtbot.waitUntil(lambda: window.simulation.snapshot.xpos[box][2] > before[2] + 0.01)
    window.view.release()


# ---- the command line
# -------------------------------------------------------------------------------------------------


def test_check_warns(still):
    done = run_kinetree("check", still)
    lines = done.stdout.splitlines()
    assert done.returncode == 0 and len(lines) == 2
    assert all("cannot be simulated yet; remove " in line and "[not-simulated]" in line for line in lines)
    assert lines[0].startswith(f"{still.parent}/{PLACE}")


def test_render_draws_it_as_it_stands(still, tmp_path):
    picture = tmp_path / "a.png"
    done = run_kinetree("render", still, "-o", picture, "--size", "64x48", "--key", "up")
    assert done.returncode == 0 and picture.read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize("command", [("render", "-o", "a.png", "--time", "1"), ("bench",)])
def test_what_moves_it_is_refused(still, tmp_path, command):
    done = run_kinetree(command[0], still, *command[1:], cwd=tmp_path)
    refusals = [line for line in done.stderr.splitlines() if line.startswith("kinetree: ")]
    assert done.returncode == 1 and len(refusals) == 1 and done.stdout == ""
    assert PLACE in refusals[0] and "deformable" in refusals[0] and "1 more" in refusals[0]
    assert not (tmp_path / "a.png").exists()
