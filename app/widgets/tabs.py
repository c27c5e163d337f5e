"""Tabs above a panel, all of them in sight in a narrow one too."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QTabBar, QWidget

LEAST = 24  # width of a tab in a very narrow panel, pixels


class FittingTabs(QTabBar):
    """Tabs that stand closer together, and shorten their titles in the end, where a panel is narrow, instead of going
    out of sight. A title without a tooltip has itself as one."""

    def __init__(self, parent: QWidget | None = None):
        super().__init__(parent)
        self._wanted = 0  # width of all tabs that stand apart
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)

    @property
    def is_narrow(self) -> bool:
        """Whether the tabs stand close together."""
        return self.property("narrow") == "true"

    def tabInserted(self, index: int) -> None:
        super().tabInserted(index)
        if not self.tabToolTip(index):
            self.setTabToolTip(index, self.tabText(index))
        self._set_narrow(False)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(LEAST * self.count(), super().minimumSizeHint().height())

    def minimumTabSizeHint(self, index: int) -> QSize:
        return QSize(min(LEAST, self.tabSizeHint(index).width()), self.tabSizeHint(index).height())

    def _fit(self) -> None:
        """Choose the room around the titles (app/settings/theme.py has both)."""
        if not self.is_narrow:
            self._wanted = sum(self.tabSizeHint(index).width() for index in range(self.count()))
        self._set_narrow(self._wanted > self.width())

    def _set_narrow(self, on: bool) -> None:
        if on != self.is_narrow:
            self.setProperty("narrow", "true" if on else "false")
            self.style().polish(self)
            self.setElideMode(self.elideMode())  # lays the tabs out again
