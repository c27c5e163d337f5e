"""Names of files in models: written on one system, read on another."""

from __future__ import annotations

import re
from pathlib import PurePath, PurePosixPath, PureWindowsPath
from urllib.parse import unquote

from kinetree.engine.platforms.system import HERE, System

_DRIVE = re.compile(r"/[A-Za-z]:(?=/|$)")


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
