"""Records what the user sees, in real time: the picture of the viewport, or the whole window."""

from __future__ import annotations

import time

import numpy as np
from PySide6.QtCore import QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from kinetree.app.viewport.viewport import Viewport
from kinetree.app.workers.filming import FilmThread
from kinetree.engine.platforms import display

FPS = 30.0


class Filming(QObject):
    """Records one video at a time of the viewport or the window, in real time.

    Signals: `changed()`: it has begun or ended, or another second has passed; `saved(path)`;
    `failed(message, details)`.
    """

    changed = Signal()
    saved = Signal(str)
    failed = Signal(str, str)

    _written = Signal(object, str, str)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._thread: FilmThread | None = None
        self._viewport: Viewport | None = None
        self._window: QWidget | None = None
        self._picture: np.ndarray | None = None
        self._size = QSize()
        self._begun = 0.0
        self._frames = self._told = 0
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(round(1000 / FPS))
        self._timer.timeout.connect(self._tick)
        self._written.connect(self._finish)

    @property
    def is_on(self) -> bool:
        return self._thread is not None

    @property
    def films_viewport(self) -> bool:
        """Whether it records a viewport, not the whole window."""
        return self._viewport is not None

    @property
    def seconds(self) -> float:
        """How long it has been recording."""
        return time.monotonic() - self._begun if self.is_on else 0.0

    def film_viewport(self, viewport: Viewport, path: str) -> None:
        """Record the frames of a viewport, without what lies over it."""
        self._viewport = viewport
        width, height = viewport.pixel_size()
        self._begin(path, QSize(width, height))
        viewport.drawn.connect(self._take_frame)
        viewport.destroyed.connect(self.end)
        viewport.update()

    def film_window(self, window: QWidget, path: str) -> None:
        """Record a window with all its panels."""
        self._window = window
        self._begin(path, window.size() * window.devicePixelRatioF())

    def _begin(self, path: str, size: QSize) -> None:
        self._size = QSize(max(2, size.width() & ~1), max(2, size.height() & ~1))
        self._thread = FilmThread(path, self._size.width(), self._size.height(), FPS, self._written.emit)
        self._thread.start()
        self._picture, self._frames, self._told = None, 0, -1
        self._begun = time.monotonic()
        self._timer.start()
        self.changed.emit()

    def end(self) -> None:
        """Stop recording; `saved` or `failed` comes once all is written."""
        thread = self._stop()
        if thread is not None:
            thread.end()

    def close(self) -> list[FilmThread]:
        """End for good; returns the thread that is to be joined."""
        thread = self._stop()
        if thread is None:
            return []
        thread.end()
        return [thread]

    def _stop(self) -> FilmThread | None:
        if self._thread is not None:
            self._tick()
        thread, self._thread = self._thread, None
        self._timer.stop()
        if self._viewport is not None and isValid(self._viewport):
            self._viewport.drawn.disconnect(self._take_frame)
            self._viewport.destroyed.disconnect(self.end)
        self._viewport = self._window = self._picture = None
        self.changed.emit()
        return thread

    def _take_frame(self) -> None:
        """Grab the picture of the viewport inside its paint event, where this needs no second frame."""
        thread, viewport = self._thread, self._viewport
        if thread is not None and viewport is not None and not thread.is_late:
            self._picture = self._fitted(viewport.grabFramebuffer())

    def _tick(self) -> None:
        """Write the frames that are due."""
        thread = self._thread
        if thread is None:
            return
        if self._window is not None and not thread.is_late:
            self._picture = self._fitted(screenshot(self._window))
        due = int(self.seconds * FPS) + 1 - self._frames
        if self._picture is not None and due > 0:
            thread.add(self._picture, due)
            self._frames += due
        if int(self.seconds) != self._told:
            self._told = int(self.seconds)
            self.changed.emit()

    def _fitted(self, image: QImage) -> np.ndarray:
        """The picture in the size of the video: (height, width, 3). One of another size stands in the middle."""
        width, height = self._size.width(), self._size.height()
        if abs(image.width() - width) > 1 or abs(image.height() - height) > 1:
            smooth = Qt.TransformationMode.SmoothTransformation
            image = image.scaled(self._size, Qt.AspectRatioMode.KeepAspectRatio, smooth)
        if image.size() != self._size:
            image.setDevicePixelRatio(1.0)
            canvas = QImage(self._size, QImage.Format.Format_RGB32)
            canvas.fill(QColor("black"))
            painter = QPainter(canvas)
            painter.drawImage((width - image.width()) // 2, (height - image.height()) // 2, image)
            painter.end()
            image = canvas
        image = image.convertToFormat(QImage.Format.Format_RGB888)
        rows = np.frombuffer(image.constBits(), np.uint8).reshape(height, image.bytesPerLine())
        return rows[:, : 3 * width].reshape(height, width, 3).copy()

    def _finish(self, thread: FilmThread, message: str, details: str) -> None:
        if thread is self._thread:  # it could not go on
            self._stop()
        if message:
            self.failed.emit(message, details)
        else:
            self.saved.emit(thread.path)


def screenshot(window: QWidget) -> QImage:
    """Screenshot of a window; drawn by Qt if the screen may not be read (Wayland)."""
    screen = window.screen()
    if screen is not None and QGuiApplication.platformName() in display.GRABS_SCREENS:
        pixmap = screen.grabWindow(window.winId())
        if not pixmap.isNull():
            return pixmap.toImage()
    return window.grab().toImage()
