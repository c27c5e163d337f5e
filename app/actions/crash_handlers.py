"""Crash reports in the window: notes for them, those of processes that end, and the offer of one after a crash."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from kinetree.app.actions.context import ActionContext
from kinetree.app.actions.dialogs import Dialogs
from kinetree.app.actions.documents import Documents
from kinetree.app.crashes.recorder import left_by_others
from kinetree.app.crashes.reports import write
from kinetree.app.workers import ended
from kinetree.app.workspace.log import PROBLEM, LogEntry
from kinetree.engine.diagnostics import Diagnostic


class CrashHandlers:
    """Follows a window for its crash reports, and shows them.

    `offer` is called once, after the start, where windows have crashed before.
    """

    def __init__(self, context: ActionContext, dialogs: Dialogs, documents: Documents, offer: Callable[[], None]):
        self._context, self._dialogs, self._documents, self._offer = context, dialogs, documents, offer
        self._folder, self._recorder = context.settings.crashes, context.recorder
        context.workspace.log.added.connect(self._note)
        for name, action in context.actions.by_id.items():
            action.triggered.connect(partial(self._note_action, name))
        ended.listeners.append(self._take_ended)
        context.workspace.questions.ask("crashes", partial(left_by_others, self._folder), self._take_left)

    def table(self) -> dict[str, Callable]:
        return {"help.crashes": self.show}

    def show(self, path: Path | None = None) -> None:
        """Open the dialog of all reports, at one of them."""
        self._dialogs.show_crashes(self._folder, path)

    def end(self) -> None:
        """The window closes."""
        if self._take_ended in ended.listeners:
            ended.listeners.remove(self._take_ended)

    def _note_action(self, name: str, _checked: bool = False) -> None:
        self._recorder.note_action(name)

    def _note(self, entry: LogEntry) -> None:
        """Note the kind of an entry. Its text may have names from the model."""
        code = f" {entry.place.code}" if entry.kind == PROBLEM and isinstance(entry.place, Diagnostic) else ""
        self._recorder.note(f"{entry.level}: {entry.kind}{code}")

    def _take_ended(self, process: str, how: str, said: str) -> None:
        """Write the report of a process; called in any thread."""
        write(self._folder, self._recorder.report(f"the {process} process ended: {how}", said))

    def _take_left(self, made: list[Path]) -> None:
        if made:
            self._documents.offer_report(partial(self.show, made[-1]))
            self._offer()
