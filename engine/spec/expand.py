"""Frames flattened, replicas made: from the tree as written to bodies with lists of their parts.

Source: XML reference, "frame" and "replicate". A replica's names get the replicate's separator and a number, with
as many digits as the count has; inner replicates come first. Whatever refers to a name inside a replicate (sensors,
actuators, tendons, constraints, other elements of the tree) is copied with it, once for each replica, and goes to
the end of its list; what refers to nothing inside stays as it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.compile.orientation import (
    IDENTITY,
    ORIGIN,
    BadOrientation,
    Pose,
    compose,
    from_euler,
    orientation,
)
from engine.spec import flexcomp
from engine.spec.elements import Body, Element, Spec

if TYPE_CHECKING:
    from engine.compile.files import Files
    from engine.diagnostics import Diagnostics

MAX_ELEMENTS = 200_000
"""More elements than this are not made by replicating."""

MACROS = {"flexcomp": flexcomp.expand}
_PARTS = {
    "body": "bodies",
    "joint": "joints",
    "geom": "geoms",
    "site": "sites",
    "camera": "cameras",
    "light": "lights",
}
# Kinds that can refer to what stands in the tree, in an order in which a kind refers only to earlier ones.
_REFERRING = ("pair", "exclude", "equality", "tendon", "actuator", "sensor", "tuple")

Names = dict[str, set[str]]


def expand(spec: Spec, diagnostics: Diagnostics, files: Files | None = None) -> None:
    """Fill the lists of every body of the spec, in place. `files`: reads those that deformable objects name."""
    _Expander(spec, diagnostics, files).run()


class _Expander:
    def __init__(self, spec: Spec, diagnostics: Diagnostics, files: Files | None):
        self.spec = spec
        self.files = files
        self.around = spec.world
        self.unframed: set[int] = set()
        self.diagnostics = diagnostics
        self.made = 0
        self.full = False

    def run(self) -> None:
        self.fill(self.spec.world)

    def fill(self, body: Body) -> None:
        outside, self.around = self.around, body
        parts = self.flatten(body.items)
        self.around = outside
        for element in parts:
            if element.kind == "inertial":
                if body.inertial is not None:
                    self.diagnostics.error(
                        element.node,
                        "repeated-element",
                        "a body can have only one inertial; remove one of them",
                    )
                body.inertial = element
                continue
            getattr(body, _PARTS[element.kind]).append(element)
            if isinstance(element, Body):
                element.parent = body

    def flatten(self, items: list[Element]) -> list[Element]:
        """What the items stand for: parts of bodies, with their frames put together; bodies are filled."""
        result = []
        for item in items:
            if item.kind == "frame":
                pose = self.pose(item)
                for inner in self.flatten(item.items):
                    if id(inner) in self.unframed:
                        result.append(inner)
                        continue
                    inner.frame = pose if inner.frame is None else compose(pose, inner.frame)
                    result.append(inner)
            elif item.kind == "replicate":
                result.extend(self.replicate(item))
            elif item.kind in MACROS:
                result.extend(self.macro(item))
            else:
                if isinstance(item, Body):
                    self.fill(item)
                result.append(item)
        return result

    def pose(self, item: Element) -> Pose:
        try:
            quat = orientation(item.values, self.spec.degree, self.spec.eulerseq)
        except BadOrientation as error:
            self.diagnostics.error(item.node, "bad-orientation", str(error))
            quat = IDENTITY
        pos = item.get("pos")
        return (ORIGIN if pos is None else tuple(pos.tolist())), quat

    def macro(self, item: Element) -> list[Element]:
        """The bodies of a composite or flexcomp. As in the reference, frames around it do not move them."""
        bodies = MACROS[item.kind](item, self.around, self.spec, self.files, self.diagnostics)
        for body in bodies:
            body.parent = self.around
        self.unframed.update(id(body) for body in bodies)
        return bodies

    # ---- replicate ----------------------------------------------------------------------------------

    def replicate(self, item: Element) -> list[Element]:
        originals = self.flatten(item.items)
        count = item.get("count", 1)
        if count < 1:
            self.diagnostics.error(
                item.at("count"), "bad-value", f"count is {count}; a replicate needs at least 1 replica"
            )
            return originals
        inside: Names = {}
        size = sum(_collect(element, inside) for element in originals)
        if self.made + size * count > MAX_ELEMENTS:
            if not self.full:
                self.diagnostics.error(
                    item.at("count"),
                    "too-many-elements",
                    f"{count} replicas of {size} elements are more than {MAX_ELEMENTS} elements; use fewer",
                )
                self.full = True
            return originals
        self.made += size * count
        separator = item.get("sep", "")
        digits = len(str(count))
        suffixes = [f"{separator}{i:0{digits}d}" for i in range(count)]
        step = self.step(item)
        result, pose = [], (ORIGIN, IDENTITY)
        for i, suffix in enumerate(suffixes):
            for element in originals:
                twin = _replica(element, suffix, inside)
                if i:
                    twin.frame = pose if twin.frame is None else compose(pose, twin.frame)
                result.append(twin)
            pose = compose(pose, step)
        self.referring(inside, suffixes)
        return result

    def step(self, item: Element) -> Pose:
        offset, euler = item.get("offset"), item.get("euler")
        pos = ORIGIN if offset is None else tuple(offset.tolist())
        quat = IDENTITY
        if euler is not None:
            quat = from_euler(euler.tolist(), self.spec.eulerseq, self.spec.degree)
        return pos, quat

    def referring(self, inside: Names, suffixes: list[str]) -> None:
        """Copy what refers to names inside a replicate, outside the tree."""
        names = {space: set(found) for space, found in inside.items()}
        for kind in _REFERRING:
            found = self.spec.lists[kind]
            stay, move = [], []
            for element in found:
                (move if _refers(element, names) else stay).append(element)
            if not move:
                continue
            for element in move:
                if element.name:
                    names.setdefault(kind, set()).add(element.name)
            self.made += len(move) * len(suffixes)
            if self.made > MAX_ELEMENTS:
                return
            self.spec.lists[kind] = stay + [_replica(e, suffix, names) for suffix in suffixes for e in move]


def _space(element: Element, attribute: str, refers: str) -> str:
    """The namespace of a reference; "@objtype" takes it from that attribute."""
    if refers.startswith("@"):
        refers = element.get(refers[1:], "")
    return "body" if refers == "xbody" else refers


def references(element: Element) -> list[tuple[str, str]]:
    """(attribute, namespace) of every reference that the element makes."""
    return [
        (name, _space(element, name, row.refers))
        for name, row in element.row.attributes.items()
        if row.refers and name in element.given
    ]


def _refers(element: Element, names: Names) -> bool:
    if any(
        element[a] in names.get(space, ()) for a, space in references(element) if isinstance(element[a], str)
    ):
        return True
    return any(_refers(item, names) for item in element.items)


def _collect(element: Element, names: Names) -> int:
    """Add the names that an element and its parts declare; returns how many elements there are."""
    count, stack = 0, [element]
    while stack:
        at = stack.pop()
        count += 1
        if at.name:
            names.setdefault(at.kind, set()).add(at.name)
        if isinstance(at, Body):
            for part in _PARTS.values():
                stack.extend(getattr(at, part))
    return count


def _replica(element: Element, suffix: str, inside: Names) -> Element:
    """A deep copy with the suffix on its names and on its references to names inside the replicate."""
    twin = element.copy()
    if twin.name:
        twin.name += suffix
    changed = {
        name: element[name] + suffix
        for name, space in references(element)
        if isinstance(element[name], str) and element[name] in inside.get(space, ())
    }
    if changed:
        twin.values = {**element.values, **changed}
    if isinstance(element, Body):
        for part in _PARTS.values():
            setattr(twin, part, [_replica(inner, suffix, inside) for inner in getattr(element, part)])
        twin.inertial = element.inertial
        for body in twin.bodies:
            body.parent = twin
    elif element.items:
        twin.items = [_replica(item, suffix, inside) for item in element.items]
    return twin
