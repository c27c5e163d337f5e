"""Writes models to files: canonical MJCF (`to_xml`, `save`) and Kinetree's binary format .kmodel (`save`).

MJCF holds what the model was compiled from. Arrays that were changed since are kept in a .kmodel file only.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from typing import TYPE_CHECKING

from engine.diagnostics import CannotSave

if TYPE_CHECKING:
    from engine.model.model import Model


KMODEL = ".kmodel"
FORMATS = {".xml": "canonical MJCF", KMODEL: "Kinetree's binary format, which opens faster"}
"""File name extension -> what is written."""


def to_xml(model: Model, folder: str | os.PathLike[str] | None = None) -> str:
    """The model as canonical MJCF (engine/mjcf/writer.py), with file names relative to `folder`; None: the folder that
    it was read from.

    Raises CannotSave for a model that was not compiled from a text.
    """
    from engine.mjcf.writer import to_xml

    if model.spec is None:
        raise CannotSave(
            "this model comes from a binary file, which holds numbers and no text; convert the file that it was made of"
        )
    return to_xml(model.spec, folder, model)


def format_of(path: str | os.PathLike[str]) -> str | None:
    """The extension of a file name if it is one of FORMATS, else None."""
    extension = os.path.splitext(path)[1].lower()
    return extension if extension in FORMATS else None


def unknown_extension(path: str | os.PathLike[str]) -> str:
    """Error message for a file name without an extension of FORMATS."""
    known = " or ".join(f"{extension} ({text})" for extension, text in FORMATS.items())
    if os.path.splitext(path)[1].lower() == ".mjb":
        return f".mjb is MuJoCo's binary format, which Kinetree does not write; end the name in {known}"
    return f"the extension does not name a format; end the name in {known}"


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model in the format of the extension: .xml or .kmodel. The file is replaced atomically.

    Raises CannotSave, and OSError where the file cannot be written.
    """
    path = os.path.abspath(path)
    if format_of(path) is None:
        raise CannotSave(f"{os.path.basename(path)}: {unknown_extension(path)}")
    if format_of(path) == KMODEL:
        from engine.storage.binary import to_bytes

        data = to_bytes(model)
    else:
        data = to_xml(model, os.path.dirname(path)).encode("utf-8", "surrogateescape")
    write(path, data)


def write(path: str, data: bytes) -> None:
    """Replace the contents of a file atomically. Raises OSError; the file is then unchanged."""
    target = os.path.realpath(path)  # the file behind a link, not the link
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(target), prefix=".kinetree-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _mode(path: str) -> int:
    """The permissions of the file, or those that a new one gets."""
    try:
        return os.stat(path).st_mode & 0o7777
    except OSError:
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask
