"""The pinned packages of extras: versions, and the size and hash of each wheel, from resources/extras.json.

packaging/lock.py writes that file. It holds names and hashes, no addresses: the index is the one of the user's pip.
"""

from __future__ import annotations

import hashlib
import json
import platform
import sys
import sysconfig
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from kinetree.engine.extras.table import Extra
from kinetree.engine.packaged import packaged

_PLATFORMS = {"linux": "manylinux", "macosx": "macosx", "win": "win"}
"""System in `sysconfig.get_platform()` -> start of the platform in names of wheels."""


class Wheel(NamedTuple):
    """A file on the package index. `size` in bytes."""

    name: str
    size: int
    sha256: str


class Pin(NamedTuple):
    """A package at its pinned version, with the wheels of all platforms."""

    package: str
    version: str
    wheels: tuple[Wheel, ...]


@cache
def _locked() -> dict[str, Pin]:
    rows = json.loads(packaged("resources", "extras.json").read_text(encoding="utf-8"))
    return {
        package: Pin(
            package,
            row["version"],
            tuple(Wheel(name, each["size"], each["sha256"]) for name, each in row["wheels"].items()),
        )
        for package, row in rows.items()
    }


def pins(extra: Extra) -> list[Pin]:
    """The packages of an extra."""
    return [_locked()[package] for package in extra.packages]


def requirements(extra: Extra) -> str:
    """The packages with their hashes, as a requirements file of pip."""
    lines = []
    for pin in pins(extra):
        lines.append(" ".join([f"{pin.package}=={pin.version}", *(f"--hash=sha256:{w.sha256}" for w in pin.wheels)]))
    return "\n".join(lines) + "\n"


def digest(extra: Extra) -> str:
    """Changes when the pinned packages change."""
    return hashlib.sha256(requirements(extra).encode()).hexdigest()[:12]


def this_platform() -> str:
    """The platform as `sysconfig.get_platform` names it, with one processor where Python has code for two."""
    return sysconfig.get_platform().replace("universal2", platform.machine())


def download_size(extra: Extra) -> int | None:
    """How many bytes this machine has to fetch; None where a package has no wheel for it."""
    total = 0
    for pin in pins(extra):
        wheel = fitting(pin.wheels, this_platform(), sys.version_info[:2])
        if wheel is None:
            return None
        total += wheel.size
    return total


def fitting(wheels: Sequence[Wheel], target: str, python: tuple[int, int]) -> Wheel | None:
    """The wheel for a target (as `sysconfig.get_platform` names it) and version of CPython, None without one.

    pip makes the choice: this finds the same file without a look at versions of the C library or of macOS.
    """
    system, machine = target.split("-")[0], target.rpartition("-")[2]
    for wheel in wheels:
        pythons, abi, platforms = wheel.name.removesuffix(".whl").split("-")[-3:]
        if not any(_serves(tag, abi, python) for tag in pythons.split(".")):
            continue
        for each in platforms.split("."):
            start = _PLATFORMS.get(system, system)
            if each == "any" or (each.startswith(start) and each.endswith((f"_{machine}", "_universal2"))):
                return wheel
    return None


def _serves(tag: str, abi: str, python: tuple[int, int]) -> bool:
    """Whether a wheel for "cp311" or "py3" can be used by a version of CPython."""
    ours = f"cp{python[0]}{python[1]}"
    if tag.startswith("py"):
        return abi == "none" and tag in (f"py{python[0]}", f"py{python[0]}{python[1]}")
    if abi == "abi3":
        return tag.startswith(f"cp{python[0]}") and int(tag.removeprefix(f"cp{python[0]}") or 0) <= python[1]
    return tag == ours and abi in (ours, "none")


def size_text(size: int) -> str:
    """A number of bytes: "68 MB", "2.7 MB", "30 kB"."""
    if size < 100_000:
        return f"{max(1, round(size / 1000))} kB"
    return f"{size / 1e6:.1f} MB" if size < 9_950_000 else f"{size / 1e6:.0f} MB"
