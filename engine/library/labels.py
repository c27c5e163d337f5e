"""Short names that tell model files apart, for menus, cards and titles.

A file has its name, with the folders before it that are needed: where another file of the list has the same name, and
where a name says nothing, as of `scene.xml`, which most robots have.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

SAY_NOTHING = frozenset(("scene", "model", "robot", "main", "world", "mjcf", "urdf", "mjmodel"))
"""Names of files, without endings, that many models have."""


def labels(paths: Iterable[str]) -> dict[str, str]:
    """path -> its name among these paths."""
    parts = {path: Path(os.path.normpath(path)).parts for path in paths}
    depth = {path: 2 if _says_nothing(each[-1]) else 1 for path, each in parts.items()}
    while True:
        found = {path: "/".join(each[-depth[path] :]).lstrip("/") for path, each in parts.items()}
        count = Counter(found.values())
        deeper = [path for path, name in found.items() if count[name] > 1 and depth[path] < len(parts[path])]
        if not deeper:
            return found
        for path in deeper:
            depth[path] += 1


def label(path: str, others: Iterable[str] = ()) -> str:
    """The name of a path, among others."""
    return labels((path, *others))[path]


def folder(path: str, shown: str = "") -> str:
    """The folder of a file as people read it: `~` for the home folder. `shown`: the name beside it, whose folders are
    not repeated."""
    found, home = Path(os.path.abspath(path)).parent, Path(os.path.expanduser("~"))
    for _ in range(shown.count("/")):
        found = found.parent
    if home != Path(home.anchor) and found.is_relative_to(home):
        return str(Path("~") / found.relative_to(home))
    return str(found)


def _says_nothing(name: str) -> bool:
    return os.path.splitext(name)[0].casefold() in SAY_NOTHING
