"""The state of the tour: which step is shown and whether it is done. Knows no widget of its own; `mark.py` shows it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from kinetree.app.actions.context import ActionContext
from kinetree.app.actions.documents import Documents
from kinetree.app.menus.keys import shown
from kinetree.app.panels.plot_docks import PlotDocks
from kinetree.app.settings.table import SETTING_BY_NAME
from kinetree.app.tour.panels import TourPanels
from kinetree.app.tour.steps import END, MODEL, STEPS, TourStep
from kinetree.app.tour.watches import StepWatch
from kinetree.app.workers.simulation import requests
from kinetree.engine.translation import tr

REST = 1200  # ms that a step is shown as done before the next one comes
NAME = "Tour"


class Tour(QObject):
    """Leads through STEPS on a model that was never saved, so no file is changed. It ends by itself when another model
    takes the place of its own.

    number   of the step that is shown, from 0; len(STEPS): all are over; -1: there is no tour
    is_done  whether the user did what the step asks for

    Signals: `changed()` (any of these), `ended()`.
    """

    changed = Signal()
    ended = Signal()

    def __init__(self, context: ActionContext, documents: Documents, plots: PlotDocks, parent: QObject):
        super().__init__(parent)
        self.context, self._documents, self._plots = context, documents, plots
        self.number, self.is_done = -1, False
        self._panels = TourPanels(context.docks)
        self._watch: StepWatch | None = None
        self._path = ""  # of the model of the tour, while it is opened or open
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._go_on)
        workspace = context.workspace
        workspace.simulation.model_changed.connect(self._take_model)
        workspace.project.text_changed.connect(self._take_text)
        workspace.leaving.connect(self._leave_model)
        workspace.saving.moved.connect(self._follow_path)

    @property
    def step(self) -> TourStep | None:
        """The step that is shown; None without one."""
        return STEPS[self.number] if 0 <= self.number < len(STEPS) else None

    @property
    def is_active(self) -> bool:
        return self.number >= 0

    @property
    def can_show(self) -> bool:
        """Whether the program can do the step for the user."""
        return self._watch is not None and not self.is_done and self._watch.can_show

    @property
    def title(self) -> str:
        return tr(self.step.title if self.step is not None else END[0])

    @property
    def text(self) -> str:
        """What to do, with the present keys and gestures."""
        actions, settings = self.context.actions, self.context.settings
        text = tr(self.step.text if self.step is not None else END[1])
        for name in actions.rows:
            if f"{{{name}}}" in text:
                text = text.replace(f"{{{name}}}", shown(actions.keys.of(name)[:1]) or tr(actions.rows[name].text))
        for name, row in SETTING_BY_NAME.items():
            if f"{{{name}}}" in text:
                text = text.replace(f"{{{name}}}", tr(dict(row.choices)[str(settings.value(name))]))
        return text

    # ---- begin and end -----------------------------------------------------------------------------------

    def begin(self) -> None:
        """Open the model of the tour, once the user has decided about unsaved edits, and show the first step."""
        if self.is_active:
            self.go_to(0)
        else:
            self._documents.unless_unsaved(self._open)

    def _open(self) -> None:
        try:
            text = MODEL.read_text(encoding="utf-8")
        except OSError as error:
            self.context.report(tr("The model of the tour cannot be read: {error}", error=error))
            return
        self._path = self._documents.new_path(".xml", NAME)
        self.context.settings.forget_model(self._path)  # panels and plots of the last tour
        self.context.workspace.opening.create(self._path, text)

    def _take_model(self, _old: object, keep: bool) -> None:
        opening = self.context.workspace.opening
        if self._path and not self.is_active and not keep and opening.attempt == self._path:
            QTimer.singleShot(0, self, self._start)  # the project has its path then

    def _start(self) -> None:
        project = self.context.workspace.project
        if project.path == self._path and not self.is_active:
            self.go_to(0)
            self._take_text(project.texts.version)

    def leave(self) -> None:
        """End the tour; its model stays open, panels are put back."""
        if self.is_active:
            self._end()
            self.context.say(tr("The tour is over: Help > Tour begins it again"))

    def close_model(self) -> None:
        """End the tour, and close its model."""
        self.leave()
        self.context.actions["file.close"].trigger()

    def _leave_model(self) -> None:
        """Another model takes the place of the tour's, or this one is closed."""
        if self.is_active:
            self._end()
            self._path = ""

    def _end(self) -> None:
        self._end_step()
        self.number = -1
        self._panels.restore()
        self.changed.emit()
        self.ended.emit()

    def _follow_path(self, path: str) -> None:
        """The user saved the model of the tour: it is the user's now."""
        if self.is_active:
            self._path = path

    def _take_text(self, version: int) -> None:
        """Edits during the tour need no saving; a later one does."""
        project = self.context.workspace.project
        if self.is_active and project.is_new:
            self._documents.unneeded = project.path, version

    # ---- steps -------------------------------------------------------------------------------------------

    def go_to(self, number: int) -> None:
        """Show a step, len(STEPS) for the end."""
        self._end_step()
        self.number = number
        step = self.step
        if step is not None:
            self._panels.show(step.panels)
            if step.runs and not self.context.workspace.simulation.running:
                self.context.workspace.simulation.post(requests.Play())
            self._watch = step.watch(self.context, self._plots, self)
            self._watch.done.connect(self._take_done)
        self.changed.emit()

    def next(self) -> None:
        """Show the next step, or the end after the last."""
        self.go_to(min(self.number + 1, len(STEPS)))

    def back(self) -> None:
        """Show the step before."""
        self.go_to(max(self.number - 1, 0))

    def show_me(self) -> None:
        """Do for the user what the step asks for."""
        step = self.step
        if step is not None and self._watch is not None:
            self._panels.show(step.panels)  # the user may have closed them
            self._watch.show_me()

    def _end_step(self) -> None:
        self._rest.stop()
        self.is_done = False
        if self._watch is not None:
            self._watch.end()
            self._watch.deleteLater()
            self._watch = None

    def _take_done(self) -> None:
        if not self.is_done:
            self.is_done = True
            self._rest.start(REST)
            self.changed.emit()

    def _go_on(self) -> None:
        if QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton:  # a value or a body is still dragged
            self._rest.start(REST)
        else:
            self.next()
