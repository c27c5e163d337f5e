"""What the Motphys dialect adds to elements: kept in model.extras, by kind and attribute, for whoever draws it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.compile.indexing import Index
from engine.mjcf.schema_rows import MPEX

if TYPE_CHECKING:
    from engine.model import Model


def fill(model: Model, index: Index) -> None:
    """model.extras[kind, attribute]: {id: value} of what the text gives."""
    for kind, objects in index.objects.items():
        for element in objects:
            for name in element.given:
                row = element.row.attributes.get(name)
                if row is not None and row.dialect == MPEX:
                    model.extras.setdefault((kind, name), {})[element.id] = element[name]
