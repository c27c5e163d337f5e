"""The short-lived threads of one owner: started for one piece of work each, and joined when the window closes."""

from __future__ import annotations

import threading


class StartedThreads:
    """The threads that an owner has started and that may still run.

    stopped  whether the owner is closed: reports that arrive now are dropped
    """

    def __init__(self) -> None:
        self.stopped = False
        self._threads: list[threading.Thread] = []

    def start(self, thread: threading.Thread) -> None:
        """Start a thread, and forget those that have ended."""
        self._threads = [each for each in self._threads if each.is_alive()]
        self._threads.append(thread)
        thread.start()

    def stop(self) -> list[threading.Thread]:
        """No report is wanted any more; returns what is to be joined."""
        self.stopped = True
        return self._threads
