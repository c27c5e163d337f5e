"""Frames written to a video, by the ffmpeg that the library imageio-ffmpeg carries: a process of its own."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from kinetree.app.pictures.formats import VIDEOS, extension
from kinetree.engine.atomic import replaced
from kinetree.engine.translation import tr

TIMEOUT = 120.0
"""Longest that the end of a video may take, s."""


class Video:
    """A video that is being written. `add` raises OSError where it cannot go on."""

    def __init__(self, path: str, like: str, width: int, height: int, fps: float):
        """path: the file to write. like: a name with the extension that names the format."""
        import imageio_ffmpeg

        form = VIDEOS[extension(like)]
        self._size = height, width
        write: Any = imageio_ffmpeg.write_frames  # its annotations are narrower than its documentation
        self._frames = write(
            path,
            (width, height),
            fps=fps,
            codec=form.codec,
            pix_fmt_in="rgb24",
            pix_fmt_out=form.pixels,
            quality=None,
            macro_block_size=1,
            ffmpeg_log_level="error",
            ffmpeg_timeout=TIMEOUT,
            output_params=list(form.options),
        )
        self._frames.send(None)

    def add(self, pixels: np.ndarray) -> None:
        """Add the next frame: (height, width, 3) uint8."""
        if pixels.shape != (*self._size, 3):
            raise ValueError(
                tr("a frame has the shape {shape}, the video {value}", shape=pixels.shape, value=(*self._size, 3))
            )
        self._frames.send(np.ascontiguousarray(pixels))

    def close(self) -> None:
        """End the video."""
        self._frames.close()


@contextmanager
def video(path: str, width: int, height: int, fps: float) -> Iterator[Video]:
    """Write a video; the file is there once the context ends without an error. Raises OSError, also where ffmpeg
    fails."""
    with replaced(path) as temporary:
        made = Video(temporary, path, width, height, fps)
        try:
            yield made
        finally:
            made.close()
        if not os.path.getsize(temporary):
            raise OSError(tr("ffmpeg has written nothing"))
