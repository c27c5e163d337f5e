"""Mirror a limb, as the menu Tools offers it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from kinetree.app.actions.tools import known
from kinetree.app.workspace.selection import Selection
from kinetree.engine import editing
from kinetree.engine.editing.structure import index_in
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.app.actions.tools import Tools
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.tree import Node
    from kinetree.engine.editing.tools.mirror import Mirrored

TITLE = marked("Mirror Limb")


class Mirroring:
    """Handlers that mirror a limb: the selected body or link, or the one around the selection, in one window."""

    def __init__(self, tools: Tools):
        self.tools, self.context, self.project = tools, tools.context, tools.project

    def table(self) -> dict[str, Callable]:
        return {f"tools.mirror_{axis}": partial(self.mirror, axis) for axis in "xyz"}

    def mirror(self, axis: str) -> None:
        """Put the mirror image of the selected limb beside it."""
        ids = [node.id for node in self.tools.nodes()]

        def plan(document: Document) -> Callable[[], tuple[Node, Mirrored]]:
            inside = (each for node in known(document, ids) for each in (node, *node.ancestors()))
            node = next((each for each in inside if each.tag in ("body", "link")), None)
            if node is None:
                raise ValueError(tr("select the body or link at the root of a limb"))
            model = self.tools.model_of(document)

            def make() -> tuple[Node, Mirrored]:

                return node, editing.tools.mirror.mirror(
                    document, node, axis, () if model is None else editing.tools.symmetric.symmetric_meshes(model, axis)
                )

            return make

        def done(made: tuple[Node, Mirrored]) -> None:
            self._show(made[0], made[1].notes)

        self.tools.edit(tr(TITLE), plan, done, lambda made: made[1].edits, must_compile=True)

    def _show(self, node: Node, notes: list[str]) -> None:
        """Select the mirrored limb, and tell what was left alone."""
        document = self.project.document
        old = None if document is None else document.node(node.id)
        if node.tag == "link":
            self.tools.select_new("link")
        elif old is not None and old.parent is not None:
            new = old.parent.child(index_in(old.parent, old) + 1)
            self.tools.selection.select(Selection(element=new.id))
        if notes:
            self.tools.tell(tr("{title}: something needs your attention", title=tr(TITLE)), notes)
        else:
            self.context.say(tr("The limb was mirrored"))
