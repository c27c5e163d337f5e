"""Files and texts to models: `load` and `load_string`. The way back is engine/storage/saving.py."""

from __future__ import annotations

import os

from engine.compile.compiler import compile_document
from engine.document.document import Document
from engine.model.model import Model
from engine.storage import binary


def load(path: str | os.PathLike[str], seed: int | None = None) -> Model:
    """The model of a file: MJCF, URDF or x_xy, told by the root element, or a binary model of ours, told by content.

    `seed`: what random parts of x_xy models are drawn from (their axes of joints); None: always the same ones.
    Raises ModelError: what is wrong, with places.
    """
    if binary.is_binary(path):
        return binary.read(path)
    return compile_document(Document.load(path), seed=seed).model


def load_string(text: str, base: str | os.PathLike[str] | None = None, seed: int | None = None) -> Model:
    """The model of a text; files that it names are looked for from the folder `base`. `seed`: see load.

    Raises ModelError: what is wrong, with places.
    """
    return compile_document(Document.from_string(text, base), seed=seed).model
