"""The thread that writes what the window shows to a video, while it is shown."""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable

import numpy as np

from kinetree.app.pictures.video import video
from kinetree.engine import extras
from kinetree.engine.translation import tr

WAITING = 8
"""Pictures that may wait to be written; where more come, the one before is shown longer."""


class FilmThread(threading.Thread):
    """Writes frames to the video `path`. `done(self, message, details)` is called in this thread at the end; an empty
    message means success."""

    def __init__(self, path: str, width: int, height: int, fps: float, done: Callable[[FilmThread, str, str], None]):
        super().__init__(name="film", daemon=True)
        self.path, self.size, self.fps = path, (width, height), fps
        self._done = done
        self._pictures: queue.SimpleQueue[tuple[np.ndarray, int] | None] = queue.SimpleQueue()
        self._ended = False

    @property
    def is_late(self) -> bool:
        """Whether enough pictures wait to be written."""
        return self._pictures.qsize() >= WAITING

    def add(self, pixels: np.ndarray, frames: int) -> None:
        """Show a picture, (height, width, 3) uint8, for so many frames."""
        if not self._ended:
            self._pictures.put((pixels, frames))

    def end(self) -> None:
        """Nothing more comes."""
        self._ended = True
        self._pictures.put(None)

    stop = end

    def run(self) -> None:
        message = details = ""
        try:
            with video(self.path, *self.size, self.fps) as made:
                while (found := self._pictures.get()) is not None:
                    pixels, frames = found
                    for _ in range(frames):
                        made.add(pixels)
        except OSError as error:
            message = tr(
                "{path} cannot be written: {reason}",
                path=self.path,
                reason=error.strerror or str(error).strip().splitlines()[-1],
            )
        except extras.places.MissingExtra as error:
            message = tr("The video failed: {error}", error=error)
        except Exception as error:
            message, details = tr("The video failed: {error}", error=error), traceback.format_exc()
        self._done(self, message, details)
