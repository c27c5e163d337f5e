"""Follower: the caret and the selection of the workspace follow each other.

The selection goes to the text only while nobody types there, and the caret to the selection only when the user has
put it into another element.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from kinetree.app.workspace.selection import Selection, SelectionModel, select_element
from kinetree.engine.document.tree import Node

if TYPE_CHECKING:
    from kinetree.app.panels.writing.source.editor import SourceEditor
    from kinetree.app.panels.writing.source.panel import SourcePanel

SOON = 120  # ms after the caret was moved


class Follower(QObject):
    """Connects the editors of a panel with a selection."""

    def __init__(self, panel: SourcePanel, selection: SelectionModel):
        super().__init__(panel)
        self._panel, self._selection = panel, selection
        self._selecting = False
        self._shown: int | None = None  # the element that was shown last
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(SOON)
        self._soon.timeout.connect(self._select_at_caret)
        selection.changed.connect(self.show_selection)

    def watch(self, editor: SourceEditor) -> None:
        """Follow the caret of an editor."""
        editor.caret_moved.connect(self._soon.start)
        self._mark(editor, self._nodes())

    def _nodes(self) -> list[Node]:
        """The selected elements that the texts have at present, the main one last."""
        document = self._panel.project.document
        if document is None:
            return []
        found = [document.node(identity) for identity in self._selection.elements]
        return [node for node in found if node is not None]

    def show_selection(self) -> None:
        """Mark the selected elements in the texts, and show the main one unless its text has the focus."""
        panel = self._panel
        nodes = self._nodes()
        for editor in panel.editors.values():
            self._mark(editor, nodes)
        if self._selecting or not nodes or not panel.isVisible() or nodes[-1].id == self._shown:
            return
        node = nodes[-1]
        self._shown = node.id
        path = panel.project.texts.key(node.source.path)
        if not self._is_typed_in(panel.editor) and path in panel.paths:
            panel.places.show(path, node.start, node.start, focus=False)
            self._soon.stop()

    @staticmethod
    def _is_typed_in(editor: SourceEditor | None) -> bool:
        """Whether an editor has the focus of its window."""
        return editor is not None and editor.window().focusWidget() is editor

    def _mark(self, editor: SourceEditor, nodes: list[Node]) -> None:
        key = self._panel.project.texts.key
        mine = [node for node in nodes if key(node.source.path) == editor.path]
        elements = [(node.start, node.head_span.end, node.end) for node in mine]
        if elements != editor.elements:
            editor.elements = elements
            editor.overview.refresh()
            editor.refresh()

    def _select_at_caret(self) -> None:
        """Select the element that the caret is in."""
        editor = self._panel.editor
        if editor is None or not self._is_typed_in(editor):
            return
        node = editor.parsed.root.at(editor.carets.main.position)
        if node is None or node.parent is None or node.id == self._selection.current.element:
            return
        model = self._selection.model
        # The model may be of an older text: only its own node of that element tells what it made.
        known = model.provenance.node(node.id) if model is not None and model.provenance is not None else None
        self._selecting, self._shown = True, node.id
        try:
            if model is None or known is None:
                self._selection.select(Selection(element=node.id))
            else:
                self._selection.select(select_element(model, known))
        finally:
            self._selecting = False
