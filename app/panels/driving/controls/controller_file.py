"""The choice of a controller file, and the bar that says what it does."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QToolButton, QWidget

from kinetree.app.settings.icons import icon
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.app.widgets.labels import Elided, IconLabel
from kinetree.app.widgets.readouts import number_text
from kinetree.app.workspace.controller import ControllerState
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine.atomic import replaced
from kinetree.engine.run.control import ControlView, layout
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.model.model import Model

FILES = marked("Python files (*.py)")
NO_ACTUATORS = marked("This model has no actuators that a controller could drive.")
BEGINNING = '''"""A controller for Kinetree: see docs/controllers.md. Save the file, and the new version takes over.
{names}"""


def control(time, data):
    """The controls at a time, s: numbers by the names of actuators, or a list for all of them."""
    return {value}
'''
KEPT = "controller"
"""Under what the settings keep the file for a model."""
EVERY = 500  # time between looks at the cost of a call, ms


def ask_for_controller(workspace: Workspace, settings: Any, parent: QWidget, refuse: Callable[[str], None]) -> None:
    """Ask for the file, then use it."""
    model = workspace.simulation.model
    if model is None or not model.nu:
        refuse(tr(NO_ACTUATORS))
        return
    before = workspace.controller.path or workspace.controller.offered
    dialog = FileDialog(parent, tr("Controller File"), os.path.dirname(before) or settings.folder, tr(FILES))
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(lambda path: use_controller(workspace, settings, path))
    dialog.open()


def use_controller(workspace: Workspace, settings: Any, path: str) -> None:
    """Let a file drive the actuators, and remember it for the model."""
    workspace.controller.choose(path)
    if workspace.project.path:
        settings.set_of_model(workspace.project.path, KEPT, workspace.controller.path)


def ask_for_new_controller(workspace: Workspace, settings: Any, parent: QWidget, refuse: Callable[[str], None]) -> None:
    """Ask for the name of a new file, write a controller to begin with, and use it."""
    model = workspace.simulation.model
    if model is None or not model.nu:
        refuse(tr(NO_ACTUATORS))
        return
    dialog = FileDialog(parent, tr("New Controller File"), os.path.join(settings.folder, "controller.py"), tr(FILES))
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix("py")
    dialog.fileSelected.connect(lambda path: write_new_controller(workspace, settings, path, refuse))
    dialog.open()


def write_new_controller(workspace: Workspace, settings: Any, path: str, refuse: Callable[[str], None]) -> None:
    """Write a controller to begin with to a file, in a thread, and use it."""
    model = workspace.simulation.model
    if model is None:
        return
    text = beginning_of(model)

    def write() -> str:
        try:
            with replaced(path) as draft, open(draft, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise ValueError(
                tr("{path} cannot be written: {reason}", path=path, reason=error.strerror or error)
            ) from None
        return path

    workspace.tasks.run(
        tr("Writing {file}", file=os.path.basename(path)),
        write,
        lambda written: use_controller(workspace, settings, written),
        refuse,
    )


def beginning_of(model: Model) -> str:
    """A controller that keeps the controls as they are, with the names of the model."""
    view = ControlView(layout(model))
    named = {kind: [name for name in names if name] for kind, names in view.names.items()}
    lines = [f"{kind}s: {', '.join(names)}" for kind, names in named.items() if names]
    found = "\n".join(textwrap.fill(line, 100, subsequent_indent="    ") for line in lines)
    name = next(iter(named["actuator"]), "")
    value = f'{{"{name}": data.actuator("{name}").ctrl}}' if name else "data.ctrl"
    return BEGINNING.format(names=f"\n{found}\n" if found else "", value=value)


class ControllerBar(QWidget):
    """State of the controller file; or the file that was used with the model before, with a button that runs it."""

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(parent)
        self._workspace, self._settings, self._host = workspace, settings, workspace.controller
        line = QHBoxLayout(self)
        line.setContentsMargins(8, 4, 4, 2)
        line.setSpacing(4)
        self._icon = IconLabel(14, self)
        self.text = Elided(Qt.TextElideMode.ElideRight, self)
        self.use = self._button("", tr("Run"), self._use)
        self.use.setObjectName("small")
        self.reload = self._button("reload", tr("Read the file again"), self._host.reload)
        self.close_ = self._button("close", tr("End Controller"), self._close)
        line.addWidget(self._icon)
        line.addWidget(self.text, 1)
        for button in (self.use, self.reload, self.close_):
            line.addWidget(button)
        self._timer = QTimer(self)
        self._timer.setInterval(EVERY)
        self._timer.timeout.connect(self.refresh)
        workspace.controller_changed.connect(self.refresh)
        self.refresh()

    def _button(self, name: str, tip: str, run: Callable[[], object]) -> QToolButton:
        button = QToolButton(self)
        if name:
            button.setIcon(icon(name))
        else:
            button.setText(tip)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.setAutoRaise(bool(name))
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(lambda _on: run())
        return button

    def refresh(self) -> None:
        """Show the present state."""
        host = self._host
        name = os.path.basename(host.path or host.offered)
        self.setVisible(bool(name))
        if host.failure is not None:
            sign, text = "error", host.failure.text
        elif host.state is ControllerState.STARTING:
            sign, text = "info", tr("Importing {file}…", file=name)
        elif host.state is ControllerState.RUNNING:
            cost = f"{number_text(1e3 * host.seconds, 2)} ms" if host.seconds else ""
            sign, text = "play", f"{name}   {cost}".rstrip()
        else:
            sign, text = "info", tr("{file} drove this model before", file=name)
        self._icon.set_icon(icon(sign, sign if sign != "play" else ""))
        self.text.set_text(text)
        details = host.failure.details if host.failure is not None else ""
        if host.failure is None and host.seconds:
            details = tr("{time} ms a call", time=number_text(1e3 * host.seconds, 3))
        self.text.setToolTip("\n".join(filter(None, (host.path or host.offered, text, details))))
        self.use.setVisible(not host.path)
        self.use.setToolTip(tr("Run {path}: it can do all that you can", path=host.offered))
        self.reload.setVisible(bool(host.path))
        self.close_.setToolTip(tr("End Controller") if host.path else tr("Offer it no more"))

    def _use(self) -> None:
        use_controller(self._workspace, self._settings, self._host.offered)

    def _close(self) -> None:
        if self._host.path:
            self._host.end()
        else:
            self._settings.set_of_model(self._workspace.project.path, KEPT, "")
            self._host.offer("")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._timer.start()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._timer.stop()
