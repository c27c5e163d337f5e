"""Surroundings: the models near a file that include or attach it, whether or not they are open.

    surroundings = ModelFinder()                 # caches files until they change
    survey = surroundings.survey(texts)           # one look at the disk; `texts`: the present texts of open files
    survey.models("arm.xml").documents            # the models that include it
    survey.attaching("arm.xml").documents         # the models that attach it

An included file is a part of the including model, whatever its root element is: many robots are a <mujoco> by
themselves, and scenes beside them include them. The search covers the open files, those in the folder of the file and
in its parent folder, and those around the files found there in turn. If it cannot see all of these,
`SurveyResult.unknown`
says why; tools that must change every use then refuse. Sibling folders are searched too, as packages keep scenes and
parts beside each other, but only some of them where there are very many.

File names in texts are found without parsing, which is fast for thousands of files. Only the few files that may name
the wanted one are then parsed.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from html import unescape
from threading import Lock
from typing import NamedTuple

from kinetree.engine.diagnostics import ModelError
from kinetree.engine.document.document import Document
from kinetree.engine.document.files import DocumentFiles, FileRead, read_file
from kinetree.engine.document.parsed import ParsedSource
from kinetree.engine.document.source import MAX_FILE_BYTES, decode_source
from kinetree.engine.mjcf.references import model_elements
from kinetree.engine.platforms.files import slashed
from kinetree.engine.translation import tr

__all__ = ["FolderSurvey", "ModelFinder", "SurveyResult", "included_names"]

SUFFIXES = (".xml", ".mjcf")
MAX_FILES = 10_000
"""Most files of one folder that are searched."""
MAX_BYTES = 256 * 1024 * 1024
"""Most bytes that one survey reads from disk; unchanged files are not read again."""
MAX_BESIDE = 200
"""Most folders that are searched around one file."""
MAX_MODELS = 200
"""Most models that may name one file."""
MAX_KEPT = 64 * 1024 * 1024
"""Size of the files whose trees are cached, bytes."""

_NAMED = re.compile(r"""<(include|model)\b([^<]*)""")
_FILE = re.compile(r"""\bfile\s*=\s*(?:"([^"<]*)"|'([^'<]*)')""")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_MARKS = (b"<include", b"<model", b"\0")  # a zero byte: UTF-16 or UTF-32

Stamp = tuple[int, int]


class _NamedFiles(NamedTuple):
    """The files that a text names in its <include> elements, and in the <model> elements of its assets."""

    included: tuple[str, ...] = ()
    attached: tuple[str, ...] = ()


class SurveyResult(NamedTuple):
    """Result of a survey.

    documents  the models: those that are open first, then those that are well-formed, by folder and name
    unknown    why there may be others: one sentence for each reason
    """

    documents: list[Document]
    unknown: list[str]


def included_names(parsed: ParsedSource) -> tuple[str, ...]:
    """The names of the files that a text includes."""
    root = parsed.root.subtree
    return tuple(node.get("file") or "" for node in parsed.includes()) if root.includes else ()


class ModelFinder:
    """Finds the models on the disk that a file is part of: those that include or attach it. May be used by several
    threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._named: dict[str, tuple[Stamp, _NamedFiles]] = {}
        self._reads: dict[str, tuple[Stamp | None, FileRead]] = {}

    def survey(self, texts: Mapping[str, ParsedSource]) -> FolderSurvey:
        """A snapshot of the disk; `texts` are the present texts of open files, by absolute path."""
        return FolderSurvey(self, dict(texts))

    def document(self, main: str, texts: Mapping[str, ParsedSource]) -> Document:
        """The document of a main file. Raises KeyError if it cannot be read."""
        return Document.of_files(main, _Present(self, texts, main))

    def read(self, key: str) -> FileRead:
        """A file of the disk, parsed."""
        stamp = _stamp(key)
        known = self._reads.get(key)
        if known is None or known[0] != stamp:
            known = stamp, read_file(key)
            with self._lock:
                self._reads.pop(key, None)
                self._reads[key] = known
                size = sum(each[0][1] for each in self._reads.values() if each[0] is not None)
                while size > MAX_KEPT and len(self._reads) > 1:
                    oldest = self._reads.pop(next(iter(self._reads)))
                    size -= 0 if oldest[0] is None else oldest[0][1]
        return known[1]

    def names(self, folder: str, budget: Callable[[int], bool]) -> tuple[dict[str, _NamedFiles], bool]:
        """(the file names in each file of a folder, by path; whether all files were read). `budget(size)`: whether a
        file of that size may be read.
        """
        try:
            with os.scandir(folder) as entries:
                files = [entry for entry in entries if entry.name.lower().endswith(SUFFIXES)]
        except (OSError, ValueError):
            return {}, True
        files.sort(key=lambda entry: entry.name)
        found, is_all = {}, len(files) <= MAX_FILES
        for entry in files[:MAX_FILES]:
            try:
                if not entry.is_file():
                    continue
                status = entry.stat()
            except OSError:
                continue
            stamp, known = (status.st_mtime_ns, status.st_size), self._named.get(entry.path)
            if known is None or known[0] != stamp:
                if status.st_size > MAX_FILE_BYTES:
                    continue  # it is no model
                if not budget(status.st_size):
                    is_all = False
                    continue
                known = self._named[entry.path] = stamp, _named_by_file(entry.path)
            if known[1] != _NOTHING:
                found[entry.path] = known[1]
        return found, is_all


_NOTHING = _NamedFiles()


class _Present(DocumentFiles):
    """The files on disk, except that open files have their present texts."""

    __slots__ = ("surroundings",)

    def __init__(self, surroundings: ModelFinder, texts: Mapping[str, ParsedSource], main: str) -> None:
        known = {key: FileRead(key, parsed) for key, parsed in texts.items()}
        if main not in known:
            known[main] = surroundings.read(main)
        super().__init__(known, {})
        self.surroundings = surroundings

    def read(self, key: str, shown: str) -> FileRead | None:
        return self.known[key] if key in self.known else self.surroundings.read(key)

    def reading(self) -> DocumentFiles:
        return self


class FolderSurvey:
    """A snapshot of the files around the open ones. Owned by one thread."""

    def __init__(self, surroundings: ModelFinder, texts: Mapping[str, ParsedSource]) -> None:
        self.texts = texts
        self._surroundings = surroundings
        self._bytes = 0
        self._folders: dict[str, bool] = {}  # searched folders -> whether the search of it was complete
        self._named = {path: _named_by(parsed.source.text) for path, parsed in texts.items()}
        self._documents: dict[str, Document | None] = {}
        self._models: dict[str, SurveyResult] = {}

    def document(self, main: str) -> Document | None:
        """The document of a main file; None if it cannot be read."""
        if main not in self._documents:
            try:
                self._documents[main] = self._surroundings.document(main, self.texts)
            except KeyError:
                self._documents[main] = None
        return self._documents[main]

    def take(self, document: Document) -> None:
        """Use a document of the same texts that the caller has already."""
        self._documents[document.main_file] = document

    def outside(self, paths: Iterable[str]) -> list[FileRead]:
        """Those of some files that are not open."""
        return [self._surroundings.read(path) for path in dict.fromkeys(paths) if path not in self.texts]

    def models(self, path: str) -> SurveyResult:
        """The models that include a file, directly or through others, and are not included themselves; if there are
        none, the file itself.
        """
        if path in self._models:
            return self._models[path]
        candidates, unknown = self._naming(path)
        containing: dict[str, Document] = {}
        for each in candidates:
            document = self.document(each)
            if document is None:
                unknown.append(
                    tr("'{file}' seems to include '{part}' and cannot be read", file=each, part=os.path.basename(path))
                )
            elif path in document.files:
                containing[each] = document
            elif document.root.tag == "mujoco" and (place := unreadable(document, path)):
                unknown.append(
                    tr("'{file}' seems to include '{part}': fix {place} first", file=each, part=path, place=place)
                )
        inner = {key for each, document in containing.items() for key in document.files if key != each}
        found = [document for each, document in containing.items() if each not in inner]
        if not found:
            found = list(containing.values()) or [own for own in [self.document(path)] if own is not None]
        found.sort(key=lambda document: (document.main_file not in self.texts, unreadable(document) is not None))
        self._models[path] = SurveyResult(found, list(dict.fromkeys(unknown)))
        return self._models[path]

    def attaching(self, path: str) -> SurveyResult:
        """The models that attach a file, which is a model by itself."""
        self._look_around(path)
        found: dict[str, Document] = {}
        unknown = self._unseen(path)
        for each in self._candidates(path, lambda named: named.attached):
            models = self.models(each)
            unknown += models.unknown
            for document in models.documents:
                if path in attached_files(document):
                    found[document.main_file] = document
                elif place := unreadable(document):
                    unknown.append(
                        tr("'{file}' seems to attach '{part}': fix {place} first", file=each, part=path, place=place)
                    )
        return SurveyResult(list(found.values()), list(dict.fromkeys(unknown)))

    # ---- candidates ---------------------------------------------------------------------------------

    def _naming(self, path: str) -> tuple[list[str], list[str]]:
        """The files whose texts may include a file, directly or through others, and the reasons why there may be
        more.
        """
        found: dict[str, None] = {}
        unknown: list[str] = []
        frontier = [path]
        while frontier:
            each = frontier.pop()
            self._look_around(each)
            unknown += self._unseen(each)
            for other in self._candidates(each, lambda named: named.included):
                if other != path and other not in found:
                    found[other] = None
                    frontier.append(other)
            if len(found) > MAX_MODELS:
                unknown.append(
                    tr("more than {most} files may include '{part}'", most=MAX_MODELS, part=os.path.basename(path))
                )
                break
        folder = os.path.dirname(path)
        ranked = sorted(found, key=lambda each: (each not in self.texts, os.path.dirname(each) != folder, each))
        return ranked[:MAX_MODELS], unknown

    def _candidates(self, path: str, names: Callable[[_NamedFiles], Iterable[str]]) -> list[str]:
        included = {os.path.basename(slashed(name)) for named in self._named.values() for name in named.included}

        def may_mean(other: str, name: str) -> bool:
            # A name is relative to the folder of its file or, in an included file, to that of the main model.
            beside = os.path.normpath(os.path.join(os.path.dirname(other), slashed(name)))
            return beside == path or (os.path.basename(other) in included and _ends_with(path, name))

        return [
            other
            for other, named in self._named.items()
            if other != path and any(may_mean(other, name) for name in names(named))
        ]

    def _look_around(self, path: str) -> None:
        for folder in (*_around(path), *_beside(path)):
            if folder not in self._folders:
                found, self._folders[folder] = self._surroundings.names(folder, self._budget)
                self._named = {**found, **self._named}

    def _unseen(self, path: str) -> list[str]:
        return [
            tr("there are more than {most} XML files in {folder}, or too large ones", most=MAX_FILES, folder=folder)
            for folder in _around(path)
            if not self._folders.get(folder, True)
        ]

    def _budget(self, size: int) -> bool:
        self._bytes += size
        return self._bytes <= MAX_BYTES


def attached_files(document: Document) -> set[str]:
    """The main files of the models that a document names, by absolute path."""
    files = (node.get("file") or "" for node in model_elements(document))
    return {os.path.normpath(os.path.join(document.base, slashed(file))) for file in files}


def unreadable(document: Document, but: str = "") -> str | None:
    """The place of an error, in any file of a document but one, that may hide elements: malformed XML, or a file that
    cannot be read. None without such an error.
    """
    for parsed in document.parsed.values():
        if document.path_of(parsed.source) != but:
            item = next((item for item in parsed.diagnostics if item.severity == "error"), None)
            if item is not None:
                return tr("the error in '{file}', line {line}", file=item.file, line=item.line)
    for item in document.diagnostics:
        if item.severity == "error" and item.code in _NOT_READ:
            return tr("the error in '{file}', line {line}", file=item.file, line=item.line)
    return None


_NOT_READ = frozenset({"not-a-file", "unreadable-file", "file-too-large", "binary-file", "too-many-includes"})


def _around(path: str) -> tuple[str, str]:
    """The folders to search for files that name a path."""
    folder = os.path.dirname(path)
    return folder, os.path.dirname(folder)


def _beside(path: str) -> list[str]:
    """Folders near those of `_around`: their parent, and the folders in each. A home folder is left out: its folders
    are unrelated.
    """
    found: list[str] = []
    home = os.path.expanduser("~")
    folder = path
    for _ in range(3):
        folder = os.path.dirname(folder)
        if os.path.dirname(folder) == folder or os.path.join(home, "").startswith(os.path.join(folder, "")):
            break
        try:
            with os.scandir(folder) as entries:
                names = [
                    entry.name for entry in entries if entry.name[0] != "." and entry.is_dir(follow_symlinks=False)
                ]
        except (OSError, ValueError):
            break
        found += [folder, *(os.path.join(folder, name) for name in sorted(names))]
    return found[:MAX_BESIDE]


def _ends_with(path: str, name: str) -> bool:
    """Whether a file name can mean a path, from some folder."""
    name = os.path.normpath(slashed(name))
    while name.startswith(_UP):
        name = name[len(_UP) :]
    return path.endswith(os.sep + name)


_UP = os.pardir + os.sep


def _named_by_file(path: str) -> _NamedFiles:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_FILE_BYTES)
        if not any(mark in data for mark in _MARKS):
            return _NOTHING
        return _named_by(decode_source(path, data).text)
    except (OSError, ModelError):
        return _NOTHING


def _named_by(text: str) -> _NamedFiles:
    """The files that a text names."""
    found: dict[str, list[str]] = {"include": [], "model": []}
    if "<include" in text or "<model" in text:
        for tag, rest in _NAMED.findall(_COMMENT.sub("", text)):
            found[tag] += (unescape(double or single) for double, single in _FILE.findall(rest))
    return _NamedFiles(*map(tuple, found.values()))


def _stamp(key: str) -> Stamp | None:
    try:
        status = os.stat(key)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size
