"""How a part of the program applies the settings that are its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject

from kinetree.app.settings.settings import Settings


class SettingsFollower(QObject):
    """Calls a function with the value of a setting: now, and whenever the setting changes. `applied`: setting ->
    function. Ends with its owner."""

    def __init__(self, settings: Settings, owner: QObject, applied: Mapping[str, Callable[[Any], object]]):
        super().__init__(owner)
        self._settings, self._applied = settings, dict(applied)
        settings.changed.connect(self._apply)
        for name in self._applied:
            self._apply(name)

    def _apply(self, name: str) -> None:
        if name in self._applied:
            self._applied[name](self._settings.value(name))
