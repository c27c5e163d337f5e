"""A folder with models, and packages of models laid out as `mujoco-menagerie` and `robot_descriptions` are."""

import json
import sys
from pathlib import Path

import pytest

MJCF, URDF = "<mujoco/>", '<?xml version="1.0"?>\n<!-- a robot -->\n<robot name="r"/>'


@pytest.fixture(autouse=True)
def without_packages(monkeypatch, tmp_path: Path):
    """The packages of models are not installed, whatever the environment has."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))  # nor is the extra
    for name in ("mujoco_menagerie", "robot_descriptions"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    where = tmp_path / "work"
    files = {
        "robots/hexapod.xml": MJCF,
        "robots/hexapod_small.mjcf": MJCF,
        "robots/arm/hexapod.urdf": URDF,
        "robots/notes.xml": "<notes/>",
        "robots/hexapod_notes.xml": "<notes/>",
        "unitree_g1/scene.xml": MJCF,
        ".hidden/hexapod.xml": MJCF,
        "node_modules/hexapod.xml": MJCF,
        "environment/pyvenv.cfg": "",
        "environment/lib/hexapod.xml": MJCF,
    }
    for name, text in files.items():
        (where / name).parent.mkdir(parents=True, exist_ok=True)
        (where / name).write_text(text)
    return where


@pytest.fixture
def menagerie(tmp_path: Path, monkeypatch) -> Path:
    """The package `mujoco-menagerie` with two robots, one of them downloaded; the folder of the cache."""
    package, cache = tmp_path / "site" / "mujoco_menagerie", tmp_path / "menagerie"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')\n")
    robots = {}
    for name, version in (("unitree_g1", "a" * 40), ("franka_panda", "b" * 40)):
        stem = name.rpartition("_")[2]
        robots[name] = {
            "oid": version, "display_name": name.title(), "download_size": 10_386_808, "sha256": "0", "category": "arm",
            "default_model": stem, "default_scene": "scene",
            "entry_points": {stem: {"file": f"{stem}.xml", "kind": "robot"}, "scene": {"file": "scene.xml", "kind": "scene"}},
        }  # fmt: skip
    (package / "registry.json").write_text(json.dumps({"schema": 1, "menagerie_commit": "c", "robots": robots}))
    here = cache / "models" / f"franka_panda-{'b' * 16}"
    here.mkdir(parents=True)
    for name in ("scene.xml", "panda.xml"):
        (here / name).write_text(MJCF)
    (here / ".complete").write_text("{}")
    monkeypatch.delitem(sys.modules, "mujoco_menagerie", raising=False)
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setenv("MENAGERIE_CACHE_DIR", str(cache))
    monkeypatch.delenv("MENAGERIE_ROOT", raising=False)
    return cache


CLONES = """
from os import getenv as _getenv
from os import path as _path

from ._cache import clone_to_cache as _clone_to_cache

REPOSITORY_PATH: str = _clone_to_cache("menagerie", commit=_getenv("ROBOT_DESCRIPTION_COMMIT", None))
PACKAGE_PATH: str = _path.join(REPOSITORY_PATH, "unitree_g1")
MJCF_PATH: str = _path.join(PACKAGE_PATH, "g1.xml")
"""
REPOSITORIES = """
REPOSITORIES = {
    "menagerie": Repository(url="https://example.org/menagerie.git", commit="1234", cache_path="mujoco_menagerie"),
}
"""


@pytest.fixture
def descriptions(tmp_path: Path, monkeypatch) -> Path:
    """The package `robot_descriptions` with one robot, not downloaded; the folder of the cache."""
    package, cache = tmp_path / "site" / "robot_descriptions", tmp_path / "descriptions"
    package.mkdir(parents=True)
    for name, text in (
        ("__init__", "raise RuntimeError('imported')\n"),
        ("_repositories", REPOSITORIES),
        ("g1_mj_description", CLONES),
        ("odd_description", "URDF_PATH = unknown(1)\n"),
        ("broken_description", "URDF_PATH = (\n"),
    ):
        (package / f"{name}.py").write_text(text)
    monkeypatch.delitem(sys.modules, "robot_descriptions", raising=False)
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setenv("ROBOT_DESCRIPTIONS_CACHE", str(cache))
    monkeypatch.delenv("ROBOT_DESCRIPTION_COMMIT", raising=False)
    return cache
