"""Case: the input of a check. The compiled model, its elements, and the poses at qpos0."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kinetree.engine.dynamics.position.kinematics import kinematics
from kinetree.engine.jit.uncompiled import Arrays, Lists, ListState, uncompiled
from kinetree.engine.mjcf.elements import Body, Element
from kinetree.engine.model import enums
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.compile.indexing import ObjectIndex
    from kinetree.engine.diagnostics import Located
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node
    from kinetree.engine.mjcf.defaults import Defaults
    from kinetree.engine.model.model import Model


class Finding(NamedTuple):
    """A code of the table, a place, a message with the remedy, and the facts that a quick fix needs."""

    code: str
    where: Located
    message: str
    facts: tuple[str, ...] = ()


Findings = Iterator[Finding]


class Case:
    """One compiled model.

    model, index, document    what was compiled, its elements by kind and id, and the text
    defaults                  the default classes; None for formats that have none
    cancelled                 whether the findings are no longer needed
    """

    def __init__(
        self,
        model: Model,
        index: ObjectIndex,
        document: Document,
        defaults: Defaults | None,
        cancelled: Callable[[], bool] = lambda: False,
    ):
        self.model = model
        self.cancelled = cancelled
        self.index = index
        self.document = document
        self.defaults = defaults

    def elements(self, kind: str) -> list[Element]:
        return self.index.objects[kind]

    def body(self, b: int) -> str:
        """A description of a body for messages."""
        return self.index.bodies[b].label() if b else tr("the world")

    def joint(self, j: int) -> str:
        """A joint for messages; one without a name by its body."""
        joint = self.elements("joint")[j]
        if joint.name:
            return joint.label()
        return tr("{joint} of {body}", joint=joint.label(), body=self.body(int(self.model.jnt_bodyid[j])))

    def actuator(self, a: int) -> str:
        """An actuator for messages; one without a name by its target."""
        actuator = self.elements("actuator")[a]
        names = [actuator.get(name) for name in ("joint", "jointinparent", "tendon", "site", "body", "slidersite")]
        target = next((name for name in names if name), "")
        if actuator.name or not target:
            return actuator.label()
        return tr("{actuator} of '{target}'", actuator=actuator.label(), target=target)

    def at(self, element: Element, name: str) -> Located:
        """Where an attribute is set: in the element, or in the default class that it comes from."""
        node = element.node
        own = node.attribute(name)
        if own is None and self.defaults is not None and node.parent is not None:
            own = self.defaults.resolve(node, element.row, self.defaults.childclass(node.parent)).get(name)
        return own or node.tag_span

    def first_of_copies(self, kind: str) -> Iterator[tuple[int, Element]]:
        """(id, element) without replicas: one for each element of the text."""
        seen: set[int] = set()
        for i, element in enumerate(self.elements(kind)):
            if id(element.node) not in seen:
                seen.add(id(element.node))
                yield i, element

    def first_bodies(self) -> Iterator[tuple[int, Body]]:
        """First copy of each body; see `first_of_copies`."""
        for i, element in self.first_of_copies("body"):
            if isinstance(element, Body):
                yield i, element

    @cached_property
    def root(self) -> Node:
        return self.document.merged

    @cached_property
    def is_mjcf(self) -> bool:
        return self.root.tag == "mujoco"

    @cached_property
    def rest(self) -> Arrays:
        """Poses at qpos0."""
        lists = Lists(self.model)
        state = ListState(lists)
        uncompiled(kinematics)(lists, state)
        return state.arrays

    @cached_property
    def static(self) -> np.ndarray:
        """(nbody,) whether a body can never move: welded to the world, and no mocap body around it."""
        model = self.model
        moved = model.body_mocapid >= 0
        for i in range(1, model.nbody):
            moved[i] |= moved[model.body_parentid[i]]
        return (model.body_weldid == 0) & ~moved

    def colliding(self, geoms: np.ndarray) -> np.ndarray:
        """Which of these geoms can touch anything at all."""
        return (self.model.geom_contype[geoms] | self.model.geom_conaffinity[geoms]) != 0

    def parent_and_child(self, one: int, two: int) -> bool:
        """Whether one of two bodies is the parent of the other, bodies welded together being one."""
        parents = self.model.body_weldid[self.model.body_parentid[[one, two]]]
        return bool(parents[0] == two or parents[1] == one)

    def scalar_joint(self, joint: int) -> bool:
        return joint >= 0 and self.model.jnt_type[joint] not in (enums.JNT_FREE, enums.JNT_BALL)
