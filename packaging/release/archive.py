"""The self-contained archive: a payload as a .tar.xz."""

from __future__ import annotations

import os
import subprocess
import tarfile
from collections.abc import Iterable
from pathlib import Path

import reproducible

from release import source
from release.source import CannotBuild

# x86 code compresses better when its jumps are made absolute first. Blocks of one size, compressed by several threads,
# come out the same whatever their number.
FILTERS = ("--x86", "--lzma2=preset={level},dict=64MiB")
BLOCKS = "--block-size=192MiB"


def name() -> str:
    return f"kinetree-{source.version()}-linux-x86_64"


def write(payload: Path, target: Path, level: int) -> Path:
    """Pack a payload into `target`, below a folder of the archive's name; `level` of xz: 0 to 9."""
    path = target / f"{name()}.tar.xz"
    root = tarfile.TarInfo(name())
    root.type, root.mode, root.mtime, root.uname, root.gname = (
        tarfile.DIRTYPE,
        0o755,
        reproducible.epoch(),
        "root",
        "root",
    )
    compress(path, [(root, ""), *reproducible.entries(str(payload), name())], level)
    return path


def compress(path: Path, members: Iterable[tuple[tarfile.TarInfo, str]], level: int) -> None:
    """Write a .tar.xz."""
    threads = max(2, os.cpu_count() or 1)
    command = [
        "xz",
        "--compress",
        "--stdout",
        f"--threads={threads}",
        BLOCKS,
        *(word.format(level=level) for word in FILTERS),
    ]
    with path.open("wb") as file:
        try:
            process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=file)
        except FileNotFoundError:
            raise CannotBuild("xz is missing: install xz-utils") from None
        with process:
            assert process.stdin is not None, "started with a pipe"
            reproducible.write_tar(process.stdin, members)
            process.stdin.close()
            if process.wait() != 0:
                raise CannotBuild(f"xz ended with {process.returncode}")
