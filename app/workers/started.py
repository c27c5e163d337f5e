"""The short-lived threads of one owner: started for one piece of work each, and joined when the window closes."""

from __future__ import annotations

import threading
from typing import Protocol, runtime_checkable


@runtime_checkable
class Stoppable(Protocol):
    """A thread that ends early when it is told to."""

    def stop(self) -> None: ...


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
        if not self.stopped:
            self._threads.append(thread)
            thread.start()

    def stop(self) -> list[threading.Thread]:
        """No report is wanted any more; returns what is to be joined. Threads that can end early are told to."""
        self.stopped = True
        for thread in self._threads:
            if isinstance(thread, Stoppable):
                thread.stop()
        return self._threads
