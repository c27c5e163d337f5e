"""Fields of the inspector for keywords, and for true or false."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QCheckBox, QComboBox, QSizePolicy, QWidget

from kinetree.app.settings import theme
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.style import set_property

MIXED = "—"
BOX = 14  # side of the box of a flag, pixels


class ChoiceField(ComboBox):
    """Combo box of keywords. `taken(keyword)`: the user chose one."""

    taken = Signal(str)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMinimumContentsLength(3)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.textActivated.connect(self.taken)

    def sizeHint(self) -> QSize:
        return QSize(80, self.fontMetrics().height() + 8)

    def set_choices(self, choices: Sequence[str]) -> None:
        self.clear()
        self.addItems(list(choices))
        self.setMaxVisibleItems(min(max(len(choices), 1), 24))

    def show_value(self, text: str | None, given: bool = True, read_only: bool = False) -> None:
        """Show a keyword, None where several elements have different ones."""
        index = -1 if text is None else self.findText(text)
        if index != self.currentIndex():
            self.setCurrentIndex(index)
        self.setPlaceholderText(MIXED if text is None else text)
        self.setEnabled(not read_only)
        set_property(self, "given", given)


class FlagField(QCheckBox):
    """Check box for true or false. `taken("true" or "false")`: the user switched it."""

    taken = Signal(str)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.clicked.connect(self._switch)

    def show_value(self, text: str | None, given: bool = True, read_only: bool = False) -> None:
        """Show a value, None where several elements have different ones."""
        states = Qt.CheckState
        state = states.PartiallyChecked if text is None else states.Checked if text == "true" else states.Unchecked
        self.setTristate(text is None)
        if state != self.checkState():
            self.setCheckState(state)
        self.setText(MIXED if text is None else text)
        self.setEnabled(not read_only)
        set_property(self, "given", given)

    def sizeHint(self) -> QSize:
        return QSize(60, self.fontMetrics().height() + 8)

    def hitButton(self, position: QPoint) -> bool:
        return position.x() < BOX + 8 + self.fontMetrics().horizontalAdvance(self.text())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(0.5, (self.height() - BOX) // 2 + 0.5, BOX, BOX)
        states, is_own = Qt.CheckState, bool(self.property("given"))
        on = self.checkState() == states.Checked
        fill = QColor(colours.accent if on else colours.base)
        if on and not is_own:
            fill.setAlpha(110)
        painter.setPen(QPen(QColor(colours.accent if on or self.hasFocus() else colours.dim), 1))
        painter.setBrush(fill)
        painter.drawRoundedRect(box, 3, 3)
        x, y = box.left(), box.top()
        if on:
            painter.setPen(QPen(QColor(colours.on_accent), 1.8))
            painter.drawPolyline(QPolygonF([QPointF(x + 3, y + 7.5), QPointF(x + 6, y + 10.5), QPointF(x + 11, y + 4)]))
        elif self.checkState() == states.PartiallyChecked:
            painter.setPen(QPen(QColor(colours.dim), 1.8))
            painter.drawLine(QPointF(x + 3.5, y + 7), QPointF(x + 10.5, y + 7))
        painter.setPen(QColor(colours.text if is_own and self.isEnabled() else colours.dim))
        text = QRectF(BOX + 8, 0, self.width() - BOX - 8, self.height())
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        painter.end()

    def _switch(self) -> None:
        on = self.checkState() != Qt.CheckState.Unchecked
        self.setTristate(False)
        self.setChecked(on)
        self.setText("true" if on else "false")
        self.taken.emit(self.text())
