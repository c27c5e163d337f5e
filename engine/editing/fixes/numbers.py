"""Fixes of numbers: ranges, sizes, moments of inertia, contact parameters."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

import numpy as np

from kinetree.engine.assist.language import language_of
from kinetree.engine.document.element_edit import RemoveAttribute, SetAttribute
from kinetree.engine.editing.attributes import problem, with_number
from kinetree.engine.editing.fixes.fix import FindingPlace, Fix, OptionSetting, fix, set_title
from kinetree.engine.translation import tr

_COMMAS = re.compile(r"\s*[,;]\s*")
LEAST = 1e-3
"""A repaired moment of inertia is at least this share of the largest one."""
DIGITS = 10  # of a computed number


def _floats(text: str | None) -> list[float] | None:
    """The finite numbers of a text; None where there is anything else."""
    try:
        found = [float(word) for word in (text or "").split()]
    except ValueError:
        return None
    return found if all(map(math.isfinite, found)) else None


def _text(*values: float) -> str:
    return " ".join(f"{value:.{DIGITS}g}" for value in values)


# ---- how they are written ------------------------------------------------------------------------------


def without_commas(at: FindingPlace) -> Iterator[Fix]:
    """Writes spaces between the numbers, or a point in a number, in place of commas."""
    attribute = at.attribute
    row = language_of(at.document).row(attribute.node) if attribute is not None else None
    known = row.attributes.get(attribute.name) if row is not None and attribute is not None else None
    if attribute is None or row is None or known is None or not _COMMAS.search(attribute.value):
        return
    spaced = _COMMAS.sub(" ", attribute.value.strip(" \t\r\n,;"))
    for title, text in (
        (tr("Separate the numbers by spaces"), spaced),
        (tr("Write a decimal point"), attribute.value.replace(",", ".")),
    ):
        if not problem(row, known, text):
            yield fix(title, SetAttribute(attribute.node, attribute.name, text))
            return


def swapped(at: FindingPlace) -> Iterator[Fix]:
    """Swaps the two ends of the range."""
    attribute = at.attribute
    if attribute is None:
        return
    title = tr("Swap the ends of the range")
    words = attribute.value.split()
    ends = _floats(attribute.value)
    other = attribute.node.attribute("upper")
    if ends is not None and len(ends) == 2 and ends[0] > ends[1]:
        yield fix(title, SetAttribute(attribute.node, attribute.name, f"{words[1]} {words[0]}"))
    elif attribute.name == "lower" and other is not None:
        node = attribute.node
        yield fix(title, SetAttribute(node, "lower", other.value), SetAttribute(node, "upper", attribute.value))


def limited(at: FindingPlace) -> Iterator[Fix]:
    """Sets the flag that switches the range on."""
    if at.node is not None and len(at.facts) == 1:
        flag = at.facts[0]
        yield fix(set_title(flag, "true"), SetAttribute(at.node, flag, "true"))


# ---- joints and keyframes ------------------------------------------------------------------------------


def other_unit(at: FindingPlace) -> Iterator[Fix]:
    """Writes the range in the unit of the model's angles."""
    attribute, ends = at.attribute, _floats(at.attribute.value) if at.attribute is not None else None
    if attribute is None or not ends:
        return
    if max(map(abs, ends)) > 4 * math.pi:
        title, values = tr("Write the range in radians"), [math.radians(value) for value in ends]
    else:
        title, values = tr("Write the range in degrees"), [round(math.degrees(value), 2) for value in ends]
    yield fix(title, SetAttribute(attribute.node, attribute.name, _text(*(float(f"{v:.6g}") for v in values))))


def reference(at: FindingPlace) -> Iterator[Fix]:
    """Sets ref to the nearest end of the range."""
    if at.node is not None and at.is_mjcf and len(at.facts) == 2 and at.node.tag == "joint":
        yield fix(set_title("ref", at.facts[0]), SetAttribute(at.node, "ref", at.facts[0]))


def widened(at: FindingPlace) -> Iterator[Fix]:
    """Extends the range to the joint's position at rest."""
    attribute, ends = at.attribute, _floats(at.attribute.value) if at.attribute is not None else None
    rest = _floats(at.facts[1]) if len(at.facts) == 2 else None
    if attribute is None or not ends or not rest or len(ends) != 2 or not at.is_mjcf:
        return
    value = with_number(attribute.value, 0 if rest[0] < ends[0] else 1, at.facts[1])
    title = tr("Extend the range to {value}", value=at.facts[1])
    yield fix(title, SetAttribute(attribute.node, attribute.name, value))


def within_ranges(at: FindingPlace) -> Iterator[Fix]:
    """Moves the numbers of the keyframe that are outside of their ranges to the nearest end of these."""
    attribute = at.attribute
    if attribute is None or not at.facts or len(at.facts) % 2:
        return
    value = attribute.value
    for place, number in zip(at.facts[::2], at.facts[1::2], strict=True):
        if not place.isdigit() or int(place) >= len(value.split()):
            return
        value = with_number(value, int(place), number)
    title = tr("Move {name} into the ranges", name=attribute.name)
    yield fix(title, SetAttribute(attribute.node, attribute.name, value))


def control_range(at: FindingPlace) -> Iterator[Fix]:
    """Sets ctrlrange to the range of the joint."""
    if at.node is None or len(at.facts) != 2:
        return
    value = " ".join(at.facts)
    changes = [SetAttribute(at.node, "ctrlrange", value)]
    if at.node.attribute("inheritrange") is not None:
        yield fix(set_title("ctrlrange", value), RemoveAttribute(at.node, "inheritrange"), *changes)
    else:
        yield fix(set_title("ctrlrange", value), *changes)


def gear(at: FindingPlace) -> Iterator[Fix]:
    """Sets a gear of 0 to 1."""
    if at.node is not None and at.facts == ("gear",):
        yield fix(set_title("gear", "1"), SetAttribute(at.node, "gear", "1"))


# ---- shapes and contacts -------------------------------------------------------------------------------


def in_millimetres(at: FindingPlace) -> Iterator[Fix]:
    """Scales the mesh from millimetres to metres."""
    node = at.node
    if node is None or node.tag != "mesh":
        return
    scale = _floats(node.get("scale", "1 1 1"))
    if scale is not None and len(scale) == 3:
        value = _text(*(each / 1000 for each in scale))
        yield fix(tr("Scale the mesh from millimetres to metres"), SetAttribute(node, "scale", value))


def mass_of_hull(at: FindingPlace) -> Iterator[Fix]:
    """Takes mass and inertia from the hull of the mesh, or from its surface."""
    node = at.node
    if node is not None and node.tag == "mesh" and at.is_mjcf:
        yield fix(tr("Take the inertia from the convex hull"), SetAttribute(node, "inertia", "convex"))
        yield fix(tr("Take the inertia from the surface"), SetAttribute(node, "inertia", "shell"))


def one_dimension(at: FindingPlace) -> Iterator[Fix]:
    """Sets condim to 1."""
    if at.node is not None:
        yield fix(set_title("condim", "1"), SetAttribute(at.node, "condim", "1"))


def longer_time(at: FindingPlace) -> Iterator[Fix]:
    """Sets the time constant of solref to two time steps."""
    attribute = at.attribute
    if attribute is not None and len(at.facts) == 1:
        value = with_number(attribute.value, 0, at.facts[0])
        title = tr("Set the time constant to {value} s", value=at.facts[0])
        yield fix(title, SetAttribute(attribute.node, attribute.name, value))


def raised(at: FindingPlace) -> Iterator[Fix]:
    """Moves the body out of the plane."""
    if len(at.facts) != 5:
        return
    body, shift = at.body(*at.facts[:2]), _floats(" ".join(at.facts[2:]))
    pos = _floats(body.get("pos", "0 0 0")) if body is not None else None
    if body is None or body.parent is None or body.parent.tag not in ("worldbody", "mujoco") or not pos or not shift:
        return
    value = _text(*(float(f"{a + b:.6g}") for a, b in zip(pos, shift, strict=True))) if len(pos) == 3 else ""
    if value:
        yield fix(tr("Raise its body by {shift:.3g} m", shift=math.hypot(*shift)), SetAttribute(body, "pos", value))


def colliding(at: FindingPlace) -> Iterator[Fix]:
    """Makes the first geom of the body collide."""
    geom = next(at.node.iter("geom"), None) if at.node is not None else None
    if geom is not None:
        yield fix(tr("Make its first geom collide"), SetAttribute(geom, "contype", "1"))


# ---- mass ----------------------------------------------------------------------------------------------


def repaired_inertia(at: FindingPlace) -> Iterator[Fix]:
    """Writes the nearest moments of inertia that a body can have."""
    node, title = at.node, tr("Write the nearest possible inertia")
    if node is None:
        return
    entries = [_floats(node.get(name)) for name in _ENTRIES]
    diagonal, full = _floats(node.get("diaginertia")), _floats(node.get("fullinertia"))
    if node.tag == "inertia" and all(each is not None and len(each) == 1 for each in entries):
        values = _possible([each[0] for each in entries if each])
        changes = zip(_ENTRIES, values, strict=True)
        yield fix(title, *(SetAttribute(node, name, _text(value)) for name, value in changes))
    elif full is not None and len(full) == 6:
        yield fix(title, SetAttribute(node, "fullinertia", _text(*_possible(full))))
    elif diagonal is not None and len(diagonal) == 3:
        yield fix(title, SetAttribute(node, "diaginertia", _text(*_possible([*diagonal, 0.0, 0.0, 0.0])[:3])))


_ENTRIES = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def _possible(given: Sequence[float]) -> list[float]:
    """The nearest inertia matrix that a body can have, as xx yy zz xy xz yz: its moments are positive, and none exceeds
    the sum of the other two."""
    xx, yy, zz, xy, xz, yz = given
    moments, axes = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    moments = np.abs(moments)
    moments = np.maximum(moments, LEAST * max(float(moments.max()), 1e-9))
    order = np.argsort(moments)
    excess = float(moments[order[2]] - moments[order[0]] - moments[order[1]])
    if excess >= 0:
        excess += 1e-6 * float(moments[order[2]])  # the numbers are rounded when they are written
        moments[order[2]] -= excess / 3
        moments[order[:2]] += excess / 3
    found = axes @ np.diag(moments) @ axes.T
    places = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
    off = 1e-12 * float(moments.max())
    return [float(f"{found[i, j]:.7g}") if abs(found[i, j]) > off else 0.0 for i, j in places]


def balanced(at: FindingPlace) -> Iterator[Fix]:
    """Sets balanceinertia in <compiler>: such moments become their mean."""
    node = at.node
    values = _floats(node.get("diaginertia")) if node is not None else None
    if not at.is_mjcf or not values or min(values) < 0:
        return
    yield fix(tr("Balance inertia (compiler)"), OptionSetting(("compiler",), "balanceinertia", "true"))


def bounded(at: FindingPlace) -> Iterator[Fix]:
    """Sets boundmass and boundinertia in <compiler>, the least mass and moments of all moving bodies."""
    path = ("compiler",) if at.is_mjcf else ("mujoco", "compiler")
    if at.document.root.tag not in ("mujoco", "robot"):
        return
    title = tr("Set a least mass and inertia (compiler)")
    yield fix(title, OptionSetting(path, "boundmass", "0.001"), OptionSetting(path, "boundinertia", "1e-06"))
