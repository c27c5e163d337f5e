"""The button that lets the handles in the viewport pose what is selected."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from kinetree.app.settings.icons import icon
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.translation import tr


class PoseButton(QToolButton):
    def __init__(self, workspace: Workspace, parent: QWidget | None = None):
        super().__init__(parent)
        self._workspace = workspace
        self.setAutoRaise(True)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setIcon(icon("turn"))
        self.setAccessibleName(tr("Pose with handles"))
        self.setToolTip(
            tr("Handles in the viewport pose what is selected here, now; the text stays as it is (Shift+N)")
        )
        self.clicked.connect(workspace.set_poses)
        workspace.poses_changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        self.setChecked(self._workspace.poses)
