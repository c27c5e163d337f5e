"""Writes models to files: canonical MJCF (`to_xml`, `save`) and Kinetree's binary format .kmodel (`save`).

MJCF holds what the model was compiled from. Arrays that were changed since are kept in a .kmodel file only.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from kinetree.engine import mjcf, storage
from kinetree.engine.atomic import replaced
from kinetree.engine.diagnostics import CannotSave
from kinetree.engine.model.model import check_model
from kinetree.engine.translation import any_of, marked, tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model


KMODEL = ".kmodel"
FORMATS = {".xml": marked("canonical MJCF"), KMODEL: marked("Kinetree's binary format, which opens faster")}
"""File name extension -> what is written."""


def to_xml(model: Model, folder: str | os.PathLike[str] | None = None) -> str:
    """Return the model as canonical MJCF, which has no includes, frames, replicates, attached models or composites.

    folder   folder to which file names in the text become relative; None: the folder that the model was read from

    Raises CannotSave for a model that was not compiled from a text.

    Source: Kinetree's own; engine/mjcf/writer.py.

    Example:
        text = kinetree.to_xml(kinetree.load("arm.xml"))
        assert text.startswith("<mujoco")
    """
    check_model(model)
    if model.spec is None:
        raise CannotSave(
            tr(
                "this model comes from a binary file, which holds numbers and no text; convert the file that it "
                "was made of"
            )
        )
    return mjcf.writer.to_xml(model.spec, folder, model)


def format_of(path: str | os.PathLike[str]) -> str | None:
    """The extension of a file name if it is one of FORMATS, else None."""
    extension = os.path.splitext(path)[1].lower()
    return extension if extension in FORMATS else None


def unknown_extension(path: str | os.PathLike[str]) -> str:
    """Error message for a file name without an extension of FORMATS."""
    known = any_of([f"{extension} ({tr(text)})" for extension, text in FORMATS.items()])
    if os.path.splitext(path)[1].lower() == ".mjb":
        return tr(".mjb is MuJoCo's binary format, which Kinetree does not write; end the name in {names}", names=known)
    return tr("the extension does not name a format; end the name in {names}", names=known)


def save(model: Model, path: str | os.PathLike[str]) -> None:
    """Write a model to a file, which is replaced atomically.

    path   name of the file; its extension is the format: .xml for canonical MJCF, .kmodel for Kinetree's binary

    Raises CannotSave for another extension and for a model that the format cannot hold, OSError where the file cannot
    be written.

    Source: Kinetree's own.

    Example:
        kinetree.save(kinetree.load("arm.xml"), "copy.kmodel")
        assert kinetree.load("copy.kmodel").nbody == kinetree.load("arm.xml").nbody
    """
    check_model(model)
    path = os.path.abspath(os.fsdecode(path))
    if format_of(path) is None:
        raise CannotSave(f"{os.path.basename(path)}: {unknown_extension(path)}")
    if format_of(path) == KMODEL:
        data = storage.binary.to_bytes(model)
    else:
        data = to_xml(model, os.path.dirname(path)).encode("utf-8", "surrogateescape")
    write(path, data)


def write(path: str, data: bytes) -> None:
    """Replace the contents of a file atomically. Raises OSError; the file is then unchanged."""
    with replaced(path) as draft, open(draft, "wb") as file:
        file.write(data)
