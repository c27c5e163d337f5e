"""Shared by the commands."""

from __future__ import annotations

from contextlib import redirect_stderr
from io import StringIO
from pathlib import Path

import pytest

from kinetree.app.commands import common


class Terminal(StringIO):
    is_terminal = True

    def isatty(self) -> bool:
        return self.is_terminal


def written(path: Path, is_terminal: bool = True) -> str:
    """Output of loading a model on stderr."""
    stderr = Terminal()
    stderr.is_terminal = is_terminal
    with redirect_stderr(stderr):
        assert common.load(str(path)) is not None
    return stderr.getvalue()


@pytest.mark.parametrize("name", ["model.xml", "a very long name " * 9 + ".xml"])
def test_compiling_shows_its_progress_on_a_terminal_and_wipes_it_out(monkeypatch, tmp_path, name):
    monkeypatch.setattr(common, "SHOWN_AFTER", 0.0)
    path = tmp_path / name
    path.write_text("<mujoco/>")
    lines = written(path).split("\r")
    assert all(len(line) == common.WIDTH for line in lines[1:-1]) and lines[0] == lines[-1] == ""
    assert lines[-2].isspace()
    if len(name) < 20:
        assert lines[1].startswith("model.xml: 0 % compiled: check the text (Ctrl+C stops)")
        numbers = [int(line.split()[1]) for line in lines[1:-2]]
        assert numbers == sorted(numbers) and numbers[-1] == 100


def test_a_file_gets_no_progress(monkeypatch, model_file):
    monkeypatch.setattr(common, "SHOWN_AFTER", 0.0)
    assert written(model_file, is_terminal=False) == ""


def test_quick_compiling_shows_no_progress(monkeypatch, model_file):
    monkeypatch.setattr(common, "SHOWN_AFTER", 1e9)
    assert written(model_file) == ""
