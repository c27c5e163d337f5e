"""Actions about poses: live state that is set by hand, and taken back apart from edits of the text."""

from __future__ import annotations

from collections.abc import Callable

from kinetree.app.actions.context import ActionContext
from kinetree.app.workers.simulation import requests
from kinetree.engine.translation import tr


class PoseHandlers:
    """Handlers that take back and repeat poses set by hand, in one window."""

    def __init__(self, context: ActionContext):
        self._context = context
        self._workspace, self._simulation = context.workspace, context.workspace.simulation
        self._workspace.poses_changed.connect(self._show)

    def table(self) -> dict[str, Callable]:
        return {
            "sim.pose": self._workspace.set_poses,
            "sim.pose_contacts": lambda on: self._context.settings.set("posing.contacts", on),
            "sim.undo_pose": self.undo,
            "sim.redo_pose": self.redo,
        }

    def _show(self) -> None:
        self._context.actions.set_checked("sim.pose", self._workspace.poses)

    def undo(self) -> None:
        if self._counts()[0]:
            self._simulation.post(requests.UndoPose())
            self._say(tr("Pose taken back"))
        else:
            self._say(tr("No pose was set since the simulation stopped"))

    def redo(self) -> None:
        if self._counts()[1]:
            self._simulation.post(requests.RedoPose())
            self._say(tr("Pose set again"))
        else:
            self._say(tr("No pose was taken back"))

    def _counts(self) -> tuple[int, int]:
        snapshot = self._simulation.snapshot
        return (0, 0) if snapshot is None else snapshot.poses

    def _say(self, text: str) -> None:
        self._context.frame.announce(text)
