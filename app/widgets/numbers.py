"""A field of numbers in a row: each is dragged, stepped or typed.

Drag a number sideways to change it; Shift makes the steps finer, Ctrl coarser. The steps follow the number that it was
when the drag began (`number_steps.py`). A click, Return or a digit starts typing, also of arithmetic such as 0.5*pi or
+= 0.1. The wheel and the arrow keys step the number that has the focus.
Invalid input stays, in a red frame with its reason; Escape brings the old value back.

The field shows texts, as they are written, and reports what the user wants. It does not change its texts by itself,
apart from a number that is being dragged: the owner calls `show_values` with the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget

from kinetree.app.widgets.number_cells import MIXED, NumberCells
from kinetree.app.widgets.number_steps import COARSE, FINE, PIXELS, moved, outgrown, step_of, whole_step_of
from kinetree.app.widgets.style import set_property
from kinetree.engine.editing.expression import InvalidExpression, evaluate
from kinetree.engine.translation import tr

DRAG = 3  # movement that makes a press a drag, pixels


class NumbersField(NumberCells):
    """One or several numbers that are dragged, stepped or typed.

    Signals:
      dragged(cell, value)   a number is being dragged or stepped (many, until `ended`)
      ended()                the drag or the row of steps is over
      typed(cell, text)      a valid number was typed; an expression arrives as its result
      pasted(texts)          several numbers were typed or pasted into one cell: tuple of texts, for all cells
      refused(message)       what is typed is not valid ("" as soon as it is, or is given up)
    """

    dragged = Signal(int, float)
    ended = Signal()
    typed = Signal(int, str)
    pasted = Signal(object)
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self.check: Callable[[int, str], str] = lambda _cell, _text: ""
        """Why a text is no valid number for a cell; "" if it is."""
        self._editor: QLineEdit | None = None
        self._press: QPoint | None = None
        self._start = self._pixel = 0.0  # value where the drag or the row of steps began, and its change for a pixel
        self._x = 0
        self._value = 0.0
        self._offset = 0.0  # from the start
        self._dragging = self._stepping = self._closing = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)

    # ---- what is being done ----------------------------------------------------------------------------

    @property
    def editor(self) -> QLineEdit | None:
        """The line in which a number is being typed, None if none is."""
        return self._editor if self._editor is not None and not self._editor.isHidden() else None

    def fit(self, width: int) -> None:
        """Put as many numbers beside each other as are seen whole; one that is typed or dragged stays where it is."""
        if self.editor is None and self._press is None and not self._stepping:
            super().fit(width)

    # ---- dragging ------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        cell = self.cell_at(event.position().toPoint())
        if event.button() != Qt.MouseButton.LeftButton or cell < 0:
            event.ignore()
            return
        if self.editor is not None and cell != self.cell and not self._take_typed():
            return
        self._focus_cell(cell)
        self._press, self._dragging = event.position().toPoint(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        if self._press is None or self.read_only:
            over = self.cell_at(place) >= 0 and not self.read_only
            self.setCursor(Qt.CursorShape.SizeHorCursor if over else Qt.CursorShape.ArrowCursor)
            return
        if not self._dragging:
            if abs(place.x() - self._press.x()) < DRAG:
                return
            value = self.value(self.cell)
            if value is None and self.texts[self.cell] is None:
                return  # nothing to start from: several elements differ
            self._begin(value or 0.0)
            self._x, self._dragging = self._press.x(), True
        self._offset += (place.x() - self._x) * self._pixel * factor(event.modifiers())
        self._x = place.x()
        value = self._allowed(moved(self._start, self._offset, self._pixel, self.integer))
        if value is not None and value != self._value:
            self._go_to(value)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._press is None or event.button() != Qt.MouseButton.LeftButton:
            return
        self._press = None
        if self._dragging:
            self._dragging = False
            self.ended.emit()
        elif not self.read_only:
            self.edit(self.cell)

    def _begin(self, value: float) -> None:
        """Begin a drag or a row of steps, whose size follows from the number."""
        self._start = self._value = value
        self._offset = 0.0
        if self.integer:
            self._pixel = whole_step_of(value)
        else:
            others = (self.value(cell) or 0.0 for cell in range(len(self.texts)) if cell != self.cell)
            self._pixel = self.step or step_of(value, self.low, self.high, others, self.from_zero)

    def _allowed(self, value: float) -> float | None:
        """The number, or the end of the range that lies on the way to it; None where neither is valid."""
        if not math.isfinite(value):
            return None
        ends = [end for end in (self.low, self.high) if end is not None and (self._start - end) * (value - end) < 0]
        return next((each for each in (value, *ends) if not self.check(self.cell, shortest(each))), None)

    def _go_to(self, value: float) -> None:
        self._value = value
        self.texts[self.cell] = shortest(value)
        self.update()
        self.dragged.emit(self.cell, value)

    def _cancel_drag(self) -> None:
        self._press, self._dragging = None, False
        self._go_to(self._start)
        self.ended.emit()

    # ---- stepping ------------------------------------------------------------------------------------

    def wheelEvent(self, event: QWheelEvent) -> None:
        notches = event.angleDelta().y() / 120 or event.angleDelta().x() / 120
        if not self.hasFocus() or self.read_only or not notches:
            event.ignore()  # the panel scrolls
            return
        self.cell = max(0, self.cell_at(event.position().toPoint())) if len(self.texts) > 1 else 0
        self._step(notches, event.modifiers())
        event.accept()

    def _step(self, count: float, modifiers: Qt.KeyboardModifier) -> None:
        value = self.value(self.cell)
        if value is None and self.texts[self.cell] is None:
            return
        value = value or 0.0
        if not self._stepping or value != self._value or outgrown(value, self._pixel):
            self._begin(value)
        self._stepping = True
        if self.integer:
            by = max(1.0, max(1.0, self._pixel) * factor(modifiers))
        else:
            by = PIXELS * self._pixel * factor(modifiers)
        offset = self._offset + count * by
        wanted = moved(self._start, offset, self._pixel, self.integer)
        allowed = self._allowed(wanted)
        if allowed is not None and allowed != value:
            self._offset = offset if allowed == wanted else allowed - self._start
            self._go_to(allowed)

    def _end_steps(self) -> None:
        if self._stepping:
            self._stepping = False
            self.ended.emit()

    # ---- typing --------------------------------------------------------------------------------------

    def edit(self, cell: int, text: str | None = None) -> None:
        """Begin to type into a cell; `text` replaces the present number."""
        if self.read_only:
            return
        self._end_steps()
        if self._editor is None:
            self._editor = QLineEdit(self)
            self._editor.setObjectName("number-editor")
            self._editor.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._editor.textEdited.connect(self._typing)
            self._editor.installEventFilter(self)
        self.cell = cell
        editor = self._editor
        editor.setGeometry(self.cell_rect(cell).toRect())
        before = self.texts[cell]
        editor.setText(text if text is not None else before or "")
        editor.setPlaceholderText(MIXED if before is None else "")
        if text is None:
            editor.selectAll()
        self._set_problem("")
        editor.show()
        editor.setFocus()
        self.update()

    def _typing(self, text: str) -> None:
        """Remove an error as soon as it is corrected; a new one is shown when the text is committed."""
        if self._problem:
            self._set_problem(self._understood(text)[1])

    def _understood(self, text: str) -> tuple[str | tuple[str, ...], str]:
        """(what a typed text means, why it means nothing)."""
        stripped = text.strip()
        parts = stripped.replace(",", " ").split()
        if len(parts) > 1 and len(self.texts) > 1 and all(is_number(part) for part in parts):
            if len(parts) > len(self.texts):
                return "", tr("there are {count} numbers, not {count2}", count=len(self.texts), count2=len(parts))
            wrong = next((why for i, part in enumerate(parts) if (why := self.check(i, part))), "")
            return tuple(parts), wrong
        if not is_number(stripped):
            try:
                value = evaluate(stripped, self.value(self.cell))
            except InvalidExpression as error:
                return "", str(error)
            stripped = shortest(round(value) if self.integer and abs(value - round(value)) < 1e-9 else value)
        return stripped, self.check(self.cell, stripped)

    def _take_typed(self) -> bool:
        """Take what is typed, if it is valid. Returns whether the editor is closed."""
        editor = self.editor
        if editor is None:
            return True
        if editor.text() == (self.texts[self.cell] or ""):
            self._close_editor()
            return True
        meant, problem = self._understood(editor.text())
        self._set_problem(problem)
        if problem:
            return False
        self._close_editor()
        if isinstance(meant, tuple):
            self.pasted.emit(meant)
        else:
            self.texts[self.cell] = meant
            self.typed.emit(self.cell, meant)
        return True

    def give_up(self) -> None:
        """Close the editor; the value stays as it was."""
        self._close_editor()
        self._set_problem("")

    @property
    def draft(self) -> tuple[int, str] | None:
        """The cell and the text that is being typed and was refused, None if there is none."""
        editor = self.editor
        return (self.cell, editor.text()) if editor is not None and self._problem else None

    def restore(self, draft: object) -> None:
        """Go on with a draft; None: give up what is typed."""
        if isinstance(draft, tuple) and draft[0] < len(self.texts):
            self.edit(*draft)
            self._set_problem(self._understood(draft[1])[1])
        elif self.editor is not None:
            self.give_up()

    def _close_editor(self) -> None:
        if self._editor is not None and not self._editor.isHidden():
            self._closing = True
            if self._editor.hasFocus():
                self.setFocus(Qt.FocusReason.OtherFocusReason)  # Qt would go on to the next widget
            self._editor.hide()
            self._closing = False
        self.update()

    def _set_problem(self, problem: str) -> None:
        if problem != self._problem:
            self._problem = problem
            if self._editor is not None:
                set_property(self._editor, "wrong", bool(problem))
                self._editor.setToolTip(problem)
            self.refused.emit(problem)
            self.update()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._editor:
            return False
        if event.type() == QEvent.Type.FocusOut and self.editor is not None and not self._closing:
            leaves = QApplication.activePopupWidget() is None
            if leaves and not self._problem:
                self._take_typed()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self.give_up()
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._take_typed()
                return True
            if event.key() in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                forward = event.key() == Qt.Key.Key_Tab
                if self._take_typed():
                    self._next(forward)
                return True
        elif event.type() == QEvent.Type.Wheel:
            return True
        return False

    # ---- focus and keys ------------------------------------------------------------------------------

    def _focus_cell(self, cell: int) -> None:
        if cell != self.cell:
            self._end_steps()
        self.cell = cell
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.update()

    def _next(self, forward: bool) -> None:
        """Go to the next cell and type there, or to the next widget."""
        cell = self.cell + (1 if forward else -1)
        if 0 <= cell < len(self.texts):
            self.edit(cell)
        else:
            self.focusNextChild() if forward else self.focusPreviousChild()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, modifiers = event.key(), event.modifiers()
        keys = Qt.Key
        if key == keys.Key_Escape and self._dragging:
            self._cancel_drag()
        elif key in (keys.Key_Return, keys.Key_Enter, keys.Key_F2):
            self.edit(self.cell)
        elif key in (keys.Key_Up, keys.Key_Down) and not self.read_only:
            self._step(1 if key == keys.Key_Up else -1, modifiers)
        elif key in (keys.Key_Left, keys.Key_Right) and len(self.texts) > 1:
            self._focus_cell(min(max(self.cell + (1 if key == keys.Key_Right else -1), 0), len(self.texts) - 1))
        elif event.text() and event.text() in "0123456789.-+*/(" and not self.read_only:
            self.edit(self.cell, event.text())
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() == Qt.FocusReason.TabFocusReason:
            self.cell = 0
        elif event.reason() == Qt.FocusReason.BacktabFocusReason:
            self.cell = len(self.texts) - 1
        self.update()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._end_steps()
        self.update()
        super().focusOutEvent(event)


def factor(modifiers: Qt.KeyboardModifier) -> float:
    """How much finer or coarser the steps are with the keys that are held."""
    if modifiers & Qt.KeyboardModifier.ShiftModifier:
        return FINE
    if modifiers & Qt.KeyboardModifier.ControlModifier:
        return COARSE
    return 1.0


def shortest(value: float) -> str:
    """A number as text, without what it does not need, for showing."""
    value += 0.0  # no -0
    text = format(Decimal(f"{value:.15g}"), "f") if 1e-5 <= abs(value) < 1e15 or value == 0 else f"{value:.15g}"
    return (text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text) or "0"


def is_number(text: str) -> bool:
    """Whether a text is one number in plain notation."""
    try:
        return math.isfinite(float(text)) and text.isascii() and "_" not in text
    except ValueError:
        return False
