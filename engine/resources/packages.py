"""Locates mesh files of URDF: package:// addresses and paths of other machines.

First as in the reference: without folders (compiler/strippath), in compiler/meshdir beside the model. Then the name as
given: relative to the model, absolute, or file:///PATH. package://NAME/PATH is searched in the parent folders of the
model, in a folder NAME, else as PATH alone (a package whose folder has another name). Nothing is fetched from a
network.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from kinetree.engine.platforms.files import of_file_url, slashed

MAX_PARENTS = 24
"""Folders around the model that are looked into."""

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+)://(.*)", re.DOTALL)


def locate(name: str, base: Path, meshdir: str, strip: bool) -> tuple[str, bool]:
    """(path, whether the reference finds it too). Without any such file, the path of the reference."""
    name = slashed(name)
    address = _ADDRESS.match(name)
    first = base / meshdir / (PurePosixPath(name).name if strip else name)
    first_path = os.path.normpath(first)
    if (strip or address is None) and _is_file(first_path):
        return first_path, True
    for candidate in _elsewhere(name, address, base, meshdir):
        path = os.path.normpath(candidate)
        if _is_file(path):
            return path, False
    if address is not None and address[1] not in ("package", "file", "model"):
        return name, True  # refused as an address where files are read
    return first_path, True


def _elsewhere(name: str, address: re.Match[str] | None, base: Path, meshdir: str) -> Iterator[Path]:
    if address is None:
        yield base / meshdir / name
        yield base / name
        return
    scheme, rest = address[1].lower(), address[2]
    if scheme == "file":
        yield Path(of_file_url(rest))
        return
    if scheme not in ("package", "model"):
        return
    package, _, path = rest.partition("/")
    around = [base, *base.parents][:MAX_PARENTS]
    for folder in around:
        if folder.name == package:
            yield folder / path
        yield folder / package / path
    for folder in around:
        yield folder / path


def _is_file(path: str | Path) -> bool:
    try:
        return os.path.isfile(path)
    except ValueError:  # a NUL in the name
        return False
