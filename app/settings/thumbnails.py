"""Small pictures of the models that were opened, for the first page."""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from kinetree.app.settings.settings import RECENT
from kinetree.engine.atomic import replaced

SIZE = QSize(384, 240)
"""Twice the size on the page: screens with small pixels show all of them."""
MOST = 2 * RECENT


class Thumbnails:
    """Pictures in a folder of the user's, under the hash of the model's path. What cannot be read or written is not
    there: no picture is worth a message."""

    def __init__(self, folder: Path):
        self._folder = folder

    def path_of(self, model: str) -> Path:
        """The file of a model's picture, which may not exist."""
        name = hashlib.sha256(os.path.abspath(model).encode("utf-8", "surrogateescape")).hexdigest()[:32]
        return self._folder / f"{name}.png"

    def load(self, model: str) -> QImage:
        """The picture of a model; a null image without one."""
        return QImage(str(self.path_of(model)))

    def save(self, model: str, picture: QImage) -> None:
        """Keep the middle of a picture of a model, and forget the oldest ones."""
        scaled = picture.scaled(
            SIZE, Qt.AspectRatioMode.KeepAspectRatioByExpanding, Qt.TransformationMode.SmoothTransformation
        )
        left, top = (scaled.width() - SIZE.width()) // 2, (scaled.height() - SIZE.height()) // 2
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with replaced(self.path_of(model)) as draft:
                if not scaled.copy(left, top, SIZE.width(), SIZE.height()).save(draft):
                    raise OSError
            kept = sorted(self._folder.glob("*.png"), key=lambda path: path.stat().st_mtime, reverse=True)
            for path in kept[MOST:]:
                path.unlink()
