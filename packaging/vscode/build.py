"""Builds the extension of VS Code: `python packaging/vscode/build.py [FOLDER]` writes kinetree-VERSION.vsix to dist/.

Needs Node.js 20 or newer with npm. Two builds of the same sources with the same versions of package-lock.json have the
same bytes.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = (
    "package.json", "package-lock.json", ".npmrc", ".vscodeignore", "README.md", "icon.png", "language.json",
    "mjcf.json", "urdf.json", "licences.js", "src",
)  # fmt: skip
MOMENT = "315532800"
"""SOURCE_DATE_EPOCH where none is given: the first day of 1980, the oldest that a zip file can have."""


class CannotBuild(Exception):
    """The message says what is missing, with a remedy."""


def version() -> str:
    """The version of the extension."""
    return json.loads((HERE / "package.json").read_text(encoding="utf-8"))["version"]


def build(folder: Path) -> Path:
    """Build the extension in a folder of its own, and write it to `folder`. Returns its path. Raises CannotBuild."""
    npm = shutil.which("npm")
    if npm is None:
        raise CannotBuild("npm was not found: install Node.js 20 or newer")
    folder.mkdir(parents=True, exist_ok=True)
    target = folder.resolve() / f"kinetree-{version()}.vsix"
    environment = {"SOURCE_DATE_EPOCH": MOMENT, **os.environ}
    with tempfile.TemporaryDirectory(prefix="kinetree-vscode-") as name:
        work = Path(name)
        for each in SOURCES:
            (shutil.copytree if (HERE / each).is_dir() else shutil.copy)(HERE / each, work / each)
        for command in (
            [npm, "ci", "--no-audit", "--no-fund"],
            [npm, "run", "package", "--", "--out", str(target)],
        ):
            done = subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True)
            if done.returncode:
                said = (done.stderr or done.stdout).strip()[-2000:]
                raise CannotBuild(f"{' '.join(command[1:])} failed:\n{said}")
    return target


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Build the extension of VS Code.")
    parser.add_argument("folder", nargs="?", type=Path, default=HERE.parent.parent / "dist", help="default: dist")
    folder = parser.parse_args(arguments).folder
    try:
        print(build(folder))
    except CannotBuild as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
