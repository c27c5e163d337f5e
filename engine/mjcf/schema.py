"""Typed, fast access to the schema table.

    schema.ELEMENTS["body.joint"]           every kind of element, by id: ElementRow (see schema_rows)
    schema.of(node) -> ElementRow | None    the kind of a node, judged by its tag and its parents
    schema.child(row, tag, enclosing)       the kind of a child while walking down (what `of` does, one step)
    schema.children(row, enclosing)         {tag: ElementRow} of everything that may stand there
    schema.row(node, name)                  the AttributeRow of one attribute of a node, or None
    schema.kinds(tag)                       every kind that this tag can be, anywhere
    schema.declaring("joint")               the kinds of elements that declare names of joints: they make joints
    schema.nearest(name, candidates)        the known name that was probably meant, or None
    schema.suggestion(diagnostics, code, name, candidates)
                                            the same for the message of a finding, while messages are needed

The same tag means different things in different places, so that kinds have ids of their own: "body.joint",
"default.joint", "equality.joint", "fixed.joint", "composite.joint". Sections and recursive kinds have plain ids:
"mujoco", "option", "worldbody", "body", "frame", "replicate", "default". frame and replicate are transparent: they
take what the body around them takes, which is what `enclosing` is for: the nearest kind around that is not
transparent. Walking down, pass `enclosing=schema.enclosing(row, enclosing)` on to the next level.

An AttributeRow says how a value is read (values.parse), a default (row.default, text), what it declares or refers
to, unit, useful range and help. Settings by default class: defaults.Defaults.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Protocol

from kinetree.engine.diagnostics import Severity
from kinetree.engine.mjcf.schema_rows import MPEX, MUJOCO, AttributeRow, ElementRow
from kinetree.engine.mjcf.schema_table import ELEMENTS

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.document.tree import Node

__all__ = [
    "ELEMENTS",
    "INCLUDE",
    "MPEX",
    "MUJOCO",
    "ROOT",
    "AttributeRow",
    "ElementRow",
    "child",
    "children",
    "declares",
    "declaring",
    "enclosing",
    "kinds",
    "nearest",
    "of",
    "parents",
    "referred",
    "row",
]

ROOT = ELEMENTS["mujoco"]
INCLUDE = ELEMENTS["include"]

_CHILDREN: dict[str, dict[str, ElementRow]] = {
    id: {ELEMENTS[child].tag: ELEMENTS[child] for child in element.children} for id, element in ELEMENTS.items()
}
_KINDS: dict[str, list[ElementRow]] = {}
_PARENTS: dict[str, list[ElementRow]] = {id: [] for id in ELEMENTS}
for _element in ELEMENTS.values():
    _KINDS.setdefault(_element.tag, []).append(_element)
    for _child in _element.children:
        _PARENTS[_child].append(_element)
#: Namespaces by object type; dof has none, its names do not exist in the text.
_SPACES = {
    each.declares: each.declares
    for element in ELEMENTS.values()
    for each in element.attributes.values()
    if each.declares
}
_SPACES["xbody"] = "body"


@cache
def declares(id: str) -> tuple[str, ...]:
    """The namespaces in which elements of one kind declare names: those of `kinetree.engine.model.kinds`, "class",
    "frame" and "model"."""
    return tuple(each.declares for each in ELEMENTS[id].attributes.values() if each.declares)


@cache
def declaring(space: str) -> tuple[str, ...]:
    """The ids of the elements that declare names in a namespace, in the order of the table: those that make objects of
    that kind."""
    return tuple(id for id in ELEMENTS if space in declares(id))


class Valued(Protocol):
    """An element: what is written in it."""

    def get(self, name: str, /) -> str | None: ...


def referred(row: AttributeRow, node: Valued) -> str | None:
    """The namespace that an attribute of an element refers to, which another attribute of it may name; None if there is
    none."""
    space = row.refers
    if space is None or not space.startswith("@"):
        return space
    return _SPACES.get(node.get(space[1:]) or "")


def enclosing(row: ElementRow, around: ElementRow | None = None) -> ElementRow:
    """The row that decides about the children of `row`: the row itself, or the one around a transparent row."""
    return around if row.transparent and around is not None else row


def children(row: ElementRow, around: ElementRow | None = None) -> dict[str, ElementRow]:
    """The kinds that may stand inside `row`, by tag. `around` is the nearest kind that is not transparent."""
    return _CHILDREN[enclosing(row, around).id]


def child(row: ElementRow, tag: str, around: ElementRow | None = None) -> ElementRow | None:
    """The kind of a child with this tag, or None if it does not belong there. include may stand anywhere."""
    found = _CHILDREN[enclosing(row, around).id].get(tag)
    if found is None and tag == "include":
        return INCLUDE
    return found


def of(node: Node) -> ElementRow | None:
    """The kind of a node by its parents; None where the element is unknown or in the wrong place."""
    path = []
    while node.parent is not None:
        path.append(node.tag)
        node = node.parent
    if node.tag != ROOT.tag:
        return None
    current, around = ROOT, ROOT
    for tag in reversed(path):
        found = child(current, tag, around)
        if found is None:
            return None
        current, around = found, enclosing(found, around)
    return current


def row(node: Node, name: str) -> AttributeRow | None:
    """The row of one attribute of a node, or None if the node or the attribute is unknown."""
    element = of(node)
    return None if element is None else element.attributes.get(name)


def kinds(tag: str) -> list[ElementRow]:
    """Every kind that this tag can be in some place."""
    return _KINDS.get(tag, [])


def parents(row: ElementRow) -> list[ElementRow]:
    """The kinds that `row` may stand inside, transparent ones included."""
    return _PARENTS[row.id]


MOST_COMPARED = 1000
"""Names that `nearest` compares letter by letter."""


def suggestion(
    diagnostics: Diagnostics, code: str, name: str, candidates: Iterable[str], severity: Severity = Severity.ERROR
) -> str | None:
    """`nearest` for the message of a finding; None where there are so many of its kind that it is only counted."""
    return None if diagnostics.has_enough(severity, code) else nearest(name, candidates)


def nearest(name: str, candidates: Iterable[str]) -> str | None:
    """The candidate that was probably meant: equal but for case and spaces, or similar enough; None if none is. Of more
    than MOST_COMPARED candidates only those that begin alike are compared, and of those the first ones."""
    candidates = list(candidates)
    plain = name.strip().lower()
    for candidate in candidates:
        if candidate.lower() == plain:
            return candidate
    if len(candidates) > MOST_COMPARED:
        candidates = [
            candidate
            for candidate in candidates
            if candidate[:1].lower() == plain[:1] and abs(len(candidate) - len(plain)) < 3
        ][:MOST_COMPARED]
    lowered = {candidate.lower(): candidate for candidate in reversed(candidates)}
    found = get_close_matches(plain, lowered, n=1, cutoff=0.6)
    return lowered[found[0]] if found else None
