"""The dialogs that several parts of the window open, each once: settings, keys, command palette."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QDialog

from kinetree.app.actions.context import ActionContext
from kinetree.app.panels.writing.tree.panel import TreePanel

if TYPE_CHECKING:
    from kinetree.app.panels.dialogs.palette.palette import Palette

D = TypeVar("D", bound=QDialog)


class Dialogs:
    """Those of one window. Each is imported and made when it is first wanted."""

    def __init__(self, context: ActionContext, tree: TreePanel):
        self.context, self._tree = context, tree
        self._palette: Palette | None = None

    def show_settings(self, name: str = "") -> None:
        """Open the dialog of all settings, at one of them."""
        from kinetree.app.panels.dialogs.settings_dialog import SettingsDialog

        settings, parent = self.context.settings, self.context.parent
        dialog = self._only(SettingsDialog, lambda: SettingsDialog(settings, parent))
        if name:
            dialog.show_setting(name)

    def show_keys(self, name: str = "") -> None:
        """Open the dialog of all keys, at an action."""
        from kinetree.app.panels.dialogs.keys_dialog import KeysDialog

        context = self.context
        dialog = self._only(KeysDialog, lambda: KeysDialog(context.actions, context.settings, context.parent))
        if name:
            dialog.select(name)

    def show_palette(self) -> None:
        """Open the command palette."""
        from kinetree.app.panels.dialogs.palette.palette import Palette

        context = self.context
        if self._palette is None:
            self._palette = Palette(context.actions, context.workspace, self._tree, context.settings, context.parent)
        self._palette.open()

    def place(self) -> None:
        """The window has another size: the palette stays in its middle."""
        if self._palette is not None and not self._palette.isHidden():
            self._palette.place()

    def _only(self, kind: type[D], make: Callable[[], D]) -> D:
        """Show the dialog of a kind beside the window, in front if it is open already."""
        dialog = next((each for each in self.context.parent.findChildren(kind) if each.isVisible()), None) or make()
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        return dialog
