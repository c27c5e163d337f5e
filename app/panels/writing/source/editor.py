"""SourceEditor: one text with carets, gutter and overview.

The text belongs to the project: a key (`keys.py`) becomes a stroke (`carets.py`, `markup.py`), a stroke becomes a
transaction of the project, and the transaction comes back as edits of the QTextDocument (`follow`).
"""

from __future__ import annotations

import time
from bisect import bisect_left

import numpy as np
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QRect, Qt, QTimer, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import QMenu, QPlainTextEdit, QWidget

from kinetree.app.panels.writing.source import carets as strokes
from kinetree.app.panels.writing.source import markup
from kinetree.app.panels.writing.source.caret_set import CaretSet
from kinetree.app.panels.writing.source.carets import Caret, Stroke
from kinetree.app.panels.writing.source.changed_lines import ChangedLines
from kinetree.app.panels.writing.source.clipboard import Clipboard
from kinetree.app.panels.writing.source.columns import ColumnDrag
from kinetree.app.panels.writing.source.folding import Folding
from kinetree.app.panels.writing.source.gutter import Gutter
from kinetree.app.panels.writing.source.highlight import Highlighter
from kinetree.app.panels.writing.source.keys import DELETING, HELD, KEYS, TYPING, EditorKeys
from kinetree.app.panels.writing.source.look import font
from kinetree.app.panels.writing.source.overview import Overview
from kinetree.app.panels.writing.source.painting import paint_behind, paint_over
from kinetree.app.panels.writing.source.problems import TextProblems
from kinetree.app.panels.writing.source.shown_text import ShownText
from kinetree.app.panels.writing.source.swatches import GAP, ColourChooser, ShownSwatch, paint_swatches, side_of
from kinetree.app.panels.writing.source.visible_lines import VisibleLines
from kinetree.app.settings import theme as themes
from kinetree.app.settings.theme import Theme
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.app.workspace.project import ProjectController
from kinetree.engine.document.edit import Edit, moved
from kinetree.engine.document.history import FROM_DISK, Transaction
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.translation import tr

PAUSE = 1.0
"""Typing after so many seconds is another undo step."""

MOST_SAME = 500


class SourceEditor(QPlainTextEdit):
    """The editor of one file of the project.

    path      the file
    shown     ShownText: its text and QTextDocument
    problems  Problems in it
    folding   Folding: what is folded
    elements  the selected elements: offsets of the start, of the end of the start tag, and of the end
    hits      what a search has found, in order; `this_hit` is the number of the present one
    same      other places with the selected text
    matches   what belongs to the place of the caret: the names of a pair of tags, a pair of quotes
    changes   the lines that differ from the file
    carets    all carets
    lines     the lines on the screen
    clipboard copying and pasting
    is_read_only  the file cannot be written
    keys      Keys: what each key does

    Signals: `caret_moved()`: the user has moved the caret; `typed(str)`: the user has typed a character, or deleted
    ("\\b"); `edited()`: the text is another one; `told(str)`: a message for the status line; `hovered(offset, QPoint)`:
    the mouse rests on the text; `definition_wanted(offset)`: Ctrl+click; `fixes_wanted(offset)`: a click
    on the mark of a problem; `colour_wanted(offset)`: a click before the value of a colour, which starts there;
    `menu_opened(QMenu)`: the context menu, to be filled further; `zoomed(steps)`; `left()`: another widget has the
    focus.
    """

    caret_moved = Signal()
    typed = Signal(str)
    edited = Signal()
    told = Signal(str)
    hovered = Signal(int, QPoint)
    definition_wanted = Signal(int)
    fixes_wanted = Signal(int)
    menu_opened = Signal(QMenu)
    colour_wanted = Signal(int)
    zoomed = Signal(int)
    left = Signal()

    def __init__(self, project: ProjectController, path: str, parent: QWidget | None = None):
        super().__init__(parent)
        self.project, self.path = project, path
        self.shown = ShownText(path, project.texts.text(path), self)
        self.setDocument(self.shown.document)
        self.setFrameShape(self.Shape.NoFrame)
        self.setLineWrapMode(self.LineWrapMode.NoWrap)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setCursorWidth(2)
        self.viewport().setMouseTracking(True)
        self.problems = TextProblems()
        self.elements: list[tuple[int, int, int]] = []
        self.hits: list[tuple[int, int]] = []
        self.this_hit = -1
        self.same: list[tuple[int, int]] = []
        self.matches: list[tuple[int, int]] = []
        self.changes = ChangedLines(self)
        self.carets = CaretSet(self)
        self.lines = VisibleLines(self)
        self.clipboard = Clipboard(self)
        self.keys = EditorKeys(self)
        self._last_stroke = 0.0  # time.monotonic()
        self._jumped = True
        self._drags = False  # a move of the mouse is being taken, which lasts as long as text is dragged
        self._busy = 0  # the text or the carets are being changed by ourselves
        self._from_qt = False
        self._column: ColumnDrag | None = None
        self._swatches: list[ShownSwatch] = []
        self.is_read_only = False
        self.folding = Folding(self)
        self.highlighter = Highlighter(self.shown, themes.current())
        self.highlighter.problems = self.problems.between
        self.gutter = Gutter(self)
        self.overview = Overview(self)
        self.setVerticalScrollBar(self.overview)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)  # it also tells where things are
        ColourChooser(self)
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(60)
        self._soon.timeout.connect(self._look_around)
        self.shown.edited_here.connect(self._take_edits_of_qt)
        self.cursorPositionChanged.connect(self._caret_changed)
        self.selectionChanged.connect(self._caret_changed)
        self.blockCountChanged.connect(self._place_gutter)
        self.updateRequest.connect(self._scroll_gutter)
        self.set_text_size(10)

    def stop(self) -> None:
        """Stop looking things up: the project does not have the file any more, and the editor is deleted soon."""
        self._soon.stop()

    # ---- look ----------------------------------------------------------------------------------------

    def set_theme(self, theme: Theme) -> None:
        self.highlighter.set_theme(theme)
        self.overview.refresh()
        self.refresh()

    def refresh(self) -> None:
        """Repaint."""
        self.viewport().update()
        self.gutter.update()

    def set_text_size(self, points: int) -> None:
        chosen = font(points)
        self.setStyleSheet(f"font: {chosen.pointSize()}pt '{chosen.family()}';")  # the style sheet wins over setFont
        self.setFont(chosen)
        self.document().setDefaultFont(chosen)
        unit = strokes.indent_unit(self.text)
        spaces = 4 if "\t" in unit else len(unit)
        self.highlighter.swatch_room = side_of(self) + 2 * GAP
        self.highlighter.refresh()
        self.setTabStopDistance(QFontMetricsF(chosen).horizontalAdvance(" ") * max(spaces, 2))
        self._place_gutter()

    def set_wrap(self, on: bool) -> None:
        self.setLineWrapMode(self.LineWrapMode.WidgetWidth if on else self.LineWrapMode.NoWrap)

    def _place_gutter(self) -> None:
        width = self.gutter.wanted_width()
        self.setViewportMargins(width, 0, 0, 0)
        inside = self.contentsRect()
        self.gutter.setGeometry(QRect(inside.left(), inside.top(), width, self.viewport().height()))

    def _scroll_gutter(self, rect: QRect, by: int) -> None:
        if by:
            self.gutter.scroll(0, by)
        else:
            self.gutter.update(0, rect.y(), self.gutter.width(), rect.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.overview.fit()
        super().resizeEvent(event)
        self._place_gutter()

    def elements_between(self, start: int, end: int) -> list[tuple[int, int, int]]:
        """Those of `elements` that touch a stretch of the text."""
        return [each for each in self.elements if each[0] <= end and start <= each[2]]

    def show_hits(self, hits: list[tuple[int, int]], this: int) -> None:
        """Mark what a search has found; `this` is the number of the present one, -1 for none."""
        self.hits, self.this_hit = hits, this
        self.overview.refresh()
        self.viewport().update()

    def visible_hits(self) -> list[tuple[int, int]]:
        if not self.hits:
            return []
        start, end = self.lines.stretch()
        return self.hits[max(bisect_left(self.hits, (start, 0)) - 1, 0) : bisect_left(self.hits, (end + 1, 0))]

    def viewportEvent(self, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.Paint:
            block = self.firstVisibleBlock()
            lines = self.viewport().height() // max(self.fontMetrics().height(), 1) + 2
            self.highlighter.ensure(block, lines)
            theme, shown_lines = themes.current(), list(self.lines.blocks())
            painter = QPainter(self.viewport())
            paint_behind(self, shown_lines, painter, theme)
            painter.end()
            super().viewportEvent(event)
            painter = QPainter(self.viewport())
            paint_over(self, shown_lines, painter, theme)
            self._swatches = paint_swatches(self, shown_lines, painter, theme)
            painter.end()
            return True
        if isinstance(event, QHelpEvent):
            cursor = self.cursorForPosition(event.pos())
            if (self.cursorRect(cursor).center() - event.pos()).manhattanLength() < 3 * self.fontMetrics().height():
                self.hovered.emit(self.shown.offset(cursor.position()), event.globalPos())
            return True
        return super().viewportEvent(event)

    # ---- the text ------------------------------------------------------------------------------------

    @property
    def text(self) -> str:
        return self.shown.text

    @property
    def parsed(self) -> ParsedSource:
        """The present text with its tree."""
        return self.project.texts.parsed(self.path)

    def carry_out(self, name: str, done: Stroke, kind: str | None = None, goes_on: bool = False) -> None:
        """Make the edits of a stroke a step of the project and set the carets.

        kind     TYPING or DELETING: strokes of one kind that follow each other become one step of the history
        goes_on  whether this continues the typing, though as a separate step
        """
        if kind is None and not goes_on:
            self.keys.forget()
        now = time.monotonic()
        if kind is None or self._jumped or now - self._last_stroke > PAUSE:
            self.project.texts.seal()
        self._last_stroke = now
        self._busy += 1
        try:
            if done.edits:
                self.project.apply(name, {self.path: done.edits}, kind and (kind, self.path))
            self.carets.set(done.carets)
        finally:
            self._busy -= 1
        self._jumped = kind is None
        self._soon.start()

    def follow(self, transaction: Transaction, backward: bool) -> None:
        """Show a change of the project's text of this file."""
        change = transaction.changes[self.path]
        edits = change.backward if backward else change.forward
        lines = self.blockCount()
        # what another program has written leaves the carets where they are: the user goes on typing there
        kept = self.carets.all() if transaction.merge == FROM_DISK and not backward else None
        scrolled = self.verticalScrollBar().value()
        self._busy += 1
        try:
            if not self._from_qt:
                self.shown.follow(edits, self.project.texts.text(self.path))
            self.folding.follow(edits, self.blockCount() - lines)
            self.changes.follow(edits, self.blockCount() - lines)
        finally:
            self._busy -= 1
        parsed = self.parsed
        if self.problems.follow(edits, parsed.diagnostics, parsed.source):
            self.gutter.update()
        if self.elements:
            known = np.array(self.elements).T
            (starts, heads), ends = moved(known[:2], edits).tolist(), moved(known[2], edits, after=False).tolist()
            self.elements = list(zip(starts, heads, ends, strict=True))
        self.hits, self.same, self.matches = [], [], []
        if not self._busy and not self._from_qt:
            self._jumped = True
            self.keys.forget()
            if kept is not None:
                places = moved([[caret.anchor, caret.position] for caret in kept], edits).tolist()
                self._busy += 1
                self.carets.set([Caret(*each) for each in places], reveal=False)
                self.verticalScrollBar().setValue(scrolled)
                self._busy -= 1
            elif edits and (self.hasFocus() or _is_of_keys(transaction)):
                shift = sum(len(edit.text) - (edit.end - edit.start) for edit in edits[:-1])
                place = edits[-1].start + shift + len(edits[-1].text)
                self._busy += 1
                self.carets.set([Caret(place, place)])
                self._busy -= 1
        self._soon.start()
        self.viewport().update()
        self.edited.emit()

    def show_problems(self) -> None:
        """Repaint for a changed list of problems."""
        self.overview.refresh()
        self.refresh()

    def _take_edits_of_qt(self, edits: list[Edit]) -> None:
        """Apply edits to the project that Qt made in the QTextDocument: by an input method, or by drag and drop."""
        self._from_qt = True
        try:
            self.project.apply(tr("Typing"), {self.path: edits}, (TYPING, self.path))
        finally:
            self._from_qt = False

    def select(self, start: int, end: int) -> None:
        """Select a stretch of the text and show it."""
        self.folding.reveal(start)
        self.carets.set([Caret(start, end)])
        self.lines.show(start)

    def _caret_changed(self) -> None:
        self.gutter.update()
        self.overview.refresh()
        self._soon.start()
        if self._busy:
            return
        self._jumped = True
        self.keys.forget(self.carets.main.position)
        self.viewport().update()
        self.caret_moved.emit()

    def _look_around(self) -> None:
        """Mark what belongs to the place of the caret, and other places with the selected text."""
        caret = self.carets.main
        self.matches = markup.matching(self.parsed, caret.position) if caret.is_empty else []
        self.same = []
        chosen = self.text[caret.start : caret.end] if caret.end - caret.start <= 100 else ""
        if len(chosen) > 1 and chosen.strip() == chosen and "\n" not in chosen and "\r" not in chosen:
            found = self.text.find(chosen)
            while found >= 0 and len(self.same) < MOST_SAME:
                if found != caret.start:
                    self.same.append((found, found + len(chosen)))
                found = self.text.find(chosen, found + len(chosen))
        self.overview.refresh()
        self.viewport().update()

    # ---- keys ----------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """The keys of the editor's actions are its own while it has the focus, whatever else they do in the window."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            if self.keys.action_of(event) is not None:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.keys.press(event):
            super().keyPressEvent(event)

    def insert_text(self, name: str, start: int, end: int, text: str, back: int = 0) -> None:
        """Replace a stretch of the text as a step of its own; the caret stands `back` characters before its end."""
        self.carry_out(name, strokes.insert([Caret(start, end)], text, back))

    # ---- clipboard -----------------------------------------------------------------------------------

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasText() and not source.hasUrls()  # a file that is dropped is opened by the window

    def insertFromMimeData(self, source: QMimeData) -> None:
        self.clipboard.insert(source)

    # ---- mouse ---------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        held, left = event.modifiers(), event.button() == Qt.MouseButton.LeftButton
        swatch = self._swatch_at(event.position())
        if left and swatch is not None:
            self.colour_wanted.emit(swatch.start)
            return
        if left and held == HELD.ControlModifier:
            self.definition_wanted.emit(
                self.shown.offset(self.cursorForPosition(event.position().toPoint()).position())
            )
            return
        if left and held & HELD.AltModifier:
            self._begin_column(event)
            return
        if self.carets.count > 1 and left:
            self.carets.set([self.carets.main], reveal=False)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._column is not None and event.buttons() & Qt.MouseButton.LeftButton:
            self._column.drag(event.position())
            return
        if self._drags:
            return  # Qt scrolls by moves of its own, also while text is dragged, and would begin to drag it once more
        self._drags = True
        try:
            super().mouseMoveEvent(event)
        finally:
            self._drags = False
        if not event.buttons():
            over = self._swatch_at(event.position()) is not None
            shape = Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.IBeamCursor
            if self.viewport().cursor().shape() != shape:
                self.viewport().setCursor(shape)

    def _swatch_at(self, place: QPointF) -> ShownSwatch | None:
        return next((each for each in self._swatches if each.area.adjusted(-2, -2, 2, 2).contains(place)), None)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if self._column is not None:
            self._column.end()
            self._column = None
            return
        super().mouseReleaseEvent(event)

    def _begin_column(self, event: QMouseEvent) -> None:
        """Add a caret on Alt and click, and start a column selection, which a drag extends. With Shift the column
        begins at the caret."""
        if event.modifiers() & HELD.ShiftModifier:
            self._column = ColumnDrag(self, self.carets.main.anchor)
            self._column.drag(event.position())
        else:
            place = self.shown.offset(self.cursorForPosition(event.position().toPoint()).position())
            self.carets.set([*self.carets.all(), Caret(place, place)], reveal=False)
            self._column = ColumnDrag(self, place)
        self._jumped = True

    def wheelEvent(self, event: QWheelEvent) -> None:
        if event.modifiers() & HELD.ControlModifier:
            if event.angleDelta().y():
                self.zoomed.emit(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        cursor = self.cursorForPosition(event.pos())
        if not self.textCursor().hasSelection():
            self.setTextCursor(cursor)
        for text, key, run in (
            (tr("Cut"), KEYS.Cut, self.clipboard.cut),
            (tr("Copy"), KEYS.Copy, self.clipboard.copy),
            (tr("Paste"), KEYS.Paste, self.clipboard.paste),
        ):
            menu.addAction(f"{text}\t{QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)}", run)
        self.menu_opened.emit(menu)
        give_letters(menu)
        menu.popup(event.globalPos())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._jumped = True
        self.left.emit()
        super().focusOutEvent(event)


def _is_of_keys(transaction: Transaction) -> bool:
    """Whether typing made a step of the history."""
    return isinstance(transaction.merge, tuple) and transaction.merge[:1] in ((TYPING,), (DELETING,))
