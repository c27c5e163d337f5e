"""The status bar: progress, counts of errors and warnings, open file, model sizes, simulated time."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QStatusBar, QToolButton, QWidget

from kinetree.app.panels.pages.divergence import DivergenceSign
from kinetree.app.panels.writing.problems import counts
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.labels import Elided
from kinetree.app.widgets.readouts import time_text
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.diagnostics import Severity
from kinetree.engine.translation import counted, tr

SAID = 4000  # how long a remark stays, ms


class StatusBar(QStatusBar):
    """The status bar. `show_problems()` is emitted when the counts are clicked, `show_report()` when the notice of a
    crash is."""

    show_problems = Signal()
    show_report = Signal()

    def __init__(
        self,
        workspace: Workspace,
        parent: QWidget,
    ):
        super().__init__(parent)
        project, compiler, simulation = workspace.project, workspace.compiler, workspace.simulation
        tasks, drawings, installs = workspace.tasks, workspace.drawings, workspace.installs
        self._opening, self._compiler, self._simulation = workspace.opening, compiler, simulation
        self._can_end = tasks, drawings, installs, compiler  # what Cancel gives up, the first that is busy
        self.setSizeGripEnabled(False)
        self.setMinimumWidth(300)  # what is shown for a moment does not widen a narrow window
        self.errors, self.warnings = QToolButton(self), QToolButton(self)
        for button, name in ((self.errors, tr("Errors")), (self.warnings, tr("Warnings"))):
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
            button.setIconSize(QSize(14, 14))
            button.setToolTip(tr("{name} in the current version of the file: click to list them", name=name))
            button.clicked.connect(self.show_problems)
            self.addWidget(button)
        self.crash = QToolButton(self)
        self.crash.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.crash.setIconSize(QSize(14, 14))
        self.crash.setText(tr("Kinetree crashed: report"))
        self.crash.setToolTip(tr("Kinetree ended by an error before: click to look at the report, which stays here"))
        self.crash.clicked.connect(self.crash.hide)
        self.crash.clicked.connect(self.show_report)
        self.crash.hide()
        self.addWidget(self.crash)
        self._doing = QWidget(self)
        layout = QHBoxLayout(self._doing)
        layout.setContentsMargins(6, 0, 0, 0)
        self.doing = Elided(parent=self._doing)
        self.doing.setMinimumWidth(40)
        self.bar = QProgressBar(self._doing)
        self.bar.setTextVisible(False)
        self.bar.setFixedWidth(140)
        self.cancel = QToolButton(self._doing)
        self.cancel.setAccessibleName(tr("Cancel"))
        self.cancel.setIconSize(QSize(12, 12))
        self.cancel.setIcon(icon("close"))
        self.cancel.setToolTip(tr("Cancel"))
        self.cancel.clicked.connect(self._cancel)
        layout.addWidget(self.bar)
        layout.addWidget(self.cancel)
        layout.addWidget(self.doing, 1)
        self.addWidget(self._doing, 1)
        self.file = Elided(Qt.TextElideMode.ElideMiddle)
        self.addPermanentWidget(self.file, 1)
        self.divergence = DivergenceSign(simulation, self)
        self.addPermanentWidget(self.divergence)
        self.time, self.model_size = QLabel(self), QLabel(self)
        self.model_size.setToolTip(tr("Numbers of bodies, degrees of freedom and actuators"))
        self.time.setToolTip(tr("Simulated time"))
        for label in (self.model_size, self.time):
            self.addPermanentWidget(label)
        # As high as with the progress bar: else the whole window, the picture too, is laid out again when it appears.
        self.setMinimumHeight(max(self.sizeHint().height(), self._doing.sizeHint().height()))
        self._said = QTimer(self)
        self._said.setSingleShot(True)
        self._said.setInterval(SAID)
        self._said.timeout.connect(self.show_model)
        for each in (tasks, drawings, installs):
            each.progress_changed.connect(self.show_progress)
        compiler.progress_changed.connect(self.show_progress)
        simulation.progress_changed.connect(self.show_progress)
        compiler.diagnostics_changed.connect(self.show_counts)
        simulation.snapshot_changed.connect(self.show_time)
        simulation.model_changed.connect(self.show_model)
        project.changed.connect(self.show_model)
        self.show_counts()
        self.show_model()
        self.show_progress()

    def show_progress(self) -> None:
        work = next((each for each in self._can_end if each.progress), self._simulation)
        busy = work.progress
        self._doing.setVisible(busy is not None)
        self.cancel.setVisible(work is not self._simulation)
        if busy is not None:
            text, fraction = busy
            self.doing.set_text(text)
            self.bar.setUpdatesEnabled(False)  # else it draws the window before it returns
            self.bar.setRange(0, 0 if fraction is None else 1000)
            if fraction is not None:
                self.bar.setValue(round(1000 * fraction))
            self.bar.setUpdatesEnabled(True)

    def _cancel(self) -> None:
        """Give up what the bar shows the progress of."""
        work = next((each for each in self._can_end if each.progress), None)
        if work is not None:
            work.cancel()

    def show_counts(self) -> None:
        found = counts(self._compiler.diagnostics)
        for button, severity in ((self.errors, Severity.ERROR), (self.warnings, Severity.WARNING)):
            number = found[severity]
            button.setIcon(icon(severity.value, severity.value if number else "dim"))
            button.setText(str(number))

    def show_model(self) -> None:
        model = self._simulation.model
        self.file.set_text(self._opening.shown_path)
        if model is None:
            self.model_size.setText("")
            self.time.setText("")
        else:
            sizes = [
                counted("{count} body", "{count} bodies", model.nbody),
                counted("{count} dof", "{count} dofs", model.nv),
                counted("{count} actuator", "{count} actuators", model.nu),
            ]
            self.model_size.setText("  ".join(sizes))

    def say(self, text: str) -> None:
        """Show a remark for some seconds, in place of the file's path."""
        self.file.set_text(text)
        self._said.start()

    def offer_report(self) -> None:
        """Offer the report of a crash, until the user has looked at it."""
        self.crash.setIcon(icon("warning", "warning"))
        self.crash.show()

    def show_hint(self, text: str) -> None:
        """Show what the mouse is over in place of the file's path; "": the path again."""
        if text:
            self.file.set_text(text)
        else:
            self.show_model()

    def show_time(self) -> None:
        snapshot = self._simulation.snapshot
        if snapshot is not None:
            time = time_text(snapshot.time, snapshot.opt.timestep)
            self.time.setText(tr("{time} (past)", time=time) if snapshot.behind and not snapshot.motion else time)
