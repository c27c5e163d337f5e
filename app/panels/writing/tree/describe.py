"""Content of a row of the tree: icon, name and detail of an element, and the searchable text. No toolkit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from kinetree.app.panels.writing.tree.elements import GeneratedRow
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.formats.urdf_table import TABLE as URDF
from kinetree.engine.formats.x_xy_table import TABLE as X_XY
from kinetree.engine.mjcf.schema import ELEMENTS
from kinetree.engine.translation import tr

MOST_DETAILS = 3

REFERRING = frozenset(
    known.name
    for table in (ELEMENTS, URDF.rows, X_XY.rows)
    for row in table.values()
    for known in row.attributes.values()
    if known.refers is not None or known.type == "file"
)
"""Attributes that refer to something, or to a file, in some kind of element."""
_SHOWN = REFERRING | {"type"}

_ICONS = {
    **dict.fromkeys(("mujoco", "mujocoinclude", "robot", "x_xy"), "model"),
    **dict.fromkeys(("compiler", "option", "options", "size", "statistic", "flag", "lengthrange"), "settings"),
    **dict.fromkeys(("asset",), "folder"),
    **dict.fromkeys(("joint", "freejoint"), "joint"),
    **dict.fromkeys(("geom", "visual", "collision", "geometry"), "geom"),
    **dict.fromkeys(("box", "sphere", "cylinder", "capsule"), "geom"),
    **dict.fromkeys(("body", "link"), "body"),
    **dict.fromkeys(("frame", "origin"), "frame"),
    **dict.fromkeys(("composite", "flexcomp"), "composite"),
    **dict.fromkeys(("default", "defaults"), "default"),
    **dict.fromkeys(("deformable", "flex"), "flex"),
    **dict.fromkeys(("texture", "hfield"), "texture"),
    **dict.fromkeys(("material", "layer", "color"), "material"),
    **dict.fromkeys(("mesh", "model"), "mesh"),
    **dict.fromkeys(("contact", "pair", "exclude"), "contact"),
    **dict.fromkeys(("custom", "numeric", "text", "tuple"), "custom"),
    **dict.fromkeys(("extension", "plugin", "instance", "config"), "plugin"),
    **dict.fromkeys(("keyframe", "key"), "key"),
    **{
        name: name
        for name in (
            "actuator", "attach", "camera", "equality", "include", "inertial", "light", "replicate", "sensor", "site",
            "skin", "tendon", "worldbody", "limit", "axis",
        )
    },
}  # fmt: skip
_SECTIONS = {
    "actuator": "actuator",
    "sensor": "sensor",
    "equality": "equality",
    "tendon": "tendon",
    "visual": "settings",
}
"""Sections whose elements all have one icon, whatever their tags."""
_THINGS = {
    "folder": "folder", "made": "made", "pair": "contact", "exclude": "contact", "numeric": "custom",
    "text": "custom", "tuple": "custom", "hfield": "texture", "probe": "light",
}  # fmt: skip
_KIND_ICONS = frozenset((
    "body", "joint", "geom", "site", "camera", "light", "actuator", "sensor", "tendon", "flex", "skin", "equality",
    "key", "mesh", "texture", "material", "plugin",
))  # fmt: skip
ICONS = frozenset(_ICONS.values()) | frozenset(_THINGS.values()) | _KIND_ICONS | {"element"}
"""Every icon that a row may have."""


class Description(NamedTuple):
    """icon: its name; name: the first text; detail: what follows it; named: whether the element has the name itself."""

    icon: str
    name: str
    detail: str
    named: bool


def values_of(item: Subtree) -> Iterator[tuple[str, str]]:
    """The attributes of an element: (name, value)."""
    if item.located:
        return ((name, value) for name, value, _ in item.values)
    return ((name, double or single) for name, double, single in item.values)


def name_attribute(tag: str) -> str:
    """The attribute that has the name of elements with a tag."""
    return "class" if tag == "default" else "model" if tag in ("mujoco", "x_xy") else "name"


def icon_of(item: Subtree | GeneratedRow, parent: Any) -> str:
    """The name of the icon of a row inside another one."""
    if isinstance(item, GeneratedRow):
        return _THINGS.get(item.kind, item.kind if item.kind in _KIND_ICONS else "element")
    around = parent.tag if isinstance(parent, Subtree) else ""
    if around in _SECTIONS and item.tag != "include":
        return _SECTIONS[around]
    if around == "mujoco" and item.tag in _SECTIONS:
        return _SECTIONS[item.tag]
    return _ICONS.get(item.tag, "element")


def describe(item: Subtree | GeneratedRow, parent: Any) -> Description:
    """Content of a row."""
    icon = icon_of(item, parent)
    if isinstance(item, GeneratedRow):
        return Description(icon, item.name, item.detail, bool(item.detail))
    own, details = "", []
    wanted = name_attribute(item.tag)
    for name, value in values_of(item):
        if name == wanted:
            own = value
        elif name in _SHOWN and value:
            details.append(value)
        elif name == "count" and item.tag == "replicate":
            details.append(f"× {value}")
    if item.tag in ("include", "mesh", "texture", "hfield", "skin", "model") and not own:
        file = next((value for name, value in values_of(item) if name in ("file", "filename") and value), "")
        if file:
            own, details = PurePosixPath(file.replace("\\", "/")).name, [each for each in details if each != file]
    details = details[:MOST_DETAILS]
    if own:
        if item.tag != icon and item.tag not in ("freejoint",):
            details.insert(0, item.tag)
        return Description(icon, own, "  ".join(details), True)
    return Description(icon, item.tag or tr("no element"), "  ".join(details), False)


def searched(item: Subtree | GeneratedRow) -> str:
    """The lower-case text that the words of a filter are looked for in: name, type, files and references."""
    if isinstance(item, GeneratedRow):
        return f"{item.name}\n{item.detail}".casefold() if item.number >= 0 else ""
    parts = [value for name, value in values_of(item) if name in _SHOWN or name in ("name", "class", "model")]
    return "\n".join(parts).casefold()
