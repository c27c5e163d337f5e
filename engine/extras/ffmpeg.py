"""The program ffmpeg, which writes videos: that of the system, or the one that the extra `video` carries."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from functools import cache

from kinetree.engine import extras
from kinetree.engine.platforms.processes import WITHOUT_CONSOLE

ENCODERS = ("libx264", "libvpx-vp9", "gif")
"""Encoders of the formats of videos (app/pictures/formats.py). Some systems leave out the first."""
PATIENCE = 10.0
"""Longest that the program may take to list its encoders, s."""


def program() -> str:
    """The path of an ffmpeg: that of the extra if it is there, whose version is known, or else of the system. Raises
    MissingExtra."""
    try:
        extras.places.activate("video")
    except extras.places.MissingExtra:
        path = of_the_system()
        if path is None:
            raise
        return path
    import imageio_ffmpeg

    return imageio_ffmpeg.get_ffmpeg_exe()


def of_the_system() -> str | None:
    """The path of an ffmpeg that can write all our formats, None without one."""
    path = shutil.which("ffmpeg")
    if path is None:
        return None
    with contextlib.suppress(OSError):
        if _has_encoders(path, os.stat(path).st_mtime_ns):
            return path
    return None


@cache
def _has_encoders(path: str, _changed: int) -> bool:
    """Whether a program lists the encoders. The time of its last change makes a new answer for a new program."""
    try:
        done = subprocess.run(
            [path, "-hide_banner", "-loglevel", "error", "-encoders"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            creationflags=WITHOUT_CONSOLE,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    words = done.stdout.decode(errors="replace").split()
    return done.returncode == 0 and all(name in words for name in ENCODERS)
