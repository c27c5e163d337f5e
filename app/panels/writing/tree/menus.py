"""The menus of the tree at work: what they offer for the rows that are selected, and the elements that they insert."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from PySide6.QtCore import QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from kinetree.app.panels.writing.tree.elements import GeneratedRow
from kinetree.app.panels.writing.tree.filtering import FEW
from kinetree.app.panels.writing.tree.menu import context_menu, insert_menu
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.engine.document.subtree import Subtree
from kinetree.engine.editing.structure import index_in
from kinetree.engine.editing.templates import ElementChoice, choices
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.panels.writing.tree.panel import TreePanel

MENU = (
    "rename", "duplicate", "delete", "", "cut", "copy", "paste", "",
    "hide", "isolate", "fade", "show", "", "expand", "collapse",
)  # fmt: skip
"""The context menu: names of actions, "" for a separator."""


class Inserts(NamedTuple):
    """A submenu of new elements for `parent`, before its child that is number `index`, or at its end."""

    title: str
    parent: Subtree
    index: int | None
    choices: list[ElementChoice]


class TreeMenus(QObject):
    """The context menu and the insert menu of one tree. `more`: actions of the window, at the end of the first."""

    def __init__(self, panel: TreePanel):
        super().__init__(panel)
        self._panel = panel
        self.more: Sequence[QAction] = ()

    @Slot(QPoint)
    def open_menu(self, place: QPoint) -> None:
        """Show the context menu; for a large text once it is known what may be inserted."""

        def show(found: Any) -> None:
            if isinstance(found, Exception):
                raise found
            menu = self.menu(found)
            menu.aboutToHide.connect(self._enable_actions)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(place)

        self._panel.run("menu", self._inserts(), show, len(self._panel.outline) < FEW)

    def _enable_actions(self) -> None:
        """Enable all actions, so that their keys work again; an action refuses what it cannot do."""
        for action in self._panel.actions_.values():
            action.setEnabled(True)

    def open_insert_menu(self, place: QPoint) -> None:
        """Show what may be inserted into the selected element, and after it, in a menu at a place of the screen."""

        def show(found: Any) -> None:
            if isinstance(found, Exception):
                raise found
            menus = self._insert_menus([each for each in found if each.choices])
            if not menus:
                self._panel.say(tr("Nothing can be inserted here"))
                return
            menu = menus[0]
            for other in menus[1:]:
                menu.addSeparator()
                menu.addMenu(other)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(place)

        self._panel.run("menu", self._inserts(), show, len(self._panel.outline) < FEW)

    def _insert_menus(self, inserts: list[Inserts]) -> list[QMenu]:
        return [
            insert_menu(
                each.title, each.choices, each.parent, partial(self._insert, each.parent.id, each.index), self._panel
            )
            for each in inserts
        ]

    def _inserts(self) -> Callable[[], list[Inserts]]:
        """A function that computes the new elements offered in the menu of the current row."""
        document, ids = self._panel.document, self._panel.chosen.ids()
        item = self._panel.outline.items[self._panel.outline.row_of(ids[-1])] if ids else None

        def look() -> list[Inserts]:
            if document is None or isinstance(item, GeneratedRow):
                return []
            node = document.root if item is None else document.node(item.id)
            if node is None:
                return []
            found = [Inserts(tr("Insert"), node.subtree, None, choices(document, node))]
            if node.parent is not None:
                parent = node.parent
                found.append(
                    Inserts(tr("Insert After"), parent.subtree, index_in(parent, node) + 1, choices(document, parent))
                )
            return found

        return look

    def menu(self, inserts: list[Inserts] | None = None) -> QMenu:
        """The context menu for the selection."""
        actions = self._panel.actions_
        rows = [self._panel.outline.items[self._panel.outline.row_of(each)] for each in self._panel.view.selected_ids]
        texts = bool(rows) and all(isinstance(item, Subtree) for item in rows)
        for name in ("rename", "cut", "copy", "duplicate", "delete"):
            actions[name].setEnabled(texts)
        actions["paste"].setEnabled(self._panel.document is not None and "<" in QApplication.clipboard().text())
        actions["hide"].setEnabled(bool(rows))
        hidden = bool(rows) and all(item.id in self._panel.visibility.hidden for item in rows)
        actions["hide"].setText(tr("Show in Viewport") if hidden else tr("Hide in Viewport"))
        actions["isolate"].setEnabled(bool(rows))
        actions["fade"].setEnabled(bool(rows))
        actions["show"].setEnabled(self._panel.visibility.hides)
        submenus = self._insert_menus(self._inserts()() if inserts is None else inserts)
        return context_menu(submenus, [*(actions.get(name) for name in MENU), None, *self.more], self._panel)

    def _insert(self, parent: int, index: int | None, choice: ElementChoice) -> None:
        if choice.file is None:
            self._panel.commands.insert(parent, index, choice.row.tag)
            return
        kinds = {"mesh": tr("Meshes (*.stl *.obj *.msh *.dae)"), "include": "MJCF (*.xml)", "model": "MJCF (*.xml)"}
        folder = str(self._panel.document.base) if self._panel.document is not None else ""
        dialog = FileDialog(
            self._panel,
            tr("File of <{tag}>", tag=choice.row.tag),
            folder,
            tr("{tag};;All files (*)", tag=kinds.get(choice.row.tag, "")).lstrip(";"),
        )
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self._panel.commands.insert(parent, index, choice.row.tag, path))
        dialog.open()
