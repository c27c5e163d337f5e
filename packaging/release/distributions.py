"""Wheel and sdist, built by the backend that pip calls (packaging/build_backend.py)."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from release import source

SETTINGS = {"kernels": "all"}  # for all processors, not for the one that builds
CALL = (
    "import sys; sys.path.insert(0, 'packaging'); import build_backend; build_backend.{hook}(sys.argv[1], {settings})"
)


def build(kind: str, sources: Path, target: Path) -> Path:
    """Build a "wheel" or an "sdist" from a folder of sources into another one. setuptools and Numba must be
    installed. An sdist takes the kernels along that the wheel before it has left in the sources."""
    target.mkdir(parents=True, exist_ok=True)
    before = set(target.iterdir())
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment["SOURCE_DATE_EPOCH"] = str(source.epoch())
    source.call(
        [sys.executable, "-I", "-c", CALL.format(hook=f"build_{kind}", settings=SETTINGS), str(target)],
        environment,
        sources,
    )
    (made,) = set(target.iterdir()) - before
    return made
