"""Units of numbers, as inlay hints behind the values."""

from __future__ import annotations

from typing import NamedTuple

from kinetree.engine.assist.in_force import in_force, settings_of
from kinetree.engine.assist.language import MJCF, language_of
from kinetree.engine.assist.stretch import elements_in
from kinetree.engine.document.document import Document

__all__ = ["UnitHint", "units"]


class UnitHint(NamedTuple):
    """The unit of an attribute, shown at an offset."""

    offset: int
    unit: str


def units(document: Document, path: str, start: int, end: int) -> list[UnitHint]:
    """The units of the attributes in a stretch of a file. Angles are in degrees or radians, by the settings of the
    compiler. Raises KeyError for a file that is not part of the document."""
    angle = _angle(document)
    found = []
    for node, row in elements_in(document, path, start, end):
        for attribute in node.attributes:
            known = row.attributes.get(attribute.name)
            place = attribute.span.end
            if known is not None and known.unit and attribute.value and start <= place <= end:
                found.append(UnitHint(place, known.unit.replace("angle", angle)))
    return found


def _angle(document: Document) -> str:
    if language_of(document).grammar is not MJCF:
        return "rad"
    settings = settings_of(document, "compiler")
    value = in_force(document, settings[-1])["angle"].value if settings else "degree"
    return "rad" if value == "radian" else "deg"
