"""The panel of plots: any number below each other, with one time axis, recorded together."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMenu,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from kinetree import engine
from kinetree.app.panels import analysing
from kinetree.app.panels.analysing.plots.curves import PlotState
from kinetree.app.panels.analysing.plots.data_files import DataFiles
from kinetree.app.panels.analysing.plots.drawing import PlotFrames
from kinetree.app.panels.analysing.plots.exporting import PlotExport
from kinetree.app.panels.analysing.plots.ready import READY, ReadyPlot
from kinetree.app.panels.analysing.plots.recording import PlotRecording
from kinetree.app.panels.analysing.plots.remembered import RememberedPlots
from kinetree.app.panels.live.units_button import UnitsButton
from kinetree.app.settings.icons import icon
from kinetree.app.settings.settings import Settings
from kinetree.app.widgets.boxes import ComboBox
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.app.widgets.panel import Panel
from kinetree.app.widgets.readouts import time_text
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.model import enums
from kinetree.engine.translation import counted, marked, tr

if TYPE_CHECKING:
    from kinetree.app.panels.analysing.plots.plot import Plot

CALM = 24  # how much wider the left axes may be than they need, pixels
WINDOWS = (1, 2, 5, 10, 30, 60, 300, 1800, 3600)
EVENTS = {
    "reset": marked("Resets"),
    "motion": marked("Recorded Motions"),
    "seek": marked("Jumps in the History"),
    "edit": marked("Edits"),
    "contact": marked("New Contacts"),
    "limit": marked("Limits Reached"),
    "lost": marked("Steps That Were Missed"),
}


class PlotsPanel(Panel):
    """Panel of plots. `said(text)`: a remark for the status bar; `setting_wanted(name)`: the user wants to change a
    setting; `other_wanted(plots)`: the user wants another panel of plots, with these PlotStates in it.

    kept_as    under which name the plots of a model are remembered
    recording  what is recorded for the plots
    plots      from top to bottom
    is_ready   whether plots can be made: what they need is loaded
    following  whether the newest steps are in view; else the plots stand still, and recording goes on
    """

    def __init__(self, workspace: Workspace, settings: Settings, parent: QWidget | None = None, kept_as: str = "plots"):
        super().__init__(parent)
        self.kept_as = kept_as
        self.workspace, self.settings = workspace, settings
        self.simulation, self.units = workspace.simulation, workspace.units
        settings.changed.connect(self._apply_setting)
        self.recording = PlotRecording(self.simulation, settings.plot_memory * 1_000_000, self)
        self.plots: list[Plot] = []
        self.following = True
        self.span = 10.0
        self.events = ["reset", "edit"]
        self.shows_earlier = True
        self.is_ready = False
        self._wanted: list[str] = []  # quantities that wait for the panel to be ready
        self._wanted_plots: list[PlotState] = []  # likewise
        self._left_width = 0  # of the left axes, pixels
        self.frames = PlotFrames(self)
        self.remembered = RememberedPlots(self)
        self.exports = PlotExport(self)
        self.data_files = DataFiles(self)
        self._make_bar()
        self.splitter = QSplitter(Qt.Orientation.Vertical, self)
        self.splitter.setChildrenCollapsible(False)
        self.waiting = QLabel(tr("Preparing plots …"), self)
        self.waiting.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(self.bar)
        column.addWidget(self.waiting, 1)
        column.addWidget(self.splitter, 1)
        self.splitter.hide()
        self.setAccessibleName(tr("Plots"))
        self.simulation.snapshot_changed.connect(self.frames.soon)
        self.simulation.model_changed.connect(self.remembered.take_model)
        self.recording.restarted.connect(self._show_time)
        self.recording.past.filled.connect(self._show_time)
        self.workspace.project.closed.connect(self.remembered.save_now)

    # ---- the bar -----------------------------------------------------------------------------------------

    def _make_bar(self) -> None:
        self.bar = QHBoxLayout()
        self.bar.setContentsMargins(6, 4, 6, 4)
        self.bar.setSpacing(4)
        self.add_button = self._button("new", tr("Add Plot"), tr("Add an empty plot, or one that is ready"))
        self.add_button.setMenu(self._add_menu())
        self.add_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.pause = self._button("pause", tr("Pause"), tr("Freeze the plots; recording goes on"))
        self.pause.setCheckable(True)
        self.pause.toggled.connect(lambda on: self.follow(not on))
        self.times = ComboBox(self)
        for seconds in WINDOWS:
            self.times.addItem(_duration(seconds), float(seconds))
        self.times.addItem(tr("Everything"), 0.0)
        self.times.setToolTip(tr("How much simulated time is in view. The wheel over a plot zooms, dragging moves"))
        self.times.setAccessibleName(tr("Simulated time in view"))
        self.times.currentIndexChanged.connect(lambda _index: self.set_span(self.times.currentData()))
        self.times.setCurrentIndex(self.times.findData(self.span))
        self.clear_button = self._button("clear", "", tr("Forget what was recorded"), self.recording.clear)
        self.note = QLabel(self)
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self.export_button = self._button("", tr("Export"), tr("Write all recorded steps to a file"))
        self.export_button.setMenu(self._export_menu())
        self.export_button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more = self._button("settings", "", tr("Events, earlier runs and memory"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        menu.aboutToShow.connect(lambda: self._fill_more(menu))
        give_letters(menu)
        self.more.setMenu(menu)
        for widget in (self.add_button, self.pause, self.times, self.clear_button):
            self.bar.addWidget(widget)
        self.bar.addWidget(self.note, 1)
        self.bar.addWidget(UnitsButton(self.units, self))
        self.bar.addWidget(self.export_button)
        self.bar.addWidget(self.more)

    def _button(self, name: str, text: str, tip: str, run=None) -> QToolButton:
        button = QToolButton(self)
        if name:
            button.setIcon(icon(name))
            side = self.fontMetrics().height()
            button.setIconSize(QSize(side, side))
        if text:
            button.setText(text)
            button.setToolButtonStyle(
                Qt.ToolButtonStyle.ToolButtonTextBesideIcon if name else Qt.ToolButtonStyle.ToolButtonTextOnly
            )
        button.setToolTip(tip)
        button.setAccessibleName(text or tip)
        button.setAutoRaise(True)
        if run is not None:
            button.clicked.connect(lambda _checked=False: run())
        return button

    def _add_menu(self) -> QMenu:
        menu = QMenu(self)
        menu.setToolTipsVisible(True)
        menu.addAction(tr("Empty Plot"), lambda: self.add_plot())
        other = menu.addAction(tr("Plot in Another Panel"), lambda: self.other_wanted.emit([]))
        other.setToolTip(tr("Open another panel of plots, which can be placed anywhere"))
        data = menu.addAction(tr("Measured Data…"), self.add_data)
        data.setToolTip(tr("Show columns of a CSV file in the last plot, beside the simulation"))
        menu.addSeparator()
        actions = [menu.addAction(tr(row.title), partial(self.add_ready, row)) for row in READY]
        for action, row in zip(actions, READY, strict=True):
            action.setToolTip(tr(row.help))

        def enable() -> None:
            model = self.simulation.model
            for action, row in zip(actions, READY, strict=True):
                action.setEnabled(model is not None and (not row.needs or bool(getattr(model, row.needs))))

        menu.aboutToShow.connect(enable)
        give_letters(menu)
        return menu

    def _export_menu(self) -> QMenu:
        menu = QMenu(self)
        for ending, title in analysing.plots.export.FORMATS.items():
            menu.addAction(f"{tr(title)} ({ending})…", partial(self.exports.ask, ending))
        menu.addSeparator()
        menu.addAction(tr("Copy Picture of All Plots"), self.exports.copy_picture)
        give_letters(menu)
        return menu

    def _fill_more(self, menu: QMenu) -> None:
        menu.clear()
        events = menu.addMenu(tr("Mark"))
        for kind, title in EVENTS.items():
            action = events.addAction(tr(title))
            action.setCheckable(True)
            action.setChecked(kind in self.events)
            action.toggled.connect(partial(self.show_events, kind))
        both = menu.addAction(tr("Plot the Compared Model Too"), self.add_other)
        both.setToolTip(tr("Add each quantity of the model that is compared (File > Compare), dashed"))
        both.setEnabled(self.workspace.simulation.other is not None)
        earlier = menu.addAction(tr("Show Earlier Runs"))
        earlier.setCheckable(True)
        earlier.setChecked(self.shows_earlier)
        earlier.setToolTip(tr("Draw what was before the last reset, faintly"))
        earlier.toggled.connect(self.show_earlier)
        menu.addAction(tr("Memory…"), partial(self.setting_wanted.emit, "plots.memory"))

    # ---- getting ready -----------------------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self.is_ready:
            self.workspace.tasks.run(tr("Preparing plots"), _prepare, self._begin, self._cannot_begin)
        else:
            self.recording.set_on(True)
            self.frames.soon()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.frames.timer.stop()
            self.recording.set_on(False)
            self.remembered.save_now()

    def _cannot_begin(self, reason: str) -> None:
        self.waiting.setText(tr("Plots cannot be shown: {reason}", reason=reason))

    def _begin(self, _answer: object) -> None:
        if self.is_ready:
            return
        self.is_ready = True
        self.waiting.hide()
        self.splitter.show()
        self.recording.set_on(self.isVisible())
        self.remembered.restore()

    def add_wanted(self) -> None:
        """Add what was wanted before the panel was ready."""
        wanted, self._wanted = self._wanted, []
        self.add_quantities(wanted)
        plots, self._wanted_plots = self._wanted_plots, []
        self.take_plots(plots)

    # ---- plots -------------------------------------------------------------------------------------------

    def add_plot(self, state: PlotState | None = None) -> analysing.plots.plot.Plot:
        """Another plot, below the others."""
        plot = analysing.plots.plot.Plot(self.recording, self.units, self)
        self.plots.append(plot)
        self.splitter.addWidget(plot)
        plot.canvas.events, plot.canvas.shows_earlier = set(self.events), self.shows_earlier
        plot.changed.connect(self.remembered.save_soon)
        plot.changed.connect(self._name_time)
        plot.closed.connect(lambda: self.remove_plot(plot))
        plot.moved.connect(lambda: self.move_plot(plot))
        plot.said.connect(self.said)
        plot.data_wanted.connect(lambda: self.data_files.ask_file(plot))
        plot.data_dropped.connect(lambda path: self.data_files.ask_columns(plot, path))
        plot.data_lacks.connect(lambda curve: self.data_files.load(plot, curve))
        plot.mapping_wanted.connect(lambda curve: self.data_files.ask_columns(plot, curve.mapping.path, curve))
        plot.ready_wanted.connect(lambda row: self.add_ready(row, plot))
        plot.canvas.moved.connect(self._take_moved)
        plot.canvas.fitted.connect(self._fit)
        plot.canvas.hovered.connect(self._hover)
        plot.canvas.widened.connect(self._align)
        if state is not None:
            plot.restore(state)
        self.splitter.setSizes([1000] * len(self.plots))
        self._align()
        self._show_time()
        self.remembered.save_soon()
        return plot

    def _align(self) -> None:
        """Give the left axes of all plots the width that the widest needs. It shrinks only by much: that stays calm."""
        wanted = max((plot.canvas.left_needed for plot in self.plots), default=0)
        if not 0 <= self._left_width - wanted <= CALM:
            self._left_width = wanted
        for plot in self.plots:
            plot.canvas.set_left(self._left_width)

    def remove_plot(self, plot: Plot) -> None:
        """Take a plot away; the last one becomes empty. A second press of its button, before Qt deletes it, is late."""
        if plot not in self.plots:
            return
        self.plots.remove(plot)
        plot.end()
        plot.setParent(None)
        plot.deleteLater()
        if not self.plots:
            self.add_plot()
        self._show_time()
        self.remembered.save_soon()

    def move_plot(self, plot: Plot) -> None:
        """Move a plot to another panel. Its recording starts again there."""
        if plot not in self.plots:
            return
        state = plot.state()
        self.remove_plot(plot)
        self.other_wanted.emit([state])

    def take_plots(self, states: list[PlotState]) -> None:
        """Add plots, as soon as the panel is ready; in place of an empty one."""
        if not self.is_ready or self.remembered.is_restoring:
            self._wanted_plots += states
            return
        for state in states:
            empty = self.plots[-1] if self.plots and not self.plots[-1].curves else None
            self.add_plot(state)
            if empty is not None:
                self.remove_plot(empty)

    def add_ready(self, row: ReadyPlot, plot: Plot | None = None) -> Plot:
        """A plot of the table; in an empty one, or in the last plot if that is empty."""
        empty = bool(self.plots) and not self.plots[-1].curves
        plot = plot or (self.plots[-1] if empty else self.add_plot())
        for text in row.texts:
            plot.add(text)
        plot.mode.setCurrentIndex(plot.mode.findData(row.mode))
        snapshot = self.simulation.snapshot
        flag = getattr(enums, f"ENBL_{row.enables}") if row.enables else 0
        if snapshot is not None and flag and not snapshot.opt.enableflags & flag:
            self.simulation.post(requests.SetOption("enableflags", int(snapshot.opt.enableflags) | flag))
            self.said.emit(
                tr("The flag {enables} is on in this simulation, since the plot needs it", enables=row.enables.lower())
            )
        return plot

    def add_data(self) -> None:
        """Ask for measured data, and show it in the last plot."""
        if self.is_ready:
            self.data_files.ask_file(self.plots[-1] if self.plots else self.add_plot())

    def add_quantities(self, texts: list[str]) -> None:
        """Show quantities in the last plot, made if there is none."""
        if not self.is_ready or self.remembered.is_restoring:
            self._wanted += texts
            return
        plot = self.plots[-1] if self.plots else self.add_plot()
        for text in texts:
            plot.add(text)

    # ---- time --------------------------------------------------------------------------------------------

    def add_other(self) -> None:
        """Show the quantities of all plots of the model that is compared too."""
        for plot in self.plots:
            plot.add_other()

    def set_span(self, seconds: float) -> None:
        """Show so many simulated seconds, 0 for all, and follow the newest."""
        self.span = seconds
        self.follow(True)
        self.remembered.save_soon()

    def follow(self, on: bool) -> None:
        """Keep the newest steps in view, or let the plots stand still."""
        self.following = on
        if self.pause.isChecked() == on:
            self.pause.setChecked(not on)
        self.frames.outdate()
        self.frames.soon()

    def _fit(self) -> None:
        for plot in self.plots:
            plot.canvas.fit()
        self.follow(True)

    def _take_moved(self, start: float, end: float) -> None:
        """Show the times that the user scrolled to in all plots, and stop following the newest step."""
        self.following = False
        self.pause.setChecked(True)
        for plot in self.plots:
            plot.canvas.set_times(start, end)
        self.frames.outdate()
        self.frames.soon()

    def _hover(self, moment: float | None) -> None:
        for plot in self.plots:
            plot.set_cursor(moment)
        self.note.setText("" if moment is None else f"t = {self._time_text(moment)}")

    def _time_text(self, moment: float) -> str:
        """A time as fine as a pixel of the plots, or a step, whichever is coarser."""
        start, end = self.plots[0].canvas.start, self.plots[0].canvas.end
        return time_text(moment, max((end - start) / max(200, self.width()), self._time_step))

    @property
    def _time_step(self) -> float:
        snapshot = self.simulation.snapshot
        return 0.0 if snapshot is None else float(snapshot.opt.timestep)

    def _show_time(self) -> None:
        self.frames.outdate()
        self._name_time()
        self.frames.soon()

    def _name_time(self) -> None:
        """Label the time axis of the lowest plot over time only."""
        lowest = next((plot for plot in reversed(self.plots) if plot.canvas.mode == "time"), None)
        for plot in self.plots:
            plot.canvas.show_time(plot is lowest)

    # ---- drawing -----------------------------------------------------------------------------------------

    @property
    def in_view(self) -> bool:
        """Whether the user can see it."""
        return self.is_ready and self.isVisible() and not self.visibleRegion().isEmpty()

    def say_lost(self) -> None:
        """Note in the bar what could not be recorded."""
        if self.recording.refused:
            self.note.setText(self.recording.refused)
        elif self.recording.series.lost:
            self.note.setText(
                counted("{count} step was missed", "{count} steps were missed", self.recording.series.lost)
            )

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            for plot in self.plots:
                plot.retheme()

    # ---- what is marked ----------------------------------------------------------------------------------

    def show_events(self, kind: str, on: bool) -> None:
        """Mark a kind of event, or not."""
        self.events = [each for each in EVENTS if (each in self.events and each != kind) or (each == kind and on)]
        for plot in self.plots:
            plot.canvas.events = set(self.events)
        self._show_time()
        self.remembered.save_soon()

    def show_earlier(self, on: bool) -> None:
        """Draw what was before the last reset too."""
        self.shows_earlier = on
        for plot in self.plots:
            plot.canvas.shows_earlier = on
        self._show_time()
        self.remembered.save_soon()

    # ---- memory --------------------------------------------------------------------------------

    def _apply_setting(self, name: str) -> None:
        if name == "plots.memory":
            self.recording.series.limit = self.settings.plot_memory * 1_000_000


def _prepare() -> None:
    """Prepare the first plot, which is slow: import the plotting library, compile the stage that records."""
    import pyqtgraph  # noqa: F401

    engine.run.recorder.prepare()


def _duration(seconds: int) -> str:
    if seconds < 60:
        return f"{seconds} s"
    return tr("{count} min", count=seconds // 60) if seconds < 3600 else tr("{count} h", count=seconds // 3600)
