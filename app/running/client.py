"""The start that hands its files to the windows that run. Imports neither Qt nor numpy: it ends at once.

Who else may be there: a window that hangs (it is left alone after a moment), one that crashed (what is left of it is
removed), and another start, which is about to make a window (it is waited for).
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from kinetree.app.running import message
from kinetree.app.running.message import FilePlace
from kinetree.app.running.place import Place, StartLock, folder, places
from kinetree.engine.interpreter import command
from kinetree.engine.platforms import local_sockets
from kinetree.engine.platforms.processes import APART

GREETED = 3.0
"""How long a window may take to greet, s. One that does not hangs, or has a long frame: this start makes its own."""
ANSWERED = 5.0
"""How long it may take to answer after that, s."""
STARTED = 20.0
"""How long another start may take to make its window, s."""
POLL = 0.05  # s
MOST_WINDOWS = 10
"""So many files are opened at once, each in a window."""


def hand_over(files: Sequence[FilePlace]) -> tuple[list[FilePlace], StartLock | None]:
    """Hand files to the windows that run: each to the window that shows it; the first of the others to the window that
    was used last, if its settings say so. Returns the files that are left for this start, and a lock that is to be
    released when its window listens."""
    try:
        found_in = folder()
    except OSError:  # no folder of this user for sockets: every start has its own window
        return list(files), None
    windows = _Windows(found_in)
    left = windows.take(files)
    if not left or windows.found:
        return left, None
    lock, end = StartLock(found_in), time.monotonic() + STARTED
    while True:
        has_lock = _take(lock)
        windows.look_again()
        if windows.found:
            lock.release()
            return windows.take(left), None
        if has_lock or time.monotonic() > end:
            return left, lock
        time.sleep(POLL)


def _take(lock: StartLock) -> bool:
    try:
        return lock.take()
    except OSError:
        return True  # nobody else can take it either


class _Windows:
    """The windows that run, and what was heard of them."""

    def __init__(self, found_in: Path):
        self._folder = found_in
        self._silent: set[str] = set()
        self.found: list[Place] = []
        self.look_again()

    def look_again(self) -> None:
        self.found = places(self._folder)

    def take(self, files: Sequence[FilePlace]) -> list[FilePlace]:
        """Hand over what they take; returns the rest."""
        left = [each for each in files if not self._ask_all(each, only_shown=True)]
        return left[1:] if left and self._ask_all(left[0], only_shown=False) else left

    def _ask_all(self, file: FilePlace, only_shown: bool) -> bool:
        """Ask one window after the other until one answers with more than that it shows another file."""
        request = message.request_for(file, only_shown, os.environ).line_of_json()
        for place in list(self.found):
            answer = self._ask(place, request)
            if answer == message.DONE:
                return True
            if answer == message.OWN:
                return False
        return False

    def _ask(self, place: Place, request: bytes) -> bytes:
        """The answer of a window, b"" without one."""
        if place.address in self._silent:
            return b""
        try:
            connection = local_sockets.connect(place.address, GREETED)
        except (FileNotFoundError, ConnectionRefusedError):  # it has crashed
            self.found.remove(place)
            place.forget()
            return b""
        except OSError:
            self._silent.add(place.address)
            return b""
        try:
            if connection.receive(message.MOST, GREETED) != message.GREETING:
                raise ConnectionError("another version")
        except OSError:
            self._silent.add(place.address)
            return b""
        else:
            return _answer(connection, request)
        finally:
            connection.close()


def _answer(connection: local_sockets.Connection, request: bytes) -> bytes:
    """The answer of a window that has greeted."""
    try:
        connection.send(request)
        return connection.receive(message.MOST, ANSWERED)
    except TimeoutError:
        return message.DONE  # it has the request, and will act on it
    except OSError:
        return b""


def open_in_windows(files: Sequence[FilePlace]) -> None:
    """Open each file in a new window, which lives longer than this process."""
    for each in files[:MOST_WINDOWS]:
        _start(*(["--goto", f"{each.path}:{each.line}:{each.column}"] if each.line else [each.path]))


def open_window() -> None:
    """Open a window without a model, which lives longer than this process."""
    _start()


def _start(*arguments: str) -> None:
    environment = {name: text for name, text in os.environ.items() if name not in message.OF_ONE_START}
    subprocess.Popen(
        command("kinetree", "--new-window", *arguments),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
        **APART,
    )
