"""Looking for a newer version: when the user asks, or once a week at the start where the settings say so."""

from __future__ import annotations

import time
from collections.abc import Callable

from kinetree import app
from kinetree.app.actions.context import ActionContext
from kinetree.app.panels import dialogs
from kinetree.app.updates.version import Version
from kinetree.engine.translation import tr

WEEK = 7 * 24 * 3600.0


class Updating:
    """The request of one window, and its dialog."""

    def __init__(self, context: ActionContext):
        self._context = context
        if self._is_due():
            self._ask_quietly()

    def table(self) -> dict[str, Callable]:
        return {"help.updates": self.show}

    def show(self) -> None:
        """Ask, and show the answer."""
        dialogs.updates.UpdatesDialog(self._context.settings, self._context.parent).open()

    def _is_due(self) -> bool:
        settings = self._context.settings
        return settings.value("updates.ask") == "weekly" and time.time() - settings.update_check > WEEK

    def _ask_quietly(self) -> None:
        check = app.updates.check.UpdateCheck(parent=self._context.parent)
        check.found.connect(self._take)
        check.start()

    def _take(self, version: Version) -> None:
        """Tell a newer version in the status bar; nothing else is worth a word."""
        self._context.settings.note_update_check()
        if app.updates.check.is_newer(version):
            told = tr("Kinetree {newer} is there: Help > Check for Updates tells how to get it", newer=version)
            self._context.say(told)
