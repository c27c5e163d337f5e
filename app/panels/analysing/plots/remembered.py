"""The plots of a panel, remembered for each model."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from shiboken6 import isValid

from kinetree.app.panels.analysing.plots.curves import PanelState, PlotState, read_state

if TYPE_CHECKING:
    from kinetree.app.panels.analysing.plots.panel import PlotsPanel


class RememberedPlots(QObject):
    """Saves and restores the plots of one panel.

    path          the file of the model whose plots are shown
    is_restoring  plots that were remembered are still being made
    """

    def __init__(self, panel: PlotsPanel):
        super().__init__(panel)
        self._panel = panel
        self.path = ""
        self.is_restoring = False
        self._left: list[PlotState] = []  # remembered plots that are made next, one in each turn
        self._restore_timer = QTimer(self)
        self._restore_timer.setSingleShot(True)
        self._restore_timer.timeout.connect(self.restore)
        self._save_timer = QTimer(self)
        self._save_timer.setSingleShot(True)
        self._save_timer.timeout.connect(self.save)

    def take_model(self, _old, keep: bool) -> None:
        """Remember the plots of the old model, and show those of the new one."""
        if not keep:
            self.save_now()
            self._restore_timer.start(0)  # the path of the model is known then
        self._panel.frames.outdate()

    def save_soon(self) -> None:
        """Remember the plots once they have not changed for a moment."""
        if not self.is_restoring:
            self._save_timer.start(500)

    def save_now(self) -> None:
        """Remember the plots now if they have changed."""
        if self._save_timer.isActive():
            self.save()

    def save(self) -> None:
        """Remember the plots for the open model."""
        self._save_timer.stop()
        if self.path and self._panel.is_ready:
            plots = [plot.state() for plot in self._panel.plots] + self._left
            state = PanelState(plots, self._panel.span, self._panel.events, self._panel.shows_earlier)
            is_bare = not any(plot.curves for plot in state.plots)
            self._panel.settings.set_of_model(self.path, self._panel.kept_as, "" if is_bare else state.text())

    def restore(self) -> None:
        """Show the plots that were remembered for the open model."""
        panel = self._panel
        path = panel.workspace.project.path
        if not panel.is_ready or (path == self.path and panel.plots):
            return
        self.path, self.is_restoring = path, True
        kept = read_state(panel.settings.of_model(path, panel.kept_as))
        state = kept or PanelState(span=panel.span, events=panel.events)
        for plot in list(panel.plots):
            panel.plots.remove(plot)
            plot.end()
            plot.setParent(None)
            plot.deleteLater()
        panel.events, panel.shows_earlier = state.events, state.shows_earlier
        place = panel.times.findData(state.span)
        panel.times.setCurrentIndex(place if place >= 0 else panel.times.findData(10.0))
        self._left = state.plots or [PlotState()]
        self._restore_next()

    def _restore_next(self) -> None:
        """Make the next plot that was remembered: one takes some 30 ms."""
        if not isValid(self._panel):
            return
        if self._left:
            self._panel.add_plot(self._left.pop(0))
        if self._left:
            self._panel.workspace.idle_queue.ask(self._restore_next)
        elif self.is_restoring:
            self.is_restoring = False
            self._save_timer.stop()
            self._panel.add_wanted()
