"""The answering thread: questions about a document that take longer than a frame, such as completion."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from typing import NamedTuple


class Answer(NamedTuple):
    """value    what the question's function has returned, None if it failed
    error    what it has raised, None if nothing
    details  the traceback of that
    """

    value: object = None
    error: Exception | None = None
    details: str = ""


class AnswerThread(threading.Thread):
    """`answered(kind, number, Answer)` is called in this thread. Of questions of one kind only the newest is
    answered; those of different kinds are, in the order of asking."""

    def __init__(self, answered: Callable[[str, int, Answer], None]):
        super().__init__(name="answer", daemon=True)
        self._answered = answered
        self._wake = threading.Condition()
        self._waiting: dict[str, tuple[int, Callable[[], object]]] = {}
        self._stopping = False

    def ask(self, kind: str, number: int, question: Callable[[], object]) -> None:
        """Call a function in this thread, in place of the one of this kind that still waits."""
        with self._wake:
            self._waiting.pop(kind, None)
            self._waiting[kind] = (number, question)
            self._wake.notify()

    def stop(self) -> None:
        """End the thread; join it afterwards."""
        with self._wake:
            self._stopping = True
            self._waiting.clear()
            self._wake.notify()

    def run(self) -> None:
        while True:
            with self._wake:
                while not self._waiting and not self._stopping:
                    self._wake.wait()
                if self._stopping:
                    return
                kind = next(iter(self._waiting))
                number, question = self._waiting.pop(kind)
            try:
                answer = Answer(question())
            except Exception as error:
                answer = Answer(None, error, traceback.format_exc())
            with self._wake:
                stopping = self._stopping
            if not stopping:
                self._answered(kind, number, answer)
