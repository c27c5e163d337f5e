"""Where the objects of one model come from, as flat arrays of element ids (`Node.id`): what `Provenance` looks up, in
the process that compiled the model or in another one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.model.kinds import NAMED

if TYPE_CHECKING:
    from kinetree.engine.compile.indexing import ObjectIndex
    from kinetree.engine.document.tree import Node
    from kinetree.engine.mjcf.elements import Element


@dataclass(frozen=True)
class Origins:
    """Objects have numbers: those of the first kind of `counts` come first, in the order of their ids.

    counts      kind -> number of objects that come from elements
    nkey        keyframes that size/nkey asks for; 0 where it does not
    size        id of that <size>; 0 without one
    worlds      ids of the <worldbody> elements
    prefixes    what each step of `step` put before the names
    element     id of the element of each object
    copied      number of the chain of steps that made each object; chain 0 has none
    chain_ends  where each chain ends in `step`, `replica` and `prefixes`; it starts where the one before ends
    step        ids of replicate, attach, composite and flexcomp elements
    replica     number of the replica that each step made
    inherited   number of the list of default elements that each object starts from; list 0 is empty
    class_ends  where each list ends in `default`
    default     ids of default elements
    fused       ids of the elements of bodies that compiler/fusestatic removed
    fused_body  the body that each of them became part of
    """

    counts: dict[str, int]
    nkey: int
    size: int
    worlds: list[int]
    prefixes: list[str]
    element: np.ndarray
    copied: np.ndarray
    chain_ends: np.ndarray
    step: np.ndarray
    replica: np.ndarray
    inherited: np.ndarray
    class_ends: np.ndarray
    default: np.ndarray
    fused: np.ndarray
    fused_body: np.ndarray

    @cached_property
    def firsts(self) -> dict[str, int]:
        """The number of the first object of each kind."""
        return dict(zip(self.counts, accumulate(self.counts.values(), initial=0)))

    def steps(self, chain: int) -> Iterator[tuple[int, int, str]]:
        """The steps of a chain: id of the element, number of the replica, prefix."""
        for i in _range(self.chain_ends, chain):
            yield int(self.step[i]), int(self.replica[i]), self.prefixes[i]

    def classes(self, number: int) -> list[int]:
        """The ids of one of the lists of default elements."""
        return [int(self.default[i]) for i in _range(self.class_ends, number)]

    def identities(self, kind: str) -> list[Hashable]:
        """See `Provenance.identities`."""
        first, count = self.firsts.get(kind, 0), self.counts.get(kind, 0)
        element, copied = self.element[first : first + count], self.copied[first : first + count]
        chains = {n: tuple((id, i) for id, i, _ in self.steps(n)) for n in np.unique(copied).tolist()}
        owns = zip(element.tolist(), map(chains.__getitem__, copied.tolist()))
        return list(zip(owns, _ranks(element, copied)))

    def with_ids(self, changed: Callable[[np.ndarray], np.ndarray]) -> Origins:
        """Copy with other ids for the elements; `changed` maps an array of old ids to new ones."""
        given = {field.name: getattr(self, field.name) for field in fields(self)}
        given |= {name: changed(given[name]) for name in ("element", "step", "default", "fused")}
        given["size"], *given["worlds"] = changed(np.array([self.size, *self.worlds], np.int64)).tolist()
        return Origins(**given)

    @property
    def plain(self) -> dict[str, Any]:
        """The fields that are no arrays, as JSON can hold them."""
        return {name: getattr(self, name) for name in _PLAIN}

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """All arrays by name."""
        return {field.name: getattr(self, field.name) for field in fields(self) if field.name not in _PLAIN}


_PLAIN = ("counts", "nkey", "size", "worlds", "prefixes")


def _range(ends: np.ndarray, number: int) -> range:
    return range(int(ends[number - 1]) if number else 0, int(ends[number]))


def _ranks(element: np.ndarray, copied: np.ndarray) -> list[int]:
    """For each object its number among those before it with the same element and chain."""
    if not len(element):
        return []
    order = np.lexsort((copied, element))
    begins = np.ones(len(order), bool)
    begins[1:] = (np.diff(element[order]) != 0) | (np.diff(copied[order]) != 0)
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order)) - np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
    return ranks.tolist()


class _Lists:
    """Lists of elements that many objects share, each once, by number. List 0 is empty."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.ends = [0]
        self._numbers: dict[Hashable, int] = {(): 0}

    def number(self, key: Hashable, items: Callable[[], Any]) -> int:
        """The number of the list with a key; `items` makes a new one."""
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self.ends)
            self.items += items()
            self.ends.append(len(self.items))
        return number


def of_index(index: ObjectIndex) -> tuple[Origins, dict[int, Node]]:
    """Where the objects of a compilation come from, and the elements that are named there by their ids."""
    spec = index.spec
    groups: dict[str, list[Element]] = {kind: index.objects[kind] for kind in NAMED if kind != "plugin"}
    groups["plugin"] = [instance.element for instance in index.plugins.instances]
    elements = [element for group in groups.values() for element in group]
    chains, classes = _Lists(), _Lists()
    known_chains: dict[tuple[int, ...], int] = {}  # replicas share their steps
    copied, inherited = [0] * len(elements), [0] * len(elements)
    for number, element in enumerate(elements):
        if element.made_by:
            steps = element.made_by
            shared = tuple(map(id, steps))
            chain = known_chains.get(shared)
            if chain is None:
                key = tuple((step.node.id, step.index, step.prefix) for step in steps)
                chain = known_chains[shared] = chains.number(key, lambda steps=steps: steps)
            copied[number] = chain
        default, row = element.default, element.row
        if default is not None:
            make = partial(default.elements, row)
            inherited[number] = classes.number((id(default), id(row)), make)
    place = spec.size.given.get("nkey")
    worlds = [section for section in spec.root.children if section.tag == "worldbody"]
    size = [] if place is None else [place.node]
    fused = [child.node for child, _ in spec.fused]
    nodes = [element.node for element in elements]
    known = {node.id: node for group in (fused, [s.node for s in chains.items], classes.items) for node in group}
    known |= {node.id: node for node in (*size, *worlds, *nodes)}
    origins = Origins(
        counts={kind: len(group) for kind, group in groups.items()},
        nkey=0 if place is None else int(spec.size["nkey"]),
        size=size[0].id if size else 0,
        worlds=[section.id for section in worlds],
        prefixes=[step.prefix for step in chains.items],
        element=_ids(nodes),
        copied=np.array(copied, np.int32),
        chain_ends=np.array(chains.ends, np.int32),
        step=_ids([step.node for step in chains.items]),
        replica=np.array([step.index for step in chains.items], np.int32),
        inherited=np.array(inherited, np.int32),
        class_ends=np.array(classes.ends, np.int32),
        default=_ids(classes.items),
        fused=_ids(fused),
        fused_body=np.array([body.id for _, body in spec.fused], np.int32),
    )
    return origins, known


def _ids(nodes: list[Node]) -> np.ndarray:
    return np.array([node.subtree.id for node in nodes], np.int64)
