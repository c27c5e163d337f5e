"""Chooses the Python file that drives the actuators, and offers the one that was used with a model before."""

from __future__ import annotations

import os
from collections.abc import Callable

from PySide6.QtCore import QTimer

from kinetree.app.actions.context import ActionContext
from kinetree.app.panels.driving.controls.controller_file import (
    ask_for_controller,
    ask_for_new_controller,
    use_controller,
)


class ControllerHandlers:
    """Handlers about the controller file. `table()` maps ids of actions to them."""

    def __init__(self, context: ActionContext):
        self.context, self.workspace = context, context.workspace
        self.workspace.controller_changed.connect(self._refresh)
        self.workspace.simulation.model_changed.connect(self._take_model)
        self._later = QTimer(context.parent)  # the path of the model is known then
        self._later.setSingleShot(True)
        self._later.timeout.connect(self._offer)
        self._refresh()

    def table(self) -> dict[str, Callable]:
        return {
            "sim.controller": self.ask,
            "sim.new_controller": self.ask_new,
            "sim.end_controller": lambda: self.workspace.controller.end(),
        }

    def ask(self) -> None:
        """Ask for the file."""
        ask_for_controller(self.workspace, self.context.settings, self.context.parent, self.context.report)

    def ask_new(self) -> None:
        """Ask for the name of a new file."""
        ask_for_new_controller(self.workspace, self.context.settings, self.context.parent, self.context.report)

    def choose(self, path: str) -> None:
        """Let a file drive the actuators."""
        use_controller(self.workspace, self.context.settings, path)

    def _refresh(self) -> None:
        has_file = self.workspace.has_controller and bool(self.workspace.controller.path)
        self.context.actions["sim.end_controller"].setEnabled(has_file)

    def _take_model(self, _old: object, keep: bool) -> None:
        if not keep:
            self._later.start(0)

    def _offer(self) -> None:
        """Offer the file that was used with the open model before. Only the user starts it."""
        path = self.workspace.project.path
        used = self.context.settings.of_model(path, "controller") if path else ""
        if used and self.workspace.simulation.model is not None and os.path.isabs(used):
            self.workspace.controller.offer(used)
