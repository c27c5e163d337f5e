"""Previews of the files that attributes name, read in a thread."""

from __future__ import annotations

import os

from kinetree.app.panels.writing.inspector.editors import FileEditor
from kinetree.app.panels.writing.inspector.form import Form
from kinetree.app.panels.writing.inspector.inspection import Inspection
from kinetree.app.panels.writing.inspector.preview import preview
from kinetree.app.panels.writing.inspector.row import InspectorRow
from kinetree.app.settings import theme
from kinetree.app.workspace.questions import Questions
from kinetree.engine.assist.files import folder_of


class FilePreviews:
    """Previews of the files that the rows of one inspector name."""

    def __init__(self, questions: Questions):
        self._questions = questions
        self._files: dict[InspectorRow, str] = {}

    def drop(self, row: InspectorRow) -> None:
        """Forget a row that was removed."""
        self._files.pop(row, None)

    def clear(self) -> None:
        """Look at all files again: they may have changed."""
        self._files.clear()

    def show(self, found: Inspection, form: Form) -> None:
        """Ask for the previews of the files that a form names."""
        for name, row in form.rows.items():
            if not isinstance(row.editor, FileEditor) or found.row is None:
                continue
            text = found.items[name].text
            folder = str(folder_of(found.document, found.row, row.editor.known))
            row.editor.file.folder = folder
            path = os.path.normpath(os.path.join(folder, text)) if text and "\0" not in text else ""
            if self._files.get(row) == path:
                continue
            self._files[row] = path
            if not path:
                row.set_preview(None, "")
                continue
            tag, colour = found.node.tag, theme.current().dim
            self._questions.ask(
                f"preview {name}",
                lambda path=path, tag=tag, colour=colour: (path, preview(path, tag, colour)),
                lambda answer, row=row: self._take(row, *answer),
            )

    def _take(self, row: InspectorRow, path: str, shown) -> None:
        if self._files.get(row) == path:
            row.set_preview(shown.picture, shown.text)
