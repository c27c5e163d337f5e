"""From every compiled object to the element that made it, and back.

    origin = model.provenance.origin("geom", 3)     the element, and what made copies of it
    model.provenance.objects_of(node)               the objects that come from an element
    model.provenance.inheriting(node)               the objects whose values start from a default element
    model.provenance.at("model.xml", 12, 5)         the innermost element with objects at a line and column

An object comes from one element. Where that stands in a replicate or in an attached model, several objects
come from it, and `Origin.made_by` tells them apart. What composite and flexcomp make comes from them, or from
the elements inside them.

The tables belong to one compilation and stand beside the Model. They never change and may be read in any
thread.
"""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Hashable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from kinetree.engine.model.kinds import NAMED, ObjectId
from kinetree.engine.progress import give_way

if TYPE_CHECKING:
    from kinetree.engine.compile.indexing import Index
    from kinetree.engine.document.tree import Node
    from kinetree.engine.mjcf.elements import Element, Expansion

Objects = tuple[ObjectId, ...]
Place = tuple[str, int]
"""Absolute path of a file, and the offset of an element in it."""


class Origin(NamedTuple):
    """Where a compiled object comes from.

    node      the element; of a copy, the element that was copied
    made_by   the replicate, attach, composite and flexcomp elements that made the object from it, the
              innermost first
    defaults  the default elements that its values start from, in the order in which they are applied
    """

    node: Node
    made_by: tuple[Expansion, ...] = ()
    defaults: tuple[Node, ...] = ()

    @property
    def frames(self) -> tuple[Node, ...]:
        """The frame elements between it and its body, the innermost first."""
        found = []
        for node in self.node.ancestors():
            if node.tag == "frame":
                found.append(node)
            elif node.tag != "replicate":
                break
        return tuple(found)


class Identities:
    """See `Provenance.identities`. Shared by threads, each of which may add what it computed: it is the same."""

    def __init__(self) -> None:
        self._lists: dict[str, list[Hashable]] = {}
        self._numbers: dict[str, dict[Hashable, int]] = {}

    def __contains__(self, kind: str) -> bool:
        return kind in self._lists

    def put(self, kind: str, identities: list[Hashable]) -> None:
        """Set the identities of the objects of a kind, by id."""
        self._lists[kind] = identities

    def identities(self, kind: str) -> list[Hashable]:
        """Those of the objects of a kind, by id."""
        give_way()
        return self._lists.get(kind, [])

    def numbers(self, kind: str) -> dict[Hashable, int]:
        """The id of each object of a kind, by its identity; made when first asked for."""
        found = self._numbers.get(kind)
        if found is None:
            found = self._numbers[kind] = {identity: i for i, identity in enumerate(self.identities(kind))}
        return found


class Provenance:
    """The origins of all objects of one compiled model.

    Elements are told apart by file and place, so that the trees of single files and the merged tree of a
    document (`Document.root`, `Document.merged`) lead to the same objects.
    """

    def __init__(self, index: Index):
        spec = index.spec
        self._elements: dict[str, list[Element]] = {kind: index.objects[kind] for kind in NAMED if kind != "plugin"}
        self._elements["plugin"] = [instance.element for instance in index.plugins.instances]
        self._root = spec.root
        self._fused = tuple(spec.fused)
        # size/nkey can ask for more keyframes than there are elements
        place = spec.size.given.get("nkey")
        self._nkey, self._size = (0, None) if place is None else (spec.size["nkey"], place.node)
        self._identities = Identities()
        self._paths: dict[str, str] = {}

    def prepare(self) -> None:
        """Make all tables, which otherwise are made when they are first asked for: some 0.15 s for 10,000 elements.
        The window has it done by the thread that compiles."""
        self.prepare_identities()
        for name in ("_objects", "_made", "_inheriting", "_into", "_nodes", "_outlines"):
            getattr(self, name)

    def prepare_selection(self) -> None:
        """Make those tables that find the objects of the selected elements, some 0.05 s for 25,000 elements: the window
        asks for them as soon as it has the model."""
        self.prepare_identities()
        for name in ("_objects", "_made", "_into", "_nodes"):
            getattr(self, name)

    def prepare_identities(self) -> None:
        """Make those tables that the next version of the model is matched by, some 0.01 s for 10,000 elements."""
        for kind in self._elements:
            self.identities(kind)

    # ---- from objects to elements -------------------------------------------------------------------------

    def origin(self, kind: str, id: int) -> Origin | None:
        """Where an object comes from. None where the model has no such object."""
        elements = self._elements.get(kind, ())
        if 0 <= id < len(elements):
            element = elements[id]
            return Origin(element.node, element.made_by, _defaults(element))
        if kind == "key" and self._size is not None and 0 <= id < self._nkey:
            return Origin(self._size)
        return None

    def __iter__(self) -> Iterator[ObjectId]:
        """Every object of the model, kind by kind."""
        for kind, elements in self._elements.items():
            for id in range(max(len(elements), self._nkey) if kind == "key" else len(elements)):
                yield ObjectId(kind, id)

    @property
    def identities_only(self) -> Identities:
        """What tells the objects apart in other versions of the text, without the elements: for models that are kept
        only to be compared with."""
        self.prepare_identities()
        return self._identities

    def identities(self, kind: str) -> list[Hashable]:
        """What each object of a kind keeps in other versions of the text, by id.

        It consists of the identities of the element and of what copied it (`Node.id`), the number of the
        replica, and the number among the objects that share all that.
        """
        known = self._identities
        if kind not in known:
            found, seen = [], {}
            chains: dict[tuple[int, ...], Hashable] = {}  # replicas share their steps
            for element in self._elements.get(kind, ()):
                steps = tuple(map(id, element.made_by))
                chain = chains.get(steps)
                if chain is None:
                    chain = chains[steps] = tuple((step.node.id, step.index) for step in element.made_by)
                own = element.node.id, chain
                number = seen[own] = seen.get(own, -1) + 1
                found.append((own, number))
            known.put(kind, found)
        return known.identities(kind)

    def numbers(self, kind: str) -> dict[Hashable, int]:
        """The id of each object of a kind, by its identity."""
        self.identities(kind)
        return self._identities.numbers(kind)

    # ---- from elements to objects -------------------------------------------------------------------------

    def objects_of(self, node: Node) -> Objects:
        """The objects that come from an element, in the order of kinds and ids. Of a body that
        compiler/fusestatic removed: none (see `fused_into`)."""
        return self._objects.get(self._place(node), ())

    def made_by(self, node: Node) -> Objects:
        """The objects that a replicate, attach, composite or flexcomp made."""
        return self._made.get(self._place(node), ())

    def inheriting(self, node: Node) -> Objects:
        """The objects whose values start from a default element, or from those in a <default>."""
        if node.tag != "default":
            return self._inheriting.get(self._place(node), ())
        found = {each: None for child in node.children for each in self.inheriting(child)}
        return tuple(found)

    def fused_into(self, node: Node) -> Objects:
        """The bodies that the body of an element became part of when compiler/fusestatic removed it."""
        return self._into.get(self._place(node), ())

    def shown_by(self, node: Node) -> Objects:
        """The objects to show for any element: its own, else what it made, else what its body was fused into,
        else those of the nearest element around it that has some (an inertial belongs to its body, a config
        to its plugin)."""
        at: Node | None = node
        while at is not None:
            found = self.objects_of(at) or self.made_by(at) or self.fused_into(at)
            if found:
                return found
            at = at.parent
        return ()

    def node(self, identity: int) -> Node | None:
        """The element with an identity (`Node.id`), where it has to do with any object."""
        return self._nodes.get(identity)

    def at(self, path: str | os.PathLike[str], line: int, column: int) -> Node | None:
        """The innermost element with objects of its own at a line and column, both from 1, of a file."""
        outline = self._outlines.get(os.path.abspath(path))
        return None if outline is None else outline.at(line, column)

    # ---- tables, made when they are first asked for ------------------------------------------------------

    def _place(self, node: Node) -> Place:
        """Where an element stands: what tells it apart within the version that was compiled."""
        give_way()
        path = node.source.path
        absolute = self._paths.get(path)
        if absolute is None:
            absolute = self._paths[path] = os.path.abspath(path)
        return absolute, node.start

    @cached_property
    def _objects(self) -> dict[Place, Objects]:
        found: dict[Place, list[ObjectId]] = {}
        for kind, elements in self._elements.items():
            for id, element in enumerate(elements):
                found.setdefault(self._place(element.node), []).append(ObjectId(kind, id))
        if self._size is not None:
            spare = range(len(self._elements["key"]), self._nkey)
            found.setdefault(self._place(self._size), []).extend(ObjectId("key", id) for id in spare)
        world = ObjectId("body", 0)
        for section in self._root.children:  # there may be several
            if section.tag == "worldbody":
                own = found.setdefault(self._place(section), [])
                if world not in own:
                    own.insert(0, world)
        return {place: tuple(own) for place, own in found.items()}

    @cached_property
    def _made(self) -> dict[Place, Objects]:
        found: dict[Place, list[ObjectId]] = {}
        for kind, elements in self._elements.items():
            for id, element in enumerate(elements):
                for step in element.made_by:
                    found.setdefault(self._place(step.node), []).append(ObjectId(kind, id))
        return {place: tuple(made) for place, made in found.items()}

    @cached_property
    def _inheriting(self) -> dict[Place, Objects]:
        found: dict[Place, list[ObjectId]] = {}
        for kind, elements in self._elements.items():
            for id, element in enumerate(elements):
                for node in _defaults(element):
                    found.setdefault(self._place(node), []).append(ObjectId(kind, id))
        return {place: tuple(heirs) for place, heirs in found.items()}

    @cached_property
    def _into(self) -> dict[Place, Objects]:
        found: dict[Place, list[ObjectId]] = {}
        for child, body in self._fused:
            found.setdefault(self._place(child.node), []).append(ObjectId("body", body.id))
        return {place: tuple(bodies) for place, bodies in found.items()}

    @cached_property
    def _nodes(self) -> dict[int, Node]:
        elements = [element for group in self._elements.values() for element in group]
        elements += [child for child, _ in self._fused]
        found = {step.node.id: step.node for element in elements for step in element.made_by}
        found |= {node.id: node for element in elements for node in _defaults(element)}
        found |= {element.node.id: element.node for element in elements}
        return found

    @cached_property
    def _outlines(self) -> dict[str, _Outline]:
        nodes: dict[str, dict[int, Node]] = {}
        elements = [element.node for group in self._elements.values() for element in group]
        for node in elements if self._size is None else [*elements, self._size]:
            file, start = self._place(node)
            nodes.setdefault(file, {}).setdefault(start, node)
        return {file: _Outline([found[start] for start in sorted(found)]) for file, found in nodes.items()}


class _Outline:
    """Some elements of one file, in the order of the text, and for each the nearest other one around it."""

    def __init__(self, nodes: list[Node]):
        self.nodes = nodes
        self.starts = [node.start for node in nodes]
        self.around: list[int] = []
        opened: list[int] = []
        for i, node in enumerate(nodes):
            while opened and nodes[opened[-1]].end <= node.start:
                opened.pop()
            self.around.append(opened[-1] if opened else -1)
            opened.append(i)

    def at(self, line: int, column: int) -> Node | None:
        """The innermost of them that a place lies in."""
        offset = self.nodes[0].source.offset(line, column)
        i = bisect_right(self.starts, offset) - 1
        while i >= 0 and offset >= self.nodes[i].end:
            i = self.around[i]
        return self.nodes[i] if i >= 0 else None


def _defaults(element: Element) -> tuple[Node, ...]:
    return () if element.default is None else tuple(element.default.elements(element.row))
