"""Fills model.mpex: attributes that the Motphys dialect (MPEX) adds to elements and settings.

A field mpex_<prefix>_<name> of `engine/model/fields.py` holds the attribute <name> of the elements with that prefix,
or of the section of <visual> with that name. Attributes that are not simply copied are listed below.

Source: Motphys MJCF reference.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.compile.mechanism.sensor import CONTACT_DATA, REDUCE
from kinetree.engine.mjcf.elements import Element, SettingsValues, Spec
from kinetree.engine.mjcf.schema import ELEMENTS
from kinetree.engine.mjcf.schema_rows import MPEX, AttributeRow, ElementRow
from kinetree.engine.model import enums
from kinetree.engine.model.fields import TABLES
from kinetree.engine.model.kinds import BY_PREFIX
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.compile.indexing import ObjectIndex
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.document.tree import Attribute
    from kinetree.engine.model.model import Model

UNSAID = {"light_innerangle": -1, "light_nearz": -1, "map_envmapintensity": -1, "tonemapping_method": -1}
"""Where a file in MuJoCo's dialect says nothing, MuJoCo's rules hold, not the default of the Motphys reference."""

WORDS = {
    "tonemapping_method": {"none": enums.TONEMAPPING_NONE, "aces": enums.TONEMAPPING_ACES},
}
SCALES = (1, 2, 4)  # what ssgi/resolutionscale can be; everything else counts as 2


@cache
def _columns() -> list[tuple[str, list[str]]]:
    """(prefix, attributes) of the kinds of elements with fields."""
    found: dict[str, list[str]] = {}
    for prefix, attribute, kind in fields():
        if kind != "cell":
            found.setdefault(prefix, []).append(attribute)
    return list(found.items())


@cache
def _cells() -> dict[str, frozenset[str]]:
    """Section of <visual> -> its attributes that have a cell."""
    found: dict[str, set[str]] = {}
    for prefix, attribute, kind in fields():
        if kind == "cell":
            found.setdefault(prefix, set()).add(attribute)
    return {prefix: frozenset(names) for prefix, names in found.items()}


@cache
def fields() -> list[tuple[str, str, str]]:
    """(prefix, attribute, kind) of every field that holds an attribute."""
    found = []
    for field in TABLES["Model"]:
        word, _, rest = field.name.partition("_")
        prefix, _, attribute = rest.partition("_")
        if word == "mpex" and attribute:
            found.append((prefix, attribute, field.kind))
    return found


KINDS = {prefix: BY_PREFIX[prefix].name for prefix, _, kind in fields() if kind != "cell"}
"""Prefix of fields -> the kind of objects that have them."""


def settings(model: Model, tag: str, section: dict[str, Any], given: dict[str, Attribute], mpex: bool) -> None:
    """Set the cells of attributes of one section of <visual>."""
    for attribute in section.keys() & _cells().get(tag, ()):
        name = f"{tag}_{attribute}"
        setattr(model, "mpex_" + name, _value(name, section[attribute], mpex or attribute in given))


def fill(model: Model, spec: Spec, index: ObjectIndex, diagnostics: Diagnostics) -> None:
    """Set the mpex_ fields of elements, and report values without a meaning."""
    mpex = spec.compiler["dialect"] == "mpex"
    for prefix, attributes in _columns():
        elements = index.objects[KINDS[prefix]]
        if not elements:
            continue
        for attribute in attributes:
            name = f"{prefix}_{attribute}"
            special = SPECIAL.get(name)
            if special is not None:
                values = [special(index, element) for element in elements]
            elif name in UNSAID or name in WORDS:
                values = [
                    _value(name, element.get(attribute), mpex or attribute in element.given) for element in elements
                ]
            else:  # None: a kind of element that lacks the attribute (a freejoint's limit)
                values = [element.values.get(attribute, 0) for element in elements]
            column = getattr(model, "mpex_" + name)
            if column.ndim == 1:
                column[...] = values
            else:  # one number stands for all of a row
                for i, value in enumerate(values):
                    column[i] = value
    for kind in KINDS.values():
        for element in index.objects[kind]:
            doubtful = _doubtful(element.row)
            if not doubtful.isdisjoint(element.given):
                given = {name: element.at(name) for name in element.given}
                _check(element.row.attributes, given, element.values, diagnostics)
    for tag, section in spec.visual.items():
        if section.given:
            _check(ELEMENTS[f"visual.{tag}"].attributes, section.given, section, diagnostics)
    for actuator in index.objects["actuator"]:
        for name in ("dynprm", "gainprm"):
            numbers = actuator.get(name)
            if numbers is not None and len(numbers) > 10 and numbers[10]:
                message = tr("the eleventh number has no effect; nothing that Kinetree simulates uses it")
                diagnostics.warning(actuator.at(name), "no-effect", message)
    _scale(model, spec.visual["ssgi"], diagnostics)
    for camera in index.objects["camera"]:
        near, far = camera["znear"], camera["zfar"]
        if near > 0 and 0 < far <= near:
            message = tr(
                "zfar is {far:g}, nearer than znear, {near:g}; make it larger, or 0 to have it computed",
                far=far,
                near=near,
            )
            diagnostics.error(camera.at("zfar", "znear"), "bad-value", message)


@cache
def _doubtful(row: ElementRow) -> frozenset[str]:
    """The attributes of a kind of element that _check examines."""
    return frozenset(
        known.name
        for known in row.attributes.values()
        if known.low in (0, 1) and (known.dialect == MPEX or known.mpex_choices or known.mpex_max_count is not None)
    )


def _value(name: str, value: Any, given: bool) -> Any:
    """The value for a field; None for an attribute that this kind of element does not have."""
    if not given and name in UNSAID:
        return UNSAID[name]
    if value is None:
        return 0
    return WORDS[name][value] if name in WORDS else value


# ---- what is more than a copy
# -----------------------------------------------------------------------------------------


def _emission(index: ObjectIndex, material: Element) -> Any:
    """Four numbers are a colour; one is MuJoCo's factor on the material's own colour (mat_emission)."""
    return material["emission"] if np.size(material["emission"]) == 4 else 0.0


def _environment(index: ObjectIndex, texture: Element) -> int:
    return getattr(enums, f"ENVIRONMENT_{texture['type'].upper()}", enums.ENVIRONMENT_NONE)


def _data(index: ObjectIndex, sensor: Element) -> Any:
    words = list(CONTACT_DATA)
    found = [words.index(word) for word in sensor.get("data") or () if sensor.tag == "contact"]
    return (found + [-1] * len(words))[: len(words)]


SPECIAL = {
    "sensor_data": _data,
    "sensor_reduce": lambda index, sensor: REDUCE.index(sensor.get("reduce", "none")),
    "mat_emission": _emission,
    "tex_environment": _environment,
    "tex_dynamic": lambda index, texture: texture["builtin"] == "dynamic",
    "probe_texture": lambda index, probe: index.reference(probe, "texture", "texture"),
}


def _scale(model: Model, ssgi: SettingsValues, diagnostics: Diagnostics) -> None:
    if model.mpex_ssgi_resolutionscale in SCALES:
        return
    if "resolutionscale" in ssgi.given:
        message = tr(
            "resolutionscale is {resolutionscale} and counts as 2; it can be 1, 2 or 4",
            resolutionscale=ssgi["resolutionscale"],
        )
        diagnostics.warning(ssgi.given["resolutionscale"], "bad-value", message)
    model.mpex_ssgi_resolutionscale = 2


def _check(rows: dict[str, AttributeRow], given: dict[str, Any], values: Any, diagnostics: Diagnostics) -> None:
    """Report negative counts, lengths, speeds and colours."""
    for name, place in given.items():
        row = rows.get(name)
        if (
            row is None
            or row.low not in (0, 1)
            or name == "resolutionscale"
            or not (row.dialect == MPEX or row.is_foreign(values[name]))
        ):
            continue
        if np.min(values[name]) < row.low:
            diagnostics.error(
                place, "bad-value", tr("{name} is below {low:g}; make it {low:g} or more", name=name, low=row.low)
            )
