"""A file that is replaced is the old one or the new one, whole, with the permissions that it should have."""

import os
import stat
from pathlib import Path

import pytest

from kinetree.engine.atomic import replaced

pytestmark = pytest.mark.skipif(os.name == "nt", reason="permissions and links of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def mask():
    before = os.umask(0o027)
    yield 0o027
    os.umask(before)


def test_a_file_is_complete_or_not_there(tmp_path):
    path = tmp_path / "a.txt"

    def fail():
        with replaced(path) as draft:
            Path(draft).write_text("half")
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        fail()
    assert list(tmp_path.iterdir()) == []
    path.write_text("old")
    with pytest.raises(OSError, match="full"):
        fail()
    assert path.read_text() == "old"
    with replaced(path) as draft, open(draft, "w") as file:
        file.write("new")
        assert path.read_text() == "old" and Path(draft).suffix == ".txt"
    assert path.read_text() == "new" and list(tmp_path.iterdir()) == [path]


def test_a_new_file_is_as_the_user_wants_new_files(tmp_path, mask):
    with replaced(tmp_path / "new") as draft:
        Path(draft).write_text("new")
    assert mode(tmp_path / "new") == 0o666 & ~mask


@pytest.mark.parametrize("permissions", [0o600, 0o664, 0o444])
def test_permissions_and_links_stay(tmp_path, permissions):
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("old")
    path.chmod(permissions)
    link.symlink_to(path)
    with replaced(link) as draft:
        Path(draft).write_text("new")
    assert link.is_symlink() and path.read_text() == "new" and mode(path) == permissions


def test_what_cannot_be_written_is_told_and_leaves_nothing(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError), replaced(tmp_path / "missing" / "file"):
        pass
    with pytest.raises(OSError), replaced(tmp_path / "folder"):
        pass
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
