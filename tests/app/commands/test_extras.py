"""`kinetree extras`, and commands that need an extra."""

from __future__ import annotations

import subprocess

import pytest

from kinetree.app.main import main
from kinetree.engine.extras import installing, places
from kinetree.engine.extras.table import EXTRAS
from tests.engine.extras.conftest import Index, index  # noqa: F401 - a fixture


def test_an_extra_is_listed_installed_and_removed(index: Index, capsys: pytest.CaptureFixture) -> None:  # noqa: F811
    assert main(["extras", "list", "tiny"]) == 0
    assert capsys.readouterr().out == "tiny  not installed: 1 kB to download, 1 MB on the disk\n      Answers.\n"
    assert main(["extras", "install", "tiny"]) == 0
    folder = places.folder(index.extra)
    told = capsys.readouterr()
    assert told.out.splitlines() == [
        "tiny: fetching kinetree-tiny-extra 1.0 from the package index: 1 kB",
        f"tiny: installed in {folder}",
    ]
    assert told.err == "", "no progress where nobody looks"
    assert main(["extras", "install", "tiny"]) == 0
    assert capsys.readouterr().out == f"tiny: installed in {folder}\n"
    assert main(["extras"]) == 0
    told = capsys.readouterr().out
    assert all(f"{name} " in told for name in EXTRAS) and f"tiny       installed in {folder}" in told
    assert main(["extras", "remove", "tiny"]) == 0
    assert capsys.readouterr().out == "tiny: removed\n"
    assert main(["extras", "remove", "tiny"]) == 0
    assert capsys.readouterr().out == "tiny: was not installed\n"


def test_a_failure_is_one_line_and_a_status(index: Index, capsys: pytest.CaptureFixture) -> None:  # noqa: F811
    index.wheel.unlink()
    assert main(["extras", "install", "tiny"]) == 1
    told = capsys.readouterr().err
    assert (
        told.startswith("kinetree: extras: the package index has no kinetree-tiny-extra 1.0") and told.count("\n") == 1
    )


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["get"], "extras: 'get' is not one of list, install, remove"),
        (["install"], "extras: name an extra: video, decompose, parquet, models, all"),
        (["install", "vidoe"], "extras: there is no extra 'vidoe': video, decompose, parquet, models, all"),
    ],
)
def test_wrong_arguments(arguments: list[str], told: str, capsys: pytest.CaptureFixture) -> None:
    assert main(["extras", *arguments]) == 2
    assert told in capsys.readouterr().err


def test_part_of_the_environment_is_not_removed(capsys: pytest.CaptureFixture, monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert main(["extras", "remove", "parquet"]) == 0
    assert "not removed: it is part of this environment" in capsys.readouterr().out
    assert main(["extras", "install", "parquet"]) == 0
    assert "part of this environment" in capsys.readouterr().out


def test_a_video_without_ffmpeg_names_the_command_and_fetches_nothing(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("KINETREE_COMMAND", "./run")
    monkeypatch.setattr(places.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(installing, "install", pytest.fail)
    monkeypatch.setattr(subprocess, "Popen", pytest.fail)
    model = tmp_path / "m.xml"
    model.write_text("<mujoco/>")
    assert main(["render", str(model), "-o", str(tmp_path / "a.mp4")]) == 1
    told = capsys.readouterr().err
    assert told.endswith(": `./run extras install video` installs it\n") and "'video' (imageio-ffmpeg, " in told
    assert not (tmp_path / "a.mp4").exists()
