"""Actions that compare the open model with another one."""

from __future__ import annotations

import os
from collections.abc import Callable

from PySide6.QtWidgets import QFileDialog

from kinetree.app.actions.context import ActionContext
from kinetree.app.viewport.side_by_side import SideBySide
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.engine.translation import marked, tr

FILTER = marked("Models (*.xml *.mjcf *.urdf *.kmodel);;All files (*)")


class Comparing:
    """Handlers of the actions that compare the open model with another one. `table()` maps ids of actions to them."""

    def __init__(self, context: ActionContext):
        self.context, workspace = context, context.workspace
        self.comparison, self.simulation = workspace.comparison, workspace.simulation
        self.side = SideBySide(context.viewports, self.simulation, context.parent)
        self.simulation.other_changed.connect(self._say)
        self.comparison.refused.connect(context.report)
        self.simulation.other_changed.connect(self.refresh)

    def table(self) -> dict[str, Callable]:
        comparison = self.comparison
        return {
            "compare.file": self.ask_file,
            "compare.saved": comparison.with_saved,
            "compare.previous": comparison.with_previous,
            "compare.present": comparison.with_present,
            "compare.ghost": lambda on: self.context.workspace.view.show_ghost(on),
            "compare.side": self.show_side_by_side,
            "compare.end": comparison.end,
        }

    def show_side_by_side(self, on: bool) -> None:
        """Show both models beside each other, or the other one as a ghost."""
        self.side.set_on(on)
        self.refresh()

    def ask_file(self) -> None:
        """Ask for a file, and compare with it."""
        folder = os.path.dirname(self.context.workspace.project.path) or self.context.settings.folder
        dialog = FileDialog(self.context.parent, tr("Compare With"), folder, tr(FILTER))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.comparison.with_file)
        dialog.open()

    def refresh(self, *_ignored) -> None:
        """Enable what can be done now."""
        actions, comparison = self.context.actions, self.comparison
        is_open, compares = self.simulation.model is not None, self.simulation.other is not None
        for name, enabled in (
            ("compare.file", is_open),
            ("compare.saved", is_open),
            ("compare.previous", comparison.previous is not None),
            ("compare.present", is_open),
            ("compare.ghost", compares),
            ("compare.side", compares),
            ("compare.end", compares),
        ):
            actions[name].setEnabled(enabled)
        actions.set_checked("compare.side", self.side.is_on)
        actions.set_checked("compare.ghost", self.context.workspace.view.shows_ghost)

    def _say(self) -> None:
        label = self.simulation.other_label
        if label:
            self.context.say(
                tr("Compared with {label}: the ghost. Plots have its quantities as other.qpos, …", label=label)
            )
        else:
            self.context.say(tr("The comparison ended"))
