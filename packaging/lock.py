"""Pin every dependency of pyproject.toml, with hashes, into packaging/run.lock, test.lock and build.lock.

    .venv/bin/python -m pip install uv && .venv/bin/python packaging/lock.py [--upgrade]

Versions that are locked already stay unless --upgrade is given or pyproject.toml rules them out. One lock serves every
version of Python in requires-python: a package that has no wheel for one of them, on the system that this runs on, is
refused here unless a marker in pyproject.toml leaves it out.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = "# Made by packaging/lock.py from pyproject.toml: do not edit.\n"


def uv() -> str:
    found = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if found is None:
        sys.exit("lock.py: uv is missing (pip install uv)")
    return found


def versions() -> list[str]:
    """The versions of Python that pyproject.toml allows, the oldest first."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    bounds = re.fullmatch(r">=3\.(\d+),<3\.(\d+)", project["requires-python"])
    if bounds is None:
        sys.exit(f"lock.py: requires-python is {project['requires-python']}: write it as >=3.11,<3.15")
    return [f"3.{minor}" for minor in range(int(bounds[1]), int(bounds[2]))]


def lock_of(name: str) -> Path:
    return ROOT / "packaging" / f"{name}.lock"


def compile_lock(name: str, options: list[str]) -> None:
    command = [uv(), "pip", "compile", "--quiet", "--universal", "--python-version", versions()[0], "--generate-hashes"]
    command += ["--no-header", "--output-file", str(lock_of(name)), *options]
    subprocess.run(command, cwd=ROOT, check=True)
    lock_of(name).write_text(HEADER + lock_of(name).read_text(encoding="utf-8"), encoding="utf-8")


def check_wheels(name: str) -> None:
    """End with the installer's words if a package of the lock has no wheel for a version of Python."""
    for version in versions():
        with tempfile.TemporaryDirectory() as folder:
            command = [uv(), "pip", "install", "--quiet", "--dry-run", "--no-deps", "--require-hashes"]
            command += ["--only-binary", ":all:", "--python", sys.executable, "--python-version", version]
            command += ["--target", folder, "--requirements", str(lock_of(name))]
            done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(
                f"{done.stderr.strip()}\nlock.py: {lock_of(name).name} cannot be installed on Python {version}: pin "
                "another version in pyproject.toml, or leave it out there with a marker and say so in README.md"
            )


def main() -> None:
    options = ["--upgrade"] if sys.argv[1:2] == ["--upgrade"] else []
    compile_lock("run", [*options, "pyproject.toml"])
    compile_lock("test", [*options, "--group", "test", "--constraint", "packaging/run.lock", "pyproject.toml"])
    compile_lock("build", [*options, "--group", "build"])
    for name in ("run", "test", "build"):
        check_wheels(name)


if __name__ == "__main__":
    main()
