"""The texts that the client has open, and the models that they are part of.

A file that is open counts with its unsaved text, all others with what is on the disk. A file that is only a part for
others to include is understood within a model that includes it: one that is open, else one in its folder.

Owned by the thread of the server's loop; the Documents that it hands out never change.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from engine import formats
from engine.document.document import Document
from engine.document.edit import Edit, difference
from engine.document.files import FileRead, Files, read_file
from engine.document.parsed import ParsedSource
from engine.document.source import overlay_source

__all__ = ["Texts"]

MAX_MODELS = 100
"""Files of a folder that are searched for one that includes a part."""
MAX_MODEL_BYTES = 2 * 1024 * 1024
"""Larger files are not searched."""


class Texts:
    """The open texts, by absolute path."""

    def __init__(self) -> None:
        self._open: dict[str, ParsedSource] = {}
        self._disk: dict[str, tuple[tuple[int, int] | None, FileRead]] = {}
        self._documents: dict[str, Document] = {}
        self._users: dict[str, str | None] = {}  # a part -> the model of its folder that includes it

    @property
    def paths(self) -> list[str]:
        """The files that are open."""
        return list(self._open)

    def is_open(self, key: str) -> bool:
        """Whether the client has the file open."""
        return key in self._open

    def open(self, key: str, text: str) -> None:
        """The client opened a file; `text` may differ from what is on the disk."""
        self._open[key] = ParsedSource.parse(overlay_source(key, text))
        self._documents.clear()

    def change(self, key: str, edits: Iterable[Edit]) -> None:
        """The client changed a file that it has open. Raises KeyError if it has not."""
        self._open[key] = self._open[key].edited(edits)
        self._documents.clear()

    def replace(self, key: str, text: str) -> None:
        """The client replaced the whole text of an open file. Raises KeyError."""
        self.change(key, difference(self._open[key].source.text, text))

    def close(self, key: str) -> None:
        """The client closed a file: what is on the disk counts again."""
        self._open.pop(key, None)
        self._documents.clear()

    def changed_on_disk(self) -> None:
        """Files that are not open may have changed."""
        self._documents.clear()
        self._users.clear()

    def parsed(self, key: str) -> ParsedSource:
        """An open text. Raises KeyError."""
        return self._open[key]

    def document(self, key: str) -> Document:
        """The model that an open file is part of. Raises KeyError if it is not open."""
        return self.model(self.main_of(key))

    def model(self, main: str) -> Document:
        """The document of a main file. Raises KeyError if it cannot be read."""
        document = self._documents.get(main)
        if document is None:
            known = {key: FileRead(key, parsed) for key, parsed in self._open.items()}
            if main not in known:
                known[main] = self._read(main)
            known |= {key: self._read(key) for key in self._disk if key not in known}
            document = Document.of_files(main, Files(known, {}))
            for read in document.reads:
                self._disk[read.key] = (_stamp(read.key), read)
            self._documents[main] = document
        return document

    def main_of(self, key: str) -> str:
        """The main file of the model that an open file is part of: the file itself, unless it is only a part."""
        parsed = self._open[key]
        if not is_part(parsed):
            return key
        for other in self._open:
            if other != key and not is_part(self._open[other]) and key in self.model(other).files:
                return other
        if key not in self._users:
            self._users[key] = next((other for other in _including(key) if key in self.model(other).files), None)
        return self._users[key] or key

    def _read(self, key: str) -> FileRead:
        stamp = _stamp(key)
        known = self._disk.get(key)
        if known is None or known[0] != stamp:
            known = self._disk[key] = (stamp, read_file(key))
        return known[1]


def is_part(parsed: ParsedSource) -> bool:
    """Whether a text is no model of its own."""
    tag = parsed.root.tag
    return bool(tag) and tag != "mujoco" and formats.of(tag) is None


def _stamp(key: str) -> tuple[int, int] | None:
    try:
        status = os.stat(key)
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def _including(key: str) -> Iterator[str]:
    """Models in the folder of a file, and in the one above, that seem to include it."""
    name = re.escape(os.path.basename(key)).encode()
    wanted = re.compile(rb"""<include\s[^>]*file\s*=\s*["'][^"'<>]*""" + name)
    folder = Path(key).parent
    looked_at = 0
    for each in (folder, folder.parent):
        try:
            entries = sorted(os.scandir(each), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if looked_at >= MAX_MODELS:
                return
            if not entry.name.endswith(".xml") or entry.path == key:
                continue
            looked_at += 1
            try:
                if not entry.is_file() or entry.stat().st_size > MAX_MODEL_BYTES:
                    continue
                text = Path(entry.path).read_bytes()
            except OSError:
                continue
            if b"<mujoco" in text and wanted.search(text):
                yield entry.path
