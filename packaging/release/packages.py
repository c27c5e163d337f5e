"""Python packages of a payload: those of packaging/run.lock, pip and the wheel, without what only developers need."""

from __future__ import annotations

import fnmatch
import json
import os
import re
import shutil
import sysconfig
from collections.abc import Callable
from pathlib import Path

from release import interpreter, qt, source
from release.source import CannotBuild, call

Needed = Callable[[Path], list[str]]
LOCKS = source.ROOT / "packaging"
# Not needed to run: in any package. Paths are relative to the folder of packages.
LEFT_OUT = (
    "bin/*",
    "*/tests/*",
    "*.a",
    "*.c",
    "*.cpp",
    "*.h",
    "*.hpp",
    "*.pxd",
    "*.pxi",
    "*.pyi",
    "*.pyx",
    "*/__pycache__/*",
    "*.dist-info/direct_url.json",  # names the folder of the build
    "*.dist-info/REQUESTED",
    "lxml/includes/*",
    "lxml/isoschematron/*",
    "numba/cuda/tests/*",
    "numba/pycc/*",
    "pip/_vendor/distlib/*.exe",
    "pyqtgraph/examples/*",
    "zstandard/_cffi.*",  # the package has another backend
)


def install(program: Path, target: Path, wheel: Path, scratch: Path, needed: Needed) -> list[dict]:
    """Install everything for the interpreter of a payload; returns pip's report of the packages.

    pip is run by that interpreter, so that it chooses the wheels that fit. `needed`: elf.needed."""
    folder = target / interpreter.PACKAGES
    lock, report = scratch / "payload.lock", scratch / "report.json"
    lock.write_text(pinned(), encoding="utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {
        "PYTHONPATH": sysconfig.get_path("purelib"),
        "PYTHONNOUSERSITE": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    pip = [str(program), "-m", "pip", "--no-input", "--disable-pip-version-check", "install", "--quiet", "--no-deps"]
    pip += ["--target", str(folder), "--no-compile", "--only-binary", ":all:", "--root-user-action", "ignore"]
    call([*pip, "--require-hashes", "--report", str(report), "-r", str(lock)], environment)
    call([*pip, "--no-index", str(wheel)], environment)
    trim(folder, needed)
    return json.loads(report.read_text(encoding="utf-8"))["install"]


def pinned() -> str:
    """The lines of the locks for the packages of a payload: all of run.lock, and pip."""
    return (LOCKS / "run.lock").read_text(encoding="utf-8") + locked("build", "pip")


def locked(lock: str, package: str) -> str:
    """The lines of a lock that pin one package."""
    text = (LOCKS / f"{lock}.lock").read_text(encoding="utf-8")
    found = re.search(rf"^{re.escape(package)}==.*?(?=^\S|\Z)", text, re.MULTILINE | re.DOTALL)
    if found is None:
        raise CannotBuild(f"packaging/{lock}.lock does not pin {package}")
    return found[0]


def trim(folder: Path, needed: Needed) -> None:
    """Remove what LEFT_OUT and the tables of qt.py say, and the lines about it in the packages' RECORD files."""
    shutil.rmtree(folder / "bin", ignore_errors=True)
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).as_posix()
        if path.is_file() and any(fnmatch.fnmatchcase(inside, pattern) for pattern in LEFT_OUT):
            path.unlink()
    qt.trim(folder, needed)
    for path in sorted(folder.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()
    for record in sorted(folder.glob("*.dist-info/RECORD")):
        lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
        kept = [line for line in lines if (folder / line.rsplit(",", 2)[0].strip('"')).exists()]
        record.write_text("".join(kept), encoding="utf-8")


def sizes(folder: Path) -> dict[str, int]:
    """Bytes of each folder or file at the top of the packages, `.libs` counted with its package."""
    found: dict[str, int] = {}
    for entry in folder.iterdir():
        files = [entry] if entry.is_file() else [path for path in entry.rglob("*") if path.is_file()]
        name = entry.name.removesuffix(".libs")
        found[name] = found.get(name, 0) + sum(path.stat().st_size for path in files)
    return found
