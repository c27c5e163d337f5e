"""Attributes that an element does not use with the values that others of its attributes have.

    unused(row, lambda name: values[name])      {"hfield": UnusedReason("type", "capsule"), ...}

A rule of the format for people: the inspector folds these attributes away. Reading and compiling do not depend on it.
Elements of a default class are not folded: they give values to elements of every type.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from kinetree.engine.mjcf.schema_rows import ElementRow

# kind of element | attribute | its values ("": not set) | attributes without a use then. A mesh that is set is used by
# every type: a primitive shape is fitted to it.
_TABLE = """
body.geom | type | plane | fromto mesh hfield shellinertia fluidshape fluidcoef mass density
body.geom | type | hfield | size fromto mesh shellinertia fluidshape fluidcoef mass density
body.geom | type | sphere | fromto hfield mesh
body.geom | type | capsule ellipsoid cylinder box | hfield mesh
body.geom | type | mesh sdf | size fromto hfield fitscale shellinertia
body.geom | mesh | "" | fitscale
body.geom | fluidshape | none | fluidcoef
body.site | type | sphere | fromto
body.joint | type | free | pos axis range limited margin solreflimit solimplimit ref springref
body.joint | type | free | actuatorfrcrange actuatorfrclimited
body.joint | type | ball | axis ref springref actuatorfrcrange actuatorfrclimited
body.light | type | spot | texture
body.light | type | directional | texture attenuation cutoff exponent innerangle
body.light | type | point | texture dir cutoff exponent innerangle
body.light | type | image | attenuation cutoff exponent innerangle
body.light | mode | fixed track trackcom | target
body.camera | mode | fixed track trackcom | target
actuator.general | dyntype | none | dynprm actdim actrange actlimited actearly
actuator.general | biastype | none | biasprm
asset.texture | type | 2d | gridsize gridlayout fileright fileleft fileup filedown filefront fileback
asset.texture | builtin | none | rgb1 rgb2 mark markrgb random
body.flexcomp | type | grid | file point element
body.flexcomp | type | box cylinder ellipsoid disc circle | file point element
body.flexcomp | type | mesh gmsh | count spacing point element
body.flexcomp | type | direct | count spacing file
"""


class UnusedReason(NamedTuple):
    """The attribute and its value with which another attribute has no use."""

    attribute: str
    value: str


@cache
def _rules(kind: str) -> dict[str, dict[str, frozenset[str]]]:
    """Attribute of a kind of element -> value -> the attributes without a use then."""
    found: dict[str, dict[str, frozenset[str]]] = {}
    for line in _TABLE.strip().splitlines():
        of, attribute, values, names = (part.strip() for part in line.split("|"))
        for value in values.replace('""', "\0").split() if of == kind else ():
            value = value.strip("\0")
            rules = found.setdefault(attribute, {})
            rules[value] = rules.get(value, frozenset()) | frozenset(names.split())
    return found


def unused(row: ElementRow, value: Callable[[str], str | None]) -> dict[str, UnusedReason]:
    """The attributes of a kind of element without a use, and why. `value` gives the value in force of an attribute;
    None where it is not known, or where several elements differ."""
    found: dict[str, UnusedReason] = {}
    for attribute, rules in _rules(row.id).items():
        now = value(attribute)
        if now is None:
            continue
        for name in sorted(rules.get(now, ())):
            if name in row.attributes:
                found.setdefault(name, UnusedReason(attribute, now))
    return found
