"""Convex decomposition, as the menu Tools offers it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from kinetree.app.actions.tools import compile_alone, known
from kinetree.app.panels import dialogs
from kinetree.engine import editing
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.app.actions.tools import Tools
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.element_edit import ElementEdit
    from kinetree.engine.document.tree import Node
    from kinetree.engine.editing.tools.decompose import ConvexPart

TITLE = marked("Convex Decomposition")


class Decomposing:
    """Handler of the convex decomposition of the selected geoms, in one window. The library runs in another process."""

    def __init__(self, tools: Tools):
        self.tools, self.context, self.project = tools, tools.context, tools.project

    def table(self) -> dict[str, Callable]:
        return {"tools.decompose": self.decompose}

    def decompose(self) -> None:
        """Ask how the mesh of the selected geoms is to be decomposed."""
        document, nodes = self.project.document, self.tools.nodes()
        if document is None or not nodes:
            self.tools.refuse(tr(TITLE), tr("select geoms with a mesh, a mesh, or collisions or visuals of URDF"))
            return
        self.context.workspace.extras.need("decompose", partial(self._read_mesh, document, nodes))

    def _read_mesh(self, document: Document, nodes: list[Node]) -> None:
        self.context.workspace.tasks.run(
            tr("Reading the mesh"), partial(_read, document, nodes), self._ask, self._refuse
        )

    def _ask(self, found: _Mesh) -> None:
        from PySide6.QtCore import Qt

        name = (
            found.name
            if len(found.ids) == 1
            else tr("{name}, of {count} shapes", name=found.name, count=len(found.ids))
        )
        dialog = dialogs.decomposition.DecompositionDialog(name, found.surface, str(found.folder), self.context.parent)
        dialog.keep.setChecked(not found.has_looks)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.wanted.connect(partial(self._insert, found.ids, dialog))
        dialog.open()

    def _insert(self, ids: list[int], dialog, parts: list[ConvexPart], folder: str, keep: bool) -> None:
        """Write the parts, and put them into the text."""
        written: list[Path] = []

        def plan(document: Document) -> Callable[[], list[ElementEdit]]:
            nodes = known(document, ids)
            if len(nodes) < len(ids):
                raise ValueError(tr("some of the shapes are not there any more"))

            def make() -> list[ElementEdit]:
                if not written:
                    written.extend(_write(document, nodes, parts, Path(folder), keep))
                return editing.tools.decompose.decomposed(document, nodes, parts, written, keep)

            return make

        def done(_edits: list[ElementEdit]) -> None:
            self.context.say(tr("{count} convex parts were written to {folder}", count=len(written), folder=folder))
            self.tools.select_new("geom", "collision")
            dialog.accept()

        self.tools.edit(tr(TITLE), plan, done)

    def _refuse(self, why: str) -> None:
        self.tools.refuse(tr(TITLE), why)


class _Mesh(NamedTuple):
    """The mesh of some shapes.

    ids        the shapes: geoms, or visuals and collisions of URDF
    name       of the mesh
    surface    in the frame of the shapes
    folder     of its file
    has_looks  whether something else shows what the shapes show
    """

    ids: list[int]
    name: str
    surface: ConvexPart
    folder: Path
    has_looks: bool


def _read(document: Document, nodes: list[Node]) -> _Mesh:
    """The mesh that elements have, or are. Raises CannotEdit."""

    nodes = editing.tools.fit.geoms_of(document, nodes)
    editing.tools.decompose.check(document, nodes, True)
    first = nodes[0]
    model = compile_alone(editing.tools.fit.alone(document, first), tr("the mesh"))
    looks = all(editing.tools.decompose.has_looks(document, node) for node in nodes)
    ids = [node.id for node in nodes]
    return _Mesh(
        ids,
        editing.tools.fit.name_of(document, first),
        editing.tools.decompose.surface(model),
        editing.tools.decompose.folder_for(document, first),
        looks,
    )


def _write(document: Document, nodes: list[Node], parts: list[ConvexPart], folder: Path, keep: bool) -> list[Path]:
    """The files of the parts. Raises ValueError."""

    editing.tools.decompose.check(document, nodes, keep)
    try:
        return editing.tools.decompose.written(parts, folder, editing.tools.fit.name_of(document, nodes[0]))
    except OSError as error:
        raise ValueError(
            tr("the parts cannot be written to {folder}: {strerror}", folder=folder, strerror=error.strerror or error)
        ) from None
