"""The button that turns angles from radians to degrees in all panels."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QWidget

from kinetree.app.workspace.units import Units
from kinetree.engine.translation import tr


class UnitsButton(QToolButton):
    def __init__(self, units: Units, parent: QWidget | None = None):
        super().__init__(parent)
        self._units = units
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(tr("Unit of angles"))
        self.clicked.connect(lambda: units.set_degrees(not units.degrees))
        units.changed.connect(self._show)
        self._show()

    def _show(self) -> None:
        degrees = self._units.degrees
        self.setText(tr("deg") if degrees else tr("rad"))
        self.setToolTip(
            tr("Angles in degrees; click for radians, in all panels")
            if degrees
            else tr("Angles in radians; click for degrees, in all panels")
        )
