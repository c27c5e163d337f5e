"""Files are watched by content, however they are written."""

import contextlib
import hashlib
import os
import threading
import time

import pytest

from kinetree.app.workers import watching as watching_module
from kinetree.app.workers.watching import GONE, Obstacle, Watched, WatchThread
from kinetree.engine.document.files import read_file
from tests.app.conftest import wait_for
from tests.patience import LIMIT


class Counting(WatchThread):
    """Counts its looks."""

    looks = 0

    def _look(self) -> list[str]:
        found = super()._look()
        self.looks += 1
        return found

    def look_again(self) -> None:
        """Wait until it has looked, and told what it saw: the first of three looks may have begun before."""
        for _ in range(3):
            before = self.looks
            self.poke()
            wait_for(lambda before=before: self.looks > before)


@contextlib.contextmanager
def watching(*paths, **baseline):
    changes = []
    thread = Counting(
        lambda change: changes.append([os.path.basename(path) for path in change.paths]), lambda paths: None
    )
    thread.changes = changes
    thread.start()
    thread.watch(Watched([str(path) for path in paths], **baseline))
    try:
        if paths:
            wait_for(lambda: thread.looks)
        yield thread
    finally:
        thread.stop()
        thread.join(LIMIT)
        assert not thread.is_alive()


def digest(data: bytes) -> str:
    return hashlib.blake2b(data, digest_size=16).hexdigest()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "model.xml"
    path.write_bytes(b"one")
    return path


def test_a_rewrite_is_a_change(file):
    with watching(file) as thread:
        file.write_bytes(b"two")
        thread.poke()
        wait_for(lambda: thread.changes == [["model.xml"]])


def test_polling_sees_what_nobody_told(file):
    with watching(file) as thread:
        file.write_bytes(b"two")
        wait_for(lambda: thread.changes == [["model.xml"]])


def test_a_touch_is_no_change(file):
    with watching(file) as thread:
        os.utime(file, (1, 1))
        file.write_bytes(b"one")
        thread.look_again()
        assert thread.changes == []


def test_replacing_by_rename_is_one_change(file, tmp_path):
    with watching(file) as thread:
        for text in (b"two", b"three"):
            new = tmp_path / "new"
            new.write_bytes(text)
            os.replace(new, file)
            thread.look_again()
        assert thread.changes == [["model.xml"]] * 2


def test_a_text_that_went_before_it_was_watched_is_told(file):
    known = read_file(str(file)).parsed
    file.unlink()
    with watching(file, texts={str(file): known}, since=time.time()) as thread:
        wait_for(lambda: thread.changes == [["model.xml"]])


@pytest.fixture
def long_absence(monkeypatch):
    """A file may be missing for as long as a test waits for anything."""
    monkeypatch.setattr(watching_module, "GONE", 2 * LIMIT)
    monkeypatch.setattr(watching_module, "POLL", 0.05)


def test_deleted_and_restored(file, long_absence, monkeypatch):
    with watching(file) as thread:
        file.unlink()
        thread.look_again()
        assert thread.changes == []
        monkeypatch.setattr(watching_module, "GONE", GONE)
        thread.poke()
        wait_for(lambda: len(thread.changes) == 1)
        file.write_bytes(b"one")
        thread.poke()
        wait_for(lambda: len(thread.changes) == 2)


def test_a_short_absence_is_no_change(file, long_absence):
    with watching(file) as thread:
        file.unlink()
        thread.look_again()
        file.write_bytes(b"one")
        thread.look_again()
        assert thread.changes == [] and not thread._missing


def test_a_file_is_not_seen_empty_while_it_is_written(file, long_absence):
    """A program that truncates a file and then writes it. What was in it is not lost for that moment."""
    seen = []
    with watching(file) as thread:
        for number in range(3):
            with open(file, "wb") as opened:
                thread.look_again()
                opened.write(b"new %d" % number)
            seen.append(len(thread.changes))
            thread.poke()
            wait_for(lambda: len(thread.changes) == number + 1)  # noqa: B023
        assert seen == [0, 1, 2]


def test_a_file_that_stays_empty_is_a_change(file):
    with watching(file) as thread:
        file.write_bytes(b"")
        thread.poke()
        wait_for(lambda: thread.changes == [["model.xml"]])


def test_a_text_is_not_reported_while_it_is_rewritten_all_the_time(tmp_path):
    """The report is one version, never a mixture of two. It may be the begin of one: the system can interrupt the
    writer in the middle for as long as it likes.
    """
    path, stop = tmp_path / "model.xml", threading.Event()
    versions = {"<mujoco><!-- %s --></mujoco>" % (letter * 200_000) for letter in "abc"}
    path.write_text("<mujoco/>")

    def rewrite():
        while not stop.is_set():
            for text in versions:
                path.write_text(text)

    reported = []
    thread = Counting(reported.append, lambda paths: None)
    thread.start()
    thread.watch(Watched([str(path)], {str(path): read_file(path).text}))
    writer = threading.Thread(target=rewrite)
    writer.start()
    time.sleep(1.5)
    stop.set()
    writer.join()
    thread.poke()
    wait_for(lambda: reported and reported[-1].reads[str(path)].text.source.text == path.read_text())
    thread.stop()
    thread.join(LIMIT)
    for change in reported:
        text = change.reads[str(path)].text.source.text
        assert any(version.startswith(text) for version in versions)


def test_a_file_that_is_not_there_yet(tmp_path):
    path = tmp_path / "later.xml"
    with watching(path) as thread:
        path.write_bytes(b"now")
        thread.poke()
        wait_for(lambda: thread.changes == [["later.xml"]])


def test_truncated_half_way(file):
    with watching(file) as thread:
        with file.open("wb") as stream:
            stream.write(b"half")
            stream.flush()
            thread.poke()
            wait_for(lambda: len(thread.changes) == 1)
            stream.write(b" whole")
        thread.poke()
        wait_for(lambda: len(thread.changes) == 2)


def test_what_was_written_while_it_was_compiled_is_not_missed(file):
    with watching(file, hashes={str(file): digest(b"older")}) as thread:
        wait_for(lambda: thread.changes == [["model.xml"]])
    with watching(file, hashes={str(file): digest(b"one")}) as thread:
        thread.look_again()
        assert thread.changes == []


def test_an_asset_written_since_counts_once(file):
    with watching(file, since=time.time() - 60) as thread:
        wait_for(lambda: len(thread.changes) == 1)
        thread.watch(Watched([str(file)], since=time.time() - 60))
        thread.look_again()
        assert len(thread.changes) == 1


def test_a_folder_and_a_pipe_do_not_block(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with watching(tmp_path, tmp_path / "pipe") as thread:
        thread.look_again()
        assert thread.changes == []


def test_without_files_it_sleeps(monkeypatch):
    monkeypatch.setattr(watching_module, "POLL", 0.0)
    with watching() as thread:
        wait_for(lambda: thread.looks)
        assert thread.pause() is None


def test_a_file_stays_compared_with_what_was_seen_of_it(file, tmp_path):
    """Another list of files to watch comes while the file changes: the change is not missed."""
    with watching(file) as thread:
        file.write_bytes(b"two")
        thread.watch(Watched([str(file), str(tmp_path / "other")]))
        wait_for(lambda: thread.changes == [["model.xml"]])


def test_texts_are_read(file):
    with watching(file, texts={str(file): None}) as thread:
        seen = []
        thread._changed = seen.append
        file.write_bytes(b"<mujoco/>")
        thread.poke()
        change = wait_for(lambda: seen and seen[0])
        assert change.reads[str(file)].parsed.root.tag == "mujoco"


def test_a_link_is_followed(tmp_path):
    (tmp_path / "real").mkdir()
    target, link = tmp_path / "real" / "model.xml", tmp_path / "model.xml"
    target.write_bytes(b"one")
    link.symlink_to(target)
    with watching(link) as thread:
        target.write_bytes(b"two")
        wait_for(lambda: thread.changes == [["model.xml"]])


def test_what_stands_in_the_way_of_saving_is_told(tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    path = folder / "model.xml"
    path.write_text("<mujoco/>")
    told = []
    thread = WatchThread(lambda change: None, lambda paths: None, told.append)
    thread.start()
    thread.watch(Watched([str(path)], {str(path): read_file(path).text}))
    path.unlink()
    folder.rmdir()
    thread.poke()
    wait_for(lambda: told == [{str(path): Obstacle.NO_FOLDER}])
    folder.mkdir()
    path.write_text("<mujoco/>")
    thread.poke()
    wait_for(lambda: told[-1] == {})
    if os.getuid() != 0:  # root may write everything
        path.chmod(0o444)
        thread.poke()
        wait_for(lambda: told[-1] == {str(path): Obstacle.READ_ONLY})
    thread.stop()
    thread.join(LIMIT)
