"""The controls panel: a slider for each actuator, signals that drive them, and controls recorded and played back.

What is set here is set for now; the text of the model stays as it is.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton, QWidget

from kinetree import engine
from kinetree.app.panels.driving import controls
from kinetree.app.panels.driving.controls.noise_bar import NoiseBar
from kinetree.app.panels.driving.controls.rows import control_rows
from kinetree.app.panels.driving.controls.signal_bar import SignalBar
from kinetree.app.panels.live.rows import LiveRow
from kinetree.app.panels.live.sliders import SliderPanel
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.run.signals import ControlSeries, actuator_names
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.run.recorder import Recorder

MOST_ROWS = 200_000  # steps of a recording; the oldest are overwritten
MOST_BYTES = 64_000_000
FILES = marked("Recorded controls (*.csv *.npz)")


class ControlsPanel(SliderPanel):
    """Panel with the controls of the actuators. `series`: the last recorded or loaded controls."""

    what = "actuator"
    made_of = ("names.actuator", "nu", "actuator_ctrllimited", "actuator_ctrlrange", "actuator_group")

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(workspace, settings, parent)
        self.series: ControlSeries | None = None
        self._recorder: Recorder | None = None
        self._names: list[str] = []
        self._first: tuple[float, np.ndarray] | None = None
        self.record = self._button(
            "record", tr("Record the controls of every step"), self.toggle_recording, checkable=True
        )
        self.play = self._button("play", tr("Play the recorded controls back from now on"), self.toggle_playing, True)
        self.more = self._button("more", tr("More about recorded controls"), None)
        menu = QMenu(self.more)
        self.loop = menu.addAction(tr("Repeat When Played Back"))
        self.loop.setCheckable(True)
        menu.addSeparator()
        self.save = menu.addAction(tr("Save Recorded Controls…"), self._ask_where_to_save)
        menu.addAction(tr("Load Recorded Controls…"), self._ask_what_to_load)
        menu.addSeparator()
        self.noisy = menu.addAction(tr("Control Noise"))
        self.noisy.setCheckable(True)
        self.noisy.setToolTip(tr("Move all controls at random that nothing else drives"))
        self.noisy.triggered.connect(self.simulation.switch_noise)
        menu.addAction(tr("All Controls to Zero"), lambda: self.simulation.post(requests.ClearControls()))
        menu.addSeparator()
        self.choose = menu.addAction(tr("Controller File…"), self._ask_controller)
        self.choose.setToolTip(tr("Let a Python file of yours drive the actuators"))
        give_letters(menu)
        self.more.setMenu(menu)
        self.more.setObjectName("more")
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.bar = SignalBar(self.simulation, self)
        self.noise = NoiseBar(self.simulation, self)
        self.controller_bar: controls.controller_file.ControllerBar | None = None
        self.column.addWidget(self.noise)
        self.column.addWidget(self.bar)
        self.view.setMinimumHeight(70)
        self.view.add_to_menu = self._add_to_menu
        self.view.chosen.connect(self._show_signals)
        self.simulation.drive_changed.connect(self._show_drive)
        self.simulation.model_changed.connect(self._end_recording)
        workspace.controller_changed.connect(self._show_controller)
        self._show_controller()
        self._show_drive()

    def _show_controller(self) -> None:
        """Make the bar of the controller file once there is one."""
        if self.controller_bar is None and self.workspace.has_controller:
            self.controller_bar = controls.controller_file.ControllerBar(self.workspace, self.settings, self)
            self.column.insertWidget(self.column.indexOf(self.noise), self.controller_bar)

    def _ask_controller(self) -> None:
        controls.controller_file.ask_for_controller(self.workspace, self.settings, self, self.said.emit)

    def _button(self, name: str, tip: str, run, checkable: bool = False) -> QToolButton:
        button = QToolButton(self)
        button.setIcon(icon(name))
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setAutoRaise(True)
        button.setCheckable(checkable)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        if run is not None:
            button.clicked.connect(lambda _checked: run())
        self.top.addWidget(button)
        return button

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        return control_rows(model, self.simulation)

    def refresh(self) -> None:
        super().refresh()
        self._show_drive()

    def _add_to_menu(self, menu: QMenu, rows: list[LiveRow]) -> None:
        menu.addAction(tr("Type a Value"), lambda: self.sliders.type_value(self.view.currentIndex())).setEnabled(
            bool(rows)
        )
        menu.addAction(tr("To Zero"), lambda: self.reset_rows(rows)).setEnabled(bool(rows))
        menu.addAction(tr("All Controls to Zero"), lambda: self.simulation.post(requests.ClearControls()))
        model = self.simulation.model
        ids = [row.selection.id for row in rows if model is not None and row.selection.id < model.nu]
        found = sorted({int(group) for group in model.actuator_group[ids]}) if model is not None else []
        for group in found:
            if 0 <= group <= 30:
                entry = menu.addAction(tr("Actuator Group {group} Off", group=group), partial(self.switch_group, group))
                entry.setToolTip(
                    tr("Actuators of this group produce no force in this simulation; the model stays as it is")
                )
                entry.setCheckable(True)
                snapshot = self.simulation.snapshot
                entry.setChecked(snapshot is not None and bool(int(snapshot.opt.disableactuator) >> group & 1))

    def switch_group(self, group: int) -> None:
        """Switch a group of actuators off, or on again."""
        snapshot = self.simulation.snapshot
        if snapshot is not None:
            self.simulation.post(
                requests.SetOption("disableactuator", int(snapshot.opt.disableactuator) ^ (1 << group))
            )
            self.simulation.post(requests.Publish())

    def _show_signals(self) -> None:
        self.bar.show_actuators([row.selection.id for row in self.view.rows_selected()])

    def _show_drive(self) -> None:
        """Bring the buttons in line with the recording and playing."""
        model = self.simulation.model
        has_controls = model is not None and model.nu > 0
        self.record.setEnabled(has_controls and not self.simulation.unsimulated)
        self.record.setChecked(self._recorder is not None)
        self.play.setEnabled(has_controls and self.series is not None)
        self.play.setChecked(self.simulation.series is not None)
        self.save.setEnabled(self.series is not None)
        self.noisy.setChecked(self.simulation.noise is not None)
        self.view.refresh()

    # ---- recorded controls -------------------------------------------------------------------------------

    def toggle_recording(self) -> None:
        """Begin to record the controls of every step, or end and keep what was recorded."""
        if self._recorder is not None:
            self._end_recording()
            return

        model = self.simulation.model
        if model is None or model.nu == 0:
            return
        capacity = max(1000, min(MOST_ROWS, MOST_BYTES // (8 * (2 + model.nu))))
        recorder = self._recorder = engine.run.recorder.Recorder(model, ["ctrl"], capacity)
        self._names = actuator_names(model)
        self.workspace.questions.ask(
            "recorder", engine.run.recorder.prepare, lambda _ready: self._begin_recording(recorder)
        )
        self._show_drive()

    def _begin_recording(self, recorder: Recorder) -> None:
        if recorder is self._recorder:
            self.simulation.post(requests.Record(recorder))
            self.said.emit(tr("Recording controls"))

    def _end_recording(self) -> None:
        recorder, self._recorder = self._recorder, None
        if recorder is None:
            return
        self.simulation.post(requests.StopRecording(recorder))
        chunk = recorder.read()
        # A row has the time after its step. Only rows on from the last reset, or step back, are in order of time.
        jumps = np.flatnonzero(np.diff(chunk.times) <= 0.0)
        first = int(jumps[-1]) + 1 if len(jumps) else 0
        times, values = chunk.times[first:], chunk.values[first:]
        if len(times) > 1:
            step = times[1] - times[0]
            begins = np.concatenate([[0.0], times[:-1] - times[0] + step])
            self.series = ControlSeries(begins, values, self._names)
            self.said.emit(
                tr(
                    "Recorded the controls of {count} steps, {number:.4g} s",
                    count=len(times),
                    number=self.series.duration + step,
                )
            )
        else:
            self.said.emit(tr("No step was recorded: the simulation stood still"))
        self._show_drive()

    def toggle_playing(self) -> None:
        """Play the recorded controls from now on, or stop."""
        if self.simulation.series is not None:
            self.simulation.post(requests.PlaySeries(None))
        elif self.series is not None:
            self.simulation.post(requests.PlaySeries(self.series, self.loop.isChecked()))

    def save_series(self, path: str) -> None:
        if self.series is not None:
            try:
                self.series.save(path)
            except OSError as error:
                self.said.emit(
                    tr("The controls cannot be written to {path}: {reason}", path=path, reason=error.strerror or error)
                )
            else:
                self.said.emit(tr("Saved {path}", path=path))

    def load_series(self, path: str) -> None:
        def take(series: ControlSeries) -> None:
            self.series = series
            self._show_drive()
            self.said.emit(
                tr(
                    "Loaded {count} rows of controls, {duration:.4g} s: press play",
                    count=len(series.times),
                    duration=series.duration,
                )
            )

        self.workspace.questions.ask("controls", lambda: _load(path), take, self.said.emit)

    def _ask_where_to_save(self) -> None:
        dialog = FileDialog(
            self, tr("Save Recorded Controls"), os.path.join(self.settings.folder, "controls.csv"), FILES
        )
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.fileSelected.connect(self.save_series)
        dialog.open()

    def _ask_what_to_load(self) -> None:
        dialog = FileDialog(self, tr("Load Recorded Controls"), self.settings.folder, FILES)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self.load_series)
        dialog.open()


def _load(path: str) -> ControlSeries:
    """Raises ValueError with a reason for the user."""
    try:
        return ControlSeries.load(path)
    except OSError as error:
        raise ValueError(tr("{path} cannot be read: {reason}", path=path, reason=error.strerror or error)) from None
