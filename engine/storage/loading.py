"""Loads models from files and texts: `load` and `load_string`. See engine/storage/saving.py for saving."""

from __future__ import annotations

import os

from kinetree.engine.compile.compiler import compile_document
from kinetree.engine.document.document import Document
from kinetree.engine.model.arguments import kind_of, whole
from kinetree.engine.model.model import Model
from kinetree.engine.storage import binary


def load(path: str | os.PathLike[str], seed: int | None = None) -> Model:
    """Load a model from a file: MJCF, URDF or x_xy by its root element, .kmodel by its first bytes.

    path   name of the file
    seed   seed of the random joint axes of x_xy models, 0 to 2**32 - 1; None: always the same axes

    Raises ModelError with the errors and their positions, for a missing file too; TypeError and ValueError for a wrong
    path or seed.

    Source: specification, XML reference; docs/formats.md.

    Example:
        model = kinetree.load("arm.xml")
        assert model.nq == len(kinetree.Data(model).qpos)
    """
    path, seed = os.fspath(path), _seed(seed)
    if binary.is_binary(path):
        return binary.read(path)
    return compile_document(Document.load(path), seed=seed).model


def load_string(text: str, base: str | os.PathLike[str] | None = None, seed: int | None = None) -> Model:
    """Load a model from a text: MJCF, URDF or x_xy by its root element.

    text   the text of the model
    base   folder to which file names in the text are relative; None: the current one
    seed   see load

    Raises ModelError with the errors and their positions, TypeError and ValueError for wrong arguments.

    Source: specification, XML reference; docs/formats.md.

    Example:
        model = kinetree.load_string("<mujoco><worldbody><geom size='0.1'/></worldbody></mujoco>")
        assert model.ngeom == 1
    """
    if not isinstance(text, str):
        raise TypeError(f"the text of a model is a str, not {kind_of(text)}")
    return compile_document(Document.from_string(text, base), seed=_seed(seed)).model


def _seed(seed: int | None) -> int | None:
    return None if seed is None else whole(seed, "seed", 0, 2**32 - 1)
