"""The clipboard of an editor with several carets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication

from kinetree.app.panels.writing.source import carets as strokes
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor


class Clipboard:
    """Copies, cuts and pastes texts of one editor."""

    def __init__(self, editor: SourceEditor):
        self._editor = editor

    def copy(self) -> None:
        """Copy the selections; without one the line."""
        text, carets = self._editor.text, self._editor.carets.all()
        texts = [text[caret.start : caret.end] for caret in carets if not caret.is_empty]
        if not texts:
            texts = [text[start:end] for start, end in strokes.line_blocks(text, carets)]
        joined = strokes.line_break(text).join(texts)
        QGuiApplication.clipboard().setText(joined.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))

    def cut(self) -> None:
        """Cut the selections; without one the lines."""
        self.copy()
        carets = self._editor.carets.all()
        if all(caret.is_empty for caret in carets):
            self._editor.carry_out(tr("Cut"), strokes.delete_lines(self._editor.text, carets))
        else:
            self._editor.carry_out(tr("Cut"), self._editor.keys.paired(strokes.delete(carets, lambda offset: offset)))

    def paste(self) -> None:
        """Paste the text of the clipboard at all carets."""
        data = QGuiApplication.clipboard().mimeData()
        if self._editor.canInsertFromMimeData(data):
            self.insert(data)

    def insert(self, source: QMimeData) -> None:
        """Paste at all carets: one line at each if there are as many lines as carets, else the whole text at each."""
        if not source.text():
            return
        carets, ending = self._editor.carets.all(), strokes.line_break(self._editor.text)
        lines = strokes.LINE_BREAK.split(source.text())
        texts: str | list[str] = ending.join(lines)
        if len(carets) > 1 and len(lines) == len(carets):
            order = sorted(range(len(carets)), key=lambda i: carets[i].start)
            texts = [lines[order.index(i)] for i in range(len(carets))]
        self._editor.carry_out(tr("Paste"), self._editor.keys.paired(strokes.insert(carets, texts)))
