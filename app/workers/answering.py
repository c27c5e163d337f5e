"""The answering thread: questions about a document that take longer than a frame, such as completion."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import NamedTuple

from kinetree.app.workers.loop import LoopThread


class Answer(NamedTuple):
    """value    what the question's function has returned, None if it failed
    error    what it has raised, None if nothing
    details  the traceback of that
    """

    value: object = None
    error: Exception | None = None
    details: str = ""


Question = tuple[str, int, Callable[[], object]]
"""(kind, number, function)"""


class AnswerThread(LoopThread):
    """`answered(kind, number, Answer)` is called in this thread. Of questions of one kind only the newest is
    answered; those of different kinds are, in the order of asking."""

    def __init__(self, answered: Callable[[str, int, Answer], None]):
        super().__init__("answer")
        self._answered = answered
        self._waiting: dict[str, tuple[int, Callable[[], object]]] = {}

    def ask(self, kind: str, number: int, question: Callable[[], object]) -> None:
        """Call a function in this thread, in place of the one of this kind that still waits."""
        with self.waking():
            self._waiting.pop(kind, None)
            self._waiting[kind] = (number, question)

    def take(self, is_late: bool = False) -> Question | None:
        kind = next(iter(self._waiting), None)
        return None if kind is None else (kind, *self._waiting.pop(kind))

    def do(self, work: Question) -> None:
        kind, number, question = work
        try:
            answer = Answer(question())
        except Exception as error:
            answer = Answer(None, error, traceback.format_exc())
        if not self.is_stopping:
            self._answered(kind, number, answer)
