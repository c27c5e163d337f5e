"""Default classes for the writer: which to write, under which names, with which settings.

Names, nesting and settings stay as the author wrote them where possible. A class cannot unset what its parent sets.
Where that would be needed, the outermost class is written empty and its settings move to a class inside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kinetree.engine.mjcf import schema, values
from kinetree.engine.mjcf.defaults import MAIN, DefaultClass, Defaults, class_values, default_group
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.mjcf.exceptions import ALTERNATIVES
from kinetree.engine.mjcf.printing import PrintedElement
from kinetree.engine.mjcf.reader import row_defaults
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow

_ROWS = {
    (default_group(id) or ""): schema.ELEMENTS[id] for id in schema.ELEMENTS["default"].children if id != "default"
}
_GENERAL = "default.general"


class Classes:
    """The classes to write, with their names and settings.

    names   class -> name in the text
    """

    def __init__(self, defaults: Defaults | None, elements: Iterable[Element], mpex: bool = False):
        self.mpex = mpex
        self._settings: dict[tuple[int, str], dict[str, Any]] = {}
        self.empty = DefaultClass(MAIN, None, None)
        self.main = defaults.main if defaults is not None else self.empty
        self.classes: list[DefaultClass] = [self.main]
        self.parents: dict[DefaultClass, DefaultClass | None] = {self.main: None}
        elements = list(elements)
        for found in [*(defaults or ()), *(e.default for e in elements if e.default is not None)]:
            self._add(found)
        if not (self._possible() and self._choose(elements)):
            self._lift()
            self._choose(elements)
        self.names: dict[DefaultClass, str] = {}
        taken: set[str] = set()
        for found in self.classes:
            name, number = found.name, 1
            if found is not self.classes[0] and name == MAIN:
                name = "model"
            base = name
            while name in taken:
                number += 1
                name = f"{base}_{number}"
            taken.add(name)
            self.names[found] = name

    def _add(self, found: DefaultClass) -> None:
        chain = []
        current: DefaultClass | None = found
        while current is not None and current not in self.parents:
            chain.append(current)
            current = current.parent
        for each in reversed(chain):
            self.classes.append(each)
            self.parents[each] = each.parent if each.parent is not None else self.main

    def of(self, element: Element) -> DefaultClass:
        """The class that an element takes its settings from (a body: the class of its children)."""
        found = self._given.get(element)
        return found if found is not None else self._wanted(element)

    def _wanted(self, element: Element) -> DefaultClass:
        return self.main if element.default is None else element.default

    def settings(self, of: DefaultClass, row: ElementRow) -> dict[str, Any]:
        """Typed settings of a class, as written, for a kind of element."""
        if row.default is None and default_group(row.id) is None:
            return {}
        key = (id(of), row.id)
        found = self._settings.get(key)
        if found is None:
            found = self._settings[key] = class_values(of, row)
        return found

    # ---- can the classes be written unchanged? --------------------------------------------------------------

    def _possible(self) -> bool:
        for found, parent in self.parents.items():
            if parent is not None and any(self._open(found, parent, group) for group in _ROWS):
                return False
        return True

    def _choose(self, elements: list[Element]) -> bool:
        """Choose a class for every element: its own, or an enclosing one that sets nothing the element leaves unset.

        False where even the outermost class sets too much.
        """
        self._given: dict[Element, DefaultClass] = {}
        for element in elements:
            if element.row.default is None or element.links:
                continue
            found: DefaultClass | None = self._wanted(element)
            while found is not None and not self._fits(found, element):
                found = self.parents[found]
            if found is None:
                return False
            self._given[element] = found
        return True

    def _fits(self, found: DefaultClass, element: Element) -> bool:
        given = self.settings(found, element.row)
        if element.frame is not None and "fromto" in given:
            return False
        return all(name in element.values or name in ALTERNATIVES for name in given)

    def _open(self, inner: DefaultClass, outer: DefaultClass, group: str) -> bool:
        """Whether the outer class sets something that the inner class leaves unset."""
        if group == _GENERAL:
            chain = outer.chains.get(group, [])
            return inner.chains.get(group, [])[: len(chain)] != chain
        row = _ROWS[group]
        mine, theirs = self.settings(inner, row), self.settings(outer, row)
        return any(name not in mine and row.attributes[name].default is None for name in theirs)

    def _lift(self) -> None:
        """Put an empty class around all classes; a class that cannot stay inside its parent moves directly into it."""
        self.main = self.empty
        for found, parent in list(self.parents.items()):
            if parent is None or any(self._open(found, parent, group) for group in _ROWS):
                self.parents[found] = self.empty
        self.classes = [self.empty, *self.classes]
        self.parents = {self.empty: None, **self.parents}

    # ---- as text -----------------------------------------------------------------------------------------

    def sections(self) -> list[list[PrintedElement]]:
        """The contents of the outermost <default> elements.

        There are several where the outermost class sets an actuator shortcut twice. Where an inner class does, its
        first settings go into an additional class around it.
        """
        *sections, last = _rounds(self._changes(self.classes[0]))
        into = {self.classes[0]: last}
        taken = set(self.names.values())
        for found in self.classes[1:]:
            *before, own = _rounds(self._changes(found))
            parent = self.parents[found]
            assert parent is not None  # only the outermost class has none
            place = into[parent]
            for items in before:
                number = 1
                while (name := f"{self.names[found]}_{number}") in taken:
                    number += 1
                taken.add(name)
                place.append(PrintedElement("default", [("class", name)], items))
                place = items
            place.append(PrintedElement("default", [("class", self.names[found])], own))
            into[found] = own
        return [*sections, last]

    def _changes(self, found: DefaultClass) -> list[PrintedElement]:
        parent = self.parents[found]
        result = []
        for group, row in _ROWS.items():
            if group == _GENERAL:
                result += self._actuators(found, parent)
                continue
            mine = self.settings(found, row)
            theirs = self.settings(parent, row) if parent is not None else {}
            unset = row_defaults(row.id, self.mpex)
            item = PrintedElement(row.tag)
            for name, known in row.attributes.items():
                value, below = mine.get(name), theirs.get(name)
                default = unset.get(name)
                if name not in mine:
                    if name in theirs:  # back to the default without any class
                        back = shortened(known, default, below)
                        item.attributes.append((name, values.write(back, known)))
                    continue
                base = below if below is not None else default
                if (
                    values.equal(value, base)
                    and name not in ALTERNATIVES
                    and (known.dialect == schema.MUJOCO or below is not None)
                ):
                    continue
                item.attributes.append((name, values.write(shortened(known, value, base), known)))
            if item.attributes:
                result.append(item)
        return result

    def _actuators(self, found: DefaultClass, parent: DefaultClass | None) -> list[PrintedElement]:
        """Actuator shortcuts in their order: each may overwrite settings of those before it."""
        chain = found.chains.get(_GENERAL, [])
        before = parent.chains.get(_GENERAL, []) if parent is not None else []
        result = []
        for node in chain[len(before) :]:
            row = schema.child(schema.ELEMENTS["default"], node.tag)
            item = PrintedElement(node.tag)
            assert row is not None  # the reader accepted it
            for attribute in node.attributes:
                known = row.attributes.get(attribute.name)
                value = values.parse(attribute, known) if known is not None else None
                if known is not None and value is not None:
                    item.attributes.append((attribute.name, values.write(value, known)))
            result.append(item)
        return result


def _rounds(items: list[PrintedElement]) -> list[list[PrintedElement]]:
    """Settings in order, in lists that have each kind once."""
    rounds: list[list[PrintedElement]] = [[]]
    for item in items:
        if any(item.tag == each.tag for each in rounds[-1]):
            rounds.append([])
        rounds[-1].append(item)
    return rounds


def shortened(known: AttributeRow, value: Any, below: Any) -> Any:
    """The shortest array that the reader completes to the same values from `below`."""
    if known.repeats:
        return value[:1] if (value == value[0]).all() else value
    return values.trim(value, below, known)
