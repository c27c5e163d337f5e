"""A panel with a list of live values: search field, list, and what connects them with the simulation.

A panel of this kind says which rows a model has (`rows`) and which columns the list has. It follows the simulation
while the user can see it, at most `RATE` times a second, and then reads only the rows that are painted. Out of sight it
does nothing.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from kinetree.app.panels.live.model import LiveModel
from kinetree.app.panels.live.rows import NAME, UNIT, VALUE, LiveColumn, LiveRow
from kinetree.app.panels.live.view import LiveView
from kinetree.app.widgets.filter import FilteredColumn, FilterEdit
from kinetree.app.widgets.panel import Panel
from kinetree.app.workspace.selection import Selection
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.translation import tr

RATE = 20.0  # refreshes a second at most
SHARE = 0.2  # of the window's time that the refreshes of a list may take: long lists are refreshed less often
SORT_EVERY = 0.5  # time between sorts by values that change, s


class LivePanel(Panel):
    """Panel with a list of live values. `said(text)`: a remark for the status bar. `top` is the line of the search
    field: buttons may follow it there.
    """

    what = "value"
    """Label of a row, in one word."""
    columns: Sequence[LiveColumn] = (NAME, VALUE, UNIT)
    rows_change = False
    """Whether the rows change while the model stays, as contacts do: then `rows` is asked at each refresh."""
    made_of: Sequence[str] = ()
    """Data that the rows depend on: fields of the model, "names.KIND", and "names" for all names. If none of it differs
    in the next version of the model, the rows stay. Without this they are rebuilt for each version."""

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(parent)
        self.workspace, self.settings = workspace, settings
        self.simulation, self.selection, self.units = workspace.simulation, workspace.selection, workspace.units
        self.model = LiveModel(self.columns, self.units, self)
        self.model.newest = lambda: self.simulation.snapshot
        self.view = self.make_view()
        self.filter = FilterEdit(self)
        self.filter.setPlaceholderText(tr("Filter {plural}", plural=tr(self.plural)))
        self.filter.setAccessibleName(tr("Filter of {plural}", plural=tr(self.plural)))
        self.filter.setToolTip(
            tr("Shows the {plural} whose names hold every word that you type", plural=tr(self.plural))
        )
        self.view.setAccessibleName(tr(self.plural.capitalize()))
        self.setFocusProxy(self.view)
        self.column = FilteredColumn(self, self.filter, self.view)
        self.top = self.column.top
        self._is_stale = True  # the rows are of another model
        self._facts: object = None  # what the rows were made of
        self._last = self._sorted = 0.0
        self._took = 0.0  # what the last refresh computed, s
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(lambda: workspace.idle_queue.ask(self._follow_now))
        self.filter.textChanged.connect(self._filter)
        self.filter.entered.connect(self._enter_list)
        self.view.picked.connect(self._pick)
        self.view.touched.connect(self._renew_stale)
        self.view.resized.connect(self.fit_list)
        self.view.late.connect(self.refresh, Qt.ConnectionType.QueuedConnection)
        self.view.plot_wanted.connect(self.plot_wanted)
        self.view.copied.connect(lambda text: self.said.emit(tr("Copied {text}", text=text)))
        self.simulation.model_changed.connect(self._take_model)
        self.simulation.snapshot_changed.connect(self.follow)
        self.selection.changed.connect(self.show_selection)
        self.units.changed.connect(self.view.refresh)
        self._take_model()

    @property
    def running_lists(self) -> Sequence[QWidget]:
        return () if self.model.is_on is not None else (self.view,)  # where there are switches Space flips them

    @property
    def plural(self) -> str:
        return f"{self.what[:-1]}ies" if self.what.endswith("y") else f"{self.what}s"

    # ---- what a kind of panel says -----------------------------------------------------------------------

    def make_view(self) -> LiveView:
        """The list."""
        return LiveView(self.model, self)

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        """The rows of a model. `snapshot`: its newest state, None before the first."""
        raise NotImplementedError

    def empty_text(self, model: Any) -> str:
        """Text for an empty list."""
        return tr("This model has no {plural}.", plural=tr(self.plural))

    def fit_list(self) -> None:
        """Called when the size of the list changes. A panel may override it to leave columns out."""

    # ---- following ---------------------------------------------------------------------------------------

    @property
    def in_view(self) -> bool:
        """Whether the user can see it: open, and not behind another tab."""
        return self.isVisible() and not self.visibleRegion().isEmpty()

    def _take_model(self) -> None:
        facts = self._facts_of(self.simulation.model)
        if facts is not None and facts == self._facts and not self._is_stale:
            if not self.in_view:
                self.model.snapshot = None  # it would keep the model before
            return  # the same rows, with the values of the last state until there is one of this version
        self._is_stale, self._facts = True, facts
        self.model.snapshot = None
        for menu in self.view.findChildren(QMenu):
            menu.close()  # it is about rows of the model before
        if self.in_view:
            self.workspace.idle_queue.ask(self._follow_now)
        else:
            self.view.is_late = True

    def _facts_of(self, model: Any) -> object:
        """Data that the rows of a model depend on, for comparison; None if unknown."""
        if model is None or not self.made_of:
            return None
        return tuple(_fact(model, name) for name in self.made_of)

    def follow(self) -> None:
        """Show changed values: at once, or as soon as the rate allows or the list comes into view."""
        if not self.in_view:
            self.view.is_late = True
            return
        rest = self._last + max(1.0 / RATE, self._took / SHARE) - time.monotonic()
        if rest <= 0.0:
            self.workspace.idle_queue.ask(self._follow_now)
        elif not self._timer.isActive():
            self._timer.start(max(1, round(1000 * rest)))

    def _follow_now(self) -> None:
        if not self.in_view:
            self.view.is_late = True
            return
        start = time.thread_time()
        self.refresh()
        self._took = time.thread_time() - start

    def refresh(self) -> None:
        """Show the newest state."""
        self._timer.stop()
        self._last = time.monotonic()
        model, snapshot = self.simulation.model, self.simulation.snapshot
        if snapshot is None or snapshot.model is model:
            self.model.snapshot = snapshot
        elif self._is_stale:
            self.model.snapshot = snapshot = None
        if self._is_stale or self.rows_change:
            was_stale, self._is_stale = self._is_stale, False
            self.model.set_rows([] if model is None else self.rows(model, snapshot))
            self._say_empty()
            if was_stale:
                self.view.setRootIsDecorated(any(row.group for row in self.model.rows))
                self.show_selection()
        elif self._last - self._sorted > SORT_EVERY:
            self._sorted = self._last
            self.model.sort_again()
        self.view.refresh()

    def _renew_stale(self) -> None:
        """Make the rows of the present model before the user acts on the list."""
        if self._is_stale:
            self.refresh()

    def _say_empty(self) -> None:
        model = self.simulation.model
        if model is None:
            self.view.empty = tr("No model is open.")
        elif self.model.rows:
            self.view.empty = tr(
                "No {what} has “{filter}” in its name.", what=tr(self.what), filter=self.filter.text().strip()
            )
        else:
            self.view.empty = self.empty_text(model)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.view.is_late = True

    # ---- filter and selection ----------------------------------------------------------------------------

    def _filter(self, text: str) -> None:
        self.model.set_filter(text)
        self._say_empty()
        self.show_selection()
        self.view.refresh()

    def _enter_list(self) -> None:
        self.view.setFocus()
        if not self.view.currentIndex().isValid() and self.model.rowCount():
            self.view.setCurrentIndex(self.model.index(0, 0))

    def show_selection(self) -> None:
        """Select the rows of the objects that are selected elsewhere."""
        chosen = {(each.kind, each.id) for each in self.selection.selections if each.kind}
        chosen &= {(row.selection.kind, row.selection.id) for row in self.model.rows}
        mine = {(row.selection.kind, row.selection.id) for row in self.view.rows_selected()}
        if chosen != mine:
            self.view.show_selected(lambda row: (row.selection.kind, row.selection.id) in chosen)

    def _pick(self, rows: list[LiveRow]) -> None:
        found: list[Selection] = [row.selection for row in rows if row.selection]
        if found:
            self.selection.select_several(found)


def _fact(model: Any, name: str) -> object:
    """A fact of `LivePanel.made_of`. An array is copied: a view would keep the memory of the whole model."""
    found = model
    for part in name.split("."):
        found = found.get(part) if isinstance(found, dict) else getattr(found, part)
    return found.tobytes() if isinstance(found, np.ndarray) else found
