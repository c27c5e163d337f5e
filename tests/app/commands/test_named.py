"""Names of models on the command line: a list on a terminal, one line elsewhere, downloads only when they are wanted."""

import io
import sys
from pathlib import Path

import pytest

from kinetree.app.commands import named
from kinetree.app.terminal import UsageError
from tests.app.test_command_line import refused, run_kinetree
from tests.engine.library.conftest import MJCF, descriptions, menagerie, without_packages  # noqa: F401


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def folder(tmp_path: Path, monkeypatch) -> Path:
    for name in ("one/hexapod.xml", "two/hexapod.urdf"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(MJCF)
    (tmp_path / "one" / "solo.xml").write_text(MJCF)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def typed(monkeypatch):
    """typed("2\\n"): the user has a terminal and will type this."""

    def type_(text: str) -> None:
        monkeypatch.setattr(sys, "stdin", Terminal(text))
        monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)

    return type_


def test_paths_stay_as_they_are(folder: Path) -> None:
    for path in ("one/hexapod.xml", "missing.xml", "./one", "/nowhere/x"):
        assert named.path_of(path) == path
    (folder / "walker").write_text(MJCF)
    assert named.path_of("walker") == "walker", "a file of that name wins"


def test_one_model_of_the_name(folder: Path) -> None:
    assert named.path_of("solo") == str(folder / "one" / "solo.xml")


def test_the_user_chooses_from_a_list(folder: Path, typed, capsys) -> None:
    typed("2\n")
    assert named.path_of("hexapod") == str(folder / "two" / "hexapod.urdf")
    said = capsys.readouterr()
    assert "   1  hexapod" in said.err and "one/hexapod.xml" in said.err and said.out == ""
    for answer in ("", "\n", "3\n", "0\n", "x\n"):
        typed(answer)
        with pytest.raises(UsageError, match="no model was chosen"):
            named.path_of("hexapod")


def test_a_download_needs_a_yes(folder: Path, menagerie: Path, typed, capsys, monkeypatch) -> None:  # noqa: F811
    started = []

    def run(line, **more):
        started.append(line)
        target = menagerie / "models" / f"unitree_g1-{'a' * 16}" / "scene.xml"
        target.parent.mkdir(parents=True)
        target.write_text(MJCF)
        return type("Done", (), {"returncode": 0})

    monkeypatch.setattr(named.subprocess, "run", run)
    for answer in ("\n", "n\n", ""):
        typed(answer)
        with pytest.raises(UsageError, match="unitree_g1 is not downloaded"):
            named.path_of("unitree_g1")
    assert not started and "10.4 MB" in capsys.readouterr().err
    typed("y\n")
    assert named.path_of("unitree_g1").endswith("scene.xml")
    assert started[0][-3:] == ["mujoco_menagerie", "prefetch", "unitree_g1"]


def test_a_download_that_fails_is_told(folder: Path, menagerie: Path, typed) -> None:  # noqa: F811
    typed("y\n")
    with pytest.raises(UsageError, match="could not be downloaded"):  # the package here cannot be run
        named.path_of("unitree_g1")


def test_without_a_terminal_the_list_is_an_error(folder: Path) -> None:
    done = run_kinetree("check", "hexapod", cwd=folder)
    assert refused(done, "'hexapod' means 2 models", "one/hexapod.xml", "two/hexapod.urdf")


def test_commands_take_names(folder: Path) -> None:
    done = run_kinetree("check", "walker", "solo", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert run_kinetree("convert", "walker", "copy.xml", cwd=folder).returncode == 0
    assert "walker" in (folder / "copy.xml").read_text()


def test_an_unknown_name_is_refused_with_near_ones(folder: Path) -> None:
    assert refused(run_kinetree("check", "walkr", cwd=folder), "no file and no model 'walkr'; did you mean 'walker'?")
    assert refused(run_kinetree("qqqqqqq", cwd=folder), "no command, no file and no model 'qqqqqqq'")
