"""The F1 help: every key and mouse gesture, over the whole window, in as many columns as fit."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from kinetree.app.menus.help import HelpRow
from kinetree.engine.translation import marked, tr

MARGIN = 12  # between the overlay and the window
GAP = 12  # between keys and text
COLUMN_GAP = 34
MOST_COLUMNS = 5
MOST_SMALLER = 2  # so many points smaller letters may be, to show all at once
KEPT = 4  # the fewest rows of a section in a column
NOTE = marked(
    "Keys without Ctrl act while the viewport has the focus: click it. Edit > Keyboard changes all of them. "
    "A click closes this help."
)
KEY_COLOUR, DIM_COLOUR = "#9cc7f5", "#98a1ab"

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
    """Help with all keys, drawn over its parent, a window. `dismissed()` when the user clicks it."""

    dismissed = Signal()

    def __init__(self, window: QWidget):
        super().__init__(window)
        self._window = window
        self.setObjectName("help-overlay")
        self._lines: list[Line] = []
        self._labels: list[QLabel] = []
        self._content = QWidget()
        self._row = QHBoxLayout(self._content)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(COLUMN_GAP)
        self.area = QScrollArea(self)
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidget(self._content)
        self.area.setWidgetResizable(True)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._note = QLabel(tr(NOTE), self)
        self._note.setWordWrap(True)
        self._note.setObjectName("help-note")
        self._layout = QVBoxLayout(self)
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
        window, margins = self._window, self._layout.contentsMargins()
        outside = 2 * MARGIN + margins.left() + margins.right()
        width = window.width() - outside
        for smaller in range(MOST_SMALLER + 1):
            height = self._arrange(width, smaller)
            if height <= window.height() - 2 * MARGIN:
                break
        width = min(width, self._content.sizeHint().width() + self.area.verticalScrollBar().sizeHint().width())
        width, height = width + margins.left() + margins.right(), min(height, window.height() - 2 * MARGIN)
        self.setGeometry((window.width() - width) // 2, (window.height() - height) // 2, width, height)

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

    def mouseReleaseEvent(self, event) -> None:
        self.dismissed.emit()


def _html(column: list[Line]) -> str:
    parts = []
    for line in column:
        if line is None:
            parts.append('<tr><td colspan="2">&nbsp;</td></tr>')
        elif isinstance(line, str):
            parts.append(f'<tr><td colspan="2"><b>{escape(line)}</b></td></tr>')
        else:
            mark = {None: "", True: " ●", False: " ○"}[line.on]
            parts.append(
                f'<tr><td style="color:{KEY_COLOUR}; padding-right:{GAP}px; white-space:nowrap">'
                f'{escape(line.keys)}</td><td style="white-space:nowrap">{escape(line.text)}'
                f'<span style="color:{DIM_COLOUR}">{mark}</span></td></tr>'
            )
    return f'<table cellspacing="0">{"".join(parts)}</table>'
