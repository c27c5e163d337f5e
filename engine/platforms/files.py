"""Files where systems differ: how they are replaced, flushed, opened without waiting, and named in models."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
import time
from collections.abc import Callable
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import unquote

from kinetree.engine.platforms.system import HERE, System

_IN_USE = frozenset((5, 32, 33))
"""Errors of Windows for a file that another program has open: access denied, sharing violation, lock violation."""
PAUSES = tuple(0.001 * 2**k for k in range(10))
"""Time between tries to replace a file that is in use, s; a second in all."""
F_FULLFSYNC = 51
"""fcntl of macOS: flush the drive's own cache too."""

_DRIVE = re.compile(r"/[A-Za-z]:(?=/|$)")

Path = str | os.PathLike[str]


def replace(
    draft: Path,
    target: Path,
    system: System = HERE,
    rename: Callable[[Path, Path], None] = os.replace,
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Let one file take the place of another in one step. Windows refuses that while another program has the target
    open, as virus scanners and indexers do for a moment: it is tried again for a second. Raises OSError."""
    for seconds in PAUSES if system == "windows" else ():
        try:
            return rename(draft, target)
        except OSError as error:
            if getattr(error, "winerror", None) not in _IN_USE:
                raise
        pause(seconds)
    return rename(draft, target)


def flush(
    descriptor: int,
    system: System = HERE,
    sync: Callable[[int], None] = os.fsync,
    control: Callable[[int, int], object] | None = None,
) -> None:
    """Have the bytes of a file on the disk, and not only on the way there. Raises OSError."""
    if system == "macos":
        if control is None:
            from fcntl import fcntl as control
        with contextlib.suppress(OSError):  # drives of a network cannot
            control(descriptor, F_FULLFSYNC)
            return
    sync(descriptor)


def take_over(before: os.stat_result, draft: Path) -> None:
    """Give a file the owner and permissions of another one. Windows has neither: a new file gets the rights of its
    folder. Raises OSError."""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):  # only the owner of both, or root, may
            os.chown(draft, before.st_uid, before.st_gid)
        os.chmod(draft, stat.S_IMODE(before.st_mode))


def open_to_read(
    path: Path,
    open_file: Callable[[Path, int], int] = os.open,
    is_folder: Callable[[Path], bool] = os.path.isdir,
) -> int:
    """The descriptor of a file to read bytes from. It is there at once also for a pipe without a writer, so that the
    caller can look what it has opened. Raises OSError, IsADirectoryError for a folder of Windows; ValueError for a name
    with a NUL."""
    try:
        return open_file(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except PermissionError as error:
        if is_folder(path):
            raise IsADirectoryError(error.errno, error.strerror, os.fspath(path)) from None
        raise


def slashed(name: str) -> str:
    """A file name with slashes, which every system takes: back slashes separate folders too, as for the reference."""
    return name.replace("\\", "/")


def of_file_url(rest: str, system: System = HERE) -> PurePath:
    """The path of a file by its URL without `file://`: "/home/ada/x.stl", "/C:/x.stl", "server/share/x.stl"."""
    path = unquote(rest).removeprefix("localhost")
    if system != "windows":
        return PurePosixPath("/" + path.lstrip("/"))
    if _DRIVE.match(path):
        return PureWindowsPath(path[1:])
    return PureWindowsPath(path if path.startswith("/") else f"//{path}")
