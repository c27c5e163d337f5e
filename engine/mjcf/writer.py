"""Writes a Spec as canonical MJCF, which compiles to the same model.

    to_xml(spec, folder, model)     the text, for a file in `folder`

Canonical MJCF is expanded: it has no includes, frames, replicates, attached models, composites or flexcomps. Default
classes stay; values that an element takes from its class or from the format are not repeated. Units, forms of
orientation and numbers stay as written, except in elements inside a frame, which get a position and a quaternion.
Sections and attributes follow the order of the schema table; exceptions to the table are in exceptions.py.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.diagnostics import CannotSave
from kinetree.engine.geometry.orientation import (
    IDENTITY,
    ORIGIN,
    Pose,
    compose,
    direction,
    from_ends,
    invert,
    orientation,
    rotate,
)
from kinetree.engine.mjcf import attached_settings, schema, values
from kinetree.engine.mjcf.classes import Classes, shortened
from kinetree.engine.mjcf.defaults import DefaultClass
from kinetree.engine.mjcf.elements import Body, Element, SettingsValues, Spec
from kinetree.engine.mjcf.exceptions import (
    ALTERNATIVES,
    ALWAYS_WRITTEN,
    APPLIED_SETTINGS,
    KEPT_IF_GIVEN,
    MASS_SETTINGS,
    NEEDS,
    ORIENTATION,
    PADDED_FROM,
)
from kinetree.engine.mjcf.file_names import FileNames
from kinetree.engine.mjcf.geom_types import GEOM_TYPES, stretch
from kinetree.engine.mjcf.printing import PrintedElement, text_of
from kinetree.engine.mjcf.reader import row_defaults
from kinetree.engine.mjcf.schema_rows import MPEX, AttributeRow, ElementRow
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

_FIRST = ("name", "class", "childclass", "type", "mesh", "hfield", "pos", *ORIENTATION, "fromto", "size")
"""Attributes that are written before the others, which keep the order of the table."""
_DIRECTIONS = ("dir", "axis")
_BODY, _INERTIAL = schema.ELEMENTS["body"], schema.ELEMENTS["body.inertial"]
_PARTS = ("joints", "geoms", "sites", "cameras", "lights")


def to_xml(spec: Spec, folder: str | os.PathLike[str] | None = None, model: Model | None = None) -> str:
    """Canonical MJCF of an expanded spec, to be saved in `folder` (None: where the model is).

    `model`: what the spec compiles to: the inertias of fused bodies and those that compiler/saveinertial asks for, and
    what keyframes of copies leave open.
    """
    return text_of(_Writer(spec, folder, model).root())


class _Writer:
    def __init__(self, spec: Spec, folder: str | os.PathLike[str] | None, model: Model | None):
        self.spec = spec
        self.file_names = FileNames(spec, folder)
        self.model = model
        self.mpex = spec.compiler.get("dialect") == "mpex"
        self.classes = Classes(spec.defaults, _all(spec), self.mpex)
        self.weigh = model is not None and attached_settings.has_other_mass_settings(spec)

    def root(self) -> PrintedElement:
        row = schema.ROOT
        item = PrintedElement(row.tag)
        if self.spec.name not in ("", row.attributes["model"].default):  # an empty section is left out
            item.attributes.append(("model", self.spec.name))
        listed = self.listed()
        for id in row.children:
            section = schema.ELEMENTS[id]
            made = PrintedElement(section.tag)
            if id == "default":
                *before, made.items = self.classes.sections()
                item.items += [PrintedElement(section.tag, items=items) for items in before]
            elif id == "worldbody":
                made.items = self.body(self.spec.world, self.classes.classes[0])
            elif id == "extension":
                made.items = self.extension()
            else:
                made = self.settings(section)
                made.items += [self.element(element) for element in listed.get(id, ())]
            if made.items or made.attributes:
                item.items.append(made)
        return item

    def listed(self) -> dict[str, list[Element]]:
        """Section -> the elements of the spec's lists that stand in it, each kind in its own order."""
        found: dict[str, list[Element]] = {}
        order = list(schema.ROOT.children)
        for elements in self.spec.lists.values():
            sections = {element.row.id.partition(".")[0] for element in elements}
            if sections and sections <= set(order):
                found.setdefault(max(sections, key=order.index), []).extend(elements)
        return found

    def extension(self) -> list[PrintedElement]:
        """The plugins that are declared, with their instances in order."""
        result: list[PrintedElement] = []
        for instance in self.spec.lists["plugin"]:
            name = ("plugin", instance["plugin"])
            if not result or name not in result[-1].attributes:
                result.append(PrintedElement("plugin", [name]))
            result[-1].items.append(self.element(instance))
        known = {item.attributes[0][1] for item in result}
        return [
            *(PrintedElement("plugin", [("plugin", name)]) for name in self.spec.extensions if name not in known),
            *result,
        ]

    # ---- settings ------------------------------------------------------------------------------------

    def settings(self, row: ElementRow) -> PrintedElement:
        """A settings section, with the settings inside it."""
        item = PrintedElement(row.tag)
        found = getattr(self.spec, row.tag, None)
        if isinstance(found, SettingsValues):
            is_compiler = row.tag == "compiler"
            item.attributes = self.compiler(row, found) if is_compiler else self.changed(row, found)
        for id in row.children:
            inner = schema.ELEMENTS[id]
            found = self.spec.visual.get(inner.tag) if row.tag == "visual" else getattr(self.spec, inner.tag, None)
            if isinstance(found, SettingsValues):
                made = PrintedElement(inner.tag, self.changed(inner, found))
                if made.attributes:
                    item.items.append(made)
        return item

    def changed(self, row: ElementRow, found: SettingsValues) -> list[tuple[str, str]]:
        result = []
        defaults = row_defaults(row.id, self.mpex)
        for name, known in row.attributes.items():
            value, base = found.get(name), defaults.get(name)
            if value is None or (values.equal(value, base) and not _kept(known, name, found.given)):
                continue
            result.append((name, values.write(values.trim(value, base, known), known)))
        return result

    def compiler(self, row: ElementRow, found: SettingsValues) -> list[tuple[str, str]]:
        """Compiler settings: the unit of angles is always written; folders are relative to the new file."""
        done = (*APPLIED_SETTINGS, "angle", *(MASS_SETTINGS if self.weigh else ()))
        rest = [item for item in self.changed(row, found) if item[0] not in done]
        return [("angle", found["angle"]), *self.file_names.settings.items(), *rest]

    # ---- the tree ------------------------------------------------------------------------------------

    def body(self, world: Body, outer: DefaultClass) -> list[PrintedElement]:
        """The children of a body. `outer`: the default class that applies to it."""
        top: list[PrintedElement] = []
        stack = [(world, outer, top)]
        while stack:
            body, around, into = stack.pop()
            inertial = self.inertial(body)
            if inertial is not None:
                into.append(inertial)
            if body.plugin is not None:
                into.append(self.element(body.plugin))
            for part in _PARTS:
                into += [self.element(element, around) for element in getattr(body, part)]
            inside = []
            for child in body.bodies:
                item = self.element(child, around)
                into.append(item)
                inside.append((child, self.classes.of(child), item.items))
            stack += reversed(inside)
        return top

    def inertial(self, body: Body) -> PrintedElement | None:
        """The mass of a body as it was given; as it was found, if the model wants that, or if others are part of it
        now, or if the masses of some bodies follow from other settings than those of the rest."""
        model = self.model
        if body.parent is None:  # the mass of the world has no effect
            return None
        if model is None or not (body.fused or self.weigh or self.spec.compiler.get("saveinertial")):
            return None if body.inertial is None else self.element(body.inertial)
        i = body.id
        placed = (tuple(model.body_pos[i].tolist()), tuple(model.body_quat[i].tolist()))
        found = (tuple(model.body_ipos[i].tolist()), tuple(model.body_iquat[i].tolist()))
        # the frame of the body may have gone to its principal axes: back to that of the text
        pos, quat = (
            compose(invert(self.pose(body)), compose(placed, found)) if _moved(self.pose(body), placed) else found
        )
        given = {"pos": pos, "quat": quat, "mass": [model.body_mass[i]], "diaginertia": model.body_inertia[i]}
        item = PrintedElement(_INERTIAL.tag)
        for name, value in given.items():
            known = _INERTIAL.attributes[name]
            value = np.array(value, float)
            if known.required or not values.equal(value, values.default(known, self.mpex)):
                item.attributes.append((name, values.write(value, known)))
        return item

    def pose(self, element: Element) -> Pose:
        own = element.get("pos")
        eulerseq = self.spec.compiler_of(element)["eulerseq"]
        quat = orientation(element.values, self.spec.degree_of(element), eulerseq)
        found = (ORIGIN if own is None else tuple(own.tolist()), quat)
        return found if element.frame is None else compose(element.frame, found)

    # ---- one element ---------------------------------------------------------------------------------

    def element(self, element: Element, around: DefaultClass | None = None) -> PrintedElement:
        """An element and what is inside it. `around`: the class in force, main by default."""
        row, classes = (
            (_BODY if isinstance(element, Body) else element.row),
            self.classes,
        )  # or an attached world
        around = around or classes.classes[0]
        item = PrintedElement(row.tag)
        own = classes.of(element)
        given = classes.settings(own, row) if row.default is not None else {}
        plain = element.frame is None and not attached_settings.needs_other_orientation(self.spec, element)
        found = element.values if plain else self.framed(element, given)
        if element.links:
            found = _shortcut(element)
        found = attached_settings.values(self.spec, element, found)
        for name in _ordered(row):
            known = row.attributes[name]
            if known.declares is not None:
                if element.name and not (row.name_from and _stem(element.get(row.name_from)) == element.name):
                    item.attributes.append((name, element.name))
            elif known.refers == "class":
                inside = isinstance(element, Body)
                if name == ("childclass" if inside else "class") and (row.default is not None or inside):
                    if own is not around:
                        item.attributes.append((name, classes.names[own]))
            elif name in found:
                value = self.value(element, name, known, found[name], given)
                if value is not None:
                    item.attributes.append((name, value))
        if not isinstance(element, Body):
            item.items = [self.element(inner) for inner in element.items]
        return item

    def value(self, element: Element, name: str, known: AttributeRow, value: Any, given: dict[str, Any]) -> str | None:
        """The text of an attribute; None where it equals the value without it."""
        if value is None:
            return None
        if known.type == "file":
            return self.file_names.name(element, name)
        several = isinstance(value, np.ndarray) and (known.mpex_max_count or known.max_count) == 1
        if several:  # x_xy has numbers for each direction
            raise CannotSave(
                tr(
                    "line {line}: MJCF takes one number for {name} of a {value} joint, not {count}; use three "
                    "joints of one axis each",
                    line=element.node.line,
                    name=name,
                    value=element.get("type", ""),
                    count=len(value),
                )
            )
        if element.links:
            return values.write(value, known)
        field = PADDED_FROM.get((element.row.id, name))
        if field is not None and self.model is not None and np.isnan(value).any():
            value = getattr(self.model, field)[element.id].ravel()
        base = given.get(name)
        if base is None:
            row = _BODY if isinstance(element, Body) else element.row
            base = row_defaults(row.id, self.mpex).get(name)
        # of several forms that a class gives, the first holds where the element itself says nothing
        turned = name in ALTERNATIVES and any(f in given for f in ALTERNATIVES[: ALTERNATIVES.index(name)])
        kept = known.required or (element.row.id, name) in ALWAYS_WRITTEN or turned or _needed(element, name)
        if values.equal(value, base) and not kept and (name in given or not _kept(known, name, element.given)):
            return None
        return values.write(shortened(known, value, base), known)

    def framed(self, element: Element, given: dict[str, Any]) -> dict[str, Any]:
        """The values of an element, its frame applied, in the units of the text."""
        row, found, frame = element.row.attributes, dict(element.values), element.frame or (ORIGIN, IDENTITY)
        if "fromto" in found:  # the frame may turn it about its axis, which two points cannot say
            size = found["size"].copy()
            pose, half = from_ends(found.pop("fromto").tolist())
            stretch(GEOM_TYPES[found["type"]], size, half)
            found["size"] = size
            found |= self.posed(compose(frame, pose), given)
        elif "quat" in row:
            for name in ORIENTATION:
                found.pop(name, None)
            found |= self.posed(self.pose(element), given)
        else:
            for name in _DIRECTIONS:
                if name in row:
                    found[name] = _tidy(rotate(frame[1], direction(found[name].tolist(), name)))
            if "pos" in row:
                found["pos"] = _tidy(compose(frame, (tuple(found["pos"].tolist()), IDENTITY))[0])
        return found

    def posed(self, pose: Pose, given: dict[str, Any]) -> dict[str, Any]:
        """A pose as attributes, where the class sets `given`."""
        pos, quat = pose
        if any(form in given for form in ALTERNATIVES):  # which goes before a quaternion
            return {"pos": _tidy(pos), "axisangle": self.axisangle(quat)}
        return {"pos": _tidy(pos), "quat": _tidy(quat)}

    def axisangle(self, quat) -> np.ndarray:
        length = math.hypot(*quat[1:])
        angle = 2 * math.atan2(length, quat[0])
        axis = [v / length for v in quat[1:]] if length else [0.0, 0.0, 1.0]
        return np.array([*axis, math.degrees(angle) if self.spec.degree else angle])


def _all(spec: Spec) -> Iterator[Element]:
    """Every element that can belong to a class."""
    for body in spec.world.walk():
        if body is not spec.world:
            yield body
        for part in _PARTS:
            yield from getattr(body, part)
    for elements in spec.lists.values():
        yield from elements


def _ordered(row: ElementRow) -> Iterable[str]:
    first = [name for name in _FIRST if name in row.attributes]
    return [*first, *(name for name in row.attributes if name not in _FIRST)]


def _kept(known: AttributeRow, name: str, given: Iterable[str]) -> bool:
    """Whether the presence of an attribute has an effect."""
    return known.dialect == MPEX and name in given


def _needed(element: Element, name: str) -> bool:
    """Whether the attribute's presence has an effect, or another attribute requires it."""
    if (element.row.id, name) in KEPT_IF_GIVEN and name in element.given:
        return True
    return any(
        needed == name and other in element.given and name in element.given
        for other, needed, _ in NEEDS.get(element.row.id, ())
    )


def _shortcut(element: Element) -> dict[str, Any]:
    """An actuator's own attributes as they were given: a shortcut changes what those before it have set, so that its
    values alone do not say what it does. What it refers to may have been renamed since."""
    own = dict(element.links[-1][1])
    for name in own:
        if element.row.attributes[name].refers:
            own[name] = element.values[name]
    return own


def _stem(file: str | None) -> str | None:
    if not file:
        return None
    name = file.replace("\\", "/").rpartition("/")[2]
    return name.rpartition(".")[0] if "." in name[1:] else name


def _tidy(numbers: Iterable[float]) -> np.ndarray:
    """Computed numbers, rounded where a short decimal is within rounding error."""
    array = np.array(list(numbers), float)
    largest = float(np.abs(array).max(initial=0.0))
    if not 1e-200 < largest < 1e200:
        return array
    short = np.array([round(v, 13 - math.floor(math.log10(largest))) for v in array.tolist()])
    return np.where(np.abs(short - array) <= 4e-16 * largest, short, array)


def _moved(a, b) -> bool:
    return any(abs(x - y) > 1e-9 for x, y in zip([*a[0], *a[1]], [*b[0], *b[1]], strict=True))
