"""Which ffmpeg writes a video: that of the extra, or of the system if it has what our formats need."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kinetree.app.pictures.formats import VIDEOS
from kinetree.engine.extras import ffmpeg, places
from kinetree.engine.extras.places import ExtraSource, MissingExtra
from kinetree.engine.extras.table import EXTRAS

LISTS = """#!/bin/sh
echo "Encoders:"
{lines}
"""


@pytest.fixture
def no_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without the extra; the folder that is its PATH."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(places.importlib.util, "find_spec", lambda name: None)
    (tmp_path / "bin").mkdir()
    return tmp_path / "bin"


def program(folder: Path, *encoders: str, end: str = "") -> Path:
    path = folder / "ffmpeg"
    lines = [f"echo ' V....D {name}   an encoder'" for name in encoders]
    path.write_text(LISTS.format(lines="\n".join([*lines, end])))
    path.chmod(0o755)
    return path


def test_the_encoders_are_those_of_the_formats() -> None:
    assert {form.codec for form in VIDEOS.values()} == set(ffmpeg.ENCODERS)


def test_that_of_the_system_serves(no_extra: Path) -> None:
    path = program(no_extra, *ffmpeg.ENCODERS)
    assert ffmpeg.program() == str(path)
    assert places.found(EXTRAS["video"]) is None
    assert places.found_anywhere(EXTRAS["video"]) == (ExtraSource.SYSTEM, str(path))


@pytest.mark.parametrize(
    ("encoders", "end"),
    [(("libvpx-vp9", "gif"), ""), (ffmpeg.ENCODERS, "exit 1")],
    ids=["without H.264", "it fails"],
)
def test_one_that_cannot_write_our_formats_does_not(no_extra: Path, encoders: tuple[str, ...], end: str) -> None:
    path = program(no_extra, *encoders, end=end)
    os.utime(path, ns=(1, 1))
    with pytest.raises(MissingExtra, match="the extra 'video'"):
        ffmpeg.program()
    program(no_extra, *ffmpeg.ENCODERS)  # a better one is installed in the meantime
    assert ffmpeg.program() == str(path)


def test_a_file_that_is_no_program_does_not(no_extra: Path) -> None:
    (no_extra / "ffmpeg").write_text("no program")
    (no_extra / "ffmpeg").chmod(0o755)
    with pytest.raises(MissingExtra):
        ffmpeg.program()


def test_that_of_the_extra_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    path = program(tmp_path / "bin", *ffmpeg.ENCODERS)
    monkeypatch.setenv("PATH", str(path.parent))
    assert "imageio_ffmpeg" in ffmpeg.program()
    real = ffmpeg.program()
    path.unlink()
    path.symlink_to(real)
    assert ffmpeg.of_the_system() == str(path), "the one of the extra has all encoders"
