"""The filter of the tree: the rows that match the text of a field, found in a thread where there are many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, Slot

from kinetree.app.panels.writing.tree.search import Search
from kinetree.app.widgets.filter import FilterEdit

if TYPE_CHECKING:
    from kinetree.app.panels.writing.tree.panel import TreePanel

FEW = 3000
"""Rows of a tree that the GUI thread handles at once: a few milliseconds."""


class RowFilter(QObject):
    """Filters the rows of one tree by the text of a field."""

    def __init__(self, panel: TreePanel, field: FilterEdit):
        super().__init__(panel)
        self._panel, self._field = panel, field
        self._search = Search()
        self._unfiltered_scroll = 0
        field.textChanged.connect(self.start)
        field.entered.connect(self.enter)

    @property
    def is_on(self) -> bool:
        """Whether a text is in the field."""
        return bool(self._field.text().strip())

    def start_again(self) -> None:
        """Filter rows that are new, if there is a text."""
        if self.is_on:
            self.start(self._field.text())

    @Slot(str)
    def start(self, text: str) -> None:
        """Show only what matches a text, "" for all rows."""
        text = text.strip()
        if self._panel.outline.matching is None and text:
            self._unfiltered_scroll = self._panel.view.verticalScrollBar().value()
        if not text:
            self._panel.say("")
            self._take("", None)
            return
        items, parents, document = list(self._panel.outline.items), self._panel.outline.parents, self._panel.document
        few = len(items) < FEW and not text.startswith(("/", "("))

        def take(found: Any) -> None:
            if text != self._field.text().strip():
                return
            if isinstance(found, ValueError):
                self._panel.say(str(found))
            elif isinstance(found, Exception):
                raise found
            elif len(found) != len(self._panel.outline) or document is not self._panel.document:
                self.start(text)
            else:
                self._panel.say("")
                self._take(text, found)

        self._panel.run("filter", lambda: self._search.matching(items, parents, document, text), take, few)

    def _take(self, text: str, matching: np.ndarray | None) -> None:
        ids = self._panel.view.selected_ids
        self._panel.view.change(lambda: self._panel.outline.set_matching(matching))
        self._panel.view.verticalScrollBar().setValue(0 if text else self._unfiltered_scroll)
        if ids and not text:
            self._panel.view.select_ids(ids)
        self._panel.say_empty()

    def enter(self) -> None:
        """Go to the first match."""
        outline = self._panel.outline
        matches = outline.shown[:1] if outline.matching is None else np.flatnonzero(outline.matching)
        shown = [row for row in matches[:1].tolist() if outline.position(row) >= 0]
        if shown:
            self._panel.view.setFocus()
            self._panel.view.setCurrentIndex(self._panel.view.tree_model.index_of(shown[0]))
