"""The layout of a real window: small and large sizes, the F1 help, messages, hints, statistics."""

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QSize, Qt
from PySide6.QtGui import QEnterEvent, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QToolButton, QWidget

from kinetree.app.workers.simulation import requests
from tests.app.conftest import MODEL

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def window(open_paused, model_file, rig, qtbot):
    """The rig, paused at its start, in the size that the window has at first."""
    window = open_paused(model_file, size=(1280, 800))
    qtbot.waitUntil(lambda: all(dock.wanted or dock.isHidden() for dock in window.docks.values()))
    return window


def area_of(window, widget):
    """Where a widget is in the window."""
    return QRect(widget.mapTo(window, QPoint(0, 0)), widget.size())


def drag_to(widget, point):
    """Move the mouse with the left button held, without the pointer of the screen (QTest.mouseMove takes it along)."""
    where, none = QPointF(point), Qt.KeyboardModifier.NoModifier
    kind = QEvent.Type.MouseMove
    event = QMouseEvent(kind, where, widget.mapToGlobal(where), Qt.MouseButton.NoButton, LEFT, none)
    QApplication.sendEvent(widget, event)


def resize(window, qtbot, size):
    window.resize(size)
    qtbot.waitUntil(lambda: window.size() == size)
    QApplication.processEvents()


# ---- small -------------------------------------------------------------------------------------------------


def test_the_window_can_be_small(window, qtbot):
    least = window.minimumSizeHint()
    assert least.width() <= 480 and least.height() <= 360
    resize(window, qtbot, least)
    parts = [window.menuBar(), window.toolbar, window.frame, window.statusBar()]
    parts += [dock for dock in window.docks.values() if dock.in_view]
    areas = [area_of(window, part) for part in parts]
    for index, area in enumerate(areas):
        assert window.rect().contains(area), parts[index]
        assert not any(area.intersects(other) for other in areas[index + 1 :]), parts[index]
    assert window.viewport.width() >= 120 and window.viewport.height() >= 100
    assert window.tree.view.viewport().height() > 40 and window.tree.filter.width() > 80
    for button in (window.status.errors, window.status.warnings):
        assert button.isVisible() and window.rect().contains(area_of(window, button))


@pytest.mark.parametrize("width", [480, 540, 700, 1280])
def test_everything_in_the_toolbar_is_reachable_in_a_narrow_window(window, qtbot, width):
    resize(window, qtbot, QSize(width, 500))
    toolbar = window.toolbar
    overflow = toolbar.findChild(QToolButton, "qt_toolbar_ext_button")
    boxes = toolbar.findChildren(QComboBox)
    assert len(boxes) == 3
    if width >= 540:
        assert not overflow.isVisible()
    if overflow.isVisible():
        assert toolbar.rect().contains(overflow.geometry()) and not overflow.icon().isNull()
        QTest.mouseClick(overflow, LEFT)
        qtbot.waitUntil(lambda: all(box.isVisible() for box in boxes))
        qtbot.waitUntil(lambda: toolbar.height() >= boxes[-1].geometry().bottom())
    for box in boxes:
        assert box.isVisible() and window.rect().contains(area_of(window, box)) and box.width() >= 40


def test_panels_have_their_width_again_after_the_window_was_small(window, qtbot):
    tree, values = window.docks["tree"], window.docks["inspector"]
    widths = tree.width(), values.width()
    assert min(widths) > 220
    resize(window, qtbot, window.minimumSizeHint())
    assert tree.width() < widths[0] and values.width() < widths[1]
    resize(window, qtbot, QSize(1280, 800))
    qtbot.waitUntil(lambda: (tree.width(), values.width()) == widths)


def test_the_width_that_the_user_drags_a_panel_to_is_the_one_that_returns(window, qtbot):
    tree = window.docks["tree"]
    edge = QPoint(tree.geometry().right() + 3, 400)
    width = tree.width()
    QTest.mousePress(window, LEFT, pos=edge)
    drag_to(window, edge + QPoint(80, 0))
    qtbot.waitUntil(lambda: tree.width() > width + 50)
    QTest.mouseRelease(window, LEFT, pos=edge + QPoint(80, 0))
    width = tree.width()
    resize(window, qtbot, window.minimumSizeHint())
    assert tree.width() < width
    resize(window, qtbot, QSize(1280, 800))
    qtbot.waitUntil(lambda: tree.width() == width)


class Sizes(QObject):
    """The sizes that the panels of a window request whenever the window is resized."""

    def __init__(self, window):
        super().__init__(window)
        self.window_, self.wanted = window, []
        window.installEventFilter(self)

    def eventFilter(self, watched, event):
        if event.type() == QEvent.Type.Resize:
            self.wanted.append([name for name, dock in self.window_.docks.items() if dock.wanted is not None])
        return False


def test_sizes_that_panels_had_are_forgotten_before_the_first_layout_returns(window, qtbot):
    """The window grows meanwhile, and Qt complains of sizes of panels that are in no layout then."""
    further = window.plots.open_other()
    qtbot.waitUntil(lambda: further.in_view and further.wanted is not None)
    for dock in window.docks.values():
        if dock is not further:
            dock.hide()
    QApplication.processEvents()
    resize(window, qtbot, window.minimumSizeHint())
    sizes = Sizes(window)
    window.actions_["view.layout"].trigger()
    assert sizes.wanted and sizes.wanted[0] == []
    window.removeEventFilter(sizes)
    assert window.docks["tree"].in_view and further.isHidden()


# ---- help --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [(1280, 800), (2000, 1100)])
def test_the_help_shows_all_of_itself(window, qtbot, size):
    resize(window, qtbot, QSize(*size))
    QTest.keyClick(window.viewport, Qt.Key.Key_F1)
    help = window.help
    assert help.isVisible() and window.rect().contains(help.geometry())
    QApplication.processEvents()
    area = help.area.viewport().rect()
    for label in help._labels:
        shown = QRect(label.mapTo(help.area.viewport(), QPoint(0, 0)), label.size())
        assert area.contains(shown) and label.width() >= label.sizeHint().width()
    for text in ("Convex Hull", "Haze", "Geom groups", "Left drag"):
        assert text in help.text()


def test_the_help_can_be_scrolled_where_it_does_not_fit_and_follows_the_window(window, qtbot):
    QTest.keyClick(window.viewport, Qt.Key.Key_F1)
    resize(window, qtbot, QSize(600, 400))
    QApplication.processEvents()
    assert window.rect().contains(window.help.geometry())
    bar = window.help.area.verticalScrollBar()
    assert bar.maximum() > 0 and window.help.area.horizontalScrollBar().maximum() == 0
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_End)
    assert window.help.isVisible() and bar.value() == bar.maximum()
    assert not window.actions_["flag.joint"].isChecked()
    before = window.help.text()
    window.actions_["flag.joint"].trigger()
    assert window.help.text() != before
    QTest.mouseClick(window.help, LEFT, pos=QPoint(4, 4))
    assert not window.help.isVisible() and not window.actions_["help.keys"].isChecked()


@pytest.mark.parametrize("where", ["viewport", "tree"])
def test_esc_closes_the_help_wherever_the_keyboard_was_and_gives_it_back(window, qtbot, where):
    window.view.set_fixed_camera(0)
    widget = window.viewport if where == "viewport" else window.docks["tree"].panel.view
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)
    QTest.keyClick(widget, Qt.Key.Key_F1)
    assert window.help.isVisible() and QApplication.focusWidget() is window.help
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Escape)
    qtbot.waitUntil(window.help.isHidden)
    assert not window.actions_["help.keys"].isChecked()
    assert QApplication.focusWidget() is widget and window.view.camera.type == "fixed"


def test_a_panel_that_comes_up_closes_the_help_or_stays_below_it(window, qtbot):
    QTest.keyClick(window.viewport, Qt.Key.Key_F1)
    window.docks["problems"].show()  # nobody asked for it
    window.docks["problems"].raise_()
    QApplication.processEvents()
    children = [each for each in window.children() if isinstance(each, QWidget)]
    assert window.help.isVisible() and children[-1] is window.help
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_F4)
    qtbot.waitUntil(window.help.isHidden)
    qtbot.waitUntil(lambda: window.docks["sensors"].in_view)


def test_what_takes_the_keyboard_closes_the_help(window, qtbot):
    QTest.keyClick(window.viewport, Qt.Key.Key_F1)
    panel = window.docks["tree"].panel
    panel.filter.setFocus()
    qtbot.waitUntil(window.help.isHidden)
    assert panel.filter.hasFocus()


def test_the_help_hides_what_is_below_it(window, qtbot):
    QTest.keyClick(window.viewport, Qt.Key.Key_F1)
    QApplication.processEvents()
    card = window.help.card
    corner = card.grab().toImage().pixelColor(card.width() // 2, card.height() - 4)
    assert corner.alpha() == 255 and window.help.size() == window.size()


# ---- status bar and statistics -----------------------------------------------------------------------------


def test_a_hint_about_a_button_leaves_the_counters(window, qtbot):
    button = window.toolbar.widgetForAction(window.actions_["file.open"])
    path = window.status.file.toolTip()
    where = QPointF(button.rect().center())
    QApplication.sendEvent(button, QEnterEvent(where, where, QPointF(button.mapToGlobal(where))))
    assert window.status.file.toolTip() == window.actions_["file.open"].statusTip()
    assert window.status.errors.isVisible() and window.status.warnings.isVisible()
    QApplication.sendEvent(button, QEvent(QEvent.Type.Leave))
    assert window.status.file.toolTip() == path


def test_the_statistics_agree_with_each_other(window, qtbot):
    window.simulation.post(requests.Play())
    QTest.keyClick(window.viewport, Qt.Key.Key_F2)
    frames = window.viewport.frames
    qtbot.waitUntil(lambda: len(frames._frames) > 5 and frames.rate is not None)
    assert 0 < frames.seconds * frames.rate < 1.3
    qtbot.waitUntil(lambda: "per second" in window.frame.info.text())
    text = window.frame.info.text()
    assert "ms a frame" in text and "Contacts" in text


# ---- messages ----------------------------------------------------------------------------------------------

LONG = "a_name_that_goes_on_" * 12


@pytest.mark.parametrize("width", [700, 1280])
def test_a_long_message_is_shown_in_full(window, model_file, qtbot, width):
    resize(window, qtbot, QSize(width, 700))
    model_file.write_text(MODEL.replace('joint="hinge"', f'joint="{LONG[:120]} {LONG[:120]}"'))
    bar, label = window.frame.bar, window.frame.bar.label
    qtbot.waitUntil(bar.isVisible)
    QApplication.processEvents()
    assert LONG[:120] in bar.text() and label.toolTip() == bar.text()
    words = label.text().split()
    assert words[:5] == bar.text().split()[:5] and words[-5:] == bar.text().split()[-5:]
    if width > 1000:  # a word, shortened in its middle, has a line
        assert max(label.fontMetrics().horizontalAdvance(word) for word in words) <= label.contentsRect().width()
    assert label.height() >= label.heightForWidth(label.width())
    assert window.frame.rect().contains(bar.geometry())
    assert label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse
    window.findings.show_panel()
    QApplication.processEvents()
    view = window.problems.view
    line = view.fontMetrics().lineSpacing()
    assert view.rowHeight(0) > 2 * line
    view.setFocus()
    view.setCurrentIndex(window.problems.model.index(0, 0))
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert LONG[:120] in QApplication.clipboard().text()


def test_many_problems_are_measured_only_where_they_are_seen(make_window, qtbot):
    from kinetree.engine.diagnostics import Diagnostic, Severity

    window = make_window()
    window.docks["problems"].show()
    items = [
        Diagnostic(Severity.WARNING, "unused-asset", f"{i} " + "words " * (1 + i % 60), "a.xml", line=1 + i)
        for i in range(3000)
    ]
    window.problems.set_items(items)
    QApplication.processEvents()
    view = window.problems.view
    assert 0 < len(view._fitted) < 40
    view.scrollToBottom()
    assert 2999 in view._fitted and len(view._fitted) < 80


def test_a_change_on_disk_is_offered_when_it_is_not_followed(window, model_file, qtbot):
    action = window.actions_["file.auto_reload"]
    on = action.icon().pixmap(20, 20).toImage()
    action.trigger()
    assert action.icon().pixmap(20, 20).toImage() != on
    old = window.simulation.model
    model_file.write_text(MODEL.replace("rig", "other"))
    bar = window.frame.files_bar
    qtbot.waitUntil(bar.isVisible)
    assert "Changed on disk: rig.xml" in bar.text() and window.simulation.model is old
    _reload, keep = bar.buttons
    QTest.mouseClick(keep, LEFT)
    assert not bar.isVisible()
    model_file.write_text(MODEL.replace("rig", "another"))
    qtbot.waitUntil(bar.isVisible)
    QTest.mouseClick(bar.buttons[0], LEFT)
    qtbot.waitUntil(lambda: window.simulation.model is not old)
    assert window.simulation.model.name == "another" and not bar.isVisible()


def test_a_theme_recolours_the_icons_that_are_there(window, tmp_path, qtbot):
    button = window.toolbar.widgetForAction(window.actions_["file.open"])
    dark = button.grab().toImage()
    window.handlers.set_theme("light")
    light = button.grab().toImage()
    assert light != dark
    window.handlers.set_theme("dark")
    assert button.grab().toImage() == dark


def test_rows_of_problems_that_came_while_the_panel_was_hidden_fit_when_it_is_shown(make_window, tmp_path, qtbot):
    flawed = tmp_path / "flawed.xml"
    flawed.write_text('<mujoco><worldbody><geom size="1" typ="box"/></worldbody></mujoco>')
    good = tmp_path / "good.xml"
    good.write_text("<mujoco/>")
    window = make_window(good, size=(1280, 800))
    window.open(str(flawed))
    qtbot.waitUntil(lambda: window.status.errors.text() == "1")
    view = window.problems.view
    QTest.mouseClick(window.status.errors, LEFT)
    qtbot.waitUntil(lambda: view.columnWidth(0) > 300)
    qtbot.waitUntil(lambda: view.rowHeight(0) < 2 * view.fontMetrics().height() + 9)
