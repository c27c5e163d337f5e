"""Expands the tree as written to bodies with lists of their parts: frames, replicas, attached models, macros.

Elements are expanded in the order of the text, on a tree that grows: the effect of a replicate or an attach
on the keyframes depends on what stands before it.

A replica's names get the replicate's separator and a number, with as many digits as the count has; inner
replicates come first. Elements that refer to a name inside a replicate (sensors, actuators, tendons,
constraints, other elements of the tree) are copied once for each replica, to the end of their list. Other
elements stay as they are.

Source: XML reference, "frame", "replicate" and "attach".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from kinetree.engine.expand import composite, flexcomp
from kinetree.engine.expand.asset_names import name_assets
from kinetree.engine.expand.attach import attach
from kinetree.engine.expand.keyframes import Keyframes
from kinetree.engine.geometry.orientation import (
    IDENTITY,
    ORIGIN,
    BadOrientation,
    Pose,
    compose,
    from_euler,
    orientation,
)
from kinetree.engine.mjcf.elements import Body, Element, Expansion, Spec
from kinetree.engine.mjcf.names import PARTS, Names, declared, mentions, renamed, weight
from kinetree.engine.resources.files import AssetFiles
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics

MAX_ELEMENTS = 200_000
"""Most elements that replicate and attach may make together."""

MACROS = {"composite": composite.expand, "flexcomp": flexcomp.expand}
"""Elements that stand for bodies and more, and the functions that make these."""

# Kinds that can refer to elements of the tree. Each refers only to kinds before it.
REFERRING = ("flex", "pair", "exclude", "equality", "tendon", "actuator", "sensor", "tuple")


def expand(spec: Spec, diagnostics: Diagnostics, files: list[str]) -> None:
    """Fill the lists of parts of every body of the spec and of the models that it attaches, in place.

    `files` gets the path of every file that is read for deformable objects.
    """
    expander = Expander(spec, diagnostics, files, Made())
    expander.run()
    expander.keys.finish()


class Made:
    """Counts the elements that were made by copying, in a model and all models that it attaches."""

    def __init__(self) -> None:
        self.count = 0
        self.full = False

    def fits(self, size: int, copies: int, element: Element, diagnostics: Diagnostics, where: str) -> bool:
        """Whether `copies` copies of `size` elements may be made. Counts them, or reports an error."""
        if self.count + size * copies > MAX_ELEMENTS:
            if not self.full:
                diagnostics.error(
                    element.at(where),
                    "too-many-elements",
                    tr(
                        "{copies} copies of {size} elements are more than {most} elements; use fewer",
                        copies=copies,
                        size=size,
                        most=MAX_ELEMENTS,
                    ),
                )
                self.full = True
            return False
        self.count += size * copies
        return True


class Expander:
    """Expands one spec.

    names   what is in the model so far, by kind
    keys    its keyframes, which attaching and replicating change
    models  the models that it can attach, by name
    """

    def __init__(self, spec: Spec, diagnostics: Diagnostics, files: list[str], made: Made):
        self.spec = spec
        self.diagnostics = diagnostics
        self.files = files
        self.made = made
        self.keys = Keyframes(spec, diagnostics)
        self.models: dict[str, Expander] = {}
        self.names: Names = {"body": {"world"}}
        self.name_lists()

    def name_lists(self) -> None:
        """Register the names of all elements outside the tree."""
        for kind, elements in self.spec.lists.items():
            names = self.names.setdefault(kind, set())
            for element in elements:
                if element.name:
                    names.add(element.name)

    def run(self) -> None:
        name_assets(self.spec, self.diagnostics)  # attached elements need the names
        self.name_lists()
        for name, model in self.spec.models.items():
            self.models[name] = Expander(model, self.diagnostics, self.files, self.made)
            self.models[name].run()
        if not self.made.full:
            self.fill(self.spec.world, self.spec.world.items, None)

    def fill(self, body: Body, items: list[Element], frame: Pose | None) -> None:
        """Expand items into a body; `frame` is the pose of the frames around them."""
        for item in items:
            if item.kind == "frame":
                pose = self.pose(item)
                self.fill(body, item.items, pose if frame is None else compose(frame, pose))
            elif item.kind == "replicate":
                self.replicate(body, item, frame)
            elif item.kind == "attach":
                attach(self, body, item, frame)
            elif item.kind in MACROS:
                self.macro(body, item, frame)
            else:
                self.put(body, item, frame)
                if isinstance(item, Body):
                    self.fill(item, item.items, None)

    def put(self, body: Body, item: Element, frame: Pose | None) -> None:
        """Add an element of the text to a body's parts."""
        item.frame = frame
        if item.kind == "inertial":
            if body.inertial is not None:
                self.diagnostics.error(
                    item.node,
                    "repeated-element",
                    tr("a body can have only one inertial; remove one of them"),
                )
            body.inertial = item
            return
        if item.kind == "plugin":
            body.plugin = item
            return
        getattr(body, PARTS[item.kind]).append(item)
        if item.name:
            self.names.setdefault(item.kind, set()).add(item.name)
        if isinstance(item, Body):
            item.parent = body

    def join(self, body: Body, copy: Element, frame: Pose | None) -> None:
        """Add a copy, with everything in it, to a body's parts; `frame` comes before its own."""
        if frame is not None:
            copy.frame = frame if copy.frame is None else compose(frame, copy.frame)
        getattr(body, PARTS[copy.kind]).append(copy)
        declared(copy, self.names)
        if isinstance(copy, Body):
            copy.parent = body

    def macro(self, body: Body, item: Element, frame: Pose | None) -> None:
        """Expand a composite or flexcomp. As in the reference, frames around a flexcomp do not move it."""
        files = AssetFiles(self.spec, self.diagnostics, self.files)
        before = {kind: len(elements) for kind, elements in self.spec.lists.items()}
        step = (Expansion(item.node),)
        for made in MACROS[item.kind](item, body, self.spec, files, self.diagnostics):
            self.join(body, made, frame if item.kind == "composite" else None)
            for each in made.walk():
                for part in (each, *each.joints, *each.geoms, *each.sites):
                    part.made_by = step
        for kind, elements in self.spec.lists.items():
            for made in elements[before.get(kind, 0) :]:
                made.made_by = step
        self.name_lists()

    def pose(self, item: Element) -> Pose:
        compiler = self.spec.compiler_of(item)
        try:
            quat = orientation(item.values, self.spec.degree_of(item), compiler["eulerseq"])
        except BadOrientation as error:
            self.diagnostics.error(item.node, "bad-orientation", str(error))
            quat = IDENTITY
        pos = item.get("pos")
        return (ORIGIN if pos is None else tuple(pos.tolist())), quat

    # ---- replicate ----------------------------------------------------------------------------------

    def replicate(self, body: Body, item: Element, frame: Pose | None) -> None:
        count = item.get("count", 1)
        if count < 1:
            self.diagnostics.error(
                item.at("count"), "bad-value", tr("count is {count}; a replicate needs at least 1 replica", count=count)
            )
            return
        originals = Body("body", body.row, item.node, "", {}, set())
        self.join(body, originals, None)
        self.fill(originals, item.items, None)
        inside: Names = {}
        # every copy copies every keyframe
        size = declared(originals, inside) - 1 + len(self.spec.lists["key"])
        if self.made.full or not self.made.fits(size, count, item, self.diagnostics, "count"):
            body.bodies.remove(originals)
            return
        separator = item.get("sep", "")
        digits = len(str(count))
        move = self.referring(inside)
        if not self.made.fits(sum(map(weight, move.values())), count, item, self.diagnostics, "count"):
            return
        pose = frame
        for i, own in enumerate(self.steps(item, count)):
            if i:
                pose = own if frame is None else compose(frame, own)
            suffix = f"{separator}{i:0{digits}d}"

            def name(old: str, suffix: str = suffix) -> str:
                return old and old + suffix

            def refer(space: str, old: str, suffix: str = suffix) -> str:
                return old + suffix if old in inside.get(space, ()) else old

            step = Expansion(item.node, i)
            self.keys.store(lambda old, suffix=suffix: old + suffix, item, step)
            for part in PARTS.values():
                for element in getattr(originals, part):
                    self.join(body, renamed(element, name, refer, step), pose)
            if originals.inertial is not None:
                self.put(body, originals.inertial.copy(), pose)
            for kind, elements in move.items():
                self.add(kind, [renamed(element, name, refer, step) for element in elements])
            self.keys.resize()
        self.keys.settle(item)
        body.bodies.remove(originals)
        for kind, elements in move.items():
            gone = set(map(id, elements))
            self.spec.lists[kind] = [each for each in self.spec.lists[kind] if id(each) not in gone]

    def add(self, kind: str, elements: list[Element]) -> None:
        """Append elements to a list of the spec."""
        self.spec.lists.setdefault(kind, []).extend(elements)
        self.names.setdefault(kind, set()).update(element.name for element in elements if element.name)

    def steps(self, item: Element, count: int) -> Iterator[Pose]:
        """The pose of each replica. The Euler angles of replica i are i times those given; each offset is in
        the frame of the replica that it starts from."""
        offset, euler = item.get("offset"), item.get("euler")
        away = ORIGIN if offset is None else tuple(offset.tolist())
        compiler, degree = self.spec.compiler_of(item), self.spec.degree_of(item)
        pose = ORIGIN, IDENTITY
        for i in range(1, count + 1):
            yield pose
            pos, quat = compose(pose, (away, IDENTITY))
            if euler is not None:
                quat = from_euler((i * euler).tolist(), compiler["eulerseq"], degree)
            pose = pos, quat

    def referring(self, inside: Names) -> dict[str, list[Element]]:
        """The elements outside the tree that refer to names `inside` a replicate, by kind. Adds the names of these
        elements to `inside`."""
        found = {}
        for kind in REFERRING:
            elements = [
                element
                for element in self.spec.lists[kind]
                if any(name in inside.get(space, ()) for space, name in mentions(element))
            ]
            if elements:
                found[kind] = elements
                inside.setdefault(kind, set()).update(element.name for element in elements if element.name)
        return found
