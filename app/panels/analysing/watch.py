"""The watch list: expressions that the user wants to see the values of, kept for each model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QAction, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QMenu, QWidget

from kinetree.app.panels.analysing.plots.curves import NAMED
from kinetree.app.panels.analysing.plots.entry import ExpressionEntry
from kinetree.app.panels.analysing.plots.recording import Quantity
from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import MIME, NAME, UNIT, VALUE, LiveRow, quantities_of
from kinetree.app.panels.live.units_button import UnitsButton
from kinetree.app.settings.settings import parsed
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine import run
from kinetree.engine.model.fields import by_name
from kinetree.engine.run.expression_names import follow
from kinetree.engine.run.expression_tree import Expression
from kinetree.engine.translation import tr

KEPT_AS = "watch"


class WatchPanel(LivePanel):
    """Values of expressions, read from snapshots; what snapshots do not have is asked of the simulation thread while
    the list is in view."""

    what = "expression"
    columns = (NAME, VALUE, UNIT)

    _answered = Signal(object)

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        self.quantities: list[Quantity] = []
        self._values: dict[Quantity, Any] = {}
        self._asked = False
        self._path = ""
        super().__init__(workspace, settings, parent)
        self.entry = ExpressionEntry(lambda: (self.simulation.model, self.simulation.other), self)
        self.entry.setContentsMargins(6, 4, 6, 6)
        self.column.addWidget(self.entry)
        self.top.addWidget(UnitsButton(self.units, self))
        self.view.add_to_menu = self._add_to_menu
        self.setAcceptDrops(True)
        self.setFocusProxy(self.entry)
        self.removal = QAction(tr("Remove"), self.view)
        self.removal.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        self.removal.triggered.connect(lambda: self.remove(self.view.rows_selected()))
        self.view.addAction(self.removal)
        self.shared_keys = {"edit.delete": self.removal}
        self.entry.entered.connect(self.add)
        self._answered.connect(self._take_values)
        self._restore_timer = QTimer(self)
        self._restore_timer.setSingleShot(True)
        self._restore_timer.timeout.connect(self._restore)
        self.simulation.model_changed.connect(self._follow_model)
        self.simulation.other_changed.connect(self._follow_other)
        self._restore()

    # ---- what is watched ---------------------------------------------------------------------------------

    def add(self, text: str) -> None:
        """Watch an expression."""
        if any(each.text == text for each in self.quantities):
            return
        quantity = Quantity(text)
        quantity.read(self.simulation.model, self.simulation.other)
        self.quantities.append(quantity)
        self._renew()
        self._save()

    def remove(self, rows: list[LiveRow]) -> None:
        """Watch the expressions of these rows no more."""
        gone = {row.key for row in rows}
        self.quantities = [each for each in self.quantities if each not in gone]
        self._renew()
        self._save()

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        for quantity in self.quantities:
            units = set(quantity.units)
            name = NAMED.sub(r"\2", quantity.text)
            yield LiveRow(
                name,
                self._reader(quantity),
                units.pop() if len(units) == 1 else "",
                _selection(quantity.expression),
                quantity.text if quantity.expression is not None else "",
                help=quantity.error or (quantity.text if name != quantity.text else ""),
                key=quantity,
                error=quantity.error if quantity.expression is None else "",
            )

    def empty_text(self, model: Any) -> str:
        return tr("Type an expression below to watch its value, or drop one here from another list.")

    def _reader(self, quantity: Quantity) -> Callable[[Any], Any]:
        expression = quantity.expression
        if expression is None:
            return lambda _snapshot: quantity.error
        if not _is_in_snapshots(expression):
            return lambda _snapshot: self._values.get(quantity)
        is_count = quantity.is_count
        if not expression.reads_other:
            return lambda snapshot: _value(expression.of_state(snapshot), is_count)

        def read(snapshot: Any) -> Any:
            other = self.simulation.other_snapshot
            return None if other is None else _value(expression.of_state(snapshot, other), is_count)

        return read

    def _renew(self) -> None:
        self._is_stale = True
        self.refresh()

    def refresh(self) -> None:
        super().refresh()
        wanted = {
            each: each.expression
            for each in self.quantities
            if each.expression is not None and not _is_in_snapshots(each.expression)
        }
        if wanted and not self._asked:
            self._asked = True
            names = self.simulation.model.names if self.simulation.model is not None else None
            compared = self.simulation.other

            def read(present: Any, data: Any, other: Any, other_data: Any) -> None:
                values = {}
                if present is not None and present.names is names:  # else another model has come in the meantime
                    values = {
                        each: _value(one.of_state(data, other_data), each.is_count)
                        for each, one in wanted.items()
                        if not one.reads_other or (other is not None and other is compared)
                    }
                self._answered.emit(values)

            self.simulation.post(requests.AskBoth(read))

    def _take_values(self, values: dict[Quantity, Any]) -> None:
        self._asked = False
        if values:
            self._values = values
            self.view.refresh()

    # ---- models ------------------------------------------------------------------------------------------

    def _follow_model(self, old: Any, keep: bool) -> None:
        model = self.simulation.model
        if keep and old is not None and model is not None:
            matching = run.matching.Matching(old, model)
            for quantity in self.quantities:
                if quantity.expression is not None:
                    quantity.text = follow(quantity.expression, matching)
        else:
            self._restore_timer.start(0)  # the path of the model is known then
        for quantity in self.quantities:
            quantity.read(model, self.simulation.other)
        self._values = {}
        self._renew()

    def _follow_other(self) -> None:
        found = [each for each in self.quantities if each.needs_other]
        for quantity in found:
            quantity.read(self.simulation.model, self.simulation.other)
            self._values.pop(quantity, None)
        if found:
            self._renew()

    def _restore(self) -> None:
        path = self.workspace.project.path
        if path != self._path:
            self._path = path
            found = parsed(self.settings.of_model(path, KEPT_AS))
            texts = found if isinstance(found, list) else []
            self.quantities = [Quantity(text) for text in texts if isinstance(text, str)]
            for quantity in self.quantities:
                quantity.read(self.simulation.model, self.simulation.other)
            self._renew()

    def _save(self) -> None:
        if self._path:
            texts = [each.text for each in self.quantities]
            self.settings.set_of_model(self._path, KEPT_AS, json.dumps(texts) if texts else "")

    # ---- menu and drops ----------------------------------------------------------------------------------

    def _add_to_menu(self, menu: QMenu, rows: list[LiveRow]) -> None:
        remove = menu.addAction(tr("Remove"), lambda: self.remove(rows))
        remove.setShortcuts(self.removal.shortcuts())
        remove.setEnabled(bool(rows))

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(MIME) and event.source() is not self.view:
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        for text in quantities_of(bytes(event.mimeData().data(MIME).data())):
            self.add(text)


def _is_in_snapshots(expression: Expression) -> bool:
    return all(by_name(tr("Data"))[name].snapshot for name in expression.fields)


def _value(found: np.ndarray, is_count: bool) -> Any:
    """Text of a row: a number, several, or integers as text."""
    if is_count:
        return "  ".join("–" if np.isnan(each) else f"{each:.0f}" for each in found)
    return float(found[0]) if len(found) == 1 else found


def _selection(expression: Expression | None) -> Selection:
    """The object that an expression names, if it is one."""
    if expression is None or len({(each.kind, each.id) for each in expression.references}) != 1:
        return NOTHING
    first = expression.references[0]
    return Selection(first.kind, first.id)
