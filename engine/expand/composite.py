"""Expands <composite>: a cable, which is a chain of bodies along a curve (XML reference, "body/composite").

Default classes do not apply to the elements that it makes; frames around it do.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.geometry.bicubic import Bicubic
from kinetree.engine.geometry.orientation import Quat, conj, from_axes, mul, unit
from kinetree.engine.mjcf import make
from kinetree.engine.mjcf.elements import Body, Element, Spec
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.resources.files import AssetFiles

MAX_POINTS = 100_000
MAX_SUBGRID = 20
GROUP = 3
"""Group of the joints and sites, hidden by default."""
INITIAL = {"free": "free", "ball": "ball", "none": None}
GEOMS = ("cylinder", "capsule", "box")
CURVES = ("0", "s", "cos(s)", "sin(s)")
_NO_LENGTH = 1e-15


class BadComposite(Exception):
    """An error of a composite, with the attributes that it is about."""

    def __init__(self, message: str, *attributes: str, code: str = "bad-value", place: Element | None = None):
        super().__init__(message)
        self.attributes, self.code, self.place = attributes, code, place


def expand(item: Element, parent: Body, spec: Spec, read: AssetFiles | None, diagnostics: Diagnostics) -> list[Body]:
    """The first body of the chain, the others inside it. Excludes, a text and a skin go to `spec.lists`."""
    try:
        return [_Cable(item, spec, diagnostics).first()]
    except BadComposite as error:
        place = error.place or item
        diagnostics.error(place.at(*error.attributes), error.code, f"composite: {error}")
    return []


class _Cable:
    def __init__(self, item: Element, spec: Spec, diagnostics: Diagnostics):
        self.item, self.spec = item, spec
        self.prefix = item.get("prefix", "")
        self.joint, geom, self.site, self.skin = (self.part(tag) for tag in ("joint", "geom", "site", "skin"))
        self.plugin = self.part("plugin")
        self.point = self.points()
        if geom is None or geom["type"] not in GEOMS:
            raise BadComposite(
                tr("a cable is made of cylinders, capsules or boxes; add a geom of one of these types"),
                "type",
                place=geom,
            )
        self.geom = geom
        initial = item.get("initial", "ball")
        if initial not in INITIAL and initial != "0":
            diagnostics.warning(
                item.at("initial"),
                "bad-choice",
                tr("'{initial}' is not one of free, ball, none; it counts as ball", initial=initial),
            )
        self.initial = INITIAL.get(initial, "ball")

    def part(self, tag: str) -> Element | None:
        found = [inner for inner in self.item.items if inner.tag == tag]
        if len(found) > 1:
            raise BadComposite(
                tr("a cable has one kind of {tag}; remove one of them", tag=tag),
                code="repeated-element",
                place=found[1],
            )
        return found[0] if found else None

    def points(self) -> np.ndarray:
        """(n, 3) points of the cable in the parent's frame, m; single precision, as in the reference."""
        item = self.item
        vertex, curve = item.get("vertex"), item.get("curve")
        if vertex is not None and len(vertex):
            if item.node.attribute("count") is not None:
                raise BadComposite(
                    tr("vertex and count exclude each other; remove one of them"),
                    "count",
                    code="exclusive-attributes",
                )
            if len(vertex) % 3:
                raise BadComposite(tr("vertex has {count} numbers; it needs three each", count=len(vertex)), "vertex")
            point = np.asarray(vertex, float).reshape(-1, 3)
        else:
            count = np.ones(3, int)
            count[: len(item["count"])] = item["count"]
            if (count[1:] != 1).any() or count[0] < 2:
                raise BadComposite(
                    tr("a cable has at least 2 points along the first direction and 1 along the others"), "count"
                )
            if count[0] > MAX_POINTS:
                raise BadComposite(tr("at most {most} points are made", most=MAX_POINTS), "count")
            point = self.curve(curve.split() if curve else [], int(count[0]))
            # as in the reference, a quat that is not of unit length stretches the curve; vertices do not turn
            w, *axis = np.asarray(item["quat"], float)
            point = point + 2 * np.cross(axis, w * point + np.cross(axis, point))
        if len(point) < 2 or len(point) == 3:
            raise BadComposite(
                tr(
                    "a cable of {count} points cannot be made, in MuJoCo neither; use 2, or 4 or more", count=len(point)
                ),
                "count",
                "vertex",
            )
        return point.astype(np.float32)

    def curve(self, names: list[str], count: int) -> np.ndarray:
        if len(names) > 3:
            raise BadComposite(tr("curve has more than three functions"), "curve")
        size = np.array([1.0, 0.0, 0.0])
        if self.item.get("size") is not None:
            given = np.asarray(self.item["size"], float)
            size[: len(given)] = given
        length, radius, turns = size
        s = np.linspace(0.0, 1.0, count)
        point = np.zeros((count, 3))
        for i, name in enumerate(names):
            if name not in CURVES:
                raise BadComposite(
                    tr("'{name}' is not one of {names}", name=name, names=", ".join(CURVES)), "curve", code="bad-choice"
                )
            # as in the reference, half a turn for each unit of size[2]
            angle = math.pi * turns * s
            point[:, i] = {
                "0": 0.0 * s,
                "s": length * s,
                "cos(s)": radius * np.cos(angle),
                "sin(s)": radius * np.sin(angle),
            }[name]
        return point

    # ---- bodies -------------------------------------------------------------------------------------

    def first(self) -> Body:
        frames = _frames(self.point)
        number = len(frames)
        node = self.item.node
        names = [self.prefix + "B_" + self.suffix(i, number) for i in range(number)]
        bodies: list[Body] = []
        before: Quat = (1.0, 0.0, 0.0, 0.0)
        instance = self.instance()
        for i, frame in enumerate(frames):
            length = math.hypot(*(self.point[i + 1] - self.point[i]).tolist())
            pos = self.point[0].astype(float) + self.item["offset"] if i == 0 else np.array([self.length, 0.0, 0.0])
            quat = np.array(mul(conj(before), frame) if i else frame)
            body = make.body(node, names[i], {"pos": pos, "quat": quat})
            self.fill(body, i, number, length)
            body.plugin = instance
            if bodies:
                make.add(bodies[-1], body)
                values = {"body1": names[i - 1], "body2": names[i]}
                self.spec.lists["exclude"].append(make.element("contact.exclude", node, values))
            bodies.append(body)
            before, self.length = frame, length
        values = {"name": "composite_" + self.prefix, "data": "rope_" + self.prefix}
        self.spec.lists["text"].append(make.element("custom.text", node, values))
        if self.geom["type"] == "box":
            if number == 1:
                raise BadComposite(tr("a cable of boxes has at least 4 points"), "count", "vertex")
            self.covering(names)
        return bodies[0]

    def instance(self) -> Element | None:
        """The <plugin> that all bodies share. Declares its instance."""
        return self.plugin and make.plugin(self.spec, self.plugin, "composite" + self.prefix)

    def suffix(self, i: int, number: int) -> str:
        return "first" if i == 0 else "last" if i == number - 1 else str(i)

    def fill(self, body: Body, i: int, number: int, length: float) -> None:
        """Add joint, geom and sites of one body."""
        name = self.suffix(i, number)
        kind = self.initial if i == 0 else "ball"
        if kind is not None:
            values = {
                **_given(self.joint),
                "name": f"{self.prefix}J_{name}",
                "type": kind,
                "pos": np.zeros(3),
            }
            values.setdefault("group", GROUP)
            values.pop("axis", None)
            if kind == "free":
                values = {name: values[name] for name in ("name", "type", "group")}
            body.joints.append(self.make("body.joint", values))
        values = {**_given(self.geom), "name": f"{self.prefix}G{i}"}
        if self.geom["type"] == "box":
            size = np.zeros(3)
            size[:] = self.geom["size"]
            size[0] = length / 2
            values |= {"size": size, "pos": np.array([length / 2, 0.0, 0.0])}
        else:
            values["fromto"] = np.array([0.0, 0.0, 0.0, length, 0.0, 0.0])
        body.geoms.append(self.make("body.geom", values))
        for end, at in (("first", 0), ("last", number - 1)):
            if at == i and (end == "first" or i):
                values = {**_given(self.site), "name": f"{self.prefix}S_{end}"}
                values["pos"] = np.array([length if i == number - 1 else 0.0, 0.0, 0.0])
                values.setdefault("group", GROUP)
                body.sites.append(self.make("body.site", values))

    def make(self, id: str, values: dict[str, Any]) -> Element:
        part = {"body.joint": self.joint, "body.geom": self.geom, "body.site": self.site}[id]
        return make.element(id, self.item.node if part is None else part.node, values)

    # ---- skin ---------------------------------------------------------------------------------------

    def covering(self, names: list[str]) -> None:
        """Add the skin of a cable of boxes: two layers over a strip, on bones across its points."""
        skin, size = self.skin, self.geom["size"]
        node = self.item.node if skin is None else skin.node
        extra = 0 if skin is None else int(skin["subgrid"])
        if not 0 <= extra <= MAX_SUBGRID:
            raise BadComposite(tr("subgrid goes from 0 to {most}", most=MAX_SUBGRID), "subgrid", place=skin)
        count, across = len(names) + 1, 3 if extra else 2
        surface = Bicubic((count, across), extra + 1)
        long, wide = surface.size
        layer = long * wide
        values = {
            "name": self.prefix + "Skin",
            "rgba": np.ones(4) if skin is None or "rgba" not in skin.given else skin["rgba"],
            "inflate": 2 * size[2],
            "vertex": np.zeros(6 * layer),
            "face": _layers(long, wide).ravel(),
        }
        if skin is not None:
            values |= {name: skin[name] for name in ("material", "group") if name in skin.given}
            if skin["texcoord"]:
                grid = np.meshgrid(np.linspace(0, 1, long), np.linspace(0, 1, wide), indexing="ij")
                values["texcoord"] = np.tile(np.stack(grid, axis=-1).reshape(-1, 2), (2, 1)).ravel()
        made = make.element("deformable.skin", node, values)
        for i in range(count):
            for side in range(across):
                rows, columns, weight = surface.of((i, side))
                vertex = rows * wide + columns
                away = size[1] * (2 * side / (across - 1) - 1)
                bone = {
                    "body": names[min(i, count - 2)],
                    "bindpos": np.array([-2 * size[0] if i == count - 1 else 0.0, away, 0.0]),
                    "bindquat": np.array([1.0, 0.0, 0.0, 0.0]),
                    "vertid": np.stack([vertex, vertex + layer], axis=1).ravel(),
                    "vertweight": np.repeat(weight, 2),
                }
                made.items.append(make.element("skin.bone", node, bone))
        self.spec.lists["skin"].append(made)


def _given(part: Element | None) -> dict[str, Any]:
    return {} if part is None else {name: part[name] for name in part.given if name != "kind"}


def _frames(point: np.ndarray) -> list[Quat]:
    """A frame for each segment of a polyline: X along it, Y in the plane of the first bend; no twist."""
    along = np.diff(point, axis=0).astype(float)
    length = np.linalg.norm(along, axis=1, keepdims=True)
    along = np.where(length > _NO_LENGTH, along / np.maximum(length, _NO_LENGTH), [1.0, 0.0, 0.0])
    normal = np.zeros(3)
    if len(along) > 1:
        across = np.cross(along[0], along[1])
        if np.linalg.norm(across) > _NO_LENGTH:
            normal = np.cross(across / np.linalg.norm(across), along[0])
    result = []
    for i, t in enumerate(along):
        if i and normal.any():
            normal = _carried(normal, along[i - 1], t)
        result.append(_quat(t, normal))
    return result


def _carried(v: np.ndarray, old: np.ndarray, new: np.ndarray) -> np.ndarray:
    """v after the shortest rotation from `old` to `new`."""
    axis = np.cross(old, new)
    sine = np.linalg.norm(axis)
    if sine < _NO_LENGTH:
        return v
    axis, cosine = axis / sine, old @ new
    return v * cosine + np.cross(axis, v) * sine + axis * (axis @ v) * (1 - cosine)


def _quat(t: np.ndarray, normal: np.ndarray) -> Quat:
    """The orientation with X along t and Y along the normal. A zero normal leaves the turn about X open."""
    if normal.any():
        n = normal - (normal @ t) * t
        n /= np.linalg.norm(n)
        return from_axes(tuple(t), tuple(n), tuple(np.cross(t, n)))
    x, y, z = t.tolist()
    return unit((1 + x, 0.0, -z, y) if x > 0 else (y, z, 0.0, 1 - x))


def _layers(long: int, wide: int) -> np.ndarray:
    """Triangles of two layers of (long, wide) points and of the rim between them."""
    row, column = np.meshgrid(np.arange(long - 1), np.arange(wide - 1), indexing="ij")
    a = (row * wide + column).ravel()
    u = a + long * wide
    rows, columns = np.arange(long - 1) * wide, np.arange(wide - 1)
    below = long * wide
    low, high = rows, rows + wide - 1
    first, last = columns, columns + (long - 1) * wide
    parts = [
        (a, a + wide, a + wide + 1, a, a + wide + 1, a + 1),
        (u, u + wide + 1, u + wide, u, u + 1, u + wide + 1),
        (low, low + below + wide, low + wide, low, low + below, low + below + wide),
        (high, high + wide, high + below + wide, high, high + below + wide, high + below),
        (first, first + 1, first + below + 1, first, first + below + 1, first + below),
        (last, last + below + 1, last + 1, last, last + below, last + below + 1),
    ]
    return np.concatenate([np.stack(part, axis=1).reshape(-1, 3) for part in parts])
