"""Other formats to the same Spec as MJCF, told by the root element of the text.

    of(tag)   the module that reads models with this root element, None for MJCF and for what nobody knows

A module has NAME, and read(root, diagnostics, reading) -> Spec: it checks the text against its own table (in the rows of
engine/mjcf/schema_rows.py, so that errors come from the table) and makes the elements that the compiler goes on with.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

ROOTS = {"robot": "engine.formats.urdf", "x_xy": "engine.formats.x_xy"}


@dataclass(frozen=True)
class Reading:
    """What a format may need besides the text.

    base   the folder that relative file names start from
    seed   what random parts of the model are drawn from; None: the format's own default
    """

    base: str = "."
    seed: int | None = None


def of(tag: str) -> ModuleType | None:
    """The module for models with this root element."""
    name = ROOTS.get(tag)
    return None if name is None else import_module(name)
