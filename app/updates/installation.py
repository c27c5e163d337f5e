"""How this installation of Kinetree is updated."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NamedTuple

from kinetree.engine.packaged import packaged
from kinetree.engine.platforms import folders
from kinetree.engine.translation import marked

NAME = "kinetree"


class Way(NamedTuple):
    """A way of installing: a sentence, and the command that updates, "" for none."""

    told: str
    command: str


CHECKOUT = Way(marked("This is a checkout of the sources: fetch the new ones there."), "git pull")
APT = Way(marked("Kinetree was installed as a package of the system: download the new .deb file, and install it."), "")
ARCHIVE = Way(
    marked("Kinetree was unpacked from an archive: download the new one, and unpack it in place of this."), ""
)
PIPX = Way(marked("Kinetree was installed by pipx. This updates it:"), f"pipx upgrade {NAME}")
UV_TOOL = Way(marked("Kinetree was installed by uv. This updates it:"), f"uv tool upgrade {NAME}")
UV = Way(marked("Kinetree was installed by uv. This updates it:"), f"uv pip install --upgrade {NAME}")
PIP = Way(marked("Kinetree was installed by pip. This updates it:"), f"python -m pip install --upgrade {NAME}")
FLATPAK = Way(marked("Kinetree was installed by Flatpak. This updates it:"), "flatpak update")


def way() -> Way:
    """The way of this installation."""
    return way_of(packaged().parent, sys.prefix, dict(os.environ), _installer())


def way_of(package_parent: Path, prefix: str, environment: dict[str, str], installer: str) -> Way:
    """The way of an installation. `package_parent`: the folder of the package `kinetree`; `prefix`: of the Python
    environment; `installer`: what the metadata of the package name."""
    if (package_parent / "packaging" / "bootstrap.py").is_file():
        return CHECKOUT
    if environment.get("FLATPAK_ID"):
        return FLATPAK
    root = Path(prefix)
    if folders.OF_THE_SYSTEM in (root, *root.parents):
        return APT
    if (root / "pipx_metadata.json").is_file():
        return PIPX
    if (root / "uv-receipt.toml").is_file():
        return UV_TOOL
    if installer == "uv":
        return UV
    if installer == "pip":
        return PIP
    return ARCHIVE


def _installer() -> str:
    """The program that installed the package, "" where none did."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        return (distribution(NAME).read_text("INSTALLER") or "").strip()
    except PackageNotFoundError:
        return ""
