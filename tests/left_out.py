"""Test dependencies that a marker in pyproject.toml leaves out on this version of Python, as they have no wheel for it.

A test that imports one is skipped and says so; on every other version a missing one is an error, as usual.
"""

import sys
import tomllib
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path

import pytest
from packaging.requirements import Requirement

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def left_out(python: str | None = None) -> dict[str, Requirement]:
    """Import name -> requirement, for "3.14" or the Python that runs."""
    group = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["dependency-groups"]["test"]
    environment = {"python_version": python, "python_full_version": f"{python}.0"} if python else None
    found = {}
    for requirement in map(Requirement, group):
        if requirement.marker is not None and not requirement.marker.evaluate(environment):
            found[requirement.name] = requirement
    return found


class Skipping(MetaPathFinder):
    """Answers the import of a package that is left out: the test, or the module of tests, is skipped."""

    def __init__(self, packages: dict[str, Requirement]) -> None:
        self._packages = packages

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: object = None) -> None:
        requirement = self._packages.get(name)
        if requirement is not None:
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            reason = f"{requirement.name}{requirement.specifier} has no wheel for Python {version}"
            pytest.skip(reason, allow_module_level=True)


def skip_what_needs_them() -> None:
    packages = left_out()
    if packages:
        sys.meta_path.insert(0, Skipping(packages))
