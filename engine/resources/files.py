"""Finds, checks and reads the files that a model refers to.

Source: XML reference, compiler (meshdir, texturedir, assetdir, strippath). Files are read from disk only: a URL is
refused. Digests are cached by size and modification time.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, NoReturn, TypeVar

from kinetree.engine.platforms.files import slashed
from kinetree.engine.resources import packages
from kinetree.engine.resources.cache import Cache
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.mjcf.elements import Element, Spec

T = TypeVar("T")
MAX_FILE = 512 * 1024 * 1024
SETTLED = 2.0
"""Seconds: a file that was changed so shortly before it was read may change again without a new time stamp."""
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")
_digests = Cache(4 * 1024 * 1024)


class Unreadable(Exception):
    """A file cannot be read; the error has been reported."""


class File:
    """An existing regular file, at most MAX_FILE bytes.

    name   as in the text
    stamp  device, inode, size, times of change in ns
    """

    def __init__(self, name: str, path: Path, stamp: tuple[int, ...]):
        self.name, self.path, self.stamp = name, path, stamp
        self._data: bytes | None = None

    @property
    def data(self) -> bytes:
        """The contents, read when they are first asked for. Raises OSError."""
        if self._data is None:
            with self.path.open("rb") as file:
                self._data = file.read(min(MAX_FILE, os.fstat(file.fileno()).st_size))  # takes memory for all at once
        return self._data

    @property
    def digest(self) -> bytes:
        """Hash of the contents. Raises OSError."""

        def make() -> bytes:
            return hashlib.sha1(self.data, usedforsecurity=False).digest()

        if time.time() - max(self.stamp[-2:]) * 1e-9 < SETTLED:
            return make()
        return _digests.get((str(self.path), self.stamp), make, lambda _: 256)


class AssetFiles:
    """Reads the files of one model. `files` gets the path of every requested file, to be watched."""

    def __init__(self, spec: Spec, diagnostics: Diagnostics, files: list[str]):
        self.spec = spec
        self.diagnostics = diagnostics
        self.files = files

    def read(self, element: Element, attribute: str, kind: str) -> bytes:
        """The contents of the file that an attribute names. Raises Unreadable, after a diagnostic."""
        file = self.open(element, attribute, kind)
        return self.take(element, attribute, lambda: file.data)

    def open(self, element: Element, attribute: str, kind: str) -> File:
        """The file that an attribute names. Raises Unreadable, after a diagnostic."""
        name = element[attribute]
        if _URL.match(name):
            self.error(element, "bad-file", tr("'{name}' is a URL; only files on disk are read", name=name), attribute)
        path = self.find(element, name, kind)
        self.files.append(str(path))
        if "\0" in str(path):
            self.error(element, "missing-file", tr("'{name}' is no name of a file", name=name), attribute)
        status = self.take(element, attribute, path.stat)
        if stat.S_ISDIR(status.st_mode):
            self.error(element, "missing-file", tr("'{name}' is a folder; name a file", name=name), attribute)
        if not stat.S_ISREG(status.st_mode):  # a pipe would block for ever, a device never ends
            self.error(element, "not-a-file", tr("'{name}' is not a regular file", name=name), attribute)
        if status.st_size > MAX_FILE:
            self.error(element, "file-too-large", tr("the file '{name}' is larger than 512 MB", name=name), attribute)
        stamp = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        return File(name, path, stamp)

    def take(self, element: Element, attribute: str | Callable[[], str], action: Callable[[], T]) -> T:
        """The result of `action`; if it raises OSError, reports a diagnostic about the file and raises Unreadable.

        attribute   the one that names the file, or a function that returns it
        """
        try:
            return action()
        except FileNotFoundError:
            reason, sentence = self.files[-1], marked("there is no file '{name}': it was looked for as {reason}")
        except OSError as error:
            reason, sentence = error.strerror or str(error), marked("cannot read the file '{name}': {reason}")
        at = attribute if isinstance(attribute, str) else attribute()
        written = element.written_at.get(at)  # the file name in another format, which was searched in several folders
        name = element[at] if written is None else written.value
        message = tr(sentence, name=name, reason=reason)
        package = packages.package_of(name)
        if package:
            message += tr(
                "; the package '{package}' is in no folder around the model and in no package folder ({folders}): add "
                "the folder that has it to Package folders in the settings",
                package=package,
                folders=", ".join(packages.chosen()) or tr("none"),
            )
        self.error(element, "missing-file", message, at)

    def find(self, element: Element, name: str, kind: str) -> Path:
        """The path of a file, by the settings of the model that refers to it; strippath is that of the main model, as
        in the reference. `kind`: "mesh" (height fields too), "texture"."""
        compiler = self.spec.compiler_of(element)
        name = slashed(name)
        if self.spec.compiler["strippath"]:
            name = PurePosixPath(name).name
        folder = compiler.folder(kind + "dir")
        return Path(os.path.normpath(self.spec.folder_of(element) / folder / name))

    def error(self, element: Element, code: str, message: str, attribute: str) -> NoReturn:
        self.diagnostics.error(element.at(attribute), code, message)
        raise Unreadable
