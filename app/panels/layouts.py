"""Where panels are is kept for each model file: what is open, floats, lies behind what, and how large it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray

if TYPE_CHECKING:
    from kinetree.app.window import Window

KEY = "layout"


class LayoutMemory:
    """Restores the arrangement that a model was left with, once its file is open, and writes when it is left. A model
    whose panels the user never arranged gets those of the model before."""

    def __init__(self, window: Window):
        self._window = window
        self._path = ""  # of the model whose arrangement is shown
        self._found: object = None  # the arrangement in which the model was opened
        window.workspace.leaving.connect(self.leave)
        window.project.changed.connect(self._take_project)

    def leave(self) -> None:
        """The model is about to be replaced or closed, or the window is."""
        window, path = self._window, self._path
        self._path = ""
        if path and (window.settings.of_model(path, KEY) or self._arrangement() != self._found):
            window.settings.set_of_model(path, KEY, bytes(window.layout_state().toBase64().data()).decode())

    def _take_project(self) -> None:
        window = self._window
        path = window.project.path
        if path == self._path or not path or window.simulation.model is None:
            return
        if self._path:  # it was saved under another name: all stays
            self.leave()
        else:
            self._restore(path)
        self._path, self._found = path, self._arrangement()

    def _restore(self, path: str) -> None:
        window = self._window
        text = window.settings.of_model(path, KEY)
        state = QByteArray.fromBase64(text.encode())
        if text and state != window.layout_state():
            window.plots.make_for_model(path)
            window.set_layout_state(state)

    def _arrangement(self) -> object:
        """Which panels are where; without sizes, which change with the window's."""
        window = self._window
        return {
            name: (
                window.dockWidgetArea(dock),
                dock.isFloating(),
                dock.isHidden(),
                len(window.tabifiedDockWidgets(dock)),
            )
            for name, dock in window.docks.items()
        }
