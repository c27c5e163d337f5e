"""Actions of the menu Tools that write the same model in another way: units of angles, forms of an orientation."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import partial
from itertools import chain, count

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QInputDialog

from kinetree.app.actions.documents import Documents
from kinetree.app.actions.tools import Tools, compile_alone, known
from kinetree.app.panels.dialogs.conversion import ConversionDialog
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.app.workers.compiling import CompileResult
from kinetree.app.workers.converting import Conversion
from kinetree.engine import editing
from kinetree.engine.assist.language import language_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.element_edit import ElementEdit
from kinetree.engine.document.tree import Node
from kinetree.engine.translation import marked, tr

FORMS = {
    "quat": marked("Quaternion"),
    "euler": marked("Euler Angles"),
    "axisangle": marked("Axis and Angle"),
    "xyaxes": marked("X and Y Axes"),
    "zaxis": marked("Z Axis"),
}
UNITS = {"degree": marked("Angles in Degrees"), "radian": marked("Angles in Radians")}
NOT_COMPILED = marked("the text has errors, or is not compiled yet: try again when the model is shown")


class Converting:
    """The tools of one window that write the same model in another way."""

    def __init__(self, tools: Tools, documents: Documents):
        self.tools, self.documents, self.context, self.project = tools, documents, tools.context, tools.project

    def table(self) -> dict[str, Callable]:
        return {
            "tools.degrees": partial(self.unit, "degree"),
            "tools.radians": partial(self.unit, "radian"),
            "tools.without_fromto": self.without_fromto,
            "tools.with_fromto": self.with_fromto,
            "tools.convert": self.convert,
            "tools.split": self.split,
            "tools.write_inertia": self.write_inertia,
            "tools.from_geoms": self.from_geoms,
            "tools.merge": self.merge,
            **{f"tools.{form}": partial(self.orientation, form) for form in FORMS},
        }

    def unit(self, unit: str) -> None:
        """Write all angles in degrees or radians."""
        self.tools.edit(tr(UNITS[unit]), lambda document: partial(editing.tools.angles.to_unit, document, unit))

    def orientation(self, form: str) -> None:
        """Write the orientation of the selected elements in another form."""
        self.tools.edit_selected(
            tr("Orientation as {form}", form=tr(FORMS[form])), partial(editing.tools.angles.to_form, form=form)
        )

    def without_fromto(self) -> None:
        """Write the end points of the selected shapes as position, axis and size."""
        self.tools.edit_selected(tr("End Points to Position and Size"), editing.tools.angles.without_fromto)

    def with_fromto(self) -> None:
        """Write the poses and lengths of the selected shapes as end points."""
        self.tools.edit_selected(tr("Position and Size to End Points"), editing.tools.angles.with_fromto)

    def split(self) -> None:
        """Ask for the name of a file, and move the selected elements there."""

        document, title = self.project.document, tr("Split to Included File")
        try:
            nodes = editing.tools.including.check_split(document, self.tools.nodes()) if document is not None else []
        except editing.structure.CannotEdit as error:
            self.tools.refuse(title, str(error))
            return
        if not nodes:
            self.tools.refuse(title, tr("select the elements first"))
            return

        ids = [node.id for node in nodes]

        def plan(name: str, present: Document) -> Callable[[], list[ElementEdit]]:
            found = editing.tools.including.check_split(present, known(present, ids))
            texts = self.project.texts
            root = texts.tree(
                texts.add(editing.tools.including.path_of(present, name), editing.tools.including.blank(found[0]))
            )
            return partial(editing.tools.including.split, present, found, root, name)

        dialog = QInputDialog(self.context.parent)
        dialog.setWindowTitle(title)
        dialog.setLabelText(tr("Name of the new file, beside the model:"))
        dialog.setTextValue(f"{_file_stem(nodes[0])}.xml")
        dialog.setOkButtonText(tr("Split"))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.textValueSelected.connect(lambda name: self.tools.edit(title, partial(plan, _with_suffix(name.strip()))))
        dialog.open()

    def merge(self) -> None:
        """Write what the selected <include> holds in its place."""

        select = tr("select an <include> in the model tree")

        def make(document: Document, nodes: list[Node]) -> list[ElementEdit]:
            include = next((node for node in nodes if node.tag == "include"), None)
            if include is None:
                raise editing.structure.CannotEdit(select)
            return editing.tools.including.merge(document, include)

        self.tools.edit_selected(tr("Replace Include by Its Elements"), make, select=select)

    def present(self) -> CompileResult | None:
        """The compiled model of the present texts; None if they have errors, or are still being compiled."""
        compiled = self.project.compiled
        if compiled is None or compiled.model is None:
            return None
        return compiled if _same_texts(compiled.document, self.project.document) else None

    def convert(self) -> None:
        """Show the model as MJCF beside its text."""
        compiled, document = self.present(), self.project.document
        if compiled is None or document is None:
            self.tools.refuse(tr("Convert to MJCF"), tr(NOT_COMPILED))
            return
        opening, converting = self.context.workspace.opening, self.context.workspace.converting
        path, text, size = self.project.path, document.source.text, self.context.settings.source_text_size
        dialog = ConversionDialog(path, text, language_of(document).name, size, self.context.parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def show(found: Conversion) -> None:
            if found.source is compiled:
                dialog.show_conversion(found)

        def open_text(converted: str) -> None:
            dialog.accept()
            self.documents.unless_unsaved(lambda: opening.create(_free_path(path), converted))

        def save() -> None:
            chooser = FileDialog(dialog, tr("Save As"), _free_path(path), "MJCF (*.xml)")
            chooser.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            chooser.setDefaultSuffix("xml")
            chooser.fileSelected.connect(converting.save_copy)
            chooser.open()

        dialog.open_wanted.connect(open_text)
        dialog.save_wanted.connect(save)
        converting.converted.connect(show)
        dialog.finished.connect(lambda: converting.converted.disconnect(show))
        dialog.open()
        converting.convert()

    def write_inertia(self) -> None:
        """Write the compiled inertia of the selected bodies or links."""
        ids = [node.id for node in self.tools.nodes()]

        def plan(document: Document) -> Callable[[], list[ElementEdit]]:
            if language_of(document).name == "URDF":
                return partial(editing.tools.inertia.write_links, document, known(document, ids), compile_alone)
            compiled = self.present()
            if compiled is None or compiled.model is None:
                raise ValueError(tr(NOT_COMPILED))
            return partial(editing.tools.inertia.write_inertia, document, known(document, ids), compiled.model)

        self.tools.edit(tr("Write Inertia"), plan)

    def from_geoms(self) -> None:
        """Let the geoms of the selected bodies say their inertia."""
        self.tools.edit_selected(tr("Inertia from Geoms"), editing.tools.inertia.from_geoms)


def _free_path(path: str) -> str:
    """The path of a new MJCF file beside a model, which no file has yet."""
    stem = os.path.splitext(path)[0]
    paths = (f"{stem}{number}.xml" for number in chain(("",), (f"_{number}" for number in count(2))))
    return next(each for each in paths if not os.path.lexists(each))


def _file_stem(node: Node) -> str:
    """A file name for an element: what its name has of letters that every system allows."""
    name = node.get("name") or node.get("class") or node.tag
    return re.sub(r"[^\w.-]+", "_", name).strip("._") or node.tag


def _with_suffix(name: str) -> str:
    """The name of an XML file as it was typed, with or without .xml."""
    return name if not name or os.path.splitext(name)[1] else f"{name}.xml"


def _same_texts(one: Document | None, two: Document | None) -> bool:
    """Whether two versions of a document have the very same texts."""
    if one is None or two is None or one.trees.keys() != two.trees.keys():
        return False
    return all(root.source is two.trees[path].source for path, root in one.trees.items())
