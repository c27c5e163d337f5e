"""The wheel over a panel or dialog scrolls it: a box under the mouse changes only while it has the focus."""

import ast
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDoubleSpinBox,
    QScrollBar,
    QSlider,
    QSpinBox,
    QWidget,
)

from kinetree.app.panels.docks import DOCKS
from kinetree.app.panels.driving.timeline.track import Track
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.numbers import NumbersField
from kinetree.app.widgets.spin import DoubleSpinBox, SpinBox
from kinetree.app.workspace.selection import select_object

APP = Path(__file__).parents[2] / "app"
OURS = {"boxes.py", "spin.py"}
OF_QT = {"QComboBox", "QSpinBox", "QDoubleSpinBox", "QSlider", "QDial", "QDateTimeEdit", "QDateEdit", "QTimeEdit"}


def roll(widget: QWidget, turn: int) -> bool:
    """Turn the wheel over a widget. Returns whether the widget took it."""
    place = QPointF(widget.rect().center())
    event = QWheelEvent(
        place, widget.mapToGlobal(place), QPoint(), QPoint(0, turn), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
    return event.isAccepted()


def value(field: QWidget) -> object:
    if isinstance(field, QComboBox):
        return field.currentIndex()
    if isinstance(field, NumbersField):
        return list(field.texts)
    assert isinstance(field, (QSpinBox, QDoubleSpinBox, QAbstractSlider)), field
    return field.value()


def fields_of(top: QWidget) -> list[QWidget]:
    """Everything below a widget that has a value which a wheel could change; scroll bars, and the timeline, which it
    zooms, are none."""
    kinds = (QComboBox, QAbstractSpinBox, QSlider, QAbstractSlider, NumbersField)
    found = (each for each in top.findChildren(QWidget) if isinstance(each, kinds))
    return [each for each in found if not isinstance(each, (QScrollBar, Track)) and each.isVisible()]


@pytest.mark.parametrize("dock", [row.name for row in DOCKS])
def test_the_wheel_over_a_panel_changes_nothing_in_it(window, qtbot, dock):
    window.selection.select(select_object(window.simulation.model, "geom", 1))
    window.docks[dock].bring_up()
    qtbot.wait(50)
    window.setFocus()
    fields = fields_of(window)
    assert fields  # the toolbar has some
    for field in fields:
        assert not field.focusPolicy() & Qt.FocusPolicy.WheelFocus & ~Qt.FocusPolicy.StrongFocus, field
        if not field.hasFocus():
            before = value(field)
            for turn in (120, -120, -120):
                roll(field, turn)
                assert value(field) == before, field


@pytest.mark.parametrize("action", ["edit.settings", "file.screenshot", "file.video"])
def test_the_wheel_over_a_dialog_changes_nothing_in_it(window, qtbot, action):
    window.actions_[action].trigger()
    qtbot.waitUntil(
        lambda: any(isinstance(each, QDialog) and each.isVisible() for each in QApplication.topLevelWidgets())
    )
    dialog = next(each for each in QApplication.topLevelWidgets() if isinstance(each, QDialog) and each.isVisible())
    try:
        fields = fields_of(dialog)
        assert fields
        for field in fields:
            if not field.hasFocus():
                before = value(field)
                roll(field, -120)
                assert value(field) == before, field
    finally:
        dialog.reject()


@pytest.mark.parametrize("make", [ComboBox, SpinBox, DoubleSpinBox])
def test_a_box_with_the_focus_takes_the_wheel(qtbot, make):
    box = make()
    qtbot.addWidget(box)
    if isinstance(box, ComboBox):
        box.addItems(["a", "b", "c"])
    box.show()
    qtbot.waitExposed(box)
    box.activateWindow()
    qtbot.waitUntil(box.isActiveWindow)
    box.clearFocus()
    before = value(box)
    assert not roll(box, 120) and not roll(box, -120) and value(box) == before
    box.setFocus()
    qtbot.waitUntil(box.hasFocus)
    roll(box, -120 if isinstance(box, ComboBox) else 120)
    assert value(box) != before


def test_the_program_has_no_boxes_but_its_own():
    """Qt's own change with the wheel whenever the mouse is over them."""
    found = []
    for path in APP.rglob("*.py"):
        if path.name in OURS and path.parent.name == "widgets":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            bases = node.bases if isinstance(node, ast.ClassDef) else []
            made = [node.func] if isinstance(node, ast.Call) else []
            found += [
                f"{path.relative_to(APP)}: {each.id}"
                for each in (*bases, *made)
                if isinstance(each, ast.Name) and each.id in OF_QT
            ]
    assert not found, "use app/widgets/boxes.py and app/widgets/spin.py"
