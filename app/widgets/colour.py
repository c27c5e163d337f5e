"""A colour: a swatch that opens the colour dialog, and its numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QColorDialog, QWidget

from kinetree.app.settings import theme
from kinetree.app.widgets.number_cells import GAP, RADIUS
from kinetree.app.widgets.numbers import NumbersField
from kinetree.engine.translation import tr

SQUARE = 5  # side of a square of the pattern behind transparent colours, pixels
DIGITS = 4  # of a component that the dialog gives


class Swatch(QWidget):
    """Shows a colour with its opacity. `clicked()`."""

    clicked = Signal()

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.colour: QColor | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setToolTip(tr("Choose a colour"))
        self.setAccessibleName(tr("Choose a colour"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), theme.current()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(QColor(colours.accent if self.hasFocus() else colours.line), 1))
        painter.setBrush(QColor(colours.base))
        painter.drawRoundedRect(area, RADIUS, RADIUS)
        if self.colour is not None:
            inside = area.adjusted(2, 2, -2, -2)
            if self.colour.alpha() < 255:
                paint_pattern(painter, inside)
            painter.fillRect(inside, self.colour)
        painter.end()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.clicked.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.clicked.emit()
        else:
            super().keyPressEvent(event)


def open_colour_dialog(
    parent: QWidget,
    first: QColor,
    has_alpha: bool,
    choose: Callable[[tuple[float, ...]], None],
    finish: Callable[[bool], None],
) -> QColorDialog:
    """Let the user choose a colour: `choose(red, green, blue and opacity, 0 to 1)` for every colour that the dialog
    shows, `finish(whether it is taken)` at its end."""
    dialog = QColorDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setOption(QColorDialog.ColorDialogOption.DontUseNativeDialog)
    dialog.setOption(QColorDialog.ColorDialogOption.ShowAlphaChannel, has_alpha)
    dialog.setCurrentColor(first)
    last = dialog.currentColor().rgba()

    def report(colour: QColor) -> None:
        nonlocal last
        if colour.rgba() != last:  # the dialog also reports what it was given
            last = colour.rgba()
            choose((colour.redF(), colour.greenF(), colour.blueF(), colour.alphaF()))

    dialog.currentColorChanged.connect(report)
    dialog.finished.connect(lambda result: finish(bool(result)))
    dialog.open()
    return dialog


def paint_pattern(painter: QPainter, area: QRectF) -> None:
    """Paint the checkerboard behind a transparent colour."""
    painter.fillRect(area, QColor("#ffffff"))
    for y in range(int(area.top()), int(area.bottom()) + 1, SQUARE):
        for x in range(int(area.left()), int(area.right()) + 1, SQUARE):
            if (x // SQUARE + y // SQUARE) % 2:
                painter.fillRect(QRectF(x, y, SQUARE, SQUARE).intersected(area), QColor("#b0b0b0"))


class ColourField(QWidget):
    """A swatch and the numbers, 0 to 1. `chosen(values)`: the dialog shows another colour, many until
    `ended()`; the numbers report by the signals of `numbers`."""

    chosen = Signal(object)
    ended = Signal()

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.swatch = Swatch(self)
        self.numbers = NumbersField(self)
        self.swatch.clicked.connect(self.open_dialog)
        self.dialog: QColorDialog | None = None
        self._has_alpha = False
        self._read_only = False
        self.numbers.dragged.connect(lambda _cell, _value: self._paint())

    def set_count(self, count: int) -> None:
        """Set the count of the numbers: 3, or 4 with the opacity."""
        self._has_alpha = count == 4
        self.numbers.set_kind(count, ("R", "G", "B", "A")[:count], low=0.0, high=1.0, step=0.005)
        self.updateGeometry()

    def show_values(self, texts: Sequence[str | None], given: bool = True, read_only: bool = False) -> None:
        """See NumbersField.show_values."""
        self._read_only = read_only
        self.numbers.show_values(texts, given, read_only)
        self._paint()

    def _paint(self) -> None:
        self.swatch.colour = self.colour()
        self.swatch.update()

    def colour(self) -> QColor | None:
        """The colour of the numbers, None if some are missing or differ."""
        values = [self.numbers.value(cell) for cell in range(len(self.numbers.texts))]
        parts = [min(max(value, 0.0), 1.0) for value in values if value is not None]
        return QColor.fromRgbF(*parts) if len(parts) == len(values) and len(parts) >= 3 else None

    def open_dialog(self) -> None:
        """Let the user choose; every colour that the dialog shows is reported, Cancel brings the first one
        back."""
        if self.dialog is not None or self._read_only:
            return
        before = list(self.numbers.texts)

        def choose(values: tuple[float, ...]) -> None:
            self.chosen.emit(tuple(round(value, DIGITS) for value in values[: len(self.numbers.texts)]))

        def finish(taken: bool) -> None:
            self.dialog = None
            if not taken and all(before):
                self.chosen.emit(tuple(float(text) for text in before if text))
            self.ended.emit()

        self.dialog = open_colour_dialog(self, self.colour() or QColor("#808080"), self._has_alpha, choose, finish)

    def fit(self, width: int) -> None:
        """See NumbersField.fit."""
        self.numbers.fit(width - self.numbers.line_height - GAP)

    def sizeHint(self) -> QSize:
        hint = self.numbers.sizeHint()
        return QSize(hint.width() + hint.height() + GAP, hint.height())

    def resizeEvent(self, event) -> None:
        side = self.numbers.line_height
        self.swatch.setGeometry(0, 0, side, side)
        self.numbers.setGeometry(side + GAP, 0, self.width() - side - GAP, self.numbers.sizeHint().height())
        super().resizeEvent(event)
