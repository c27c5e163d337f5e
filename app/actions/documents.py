"""Actions and messages about files: new ones, saving, conflicts with other programs, recovery after a crash."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain, count

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QMenu, QMessageBox

from kinetree.app.actions.context import ActionContext
from kinetree.app.actions.other_windows import OtherWindows
from kinetree.app.actions.templates import Template, templates, text_of
from kinetree.app.panels import dialogs
from kinetree.app.panels.pages.conflicts import ConflictDialog
from kinetree.app.panels.pages.examples import examples
from kinetree.app.panels.pages.recovery import RecoveryDialog
from kinetree.app.settings.thumbnails import Thumbnails
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.app.workers.journal import Unsaved
from kinetree.app.workspace.recovery import describe
from kinetree.engine.document.files import current_folder
from kinetree.engine.library import labels
from kinetree.engine.library.folder import may_be_model
from kinetree.engine.library.model import ModelSource, NamedModel
from kinetree.engine.translation import counted, marked, tr

FILTER = marked("Models (*.xml *.mjcf *.urdf);;All files (*)")
OPENED = marked("Models (*.xml *.mjcf *.urdf *.kmodel);;All files (*)")


class Documents:
    """The dialogs of one window about the files of its project.

    unneeded  path and version of texts whose edits may be lost without a question; None for none
    """

    def __init__(self, context: ActionContext, windows: OtherWindows):
        self.context, self.windows, workspace = context, windows, context.workspace
        self.project, self.opening, self.saving = workspace.project, workspace.opening, workspace.saving
        self.disk, self.merging = workspace.disk, workspace.merging
        self._question: QMessageBox | None = None
        self.templates_menu = QMenu(tr("New From Template"), context.parent)
        self.templates_menu.aboutToShow.connect(self._fill_templates)
        self.saving.moved.connect(self._remember)
        self.conflicts: ConflictDialog | None = None
        self.merging.merged.connect(self._say_merged)
        self.project.changed.connect(self._close_outdated)
        self.left: RecoveryDialog | None = None
        self.unneeded: tuple[str, int] | None = None
        self._show_report: Callable[[], None] | None = None
        self.recovery = workspace.recovery
        if self.recovery is not None:
            self.recovery.found.connect(self.offer_recovery)
            if self.recovery.left:
                self.offer_recovery()

    # ---- open ----------------------------------------------------------------------------------------

    def open(self, path: str) -> None:
        """Open a model file, once the user has decided about unsaved edits, and about another window that shows it. A
        file that cannot be a model takes the place of nothing: it is refused without that question."""
        self.context.settings.folder = os.path.dirname(os.path.abspath(path))
        self.windows.unless_elsewhere(path, lambda: self._open(path))

    def _open(self, path: str) -> None:
        if not self.unsaved:
            self.opening.open(path)
            return

        def go_on(may_be: bool) -> None:
            if may_be:
                self.unless_unsaved(lambda: self.opening.open(path))
            else:
                self.opening.open(path)

        self.context.workspace.questions.ask("open", partial(may_be_model, path), go_on)

    def open_apart(self, path: str) -> None:
        """Open a model file in a new window."""
        self.context.settings.folder = os.path.dirname(os.path.abspath(path))
        self.windows.open_apart(path)

    def ask_file(self, folder: str = "", apart: bool = False) -> None:
        """Ask for a model file, in a folder ("": of the file that was opened last), and open it; `apart`: in a new
        window."""
        folder = folder or self.context.settings.folder or os.getcwd()
        title = tr("Open a Model in a New Window") if apart else tr("Open a Model")
        dialog = FileDialog(self.context.parent, title, folder, tr(OPENED))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.open_apart if apart else self.open)
        dialog.open()

    @property
    def unsaved(self) -> list[str]:
        """Files whose edits the user is asked about before they are lost."""
        is_unneeded = self.unneeded == (self.project.path, self.project.texts.version)
        return [] if is_unneeded else self.project.modified

    def ask_name(self, name: str = "") -> None:
        """Ask for a model by its name, and open it. `name`: what is searched for at first."""
        context = self.context
        dialog = dialogs.model_chooser.ModelChooser(os.getcwd(), name, self._picture_of, context.parent)
        dialog.opened.connect(self.open)
        dialog.opened_apart.connect(self.open_apart)
        dialog.open()

    def _picture_of(self, model: NamedModel) -> QImage:
        """The picture of an example, or of a model that was opened before; else a null image."""
        if model.source is ModelSource.EXAMPLE:
            return next((QImage(str(each.picture)) for each in examples() if str(each.path) == model.path), QImage())
        return Thumbnails(self.context.settings.thumbnails).load(model.path)

    def unless_unsaved(self, then: Callable[[], None]) -> None:
        """Do something that loses unsaved edits: at once if there are none, else after asking what to do with
        them."""
        modified = self.unsaved
        if not modified:
            then()
            return
        if self._question is not None:
            self._question.close()  # the newest edit counts
        choices = QMessageBox.StandardButton
        box = QMessageBox(
            QMessageBox.Icon.Warning,
            "Kinetree",
            _save_question(modified),
            choices.Save | choices.Discard | choices.Cancel,
            self.context.parent,
        )
        box.setTextFormat(Qt.TextFormat.PlainText)
        names = [f"• {name}" for name in labels.labels(modified).values()] if len(modified) > 1 else []
        box.setInformativeText("\n".join([*names, tr("Changes that you do not save are lost.")]))
        box.button(choices.Save).setText(tr("Save As…") if self._needs_name else tr("Save"))
        box.button(choices.Discard).setText(tr("Don't Save"))
        box.setDefaultButton(choices.Save)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def decide(choice: int) -> None:
            self._question = None
            if choice == choices.Save:
                self.save_all(then)
            elif choice == choices.Discard:
                then()

        self._question = box
        box.finished.connect(decide)
        box.open()

    # ---- new -----------------------------------------------------------------------------------------

    def _fill_templates(self) -> None:
        menu = self.templates_menu
        menu.clear()
        for template in templates():
            action = menu.addAction(tr(template.title), partial(self.new, template))
            action.setStatusTip(tr(template.help))

    def new(self, template: Template | None = None) -> None:
        """Begin a model; with the first template if none is given."""
        chosen = template or templates()[0]
        try:
            text = text_of(chosen)
        except OSError as error:
            self.context.report(tr("The template cannot be read: {error}", error=error))
            return
        self.unless_unsaved(lambda: self.opening.create(self.new_path(chosen.path.suffix), text))

    def new_path(self, extension: str, stem: str = "Untitled") -> str:
        """A path for a model that was never saved: no file has it."""
        folder = self.context.settings.folder or current_folder()
        numbers = chain(("",), (f" {number}" for number in count(2)))
        paths = (os.path.join(folder, f"{stem}{number}{extension}") for number in numbers)
        return next(path for path in paths if not os.path.lexists(path))

    # ---- save ----------------------------------------------------------------------------------------

    def save(self, then: Callable[[], None] | None = None) -> None:
        """Save the open document; ask for its name if it has none yet, or cannot be saved where it is."""
        if self._needs_name:
            self.save_as(lambda: self.saving.save(then))
        else:
            self.saving.save(then)

    def save_all(self, then: Callable[[], None] | None = None) -> None:
        """Save all unsaved files; ask for the name of the open one if it has none yet, or cannot be saved where it
        is."""
        if self._needs_name:
            self.save_as(lambda: self.saving.save_all(then))
        else:
            self.saving.save_all(then)

    @property
    def _needs_name(self) -> bool:
        """Whether the open document has no file, or one that cannot be written: the bar above the viewport says why."""
        return self.project.is_new or self.project.path in self.disk.obstructed

    def save_as(self, then: Callable[[], None] | None = None) -> None:
        """Ask for another name of the open document, and save it there."""
        self._ask(tr("Save As"), self.project.path, lambda path: self._with_copies(path, self.saving.save_as, then))

    def save_copy_as(self) -> None:
        """Ask for the name of a copy of the open document, and save it."""
        stem, extension = os.path.splitext(self.project.path)
        save = self.saving.save_copy_as
        self._ask(tr("Save a Copy As"), f"{stem}_copy{extension}", lambda path: self._with_copies(path, save))

    def _with_copies(self, path: str, save: Callable[..., None], *rest) -> None:
        """Save to another folder, after a question where included files have to be copied along."""
        copies = self.saving.copies_for(path)
        if not copies:
            save(path, *rest)
            return
        choices = QMessageBox.StandardButton
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Kinetree",
            tr("Save copies of the included files beside the new file?"),
            choices.Save | choices.Cancel,
            self.context.parent,
        )
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(
            tr(
                "They refer to other files from the folder of the model, and would not find them from another folder. "
                "The copies get new names; the included files stay as they are:"
            )
            + "\n"
            + "\n".join(f"• {copy.target}" for copy in copies[:10])
        )
        box.setDetailedText("\n".join(f"{copy.path} → {copy.target}" for copy in copies))
        box.setDefaultButton(choices.Save)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.finished.connect(lambda choice: save(path, *rest) if choice == choices.Save else None)
        box.open()

    def _ask(self, title: str, start: str, write: Callable[[str], None]) -> None:
        dialog = FileDialog(self.context.parent, title, start, FILTER)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(os.path.splitext(start)[1].lstrip(".") or "xml")
        dialog.fileSelected.connect(write)
        dialog.open()

    def _remember(self, path: str) -> None:
        self.context.settings.add_recent(path)
        self.context.settings.folder = os.path.dirname(path)

    # ---- conflicts -----------------------------------------------------------------------------------

    def show_conflicts(self) -> None:
        """Ask about the lines of the first file that another program has changed as well."""
        found = (self.merging.merge_of(path) for path in self.merging.conflicts)
        result = next((each for each in found if each is not None), None)
        if result is None or self.conflicts is not None:
            return
        self.conflicts = dialog = ConflictDialog(result, self.context.parent, self.context.settings.source_text_size)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.decided.connect(lambda choices: self.merging.merge(result, choices))
        dialog.finished.connect(self._forget)
        dialog.open()

    def _forget(self) -> None:
        self.conflicts = None

    def _close_outdated(self) -> None:
        """Close the merge dialog if the file has changed again: it shows an outdated merge."""
        dialog = self.conflicts
        if dialog is not None and dialog.result_ is not self.merging.merge_of(dialog.result_.path):
            dialog.reject()
            self.context.say(
                tr("{file} changed again: look at its changes again", file=os.path.basename(dialog.result_.path))
            )

    # ---- recovery ------------------------------------------------------------------------------------

    def offer_recovery(self) -> None:
        """Offer what a crash has left."""
        if self.left is not None or self.recovery is None:
            return
        self.left = dialog = RecoveryDialog(self.recovery.left, self.context.parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.recover.connect(self._recover)
        dialog.discard.connect(self._ask_discard)
        dialog.finished.connect(self._forget_left)
        if self._show_report is not None:
            self.offer_report(self._show_report)
        dialog.open()

    def offer_report(self, show: Callable[[], None]) -> None:
        """Offer the report of a crash beside what the crash has left."""
        self._show_report = show
        if self.left is not None:
            self.left.report_wanted.connect(show)
            self.left.offer_report()

    def _forget_left(self) -> None:
        self.left = None

    def _recover(self, unsaved: Unsaved) -> None:
        if self.left is not None:
            self.left.accept()
        if self.recovery is not None:
            self.unless_unsaved(partial(self.recovery.recover, unsaved))

    def _ask_discard(self, unsaved: Unsaved) -> None:
        choices = QMessageBox.StandardButton
        box = QMessageBox(
            QMessageBox.Icon.Warning,
            "Kinetree",
            tr("Discard the unsaved changes of {describe}?", describe=describe(unsaved)),
            choices.Discard | choices.Cancel,
            self.left,
        )
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(tr("This cannot be undone."))
        box.setDefaultButton(choices.Cancel)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.finished.connect(lambda choice: self._discard(unsaved) if choice == choices.Discard else None)
        box.open()

    def _discard(self, unsaved: Unsaved) -> None:
        if self.recovery is not None:
            self.recovery.discard(unsaved)
            if self.left is not None:
                self.left.set_left(self.recovery.left)

    def _say_merged(self, path: str) -> None:
        self.context.say(
            tr("Merged what another program changed in {file}; Ctrl+Z undoes it", file=os.path.basename(path))
        )


def _save_question(paths: Sequence[str]) -> str:
    """The question whether unsaved texts are to be saved."""
    if len(paths) == 1:
        return tr("Save the changes to {file} before it is closed?", file=labels.label(paths[0]))
    return counted(
        "Save the changes to {count} file before it is closed?",
        "Save the changes to {count} files before they are closed?",
        len(paths),
    )
