"""Questions about the text, answered in a thread: what may be typed here, what a name means, and so on.

A question is a function of immutable things, such as a Document. Its answer comes as a call in the GUI thread, unless
another question of the same kind was asked in the meantime or it was dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from kinetree.app.workers.answering import Answer, AnswerThread
from kinetree.engine.translation import tr


class Questions(QObject):
    """Answers questions about the text in a thread, and hands the answers on. `failed(message, details)`: a question
    could not be answered at all."""

    failed = Signal(str, str)

    _answered = Signal(str, int, object)

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self._number = 0
        self._asked: dict[str, tuple[int, Callable[[Any], None], Callable[[str], None]]] = {}
        self._closed = False
        self._answered.connect(self._take)
        self._thread = AnswerThread(self._answered.emit)
        self._thread.start()

    def ask(
        self,
        kind: str,
        question: Callable[[], Any],
        take: Callable[[Any], None],
        refused: Callable[[str], None] = lambda reason: None,
    ) -> None:
        """Ask a question; `take(answer)` or, where the question raises a ValueError, which says why there is no
        answer, `refused(reason)` is called later."""
        self._number += 1
        self._asked[kind] = (self._number, take, refused)
        self._thread.ask(kind, self._number, question)

    def drop(self, kind: str) -> None:
        """Ignore the answer to a question that was asked."""
        self._asked.pop(kind, None)

    @Slot(str, int, object)
    def _take(self, kind: str, number: int, answer: Answer) -> None:
        asked = self._asked.get(kind)
        if self._closed or asked is None or asked[0] != number:
            return
        del self._asked[kind]
        if answer.error is None:
            asked[1](answer.value)
        elif isinstance(answer.error, ValueError):
            asked[2](str(answer.error))
        else:
            message = tr(
                "Kinetree failed on a question about the text: this is a mistake in Kinetree, please report it."
            )
            self.failed.emit(message, answer.details)

    def stop(self) -> list:
        """End the thread; returns what is to be joined."""
        self._closed = True
        self._thread.stop()
        return [self._thread]
