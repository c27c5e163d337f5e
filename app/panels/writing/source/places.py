"""Places in the texts: going to one, and back to those that were left."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog

from kinetree.app.workspace.questions import Questions
from kinetree.engine.document.files import FileRead, read_file
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.panel import SourcePanel
    from kinetree.engine.document.tree import Node

MOST_PLACES = 200
"""So many places are remembered for back and forward."""


class SourcePlaces:
    """Goes to places in the texts of one source panel, and back. `questions` reads files that have no tab yet."""

    def __init__(self, panel: SourcePanel, questions: Questions):
        self._panel, self._questions = panel, questions
        self._back: list[tuple[str, int]] = []
        self._forward: list[tuple[str, int]] = []

    def clear(self) -> None:
        """Forget the places that were left: another model is open."""
        self._back, self._forward = [], []

    def show(self, path: str, start: int, end: int, focus: bool = True) -> None:
        """Show a stretch of a file's text and select it. The place that is left is remembered."""
        path = self._panel.project.texts.key(path)
        if path not in self._panel.paths:
            self._fetch(path, lambda: self.show(path, start, end, focus and self._panel.has_keyboard))
            return
        self._remember()
        self._go(path, start, end)
        if focus:
            self._panel.focus_editor()

    def show_line(self, path: str, line: int, column: int, then: Callable[[Node | None], None]) -> None:
        """Show a line and column, both from 1, of a file's text (column 0: behind the line's blanks), and go on with
        the innermost element there."""
        path = self._panel.project.texts.key(path)
        if path not in self._panel.paths:
            self._fetch(path, lambda: self.show_line(path, line, column, then))
            return
        parsed = self._panel.project.texts.parsed(path)
        offset = parsed.source.offset(line, column)
        if not column:
            rest = parsed.source.text[offset : parsed.source.offset(line + 1, 1)]
            offset += len(rest) - len(rest.lstrip())
        self.show(path, offset, offset)
        then(parsed.root.at(offset))

    def _fetch(self, path: str, then: Callable[[], None]) -> None:
        """Take a file into the project that its model names, and go on when it has a tab."""
        project, texts = self._panel.project, self._panel.project.texts

        def take(read: FileRead) -> None:
            if project.texts is not texts:
                return
            if read.parsed is None:
                self._panel.told.emit(str(read.failure))
            elif not read.parsed.root.tag:
                self._panel.told.emit(tr("{file} is not an XML file.", file=os.path.basename(path)))
            else:
                project.provide(read)
                if path in self._panel.paths:
                    then()

        if self._panel.isVisible():
            self._questions.ask("read a file", partial(read_file, path, path), take)

    def _remember(self) -> None:
        editor = self._panel.editor
        if editor is not None:
            here = (editor.path, editor.carets.main.position)
            if not self._back or self._back[-1] != here:
                self._back = [*self._back, here][-MOST_PLACES:]
            self._forward = []

    def back(self) -> None:
        """Go back to the place that was left last."""
        self._travel(self._back, self._forward)

    def forward(self) -> None:
        self._travel(self._forward, self._back)

    def _travel(self, source: list[tuple[str, int]], target: list[tuple[str, int]]) -> None:
        editor = self._panel.editor
        while source and editor is not None:
            path, offset = source.pop()
            if path in self._panel.paths and (path, offset) != (editor.path, editor.carets.main.position):
                target.append((editor.path, editor.carets.main.position))
                self._go(path, min(offset, len(self._panel.project.texts.text(path))), offset)
                self._panel.focus_editor()
                return

    def go_to_line(self) -> None:
        """Ask for a line and go there."""
        editor = self._panel.editor
        if editor is None:
            return
        dialog = QInputDialog(self._panel)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(tr("Go to Line"))
        dialog.setLabelText(tr("Line (1 to {blockCount}):", blockCount=editor.blockCount()))
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        dialog.setIntRange(1, editor.blockCount())
        dialog.setIntValue(editor.textCursor().blockNumber() + 1)

        def go(line: int) -> None:
            offset = editor.shown.line(editor.document().findBlockByNumber(line - 1))[0]
            self.show(editor.path, offset, offset)

        dialog.intValueSelected.connect(go)
        dialog.open()

    def go_to_problem(self, step: int) -> None:
        """Go to the next (1) or previous (-1) problem of this file, and say what it is."""
        editor = self._panel.editor
        found = editor.problems.all if editor is not None else []
        if editor is None or not found:
            self._panel.told.emit(tr("There are no problems in this file."))
            return
        here = editor.carets.main.start
        behind = [item for item in found if item.start > here] if step > 0 else [i for i in found if i.start < here]
        problem = (behind[0] if step > 0 else behind[-1]) if behind else found[0 if step > 0 else -1]
        self.show(editor.path, problem.start, problem.start)
        self._panel.told.emit(problem.message)

    def go_to_change(self, step: int) -> None:
        """Go to the next (1) or previous (-1) lines of this file that differ from the saved text."""
        editor = self._panel.editor
        if editor is None or not editor.changes.all:
            self._panel.told.emit(tr("This file has no unsaved changes."))
            return
        here = editor.textCursor().blockNumber()
        places = [min(each.first, editor.blockCount() - 1) for each in editor.changes.all]
        beyond = [place for place in places if (place > here if step > 0 else place < here)]
        line = (beyond[0] if step > 0 else beyond[-1]) if beyond else places[0 if step > 0 else -1]
        offset = editor.lines.offset_of(line)
        self.show(editor.path, offset, offset)

    def _go(self, path: str, start: int, end: int) -> None:
        editor = self._panel.show_file(path)
        editor.select(start, min(end, len(editor.text)))
        self._panel.show_caret()
