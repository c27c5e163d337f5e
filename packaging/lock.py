"""Pin every dependency of pyproject.toml, with hashes, into packaging/run.lock, test.lock, build.lock and docs.lock;
the extras, with the size of each wheel, into resources/extras.json.

    .venv/bin/python -m pip install uv && .venv/bin/python packaging/lock.py [--upgrade]

Versions that are locked already stay unless --upgrade is given or pyproject.toml rules them out. One lock serves every
version of Python in requires-python: a package that has no wheel for one of them, on the system that this runs on, is
refused here unless a marker in pyproject.toml leaves it out.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
HEADER = "# Made by packaging/lock.py from pyproject.toml: do not edit.\n"
EXTRAS = ROOT / "resources" / "extras.json"
OF_THE_TESTS, NOT_NEEDED = "mujoco==3.3.4; python_version < '3.14'", "mujoco; python_version < '0'"
"""mujoco-menagerie names mujoco as a dependency, for functions that Kinetree does not call: the extras do without, and
the tests have the version that pyproject.toml says."""


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


def compile_lock(name: str, options: list[str], overrides: str = "") -> None:
    command = [uv(), "pip", "compile", "--quiet", "--universal", "--python-version", versions()[0], "--generate-hashes"]
    command += ["--no-header", "--output-file", str(lock_of(name)), "--override", "-", *options]
    subprocess.run(command, cwd=ROOT, check=True, input=overrides, text=True)
    lock_of(name).write_text(HEADER + lock_of(name).read_text(encoding="utf-8"), encoding="utf-8")


def pins(text: str) -> dict[str, str]:
    """The packages of a lock in pip's format -> their versions."""
    return dict(re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", text, re.MULTILINE))


def compile_extras(options: list[str]) -> None:
    """Write the packages that extras have and ./run does not: their versions, and name, size and hash of each wheel."""
    core = pins(lock_of("run").read_text(encoding="utf-8"))
    kept = pins(extras_pins()) if EXTRAS.exists() and not options else {}
    found = resolved_extras(core | kept) or resolved_extras(core)  # pyproject.toml may rule out what was kept
    if found is None:
        sys.exit("lock.py: the extras of pyproject.toml do not go with packaging/run.lock: see above")
    rows = {}
    for package in sorted(found, key=lambda row: row["name"]):
        if package["name"] in core:
            continue
        wheels = {}
        for wheel in sorted(package["wheels"], key=lambda wheel: wheel["url"].rpartition("/")[2]):
            name = wheel["url"].rpartition("/")[2]
            wheels[name] = {"size": wheel["size"], "sha256": wheel["hashes"]["sha256"]}
        rows[package["name"]] = {"version": package["version"], "wheels": wheels}
    EXTRAS.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def resolved_extras(fixed: dict[str, str]) -> list[dict] | None:
    """The packages of the core and of all extras, as PEP 751 describes them; None if these versions do not go
    together."""
    with tempfile.TemporaryDirectory() as folder:
        target, constraints, override = (Path(folder, name) for name in ("pylock.toml", "constraints", "override"))
        constraints.write_text("".join(f"{name}=={version}\n" for name, version in fixed.items()), encoding="utf-8")
        override.write_text(NOT_NEEDED, encoding="utf-8")
        command = [uv(), "pip", "compile", "--quiet", "--universal", "--python-version", versions()[0], "--all-extras"]
        command += ["--generate-hashes", "--format", "pylock.toml", "--output-file", str(target)]
        command += ["--constraint", str(constraints), "--override", str(override), "pyproject.toml"]
        if subprocess.run(command, cwd=ROOT).returncode != 0:
            return None
        return tomllib.loads(target.read_text(encoding="utf-8"))["packages"]


def extras_pins() -> str:
    """The packages of the extras, as requirements."""
    rows = json.loads(EXTRAS.read_text(encoding="utf-8"))
    return "".join(f"{name}=={row['version']}\n" for name, row in rows.items())


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
    compile_extras(options)
    more = ["--all-extras", "--group", "test", "--constraint", "packaging/run.lock", "pyproject.toml"]
    compile_lock("test", [*options, *more], f"{OF_THE_TESTS}\n{extras_pins()}")
    compile_lock("build", [*options, "--group", "build"])
    compile_lock("docs", [*options, "--group", "docs", "--constraint", "packaging/test.lock"])
    for name in ("run", "test", "build", "docs"):
        check_wheels(name)


if __name__ == "__main__":
    main()
