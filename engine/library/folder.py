"""Models in the files below a folder: by the root element of a text, not by the name of the file.

The walk goes level by level, so near files come first, and has bounds: a home folder or a network drive must not hold
up a start. It skips hidden folders, packages of programs and virtual environments, and enters no folder twice.
"""

from __future__ import annotations

import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

from kinetree.engine.library.model import ModelSource, NamedModel
from kinetree.engine.progress import is_cancelled

TEXTS = (".xml", ".mjcf", ".urdf")
BINARY = ".kmodel"
EXTENSIONS = (*TEXTS, BINARY)
KINDS = {"mujoco": "MJCF", "robot": "URDF", "x_xy": "x_xy"}
"""Root element -> format."""
SKIPPED = frozenset(("node_modules", "__pycache__", "site-packages", "dist-packages", "venv", "env", "conda-meta"))
MARKS = frozenset(("pyvenv.cfg", "conda-meta"))
"""Entries that make a folder a virtual environment."""
HEAD = 4096
MOST_HEAD = 1 << 18
"""Bytes of a text in which its root element is looked for: first, and where comments come before it."""
_BYTE_ORDER = b"\xef\xbb\xbf\xff\xfe\0"
"""The bytes of all byte order marks."""
_BEFORE = re.compile(rb"\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\])?\s*>", re.DOTALL)
_ROOT = re.compile(rb"<([A-Za-z_][\w.-]*)[\s/>]")


class Bounds(NamedTuple):
    """Bounds of a walk: levels of folders, entries of folders, seconds."""

    depth: int = 8
    entries: int = 50_000
    seconds: float = 1.0


USUAL = Bounds()


class Walk:
    """Iterates over the paths of files below a folder whose names end as those of models, near ones first. `is_cut`:
    whether a bound ended it."""

    def __init__(self, folder: str, bounds: Bounds = USUAL):
        self.folder, self.bounds, self.is_cut = os.path.abspath(folder), bounds, False

    def __iter__(self) -> Iterator[str]:
        until, left = time.monotonic() + self.bounds.seconds, self.bounds.entries
        seen: set[tuple[int, int]] = set()
        level = [self.folder]
        for _ in range(self.bounds.depth):
            below: list[str] = []
            for folder in level:
                entries = _listed(folder, seen)
                left -= len(entries)
                if left < 0 or time.monotonic() > until or is_cancelled():
                    self.is_cut = True
                    return
                if folder != self.folder and not MARKS.isdisjoint(entry.name for entry in entries):
                    continue
                for entry in entries:
                    if _is_folder(entry):
                        if not entry.name.startswith(".") and entry.name not in SKIPPED:
                            below.append(entry.path)
                    elif entry.name.lower().endswith(EXTENSIONS):
                        yield entry.path
            level = below
        self.is_cut |= bool(level)


def _listed(folder: str, seen: set[tuple[int, int]]) -> list[os.DirEntry[str]]:
    """The entries of a folder in alphabetical order; none where it cannot be read, or was listed by another path."""
    try:
        found = os.stat(folder)
        if (found.st_dev, found.st_ino) in seen:
            return []
        seen.add((found.st_dev, found.st_ino))
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def kind_of(path: str) -> str:
    """The format of a model file: "MJCF", "URDF", "x_xy" or "kmodel"; "" for any other file."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):  # a pipe would wait for its writer
            return ""
        if path.lower().endswith(BINARY):
            return BINARY.lstrip(".")
        return KINDS.get(root_of(_head(path)) or "", "")
    except OSError:
        return ""


def may_be_model(path: str) -> bool:
    """Whether a file may hold a model, as far as its first bytes tell: False for pictures, folders, XML of other
    formats and missing files; True where the root element is too far from the beginning to be seen."""
    try:
        if not stat.S_ISREG(os.stat(path).st_mode):
            return False
        data = _head(path)
    except OSError:
        return False
    root = root_of(data)
    if path.lower().endswith(BINARY) or root in KINDS:
        return True
    return root is None and data.lstrip(_BYTE_ORDER + b" \t\r\n").startswith(b"<")


def _head(path: str) -> bytes:
    """The beginning of a text, as far as its root element, if that is within MOST_HEAD. Raises OSError."""
    with open(path, "rb") as file:
        data = file.read(HEAD)
        if len(data) == HEAD and root_of(data) is None:
            data += file.read(MOST_HEAD)
    return data


def root_of(data: bytes) -> str | None:
    """The name of the root element at the beginning of a text, in UTF-8, UTF-16 or UTF-32; None where it is not in
    there."""
    data = data.lstrip(_BYTE_ORDER).replace(b"\0", b"")
    place = 0
    while (before := _BEFORE.match(data, place)) is not None:
        place = before.end()
    found = _ROOT.match(data, place)
    return None if found is None else found[1].decode("ascii", "replace")


def model_of(path: str, folder: str) -> NamedModel:
    """The entry for a file below a folder."""
    stem = os.path.splitext(os.path.basename(path))[0]
    around = os.path.basename(os.path.dirname(path)) if os.path.dirname(path) != folder else ""
    return NamedModel(stem, ModelSource.FOLDER, path, os.path.relpath(path, folder), around=around)


def models(
    folder: str,
    wanted: Callable[[NamedModel], bool] = lambda model: True,
    bounds: Bounds = USUAL,
) -> tuple[list[NamedModel], bool]:
    """The wanted models below a folder, near ones first, and whether a bound ended the search. Only files that are
    wanted are read."""
    walk = Walk(folder, bounds)
    entries = (model_of(path, walk.folder) for path in walk)
    return [model for model in entries if wanted(model) and kind_of(model.path)], walk.is_cut
