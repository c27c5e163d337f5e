"""Actions about pictures and videos: ask for the options, draw, report the file."""

from __future__ import annotations

import os
import queue
from collections.abc import Callable, Iterator
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, QTemporaryDir
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QFileDialog
from shiboken6 import isValid

from kinetree import engine
from kinetree.app.actions.context import ActionContext
from kinetree.app.panels.dialogs.pictures.picture import PictureChoice, PictureDialog, file_filters
from kinetree.app.panels.dialogs.pictures.video import SelectedSpan, VideoChoice, VideoDialog, video_filters
from kinetree.app.pictures.content import PictureRequest
from kinetree.app.pictures.film import Film, around, turned
from kinetree.app.pictures.formats import Content, check_picture, check_video
from kinetree.app.pictures.packing import pack
from kinetree.app.pictures.process import Moment, PictureJob
from kinetree.app.viewport.filming import FPS, Filming
from kinetree.app.widgets.file_dialog import FileDialog
from kinetree.app.workers.drawing import draw, moment
from kinetree.app.workers.simulation import requests
from kinetree.engine import run
from kinetree.engine.atomic import replaced
from kinetree.engine.progress import awaited
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.run.history import History


class PictureDialogs:
    """The dialogs of one window about pictures and videos."""

    def __init__(self, context: ActionContext, selected: Callable[[], tuple[int, int] | None]):
        """selected: the steps of the timeline that are selected."""
        self._selected = selected
        self.context, workspace = context, context.workspace
        self.simulation, self.drawings = workspace.simulation, workspace.drawings
        self.filming = Filming(context.parent)
        self.filming.changed.connect(self._show_filming)
        self.filming.saved.connect(self._say_saved)
        self.filming.failed.connect(workspace.failed)
        self._filmed: Any = None  # the frame with the sign
        self._last: PictureChoice | None = None

    # ---- pictures ----------------------------------------------------------------------------------------

    def ask_picture(self) -> None:
        """Ask what a picture is to be."""
        dialog = PictureDialog(
            QSize(*self.context.viewport.pixel_size()), self._samples, self._last, self.context.parent
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.save_wanted.connect(self._ask_picture_file)
        dialog.copy_wanted.connect(self._copy)
        dialog.open()

    @property
    def _samples(self) -> int:
        return self.context.workspace.view.options.samples

    def _ask_picture_file(self, choice: PictureChoice) -> None:
        self._last = choice
        shown = self.shown() if choice.content is None else None  # before the file dialog lies over it
        self._ask_file(tr("Save Picture"), file_filters(choice), lambda path: self._save(choice, shown, path))

    def _save(self, choice: PictureChoice, shown: QImage | None, path: str) -> None:
        content = choice.content or Content.COLORS
        try:
            check_picture(path, choice.width, choice.height, content, choice.transparent)
        except ValueError as error:
            self._refuse(str(error))
            return
        if shown is not None:
            try:
                with replaced(path) as draft:
                    if not shown.save(draft):
                        raise OSError
            except OSError:
                self._refuse(tr("The picture cannot be written to {path}.", path=path))
            else:
                self._say_saved(path)
            return
        self._draw(choice, path, lambda files: self._say_saved(files[0]))

    def shown(self) -> QImage:
        """The viewport with everything that lies over it, as the user sees it."""
        self.context.viewport.be_whole()
        return self.context.frame.grab().toImage()

    def copy_shown(self) -> None:
        """Copy the viewport to the clipboard."""
        QGuiApplication.clipboard().setImage(self.shown())
        self.context.say(tr("Copied the picture"))

    def _copy(self, choice: PictureChoice) -> None:
        self._last = choice
        if choice.content is None:
            self.copy_shown()
            return
        folder = QTemporaryDir()

        def take(files: list[str]) -> None:
            QGuiApplication.clipboard().setImage(QImage(files[0]))
            folder.remove()
            self.context.say(tr("Copied the picture"))

        self._draw(choice, folder.filePath("picture.png"), take)

    def _draw(self, choice: PictureChoice, path: str, take: Callable[[list[str]], None]) -> None:
        now = self._now()
        if now is None:
            return
        model, snapshot, camera, look = now
        look.samples = choice.samples
        content = choice.content or Content.COLORS
        picture = PictureRequest(choice.width, choice.height, look, content, choice.transparent, choice.planes)
        self.drawings.run(
            tr("Drawing {file}", file=os.path.basename(path)),
            lambda: draw(PictureJob(pack(model), picture, path), [moment(snapshot, camera)]),
            take,
            self._refuse,
        )

    def _now(self) -> tuple[Any, Any, Any, Any] | None:
        """Model, state, camera and options that are shown now."""
        view, snapshot = self.context.workspace.view, self.simulation.snapshot
        if snapshot is None or snapshot.model is not self.simulation.model or view.camera is None:
            self._refuse(tr("There is no picture yet: the model is being prepared."))
            return None
        return snapshot.model, snapshot, view.camera.copy(), copy(view.options)

    # ---- videos ------------------------------------------------------------------------------------------

    def ask_video(self) -> None:
        """Ask what a video is to be."""
        self.context.workspace.extras.need("video", self._ask_video)

    def _ask_video(self) -> None:
        snapshot = self.simulation.snapshot
        recorded = 0.0 if snapshot is None else float((snapshot.step - snapshot.first) * snapshot.opt.timestep)
        steps, span = self._selected(), None
        if snapshot is not None and steps is not None:
            first, last = (snapshot.course.elapsed(step) for step in steps)
            span = SelectedSpan(steps, last - first)
        size = QSize(*self.context.viewport.pixel_size())
        dialog = VideoDialog(size, self._samples, recorded, self.context.parent, span)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        step = 0 if snapshot is None else snapshot.step  # the past ends here, though the simulation may run on
        dialog.save_wanted.connect(lambda choice: self._ask_video_file(choice, step))
        dialog.open()

    def _ask_video_file(self, choice: VideoChoice, end: int) -> None:
        self._ask_file(
            tr("Save Video"), video_filters(choice.film.fps), lambda path: self.save_video(choice, end, path)
        )

    def save_video(self, choice: VideoChoice, end: int, path: str) -> None:
        """Draw a video, frame by frame, in another process. `end`: the last step of the past that it shows."""
        try:
            check_video(path, choice.width, choice.height, choice.film.fps)
        except ValueError as error:
            self._refuse(str(error))
            return
        now = self._now()
        if now is None:
            return
        model, snapshot, camera, look = now
        look.samples = choice.samples
        picture = PictureRequest(choice.width, choice.height, look, planes=choice.planes)
        film = choice.film
        if film.turn:
            camera = around(model, snapshot, camera)

        def work() -> list[str]:
            if not choice.seconds:
                moments = (moment(snapshot, each) for each in film.cameras(camera))
                return draw(PictureJob(pack(model), picture, path, film.frames, film.fps), moments)
            present, history = _history(self.simulation)
            first, last = choice.span or (end - round(choice.seconds / snapshot.opt.timestep), end)
            steps = history.steps_every(film.interval, first, last)
            job = PictureJob(pack(present), picture, path, len(steps), film.fps)
            return draw(job, past(present, history, steps, camera, film))

        self.drawings.run(
            tr("Drawing {file}", file=os.path.basename(path)),
            work,
            lambda files: self._say_saved(files[0]),
            self._refuse,
        )

    # ---- recording ---------------------------------------------------------------------------------------

    def toggle_filming(self, what: str, on: bool) -> None:
        """Begin to record the "viewport" or the "window", or end it."""
        if self.filming.is_on:
            if self.filming.films_viewport == (what == "viewport"):
                self.filming.end()
            else:
                self._refuse(tr("Another recording is running: end it first."))
        elif on:
            self.context.workspace.extras.need("video", partial(self._ask_film, what))
        self._show_filming()

    def _ask_film(self, what: str) -> None:
        title = tr("Record Viewport") if what == "viewport" else tr("Record Window")
        self._ask_file(title, video_filters(FPS), partial(self.film, what))

    def film(self, what: str, path: str) -> None:
        """Record the "viewport" or the "window" to a file from now on."""
        widget = self.context.viewport if what == "viewport" else self.context.parent
        size = widget.size() * widget.devicePixelRatioF()
        try:
            check_video(path, size.width() & ~1, size.height() & ~1, FPS)
        except ValueError as error:
            self._refuse(str(error))
            return
        self._filmed = self.context.frame
        self._filmed.recording.clicked.connect(self.filming.end)
        if what == "viewport":
            self.filming.film_viewport(self.context.viewport, path)
        else:
            self.filming.film_window(self.context.parent, path)

    def _show_filming(self) -> None:
        filming, actions = self.filming, self.context.actions
        for name, is_on in (
            ("file.film", filming.films_viewport),
            ("file.film_window", filming.is_on and not filming.films_viewport),
        ):
            actions[name].setChecked(is_on)
        seconds = int(filming.seconds)
        frame = self._filmed
        if frame is None or not isValid(frame):  # viewports can be closed
            return
        frame.show_recording(f"{seconds // 60}:{seconds % 60:02}" if filming.is_on else "")
        if not filming.is_on:
            frame.recording.clicked.disconnect(filming.end)
            self._filmed = None

    # ---- files -------------------------------------------------------------------------------------------

    def _ask_file(self, title: str, kinds: list[str], write: Callable[[str], None]) -> None:
        folder = self.context.settings.folder
        stem = os.path.splitext(os.path.basename(self.context.workspace.project.path))[0] or "kinetree"
        ending = kinds[0].partition("(*")[2].partition(")")[0].split()[0]
        dialog = FileDialog(self.context.parent, title, os.path.join(folder, f"{stem}{ending}"), ";;".join(kinds))
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(ending[1:])
        dialog.filterSelected.connect(
            lambda kind: dialog.setDefaultSuffix(kind.partition("(*.")[2].partition(")")[0].split()[0])
        )
        dialog.fileSelected.connect(write)
        dialog.open()

    def _say_saved(self, path: str) -> None:
        self.context.say(tr("Saved {path}", path=path))

    def _refuse(self, reason: str) -> None:
        self.context.report(reason)


def past(model: Any, history: History, steps: list[int], camera: Any, film: Film) -> Iterator[Moment]:
    """The moments at some recorded steps, with the cameras of a film. A tracking camera follows its body."""

    data = engine.model.data.Data(model)
    for number, step in enumerate(steps):
        history.seek(model, data, step)
        state = run.snapshot.Snapshot(model, data)
        camera.follow(state, model)
        yield moment(state, turned(camera, film.turn * number / len(steps)))


def _history(simulation: Any) -> tuple[Any, History]:
    """A model and a copy of its history, from the simulation thread. Raises ValueError, Cancelled."""
    answers: queue.SimpleQueue = queue.SimpleQueue()
    simulation.post(requests.CopyHistory(lambda *found: answers.put(found)))
    model, history = awaited(answers)
    if model is None or history is None:
        raise ValueError(tr("The model was closed in the meantime."))
    return model, history
