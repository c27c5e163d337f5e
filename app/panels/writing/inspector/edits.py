"""Changes of the text that the inspector makes: at once, or many in a row while something is dragged.

While dragging, the newest value is applied at most once in INTERVAL, and everything until `end` is one step of the
undo history. Changes of very many elements are worked out in a thread; while they are, only the newest value waits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable

from PySide6.QtCore import QObject, QTimer, Signal

from kinetree.app.workspace.project import ProjectController
from kinetree.app.workspace.tasks import Tasks
from kinetree.engine.document.element_edit import ElementEdit

INTERVAL = 16  # ms
MANY = 200
"""From so many edits on a step is worked out in a thread."""

Make = Callable[[], Iterable[ElementEdit]]


class Edits(QObject):
    """Edits of attributes from the inspector. `refused(attribute, message)`: a change of an attribute was refused, with
    the reason; nothing was changed.
    """

    refused = Signal(str, str)

    def __init__(self, project: ProjectController, tasks: Tasks, parent: QObject | None = None):
        super().__init__(parent)
        self.project, self._tasks = project, tasks
        self._working = 0  # steps of ours in the thread
        tasks.ended.connect(self._go_on)
        self._pending: tuple[str, str, Make, Hashable] | None = None
        self._dragging = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._flush)

    def apply(self, attribute: str, step: str, make: Make, merge: Hashable = None) -> bool:
        """Carry out edits as one step. `attribute` is where a refusal is shown. Returns whether it was done, or begun
        in a thread."""
        try:
            edits = list(make())
            if len(edits) >= MANY:
                self._work_out(attribute, step, edits, merge)
            else:
                self.project.apply(step, edits, merge)
        except (ValueError, KeyError) as error:  # Refused, CannotRename and NoClass are ValueErrors
            self.refused.emit(attribute, sentence(error))
            return False
        return True

    def _work_out(self, attribute: str, step: str, edits: list[ElementEdit], merge: Hashable) -> None:
        def done(_edits: object = None) -> None:
            self._working -= 1

        def refuse(reason: str) -> None:
            done()
            self.refused.emit(attribute, reason)

        self._working += 1
        self._tasks.edit(step, lambda _document: lambda: edits, done, refuse, merge=merge)

    def _go_on(self) -> None:
        """Go on after an edit that a thread worked out: make the latest edit of the drag next. After the end of the
        drag, close its step of the undo history."""
        self._working = 0  # cancelled ones too
        self._flush()
        if not self._working and not self._dragging:
            self.project.texts.seal()

    def drag(self, attribute: str, step: str, make: Make, merge: Hashable) -> None:
        """Carry out edits soon, unless newer ones come first."""
        if not self._dragging:
            self.project.texts.seal()
            self._dragging = True
        self._pending = attribute, step, make, merge
        if not self._timer.isActive():
            self._timer.start(INTERVAL)

    def end(self) -> None:
        """End the drag: what comes next is a separate step of the undo history."""
        self._timer.stop()
        self._flush()
        if self._pending is not None:  # it waits for the thread, and other elements may be selected by then
            attribute, step, make, merge = self._pending
            edits = list(make())
            self._pending = attribute, step, lambda: edits, merge
        if self._dragging:
            self._dragging = False
            if not self._working:  # else when the last step of the drag is there
                self.project.texts.seal()

    @property
    def is_dragging(self) -> bool:
        return self._dragging

    def _flush(self) -> None:
        if self._pending is not None and not self._working:
            pending, self._pending = self._pending, None
            self.apply(*pending)


def sentence(error: Exception) -> str:
    """Text of an error, for a user."""
    return str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
