"""Number fields: dragged, stepped, typed."""

import math

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from kinetree.app.widgets.number_cells import columns_of
from kinetree.app.widgets.numbers import NumbersField, shortest

KEYS = Qt.KeyboardModifier
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def field(qtbot):
    """A field of three numbers in a window with another widget, and what it reports."""
    window = QWidget()
    qtbot.addWidget(window)
    layout = QVBoxLayout(window)
    numbers = NumbersField(window)
    numbers.set_kind(3, ("x", "y", "z"))
    numbers.show_values(["0.5", "1", "-2"])
    layout.addWidget(numbers)
    layout.addWidget(QLineEdit(window))
    window.resize(300, 120)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    numbers.reports = []
    numbers.dragged.connect(lambda cell, value: numbers.reports.append(("dragged", cell, value)))
    numbers.typed.connect(lambda cell, text: numbers.reports.append(("typed", cell, text)))
    numbers.pasted.connect(lambda texts: numbers.reports.append(("pasted", texts)))
    numbers.ended.connect(lambda: numbers.reports.append(("ended",)))
    numbers.window_ = window
    return numbers


def middle(field, cell) -> QPoint:
    return field.cell_rect(cell).center().toPoint()


def drag(field, cell, by, modifiers=KEYS.NoModifier, release=True):
    start = middle(field, cell)
    QTest.mousePress(field, LEFT, modifiers, start)
    for step in range(1, 6):
        point = start + QPoint(round(by * step / 5), 0)
        move(field, point, modifiers)
    if release:
        QTest.mouseRelease(field, LEFT, modifiers, start + QPoint(by, 0))


def move(field, point, modifiers=KEYS.NoModifier):
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent

    place = QPointF(point)
    event = QMouseEvent(
        QEvent.Type.MouseMove, place, field.mapToGlobal(place), Qt.MouseButton.NoButton, LEFT, modifiers
    )
    QApplication.sendEvent(field, event)


def typed(field, text, key=Qt.Key.Key_Return):
    editor = field.editor
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, key)


def test_a_drag_reports_values_and_its_end(field):
    drag(field, 1, 20)
    assert field.reports[-1] == ("ended",)
    kinds = {each[0] for each in field.reports}
    assert kinds == {"dragged", "ended"}
    _, cell, value = field.reports[-2]
    assert cell == 1 and value == pytest.approx(1 + 20 * 0.01)
    assert field.texts[1] == "1.2"


@pytest.mark.parametrize(("modifier", "factor"), [(KEYS.ShiftModifier, 0.1), (KEYS.ControlModifier, 10)])
def test_keys_make_a_drag_finer_or_coarser(field, modifier, factor):
    drag(field, 1, 20, modifier)
    assert field.reports[-2][2] == pytest.approx(1 + 20 * 0.01 * factor)


@pytest.mark.parametrize(
    ("text", "high", "pixels", "reached"),
    [("0.435", 100, 3, "0.45"), ("0.0356", 10, 10, "0.0406"), ("-0.611", None, 3, "-0.596"), ("0.1", 1, 5, "0.105")],
)
def test_a_drag_is_in_proportion_to_the_number(field, text, high, pixels, reached):
    """Damping, armature, a coordinate: a step of 1 % of the range, or a grid, would leave the number far behind."""
    field.set_kind(1, low=0 if high else None, high=high)
    field.show_values([text])
    drag(field, 0, pixels)
    assert field.texts == [reached]


def test_a_drag_that_comes_back_leaves_the_number_as_it_was(field):
    field.set_kind(1)
    field.show_values(["0.43512341234"])
    start = middle(field, 0)
    QTest.mousePress(field, LEFT, KEYS.NoModifier, start)
    for by in (4, 9, 0):
        move(field, start + QPoint(by, 0))
    QTest.mouseRelease(field, LEFT, KEYS.NoModifier, start)
    assert field.texts == ["0.43512341234"]


def test_keys_while_dragging_change_the_pace_from_there_on(field):
    start = middle(field, 1)
    QTest.mousePress(field, LEFT, KEYS.NoModifier, start)
    for by, held in ((10, KEYS.NoModifier), (14, KEYS.ShiftModifier), (15, KEYS.ControlModifier)):
        move(field, start + QPoint(by, 0), held)
    assert field.texts[1] == "1.204"


def test_a_drag_past_the_end_of_the_range_ends_there(field):
    field.set_kind(1, low=0.0, high=100.0)
    field.show_values(["0.435"])
    field.check = lambda _cell, text: "must be 0 or more" if float(text) < 0 else ""
    drag(field, 0, -120)
    assert field.texts == ["0"]


def test_zeros_are_dragged_at_the_pace_of_the_numbers_beside_them(field):
    field.show_values(["0", "0", "30"])
    drag(field, 0, 10)
    assert field.texts[0] == "2"
    field.show_values(["0", "0", "0"])
    field.from_zero = 0.5
    drag(field, 0, 10)
    assert field.texts[0] == "5"


def test_arrow_keys_come_back_to_where_they_began(field):
    field.set_kind(1, low=0, high=100)
    field.show_values(["0.435"])
    field.setFocus()
    seen = []
    for key in [Qt.Key.Key_Up] * 3 + [Qt.Key.Key_Down] * 3:
        QTest.keyClick(field, key)
        seen.append(field.texts[0])
    assert seen == ["0.485", "0.535", "0.585", "0.535", "0.485", "0.435"]
    QTest.keyClick(field, Qt.Key.Key_Up, KEYS.ShiftModifier)
    assert field.texts == ["0.44"]
    QTest.keyClick(field, Qt.Key.Key_Up, KEYS.ControlModifier)
    assert field.texts == ["0.94"]


def test_steps_grow_with_the_number_and_follow_a_new_one(field):
    field.set_kind(1)
    field.show_values(["1"])
    field.setFocus()
    for _ in range(92):
        QTest.keyClick(field, Qt.Key.Key_Up)
    assert field.texts == ["12"]  # 90 steps of 0.1, 2 of 1
    field.show_values(["0.02"])  # such as after undo
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert field.texts == ["0.022"]


def test_whole_numbers_step_by_one(field):
    field.set_kind(1, integer=True, low=0, high=1000)
    field.show_values(["50"])
    field.setFocus()
    for held in (KEYS.NoModifier, KEYS.ShiftModifier, KEYS.ControlModifier):
        QTest.keyClick(field, Qt.Key.Key_Up, held)
    assert field.texts == ["62"]


def test_escape_while_dragging_brings_the_value_back(field):
    drag(field, 0, 30, release=False)
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert field.reports[-2:] == [("dragged", 0, 0.5), ("ended",)]
    assert field.texts[0] == "0.5"


def test_a_click_starts_typing_and_an_expression_is_computed(field):
    QTest.mouseClick(field, LEFT, pos=middle(field, 2))
    assert field.editor.text() == "-2"
    typed(field, "0.5*pi")
    assert field.editor is None
    ((kind, cell, text),) = field.reports
    assert (kind, cell) == ("typed", 2) and float(text) == pytest.approx(math.pi / 2)


def test_a_plain_number_stays_as_it_was_typed(field):
    field.edit(0)
    typed(field, "0.250")
    assert field.reports == [("typed", 0, "0.250")]


def test_what_is_not_valid_stays_until_it_is_corrected_or_given_up(field, qtbot):
    messages = []
    field.refused.connect(messages.append)
    field.edit(0)
    typed(field, "0.5*")
    assert field.editor.text() == "0.5*" and field.problem and field.editor.property("wrong")
    assert field.reports == [] and messages[-1] == field.problem
    QTest.keyClicks(field.editor, "2")
    assert not field.problem and messages[-1] == ""
    typed(field, "one")
    assert field.problem
    QTest.keyClick(field.editor, Qt.Key.Key_Escape)
    assert field.editor is None and not field.problem and field.texts[0] == "0.5"
    assert field.reports == []


def test_an_invalid_text_survives_the_loss_of_the_focus(field):
    field.edit(0)
    typed(field, "x")
    field.parentWidget().findChildren(QLineEdit)[-1].setFocus()
    assert field.editor is not None and field.editor.text() == "x"


def test_leaving_the_field_takes_what_is_typed(field):
    field.edit(0)
    field.editor.setText("7")
    field.parentWidget().layout().itemAt(1).widget().setFocus()
    assert field.reports == [("typed", 0, "7")]


def test_tab_goes_through_the_cells_and_on(field):
    field.edit(0)
    typed(field, "1", Qt.Key.Key_Tab)
    assert field.editor is not None and field.cell == 1
    QTest.keyClick(field.editor, Qt.Key.Key_Tab)
    QTest.keyClick(field.editor, Qt.Key.Key_Tab)
    assert field.editor is None and not field.hasFocus()


def test_several_numbers_are_pasted_into_one_cell(field):
    field.edit(0)
    typed(field, "1, 2 3")
    assert field.reports == [("pasted", ("1", "2", "3"))]
    field.edit(0)
    typed(field, "1 2 3 4")
    assert "there are 3" in field.problem


def test_the_wheel_steps_only_what_has_the_focus(field, qtbot):
    def roll():
        place = QPointF(middle(field, 0))
        event = QWheelEvent(
            place, field.mapToGlobal(place), QPoint(), QPoint(0, 120), Qt.MouseButton.NoButton, KEYS.NoModifier,
            Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(field, event)
        return event.isAccepted()

    field.parentWidget().layout().itemAt(1).widget().setFocus()
    assert not roll() and field.reports == []
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    assert roll() and field.reports[-1][0] == "dragged"


def test_arrow_keys_step_and_leaving_ends_the_row_of_steps(field):
    field.setFocus()
    field.cell = 1
    QTest.keyClick(field, Qt.Key.Key_Up)
    QTest.keyClick(field, Qt.Key.Key_Up)
    assert field.reports[-1][:2] == ("dragged", 1) and field.reports[-1][2] > 1
    QTest.keyClick(field, Qt.Key.Key_Left)
    assert field.reports[-1] == ("ended",)


def test_numbers_in_which_elements_differ_can_be_typed_but_not_dragged(field):
    field.show_values([None, "1", "2"])
    drag(field, 0, 20)
    assert not any(each[0] == "dragged" for each in field.reports)
    field.edit(0)
    typed(field, "+= 1")
    assert "no single value" in field.problem
    typed(field, "4")
    assert field.reports[-1] == ("typed", 0, "4")


def test_a_value_that_the_schema_refuses_is_not_reported(field):
    field.check = lambda _cell, text: "must be 0 or more" if float(text) < 0 else ""
    drag(field, 0, -200)
    assert all(each[2] >= 0 for each in field.reports if each[0] == "dragged")
    field.edit(0)
    typed(field, "-1")
    assert field.problem == "must be 0 or more"


def test_read_only_numbers_are_not_changed(field):
    field.show_values(["1", "2", "3"], read_only=True)
    drag(field, 0, 20)
    QTest.mouseClick(field, LEFT, pos=middle(field, 0))
    assert field.editor is None and field.reports in ([], [("ended",)])


def test_texts_are_short():
    assert [shortest(value) for value in (0.1 + 0.2, -0.0, 1e-7, 12.0, 1e15)] == ["0.3", "0", "1e-07", "12", "1e+15"]
    assert [columns_of(n) for n in (1, 3, 4, 6, 10)] == [1, 3, 4, 3, 5]
