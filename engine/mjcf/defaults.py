"""The tree of default classes, and the settings that an element takes from it.

    defaults = Defaults(root, diagnostics)        root: the <mujoco> node, includes merged
    defaults.resolve(node, row, childclass)       {name: Attribute}: own text over class over parents over main
    defaults.values(node, row, childclass, d)     {name: value}, typed; short arrays completed from below
    defaults.chain(node, row, childclass)         the default elements that apply, in the order of application
    defaults.childclass(node)                     the childclass in force for the children of `node`
    inner_childclass(node, row, childclass)       the same while walking down, from the one around `node`

Pass `diagnostics` to the constructor only where validate.validate has not run: that reports the same errors.

Rules (MuJoCo's XML reference, "default", and mujoco 3.3.4 where that is silent):
  - a class starts as a copy of its parent class; settings that stand directly in the parent are read first, whatever
    the order in the file;
  - the outermost class is "main", with or without a name; it may be split into several elements;
  - an element takes its own `class`, else the nearest `childclass` around it, else main;
  - a blank number counts as not given; a short array takes its remaining values from the class or the default;
  - all actuator shortcuts in a class (general, motor, position, ...) set the one actuator default of that class:
    settings of the same name override each other in file order. The values that a shortcut implies beyond its own
    attributes (gains, biases, dynamics) are applied by engine/expand/actuator_shortcuts.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.mjcf import schema, values
from kinetree.engine.mjcf.schema_rows import ElementRow
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.document.tree import Attribute, Node

__all__ = [
    "MAIN",
    "DefaultClass",
    "Defaults",
    "class_values",
    "complete",
    "default_group",
    "inner_childclass",
]

MAIN = "main"
_TRANSPARENT = frozenset(row.tag for row in schema.ELEMENTS.values() if row.transparent)

#: Which settings each default element writes to: the actuator shortcuts share one group.
_ACTUATOR_GROUP = "default.general"
_GROUP: dict[str, str] = {}
for _id in schema.ELEMENTS["default"].children:
    if _id != "default":
        _GROUP[_id] = _id
for _element in schema.ELEMENTS["actuator"].children:
    _tag = schema.ELEMENTS[_element].tag
    if f"default.{_tag}" in _GROUP:
        _GROUP[f"default.{_tag}"] = _ACTUATOR_GROUP


def default_group(id: str) -> str | None:
    """The group of settings that a default element writes to: its own id, or "default.general" for actuators."""
    return _GROUP.get(id)


def _own_childclass(node: Node) -> str | None:
    name = node.get("childclass")
    if name is None and node.tag in _TRANSPARENT:
        name = node.get("class")
    return name


def inner_childclass(node: Node, row: ElementRow, childclass: str | None) -> str | None:
    """The childclass for the children of `node`, given the one in force around it.

    A frame or replicate can also write it as `class`.
    """
    name = _own_childclass(node) if row.transparent or "childclass" in row.attributes else None
    return childclass if name is None else name


class DefaultClass:
    """One class: its name, where it is declared, and the default elements that make it up, parents' first."""

    __slots__ = ("chains", "name", "node", "parent")

    def __init__(self, name: str, parent: DefaultClass | None, node: Node | None) -> None:
        self.name = name
        self.parent = parent
        self.node = node
        self.chains: dict[str, list[Node]] = (
            {group: list(nodes) for group, nodes in parent.chains.items()} if parent is not None else {}
        )

    def elements(self, row: ElementRow) -> list[Node]:
        """The default elements that apply to one kind of element, in the order in which they are applied."""
        return [] if row.default is None else self.chains.get(_GROUP[row.default], [])

    def __repr__(self) -> str:
        return f"DefaultClass({self.name!r})"


class Defaults:
    """All default classes of a model. See the module's docstring for the rules.

    twins   (prefix, class of an attached model) -> its copy in this model
    """

    def __init__(self, root: Node, diagnostics: Diagnostics | None = None) -> None:
        self.main = DefaultClass(MAIN, None, None)
        self.classes: dict[str, DefaultClass] = {MAIN: self.main}
        self.twins: dict[tuple[str, DefaultClass], DefaultClass] = {}
        self._diagnostics = diagnostics
        self._attributes: dict[tuple[str, str], dict[str, Attribute]] = {}
        self._values: dict[tuple[str, str, str], dict[str, Any]] = {}
        for section in root.children:
            if section.tag == "default":
                self._read_top(section)

    # -------------------------------------------------------------------------------------------- reading

    def _read_top(self, node: Node) -> None:
        declared = node.attribute("class")
        if declared is not None and declared.value not in ("", MAIN):
            self._error(
                declared,
                "bad-class",
                tr(
                    "the outermost default class is called '{main}' and cannot be renamed to '{value}'; remove "
                    "the attribute, or put a default element with this class inside",
                    main=MAIN,
                    value=declared.value,
                ),
            )
        if self.main.node is None:
            self.main.node = node
        todo = [(inside, self.main) for inside in self._read_settings(node, self.main)]
        while todo:
            inside, parent = todo.pop(0)
            created = self._read_class(inside, parent)
            todo[:0] = [(each, created) for each in self._read_settings(inside, created)]

    def _read_settings(self, node: Node, into: DefaultClass) -> list[Node]:
        """Read the settings directly inside a default element; returns the default elements inside it."""
        inside = []
        for child in node.children:
            if child.tag == "default":
                inside.append(child)
                continue
            row = schema.child(schema.ELEMENTS["default"], child.tag)
            if row is not None and row.id in _GROUP:
                into.chains.setdefault(_GROUP[row.id], []).append(child)
        return inside

    def _read_class(self, node: Node, parent: DefaultClass) -> DefaultClass:
        declared = node.attribute("class")
        name = declared.value if declared is not None else ""
        if not name:
            message = tr('a default class inside another needs a name; add class="..."')
            self._error(declared or node, "missing-attribute", message)
        elif name in self.classes:
            first = self.classes[name].node
            if name == MAIN:
                message = tr("the class name '{name}' is taken by the outermost class; choose another name", name=MAIN)
            elif first is None:
                message = tr("the default class '{name}' is declared twice; rename one of them", name=name)
            else:
                message = tr(
                    "the default class '{name}' is declared twice, first in line {line}; rename one of them",
                    name=name,
                    line=first.line,
                )
            self._error(declared or node, "repeated-class", message)
        created = DefaultClass(name, parent, node)
        if name and name not in self.classes:
            self.classes[name] = created
        return created

    def _error(self, where: Any, code: str, message: str) -> None:
        if self._diagnostics is not None:
            self._diagnostics.error(where, code, message)

    # -------------------------------------------------------------------------------------------- looking up

    def attach(self, prefix: str, other: Defaults) -> None:
        """Add the classes of an attached model, with the prefix before their names and the same nesting."""
        for name, found in other.classes.items():
            if prefix + name not in self.classes:
                parent = None if found.parent is None else self.twins.get((prefix, found.parent))
                twin = self.classes[prefix + name] = DefaultClass(prefix + name, parent, found.node)
                twin.chains = found.chains
                self.twins[prefix, found] = twin

    def find(self, name: str) -> DefaultClass | None:
        """The class with this name, or None."""
        return self.classes.get(name)

    def childclass(self, node: Node) -> str | None:
        """The childclass in force for the elements directly inside `node`, None if there is none."""
        current: Node | None = node
        while current is not None:
            name = _own_childclass(current)
            if name is not None:
                return name
            current = current.parent
        return None

    def class_of(self, node: Node, childclass: str | None = None) -> DefaultClass:
        """The class of an element: its own, else `childclass`, else main. An unknown class counts as main."""
        name = node.get("class")
        if name is None:
            name = childclass
        return self.main if name is None else self.classes.get(name, self.main)

    def chain(self, node: Node, row: ElementRow, childclass: str | None = None) -> list[Node]:
        """The default elements that apply to `node`, in the order in which they are applied: main's first."""
        return self.class_of(node, childclass).elements(row)

    def resolve(self, node: Node, row: ElementRow, childclass: str | None = None) -> dict[str, Attribute]:
        """Attributes by name: the node's own, then those of its class that `row` knows.

        A blank attribute is left out where a class sets it. Every Attribute keeps its place in the text, so that an
        error in a value from a default points at the default.
        """
        own = {attribute.name: attribute for attribute in node.attributes}
        if row.default is None:
            return own
        resolved = dict(self._class_attributes(self.class_of(node, childclass), row, _GROUP[row.default]))
        for name, attribute in own.items():
            known = row.attributes.get(name)
            if name in resolved and known is not None and values.is_blank(attribute.value, known):
                continue
            resolved[name] = attribute
        return resolved

    def _class_attributes(self, of: DefaultClass, row: ElementRow, group: str) -> dict[str, Attribute]:
        key = (of.name, row.id)
        found = self._attributes.get(key)
        if found is None:
            found = {}
            for element in of.chains.get(group, ()):
                for attribute in element.attributes:
                    known = row.attributes.get(attribute.name)
                    if known is None:
                        continue
                    if attribute.name in found and values.is_blank(attribute.value, known):
                        continue
                    found[attribute.name] = attribute
            self._attributes[key] = found
        return found

    def values(
        self,
        node: Node,
        row: ElementRow,
        childclass: str | None = None,
        diagnostics: Diagnostics | None = None,
        *,
        fill: bool = True,
    ) -> dict[str, Any]:
        """Typed values by name: own over class over parents over main. Values that are unset or invalid are left out.

        `fill`: short arrays are completed from the class's and then from the row's
        default, as MuJoCo does. Errors in class settings are reported by validate only.
        """
        result = dict(self._class_values(self.class_of(node, childclass), row, fill)) if row.default else {}
        add_values(result, node, row, fill, diagnostics)
        return result

    def _class_values(self, of: DefaultClass, row: ElementRow, fill: bool) -> dict[str, Any]:
        key = (of.name, row.id, "fill" if fill else "")
        found = self._values.get(key)
        if found is None:
            found = self._values[key] = class_values(of, row, fill)
        return found

    def __iter__(self) -> Iterator[DefaultClass]:
        return iter(self.classes.values())


def class_values(of: DefaultClass, row: ElementRow, fill: bool = True) -> dict[str, Any]:
    """The typed settings of a class for one kind of element; see Defaults.values."""
    found: dict[str, Any] = {}
    for element in of.chains.get(_GROUP[row.default or row.id], ()):
        add_values(found, element, row, fill)
    return found


def add_values(
    found: dict[str, Any], node: Node, row: ElementRow, fill: bool, diagnostics: Diagnostics | None = None
) -> None:
    """Overwrite `found` with the attributes of one node."""
    rows = row.attributes
    for attribute in node.attributes:
        name = attribute.name
        known = rows.get(name)
        if known is None:
            continue
        value = values.parse(attribute, known, diagnostics)
        if value is None:
            continue
        if fill and known.max_count != 1:
            value = complete(known, value, found.get(name))
        found[name] = value


def complete(row: schema.AttributeRow, value: Any, below: Any) -> Any:
    """A short array, completed from `below` or from the default of its row."""
    if len(value) == row.max_count and row.mpex_max_count is None:
        return value
    if row.repeats and row.max_count is not None and len(value) == 1:
        return np.repeat(value, row.max_count)
    return values.fill(value, below if below is not None else _row_default(row))


def _row_default(row: schema.AttributeRow) -> Any:
    """The default that completes a short array, for rows that allow short arrays."""
    return values.default(row) if row.max_count is not None and row.min_count < row.max_count else None
