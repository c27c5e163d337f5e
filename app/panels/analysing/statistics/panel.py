"""Statistics of the running simulation: time, speed, energy and its drift, contacts, the constraint solver.

It reads, but for the switch of energy: that sets the flag of the options for now, the text stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QToolButton, QWidget

from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import NAME, UNIT, LiveColumn, LiveRow, sort_key, value_text
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.readouts import rate_text
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.model import enums
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.run.snapshot import Snapshot

Read = Callable[["Snapshot"], Any]


def _text(row: LiveRow, value: Any, units: Any) -> str:
    if value is None:
        return tr("not computed") if row.group in (tr("Energy"), tr("Solver")) else "–"
    return f"{value:,}" if isinstance(value, int) else value_text(value)


VALUE = LiveColumn(marked("Value"), _text, lambda _row, value: sort_key(value), is_live=True, is_number=True, width=110)


def _has_energy(snapshot: Snapshot) -> bool:
    return bool(snapshot.opt.enableflags & enums.ENBL_ENERGY)


def _energy(read: Read) -> Read:
    """A reader that has nothing while no energy is computed."""
    return lambda snapshot: read(snapshot) if _has_energy(snapshot) else None


def _total(snapshot: Snapshot) -> float:
    return float(snapshot.energy[0] + snapshot.energy[1])


class StatisticsPanel(LivePanel):
    """Panel of the energy and other statistics. `zero`: the reference energy of the drift, None before the first."""

    what = "statistic"
    columns = (NAME, VALUE, UNIT)

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        self.zero: float | None = None
        self._time = 0.0
        super().__init__(workspace, settings, parent)
        self.energy = QToolButton(self)
        self.energy.setText(tr("Compute Energy"))
        self.energy.setCheckable(True)
        self.energy.setAutoRaise(True)
        self.energy.setToolTip(
            tr("Compute energies while the simulation runs: sets the flag energy of the simulation, not of the text")
        )
        self.energy.clicked.connect(self._switch_energy)
        self.again = QToolButton(self)
        self.again.setIcon(icon("reset"))
        self.again.setAutoRaise(True)
        self.again.setToolTip(tr("Measure energy drift from now"))
        self.again.setAccessibleName(tr("Measure energy drift from now"))
        self.again.clicked.connect(self._begin_anew)
        self.top.addWidget(self.energy)
        self.top.addWidget(self.again)

    def refresh(self) -> None:
        """Show the newest state."""
        snapshot = self.simulation.snapshot
        if snapshot is not None and snapshot.model is self.simulation.model:
            if not _has_energy(snapshot):
                self.zero = None
            elif self.zero is None or snapshot.time < self._time:
                self.zero = _total(snapshot) if snapshot.time > 0 or snapshot.energy.any() else None
            self._time = float(snapshot.time)
            self.energy.setChecked(_has_energy(snapshot))
        super().refresh()

    def _take_model(self) -> None:
        self.zero = None
        super()._take_model()

    def _switch_energy(self, on: bool) -> None:
        snapshot = self.simulation.snapshot
        if snapshot is not None:
            flags = int(snapshot.opt.enableflags)
            self.simulation.post(
                requests.SetOption("enableflags", flags | enums.ENBL_ENERGY if on else flags & ~enums.ENBL_ENERGY)
            )
            self.said.emit(tr("Energy is computed in this simulation") if on else tr("Energy is not computed any more"))

    def _begin_anew(self) -> None:
        self.zero = None
        self.refresh()

    def _drift(self, snapshot: Snapshot) -> float:
        return _total(snapshot) - self.zero if self.zero is not None else math.nan

    def _relative(self, snapshot: Snapshot) -> str | None:
        kinetic = abs(float(snapshot.energy[1]))
        scale = max(abs(self.zero or 0.0), kinetic)
        return f"{100 * self._drift(snapshot) / scale:.3g} %" if self.zero is not None and scale > 0 else None

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        yield LiveRow(tr("Time"), lambda s: float(s.time), "s", quantity="time", group=tr("Time"))
        yield LiveRow(tr("Steps"), lambda s: int(s.steps), group=tr("Time"), help=tr("Since the model was loaded"))
        yield LiveRow(tr("Time step"), lambda s: float(s.opt.timestep), "s", group=tr("Time"))
        yield LiveRow(
            tr("Speed"),
            lambda s: rate_text(s.rate) or None,
            group=tr("Time"),
            help=tr("Simulated seconds for each second of real time"),
        )
        yield LiveRow(
            tr("Cost of a step"), lambda s: 1e6 * s.cost if s.cost else None, "µs", group=tr("Time"),
            help=tr("Of the simulation thread"),
        )  # fmt: skip
        energy = tr("Energy")
        help = tr("Computed with the flag energy: the button above")
        yield LiveRow(
            tr("Potential"), _energy(lambda s: float(s.energy[0])), "J", quantity="energy[0]", group=energy, help=help
        )
        yield LiveRow(
            tr("Kinetic"), _energy(lambda s: float(s.energy[1])), "J", quantity="energy[1]", group=energy, help=help
        )
        yield LiveRow(tr("Total"), _energy(_total), "J", quantity="energy[0] + energy[1]", group=energy, help=help)
        yield LiveRow(
            tr("Drift"),
            _energy(self._drift),
            "J",
            group=energy,
            help=tr("Of the total since the last reset, or since the button"),
        )
        yield LiveRow(
            tr("Relative drift"),
            _energy(self._relative),
            group=energy,
            help=tr("Of the total, or of the kinetic energy if greater"),
        )
        contacts = tr("Constraints")
        yield LiveRow(tr("Contacts"), lambda s: int(s.ncon), quantity="ncon", group=contacts)
        yield LiveRow(tr("Constraint rows"), lambda s: int(s.nefc), quantity="nefc", group=contacts)
        yield LiveRow(tr("of equalities"), lambda s: int(s.ne), quantity="ne", group=contacts)
        yield LiveRow(tr("of friction"), lambda s: int(s.nf), quantity="nf", group=contacts)
        yield LiveRow(tr("of limits"), lambda s: int(s.nl), quantity="nl", group=contacts)
        yield LiveRow(tr("Islands"), lambda s: int(s.nisland), quantity="nisland", group=contacts)
        yield LiveRow(
            tr("Iterations"), lambda s: int(s.solver_niter.sum()), quantity="sum(solver_niter)", group=tr("Solver")
        )
        for place, what in ((0, tr("Constraint error")), (1, tr("Applied error"))):
            yield LiveRow(
                what,
                lambda s, place=place: float(s.solver_fwdinv[place]) if s.opt.enableflags & enums.ENBL_FWDINV else None,
                quantity=f"solver_fwdinv[{place}]", group=tr("Solver"),
                help=tr("Difference of the forces of forward and inverse dynamics, with the flag fwdinv"),
            )  # fmt: skip
        yield LiveRow(
            tr("Automatic resets"),
            lambda s: int(s.nreset),
            group=tr("Solver"),
            help=tr("After the simulation diverged"),
        )
