"""Files that attributes refer to: the base folder of their names, and the entries of that folder.

Folders are resolved as in the compiler: meshdir, texturedir and assetdir for assets of MJCF, the folder of the main
file for included and attached files, package:// addresses for URDF. Only names of files are read, never their contents.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from kinetree.engine.assist.in_force import settings_of
from kinetree.engine.assist.language import MJCF, language_of
from kinetree.engine.document.document import Document
from kinetree.engine.document.tree import Node
from kinetree.engine.mjcf.exceptions import FOLDERS
from kinetree.engine.mjcf.file_names import relative
from kinetree.engine.mjcf.schema_rows import AttributeRow, ElementRow
from kinetree.engine.platforms.files import slashed
from kinetree.engine.resources import packages

__all__ = ["MESHES", "MODELS", "FileName", "file_of", "files_for", "folder_of", "named"]

MAX_ENTRIES = 5000
"""Most entries of a folder that are read."""

BESIDE_THE_MODEL = frozenset({"include", "asset.model"})
"""Kinds of elements whose file names are relative to the folder of the main file, whatever the settings."""

MODELS = (".xml", ".mjcf", ".urdf")
MESHES = (".obj", ".stl", ".msh")
EXTENSIONS: dict[str, tuple[str, ...]] = {
    "include": MODELS,
    "asset.model": MODELS,
    "asset.mesh": MESHES,
    "asset.hfield": (".png", ".bin", ".hf"),
    "asset.texture": (".png", ".ktx", ".ktx2"),
    "asset.skin": (".skn",),
    "deformable.skin": (".skn",),
    "body.flexcomp": (*MESHES, ".gmsh"),
    "mesh": (*MESHES, ".dae"),
}
"""Kind of element -> file types that it can refer to; all files for other kinds."""

_PACKAGE = re.compile(r"(package://)([^/]*)(/?)(.*)\Z", re.DOTALL)


class FileName(NamedTuple):
    """A file or folder as a value: the complete value, and whether it is a folder (whose name ends in "/")."""

    value: str
    is_folder: bool


def files_for(document: Document, row: ElementRow, known: AttributeRow, value: str) -> list[FileName]:
    """Proposals for a value that names a file or a folder: the entries of the folder in front of its last "/", folders
    last.
    """
    value = slashed(value)
    package = _PACKAGE.match(value)
    if package is not None:
        return list(_in_packages(document, row, package))
    given = value.rpartition("/")[0] + "/" if "/" in value else ""
    wanted = EXTENSIONS.get(row.id, ()) if known.type == "file" else None
    base = folder_of(document, row, known)
    found = [FileName(given + name, is_folder) for name, is_folder in _entries([base / given], wanted)]
    if row.id == "mesh" and not given:
        found.append(FileName("package://", True))
    return found


def folder_of(document: Document, row: ElementRow, known: AttributeRow | None = None) -> Path:
    """The absolute folder that file names of a kind of element are relative to. `known`: the attribute with the name,
    where that could be the name of a folder (meshdir).
    """
    if row.id in BESIDE_THE_MODEL or (known is not None and known.type == "directory"):
        return document.base
    setting = FOLDERS.get(row.id, FOLDERS["*"])
    given = {name: value for node in settings_of(document, "compiler") for name, value in _folders(node)}
    return document.base / (given.get(setting) or given.get("assetdir") or "")


def named(folder: Path, path: str | os.PathLike[str]) -> tuple[str, bool]:
    """(name of a file in a text, whether the file lies in `folder` or below).

    The name is relative to `folder`, with "/" between its parts. It is absolute where the two have no common folder.
    """
    folder, file = Path(os.path.abspath(folder)), Path(os.path.abspath(path))
    if file.drive != folder.drive or file.parts[1:2] != folder.parts[1:2]:
        return file.as_posix(), False
    name = relative(file, folder)
    return name, not name.startswith("../")


def file_of(document: Document, row: ElementRow, value: str) -> str | None:
    """The absolute path of an existing file that an attribute names; None if there is none."""
    name = slashed(value)
    if not name.strip() or "\0" in name:
        return None
    if language_of(document).grammar is MJCF:
        path = os.path.normpath(folder_of(document, row) / name)
    else:
        path = packages.locate(name, document.base, str(folder_of(document, row)), False)[0]
    return path if os.path.isfile(path) else None


def _folders(node: Node) -> Iterator[tuple[str, str]]:
    for name in ("assetdir", "meshdir", "texturedir"):
        value = node.get(name)
        if value is not None:
            yield name, value.replace("\\", "/")


def _in_packages(document: Document, row: ElementRow, package: re.Match[str]) -> Iterator[FileName]:
    """Entries of packages: folders above the model and their subfolders (`kinetree.engine.resources.packages`)."""
    scheme, name, slash, rest = package.groups()
    if not slash:
        around = [document.base, *document.base.parents][:3]
        names = [folder.name for folder in around if folder.name]
        searched = [*around[1:], *map(Path, packages.chosen())]
        beside = [entry for entry, is_folder in _entries(searched, None) if is_folder]
        for each in dict.fromkeys([*names, *(entry.rstrip("/") for entry in beside)]):
            yield FileName(f"{scheme}{each}/", True)
        return
    given = rest.rpartition("/")[0] + "/" if "/" in rest else ""
    roots = [root / given for root in packages.folders_with(name, document.base)]
    for entry, is_folder in _entries(roots, EXTENSIONS.get(row.id, ())):
        yield FileName(f"{scheme}{name}/{given}{entry}", is_folder)


def _entries(folders: Iterable[Path], wanted: tuple[str, ...] | None) -> list[tuple[str, bool]]:
    """(name, whether it is a folder) of the entries of some folders. `wanted`: extensions of files, () for all, None
    for no files."""
    files: list[str] = []
    inner: list[str] = []
    seen = 0
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MAX_ENTRIES:
                        break
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir():
                        inner.append(entry.name + "/")
                    elif wanted is not None and (not wanted or entry.name.lower().endswith(wanted)):
                        files.append(entry.name)
        except (OSError, ValueError):
            continue
    named = [(name, False) for name in dict.fromkeys(sorted(files, key=str.lower))]
    return named + [(name, True) for name in dict.fromkeys(sorted(inner, key=str.lower))]
