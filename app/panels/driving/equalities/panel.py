"""The equalities panel: constraints switched on and off for now. The text of the model stays as it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from PySide6.QtWidgets import QMenu, QWidget

from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import NAME, LiveColumn, LiveRow
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import marked, tr

TYPES = {
    enums.EQ_CONNECT: "connect", enums.EQ_WELD: "weld", enums.EQ_JOINT: "joint", enums.EQ_TENDON: "tendon",
    enums.EQ_FLEX: "flex", enums.EQ_DISTANCE: "distance",
}  # fmt: skip
TYPE = LiveColumn(marked("Type"), lambda row, _value, _units: row.help, lambda row, _value: row.help, width=80)
STATE = LiveColumn(
    marked("Now"),
    lambda _row, value, _units: "" if value is None else tr("on") if value else tr("off"),
    lambda _row, value: value or 0.0, is_live=True, width=50,
)  # fmt: skip


class EqualitiesPanel(LivePanel):
    what = "equality"
    made_of = ("names.equality", "neq", "eq_type")
    columns = (NAME, TYPE, STATE)

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(workspace, settings, parent)
        self.model.is_on = self.model.value
        self.model.switch = self.switch
        self.view.add_to_menu = self._add_to_menu

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        for equality in range(model.neq):
            yield LiveRow(
                name_of(model, "equality", equality), lambda s, equality=equality: float(s.eq_active[equality]),
                selection=Selection("equality", equality), quantity=f"eq_active[{equality}]",
                help=TYPES.get(int(model.eq_type[equality]), ""),
            )  # fmt: skip

    def empty_text(self, model: Any) -> str:
        return tr("This model has no equality constraints.")

    def switch(self, row: LiveRow, on: bool) -> None:
        """Switch a constraint on or off, for now."""
        self.simulation.post(requests.SetValues("eq_active", row.selection.id, [int(on)]))

    def _add_to_menu(self, menu: QMenu, rows: list[LiveRow]) -> None:
        for text, on in ((tr("Switch On"), True), (tr("Switch Off"), False)):
            action = menu.addAction(text)
            action.setEnabled(bool(rows))
            action.triggered.connect(lambda _checked=False, on=on: [self.switch(row, on) for row in rows])
