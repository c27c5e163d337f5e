"""Opens the place of the selected element, or of the caret, in another text editor."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QProcess, QStandardPaths, Qt
from PySide6.QtWidgets import QMessageBox

from kinetree.app.actions.context import ActionContext
from kinetree.app.actions.external_editors import EDITOR_BY_NAME, ExternalEditor
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.actions.documents import Documents
    from kinetree.app.panels.writing.source.panel import SourcePanel


_NAMED = re.compile(r"\{(\w+)\}")


class TextPlace(NamedTuple):
    """A place in a file; line and column from 1."""

    path: str
    line: int
    column: int


class ExternalEditing:
    """The handler of "Open in External Editor"."""

    def __init__(self, context: ActionContext, documents: Documents, source: SourcePanel):
        self.context, self._documents, self._source = context, documents, source
        self._question: QMessageBox | None = None

    def table(self) -> dict[str, Callable]:
        return {"source.external": self.open}

    def open(self) -> None:
        """Open the place, once the user has decided about unsaved edits of its file."""
        place = self.place()
        if place is None:
            self.context.say(tr("There is no text to open in another editor"))
        elif place.path in self._documents.project.modified:
            self._ask_to_save(place)
        else:
            self.start(place)

    def place(self) -> TextPlace | None:
        """The caret where the keyboard is in a text, else the selected element, else the begin of the open file; None
        where there is no text."""
        project, model = self._documents.project, self.context.workspace.simulation.model
        focus, editor = self.context.parent.focusWidget(), self._source.editor
        if editor is not None and focus is editor:
            source = project.texts.parsed(editor.path).source
            return TextPlace(editor.path, *source.line_column(editor.carets.main.position))
        element = self.context.workspace.selection.current.element
        document = project.document
        found = None if element is None or document is None else document.node(element)
        if found is None and element is not None and model is not None and model.provenance is not None:
            found = model.provenance.node(element)
        if found is not None:
            return TextPlace(found.source.path, found.line, found.column)
        return TextPlace(project.path, 1, 1) if project.path in project.texts.documents else None

    def _ask_to_save(self, place: TextPlace) -> None:
        """Ask what to do with edits that the other editor would not see."""
        is_new = self._documents.project.is_new
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Kinetree",
            tr("Save {file} before it is opened in another editor?", file=os.path.basename(place.path)),
            parent=self.context.parent,
        )
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(
            tr("It was never saved, so no other editor can open it.")
            if is_new
            else tr("The other editor reads the file, which does not have your last edits.")
        )
        save = box.addButton(tr("Save and Open"), QMessageBox.ButtonRole.AcceptRole)
        as_saved = None if is_new else box.addButton(tr("Open as Saved"), QMessageBox.ButtonRole.DestructiveRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        box.setDefaultButton(save)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def decide(_result: int) -> None:
            chosen = box.clickedButton()
            if chosen is save:
                self._documents.save_all(lambda: self._start_saved(place, is_new))
            elif as_saved is not None and chosen is as_saved:
                self.start(place)

        box.finished.connect(decide)
        box.open()

    def _start_saved(self, place: TextPlace, was_new: bool) -> None:
        """Open a place of a text that was just saved; one that was new has its path now."""
        self.start(place._replace(path=self._documents.project.path) if was_new else place)

    def start(self, place: TextPlace) -> None:
        """Start the editor of the settings, or tell it to go to a place."""
        settings = self.context.settings
        row = EDITOR_BY_NAME.get(settings.editor)
        try:
            program, *arguments = command_of(row, settings.editor_command, place)
        except ValueError as error:
            self._refuse(str(error))
            return
        found = QStandardPaths.findExecutable(program)
        if not found:
            self._refuse(_join(tr("The program {program} was not found.", program=program), _remedy(row)))
        elif row is None or not row.is_brief:
            if not QProcess.startDetached(found, arguments)[0]:
                self._refuse(_join(tr("The program {program} could not be started.", program=program), _remedy(row)))
        else:
            self._tell(row, found, arguments)

    def _tell(self, row: ExternalEditor, program: str, arguments: list[str]) -> None:
        """Run a program that hands the place on to an editor, and report what it says if it fails."""
        process = QProcess(self.context.parent)
        process.setStandardInputFile(QProcess.nullDevice())

        def finish(code: int, status: QProcess.ExitStatus) -> None:
            process.deleteLater()
            if code or status != QProcess.ExitStatus.NormalExit:
                said = bytes(process.readAllStandardError().data()).decode("utf-8", "replace").strip()
                name = os.path.basename(program)
                message = tr("{program} ended with status {code}.", program=name, code=code)
                self._refuse(_join(message, _remedy(row)), said)

        process.finished.connect(finish)
        process.start(program, arguments)

    def _refuse(self, message: str, details: str = "") -> None:
        self.context.report(message, details)


def command_of(row: ExternalEditor | None, custom: str, place: TextPlace) -> list[str]:
    """Program and arguments that open a place: of an editor of the table, or (None) of the user's own template. Raises
    ValueError for a template without a program, or with an unknown name in braces."""
    parts = list(row.command) if row is not None else QProcess.splitCommand(custom)
    if not parts:
        raise ValueError(tr("Write a command into the settings, such as: myeditor --line {{line}} {{file}}"))
    values = {
        "file": place.path, "line": str(place.line), "column": str(place.column),
        "vim": "'" + place.path.replace("'", "''") + "'", "server": neovim_server(),
    }  # fmt: skip

    def value(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise ValueError(
                tr("{{{name}}} is unknown in the command: use {{file}}, {{line}} and {{column}}", name=match[1])
            )
        return values[match[1]]

    return [_NAMED.sub(value, part) for part in parts]


def neovim_server() -> str:
    """Where Neovim listens with the settings of `resources/editors/kinetree.lua`."""
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        return os.path.join(runtime, "kinetree-nvim.sock")
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(cache, "nvim", "kinetree-nvim.sock")


def _remedy(row: ExternalEditor | None) -> str:
    return tr(row.remedy) if row is not None else tr("Edit > Settings > Source has the command.")


def _join(*sentences: str) -> str:
    return " ".join(sentences)
