"""The viewport and what lies over it: the message bar, small texts in the corners, labels, statistics."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFont,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from kinetree.app.menus.build import Actions
from kinetree.app.viewport.contact_layer import ContactLayer
from kinetree.app.viewport.cube import ViewCube
from kinetree.app.viewport.dropping import Drops
from kinetree.app.viewport.gizmo.gizmo import Gizmo
from kinetree.app.viewport.gizmo.input import GizmoInput
from kinetree.app.viewport.gizmo.layer import GizmoLayer
from kinetree.app.viewport.labels import LabelLayer
from kinetree.app.viewport.measure_layer import MeasureLayer
from kinetree.app.viewport.pictures import PictureFrame, places
from kinetree.app.viewport.section_layer import SectionLayer
from kinetree.app.viewport.shelf import Shelf
from kinetree.app.viewport.viewport import Viewport
from kinetree.app.widgets.message_bar import MessageBar
from kinetree.app.widgets.part import openings, part_text
from kinetree.app.widgets.readouts import number_text, rate_text, seconds_back, time_text
from kinetree.app.workers.compiling import CompileResult
from kinetree.app.workers.watching import Obstacle
from kinetree.app.workspace.measurements import Measurements
from kinetree.app.workspace.selection import selected_objects
from kinetree.app.workspace.units import Units
from kinetree.app.workspace.view import ViewModel
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine import scene
from kinetree.engine.diagnostics import Diagnostic, Severity
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import name_of, owner
from kinetree.engine.run.clock import speed_text
from kinetree.engine.scene.options import Shapes
from kinetree.engine.translation import marked, tr

MARGIN = 10
LEAST_CUBE = 300, 240  # of a viewport that has a view cube, pixels
LEAST_PILL = 110  # room for the texts beside the statistics, pixels
SPARE = 40  # by which lines of an announcement are wider than their share, so that words fit, pixels
SAID = 1500  # how long an announcement stays at least, ms
SAID_LETTER = 60  # how long it stays for each letter, ms
TOLERANCES = 0.1, 0.05  # part by which the achieved rate must miss what was asked to be shown, and to stay shown
PATIENCE = 1.0  # for how long it must do so, or do so no more, s


SHAPES_SHOWN = {
    Shapes.VISUAL: marked("Visual shapes"),
    Shapes.COLLISION: marked("Collision shapes"),
    Shapes.BOTH: marked("Visual and collision shapes"),
}
"""Shown in the viewport while they are chosen in place of the groups."""


Message = tuple[str, Severity, Sequence[tuple[str, Callable[[], object]]]]
"""Of a MessageBar: text, severity, buttons."""


class _Pill(QLabel):
    """A small text that lets the mouse through. `whole`: the text, which may be shown without its middle or end."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("overlay")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.whole = ""
        self.hide()

    def show_text(self, text: str) -> None:
        """Show it, or hide when it is empty; only touches the widget when something changed."""
        if text != self.whole:
            self.whole = text
            self._write(text)
        if self.isHidden() == bool(text):
            self.setVisible(bool(text))

    def fit(self, room: int, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        """Show as much of the text as there is room for, pixels."""
        if not self.isHidden() and (self.width() > room or self.text() != self.whole):
            edges = self.sizeHint().width() - self.fontMetrics().horizontalAdvance(self.text())
            shown = self.fontMetrics().elidedText(self.whole, mode, max(0, room - edges))
            if shown != self.text():
                self._write(shown)

    def _write(self, text: str) -> None:
        self.setText(text)
        self.adjustSize()


class _Announcement(_Pill):
    """A text of one or more lines."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)

    def fit(self, room: int, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight) -> None:
        room = max(room, 1)  # a viewport may have no width
        self.setWordWrap(False)
        self.setMinimumWidth(0)
        wide = self.sizeHint().width()
        if wide > room:
            self.setWordWrap(True)
            self.setMinimumWidth(min(room, -(-wide // -(-wide // room)) + SPARE))  # lines of about one length
        self.resize(self.sizeHint().expandedTo(self.minimumSize()))
        if wide > room:
            self.resize(self.minimumWidth(), self.heightForWidth(self.minimumWidth()))


class LagNotice:
    """Decides when to show that the simulation is slower or faster than the requested speed. Ignores short dips."""

    def __init__(self) -> None:
        self.is_shown = False
        self._since: float | None = None

    def follow(self, rate: float, asked: float, now: float) -> bool:
        """The newest rate, at a time in s; returns `is_shown`."""
        if (abs(rate - asked) > TOLERANCES[self.is_shown] * asked) == self.is_shown:
            self._since = None
        elif self._since is None:
            self._since = now
        elif now - self._since >= PATIENCE:
            self.is_shown, self._since = not self.is_shown, None
        return self.is_shown


class ViewportFrame(QWidget):
    """A viewport with all widgets over it. `is_main`: it also has the shelf, the messages about files, and the texts
    about run and selection, which one viewport of a window shows.

    Signal: `activated()` when the viewport gets the keyboard or the mouse.
    """

    show_problems = Signal()
    show_conflicts = Signal()
    save_elsewhere = Signal()
    open_wanted = Signal(str)
    fix_wanted = Signal()
    activated = Signal()

    def __init__(
        self,
        view: ViewModel,
        workspace: Workspace,
        parent: QWidget | None = None,
        is_main: bool = True,
    ):
        super().__init__(parent)
        self.view, self._is_main = view, is_main
        self._view, self._simulation = view, view.simulation
        compiler, project = workspace.compiler, workspace.project
        self._compiler, self._project, self._opening = compiler, project, workspace.opening
        self._disk, self._merging, self._saving = workspace.disk, workspace.merging, workspace.saving
        self.viewport = Viewport(view, compiler, workspace.disk, self)
        self.gizmo = Gizmo(view, project, compiler, self._size, self.viewport.eye, self)
        self.drops = Drops(self.viewport, view, project, self)
        self.contacts = ContactLayer(view, self)
        self.gizmo_layer = GizmoLayer(self.gizmo, self.drops, view, self)
        self.setAcceptDrops(True)
        self.pictures: list[PictureFrame] = []
        view.options_changed.connect(self._show_pictures)
        view.options_changed.connect(self._show_options)
        self.section = SectionLayer(view, self.viewport, self)
        self.measures: MeasureLayer | None = None
        self.viewport.tools = (self.section,)
        self._input = self.viewport.gizmo = GizmoInput(self.gizmo, self.gizmo_layer.field)
        self.labels = LabelLayer(self.viewport, self)
        self.shelf = Shelf(self)
        self.shelf.wanted.connect(self.drops.add_in_middle)
        self.cube = ViewCube(view, self.viewport.eye, self.viewport.update, self)
        self._has_cube = True
        self.status = _Pill(self)
        self.reduced = _Pill(self)
        self.shapes = _Pill(self)
        self.selected = _Pill(self)
        self.said = _Announcement(self)
        self._said_ends = QTimer(self)
        self._said_ends.setSingleShot(True)
        self._said_ends.timeout.connect(lambda: self.said.show_text(""))
        self.recording = QToolButton(self)
        self.recording.setObjectName("recording")
        self.recording.setAccessibleName(tr("End the recording"))
        self.recording.setToolTip(tr("A video is being recorded: click to end it"))
        self.recording.hide()
        self.compared = _Pill(self)
        self.info = _Pill(self)
        self.info.setFont(_fixed_font())
        self.files_bar, self.bar, self.controller_bar = MessageBar(self), MessageBar(self), MessageBar(self)
        self._closed: dict[MessageBar, str] = {}  # the messages that the user closed
        self.files_bar.closed.connect(self._close_files)
        self.bar.closed.connect(self._close_errors)
        told = self.controller_bar
        told.closed.connect(lambda: self._closed.update({told: told.text()}))
        told.closed.connect(self._show_bars)
        self._workspace = workspace
        workspace.controller_changed.connect(self._show_bars)
        self.info_shown = False
        self._lag = LagNotice()
        self.viewport.drawn.connect(self._after_frame)
        self.viewport.activated.connect(self.activated)
        self.viewport.said.connect(self.announce)
        self._reduced_later = QTimer(self)  # a sign that changes while the viewport paints would be cut off
        self._reduced_later.setSingleShot(True)
        self._reduced_later.timeout.connect(self._show_reduced)
        simulation = view.simulation
        for signal in (simulation.snapshot_changed, simulation.run_changed, simulation.model_changed):
            signal.connect(self.refresh)
        simulation.progress_changed.connect(self.refresh)
        simulation.other_changed.connect(self.refresh)
        view.selection.changed.connect(self.refresh)
        compiler.compiled.connect(self._show_closed_again)
        for signal in (compiler.diagnostics_changed, project.changed):
            signal.connect(self._show_bars)
        project.changed.connect(self._show_things)

    def end(self) -> None:
        """Free everything on the graphics card, and draw no more."""
        self.viewport.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if self.drops.accepts(event.mimeData()):
            event.acceptProposedAction()
        else:
            event.ignore()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        self.drops.hover(event.position())
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self.drops.hover(None)

    def dropEvent(self, event: QDropEvent) -> None:
        held = event.modifiers()
        event.acceptProposedAction()
        self.drops.drop(event.mimeData(), event.position(), bool(held & Qt.KeyboardModifier.ShiftModifier))

    def _show_closed_again(self, _result: object) -> None:
        """Show messages again that the user closed: they were about another version of the text."""
        self._closed.clear()

    def fill_shelf(self, actions: Actions) -> None:
        """Fill the shelf, which is not shown before."""
        self.shelf.fill(actions, self.drops.format)
        self._place()

    def _show_things(self) -> None:
        """Show the shelf of the model's format."""
        if self.shelf.format and self.shelf.format != self.drops.format:
            self.shelf.show_things(self.drops.format)
            self._place()

    def _place(self) -> None:
        area = self.rect()
        self.viewport.setGeometry(area)
        self.contacts.setGeometry(area)
        self.gizmo_layer.setGeometry(area)
        self.labels.setGeometry(area)
        self.section.setGeometry(area)
        self._show_pictures()
        if self.measures is not None:
            self.measures.setGeometry(area)
        top = MARGIN
        for bar in (self.files_bar, self.bar, self.controller_bar):
            if not bar.isHidden():
                height = bar.fit(area.width(), (area.height() - top) * 2 // 3)
                bar.setGeometry(0, top - MARGIN, area.width(), height)
                top += height
        self.shelf.move(MARGIN, top)
        has_room = self.shelf.height() + top + MARGIN < area.height()
        self.shelf.setVisible(self._is_main and bool(self.shelf.format) and has_room)
        self.info.move(MARGIN if self.shelf.isHidden() else 2 * MARGIN + self.shelf.width(), top)
        right = area.width() - MARGIN
        left = self.info.x() if self.info.isHidden() else self.info.geometry().right() + MARGIN
        is_large = area.width() >= LEAST_CUBE[0] and area.height() - top >= LEAST_CUBE[1]
        self.cube.setVisible(self._has_cube and is_large and right - self.cube.width() >= left)
        if not self.cube.isHidden():
            self.cube.move(right - self.cube.width(), top)
            right -= self.cube.width() + MARGIN
        below = top
        if right - left < LEAST_PILL and not self.info.isHidden():  # below the statistics
            left, below = self.info.x(), self.info.geometry().bottom() + MARGIN // 2
        for pill in (self.status, self.reduced, self.shapes):
            pill.fit(right - left)
            pill.move(right - pill.width(), below)
            below += 0 if pill.isHidden() else pill.height() + MARGIN // 2
        self.recording.move((area.width() - self.recording.width()) // 2, top)
        whole = area.width() - 2 * MARGIN
        self.said.fit(whole)
        line = self.selected.sizeHint().height()
        self.said.move((area.width() - self.said.width()) // 2, area.height() - 2 * MARGIN - line - self.said.height())
        line = area.height() - self.selected.height() - MARGIN
        beside = not self.shelf.isHidden() and self.shelf.geometry().bottom() + MARGIN // 2 > line
        left = 2 * MARGIN + self.shelf.width() if beside else MARGIN
        self.selected.fit(area.width() - left - MARGIN, Qt.TextElideMode.ElideMiddle)
        self.selected.move(left, line)
        self.compared.fit(whole)
        left = area.width() - self.compared.width() - MARGIN
        self.compared.move(left, area.height() - self.compared.height() - MARGIN)

    def show_recording(self, text: str) -> None:
        """Show that a video is being recorded; "": it is not."""
        self.recording.setText(f"■  {text}")
        self.recording.adjustSize()
        self.recording.setVisible(bool(text))
        self._place()

    def announce(self, text: str) -> None:
        """Say something in the viewport for a moment: what a key press did."""
        self.said.show_text(text)
        self.said.raise_()
        self._said_ends.start(max(SAID, SAID_LETTER * len(text)))
        self._place()

    def _show_pictures(self) -> None:
        """Place a frame with title and edge around the picture of each shown camera."""
        model, cameras = self._simulation.model, self.view.pictures
        cameras = () if model is None else tuple(each for each in cameras if each < model.ncam)
        if [each.camera for each in self.pictures] != list(cameras):
            for each in self.pictures:
                each.hide()
                each.deleteLater()
            self.pictures = [PictureFrame(self.view, camera, self) for camera in cameras]
            for each in self.pictures:
                each.show()
        for each, area in zip(self.pictures, places(model, cameras, self.viewport.size()), strict=True):
            each.place(area)

    def set_measurements(self, measurements: Measurements, units: Units) -> None:
        """Show distances and angles, and let the mouse pick points for them."""
        self.measures = MeasureLayer(measurements, units, self.view, self.viewport, self)
        self.measures.stackUnder(self.shelf)
        self.viewport.tools = (self.measures, self.section)
        self.measures.refresh()

    def show_other(self, on: bool) -> None:
        """Show the model that is compared, without handles of the open one, or the open one again."""
        self._view.shows_other = on
        self.viewport.gizmo = None if on else self._input
        for layer in (self.gizmo_layer, self.contacts):
            layer.setVisible(not on)
        self.viewport.update()
        self.refresh()

    def show_cube(self, on: bool) -> None:
        """Show the view cube, where there is room for it."""
        self._has_cube = on
        self._place()

    def set_info(self, on: bool) -> None:
        self.info_shown = on
        self.refresh()

    def refresh(self) -> None:
        """Bring the texts up to date."""
        self.status.show_text(self._status_text() if self._is_main else "")
        self.compared.show_text(self._compared_text())
        self.selected.show_text(self._selected_text() if self._is_main else "")
        self.info.show_text(self._info_text() if self.info_shown else "")
        self._place()

    def _show_options(self) -> None:
        shapes = self._view.options.shapes
        self.shapes.show_text("" if shapes is Shapes.GROUPS else tr(SHAPES_SHOWN[shapes]))
        self.compared.show_text(self._compared_text())
        self._place()

    def _size(self) -> tuple[int, int]:
        return max(1, self.viewport.width()), max(1, self.viewport.height())

    def _after_frame(self, model) -> None:
        if self.reduced.whole != self.viewport.quality.text:
            self._reduced_later.start(0)
        self.gizmo.take_drawn(model)
        self.cube.refresh()
        self.section.refresh()
        if self.measures is not None:
            self.measures.refresh()
        if self._view.selection.selections or self.gizmo.edit_mode:
            self.gizmo_layer.refresh()
        if self._view.selection.contacts:
            self.contacts.refresh()
        camera, wanted = self._view.camera, bool(self.viewport.labels) or not self.labels.isHidden()
        if wanted and camera is not None and model is self._simulation.model:
            size = self.viewport.size()
            aspect = size.width() / max(1, size.height())
            self.labels.refresh(scene.camera.view_of(camera, model, self._simulation.snapshot, aspect))

    def _show_reduced(self) -> None:
        """Show how the quality of the picture is reduced."""
        self.reduced.show_text(self.viewport.quality.text)
        self._place()

    def _show_bars(self) -> None:
        self._show_bar(self.files_bar, self._files_message())
        self._show_bar(self.bar, self._model_message())
        self._show_bar(self.controller_bar, _controller_message(self._workspace))
        self._place()

    def _show_bar(self, bar: MessageBar, message: Message | None) -> None:
        if self._is_main and message is not None and self._simulation.model is not None:
            bar.set_message(*message)
            bar.setVisible(self._closed.get(bar) != bar.text())
        else:
            self._closed.pop(bar, None)
            bar.hide()
        bar.raise_()

    def _close_files(self) -> None:
        self._closed[self.files_bar] = self.files_bar.text()
        self._disk.keep()
        self._place()

    def _close_errors(self) -> None:
        self._closed[self.bar] = self.bar.text()
        self._opening.abandon()
        self._place()

    def _files_message(self) -> Message | None:
        """Message about differences on the disk."""
        disk, conflicts, gone = self._disk, self._merging.conflicts, self._project.gone
        if conflicts:
            remedies = [
                (tr("Merge…"), self.show_conflicts.emit),
                (tr("Reload"), disk.take_theirs),
                (tr("Keep Mine"), disk.keep),
            ]
            text = tr(
                "Another program changed {names} on disk, in lines that have unsaved changes here.",
                names=_names(conflicts),
            )
            return text, Severity.WARNING, remedies
        if disk.obstructed:
            path = disk.obstructed[0]
            if disk.obstacles[path] is Obstacle.READ_ONLY:
                text = tr("{base} is read-only: the changes can only be saved under another name.", base=_base(path))
            else:
                text = tr(
                    "The folder of {base} is gone. The text is kept here and can be saved elsewhere.", base=_base(path)
                )
            return text, Severity.WARNING, [(tr("Save As…"), self.save_elsewhere.emit)]
        if gone:
            text = tr("Deleted on disk: {names}. The text is kept here and can be saved again.", names=_names(gone))
            return text, Severity.WARNING, [(tr("Save"), self._saving.save_all)]
        if disk.outdated:
            remedies = [(tr("Reload"), disk.reload), (tr("Keep This Version"), disk.keep)]
            text = tr("Changed on disk: {names}. Automatic reload is off.", names=_names(disk.outdated))
            return text, Severity.INFO, remedies
        return None

    def _model_message(self) -> Message | None:
        """Why the model is not that of the newest text, or cannot be simulated."""
        simulation, path, attempt = self._simulation, self._project.path, self._opening.attempt
        errors = [item for item in self._compiler.diagnostics if item.severity is Severity.ERROR]
        problems = [(tr("Problems"), self.show_problems.emit)]
        result = self._compiler.result
        part = result if result is not None and result.models else None
        if part is not None:
            models = [(label, partial(self.open_wanted.emit, path)) for label, path in openings(part)]
            problems = [*models, *(problems if errors else [])]
        if errors:
            document = result.document if result is not None and attempt and part is None else None
            if document is not None and document.root.tag:  # XML, whatever its errors
                problems = [(tr("Open and Fix"), self.fix_wanted.emit), *problems]
            what = tr("{base} cannot be opened", base=_base(attempt)) if attempt else tr("The new text has errors")
            still = _base(path) if attempt else tr("The last version without errors")
            first = _first(errors)
            stop = "" if first[-1] in ".?" else "."
            return (
                tr("{what}: {first}{stop} {still} stays open.", what=what, first=first, stop=stop, still=still),
                Severity.ERROR,
                problems,
            )
        if part is not None:
            return self._part_text(part), Severity.INFO, problems
        if simulation.unsimulated:
            reason = _first(simulation.unsimulated)
            return tr("The model is shown but cannot be simulated: {reason}", reason=reason), Severity.WARNING, problems
        return None

    def _part_text(self, result: CompileResult) -> str:
        """Why a file that is a part of a model is not shown, or little of it."""
        part = part_text(result)
        if result.model is not None:
            return tr("{part}: open the model to see all of it.", part=part)
        if self._opening.attempt:
            still = _base(self._project.path)
            return tr("{part}, and not a model by itself. {still} stays open.", part=part, still=still)
        return tr("{part}, and no longer a model by itself. Its last version that was one stays open.", part=part)

    def _status_text(self) -> str:
        simulation, snapshot = self._simulation, self._simulation.snapshot
        if snapshot is None or simulation.model is None:
            return ""
        if simulation.unsimulated:
            return tr("Cannot be simulated yet")
        if not simulation.ready:
            return tr("Preparing physics…")
        if snapshot.motion:
            return tr("Motion {motion}", motion=snapshot.motion)
        if not snapshot.running:
            if snapshot.behind:
                return tr("The past: {time} back", time=time_text(seconds_back(snapshot), snapshot.opt.timestep))
            return tr("Paused")
        rate = snapshot.rate
        if rate is None or math.isinf(snapshot.speed):
            return rate_text(rate)
        if not self._lag.follow(rate, snapshot.speed, snapshot.wall):
            return ""
        return tr("{rate} of {speed}", rate=rate_text(rate), speed=tr(speed_text(snapshot.speed)))

    def _compared_text(self) -> str:
        """Which model the ghost is, and where its time is another one."""
        simulation = self._simulation
        snapshot, other = simulation.snapshot, simulation.other_snapshot
        if snapshot is None or other is None or not (self._view.shows_ghost or self._view.shows_other):
            return ""
        behind = abs(other.time - snapshot.time) > max(other.opt.timestep, snapshot.opt.timestep)
        name = simulation.other_label
        name = (
            tr("{name} (stopped at {time})", name=name, time=time_text(other.time, other.opt.timestep))
            if behind
            else name
        )
        return tr("Compared: {name}", name=name) if self._view.shows_other else tr("Ghost: {name}", name=name)

    def _selected_text(self) -> str:
        selection, model = self._view.selection.current, self._simulation.model
        if not selection.kind or model is None:
            return ""
        above = owner(model, selection.kind, selection.id)
        text, name = f"{selection.kind} {selection.id}", name_of(model, selection.kind, selection.id)
        if name != text:
            text = f"{text}: {name}"
        elif above is not None:  # an object without a name is found by its owner
            text = tr("{thing} of {owner}", thing=text, owner=name_of(model, *above))
        text = text if len(text) < 200 else text[:199] + "…"
        copies = sum(kind == selection.kind for kind, _ in selected_objects(selection, model))
        return tr("{text} (one of {copies} from the same element)", text=text, copies=copies) if copies > 1 else text

    def _info_text(self) -> str:
        snapshot, model = self._simulation.snapshot, self._simulation.model
        if snapshot is None or model is None or snapshot.model is not model:
            return ""
        rate, frames = snapshot.rate, self.viewport.frames
        rows = [
            (tr("Time"), time_text(snapshot.time, snapshot.opt.timestep)),
            (tr("Speed"), rate_text(rate) or "-"),
            (tr("Step"), f"{number_text(1e6 * snapshot.cost, 3)} µs" if snapshot.cost else "-"),
            (
                tr("Drawing"),
                tr("{time:.1f} ms a frame", time=1e3 * frames.seconds) if frames.seconds is not None else "-",
            ),
            (tr("Frame rate"), tr("{rate:.1f} per second", rate=frames.rate) if frames.rate is not None else "-"),
            (tr("Contacts"), f"{snapshot.ncon}"),
            (tr("Constraints"), f"{snapshot.nefc}"),
            (tr("Iterations"), f"{snapshot.solver_niter.max()}"),
            (tr("Islands"), f"{snapshot.nisland}"),
            (tr("Dofs"), f"{model.nv}"),
            (tr("Bodies"), f"{model.nbody}"),
        ]
        if snapshot.opt.enableflags & enums.ENBL_ENERGY:
            rows.append((tr("Energy"), f"{number_text(snapshot.energy[0] + snapshot.energy[1])} J"))
        if snapshot.opt.enableflags & enums.ENBL_FWDINV:
            constraint, applied = snapshot.solver_fwdinv
            rows += [
                (tr("FwdInv"), tr("{constraint:.2g} (constraint forces)", constraint=constraint)),
                ("", tr("{applied:.2g} (applied forces)", applied=applied)),
            ]
        column = max(len(name) for name, _ in rows)
        return "\n".join(f"{name:<{column}}  {value}" for name, value in rows)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paints nothing: the viewport covers it."""


def _first(items: list[Diagnostic]) -> str:
    """The first finding in one line, and how many more there are."""
    first = items[0]
    told = f"{_base(first.file)}:{first.line}:{first.column}: {first.message}"
    return tr("{finding}  (+{count} more)", finding=told, count=len(items) - 1) if len(items) > 1 else told


def _names(paths: list[str]) -> str:
    """The names of some files, at most three."""
    names = ", ".join(map(_base, paths[:3]))
    return tr("{names} and {count} more", names=names, count=len(paths) - 3) if len(paths) > 3 else names


def _base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _fixed_font() -> QFont:
    from PySide6.QtGui import QFontDatabase

    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)


def _controller_message(workspace: Workspace) -> Message | None:
    """Why the controller file does not run as it is."""
    host = workspace.controller if workspace.has_controller else None
    if host is None or host.failure is None:
        return None
    goes_on = (
        tr("The version before drives on; save the file again to try it.")
        if host.process is not None
        else tr("The simulation is paused; save the file again to go on with it.")
    )
    stop = "" if host.failure.text[-1] in ".?!" else "."
    remedies = [(tr("Reload"), host.reload), (tr("End Controller"), host.end)]
    return f"{host.failure.text}{stop} {goes_on}", Severity.ERROR, remedies
