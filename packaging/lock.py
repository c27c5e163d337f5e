"""Pin every dependency of pyproject.toml, with hashes, into packaging/run.lock and packaging/test.lock.

    .venv/bin/python -m pip install uv && .venv/bin/python packaging/lock.py [--upgrade]

Versions that are locked already stay unless --upgrade is given or pyproject.toml rules them out.
"""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = "# Made by packaging/lock.py from pyproject.toml: do not edit.\n"


def compile_lock(name: str, options: list[str]) -> None:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent)) or shutil.which("uv")
    if uv is None:
        sys.exit("lock.py: uv is missing (pip install uv)")
    lock = ROOT / "packaging" / f"{name}.lock"
    command = [
        uv,
        "pip",
        "compile",
        "--quiet",
        "--universal",
        "--python-version",
        "3.11",
        "--generate-hashes",
    ]
    command += ["--no-header", "--output-file", str(lock), *options, "pyproject.toml"]
    subprocess.run(command, cwd=ROOT, check=True)
    lock.write_text(HEADER + lock.read_text(encoding="utf-8"), encoding="utf-8")


def main() -> None:
    upgrade = sys.argv[1:2] == ["--upgrade"]
    compile_lock("run", ["--upgrade"] if upgrade else [])
    options = ["--upgrade"] if upgrade else []
    compile_lock("test", [*options, "--group", "test", "--constraint", "packaging/run.lock"])


if __name__ == "__main__":
    main()
