"""Reads ELF files: the libraries that they are linked with, and the symbol versions that they ask of glibc."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from elftools.elf.dynamic import DynamicSection
from elftools.elf.elffile import ELFFile
from elftools.elf.gnuversions import GNUVerNeedSection


def is_elf(path: Path) -> bool:
    if path.is_symlink() or not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def files(folder: Path) -> Iterator[Path]:
    """All programs and libraries in a folder, in the order of their paths."""
    return filter(is_elf, sorted(folder.rglob("*")))


def needed(path: Path) -> list[str]:
    """The names of the libraries that a file is linked with."""
    with path.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            if isinstance(section, DynamicSection):
                return [tag.needed for tag in section.iter_tags("DT_NEEDED")]
    return []


def glibc(path: Path) -> tuple[int, ...]:
    """The newest version of glibc whose symbols a file uses."""
    versions = [(0,)]
    with path.open("rb") as file:
        for section in ELFFile(file).iter_sections():
            if isinstance(section, GNUVerNeedSection):
                names = [entry.name for _, entries in section.iter_versions() for entry in entries]
                found = [re.fullmatch(r"GLIBC_(\d+(?:\.\d+)+)", name) for name in names]
                versions += [tuple(map(int, match[1].split("."))) for match in found if match]
    return max(versions)
