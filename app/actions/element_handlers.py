"""Actions of the Edit menu on the selected elements, or on the text that has the focus."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QCursor
from PySide6.QtWidgets import QLineEdit, QWidget

from kinetree.app.actions.context import ActionContext
from kinetree.app.panels.writing.source import carets as strokes
from kinetree.app.panels.writing.source.editor import SourceEditor
from kinetree.app.panels.writing.source.panel import SourcePanel
from kinetree.app.panels.writing.tree.panel import TreePanel
from kinetree.engine.translation import tr


class ElementHandlers:
    """Handlers of the Edit menu's actions on the selected elements. `table()` maps ids of actions to them."""

    def __init__(self, context: ActionContext, tree: TreePanel, source: SourcePanel):
        self.context, self.tree, self.source = context, tree, source
        self.tree.said.connect(self._say)

    def table(self) -> dict[str, Callable]:
        source, tree = self.source, self.tree
        next_character = strokes.next_character

        def duplicate_lines(_editor: SourceEditor) -> None:
            source.commands.stroke(tr("Duplicate lines"), strokes.duplicate_lines)

        rows: dict[str, tuple[Callable[[SourceEditor], None], Callable[[QLineEdit], None]]] = {
            "cut": (lambda editor: editor.clipboard.cut(), QLineEdit.cut),
            "copy": (lambda editor: editor.clipboard.copy(), QLineEdit.copy),
            "paste": (lambda editor: editor.clipboard.paste(), QLineEdit.paste),
            "delete": (lambda editor: editor.keys.delete_to(next_character), QLineEdit.del_),
            "duplicate": (duplicate_lines, lambda _line: tree.edit("duplicate")),
            "rename": (lambda _editor: source.knowledge.ask_name(), lambda _line: self._rename()),
        }
        handlers = {f"edit.{name}": partial(self._act, name, *row) for name, row in rows.items()}
        return handlers | {"edit.insert": self.insert}

    def _act(self, name: str, in_text: Callable[[SourceEditor], None], in_line: Callable[[QLineEdit], None]) -> None:
        focus = self.context.parent.focusWidget()
        if isinstance(focus, SourceEditor):
            in_text(focus)
        elif isinstance(focus, QLineEdit):
            in_line(focus)
        elif name == "rename":
            self._rename()
        else:
            self.tree.edit(name)

    def _rename(self) -> None:
        """Let the user edit the name in the tree, which is shown for it."""
        self.context.docks["tree"].show()
        self.tree.edit("rename")

    def insert(self) -> None:
        """Open the menu of new elements beside what has the focus."""
        focus, view = self.context.parent.focusWidget(), self.tree.view
        if isinstance(focus, SourceEditor):
            place = focus.viewport().mapToGlobal(focus.cursorRect().bottomLeft())
        elif view.isVisible() and view.viewport().rect().contains(view.visualRect(view.currentIndex())):
            place = view.viewport().mapToGlobal(view.visualRect(view.currentIndex()).bottomLeft() + QPoint(24, 0))
        else:
            place = _at_mouse(self.context.viewport)
        self.tree.menus.open_insert_menu(place)

    def _say(self, message: str) -> None:
        """Show refusals of the tree in the status line if the tree is hidden."""
        if message and not self.tree.isVisible():
            self.context.say(message)


def _at_mouse(widget: QWidget) -> QPoint:
    """The place of the mouse, if that is over a widget, else the middle of it."""
    place = QCursor.pos()
    return place if widget.rect().contains(widget.mapFromGlobal(place)) else widget.mapToGlobal(widget.rect().center())
