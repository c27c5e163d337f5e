"""The completion list at the caret, and the placeholders of an inserted completion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QTextCursor
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLabel,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from kinetree.app.panels.writing.source.look import colours, html_of
from kinetree.app.settings import theme as themes
from kinetree.engine.assist.completion import Completion, CompletionKind

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor

Index = QModelIndex | QPersistentModelIndex

ROWS, WIDTH, HELP_WIDTH, MOST_HELP = 10, (220, 420), 300, 260
MARKS = {
    CompletionKind.ELEMENT: ("<>", "element"),
    CompletionKind.END_TAG: ("</", "element"),
    CompletionKind.ATTRIBUTE: ("a", "attribute"),
    CompletionKind.KEYWORD: ("k", "value"),
    CompletionKind.VALUE: ("1", "number"),
    CompletionKind.NAME: ("n", "name"),
    CompletionKind.CLASS: ("c", "link"),
    CompletionKind.FILE: ("f", "value"),
    CompletionKind.FOLDER: ("/", "value"),
}
"""Mark before an item, and its colour as in the text."""


class _Items(QAbstractListModel):
    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.items: tuple[Completion, ...] = ()

    def set_items(self, items: Sequence[Completion]) -> None:
        self.beginResetModel()
        self.items = tuple(items)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole):
        return self.items[index.row()].label if role == Qt.ItemDataRole.DisplayRole else None


class _CompletionDelegate(QStyledItemDelegate):
    """Draws the mark, the label and, at the right, the detail of an item."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(WIDTH[0], option.fontMetrics.height() + 6)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = themes.current()
        model = index.model()
        item = model.items[index.row()] if isinstance(model, _Items) else None
        if item is None:
            return
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(option.rect, QColor(theme.selection))
        mark, colour = MARKS[item.kind]
        area, metrics = option.rect.adjusted(6, 0, -6, 0), option.fontMetrics
        align = Qt.AlignmentFlag.AlignVCenter
        painter.setFont(option.font)
        painter.setPen(QColor(getattr(colours(theme), colour)))
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | align, mark)
        area.setLeft(area.left() + metrics.horizontalAdvance("<>") + 8)
        painter.setPen(QColor(theme.text))
        label = metrics.elidedText(item.label, Qt.TextElideMode.ElideRight, area.width())
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | align, label)
        area.setLeft(area.left() + metrics.horizontalAdvance(label) + 16)
        if area.width() > 20 and item.detail:
            painter.setPen(QColor(theme.dim))
            detail = metrics.elidedText(item.detail, Qt.TextElideMode.ElideRight, area.width())
            painter.drawText(area, Qt.AlignmentFlag.AlignRight | align, detail)


class CompletionPopup(QFrame):
    """The list of completions beside the caret, with the help of the chosen item. The focus stays with the editor,
    which passes keys here first (`take_key`). Signals: `accepted(Completion)`."""

    accepted = Signal(object)

    def __init__(self, editor: SourceEditor):
        super().__init__(editor, Qt.WindowType.ToolTip)
        self.setAttribute(Qt.WidgetAttribute.WA_ShowWithoutActivating)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setObjectName("completion")
        self._editor = editor
        self._items = _Items(self)
        self.list = QListView(self)
        self.list.setModel(self._items)
        self.list.setItemDelegate(_CompletionDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.clicked.connect(lambda index: self._accept(index.row()))
        self.list.selectionModel().currentChanged.connect(self._show_help)
        self.help = QLabel(self)
        self.help.setTextFormat(Qt.TextFormat.RichText)
        self.help.setWordWrap(True)
        self.help.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.help.setFixedWidth(HELP_WIDTH)
        self.help.setMargin(8)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(1, 1, 1, 1)
        layout.setSpacing(0)
        layout.addWidget(self.list, 0, Qt.AlignmentFlag.AlignTop)
        layout.addWidget(self.help)
        self._chosen = False  # Enter takes the item
        self.hide()
        editor.installEventFilter(self)  # it is a window of its own, and would stay

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Hide, QEvent.Type.Resize, QEvent.Type.Move) and watched is self._editor:
            self.hide()
        return super().eventFilter(watched, event)

    @property
    def items(self) -> tuple[Completion, ...]:
        """The offered completions."""
        return self._items.items

    def show_items(self, items: Sequence[Completion], chosen: bool) -> None:
        """Show items at the caret. `chosen`: Enter takes the first one, else only after another key has chosen."""
        was = self._label() if self.isVisible() and self._chosen and not chosen else None
        self._items.set_items(items)
        self._chosen = chosen or was is not None
        row = next((i for i, item in enumerate(items) if item.label == was), 0)
        self.list.setFont(self._editor.font())
        metrics = self.list.fontMetrics()
        width = (
            max((metrics.horizontalAdvance(f"<>{item.label}  {item.detail}") for item in items[:60]), default=0) + 50
        )
        self.list.setFixedSize(min(max(width, WIDTH[0]), WIDTH[1]), min(len(items), ROWS) * (metrics.height() + 6) + 2)
        self.list.setCurrentIndex(self._items.index(row))
        self._show_help()
        self._place()
        self.show()

    def narrow(self) -> None:
        """Leave out what does not fit the word that was typed on meanwhile, until the answer for that word comes."""
        editor = self._editor
        place = editor.carets.main.position
        fitting = []
        for item in self.items:
            word, label = editor.text[item.start : place].lower(), item.label.lower()
            if word in label:
                fitting.append((not label.startswith(word), item))
        if not fitting:
            self.hide()
        elif len(fitting) < len(self.items):
            self.show_items([item for _, item in sorted(fitting, key=lambda each: each[0])], True)

    def _place(self) -> None:
        """Move the list below the line of the caret, or above it if there is no room."""
        editor = self._editor
        caret = editor.cursorRect()
        word = self.items[0].start if self.items else editor.carets.main.position
        start = QTextCursor(editor.document())
        start.setPosition(editor.shown.position(min(word, len(editor.text))))
        left = editor.cursorRect(start).left() if start.block() == editor.textCursor().block() else caret.left()
        self.adjustSize()
        below = editor.viewport().mapToGlobal(QPoint(left - 8, caret.bottom() + 3))
        screen = editor.screen().availableGeometry()
        area = QRect(below, self.sizeHint())
        if area.bottom() > screen.bottom():
            area.moveBottom(editor.viewport().mapToGlobal(QPoint(0, caret.top() - 3)).y())
        area.moveLeft(max(min(area.left(), screen.right() - area.width()), screen.left()))
        self.setGeometry(area)

    def _label(self) -> str | None:
        row = self.list.currentIndex().row()
        return self.items[row].label if 0 <= row < len(self.items) else None

    def _show_help(self, *_ignored) -> None:
        row = self.list.currentIndex().row()
        text = self.items[row].help if 0 <= row < len(self.items) else ""
        self.help.setVisible(bool(text))
        self.help.setText(html_of(text) if text else "")
        self.help.setMinimumHeight(min(self.help.heightForWidth(HELP_WIDTH), MOST_HELP) if text else 0)
        if self.isVisible():
            self._place()

    def take_key(self, event: QKeyEvent) -> bool:
        """Use a key press; whether it was used."""
        if not self.isVisible():
            return False
        key, row = event.key(), self.list.currentIndex().row()
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if held != Qt.KeyboardModifier.NoModifier:
            return False
        steps: dict[int, int] = {
            Qt.Key.Key_Up: -1,
            Qt.Key.Key_Down: 1,
            Qt.Key.Key_PageUp: -ROWS,
            Qt.Key.Key_PageDown: ROWS,
        }
        if key in steps:
            self._chosen = True
            to = row + steps[key]
            if abs(steps[key]) == 1:
                to %= len(self.items)
            self.list.setCurrentIndex(self._items.index(min(max(to, 0), len(self.items) - 1)))
            return True
        if key == Qt.Key.Key_Escape:
            self.hide()
            return True
        if key == Qt.Key.Key_Tab or (key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._chosen):
            self._accept(row)
            return True
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_Return):
            self.hide()
        return False

    def _accept(self, row: int) -> None:
        item = self.items[row]
        self.hide()
        self.accepted.emit(item)


class Stops:
    """Placeholders of an inserted text, which Tab visits one after another. They move along with the text."""

    def __init__(self, editor: SourceEditor, start: int, stops: Sequence[tuple[int, int]]):
        self._editor = editor
        self._left: list[QTextCursor] = []
        for first, last in stops:
            cursor = QTextCursor(editor.document())
            cursor.setPosition(editor.shown.position(start + first))
            cursor.setPosition(editor.shown.position(start + last), QTextCursor.MoveMode.KeepAnchor)
            self._left.append(cursor)
        self._end = QTextCursor(self._left[-1]) if self._left else QTextCursor(editor.document())

    def next(self) -> bool:
        """Go to the next placeholder; False if there was none left."""
        if not self._left:
            return False
        self._editor.setTextCursor(self._left.pop(0))
        self._editor.ensureCursorVisible()
        return True

    @property
    def is_over(self) -> bool:
        """Whether the caret has left the lines of the places."""
        here = self._editor.textCursor().blockNumber()
        lines = [cursor.blockNumber() for cursor in [*self._left, self._end]]
        return not self._left or not min(lines) - 1 <= here <= max(lines)
