"""The lines of an editor that differ from the saved file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kinetree.engine.document.edit import Edit
from kinetree.engine.document.lines import LineChange, LineFate, split_lines
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor

MOST_TOLD = 12  # lines of a tool tip


class ChangedLines:
    """The changed lines of one editor. `all`: list of LineChange, from top to bottom."""

    def __init__(self, editor: SourceEditor):
        self._editor = editor
        self.all: list[LineChange] = []

    def follow(self, edits: Sequence[Edit], by: int) -> None:
        """Move the marks of changed lines along with an edit, until the lines are compared again."""
        if by and self.all and edits:
            line = self._editor.shown.block(edits[0].start).blockNumber()
            self.all = [
                each._replace(first=each.first + by, last=each.last + by) if each.first > line else each
                for each in self.all
            ]

    def show(self, changes: list[LineChange]) -> None:
        """Mark the lines that differ from the file."""
        if changes != self.all:
            self.all = changes
            self._editor.overview.refresh()
            self._editor.gutter.update()

    def at(self, line: int) -> LineChange | None:
        """Change of a line, counted from 0, since the file was saved."""
        return next((each for each in self.all if each.first <= line < max(each.last, each.first + 1)), None)

    def saved(self, change: LineChange) -> list[str]:
        """The lines of the file, with their line breaks, in whose place others stand."""
        disk = self._editor.project.texts.disk_text(self._editor.path)
        return split_lines(disk or "")[change.old_first : change.old_last]

    def words(self, line: int) -> list[str]:
        """The saved text of a line, for a tool tip."""
        change = self.at(line)
        if change is None:
            return []
        if change.fate is LineFate.ADDED:
            return [tr("New: the file does not have it")]
        saved = [each.rstrip("\r\n") for each in self.saved(change)]
        more = [tr("… {count} more", count=len(saved) - MOST_TOLD)] if len(saved) > MOST_TOLD else []
        return [tr("In the file:"), *(each[:120] for each in saved[:MOST_TOLD]), *more]
