r"""The user's folders: settings, caches, data, state, and sockets of running programs.

    folders.config()     settings
    folders.cache()      compiled physics, and other files that are made again when they are missing
    folders.data()       files that the user wants to keep
    folders.state()      histories and reports, which may get lost
    folders.runtime()    sockets and locks of running programs

No function makes the folder; `private` does.

| kind    | Linux (XDG)                        | macOS, in ~/Library               | Windows                      |
|---------|------------------------------------|-----------------------------------|------------------------------|
| config  | $XDG_CONFIG_HOME, ~/.config        | Application Support/Kinetree       | %APPDATA%\Kinetree           |
| cache   | $XDG_CACHE_HOME, ~/.cache          | Caches/Kinetree                    | %LOCALAPPDATA%\Kinetree\Cache |
| data    | $XDG_DATA_HOME, ~/.local/share     | Application Support/Kinetree/Data  | %LOCALAPPDATA%\Kinetree\Data  |
| state   | $XDG_STATE_HOME, ~/.local/state    | Application Support/Kinetree/State | %LOCALAPPDATA%\Kinetree\State |
| runtime | $XDG_RUNTIME_DIR, else `run` in the cache folder | $TMPDIR, else the same | %LOCALAPPDATA%\Kinetree\Run |

On Linux the folder is `kinetree` inside these. $KINETREE_CONFIG (config and state) and $KINETREE_CACHE (cache) name the
folder itself, on every system.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Literal, NamedTuple

from kinetree.engine.platforms.system import HERE, System

Kind = Literal["config", "cache", "data", "state", "runtime"]


OF_THE_SYSTEM = Path("/usr/lib/kinetree")
"""The folder of the Debian package of Kinetree."""


class _Rules(NamedTuple):
    """Where one kind of folder is.

    own              variable of ours that names the folder, "" for none
    xdg, linux       variable of XDG; folder below the home without it
    macos            below the home
    windows, inside  variable, and folder inside `Kinetree` there
    """

    own: str
    xdg: str
    linux: str
    macos: str
    windows: str
    inside: str


_SUPPORT = "Library/Application Support/Kinetree"
_RULES: dict[Kind, _Rules] = {
    "config": _Rules("KINETREE_CONFIG", "XDG_CONFIG_HOME", ".config", _SUPPORT, "APPDATA", ""),
    "cache": _Rules("KINETREE_CACHE", "XDG_CACHE_HOME", ".cache", "Library/Caches/Kinetree", "LOCALAPPDATA", "Cache"),
    "data": _Rules("", "XDG_DATA_HOME", ".local/share", f"{_SUPPORT}/Data", "LOCALAPPDATA", "Data"),
    "state": _Rules("KINETREE_CONFIG", "XDG_STATE_HOME", ".local/state", f"{_SUPPORT}/State", "LOCALAPPDATA", "State"),
    "runtime": _Rules("", "XDG_RUNTIME_DIR", "", "", "LOCALAPPDATA", "Run"),
}
_WITHOUT_VARIABLE = {"APPDATA": ("AppData", "Roaming"), "LOCALAPPDATA": ("AppData", "Local")}


def folder(kind: Kind, system: System, environment: Mapping[str, str], home: str) -> PurePath:
    """The folder of a kind for Kinetree, by the rules of a system. Relative paths in variables of the system are
    ignored, as the specification of XDG wants."""
    rules = _RULES[kind]
    path_class = PureWindowsPath if system == "windows" else PurePosixPath
    if rules.own and environment.get(rules.own):
        return path_class(environment[rules.own])
    if system == "windows":
        base = _absolute(path_class, environment, rules.windows)
        return (base or path_class(home, *_WITHOUT_VARIABLE[rules.windows])) / "Kinetree" / rules.inside
    if kind == "runtime":
        base = _absolute(path_class, environment, "TMPDIR" if system == "macos" else rules.xdg)
        return folder("cache", system, environment, home) / "run" if base is None else base / "kinetree"
    if system == "macos":
        return path_class(home, rules.macos)
    return shared_folder(kind, environment, home) / "kinetree"


def shared_folder(kind: Kind, environment: Mapping[str, str], home: str) -> PurePath:
    """The folder of XDG in which all programs have theirs."""
    return _absolute(PurePosixPath, environment, _RULES[kind].xdg) or PurePosixPath(home, _RULES[kind].linux)


def cache_of(package: str, system: System, environment: Mapping[str, str], home: str) -> PurePath:
    """The cache folder of another Python package, by the rules of platformdirs, which most of them follow."""
    if system == "windows":
        base = _absolute(PureWindowsPath, environment, "LOCALAPPDATA")
        return (base or PureWindowsPath(home, *_WITHOUT_VARIABLE["LOCALAPPDATA"])) / package / "cache"
    if system == "macos":
        return PurePosixPath(home, "Library/Caches", package)
    return shared_folder("cache", environment, home) / package


def _absolute(path_class: type[PurePath], environment: Mapping[str, str], name: str) -> PurePath | None:
    path = path_class(environment.get(name, ""))
    return path if path.is_absolute() else None


# ---- this machine ----------------------------------------------------------------------------------------------------


def config() -> Path:
    """The folder of settings."""
    return _here("config")


def cache() -> Path:
    """The folder of files that are made again when they are missing."""
    return _here("cache")


def data() -> Path:
    """The folder of files that the user wants to keep."""
    return _here("data")


def state() -> Path:
    """The folder of histories and reports, which may get lost."""
    return _here("state")


def runtime() -> Path:
    """The folder of sockets and locks. Use `private` to make it."""
    return _here("runtime")


def shared_data() -> Path:
    """XDG's folder for data of all programs of the user: desktop entries, MIME types, icons."""
    return Path(shared_folder("data", os.environ, str(Path.home())))


def _here(kind: Kind) -> Path:
    return Path(folder(kind, HERE, os.environ, str(Path.home())))


def private(path: Path) -> Path:
    """Make a folder that no other user may enter, and return it. Raises OSError where that cannot be, PermissionError
    for a folder of another user."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if hasattr(os, "getuid"):  # on Windows the user's profile is closed to others
        status = os.stat(path, follow_symlinks=False)
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.getuid():
            raise PermissionError(f"{path} is not a folder of this user: remove it")
        if status.st_mode & 0o077:
            os.chmod(path, 0o700)
    return path
