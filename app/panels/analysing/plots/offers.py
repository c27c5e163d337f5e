"""An empty plot: ready plots in its middle, each a click away."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from kinetree.app.panels.analysing.plots.ready import READY, ReadyPlot
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

SPACE = 6  # between buttons, pixels
MOST_COLUMNS = 5


class Offers(QFrame):
    """Buttons of the ready plots that a model has. `ready_wanted(row)`: one was pressed; `data_wanted()`: measured data
    is to be added."""

    ready_wanted = Signal(object)
    data_wanted = Signal()

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("plotOffers")
        self.setAutoFillBackground(True)
        self.title = QLabel(tr("Nothing is plotted here yet. Ready plots:"), self)
        self.hint = QLabel(tr("Or type a quantity, or drop one from a list, or a CSV file with measured data."), self)
        self.buttons: dict[ReadyPlot, QPushButton] = {}
        for label in (self.title, self.hint):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            label.setWordWrap(True)
        self.title.setObjectName("title")
        self.hint.setObjectName("dim")
        for row in READY:
            button = QPushButton(tr(row.title), self)
            button.setToolTip(tr(row.help))
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(partial(self._want, row))
            self.buttons[row] = button
        self.data = QPushButton(tr("Measured Data…"), self)
        self.data.setToolTip(tr("Show columns of a CSV file beside the simulation"))
        self.data.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.data.clicked.connect(lambda _checked=False: self.data_wanted.emit())
        self.grid = QGridLayout()
        self.grid.setSpacing(SPACE)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 4, 8, 4)
        column.addStretch(1)
        column.addWidget(self.title)
        column.addLayout(self.grid)
        column.addWidget(self.hint)
        column.addStretch(1)

    def _want(self, row: ReadyPlot, _checked: bool = False) -> None:
        self.ready_wanted.emit(row)

    def show_model(self, model: Model | None) -> None:
        """Offer what a model has."""
        for row, button in self.buttons.items():
            button.setEnabled(model is not None and (not row.needs or bool(getattr(model, row.needs))))
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        """Put as many buttons beside each other as there is room for; those of no use are left out."""
        shown = [button for button in (*self.buttons.values(), self.data) if button.isEnabled()]
        for button in self.buttons.values():
            button.setVisible(button.isEnabled())
        widest = max(button.sizeHint().width() for button in shown)
        columns = max(1, min(MOST_COLUMNS, (self.width() - 16 + SPACE) // (widest + SPACE)))
        while self.grid.count():
            self.grid.takeAt(0)
        for place in range(MOST_COLUMNS + 2):
            self.grid.setColumnStretch(place, 0)
        self.grid.setColumnStretch(0, 1)
        self.grid.setColumnStretch(columns + 1, 1)
        for place, button in enumerate(shown):
            self.grid.addWidget(button, place // columns, 1 + place % columns)
        rows = -(-len(shown) // columns)
        needed = rows * (shown[0].sizeHint().height() + SPACE) + 8
        line = self.fontMetrics().height()
        self.title.setVisible(self.height() > needed + 2 * line)
        self.hint.setVisible(self.height() > needed + 5 * line)
