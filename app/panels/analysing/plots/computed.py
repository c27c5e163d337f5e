"""Plotted quantities that are not computed: the flags that they need, and a note in the plot that sets them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from kinetree.app.workers.simulation import requests
from kinetree.engine.model import enums
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.app.panels.analysing.plots.recording import Quantity
    from kinetree.engine.run.snapshot import Snapshot


@dataclass(frozen=True)
class Need:
    """Fields of Data that are computed with a flag only.

    option, flag  the field of the options, and its bit
    wanted        whether the bit is to be set, or cleared
    text          what is told while they are not computed
    has_past      whether the past is computed as if the flag were set (`engine/run/past.py`)
    """

    fields: tuple[str, ...]
    option: str
    flag: int
    wanted: bool
    text: str
    has_past: bool = True

    def is_met(self, snapshot: Snapshot) -> bool:
        return bool(int(getattr(snapshot.opt, self.option)) & self.flag) == self.wanted

    def request(self, snapshot: Snapshot) -> requests.SetOption:
        """Sets the flag of the simulation. The text of the model stays as it is."""
        flags = int(getattr(snapshot.opt, self.option))
        return requests.SetOption(self.option, flags | self.flag if self.wanted else flags & ~self.flag)


NEEDS = (
    Need(
        ("energy",), "enableflags", enums.ENBL_ENERGY, True,
        marked("Energy is not computed."),
    ),
    Need(
        ("sensordata",), "disableflags", enums.DSBL_SENSOR, False,
        marked("Sensors are not computed."),
    ),
    Need(
        ("solver_fwdinv",), "enableflags", enums.ENBL_FWDINV, True,
        marked("fwdinv is not computed."), has_past=False,
    ),
)  # fmt: skip


def unmet(quantities: Iterable[Quantity], snapshot: Snapshot) -> dict[Need, list[Quantity]]:
    """The needs of quantities that the options do not meet."""
    found: dict[Need, list[Quantity]] = {}
    for need in NEEDS:
        if not need.is_met(snapshot):
            needing = [
                each
                for each in dict.fromkeys(quantities)
                if each.expression is not None and set(need.fields) & set(each.expression.fields)
            ]
            if needing:
                found[need] = needing
    return found


class NotComputed(QFrame):
    """A note over a plot with a button. `wanted(need)`: compute it."""

    wanted = Signal(object)

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("plotNote")
        self.setAutoFillBackground(True)
        self.need: Need | None = None
        self.label = QLabel(self)
        self.button = QPushButton(tr("Compute"), self)
        self.button.setObjectName("small")
        self.button.setToolTip(tr("Set the flag of the running simulation; the text stays as it is"))
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.clicked.connect(lambda _checked=False: self.wanted.emit(self.need))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 6, 3)
        row.addWidget(self.label, 1)
        row.addWidget(self.button)
        self.hide()

    def show_need(self, need: Need | None) -> None:
        if need is not self.need:
            self.need = need
            self.label.setText("" if need is None else tr(need.text))
        self.setVisible(need is not None)
