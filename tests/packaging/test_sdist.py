"""The sdist has what the build needs and nothing else; a wheel from it is the wheel from a checkout. Equal sources give
equal bytes. All of it is built without a network."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

from tests.packaging.wheel import copy

CALL = "import sys; sys.path.insert(0, 'packaging'); import build_backend; build_backend.build_{}(sys.argv[1])"
BESIDE_THE_PACKAGE = {"PKG-INFO", "README.md", "THIRD_PARTY.md", "MANIFEST.in", "pyproject.toml"}
# 2026-01-02
EPOCH = "1767312000"


def build(kind: str, sources: Path, target: Path, umask: int = 0o022) -> Path:
    """Build a "wheel" or an "sdist" by the hook of PEP 517."""
    target.mkdir()
    done = subprocess.run(
        [sys.executable, "-I", "-c", CALL.format(kind), str(target)],
        cwd=sources,
        env=os.environ | {"SOURCE_DATE_EPOCH": EPOCH},
        umask=umask,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (made,) = target.iterdir()
    return made


def digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    copy(folder / "sources")
    return build("sdist", folder / "sources", folder / "made")


@pytest.fixture(scope="module")
def unpacked(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(folder, filter="data")
    (root,) = folder.iterdir()
    return root


def test_what_is_in_it(unpacked: Path) -> None:
    assert {path.name for path in unpacked.iterdir()} == {*BESIDE_THE_PACKAGE, "kinetree", "packaging"}
    backend = {path.name for path in (unpacked / "packaging").iterdir()}
    assert {"build_backend.py", "catalogues.py", "reproducible.py"} <= backend
    assert "bootstrap.py" not in backend
    files = [path for path in unpacked.rglob("*") if path.is_file()]
    assert not [path for path in files if path.suffix in (".pyc", ".mo", ".pot") or "tests" in path.parts]
    assert (unpacked / "kinetree" / "resources" / "locale" / "de" / "LC_MESSAGES" / "kinetree.po").exists()
    assert not [path for path in unpacked.rglob("*") if path.is_symlink()]


@pytest.mark.slow("builds the wheel twice")
def test_the_wheel_from_it_is_that_of_a_checkout(unpacked: Path, tmp_path: Path) -> None:
    """The second build has another folder, another umask and other times of the files too."""
    copy(tmp_path / "checkout")
    for path in (tmp_path / "checkout").rglob("*"):
        if path.is_file() and not path.is_symlink():
            os.utime(path, (1.7e9, 1.7e9))
    shutil.copytree(unpacked, tmp_path / "unpacked")  # a build leaves compiled kernels in its sources
    one = build("wheel", tmp_path / "unpacked", tmp_path / "one")
    two = build("wheel", tmp_path / "checkout", tmp_path / "two", umask=0o077)
    assert one.name == two.name
    assert digest(one) == digest(two)


def test_it_has_the_same_bytes_again(sdist: Path, unpacked: Path, tmp_path: Path) -> None:
    """An sdist of an sdist is that sdist: it has all that it was made from."""
    again = build("sdist", unpacked, tmp_path / "again", umask=0o077)
    assert digest(again) == digest(sdist)


def test_entries_have_the_time_of_the_commit_and_no_owner(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        members = archive.getmembers()
    assert {member.mtime for member in members} == {int(EPOCH)}
    assert {(member.uid, member.gid, member.uname, member.gname) for member in members} == {(0, 0, "", "")}
    assert {member.mode for member in members} == {0o644}
