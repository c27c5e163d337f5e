"""The texts of the open document and their edits.

`kinetree.engine.document.project.Project` owns the texts. This controller owns it, in the GUI thread, and turns each
change of a text into a version to be compiled. It reads and writes no file. Beside it stand, each in a file of
this folder:

    opening     which document is open or being opened     saving      its texts written to the disk
    disk        what other programs write into its files   converting  its model written as MJCF or another format
    merging     unsaved edits and foreign ones in one file
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any

from PySide6.QtCore import QObject, Signal

from kinetree.app.workers.compiling import CompileRequest, CompileResult
from kinetree.engine import assist
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.element_edit import ElementEdit
from kinetree.engine.document.files import DocumentFiles, FileRead
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.project import PendingStep, Project
from kinetree.engine.document.write import Save


class ProjectController(QObject):
    """The open document.

    path      the open file, "" if none
    texts     engine Project: the texts of the open document, empty for a binary file
    compiled  the last CompileResult with a model, None before the first
    files     all files that the document was made of, meshes too
    seed      seed for the random joint axes of x_xy models, see kinetree.load

    Signals: `changed()` (any of these, the set of modified files, the undo history, or the state of `opening`, `disk`,
    `merging` or `saving`), `edited(Transaction, backward)` (each change of the texts by its edits, at once; `backward`
    if it was undone), `text_changed(version)` (a text has another content; `texts.version`),
    `compile_wanted(CompileRequest)`, `opened()` (another document is in place of the old one), `closed()`,
    `files_changed(CompileResult or None)` (the document has other files, or their texts were read again; the result
    that has read them).
    """

    changed = Signal()
    edited = Signal(object, bool)
    text_changed = Signal(int)
    compile_wanted = Signal(object)
    opened = Signal()
    closed = Signal()
    files_changed = Signal(object)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.path = ""
        self.texts = Project(changed=self.edited.emit)
        self.compiled: CompileResult | None = None
        self.files: list[str] = []
        self.seed: int | None = None
        self._models: tuple[Document, ...] = ()  # the models that include the open file, if it makes none by itself
        self._around: tuple[int, Document] | None = None  # the first of them, with the texts of a version

    @cached_property
    def _finder(self) -> assist.surroundings.ModelFinder:
        """Finds the models that include a file; made when the first file is no model by itself."""
        return assist.surroundings.ModelFinder()

    # ---- what there is -------------------------------------------------------------------------------

    @property
    def document(self):
        """The present Document; None for a binary file and while nothing is open."""
        return self.texts.snapshot(self.path).document if self.path in self.texts.documents else None

    def document_of(self, path: str) -> Document | None:
        """The document that a file is to be understood in: the open one, a model that it attaches, or, where the open
        file makes no model by itself, the model around it. None for a file that the project does not have."""
        around = self._document_around()
        if around is not None and self.texts.key(path) in around.files:
            return around
        return self.texts.document_of(path)

    def _document_around(self) -> Document | None:
        """The first of the models that include the open file, with the present texts. Reads nothing."""
        if not self._models:
            return None
        version = self.texts.version
        if self._around is None or self._around[0] != version:
            model = self._models[0]
            texts = {**{path: model.parsed_of(path) for path in model.files}, **self.texts.texts}
            known = {path: FileRead(path, parsed) for path, parsed in texts.items()}
            self._around = version, Document.of_files(model.main_file, DocumentFiles(known, {}, from_disk=False))
        return self._around[1]

    @property
    def modified(self) -> list[str]:
        """Files with unsaved edits."""
        return self.texts.modified

    @property
    def gone(self) -> list[str]:
        """Open files that no longer exist on disk."""
        return self.texts.gone

    @property
    def is_new(self) -> bool:
        """Whether the open document was never saved."""
        return self.path in self.texts.documents and self.texts.disk_text(self.path) is None

    def known_texts(self) -> dict[str, ParsedSource | None]:
        """The present version of each text, None for an included file that is missing."""
        missing = self.document.missing if self.document is not None else ()
        return {**dict.fromkeys(missing), **{path: self.texts.parsed(path) for path in self.texts.files}}

    def survey(self) -> assist.surroundings.FolderSurvey:
        """A look at the models on the disk that include or attach the same files: for a thread."""
        return self._finder.survey(self.texts.texts)

    # ---- another document ----------------------------------------------------------------------------

    def begin(self, path: str, texts: Project | None = None) -> None:
        """Open another document in place of the old one; without texts it is empty until they are provided."""
        self.path = path
        self.texts = Project(changed=self.edited.emit) if texts is None else texts
        self.compiled = None
        self.opened.emit()

    def clear(self) -> None:
        """Close the document. Unsaved edits are lost."""
        self.begin("")
        self._models, self._around = (), None
        self.files = []
        self.files_changed.emit(None)
        self.closed.emit()
        self.changed.emit()

    def move(self, save: Save) -> None:
        """Go on with the document at the path that it was written to."""
        old, self.path = self.path, self.texts.move(save)
        self.files = [self.path if path == old else path for path in self.files]
        self.take_new_text()
        self.files_changed.emit(None)

    def provide(self, *reads: FileRead) -> None:
        """Take files that were read into the project, to be shown and edited beside the open document."""
        self.texts.provide(*reads)
        new = [read.key for read in reads if read.key not in self.files]
        if new:
            self.files = [*self.files, *new]
            self.files_changed.emit(None)
        if reads:
            self.changed.emit()

    # ---- compile -------------------------------------------------------------------------------------

    def compile(self, from_disk: bool = False) -> None:
        """Compile the present version of the texts. `from_disk`: another program wrote it."""
        texts = self.texts.texts
        self.compile_wanted.emit(self.request(self.path, document=self.document, from_disk=from_disk, texts=texts))

    def request(self, path: str, **more: Any) -> CompileRequest:
        """A request to compile a file under the settings of this project."""
        return CompileRequest(path, seed=self.seed, surroundings=lambda: self._finder, **more)

    def adopt(self, result: CompileResult, begins: bool) -> None:
        """Take the model and the files of the newest version, which `begins` the document or is one of its edits."""
        if result.model is not None:
            self.compiled = result
        if result.path != self.path:
            return
        self._models, self._around = result.models, None
        # A text with errors may not have got as far as naming all the files that the good one needs.
        others = self.texts.files if result.model is not None or begins else self.files
        self.files = list(dict.fromkeys([*result.files, *others]))

    # ---- edits ---------------------------------------------------------------------------------------

    def apply(
        self, name: str, changes: Mapping[str, Iterable[Edit]] | Iterable[ElementEdit], merge: Hashable = None
    ) -> None:
        """Change texts as one undo step, by edits or edits, see `kinetree.engine.document.project.Project.apply`."""
        if self.texts.apply(name, changes, merge) is not None:
            self.take_new_text()

    def take(self, name: str, step: PendingStep, merge: Hashable = None) -> None:
        """Change texts by a step that another thread has worked out, see
        `kinetree.engine.document.project.Project.take`.
        Without a key to merge by it is a step of its own. Raises Outdated."""
        if merge is None:
            self.texts.seal()
        if self.texts.take(name, step, merge) is not None:
            if merge is None:
                self.texts.seal()
            self.take_new_text()

    def undo(self) -> None:
        if self.texts.undo() is not None:
            self.take_new_text()

    def redo(self) -> None:
        if self.texts.redo() is not None:
            self.take_new_text()

    def go_to(self, steps: int) -> None:
        """Undo so many steps, or do them again where the number is negative, and compile once."""
        move = self.texts.undo if steps > 0 else self.texts.redo
        done = [move() for _ in range(abs(steps))]
        if any(step is not None for step in done):
            self.take_new_text()

    def take_new_text(self, from_disk: bool = False) -> None:
        """Compile and announce texts that were changed in `texts` directly."""
        self.compile(from_disk)
        self.text_changed.emit(self.texts.version)
        self.changed.emit()
