"""Reads an MJCF document into a Spec: elements with typed values, defaults applied.

The reader knows no element by name, only the sections: types, defaults and references come from the schema table, what
is not supported from `engine/model/unsupported.py`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from kinetree.engine.mjcf import schema, values
from kinetree.engine.mjcf.defaults import DefaultClass, Defaults, add_values, class_values, complete
from kinetree.engine.mjcf.elements import LISTS, Body, Element, SettingsValues, Spec
from kinetree.engine.mjcf.exceptions import ALTERNATIVES
from kinetree.engine.mjcf.schema_rows import ElementRow
from kinetree.engine.model import unsupported
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics, Located
    from kinetree.engine.document.tree import Node

_KINDS = {
    "body": "body",
    "frame": "frame",
    "replicate": "replicate",
    "body.inertial": "inertial",
    "body.joint": "joint",
    "body.freejoint": "joint",
    "body.geom": "geom",
    "body.site": "site",
    "body.camera": "camera",
    "body.light": "light",
    "body.composite": "composite",
    "body.flexcomp": "flexcomp",
    "body.attach": "attach",
    "body.plugin": "plugin",
}
_SECTIONS = {
    "asset": None,
    "deformable": None,
    "contact": None,
    "equality": "equality",
    "tendon": "tendon",
    "actuator": "actuator",
    "sensor": "sensor",
    "custom": None,
    "keyframe": "key",
}


@cache
def row_defaults(id: str, mpex: bool = False) -> dict[str, Any]:
    """The schema's defaults of one kind of element, typed; `mpex`: those of the Motphys dialect."""
    found = {name: values.default(row, mpex) for name, row in schema.ELEMENTS[id].attributes.items()}
    return {name: value for name, value in found.items() if value is not None}


def read(root: Node, diagnostics: Diagnostics, defaults: Defaults | None = None, folder: Path | None = None) -> Spec:
    """The spec of a <mujoco> element, includes merged. Errors and what is not supported go to `diagnostics`.

    `defaults`: the default classes, if already read; `folder`: the folder that file names are relative to.
    """
    return _MjcfReader(root, diagnostics, defaults or Defaults(root)).read(folder or Path())


class _Start(NamedTuple):
    """The start values of elements of one kind and class.

    values  the schema's defaults, overridden by the settings of the class
    given   the attributes that the class sets
    review  whether one of the class's values may lead to a diagnostic
    """

    values: dict[str, Any]
    given: dict[str, Any]
    review: bool


@cache
def _watched(row: ElementRow) -> frozenset[str]:
    """The attributes of a kind of element whose values may lead to a diagnostic."""
    named = unsupported.attributes(row.id)
    return frozenset(
        name
        for name, known in row.attributes.items()
        if name in named
        or known.same_as is not None
        or known.dialect == schema.MPEX
        or known.mpex_choices
        or known.mpex_max_count is not None
        or not values.finite(values.default(known))
    )


class _MjcfReader:
    def __init__(self, root: Node, diagnostics: Diagnostics, defaults: Defaults):
        self.root = root
        self.diagnostics = diagnostics
        self.defaults = defaults
        self.mpex = False
        self.sections: dict[str, list[Node]] = {}
        for child in root.children:
            self.sections.setdefault(child.tag, []).append(child)
        self.starts: dict[tuple[DefaultClass | None, str], _Start] = {}
        self.foreign: Any = None  # the first attribute or element of the Motphys dialect

    def read(self, folder: Path) -> Spec:
        root, settings = self.root, self.settings
        compiler = settings("compiler")
        self.mpex = compiler["dialect"] == "mpex"
        world_row = schema.ELEMENTS["worldbody"]
        worlds = [child for child in root.children if child.tag == "worldbody"]
        world = Body(
            "body",
            world_row,
            worlds[0] if worlds else root,
            "world",
            dict(row_defaults("body", self.mpex)),
            set(),
        )
        visual = {
            schema.ELEMENTS[id].tag: settings("visual", id)
            for id in schema.ELEMENTS["visual"].children
            if schema.ELEMENTS[id].tag not in LISTS
        }
        spec = Spec(
            name=root.get("model") or "MuJoCo Model",
            root=root,
            world=world,
            compiler=compiler,
            option=settings("option"),
            flag=settings("option", "option.flag"),
            size=settings("size"),
            statistic=settings("statistic"),
            lengthrange=settings("compiler", "compiler.lengthrange"),
            visual=visual,
            lists={kind: [] for kind in LISTS},
            defaults=self.defaults,
            folder=folder,
        )
        for section in root.children:
            row = schema.child(schema.ROOT, section.tag)
            if row is None:
                continue
            if section.tag == "worldbody":
                self.body(section, world, world_row, world_row, None)
            elif section.tag == "default":
                self.default(section)
            elif section.tag == "extension":
                self.extension(spec, section)
            elif section.tag in _SECTIONS:
                self.section(spec, section, row)
            else:
                for child in section.children:
                    inner = schema.child(row, child.tag)
                    if inner is not None and not self.refused(child, inner) and child.tag in spec.lists:
                        spec.lists[child.tag].append(self.element(child.tag, child, inner, None))
        if self.foreign is not None and "dialect" not in compiler.given:
            self.diagnostics.info(
                self.foreign,
                "motphys-dialect",
                tr(
                    "this is of the Motphys dialect; other defaults are MuJoCo's all the same, unless compiler says "
                    'dialect="mpex"'
                ),
            )
        return spec

    def default(self, node: Node) -> None:
        """Report elements in default classes that are not supported."""
        for child in node.iter():
            row = schema.child(schema.ELEMENTS["default"], child.tag)
            found = unsupported.of_element(row.id) if row is not None else None
            if found is not None and found.effect == unsupported.REFUSED:
                self.diagnostics.error(child, found.effect, found.message())

    # ---- one element --------------------------------------------------------------------------------

    def refused(self, node: Node, row: ElementRow) -> bool:
        found = unsupported.of_element(row.id)
        if found is None:
            return False
        self.report(node, found, None)
        return found.effect == unsupported.REFUSED

    def report(self, place: Located, row: unsupported.UnsupportedRow, value: Any) -> None:
        """Report something that is not supported, as an error or a warning."""
        severity = self.diagnostics.error if row.effect == unsupported.REFUSED else self.diagnostics.warning
        severity(place, row.effect, row.message(value))

    def element(self, kind: str, node: Node, row: ElementRow, childclass: str | None, make=Element) -> Element:
        of = None if row.default is None else self.defaults.class_of(node, childclass)
        start = self.starts.get((of, row.id))
        if start is None:
            start = self.starts[of, row.id] = self.start(of, row)
        result, given, review = start.values.copy(), set(start.given), start.review
        rows, watched = row.attributes, _watched(row)
        for attribute in node.attributes:
            name, text = attribute.name, attribute.value
            known = rows.get(name)
            if known is None:
                continue
            short = len(text) <= values.SHORT
            value = values.read(text, known)[0] if short else values.parse(attribute, known)
            if value is None:
                continue
            if known.max_count != 1:
                value = complete(known, value, start.given.get(name))
            result[name] = value
            given.add(name)
            if name in watched or (known.type == "real" and ("n" in text or "N" in text)):  # inf, nan
                review = True
        if review:
            self.review(node, row, childclass, result, given)
        if of is not None:
            self.alternatives(node, result, given)
        made = make(kind, row, node, result.get("name", ""), result, given)
        made.default = of
        return made

    def start(self, of: DefaultClass | None, row: ElementRow) -> _Start:
        """The start values of elements of one kind and class."""
        given = {} if of is None else class_values(of, row)
        review = not _watched(row).isdisjoint(given) or not all(map(values.finite, given.values()))
        return _Start({**row_defaults(row.id, self.mpex), **given}, given, review)

    def review(
        self, node: Node, row: ElementRow, childclass: str | None, result: dict[str, Any], given: set[str]
    ) -> None:
        """Report values that are not finite, not supported, or of the Motphys dialect, and give attributes with two
        spellings their usual name."""
        for name in [name for name in result if name in given]:
            known, value = row.attributes[name], result[name]
            if self.foreign is None and known.is_foreign(value):
                self.foreign = self.where(node, row, childclass, name)
            if known.same_as is not None:
                del result[name]
                given.remove(name)
                if known.same_as not in given:
                    result[known.same_as] = value
                    given.add(known.same_as)
            if not values.finite(value):
                self.not_finite(node, row, childclass, name)
            missing = unsupported.of_value(row.id, name, value)
            if missing is not None:
                self.report(self.where(node, row, childclass, name), missing, value)

    def alternatives(self, node: Node, result: dict[str, Any], given: set[str]) -> None:
        """Keep one orientation: the element's own alternative form replaces that of its class."""
        several = [name for name in ALTERNATIVES if name in given]
        if len(several) > 1:
            own = [name for name in several if node.attribute(name) is not None]
            for name in several:
                if name not in own[:1] and not (not own and name == several[0]):
                    del result[name]
                    given.remove(name)

    def where(self, node: Node, row: ElementRow, childclass: str | None, name: str):
        return self.defaults.resolve(node, row, childclass).get(name, node)

    def not_finite(self, node: Node, row: ElementRow, childclass: str | None, name: str) -> None:
        self.diagnostics.error(
            self.where(node, row, childclass, name),
            "not-finite",
            tr("{name} holds a number that is infinite or not a number; write a finite one", name=name),
        )

    def settings(self, section: str, id: str | None = None) -> SettingsValues:
        """A settings element: all its occurrences, later ones override earlier ones."""
        row = schema.ELEMENTS[id or section]
        result = SettingsValues(row_defaults(row.id, self.mpex))
        for node in self.sections.get(section, ()):
            for found in [node] if id is None else [c for c in node.children if c.tag == row.tag]:
                if self.refused(found, row):
                    continue
                for name, value in self.element("", found, row, None).values.items():
                    attribute = found.attribute(name)
                    if attribute is not None and self.mpex and values.means_default(row.attributes[name], value):
                        result[name] = values.default(row.attributes[name])
                    elif attribute is not None:
                        result[name] = value
                        result.given[name] = attribute
        return result

    # ---- the tree -----------------------------------------------------------------------------------

    def body(self, node: Node, into: Element, row: ElementRow, around: ElementRow, childclass: str | None) -> None:
        """Read the children of a body, frame or replicate."""
        for child in node.children:
            kind_row = schema.child(row, child.tag, around)
            if kind_row is None or self.refused(child, kind_row):
                continue
            kind = _KINDS.get(kind_row.id)
            if kind is None:
                continue
            element = self.element(kind, child, kind_row, childclass, Body if kind == "body" else Element)
            into.items.append(element)
            if kind in ("body", "frame", "replicate"):
                inner = element.values.get("childclass", childclass)
                element.default = self.defaults.find(inner) if inner is not None else None
                self.body(child, element, kind_row, schema.enclosing(kind_row, around), inner)
            else:
                self.inside(child, element, kind_row)

    def inside(self, node: Node, into: Element, row: ElementRow) -> None:
        """Read the children of an element that is not a body, two levels deep."""
        for child in node.children:
            child_row = schema.child(row, child.tag)
            if child_row is not None and not self.refused(child, child_row):
                element = self.element(child_row.tag, child, child_row, None)
                into.items.append(element)
                for deep in child.children:
                    deep_row = schema.child(child_row, deep.tag)
                    if deep_row is not None:
                        element.items.append(self.element(deep_row.tag, deep, deep_row, None))

    def extension(self, spec: Spec, section: Node) -> None:
        """Read the plugins and their instances."""
        for node in section.children:
            declared = node.attribute("plugin")
            if declared is None or self.refused(node, schema.ELEMENTS["extension.plugin"]):
                continue
            spec.extensions.setdefault(declared.value, declared)
            for inner in node.children:
                row = schema.child(schema.ELEMENTS["extension.plugin"], inner.tag)
                if row is None or self.refused(inner, row):
                    continue
                instance = self.element("plugin", inner, row, None)
                instance.values["plugin"] = declared.value
                for config in inner.children:
                    config_row = schema.child(row, config.tag)
                    if config_row is not None:
                        instance.items.append(self.element(config_row.tag, config, config_row, None))
                spec.lists["plugin"].append(instance)

    # ---- sections that are lists --------------------------------------------------------------------

    def section(self, spec: Spec, section: Node, row: ElementRow) -> None:
        for node in section.children:
            kind_row = schema.child(row, node.tag)
            if kind_row is None or self.refused(node, kind_row):
                continue
            kind = _SECTIONS[section.tag] or node.tag
            if kind not in spec.lists:
                continue
            element = self.element(kind, node, kind_row, None)
            if kind == "actuator":
                element.links = self.links(node, kind_row)
            self.inside(node, element, kind_row)
            spec.lists[kind].append(element)

    def links(self, node: Node, row: ElementRow) -> list[tuple[str, dict[str, Any]]]:
        """The shortcuts of an actuator: (tag, own values) of each default element, then of the actuator itself."""
        result = []
        for link in [*self.defaults.chain(node, row), node]:
            link_row = schema.ELEMENTS[f"actuator.{link.tag}"]
            own: dict[str, Any] = {}
            add_values(own, link, link_row, fill=False)
            result.append((link.tag, own))
        return result
