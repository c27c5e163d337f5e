"""The tour in a real window: done step by step with the mouse, left at every step, interrupted, and offered once."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QMessageBox, QPushButton, QToolButton, QWidget

from kinetree.app.panels.dialogs.pictures.video import VideoDialog
from kinetree.app.settings.table import SETTING_BY_NAME
from kinetree.app.tour.mark import CoachMark, TourHighlight, placed
from kinetree.app.tour.steps import MODEL, STEPS
from kinetree.app.tour.tour import Tour
from kinetree.app.window import Window
from kinetree.app.workspace.selection import Selection
from kinetree.engine import translation

LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
CTRL = Qt.KeyboardModifier.ControlModifier


def tour_of(window) -> Tour:
    return window.findChild(Tour)


def mark_of(window) -> CoachMark:
    return window.findChild(CoachMark)


@pytest.fixture
def toured(make_window, settings, tmp_path, qtbot):
    """A window that took the offer of its first page, the first step shown and physics ready."""
    settings.folder = str(tmp_path)
    window = make_window(size=(1280, 800))
    qtbot.mouseClick(window.start.offer.findChild(QPushButton), LEFT)
    qtbot.waitUntil(lambda: tour_of(window).is_active)
    simulation = window.simulation
    qtbot.waitUntil(lambda: simulation.ready and simulation.snapshot is not None and simulation.snapshot.steps > 0)
    window.activateWindow()
    window.viewport.setFocus()
    return window


# ---- what the user does ----------------------------------------------------------------------------------------------


def move(viewport: QWidget, place: QPoint) -> None:
    """Move the mouse with the right button held; QTest has no such move."""
    where = QPointF(viewport.mapToGlobal(place))
    QApplication.sendEvent(
        viewport, QMouseEvent(QEvent.Type.MouseMove, QPointF(place), where, Qt.MouseButton.NoButton, RIGHT, CTRL)
    )


def drag_head(window, qtbot) -> None:
    """Pull the head of the lamp, where the highlight is, with Ctrl and the right button."""
    tour, viewport = tour_of(window), window.viewport
    view = window.findChild(TourHighlight)
    qtbot.waitUntil(view.isVisible)
    place = viewport.mapFrom(window, view.geometry().center())
    QTest.mouseDClick(viewport, LEFT, pos=place)
    QTest.mouseRelease(viewport, LEFT, pos=place)  # of the second click, which QTest leaves out
    qtbot.waitUntil(
        lambda: window.selection.current == Selection("body", window.simulation.model.names["body"].index("head"))
    )
    QTest.mousePress(viewport, RIGHT, CTRL, place)
    for far in range(10, 100, 10):
        move(viewport, place + QPoint(far, far // 2))
    if window.simulation.running:
        qtbot.waitUntil(lambda: bool(window.simulation.snapshot.xfrc_applied.any()))
    else:
        qtbot.waitUntil(lambda: window.simulation.snapshot.poses[0] > 0)
    assert not tour.is_done, "the body is still held"
    QTest.mouseRelease(viewport, RIGHT, CTRL, place + QPoint(90, 45))


def push(window, qtbot) -> None:
    drag_head(window, qtbot)


def edit(window, qtbot) -> None:
    """Type another radius into the inspector."""
    assert window.inspector.found is not None
    qtbot.waitUntil(lambda: window.inspector.form is not None and window.inspector.form.rows.get("size") is not None)
    numbers = window.inspector.form.row("size").editor.numbers
    qtbot.waitUntil(lambda: not numbers.visibleRegion().isEmpty())
    QTest.mouseClick(numbers, LEFT, pos=numbers.cell_rect(0).center().toPoint())
    qtbot.waitUntil(lambda: numbers.editor is not None)
    numbers.editor.selectAll()
    QTest.keyClicks(numbers.editor, "0.06")
    QTest.keyClick(numbers.editor, Qt.Key.Key_Return)
    assert 'size="0.06"' in window.project.texts.text(window.project.path)


def plot(window, qtbot) -> None:
    """Plot the first joint position by the context menu of the sensors."""
    qtbot.waitUntil(lambda: window.docks["plots"].widget() is not None and window.docks["plots"].widget().is_ready)
    view = window.docks["sensors"].panel.view
    qtbot.waitUntil(lambda: view.model().rowCount() == 2)
    group = view.model().index(1, 0)
    row = view.model().index(0, 0, group)
    assert row.data() == "turn"
    place = view.visualRect(row).center()
    QTest.mouseClick(view.viewport(), LEFT, pos=place)
    view.customContextMenuRequested.emit(place)
    menu = view.findChild(QMenu)
    action = next(each for each in menu.actions() if each.text().replace("&", "") == "Plot")
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(action).center())


def pose(window, qtbot) -> None:
    window.viewport.setFocus()
    QTest.keyClick(window.viewport, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: not window.simulation.snapshot.running)
    assert not tour_of(window).is_done
    drag_head(window, qtbot)


def record(window, qtbot) -> None:
    """Choose Save Video in the menu."""
    menu = window.actions_.menus["File"]
    title = window.menuBar().actionGeometry(menu.menuAction())
    QTest.mouseClick(window.menuBar(), LEFT, pos=title.center())
    qtbot.waitUntil(menu.isVisible)
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(window.actions_["file.video"]).center())
    qtbot.waitUntil(lambda: window.findChild(VideoDialog) is not None)
    window.findChild(VideoDialog).reject()


DO = {"push": push, "edit": edit, "plot": plot, "pose": pose, "record": record}


# ---- the whole -------------------------------------------------------------------------------------------------------


@pytest.mark.slow("shows each step as done for a moment")
def test_a_user_does_all_steps_with_mouse_and_keys(toured, tmp_path, qtbot):
    window, tour, mark = toured, tour_of(toured), mark_of(toured)
    before = window.dock_layout.arrangement()
    packaged = MODEL.read_bytes()
    assert [step.name for step in STEPS] == list(DO)
    for number, step in enumerate(STEPS):
        qtbot.waitUntil(lambda number=number: tour.number == number)
        assert mark.isVisible() and mark.count.text() == f"{number + 1} of 5" and not tour.is_done
        assert "{" not in mark.text.text(), "a key or gesture is missing"
        DO[step.name](window, qtbot)
        qtbot.waitUntil(lambda: tour.is_done)
        assert not mark.show_me.isVisible()
    qtbot.waitUntil(lambda: tour.number == len(STEPS))
    assert mark.close_model.isVisible() and not window.findChild(TourHighlight).isVisible()
    qtbot.mouseClick(mark.next, LEFT)
    assert not tour.is_active and not mark.isVisible()
    assert window.dock_layout.arrangement() == before
    assert [path for path in tmp_path.iterdir() if path.is_file()] == [] and MODEL.read_bytes() == packaged
    assert window.project.is_new and 'size="0.06"' in window.project.texts.text(window.project.path)
    window.close()
    assert not window.isVisible() and not window.findChildren(QMessageBox), "edits of the tour need no saving"


@pytest.mark.slow("shows each step as done for a moment")
def test_the_program_does_all_steps_for_the_user(toured, qtbot):
    tour, mark = tour_of(toured), mark_of(toured)
    for number in range(len(STEPS)):
        qtbot.waitUntil(lambda number=number: tour.number == number)
        qtbot.waitUntil(mark.show_me.isEnabled)
        qtbot.mouseClick(mark.show_me, LEFT)
        qtbot.waitUntil(lambda: tour.is_done)
        for dialog in toured.findChildren(QDialog):
            dialog.close()
    qtbot.waitUntil(lambda: tour.number == len(STEPS))
    qtbot.mouseClick(mark.close_model, LEFT)
    qtbot.waitUntil(lambda: not toured.project.path)
    assert not toured.middle.shows_model and not toured.findChildren(QMessageBox)


# ---- leaving ---------------------------------------------------------------------------------------------------------


def test_it_can_be_left_at_every_step(toured, qtbot):
    window, tour, mark = toured, tour_of(toured), mark_of(toured)
    before = window.dock_layout.arrangement()
    leave = (
        lambda: qtbot.mouseClick(mark.close_button, LEFT),
        lambda: QTest.keyClick(window.viewport, Qt.Key.Key_Escape),
    )
    for number in range(len(STEPS) + 1):
        tour.begin()
        if not tour.is_active:
            qtbot.waitUntil(lambda: tour.is_active)
        for _ in range(number):
            qtbot.mouseClick(mark.next, LEFT)
        assert tour.number == number
        window.viewport.setFocus()
        leave[number % 2]()
        assert not tour.is_active and not mark.isVisible() and not window.findChild(TourHighlight).isVisible()
        assert window.dock_layout.arrangement() == before, number
        assert window.project.path, "its model stays"


def test_skipped_steps_can_be_gone_back_to(toured, qtbot):
    tour, mark = tour_of(toured), mark_of(toured)
    assert not mark.back.isVisible()
    qtbot.mouseClick(mark.next, LEFT)
    assert tour.step is STEPS[1] and mark.back.isVisible()
    qtbot.mouseClick(mark.back, LEFT)
    assert tour.step is STEPS[0]
    assert all(each.focusPolicy() == Qt.FocusPolicy.TabFocus for each in (mark.next, mark.back, mark.show_me))
    assert toured.viewport.hasFocus(), "keys go on to act in the viewport"


def test_esc_in_a_drag_lets_go_and_does_not_leave(toured, qtbot):
    window, viewport = toured, toured.viewport
    window.selection.select(Selection("body", window.simulation.model.names["body"].index("head")))
    place = viewport.rect().center()
    QTest.mousePress(viewport, RIGHT, CTRL, place)
    move(viewport, place + QPoint(20, 0))
    assert window.view.perturb.active
    QTest.keyClick(viewport, Qt.Key.Key_Escape)
    assert not window.view.perturb.active and tour_of(window).is_active
    QTest.mouseRelease(viewport, RIGHT, CTRL, place)


def test_another_model_ends_it(toured, model_file: Path, qtbot):
    tour = tour_of(toured)
    tour.go_to(2)
    assert toured.docks["plots"].isVisible()
    toured.open(str(model_file))
    qtbot.waitUntil(lambda: toured.project.path == str(model_file))
    assert not tour.is_active and not mark_of(toured).isVisible() and not toured.docks["plots"].isVisible()
    assert toured.settings.recent() == [str(model_file)], "the model of the tour is no file"


def test_what_is_edited_after_it_is_asked_about(toured, qtbot):
    window, tour = toured, tour_of(toured)
    assert window.documents.unsaved == [] and window.project.modified
    tour.go_to(1)
    tour.show_me()
    assert window.documents.unsaved == []
    tour.leave()
    assert window.documents.unsaved == []
    window.project.undo()
    assert window.documents.unsaved == [window.project.path]


# ---- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(760, 480), (1280, 800), (2560, 1440)])
def test_the_mark_stays_in_the_window_and_off_its_place(toured, qtbot, size):
    window, tour, mark = toured, tour_of(toured), mark_of(toured)
    window.resize(*size)
    qtbot.waitUntil(lambda: window.size() == QSize(*size))
    view = window.findChild(TourHighlight)
    for number in range(len(STEPS) + 1):
        tour.go_to(number)
        qtbot.waitUntil(lambda: window.rect().contains(mark.geometry()))
        assert mark.height() >= mark.minimumSizeHint().height()
        if number < len(STEPS) and size[0] > 1000:
            qtbot.waitUntil(lambda: view.isVisible() and not inner(view).intersects(inner(mark)))


def inner(widget: QWidget) -> QRect:
    """A widget without its margin."""
    return widget.geometry().adjusted(9, 9, -9, -9)


def test_a_panel_that_the_user_closes_is_opened_by_show_me(toured, qtbot):
    tour = tour_of(toured)
    tour.go_to(2)
    for name in ("sensors", "plots"):
        toured.docks[name].close()
    qtbot.waitUntil(lambda: not toured.findChild(TourHighlight).isVisible())
    assert mark_of(toured).isVisible()
    tour.show_me()
    assert toured.docks["sensors"].isVisible() and toured.docks["plots"].isVisible()
    qtbot.waitUntil(lambda: tour.is_done)


def test_a_mark_goes_where_there_is_room():
    window, size = QRect(0, 0, 1000, 600), QSize(300, 150)
    assert placed(size, QRect(100, 200, 50, 50), window, window).x() > 150
    assert placed(size, QRect(800, 200, 190, 50), window, window).x() < 500
    below = placed(size, QRect(0, 0, 1000, 100), window, window)
    assert below.y() >= 100
    assert window.contains(QRect(placed(size, None, window, window), size))
    assert window.contains(QRect(placed(size, window, window, window), size))


@pytest.fixture
def german():
    """The window speaks German."""
    translation.install(["de"])
    yield
    translation.install(["en"])


def test_it_speaks_german(german, make_window, settings, tmp_path, qtbot):
    settings.folder = str(tmp_path)
    window = make_window(physics=False)
    window.actions_["help.tour"].trigger()
    qtbot.waitUntil(lambda: tour_of(window) is not None and tour_of(window).is_active)
    mark, english = mark_of(window), {each for step in STEPS for each in (step.title, step.text)}
    for number in range(len(STEPS) + 1):
        tour_of(window).go_to(number)
        assert mark.title.text() not in english and mark.next.text() in ("Überspringen", "Fertig")
        assert "{" not in mark.text.text() and window.rect().contains(mark.geometry())


# ---- offered once ----------------------------------------------------------------------------------------------------


def test_it_is_offered_at_the_first_start_only(make_window, settings, qtbot):
    window = make_window(physics=False)
    assert window.start.offer.isVisible()
    assert not settings.offers_tour, "whatever the user does"
    window.close_anyway()
    again = make_window(physics=False)
    assert again.start.isVisible() and again.start.offer is None


def test_an_offer_can_be_declined(make_window, qtbot):
    window = make_window(physics=False)
    qtbot.mouseClick(window.start.offer.findChild(QToolButton), LEFT)
    assert window.start.offer.isHidden()
    window.middle.refresh()
    assert window.start.offer.isHidden()
    assert window.findChild(Tour) is None, "nothing is made before it is wanted"


def test_who_has_opened_models_is_not_asked(make_window, settings, model_file, qtbot):
    settings.add_recent(str(model_file))
    window = make_window(physics=False)
    assert window.start.offer is None


def test_a_first_start_with_a_model_only_gets_a_remark(settings, model_file, qtbot, rig):
    window = Window(settings, complete=False)
    qtbot.addWidget(window, before_close_func=lambda each: each.close_anyway())
    window.begin(str(model_file))
    qtbot.waitUntil(lambda: window.is_complete)
    assert window.start.offer is None and not settings.offers_tour
    assert window.status.file.text().startswith("New here?")


def test_the_setting_says_when():
    row = SETTING_BY_NAME["tour.offer"]
    assert row.default is True and "once" in row.help
