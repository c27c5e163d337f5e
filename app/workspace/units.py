"""The units that people read numbers in. Numbers inside the program are MuJoCo's: radians, metres, seconds."""

from __future__ import annotations

import math

from PySide6.QtCore import QObject, Signal

from kinetree.app.settings.following import SettingsFollower
from kinetree.app.settings.settings import Settings

DEGREE = 180.0 / math.pi
IN_DEGREES = {"rad": "°", "rad/s": "°/s", "rad/s²": "°/s²"}
"""Units of angles -> the same in degrees."""


class Units(QObject):
    """The unit of angles in all panels: degrees or radians. `changed()`: the choice has changed."""

    changed = Signal()

    def __init__(self, degrees: bool = False, parent: QObject | None = None):
        super().__init__(parent)
        self.degrees = degrees

    def set_degrees(self, on: bool) -> None:
        if on != self.degrees:
            self.degrees = on
            self.changed.emit()

    def follow(self, settings: Settings) -> None:
        """Take the setting, and keep what a panel or an action chooses in it."""
        SettingsFollower(settings, self, {"degrees": self.set_degrees})
        self.changed.connect(lambda: settings.set("degrees", self.degrees))

    def name(self, unit: str) -> str:
        """The unit that values in `unit` are shown in."""
        return IN_DEGREES.get(unit, unit) if self.degrees else unit

    def factor(self, unit: str) -> float:
        """Factor from `unit` to the shown unit."""
        return DEGREE if self.degrees and unit in IN_DEGREES else 1.0
