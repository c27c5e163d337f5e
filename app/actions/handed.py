"""Files that another start of the program hands to this window, and places in them."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget

from kinetree.app.actions.context import ActionContext
from kinetree.app.actions.documents import Documents
from kinetree.app.panels.writing.source.panel import SourcePanel
from kinetree.app.running import client, message
from kinetree.app.running.message import FilePlace, Request
from kinetree.app.running.neighbours import identity
from kinetree.app.settings.table import NEW_WINDOW
from kinetree.app.workers.compiling import CompileResult
from kinetree.app.workspace.selection import Selection, select_element
from kinetree.engine.document.tree import Node
from kinetree.engine.platforms.display import ACTIVATION_TOKEN
from kinetree.engine.translation import counted, tr


class HandedFiles(QObject):
    """Takes requests of other starts, and shows places of files in tree, viewport and source panel."""

    def __init__(self, context: ActionContext, documents: Documents, source: SourcePanel):
        super().__init__(context.parent)
        self._context, self._documents, self._source = context, documents, source
        self._workspace = context.workspace
        self._awaited: FilePlace | None = None
        self._workspace.compiler.compiled.connect(self._take_result)

    # ---- requests ----------------------------------------------------------------------------------------

    def take(self, request: Request) -> bytes:
        """The answer to a request, which is carried out after it is sent."""
        if not request.path:
            QTimer.singleShot(0, self, lambda: raise_window(self._context.parent, request.token))
            return message.DONE
        place = FilePlace(request.path, request.line, request.column)
        known = self.known(request.path, included=bool(request.line))
        if not known and request.only_shown:
            return message.OTHER
        is_asking = QApplication.activeModalWidget() is not None
        if not known and (is_asking or self._context.settings.value("open_files_in") == NEW_WINDOW):
            return message.OWN
        act: Callable[[], None] = (lambda: self.show(place)) if known else (lambda: self.open(place))
        QTimer.singleShot(0, self, act)
        QTimer.singleShot(0, self, lambda: raise_window(self._context.parent, request.token))
        return message.DONE

    def known(self, path: str, included: bool) -> str:
        """The path by which the window knows a file that it shows, "" for another one. `included`: as well one that the
        open model is made of."""
        project, opening = self._workspace.project, self._workspace.opening
        shown = [opening.attempt] if opening.attempt else [project.path]
        candidates = [*shown, *project.texts.files, *project.files] if included else shown
        wanted = identity(path)
        return next((each for each in dict.fromkeys(candidates) if each and identity(each) == wanted), "")

    def open(self, place: FilePlace) -> None:
        """Open a file in place of the open one, and show a place in it."""
        self._awaited = place if place.line else None
        self._documents.open(place.path)

    def open_dropped(self, paths: Sequence[str]) -> None:
        """Open dropped files: the first one here, the others in new windows. A folder alone shows its files."""
        files = list(dict.fromkeys(path for path in paths if not os.path.isdir(path)))
        if files:
            self._documents.open(files[0])
            client.open_in_windows([FilePlace(path) for path in files[1:]])
        elif paths:
            self._documents.ask_file(paths[0])
        left_out = len(files) - 1 - client.MOST_WINDOWS
        if left_out > 0:
            self._context.say(
                counted(
                    "{count} file was left out: at most {most} at once",
                    "{count} files were left out: at most {most} at once",
                    left_out,
                    most=client.MOST_WINDOWS + 1,
                )
            )

    # ---- places ------------------------------------------------------------------------------------------

    def show(self, place: FilePlace) -> None:
        """Show a place of a file that is open, or as soon as it is."""
        if not place.line:
            return
        if self._workspace.opening.attempt:
            self._awaited = place
        else:
            self._show_open(place)

    def _take_result(self, result: CompileResult) -> None:
        place = self._awaited
        if place is not None and result.fresh:
            self._awaited = None
            QTimer.singleShot(0, self, lambda: self._show_open(place))  # the panels have the new texts then

    def _show_open(self, place: FilePlace) -> None:
        """Show a place in the source panel, and select the innermost element there."""
        path = self.known(place.path, included=True)
        if not path:
            self._context.say(tr("{file} is not open any more", file=os.path.basename(place.path)))
            return
        self._context.docks["source"].bring_up()
        self._source.places.show_line(path, place.line, place.column, self._select)

    def _select(self, node: Node | None) -> None:
        if node is None or node.parent is None:
            return
        model = self._workspace.simulation.model
        # The model may be of an older text: only its own node of that element says what it made.
        known = model.provenance.node(node.id) if model is not None and model.provenance is not None else None
        selected = Selection(element=node.id) if model is None or known is None else select_element(model, known)
        self._workspace.selection.select(selected)


def raise_window(widget: QWidget, token: str) -> None:
    """Bring a window to the front. `token`: of Wayland's compositor, for Qt, which reads it from the environment."""
    if token:
        os.environ[ACTIVATION_TOKEN] = token
    if widget.isMinimized():
        widget.setWindowState(widget.windowState() & ~Qt.WindowState.WindowMinimized)
    widget.show()
    widget.raise_()
    widget.activateWindow()
    os.environ.pop(ACTIVATION_TOKEN, None)
