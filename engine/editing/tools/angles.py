"""Angles and poses in other words: degrees and radians, the forms of an orientation, fromto and pos with size.

    edits = to_unit(document, "radian")                the whole model, its default classes and included files too
    edits = to_form(document, [node], "quat")          the orientation of elements in another form
    edits = without_fromto(document, [node])           fromto as pos, orientation and size
    edits = with_fromto(document, [node])              and back

The model stays the same. Each function raises CannotEdit where that cannot be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from kinetree.engine.assist.in_force import InForce, ValueOrigin, class_of, in_force
from kinetree.engine.assist.language import MJCF, language_of
from kinetree.engine.assist.names import names_of
from kinetree.engine.document.element_edit import ElementEdit, Insert, RemoveAttribute, SetAttribute
from kinetree.engine.editing import orientation
from kinetree.engine.editing.attributes import set_orientation
from kinetree.engine.editing.context import Context, context_of
from kinetree.engine.editing.numbers import AROUND, numbers, style, style_at
from kinetree.engine.editing.orientation import FORMS
from kinetree.engine.editing.structure import CannotEdit, label
from kinetree.engine.geometry.orientation import BadOrientation, from_ends, from_zaxis, rotate
from kinetree.engine.mjcf import schema, values
from kinetree.engine.mjcf.exceptions import ANGLES
from kinetree.engine.mjcf.geom_types import FROMTO, GEOM_TYPES, stretch
from kinetree.engine.progress import tracked
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Attribute, Node

__all__ = ["UNITS", "to_form", "to_unit", "unit_of", "with_fromto", "without_fromto"]

UNITS = ("degree", "radian")
_ANGULAR = ("hinge", "ball")
_JOINTS = ("body.joint", "composite.joint")
_EXACT, _ROUND = 1e-15, 1e-14
"""How much a number may change for the sake of fewer digits: any number, and one that is likely to be a round one, as
degrees and end points are."""


def unit_of(document: Document) -> str:
    """The unit of the angles of a document: "degree" or "radian"."""
    return "degree" if context_of(document).convention.degree else "radian"


# ---- the unit of a whole model -------------------------------------------------------------------------------


def to_unit(document: Document, unit: str) -> list[ElementEdit]:
    """Write the angles of a model in another unit.

    The numbers of a slide joint in a class are lengths, those of a hinge angles: where both take theirs from the same
    class, the slides get them as attributes of their own. The compiler reads the range of a joint without limits
    without a unit. It is written in the other unit all the same, so that it is right when the author sets the limits on
    again; only a range that an actuator takes as its control range stays. Raises CannotEdit for a format whose unit is
    fixed, or if it is this one already.
    """
    language = language_of(document)
    if language.grammar is not MJCF:
        fixed = unit_of(document)
        raise CannotEdit(
            tr(
                "{name} has its angles in {fixed}s always: convert the model to MJCF first",
                name=language.name,
                fixed=fixed,
            )
        )
    if unit_of(document) == unit:
        raise CannotEdit(tr("the angles of this model are in {unit}s already", unit=unit))
    factor = math.pi / 180 if unit == "radian" else 180 / math.pi
    edits: list[ElementEdit] = []
    joints = []
    inheriting = []
    settings = {}
    for node in tracked(list(document.merged.iter())):
        row = language.row(node)
        if row is None:
            continue
        if row.id in _JOINTS:
            joints.append(node)
        elif "inheritrange" in row.attributes and node.get("joint"):
            inheriting.append(node)
        elif row.tag == "joint" and row.id == schema.ELEMENTS["body.joint"].default:
            settings.update({attribute.span: attribute for attribute in _angles_of_joint(node)})
        for attribute in node.attributes:
            known = row.attributes.get(attribute.name)
            if known is not None and known.unit == "angle":
                last = attribute.name == "axisangle"
                edits += _scaled(attribute, values.parse(attribute, known), factor, 3 if last else 0)
    raw = _inherited(document, inheriting)
    return [*_unit_edits(document, unit), *edits, *_joint_edits(document, joints, settings, raw, factor)]


def _unit_edits(document: Document, unit: str) -> list[ElementEdit]:
    compilers = [node for node in document.merged.children if node.tag == "compiler"]
    given: list[ElementEdit] = [
        SetAttribute(node, "angle", unit) for node in compilers if node.get("angle") is not None
    ]
    if given:
        return given
    if compilers:
        return [SetAttribute(compilers[-1], "angle", unit)]
    return [Insert(document.root, f'<compiler angle="{unit}"/>', 0)]


def _angles_of_joint(node: Node) -> list[Attribute]:
    return [found for name in ANGLES["body.joint"] if (found := node.attribute(name)) is not None]


def _inherited(document: Document, actuators: list[Node]) -> set[int]:
    """The ids of the joints whose range some of these actuators take as their control range."""
    names = names_of(document)
    return {
        joint.node.id
        for node in actuators
        if float(in_force(document, node)["inheritrange"].value or 0) > 0
        for joint in names.meant("joint", node.get("joint") or "")
    }


def _joint_edits(
    document: Document, joints: list[Node], settings: dict[Any, Attribute], raw: set[int], factor: float
) -> list[ElementEdit]:
    """The numbers of joints, where they are written or in the classes that they come from. `raw`: the ids of the joints
    whose range stays unless it limits them."""
    users: dict[Any, list[tuple[Node, InForce, bool]]] = {place: [] for place in settings}
    edits: list[ElementEdit] = []
    known = schema.ELEMENTS["body.joint"].attributes
    for node in tracked(joints):
        found = in_force(document, node)
        for name in ANGLES["body.joint"]:
            value = found.get(name)
            if value is None or value.where is None:
                continue
            angle = found["type"].value in _ANGULAR and (name != "range" or node.id not in raw or _is_limited(found))
            if value.origin is ValueOrigin.WRITTEN and angle:
                edits += _scaled(value.where, values.parse(value.where, known[name]), factor)
            elif value.origin is ValueOrigin.CLASS:
                users.setdefault(value.where.span, []).append((node, value, angle))
                settings.setdefault(value.where.span, value.where)
    for place, attribute in settings.items():
        if all(not angle for *_, angle in users[place]) and (users[place] or not _sets_angles(attribute)):
            continue
        edits += _scaled(attribute, values.parse(attribute, known[attribute.name]), factor)
        edits += [
            SetAttribute(node, attribute.name, value.value or attribute.value)
            for node, value, angle in users[place]
            if not angle
        ]
    return edits


def _is_limited(found: dict[str, InForce]) -> bool:
    """Whether the range of a joint limits it."""
    said = found["limited"].value or "auto"
    value, _ = values.read(found["range"].value or "", found["range"].row)
    return said == "true" or (said == "auto" and value is not None and value[0] < value[1])


def _sets_angles(attribute: Attribute) -> bool:
    """Whether a number in a class that no joint takes is an angle."""
    return attribute.node.get("type", "hinge") in _ANGULAR


def _scaled(attribute: Attribute, value: Any, factor: float, first: int = 0) -> list[ElementEdit]:
    """Multiply numbers from the one with the number `first` on; nothing to do for those that are not valid."""
    if value is None or not values.finite(value):
        return []
    old = [value] if isinstance(value, (int, float)) else [float(each) for each in value]
    new = [each if i < first else _short(each * factor, _ROUND if factor > 1 else _EXACT) for i, each in enumerate(old)]
    node, name = attribute.node, attribute.name
    text = numbers(new, attribute.value, style(attribute.value, _habit(attribute.source.text[:AROUND])))
    return [SetAttribute(node, name, text)] if text != attribute.value else []


@lru_cache(maxsize=16)
def _habit(head: str) -> str:
    """A number as the author of a file, which begins like this, writes those below 1: for attributes that show none."""
    return '".5"' if style("", head).bare else '"0.5"'


def _short(value: float, tolerance: float, least: float = 0.0) -> float:
    """The number with the fewest digits that is near enough: `tolerance` is relative to the number, or to `least` if
    that is larger."""
    allowed = max(abs(value), least) * tolerance
    if abs(value) <= allowed:
        return 0.0
    for digits in range(1, 17):
        text = f"{value:.{digits}g}"
        if abs(float(text) - value) <= allowed:
            return float(text)
    return value


# ---- forms of an orientation ---------------------------------------------------------------------------------


def to_form(document: Document, nodes: Sequence[Node], form: str) -> list[ElementEdit]:
    """Write the orientation of elements in another form. Those that have none, or have it in this form, are left
    alone. Raises CannotEdit if nothing is left to do, or where the form cannot say an orientation."""
    context = context_of(document)
    elements, texts = [], []
    for node in tracked(nodes):
        row = context.language.row(node)
        if row is None or form not in row.attributes:
            raise CannotEdit(tr("{label} has no orientation in the form {form}", label=label(node), form=form))
        found = context.values(node)
        if "fromto" in found:
            raise CannotEdit(tr("the orientation of {label} follows from its fromto", label=label(node)))
        own = next((each for each in FORMS if node.get(each) is not None and each in found), None)
        if own is None or own == form:
            continue
        _check_class(document, node, form)
        elements.append(node)
        texts.append(_orientation_text(context, node, orientation.read(found, context.convention), form))
    if not elements:
        raise CannotEdit(tr("none of these elements has an orientation to be written as {form}", form=form))
    return set_orientation(elements, form, texts)


def _check_class(document: Document, node: Node, form: str) -> None:
    """Refuse a quaternion where the class of an element has another form, which would count in its place."""
    if form != "quat":
        return
    row = language_of(document).row(node)
    settings = [] if row is None else class_of(document, node).elements(row)
    for each in FORMS:
        if each != "quat" and any(setting.attribute(each) is not None for setting in settings):
            raise CannotEdit(
                tr(
                    "the default class of {label} sets {each}, which counts before a quaternion",
                    label=label(node),
                    each=each,
                )
            )


def _orientation_text(context: Context, node: Node, quat: orientation.Quat, form: str) -> str:
    """A rotation in a form, with all digits that it needs."""
    convention = context.convention
    found = orientation.write(quat, form, convention)
    if found is not None:
        angles = range(len(found)) if form == "euler" else (3,) if form == "axisangle" else ()
        fine = _ROUND if convention.degree else _EXACT
        short = [
            _short(value, fine, 1.0) if i in angles else _short(value, _EXACT, 1.0) for i, value in enumerate(found)
        ]
        text = numbers(short, "", style_at(node, form))
        again = orientation.read({form: [float(word) for word in text.split()]}, convention)
        if orientation.same(again, quat, 1e-9):
            return text
    raise CannotEdit(tr("{form} cannot say the orientation of {label}", form=form, label=label(node)))


# ---- two ends, or a pose and a length ------------------------------------------------------------------------


def without_fromto(document: Document, nodes: Sequence[Node]) -> list[ElementEdit]:
    """Write the two ends of shapes as pos, zaxis and size. Raises CannotEdit."""
    context = context_of(document)
    edits: list[ElementEdit] = []
    for node in tracked(nodes):
        found = context.values(node)
        written = node.get("fromto")
        kind = GEOM_TYPES.get(found.get("type", ""))
        if "fromto" not in found or kind not in FROMTO:
            raise CannotEdit(tr("{label} has no fromto", label=label(node)))
        if written is None:
            raise CannotEdit(tr("the fromto of {label} is set by its default class", label=label(node)))
        ends = [float(value) for value in found["fromto"]]
        try:
            (pos, _), half = from_ends(ends)
        except BadOrientation as error:
            raise CannotEdit(f"{label(node)}: {error}") from None
        size = _sizes(found)
        stretch(kind, size, half)
        axis = [ends[i] - ends[3 + i] for i in range(3)]
        habit = style_at(node, "fromto")
        lengths = [_short(value, _EXACT) for value in size[: FROMTO[kind]]]
        edits += [
            RemoveAttribute(node, "fromto"),
            *(RemoveAttribute(node, form) for form in FORMS if node.attribute(form) is not None),
            SetAttribute(node, "size", numbers(lengths, node.get("size") or "", style_at(node, "size"))),
            SetAttribute(node, "pos", numbers([_short(value, _EXACT, half) for value in pos], "", habit)),
            SetAttribute(node, "zaxis", numbers([_short(value, _EXACT, half) for value in axis], "", habit)),
        ]
    return edits


def with_fromto(document: Document, nodes: Sequence[Node]) -> list[ElementEdit]:
    """Write the pose and the length of shapes as their two ends. A turn about their axis is lost; a shape that shows
    it is refused. Raises CannotEdit."""
    context = context_of(document)
    edits: list[ElementEdit] = []
    for node in tracked(nodes):
        found = context.values(node)
        name = found.get("type", "")
        kind = GEOM_TYPES.get(name)
        if kind not in FROMTO or found.get("mesh"):
            raise CannotEdit(
                tr("{label} cannot have a fromto: only a capsule, cylinder, box or ellipsoid can", label=label(node))
            )
        if "fromto" in found:
            raise CannotEdit(tr("{label} has a fromto already", label=label(node)))
        if "pos" in found and node.get("pos") is None:
            raise CannotEdit(
                tr("the default class of {label} sets pos, which cannot stand beside fromto", label=label(node))
            )
        quat = orientation.read(found, context.convention)
        z = rotate(quat, (0.0, 0.0, 1.0))
        size = _sizes(found)
        half = size[FROMTO[kind] - 1]
        if FROMTO[kind] == 3 and size[0] != size[1]:
            raise CannotEdit(
                tr("{label} has two widths, and a {name} with fromto has one", label=label(node), name=name)
            )
        if name == "box" and not orientation.same(from_zaxis(z), quat):
            raise CannotEdit(tr("{label} is turned about its axis, which fromto cannot say", label=label(node)))
        if half <= 0:
            raise CannotEdit(tr("{label} has no length", label=label(node)))
        pos = [float(value) for value in found.get("pos", (0.0, 0.0, 0.0))]
        ends = [pos[i] + side * half * z[i] for side in (1, -1) for i in range(3)]
        text = numbers([_short(value, _ROUND, half) for value in ends], "", style_at(node, "pos"))
        edits += [RemoveAttribute(node, each) for each in ("pos", *FORMS) if node.attribute(each) is not None]
        edits.append(SetAttribute(node, "fromto", text))
        written = (node.get("size") or "").split()
        if len(written) > 1:
            edits.append(SetAttribute(node, "size", written[0]))
    return edits


def _sizes(found: dict[str, Any]) -> list[float]:
    """The three sizes of a shape."""
    size = [float(value) for value in found.get("size", ())]
    return size + [0.0] * (3 - len(size))
