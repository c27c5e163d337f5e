"""One plot: its canvas, the list of its curves, the line to add more."""

from __future__ import annotations

import time

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSplitter, QToolButton, QVBoxLayout, QWidget

from kinetree.app.panels.analysing.plots.canvas import Canvas
from kinetree.app.panels.analysing.plots.computed import Need, NotComputed, unmet
from kinetree.app.panels.analysing.plots.curves import COLOURS, MODES, MOST_COLUMNS, Curve, PlotState
from kinetree.app.panels.analysing.plots.data_files import data_files
from kinetree.app.panels.analysing.plots.entry import ExpressionEntry
from kinetree.app.panels.analysing.plots.legend import Legend
from kinetree.app.panels.analysing.plots.measured import MeasuredCurve
from kinetree.app.panels.analysing.plots.offers import Offers
from kinetree.app.panels.analysing.plots.recording import PlotRecording, Quantity
from kinetree.app.panels.live.rows import MIME, quantities_of
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.workspace.units import Units
from kinetree.engine.run.expression_names import of_other
from kinetree.engine.run.measured import Difference
from kinetree.engine.translation import tr

LOW = 130  # height of a plot that has no room for the line to add curves, pixels
LEAST_SIDE, MOST_SIDE = 260, 420  # width of the legend and its line, pixels
SIDE_SHARE = 0.22  # of the width of the plot
NOTE_EDGE = 8  # between a note and the edges of the canvas, pixels
VALUES_EVERY = 0.1  # time between refreshes of the numbers in the legend, s


class Plot(QFrame):
    """One plot of a panel. Signals: `changed()`: its stored state is different; `closed()`; `moved()`: it is wanted in
    another panel; `said(text)`; `ready_wanted(row)`: a ready plot is wanted in place of the empty one. Of
    measured data: `data_wanted()`: a file is to be asked for; `data_dropped(path)`; `data_lacks(curve)`: its numbers
    are to be read; `mapping_wanted(curve)`: its columns are to be chosen again."""

    changed = Signal()
    closed = Signal()
    moved = Signal()
    said = Signal(str)
    ready_wanted = Signal(object)
    data_wanted = Signal()
    data_dropped = Signal(str)
    data_lacks = Signal(object)
    mapping_wanted = Signal(object)

    def __init__(self, recording: PlotRecording, units: Units, parent: QWidget | None = None):
        super().__init__(parent)
        self.recording, self.units = recording, units
        self.curves: list[Curve] = []
        self._cursor: float | None = None
        self._values_shown = 0.0
        self.setAcceptDrops(True)
        self.canvas = Canvas(recording.series, units, self)
        self.legend = Legend(units, self.canvas.axis_of, self)
        simulation = recording.simulation
        self.entry = ExpressionEntry(lambda: (simulation.model, simulation.other), self)
        self.mode = ComboBox(self)
        for key, title in MODES.items():
            self.mode.addItem(tr(title), key)
        self.mode.setAccessibleName(tr("Curves of the plot"))
        self.mode.setToolTip(
            tr(
                "Over time; as a phase plot, with the first curve as X and the others as Y;\n"
                "or as spectra: how much of each frequency is in the curves"
            )
        )
        self.copy = self._button("copy", tr("Copy this plot as a picture"), self.copy_picture)
        self.move_button = self._button("float", tr("Move this plot to another panel"), self.moved.emit)
        self.close_button = self._button("close", tr("Remove this plot"), self.closed.emit)
        self.add_button = self._button(
            "new", tr("Show or hide the line in which quantities are added"), self._show_entry
        )
        self.add_button.setCheckable(True)
        top = QHBoxLayout()
        top.setContentsMargins(0, 0, 0, 0)
        top.setSpacing(2)
        top.addWidget(self.mode, 1)
        top.addWidget(self.add_button)
        top.addWidget(self.copy)
        top.addWidget(self.move_button)
        top.addWidget(self.close_button)
        side = QWidget(self)
        column = QVBoxLayout(side)
        column.setContentsMargins(2, 2, 4, 4)
        column.setSpacing(3)
        column.addLayout(top)
        column.addWidget(self.legend, 1)
        column.addWidget(self.entry)
        self.splitter = QSplitter(Qt.Orientation.Horizontal, self)
        self.splitter.addWidget(self.canvas)
        self.splitter.addWidget(side)
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setSizes([700, LEAST_SIDE])
        self._side_is_chosen = False  # the user gave the legend its width
        self.splitter.splitterMoved.connect(self._note_side)
        self.splitter.setChildrenCollapsible(True)
        self.offers = Offers(self.canvas)
        self.offers.ready_wanted.connect(self.ready_wanted)
        self.offers.data_wanted.connect(self.data_wanted)
        self.legend.difference_of = self._difference
        self.legend.mapping_wanted.connect(self.mapping_wanted)
        self.note = NotComputed(self.canvas)
        self.note.wanted.connect(self._compute)
        self.canvas.installEventFilter(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.splitter)
        self._show_entry()
        self.mode.currentIndexChanged.connect(self._take_mode)
        self.legend.changed.connect(self._take_looks)
        self.legend.removed.connect(self.remove)
        self.entry.entered.connect(self.add)
        recording.changed.connect(self._renew)
        units.changed.connect(self._take_looks)

    def _button(self, name: str, tip: str, run) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(icon(name))
        side = self.fontMetrics().height()
        button.setIconSize(QSize(side, side))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setAutoRaise(True)
        button.clicked.connect(lambda _checked=False: run())
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_entry()
        if not self._side_is_chosen:
            side = min(MOST_SIDE, max(LEAST_SIDE, int(SIDE_SHARE * self.width())))
            self.splitter.setSizes([max(1, self.width() - side), side])

    def _note_side(self, _place: int, _number: int) -> None:
        self._side_is_chosen = True

    def _show_entry(self) -> None:
        """Show the line that adds curves; a low plot has room for its curves only, and shows the line on demand."""
        is_low = 0 < self.height() < LOW and bool(self.curves)
        self.add_button.setVisible(is_low)
        self.entry.setVisible(not is_low or self.add_button.isChecked() or self.entry.line.hasFocus())
        self.setFocusProxy(self.add_button if self.entry.isHidden() else self.entry)
        if is_low and self.add_button.isChecked() and self.add_button.hasFocus():
            self.entry.setFocus()

    # ---- curves ------------------------------------------------------------------------------------------

    def add(self, text: str) -> bool:
        """Show all columns of an expression; whether the model has it. What is shown already is not added again."""
        quantity = self.recording.use(text)
        if quantity.expression is None:
            self.recording.drop(quantity)
            self.said.emit(f"{text}: {quantity.error}")
            return False
        width = quantity.expression.width
        if width > MOST_COLUMNS:
            self.said.emit(
                tr(
                    "{text} has {width} columns; the first {most} are shown",
                    text=text,
                    width=width,
                    most=MOST_COLUMNS,
                )
            )
        shown = {curve.column for curve in self.simulated_curves if curve.quantity is quantity}
        for column in set(range(min(width, MOST_COLUMNS))) - shown:
            self.curves.append(Curve(self.recording.use(text), column, self._style_of(text, column)))
        self.recording.drop(quantity)
        self._renew()
        self.changed.emit()
        return True

    def add_other(self) -> None:
        """Show each quantity of the model that is compared too."""
        texts = dict.fromkeys(curve.quantity.text for curve in self.simulated_curves if not curve.quantity.needs_other)
        for text in texts:
            self.add(of_other(text))

    @property
    def simulated_curves(self) -> list[Curve]:
        """The curves that are recorded."""
        return [curve for curve in self.curves if not curve.is_measured]

    def simulated(self, label: str) -> Curve | None:
        """The recorded curve of a label."""
        return next((curve for curve in self.simulated_curves if label and curve.label == label), None)

    def near_curve(self) -> Curve | None:
        """The curve that measured data is compared with unless the user says otherwise: the selected one, or the first
        without any."""
        selected = [curve for curve in self.legend.selected() if not curve.is_measured]
        compared = {curve.beside for curve in self.curves if isinstance(curve, MeasuredCurve)}
        free = [curve for curve in self.simulated_curves if curve.label not in compared]
        return next(iter([*selected, *free, *self.simulated_curves]), None)

    def style_beside(self, curve: Curve | None) -> int:
        """The colour of a curve, with dashes that no other has."""
        used = {each.style for each in self.curves}
        count = len(COLOURS["light"])
        first = (self._free_style() if curve is None else curve.style) % count
        return next(style for style in range(first + count, 1000, count) if style not in used)

    def add_measured(self, curve: MeasuredCurve) -> None:
        """Show a curve of measured data; its numbers come later."""
        self.curves.append(curve)
        self._renew()

    def show_measured(self) -> None:
        """Show the numbers of measured curves that were read, or why there are none."""
        self.canvas.fit()
        self._renew()

    def _difference(self, curve: Curve) -> Difference | None:
        """The difference of a measured curve to the one beside it, in the shown unit."""
        if not isinstance(curve, MeasuredCurve):
            return None
        found = curve.difference(self.recording.series, self.simulated(curve.beside))
        factor = self.units.factor(curve.unit)
        return None if found is None else found._replace(rms=found.rms * factor, greatest=found.greatest * factor)

    def _style_of(self, text: str, column: int) -> int:
        """A quantity of the other model has the colour of the same one of this model, with dashes."""
        used = {curve.style for curve in self.curves}
        for curve in self.simulated_curves:
            if of_other(curve.quantity.text) == text and curve.column == column:
                dashed = curve.style + len(COLOURS["light"])
                if dashed not in used:
                    return dashed
        return self._free_style()

    def _free_style(self) -> int:
        used = {curve.style for curve in self.curves}
        return next(style for style in range(1000) if style not in used)

    def remove(self, curves: list[Curve]) -> None:
        """Take curves away."""
        for curve in curves:
            self.curves.remove(curve)
            if not curve.is_measured:
                self.recording.drop(curve.quantity)
        self._renew()
        self.changed.emit()

    def end(self) -> None:
        """Let go of everything that is recorded for it."""
        self.recording.changed.disconnect(self._renew)
        for curve in self.simulated_curves:
            self.recording.drop(curve.quantity)
        self.curves.clear()

    def state(self) -> PlotState:
        """The stored state."""
        curves = [
            (each.quantity.text, each.column, each.style, each.axis, each.is_visible) for each in self.simulated_curves
        ]
        measured = [each.state() for each in self.curves if isinstance(each, MeasuredCurve)]
        return PlotState(curves, self.canvas.mode, measured)

    def restore(self, state: PlotState) -> None:
        """Show what was remembered; what the model lacks is listed as missing."""
        for text, column, style, axis, visible in state.curves:
            self.curves.append(Curve(self.recording.use(text), column, style, axis, visible))
        for each in state.measured:
            curve = MeasuredCurve(each)
            self.curves.append(curve)
            self.data_lacks.emit(curve)
        self.mode.setCurrentIndex(self.mode.findData(state.mode))
        self._renew()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._place_notes()
        return super().eventFilter(watched, event)

    def _place_notes(self) -> None:
        """The offers cover an empty canvas; a note lies at its top."""
        self.offers.setGeometry(self.canvas.rect())
        width = min(self.canvas.width() - 2 * NOTE_EDGE, self.note.sizeHint().width() + NOTE_EDGE)
        self.note.setGeometry((self.canvas.width() - width) // 2, NOTE_EDGE, width, self.note.sizeHint().height())

    def _show_notes(self) -> None:
        simulation = self.recording.simulation
        self.offers.setVisible(not self.curves)
        self.offers.show_model(simulation.model)
        found = {} if simulation.snapshot is None else unmet(self._shown_quantities(), simulation.snapshot)
        need = next(iter(found), None)
        if need is not self.note.need:
            self.note.show_need(need)
            self._place_notes()

    def _shown_quantities(self) -> list[Quantity]:
        return [curve.quantity for curve in self.simulated_curves if curve.is_visible]

    def _compute(self, need: Need) -> None:
        """Set the flag that a quantity needs, and replace the values that were recorded without it."""
        simulation = self.recording.simulation
        if simulation.snapshot is None:
            return
        needing = unmet((curve.quantity for curve in self.simulated_curves), simulation.snapshot).get(need, [])
        simulation.post(need.request(simulation.snapshot))
        if need.has_past:
            self.recording.compute_again(needing)
        self.note.show_need(None)

    def _renew(self) -> None:
        self.canvas.set_curves(self.curves)
        self.legend.set_curves(self.curves)
        self._show_entry()
        self._show_notes()
        self.refresh(values=True)

    def _take_looks(self) -> None:
        self.canvas.fit()
        self._renew()
        self.changed.emit()

    def _take_mode(self) -> None:
        self.canvas.set_mode(self.mode.currentData())
        self.canvas.set_times(self.canvas.start, self.canvas.end)
        self.refresh()
        self.changed.emit()

    # ---- drawing -----------------------------------------------------------------------------------------

    def refresh(self, values: bool = False) -> None:
        """Draw the newest steps; the numbers of the legend now and then, or now."""
        self.canvas.begun_at = self.recording.begun_at
        self.canvas.is_computing = self.recording.past.is_computing
        self.canvas.refresh()
        now = time.monotonic()
        if values or now - self._values_shown > VALUES_EVERY:
            self._values_shown = now
            self.legend.show_values(lambda curve: self.canvas.value(curve, self._cursor))
            self._show_notes()

    def set_cursor(self, moment: float | None) -> None:
        """Show a line at a time, and the values there; None: the newest values."""
        self._cursor = moment
        self.canvas.set_cursor(moment)
        self.legend.show_values(lambda curve: self.canvas.value(curve, moment))

    def retheme(self) -> None:
        """Take the colours of the theme."""
        self.canvas.retheme()
        self.legend.set_curves(self.curves)

    def copy_picture(self) -> None:
        """Copy the plot and its legend to the clipboard."""
        QGuiApplication.clipboard().setPixmap(self.grab())
        self.said.emit(tr("Copied the plot as a picture"))

    # ---- drops -------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasFormat(MIME) or data_files(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        event.acceptProposedAction()
        for path in data_files(event.mimeData()):
            self.data_dropped.emit(path)
        if event.mimeData().hasFormat(MIME):
            for text in quantities_of(bytes(event.mimeData().data(MIME).data())):
                self.add(text)
