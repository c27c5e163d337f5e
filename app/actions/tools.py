"""Actions of the menu Tools: edits of the structure of a model, each as one step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox

from kinetree import engine
from kinetree.app.actions.context import ActionContext
from kinetree.app.panels.dialogs.extract import ExtractDialog
from kinetree.app.workspace.selection import Selection
from kinetree.engine import editing
from kinetree.engine.editing import tools
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.tree.panel import TreePanel
    from kinetree.app.workspace.tasks import Changes
    from kinetree.engine.document.document import Document
    from kinetree.engine.document.element_edit import ElementEdit
    from kinetree.engine.document.tree import Node
    from kinetree.engine.model.model import Model


def compile_alone(document: Document, what: str = "") -> Model:
    """Compile a small document that a tool made. Raises CannotEdit with the first error in it."""

    try:
        return engine.compile.compiler.compile_document(document, cancelled=engine.progress.is_cancelled).model
    except engine.diagnostics.ModelError as error:
        why = next(each.message for each in error.diagnostics if each.severity is engine.diagnostics.Severity.ERROR)
        raise editing.structure.CannotEdit(
            tr("{what} cannot be used: {why}", what=what or tr("this part of the model"), why=why)
        ) from None


class Tools:
    """The tools of one window, on the selected elements."""

    def __init__(self, context: ActionContext, tree: TreePanel):
        self.context, self.tree = context, tree
        self.project, self.selection = context.workspace.project, context.workspace.selection

    def table(self) -> dict[str, Callable]:
        return {"tools.extract": self.extract, "tools.inline": self.inline, "tools.merge_classes": self.merge_classes}

    def nodes(self) -> list[Node]:
        """The selected elements of the present text."""
        document = self.project.document
        return known(document, self.selection.elements) if document is not None else []

    def model_of(self, document: Document) -> Model | None:
        """The model that was compiled from a version of the text, if that is the last one that was compiled."""
        compiled = self.project.compiled
        if compiled is None or compiled.document is None:
            return None
        texts = [{path: source.text for path, source in each.sources.items()} for each in (compiled.document, document)]
        return compiled.model if texts[0] == texts[1] else None

    def edit(
        self,
        name: str,
        plan: Callable[[Document], Callable[[], Any]],
        done: Callable[[Any], None] = lambda made: None,
        changes: Callable[[Any], Changes] = lambda made: made,
        must_compile: bool = False,
    ) -> None:
        """Change the text as one step, in a thread with progress and Cancel, see `Tasks.edit`. Refusals are shown in a
        message."""
        refuse = partial(self.refuse, name)
        self.context.workspace.tasks.edit(name, plan, done, refuse, changes, must_compile=must_compile)

    def edit_selected(
        self,
        name: str,
        make: Callable[[Document, list[Node]], Any],
        done: Callable[[Any], None] = lambda made: None,
        select: str = "",
    ) -> None:
        """As `edit`, for a tool that needs the document and the selected elements. `select`: what is told where none
        is selected, "" for a usual sentence."""
        ids = [node.id for node in self.nodes()]

        def plan(document: Document) -> Callable[[], Any]:
            nodes = known(document, ids)
            if not nodes:
                raise ValueError(select or tr("select the elements first"))
            return partial(make, document, nodes)

        self.edit(name, plan, done)

    def select_new(self, *tags: str) -> None:
        """Select the elements with these tags that the last step has made."""
        made = [node for node in self.tree.commands.new_elements() if node.tag in tags]
        self.selection.select_several([Selection(element=node.id) for node in made])

    def refuse(self, name: str, why: str) -> None:
        """Say why something cannot be done."""
        self.tell(tr("{name} is not possible here", name=name), [why])

    def tell(self, what: str, sentences: Sequence[str]) -> None:
        """Say something that the user has to know."""
        box = QMessageBox(QMessageBox.Icon.Information, "Kinetree", what, parent=self.context.parent)
        box.setTextFormat(Qt.TextFormat.PlainText)  # elements are named as tags
        box.setInformativeText("\n".join(f"{each[:1].upper()}{each[1:]}." for each in sentences))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    # ---- default classes -----------------------------------------------------------------------------

    def extract(self) -> None:
        """Ask which attributes of the selected elements become a default class."""
        document, nodes = self.project.document, self.nodes()
        title = tr("Extract Default Class")
        if document is None or not nodes:
            self.refuse(title, tr("select the elements that have attributes in common"))
            return
        try:
            shared = tools.classes.common(document, nodes)
            if not shared:
                raise tools.classes.NoClass(tr("the elements have no attribute in common that a default class can set"))
        except tools.classes.NoClass as error:
            self.refuse(title, str(error))
            return

        ids = [node.id for node in nodes]

        def accept(name: str, attributes: list[str]) -> None:
            def plan(document: Document) -> Callable[[], list[ElementEdit]]:
                return partial(tools.classes.extract, document, known(document, ids), name, attributes)

            self.edit(title, plan, lambda _edits: dialog.accept())

        dialog = ExtractDialog(nodes[0].tag, len(nodes), shared, self.context.parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.wanted.connect(accept)
        dialog.open()

    def inline(self) -> None:
        """Write the selected default class into the elements that use it."""

        def make(document: Document, nodes: list[Node]) -> list[ElementEdit]:
            node = next((each for each in nodes if each.tag == "default"), None)
            if node is None:
                raise tools.classes.NoClass(select)
            return tools.classes.inline(document, node)

        select = tr("select a default class in the model tree")
        self.edit_selected(tr("Dissolve Default Class"), make, select=select)

    def merge_classes(self) -> None:
        """Let the elements of the selected default classes use the first one of them."""

        def make(document: Document, nodes: list[Node]) -> list[ElementEdit]:
            classes = [each for each in nodes if each.tag == "default"]
            if len(classes) < 2:
                raise tools.class_moves.NoClass(select)
            first = min(classes, key=lambda each: (list(document.trees).index(each.source.path), each.start))
            return tools.class_moves.merge(document, [each for each in classes if each.id != first.id], first)

        select = tr("select the default classes in the model tree: the first one of the text stays")
        self.edit_selected(tr("Merge Default Classes"), make, select=select)


def known(document: Document, ids: Iterable[int]) -> list[Node]:
    """Those of some elements that a version of the text has."""
    found = (document.node(identity) for identity in ids)
    return [node for node in found if node is not None]
