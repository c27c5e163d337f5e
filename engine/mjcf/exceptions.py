"""All exceptions to the schema table: rules that the columns of a row cannot express.

BOUNDS      values that MuJoCo's reader refuses, by element and attribute
EXCLUSIVE   groups of attributes; an element takes at most one of each
NEEDS       attributes that an element takes only together with others
CHECKS      all other rules, one function each
RANGE_OF_FLAG   the ranges that attributes switch on or off
REMOVED_... elements and attributes of older versions of MJCF, with the replacement
IMPLICIT_NAMES, NAMELESS, COPYING, MADE_NAMES, ATTACHING   names that no attribute of the text declares as they are
FOLDERS, APPLIED_SETTINGS, MASS_SETTINGS, ANGLES, ALWAYS_WRITTEN, KEPT_IF_GIVEN, PADDED_FROM   for the writer

BOUNDS, EXCLUSIVE, NEEDS and CHECKS are the refusals of mujoco 3.3.4's reader, found by experiments. They look at the
attributes of one element only; the compiler checks rules about other elements or default classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kinetree.engine.mjcf.schema_table import ELEMENTS
from kinetree.engine.model.sensors import SensedKind, of_target
from kinetree.engine.translation import all_of, marked, tr

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Node

__all__ = [
    "ALTERNATIVES",
    "ALWAYS_WRITTEN",
    "ANGLES",
    "APPLIED_SETTINGS",
    "ATTACHING",
    "BOUNDS",
    "CHECKS",
    "COPYING",
    "EXCLUSIVE",
    "FOLDERS",
    "IMPLICIT_NAMES",
    "KEPT_IF_GIVEN",
    "MADE_NAMES",
    "NAMELESS",
    "NEEDS",
    "PADDED_FROM",
    "REMOVED_ATTRIBUTES",
    "REMOVED_CHOICES",
    "REMOVED_ELEMENTS",
    "RuleViolation",
    "findings",
    "has_checks",
]


class RuleViolation(NamedTuple):
    """A violated rule: the attribute (None: the element), a code, and a message with the remedy."""

    attribute: str | None
    code: str
    message: str


ALTERNATIVES = ("axisangle", "xyaxes", "zaxis", "euler")
"""Forms of an orientation besides quat. Of several, the element's own overrides those of its class."""
ORIENTATION = ("quat", *ALTERNATIVES)
_TARGETS = ("joint", "jointinparent", "tendon", "site", "cranksite", "body")
_NOT_NEGATIVE = (lambda value: not np.any(np.asarray(value) < 0), marked("cannot be negative; use 0 or more"))
_POSITIVE = (lambda value: not np.any(np.asarray(value) <= 0), marked("must be greater than 0"))
_AT_LEAST_MINUS_ONE = (lambda value: value >= -1, marked("must be -1 or more; -1 takes what the model needs"))
_NOT_ZERO_QUATERNION = (
    lambda value: np.any(value) or value.size == 0,
    marked("a quaternion of zeros has no direction; use 1 0 0 0 for no rotation"),
)
_SMALLEST = 1e-15
_GROUP = (lambda value: 0 <= value <= 5, marked("must be a group from 0 to 5"))

RANGE_OF_FLAG: dict[str, str] = {
    "limited": "range",
    "ctrllimited": "ctrlrange",
    "forcelimited": "forcerange",
    "actlimited": "actrange",
    "actuatorfrclimited": "actuatorfrcrange",
}
"""The flag that switches a range on or off -> the attribute with the range."""

#: (element id, attribute) -> (whether a value is valid, the message)
BOUNDS: dict[tuple[str, str], tuple[Callable[[Any], Any], str]] = {
    ("option", "actuatorgroupdisable"): (
        lambda value: np.all((value >= 0) & (value <= 30)),
        marked("actuator groups go from 0 to 30"),
    ),
    ("size", "nconmax"): _AT_LEAST_MINUS_ONE,
    ("size", "njmax"): _AT_LEAST_MINUS_ONE,
    ("size", "nuser_body"): _AT_LEAST_MINUS_ONE,
    ("size", "nuser_jnt"): _AT_LEAST_MINUS_ONE,
    ("size", "nuser_geom"): _AT_LEAST_MINUS_ONE,
    ("size", "nuser_site"): _AT_LEAST_MINUS_ONE,
    ("size", "nuser_cam"): _AT_LEAST_MINUS_ONE,
    ("size", "nuser_tendon"): _AT_LEAST_MINUS_ONE,
    ("size", "nuser_actuator"): _AT_LEAST_MINUS_ONE,
    ("size", "nuser_sensor"): _AT_LEAST_MINUS_ONE,
    ("statistic", "extent"): _POSITIVE,
    ("visual.global", "realtime"): _POSITIVE,
    ("visual.map", "znear"): _POSITIVE,
    ("compiler", "coordinate"): (
        lambda value: value == "local",
        marked("global coordinates are no longer part of MJCF; express poses relative to the parent body"),
    ),
    ("compiler", "eulerseq"): (
        lambda value: len(value) == 3,
        marked("expects three letters from x, y, z, X, Y, Z, such as xyz"),
    ),
    ("custom.numeric", "size"): (lambda value: 1 <= value <= 500, marked("must be from 1 to 500")),
    ("custom.text", "data"): (
        lambda value: value != "",
        marked("cannot be empty; write the text or remove the element"),
    ),
    ("asset.mesh", "maxhullvert"): (
        lambda value: value == -1 or value > 3,
        marked("must be greater than 3, or -1 for no limit"),
    ),
    ("default.mesh", "maxhullvert"): (
        lambda value: value == -1 or value > 3,
        marked("must be greater than 3, or -1 for no limit"),
    ),
    ("body.flexcomp", "dim"): (lambda value: 1 <= value <= 3, marked("must be 1, 2 or 3")),
    ("body.flexcomp", "count"): (lambda value: np.all(value >= 1), marked("must be at least 1 in each direction")),
    ("body.flexcomp", "scale"): (lambda value: np.all(value >= _SMALLEST), marked("must be greater than 0")),
    ("body.flexcomp", "mass"): (lambda value: value >= _SMALLEST, marked("must be greater than 0")),
    ("body.flexcomp", "inertiabox"): (lambda value: value >= _SMALLEST, marked("must be greater than 0")),
    ("asset.skin", "group"): _GROUP,
    ("deformable.skin", "group"): _GROUP,
    ("composite.skin", "group"): _GROUP,
    ("body.camera", "resolution"): _NOT_NEGATIVE,
    ("default.camera", "resolution"): _NOT_NEGATIVE,
    **{
        (f"{place}.{tag}", name): _NOT_NEGATIVE
        for place in ("actuator", "default")
        for tag, names in {
            "position": ("kv", "dampratio", "timeconst"),
            "damper": ("kv", "ctrlrange"),
            "muscle": ("tausmooth",),
            "adhesion": ("gain", "ctrlrange"),
        }.items()
        for name in names
    },
    **{
        (id, "quat"): _NOT_ZERO_QUATERNION
        for id in (
            "body", "frame", "body.inertial", "body.geom", "body.site", "body.camera", "default.geom", "default.site",
            "default.camera",
        )
    },
    ("asset.mesh", "refquat"): _NOT_ZERO_QUATERNION,
}  # fmt: skip

_ONE_WAY = (ORIENTATION, marked("an orientation can be given in one way only; keep one of them"))
_ONE_FIELD_OF_VIEW = (
    ("fovy", "sensorsize"),
    marked("the sensor size and focal length determine fovy; keep one of them"),
)
#: element id -> groups of attributes that exclude each other, with the remedy
EXCLUSIVE: dict[str, list[tuple[tuple[str, ...], str]]] = {
    **{id: [_ONE_WAY] for id in ("body", "frame", "body.inertial", "body.geom", "body.site", "body.flexcomp")},
    **{
        f"actuator.{tag}": [(_TARGETS, marked("an actuator acts on one thing; keep one of them"))]
        for tag in ("general", "motor", "velocity", "damper", "cylinder", "muscle", "plugin")
    },
    "actuator.position": [
        (_TARGETS, marked("an actuator acts on one thing; keep one of them")),
        (("kv", "dampratio"), marked("the damping ratio sets kv; keep one of them")),
    ],
    "actuator.intvelocity": [
        (_TARGETS, marked("an actuator acts on one thing; keep one of them")),
    ],
    "body.light": [(("type", "directional"), marked("directional is the old way to write type; keep type"))],
    "body.camera": [_ONE_WAY, _ONE_FIELD_OF_VIEW],
    "default.camera": [_ONE_FIELD_OF_VIEW],
    "size": [
        (("memory", "njmax"), marked("memory replaces njmax; keep memory")),
        (("memory", "nstack"), marked("memory replaces nstack; keep memory")),
    ],
    **{
        row.element: [
            (("geom1", "body1"), marked("the first side is a geom or a body; keep one of them")),
            (("geom2", "body2"), marked("the second side is a geom or a body; keep one of them")),
        ]
        for row in of_target(SensedKind.TWO_GEOMS)
    },
}

#: element id -> (attribute, the attribute that it requires, the message)
_CAMERA_NEEDS = [
    *(
        (name, "sensorsize", marked("{name} needs the size of the image sensor; add sensorsize"))
        for name in ("focal", "focalpixel", "principal", "principalpixel")
    ),
    ("sensorsize", "resolution", marked("sensorsize needs the size of the image; add resolution")),
]
_REFERENCE_NEEDS = [
    ("reftype", "refname", marked("reftype says the kind of an object that is not named; add refname")),
    ("refname", "reftype", marked("refname names an object whose kind is not given; add reftype")),
]
_OBJECT_NEEDS = [
    ("objtype", "objname", marked("objtype says the kind of an object that is not named; add objname")),
    ("objname", "objtype", marked("objname names an object whose kind is not given; add objtype")),
]
_REFSITE_NEEDS = [("refsite", "site", marked("refsite is the frame of a site actuator; add site or remove refsite"))]
NEEDS: dict[str, list[tuple[str, str, str]]] = {
    "body.camera": _CAMERA_NEEDS,
    "default.camera": _CAMERA_NEEDS,
    **{row.element: _REFERENCE_NEEDS for row in of_target(SensedKind.FRAME)},
    **{row.element: _OBJECT_NEEDS for row in of_target(SensedKind.ANY)},
    **{row.element: _OBJECT_NEEDS + _REFERENCE_NEEDS for row in of_target(SensedKind.PLUGIN)},
    **{
        f"actuator.{tag}": _REFSITE_NEEDS
        for tag in ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder")
    },
}  # fmt: skip


def _connect(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    yield from _bodies_or_sites(node, values, ("body1", "anchor"), ("body1", "body2", "anchor"))


def _weld(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    yield from _bodies_or_sites(node, values, ("body1",), ("body1", "body2", "anchor", "relpose"))


def _bodies_or_sites(
    node: Node, values: dict[str, Any], needed: tuple[str, ...], bodies: tuple[str, ...]
) -> Iterator[RuleViolation]:
    sites = [name for name in ("site1", "site2") if name in values]
    mixed = [name for name in bodies if name in values]
    if sites and mixed:
        yield RuleViolation(
            mixed[0],
            "exclusive-attributes",
            tr(
                "{mixed} and {sites} exclude each other: join bodies or sites, not both", mixed=mixed[0], sites=sites[0]
            ),
        )
    elif len(sites) != 2 and any(node.attribute(name) is None for name in needed):
        yield RuleViolation(None, "missing-attribute", tr("add {names}, or site1 and site2", names=all_of(needed)))


def _slider(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    if "cranksite" in values or not any(name in values for name in _TARGETS):
        return
    for name in ("cranklength", "slidersite"):
        if name in values:
            yield RuleViolation(
                name,
                "exclusive-attributes",
                tr("{name} belongs to a slider-crank; add cranksite or remove it", name=name),
            )


def _inertial(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    if "fullinertia" in values:
        for name in (*ORIENTATION, "diaginertia"):
            if name in values:
                yield RuleViolation(
                    name,
                    "exclusive-attributes",
                    tr("fullinertia already determines what {name} says; keep one of them", name=name),
                )
                return


def _distance(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    for side in ("1", "2"):
        if node.attribute(f"geom{side}") is None and node.attribute(f"body{side}") is None:
            yield RuleViolation(None, "missing-attribute", tr("add geom{side} or body{side}", side=side))


def _material(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    if "texture" in values and any(child.tag == "layer" for child in node.children):
        yield RuleViolation(
            "texture",
            "exclusive-attributes",
            tr("a material has either a texture or layers; move the texture into a layer of role rgb"),
        )


def _texture(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    layout = values.get("gridlayout")
    if layout is None:
        return
    if len(layout) > 12:
        yield RuleViolation(
            "gridlayout", "wrong-count", tr("expects at most 12 letters, found {count}", count=len(layout))
        )
        return
    size = values.get("gridsize")
    cells = 1 if size is None else int(np.prod(size))
    if len(layout) != cells:
        yield RuleViolation(
            "gridlayout",
            "wrong-count",
            tr("expects {cells} letters, one for each cell of gridsize, found {count}", cells=cells, count=len(layout)),
        )


def _hfield(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    elevation = values.get("elevation")
    if elevation is not None and not values.get("file"):
        expected = values.get("nrow", 0) * values.get("ncol", 0)
        if elevation.size != expected:
            yield RuleViolation(
                "elevation",
                "wrong-count",
                tr("expects nrow*ncol = {expected} numbers, found {size}", expected=expected, size=elevation.size),
            )


def _numeric(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    data, size = values.get("data"), values.get("size")
    found = 0 if data is None else data.size
    if size is None:
        if not 1 <= found <= 500:
            yield RuleViolation(
                "data" if found else None,
                "wrong-count",
                tr("expects 1 to 500 numbers, found {found}; give data or size", found=found),
            )
    elif found > size:
        yield RuleViolation(
            "data", "wrong-count", tr("expects at most size = {size} numbers, found {found}", size=size, found=found)
        )


def _composite(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    curve = values.get("curve")
    for word in curve.split() if curve else ():
        if word not in ("s", "cos(s)", "sin(s)", "0"):
            yield RuleViolation("curve", "bad-choice", tr("'{word}' is not one of s, cos(s), sin(s), 0", word=word))


def _pin(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    around = (node.parent.get("dim") or "2") if node.parent is not None else ""
    dim = int(around) if around in ("1", "2", "3") else 0
    for name, each in (("grid", dim), ("gridrange", 2 * dim)):
        value = values.get(name)
        if value is not None and each and value.size % each:
            yield RuleViolation(
                name,
                "wrong-count",
                tr("expects a multiple of {each} numbers, found {size}", each=each, size=value.size),
            )


def _flexcomp(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    kind, dim, element = values.get("type", "grid"), values.get("dim", 2), values.get("element")
    if element is not None and 1 <= dim <= 3 and element.size % (dim + 1):
        message = tr(
            "expects a multiple of dim + 1 = {number} numbers, found {size}", number=dim + 1, size=element.size
        )
        yield RuleViolation("element", "wrong-count", message)
    if kind == "direct":
        for name in ("point", "element"):
            if node.attribute(name) is None:
                yield RuleViolation(
                    "type", "missing-attribute", tr("a flexcomp of type direct needs {name}; add it", name=name)
                )
    elif kind in ("mesh", "gmsh") and not values.get("file"):
        yield RuleViolation(
            "type", "missing-attribute", tr("a flexcomp of type {kind} needs a file; add it", kind=kind)
        )


def _plugin(node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    if not values.get("plugin") and not values.get("instance"):
        yield RuleViolation(
            None, "missing-attribute", tr("add plugin, or instance to share one declared under extension")
        )


_Check = Callable[["Node", dict[str, Any]], Iterator[RuleViolation]]

#: element id -> further checks
CHECKS: dict[str, list[_Check]] = {
    "equality.connect": [_connect],
    "equality.weld": [_weld],
    "body.inertial": [_inertial],
    **{row.element: [_distance] for row in of_target(SensedKind.TWO_GEOMS)},
    "asset.material": [_material],
    "asset.texture": [_texture],
    "asset.hfield": [_hfield],
    "custom.numeric": [_numeric],
    "body.composite": [_composite],
    "flexcomp.pin": [_pin],
    "body.flexcomp": [_flexcomp],
    **{f"{place}.plugin": [_plugin] for place in ("body", "geom", "mesh", "composite", "flexcomp", "sensor")},
    "actuator.plugin": [_plugin, _slider],
    **{
        f"actuator.{tag}": [_slider]
        for tag in ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle")
    },
}  # fmt: skip

_FLEXCOMP = marked("soft objects are made with flexcomp now")
_REPLICATE = marked("repeated objects are made with replicate now")

#: (element id, attribute) of older versions of MJCF -> the remedy
REMOVED_ATTRIBUTES: dict[tuple[str, str], str] = {
    (
        "option",
        "collision",
    ): marked("it is no longer part of MJCF; choose contacts with contype, conaffinity, pair and exclude"),
    ("option", "mpr_iterations"): marked("it is called ccd_iterations now"),
    ("option", "mpr_tolerance"): marked("it is called ccd_tolerance now"),
    (
        "compiler",
        "convexhull",
    ): marked("it is no longer part of MJCF; hulls are made where they are needed, so remove it"),
    ("compiler", "exactmeshinertia"): marked("it is no longer part of MJCF; set inertia of each mesh"),
}
#: (element id, tag of a child) of older versions of MJCF -> the remedy
REMOVED_ELEMENTS: dict[tuple[str, str], str] = {
    (
        "equality",
        "distance",
    ): marked("distance constraints are no longer part of MJCF; use a tendon with a limited range"),
    ("body.composite", "pin"): _FLEXCOMP,
    ("body.composite", "tendon"): _FLEXCOMP,
}
#: (element id, tag) that MuJoCo ignores: pieces of a tree in files that are meant to be included
IGNORED_ELEMENTS = frozenset({("mujoco", "body"), ("mujoco", "frame")})
#: (element id, attribute, keyword) of older versions of MJCF -> the remedy
REMOVED_CHOICES: dict[tuple[str, str, str], str] = {
    **{("body.composite", "type", kind): _FLEXCOMP for kind in ("grid", "cloth", "box", "cylinder", "ellipsoid")},
    ("body.composite", "type", "particle"): _REPLICATE,
    ("body.composite", "type", "rope"): marked("a chain of bodies is of type cable now"),
    ("body.composite", "type", "loop"): marked("a chain of bodies is of type cable now"),
}

#: element id -> the compiler setting with the folder of its files; "*": all other elements
FOLDERS: dict[str, str] = {"*": "meshdir", "asset.texture": "texturedir"}
#: compiler settings that are already applied in an expanded spec
APPLIED_SETTINGS = frozenset(
    {"coordinate", "strippath", "meshdir", "texturedir", "assetdir", "fusestatic", "discardvisual"}
)
#: compiler settings that masses are computed with
MASS_SETTINGS = ("inertiafromgeom", "inertiagrouprange", "boundmass", "boundinertia", "balanceinertia")
#: element id -> attributes in the unit of compiler/angle, for hinge and ball joints
ANGLES: dict[str, tuple[str, ...]] = {"body.joint": ("range", "ref", "springref")}
#: (element id, attribute) that is written even with its default value
ALWAYS_WRITTEN = frozenset({("equality.connect", "anchor")})

#: (element id, attribute) whose presence has an effect, even with its default value
KEPT_IF_GIVEN = frozenset({("body.camera", "focalpixel"), ("body.camera", "principalpixel")})
#: (element id, attribute) -> the field of the model that completes the NaN entries of an array
PADDED_FROM: dict[tuple[str, str], str] = {
    ("keyframe.key", name): f"key_{name}" for name in ("qpos", "qvel", "act", "ctrl", "mpos", "mquat")
}

#: namespace -> names that exist without being declared
IMPLICIT_NAMES: dict[str, tuple[str, ...]] = {"body": ("world",), "class": ("main",)}
#: element id -> the name that an element of that kind has without saying so
NAMELESS: dict[str, str] = {"default": "main"}
#: element id -> the attribute with the text between a name inside it and the number of its copy
COPYING: dict[str, str] = {"replicate": "sep"}
#: element id -> namespace -> what names of parts that are made of the element have after its own, as a regular
#: expression
MADE_NAMES: dict[str, dict[str, str]] = {"body.flexcomp": {"body": r"_\d+(?:_\d_\d)?"}}
#: element id -> attributes: the other model, one of its elements, the namespace of that, what is put before all its
#: names
ATTACHING: dict[str, tuple[str, str, str, str]] = {"body.attach": ("model", "body", "body", "prefix")}

_BOUNDS_OF: dict[str, list[tuple[str, Callable[[Any], Any], str]]] = {}
for (_id, _name), (_fine, _message) in BOUNDS.items():
    if _name not in ELEMENTS[_id].attributes:
        raise ValueError(f"custom bound for {_id}.{_name}: the table has no such attribute")
    _BOUNDS_OF.setdefault(_id, []).append((_name, _fine, _message))

_SPECIAL = set(_BOUNDS_OF) | set(EXCLUSIVE) | set(NEEDS) | set(CHECKS)


def has_checks(id: str) -> bool:
    """Whether this kind of element has any exception."""
    return id in _SPECIAL


def findings(id: str, node: Node, values: dict[str, Any]) -> Iterator[RuleViolation]:
    """The violated rules of an element. `values`: its own typed values by name, without invalid ones."""
    for name, fine, message in _BOUNDS_OF.get(id, ()):
        value = values.get(name)
        if value is not None and not fine(value):
            yield RuleViolation(name, "out-of-range", tr(message))
    for names, message in EXCLUSIVE.get(id, ()):
        given = [name for name in names if name in values]
        if len(given) > 1:
            yield RuleViolation(
                given[1],
                "exclusive-attributes",
                tr("{names} cannot stand together: {message}", names=all_of(given), message=tr(message)),
            )
    for name, needed, message in NEEDS.get(id, ()):
        if name in values and not (node.get(needed) or "").strip():
            yield RuleViolation(name, "missing-attribute", tr(message, name=name))
    for check in CHECKS.get(id, ()):
        yield from check(node, values)
