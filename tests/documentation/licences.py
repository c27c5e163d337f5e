"""THIRD_PARTY.md: the licence of each package that `./run` installs, and of the extras, as the package states it.

Packages state it in one of three places, the newest first: `License-Expression`, classifiers, a free text.
"""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
LOCK = ROOT / "packaging" / "run.lock"
EXTRAS = ROOT / "resources" / "extras.json"
CARRIES = {
    "imageio-ffmpeg": "the program ffmpeg (GPL-3.0-or-later), which runs in a process of its own",
    "llvmlite": "LLVM (Apache-2.0 WITH LLVM-exception)",
    "lxml": "libxml2 and libxslt (MIT)",
    "numpy": "OpenBLAS (BSD-3-Clause)",
    "pyside6-essentials": "Qt 6 (LGPL-3.0-only)",
    "scipy": "OpenBLAS (BSD-3-Clause)",
}
"""Programs and libraries of others inside a package's wheel."""
MOST = 60  # letters of a free text that is a name of a licence and not the licence itself
_GENERIC = "OSI Approved"

_HEAD = """# Licences of the dependencies

<!-- Made by `python -m tests.documentation` from packaging/run.lock, resources/extras.json and the installed packages: do not edit. -->

`./run` installs these packages, at these versions, from the Python package index. None of their source is part of this
repository. Each wheel contains the whole text of its licence. Packages that only the tests need (`packaging/test.lock`)
are not installed for a user, and not listed.

| package | version | licence | its wheel carries |
|---|---|---|---|
"""

_EXTRAS = """
## Extras

These are fetched when the user agrees to it (docs/extras.md).

| package | version | licence | its wheel carries |
|---|---|---|---|
"""


class Locked(NamedTuple):
    """A package of a lock file."""

    name: str
    version: str


def locked() -> list[Locked]:
    """Every package that `./run` may install, on any platform."""
    lines = LOCK.read_text(encoding="utf-8").splitlines()
    found = [re.match(r"([A-Za-z0-9_.-]+)==([^\s;\\]+)", line) for line in lines]
    return [Locked(match[1], match[2]) for match in found if match]


def extras() -> list[Locked]:
    """The packages of the extras."""
    rows = json.loads(EXTRAS.read_text(encoding="utf-8"))
    return [Locked(name, row["version"]) for name, row in rows.items()]


def licence(package: Locked) -> str:
    """The licence that an installed package states. Raises ValueError where that cannot be said."""
    try:
        facts = metadata(package.name)
    except PackageNotFoundError:
        raise ValueError(f"{package.name} is not installed: run ./test once, which installs it") from None
    if facts["Version"] != package.version:
        raise ValueError(
            f"{package.name} {facts['Version']} is installed, the lock says {package.version}: run ./test once"
        )
    named = [each.rpartition(" :: ")[2] for each in facts.get_all("Classifier") or [] if each.startswith("License ::")]
    text = (facts["License"] or "").strip()
    short = text if "\n" not in text and len(text) <= MOST else ""
    stated = facts["License-Expression"] or short or " and ".join(name for name in named if name != _GENERIC)
    if not stated:
        raise ValueError(
            f"{package.name} states no licence in its metadata: read its wheel, and say here how to find it"
        )
    return stated


def page() -> str:
    """The page in Markdown."""
    return _HEAD + "".join(map(_row, locked())) + _EXTRAS + "".join(map(_row, extras()))


def _row(package: Locked) -> str:
    carries = CARRIES.get(package.name, "")
    return f"| {package.name} | {package.version} | {licence(package)} | {carries} |\n"
