"""Project: the open documents, their texts in memory and on the disk, and one undo history for all of them.

A project is owned by one thread, in the application the one of the window. None of its methods reads or
writes a file: reading is done by `read_file` and writing by `write_file`, which touch nothing but the disk,
so that another thread can call them; the project is then told what came of it. A Document that it hands out
never changes and may be used by any thread.

    project = Project()
    path = project.open(read_file("model.xml"))          # read_file: on a worker
    while project.wanted:                                # included files that nobody has read yet
        project.provide(*map(read_file, project.wanted))  # read_file: on a worker
    version, document = project.snapshot(path)           # for the compiler, the tree, the inspector
    project.apply("Set size", [SetAttribute(document.root.find("option"), "timestep", "0.001")])
    step = work_out(to_unit(document, "radian"), project.texts)  # a step of thousands of edits: on a worker
    project.take("Angles in Radians", step)
    project.undo()
    save = project.prepare_save(path)
    write_file(save)                                     # on a worker
    project.finish_save(save)

Paths are absolute and normalized (`file_key`); every method takes any spelling of one. An element is known
by its `node.id` in all versions of its text; `Document.node(id)` finds it in one of them.

Versions are numbers that grow by one with every change of any text. The version of a document is that of the
last change in one of its files, so that equal versions mean equal texts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from typing import NamedTuple, cast

from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit, difference_of_tags, ordered
from kinetree.engine.document.element_edit import ElementEdit, carry_out
from kinetree.engine.document.files import DocumentFiles, FileRead, current_folder, file_key
from kinetree.engine.document.history import FROM_DISK, MAX_BYTES, Transaction, UndoHistory
from kinetree.engine.document.parsed import FileChange, ParsedSource
from kinetree.engine.document.source import Source
from kinetree.engine.document.tree import Node
from kinetree.engine.document.write import Save
from kinetree.engine.progress import tracked
from kinetree.engine.translation import tr

MANY_EDITS = 500
MUCH_TEXT = 50_000
"""From so many edits on, or so many characters put in or taken out, a step is large: the texts before and after it are
kept with their trees, of the last such steps."""
KEPT_TEXT = 4_000_000
"""Most characters that are kept for that, but for the last of these steps."""


class DocumentVersion(NamedTuple):
    """One version of a document.

    version   the number of the last change of one of its texts
    document  the texts and trees; it never changes
    """

    version: int
    document: Document


class External(Enum):
    """Meaning of a change to a file on the disk (see `Project.external_change`)."""

    SAME = "same"
    """The bytes are those that were known; nothing happened."""
    RELOADED = "reloaded"
    """There were no unsaved edits: the text is now that of the disk, by a transaction that can be undone."""
    AGREED = "agreed"
    """The disk now has the text that was in memory: there is nothing left to save."""
    CONFLICT = "conflict"
    """There are unsaved edits and the disk has another text: both are kept until `take_theirs` or
    `keep_ours`."""
    GONE = "gone"
    """The file can no longer be read. The text in memory stays, and counts as not saved."""
    PROVIDED = "provided"
    """A file that was missing or not read yet is there now."""


class Outdated(ValueError):
    """A step was worked out for texts that have changed since: work it out again."""


@dataclass(frozen=True, slots=True)
class PendingStep:
    """A step of the undo history that is worked out and not taken yet.

    texts  all texts that it was worked out from, by path
    after  the texts that it changes, as they are afterwards, and what it does to each
    """

    texts: Mapping[str, ParsedSource]
    after: Mapping[str, tuple[ParsedSource, FileChange]]


class UnsavedChanges(Exception):
    """A document cannot be closed without losing edits. `paths` are the files that have them."""

    def __init__(self, paths: list[str]) -> None:
        self.paths = paths
        super().__init__(tr("there are unsaved changes in {names}", names=", ".join(paths)))


@dataclass(slots=True)
class _ProjectFile:
    """A file of the project.

    read      its path, text in memory and tree
    disk      what was last known to be on the disk; None if there never was such a file
    version   the project's version at the last change of the text
    theirs    what another program wrote while there were unsaved edits, None without a conflict
    is_gone   the file was on the disk and is there no more
    blank     the text that a new file has before a step fills it: with that text it need not be saved
    """

    read: FileRead
    disk: Source | None
    version: int
    theirs: FileRead | None = None
    is_gone: bool = False
    blank: str | None = None

    @property
    def parsed(self) -> ParsedSource:
        return self.read.text

    @property
    def is_edited(self) -> bool:
        """Whether the text differs from its last known state on the disk."""
        source = self.parsed.source
        if self.is_blank:
            return False
        return source is not self.disk and (self.disk is None or source.text != self.disk.text)

    @property
    def is_blank(self) -> bool:
        """Whether it is a new file that no step has filled, or whose filling was undone."""
        return self.blank is not None and self.parsed.source.text == self.blank

    @property
    def is_modified(self) -> bool:
        return (self.is_gone or self.is_edited) and not self.is_blank


@dataclass(frozen=True, slots=True)
class _Large:
    """The texts before and after a large step: to undo it by its edits takes long."""

    transaction: Transaction
    before: Mapping[str, ParsedSource]
    after: Mapping[str, ParsedSource]

    @property
    def size(self) -> int:
        """Characters of the texts before it. The trees of those after it are for the most part also those of the
        present texts, or of the ones before the next large step."""
        return sum(len(parsed.source.text) for parsed in self.before.values())

    def then(
        self, transaction: Transaction, before: Mapping[str, ParsedSource], after: Mapping[str, ParsedSource]
    ) -> _Large:
        """This step and the next one, which was merged with it to `transaction`."""
        return _Large(transaction, {**before, **self.before}, {**self.after, **after})


@dataclass(slots=True)
class _Open:
    """An open document: what was built of the present texts, None after a change, and the version it has."""

    document: Document | None = None
    version: int = 0
    keys: frozenset[str] = field(default_factory=frozenset)


class Project:
    """The open documents: their texts in memory and on the disk, and one undo history for all of them.

    limit    the memory in bytes that the undo history may take
    changed  called as changed(transaction, backward) after each change of texts, whoever made it: `backward` if
             the transaction was undone. The texts then are what the edits of this transaction, and no others,
             made of those before.
    """

    def __init__(
        self, limit: int = MAX_BYTES, changed: Callable[[Transaction, bool], None] = lambda transaction, backward: None
    ) -> None:
        self.version = 0
        self._changed = changed
        self._files: dict[str, _ProjectFile] = {}
        self._absent: dict[str, FileRead] = {}
        self._open: dict[str, _Open] = {}
        self._beside: dict[str, Document] = {}  # documents of `models` that are not open
        self._history = UndoHistory(limit)
        self._large: list[_Large] = []  # the last such steps, the newest last
        self._current = current_folder()

    # Documents

    @property
    def documents(self) -> list[str]:
        """The paths of the open documents, in the order of opening."""
        return list(self._open)

    def open(self, read: FileRead) -> str:
        """Open a document whose main file was read; its path. A file that is part of the project already,
        which may have unsaved edits, keeps its text in memory. Raises ModelError if the file could not be
        read."""
        if read.parsed is None and read.key not in self._files:
            raise ModelError(read.failure)
        if read.key not in self._files:
            self._take(read)
        self._open.setdefault(read.key, _Open())
        return read.key

    def create(self, path: str, text: str) -> str:
        """Open a new document that is not on the disk yet; its path. Raises FileExistsError if the project
        has a file of that path."""
        key = self.key(path)
        if key in self._files:
            raise FileExistsError(key)
        source = Source(key, None, text, Path(key).parent)
        self._take(FileRead(key, ParsedSource.parse(source)), on_disk=False)
        self._open[key] = _Open()
        return key

    def add(self, path: str, text: str) -> str:
        """A file that is not on the disk yet, for elements that the next step moves into it; its path. With this very
        text, also after an undo, it is not saved and not among `files`. Raises FileExistsError if the project has a
        file of that path with another text."""
        key = self.key(path)
        if key in self._files and not self._files[key].is_blank:
            raise FileExistsError(key)
        source = Source(key, None, text, Path(key).parent)
        self._take(FileRead(key, ParsedSource.parse(source)), on_disk=False)
        self._files[key].blank = text
        return key

    def close(self, path: str, discard: bool = False) -> None:
        """Close a document. Files that no other open document needs leave the project. Raises UnsavedChanges
        if one of them has unsaved edits, unless they are to be discarded; KeyError if it is not open."""
        key = self.key(path)
        gone = self._only_of(key)
        modified = [name for name in gone if self._files[name].is_modified]
        if modified and not discard:
            raise UnsavedChanges(modified)
        del self._open[key]
        for name in gone:
            del self._files[name]
        self._history.forget(set(gone))
        self._large = [each for each in self._large if each.before.keys().isdisjoint(gone)]

    def snapshot(self, path: str) -> DocumentVersion:
        """The present version of an open document. Raises KeyError if it is not open."""
        opened = self._open[self.key(path)]
        if opened.document is None:
            document = Document.of_files(self.key(path), self._reads())
            opened.document = document
            opened.keys = frozenset([*document.files, *document.missing, *document.pending])
            versions = [self._files[name].version for name in document.files]
            opened.version = max(opened.version, *versions)
        return DocumentVersion(opened.version, opened.document)

    def documents_of(self, path: str) -> list[str]:
        """The open documents that a file is part of."""
        key = self.key(path)
        return [name for name in self._open if key in self.snapshot(name).document.files]

    @property
    def models(self) -> list[Document]:
        """The documents of all files: the open ones, and those that begin with another file of the project, such as a
        model that an open one attaches."""
        found = [self.snapshot(name).document for name in self._open]
        covered = {key for document in found for key in document.files}
        beside = [self._beside_of(key) for key in self.files if key not in covered]
        included = {key for document in beside for key in document.files[1:]}
        self._beside = {document.main_file: document for document in beside}
        return found + [document for document in beside if document.main_file not in included]

    def _beside_of(self, key: str) -> Document:
        """The document that begins with a file, the same one as long as its texts are the same."""
        old = self._beside.get(key)
        if old is not None and all(
            name in self._files and self._files[name].parsed.source is old.source_of(name) for name in old.files
        ):
            return old
        return Document.of_files(key, self._reads())

    def document_of(self, path: str) -> Document | None:
        """The document that a file is part of, one of `models`; None for a file that the project does not have."""
        key = self.key(path)
        for name in self._open:
            document = self.snapshot(name).document
            if key in document.files:
                return document
        return next((document for document in self.models if key in document.files), None)

    @property
    def wanted(self) -> list[str]:
        """Paths of included files that nobody has read yet: read them and hand them to `provide`."""
        found = {key: None for name in self._open for key in self.snapshot(name).document.pending}
        return list(found)

    def provide(self, *reads: FileRead) -> None:
        """Take files that were read: those of `wanted`, those in `Document.reads`, or any others that are to
        be edited. A file that the project has keeps its text."""
        for read in reads:
            if read.key not in self._files:
                self._take(read)

    def key(self, path: str) -> str:
        """The path by which the project knows a file."""
        return path if path in self._files else file_key(path, self._current)

    # Texts

    @property
    def files(self) -> list[str]:
        """The paths of all files of the project."""
        return [key for key, file in self._files.items() if not file.is_blank]

    @property
    def texts(self) -> dict[str, ParsedSource]:
        """The present texts with their trees, by path; they never change and may be used by any thread."""
        return {key: file.parsed for key, file in self._files.items()}

    def text(self, path: str) -> str:
        """The present text of a file."""
        return self._files[self.key(path)].parsed.source.text

    def source(self, path: str) -> Source:
        """The present source of a file."""
        return self._files[self.key(path)].parsed.source

    def parsed(self, path: str) -> ParsedSource:
        """The present text of a file with its tree; it never changes and may be used by any thread."""
        return self._files[self.key(path)].parsed

    def tree(self, path: str) -> Node:
        """The root element of the present text of a file."""
        return self._files[self.key(path)].parsed.root

    # Transactions

    def apply(
        self, name: str, changes: Mapping[str, Iterable[Edit]] | Iterable[ElementEdit], merge: Hashable = None
    ) -> Transaction | None:
        """Change texts, as one step of the undo history; None if nothing changes.

        name     what the user did, for the menu: "Set size"
        changes  element edits (`kinetree.engine.document.element_edit`), or for each path the text edits
        merge    a key: the step becomes one with the step before it if that had the same key, and nothing
                 came between (see `seal`). For the strokes of typing and the values of a slider.

        Nothing is changed where it raises: Refused (a ValueError) for element edits that contradict each other or
        cannot be carried out, KeyError for a file that the project does not have, ValueError for edits that overlap or
        lie outside the text.
        """
        if isinstance(changes, Mapping):
            changes = {self.key(path): edits for path, edits in cast(Mapping[str, Iterable[Edit]], changes).items()}
        return self.take(name, work_out(changes, self.texts), merge)

    def take(self, name: str, step: PendingStep, merge: Hashable = None) -> Transaction | None:
        """Take a step that `work_out` has made of the present texts, as `apply` does. Raises Outdated, and changes
        nothing, if one of the texts that the step changes is another one by now."""
        if any(key not in self._files or self._files[key].parsed is not step.texts[key] for key in step.after):
            raise Outdated(tr("the text has changed in the meantime"))
        if not step.after:
            return None
        transaction = Transaction(name, {key: change for key, (_, change) in step.after.items()}, merge)
        before = {key: self._files[key].parsed for key in step.after}
        for key, (parsed, _) in step.after.items():
            self._set(self._files[key], parsed)
        self._add(transaction, before)
        self._changed(transaction, False)
        return transaction

    def seal(self) -> None:
        """Make the next transaction a separate step, whatever its merge key: call it when a drag ends or the focus
        leaves a field."""
        self._history.seal()

    @property
    def undo_name(self) -> str | None:
        """Name of the step that `undo` would undo; None if there is none."""
        return self._history.done[-1].name if self._history.done else None

    @property
    def redo_name(self) -> str | None:
        """Name of the step that `redo` would repeat; None if there is none."""
        return self._history.undone[-1].name if self._history.undone else None

    @property
    def undo_names(self) -> list[str]:
        """The names of all steps that can be undone, the newest first."""
        return [transaction.name for transaction in reversed(self._history.done)]

    @property
    def redo_names(self) -> list[str]:
        """The names of all steps that can be done again, the next one first."""
        return [transaction.name for transaction in reversed(self._history.undone)]

    def undo(self) -> Transaction | None:
        """Undo the newest step and return it; None if there is none. Removed elements come back as the same
        ones."""
        transaction = self._history.step_back()
        if transaction is not None:
            if not self._repeat(transaction, True):
                for path, change in transaction.changes.items():
                    self._step(path, change.backward, change.vanished)
            self._changed(transaction, True)
        return transaction

    def redo(self) -> Transaction | None:
        """Do the step again that was undone last, and return it; None if there is none."""
        transaction = self._history.step_forward()
        if transaction is not None:
            if not self._repeat(transaction, False):
                for path, change in transaction.changes.items():
                    self._step(path, change.forward, change.appeared)
            self._changed(transaction, False)
        return transaction

    # Memory and disk

    @property
    def modified(self) -> list[str]:
        """The files whose text differs from its last known state on the disk."""
        return [key for key, file in self._files.items() if file.is_modified]

    def is_modified(self, path: str) -> bool:
        """Whether a file has unsaved edits, or is not on the disk."""
        return self._files[self.key(path)].is_modified

    @property
    def gone(self) -> list[str]:
        """The files that were on the disk and are there no more."""
        return [key for key, file in self._files.items() if file.is_gone]

    @property
    def conflicts(self) -> dict[str, FileRead]:
        """The files that another program changed while they had unsaved edits: path -> what is on the
        disk."""
        return {key: file.theirs for key, file in self._files.items() if file.theirs is not None}

    def external_change(self, read: FileRead) -> External:
        """Take in the present state of a file on the disk (it was read because it seems to have changed). It is quick
        for a `read` by `reread_file` that was compared with the present text (`parsed`).
        """
        key = read.key
        if key not in self._files:
            known = self._absent.get(key)
            self._take(read)
            return External.PROVIDED if read.parsed is not None or known is None else External.SAME
        file = self._files[key]
        if read.parsed is None:
            file.is_gone, file.theirs = read.is_missing and file.disk is not None, None
            return External.GONE
        file.is_gone = False
        source = read.parsed.source
        if file.disk is not None and source.data == file.disk.data:
            file.theirs = None  # it was changed and changed back
            return External.SAME
        if source.text == file.parsed.source.text:
            file.disk, file.theirs = source, None
            return External.AGREED
        if file.is_edited:
            file.theirs = read
            return External.CONFLICT
        self._reload(file, read)
        return External.RELOADED

    def take_theirs(self, path: str) -> None:
        """End a conflict with the text of the disk. It is a step that can be undone, so that what was typed
        is not lost. Raises KeyError if there is no conflict."""
        key = self.key(path)
        self._reload(self._files[key], self.conflicts[key])

    def disk_text(self, path: str) -> str | None:
        """The text that a file was last known to have on the disk, from which both sides of a conflict come; None if
        there never was such a file."""
        disk = self._files[self.key(path)].disk
        return None if disk is None else disk.text

    def restore(self, name: str, texts: Mapping[str, tuple[str, str | None]]) -> External:
        """Bring back unsaved edits that another session made, as one step of the undo history.

        texts  path -> (the text with the edits, what was on the disk when they were made or None)

        The files of the project have what is on the disk now. Where that is not what it was then, there is a
        conflict. A file that is not there is one that was not saved yet. The outcome is CONFLICT or AGREED.
        """
        changes = {}
        for path, (text, _) in texts.items():
            key = self.key(path)
            if key in self._files:
                changes[key] = difference_of_tags(self._files[key].parsed.source.text, text)
            else:
                source = Source(key, None, text, Path(key).parent)
                self._take(FileRead(key, ParsedSource.parse(source)), on_disk=False)
        reads = {key: self._files[key].read for key in changes}
        self.seal()
        self.apply(name, changes)
        self.seal()
        outcome = External.AGREED
        for path, (_, base) in texts.items():
            key = self.key(path)
            file = self._files[key]
            if key in reads and base is not None and file.disk is not None and base != file.disk.text:
                disk = file.disk
                file.disk = Source(disk.path, None, base, disk.base, disk.encoding, disk.bom)
                if self.external_change(FileRead(key, reads[key].text.of_source(disk))) is External.CONFLICT:
                    outcome = External.CONFLICT
        return outcome

    def merge_theirs(self, path: str, edits: Iterable[Edit]) -> Transaction | None:
        """End a conflict with edits of the text in memory that merge the text on the disk (see
        `kinetree.engine.document.merge`), as a step that can be undone. The text stays unsaved. Raises KeyError if
        there is no conflict.
        """
        key = self.key(path)
        self.keep_ours(key)
        self.seal()
        done = self.apply(f"Merge {Path(key).name}", {key: edits}, FROM_DISK)
        self.seal()
        return done

    def keep_ours(self, path: str, read: FileRead | None = None) -> None:
        """Keep the text in memory: the next save replaces what is on the disk. It ends a conflict; with a
        `read` it is the answer to a change on the disk that was not followed. Raises KeyError if there is
        neither."""
        key = self.key(path)
        theirs = self.conflicts[key] if read is None else read
        file = self._files[key]
        file.theirs, file.is_gone = None, theirs.is_missing
        if theirs.parsed is not None:
            file.disk = theirs.parsed.source

    def prepare_save(self, path: str, target: str | None = None) -> Save:
        """Data for `write_file` to save a file, or to save a copy of it as `target`. Raises ModelError if the text does
        not fit the file's encoding.
        """
        file = self._files[self.key(path)]
        source = file.parsed.source
        if target is not None and file_key(target, self._current) != file.read.key:
            return Save(file.read.key, file_key(target, self._current), source, None, False)
        expected = None if file.disk is None or file.is_gone else file.disk.data
        return Save(file.read.key, file.read.key, source, expected, True)

    def finish_save(self, save: Save) -> None:
        """Take notice that `write_file` wrote a file. Edits made since `prepare_save` are still unsaved."""
        file = self._files.get(save.path)
        if file is not None and save.target == save.path:
            file.disk, file.theirs, file.is_gone = save.source, None, False
            self._history.seal()

    def move(self, save: Save) -> str:
        """Take notice that `write_file` wrote an open document to another path, and go on with it there: its text,
        the identities of its elements and its history stay. Returns the new path. A file of the project that had
        that path is gone."""
        old, new = save.path, self.key(save.target)
        file = self._files.pop(old)
        data = save.source.data
        source = Source(new, data, save.source.text, Path(new).parent, save.source.encoding, save.source.bom)
        parsed = file.parsed
        if parsed.source.text == source.text:
            parsed = parsed.of_source(source)
        else:  # edited while it was written
            now = parsed.source
            parsed = parsed.of_source(Source(new, None, now.text, Path(new).parent, now.encoding, now.bom))
        self.version += 1
        self._files[new] = _ProjectFile(FileRead(new, parsed), source, self.version)
        self._absent.pop(new, None)
        self._open = {new if name == old else name: _Open(version=self.version) for name in self._open}
        self._history.rename(old, new)
        self._history.seal()
        return new

    # Inside

    def _reads(self) -> DocumentFiles:
        known = {key: file.read for key, file in self._files.items()}
        return DocumentFiles({**self._absent, **known}, {}, from_disk=False)

    def _take(self, read: FileRead, on_disk: bool = True) -> None:
        key = read.key
        self.version += 1
        if read.parsed is None:
            self._absent[key] = read
        else:
            self._absent.pop(key, None)
            self._files[key] = _ProjectFile(read, read.parsed.source if on_disk else None, self.version)
        self._invalidate(key)

    def _add(self, transaction: Transaction, before: Mapping[str, ParsedSource]) -> None:
        """Put a step that was just taken into the history; `before` are the texts as they were."""
        done = self._history.done
        last = done[-1] if done else None
        self._history.add(transaction)
        after = {key: self._files[key].parsed for key in before}
        large = next((each for each in self._large if each.transaction is last), None)
        if done[-1] is not transaction:  # merged with the last one
            if large is None:
                return
            large = large.then(done[-1], before, after)
        elif _is_large(transaction):
            large = _Large(transaction, before, after)
        else:
            return
        present = {id(step) for step in done} - {id(done[-1])}
        self._large = [*(each for each in self._large if id(each.transaction) in present), large]
        while len(self._large) > 1 and sum(each.size for each in self._large) > KEPT_TEXT:
            del self._large[0]

    def _repeat(self, transaction: Transaction, backward: bool) -> bool:
        """Undo or redo a large step by the texts that are kept of it; False if they are not kept. The present texts are
        as it left them, but need not be the very same objects: smaller steps after it were undone by their edits."""
        large = next((each for each in self._large if each.transaction is transaction), None)
        if large is None:
            return False
        present, wanted = (large.after, large.before) if backward else (large.before, large.after)
        if any(self._files[key].parsed.source.text != parsed.source.text for key, parsed in present.items()):
            return False
        for key, parsed in wanted.items():
            self._set(self._files[key], parsed)
        return True

    def _step(self, key: str, edits: Iterable[Edit], identities: Mapping[int, int]) -> None:
        """Undo or redo what was done to a file; `identities` of elements that come back, by offset in the
        new text."""
        file = self._files[key]
        self._set(file, file.parsed.changed(edits, identities)[0])

    def _reload(self, file: _ProjectFile, read: FileRead) -> None:
        if read.before is file.parsed and read.change is not None:  # a worker has compared them already
            parsed, change = read.text, read.change
        else:
            edits = difference_of_tags(file.parsed.source.text, read.text.source.text)
            parsed, change = file.parsed.changed(edits)
        before = {file.read.key: file.parsed}
        file.disk, file.theirs = read.text.source, None
        self._set(file, parsed)
        self._history.seal()
        transaction = Transaction(f"Reload {Path(file.read.key).name}", {file.read.key: change}, FROM_DISK)
        self._add(transaction, before)
        self._history.seal()
        self._changed(transaction, False)

    def _set(self, file: _ProjectFile, parsed: ParsedSource) -> None:
        if file.disk is not None and parsed.source is not file.disk and parsed.source.text == file.disk.text:
            parsed = parsed.of_source(file.disk)  # its very bytes
        self.version += 1
        file.read = FileRead(file.read.key, parsed)
        file.version = self.version
        self._invalidate(file.read.key)

    def _invalidate(self, key: str) -> None:
        # A file that no document includes may be attached by any of them.
        attached = not any(key in opened.keys for opened in self._open.values())
        for opened in self._open.values():
            if attached or key in opened.keys:
                opened.document = None
                opened.version = self.version

    def _only_of(self, key: str) -> list[str]:
        """The files that only one open document needs."""
        mine = [name for name in self.snapshot(key).document.files if name in self._files]
        others = {name for other in self._open if other != key for name in self.snapshot(other).document.files}
        return [name for name in mine if name not in others]


def _is_large(transaction: Transaction) -> bool:
    edits = [edit for change in transaction.changes.values() for edit in (*change.forward, *change.backward)]
    return len(edits) >= 2 * MANY_EDITS or sum(len(edit.text) for edit in edits) >= MUCH_TEXT


def work_out(
    changes: Mapping[str, Iterable[Edit]] | Iterable[ElementEdit], texts: Mapping[str, ParsedSource]
) -> PendingStep:
    """Compute the changes of a step without applying them: any thread may do this, `Project.take` then applies them.

    changes  element edits, or for each path, spelled as in `texts`, the edits of its text
    texts    `Project.texts`

    Raises the same errors as `Project.apply`, and Cancelled (see `kinetree.engine.progress`).
    """
    if not isinstance(changes, Mapping):
        return PendingStep(texts, carry_out(changes, texts))
    after = {}
    for path, edits in tracked(cast(Mapping[str, Iterable[Edit]], changes).items()):
        text = texts[path].source.text
        kept = [edit for edit in ordered(edits, len(text)) if text[edit.start : edit.end] != edit.text]
        if kept:
            after[path] = texts[path].changed(kept)
    return PendingStep(texts, after)
