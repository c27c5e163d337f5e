"""Tries what packaging/build.py has built: everything that an installation has (tests/packaging/install.py).

    python -m tests.packaging.installed FILE.tar.xz|FILE.deb [--keep FOLDER]

An archive is unpacked into a new folder. A Debian package is installed by apt-get, used and removed; afterwards the lists
of all files of the system, and of packages, must be as before, but for packages that it depends on. That needs root.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from tests.packaging.install import Failed, Installation, attempt_all, run

# Files that programs write beside any installation, and the caches of the desktop's databases that dpkg's triggers make.
CHANGING = ("/var/cache/", "/var/lib/apt/", "/var/lib/dpkg/", "/var/log/", "/run/", "/tmp/", "/proc/", "/sys/", "/dev/")
CACHES = ("/usr/share/applications/mimeinfo.cache", "/usr/share/mime/", "/usr/share/icons/hicolor/icon-theme.cache")


class Unpacked(Installation):
    """Kinetree with its own interpreter, in a folder."""

    def __init__(self, root: Path, programs: Path, folder: Path):
        self.folder, self.elsewhere = folder, folder / "elsewhere"
        self.elsewhere.mkdir(parents=True, exist_ok=True)
        self.use_home(folder, programs)
        self.python = str(root / "bin" / "python3.11")
        self.site = root / "lib" / "python3.11" / "dist-packages"
        self.model = str(self.site / "kinetree" / "resources" / "models" / "walker.xml")

    def call(self, command: list[str]) -> str:
        before = written(self.site.parents[2])
        said = super().call(command)
        new = written(self.site.parents[2]) - before
        if new:
            raise Failed(f"{command[0]} has written into the installation: {sorted(new)[:5]}")
        return said


def written(folder: Path) -> set[str]:
    """The paths in a folder."""
    return {os.path.join(at, name) for at, _, names in os.walk(folder) for name in names}


def files_of_the_system() -> set[str]:
    """All files but those that change by themselves."""
    found = set()
    for at, folders, names in os.walk("/usr"):
        folders[:] = [name for name in folders if name != "__pycache__"]
        found |= {os.path.join(at, name) for name in [*names, *folders]}
    for top in ("/etc", "/opt", "/var/lib"):
        found |= {os.path.join(at, name) for at, _, names in os.walk(top) for name in names}
    return {path for path in found if not path.startswith((*CHANGING, *CACHES))}


def packages() -> set[str]:
    """The packages that dpkg knows, removed ones with remains too."""
    return set(
        subprocess.run(["dpkg-query", "-W", "-f", "${Package}\\n"], capture_output=True, text=True).stdout.split()
    )


def try_archive(file: Path, folder: Path) -> bool:
    began = time.monotonic()
    with tarfile.open(file) as archive:
        archive.extractall(folder / "un packed", filter="tar")
    (root,) = (folder / "un packed").iterdir()
    print(f"unpacked in {time.monotonic() - began:.1f} s", flush=True)
    return attempt_all(Unpacked(root, root / "bin", folder), LEFT_OUT)


LEFT_OUT = {"names in site-packages"}


def try_deb(file: Path, folder: Path) -> bool:
    apt = ["apt-get", "-qq", "-y", "-o", "DPkg::Lock::Timeout=600", "--no-install-recommends"]
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    simulated = run([*apt, "-s", "install", str(file)], folder, environment)
    needed = {line.split()[1] for line in simulated.splitlines() if line.startswith("Inst ")} - {"kinetree"}
    if needed:
        run([*apt, "install", *sorted(needed)], folder, environment)
        print(f"apt-get installed what it depends on: {', '.join(sorted(needed))}", flush=True)
    before = files_of_the_system(), packages()
    began = time.monotonic()
    run([*apt, "install", str(file)], folder, environment)
    print(f"installed in {time.monotonic() - began:.1f} s", flush=True)
    try:
        good = attempt_all(Unpacked(Path("/usr/lib/kinetree"), Path("/usr/bin"), folder), LEFT_OUT)
        changed = run(["dpkg", "--verify", "kinetree"], folder, environment)
        if changed.strip():
            print(f"  FAILED: files of the package have changed:\n{changed}", flush=True)
            good = False
    finally:
        run([*apt, "purge", "kinetree"], folder, environment)
    after = files_of_the_system(), packages()
    for what, one, two in zip(("files", "packages"), before, after, strict=True):
        if one != two:
            good = False
            print(
                f"  FAILED: {what} that are new: {sorted(two - one)[:10]}, or missing: {sorted(one - two)[:10]}",
                flush=True,
            )
    if good:
        print("  removed: the files and packages of the system are as before", flush=True)
    return good


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.packaging.installed", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as scratch:
        folder = (options.keep or Path(scratch)).resolve()
        folder.mkdir(parents=True, exist_ok=True)
        try:
            use = try_deb if options.file.suffix == ".deb" else try_archive
            return 0 if use(options.file.resolve(), folder) else 1
        except Failed as problem:
            print(problem, file=sys.stderr)
            return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
