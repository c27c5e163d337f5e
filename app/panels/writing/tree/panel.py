"""The model panel: the elements of the document as they are written, with a filter. A binary file, which has no text,
shows its objects.

Rows follow the text by its edits: `elements.py` compares two versions, `outline.py` replaces the rows that differ. What
takes longer than a frame is done in a thread: the rows of a large text, filters, what expansion made.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import partial
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QAction, QKeySequence, QPalette
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from kinetree.app.panels.writing.tree.chosen import ChosenRows
from kinetree.app.panels.writing.tree.commands import SMALL, TreeCommands
from kinetree.app.panels.writing.tree.delete_dialog import DeleteDialog
from kinetree.app.panels.writing.tree.drops import TreeDrops
from kinetree.app.panels.writing.tree.elements import GeneratedRow, RowChange, RowNesting, first_expanded
from kinetree.app.panels.writing.tree.filtering import RowFilter
from kinetree.app.panels.writing.tree.kinematic import KinematicNesting
from kinetree.app.panels.writing.tree.menus import TreeMenus
from kinetree.app.panels.writing.tree.model import GRAVITY
from kinetree.app.panels.writing.tree.objects import made_things, objects_block, objects_expanded
from kinetree.app.panels.writing.tree.outline import Block, TreeOutline, block_of
from kinetree.app.panels.writing.tree.view import TreeView
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.filter import FilteredColumn, FilterEdit
from kinetree.app.widgets.keyboard import is_typing
from kinetree.app.workspace.visibility import Visibility
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.document.document import Document
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.translation import tr

MAKERS = ("<replicate", "<attach", "<composite", "<flexcomp")


class TreePanel(QWidget):
    """Shows the document of a workspace, and edits it. `busy` while a thread makes rows. `said(message)`: a message is
    shown below the rows, "" for none. `kinematic_wanted(on)`: the user wants a URDF as its kinematic tree, or not."""

    said = Signal(str)
    kinematic_wanted = Signal(bool)

    def __init__(self, workspace: Workspace, parent: QWidget | None = None):
        super().__init__(parent)
        self.workspace = workspace
        self.project, self.compiler = workspace.project, workspace.compiler
        self.simulation, self.selection = workspace.simulation, workspace.selection
        self.outline = TreeOutline()
        self.busy = False
        self._document: Document | None = None  # whose rows are shown
        self._model: Any = None  # whose objects are shown, of a binary file
        self._path = ""
        self._shape = RowNesting(None)
        self.is_kinematic = True
        """Whether a URDF is shown as its kinematic tree, and not in the order of the text."""
        self._rearranged = False  # the same text is to be shown in another order
        self._made: dict[int, GeneratedRow] = {}
        self._examined: Any = None  # the CompileResult that `_made` is of
        self._wanted_name: int | None = None
        self._message = ""
        self._questions = workspace.add_questions()
        self._questions.failed.connect(self._give_up)
        self.commands = TreeCommands(self.project, self.selection, self._questions, workspace.tasks, self)

        self.filter = FilterEdit(self)
        self.filter.setPlaceholderText(tr("Filter, or XPath such as //geom"))
        self.filter.setAccessibleName(tr("Filter of the model's elements"))
        self.filter.setToolTip(
            tr(
                "Shows the elements whose name, type or references hold every word that you type, or whose "
                "kind it is.\n"
                'type=box: elements with that attribute.   "pos=": elements with that text.   //geom[@mass]: XPath.'
            )
        )
        self.message = QLabel(self)
        self.message.setObjectName("tree-message")
        self.message.setTextFormat(Qt.TextFormat.PlainText)
        self.message.setWordWrap(True)
        self.message.setContentsMargins(8, 5, 8, 6)
        self.message.hide()
        self.view = TreeView(self.outline, self)
        self.view.setAccessibleName(tr("Elements of the model"))
        self.chosen = ChosenRows(self.outline, self.view, self.selection, self.simulation, self)
        self.chosen.said.connect(self.say)
        self.menus = TreeMenus(self)
        self.drops = TreeDrops(self)
        self._filtering = RowFilter(self, self.filter)
        column = FilteredColumn(self, self.filter, self.view)
        self.kinematic = QToolButton(self)
        self.kinematic.setIcon(icon("body"))
        self.kinematic.setCheckable(True)
        self.kinematic.setChecked(True)
        self.kinematic.setAutoRaise(True)
        self.kinematic.setAccessibleName(tr("Kinematic tree"))
        self.kinematic.setToolTip(
            tr("Kinematic tree: each link is in the link that its joint hangs it on. Off: the order of the file")
        )
        self.kinematic.hide()
        column.top.addWidget(self.kinematic)
        column.addWidget(self.message)  # below the rows: they stay where they are under the mouse
        self._add_actions()
        self._connect()
        self._follow_model()

    def _connect(self) -> None:
        self.project.text_changed.connect(self.refresh)
        self.project.changed.connect(self._follow_model)
        self.project.closed.connect(self.refresh)
        self.simulation.model_changed.connect(self._follow_model)
        self.compiler.diagnostics_changed.connect(self._take_diagnostics)
        self.compiler.compiled.connect(self._take_diagnostics)
        self.selection.changed.connect(self.chosen.show)
        self.workspace.options_changed.connect(self._show_hidden)
        self.view.picked.connect(self.chosen.pick)
        self.view.dropped.connect(self.drops.drop)
        self.view.menu_wanted.connect(self.menus.open_menu)
        self.view.drag_data = lambda: self.commands.mime(self.chosen.element_ids())
        self.view.why_not = self.drops.why_not
        self.view.hint = self.hint
        self.view.tree_model.renamed.connect(self._rename)
        self.commands.refused.connect(self.say)
        self.commands.noted.connect(self.say)
        self.commands.named.connect(self._edit_name)
        self.commands.asks.connect(self._ask)
        self.kinematic.clicked.connect(self.kinematic_wanted)
        self.say_empty()

    def _add_actions(self) -> None:
        """Add the actions of the menu. Those that repeat an action of the table get its keys from the window."""
        commands, edit = self.commands, self._edit
        rows = (
            ("rename", tr("Rename"), self.rename_current, tr("Rename the element and change all that refers to it")),
            ("cut", tr("Cut"), lambda: edit(commands.cut), tr("Move the elements to the clipboard as XML")),
            ("copy", tr("Copy"), lambda: edit(commands.copy), tr("Copy the elements to the clipboard as XML")),
            ("paste", tr("Paste"), self._paste, tr("Insert the XML of the clipboard here")),
            (
                "duplicate",
                tr("Duplicate"),
                lambda: edit(commands.duplicate),
                tr("Copy the elements, with names of their own"),
            ),
            (
                "delete",
                tr("Delete"),
                lambda: edit(commands.delete),
                tr("Delete the elements; what refers to them is shown first"),
            ),
            ("hide", tr("Hide in Viewport"), self.hide_selection, tr("Do not draw the elements, or draw them again")),
            ("isolate", tr("Isolate in Viewport"), self.isolate_selection, tr("Draw only the elements")),
            (
                "fade",
                tr("Transparent in Viewport"),
                self.fade_selection,
                tr("Draw the elements transparent, or as they are"),
            ),
            (
                "show",
                tr("Show All in Viewport"),
                lambda: self.visibility.show_all(),
                tr("Draw all that was hidden or left out"),
            ),
            ("expand", tr("Expand All"), lambda: self.expand_all(True), tr("Expand all rows")),
            ("collapse", tr("Collapse All"), lambda: self.expand_all(False), tr("Collapse all rows")),
        )
        self.actions_: dict[str, QAction] = {}
        for name, text, run, tip in rows:
            action = self.actions_[name] = QAction(text, self.view)
            action.setObjectName(f"tree.{name}")
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            action.setStatusTip(tip)
            action.triggered.connect(lambda _checked=False, run=run: run())
            self.view.addAction(action)
        self.actions_["expand"].setShortcut(QKeySequence(tr("Ctrl++")))
        self.actions_["collapse"].setShortcut(QKeySequence(tr("Ctrl+-")))

    @property
    def shape(self) -> RowNesting:
        """How the rows are nested."""
        return self._shape

    @property
    def document(self) -> Document | None:
        """The document whose rows are shown."""
        return self._document

    # ---- jobs --------------------------------------------------------------------------------------------

    @Slot()
    def _give_up(self) -> None:
        """Allow the rows to be made again, after a job failed; the window reports the failure."""
        self.busy = False

    def run(self, kind: str, job, then, at_once: bool) -> None:
        """Do something at once, or in a thread; a ValueError, which says why it cannot be done, is the result."""
        if not at_once:
            self._questions.ask(kind, job, then, lambda reason: then(ValueError(reason)))
            return
        try:
            result = job()
        except ValueError as error:
            result = error
        then(result)

    def say(self, message: str) -> None:
        """Show a message below the tree; "" for none."""
        self.said.emit(message)
        self._message = message
        self.hint("")

    def hint(self, text: str) -> None:
        """Show something for the moment of a drag, or the message again."""
        shown = text or self._message
        if shown != self.message.text():
            self.message.setText(shown)
            role = QPalette.ColorRole.BrightText if shown == self._message else QPalette.ColorRole.WindowText
            self.message.setForegroundRole(role)
        self.message.setVisible(bool(shown))

    # ---- rows --------------------------------------------------------------------------------------------

    @Slot()
    def refresh(self, *_ignored) -> None:
        """Bring the rows in line with the text."""
        document, path = self.project.document, self.project.path
        fresh = path != self._path
        if document is None:
            self._show_objects(fresh)
            return
        if fresh and self._document is not None and document.root.id == self._document.root.id:
            self._path, fresh = path, False  # saved under another name
        if self.busy or (document is self._document and not fresh):
            return
        if fresh or self._document is None:
            self._made = {}
        elif self._follow(document):
            return
        made, nesting = self._made, self._nesting(document)
        rearranged, self._rearranged = self._rearranged, False
        size = sum(len(source.text) for source in document.sources.values())
        self.busy = size > SMALL

        def job() -> tuple[RowNesting, Block, np.ndarray]:
            document.node(document.root.id)  # its index is needed soon
            shape = nesting.of(document, made)
            block = shape.block()
            return shape, block, first_expanded(block, nesting.opened)

        def take(found: Any) -> None:
            self.busy = False
            if isinstance(found, Exception):
                raise found
            if self.project.path != path or self._rearranged:
                self.refresh()
                return
            shape, block, expanded = found
            keep = not fresh and not rearranged and len(self.outline) > 0
            self._path, self._document, self._model, self._shape = path, document, None, shape
            self._show_rows(block, expanded, keep)
            self._follow_model()

        self.run("rows", job, take, not self.busy)

    def _nesting(self, document: Document) -> type[RowNesting]:
        """How the rows of a document are nested."""
        return KinematicNesting if self.is_kinematic and document.root.tag == "robot" else RowNesting

    def show_kinematic(self, on: bool) -> None:
        """Show a URDF as its kinematic tree, or in the order of the text."""
        self.kinematic.setChecked(on)
        if on != self.is_kinematic:
            self.is_kinematic, self._rearranged = on, True
            self._document = None
            self.refresh()

    def _follow(self, document: Document) -> bool:
        """Replace the rows that differ from another version of the text; False if there are too many."""
        nesting = self._nesting(document)
        if type(self._shape) is not nesting:
            return False
        newer = nesting.of(document, self._made)
        found = self._shape.changes(self.outline, newer)
        if found is None:
            return False
        items, places = found
        renamed = False
        for row, item in items.items():
            renamed |= getattr(self.outline.items[row], "tag", "") != getattr(
                item, "tag", ""
            )  # icons of the rows inside depend on it
            self.outline.items[row] = item
        self._document, self._shape = document, newer
        if places:
            self._splice(places)
        else:
            self.view.update_rows(range(len(self.outline)) if renamed else items)
        self._filtering.start_again()
        return True

    def _splice(self, places: list[RowChange]) -> None:
        outline, shape = self.outline, self._shape

        def change() -> None:
            for start, stop, parent, items in places:
                depth = int(outline.depths[parent]) + 1 if parent >= 0 else 0
                outline.splice(start, stop, parent, block_of(items, shape.children, depth))
            outline.refresh()

        self.view.change(change)
        self._after_rows()

    def _show_rows(self, block: Block, expanded: np.ndarray, keep: bool) -> None:
        top = self.view.top_row()
        anchor = self.outline.items[top].id if keep and top >= 0 else None
        self.view.change(lambda: self.outline.set_rows(block, expanded, keep=keep))
        if not keep:
            self.view.scrollToTop()
            self.say("")
        elif anchor is not None and self.outline.row_of(anchor) >= 0:
            self.view.scroll_to_top(self.outline.row_of(anchor))
        self.view.tree_model.can_rename = self._document is not None
        self.kinematic.setVisible(self._document is not None and self._document.root.tag == "robot")
        self._filtering.start_again()
        self._take_diagnostics()
        self._after_rows()

    def _after_rows(self) -> None:
        self.say_empty()
        self.chosen.show()
        if self._wanted_name is not None:
            self._edit_name(self._wanted_name)

    def _show_objects(self, fresh: bool) -> None:
        """Show the rows of a binary file, or none."""
        model = self.simulation.model if self.project.path else None
        if model is not None and model.provenance is not None:
            model = None  # of the text that was open before
        if model is self._model and self._document is None and not fresh:
            return
        keep = not fresh and self._model is not None and self._document is None
        self._path, self._document, self._model, self._shape = self.project.path, None, model, RowNesting(None)
        block = Block([], []) if model is None else objects_block(model)
        expanded = np.zeros(0, bool) if model is None else objects_expanded(block, int(model.nbody))
        self._show_rows(block, expanded, keep)

    @Slot()
    def _follow_model(self, *_ignored) -> None:
        """Look for generated objects in another model."""
        self.refresh()
        result = self.project.compiled
        if result is None or result is self._examined or self._document is None:
            return
        model, document = result.model, result.document
        self._examined = result
        if model is None or document is None or model.provenance is None:
            return
        texts = [source.text for source in document.sources.values()]
        if not self._made and not any(maker in text for maker in MAKERS for text in texts):
            return

        def take(made: Any) -> None:
            if isinstance(made, Exception):
                raise made
            if self.project.compiled is not result or self._document is None:
                return
            places = self._shape.made_changes(self.outline, made)
            self._made = made
            self._shape = type(self._shape)(self._shape.root, self._shape.included, made)
            if places:
                self._splice(places)

        self.run("made", lambda: made_things(model, document), take, model.nbody + model.ngeom < 300)

    def say_empty(self) -> None:
        """Say in place of the rows why there are none."""
        text = self.filter.text().strip()
        if text and len(self.outline):
            self.view.empty = tr("No element matches “{text}”.\nEsc shows all.", text=text)
        elif self._document is not None and not len(self.outline):
            self.view.empty = tr("The file has no element yet.")
        else:
            self.view.empty = "" if len(self.outline) else tr("No model is open.")
        self.view.viewport().update()

    def expand_all(self, expanded: bool) -> None:
        """Expand or collapse all rows."""
        self.view.change(lambda: self.outline.expand_all(expanded))

    # ---- findings and visibility -------------------------------------------------------------------------

    @Slot()
    def _take_diagnostics(self, *_ignored) -> None:
        """Mark the elements that findings are about."""
        result = self.compiler.result
        document = None if result is None else result.document
        problems: dict[Hashable, Severity] = {}
        notes: dict[Hashable, list[str]] = {}
        for item in self.compiler.diagnostics if document is not None else ():
            identity = _element_of(document, item)
            if identity is not None:
                notes.setdefault(identity, []).append(item.message)
                old = problems.get(identity)
                problems[identity] = item.severity if old is None else max(old, item.severity, key=GRAVITY.__getitem__)
        self.view.tree_model.set_problems(problems, notes)
        self.view.viewport().update()

    @property
    def visibility(self) -> Visibility:
        """The objects that the active viewport hides and marks."""
        return self.workspace.view.visibility

    @Slot()
    def _show_hidden(self) -> None:
        hidden = frozenset(self.visibility.hidden)
        if hidden != self.view.tree_model.hidden:
            self.view.tree_model.hidden = hidden
            self.view.viewport().update()

    def hide_selection(self) -> None:
        """Hide what is selected in the viewport, or show it again if all of it is hidden."""
        self.visibility.toggle_hidden({each: self.chosen.drawn_of(each) for each in self.chosen.ids()})

    def fade_selection(self) -> None:
        """Draw what is selected transparent in the viewport, or as it is if all of it is transparent."""
        self.visibility.toggle_marked("faded", self.selection.selections)

    def isolate_selection(self) -> None:
        """Draw only what is selected."""
        self.visibility.isolate([self.chosen.drawn_of(each) for each in self.chosen.ids()])

    # ---- edits -------------------------------------------------------------------------------------------

    def edit(self, name: str) -> None:
        """Do what the action of that name does to the selected elements: cut, copy, paste, duplicate, delete,
        rename."""
        self.actions_[name].setEnabled(True)  # the last context menu may have been about something else
        self.actions_[name].trigger()

    def _edit(self, command) -> None:
        ids = self.chosen.element_ids()
        if ids:
            command(ids)
        elif not self.chosen.ids():
            self.say(tr("Select an element first"))

    def _paste(self) -> None:
        ids = self.chosen.element_ids()
        if ids or not self.chosen.ids():
            self.commands.paste(ids[-1] if ids else None)

    def rename_current(self) -> None:
        """Let the user edit the name of the current row."""
        ids = self.chosen.element_ids()
        if ids:
            self.view.rename(ids[-1])

    @Slot(object)
    def _edit_name(self, identity: int) -> None:
        """Let the user edit the name of a new element, as soon as it has a row."""
        row = self.outline.row_of(identity)
        self._wanted_name = identity if row < 0 else None
        if row >= 0:
            self.view.select_ids([identity])
            if is_typing(self.window()):
                return  # the user goes on in a text or a field
            self.view.setFocus()
            if self.view.tree_model.describe(row).named:
                self.view.rename(identity)

    @Slot(int, str)
    def _rename(self, row: int, name: str) -> None:
        item = self.outline.items[row]
        if isinstance(item, Subtree):
            self.commands.rename(item.id, name.strip())

    @Slot(object, object)
    def _ask(self, nodes, consequences) -> None:
        ids = [node.id for node in nodes]
        dialog = DeleteDialog(nodes, consequences, partial(self.commands.remove, ids), self)
        dialog.open()


def _element_of(document: Document | None, item: Diagnostic) -> int | None:
    """The element that a finding is about."""
    if document is None:
        return None
    try:
        source = document.source_of(item.file)
        node = document.node_at(item.file, source.offset(item.line, item.column))
    except (KeyError, ValueError, IndexError):
        return None
    if node is not None:
        return node.id
    root = document.trees.get(source.path)  # about the file as a whole
    return None if root is None else root.id
