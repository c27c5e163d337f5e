"""What lies over the viewport: the bar that says what is wrong, small texts in the corners, labels, the help."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QSizePolicy, QToolButton, QWidget

from app.settings.icons import icon
from app.viewport.viewport import Viewport
from app.workspace.compile_controller import CompileController
from app.workspace.project import ProjectController
from app.workspace.view import View
from engine.diagnostics import Diagnostic, Severity
from engine.model.kinds import name_of
from engine.run.clock import speed_text

MARGIN = 10
TOLERANCE = 0.07  # the achieved rate is shown when it differs from what was asked by more than this part


class Elided(QLabel):
    """One line of text that is shortened in the middle where there is no room; the tooltip has all of it."""

    def __init__(self, mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight, parent: QWidget | None = None):
        super().__init__(parent)
        self._all, self._mode = "", mode
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def set_text(self, text: str) -> None:
        self._all = text
        self.setToolTip(text)
        self._elide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = self.contentsRect().width()
        self.setText(QFontMetrics(self.font()).elidedText(self._all.replace("\n", " "), self._mode, room))


class MessageBar(QFrame):
    """The first error of a text that does not compile, over the model that still runs; or why a model cannot run."""

    details = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("message-bar")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(10, 5, 6, 5)
        self._icon = QLabel()
        self._text = Elided(parent=self)
        self._show = QToolButton(text="Problems")
        self._close = QToolButton()
        self._close.setToolTip("Hide this bar until the next change")
        layout.addWidget(self._icon)
        layout.addWidget(self._text, 1)
        layout.addWidget(self._show)
        layout.addWidget(self._close)
        self._show.clicked.connect(self.details)
        self._close.clicked.connect(self.hide)
        self._close.clicked.connect(self.closed)
        self.hide()

    def set_message(self, text: str, severity: Severity) -> None:
        self._icon.setPixmap(icon(severity.value, severity.value).pixmap(16, 16))
        if self.property("severity") != severity.value:
            self.setProperty("severity", severity.value)
            self.style().unpolish(self)
            self.style().polish(self)
        self._close.setIcon(icon("close"))
        self._text.set_text(text)

    def text(self) -> str:
        return self._text.toolTip()


class _Pill(QLabel):
    def __init__(self, parent: QWidget, name: str = "overlay"):
        super().__init__(parent)
        self.setObjectName(name)
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
            for label, (x, y, depth) in zip(
                labels, view.project([label.pos for label in labels]), strict=True
            ):
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
        self.viewport = Viewport(view, compiler, self)
        self.labels = LabelLayer(self.viewport, self)
        self.status = _Pill(self)
        self.selected = _Pill(self)
        self.info = _Pill(self)
        self.info.setFont(_fixed_font())
        self.help = _Pill(self, "help-overlay")
        self.help.setTextFormat(Qt.TextFormat.RichText)
        self.bar = MessageBar(self)
        self.bar.details.connect(self.show_problems)
        self.bar.closed.connect(self._place)
        self.info_shown = False
        self.viewport.drawn.connect(self._after_frame)
        simulation = view.simulation
        for signal in (simulation.snapshot_changed, simulation.run_changed, simulation.model_changed):
            signal.connect(self.refresh)
        simulation.progress_changed.connect(self.refresh)
        view.selection.changed.connect(self.refresh)
        for signal in (compiler.diagnostics_changed, project.changed):
            signal.connect(self._show_bar)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def _place(self) -> None:
        area = self.rect()
        self.viewport.setGeometry(area)
        self.labels.setGeometry(area)
        top = MARGIN
        if not self.bar.isHidden():
            height = self.bar.sizeHint().height()
            self.bar.setGeometry(0, 0, area.width(), height)
            top += height
        self.info.move(MARGIN, top)
        self.status.move(max(MARGIN, area.width() - self.status.width() - MARGIN), top)
        self.selected.setMaximumWidth(max(80, area.width() - 2 * MARGIN))
        self.selected.move(MARGIN, area.height() - self.selected.height() - MARGIN)
        self.help.move(
            max(0, (area.width() - self.help.width()) // 2), max(0, (area.height() - self.help.height()) // 2)
        )

    def set_help(self, html: str) -> None:
        """Show the help, or hide it when empty."""
        self.help.show_text(html)
        self.help.raise_()
        self._place()

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
        if (self.viewport.labels or not self.labels.isHidden()) and model is self._simulation.model:
            from engine.scene.camera import view_of

            size = self.viewport.size()
            aspect = size.width() / max(1, size.height())
            self.labels.refresh(view_of(self._view.camera, model, self._simulation.snapshot, aspect))

    def _show_bar(self) -> None:
        simulation, project = self._simulation, self._project
        errors = [item for item in self._compiler.diagnostics if item.severity is Severity.ERROR]
        wanted = simulation.model is not None and bool(errors or simulation.unsimulated)
        if wanted and errors:
            what = f"{_base(project.attempt)} cannot be opened" if project.attempt else "Not reloaded"
            verb = "stays" if simulation.unsimulated else "runs on"
            still = f"{_base(project.path)} {verb}." if project.attempt else f"The last good model {verb}."
            self.bar.set_message(f"{what}: {_first(errors)}   {still}", Severity.ERROR)
        elif wanted:
            self.bar.set_message(
                f"It can be looked at, not run: {_first(simulation.unsimulated)}", Severity.WARNING
            )
        self.bar.setVisible(wanted)
        self.bar.raise_()
        self._place()

    def _status_text(self) -> str:
        simulation, snapshot = self._simulation, self._simulation.snapshot
        if snapshot is None or simulation.model is None:
            return ""
        if simulation.unsimulated:
            return "Cannot be simulated yet"
        if not simulation.ready:
            return "Preparing physics…"
        if not snapshot.running:
            return f"Paused, {snapshot.behind} back" if snapshot.behind else "Paused"
        rate = snapshot.rate
        if rate is None or math.isinf(snapshot.speed):
            return f"{rate:.3g}×" if rate is not None else ""
        if abs(rate - snapshot.speed) <= TOLERANCE * snapshot.speed:
            return ""
        return f"{rate:.2g}× of {speed_text(snapshot.speed)}"

    def _selected_text(self) -> str:
        selection, model = self._view.selection.current, self._simulation.model
        if not selection or model is None:
            return ""
        kind, index = selection
        text = f"{kind} {index}: {name_of(model, kind, index)}"
        return text if len(text) < 200 else text[:199] + "…"

    def _info_text(self) -> str:
        snapshot, model = self._simulation.snapshot, self._simulation.model
        if snapshot is None or model is None or snapshot.model is not model:
            return ""
        rate, frames = snapshot.rate, self.viewport.frame_rate()
        rows = [
            ("Time", f"{snapshot.time:.3f} s"),
            ("Speed", f"{rate:.2f}×" if rate is not None else "-"),
            ("Step", f"{1e6 * snapshot.cost:.0f} µs" if snapshot.cost else "-"),
            (
                "Frame",
                f"{1e3 * self.viewport.frame_seconds:.1f} ms" + (f", {frames:.0f} fps" if frames else ""),
            ),
            ("Contacts", f"{snapshot.ncon}"),
            ("Constraints", f"{snapshot.nefc}"),
            ("Iterations", f"{snapshot.solver_niter}"),
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


def _base(path: str) -> str:
    return path.replace("\\", "/").rpartition("/")[2]


def _fixed_font() -> QFont:
    from PySide6.QtGui import QFontDatabase

    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
