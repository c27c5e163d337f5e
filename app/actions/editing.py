"""Actions of the gizmo, and their states."""

from __future__ import annotations

from collections.abc import Callable

from kinetree.app.actions.context import ActionContext
from kinetree.app.viewport.gizmo.gizmo import SPACES, TOOLS, Gizmo


class EditingHandlers:
    """Handlers of the gizmo's actions: one method for each, `table()` maps ids of actions to them."""

    def __init__(self, context: ActionContext):
        self.context = context
        self.attach(context.frame.gizmo)
        context.viewports.active_changed.connect(self.refresh)
        self.refresh()

    @property
    def gizmo(self) -> Gizmo:
        """The gizmo of the active viewport."""
        return self.context.frame.gizmo

    def attach(self, gizmo: Gizmo) -> None:
        """Follow the gizmo of another viewport."""
        gizmo.state_changed.connect(self.refresh)
        gizmo.failed.connect(self.context.say)

    def table(self) -> dict[str, Callable]:
        handlers: dict[str, Callable] = {
            "edit.mode": lambda on: self.gizmo.set_edit_mode(on),
            "edit.add": lambda: self.context.viewports.frames[0].shelf.open_menu(),
            "edit.axes": lambda: self.gizmo.next_space(),
        }
        for tool in TOOLS:
            handlers[f"edit.{tool}"] = lambda on, tool=tool: self._choose(tool, on)
        for space in SPACES:
            handlers[f"edit.axes_{space}"] = lambda _on, space=space: self._choose_space(space)
        return handlers

    def _choose(self, tool: str, on: bool) -> None:
        self.gizmo.set_tool(tool if on else "")
        self.refresh()

    def _choose_space(self, space: str) -> None:
        self.gizmo.set_space(space)
        self.refresh()

    def refresh(self) -> None:
        """Bring the checks of the actions in line with the gizmo."""
        actions = self.context.actions
        actions.set_checked("edit.mode", self.gizmo.edit_mode)
        for tool in TOOLS:
            actions.set_checked(f"edit.{tool}", self.gizmo.tool == tool)
        for space in SPACES:
            actions.set_checked(f"edit.axes_{space}", self.gizmo.space == space)
