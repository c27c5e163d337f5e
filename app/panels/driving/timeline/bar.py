"""The timeline: a bar below the panels with the recorded past of the simulation, to scrub and to go on from.

It shows nothing of the text: what is done here is done to the running state.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QLabel, QMenu, QToolBar, QToolButton, QWidget

from kinetree.app.menus.build import Actions
from kinetree.app.panels.driving import timeline
from kinetree.app.panels.driving.timeline.track import Track
from kinetree.app.settings.icons import icon
from kinetree.app.settings.settings import Settings
from kinetree.app.widgets.mnemonics import give_letters
from kinetree.app.widgets.readouts import seconds_back, time_text
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.simulation_controller import SimulationController
from kinetree.engine.run.timeline import KINDS, Course, Mark
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.app.panels.driving.timeline.until import UntilDialog

EVERY = 50  # time between refreshes while running, ms
MOST_UNTIL = 220  # the greatest width of the condition at which the run stops, pixels
SPAN_ACTIONS = "file.video", "sim.loop_span", "sim.clear_span"
"""Actions about the selected span, in the menus of the timeline."""
LABELS = {"edit": marked("Mark Edits"), "reset": marked("Mark Resets"), "contact": marked("Mark Contacts That Begin")}


class _Told(QLabel):
    """Label as wide as the longest usual text, so that its neighbours do not move while the text changes."""

    def sizeHint(self) -> QSize:
        room = self.fontMetrics().horizontalAdvance(tr("The past, 0000.000 s back"))
        return QSize(room + 12, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


class TimelineBar(QToolBar):
    """Tool bar with the timeline. `track`: the recorded steps; `told`: the place of the shown state in the past."""

    def __init__(self, simulation: SimulationController, settings: Settings, actions: Actions, parent: QWidget):
        super().__init__(tr("Timeline"), parent)
        self._simulation, self._settings = simulation, settings
        self.setObjectName("timeline")
        self.setMovable(False)
        self.setIconSize(QSize(16, 16))
        self.track = Track(self)
        self._actions = actions
        self.told = _Told(self)
        self.told.setTextFormat(Qt.TextFormat.PlainText)
        self.told.setProperty("severity", "warning")
        self.more = QToolButton(self)
        self.more.setIcon(icon("more"))
        self.more.setToolTip(tr("More about the timeline"))
        self.more.setAccessibleName(tr("More about the timeline"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.more.setObjectName("more")
        menu = QMenu(self.more)
        self._kinds = {}
        for kind in KINDS:
            entry = self._kinds[kind] = menu.addAction(tr(LABELS[kind]))
            entry.setCheckable(True)
            entry.setChecked(True)
            entry.toggled.connect(self._show_kinds)
        menu.addSeparator()
        menu.addAction(tr("Show More Time"), lambda: self.track.zoom(2.0))
        menu.addAction(tr("Show Less Time"), lambda: self.track.zoom(0.5))
        menu.addSeparator()
        menu.addAction(tr("Select Time in View"), self.track.select_view)
        for name in SPAN_ACTIONS:
            menu.addAction(actions[name])
        menu.addSeparator()
        for name in ("sim.save_motion", "sim.play_motion"):
            menu.addAction(actions[name])
        menu.addSeparator()
        for name in ("sim.until", "sim.oldest", "sim.newest", "sim.step_size", "sim.history"):
            menu.addAction(actions[name])
        give_letters(menu)
        self.more.setMenu(menu)
        self.addAction(actions["sim.previous_mark"])
        self.addWidget(self.track)
        self.addAction(actions["sim.next_mark"])
        self.until = QToolButton(self)
        self.until.setAccessibleName(tr("Let the run go on"))
        self.until.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.until.setIcon(icon("close"))
        self.until.setToolTip(tr("The run stops there. Click to let it run on"))
        self.until.clicked.connect(lambda: self._simulation.run_until(""))
        self._told_entry = self.addWidget(self.told)
        self._until_entry = self.addWidget(self.until)
        self._until_entry.setVisible(False)
        self.motion = QToolButton(self)
        self.motion.setAccessibleName(actions["sim.end_motion"].text())
        self.motion.setIcon(icon("close"))
        self.motion.clicked.connect(actions["sim.end_motion"].trigger)
        self.motion.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self._motion_entry = self.addWidget(self.motion)
        self.go_on = QToolButton(self)
        self.go_on.setText(tr("Go On From Here"))
        self.go_on.setToolTip(actions["sim.go_on"].statusTip())
        self.go_on.clicked.connect(actions["sim.go_on"].trigger)
        self._go_on_entry = self.addWidget(self.go_on)
        self._motion_entry.setVisible(False)
        self._go_on_entry.setVisible(False)
        self._motion = ""
        self._until_text = self._last_until = ""
        self._asking: UntilDialog | None = None
        self.addWidget(self.more)
        self._has_model = False
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.timeout.connect(self.refresh)
        self.track.wanted.connect(self._seek)
        self.track.selection_changed.connect(self._show_span)
        self.track.menu_wanted.connect(self._open_menu)
        self._show_span()
        self._take_setting("step_size")
        settings.changed.connect(self._take_setting)
        simulation.snapshot_changed.connect(self._refresh_soon)
        simulation.model_changed.connect(self._refresh_soon)

    def show_for(self, has_model: bool) -> None:
        """Show it beside a model, if the settings want it."""
        self._has_model = has_model
        self.setVisible(has_model and self._settings.shows_timeline)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._later.stop()

    def _refresh_soon(self) -> None:
        if self.isVisible() and not self._later.isActive():
            self._later.start(EVERY if self._simulation.running else 0)

    def refresh(self) -> None:
        """Show the newest state."""
        snapshot = self._simulation.snapshot
        if snapshot is None or self._simulation.model is None:
            self.track.show_history(Course(), 0, 0, 0)
            self._tell("")
            self._show_until("")
            self._show_motion("")
            return
        self.track.show_history(snapshot.course, snapshot.first, snapshot.step, snapshot.last)
        is_past = snapshot.behind and not snapshot.motion
        self.track.time_step = time_step = float(snapshot.opt.timestep)
        self._tell(tr("The past, {time} back", time=time_text(seconds_back(snapshot), time_step)) if is_past else "")
        self._show_until(snapshot.until)
        self._show_motion(snapshot.motion)

    def _show_motion(self, name: str) -> None:
        if name != self._motion:
            self._motion = name
            self.track.show_whole(bool(name))
            for entry in (self._motion_entry, self._go_on_entry):
                entry.setVisible(bool(name))
            self._told_entry.setVisible(not name)
            self.motion.setText(self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, MOST_UNTIL))
            self.motion.setToolTip(
                tr("{name} is shown in place of the simulation. Click to return to the simulation", name=name)
            )
            self.motion.setAccessibleName(tr("End the motion {name}", name=name))

    def _show_until(self, text: str) -> None:
        if text != self._until_text:
            self._until_text = text
            shown = self.fontMetrics().elidedText(
                tr("Until {text}", text=text), Qt.TextElideMode.ElideRight, MOST_UNTIL
            )
            self.until.setText(shown)
            self.until.setAccessibleName(tr("Runs until {text}: click to let it run on", text=text))
            self._until_entry.setVisible(bool(text))

    def ask_until(self) -> None:
        """Ask for the time or the condition at which a run stops."""
        if self._asking is None:
            self._asking = timeline.until.UntilDialog(self._simulation, self._last_until, self)
            self._asking.entry.entered.connect(self._keep_until)
            self._asking.finished.connect(self._forget_asking)
            self._asking.show()
        self._asking.raise_()
        self._asking.activateWindow()

    def _keep_until(self, text: str) -> None:
        self._last_until = text

    def _forget_asking(self) -> None:
        self._asking = None

    def _tell(self, text: str) -> None:
        if text != self.told.text():
            self.told.setText(text)
            tip = tr("Run goes on from this state; the steps after it are then replaced") if text else ""
            self.told.setToolTip(tip)

    def _show_kinds(self) -> None:
        self.track.show_kinds({kind for kind, entry in self._kinds.items() if entry.isChecked()})

    def _take_setting(self, name: str) -> None:
        if name == "step_size":
            self.track.step_size = self._settings.step_size
        elif name == "timeline.shown":
            self.show_for(self._has_model)

    @cached_property
    def loop(self) -> timeline.loop.SpanLoop:
        """Playback of the selected span, made when first wanted."""
        loop = timeline.loop.SpanLoop(self._simulation, self)
        loop.changed.connect(self._show_span)
        return loop

    @property
    def looped(self) -> tuple[int, int] | None:
        """The span that is played again and again, None without."""
        return self.loop.span if "loop" in self.__dict__ else None

    def _end_loop(self) -> None:
        if self.looped is not None:
            self.loop.end()

    def play_loop(self, on: bool) -> None:
        """Play the selected span again and again, or stay where it is."""
        if on and self.track.selected is not None:
            self.loop.begin(self.track.selected)
        else:
            self._end_loop()
        self._show_span()

    def _show_span(self) -> None:
        """Bring the actions about the selected span in line with it."""
        span = self.track.selected
        if self.looped is not None and span != self.looped:
            if span is None:
                self.loop.end()
            else:
                self.loop.begin(span)
        for name in ("sim.loop_span", "sim.clear_span"):
            self._actions[name].setEnabled(span is not None)
        self._actions.set_checked("sim.loop_span", self.looped is not None)

    def _open_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Select Time in View"), self.track.select_view)
        for name in SPAN_ACTIONS:
            menu.addAction(self._actions[name])
        give_letters(menu)
        menu.popup(place)

    def _seek(self, to: int | Mark) -> None:
        self._end_loop()
        self._simulation.post(requests.Seek(to))

    def go_to_mark(self, by: int) -> None:
        """Go to the next visible mark, or the previous one."""
        snapshot = self._simulation.snapshot
        if snapshot is not None:
            find = snapshot.course.mark_after if by > 0 else snapshot.course.mark_before
            mark = find(snapshot.step, tuple(self.track.kinds))
            self._end_loop()
            if mark is not None and snapshot.first <= mark.step <= snapshot.last:
                self._simulation.post(requests.Seek(mark))
