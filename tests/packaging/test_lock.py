"""The lock files: complete, hashed, free of addresses, and in step with pyproject.toml."""

import json
import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.documentation.licences import EXTRAS as EXTRAS_FILE
from tests.left_out import left_out

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

EXTRAS = json.loads(EXTRAS_FILE.read_text(encoding="utf-8"))
OPTIONAL = [text for name, row in PROJECT["project"]["optional-dependencies"].items() if name != "all" for text in row]


def pins(name: str) -> dict[str, tuple[str, int]]:
    """Package -> (version, number of hashes)."""
    text = (ROOT / "packaging" / f"{name}.lock").read_text(encoding="utf-8")
    found = {}
    for block in re.split(r"\n(?=\S)", text):
        match = re.match(r"([A-Za-z0-9._-]+)==([^\s;]+)", block)
        if match:
            found[canonicalize_name(match[1])] = (match[2], block.count("--hash=sha256:"))
    return found


@pytest.mark.parametrize("name", ["run", "test", "build", "docs"])
def test_every_package_has_hashes_and_no_address_stands_in_it(name: str) -> None:
    text = (ROOT / "packaging" / f"{name}.lock").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index-url" not in text
    assert not re.search(r"(?<![\w.])/(?:home|root|tmp|work|opt)/", text)
    assert all(count > 0 for _, count in pins(name).values())


def test_test_lock_holds_all_of_run_lock() -> None:
    run, test = pins("run"), pins("test")
    assert {name: test.get(name) for name in run} == run


def test_extras_are_locked_apart_from_the_core() -> None:
    """An offered install fetches nothing that ./run has, and the versions that the tests have."""
    extras = {name: row["version"] for name, row in EXTRAS.items()}
    test = {name: version for name, (version, _) in pins("test").items()}
    assert not set(extras) & set(pins("run"))
    assert extras.items() <= test.items()
    for row in EXTRAS.values():
        for name, wheel in row["wheels"].items():
            assert re.fullmatch(r"[\w.+-]+\.whl", name), "an address?"
            assert re.fullmatch("[0-9a-f]{64}", wheel["sha256"]) and wheel["size"] > 1000
            hashes = (ROOT / "packaging" / "test.lock").read_text(encoding="utf-8")
            assert wheel["sha256"] in hashes


def test_docs_lock_can_be_installed_beside_the_tests() -> None:
    docs, test = pins("docs"), pins("test")
    shared = docs.keys() & test.keys()
    assert shared and {name: docs[name][0] for name in shared} == {name: test[name][0] for name in shared}


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("run", PROJECT["project"]["dependencies"]),
        ("test", PROJECT["dependency-groups"]["test"]),
        ("test", OPTIONAL),
        ("build", PROJECT["dependency-groups"]["build"]),
        ("docs", PROJECT["dependency-groups"]["docs"]),
    ],
)
def test_the_lock_satisfies_pyproject(name: str, wanted: list[str]) -> None:
    locked = pins(name)
    for text in wanted:
        requirement = Requirement(text)
        version, _ = locked[canonicalize_name(requirement.name)]
        assert requirement.specifier.contains(version), f"{text}, but {version} is locked: run packaging/lock.py"


VERSIONS = [f"3.{minor}" for minor in range(40) if f"3.{minor}" in SpecifierSet(PROJECT["project"]["requires-python"])]


def locked_without(name: str, version: str) -> set[str]:
    """The packages of a lock that a marker leaves out on this version of Python."""
    text = (ROOT / "packaging" / f"{name}.lock").read_text(encoding="utf-8")
    rows = [Requirement(row) for row in re.findall(r"^(\w\S*==.+?) *\\$", text, re.MULTILINE)]
    assert {canonicalize_name(row.name) for row in rows} == set(pins(name))
    system = {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"}
    python = {"python_version": version, "python_full_version": f"{version}.0"}
    return {row.name for row in rows if row.marker and not row.marker.evaluate(system | python)}


@pytest.mark.parametrize("version", VERSIONS)
def test_one_lock_serves_every_version(version: str) -> None:
    """The program lacks nothing on any version; what the tests lack is said in pyproject.toml and in README.md."""
    assert locked_without("run", version) == set()
    lacking = left_out(version)
    assert bool(locked_without("test", version)) == bool(lacking)
    assert lacking.keys() <= locked_without("test", version)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    for requirement in lacking.values():
        assert f"{requirement.name} {str(requirement.specifier)[2:]} has no wheel for Python {version}" in readme


def test_every_dependency_gives_its_reason() -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    groups = [row for name in ("test", "build", "docs") for row in PROJECT["dependency-groups"][name]]
    for requirement in PROJECT["project"]["dependencies"] + groups + OPTIONAL:
        line = next(line for line in text.splitlines() if f'"{requirement}"' in line)
        assert re.search(r"#\s*\w{3,}", line), f"{requirement}: say why in a comment"
