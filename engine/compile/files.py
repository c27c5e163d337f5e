"""Files that a model names: found, checked, read.

A file's place: XML reference, compiler (meshdir, texturedir, assetdir, strippath). Files are only read, and only
from disk: a name that looks like a URL is refused.
"""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.diagnostics import Diagnostics
    from engine.document.document import Document
    from engine.spec.elements import Element, Settings

MAX_FILE = 512 * 1024 * 1024
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://")


class Files:
    """Reads the files of one model. `files` gets the path of every one that was asked for, to be watched."""

    def __init__(self, compiler: Settings, document: Document, diagnostics: Diagnostics, files: list[str]):
        self.base = Path(document.base)
        self.diagnostics = diagnostics
        self.files = files
        both = compiler.get("assetdir") or ""
        self.folders = {
            "mesh": compiler.get("meshdir") or both,
            "texture": compiler.get("texturedir") or both,
        }
        self.strip = compiler["strippath"]

    def read(self, element: Element, attribute: str, kind: str) -> bytes | None:
        """The contents of the file that an attribute names; None after a diagnostic."""
        name = element[attribute]
        if _URL.match(name):
            self.error(element, "bad-file", f"'{name}' is a URL; only files on disk are read", attribute)
            return None
        path = self.find(name, self.folders[kind])
        self.files.append(str(path))
        try:
            if path.is_dir():
                raise IsADirectoryError
            status = path.stat()
            if not stat.S_ISREG(status.st_mode):  # a pipe would block for ever, a device never ends
                self.error(element, "not-a-file", f"'{name}' is not a regular file", attribute)
                return None
            if status.st_size > MAX_FILE:
                self.error(element, "file-too-large", f"the file '{name}' is larger than 512 MB", attribute)
                return None
            return path.read_bytes()
        except FileNotFoundError:
            message = f"there is no file '{name}'; it was looked for as {path}"
        except IsADirectoryError:
            message = f"'{name}' is a folder; name a file"
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
            message = f"the file '{name}' cannot be read: {reason}"
        self.error(element, "missing-file", message, attribute)
        return None

    def find(self, name: str, folder: str) -> Path:
        name = name.replace("\\", "/") if os.sep == "/" else name
        if self.strip:
            name = PurePosixPath(name).name
        return Path(os.path.normpath(self.base / folder / name))

    def error(self, element: Element, code: str, message: str, attribute: str) -> None:
        self.diagnostics.error(element.at(attribute), code, message)
