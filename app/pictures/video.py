"""Frames written to a video by the program ffmpeg, a process of its own (engine/extras/ffmpeg.py says which)."""

from __future__ import annotations

import contextlib
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import numpy as np

from kinetree.app.pictures.formats import VIDEOS, extension
from kinetree.engine import extras
from kinetree.engine.atomic import replaced
from kinetree.engine.platforms.processes import APART
from kinetree.engine.translation import tr

TIMEOUT = 120.0
"""Longest that the end of a video may take, s."""


class Video:
    """A video that is being written. `add` and `close` raise OSError where it cannot go on."""

    def __init__(self, path: str, like: str, width: int, height: int, fps: float, said: IO[bytes]):
        """path: the file to write. like: a name with the extension that names the format. said: an open file for
        the messages of ffmpeg. Raises MissingExtra."""
        form = VIDEOS[extension(like)]
        self._size = height, width
        given = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-video_size", f"{width}x{height}", "-framerate", str(fps)]
        made = ["-an", "-c:v", form.codec, "-pix_fmt", form.pixels, *form.options, path]
        self._said = said
        self._ended: tuple[int, str] | None = None
        self._process = subprocess.Popen(
            [extras.ffmpeg.program(), "-hide_banner", "-loglevel", "error", "-y", *given, "-i", "-", *made],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=self._said,
            **APART,  # a Ctrl-C in the terminal is for Kinetree, which ends the video
        )

    def add(self, pixels: np.ndarray) -> None:
        """Add the next frame: (height, width, 3) uint8."""
        if pixels.shape != (*self._size, 3):
            raise ValueError(
                tr("a frame has the shape {shape}, the video {value}", shape=pixels.shape, value=(*self._size, 3))
            )
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(np.ascontiguousarray(pixels).data)
        except OSError:
            raise OSError(self._end()[1]) from None

    def close(self) -> None:
        """End the video, whose file is complete then."""
        code, reason = self._end()
        if code != 0:
            raise OSError(reason)

    def abandon(self) -> None:
        """End the video at once; its file is of no use."""
        self._process.kill()
        self._end()

    def _end(self) -> tuple[int, str]:
        """Close the input and wait for the program; its exit status, and the last line that it wrote to standard
        error."""
        if self._ended is not None:
            return self._ended
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):
            self._process.stdin.close()
        try:
            code = self._process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        self._said.seek(0)
        lines = self._said.read().decode(errors="replace").strip().splitlines()
        self._ended = code, lines[-1] if lines else tr("ffmpeg ended without a reason")
        return self._ended


@contextmanager
def video(path: str, width: int, height: int, fps: float) -> Iterator[Video]:
    """Write a video; the file is there once the context ends without an error. Raises OSError, also where ffmpeg
    fails, and MissingExtra where there is no ffmpeg."""
    with tempfile.TemporaryFile() as said, replaced(path) as temporary:
        made = Video(temporary, path, width, height, fps, said)
        try:
            yield made
        except BaseException:
            made.abandon()
            raise
        made.close()
        if not os.path.getsize(temporary):
            raise OSError(tr("ffmpeg has written nothing"))
