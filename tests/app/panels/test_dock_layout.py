"""The panels follow the size of the window until the user arranges them."""

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kinetree.app.panels.docks import DOCKS, first_of_group

LEFT = Qt.MouseButton.LeftButton
LOW, HIGH = (1280, 800), (1500, 1100)


@pytest.fixture
def arranged(make_window, model_file, qtbot):
    """arranged(size): a window with a model, its panels in place."""

    def make(size):
        window = make_window(model_file, physics=False, size=size)
        qtbot.waitUntil(lambda: window.simulation.model is not None)
        qtbot.waitUntil(lambda: window.docks["inspector"].in_view)
        settle(window, qtbot, size)
        return window

    return make


def settle(window, qtbot, size):
    window.resize(*size)
    qtbot.waitUntil(lambda: window.size() == QSize(*size))
    qtbot.wait(50)


def in_view(window) -> set[str]:
    return {name for name, dock in window.docks.items() if dock.in_view and not dock.isFloating()}


def widths(window) -> tuple[int, int]:
    return window.docks["tree"].width(), window.docks["inspector"].width()


def drag_edge(window, qtbot, by: int) -> None:
    """Drag the edge of the tree."""
    before = window.docks["tree"].width()
    edge = QPoint(window.docks["tree"].geometry().right() + 3, 400)
    QTest.mousePress(window, LEFT, pos=edge)
    where = QPointF(edge + QPoint(by, 0))
    kind = QEvent.Type.MouseMove
    move = QMouseEvent(
        kind, where, window.mapToGlobal(where), Qt.MouseButton.NoButton, LEFT, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(window, move)
    qtbot.waitUntil(lambda: window.docks["tree"].width() > before + by // 2)
    QTest.mouseRelease(window, LEFT, pos=edge + QPoint(by, 0))


def test_panels_at_the_sides_have_a_share_of_a_wide_window(arranged, qtbot):
    window = arranged((2560, 1440))
    assert all(0.16 <= width / 2560 <= 0.18 for width in widths(window))
    settle(window, qtbot, (1920, 1080))
    assert all(0.16 <= width / 1920 <= 0.18 for width in widths(window))
    settle(window, qtbot, (1280, 800))
    assert widths(window) == (270, 300)


def test_a_low_window_has_the_controls_behind_the_inspector(arranged, qtbot):
    window = arranged(LOW)
    assert in_view(window) == {"tree", "inspector"}
    assert window.docks["controls"] in window.tabifiedDockWidgets(window.docks["inspector"])
    assert window.docks["inspector"].height() > 500
    settle(window, qtbot, HIGH)
    assert in_view(window) == {"tree", "controls", "inspector"}
    window.docks["display"].bring_up()
    qtbot.waitUntil(lambda: in_view(window) == {"tree", "controls", "display"})
    window.docks["inspector"].bring_up()
    window.docks["joints"].bring_up()
    settle(window, qtbot, LOW)
    assert in_view(window) == {"tree", "inspector"}
    window.docks["display"].bring_up()
    qtbot.waitUntil(lambda: in_view(window) == {"tree", "display"})


def test_what_the_user_arranged_stays(arranged, qtbot):
    window = arranged(HIGH)
    drag_edge(window, qtbot, 80)
    assert window.docks["tree"].is_sized
    before = widths(window)
    settle(window, qtbot, (1700, 1100))
    assert widths(window) == before
    settle(window, qtbot, (1700, 800))
    assert in_view(window) == {"tree", "controls", "inspector"}


def test_panels_that_the_user_placed_elsewhere_stay_there(arranged, qtbot):
    window = arranged(LOW)
    window.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, window.docks["inspector"])
    qtbot.waitUntil(lambda: {"controls", "inspector"} <= in_view(window) or "joints" in in_view(window))
    settle(window, qtbot, (1300, 820))
    assert window.docks["controls"] not in window.tabifiedDockWidgets(window.docks["inspector"])


def test_the_next_start_follows_the_window_unless_the_user_chose_sizes(make_window, arranged, qtbot, model_file):
    arranged(HIGH).close()
    again = arranged((2560, 1440))
    assert 0.16 <= widths(again)[0] / 2560 <= 0.18
    drag_edge(again, qtbot, 80)
    chosen = widths(again)
    again.close()
    third = arranged((2560, 1440))
    assert widths(third) == chosen
    third.actions_["view.layout"].trigger()
    qtbot.waitUntil(lambda: 0.16 <= widths(third)[0] / 2560 <= 0.18)


def test_a_change_of_height_is_no_arrangement_of_the_user(arranged, qtbot):
    window = arranged(LOW)
    before = window.dock_layout.arrangement()
    settle(window, qtbot, HIGH)
    assert window.dock_layout.arrangement() == before
    window.docks["inspector"].close()
    assert window.dock_layout.arrangement() != before


def test_every_panel_belongs_to_a_group_with_a_place_of_its_own():
    firsts = {row.name for row in DOCKS if not row.beside}
    assert {first_of_group(row.name) for row in DOCKS} == firsts
    assert first_of_group("watch") == "controls" and first_of_group("plots_2") == "plots_2"
