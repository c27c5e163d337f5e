"""Numbers in narrow places: what is seen is the beginning of the number with an ellipsis, and never its end."""

from __future__ import annotations

import math

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QStyleOptionViewItem, QToolTip, QVBoxLayout, QWidget

from kinetree.app.panels.driving.joints.range_dialog import RangeDialog
from kinetree.app.panels.live.model import LiveModel
from kinetree.app.panels.live.rows import NAME, UNIT, VALUE, LiveRow
from kinetree.app.panels.live.sliders import SliderRow, seen
from kinetree.app.panels.live.view import LiveView
from kinetree.app.settings import theme
from kinetree.app.widgets.numbers import NumbersField
from kinetree.app.widgets.readouts import ELLIPSIS, number_text
from kinetree.app.widgets.spin import decimals_of
from kinetree.app.widgets.text import TextField
from kinetree.app.workspace.units import Units

VALUES = [mantissa * 10.0**power for power in (-14, -9, -4, -1, 0, 3, 6, 14) for mantissa in (1.934, -9.87654321)]
TEXTS = [".13", ".14", "0.1934", "-0.00045", "1e-14", "-123456.789012345", "6.02214076e+23", "0.12345678901234567"]


@pytest.fixture(autouse=True)
def themed(qtbot):
    application = QApplication.instance()
    if not application.styleSheet():
        theme.apply(application, theme.choose("light"))


def is_beginning(seen: str, whole: str) -> bool:
    return seen == whole or (seen.endswith(ELLIPSIS) and whole.startswith(seen.removesuffix(ELLIPSIS)))


def ink(widget: QWidget, blank: QWidget) -> tuple[int, int] | None:
    """The first and last column of pixels in which two widgets differ."""
    images = []
    for each in (widget, blank):
        image = each.grab().toImage()
        shape = image.height(), image.bytesPerLine() // 4
        images.append(np.frombuffer(image.constBits(), np.uint32).reshape(shape)[:, : image.width()].copy())
    columns = np.flatnonzero((images[0] != images[1]).any(axis=0))
    return (int(columns[0]), int(columns[-1])) if len(columns) else None


@pytest.mark.parametrize("width", [24, 30, 36, 44, 60, 90, 200])
@pytest.mark.parametrize("text", TEXTS)
def test_a_cell_shows_the_text_of_the_author_from_its_beginning(qtbot, text, width):
    fields = [NumbersField() for _ in range(2)]
    for field, texts in zip(fields, ([text, "7"], ["", "7"]), strict=True):
        qtbot.addWidget(field)
        field.set_kind(2)
        field.show_values(texts)
        field.resize(2 * width + 3, field.sizeHint().height())
    field = fields[0]
    seen, metrics, cell = field.seen(0), field.fontMetrics(), field.cell_rect(0)
    assert is_beginning(seen, text) and seen
    assert metrics.horizontalAdvance(seen) <= cell.width(), "it has room"
    painted = ink(*fields)
    assert painted is not None
    first, last = painted
    assert first >= 1 and last <= cell.right() - 1, "nothing of it is cut off at the frame"
    assert last - first + 1 <= metrics.horizontalAdvance(seen) + 2
    if metrics.horizontalAdvance(text) < cell.width() - 6:
        assert seen == text, "all of it where there is room"


def test_a_cut_number_is_whole_in_the_tool_tip(qtbot):
    field = NumbersField()
    qtbot.addWidget(field)
    field.set_kind(2, ("x", "y"))
    field.show_values(["0.12345678901234567", "1"])
    field.resize(100, field.sizeHint().height())
    field.show()
    for tip in ("", "Position of the body", "<b>pos</b>"):
        field.setToolTip(tip)
        at = field.cell_rect(0).center().toPoint()
        QApplication.sendEvent(field, QHelpEvent(QHelpEvent.Type.ToolTip, at, field.mapToGlobal(at)))
        assert "0.12345678901234567" in QToolTip.text() and tip in QToolTip.text()
        at = field.cell_rect(1).center().toPoint()
        QApplication.sendEvent(field, QHelpEvent(QHelpEvent.Type.ToolTip, at, field.mapToGlobal(at)))
        assert tip in QToolTip.text() and "0.123" not in QToolTip.text()
    QToolTip.hideText()


@pytest.mark.parametrize("width", [40, 70, 120, 300])
@pytest.mark.parametrize("text", [*TEXTS, "1 2.5 -0.00012345678 4e-14 5", "a_very_long_name_of_a_body_of_a_robot"])
def test_a_line_shows_its_text_from_the_beginning(qtbot, text, width):
    window = QWidget()
    qtbot.addWidget(window)
    line, blank, other = TextField(), TextField(), QLineEdit()
    layout = QVBoxLayout(window)
    for each in (line, blank, other):
        layout.addWidget(each, 0, Qt.AlignmentFlag.AlignLeft)
    line.show_value(text)
    for each in (line, blank):
        each.setFixedWidth(width)
    window.show()
    window.activateWindow()
    other.setFocus()
    qtbot.waitUntil(other.hasFocus)
    assert is_beginning(line.seen, text)
    assert line.is_cut == (line.seen != text)
    painted = ink(line, blank)
    assert painted is not None and painted[0] >= 2 and painted[1] <= width - 2
    assert painted[1] - painted[0] + 1 <= line.fontMetrics().horizontalAdvance(line.seen) + 2
    line.setFocus()
    line.end(False)
    other.setFocus()
    assert line.cursorPosition() == 0
    assert ink(line, blank) == painted, "as before the keyboard was there"
    if line.is_cut:
        line.setToolTip("Meaning")
        at = QPoint(5, 5)
        QApplication.sendEvent(line, QHelpEvent(QHelpEvent.Type.ToolTip, at, line.mapToGlobal(at)))
        assert text in QToolTip.text() and "Meaning" in QToolTip.text()
        QToolTip.hideText()


@pytest.mark.parametrize("width", [140, 200, 300, 600])
@pytest.mark.parametrize("value", VALUES)
def test_a_row_of_a_list_shows_the_beginning_of_its_number(qtbot, value, width):
    model = LiveModel((NAME, VALUE, UNIT), Units())
    view = LiveView(model)
    qtbot.addWidget(view)
    view.resize(width, 120)
    view.show()
    model.set_rows(
        [LiveRow("elbow", lambda _: value, "m", key=0), LiveRow("v", lambda _: np.array([value, 1.0, -value]), key=1)]
    )
    model.snapshot = object()
    metrics = view.fontMetrics()
    for row in range(2):
        index = model.index(row, 1)
        view._cells._short = None
        view._cells.edge(index)
        option = QStyleOptionViewItem()
        view._cells.initStyleOption(option, index)
        assert option.textElideMode == Qt.TextElideMode.ElideRight
        whole = str(model.data(index, Qt.ItemDataRole.DisplayRole))
        assert whole == (number_text(value) if row == 0 else "  ".join(map(number_text, (value, 1.0, -value))))
        seen = metrics.elidedText(option.text, option.textElideMode, view.columnWidth(1))
        first = seen.removesuffix(ELLIPSIS).split("  ")[0]
        plain = f"{value:.15f}"
        assert whole.startswith(first) or plain.startswith(first), (seen, whole)
        assert whole in str(model.data(index, Qt.ItemDataRole.ToolTipRole))


@pytest.mark.parametrize("room", [20, 40, 60, 90, 160])
@pytest.mark.parametrize("value", VALUES)
def test_a_slider_shows_the_beginning_of_its_number(qtbot, value, room):
    metrics = QWidget().fontMetrics()
    row = SliderRow("elbow", lambda _: value, "m", key=0)
    text = seen(row, value, Units(), metrics, room)
    assert is_beginning(text, f"{number_text(value)} m")
    assert metrics.horizontalAdvance(text) <= room or text == ELLIPSIS


@pytest.mark.parametrize("value", [*VALUES[:12], 0.00045, 1.5707963267948966])
def test_the_range_of_a_joint_is_not_rounded_away(qtbot, value):
    ends = sorted((value, 2 * value))
    if max(map(abs, ends)) > 1e6:
        return
    dialog = RangeDialog("joint", *ends, "m", Units())
    qtbot.addWidget(dialog)
    found = []
    dialog.wanted.connect(lambda low, high: found.append((low, high)))
    dialog.button.click()
    if abs(value) < 1e-9:
        return  # closer than a field with arrows can tell: the button says so
    assert found and found[0] == pytest.approx(ends, rel=1e-5)


def test_fields_with_arrows_have_six_digits():
    assert [decimals_of(value, 4) for value in (0.0, 1.0, 0.00045, -1.5, 1e-14, 1e5, math.inf)] == [
        4,
        5,
        9,
        5,
        15,
        4,
        4,
    ]


def test_typing_still_shows_what_is_typed(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    field = TextField(window)
    field.show_value("0.12345678901234567")
    field.setFixedWidth(50)
    window.show()
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_End)
    QTest.keyClicks(field, "8")
    assert field.text() == "0.123456789012345678" and field.cursorPosition() == len(field.text())


def test_numbers_that_have_no_room_beside_each_other_stand_below_each_other(qtbot):
    field = NumbersField()
    qtbot.addWidget(field)
    field.set_kind(3, ("x", "y", "z"))
    field.show_values([".13", ".14", "-0.1934567"])
    heights = {}
    for width in (400, 260, 150, 90):
        field.fit(width)
        field.resize(width, field.sizeHint().height())
        heights[width] = field.height()
        assert [field.seen(cell) for cell in range(3)] == field.texts, "each is seen whole"
        assert field.cell_rect(2).bottom() <= field.height()
    assert heights[400] < heights[150] <= heights[90]
    field.fit(400)
    assert field.columns == 3
    field.resize(400, field.sizeHint().height())
    field.show()
    field.edit(2)
    field.fit(90)
    assert field.columns == 3, "what is typed stays where it is"


def test_a_hint_is_cut_behind(qtbot):
    fields = [NumbersField() for _ in range(2)]
    for field, hint in zip(fields, ("computed by the compiler", ""), strict=True):
        qtbot.addWidget(field)
        field.set_kind(1)
        field.hint = hint
        field.show_values([""])
        field.resize(60, field.sizeHint().height())
    first, last = ink(*fields)
    assert first >= 4 and last <= 57
