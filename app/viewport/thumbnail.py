"""Takes a small picture of each model that is opened, once it has been seen for a moment."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject

from kinetree.app.settings.thumbnails import Thumbnails
from kinetree.app.viewport.viewport import Viewport
from kinetree.app.workspace.workspace import Workspace

AFTER = 1.5
"""How long after the model came, s: by then physics has begun, and the picture tells more."""


class Thumbnail(QObject):
    """Saves a small picture of each opened model from the first viewport of a window. Lives as long as its parent, the
    window."""

    def __init__(self, workspace: Workspace, viewport: Viewport, thumbnails: Thumbnails, parent: QObject):
        super().__init__(parent)
        self._workspace, self._viewport, self._thumbnails = workspace, viewport, thumbnails
        self._due = float("inf")
        workspace.simulation.model_changed.connect(self._take_model)
        self._viewport.drawn.connect(self._take_frame)

    def _take_model(self, _old: object, keep: bool) -> None:
        if not keep and self._workspace.simulation.model is not None:
            self._due = time.monotonic() + AFTER

    def _take_frame(self) -> None:
        """Grab the picture of the viewport inside its paint event, where this needs no second frame."""
        if time.monotonic() < self._due:
            return
        self._due = float("inf")
        path = self._workspace.project.path
        if path:
            self._thumbnails.save(path, self._viewport.grabFramebuffer())
