"""Drops on the tree: where in the text they go, why they may not, and what they do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QObject, Qt, Slot

from kinetree.app.panels.writing.tree.elements import GeneratedRow
from kinetree.app.panels.writing.tree.hanging import hang, is_moved, link_at
from kinetree.app.panels.writing.tree.kinematic import KinematicNesting
from kinetree.app.panels.writing.tree.view import DropPlace
from kinetree.engine.document.element_edit import ElementEdit
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.editing.structure import CannotEdit
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.tree.panel import TreePanel


class TreeDrops(QObject):
    """Takes what is dropped on one tree."""

    def __init__(self, panel: TreePanel):
        super().__init__(panel)
        self._panel = panel

    def target(self, place: DropPlace) -> tuple[int, int | None]:
        """(the element, the index) that a place in the list means. Raises CannotEdit."""
        row, outline = place.row, self._panel.outline
        item = outline.items[row]
        if isinstance(item, GeneratedRow):
            raise CannotEdit(self._panel.chosen.made_by(item))
        if place.where == "into":
            return item.id, None
        parent = outline.items[outline.parent(row)]
        inside = self._panel.shape.children(parent)
        if isinstance(self._panel.shape, KinematicNesting) and self._panel.document is not None:
            node = self._panel.document.node(item.id)
            around = None if node is None else node.parent
            if isinstance(parent, Subtree) and (around is None or around.id != parent.id):
                return parent.id, None  # beside a link that hangs here: the text has it elsewhere
            if around is not None:
                parent, inside = around, around.subtree.children
        return parent.id, [each.id for each in inside].index(item.id) + (place.where == "after")

    def _hung(self, place: DropPlace, data: QMimeData, action: Qt.DropAction) -> list[ElementEdit] | None:
        """The edits for links that are dragged to another link in the kinematic tree; None for other drags. Raises
        CannotEdit."""
        document, shape, ids = self._panel.document, self._panel.shape, self._panel.commands.own_ids(data, action)
        if document is None or not isinstance(shape, KinematicNesting) or ids is None:
            return None
        on = link_at(self._panel.outline, place.row, place.where)
        return hang(document, shape, ids, on) if on is not None and is_moved(document, ids) else None

    def why_not(self, place: DropPlace, data: QMimeData, action: Qt.DropAction) -> str | None:
        """Why something cannot be dropped at a place, None if it can. A hint says what the drop does."""
        try:
            if self._hung(place, data, action) is not None:
                self._panel.hint(tr("Its joint keeps the pose that it has in its parent"))
                return None
            parent, _ = self.target(place)
        except CannotEdit as error:
            return str(error)
        why = self._panel.commands.why_not(data, action, parent)
        if why is None:
            ids = self._panel.commands.own_ids(data, action)
            if ids is None:
                self._panel.hint("")
            elif self._panel.commands.are_classes(ids):
                self._panel.hint(tr("Shift keeps the settings of its elements, Alt merges the classes, Ctrl copies"))
            else:
                self._panel.hint(tr("Shift keeps the pose in the world, Ctrl copies"))
        return why

    @Slot(object, object, object, bool)
    def drop(self, place: DropPlace, data: QMimeData, action: Qt.DropAction, in_place: bool) -> None:
        """Do what a drop means. `in_place`: keep the pose in the world."""
        ids = self._panel.commands.own_ids(data, action)
        hung = self._hung(place, data, action)
        if hung is not None:
            if hung:
                self._panel.commands.step(tr("Hang on another link"), lambda _document: hung)
            return
        parent, index = self.target(place)
        if ids is None:
            self._panel.commands.paste_at(parent, index, data)
        elif action == Qt.DropAction.LinkAction:
            self._panel.commands.merge_classes(ids, parent)
        else:
            self._panel.commands.move(ids, parent, index, in_place)
