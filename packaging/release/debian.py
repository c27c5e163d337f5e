"""Packages of Debian 12 at the versions of packaging/debian.lock, fetched by apt-get, which checks signatures."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from release import source
from release.source import CannotBuild, call

LOCK = source.ROOT / "packaging" / "debian.lock"
HEADER = "# Made by `python3 packaging/build.py lock` on Debian 12: package, version, SHA-256. Do not edit.\n"
INTERPRETER = ("python3.11-minimal", "libpython3.11-minimal", "libpython3.11-stdlib")
# Libraries that a system may lack, or have in another version, and what needs them. Those that a graphics driver uses
# too (libX11, libxcb and others) are not among them: two versions of those in one process do not go together.
LIBRARIES = {
    "libbz2-1.0": "the standard library",
    "libexpat1": "the interpreter",
    "libffi8": "ctypes",
    "liblzma5": "the standard library",
    "libssl3": "pip, which installs extras",
    "libuuid1": "the standard library",
    "zlib1g": "the interpreter",
}
# Libraries of windows: a plain desktop lacks libxcb-cursor; Qt's sockets are linked with Kerberos.
WINDOW_LIBRARIES = (
    "libbrotli1",
    "libcom-err2",
    "libgssapi-krb5-2",
    "libk5crypto3",
    "libkeyutils1",
    "libkrb5-3",
    "libkrb5support0",
    "libxcb-cursor0",
    "libxcb-icccm4",
    "libxcb-image0",
    "libxcb-keysyms1",
    "libxcb-render-util0",
    "libxcb-render0",
    "libxcb-shape0",
    "libxcb-util1",
    "libxcb-xkb1",
    "libxkbcommon-x11-0",
    "libxkbcommon0",
)
LICENCES = "base-files"  # the texts of licences that other packages only refer to


def everything() -> list[str]:
    """All packages that a payload takes something from."""
    return [*INTERPRETER, *LIBRARIES, *WINDOW_LIBRARIES, LICENCES]


def locked() -> dict[str, tuple[str, str]]:
    """Package -> version, SHA-256."""
    lines = [line for line in LOCK.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return {name: (version, digest) for name, version, digest in map(str.split, lines)}


def lock() -> None:
    """Write the lock with the newest versions that apt-get knows."""
    lines = []
    for name in sorted(everything()):
        _, file, _, digest = call(["apt-get", "download", "--print-uris", name]).split()
        lines.append(f"{name} {_version(file)} {digest.removeprefix('SHA256:')}\n")
    LOCK.write_text(HEADER + "".join(lines), encoding="utf-8")


def _version(file: str) -> str:
    return file.split("_")[1].replace("%3a", ":")


def fetch(name: str, folder: Path) -> Path:
    """The .deb of a locked package; from `folder` if it is there already."""
    version, digest = locked()[name]
    path = folder / f"{name}.deb"
    if not (path.exists() and _digest(path) == digest):
        scratch = folder / f"{name}.fetching"
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        try:
            call(["apt-get", "download", f"{name}={version}"], cwd=scratch)
        except CannotBuild as problem:
            raise CannotBuild(
                f"{problem}\ncould not fetch {name} {version}. On Debian 12: apt-get update; if that version is gone: "
                "python3 packaging/build.py lock"
            ) from None
        (found,) = scratch.iterdir()
        found.replace(path)
        scratch.rmdir()
    if _digest(path) != digest:
        raise CannotBuild(f"{path} is not the file that packaging/debian.lock names; remove it, and try again")
    return path


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def unpack(name: str, cache: Path, folder: Path) -> Path:
    """Fetch a package and unpack it into a folder of its own in `folder`."""
    target = folder / name
    target.mkdir(parents=True)
    call(["dpkg-deb", "--extract", str(fetch(name, cache)), str(target)])
    return target
