"""Which models a name means, in which order, and the names near one that means none. Nothing imports a package."""

import importlib.util
import os
from pathlib import Path

import pytest

from kinetree.engine.library import descriptions as descriptions_
from kinetree.engine.library import examples, find
from kinetree.engine.library import menagerie as menagerie_
from kinetree.engine.library.model import ModelSource


def details(name: str, folder: Path) -> list[str]:
    return [f"{model.source.name} {model.detail}".replace(os.sep, "/") for model in find.find(name, str(folder)).models]


def test_an_example_is_found_by_its_name(tmp_path: Path) -> None:
    assert details("Walker", tmp_path) == ["EXAMPLE walker.xml"]
    assert {"walker", "arm", "mobile"} <= {model.name for model in examples.models()}


def test_files_below_the_folder_whose_names_begin_so(folder: Path) -> None:
    assert details("hexapod", folder) == ["FOLDER robots/hexapod.xml", "FOLDER robots/arm/hexapod.urdf"]
    assert details("hexa", folder) == [
        "FOLDER robots/hexapod.xml", "FOLDER robots/hexapod_small.mjcf", "FOLDER robots/arm/hexapod.urdf",
    ]  # fmt: skip
    assert details("small", folder) == ["FOLDER robots/hexapod_small.mjcf"]


def test_a_file_beside_wins_over_all_others(folder: Path) -> None:
    (folder / "walker.urdf").write_text("<robot/>")
    (folder / "robots" / "walker.xml").write_text("<mujoco/>")
    assert details("walker", folder) == ["FOLDER walker.urdf"]
    assert details("walker", folder / "robots") == ["FOLDER walker.xml"]


def test_examples_come_before_files_below(folder: Path) -> None:
    (folder / "robots" / "walker.xml").write_text("<mujoco/>")
    (folder / "robots" / "walker_fast.xml").write_text("<mujoco/>")
    assert details("walker", folder) == ["EXAMPLE walker.xml", "FOLDER robots/walker.xml"]
    (folder / "robots" / "walker.xml").unlink()
    assert details("walker", folder) == ["EXAMPLE walker.xml", "FOLDER robots/walker_fast.xml"]


def test_a_file_is_listed_once() -> None:
    assert details("walker", examples.packaged("resources")) == ["EXAMPLE walker.xml"]


def test_a_folder_of_the_name_means_its_models(folder: Path) -> None:
    assert details("unitree-g1", folder) == ["FOLDER unitree_g1/scene.xml"]


def test_near_names(folder: Path) -> None:
    found = find.find("hexpod", str(folder))
    assert found.models == () and "hexapod" in found.near
    assert find.find("zzzzzz", str(folder)) == find.FoundModels(())


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("walker", True), ("unitree_g1/g1", True), ("unitree-g1", True), ("walker.xml", False), ("./walker", False),
        ("/walker", False), ("a/b/c", False), ("", False), ("--names", False), ("~/a", False), ("a\nb", False), ("x.URDF", False),
    ],
)  # fmt: skip
def test_what_can_be_a_name(text: str, answer: bool) -> None:
    assert find.is_name(text) is answer


# ---- packages --------------------------------------------------------------------------------------------------------


def test_robots_of_the_menagerie(tmp_path: Path, menagerie: Path) -> None:
    [panda] = find.find("franka_panda", str(tmp_path / "empty")).models
    assert panda.source is ModelSource.MENAGERIE and not panda.download
    assert Path(panda.path) == menagerie / "models" / f"franka_panda-{'b' * 16}" / "scene.xml"
    [alone] = find.find("franka_panda/panda", str(tmp_path / "empty")).models
    assert Path(alone.path).name == "panda.xml"
    [g1] = find.find("unitree_g1", str(tmp_path / "empty")).models
    assert g1.download == ("mujoco_menagerie", "prefetch", "unitree_g1") and g1.size == 10_386_808


def test_a_clone_of_the_menagerie_in_place_of_downloads(tmp_path: Path, menagerie: Path, monkeypatch) -> None:
    (tmp_path / "clone" / "unitree_g1").mkdir(parents=True)
    monkeypatch.setenv("MENAGERIE_ROOT", str(tmp_path / "clone"))
    [g1] = find.find("unitree_g1", str(tmp_path / "empty")).models
    assert not g1.download and Path(g1.path) == tmp_path / "clone" / "unitree_g1" / "scene.xml"


@pytest.mark.parametrize("text", ["", "{}", '{"schema": 2, "robots": {}}', '{"schema": 1, "robots": {"a": 1}}', "[1]"])
def test_another_registry_has_no_robots(tmp_path: Path, menagerie: Path, text: str) -> None:
    (tmp_path / "site" / "mujoco_menagerie" / "registry.json").write_text(text)
    assert menagerie_.models() == []


def test_robots_of_robot_descriptions_are_read_and_not_cloned(tmp_path: Path, descriptions: Path) -> None:
    for name in ("g1_mj_description", "g1", "unitree_g1"):
        [g1] = find.find(name, str(tmp_path / "empty")).models
        assert g1.download == ("robot_descriptions", "pull", "g1_mj_description")
        assert Path(g1.path) == descriptions / "mujoco_menagerie" / "unitree_g1" / "g1.xml"
    assert not descriptions.exists()
    Path(g1.path).parent.mkdir(parents=True)
    Path(g1.path).write_text("<mujoco/>")
    [g1] = find.find("g1", str(tmp_path / "empty")).models
    assert not g1.download


def test_a_model_on_the_disk_comes_before_one_to_download(tmp_path: Path, menagerie: Path, descriptions: Path) -> None:
    both = find.find("unitree_g1", str(tmp_path / "empty")).models
    assert [model.source for model in both] == [ModelSource.DESCRIPTIONS, ModelSource.MENAGERIE]
    path = Path(both[0].path)
    path.parent.mkdir(parents=True)
    path.write_text("<mujoco/>")
    assert [model.source for model in find.find("unitree_g1", str(tmp_path / "empty")).models] == [
        ModelSource.DESCRIPTIONS
    ]


def test_names_for_completion(folder: Path, menagerie: Path, descriptions: Path) -> None:
    assert find.names("u", str(folder)) == ["unitree_g1"]
    assert find.names("g1", str(folder)) == ["g1"]
    assert find.names("unitree_g1/", str(folder)) == ["unitree_g1/g1"]
    assert {"hexapod", "hexapod_small"} <= set(find.names("hex", str(folder)))
    (folder / "hex apod;rm.xml").write_text("<mujoco/>")
    assert not [name for name in find.names("hex", str(folder)) if ";" in name or " " in name]


@pytest.mark.skipif(importlib.util.find_spec("mujoco_menagerie") is None, reason="mujoco-menagerie is not installed")
def test_the_real_menagerie(monkeypatch) -> None:
    monkeypatch.undo()
    known = {model.name: model for model in menagerie_.models()}
    assert known["unitree_g1"].detail == "Unitree G1" and len(known) > 60


@pytest.mark.skipif(
    importlib.util.find_spec("robot_descriptions") is None, reason="robot_descriptions is not installed"
)
def test_the_real_robot_descriptions(monkeypatch) -> None:
    monkeypatch.undo()
    known = {model.name: model for model in descriptions_.models()}
    assert known["g1_mj_description"].path.endswith(os.path.join("mujoco_menagerie", "unitree_g1", "g1.xml"))
    assert len(known) > 100
