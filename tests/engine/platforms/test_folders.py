"""Folders of each system, by its rules, and of this machine."""

from __future__ import annotations

import os
import platform
from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.platforms import folders
from kinetree.engine.platforms.system import HERE, described, system_of

KINDS = ("config", "cache", "data", "state", "runtime")
SYSTEMS = ("linux", "macos", "windows")
HOME = {"linux": "/home/ada", "macos": "/Users/ada", "windows": r"C:\Users\Ada"}
WITHOUT_VARIABLES = {
    "linux": [
        "/home/ada/.config/kinetree", "/home/ada/.cache/kinetree", "/home/ada/.local/share/kinetree",
        "/home/ada/.local/state/kinetree", "/home/ada/.cache/kinetree/run",
    ],
    "macos": [
        "/Users/ada/Library/Application Support/Kinetree", "/Users/ada/Library/Caches/Kinetree",
        "/Users/ada/Library/Application Support/Kinetree/Data", "/Users/ada/Library/Application Support/Kinetree/State",
        "/Users/ada/Library/Caches/Kinetree/run",
    ],
    "windows": [
        r"C:\Users\Ada\AppData\Roaming\Kinetree", r"C:\Users\Ada\AppData\Local\Kinetree\Cache",
        r"C:\Users\Ada\AppData\Local\Kinetree\Data", r"C:\Users\Ada\AppData\Local\Kinetree\State",
        r"C:\Users\Ada\AppData\Local\Kinetree\Run",
    ],
}  # fmt: skip


@pytest.mark.parametrize("system", SYSTEMS)
def test_folders_without_variables(system):
    assert [str(folders.folder(kind, system, {}, HOME[system])) for kind in KINDS] == WITHOUT_VARIABLES[system]


@pytest.mark.parametrize(
    ("kind", "system", "environment", "expected"),
    [
        ("config", "linux", {"XDG_CONFIG_HOME": "/etc/ada"}, "/etc/ada/kinetree"),
        ("cache", "linux", {"XDG_CACHE_HOME": "/fast"}, "/fast/kinetree"),
        ("data", "linux", {"XDG_DATA_HOME": "/data"}, "/data/kinetree"),
        ("state", "linux", {"XDG_STATE_HOME": "/state"}, "/state/kinetree"),
        ("runtime", "linux", {"XDG_RUNTIME_DIR": "/run/user/7"}, "/run/user/7/kinetree"),
        ("runtime", "linux", {"KINETREE_CACHE": "/fast/k"}, "/fast/k/run"),
        ("config", "macos", {"XDG_CONFIG_HOME": "/etc/ada"}, "/Users/ada/Library/Application Support/Kinetree"),
        ("runtime", "macos", {"TMPDIR": "/var/folders/x/T/"}, "/var/folders/x/T/kinetree"),
        ("config", "windows", {"APPDATA": r"\\server\ada"}, r"\\server\ada\Kinetree"),
        ("cache", "windows", {"LOCALAPPDATA": r"D:\local"}, r"D:\local\Kinetree\Cache"),
        ("cache", "windows", {"XDG_CACHE_HOME": "/fast"}, r"C:\Users\Ada\AppData\Local\Kinetree\Cache"),
        ("config", "windows", {"KINETREE_CONFIG": r"E:\stick"}, r"E:\stick"),
        ("cache", "macos", {"KINETREE_CACHE": "/fast"}, "/fast"),
        ("state", "linux", {"KINETREE_CONFIG": "/own", "XDG_STATE_HOME": "/state"}, "/own"),
    ],
)
def test_variables(kind, system, environment, expected):
    assert str(folders.folder(kind, system, environment, HOME[system])) == expected


@given(
    system=st.sampled_from(SYSTEMS),
    variables=st.dictionaries(
        st.sampled_from(
            ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TMPDIR",
             "APPDATA", "LOCALAPPDATA", "HOME"),
        ),
        st.sampled_from(("", ".", "here", "../up", "~/x", "C:", "C:here", r"\here", "/abs", r"C:\abs")),
    ),
)  # fmt: skip
def test_all_folders_are_absolute_and_different(system, variables):
    """Whatever the variables are: a relative one would give every current folder another set of settings."""
    found = [folders.folder(kind, system, variables, HOME[system]) for kind in KINDS]
    assert all(isinstance(path, PureWindowsPath if system == "windows" else PurePosixPath) for path in found)
    assert all(path.is_absolute() for path in found)
    assert all("kinetree" in str(path).lower() for path in found)
    if not any(variables.values()):
        assert len(set(found)) == len(found)


def test_the_systems_of_python():
    assert [system_of(name) for name in ("linux", "freebsd14", "darwin", "win32", "cygwin")] == [
        "linux", "linux", "macos", "windows", "linux",
    ]  # fmt: skip


def test_folders_of_this_machine(monkeypatch, tmp_path):
    for name in ("KINETREE_CONFIG", "KINETREE_CACHE", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    assert folders.config() == Path(folders.folder("config", HERE, os.environ, str(tmp_path)))
    assert tmp_path in folders.config().parents
    monkeypatch.setenv("KINETREE_CONFIG", str(tmp_path / "own"))
    assert folders.config() == tmp_path / "own"
    assert folders.shared_data() == tmp_path / ".local" / "share"


@pytest.mark.skipif(HERE == "windows", reason="permissions of POSIX")
def test_a_private_folder(tmp_path, monkeypatch):
    path = folders.private(tmp_path / "a" / "run")
    assert path.stat().st_mode & 0o777 == 0o700
    path.chmod(0o755)
    assert folders.private(path).stat().st_mode & 0o777 == 0o700
    link = tmp_path / "link"
    link.symlink_to(path)
    with pytest.raises(PermissionError):
        folders.private(link)
    monkeypatch.setattr(os, "getuid", lambda: path.stat().st_uid + 1)
    with pytest.raises(PermissionError):
        folders.private(path)


@pytest.mark.parametrize(
    ("system", "environment", "expected"),
    [
        ("linux", {}, "/home/ada/.cache/other"),
        ("linux", {"XDG_CACHE_HOME": "/fast"}, "/fast/other"),
        ("macos", {}, "/Users/ada/Library/Caches/other"),
        ("windows", {}, r"C:\Users\Ada\AppData\Local\other\cache"),
        ("windows", {"LOCALAPPDATA": r"D:\local"}, r"D:\local\other\cache"),
    ],
)
def test_caches_of_other_packages(system, environment, expected):
    assert str(folders.cache_of("other", system, environment, HOME[system])) == expected


def test_the_system_is_described(monkeypatch):
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: {"PRETTY_NAME": "Debian 12"})
    monkeypatch.setattr(platform, "release", lambda: "6.1")
    assert described("linux") == "Debian 12 (Linux 6.1)"
    monkeypatch.setattr(platform, "system", lambda: "Windows")
    assert described("windows") == "Windows 6.1"
