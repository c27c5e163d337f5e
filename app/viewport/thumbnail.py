"""Takes a small picture of each model that is opened, once it has been seen for a moment.

The picture is drawn for the purpose: the model fills it, wherever the camera of the viewport stands.
"""

from __future__ import annotations

import logging
import time

from PySide6.QtCore import QObject, QTimer

from kinetree.app.settings.thumbnails import SIZE, Thumbnails
from kinetree.app.viewport.viewport import Viewport, portrait
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
        if time.monotonic() >= self._due:
            self._due = float("inf")
            QTimer.singleShot(0, self, self._take)  # not while the viewport is painted

    def _take(self) -> None:
        path = self._workspace.project.path
        if not path or self._workspace.simulation.model is None:
            return
        try:
            picture = portrait(self._viewport, SIZE)
        except Exception as error:  # no picture is worth a message: the viewport says what it cannot draw
            logging.getLogger(__name__).info("no small picture of %s: %s", path, error)
            return
        if not picture.isNull():
            self._thumbnails.save(path, picture)
