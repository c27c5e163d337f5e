"""Names and references of elements, and copies of elements under other names."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from kinetree.engine.mjcf.elements import Body, Element, Expansion
from kinetree.engine.mjcf.schema_rows import ElementRow
from kinetree.engine.model.kinds import KINDS, ON_BODIES

PARTS = {kind: KINDS[kind].plural for kind in ON_BODIES}
"""Kinds of parts of a body, and the lists that they are in."""

Names = dict[str, set[str]]
"""namespace -> names"""


class NameReference(NamedTuple):
    """A name, or a list of names, that an element refers to."""

    attribute: str
    space: str
    value: str | list[str]


@cache
def _referring(row: ElementRow) -> list[tuple[str, str]]:
    """(attribute, namespace) of the attributes that refer to names."""
    return [(name, known.refers) for name, known in row.attributes.items() if known.refers and known.refers != "class"]


def references(element: Element) -> Iterator[NameReference]:
    """The references in the attributes of one element."""
    for attribute, refers in _referring(element.row):
        if attribute in element.given:
            space = element.get(refers[1:], "") if refers.startswith("@") else refers
            value = element[attribute]
            if value:
                yield NameReference(attribute, "body" if space == "xbody" else space, value)


def mentions(element: Element) -> Iterator[tuple[str, str]]:
    """(namespace, name) of all references of the element and its children."""
    for _, space, value in references(element):
        for name in (value,) if isinstance(value, str) else value:
            yield space, name
    for item in element.items:
        yield from mentions(item)


def declared(element: Element, names: Names) -> int:
    """Add the names of an element and of its parts; returns how many elements there are."""
    count, stack = 0, [element]
    while stack:
        at = stack.pop()
        count += 1
        if at.name:
            names.setdefault(at.kind, set()).add(at.name)
        if isinstance(at, Body):
            for part in PARTS.values():
                stack.extend(getattr(at, part))
    return count


def weight(elements: list[Element]) -> int:
    """The size of a list for the limit of copies: one for each element, and more for large flexes."""
    return sum(1 + len(element.get("element", ())) // 100 for element in elements)


def renamed(
    element: Element,
    name: Callable[[str], str],
    refer: Callable[[str, str], str],
    step: Expansion,
    shared: dict[int, Element] | None = None,
) -> Element:
    """A deep copy with other names.

    name    gives an element its new name
    refer   gives a reference its new name, from its namespace and the present name
    step    the step of expansion that makes the copy
    """
    shared = {} if shared is None else shared  # plugins that several bodies share
    twin = element.copy()
    twin.name = name(element.name)
    twin.made_by = (*element.made_by, step)
    twin.states, element.states = element.states, {}
    changed = {
        attribute: refer(space, value) if isinstance(value, str) else [refer(space, each) for each in value]
        for attribute, space, value in references(element)
    }
    if changed:
        twin.values = {**element.values, **changed}
    twin.links = [
        (tag, {**own, **{key: value for key, value in changed.items() if key in own}}) for tag, own in element.links
    ]
    if isinstance(element, Body) and isinstance(twin, Body):
        for part in PARTS.values():
            setattr(twin, part, [renamed(inner, name, refer, step, shared) for inner in getattr(element, part)])
        twin.inertial = element.inertial
        if element.plugin is not None:
            if id(element.plugin) not in shared:
                shared[id(element.plugin)] = renamed(element.plugin, name, refer, step)
            twin.plugin = shared[id(element.plugin)]
        for body in twin.bodies:
            body.parent = twin
    elif element.items:
        twin.items = [renamed(item, name, refer, step) for item in element.items]
    return twin
