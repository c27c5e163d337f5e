"""The dialogs about extras, which features of the window ask for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt

from kinetree.app.actions.context import ActionContext
from kinetree.app.panels import dialogs

if TYPE_CHECKING:
    from kinetree.engine.extras.table import Extra


def _nothing() -> None:
    """Follows an install that no feature waits for."""


class ExtraOffers:
    """Offers the extras of one window. Only `Install` in a dialog of it makes anything be fetched."""

    def __init__(self, context: ActionContext):
        self._context, self._extras = context, context.workspace.extras
        self._extras.asked.connect(self.offer)
        self._extras.refused.connect(self.refuse)
        self._extras.said.connect(context.say)

    def table(self) -> dict[str, Callable]:
        return {"help.extras": self.show_all}

    def offer(self, extra: Extra, go_on: Callable[[], None], reason: str = "") -> None:
        """Ask whether an extra is to be installed. `reason`: why it could not be, the last time."""
        dialog = dialogs.extra.ExtraDialog(extra, reason, self._context.parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.accepted.connect(lambda: self._extras.install(extra, go_on))
        dialog.open()

    def refuse(self, extra: Extra, reason: str, go_on: Callable[[], None] | None) -> None:
        """Show why an extra could not be installed, with another try; or why it could not be removed."""
        if go_on is None:
            self._context.report(f"{reason[:1].upper()}{reason[1:]}.")
        else:
            self.offer(extra, go_on, reason)

    def show_all(self) -> None:
        """Show the list of all extras."""
        dialog = dialogs.extra.ExtrasDialog(self._extras, self._context.parent)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.install_wanted.connect(lambda extra: self.offer(extra, _nothing))
        dialog.open()
