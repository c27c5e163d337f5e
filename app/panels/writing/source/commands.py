"""Commands on the shown text: lines, comments, carets and folds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinetree.app.panels.writing.source import carets as strokes
from kinetree.app.panels.writing.source import markup
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.panel import SourcePanel


class SourceCommands:
    """The commands of one source panel, about the editor of its tab that is shown."""

    def __init__(self, panel: SourcePanel):
        self._panel = panel

    def stroke(self, name: str, make) -> None:
        """Edit the text by a function of the text and the carets: one step of the undo history, named `name`."""
        editor = self._panel.editor
        if editor is None:
            return
        done = make(editor.text, editor.carets.all())
        if isinstance(done, str):
            self._panel.told.emit(done)
        elif done.edits:
            editor.carry_out(name, done)

    def toggle_comment(self) -> None:
        editor = self._panel.editor
        if editor is not None:
            self.stroke(tr("Toggle comment"), lambda _text, carets: markup.toggle_comment(editor.parsed, carets))

    def add_next(self) -> None:
        """Select the next place with the selected text too."""
        editor = self._panel.editor
        if editor is not None:
            editor.carets.set(strokes.add_next(editor.text, editor.carets.all()))

    def add_all(self) -> None:
        """Select every place with the selected text."""
        editor = self._panel.editor
        if editor is None:
            return
        carets = (
            strokes.add_next(editor.text, editor.carets.all()) if editor.carets.main.is_empty else editor.carets.all()
        )
        while len(more := strokes.add_next(editor.text, carets)) > len(carets) and len(more) < 1000:
            carets = more
        editor.carets.set(carets)

    def add_caret(self, lines: int) -> None:
        """Add a caret on the line above (-1) or below (1)."""
        editor = self._panel.editor
        if editor is not None:
            editor.keys.add_caret(lines)

    def fold(self, on: bool) -> None:
        """Fold or unfold what is around the caret."""
        editor = self._panel.editor
        if editor is not None and on:
            editor.folding.fold_around(editor.carets.main.position)
        elif editor is not None:
            editor.folding.unfold(editor.textCursor().block())

    def fold_all(self, on: bool) -> None:
        if self._panel.editor is not None:
            (self._panel.editor.folding.fold_all if on else self._panel.editor.folding.unfold_all)()

    def restore_lines(self) -> None:
        """Write the changed lines that the caret is in as they are in the saved file, as one step."""
        editor = self._panel.editor
        change = None if editor is None else editor.changes.at(editor.textCursor().blockNumber())
        if editor is None or change is None:
            self._panel.told.emit(tr("This line is as it is in the saved file."))
            return
        start, end = editor.lines.offset_of(change.first), editor.lines.offset_of(change.last)
        editor.insert_text(tr("Restore saved lines"), start, end, "".join(editor.changes.saved(change)))
