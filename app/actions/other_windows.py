"""Several models open at once, each in a window of its own: new windows, the list of all, and no model twice."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMenu, QMessageBox

from kinetree.app.actions.context import ActionContext
from kinetree.app.running import client
from kinetree.app.running.message import FilePlace
from kinetree.app.running.neighbours import Neighbour, Neighbours, identity
from kinetree.engine.library import labels
from kinetree.engine.translation import tr


class OtherWindows(QObject):
    """Handlers of new windows and of the list of all. Without `meet` no other window is known. `changed()`: the others
    show other models, so that a title may need more of its path."""

    changed = Signal()

    def __init__(self, context: ActionContext):
        super().__init__(context.parent)
        self._context, self._opening = context, context.workspace.opening
        self._neighbours: Neighbours | None = None
        self.question: QMessageBox | None = None
        self.menu = QMenu(tr("Windows"), context.parent)
        self.menu.aboutToShow.connect(self._fill)

    def meet(self, neighbours: Neighbours) -> None:
        """Know the other windows from now on."""
        self._neighbours = neighbours
        neighbours.changed.connect(self.changed)
        self.changed.emit()

    @property
    def others(self) -> list[Neighbour]:
        """The other windows."""
        return [] if self._neighbours is None else self._neighbours.all()

    def title(self, path: str) -> str:
        """The name of a model in the title of this window: with folders, where another window has one of this name."""
        return labels.label(path, [each.path for each in self.others if each.path])

    # ---- opening -----------------------------------------------------------------------------------------

    def open_new(self) -> None:
        """Open a window without a model."""
        client.open_window()

    def open_apart(self, path: str) -> None:
        """Show a model in another window: in the one that has it, else in a new one."""
        path = os.path.abspath(path)
        found = None if self._neighbours is None else self._neighbours.showing(path)
        if found is not None:
            self._bring_up(found, lambda: client.open_in_windows([FilePlace(path)]))
        elif self._shows(path):
            self._context.say(tr("{file} is open in this window", file=labels.label(path)))
        else:
            client.open_in_windows([FilePlace(path)])

    def unless_elsewhere(self, path: str, here: Callable[[], None]) -> None:
        """Open a model here, unless another window shows it and the user wants to go there."""
        found = None if self._neighbours is None or self._shows(path) else self._neighbours.showing(path)
        if found is None:
            here()
            return
        if self.question is not None:
            self.question.close()
        box = QMessageBox(
            QMessageBox.Icon.Question,
            "Kinetree",
            tr("{file} is open in another window. Go to that window?", file=labels.label(path)),
            QMessageBox.StandardButton.Cancel,
            self._context.parent,
        )
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setInformativeText(
            tr("Edits in one window change nothing in the other until they are saved, and may then be in conflict.")
        )
        go = box.addButton(tr("Go to Window"), QMessageBox.ButtonRole.AcceptRole)
        stay = box.addButton(tr("Open Here Too"), QMessageBox.ButtonRole.ActionRole)
        box.setDefaultButton(go)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)

        def decide(_result: int) -> None:
            self.question = None
            if box.clickedButton() is go:
                self._bring_up(found, here)
            elif box.clickedButton() is stay:
                here()

        self.question = box
        box.finished.connect(decide)
        box.open()

    def _shows(self, path: str) -> bool:
        """Whether this window shows a file."""
        return bool(self._opening.shown_path) and identity(self._opening.shown_path) == identity(path)

    def _bring_up(self, neighbour: Neighbour, otherwise: Callable[[], None]) -> None:
        """Bring a window to the front; one that does not answer has ended, or hangs: do something else then."""

        def take(is_done: bool) -> None:
            if not is_done:
                otherwise()

        if self._neighbours is not None:
            self._neighbours.bring_up(neighbour, take)

    # ---- the list ----------------------------------------------------------------------------------------

    def _fill(self) -> None:
        """List all windows by their models."""
        menu, here = self.menu, self._opening.shown_path
        menu.clear()
        others = self.others
        names = labels.labels([path for path in (here, *(each.path for each in others)) if path])
        rows: list[tuple[str, Neighbour | None]] = [(names.get(here, tr("No model")), None)]
        rows += [(names.get(each.path, tr("No model")), each) for each in others]
        for name, neighbour in sorted(rows, key=lambda row: row[0].casefold()):
            action = menu.addAction(name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(neighbour is None)
            if neighbour is not None:
                action.setStatusTip(tr("Bring this window to the front: {path}", path=neighbour.path or name))
                action.triggered.connect(partial(self._go, neighbour))

    def _go(self, neighbour: Neighbour, _checked: bool = False) -> None:
        self._bring_up(neighbour, lambda: self._context.say(tr("That window does not answer: it hangs, or has ended")))
