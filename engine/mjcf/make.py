"""Makes elements that do not stand in the text: those of composite, flexcomp, URDF and x_xy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from kinetree.engine.mjcf import schema
from kinetree.engine.mjcf.defaults import class_values
from kinetree.engine.mjcf.elements import Body, Element, Spec
from kinetree.engine.mjcf.reader import row_defaults

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Node

Defaults = dict[str, Any]


def element(
    id: str,
    node: Node,
    values: dict[str, Any],
    kind: str = "",
    defaults: Defaults | None = None,
    make=Element,
) -> Any:
    """An element with the schema id `id`, located at `node`: `values` over the schema's defaults.

    defaults   settings of a default class, which count as given
    """
    row = schema.ELEMENTS[id]
    given = {**(defaults or {}), **values}
    return make(kind or row.tag, row, node, values.get("name", ""), {**row_defaults(id), **given}, set(given))


def defaults(spec: Spec, id: str, childclass: str | None = None) -> Defaults:
    """The settings of a default class for a kind of element; without one, of the outermost."""
    if spec.defaults is None:
        return {}
    return class_values(spec.defaults.class_of(spec.root, childclass), schema.ELEMENTS[id])


def body(node: Node, name: str, values: dict[str, Any]) -> Body:
    """An empty body, located at `node`."""
    return element("body", node, {"name": name, **values} if name else values, make=Body)


def add(parent: Body, child: Body) -> None:
    parent.bodies.append(child)
    child.parent = parent


def plugin(spec: Spec, part: Element, name: str) -> Element:
    """Plugin elements by which bodies share one plugin instance; an instance without a name is declared as `name`."""
    values = {key: part[key] for key in ("plugin", "instance") if part.get(key)}
    if "plugin" in values and "instance" not in values:
        made = element("plugin.instance", part.node, {"name": name, "plugin": values["plugin"]}, "plugin")
        made.items = part.items
        spec.lists["plugin"].append(made)
        values["instance"] = name
    return element("body.plugin", part.node, values)
