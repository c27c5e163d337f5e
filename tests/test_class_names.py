"""A class name means one thing: no two public classes of the product share a name."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("app", "engine", "renderer")

SHARED: dict[str, str] = {}
"""Names that several public classes may share -> the reason."""


def definitions() -> dict[str, list[str]]:
    """Name of each public class at the top of a module -> the files that define it."""
    found: dict[str, list[str]] = defaultdict(list)
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.parse(path.read_text("utf-8")).body:
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    found[node.name].append(path.relative_to(ROOT).as_posix())
    return found


def test_public_classes_have_names_of_their_own() -> None:
    shared = {name: paths for name, paths in definitions().items() if len(paths) > 1}
    assert not {name: paths for name, paths in shared.items() if name not in SHARED}
    assert not SHARED.keys() - shared.keys(), "not shared any more: remove the exception"
