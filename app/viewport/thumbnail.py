"""Takes a small picture of each model that is opened, once it has been seen for a moment."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from kinetree.app.settings.thumbnails import Thumbnails

if TYPE_CHECKING:
    from kinetree.app.window import Window

AFTER = 1.5
"""How long after the model came, s: by then physics has begun, and the picture tells more."""


class Thumbnail(QObject):
    """Lives as long as its window."""

    def __init__(self, window: Window, thumbnails: Thumbnails):
        super().__init__(window)
        self._window, self._thumbnails = window, thumbnails
        self._due = float("inf")
        self._viewport = window.viewports.frames[0].viewport
        window.simulation.model_changed.connect(self._take_model)
        self._viewport.drawn.connect(self._take_frame)

    def _take_model(self, _old: object, keep: bool) -> None:
        if not keep and self._window.simulation.model is not None:
            self._due = time.monotonic() + AFTER

    def _take_frame(self) -> None:
        """The viewport has drawn: in its paint event the picture costs no second frame."""
        if time.monotonic() < self._due:
            return
        self._due = float("inf")
        path = self._window.project.path
        if path:
            self._thumbnails.save(path, self._viewport.grabFramebuffer())
