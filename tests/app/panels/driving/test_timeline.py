"""The timeline: the recorded states are shown, sought with mouse and keyboard, and marked."""

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kinetree.app.panels.driving.timeline.track import Track
from kinetree.app.workers.simulation import requests
from kinetree.engine.run.timeline import CONTACT, EDIT, RESET, Course, Mark, Segment

COURSE = Course(
    (Segment(0, 0.0, 0.0, 0.01), Segment(500, 0.0, 5.0, 0.01)),
    (Mark(100, CONTACT, 98), Mark(300, EDIT, 300), Mark(500, RESET, 500)),
)


@pytest.fixture
def track(qtbot):
    track = Track()
    qtbot.addWidget(track)
    track.resize(416, track.sizeHint().height())
    track.span = 10.0
    track.show_history(COURSE, 0, 1000, 1000)
    track.show()
    qtbot.waitExposed(track)
    track.goals = []
    track.wanted.connect(track.goals.append)
    return track


def press(track, x, release=True):
    place = QPoint(round(x), 10)
    QTest.mousePress(track, Qt.MouseButton.LeftButton, pos=place)
    if release:
        QTest.mouseRelease(track, Qt.MouseButton.LeftButton, pos=place)


def test_a_press_goes_to_a_state_and_near_a_mark_to_the_mark(track):
    press(track, track._x(7.0))
    press(track, track._x(3.0) + 2)
    assert track.goals[0] == pytest.approx(700, abs=2) and track.goals[1] == COURSE.marks[1]
    track.show_kinds({RESET})
    press(track, track._x(3.0) + 2)
    assert isinstance(track.goals[2], int)


def test_what_is_in_view_stands_still_while_the_mouse_scrubs(track):
    press(track, track._x(7.0), release=False)
    QTest.mouseMove(track, QPoint(round(track._x(2.0)), 10))
    QApplication.processEvents()
    assert track.goals[-1] == pytest.approx(200, abs=3)
    track.show_history(COURSE, 0, 200, 1000)
    assert track._begin() == 0.0
    QTest.mouseRelease(track, Qt.MouseButton.LeftButton, pos=QPoint(round(track._x(2.0)), 10))


def drag(track, begin, end, held=Qt.KeyboardModifier.NoModifier):
    places = [QPoint(round(track._x(each)), 10) for each in (begin, end)]
    QTest.mousePress(track, Qt.MouseButton.LeftButton, held, places[0])
    QTest.mouseMove(track, places[1])
    QApplication.processEvents()
    QTest.mouseRelease(track, Qt.MouseButton.LeftButton, held, places[1])


def test_shift_and_a_drag_select_a_span_whose_ends_can_be_dragged(track):
    drag(track, 6.0, 2.0, Qt.KeyboardModifier.ShiftModifier)
    assert track.selected == (pytest.approx(200, abs=2), pytest.approx(600, abs=2)) and track.goals == []
    first = track.selected[0]
    drag(track, 6.0, 8.0)
    assert track.selected == (first, pytest.approx(800, abs=2)) and track.goals == []
    assert "Selected: " in track.tip(track._x(8.0))
    press(track, track._x(5.5))
    assert track.goals and track.selected is not None, "scrubbing leaves the span"
    place = QPoint(round(track._x(4.0)), 10)
    QTest.mouseClick(track, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ShiftModifier, place)
    assert track.selected is None


def test_a_span_is_selected_by_keys_and_follows_the_history(track):
    track.setFocus()
    track.show_history(COURSE, 0, 300, 1000)
    QTest.keyClick(track, Qt.Key.Key_I)
    assert track.selected == (300, 1000)
    track.show_history(COURSE, 0, 700, 1000)
    QTest.keyClick(track, Qt.Key.Key_O)
    assert track.selected == (300, 700)
    track.show_history(COURSE, 400, 700, 1000)
    assert track.selected == (400, 700), "the oldest steps are gone"
    track.show_history(COURSE, 400, 500, 500)
    assert track.selected == (400, 500), "the newest steps were replaced"
    track.show_history(COURSE, 600, 900, 900)
    assert track.selected is None
    track.select_view()
    assert track.selected == (600, 900)
    QTest.keyClick(track, Qt.Key.Key_Delete)
    assert track.selected is None


def test_the_keys(track):
    track.show_history(COURSE, 0, 400, 1000)
    keys, none, shift = Qt.Key, Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
    for key, held, goal in (
        (keys.Key_Left, none, 399), (keys.Key_Right, shift, 410), (keys.Key_Home, none, 0),
        (keys.Key_End, none, 1000), (keys.Key_PageUp, none, COURSE.marks[1]), (keys.Key_PageDown, none, COURSE.marks[2]),
    ):  # fmt: skip
        QTest.keyClick(track, key, held)
        assert track.goals[-1] == goal
    number = len(track.goals)
    track.show_history(COURSE, 0, 0, 1000)
    QTest.keyClick(track, keys.Key_Left)
    assert len(track.goals) == number


def test_the_wheel_zooms_around_the_mouse(track):
    at = track._elapsed(300)
    turn = QWheelEvent(
        QPointF(300, 10), track.mapToGlobal(QPointF(300, 10)), QPoint(), QPoint(0, 240), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    track.show_history(COURSE, 0, 400, 1000)
    QApplication.sendEvent(track, turn)
    assert track.span < 10.0 and track._elapsed(300) == pytest.approx(at)


def test_it_tells_the_time_that_a_reset_set_back(track):
    assert track.tip(track._x(7.0)).startswith(f"{COURSE.time(track._step(track._x(7.0))):.3f} s")
    assert "Reset" in track.tip(track._x(5.0))


def test_the_window_goes_through_the_past(make_window, model_file, qtbot):
    window = make_window(model_file)
    simulation, bar = window.simulation, window.timeline
    simulation.post(requests.Pause())
    qtbot.waitUntil(lambda: (s := simulation.snapshot) is not None and s.ready and not s.running)
    last = simulation.snapshot.last + 100
    simulation.post(requests.StepRequest(60))
    simulation.post(requests.Reset())
    simulation.post(requests.StepRequest(40))
    qtbot.waitUntil(lambda: bar.track.maximum() == last)
    assert bar.told.text() == ""
    window.actions_["sim.previous_mark"].trigger()
    qtbot.waitUntil(lambda: simulation.snapshot.behind > 0)
    window.actions_["sim.oldest"].trigger()
    qtbot.waitUntil(lambda: bar.track.value() == 0)
    assert bar.told.text().startswith("The past") and "past" in window.status.time.text()
    assert "past" in window.frame.status.text()
    window.actions_["sim.step_many"].trigger()
    qtbot.waitUntil(lambda: simulation.snapshot.step == 10)
    window.actions_["sim.newest"].trigger()
    qtbot.waitUntil(lambda: bar.track.value() == last and bar.told.text() == "")
    window.actions_["view.timeline"].trigger()
    assert bar.isHidden() and not window.settings.shows_timeline
    window.actions_["view.timeline"].trigger()
    assert bar.isVisible()


def test_the_window_runs_until_a_time(make_window, model_file, qtbot):
    window = make_window(model_file)
    simulation, bar = window.simulation, window.timeline
    qtbot.waitUntil(lambda: (s := simulation.snapshot) is not None and s.ready)
    simulation.post(requests.Pause())
    simulation.post(requests.SetSpeed(1 / 64))
    window.actions_["sim.until"].trigger()
    dialog = bar._asking
    dialog.entry.line.setText("0.00001")
    simulation.post(requests.StepRequest(2))
    qtbot.waitUntil(lambda: not simulation.snapshot.running and simulation.snapshot.time > 0)
    dialog.run.click()
    assert "later time" in dialog.entry.error.text()
    dialog.entry.line.setText("1e6")
    dialog.run.click()
    qtbot.waitUntil(lambda: bar.until.isVisible() and bar.until.text() == "Until 1e+06 s")
    bar.until.click()
    qtbot.waitUntil(lambda: not bar.until.isVisible())
    goal = simulation.snapshot.time + 0.05
    simulation.post(requests.SetSpeed(1.0))
    dialog.entry.line.setText(str(goal))
    with qtbot.waitSignal(simulation.said) as said:
        dialog.run.click()
    assert said.args[0].startswith("Stopped at") and not simulation.running
    assert simulation.snapshot.time == pytest.approx(goal, abs=simulation.snapshot.opt.timestep)
    dialog.close()


def test_the_window_makes_noise(make_window, model_file, qtbot):
    window = make_window(model_file)
    simulation = window.simulation
    qtbot.waitUntil(lambda: (s := simulation.snapshot) is not None and s.ready)
    window.actions_["sim.noise"].trigger()
    bar = window.docks["controls"].panel.noise
    assert bar.isVisible() and simulation.noise is not None
    bar.fields["std"].typed.emit(0, "0.25")
    assert simulation.noise.std == 0.25 and window.actions_["sim.noise"].isChecked()
    qtbot.waitUntil(lambda: simulation.snapshot.ctrl.any())
    window.actions_["sim.noise"].trigger()
    assert simulation.noise is None and not bar.isVisible()


def test_a_selected_span_plays_again_and_again_until_somebody_else_goes_elsewhere(window, qtbot):
    simulation, timeline, actions = window.simulation, window.timeline, window.actions_
    simulation.post(requests.StepRequest(100))
    qtbot.waitUntil(lambda: simulation.snapshot.last == 100)
    assert not actions["sim.loop_span"].isEnabled()
    timeline.track.select(20, 60)
    actions["sim.loop_span"].trigger()
    assert actions["sim.loop_span"].isChecked() and timeline.loop.span == (20, 60)
    timestep = float(simulation.snapshot.opt.timestep)
    assert [timeline.loop.step_at(each * timestep) for each in (0, 15, 39, 41, 80)] == [20, 35, 59, 21, 20]
    qtbot.waitUntil(lambda: 20 <= simulation.snapshot.step <= 60)
    timeline.track.select(30, 50)  # it follows the span
    assert timeline.loop.span == (30, 50)
    timeline.track.wanted.emit(5)
    assert timeline.loop.span is None and not actions["sim.loop_span"].isChecked()
    qtbot.waitUntil(lambda: simulation.snapshot.step == 5)
    actions["sim.loop_span"].trigger()
    simulation.post(requests.Play())
    assert timeline.loop.span is None
    actions["sim.clear_span"].trigger()
    assert timeline.track.selected is None
