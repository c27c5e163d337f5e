"""The shared list of recent documents: nothing of others changes, and what is damaged is left alone."""

import os
import sys
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest

from kinetree.engine.platforms import recent_documents
from kinetree.engine.platforms.recent_documents import EMPTY, NAME, Damaged, add, is_wanted, with_document

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only desktops of Linux have this list")

OTHERS = """<?xml version="1.0" encoding="UTF-8"?>
<xbel version="1.0"
      xmlns:bookmark="http://www.freedesktop.org/standards/desktop-bookmarks"
      xmlns:mime="http://www.freedesktop.org/standards/shared-mime-info"
>
  <!-- ü, kept as it is -->
  <bookmark href="file:///home/a/letter%20one.odt" added="2024-01-02T03:04:05.6Z" modified='2024-01-02T03:04:05Z'   visited="2024-01-02T03:04:05Z">
    <title>a &gt; b</title>
    <info>
      <metadata owner="http://freedesktop.org">
        <mime:mime-type type="application/x"/>
        <bookmark:private/>
        <bookmark:applications>
          <bookmark:application name="Kinetree Viewer" exec="&apos;v > %u&apos;" modified="2024-01-02T03:04:05Z" count="7"/>
        </bookmark:applications>
      </metadata>
      <metadata owner="http://example.org"><x:y xmlns:x="urn:x" z=">"/></metadata>
    </info>
  </bookmark>
</xbel>
""".encode()
PATH = "/home/a/my model \u00fc&'.xml"
ADDRESS = "file:///home/a/my%20model%20%C3%BC%26%27.xml"
WHEN = datetime(2026, 1, 2, 3, 4, 5, 678, UTC)
LATER = datetime(2026, 2, 2, 3, 4, 5, 678, UTC)
BOOKMARK = "{http://www.freedesktop.org/standards/desktop-bookmarks}"


def entries(data, address=ADDRESS):
    return [each for each in ElementTree.fromstring(data).iter("bookmark") if each.get("href") == address]


def applications(entry):
    return {
        each.get("name"): (each.get("count"), each.get("modified")) for each in entry.iter(f"{BOOKMARK}application")
    }


@pytest.mark.parametrize("before", [EMPTY, OTHERS])
def test_an_entry_is_inserted_and_nothing_else_changes(before):
    after = with_document(before, PATH, "model/x-mjcf+xml", WHEN)
    cut = before.index(b"</xbel>")
    assert after.startswith(before[:cut]) and after.endswith(before[cut:])
    [entry] = entries(after)
    assert entry.get("added") == entry.get("modified") == entry.get("visited") == "2026-01-02T03:04:05.000678Z"
    assert applications(entry) == {"Kinetree": ("1", "2026-01-02T03:04:05.000678Z")}
    [own] = entry.iter(f"{BOOKMARK}application")
    assert own.get("exec") == "'kinetree %u'"


def test_an_entry_is_brought_up_to_date():
    once = with_document(OTHERS, PATH, "model/x-mjcf+xml", WHEN)
    twice = with_document(once, PATH, "model/x-mjcf+xml", LATER)
    [entry] = entries(twice)
    assert (entry.get("added"), entry.get("visited")) == ("2026-01-02T03:04:05.000678Z", "2026-02-02T03:04:05.000678Z")
    assert applications(entry) == {"Kinetree": ("2", "2026-02-02T03:04:05.000678Z")}
    assert twice.startswith(OTHERS[: OTHERS.index(b"</xbel>")])


def test_an_entry_of_another_program_gets_ours_beside_its_own():
    after = with_document(OTHERS, "/home/a/letter one.odt", "x/y", LATER)
    [entry] = entries(after, "file:///home/a/letter%20one.odt")
    assert entry.get("added") == "2024-01-02T03:04:05.6Z" and entry.get("modified") == "2026-02-02T03:04:05.000678Z"
    assert applications(entry)["Kinetree Viewer"] == ("7", "2024-01-02T03:04:05Z")
    assert applications(entry)["Kinetree"][0] == "1"
    kept = [line for line in OTHERS.splitlines() if b"<bookmark href" not in line]
    assert all(line in after.splitlines() for line in kept)


DAMAGED = [
    b"",
    b"<xbel",
    OTHERS[:-30],
    b"<html></html>",
    b"<xbel/>",
    OTHERS.replace(b"UTF-8", b"ISO-8859-1", 1),
    OTHERS.decode().encode("utf-16"),
    b'<!DOCTYPE xbel [<!ENTITY a "b">]><xbel>&a;</xbel>',
    OTHERS + b"<more/>",
    OTHERS.replace("ü".encode(), b"\xff"),
]


@pytest.mark.parametrize("data", DAMAGED)
def test_a_damaged_list_is_left_alone(tmp_path, data):
    with pytest.raises(Damaged):
        with_document(data, PATH, "x/y", WHEN)
    target = tmp_path / NAME
    target.write_bytes(data)
    assert not add(PATH, "x/y", WHEN, target)
    assert target.read_bytes() == data and list(tmp_path.iterdir()) == [target]


def test_a_list_that_the_user_has_closed_is_left_alone(tmp_path):
    target = tmp_path / NAME
    target.write_bytes(OTHERS)
    target.chmod(0o400)
    assert not add(PATH, "x/y", WHEN, target) and target.read_bytes() == OTHERS
    folder = tmp_path / "folder"
    folder.mkdir()
    assert not add(PATH, "x/y", WHEN, folder) and not list(folder.iterdir())


def test_a_new_list_is_the_users_own(tmp_path):
    target = tmp_path / "share" / NAME
    assert add(PATH, "x/y", WHEN, target)
    assert target.stat().st_mode & 0o777 == 0o600 and len(entries(target.read_bytes())) == 1


def test_another_program_that_writes_meanwhile_loses_nothing(tmp_path, monkeypatch):
    target, calls = tmp_path / NAME, []
    target.write_bytes(EMPTY)

    def compute(*arguments):
        if not calls:
            calls.append(target.write_bytes(OTHERS))
        return with_document(*arguments)

    monkeypatch.setattr(recent_documents, "with_document", compute)
    assert add(PATH, "x/y", WHEN, target)
    assert len(entries(target.read_bytes())) == 1 and b"letter%20one" in target.read_bytes()


def test_the_choice_of_the_desktop_counts(tmp_path, monkeypatch):
    assert is_wanted(tmp_path)
    (tmp_path / "gtk-3.0").mkdir()
    for text, wanted in (
        ("[Settings]\ngtk-recent-files-enabled=0\n", False),
        ("[Settings]\ngtk-recent-files-enabled = false\n", False),
        ("[Settings]\ngtk-recent-files-enabled=1\n", True),
        ("gtk-recent-files-enabled=0", True),
        ("\0", True),
    ):
        (tmp_path / "gtk-3.0" / "settings.ini").write_text(text)
        assert is_wanted(tmp_path) == wanted
    (tmp_path / "gtk-3.0" / "settings.ini").write_text("[Settings]\ngtk-recent-files-enabled=0\n")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    assert not add(PATH, "x/y", WHEN, tmp_path / NAME) and not os.path.exists(tmp_path / NAME)
