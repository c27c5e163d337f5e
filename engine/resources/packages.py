"""Locates mesh files of URDF: package:// addresses and paths of other machines.

First as in the reference: without folders (compiler/strippath), in compiler/meshdir beside the model. Then the name as
given: relative to the model, absolute, or file:///PATH. package://NAME/PATH is searched in the parent folders of the
model, in a folder NAME, then in the folders that the user has set (`use`) and in those of $ROS_PACKAGE_PATH, else as
PATH alone (a package whose folder has another name). Nothing is fetched from a network.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from kinetree.engine.platforms.files import of_file_url, slashed

MAX_PARENTS = 24
"""Folders around the model that are looked into."""

_chosen: Sequence[str] | Callable[[], Sequence[str]] = ()


def use(folders: Sequence[str] | Callable[[], Sequence[str]]) -> None:
    """Set the folders that the user has chosen for packages. A function is called when the first one is needed."""
    global _chosen
    _chosen = folders


def chosen() -> tuple[str, ...]:
    """The folders that the user has chosen for packages."""
    global _chosen
    if callable(_chosen):
        _chosen = _chosen()
    return tuple(_chosen)


def read(text: str) -> tuple[str, ...]:
    """The folders of a list as a variable of the environment has it: absolute ones, ~ for the home."""
    found = (os.path.expanduser(each.strip()) for each in text.split(os.pathsep))
    return tuple(dict.fromkeys(os.path.normpath(each) for each in found if os.path.isabs(each)))


def folders_with(package: str, base: Path) -> Iterator[Path]:
    """The folders that may be a package, those around the model first."""
    around = [base, *base.parents][:MAX_PARENTS]
    for folder in (*around, *map(Path, (*chosen(), *read(os.environ.get("ROS_PACKAGE_PATH", ""))))):
        if folder.name == package:
            yield folder
        yield folder / package


def package_of(name: str) -> str:
    """The package of an address; "" for other names."""
    address = _ADDRESS.match(slashed(name))
    return address[2].partition("/")[0] if address is not None and address[1].lower() in ("package", "model") else ""


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
    for folder in folders_with(package, base):
        yield folder / path
    for folder in [base, *base.parents][:MAX_PARENTS]:
        yield folder / path


def _is_file(path: str | Path) -> bool:
    try:
        return os.path.isfile(path)
    except ValueError:  # a NUL in the name
        return False
