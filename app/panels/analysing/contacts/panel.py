"""The contacts panel: what touches what, how deep, and with which force; now, or as means over every step.

It reads. A contact is selected with the objects that touch; what is selected elsewhere selects its contacts here. The
viewport draws the selected ones (`app/viewport/contact_layer.py`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QMenu, QWidget

from kinetree.app.panels.analysing.contacts.averages import ContactAverages
from kinetree.app.panels.live.bars import ShareBar
from kinetree.app.panels.live.fitting import fit_columns
from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import LiveColumn, LiveRow, sort_key
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.readouts import number_text
from kinetree.app.workspace.selection import NOTHING, Selection
from kinetree.app.workspace.units import Units
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine import scene
from kinetree.engine.dynamics import query
from kinetree.engine.model.kinds import name_of
from kinetree.engine.run.expression_names import reference
from kinetree.engine.translation import counted, marked, tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model
    from kinetree.engine.run.contact_tally import Tally
    from kinetree.engine.run.snapshot import Snapshot
    from kinetree.engine.scene.contact_figures import ContactKey

Values = tuple[float, ...]
DISTANCE, NORMAL, FRICTION, CONE, PEAK, TOUCHING = range(6)
"""Numbers of a row. Now: the first four; means: all but the cone."""
NEAR, SLIPS = 0.8, 0.99
"""Use of the friction cone from which its bar is yellow, and red."""
MOST = 2000
"""Rows; of more contacts, those with the greatest normal forces."""
SPANS = (
    (marked("Now"), 0.0),
    (marked("Mean of 0.2 s"), 0.2),
    (marked("Mean of 1 s"), 1.0),
    (marked("Mean of 5 s"), 5.0),
)


def _number(title: str, index: int, help: str, factor: float = 1.0, width: int = 92) -> LiveColumn:
    def read(value: Values | None) -> float | None:
        if value is None or index >= len(value) or math.isnan(value[index]):  # only means have all columns
            return None
        return value[index] * factor

    def text(_row: LiveRow, value: Values | None, _units: Units) -> str:
        found = read(value)
        if found is None:
            return ""
        return f"{found:.0f} %" if factor != 1.0 else number_text(found)

    return LiveColumn(
        title, text, lambda _row, value: sort_key(read(value)), is_live=True, is_number=True, help=help, width=width
    )


COLUMNS = (
    LiveColumn(marked("Contact"), lambda row, _value, _units: row.name, lambda row, _value: row.name.casefold()),
    _number(
        marked("Distance, m"),
        DISTANCE,
        marked("Distance of the nearest points, m; negative in penetration. Of means: the least"),
    ),
    _number(
        marked("Normal, N"), NORMAL, marked("Force along the normal, N. Of means: the sum over all contacts of the two")
    ),
    _number(
        marked("Friction, N"),
        FRICTION,
        marked("Length of the friction force, N. Of means: the sum over all contacts of the two"),
    ),
    _number(
        marked("Cone"),
        CONE,
        marked("Part of the friction that the cone allows. At 100 % it slips: the bar is red"),
        100.0,
        110,
    ),
    _number(marked("Peak, N"), PEAK, marked("Greatest normal force in one step, N")),
    _number(marked("Touching"), TOUCHING, marked("Part of the time in which they touched"), 100.0, 88),
)


class ContactsPanel(LivePanel):
    """A row for each contact; for means one for each two objects."""

    what = "contact"
    columns = COLUMNS

    _tallied = Signal(object)

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        self._values: dict[ContactKey, Values] = {}
        self._made: dict[ContactKey, LiveRow] = {}
        self._made_for: Model | None = None
        self._picked: frozenset[ContactKey] | None = None  # None: the contacts of the objects selected elsewhere
        self._picking = False
        self._total = self._without = 0
        self._left_out = 0
        super().__init__(workspace, settings, parent)
        self.averages = ContactAverages(workspace, self)
        self.averages.changed.connect(self.follow)
        self.spans = ComboBox(self)
        for title, seconds in SPANS:
            self.spans.addItem(tr(title), seconds)
        self.spans.setAccessibleName(tr("Forces of this moment, or means"))
        self.spans.setToolTip(
            tr(
                "Forces of this moment, or means and peaks of every step of some simulated time.\n"
                "Means count steps without contact as no force."
            )
        )
        self.spans.activated.connect(lambda _index: self.set_span(float(self.spans.currentData())))
        self.top.addWidget(self.spans)
        self.summary = QLabel(self)
        self.summary.setObjectName("dim")
        self.summary.setContentsMargins(8, 3, 8, 4)
        self.summary.setWordWrap(True)
        self.column.addWidget(self.summary)
        self._cone, self._touching = ShareBar(self.view, NEAR, SLIPS), ShareBar(self.view)
        self.view.setItemDelegateForColumn(CONE + 1, self._cone)
        self.view.setItemDelegateForColumn(TOUCHING + 1, self._touching)
        self.view.add_to_menu = self._add_to_menu
        self.view.chosen.connect(self._tell_contacts)
        self._show_columns()

    # ---- means -------------------------------------------------------------------------------------------

    @property
    def span(self) -> float:
        """Simulated time of the means, s; 0: current forces."""
        return self.averages.span

    def set_span(self, seconds: float) -> None:
        """Show means over so much simulated time; 0: current forces."""
        self.spans.setCurrentIndex(max(0, self.spans.findData(seconds)))
        self.averages.set_span(seconds, self.isVisible())
        self._picked = None
        self._show_columns()
        self.refresh()
        self.show_selection()

    def _show_columns(self) -> None:
        """Show as many columns as fit beside the names."""
        unwanted = (CONE + 1,) if self.span else (PEAK + 1, TOUCHING + 1)
        fit_columns(self.view, [k + 1 for k in (NORMAL, FRICTION, DISTANCE, CONE, PEAK, TOUCHING)], unwanted)

    def fit_list(self) -> None:
        self._show_columns()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.averages.set_on(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.averages.set_on(False)
            self.selection.select_contacts(())

    # ---- rows --------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show the contacts of the newest state, or the means up to it."""
        snapshot = self.simulation.snapshot
        if snapshot is not None and snapshot.model is not self.simulation.model:
            snapshot = None
        before = set(self._values)
        if snapshot is None:
            self._values, self._total, self._without = {}, 0, 0
        elif self.span:
            self.averages.ask()
            self._measure_means(self.averages.sums())
        else:
            self._measure(snapshot)
        self.rows_change = before != set(self._values)
        self.view.setAutoScroll(False)  # else Qt goes to another row where the current one is gone
        super().refresh()
        self.view.setAutoScroll(True)
        if self.rows_change:
            self._mark_wanted(scrolls=False)
        self._summarise()

    def _measure(self, snapshot: Snapshot) -> None:

        forces, keys = (
            query.contact_force.contact_forces(snapshot),
            query.contact_force.contact_keys(query.contact_force.contact_sides(snapshot)),
        )
        columns = np.stack(
            [
                np.asarray(snapshot.contact.dist, float).reshape(-1)[: len(keys)],
                forces[:, 0],
                np.hypot(forces[:, 1], forces[:, 2]),
                scene.contact_figures.usage(snapshot, forces),
            ],
            axis=1,
        )
        self._total = len(keys)
        self._without = int((np.asarray(snapshot.contact.efc_address).reshape(-1)[: len(keys)] < 0).sum())
        if len(keys) > MOST:
            kept = np.sort(np.argsort(-forces[:, 0], kind="stable")[:MOST]).tolist()
            keys, columns = [keys[k] for k in kept], columns[kept]
        self._values = {key: tuple(row) for key, row in zip(keys, columns.tolist(), strict=True)}

    def _measure_means(self, sums: Tally) -> None:
        steps = max(1, sums.steps)
        self._left_out = sums.left_out
        unknown = np.full(len(sums.sides), math.nan)
        columns = np.stack(
            [sums.distance, sums.normal / steps, sums.friction / steps, unknown, sums.peak, sums.touched / steps],
            axis=1,
        )
        order = np.argsort(-sums.normal, kind="stable")[:MOST]
        self._total = len(sums.sides)
        pairs = [(int(a), int(b), -1) for a, b in sums.sides[order].tolist()]
        self._values = {key: tuple(row) for key, row in zip(pairs, columns[order].tolist(), strict=True)}

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        if self._made_for is not model:
            self._made, self._made_for = {}, model
        if len(self._made) > 4 * MOST:
            self._made = {}
        found = []
        for key in self._values:
            row = self._made.get(key)
            if row is None:
                row = self._made[key] = self._row(model, key)
            found.append(row)
        return found

    def _row(self, model: Model, key: ContactKey) -> LiveRow:
        names = [_name(model, each) for each in key[:2]]
        bodies = [_body(model, each) for each in key[:2]]
        number = f"  ({key[2] + 1})" if key[2] > 0 else ""
        return LiveRow(
            f"{names[0]} – {names[1]}{number}",
            self._reader(key),
            "N",
            quantity=f"contact({_reference(model, key[0])}, {_reference(model, key[1])}).normal",
            help=tr("{one} and {other}", one=bodies[0], other=bodies[1]) if all(bodies) else "".join(bodies),
            key=key,
        )

    def _reader(self, key: ContactKey) -> Callable[[Any], Values | None]:
        return lambda _snapshot: self._values.get(key)

    def empty_text(self, model: Any) -> str:
        if self.span:
            return tr("Nothing has touched in this time.") if self.averages.is_ready else tr("Preparing means…")
        return tr("Nothing touches now.")

    def _summarise(self) -> None:
        if not self._values:
            text = ""
        elif self.span:
            seconds = self.averages.seconds
            text = counted(
                "{count} pair touched; means of the last {seconds:.3g} s, from every step.",
                "{count} pairs touched; means of the last {seconds:.3g} s, from every step.",
                self._total,
                seconds=seconds,
            )
            if self._left_out:
                text += " " + counted(
                    "{count} contact was left out: there are too many pairs.",
                    "{count} contacts were left out: there are too many pairs.",
                    self._left_out,
                )
        else:
            normal = sum(value[NORMAL] for value in self._values.values())
            text = counted(
                "{count} contact, {without} of them without force. Normal forces: {force} N.",
                "{count} contacts, {without} of them without force. Normal forces: {force} N.",
                self._total,
                without=self._without,
                force=number_text(normal),
            )
        if self._total > MOST:
            text += " " + tr("The {most} with the greatest forces are listed.", most=MOST)
        if self.summary.text() != text:
            self.summary.setText(text)
        self.summary.setVisible(bool(text))

    # ---- selection ---------------------------------------------------------------------------------------

    def _pick(self, rows: list[LiveRow]) -> None:
        """Select the contacts, and the objects that touch."""
        keys: list[ContactKey] = [row.key for row in rows]  # type: ignore[misc]
        self._picked = frozenset(keys)
        self._picking = True
        sides = dict.fromkeys(each for key in keys for each in key[:2])
        self.selection.select_several([_object(each) for each in sides] or [NOTHING])
        self._picking = False
        self._tell_contacts()

    def show_selection(self) -> None:
        """Select the contacts of the objects selected elsewhere: of one object, or between several."""
        if not self._picking:
            self._picked = None
            self._mark_wanted()

    def _mark_wanted(self, scrolls: bool = True) -> None:
        """Select the rows that are wanted, also those that have just come; the list stays where it is for these."""
        wanted = self._is_wanted()
        marked = {row.key for row in self.view.rows_selected()}
        if marked != {key for key in self._values if wanted(key)}:
            self.view.show_selected(lambda row: wanted(row.key), scrolls)  # type: ignore[arg-type]

    def _is_wanted(self) -> Callable[[ContactKey], bool]:
        picked, model = self._picked, self.simulation.model
        if self.selection.model is not model:
            model = None  # what is selected is of the model before, and is about to follow
        if picked is not None:
            return lambda key: key in picked
        sets = [found for each in self.selection.selections if model is not None and (found := _sides(model, each))]
        if not sets:
            return lambda _key: False
        if len(sets) == 1:
            return lambda key: key[0] in sets[0] or key[1] in sets[0]
        either = frozenset().union(*sets)
        return lambda key: key[0] in either and key[1] in either

    def _tell_contacts(self) -> None:
        """Select the contacts of the selected rows, so that the viewport highlights them."""
        if self.isVisible():
            self.selection.select_contacts(row.key for row in self.view.rows_selected())  # type: ignore[misc]

    def _take_model(self) -> None:
        self._values = {}
        self._picked = None
        self._made, self._made_for = {}, None
        super()._take_model()

    def _add_to_menu(self, menu: QMenu, rows: list[LiveRow]) -> None:
        if not rows:
            return
        for title, ending in ((tr("Plot Friction"), "friction"), (tr("Plot Force"), "force")):
            texts = [row.quantity.removesuffix("normal") + ending for row in rows]
            menu.addAction(title, lambda texts=texts: self.view.plot_wanted.emit(list(dict.fromkeys(texts))))


# ---- sides ---------------------------------------------------------------------------------------------------


def _object(side: int) -> Selection:
    return Selection("geom", side) if side >= 0 else Selection("flex", -1 - side)


def _name(model: Model, side: int) -> str:
    each = _object(side)
    name = name_of(model, each.kind, each.id)
    body = _body(model, side)
    return f"{body}/{name}" if name == f"geom {side}" and body else name


def _body(model: Model, side: int) -> str:
    """The name of a side's body, "" for a flex."""
    return name_of(model, "body", int(model.geom_bodyid[side])) if side >= 0 else ""


def _reference(model: Model, side: int) -> str:
    """How an expression names a side: geoms by their name or number alone."""
    each = _object(side)
    text = reference(model, each.kind, each.id)
    return text.removeprefix("geom(").removesuffix(")") if each.kind == "geom" else text


def _sides(model: Model, selection: Selection) -> frozenset[int]:
    """The sides that a selected object is: a geom, a flex, all geoms of a body."""
    if selection.kind == "geom":
        return frozenset((selection.id,))
    if selection.kind == "flex":
        return frozenset((-1 - selection.id,))
    if selection.kind == "body":
        first = int(model.body_geomadr[selection.id])
        return frozenset(range(first, first + int(model.body_geomnum[selection.id])))
    return frozenset()
