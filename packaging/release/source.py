"""The sources of a build: files, version and time."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


class CannotBuild(Exception):
    """A build that cannot go on, with the remedy."""


def call(command: list[str], environment: dict[str, str] | None = None, cwd: Path = ROOT) -> str:
    """The output of a command. Raises CannotBuild, with the end of its output, if it fails."""
    try:
        done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, errors="replace")
    except FileNotFoundError:
        raise CannotBuild(f"{command[0]} is missing: install it") from None
    if done.returncode != 0:
        raise CannotBuild(f"{' '.join(command)} ended with {done.returncode}:\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout


def version() -> str:
    """The version, from the one place that has it."""
    text = (ROOT / "kinetree" / "__init__.py").read_text(encoding="utf-8")
    found = re.search(r'^__version__ = "([^"]+)"$', text, re.MULTILINE)
    if found is None:
        raise CannotBuild("kinetree/__init__.py has no line __version__ = ...")
    return found[1]


def epoch() -> int:
    """The time that goes into all archives: SOURCE_DATE_EPOCH, or the time of the last commit."""
    told = os.environ.get("SOURCE_DATE_EPOCH")
    return int(told or call(["git", "log", "-1", "--format=%ct"]))


def is_committed() -> bool:
    """Whether the files are those of the last commit."""
    return not call(["git", "status", "--porcelain"]).strip()


def copy(target: Path) -> Path:
    """Copy the files that git tracks, links as links; nothing of them is what an earlier build left."""
    listed = call(["git", "ls-files", "-z"])
    for name in sorted(set(listed.split("\0")) - {""}):
        path = ROOT / name
        if path.exists() or path.is_symlink():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, target / name, follow_symlinks=False)
    return target
