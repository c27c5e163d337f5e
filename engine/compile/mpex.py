"""What the Motphys dialect (MPEX) adds to elements and settings: model.mpex, filled from the tables.

A field mpex_<prefix>_<name> of `engine/fields.py` holds the attribute <name> of the elements with that prefix, or of the
section of <visual> with that name. What is more than a copy is listed below.

Source: Motphys MJCF reference.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from engine import enums
from engine.compile.sensor import CONTACT_DATA, REDUCE
from engine.fields import TABLES
from engine.mjcf.schema import ELEMENTS
from engine.mjcf.schema_rows import MPEX, AttributeRow
from engine.spec.elements import Element, Settings, Spec

if TYPE_CHECKING:
    from engine.compile.indexing import Index
    from engine.diagnostics import Diagnostics
    from engine.model import Model

KINDS = {
    "jnt": "joint", "geom": "geom", "cam": "camera", "light": "light", "mat": "material", "tex": "texture",
    "sensor": "sensor", "probe": "probe",
}  # fmt: skip

UNSAID = {"light_innerangle": -1, "light_nearz": -1, "map_envmapintensity": -1, "tonemapping_method": -1}
"""Where a file in MuJoCo's dialect says nothing, MuJoCo's rules hold, not the default of the Motphys reference."""

WORDS = {
    "tonemapping_method": {"none": enums.TONEMAPPING_NONE, "aces": enums.TONEMAPPING_ACES},
}
SCALES = (1, 2, 4)  # what ssgi/resolutionscale can be; everything else counts as 2


@cache
def fields() -> list[tuple[str, str, str]]:
    """(prefix, attribute, role) of every field that holds an attribute."""
    found = []
    for field in TABLES["Model"]:
        word, _, rest = field.name.partition("_")
        prefix, _, attribute = rest.partition("_")
        if word == "mpex" and attribute:
            found.append((prefix, attribute, field.role))
    return found


def fill(model: Model, spec: Spec, index: Index, diagnostics: Diagnostics) -> None:
    """Set every mpex_ field, and report values that mean nothing."""
    mpex = spec.compiler["dialect"] == "mpex"
    model.mpex_dialect = int(mpex)
    for prefix, attribute, role in fields():
        name = f"{prefix}_{attribute}"
        if role == "cell":
            section = spec.visual[prefix]
            given = mpex or attribute in section.given
            setattr(model.mpex, name, _value(name, section[attribute], given))
            continue
        special = SPECIAL.get(name)
        values = getattr(model.mpex, name)
        for element in index.objects[KINDS[prefix]]:
            if special is not None:
                values[element.id] = special(index, element)
            else:
                given = mpex or attribute in element.given
                values[element.id] = _value(name, element.get(attribute), given)
    for kind in KINDS.values():
        for element in index.objects[kind]:
            given = {name: element.at(name) for name in element.given}
            _check(element.row.attributes, given, element.values, diagnostics)
    for tag, section in spec.visual.items():
        _check(ELEMENTS[f"visual.{tag}"].attributes, section.given, section, diagnostics)
    for actuator in index.objects["actuator"]:
        for name in ("dynprm", "gainprm"):
            numbers = actuator.get(name)
            if np.size(numbers) > 10 and numbers[10]:
                message = "the eleventh number has no effect; nothing that Kinetree simulates uses it"
                diagnostics.warning(actuator.at(name), "no-effect", message)
    _scale(model, spec.visual["ssgi"], diagnostics)
    for camera in index.objects["camera"]:
        near, far = camera["znear"], camera["zfar"]
        if near > 0 and 0 < far <= near:
            message = (
                f"zfar is {far:g}, nearer than znear, {near:g}; make it larger, or 0 to have it computed"
            )
            diagnostics.error(camera.at("zfar", "znear"), "bad-value", message)


def _value(name: str, value: Any, given: bool) -> Any:
    """What a field holds; None is an attribute that this kind of element does not have (a freejoint's limit)."""
    if not given and name in UNSAID:
        return UNSAID[name]
    if value is None:
        return 0
    return WORDS[name][value] if name in WORDS else value


# ---- what is more than a copy -----------------------------------------------------------------------------------------


def _emission(index: Index, material: Element) -> Any:
    """Four numbers are a colour; one is MuJoCo's factor on the material's own colour (mat_emission)."""
    return material["emission"] if np.size(material["emission"]) == 4 else 0.0


def _environment(index: Index, texture: Element) -> int:
    return getattr(enums, f"ENVIRONMENT_{texture['type'].upper()}", enums.ENVIRONMENT_NONE)


def _data(index: Index, sensor: Element) -> Any:
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


def _scale(model: Model, ssgi: Settings, diagnostics: Diagnostics) -> None:
    if model.mpex_ssgi_resolutionscale in SCALES:
        return
    if "resolutionscale" in ssgi.given:
        message = f"resolutionscale is {ssgi['resolutionscale']} and counts as 2; it can be 1, 2 or 4"
        diagnostics.warning(ssgi.given["resolutionscale"], "bad-value", message)
    model.mpex_ssgi_resolutionscale = 2


def _check(
    rows: dict[str, AttributeRow], given: dict[str, Any], values: Any, diagnostics: Diagnostics
) -> None:
    """Counts, lengths, speeds and colours below zero mean nothing."""
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
            diagnostics.error(place, "bad-value", f"{name} is below {row.low:g}; make it {row.low:g} or more")
