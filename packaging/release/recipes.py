"""Fills in packaging/recipes: what a build cannot make here, as files that other systems and forges run as they are.

A template says @NAME@ for the values that this module knows: version, addresses, hashes and requirements stand in one
place each.
"""

from __future__ import annotations

import hashlib
import re
import shutil
import tomllib
from pathlib import Path

from release import archive, metainfo, source
from release.source import CannotBuild

TEMPLATES = source.ROOT / "packaging" / "recipes"
LOCK = source.ROOT / "packaging" / "run.lock"
NEEDS_LOCK = ("macos", "windows")  # folders whose scripts install packages from the index
CONDA_NAMES = {"PySide6-Essentials": "pyside6"}  # where conda-forge's differ from the index's


def values(out: Path) -> dict[str, str]:
    """Everything that templates name. Hashes are those of the files in `out`; a file that is not there has zeros."""
    project = tomllib.loads((source.ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    version, tables = source.version(), project["project"]
    files = {
        "ARCHIVE": f"{archive.name()}.tar.xz",
        "SDIST": f"kinetree-{version}.tar.gz",
        "WHEEL": f"kinetree-{version}-py3-none-any.whl",
    }
    lowest = re.match(r">=(3\.\d+)", tables["requires-python"])
    if lowest is None:
        raise CannotBuild(f"requires-python is {tables['requires-python']}: write it as >=3.11,<3.15")
    points = {**tables["scripts"], **tables["gui-scripts"]}
    return {
        **files,
        **{f"{name}_SHA256": _digest(out / file) for name, file in files.items()},
        "VERSION": version,
        "EPOCH": str(source.epoch()),
        "ID": metainfo.ID,
        "SUMMARY": tables["description"],
        "PYTHON": tables["requires-python"],
        "PYTHON_MIN": lowest[1],
        "ENTRY_POINTS": _items(6, [f"{name} = {function}" for name, function in points.items()]),
        "REQUIREMENTS": _items(4, map(for_conda, tables["dependencies"])),
        "BUILD_REQUIREMENTS": _items(4, map(for_conda, project["build-system"]["requires"])),
    }


def for_conda(requirement: str) -> str:
    """A requirement as conda writes it: name in small letters, a space, bounds."""
    found = re.fullmatch(r"([\w.-]+)(?:\[[^\]]*\])?\s*(.*)", requirement.partition(";")[0].strip())
    if found is None:
        raise CannotBuild(f"{requirement} is not a requirement that recipes.py understands")
    return f"{CONDA_NAMES.get(found[1], found[1]).lower()} {found[2]}".strip()


def _items(indent: int, lines) -> str:
    return "\n".join(f"{' ' * indent}- {line}" for line in lines)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "0" * 64


def fill(template: str, known: dict[str, str]) -> str:
    """A template with its values. Raises CannotBuild for an unknown name."""

    def value(match: re.Match) -> str:
        if match[1] not in known:
            raise CannotBuild(f"a recipe names @{match[1]}@, which packaging/release/recipes.py does not know")
        return known[match[1]]

    return re.sub(r"@([A-Z][A-Z0-9_]+)@", value, template)


def write(out: Path) -> list[Path]:
    """Write the recipes into `recipes` below a folder that holds wheel, sdist and archive; returns the files."""
    known, made = values(out), []
    for template in sorted(path for path in TEMPLATES.rglob("*") if path.is_file()):
        path = out / "recipes" / fill(template.relative_to(TEMPLATES).as_posix(), known)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(fill(template.read_text(encoding="utf-8"), known), encoding="utf-8")
        shutil.copymode(template, path)
        made.append(path)
    for name in NEEDS_LOCK:
        made.append(Path(shutil.copyfile(LOCK, out / "recipes" / name / "run.lock")))
    return made
