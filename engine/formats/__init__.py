"""Other formats (URDF, x_xy), read into the same Spec as MJCF. The root element selects the format.

    of(tag)   the module that reads models with this root element; None for MJCF and for unknown tags

A module has NAME and read(root, diagnostics, reading) -> Spec. It checks the text against its own table (with rows of
engine/mjcf/schema_rows.py) and makes the elements of the Spec.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

ROOTS = {"robot": "kinetree.engine.formats.urdf", "x_xy": "kinetree.engine.formats.x_xy"}


@dataclass(frozen=True)
class ReaderArguments:
    """Arguments of a reader besides the text.

    base   the folder that relative file names start from
    seed   seed of random joint axes; None: the default of the format
    """

    base: str = "."
    seed: int | None = None


def of(tag: str) -> ModuleType | None:
    """The module for models with this root element."""
    name = ROOTS.get(tag)
    return None if name is None else import_module(name)
