"""Starts that hand files to windows: real sockets, the window's side in this thread, the start in a process of its own
or in a thread."""

import contextlib
import os
import socket
import subprocess
import sys
import threading

import pytest
from PySide6.QtCore import QCoreApplication, Qt

from kinetree.app.running import client, message, place
from kinetree.app.running.client import hand_over
from kinetree.app.running.listener import Listener
from kinetree.app.running.message import FilePlace
from kinetree.engine.platforms import display, local_sockets
from tests.conftest import ROOT
from tests.patience import LIMIT, wait_for

A, B, C = (FilePlace(f"/models/{name}.xml") for name in "abc")


class Window:
    """The window's side: shows some files, and takes others or not."""

    def __init__(self, folder, shows=(), takes=True):
        self.shows, self.takes, self.requests = set(shows), takes, []
        self.listener = Listener(folder, self.answer)

    def answer(self, request):
        self.requests.append(request)
        if FilePlace(request.path) in self.shows:
            return message.DONE
        if request.only_shown:
            return message.OTHER
        return message.DONE if self.takes else message.OWN

    @property
    def taken(self):
        return [FilePlace(each.path) for each in self.requests if not each.only_shown]


@pytest.fixture
def make(windows, qapp):
    """make(shows, takes): a window; the one that was made last was used last."""
    made = []

    def window(**more):
        made.append(Window(windows, **more))
        stamp = 1e9 + len(made)
        os.utime(made[-1].listener.place.file, (stamp, stamp))
        return made[-1]

    yield window
    for each in made:
        each.listener.end()


def in_thread(files):
    """Hand files over in a thread while the windows here answer; what is left, and the lock."""
    results = []
    thread = threading.Thread(target=lambda: results.append(hand_over(files)))
    thread.start()
    wait_for(lambda: not thread.is_alive(), QCoreApplication.processEvents)
    return results[0]


def test_without_a_window_the_start_makes_one_and_holds_the_lock(windows):
    left, lock = hand_over([A, B])
    assert left == [A, B] and lock is not None
    assert not place.StartLock(windows).take()
    lock.release()
    other = place.StartLock(windows)
    assert other.take()
    other.release()


def test_the_window_that_was_used_last_takes_the_first_file(make):
    old, new = make(), make()
    assert in_thread([A, B]) == ([B], None)
    assert (old.taken, new.taken) == ([], [A])


def test_a_file_goes_to_the_window_that_shows_it(make):
    old, new = make(shows=[B]), make()
    assert in_thread([B]) == ([], None)
    assert old.requests and new.taken == []
    assert in_thread([B, C]) == ([], None)
    assert new.taken == [C]


def test_a_window_can_leave_files_to_new_ones(make):
    old, new = make(), make(takes=False)
    assert in_thread([A]) == ([A], None)
    assert old.taken == [] and new.taken == [A]


def test_the_window_that_becomes_active_is_the_newest(make, windows):
    old, new = make(), make()
    assert place.places(windows)[0].file == new.listener.place.file
    old.listener._touch(Qt.ApplicationState.ApplicationActive)
    assert place.places(windows)[0].file == old.listener.place.file


def test_what_a_crash_has_left_is_removed(windows):
    crashed = place.new_place(windows)
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(crashed.address)
        server.listen()
    crashed.announce()
    gone = place.new_place(windows)
    gone.announce()
    left, lock = hand_over([A])
    assert left == [A] and lock is not None
    lock.release()
    assert place.places(windows) == [] and not os.path.exists(crashed.address)


@pytest.mark.parametrize("says", [b"", b"kinetree 0\n", b"x" * 70000])
def test_a_window_that_hangs_does_not_stop_a_start(windows, monkeypatch, says):
    monkeypatch.setattr(client, "GREETED", 0.2)
    hung = place.new_place(windows)
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(hung.address)
        server.listen()
        hung.announce()
        thread = threading.Thread(target=_say, args=(server, says), daemon=True)
        thread.start()
        assert hand_over([A, B]) == ([A, B], None)
        assert [each.file for each in place.places(windows)] == [hung.file]
    thread.join()


def _say(server, text):
    connection, _ = server.accept()
    with connection, contextlib.suppress(OSError):
        connection.sendall(text)
        connection.recv(1)


def test_a_start_that_gave_up_is_not_acted_upon(make):
    """The window was busy: it sees the start come and go in one moment."""
    window = make()
    waiting = local_sockets.connect(window.listener.place.address, 1)
    waiting.close()
    for _ in range(20):
        QCoreApplication.processEvents()
    assert window.requests == []


def test_requests_that_are_not_valid_are_refused(make):
    window = make()
    for text, answer in ((b"{}", message.WRONG), (b"x" * 100000, None)):
        connection = local_sockets.connect(window.listener.place.address, 1)
        heard = []

        def talk(connection=connection, text=text, heard=heard):
            with contextlib.suppress(OSError):
                heard.append(connection.receive(100, 100))
                connection.send(text)
                heard.append(connection.receive(100, 100))

        thread = threading.Thread(target=talk)
        thread.start()
        wait_for(lambda thread=thread: not thread.is_alive(), QCoreApplication.processEvents)
        connection.close()
        assert heard == [message.GREETING, *([answer] if answer else [])]
    assert window.requests == []


def test_two_starts_at_the_same_moment_make_one_window(windows, make, monkeypatch):
    monkeypatch.setattr(client, "STARTED", 1000.0)
    left, lock = hand_over([A])
    assert left == [A]
    results, waits = [], threading.Event()
    monkeypatch.setattr(client.time, "sleep", lambda _seconds: waits.set())
    thread = threading.Thread(target=lambda: results.append(hand_over([B])))
    thread.start()
    assert waits.wait(LIMIT)
    window = make()
    lock.release()
    wait_for(lambda: not thread.is_alive(), QCoreApplication.processEvents)
    assert results == [([], None)] and window.taken == [B]


def test_a_start_whose_window_never_comes_is_not_waited_for_long(windows, monkeypatch):
    monkeypatch.setattr(client, "STARTED", 0.2)
    lock = place.StartLock(windows)
    assert lock.take()
    assert hand_over([A])[0] == [A]
    lock.release()


def test_without_a_safe_folder_each_start_has_its_window(windows, monkeypatch):
    monkeypatch.setattr(place.folders, "private", lambda path: (_ for _ in ()).throw(PermissionError(path)))
    assert hand_over([A]) == ([A], None)


def test_only_this_user_reaches_a_window(make, windows):
    window = make()
    assert os.stat(windows).st_mode & 0o777 == 0o700
    assert os.stat(windows.parent).st_mode & 0o777 == 0o700
    assert os.stat(window.listener.place.address).st_mode & 0o077 == 0
    window.listener.end()
    assert place.places(windows) == [] and not os.path.exists(window.listener.place.address)


@pytest.mark.parametrize(
    ("environment", "shown_on"),
    [
        ({"DISPLAY": ":0"}, ":0"),
        ({"DISPLAY": ":0.0"}, ":0"),
        ({"DISPLAY": "localhost:10.0"}, "localhost:10"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-1"}, "wayland-1"),
        ({"DISPLAY": ":0", "WAYLAND_DISPLAY": "wayland-1", "QT_QPA_PLATFORM": "xcb"}, ":0"),
        ({}, ""),
    ],
)
def test_displays(environment, shown_on):
    assert display.of_windows(environment) == shown_on


def test_the_command_ends_at_once_without_qt_and_numpy(make, tmp_path):
    """The whole command, in a process: relative to its folder, and with the desktop's token."""
    window = make()
    (tmp_path / "a.xml").touch()
    program = (
        "import sys; from kinetree.app.main import main; code = main(['a.xml:3']); "
        "print(code, [each for each in sys.modules if each.partition('.')[0] in ('PySide6', 'numpy', 'argcomplete')])"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_ACTIVATION_TOKEN": "token", "DESKTOP_STARTUP_ID": "id"}
    process = subprocess.Popen(
        [sys.executable, "-P", "-c", program], cwd=tmp_path, env=environment, text=True, stdout=subprocess.PIPE
    )
    wait_for(lambda: process.poll() is not None, QCoreApplication.processEvents)
    assert process.stdout is not None and process.stdout.read() == "0 []\n"
    process.stdout.close()
    request = window.requests[-1]
    assert request == message.Request(str(tmp_path / "a.xml"), 3, 0, False, "token", "id")
