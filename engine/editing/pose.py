"""Where an element is, as its text says it, and how to say another place in the same words.

    placement = place(document, node)
    placement.pose                                  (position, quaternion) in the frame that the text means
    placement.frame                                 the enclosing <frame>s and the replica, in the body around
    edits = placement.move((pos, quat), Precision(0.001, 0.01))
    edits = set_world_pose(document, node, pose)   in the world of the model at rest

The form stays: fromto stays fromto, Euler angles keep their sequence, degrees stay degrees, and numbers are
written as the author writes them (numbers.py). A pose that comes from a default class becomes explicit on the
element. Poses are those of the text: the compiled ones of a mesh geom and of a free body that is aligned with
its inertia differ.

What can be placed is said by the tables of the formats:

    kind     elements                                           attributes
    frame    body, geom, site, camera, frame, inertial ...      pos and an orientation
    ends     geom and site with fromto                          fromto
    ray      light                                              pos, dir
    axis     joint                                              pos, axis
    origin   link, joint, visual, collision, inertial (URDF)    <origin xyz rpy>, of a link that of its joint
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from kinetree.engine.document.element_edit import ElementEdit, Insert, RemoveAttribute, SetAttribute
from kinetree.engine.editing import numbers, orientation
from kinetree.engine.editing.context import Context, context_of
from kinetree.engine.editing.orientation import FORMS, Convention, between
from kinetree.engine.geometry.orientation import (
    IDENTITY,
    ORIGIN,
    START,
    BadOrientation,
    Pose,
    Quat,
    Vec,
    compose,
    conj,
    from_ends,
    from_euler,
    invert,
    mul,
    rotate,
)
from kinetree.engine.mjcf.geom_types import FROMTO, GEOM_TYPES
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

_PLACED = frozenset({"body", "frame", "geom", "world"})
"""First words of the ids of elements with a pose, in the tables of MJCF and x_xy."""
_SAYING = ("pos", "offset", "fromto", "axis", "dir", *FORMS)
_PLACES = frozenset({"pos", "offset"})
Z = (0.0, 0.0, 1.0)
ROUND = frozenset({"sphere", "capsule", "cylinder"})
"""Shapes that look the same after a turn about their Z axis."""


class NotPlaced(ValueError):
    """An element that has no pose to be set; str() says why."""


class Precision(NamedTuple):
    """How precise a gesture is: in metres and radians."""

    length: float
    turn: float


EXACT = Precision(1e-12, 1e-12)
"""Rounding errors of a few products are not written."""


@dataclass(frozen=True)
class Numbers:
    """Numbers of an element that can be written.

    node    the element
    name    the attribute
    values  in force, whether written or not
    text    as written; None if they come from a class or are the format's
    """

    node: Node
    name: str
    values: tuple[float, ...]
    text: str | None
    style: numbers.Style

    @classmethod
    def of(cls, node: Node, name: str, values: Iterable[float]) -> Numbers:
        return cls(node, name, tuple(map(float, values)), node.get(name), numbers.style_at(node, name))

    def write(self, values: Sequence[float], precision: float | Sequence[float]) -> ElementEdit:
        """Edit that writes other numbers. An attribute that the text does not set stays absent while the numbers equal
        its default.
        """
        fine = list(precision) if isinstance(precision, Sequence) else [precision] * len(values)
        if self.text is None and len(values) == len(self.values):
            if all(abs(a - b) <= 0.5 * each for a, b, each in zip(values, self.values, fine, strict=True)):
                return RemoveAttribute(self.node, self.name)
        kept = [i < len(self.values) and value == self.values[i] for i, value in enumerate(values)]
        digits = [None if same else each for same, each in zip(kept, fine, strict=True)]
        return SetAttribute(self.node, self.name, numbers.numbers(values, self.text or "", self.style, digits))

    def restore(self) -> ElementEdit:
        """Edit that restores the numbers."""
        if self.text is None:
            return RemoveAttribute(self.node, self.name)
        return SetAttribute(self.node, self.name, self.text)


@dataclass(frozen=True)
class Placement:
    """The pose of an element as its text gives it, and how to write another pose in the same form.

    node    the element that was asked for
    kind    "frame", "ends", "ray", "axis" or "origin"
    pose    as the text says it, in the frame of its enclosing frames; of a ray or an axis: Z is the direction
    frame   the pose of those frames, and of the replica, in the body around
    body    the body element around; None for the world
    turns   whether it can be turned
    moves   whether it can be moved
    parts   the attributes that say it, by their role: pos, turn, ends, direction
    form    the form of the orientation that is in force
    """

    node: Node
    kind: str
    pose: Pose
    frame: Pose
    body: Node | None
    convention: Convention
    parts: Mapping[str, Numbers]
    form: str = "quat"
    turns: bool = True
    moves: bool = True
    symmetric: bool = False
    inherited: bool = False
    forms: tuple[str, ...] = ()
    into: Node | None = None

    @property
    def grows(self) -> bool:
        """Whether `move` inserts an element: create a new Placement afterwards."""
        return self.into is not None

    @property
    def in_body(self) -> Pose:
        """The pose in the body around."""
        return compose(self.frame, self.pose)

    def move(self, pose: Pose, precision: Precision = EXACT) -> list[ElementEdit]:
        """Edits for another pose in the same frame. They set or remove every attribute of the pose, so that they
        replace those of an earlier moment of a gesture.
        """
        if self.into is not None:
            return [self._insert(self.into, pose, precision)]
        if self.kind == "ends":
            return [self._move_ends(pose, precision)]
        edits = []
        if "pos" in self.parts:
            edits.append(self.parts["pos"].write(pose[0], precision.length))
        if "direction" in self.parts:
            edits.append(self._direct(pose[1], precision))
        elif self.turns:
            edits += self._turn(pose[1], precision)
        return edits

    def restore(self) -> list[ElementEdit]:
        """Edits that restore the pose."""
        if self.kind in ("frame", "origin") and self.turns and "turn" in self.parts:
            return [*(part.restore() for role, part in self.parts.items() if role != "turn"), *self._as_it_was()]
        return [part.restore() for part in self.parts.values()]

    def _as_it_was(self) -> list[ElementEdit]:
        node = self.parts["turn"].node
        found: list[ElementEdit] = []
        for form in self.forms:
            text = node.get(form)
            found.append(RemoveAttribute(node, form) if text is None else SetAttribute(node, form, text))
        return found

    def _turn(self, quat: Quat, precision: Precision) -> list[ElementEdit]:
        if orientation.same(quat, self.pose[1]):
            return self._as_it_was()
        old, form = self.parts["turn"], self.form
        name = old.name
        values = orientation.write(quat, form, self.convention, old.values)
        if values is None and form == "zaxis" and self.symmetric:
            values = rotate(quat, Z)
        if values is None:  # the form cannot say it
            form = name = "xyaxes" if self.inherited else "quat"
            values = orientation.write(quat, form, self.convention)
            old = Numbers.of(old.node, name, ())
        assert values is not None
        fine = orientation.fine(form, precision.turn, self.convention)
        others: list[ElementEdit] = [RemoveAttribute(old.node, each) for each in self.forms if each != name]
        text = numbers.numbers(values, old.text or "", old.style, fine)
        return [*others, SetAttribute(old.node, name, text)]

    def _direct(self, quat: Quat, precision: Precision) -> ElementEdit:
        part = self.parts["direction"]
        if orientation.same(quat, self.pose[1]):
            return part.restore()
        turned = rotate(mul(quat, conj(self.pose[1])), part.values)
        fine = orientation.fine("zaxis", precision.turn, self.convention)[0]
        return part.write(turned, fine)

    def _move_ends(self, pose: Pose, precision: Precision) -> ElementEdit:
        part = self.parts["ends"]
        step = compose(pose, invert(self.pose))
        ends = [value for i in (0, 3) for value in compose(step, (part.values[i : i + 3], IDENTITY))[0]]
        return part.write(ends, precision.length)

    def _insert(self, parent: Node, pose: Pose, precision: Precision) -> ElementEdit:
        """An <origin> for an element of URDF that has none."""
        style = numbers.style_at(parent, "")
        angles = orientation.write(pose[1], "euler", self.convention)
        assert angles is not None
        xyz = numbers.numbers(pose[0], "", style, precision.length)
        rpy = numbers.numbers(angles, "", style, precision.turn)
        return Insert(parent, f'<origin xyz="{xyz}" rpy="{rpy}"/>', 0)


def place(document: Document, node: Node, replicas: Mapping[int, int] | None = None) -> Placement:
    """Where an element is. `replicas`: which replica of the replicates around it is meant, by the id of the
    <replicate>; the first if not given. Raises NotPlaced."""
    context = context_of(document)
    if context.language.name == "URDF":
        return _urdf(context, node)
    row = context.language.row(node)
    if row is not None and row.id.startswith("default"):
        raise NotPlaced(tr("a default class has no place: select an element that uses it"))
    if row is None or row.id.partition(".")[0] not in _PLACED or not _PLACES & set(row.attributes):
        raise NotPlaced(tr("a <{tag}> has no place in space", tag=node.tag))
    values = context.values(node)
    if not all(math.isfinite(number) for name in _SAYING for number in values.get(name, ())):
        raise NotPlaced(tr("its place has a number that is infinite or none: correct it in the text"))
    frame, body = frames(context, node, replicas)
    if "axis" in row.attributes:
        return _joint(context, node, values, frame, body)
    if "dir" in row.attributes:
        parts = {"pos": _part(node, "pos", values, ORIGIN), "direction": _part(node, "dir", values, (0, 0, -1))}
        return _along(node, "ray", parts, frame, body, context)
    if "fromto" in values and GEOM_TYPES.get(_shape(values)) in FROMTO:
        ends = _part(node, "fromto", values, ())
        try:
            pose = from_ends(ends.values)[0]
        except (BadOrientation, IndexError):
            raise NotPlaced(tr("the two points of fromto are the same: move one of them apart in the text")) from None
        return Placement(node, "ends", pose, frame, body, context.convention, {"ends": ends})
    return _framed(context, node, values, row, frame, body)


def _framed(context: Context, node: Node, values, row, frame: Pose, body: Node | None) -> Placement:
    pos = _part(node, "pos" if "pos" in row.attributes else "offset", values, ORIGIN)
    forms = tuple(form for form in FORMS if form in row.attributes)
    if not forms or "fullinertia" in values:
        pose = pos.values, IDENTITY
        return Placement(node, "frame", pose, frame, body, context.convention, {"pos": pos}, turns=False)
    try:
        quat = orientation.read(values, context.convention)
    except BadOrientation as error:
        raise NotPlaced(tr("its orientation cannot be read: {error}", error=error)) from None
    found = orientation.form_of(values)
    form = found or _habit(node, forms)
    alias = next((name for name, known in row.attributes.items() if known.same_as == form and node.get(name)), form)
    start = values[form] if found else orientation.write(IDENTITY, form, context.convention) or ()
    return Placement(
        node,
        "frame",
        (pos.values, quat),
        frame,
        body,
        context.convention,
        {"pos": pos, "turn": Numbers.of(node, alias, start)},
        form=form,
        symmetric=row.tag in ("geom", "site") and _shape(values) in ROUND,
        inherited=found is not None and node.get(alias) is None,
        forms=tuple(dict.fromkeys((*forms, alias))),
    )


def _joint(context: Context, node: Node, values, frame: Pose, body: Node | None) -> Placement:
    kind = values.get("type", "hinge")
    if kind == "free":
        raise NotPlaced(tr("a free joint has no anchor and no axis: move its body"))
    parts = {"pos": _part(node, "pos", values, ORIGIN), "direction": _part(node, "axis", values, Z)}
    if kind == "ball":
        del parts["direction"]
        pose = parts["pos"].values, IDENTITY
        return Placement(node, "axis", pose, frame, body, context.convention, parts, turns=False)
    return _along(node, "axis", parts, frame, body, context)


def _along(node, kind, parts, frame, body, context: Context, moves: bool = True, **more) -> Placement:
    """The placement of something with a direction."""
    direction = parts["direction"].values
    if math.sqrt(sum(value * value for value in direction)) < 1e-7:
        raise NotPlaced(tr("its {name} is zero: give it a length in the text", name=parts["direction"].name))
    pos = parts["pos"].values if "pos" in parts else ORIGIN
    pose = pos, between(Z, direction)
    return Placement(node, kind, pose, frame, body, context.convention, parts, moves=moves, **more)


def _part(node: Node, name: str, values: Mapping, default: Sequence[float]) -> Numbers:
    return Numbers.of(node, name, values.get(name, default))


def _shape(values: Mapping) -> str:
    return values.get("type", "sphere")


def _habit(node: Node, forms: Sequence[str]) -> str:
    """The form that the author uses most, of those that can say every rotation and are short."""
    counts = [(count, form) for form, count in _uses(node.source.text) if form in forms]
    return max(counts, key=itemgetter(0))[1] if counts else "quat"


@lru_cache(maxsize=8)
def _uses(text: str) -> list[tuple[str, int]]:
    """How often a text has each form."""
    return [(form, text.count(f" {form}=")) for form in ("quat", "euler", "axisangle")]


# ---- URDF ------------------------------------------------------------------------------------------------


def _urdf(context: Context, node: Node) -> Placement:
    holder = node.parent if node.tag == "origin" else node
    axis = None
    if holder is not None and holder.tag == "link":
        holder = joint_of(holder)
        if holder is None:
            raise NotPlaced(tr("this link is not moved by a joint: the base of a robot is where the world puts it"))
    elif holder is not None and holder.tag == "joint" and holder.find("axis") is not None and node is holder:
        axis = holder.find("axis")
    if holder is None or holder.tag not in ("joint", "visual", "collision", "inertial"):
        raise NotPlaced(tr("a <{tag}> has no place in space", tag=node.tag))
    body = holder.parent if holder.tag != "joint" else _parent_link(holder)
    origin = holder.find("origin")
    given = {} if origin is None else context.values(origin)
    pos = tuple(map(float, given.get("xyz", ORIGIN)))
    angles = tuple(map(float, given.get("rpy", ORIGIN)))
    pose: Pose = pos, from_euler(angles, "XYZ", False)
    if axis is not None:  # of a joint: where its axis is, which turns in its own frame
        parts = {"direction": _part(axis, "xyz", context.values(axis), (1, 0, 0))}
        return _along(node, "axis", parts, pose, body, context, moves=False)
    if origin is None:
        return Placement(node, "origin", pose, START, body, context.convention, {}, into=holder)
    parts = {"pos": Numbers.of(origin, "xyz", pos), "turn": Numbers.of(origin, "rpy", angles)}
    return Placement(
        node, "origin", pose, START, body, context.convention, parts, form="euler", forms=("rpy",), inherited=False
    )


def joint_of(link: Node) -> Node | None:
    """The joint of URDF that moves a link."""
    name, root = link.get("name"), link.parent
    for joint in () if root is None else root.children:
        child = joint.find("child") if joint.tag == "joint" else None
        if child is not None and child.get("link") == name:
            return joint
    return None


def _parent_link(joint: Node) -> Node | None:
    parent, root = joint.find("parent"), joint.parent
    name = None if parent is None else parent.get("link")
    links = () if root is None else root.children
    return next((link for link in links if link.tag == "link" and link.get("name") == name), None)


# ---- frames and the world --------------------------------------------------------------------------------


def frames(context: Context, node: Node, replicas: Mapping[int, int] | None = None) -> tuple[Pose, Node | None]:
    """(pose of the frames between an element and the body around it, that body). The body is None for the world, and
    for elements outside of bodies.
    """
    pose = START
    for around in context.ancestors(node):
        if around.tag == "frame":
            if node.tag == "flexcomp":
                continue  # frames do not move it, as in the reference
            values = context.values(around)
            try:
                own = tuple(map(float, values.get("pos", ORIGIN))), orientation.read(values, context.convention)
            except BadOrientation:
                own = START
            pose = compose(own, pose)
        elif around.tag == "replicate":
            pose = compose(_replica(context, around, (replicas or {}).get(around.id, 0)), pose)
        else:
            return pose, around if around.tag == "body" else None
    return pose, None


def _replica(context: Context, node: Node, number: int) -> Pose:
    """The pose of one replica (engine/expand/expander.py says how they follow each other)."""
    values = context.values(node)
    offset, euler = values.get("offset"), values.get("euler")
    away = ORIGIN if offset is None else tuple(map(float, offset))
    pose = START
    for i in range(1, number + 1):
        pos, quat = compose(pose, (away, IDENTITY))
        if euler is not None:
            quat = from_euler((i * euler).tolist(), context.convention.sequence, context.convention.degree)
        pose = pos, quat
    return pose


def world_frame(document: Document, node: Node, replicas: Mapping[int, int] | None = None) -> Pose:
    """The frame in which the pose of an element counts, in the world of the model at rest, that is at qpos0."""
    placement = place(document, node, replicas)
    pose, body = placement.frame, placement.body
    while body is not None:
        if body.tag == "link" and joint_of(body) is None:
            break
        around = place(document, body, replicas)
        pose, body = compose(around.in_body, pose), around.body
    return pose


def world_pose(document: Document, node: Node, replicas: Mapping[int, int] | None = None) -> Pose:
    """The pose of an element in the world of the model at rest. Raises NotPlaced."""
    return compose(world_frame(document, node, replicas), place(document, node, replicas).pose)


def set_pose(document: Document, node: Node, pose: Pose, precision: Precision = EXACT) -> list[ElementEdit]:
    """Edits for another pose in the frame that the text means. Raises NotPlaced."""
    return place(document, node).move(pose, precision)


def set_world_pose(
    document: Document,
    node: Node,
    pose: Pose,
    precision: Precision = EXACT,
    replicas: Mapping[int, int] | None = None,
) -> list[ElementEdit]:
    """Edits for another pose in the world of the model at rest. Raises NotPlaced."""
    local = compose(invert(world_frame(document, node, replicas)), pose)
    return place(document, node, replicas).move(local, precision)


def moved(pose: Pose, away: Vec) -> Pose:
    """A pose shifted along the axes of the frame around it."""
    x, y, z = pose[0]
    return (x + away[0], y + away[1], z + away[2]), pose[1]
