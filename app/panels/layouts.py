"""Where panels are is kept for each model file: what is open, floats, lies behind what, and how large it is."""

from __future__ import annotations

from PySide6.QtCore import QByteArray

from kinetree.app.panels.dock_layout import DockLayout
from kinetree.app.settings.settings import Settings
from kinetree.app.workspace.workspace import Workspace

KEY = "layout"


class LayoutMemory:
    """Restores the panel layout of a model once its file is open, and saves it when the model is left. A model whose
    panels the user never arranged gets the layout of the model before."""

    def __init__(self, workspace: Workspace, settings: Settings, layout: DockLayout):
        self._workspace, self._settings, self._layout = workspace, settings, layout
        self._path = ""  # of the model whose arrangement is shown
        self._found: object = None  # the arrangement in which the model was opened
        workspace.leaving.connect(self.leave)
        workspace.project.changed.connect(self._take_project)

    def leave(self) -> None:
        """Save the layout of the panels for the model, which is about to be closed or replaced."""
        path, settings, layout = self._path, self._settings, self._layout
        self._path = ""
        if path and (settings.of_model(path, KEY) or layout.arrangement() != self._found):
            settings.set_of_model(path, KEY, bytes(layout.state.toBase64().data()).decode())

    def _take_project(self) -> None:
        path = self._workspace.project.path
        if path == self._path or not path or self._workspace.simulation.model is None:
            return
        if self._path:  # it was saved under another name: all stays
            self.leave()
        else:
            self._restore(path)
        self._path, self._found = path, self._layout.arrangement()

    def _restore(self, path: str) -> None:
        text = self._settings.of_model(path, KEY)
        state = QByteArray.fromBase64(text.encode())
        if text and state != self._layout.state:
            self._layout.place_for_model(path, state)
