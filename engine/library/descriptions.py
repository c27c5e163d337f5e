"""Models of the package `robot_descriptions`: one module for each robot, such as
`g1_mj_description`, with the path of its file.

Importing such a module clones a repository, so none is imported here. They are read as text: assignments of strings,
`path.join(...)` of them, and the call that clones, which names a repository. The table of repositories is read in the
same way and has the folder of each in the cache.
"""

from __future__ import annotations

import ast
import os
from importlib.util import find_spec

from kinetree.engine.library.model import ModelSource, NamedModel

PACKAGE = "robot_descriptions"
ENDS = ("_mj_description", "_description")
PATHS = ("MJCF_PATH", "URDF_PATH")
"""Variables of a module that name a model."""
CLONE = "clone_to_cache"


def folder() -> str | None:
    """The folder of the package; None where it is not installed."""
    spec = find_spec(PACKAGE)
    return os.path.dirname(spec.origin) if spec is not None and spec.origin else None


def names() -> list[str]:
    """The modules of robots."""
    where = folder()
    try:
        files = sorted(os.listdir(where)) if where is not None else []
    except OSError:
        files = []
    stems = (os.path.splitext(file)[0] for file in files if file.endswith(".py"))
    return [stem for stem in stems if stem.endswith(ENDS) and not stem.startswith("_")]


def short(name: str) -> str:
    """The name of a module without its ending: `g1_mj_description` is `g1`."""
    end = next(each for each in ENDS if name.endswith(each))
    return name[: -len(end)]


def models() -> list[NamedModel]:
    """All robots whose files can be told without importing a module."""
    where = folder()
    if where is None:
        return []
    repositories = _repositories(os.path.join(where, "_repositories.py"))
    found = []
    for name in names():
        values = _values(os.path.join(where, f"{name}.py"), repositories)
        path = next((values[each] for each in PATHS if each in values), "")
        if path:
            is_here = os.path.isfile(path)
            around = os.path.basename(values.get("PACKAGE_PATH", ""))
            others = tuple(dict.fromkeys(each for each in (short(name), around) if each))
            download = () if is_here else (PACKAGE, "pull", name)
            found.append(
                NamedModel(name, ModelSource.DESCRIPTIONS, path, os.path.basename(path), others, download=download)
            )
    return found


def _repositories(file: str) -> dict[str, str]:
    """Repository -> its folder in the cache."""
    cache = os.path.expanduser(os.environ.get("ROBOT_DESCRIPTIONS_CACHE", os.path.join("~", ".cache", PACKAGE)))
    commit = os.environ.get("ROBOT_DESCRIPTION_COMMIT")
    found = {}
    for node in ast.walk(_parsed(file)):
        if isinstance(node, ast.Dict):
            for key, value in zip(node.keys, node.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(value, ast.Call):
                    path = next((word.value for word in value.keywords if word.arg == "cache_path"), None)
                    if isinstance(path, ast.Constant) and isinstance(path.value, str):
                        folders = [f"{path.value}-{commit}", path.value] if commit else [path.value]
                        found[key.value] = os.path.join(cache, *folders)
    return found


def _values(file: str, repositories: dict[str, str]) -> dict[str, str]:
    """The variables of a module that are strings."""
    values: dict[str, str] = {}
    for node in _parsed(file).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and value is not None:
            text = _text(value, values, repositories)
            if text is not None:
                values[target.id] = text
    return values


def _text(node: ast.expr, values: dict[str, str], repositories: dict[str, str]) -> str | None:
    """The value of an expression; None for others than strings, names of them, and calls of `join` and CLONE."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name):
        return values.get(node.id)
    if not isinstance(node, ast.Call) or not node.args:
        return None
    called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    parts = [_text(each, values, repositories) for each in node.args]
    if called.lstrip("_") == CLONE:
        return repositories.get(parts[0] or "")
    if called == "join" and None not in parts:
        return os.path.join(*(part for part in parts if part is not None))
    return None


def _parsed(file: str) -> ast.Module:
    try:
        with open(file, encoding="utf-8") as text:
            return ast.parse(text.read())
    except (OSError, ValueError, SyntaxError):
        return ast.Module([], [])
