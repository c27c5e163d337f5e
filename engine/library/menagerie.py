"""Models of the package `mujoco-menagerie`: robots with their scenes, each downloaded when it is first used.

The package has a registry (`registry.json`) of all robots, which is read here; its code is not imported. A robot is in
the folder `models/NAME-VERSION` of the cache once a file `.complete` is there. `MENAGERIE_ROOT` names a folder with all
robots in its place, such as a clone of the repository.

A name means the scene of a robot, with a floor and lights; `NAME/ENTRY` one of the others: `unitree_g1/g1`.
"""

from __future__ import annotations

import json
import os
from importlib.util import find_spec

from kinetree.engine import extras
from kinetree.engine.library.model import ModelSource, NamedModel
from kinetree.engine.platforms import folders
from kinetree.engine.platforms.system import HERE

PACKAGE = "mujoco_menagerie"
EXTRA = "models"
"""The extra with this package (engine/extras)."""
SCHEMA = 1
"""Version of the registry that is understood here."""


def site() -> str | None:
    """The folder that holds the package: of the environment, or of the extra `models`; None where it is not
    installed."""
    spec = find_spec(PACKAGE)
    if spec is not None and spec.origin:
        return os.path.dirname(os.path.dirname(spec.origin))
    fetched = extras.places.folder(extras.table.EXTRAS[EXTRA])
    return str(fetched) if (fetched / PACKAGE).is_dir() else None


def registry_file() -> str | None:
    """The path of the registry; None where the package is not installed."""
    where = site()
    return None if where is None else os.path.join(where, PACKAGE, "registry.json")


def models() -> list[NamedModel]:
    """All robots and their entries; none without the package, or with a registry that is not understood."""
    path = registry_file()
    if path is None:
        return []
    try:
        with open(path, encoding="utf-8") as file:
            registry = json.load(file)
        if registry["schema"] != SCHEMA:
            return []
        return [model for name, robot in registry["robots"].items() for model in _entries(name, robot)]
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []


def _entries(name: str, robot: dict) -> list[NamedModel]:
    """The scene of a robot, by its name, and all its entries."""
    folder = _folder(name, robot["oid"])
    is_here = os.path.isdir(folder) if os.environ.get("MENAGERIE_ROOT") else _is_complete(folder)
    download = () if is_here else (PACKAGE, "prefetch", name)
    size = 0 if is_here else int(robot.get("download_size") or 0)
    usual, title = robot.get("default_scene") or robot["default_model"], robot["display_name"]
    found = []
    for entry, details in robot["entry_points"].items():
        path, whole = os.path.join(folder, details["file"]), f"{name}/{entry}"
        model = NamedModel(whole, ModelSource.MENAGERIE, path, title, download=download, size=size)
        if entry == usual:
            found.insert(
                0, NamedModel(name, ModelSource.MENAGERIE, path, title, (whole,), download=download, size=size)
            )
        else:
            found.append(model)
    return found


def _folder(name: str, version: str) -> str:
    root = os.environ.get("MENAGERIE_ROOT")
    if root:
        return os.path.join(root, name)
    return os.path.join(os.environ.get("MENAGERIE_CACHE_DIR") or _cache(), "models", f"{name}-{version[:16]}")


def _cache() -> str:
    return str(folders.cache_of(PACKAGE, HERE, os.environ, os.path.expanduser("~")))


def _is_complete(folder: str) -> bool:
    return os.path.isfile(os.path.join(folder, ".complete"))
