"""The range of a joint as its text says it, and how to say another one in the same words.

The range of a ball joint is 0 and the largest angle between its orientation and the reference one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kinetree.engine.document.element_edit import ElementEdit, SetAttribute
from kinetree.engine.editing.context import context_of
from kinetree.engine.editing.pose import NotPlaced, Numbers
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node


@dataclass(frozen=True)
class JointLimits:
    """The range of a hinge, slide or ball.

    low, high   in radians or metres
    scale       radians or metres for one unit of the text
    parts       the attribute with both numbers, or one for each
    turns       whether they are angles
    is_ball     whether the joint is a ball
    """

    low: float
    high: float
    scale: float
    parts: tuple[Numbers, ...]
    turns: bool = True
    is_ball: bool = False

    def set(self, side: int, value: float, precision: float) -> list[ElementEdit]:
        """Edits for another end of the range; `side`: -1 the lower, 1 the upper one. An end does not pass the other
        one.
        """
        low = min(value, self.high) if side < 0 else self.low
        high = max(value, self.low) if side > 0 else self.high
        if self.is_ball:
            high = min(high, math.pi)
        fine = precision / self.scale
        ends = low / self.scale, high / self.scale
        if len(self.parts) == 2:
            part, end = self.parts[side > 0], ends[side > 0]
            return [part.write([end], fine)]
        written = list(self.parts[0].values)
        written[side > 0] = ends[side > 0]
        return [self.parts[0].write(written, fine)]

    def set_both(self, low: float, high: float, precision: float) -> list[ElementEdit]:
        """Edits for another range."""
        fine, ends = precision / self.scale, (low / self.scale, high / self.scale)
        if len(self.parts) == 2:
            return [part.write([end], fine) for part, end in zip(self.parts, ends, strict=True)]
        return [self.parts[0].write(ends, fine)]

    def restore(self) -> list[ElementEdit]:
        """Edits that restore the range."""
        return [part.restore() for part in self.parts]


def limits_of(document: Document, node: Node) -> JointLimits:
    """The range of a joint. Raises NotPlaced where it has none."""
    context = context_of(document)
    if context.language.name == "URDF":
        limit = node.find("limit")
        values = {} if limit is None else context.values(limit)
        if limit is None or "lower" not in values or "upper" not in values:
            raise NotPlaced(tr("this joint has no limits"))
        parts = tuple(Numbers.of(limit, name, [values[name]]) for name in ("lower", "upper"))
        turns = node.get("type") != "prismatic"
        return JointLimits(float(values["lower"]), float(values["upper"]), 1.0, parts, turns)
    row = context.language.row(node)
    if row is None or row.id != "body.joint":
        raise NotPlaced(tr("a <{tag}> has no range", tag=node.tag))
    values = context.values(node)
    kind, interval = values.get("type", "hinge"), values.get("range")
    if kind not in ("hinge", "slide", "ball") or interval is None or len(interval) != 2:
        raise NotPlaced(tr("this joint has no range"))
    turns = kind != "slide"
    scale = math.radians(1) if turns and context.convention.degree else 1.0
    low, high = (float(value) * scale for value in interval)
    return JointLimits(low, high, scale, (Numbers.of(node, "range", interval),), turns, kind == "ball")


def write_range(document: Document, node: Node, low: float, high: float, precision: float) -> list[ElementEdit]:
    """Edits that set the range of a hinge or slide, rad or m, and enable it; also if the joint has none yet. Raises
    NotPlaced for other elements, and for a URDF joint without limits (its type says so).
    """
    if low >= high:
        raise NotPlaced(tr("the lower end of a range must be below the upper one"))
    context = context_of(document)
    try:
        found = limits_of(document, node).set_both(low, high, precision)
    except NotPlaced:
        row = context.language.row(node)
        values = {} if row is None else context.values(node)
        kind = values.get("type", "hinge")
        if row is None or row.id != "body.joint" or context.language.name != "MJCF" or kind not in ("hinge", "slide"):
            raise
        scale = math.radians(1) if kind == "hinge" and context.convention.degree else 1.0
        found = [Numbers.of(node, "range", ()).write((low / scale, high / scale), precision / scale)]
    if context.language.name == "MJCF":
        flag = str(context.values(node).get("limited", "auto")).lower()
        if flag == "false" or (flag == "auto" and _is_explicit(document)):
            found.append(SetAttribute(node, "limited", "true"))
    return found


def _is_explicit(document: Document) -> bool:
    """Whether a range alone does not limit a joint: compiler/autolimits is off."""
    said = [each.get("autolimits") for each in document.merged.children if each.tag == "compiler"]
    return [each for each in said if each is not None][-1:] == ["false"]
