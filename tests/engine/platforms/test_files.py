"""Files by the rules of systems that this one is not: what Windows and macOS answer comes from functions of the tests."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kinetree.engine.platforms import files
from kinetree.engine.platforms.system import HERE


def refused(winerror: int) -> OSError:
    """The error of Windows with this number."""
    error = PermissionError(errno.EACCES, "in use")
    error.winerror = winerror  # pyright: ignore[reportAttributeAccessIssue]
    return error


class Rename:
    """Refuses some times, then does it."""

    def __init__(self, *errors: OSError):
        self.errors, self.calls = list(errors), 0

    def __call__(self, draft, target) -> None:
        self.calls += 1
        if self.errors:
            raise self.errors.pop(0)
        os.replace(draft, target)


@given(times=st.integers(0, len(files.PAUSES)), winerror=st.sampled_from((5, 32, 33)))
def test_windows_is_asked_again_while_the_target_is_in_use(tmp_path_factory, times, winerror):
    folder = tmp_path_factory.mktemp("in use")
    draft, target = folder / "draft", folder / "model.xml"
    draft.write_text("new", encoding="utf-8")
    target.write_text("old", encoding="utf-8")
    rename, pauses = Rename(*[refused(winerror)] * times), []
    files.replace(draft, target, "windows", rename, pauses.append)
    assert target.read_text(encoding="utf-8") == "new" and not draft.exists()
    assert rename.calls == times + 1 and pauses == list(files.PAUSES[:times])


def test_windows_is_not_asked_for_ever():
    rename, pauses = Rename(*[refused(32)] * 100), []
    with pytest.raises(PermissionError):
        files.replace("draft", "target", "windows", rename, pauses.append)
    assert rename.calls == len(files.PAUSES) + 1 and 0.5 < sum(pauses) < 2.0


@pytest.mark.parametrize(
    ("system", "error"),
    [
        ("windows", refused(183)),  # another error of Windows
        ("windows", FileNotFoundError(errno.ENOENT, "no such file")),
        ("linux", PermissionError(errno.EACCES, "not yours")),
        ("macos", PermissionError(errno.EACCES, "not yours")),
    ],
)
def test_other_errors_are_told_at_once(system, error):
    rename, pauses = Rename(error), []
    with pytest.raises(type(error)):
        files.replace("draft", "target", system, rename, pauses.append)
    assert rename.calls == 1 and not pauses


@pytest.mark.parametrize(("system", "is_full"), [("linux", False), ("macos", True), ("windows", False)])
def test_macos_flushes_the_drive_too(system, is_full):
    calls = []
    files.flush(7, system, lambda d: calls.append(d), lambda d, number: calls.append((d, number)))
    assert calls == [(7, 51) if is_full else 7]


def test_a_drive_of_macos_that_cannot_is_flushed_as_usual():
    def control(descriptor: int, number: int) -> None:
        raise OSError(errno.ENOTSUP, "not supported")

    calls = []
    files.flush(7, "macos", calls.append, control)
    assert calls == [7]


def test_a_folder_of_windows_is_told_as_one(tmp_path):
    """Windows answers "permission denied"."""

    def open_file(path, flags):
        raise PermissionError(errno.EACCES, "Permission denied", path)

    with pytest.raises(IsADirectoryError):
        files.open_to_read(tmp_path, open_file)
    (tmp_path / "file").touch()
    with pytest.raises(PermissionError):
        files.open_to_read(tmp_path / "file", open_file)


@pytest.mark.skipif(HERE == "windows", reason="pipes of POSIX")
def test_a_pipe_without_a_writer_is_opened_at_once(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    descriptor = files.open_to_read(tmp_path / "pipe")
    assert stat.S_ISFIFO(os.fstat(descriptor).st_mode)
    os.close(descriptor)


@pytest.mark.skipif(HERE == "windows", reason="permissions of POSIX")
def test_permissions_are_taken_over(tmp_path: Path):
    old, draft = tmp_path / "old", tmp_path / "draft"
    old.touch(0o640)
    draft.touch()
    files.take_over(old.stat(), draft)
    assert stat.S_IMODE(draft.stat().st_mode) == 0o640
