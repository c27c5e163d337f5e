"""Unsaved texts survive the end of their program, whenever it comes."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from kinetree.app.workers.journal import INTERVAL, JournalThread, Unsaved, UnsavedText, left_sessions, remove_session
from tests.app.conftest import wait_for
from tests.patience import LIMIT

WEIRD = 'a\r\nb\tü𝄞\udcff "'


@pytest.fixture
def root(tmp_path):
    return tmp_path / "unsaved"


@pytest.fixture
def start(root):
    """start(): a thread that keeps a journal; its `heard` holds what it told."""
    threads = []

    def make():
        heard = []
        thread = JournalThread(root, lambda left: heard.append(("found", left)), lambda text: heard.append(text))
        thread.heard = heard
        threads.append(thread)
        thread.start()
        wait_for(lambda: heard)
        return thread

    yield make
    for thread in threads:
        thread.stop()
        thread.join(LIMIT)


def unsaved(text: str, base: str | None = "old") -> Unsaved:
    return Unsaved("/models/a.xml", (UnsavedText("/models/a.xml", text, base),))


def state_files(root) -> list:
    return list(root.glob("*/state.json")) if root.exists() else []


def test_what_is_recorded_is_on_the_disk_soon_and_gone_after_the_end(root, start):
    thread = start()
    for number in range(50):
        thread.record(unsaved(f"{WEIRD}{number}"))
    wait_for(
        lambda: any(path.read_bytes() == f"{WEIRD}49".encode("utf-8", "surrogatepass") for path in root.glob("*/*.txt"))
    )
    assert left_sessions(root) == []  # its program, this one, is running
    [folder] = root.iterdir()
    wait_for(lambda: len(list(folder.glob("*.txt"))) == 2)  # older texts are not kept
    assert folder.stat().st_mode & 0o077 == 0
    thread.stop()
    thread.join(LIMIT)
    assert list(root.iterdir()) == []


def test_nothing_is_written_while_nothing_is_unsaved(root, start):
    thread = start()
    thread.record(Unsaved("/models/a.xml", ()))
    time.sleep(0.1)
    assert state_files(root) == []


def test_a_folder_that_cannot_be_written_is_told_once(root, start):
    root.parent.mkdir(exist_ok=True)
    root.write_text("a file is in the way")
    thread = start()
    for number in range(2):
        thread.record(unsaved(str(number)))
        time.sleep(INTERVAL + 0.1)
    messages = [text for text in thread.heard if isinstance(text, str)]
    assert len(messages) == 1 and "cannot be kept" in messages[0]


@pytest.mark.parametrize("damage", ["{", '{"format": 1}', '{"format": 99, "main": "", "time": 0, "files": []}', "[]"])
def test_damaged_sessions_are_left_out(root, damage):
    folder = root / "x"
    folder.mkdir(parents=True)
    (folder / "state.json").write_text(damage)
    assert left_sessions(root) == []


def test_sessions_that_hold_nothing_are_deleted(root):
    folder = root / "one"
    folder.mkdir(parents=True)
    (folder / "state.json").write_text(json.dumps({"format": 1, "main": "/m.xml", "time": 1.0, "files": []}))
    assert left_sessions(root) == []
    assert not folder.exists()


def test_a_session_names_no_file_outside_of_it(root, tmp_path):
    (tmp_path / "secret").write_text("secret")
    folder = root / "x"
    folder.mkdir(parents=True)
    state = '{"format":1,"main":"/m.xml","time":1,"files":[{"path":"/m.xml","text":"../../secret","base":null}]}'
    (folder / "state.json").write_text(state)
    assert left_sessions(root) == []


TYPIST = """
import os, sys, time
from pathlib import Path
from kinetree.app.workers.journal import JournalThread, Unsaved, UnsavedText

def tell(word, number):
    os.write(1, f"{word} {number}\\n".encode())  # a line at once: two threads tell

class Telling(JournalThread):
    def _write(self, unsaved):
        super()._write(unsaved)
        tell("kept", unsaved.files[0].text.split()[1])

thread = Telling(Path(sys.argv[1]), lambda left: None, print)
thread.start()
number = 0
while True:
    number += 1
    text = f"<mujoco><!-- {number} {'x' * 20_000} --></mujoco>"
    thread.record(Unsaved("/m.xml", (UnsavedText("/m.xml", text, None),)))
    tell("typed", number)
    time.sleep(0.01)
"""


@pytest.mark.parametrize("seed", range(4))
def test_killed_at_any_moment_it_loses_nothing_that_was_kept(root, seed):
    """Typed text is kept within `INTERVAL`, and the journal is whole at any moment."""
    assert INTERVAL < 1.0
    typist = subprocess.Popen([sys.executable, "-c", TYPIST, str(root)], stdout=subprocess.PIPE, text=True)
    assert typist.stdout is not None
    lines = []
    last = 40 + random.Random(seed).randrange(100)
    while len(lines) < last or not any(line.startswith("kept") for line in lines):
        lines.append(typist.stdout.readline())
    typist.send_signal(signal.SIGKILL)
    lines += [line for line in typist.stdout.read().splitlines() if line.count(" ") == 1]
    typist.wait()
    typist.stdout.close()
    [left] = left_sessions(root)
    number = int(left.files[0].text.split()[1])
    told = [line.split() for line in lines]
    assert number >= max(int(each) for word, each in told if word == "kept")
    assert number <= 1 + max(int(each) for word, each in told if word == "typed")
    assert left.files[0].base is None and len(left.files[0].text) > 20_000
    assert left.folder is not None and os.path.isdir(left.folder)
    remove_session(left.folder)
    assert left_sessions(root) == []


def written(root, name: str, text: str, replaces: str = "", files: bool = True) -> None:
    """A session that a crash has left."""
    folder = root / name
    folder.mkdir(parents=True)
    (folder / "t.txt").write_text(text)
    found = [{"path": "/models/a.xml", "text": "t.txt", "base": None}] if files else []
    state = {"format": 1, "main": "/models/a.xml", "time": float(len(name)), "files": found, "replaces": replaces}
    (folder / "state.json").write_text(json.dumps(state))


def test_what_another_session_has_recovered_is_offered_once(root):
    written(root, "a", "old")
    written(root, "bb", "recovered, and edited", replaces="a")
    written(root, "ccc", "of another time")
    assert [each.files[0].text for each in left_sessions(root)] == ["of another time", "recovered, and edited"]
    assert not (root / "a").exists()
    written(root, "dddd", "", replaces="bb", files=False)  # all saved since
    assert [each.files[0].text for each in left_sessions(root)] == ["of another time"]
    assert [each.name for each in root.iterdir()] == ["ccc"]


def test_sessions_that_ended_while_they_began_are_deleted(root):
    for name in ("now", "earlier"):
        (root / name).mkdir(parents=True)
        (root / name / "t.txt").write_text("x")
    os.utime(root / "earlier", (time.time() - 100, time.time() - 100))
    assert left_sessions(root) == []
    assert [each.name for each in root.iterdir()] == ["now"]


def test_a_session_that_is_damaged_in_any_way_does_not_end_the_thread(root, start):
    (root / "damaged").mkdir(parents=True)
    (root / "damaged" / "state.json").write_bytes(b"[" * 5000)  # Python raises RecursionError for that
    thread = start()
    assert thread.heard == [("found", [])]
    thread.record(unsaved("typed"))
    wait_for(lambda: len(state_files(root)) == 2)
