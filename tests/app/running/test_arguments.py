"""The part of the command line that names files and places."""

import os

import pytest

from kinetree.app.commands.parsers import window_parser
from kinetree.app.running.arguments import files_of, parsed
from kinetree.app.running.message import FilePlace
from kinetree.app.terminal import UsageError


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("arm.xml:12:5", FilePlace("arm.xml", 12, 5)),
        ("arm.xml:12", FilePlace("arm.xml", 12)),
        ("C:\\models\\arm.xml:12:5", FilePlace("C:\\models\\arm.xml", 12, 5)),
        ("arm.xml", FilePlace("arm.xml")),
        ("arm.xml:", FilePlace("arm.xml:")),
        ("arm.xml:x:1", FilePlace("arm.xml:x", 1)),
        ("a\nb.xml:3", FilePlace("a\nb.xml", 3)),
        ("arm.xml:12345678901", FilePlace("arm.xml:12345678901")),
        (":3", FilePlace(":3")),
    ],
)
def test_places(text, place):
    assert parsed(text) == place


def files(*arguments):
    options = window_parser().parse_intermixed_args(list(arguments))
    return files_of(options, lambda name: name if os.path.exists(name) else f"/named/{name}")


def test_a_file_whose_name_looks_like_a_place_is_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "arm.xml:3").touch()
    assert files("arm.xml:3") == [FilePlace(str(tmp_path / "arm.xml:3"))]
    assert files("arm.xml:4") == [FilePlace(str(tmp_path / "arm.xml"), 4)]


def test_paths_are_of_the_callers_folder_and_each_counts_once(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.xml").touch()
    assert files("a.xml", "./a.xml", "humanoid", "--goto", "a.xml:3", "b.xml:2") == [
        FilePlace(str(tmp_path / "a.xml")),
        FilePlace("/named/humanoid"),
        FilePlace(str(tmp_path / "b.xml"), 2),
        FilePlace(str(tmp_path / "a.xml"), 3),
    ]


def test_goto_without_a_line_opens_a_file_that_there_is(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.xml").touch()
    assert files("--goto", "a.xml") == [FilePlace(str(tmp_path / "a.xml"))]
    with pytest.raises(UsageError, match="FILE:LINE"):
        files("--goto", "b.xml")
