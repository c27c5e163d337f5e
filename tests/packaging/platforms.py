"""Asks a package index which of the locked packages have wheels for other systems.

    python -m pip install uv && python -m tests.packaging.platforms

Each package of packaging/run.lock, in its locked version and with its locked hashes, is resolved for each system and
version of Python by uv, which reads the names of the wheels and downloads none. It prints a table: the number of
packages, or the names of those without a wheel. It exits with 1 where one of the supported systems lacks a wheel.
"""

from __future__ import annotations

import re
import runpy
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.imports import ROOT

LOCK = runpy.run_path(str(ROOT / "packaging" / "lock.py"))
"""Functions of packaging/lock.py, which is a program."""
SUPPORTED = {
    "Linux x86-64 (Debian 12)": "x86_64-manylinux_2_36",
    "Windows x86-64": "x86_64-pc-windows-msvc",
    "macOS ARM": "aarch64-apple-darwin",
}
OTHERS = {
    "Linux ARM (Ubuntu 24.04)": "aarch64-manylinux_2_39",
    "Linux ARM (Debian 12)": "aarch64-manylinux_2_36",
    "macOS x86-64": "x86_64-apple-darwin",
    "Windows ARM": "aarch64-pc-windows-msvc",
    "Linux x86-64 with musl": "x86_64-unknown-linux-musl",
}
"""Systems that are shown, and not promised."""

Resolves = Callable[[str, str, Sequence[str]], bool]
"""Whether requirements resolve for a system (as uv names it) and a version of Python."""


def requirements(lock: str) -> dict[str, str]:
    """The packages of a lock -> their lines, with the hashes."""
    found = re.findall(r"^([A-Za-z0-9._-]+)(==[^\n]*(?:\n    --hash[^\n]*)+)", lock, re.MULTILINE)
    return {name: name + rest.removesuffix(" \\") for name, rest in found}


def by_uv(target: str, python: str, lines: Sequence[str]) -> bool:
    """Ask uv, which asks the index."""
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder, "requirements.txt")
        wanted.write_text("\n".join(lines) + "\n", encoding="utf-8")
        command = [LOCK["uv"](), "pip", "install", "--dry-run", "--quiet", "--no-deps", "--only-binary", ":all:"]
        command += ["--require-hashes", "--python-platform", target, "--python-version", python]
        command += ["--target", str(Path(folder, "packages")), "--requirement", str(wanted)]
        return subprocess.run(command, capture_output=True).returncode == 0


def missing(target: str, python: str, known: dict[str, str], resolves: Resolves = by_uv) -> list[str]:
    """The packages without a wheel: all are asked for at once, and each half of them where that fails."""
    if resolves(target, python, list(known.values())):
        return []
    if len(known) == 1:
        return list(known)
    rows, middle = list(known.items()), len(known) // 2
    return [name for half in (rows[:middle], rows[middle:]) for name in missing(target, python, dict(half), resolves)]


def table(
    pythons: Sequence[str], known: dict[str, str], resolves: Resolves = by_uv
) -> Iterator[tuple[str, list[list[str]]]]:
    """For each system the packages that lack a wheel for each version of Python."""
    for name, target in {**SUPPORTED, **OTHERS}.items():
        yield name, [missing(target, python, known, resolves) for python in pythons]


def main() -> int:
    known = requirements(LOCK["lock_of"]("run").read_text(encoding="utf-8"))
    pythons = LOCK["versions"]()
    print(" | ".join(["", *pythons]), flush=True)
    is_complete = True
    for name, lacks in table(pythons, known):
        print(" | ".join([name, *(", ".join(each) or f"all {len(known)}" for each in lacks)]), flush=True)
        is_complete &= name not in SUPPORTED or not any(lacks)
    return 0 if is_complete else 1


if __name__ == "__main__":
    sys.exit(main())
