"""Models below a folder: by content, within bounds."""

import os
from pathlib import Path

import pytest

from kinetree.engine.library.folder import Bounds, Walk, kind_of, may_be_model, models, root_of
from kinetree.engine.progress import Cancelled, reported


def found(folder: Path, bounds: Bounds = Bounds()) -> set[str]:  # noqa: B008
    return {model.detail.replace(os.sep, "/") for model in models(str(folder), bounds=bounds)[0]}


def test_models_are_known_by_their_content(folder: Path) -> None:
    assert found(folder) == {
        "robots/hexapod.xml", "robots/hexapod_small.mjcf", "robots/arm/hexapod.urdf", "unitree_g1/scene.xml",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("<mujoco>", "mujoco"),
        ('<?xml version="1.0"?>\n<!-- <robot> -->\n<x_xy a="1">', "x_xy"),
        ("<!DOCTYPE mujoco [<!ENTITY a 'b'>]><mujoco/>", "mujoco"),
        ("<mujocoinclude/>", "mujocoinclude"),
        ("text", None),
        ("", None),
        ("<!-- without end", None),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_the_root_element_of_a_text(text: str, root: str | None, encoding: str) -> None:
    assert root_of(text.encode(encoding)) == root


def test_a_long_comment_before_the_root_element_is_read_over(tmp_path: Path) -> None:
    path = tmp_path / "a.xml"
    path.write_text(f"<!--{'x' * 20_000}--><mujoco/>")
    assert kind_of(str(path)) == "MJCF"
    path.write_text(f"<!--{'x' * 2_000_000}--><mujoco/>")
    assert kind_of(str(path)) == ""


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.xml")
    assert kind_of(str(tmp_path / "a.xml")) == ""


def test_near_files_come_first_and_loops_of_links_end(folder: Path) -> None:
    (folder / "near.xml").write_text("<mujoco/>")
    (folder / "robots" / "again").symlink_to(folder, target_is_directory=True)
    paths = list(Walk(str(folder)))
    assert paths[0].endswith("near.xml") and len(paths) == len(set(paths))
    assert not any("again" in path for path in paths)


def test_bounds_end_the_walk_and_are_told(folder: Path) -> None:
    assert found(folder, Bounds(depth=2)) == {"robots/hexapod.xml", "robots/hexapod_small.mjcf", "unitree_g1/scene.xml"}
    for bounds in (Bounds(depth=2), Bounds(entries=3), Bounds(seconds=-1)):
        assert models(str(folder), bounds=bounds)[1], bounds
    assert not models(str(folder))[1]


def test_the_walk_can_be_cancelled(folder: Path) -> None:
    def refuse(fraction: float) -> None:
        raise Cancelled

    with reported(refuse):
        walk = Walk(str(folder))
        assert list(walk) == [] and walk.is_cut


def test_only_wanted_files_are_read(folder: Path, monkeypatch) -> None:
    read = []
    monkeypatch.setattr("kinetree.engine.library.folder.kind_of", lambda path: read.append(path) or "MJCF")
    models(str(folder), lambda model: model.name == "scene")
    assert [Path(path).name for path in read] == ["scene.xml"]


@pytest.mark.parametrize(
    ("name", "data", "may_be"),
    [
        ("photo.png", b"\x89PNG\r\n\x1a\n" + bytes(9000), False),
        ("photo.xml", b"\x89PNG\r\n\x1a\n", False),
        ("notes.txt", b"some words", False),
        ("empty.xml", b"", False),
        ("drawing.svg", b"<?xml version='1.0'?><svg/>", False),
        ("model.txt", b"\xef\xbb\xbf \n<mujoco/>", True),
        ("wide.xml", "\ufeff\n<robot name='a'/>".encode("utf-16"), True),
        ("broken.xml", b"<mujoco><", True),
        ("typo.xml", b"< mujoco/>", True),
        ("far.xml", b"<!--" + b"x" * (1 << 19) + b"--><mujoco/>", True),
        ("saved.kmodel", b"anything", True),
    ],
)
def test_the_first_bytes_tell_what_cannot_be_a_model(tmp_path, name, data, may_be):
    (tmp_path / name).write_bytes(data)
    assert may_be_model(str(tmp_path / name)) is may_be


def test_a_folder_and_a_missing_file_are_no_models(tmp_path):
    assert not may_be_model(str(tmp_path)) and not may_be_model(str(tmp_path / "gone.xml"))
