"""Names of files by the rules of each system."""

from __future__ import annotations

from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.platforms.files import of_file_url, slashed

PARTS = st.lists(
    st.text("ab %Ä.é#", min_size=1, max_size=5).filter(lambda text: text.strip(" .")), min_size=1, max_size=4
)


def test_back_slashes():
    assert slashed(r"meshes\arm.stl") == "meshes/arm.stl"
    for name in (r"C:\models\arm.stl", r"\\server\share\arm.stl", r"..\arm.stl"):
        assert PureWindowsPath(slashed(name)) == PureWindowsPath(name)


@given(parts=PARTS)
def test_urls_of_unix_lead_back_to_their_files(parts):
    path = PurePosixPath("/", *parts)
    assert of_file_url(path.as_uri().removeprefix("file://"), "linux") == path


@given(parts=PARTS, start=st.sampled_from(("C:\\", "z:\\", r"\\server\share" + "\\")))
def test_urls_of_windows_lead_back_to_their_files(parts, start):
    path = PureWindowsPath(start, *parts)
    assert of_file_url(path.as_uri().removeprefix("file://"), "windows") == path


@pytest.mark.parametrize(
    ("rest", "system", "path"),
    [
        ("localhost/home/ada/x.stl", "linux", "/home/ada/x.stl"),
        ("home/ada/x.stl", "linux", "/home/ada/x.stl"),
        ("//home/ada/x.stl", "linux", "/home/ada/x.stl"),
        ("localhost/C:/x.stl", "windows", "C:/x.stl"),
        ("/C:/my%20arm/x.stl", "windows", "C:/my arm/x.stl"),
    ],
)
def test_other_ways_to_write_them(rest, system, path):
    assert of_file_url(rest, system).as_posix() == path
