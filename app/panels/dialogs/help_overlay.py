"""The F1 help: every key and mouse gesture, on an opaque card over the whole window, in as many columns as fit.

It is modal: it has the keyboard, and takes all clicks. Esc, a click, any key that does not scroll and whatever else
takes the keyboard close it.
"""

from __future__ import annotations

import contextlib
from html import escape

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QHideEvent, QKeyEvent, QMouseEvent, QShowEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from kinetree.app.menus.help import HelpRow
from kinetree.app.settings import theme
from kinetree.engine.translation import marked, tr

MARGIN = 12  # between the overlay and the window
GAP = 12  # between keys and text
COLUMN_GAP = 34
MOST_COLUMNS = 5
MOST_SMALLER = 2  # so many points smaller letters may be, to show all at once
KEPT = 4  # the fewest rows of a section in a column
NOTE = marked(
    "Keys without Ctrl act while the viewport has the focus: click it. Edit > Keyboard and Mouse changes all of them. "
    "Esc or a click closes this help."
)
SCROLLING = {
    Qt.Key.Key_Up: -60,
    Qt.Key.Key_Down: 60,
    Qt.Key.Key_PageUp: -500,
    Qt.Key.Key_PageDown: 500,
    Qt.Key.Key_Home: -(10**6),
    Qt.Key.Key_End: 10**6,
}
"""Keys that scroll a help which is higher than the window, by so many pixels."""
HELD = Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr

Line = str | HelpRow | None  # a title, a row, or an empty line


def lines_of(sections: list[tuple[str, list[HelpRow]]]) -> list[Line]:
    """All lines, one below the other."""
    lines: list[Line] = []
    for title, rows in sections:
        lines += [None, title, *rows] if lines else [title, *rows]
    return lines


def columns_of(lines: list[Line], count: int) -> list[list[Line]]:
    """Split the lines into at most so many columns of similar height.

    A column ends after a section, or inside one where at least KEPT of its rows stay on each side.
    """
    titles = [i for i, line in enumerate(lines) if isinstance(line, str)]
    ends = [title - 1 for title in titles[1:]] + [len(lines)]
    allowed = set(ends)
    for title, end in zip(titles, ends, strict=True):
        allowed.update(range(title + 1 + KEPT, end - KEPT + 1))
    columns: list[list[Line]] = []
    start = 0
    while start < len(lines):
        ideal = start + -(-(len(lines) - start) // max(1, count - len(columns)))
        possible = [i for i in allowed if i >= start + KEPT or (i > start and i in ends)]
        end = min(possible, key=lambda i: (abs(i - ideal), i))
        columns.append(lines[start:end])
        start = end + (end < len(lines) and lines[end] is None)
    return columns


def width_of(column: list[Line], metrics: QFontMetrics) -> int:
    """How wide a column is drawn, at most."""
    rows = [line for line in column if isinstance(line, HelpRow)]
    keys = max((metrics.horizontalAdvance(row.keys) for row in rows), default=0)
    return keys + GAP + max((metrics.horizontalAdvance(row.text + " ●") for row in rows), default=0)


class HelpOverlay(QFrame):
    """Help with all keys, drawn over its parent, a window. `dismissed()` when the user has done with it."""

    dismissed = Signal()

    def __init__(self, window: QWidget):
        super().__init__(window)
        self._covered = window
        self.setObjectName("help-overlay")
        self.setAccessibleName(tr("Keys and Mouse"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.card = QFrame(self)
        self.card.setObjectName("help-card")
        self._before: QWidget | None = None  # had the keyboard
        self._later = QTimer(self)  # a key may be that of an action, which comes first
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._dismiss)
        self._lines: list[Line] = []
        self._labels: list[QLabel] = []
        self._content = QWidget()
        self._row = QHBoxLayout(self._content)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(COLUMN_GAP)
        self.area = QScrollArea(self.card)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidget(self._content)
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._note = QLabel(tr(NOTE), self.card)
        self._note.setWordWrap(True)
        self._note.setObjectName("help-note")
        self._over = QTimer(self)  # a dock comes before its tabs only while it is the last child of the window
        self._over.setSingleShot(True)
        self._over.timeout.connect(self.raise_)
        self._layout = QVBoxLayout(self.card)
        self._layout.setContentsMargins(20, 12, 20, 10)
        self._layout.addWidget(self.area, 1)
        self._layout.addWidget(self._note)
        self.hide()

    def set_sections(self, sections: list[tuple[str, list[HelpRow]]]) -> None:
        """Replace the content of the help."""
        self._lines = lines_of(sections)
        self.place()

    def place(self) -> None:
        """Lay the columns out for the size of the window."""
        covered, margins = self._covered, self._layout.contentsMargins()
        outside = 2 * MARGIN + margins.left() + margins.right()
        width = covered.width() - outside
        for smaller in range(MOST_SMALLER + 1):
            height = self._arrange(width, smaller)
            if height <= covered.height() - 2 * MARGIN:
                break
        width = min(width, self._content.sizeHint().width() + self.area.verticalScrollBar().sizeHint().width())
        width, height = width + margins.left() + margins.right(), min(height, covered.height() - 2 * MARGIN)
        self.setGeometry(covered.rect())
        self.card.setGeometry((covered.width() - width) // 2, (covered.height() - height) // 2, width, height)

    def _arrange(self, width: int, smaller: int) -> int:
        """Fill the columns for a width, in letters that are so many points smaller; the height that the help needs
        then."""
        margins = self._layout.contentsMargins()
        font = QFont(QApplication.font())
        font.setPointSizeF(font.pointSizeF() - smaller)
        metrics = QFontMetrics(font)
        for count in range(MOST_COLUMNS, 0, -1):
            columns = columns_of(self._lines, count)
            needed = sum(width_of(column, metrics) for column in columns) + COLUMN_GAP * (count - 1)
            if needed <= width:
                break
        while len(self._labels) > len(columns):
            label = self._labels.pop()
            self._row.removeWidget(label)
            label.hide()
            label.deleteLater()
        while len(self._labels) < len(columns):
            label = QLabel(self._content)
            label.setTextFormat(Qt.TextFormat.RichText)
            label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
            self._labels.append(label)
            self._row.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
            label.show()  # what is hidden takes no room, and the layout shows it later
        for label, column in zip(self._labels, columns, strict=True):
            label.setFont(font)
            label.setText(_html(column))
        content = self._content.sizeHint()
        frame = self._layout.spacing() + margins.top() + margins.bottom()
        bar = self.area.verticalScrollBar().sizeHint().width()
        return content.height() + self._note.heightForWidth(min(width, content.width() + bar)) + frame

    def text(self) -> str:
        """All that is shown, as HTML."""
        return "".join(label.text() for label in self._labels)

    # ---- modal ---------------------------------------------------------------------------------------

    def _dismiss(self) -> None:
        if not self.isHidden():
            self.dismissed.emit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._before = self._covered.focusWidget()
        for each in (self._covered, *self._covered.findChildren(QWidget, options=_DIRECT)):
            each.installEventFilter(self)
        self.raise_()
        self.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        for each in (self._covered, *self._covered.findChildren(QWidget, options=_DIRECT)):
            each.removeEventFilter(self)
        before, self._before = self._before, None
        if self.hasFocus() or self._covered.focusWidget() is None:
            with contextlib.suppress(RuntimeError):  # it is gone meanwhile
                if before is not None and before.isVisible():
                    before.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay over panels that come up."""
        if event.type() in (QEvent.Type.ChildAdded, QEvent.Type.ZOrderChange) and watched is not self:
            self._over.start(0)
        return False

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if event.key() in SCROLLING and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
                event.accept()
                return True
            if event.key() not in HELD:
                self._later.start(0)
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in SCROLLING:
            bar = self.area.verticalScrollBar()
            bar.setValue(bar.value() + SCROLLING[Qt.Key(event.key())])

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._later.start(0)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.dismissed.emit()


_DIRECT = Qt.FindChildOption.FindDirectChildrenOnly


def _html(column: list[Line]) -> str:
    parts = []
    colours = theme.current()
    for line in column:
        if line is None:
            parts.append('<tr><td colspan="2">&nbsp;</td></tr>')
        elif isinstance(line, str):
            parts.append(f'<tr><td colspan="2"><b>{escape(line)}</b></td></tr>')
        else:
            mark = {None: "", True: " ●", False: " ○"}[line.on]
            parts.append(
                f'<tr><td style="color:{colours.accent}; padding-right:{GAP}px; white-space:nowrap">'
                f'{escape(line.keys)}</td><td style="white-space:nowrap">{escape(line.text)}'
                f'<span style="color:{colours.dim}">{mark}</span></td></tr>'
            )
    return f'<table cellspacing="0">{"".join(parts)}</table>'
