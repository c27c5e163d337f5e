"""The extension of VS Code: its own tests, and what it says of the program."""

from __future__ import annotations

import json
import re
import runpy
import shutil
import subprocess

import pytest

import kinetree
from tests.conftest import ROOT
from tests.patience import LIMIT

FOLDER = ROOT / "packaging" / "vscode"
TESTS = ("test/places.test.js", "test/extension.test.js")
"""They need Node.js and no packages; `npm test` runs that of the server too."""
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")


def manifest() -> dict:
    return json.loads((FOLDER / "package.json").read_text(encoding="utf-8"))


@needs_node
@pytest.mark.parametrize("name", TESTS)
def test_its_own_tests(name):
    has_runner = subprocess.run(["node", "-e", "require('node:test').after"], capture_output=True)
    if has_runner.returncode:
        pytest.skip("this Node.js has no test runner: 20 or newer has")
    done = subprocess.run(["node", "--test", name], cwd=FOLDER, capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stdout


def test_it_has_the_version_of_the_program():
    assert kinetree.__version__.startswith(manifest()["version"])


def test_the_page_names_its_commands_and_settings():
    page = (ROOT / "docs" / "editors.md").read_text(encoding="utf-8")
    contributes = manifest()["contributes"]
    for command in contributes["commands"]:
        if command["command"] != "kinetree.restart":
            assert re.search(rf"{command['title']}".replace(" ", r"\s"), page), command
    assert "`kinetree.command`" in page


def test_all_sources_are_given_to_the_build():
    sources = runpy.run_path(str(FOLDER / "build.py"))["SOURCES"]
    there = {path.name for path in FOLDER.iterdir()} - {"node_modules", "dist", "meta.json"}
    assert there - set(sources) == {"build.py", "test", ".gitignore"}


def test_packages_are_pinned_without_a_registry():
    lock = json.loads((FOLDER / "package-lock.json").read_text(encoding="utf-8"))
    packages = {name: row for name, row in lock["packages"].items() if name}
    assert packages and not any("resolved" in row for row in packages.values())
    assert all(row.get("integrity") for name, row in packages.items()), "a package without a checksum"
