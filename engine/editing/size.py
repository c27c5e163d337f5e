"""The size of a shape as its text says it, and how to say another one in the same words.

    shape = shape_of(document, node)
    shape.reaches                              {(axis, side): distance from the middle to the surface, or end}
    edits = shape.resize(2, 1, 0.4, 0.001)    the end at +Z goes to 0.4 from the middle
    edits = shape.scale(1.5, 0.001)           all lengths times 1.5

A shape with fromto is lengthened by moving the end that is dragged; every other shape keeps its middle. What
each axis means is said by tables: which of the numbers, and how many of them a half length is.

The size of a mesh or a height field of MJCF is that of its asset. A geom that shares its asset with others gets a copy
of the asset, so that the others stay as they are; whoever wants to resize them all resizes the asset.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from kinetree.engine.assist.names import names_of
from kinetree.engine.document import change
from kinetree.engine.document.edit import apply
from kinetree.engine.document.element_edit import ElementEdit, Insert, SetAttribute
from kinetree.engine.editing.context import Context, context_of
from kinetree.engine.editing.copying import copy_of
from kinetree.engine.editing.pose import NotPlaced, Numbers
from kinetree.engine.editing.structure import index_in, parsed
from kinetree.engine.geometry.orientation import Vec
from kinetree.engine.mjcf.geom_types import FROMTO, GEOM_TYPES
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

X, Y, Z = range(3)
LEAST = 1e-6
"""The smallest size that is written, m."""
NARROW = 0.1
"""A side of a mesh that is nearer to its origin than this part of its extent cannot be dragged."""

Side = tuple[int, int]
"""(axis, 1 or -1)"""


class Length(NamedTuple):
    """An attribute that determines the extent of a shape along one axis.

    attribute  a name
    index      which of its numbers
    times      how many half lengths the number is
    caps       the attribute and number of a radius that is added
    """

    attribute: str
    index: int
    times: float = 1.0
    caps: tuple[str, int] | None = None


class Use(NamedTuple):
    """How a geom uses its mesh or height field.

    low, high  corners of the box around its points, in the frame that the text of the geom means
    users      how many elements show the asset
    """

    low: Vec
    high: Vec
    users: int = 1


Lengths = Mapping[Side, Length]


def _both(lengths: Mapping[int, Length]) -> dict[Side, Length]:
    return {(axis, side): length for axis, length in lengths.items() for side in (1, -1)}


def _all(attribute: str, index: int, axes=(X, Y, Z)) -> dict[int, Length]:
    return {axis: Length(attribute, index) for axis in axes}


_MJCF: dict[str, Lengths] = {
    "sphere": _both(_all("size", 0)),
    "capsule": _both({**_all("size", 0, (X, Y)), Z: Length("size", 1, caps=("size", 0))}),
    "cylinder": _both({**_all("size", 0, (X, Y)), Z: Length("size", 1)}),
    "box": _both({axis: Length("size", axis) for axis in (X, Y, Z)}),
    "ellipsoid": _both({axis: Length("size", axis) for axis in (X, Y, Z)}),
    "plane": _both({axis: Length("size", axis) for axis in (X, Y)}),
}
_URDF: dict[str, Lengths] = {
    "sphere": _both(_all("radius", 0)),
    "capsule": _both({**_all("radius", 0, (X, Y)), Z: Length("length", 0, 2.0, ("radius", 0))}),
    "cylinder": _both({**_all("radius", 0, (X, Y)), Z: Length("length", 0, 2.0)}),
    "box": _both({axis: Length("size", axis, 2.0) for axis in (X, Y, Z)}),
}
_X_XY: dict[str, Lengths] = {
    "sphere": _both(_all("dim", 0)),
    "capsule": _both({**_all("dim", 0, (Y, Z)), X: Length("dim", 1, 2.0, ("dim", 0))}),
    "cylinder": _both({**_all("dim", 0, (Y, Z)), X: Length("dim", 1, 2.0)}),
    "box": _both({axis: Length("dim", axis, 2.0) for axis in (X, Y, Z)}),
}
_SCALE: Lengths = _both({axis: Length("scale", axis) for axis in (X, Y, Z)})
_ASSETS: dict[str, Lengths] = {
    "mesh": _SCALE,
    "hfield": {
        **_both({axis: Length("size", axis) for axis in (X, Y)}),
        (Z, 1): Length("size", 2),
        (Z, -1): Length("size", 3),
    },
}
"""Shapes whose size is that of an asset: of a mesh the numbers are factors."""


@dataclass(frozen=True)
class ShapeSize:
    """The size of a shape as its text gives it, and how to write another size in the same form.

    kind     "box", "sphere", "mesh" ...
    lengths  what says how far it reaches to each side
    parts    the attributes with the numbers
    ends     fromto, where it says the length along Z
    use      of a mesh or a height field
    sharer   the geom that gets a copy of its asset, which others show too; None without others
    """

    kind: str
    lengths: Lengths
    parts: Mapping[str, Numbers]
    ends: Numbers | None = None
    use: Use | None = None
    sharer: Node | None = None
    document: Document | None = None

    @property
    def reaches(self) -> dict[Side, float]:
        """How far it reaches to each side, as far as the surface. Sides that cannot be dragged are left out: those of
        an infinite plane, and of a mesh those that its origin lies on."""
        found = {}
        for (axis, side), length in self.lengths.items():
            caps = 0.0 if length.caps is None else self._value(*length.caps)
            if axis == Z and self.ends is not None:
                found[axis, side] = self._length() / 2 + caps
            elif self.kind == "mesh" and self.use is not None:
                reach = side * (self.use.high if side > 0 else self.use.low)[axis]
                if reach > NARROW * (self.use.high[axis] - self.use.low[axis]):
                    found[axis, side] = reach
            else:
                half = self._value(length.attribute, length.index) / length.times + caps
                if half > 0:
                    found[axis, side] = half
        return found

    @property
    def asset(self) -> Node | None:
        """The asset whose size this is."""
        return next(iter(self.parts.values())).node if self.use is not None else None

    def _value(self, attribute: str, index: int) -> float:
        values = self.parts[attribute].values
        return values[index] if index < len(values) else 0.0

    def _length(self) -> float:
        assert self.ends is not None
        a, b = self.ends.values[:3], self.ends.values[3:]
        return sum((p - q) ** 2 for p, q in zip(a, b, strict=True)) ** 0.5

    def resize(
        self, axis: int, side: int, reach: float, precision: float, copies: MutableMapping[int, str] | None = None
    ) -> list[ElementEdit]:
        """Edits for another extent to one side. `copies`: names of the copies that assets get, by the ids of the
        assets, for several geoms that are to share one.
        """
        length = self.lengths[axis, side]
        caps = 0.0 if length.caps is None else self._value(*length.caps)
        if axis == Z and self.ends is not None:
            return [self._stretch(side, reach - caps, precision)]
        part = self.parts[length.attribute]
        if self.kind == "mesh":
            old = self.reaches[axis, side]
            value, fine = self._factor(part, length.index, max(reach, LEAST, precision) / old, precision / old)
        else:
            value, fine = max(length.times * (reach - caps), LEAST, precision), precision
        values = list(part.values)
        values += [value] * (length.index + 1 - len(values))
        values[length.index] = value
        return self._written(part, values, length.index, fine, copies)

    def scale(
        self, factor: float, precision: float, copies: MutableMapping[int, str] | None = None
    ) -> list[ElementEdit]:
        """Edits that scale a shape and keep its proportions."""
        factor = max(factor, 1e-3)
        found: list[ElementEdit] = []
        if self.ends is not None:
            a, b = self.ends.values[:3], self.ends.values[3:]
            middle = [(p + q) / 2 for p, q in zip(a, b, strict=True)] * 2
            ends = [m + factor * (p - m) for p, m in zip(self.ends.values, middle, strict=True)]
            found.append(self.ends.write(ends, precision))
        for name, part in self.parts.items():
            indices = sorted({each.index for each in self.lengths.values() if each.attribute == name})
            values, fine = list(part.values), precision
            for index in indices:
                if index < len(values) and self.kind == "mesh":
                    reach = max(self.reaches.values(), default=1.0)
                    values[index], fine = self._factor(part, index, factor, precision / reach)
                elif index < len(values):
                    values[index] = max(values[index] * factor, LEAST, precision) if values[index] > 0 else 0.0
            used = [index for index in indices if index < len(values) and (self.ends is None or index == 0)]
            found += self._written(part, values, max(used, default=0), fine, copies)
        return found

    @staticmethod
    def _factor(part: Numbers, index: int, factor: float, fine: float) -> tuple[float, float]:
        """(one of the factors of a mesh times another factor, how precise that is)."""
        value = part.values[index]
        return value * factor, fine * abs(value)

    def _written(
        self,
        part: Numbers,
        values: list[float],
        index: int,
        precision: float,
        copies: MutableMapping[int, str] | None,
    ) -> list[ElementEdit]:
        count = len(values)
        if part.text is not None:  # as many numbers as are written, unless a later one changes
            count = max(len(part.text.split()), index + 1)
        elif self.kind in _MJCF:
            count = max(1, *(each.index + 1 for each in self.lengths.values() if each.attribute == part.name))
            if self.ends is not None:
                count = 1
        edit = part.write(values[:count], precision)
        if self.sharer is None or not isinstance(edit, SetAttribute):
            return [edit]
        return self._copied(self.sharer, edit, {} if copies is None else copies)

    def _copied(self, geom: Node, edit: SetAttribute, copies: MutableMapping[int, str]) -> list[ElementEdit]:
        """Edits that give a geom a copy of its asset."""
        asset, document = edit.node, self.document
        assert document is not None and asset.parent is not None
        if asset.id in copies:
            return [SetAttribute(geom, self.kind, copies[asset.id])]
        copies[asset.id], xml = copy_of(document, asset, self.kind, context_of(document).values(geom)[self.kind])
        root = parsed(document, xml)
        edits = change.set_attribute(root.children[0], edit.name, edit.value)
        text = apply(root.source.text, next(iter(edits.values()), ()))[len("<x>") : -len("</x>")]
        return [
            Insert(asset.parent, text, index_in(asset.parent, asset) + 1),
            SetAttribute(geom, self.kind, copies[asset.id]),
        ]

    @property
    def grows(self) -> bool:
        """Whether `resize` inserts an element: see `regrown`."""
        return self.sharer is not None

    def regrown(self, document: Document, node: Node) -> ShapeSize:
        """The same shape, for the text that has its own copy of the asset."""
        assert self.use is not None
        now = shape_of(document, node, self.use._replace(users=1))
        parts = {name: replace(part, values=self.parts[name].values) for name, part in now.parts.items()}
        return replace(now, parts=parts)

    def _stretch(self, side: int, half: float, precision: float) -> ElementEdit:
        """Move one end of fromto along the line; Z points to the first."""
        assert self.ends is not None
        moved, fixed = (slice(0, 3), slice(3, 6)) if side > 0 else (slice(3, 6), slice(0, 3))
        values = list(self.ends.values)
        length = self._length()
        way = max(half + length / 2, LEAST, precision) / length
        values[moved] = [b + way * (a - b) for a, b in zip(values[moved], values[fixed], strict=True)]
        return self.ends.write(values, precision)

    def restore(self) -> list[ElementEdit]:
        """Edits that restore the size."""
        parts = list(self.parts.values()) if self.ends is None else [*self.parts.values(), self.ends]
        return [part.restore() for part in parts]


def shape_of(document: Document, node: Node, use: Use | None = None) -> ShapeSize:
    """The size of an element. `use`: what the compiled model says of its mesh or height field. Raises NotPlaced where
    it has none that can be dragged."""
    context = context_of(document)
    language = context.language.name
    if language == "URDF":
        return _urdf(context, node, use)
    row = context.language.row(node)
    if row is not None and row.id in ("asset.mesh", "asset.hfield"):
        return _asset(context, node, row.tag, use)
    if row is None or "size" not in row.attributes or "type" not in row.attributes or row.id.startswith("default"):
        raise NotPlaced(tr("a <{tag}> has no size that can be dragged", tag=node.tag))
    values = context.values(node)
    if language == "x_xy":
        kind = values.get("type", "")
        if kind not in _X_XY:
            raise NotPlaced(tr("drawn axes have no size that can be dragged"))
        name = "size" if "size" in values else "dim"
        return ShapeSize(kind, _X_XY[kind], {"dim": Numbers.of(node, name, _list(values.get(name, 0.0)))})
    kind = values.get("type", "sphere")
    if kind in _ASSETS:
        return _shown(document, context, node, kind, use)
    if kind not in _MJCF or "mesh" in values:
        raise NotPlaced(tr("its size is fitted to its mesh: scale the mesh, or write the primitive with Fit Primitive"))
    default = (0.005,) * 3 if row.tag == "site" else (0.0,) * 3
    size = Numbers.of(node, "size", _list(values.get("size", default)))
    lengths, ends = _MJCF[kind], None
    if "fromto" in values and GEOM_TYPES.get(kind) in FROMTO:
        ends = Numbers.of(node, "fromto", values["fromto"])
        lengths = {**_both(_all("size", 0, (X, Y))), (Z, 1): lengths[Z, 1], (Z, -1): lengths[Z, -1]}
    return ShapeSize(kind, lengths, {"size": size}, ends)


def _shown(document: Document, context: Context, node: Node, kind: str, use: Use | None) -> ShapeSize:
    """The size of a mesh or a height field that a geom shows."""
    name = context.values(node).get(kind)
    declared = names_of(document).declaring(kind, name) if name else ()
    own = document.node(declared[0].node.id) if declared else None
    if own is None:
        raise NotPlaced(tr("its {kind} is not in this text", kind=kind))
    shape = _asset(context, own, kind, use)
    shared = shape.use is not None and shape.use.users > 1
    return replace(shape, sharer=node, document=document) if shared else shape


def _asset(context: Context, node: Node, kind: str, use: Use | None) -> ShapeSize:
    """The size of the asset itself."""
    if use is None:
        raise NotPlaced(tr("no geom shows this {kind}: its size can be written in the text", kind=kind))
    values = context.values(node)
    name = "scale" if kind == "mesh" else "size"
    given = values.get(name, (1.0, 1.0, 1.0) if kind == "mesh" else None)
    if given is None:
        raise NotPlaced(tr("its size is not a valid text"))
    return ShapeSize(kind, _ASSETS[kind], {name: Numbers.of(node, name, _list(given))}, use=use)


def _urdf(context: Context, node: Node, use: Use | None) -> ShapeSize:
    geometry = node.find("geometry")
    for child in () if geometry is None else geometry.children:
        if child.tag in _URDF:
            lengths, values = _URDF[child.tag], context.values(child)
            names = {length.attribute for length in lengths.values()}
            parts = {name: Numbers.of(child, name, _list(values.get(name, 0.0))) for name in names}
            return ShapeSize(child.tag, lengths, parts)
        if child.tag == "mesh" and use is not None:
            scale = context.values(child).get("scale", (1.0, 1.0, 1.0))
            return ShapeSize("mesh", _SCALE, {"scale": Numbers.of(child, "scale", _list(scale))}, use=use)
    raise NotPlaced(tr("a <{tag}> has no size that can be dragged", tag=node.tag))


def _list(values) -> list[float]:
    return [float(values)] if isinstance(values, float) else [float(value) for value in values]
