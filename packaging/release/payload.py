"""The folder that archive and .deb unpack: interpreter, packages, Kinetree, licences and the bill of materials.

bin/kinetree  bin/kinetree-gui  bin/python3.11  lib/  share/  THIRD_PARTY/  sbom.cdx.json
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from release import bytecode, debian, elf, interpreter, launchers, licences, packages, qt, sbom, share, system
from release.source import CannotBuild


@dataclass
class Payload:
    """A finished payload and the facts about it."""

    folder: Path
    parts: list[licences.Part]
    glibc: tuple[int, ...]
    sizes: dict[str, int]  # bytes of each package


def make(folder: Path, wheel: Path, cache: Path, scratch: Path, say: Callable[[str], None]) -> Payload:
    """Fill a folder. `cache` keeps Debian's packages for the next build; `scratch` must be empty."""
    say("the interpreter")
    program = interpreter.make(folder, cache, scratch)
    say("the Python packages")
    report = packages.install(program, folder, wheel, scratch, elf.needed)
    for package in debian.WINDOW_LIBRARIES:
        interpreter.take_libraries(debian.unpack(package, cache, scratch), qt.libraries(folder / interpreter.PACKAGES))
    glibc = check_requirements(folder)
    say("licences, bill of materials, files for the desktop")
    debian.unpack(debian.LICENCES, cache, scratch)
    parts = licences.collect(folder, scratch)
    sbom.write(folder / "sbom.cdx.json", parts, report)
    launchers.write(folder)
    share.write(folder / "share", program)
    say("bytecode")
    bytecode.compile_all(program, folder / "lib" / interpreter.NAME)
    return Payload(folder, parts, glibc, packages.sizes(folder / interpreter.PACKAGES))


def check_requirements(folder: Path) -> tuple[int, ...]:
    """The version of glibc that a payload needs. Raises CannotBuild where it needs more than the tables say."""
    files = list(elf.files(folder))
    bundled = {path.name for path in files}
    known = {*bundled, *system.LIBRARIES, *system.WINDOW}
    asked = {name: path for path in files if path.name not in system.OPTIONAL for name in elf.needed(path)}
    unknown = [f"{asked[name].relative_to(folder)} needs {name}" for name in sorted(asked.keys() - known)]
    unused = sorted({*system.LIBRARIES, *system.WINDOW} - asked.keys())
    if unknown or unused:
        lines = [*unknown, *(f"nothing needs {name}" for name in unused)]
        raise CannotBuild("\n".join([*lines, "packaging/release/system.py, or debian.py, must say otherwise"]))
    newest = max(files, key=elf.glibc)
    if elf.glibc(newest) > system.GLIBC:
        raise CannotBuild(f"{newest.relative_to(folder)} needs glibc {elf.glibc(newest)}, more than {system.GLIBC}")
    return elf.glibc(newest)
