"""Fit primitives to meshes, as the menu Tools offers it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from kinetree import engine
from kinetree.app.actions.tools import compile_alone
from kinetree.engine import editing
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.actions.tools import Tools
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.element_edit import ElementEdit
    from kinetree.engine.document.tree import Node

KINDS = ("box", "sphere", "capsule", "cylinder", "ellipsoid")


class Fitting:
    """Handlers that fit primitives to the meshes of the selected geoms, in one window."""

    def __init__(self, tools: Tools):
        self.tools, self.context = tools, tools.context

    def table(self) -> dict[str, Callable]:
        return {f"tools.fit_{kind}": partial(self.fit, kind) for kind in KINDS}

    def fit(self, kind: str) -> None:
        """Replace the meshes of the selected geoms by primitives, in one step."""
        self.tools.edit_selected(
            tr("Fit {kind}", kind=kind.title()),
            partial(_edits, kind),
            lambda _edits: self.context.say(tr("A {kind} takes the place of the mesh", kind=kind)),
            select=tr("select geoms with meshes, meshes, or collisions or visuals of URDF"),
        )


def _edits(kind: str, document: Document, nodes: Sequence[Node]) -> list[ElementEdit]:
    """Raises CannotEdit."""

    edits = []
    for node in engine.progress.tracked(editing.tools.fit.geoms_of(document, nodes)):
        model = compile_alone(editing.tools.fit.alone(document, node, kind), tr("the mesh"))
        edits += editing.tools.fit.fitted(
            document, node, kind, model.geom_size[0], (model.geom_pos[0], model.geom_quat[0])
        )
    return edits
