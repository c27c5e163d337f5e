"""Files: what reading one file of a model gave, and where documents get their files from.

Reading, decoding and parsing a file can take a second; `read_file` does all three and touches nothing else,
so that a worker thread can call it.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Mapping
from dataclasses import dataclass

from kinetree.engine.diagnostics import Diagnostic, Diagnostics, ModelError
from kinetree.engine.document.edit import difference_of_tags
from kinetree.engine.document.limits import refuse_large
from kinetree.engine.document.parsed import FileChange, ParsedSource
from kinetree.engine.document.source import overlay_source, read_source


@dataclass(frozen=True, slots=True)
class FileRead:
    """Result of reading one file.

    key      the absolute path of the file
    parsed   its text and tree; None where it could not be read
    problem  why it could not be read: an error whose code is `missing-file` if there is no such file
    similar  for a missing file: names of files in its folder like its own, the best first
    before   the earlier version that it was compared with (see `reread_file`); None if there was none
    change   difference from `before`
    """

    key: str
    parsed: ParsedSource | None
    problem: Diagnostic | None = None
    similar: tuple[str, ...] = ()
    before: ParsedSource | None = None
    change: FileChange | None = None

    @property
    def text(self) -> ParsedSource:
        """The parsed text of a readable file."""
        assert self.parsed is not None
        return self.parsed

    @property
    def failure(self) -> Diagnostic:
        """The problem of a file that could not be read."""
        assert self.problem is not None
        return self.problem

    @property
    def is_missing(self) -> bool:
        """Whether there is no such file."""
        return self.problem is not None and self.problem.code == "missing-file"


class DocumentFiles:
    """Where a document gets its files from: what is known of them, else texts from memory, else the disk.

    known      what reading gave, by absolute path
    overlay    an editor's unsaved texts, by absolute path, which stand for the contents of those files
    from_disk  whether a file that is in neither is read now; if not, a document does without it for now
    found      what was read from the disk so far: the documents of models that attach the same file share its elements
    """

    __slots__ = ("found", "from_disk", "known", "overlay")

    def __init__(self, known: Mapping[str, FileRead], overlay: Mapping[str, str], from_disk: bool = True) -> None:
        self.known = known
        self.overlay = overlay
        self.from_disk = from_disk
        self.found: dict[str, FileRead] = {}

    def has(self, key: str) -> bool:
        """Whether the file can be had without reading it."""
        return key in self.known or key in self.overlay

    def read(self, key: str, shown: str) -> FileRead | None:
        """The file of an absolute path, which diagnostics call `shown`; None if it must not be read now."""
        if key in self.known:
            return self.known[key]
        if key in self.overlay:
            return FileRead(key, ParsedSource.parse(overlay_source(key, self.overlay[key], shown)))
        return self._found(key, shown) if self.from_disk else None

    def found_or_read(self, key: str, shown: str) -> FileRead:
        """The file of an absolute path, read from the disk if it is not known."""
        read = self.read(key, shown)
        return self._found(key, shown) if read is None else read

    def _found(self, key: str, shown: str) -> FileRead:
        if key not in self.found:
            self.found[key] = read_file(key, shown)
        return self.found[key]

    def changed(self, texts: Mapping[str, ParsedSource]) -> DocumentFiles:
        """Copy with other texts for some files."""
        reads = {key: FileRead(key, parsed) for key, parsed in texts.items()}
        return DocumentFiles({**self.known, **reads}, self.overlay, self.from_disk)

    def reading(self) -> DocumentFiles:
        """Copy that reads unknown files from the disk."""
        files = DocumentFiles(self.known, self.overlay)
        files.found = self.found
        return files


def read_file(path: str | os.PathLike[str], shown: str | None = None, is_main: bool = False) -> FileRead:
    """Read, decode and parse a file. Never raises for missing or unreadable files: see `FileRead.problem`.

    shown    the path to give it in diagnostics; the absolute path if not given
    is_main  it is the main file of a model (see `refuse_large`)
    """
    key = file_key(path, current_folder())
    found = Diagnostics()
    try:
        source = read_source(key, found, key if shown is None else shown)
        refuse_large(source, is_main)
    except ModelError as error:
        return _not_read(key, error)
    return FileRead(key, ParsedSource.parse(source, found.items))


def reread_file(path: str | os.PathLike[str], before: ParsedSource) -> FileRead:
    """Read a file again and parse only the differences from an earlier version; unchanged elements keep their
    identities. Never raises for missing or unreadable files.
    """
    key = file_key(path, current_folder())
    found = Diagnostics()
    try:
        source = read_source(key, found, before.source.path)
        refuse_large(source, is_main=False)
    except ModelError as error:
        return _not_read(key, error)
    after, change = before.changed(difference_of_tags(before.source.text, source.text))
    return FileRead(key, after.of_source(source, found.items), before=before, change=change)


def _not_read(key: str, error: ModelError) -> FileRead:
    problem = error.diagnostics[0]
    missing = problem.code == "missing-file"
    similar = similar_names(os.path.dirname(key), os.path.basename(key)) if missing else ()
    return FileRead(key, None, problem, tuple(similar))


def similar_names(folder: str, name: str, most: int = 3) -> list[str]:
    """Names of files in `folder` like `name`, the best first."""
    names: dict[str, str] = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if len(names) >= 2000:
                    break
                if len(entry.name) <= 120 and entry.is_file():
                    names[entry.name.lower()] = entry.name
    except (OSError, ValueError):
        return []
    # The extension is common to all: it is the stem that tells them apart.
    stem, extension = os.path.splitext(name.lower()[:120])
    stems: dict[str, list[str]] = {}
    for lower in sorted(names, key=lambda lower: not lower.endswith(extension)):
        stems.setdefault(os.path.splitext(lower)[0], []).append(names[lower])
    matches = difflib.get_close_matches(stem, stems, most, 0.6)
    return [stems[match][0] for match in matches]


def current_folder() -> str:
    """The current folder; the root of the file system if the current folder was deleted."""
    try:
        return os.getcwd()
    except OSError:
        return os.path.abspath(os.sep)


def file_key(path: str | os.PathLike[str], folder: str | os.PathLike[str]) -> str:
    """Key that is the same for all spellings of a path: the absolute path without "." and "..". Links are not followed,
    as the reference does not.
    """
    return os.path.normpath(os.path.join(folder, path))
