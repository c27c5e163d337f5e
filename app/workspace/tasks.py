"""Tasks: long work for the user, done in a thread while the window goes on, with progress in the status bar and Cancel.

A tool that edits the text is one line:

    tasks.edit("Angles in Radians", lambda document: partial(to_unit, document, "radian"), refused=tell)

`plan(document)` is called in the GUI thread with the present document and returns the function for the thread; that
returns element edits, or the edits of each file. The step of the undo history is worked out in the thread too, so that
the GUI thread only takes it. Should the text change in the meantime, everything is planned again for the new text.
Loops of the tool over many elements go through `kinetree.engine.progress.tracked`, which moves the progress bar and
lets Cancel end them.

Tasks that are started while another one runs wait for it, in order. Cancel gives all of them up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from kinetree.app.workers.answering import Answer
from kinetree.app.workers.working import WorkThread
from kinetree.app.workspace.project import ProjectController
from kinetree.engine import check
from kinetree.engine.document.document import Document
from kinetree.engine.document.edit import Edit
from kinetree.engine.document.element_edit import ElementEdit
from kinetree.engine.document.project import MANY_EDITS, Outdated, PendingStep, work_out
from kinetree.engine.progress import part
from kinetree.engine.translation import tr

SHOW_PROGRESS_AFTER = 100  # ms

Changes = Iterable[ElementEdit] | Mapping[str, Iterable[Edit]]
Work = Callable[[], Any]


@dataclass(frozen=True)
class _Task:
    """name     title in the progress bar
    begin    called in the GUI thread when it is this task's turn: the function for the thread; may raise ValueError
    take     called in the GUI thread with the result of the thread; may raise ValueError; Outdated: begin again
    refused  called in the GUI thread with the reason of a ValueError
    """

    name: str
    begin: Callable[[], Work]
    take: Callable[[Any], None]
    refused: Callable[[str], None]


class _Closed(Exception):
    """The document that a task was about is not open any more."""


class Tasks(QObject):
    """The tasks of one workspace, in the GUI thread.

    progress  what is being done: (text, fraction or None); None while nothing is, or it has just begun
    is_busy   whether anything is being done or waits

    Signals: `progress_changed()`; `ended()` when the last task is over; `failed(message, details)`: a task failed in a
    way that nobody expects.
    """

    progress_changed = Signal()
    ended = Signal()
    failed = Signal(str, str)

    _done = Signal(object, object)
    _progressed = Signal(object, float)

    def __init__(self, project: ProjectController, parent: QObject | None = None):
        super().__init__(parent)
        self._project = project
        self.progress: tuple[str, float | None] | None = None
        self._waiting: deque[_Task] = deque()
        self._task: _Task | None = None
        self._thread: WorkThread | None = None
        self._given_up: list[WorkThread] = []  # threads that were cancelled and may still run
        self._slow = QTimer(self)
        self._slow.setSingleShot(True)
        self._slow.setInterval(SHOW_PROGRESS_AFTER)
        self._slow.timeout.connect(self._show)
        self._done.connect(self._take)
        self._progressed.connect(self._take_progress)
        self._fraction: float | None = None

    @property
    def is_busy(self) -> bool:
        return self._task is not None

    # ---- begin ---------------------------------------------------------------------------------------

    def run(
        self,
        name: str,
        work: Work,
        take: Callable[[Any], None],
        refused: Callable[[str], None] = lambda reason: None,
    ) -> None:
        """Call `work()` in a thread, and `take(what it returned)` in this one; `refused(reason)` where it raises a
        ValueError."""
        self._add(_Task(name, lambda: work, take, refused))

    def edit(
        self,
        name: str,
        plan: Callable[[Document], Work],
        done: Callable[[Any], None] = lambda made: None,
        refused: Callable[[str], None] = lambda reason: None,
        changes: Callable[[Any], Changes] = lambda made: made,
        merge: Hashable = None,
        must_compile: bool = False,
    ) -> None:
        """Change the texts as one step of the undo history with this name, see the module.

        plan     of the present document: the function for the thread; a ValueError of either is `refused`
        changes  from the result of that function: the changes of the texts; called in the thread too
        done     called once the step is taken, with the result of the function
        merge    steps that follow each other with the same key become one, see
                 `kinetree.engine.document.project.Project.apply`
        must_compile  whether a step that breaks a model that compiles is refused, see `engine/check/trial.py`
        """

        opened = self._project.texts

        def begin() -> Work:
            document = self._project.document
            if self._project.texts is not opened:
                raise _Closed
            if document is None:
                raise ValueError(tr("open a model first"))
            work = plan(document)  # which may add a new file to the project, and the document is another one then
            document, texts = self._project.document, self._project.texts.texts

            def made_and_worked_out() -> tuple[Document | None, Any, PendingStep]:
                with part(0.0, 0.5):
                    made = work()
                with part(0.5, 1.0):
                    step = work_out(changes(made), texts)
                if must_compile and document is not None:
                    why = check.trial.why_broken(document, {path: parsed for path, (parsed, _) in step.after.items()})
                    if why is not None:
                        raise ValueError(why)
                return document, made, step

            return made_and_worked_out

        def take(found: tuple[Document | None, Any, PendingStep]) -> None:
            document, made, step = found
            if self._project.texts is not opened:
                raise _Closed
            if self._project.document is not document:
                raise Outdated(tr("the text has changed in the meantime"))
            self._project.take(name, step, merge)
            done(made)

        self._add(_Task(name, begin, take, refused))

    def change(
        self,
        name: str,
        changes: Mapping[str, Sequence[Edit]],
        done: Callable[[Any], None] = lambda made: None,
        refused: Callable[[str], None] = lambda reason: None,
    ) -> None:
        """Make edits of the present texts, by path, as one step: at once, or for very many of them in a thread. They
        are refused if a text changes before they are made, since they speak of the texts of now."""
        texts = self._project.texts
        version, known = texts.version, {texts.key(path): edits for path, edits in changes.items()}
        if sum(map(len, known.values())) < MANY_EDITS:
            texts.seal()
            self._project.apply(name, known)
            texts.seal()
            done(known)
            return

        def plan(_document: Document) -> Work:
            if texts.version != version:
                raise ValueError(tr("The texts have changed in the meantime: try again."))
            return lambda: known

        self.edit(name, plan, done, refused)

    def _add(self, task: _Task) -> None:
        self._waiting.append(task)
        if self._task is None:
            self._next()

    def _next(self) -> None:
        while self._task is None and self._waiting:
            self._begin(self._waiting.popleft())
        if self._task is None:
            self.ended.emit()

    def _begin(self, task: _Task) -> None:
        try:
            work = task.begin()
        except ValueError as error:
            task.refused(str(error))
            return
        except _Closed:
            return
        self._task, self._fraction = task, None
        self._thread = WorkThread(work, self._done.emit, self._progressed.emit)
        self._thread.start()
        if self.progress is None:
            self._slow.start()

    # ---- end -----------------------------------------------------------------------------------------

    @Slot(object, object)
    def _take(self, thread: WorkThread, answer: Answer) -> None:
        task = self._task
        if thread is not self._thread or task is None:
            return
        self._task = self._thread = None
        try:
            if answer.error is None:
                task.take(answer.value)
            elif isinstance(answer.error, ValueError):
                task.refused(str(answer.error))
            else:
                self.failed.emit(
                    tr("{name} failed: this is a mistake in Kinetree, please report it.", name=task.name),
                    answer.details,
                )
        except _Closed:
            pass
        except Outdated:
            self._waiting.appendleft(task)
        except ValueError as error:
            task.refused(str(error))
        self._go_on()

    def cancel(self) -> None:
        """Give up what is being done, and what waits. Nothing of it has changed the text."""
        self._waiting.clear()
        self._give_up()
        self._go_on()

    def _give_up(self) -> None:
        self._given_up = [each for each in self._given_up if each.is_alive()]
        if self._thread is not None:
            self._thread.cancel()
            self._given_up.append(self._thread)
        self._task = self._thread = None

    def _go_on(self) -> None:
        if not self._waiting:
            self._slow.stop()
            self._set_progress(None)
        self._next()

    def stop(self) -> list[WorkThread]:
        """Give up everything; returns the threads that are to be joined."""
        self._waiting.clear()
        self._give_up()
        self._slow.stop()
        return self._given_up

    # ---- progress ------------------------------------------------------------------------------------

    @Slot(object, float)
    def _take_progress(self, thread: WorkThread, fraction: float) -> None:
        if thread is self._thread:
            self._fraction = fraction
            if not self._slow.isActive():
                self._show()

    def _show(self) -> None:
        if self._task is not None:
            self._set_progress((self._task.name, self._fraction))

    def _set_progress(self, progress: tuple[str, float | None] | None) -> None:
        if progress != self.progress:
            self.progress = progress
            self.progress_changed.emit()
