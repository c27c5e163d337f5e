"""Builds the wheel from a copy of the files that git tracks, or would track, so that no build folder is left in the
clone.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def copy(target: Path) -> None:
    """Copy the files of this checkout, links as links."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=True,
    )
    for name in sorted(set(listed.stdout.decode().split("\0")) - {""}):
        source = ROOT / name
        if source.exists() or source.is_symlink():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target / name, follow_symlinks=False)


def build(python: str, folder: Path, *options: str) -> Path:
    """Build with this interpreter's pip and return the wheel. "--no-build-isolation" as an option needs no network, but
    the build requirements of pyproject.toml installed."""
    source = folder / "source"
    copy(source)
    command = [
        python,
        "-I",
        "-m",
        "pip",
        "wheel",
        "--quiet",
        "--no-deps",
        *options,
        "--wheel-dir",
        str(folder),
        str(source),
    ]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = folder.glob("kinetree-*.whl")
    return wheel


def top_level(names: Iterable[str]) -> set[str]:
    """Names that paths in a wheel, or in its RECORD, add to site-packages, but for the folder of its metadata."""
    found = {name.partition("/")[0] for name in names if not name.startswith("../")}
    return {name for name in found if not name.endswith(".dist-info")}
