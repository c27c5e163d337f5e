"""The viewport and what lies over it: the message bar, small texts in the corners, labels, statistics."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.panels.message_bar import MessageBar
from app.viewport.viewport import Viewport
from app.workspace.compile_controller import CompileController
from app.workspace.project import ProjectController
from app.workspace.selection import selected_objects
from app.workspace.view import View
from engine.diagnostics import Diagnostic, Severity
from engine.model.kinds import name_of
from engine.run.clock import speed_text

MARGIN = 10
TOLERANCE = 0.07  # the achieved rate is shown when it differs from what was asked by more than this part


Message = tuple[str, Severity, Sequence[tuple[str, Callable[[], object]]]]
"""Of a MessageBar: text, severity, buttons."""


class _Pill(QLabel):
    """A small text that lets the mouse through."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("overlay")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.hide()

    def show_text(self, text: str) -> None:
        """Show it, or hide when it is empty; only touches the widget when something changed."""
        if text != self.text():
            self.setText(text)
            self.adjustSize()
        if self.isHidden() == bool(text):
            self.setVisible(bool(text))


class LabelLayer(QWidget):
    """The scene's labels, written over the picture."""

    def __init__(self, viewport: Viewport, parent: QWidget):
        super().__init__(parent)
        self._viewport = viewport
        self._shown: list[tuple[float, float, str]] = []
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def refresh(self, view) -> None:
        labels = self._viewport.labels
        shown = []
        if labels:
            for label, (x, y, depth) in zip(labels, view.project([label.pos for label in labels]), strict=True):
                if depth > 0 and -0.1 < x < 1.1 and -0.1 < y < 1.1:
                    shown.append((round(x * self.width(), 1), round(y * self.height(), 1), label.text))
        if shown != self._shown:
            self._shown = shown
            self.setVisible(bool(shown))
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = QFont(self.font())
        font.setPointSizeF(max(7.0, font.pointSizeF() * 0.9))
        pen = QPen(QColor(0, 0, 0, 190), 3)
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        for x, y, text in self._shown:
            path = QPainterPath()
            path.addText(QPointF(x, y), font, text)
            painter.strokePath(path, pen)
            painter.fillPath(path, QColor(245, 247, 250))
        painter.end()


class ViewportFrame(QWidget):
    """The viewport with everything that lies over it."""

    show_problems = Signal()

    def __init__(
        self,
        view: View,
        compiler: CompileController,
        project: ProjectController,
        parent: QWidget | None = None,
    ):
        super().__init__(parent)
        self._view, self._simulation = view, view.simulation
        self._compiler, self._project = compiler, project
        self.viewport = Viewport(view, compiler, project, self)
        self.labels = LabelLayer(self.viewport, self)
        self.status = _Pill(self)
        self.selected = _Pill(self)
        self.info = _Pill(self)
        self.info.setFont(_fixed_font())
        self.files_bar, self.bar = MessageBar(self), MessageBar(self)
        self._closed: dict[MessageBar, str] = {}  # the messages that the user closed
        self.files_bar.closed.connect(self._close_files)
        self.bar.closed.connect(self._close_errors)
        self.info_shown = False
        self.viewport.drawn.connect(self._after_frame)
        simulation = view.simulation
        for signal in (simulation.snapshot_changed, simulation.run_changed, simulation.model_changed):
            signal.connect(self.refresh)
        simulation.progress_changed.connect(self.refresh)
        view.selection.changed.connect(self.refresh)
        compiler.compiled.connect(lambda _result: self._closed.clear())
        for signal in (compiler.diagnostics_changed, project.changed):
            signal.connect(self._show_bars)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def _place(self) -> None:
        area = self.rect()
        self.viewport.setGeometry(area)
        self.labels.setGeometry(area)
        top = MARGIN
        for bar in (self.files_bar, self.bar):
            if not bar.isHidden():
                height = min(bar.height_for(area.width()), area.height() * 2 // 3)
                bar.setGeometry(0, top - MARGIN, area.width(), height)
                top += height
        self.info.move(MARGIN, top)
        self.status.move(max(MARGIN, area.width() - self.status.width() - MARGIN), top)
        self.selected.setMaximumWidth(max(80, area.width() - 2 * MARGIN))
        self.selected.move(MARGIN, area.height() - self.selected.height() - MARGIN)

    def set_info(self, on: bool) -> None:
        self.info_shown = on
        self.refresh()

    def refresh(self) -> None:
        """Bring the texts up to date."""
        self.status.show_text(self._status_text())
        self.selected.show_text(self._selected_text())
        self.info.show_text(self._info_text() if self.info_shown else "")
        self._place()

    def _after_frame(self, model) -> None:
        camera, wanted = self._view.camera, bool(self.viewport.labels) or not self.labels.isHidden()
        if wanted and camera is not None and model is self._simulation.model:
            from engine.scene.camera import view_of

            size = self.viewport.size()
            aspect = size.width() / max(1, size.height())
            self.labels.refresh(view_of(camera, model, self._simulation.snapshot, aspect))

    def _show_bars(self) -> None:
        self._show_bar(self.files_bar, self._files_message())
        self._show_bar(self.bar, self._model_message())
        self._place()

    def _show_bar(self, bar: MessageBar, message: Message | None) -> None:
        if message is not None and self._simulation.model is not None:
            bar.set_message(*message)
            bar.setVisible(self._closed.get(bar) != bar.text())
        else:
            self._closed.pop(bar, None)
            bar.hide()
        bar.raise_()

    def _close_files(self) -> None:
        self._closed[self.files_bar] = self.files_bar.text()
        self._project.keep()
        self._place()

    def _close_errors(self) -> None:
        self._closed[self.bar] = self.bar.text()
        self._project.abandon()
        self._place()

    def _files_message(self) -> Message | None:
        """What is different on the disk."""
        project = self._project
        if project.conflicts:
            remedies = [("Reload", project.take_theirs), ("Keep Mine", project.keep)]
            text = f"Another program changed {_names(project.conflicts)} on disk, and you have unsaved changes."
            return text, Severity.WARNING, remedies
        if project.gone:
            text = f"Deleted on disk: {_names(project.gone)}. The text is kept here and can be saved again."
            return text, Severity.WARNING, [("Save", project.save_all)]
        if project.outdated:
            remedies = [("Reload", project.reload), ("Keep This Version", project.keep)]
            text = f"Changed on disk: {_names(project.outdated)}. Automatic reload is off."
            return text, Severity.INFO, remedies
        return None

    def _model_message(self) -> Message | None:
        """Why the model is not that of the newest text, or cannot be simulated."""
        simulation, project = self._simulation, self._project
        errors = [item for item in self._compiler.diagnostics if item.severity is Severity.ERROR]
        problems = [("Problems", self.show_problems.emit)]
        if errors:
            what = f"{_base(project.attempt)} cannot be opened" if project.attempt else "The new text has errors"
            still = _base(project.path) if project.attempt else "The last version without errors"
            first = _first(errors)
            stop = "" if first[-1] in ".?)" else "."
            return f"{what}: {first}{stop} {still} stays open.", Severity.ERROR, problems
        if simulation.unsimulated:
            reason = _first(simulation.unsimulated)
            return f"The model is shown but cannot be simulated: {reason}", Severity.WARNING, problems
        return None

    def _status_text(self) -> str:
        simulation, snapshot = self._simulation, self._simulation.snapshot
        if snapshot is None or simulation.model is None:
            return ""
        if simulation.unsimulated:
            return "Cannot be simulated yet"
        if not simulation.ready:
            return "Preparing physics…"
        if not snapshot.running:
            return f"Paused, {snapshot.behind} states back" if snapshot.behind else "Paused"
        rate = snapshot.rate
        if rate is None or math.isinf(snapshot.speed):
            return f"{rate:.3g}×" if rate is not None else ""
        if abs(rate - snapshot.speed) <= TOLERANCE * snapshot.speed:
            return ""
        return f"{rate:.2g}× of {speed_text(snapshot.speed)}"

    def _selected_text(self) -> str:
        selection, model = self._view.selection.current, self._simulation.model
        if not selection.kind or model is None:
            return ""
        text = f"{selection.kind} {selection.id}: {name_of(model, selection.kind, selection.id)}"
        text = text if len(text) < 200 else text[:199] + "…"
        copies = sum(kind == selection.kind for kind, _ in selected_objects(selection, model))
        return f"{text} (one of {copies} from the same element)" if copies > 1 else text

    def _info_text(self) -> str:
        snapshot, model = self._simulation.snapshot, self._simulation.model
        if snapshot is None or model is None or snapshot.model is not model:
            return ""
        rate, frames = snapshot.rate, self.viewport.frames
        rows = [
            ("Time", f"{snapshot.time:.3f} s"),
            ("Speed", f"{rate:.2f}×" if rate is not None else "-"),
            ("Step", f"{1e6 * snapshot.cost:.0f} µs" if snapshot.cost else "-"),
            ("Drawing", f"{1e3 * frames.seconds:.1f} ms a frame" if frames.seconds is not None else "-"),
            ("Frames", f"{frames.rate:.1f} per second" if frames.rate is not None else "-"),
            ("Contacts", f"{snapshot.ncon}"),
            ("Constraints", f"{snapshot.nefc}"),
            ("Iterations", f"{snapshot.solver_niter.max()}"),
            ("Dofs", f"{model.nv}"),
            ("Bodies", f"{model.nbody}"),
        ]
        return "\n".join(f"{name:<12} {value}" for name, value in rows)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Nothing: the viewport covers it."""


def _first(items: list[Diagnostic]) -> str:
    """The first finding in one line, and how many more there are."""
    first = items[0]
    more = f"  (+{len(items) - 1} more)" if len(items) > 1 else ""
    return f"{_base(first.file)}:{first.line}:{first.column}: {first.message}{more}"


def _names(paths: list[str]) -> str:
    """The names of some files, at most three."""
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(map(_base, paths[:3])) + more


def _base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _fixed_font() -> QFont:
    from PySide6.QtGui import QFontDatabase

    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
