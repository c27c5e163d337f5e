"""From every compiled object to the element that made it, and back.

    origin = model.provenance.origin("geom", 3)     the element, and what made copies of it
    model.provenance.objects_of(node)               the objects that come from an element
    model.provenance.inheriting(node)               the objects whose values start from a default element
    model.provenance.at("model.xml", 12, 5)         the innermost element with objects at a line and column

An object comes from one element. Where that stands in a replicate or in an attached model, several objects
come from it, and `ObjectOrigin.made_by` tells them apart. What composite and flexcomp make comes from them, or from
the elements inside them.

The tables belong to one compilation and stand beside the Model. They never change and may be read in any
thread. They are flat arrays of element ids (`Origins`), so that another process can have compiled the model; the
elements themselves are looked up in the texts when they are asked for.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kinetree.engine.compile.origins import Origins
from kinetree.engine.mjcf.elements import Expansion
from kinetree.engine.model.kinds import ObjectId

if TYPE_CHECKING:
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node

Objects = tuple[ObjectId, ...]


class ObjectOrigin(NamedTuple):
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
        return self._lists.get(kind, [])

    def numbers(self, kind: str) -> dict[Hashable, int]:
        """The id of each object of a kind, by its identity; made when first asked for."""
        found = self._numbers.get(kind)
        if found is None:
            found = self._numbers[kind] = {identity: i for i, identity in enumerate(self.identities(kind))}
        return found


class Provenance:
    """The origins of all objects of one compiled model.

    An element is known by its id (`Node.id`), which is the same in the trees of single files and in the merged tree of
    a document (`Document.root`, `Document.merged`).
    """

    def __init__(self, origins: Origins, nodes: Nodes):
        self.origins, self.nodes = origins, nodes
        self._identities = Identities()
        self._chains: dict[int, tuple[Expansion, ...]] = {}
        self._makers: dict[int, tuple[int, ...]] = {}

    def prepare(self) -> None:
        """Make all tables, which otherwise are made when they are first asked for."""
        self.prepare_selection()
        _ = self._inheriting

    def prepare_selection(self) -> None:
        """Make those tables that find the objects of the selected elements: the window asks for them as soon as it has
        the model."""
        self.prepare_identities()
        _ = self._objects, self._made, self._known, self._kinds

    def prepare_identities(self) -> None:
        """Make those tables that the next version of the model is matched by."""
        for kind in self.origins.counts:
            self.identities(kind)

    # ---- from objects to elements -------------------------------------------------------------------------

    def origin(self, kind: str, id: int) -> ObjectOrigin | None:
        """Where an object comes from. None where the model has no such object."""
        origins = self.origins
        if 0 <= id < origins.counts.get(kind, 0):
            number = origins.firsts[kind] + id
            node = self.nodes.of
            return ObjectOrigin(
                node(int(origins.element[number])),
                self._chain(int(origins.copied[number])),
                tuple(map(node, origins.classes(int(origins.inherited[number])))),
            )
        if kind == "key" and origins.size and 0 <= id < origins.nkey:
            return ObjectOrigin(self.nodes.of(origins.size))
        return None

    def makers(self, kind: str, id: int) -> tuple[int, ...]:
        """The ids of the elements that made copies of an object, the innermost first, as in `ObjectOrigin.made_by`."""
        origins = self.origins
        if not 0 <= id < origins.counts.get(kind, 0):
            return ()
        number = int(origins.copied[origins.firsts[kind] + id])
        makers = self._makers.get(number)
        if makers is None:
            makers = self._makers[number] = tuple(maker for maker, _, _ in origins.steps(number))
        return makers

    def _chain(self, number: int) -> tuple[Expansion, ...]:
        """One of the chains of steps that made copies."""
        chain = self._chains.get(number)
        if chain is None:
            steps = self.origins.steps(number)
            chain = self._chains[number] = tuple(Expansion(self.nodes.of(id), i, prefix) for id, i, prefix in steps)
        return chain

    def __iter__(self) -> Iterator[ObjectId]:
        """Every object of the model, kind by kind."""
        for kind, count in self.origins.counts.items():
            for id in range(max(count, self.origins.nkey) if kind == "key" else count):
                yield ObjectId(kind, id)

    @property
    def identities_only(self) -> Identities:
        """The identities of the objects without their elements: for models that are kept only for comparison."""
        self.prepare_identities()
        return self._identities

    def identities(self, kind: str) -> list[Hashable]:
        """Identity of each object of a kind, by id, which is the same in other versions of the text.

        It consists of the identities of the element and of the elements that copied it (`Node.id`), the number of the
        replica, and the number among the objects that share all that.
        """
        known = self._identities
        if kind not in known:
            known.put(kind, self.origins.identities(kind))
        return known.identities(kind)

    def numbers(self, kind: str) -> dict[Hashable, int]:
        """The id of each object of a kind, by its identity."""
        self.identities(kind)
        return self._identities.numbers(kind)

    # ---- from elements to objects -------------------------------------------------------------------------

    def objects_of(self, node: Node) -> Objects:
        """The objects that come from an element, in the order of kinds and ids. Of a body that
        compiler/fusestatic removed: none (see `fused_into`)."""
        found = self._named(self._objects.of(node.id))
        if node.id in self.origins.worlds and _WORLD not in found:
            found = (_WORLD, *found)
        if node.id == self.origins.size:
            spare = range(self.origins.counts.get("key", 0), self.origins.nkey)
            found += tuple(ObjectId("key", id) for id in spare)
        return found

    def made_by(self, node: Node) -> Objects:
        """The objects that a replicate, attach, composite or flexcomp made."""
        return self._named(self._made.of(node.id))

    def inheriting(self, node: Node) -> Objects:
        """The objects whose values start from a default element, or from those in a <default>."""
        if node.tag != "default":
            return self._named(self._inheriting.of(node.id))
        found = {each: None for child in node.children for each in self.inheriting(child)}
        return tuple(found)

    def fused_into(self, node: Node) -> Objects:
        """The bodies that the body of an element became part of when compiler/fusestatic removed it."""
        origins = self.origins
        return tuple(ObjectId("body", int(body)) for body in origins.fused_body[origins.fused == node.id])

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
        known = self._known
        place = int(np.searchsorted(known, identity))
        return self.nodes.of(identity) if place < len(known) and known[place] == identity else None

    def at(self, path: str | os.PathLike[str], line: int, column: int) -> Node | None:
        """The innermost element with objects of its own at a line and column, both from 1, of a file."""
        node = self.nodes.at(path, line, column)
        origins = self.origins
        while node is not None:
            if node.id == origins.size or len(self._objects.of(node.id)):
                return self.nodes.of(node.id)
            node = node.parent
        return None

    # ---- tables, made when they are first asked for ------------------------------------------------------

    def _named(self, numbers: np.ndarray) -> Objects:
        """The objects of some numbers."""
        if not len(numbers):
            return ()
        kinds, firsts = self._kinds
        rows = np.searchsorted(firsts, numbers, "right") - 1
        return tuple(
            ObjectId(kinds[row], id) for row, id in zip(rows.tolist(), (numbers - firsts[rows]).tolist(), strict=True)
        )

    @cached_property
    def _kinds(self) -> tuple[list[str], np.ndarray]:
        """The kinds with at least one object, and the number of the first object of each."""
        kinds = [kind for kind, count in self.origins.counts.items() if count]
        return kinds, np.array([self.origins.firsts[kind] for kind in kinds], np.int64)

    @cached_property
    def _objects(self) -> _Groups:
        return _Groups.of_each(self.origins.element)

    @cached_property
    def _made(self) -> _Groups:
        origins = self.origins
        return _Groups.of_lists(origins.copied, origins.chain_ends, origins.step)

    @cached_property
    def _inheriting(self) -> _Groups:
        origins = self.origins
        return _Groups.of_lists(origins.inherited, origins.class_ends, origins.default)

    @cached_property
    def _known(self) -> np.ndarray:
        """The ids of all elements that have to do with an object, sorted."""
        origins = self.origins
        return np.unique(np.concatenate([origins.element, origins.step, origins.default, origins.fused]))


_WORLD = ObjectId("body", 0)


@dataclass(frozen=True)
class _Groups:
    """Numbers of objects by the id of an element, in order."""

    ids: np.ndarray
    numbers: np.ndarray

    @classmethod
    def of_each(cls, ids: np.ndarray) -> _Groups:
        """Groups in which `ids` has one element's id for each object."""
        order = np.argsort(ids, kind="stable")
        return cls(ids[order], order)

    @classmethod
    def of_lists(cls, lists: np.ndarray, ends: np.ndarray, ids: np.ndarray) -> _Groups:
        """Groups in which each object has a list of ids: `lists` has the number of the list for each object; the lists
        are concatenated in `ids`.
        """
        starts = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
        lengths = (ends - starts)[lists]
        objects = np.repeat(np.arange(len(lists)), lengths)
        within = np.arange(len(objects)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        found = cls.of_each(ids[np.repeat(starts[lists], lengths) + within])
        return cls(found.ids, objects[found.numbers])

    def of(self, identity: int) -> np.ndarray:
        """The objects of one element."""
        first, last = np.searchsorted(self.ids, identity, "left"), np.searchsorted(self.ids, identity, "right")
        return self.numbers[first:last]


class Nodes:
    """Looks up elements by their ids, in the merged trees of the documents that a model was compiled from: its own and
    those of the models that it attaches.

    known  elements that need not be looked up
    """

    def __init__(self, documents: list[Document], known: dict[int, Node] | None = None):
        self.documents = documents
        self._known: dict[int, Node] = {} if known is None else known

    def of(self, identity: int) -> Node:
        """The element with an id. Raises KeyError."""
        node = self._known.get(identity)
        if node is None:
            for document in self.documents:
                node = document.merged_node(identity)
                if node is not None:
                    break
            else:
                raise KeyError(identity)
            self._known[identity] = node
        return node

    def at(self, path: str | os.PathLike[str], line: int, column: int) -> Node | None:
        """The innermost element at a place of a file, in the tree of that file."""
        for document in self.documents:
            try:
                source = document.source_of(path)
            except KeyError:
                continue
            return document.node_at(path, source.offset(line, column))
        return None
