"""Asks how to handle references to elements that are deleted."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from kinetree.app.settings.icons import icon
from kinetree.engine.document.tree import Node
from kinetree.engine.editing.removal import Consequence
from kinetree.engine.editing.structure import label
from kinetree.engine.translation import counted, tr


class DeleteDialog(QDialog):
    """Lists what refers to the elements. `decided(with_referring)` unless the user cancels."""

    def __init__(
        self, nodes: Sequence[Node], found: Sequence[Consequence], decided: Callable[[bool], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Delete"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(True)
        what = label(nodes[0]) if len(nodes) == 1 else counted("{count} element", "{count} elements", len(nodes))
        removed = sum(each.removed for each in found)
        if any(node.child_count for node in nodes):
            lines = [
                counted(
                    "{count} place in the model refers to {what} or to its content.",
                    "{count} places in the model refer to {what} or to its content.",
                    len(found),
                    what=what,
                )
            ]
        else:
            lines = [
                counted(
                    "{count} place in the model refers to {what}.",
                    "{count} places in the model refer to {what}.",
                    len(found),
                    what=what,
                )
            ]
        if removed:
            lines.append(
                counted(
                    "{count} element would make no sense without, and would be deleted too.",
                    "{count} elements would make no sense without, and would be deleted too.",
                    removed,
                )
            )
        if removed < len(found):
            lines.append(
                counted(
                    "{count} attribute would be removed or shortened.",
                    "{count} attributes would be removed or shortened.",
                    len(found) - removed,
                )
            )
        text = QLabel("\n".join(lines), self)
        text.setTextFormat(Qt.TextFormat.PlainText)
        text.setWordWrap(True)
        self.list = QListWidget(self)
        self.list.setSelectionMode(QListWidget.SelectionMode.NoSelection)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setUniformItemSizes(True)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)  # tool tips have long names whole
        for each in found:
            item = QListWidgetItem(
                icon("close" if each.removed else "info", "error" if each.removed else "info"), str(each)
            )
            fate = tr("Would be deleted") if each.removed else tr("Would lose this attribute, or this name in it")
            item.setToolTip(f"{each}\n{fate}")
            self.list.addItem(item)
        buttons = QDialogButtonBox(self)
        roles = QDialogButtonBox.ButtonRole
        self.both = buttons.addButton(tr("Delete with References"), roles.AcceptRole)
        self.only = buttons.addButton(tr("Delete Element Only"), roles.DestructiveRole)
        buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.only.setToolTip(tr("References to it stay, and are errors until they are changed"))
        self.both.setDefault(True)
        self.both.clicked.connect(lambda: self._decide(decided, True))
        self.only.clicked.connect(lambda: self._decide(decided, False))
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(text)
        layout.addWidget(self.list, 1)
        layout.addWidget(buttons)
        self.resize(520, min(180 + 22 * len(found), 480))

    def _decide(self, decided: Callable[[bool], None], with_referring: bool) -> None:
        self.accept()
        decided(with_referring)
