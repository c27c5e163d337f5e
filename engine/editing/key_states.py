"""Keyframes in the text: adds one, overwrites the state of one, renames and reorders them.

Each function returns element edits (see `kinetree.engine.document.element_edit`), to be applied as one step.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from xml.sax.saxutils import quoteattr

import numpy as np

from kinetree.engine.document.element_edit import ElementEdit, Insert, Move, RemoveAttribute, SetAttribute
from kinetree.engine.model.kinds import KEY_FIELDS

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

FIELDS = {"time": "time", **KEY_FIELDS}
"""Attribute of <key> -> field of Data."""
DIGITS = 10


def state_of(data: Any) -> dict[str, Any]:
    """The fields of a Data or Snapshot that a keyframe stores: copies, by name."""
    return {
        field: float(data.time) if field == "time" else np.array(getattr(data, field), float)
        for field in FIELDS.values()
    }


def words(state: Mapping[str, Any], digits: int = DIGITS) -> dict[str, str]:
    """The attributes of a key for a state. What is empty, and a velocity of zero, is left out."""
    found = {}
    for attribute, field in FIELDS.items():
        values = np.atleast_1d(np.asarray(state[field], float)).ravel()
        if len(values) and (values.any() or attribute not in ("time", "qvel", "act", "ctrl")):
            found[attribute] = " ".join(f"{value:.{digits}g}" for value in values)
    return found


def keys_of(document: Document) -> list[Node]:
    """The <key> elements of a document, in order."""
    return [
        key for section in document.merged.children if section.tag == "keyframe" for key in section.children
        if key.tag == "key"
    ]  # fmt: skip


def add_key(document: Document, name: str, state: Mapping[str, Any]) -> list[ElementEdit]:
    """Write a state as a new keyframe behind the others."""
    key = f"<key name={quoteattr(name)} {' '.join(f'{n}={quoteattr(v)}' for n, v in words(state).items())}/>"
    sections = [section for section in document.merged.children if section.tag == "keyframe"]
    if sections:
        return [Insert(sections[-1], key)]
    return [Insert(document.merged, f"<keyframe>{key}</keyframe>")]


def write_state(key: Node, state: Mapping[str, Any]) -> list[ElementEdit]:
    """Let a keyframe have another state."""
    new = words(state)
    edits: list[ElementEdit] = [SetAttribute(key, name, value) for name, value in new.items() if key.get(name) != value]
    return edits + [RemoveAttribute(key, name) for name in FIELDS if name not in new and key.get(name) is not None]


def move_key(document: Document, key: Node, by: int) -> list[ElementEdit]:
    """Put a keyframe before the one before it (`by` -1) or behind the next one (1); nothing at the ends."""
    keys = keys_of(document)
    place = next((number for number, each in enumerate(keys) if each.id == key.id), -1)
    if place < 0 or not 0 <= place + by < len(keys):
        return []
    other = keys[place + by]
    parent = other.parent
    assert parent is not None
    index = next(number for number, child in enumerate(parent.children) if child.id == other.id)
    return [Move(keys[place], parent, index + (1 if by > 0 else 0))]


def next_name(document: Document, stem: str = "pose") -> str:
    """A name for another keyframe: pose_1, pose_2, ..."""
    taken = {key.get("name") for key in keys_of(document)}
    return next(name for n in range(1, len(taken) + 2) if (name := f"{stem}_{n}") not in taken)


def free_name(document: Document, stem: str) -> str:
    """A name that no keyframe has."""
    taken = {key.get("name") for key in keys_of(document)}
    return next(name for name in (stem, *(f"{stem}_{n}" for n in range(2, len(taken) + 3))) if name not in taken)
