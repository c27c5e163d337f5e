"""Shared by the readers of other formats: an empty Spec to begin with, its elements, and the sizes of shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.mjcf import make
from kinetree.engine.mjcf import reader as mjcf
from kinetree.engine.mjcf.elements import Element, Spec

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.document.tree import Attribute, Node
    from kinetree.engine.formats.check import Checked


class SpecReader:
    """Reads a checked text of another format into a Spec; angles in the Spec are radians."""

    def __init__(self, root: Node, checked: Checked, diagnostics: Diagnostics) -> None:
        self.root = root
        self.checked = checked
        self.diagnostics = diagnostics
        self.spec: Spec

    def begin(self, settings: Node, name: str) -> Spec:
        """An empty Spec with this name, and with the settings of MJCF that an element has inside."""
        self.spec = spec = mjcf.read(settings, self.diagnostics)
        spec.root, spec.world.node = self.root, self.root
        spec.name = name
        spec.compiler["angle"] = "radian"
        return spec

    def element(
        self,
        kind: str,
        id: str,
        node: Node,
        name: str,
        values: dict[str, Any],
        places: Mapping[str, Attribute | Node | None],
        cls: Any = Element,
    ) -> Any:
        """An element of the Spec; `places`: attribute of MJCF -> where the text has it, None for nowhere."""
        element = make.element(id, node, {**values, "name": name}, kind, make=cls)
        element.written_at = {key: place for key, place in places.items() if place is not None}
        return element


def round_size(radius: float, length: float = 0.0) -> np.ndarray:
    """The size in MJCF of a sphere, cylinder or capsule with a radius and a full length."""
    return np.array((radius, length / 2, 0.0))
