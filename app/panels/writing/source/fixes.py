"""Quick fixes in the text: a menu at the caret, and a line in the help under the mouse."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from kinetree.app.panels.writing.source.problems import TextProblem
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.app.workspace.fixing import QuickFixes
from kinetree.app.workspace.questions import Questions
from kinetree.engine.diagnostics import Diagnostic
from kinetree.engine.editing.fixes import Fix
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor
    from kinetree.app.panels.writing.source.panel import SourcePanel


class SourceFixes:
    """The quick fixes of the findings in the texts of one source panel."""

    def __init__(self, panel: SourcePanel, questions: Questions):
        self._panel = panel
        self._fixes = QuickFixes(panel.project, questions)

    def at(self, editor: SourceEditor, start: int, end: int) -> list[Fix]:
        """The fixes of the findings that touch a stretch of the present text, those of the gravest finding first."""
        document = self._panel.project.document_of(editor.path)
        found = reversed(editor.problems.between(start, end))
        fixes = [fix for problem in found for fix in self._fixes.of(_finding(editor, problem), document)]
        return list({fix.title: fix for fix in reversed(fixes)}.values())[::-1]

    def offer(self, place: int | None = None) -> None:
        """Open a menu with the fixes at the caret, or on its line where the caret touches no finding that has one. The
        caret goes to `place` before."""
        editor = self._panel.editor
        if editor is not None and place is not None:
            self._panel.places.show(editor.path, place, place)
        document = None if editor is None else self._panel.project.document_of(editor.path)
        if editor is None or document is None:
            return
        caret = editor.carets.main.position
        text = editor.text
        line = text.rfind("\n", 0, caret) + 1, (text + "\n").index("\n", caret)
        fixes = self.at(editor, caret, caret) or self.at(editor, *line)
        if not fixes:
            self._panel.told.emit(tr("There is no quick fix here."))
            return
        menu = QMenu(self._panel)  # not of the editor, whose font it would have
        menu.setObjectName("fixes")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for fix in fixes:
            action = menu.addAction(fix.title.replace("&", "&&"))
            action.triggered.connect(partial(self._apply, editor, fix))
        give_letters(menu)
        menu.setActiveAction(menu.actions()[0])
        menu.popup(editor.viewport().mapToGlobal(editor.cursorRect().bottomLeft() + QPoint(0, 2)))

    def _apply(self, editor: SourceEditor, fix: Fix) -> None:
        document = self._panel.project.document_of(editor.path)
        if document is not None:
            self._fixes.apply([fix], document, self._panel.told.emit)


def _finding(editor: SourceEditor, problem: TextProblem) -> Diagnostic:
    """A finding at its place in the present text."""
    source = editor.parsed.source
    (line, column), (end_line, end_column) = map(source.line_column, (problem.start, problem.end))
    place = (editor.path, line, column, end_line, end_column)
    return Diagnostic(problem.severity, problem.code, problem.message, *place, facts=problem.facts)
