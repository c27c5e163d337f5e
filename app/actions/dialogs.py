"""The dialogs that several parts of the window open, each once: settings, keys, command palette."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtWidgets import QDialog

from kinetree.app.actions.context import ActionContext
from kinetree.app.panels import dialogs
from kinetree.app.panels.dialogs import palette
from kinetree.app.panels.writing.tree.panel import TreePanel

if TYPE_CHECKING:
    from kinetree.app.panels.dialogs.palette.palette import Palette

D = TypeVar("D", bound=QDialog)


class Dialogs:
    """The settings, keys and command palette dialogs of one window. Each is imported and made when first opened."""

    def __init__(self, context: ActionContext, tree: TreePanel):
        self.context, self._tree = context, tree
        self._palette: Palette | None = None

    def show_settings(self, name: str = "") -> None:
        """Open the dialog of all settings, at one of them."""
        settings, parent = self.context.settings, self.context.parent
        dialog = self._only(
            dialogs.settings_dialog.SettingsDialog, lambda: dialogs.settings_dialog.SettingsDialog(settings, parent)
        )
        if name:
            dialog.show_setting(name)

    def show_keys(self, name: str = "") -> None:
        """Open the dialog of all keys, at an action."""
        context = self.context
        dialog = self._only(
            dialogs.keys_dialog.KeysDialog,
            lambda: dialogs.keys_dialog.KeysDialog(context.actions, context.settings, context.parent),
        )
        if name:
            dialog.select(name)

    def show_crashes(self, folder: Path, path: Path | None = None) -> None:
        """Open the dialog of all crash reports, at one of them."""
        kind, parent = dialogs.crash_reports.CrashReportsDialog, self.context.parent
        self._only(kind, lambda: kind(folder, parent)).refresh(path)

    def show_documentation(self, page: str = "", mark: str = "") -> None:
        """Open the documentation, at a page and its heading; "" for the present or first page."""
        kind, context = dialogs.documentation.viewer.DocumentationWindow, self.context
        viewer = self._only(kind, lambda: kind(context.actions, context.parent))
        if page or not viewer.browser.page:
            viewer.show_page(page or dialogs.documentation.pages.FIRST, mark)

    def show_palette(self) -> None:
        """Open the command palette."""
        context = self.context
        if self._palette is None:
            self._palette = palette.palette.Palette(
                context.actions, context.workspace, self._tree, context.settings, context.parent
            )
            self._palette.page_wanted.connect(self.show_documentation)
        self._palette.open()

    def place(self) -> None:
        """Centre the palette again, after the window was resized."""
        if self._palette is not None and not self._palette.isHidden():
            self._palette.place()

    def _only(self, kind: type[D], make: Callable[[], D]) -> D:
        """Show the dialog of a kind beside the window, in front if it is open already."""
        dialog = next((each for each in self.context.parent.findChildren(kind) if each.isVisible()), None) or make()
        dialog.show()
        dialog.raise_()
        dialog.activateWindow()
        return dialog
