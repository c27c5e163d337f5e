"""Number fields with arrows."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton

from kinetree.app.settings import theme
from kinetree.app.widgets.spin import INDENT, DoubleSpinBox, SpinBox


@pytest.fixture(autouse=True)
def themes(qapp):
    yield
    theme.apply(qapp, theme.DARK)


@pytest.mark.parametrize("colours", [theme.DARK, theme.LIGHT], ids=["dark", "light"])
def test_a_number_field_has_an_edge_and_arrows_that_step(colours, qapp, qtbot):
    theme.apply(qapp, colours)
    box = SpinBox()
    qtbot.addWidget(box)
    box.resize(160, box.sizeHint().height())
    box.show()
    qtbot.waitExposed(box)
    box.clearFocus()
    image = box.grab().toImage()
    assert image.pixelColor(0, box.height() // 2).name() == colours.line
    right = box.width() - 10
    for top in (0, box.height() // 2):
        drawn = {
            image.pixel(x, y) for x in range(right - 5, right + 6) for y in range(top + 2, top + box.height() // 2 - 1)
        }
        assert len(drawn) > 1  # an arrow
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(right, 6))
    assert box.value() == 1
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(right, box.height() - 6))
    assert box.value() == 0
    assert box.lineEdit().textMargins().left() == INDENT


def test_a_button_with_a_menu_has_room_for_its_arrow(qapp, qtbot):
    theme.apply(qapp, theme.DARK)
    plain, menu = QToolButton(), QToolButton()
    menu.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    for button in (plain, menu):
        qtbot.addWidget(button)
        button.setText("Export")
        button.show()
    assert menu.sizeHint().width() >= plain.sizeHint().width() + 10


def test_steps_follow_the_number_unless_they_are_given(qtbot):
    free, fixed, whole = DoubleSpinBox(), DoubleSpinBox(step=1.0), SpinBox()
    for box in (free, fixed):
        qtbot.addWidget(box)
        box.setDecimals(4)
        box.setValue(0.05)
        box.stepUp()
    qtbot.addWidget(whole)
    whole.setRange(0, 10000)
    whole.setValue(1920)
    whole.stepUp()
    assert (free.value(), fixed.value(), whole.value()) == (0.051, 1.05, 2020)
