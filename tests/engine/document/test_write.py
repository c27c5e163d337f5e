"""Files written together: all of them or none."""

from __future__ import annotations

from pathlib import Path

import pytest

from kinetree.engine.document.source import Source
from kinetree.engine.document.write import ChangedOnDisk, Save, write_with_copies


def text(path: Path, content: str) -> Source:
    return Source(str(path), None, content, path.parent)


def save(path: Path) -> Save:
    return Save(str(path), str(path), text(path, "<main/>"), None, False)


def test_copies_get_their_folders(tmp_path):
    copies = [tmp_path / "a" / "b" / "one.xml", tmp_path / "a" / "two.xml"]
    write_with_copies(save(tmp_path / "main.xml"), [(str(path), text(path, f"<{path.stem}/>")) for path in copies])
    assert [path.read_text() for path in (*copies, tmp_path / "main.xml")] == ["<one/>", "<two/>", "<main/>"]


def test_nothing_is_left_where_one_cannot_be_written(tmp_path):
    there = tmp_path / "there.xml"
    there.write_text("<other/>")
    copies = [tmp_path / "a" / "one.xml", there]
    with pytest.raises(ChangedOnDisk, match="in the meantime"):
        write_with_copies(save(tmp_path / "main.xml"), [(str(path), text(path, "<x/>")) for path in copies])
    with pytest.raises(OSError):
        write_with_copies(save(tmp_path / "lost" / "main.xml"), [(str(copies[0]), text(copies[0], "<x/>"))])
    assert list(tmp_path.iterdir()) == [there] and there.read_text() == "<other/>"
