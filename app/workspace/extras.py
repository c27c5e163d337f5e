"""Extras in the window: a feature asks for one, the user decides, a thread fetches it, and the feature goes on.

    workspace.extras.need("video", self.ask)        # calls ask() at once, later, or never

Nothing is fetched but by `install`, which the dialogs call when the user says so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from kinetree.app.workspace.questions import Questions
from kinetree.app.workspace.tasks import Tasks
from kinetree.engine import extras
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.extras.places import FoundExtra
    from kinetree.engine.extras.table import Extra

GoOn = Callable[[], None]


class Extras(QObject):
    """The extras of one window.

    tasks  installs and removals, with progress and Cancel

    Signals: `asked(extra, go_on)`: a feature needs an extra that is not there; the user decides whether `install` is
    called. `refused(extra, reason, go_on)`: it could not be installed or removed. `said(text)`. `changed()`: an install
    began or ended, or an extra was removed.
    """

    asked = Signal(object, object)
    refused = Signal(object, str, object)
    said = Signal(str)
    changed = Signal()

    def __init__(self, tasks: Tasks, questions: Questions, parent: QObject | None = None):
        super().__init__(parent)
        self._questions, self.tasks = questions, tasks
        self.tasks.ended.connect(self._forget)
        self._waiting: dict[str, list[GoOn]] = {}

    def need(self, name: str, go_on: GoOn) -> None:
        """Call `go_on()` once an extra is there: at once if it is, else if the user agrees to install it."""
        extra = extras.table.EXTRAS[name]
        if extras.places.found(extra) is not None:
            go_on()
        elif name in self._waiting:
            self._waiting[name].append(go_on)
        elif extra.elsewhere is None:
            self.asked.emit(extra, go_on)
        else:
            self._questions.ask(
                f"extra {name}",
                partial(extras.places.found_anywhere, extra),
                lambda found: go_on() if found is not None else self.asked.emit(extra, go_on),
            )

    def is_being_installed(self, name: str) -> bool:
        """Whether an install runs or waits."""
        return name in self._waiting

    def install(self, extra: Extra, go_on: GoOn) -> None:
        """Fetch an extra, as the user wants it, and go on."""
        if extra.name in self._waiting:
            self._waiting[extra.name].append(go_on)
            return
        self._waiting[extra.name] = [go_on]
        size = extras.wheels.size_text(extras.wheels.download_size(extra) or 0)
        self.tasks.run(
            tr("Installing the extra '{name}' ({size})", name=extra.name, size=size),
            partial(extras.installing.install, extra),
            lambda _folder: self._take(extra),
            lambda reason: self._refuse(extra, reason),
        )
        self.changed.emit()

    def remove(self, extra: Extra) -> None:
        """Remove what was fetched of an extra."""
        self.tasks.run(
            tr("Removing the extra '{name}'", name=extra.name),
            partial(extras.places.remove, extra),
            lambda _removed: self.changed.emit(),
            lambda reason: self.refused.emit(extra, reason, None),
        )

    def look(self, take: Callable[[dict[str, FoundExtra | None]], None]) -> None:
        """Look for all extras, also for programs of the system that do the same; the answer is by name."""

        def work() -> dict[str, FoundExtra | None]:
            return {name: extras.places.found_anywhere(extra) for name, extra in extras.table.EXTRAS.items()}

        self._questions.ask("extras", work, take)

    def _take(self, extra: Extra) -> None:
        waiting = self._waiting.pop(extra.name, [])
        self.said.emit(tr("The extra '{name}' is installed", name=extra.name))
        self.changed.emit()
        for go_on in waiting:
            go_on()

    def _refuse(self, extra: Extra, reason: str) -> None:
        waiting = self._waiting.pop(extra.name, [])
        self.changed.emit()

        def go_on() -> None:
            for each in waiting:
                each()

        self.refused.emit(extra, reason, go_on)

    @Slot()
    def _forget(self) -> None:
        """Nothing runs or waits any more, perhaps as it was cancelled."""
        if self._waiting:
            self._waiting.clear()
            self.changed.emit()
