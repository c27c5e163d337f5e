"""Names from attached models, with the prefix of their <attach>.

    attached_names(document, "joint")       {"left_elbow": Found(the other document, where it declares "elbow")}
    names_in_model(document, node)          the names that an <attach> can refer to

Every name of the other model is listed, whichever of its bodies is attached.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from kinetree.engine.assist.index import NameSpot, index_of
from kinetree.engine.assist.kept import kept
from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Node
from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.exceptions import ATTACHING
from kinetree.engine.mjcf.references import model_elements, model_name

__all__ = ["Found", "attached_names", "names_in_model"]

MAX_MODELS = 50
"""Most attached models that are searched."""


class Found(NamedTuple):
    """A declaration in another document."""

    document: Document
    spot: NameSpot


def attached_names(document: Document, space: str) -> dict[str, Found]:
    """The names that attached models bring into a namespace."""
    found: dict[str, Found] = {}
    for prefix, other in _attachments(document):
        for name, spots in index_of(other).names(space).items():
            found.setdefault(prefix + name, Found(other, spots[0]))
    return found


def names_in_model(document: Document, node: Node, id: str) -> Mapping[str, Found]:
    """The elements of the other model that an element (of a kind in ATTACHING) can name."""
    model, _, space, _ = ATTACHING[id]
    other = _models(document).get(node.get(model) or "")
    if other is None:
        return {}
    return {name: Found(other, spots[0]) for name, spots in index_of(other).names(space).items()}


@kept
def _attachments(document: Document) -> list[tuple[str, Document]]:
    """(prefix, the other document) of each attachment."""
    found: dict[tuple[str, str], tuple[str, Document]] = {}
    models = _models(document)
    for id, (model, _, _, prefix) in ATTACHING.items():
        space = schema.ELEMENTS[id].attributes[model].refers or ""
        for name, spots in index_of(document).referring(space).items():
            for spot in spots if name in models else ():
                if spot.row.id == id:
                    before = spot.get(prefix) or ""
                    found.setdefault((before, name), (before, models[name]))
    return list(found.values())


@kept
def _models(document: Document) -> dict[str, Document]:
    """The other models that the document declares, by the name it gives them; without one, by their own name."""
    found = {}
    for node in model_elements(document)[:MAX_MODELS]:
        other = document.model_beside(node.get("file") or "")
        if other is not None and other.main_file != document.main_file:
            found.setdefault(node.get("name") or model_name(other), other)
    return found
