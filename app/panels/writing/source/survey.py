"""Survey: computes in a thread the data shown beside a text: its shape in the overview, and the lines that differ from
the file.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QColor

from kinetree.app.panels.writing.source.look import colours
from kinetree.app.panels.writing.source.shape import picture_of, shape_of
from kinetree.app.settings import theme as themes
from kinetree.app.workspace.project import ProjectController
from kinetree.app.workspace.questions import Questions
from kinetree.engine.document.lines import LineChange, changed_lines

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor

SOON = 200  # ms after the last edit


class TextSurvey(QObject):
    """Keeps the shape and the changed lines of one editor up to date. `look_again()`: the text, the file or the size
    of the overview may be another."""

    def __init__(self, editor: SourceEditor, project: ProjectController, questions: Questions):
        super().__init__(editor)
        self._editor, self._project, self._questions = editor, project, questions
        self._shape_of: tuple | None = None
        self._changes_of: tuple | None = None
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON)
        self._soon.timeout.connect(self._look)
        editor.edited.connect(self._soon.start)
        editor.overview.shape_wanted.connect(self.look_again)
        self.look_again()

    def look_again(self) -> None:
        """Look soon whether anything is another."""
        if not self._soon.isActive():
            self._soon.start()

    def _look(self) -> None:
        editor = self._editor
        if not editor.isVisible() or editor.path not in self._project.texts.files:
            return
        text, theme = editor.text, themes.current()
        grid = editor.overview.grid
        wanted = (text, grid, theme.name)
        if grid[0] and not _is_same(wanted, self._shape_of):
            self._shape_of = wanted
            look = colours(theme)
            shades = [QColor(name) for name in (look.element, look.attribute, look.value, look.comment)]
            draw = partial(_picture, text, grid, [(each.red(), each.green(), each.blue()) for each in shades])
            self._questions.ask(f"shape {editor.path}", draw, partial(self._take_picture, wanted))
        disk = self._project.texts.disk_text(editor.path)
        compared = (text, disk)
        if not _is_same(compared, self._changes_of):
            self._changes_of = compared
            if disk is None or disk is text:
                self._take_changes(compared, [])
            else:
                compare = partial(changed_lines, disk, text)
                self._questions.ask(f"changes {editor.path}", compare, partial(self._take_changes, compared))

    def _take_picture(self, of: tuple, picture: np.ndarray) -> None:
        if of is self._shape_of:
            self._editor.overview.show_picture(picture)

    def _take_changes(self, of: tuple, changes: list[LineChange]) -> None:
        if of is self._changes_of and self._editor.text is of[0]:
            self._editor.changes.show(changes)


def _is_same(wanted: tuple, had: tuple | None) -> bool:
    """Whether two are equal, without comparing long texts."""
    if had is None:
        return False
    return all(one is other or (not isinstance(one, str) and one == other) for one, other in zip(wanted, had))


def _picture(text: str, grid: tuple[int, int, int], shades: list[tuple[int, int, int]]) -> np.ndarray:
    rows, columns, repeat = grid
    return picture_of(shape_of(text, rows, columns), shades, repeat)
