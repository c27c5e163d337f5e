"""Loads models from files and texts: `load` and `load_string`. See engine/storage/saving.py for saving."""

from __future__ import annotations

import os

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from kinetree.engine.model.arguments import kind_of, whole
from kinetree.engine.model.model import Model
from kinetree.engine.storage import binary


def load(path: str | os.PathLike[str], seed: int | None = None) -> Model:
    """The model of a file: MJCF, URDF or x_xy by its root element, .kmodel by its first bytes.

    seed   seed of the random joint axes of x_xy models; None: always the same ones

    Raises ModelError with the errors and their positions, TypeError and ValueError for arguments that are none.
    """
    path, seed = os.fspath(path), _seed(seed)
    if binary.is_binary(path):
        return binary.read(path)
    return compile_document(Document.load(path), seed=seed).model


def load_string(text: str, base: str | os.PathLike[str] | None = None, seed: int | None = None) -> Model:
    """The model of a text; file names in it are relative to the folder `base`. `seed`: see load.

    Raises ModelError with the errors and their positions, TypeError and ValueError for arguments that are none.
    """
    if not isinstance(text, str):
        raise TypeError(f"the text of a model is a str, not {kind_of(text)}")
    return compile_document(Document.from_string(text, base), seed=_seed(seed)).model


def _seed(seed: int | None) -> int | None:
    return None if seed is None else whole(seed, "seed", 0, 2**32 - 1)
