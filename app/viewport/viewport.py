"""The viewport: draws the newest snapshot of a view's simulation with the renderer, in Qt's OpenGL context.

A frame is drawn when there is a new snapshot or the view changed, and never otherwise. While a new model has
no snapshot yet, the last frame's model stays on the screen.
"""

from __future__ import annotations

import time
import traceback

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QImage, QMouseEvent, QSurfaceFormat, QWheelEvent
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

from app.settings import theme
from app.viewport.frame_times import FrameTimes
from app.viewport.mouse import MouseControl
from app.workspace.compile_controller import CompileController
from app.workspace.project import ProjectController
from app.workspace.view import View

SLOW_FRAME = 0.03  # a frame that takes longer makes way for a reload, s
MAKE_WAY = 0.3  # for at most this long, s


def surface_format() -> QSurfaceFormat:
    """OpenGL 4.1 core, colours only: the renderer multisamples in a target of its own."""
    result = QSurfaceFormat()
    result.setVersion(4, 1)
    result.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    result.setSamples(0)
    result.setSwapInterval(1)
    return result


class Viewport(QOpenGLWidget):
    """`drawn(model)` after each frame; `broken(message, details)` once for a model that cannot be drawn."""

    drawn = Signal(object)
    broken = Signal(str, str)

    def __init__(
        self,
        view: View,
        compiler: CompileController,
        project: ProjectController,
        parent: QWidget | None = None,
    ):
        super().__init__(parent)
        self.setFormat(surface_format())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.setObjectName("viewport")
        self.setAccessibleName("Viewport")
        self.labels: list = []
        self.frame_seconds = 0.0
        self._view, self._simulation = view, view.simulation
        self._compiler, self._project = compiler, project
        self._renderer = self._context = self._scene = self._loaded = self._camera = None
        self._broken_for: object = None
        self._ended = False
        self.frames = FrameTimes()
        self.frameSwapped.connect(self.frames.end)
        self._mouse = MouseControl(view, lambda: (max(1, self.width()), max(1, self.height())), self.update)
        self._skipped = QTimer(self)  # runs while a frame is left out
        self._skipped.setSingleShot(True)
        self._skipped.setInterval(round(1000 * MAKE_WAY))
        self._skipped.timeout.connect(self._refresh)
        view.simulation.snapshot_changed.connect(self._take_snapshot)
        for signal in (compiler.compiled, compiler.cancelled):
            signal.connect(self._make_up)
        for signal in (view.selection.changed, view.camera_changed, view.options_changed):
            signal.connect(self._refresh)

    def _refresh(self) -> None:
        """Draw again, unless a snapshot of the newest model is about to come anyway."""
        snapshot = self._simulation.snapshot
        if snapshot is None or snapshot.model is self._simulation.model:
            self.update()

    def _take_snapshot(self) -> None:
        """Draw the new state. Slow frames are skipped during a reload, to leave the processor to it."""
        since = self._compiler.compiling_since or self._project.change_seen_at
        if since is not None and self.frame_seconds > SLOW_FRAME and time.monotonic() - since < MAKE_WAY:
            self._skipped.start()
        else:
            self.update()

    def _make_up(self) -> None:
        if self._skipped.isActive():
            self._skipped.stop()
            self._refresh()

    def sizeHint(self) -> QSize:
        return QSize(960, 640)

    # ---- drawing -----------------------------------------------------------------------------------------

    def end(self) -> None:
        """Free everything on the graphics card, and draw no more."""
        self._ended = True
        self.release()

    def initializeGL(self) -> None:
        if self._ended:
            return
        self.context().aboutToBeDestroyed.connect(self.release, Qt.ConnectionType.DirectConnection)
        self._loaded = self._scene = None
        self._broken_for = None
        try:
            import moderngl

            from renderer.frame import Renderer

            self._context = moderngl.create_context(require=410)
            self._renderer = Renderer(self._context)
        except Exception as error:
            self._renderer = None
            self.broken.emit(f"OpenGL 4.1, which the viewport needs, is not available: {error}", traceback.format_exc())

    def release(self) -> None:
        """Free everything on the graphics card."""
        if self._renderer is not None:
            self.makeCurrent()
            self._renderer.release()
            self._renderer = self._loaded = self._scene = None
            self._context = None
            self.doneCurrent()

    def paintGL(self) -> None:
        if self._ended:
            return
        simulation, snapshot = self._simulation, self._simulation.snapshot
        if snapshot is None or self._renderer is None or self._broken_for is snapshot.model:
            self._clear()
            return
        try:
            start = time.perf_counter()
            self.frames.begin()
            self._draw(snapshot)
            self.frame_seconds = time.perf_counter() - start
        except Exception as error:
            self._broken_for = snapshot.model
            self._clear()
            self.broken.emit(f"The model cannot be drawn: {error}", traceback.format_exc())
            return
        self.drawn.emit(snapshot.model)
        if snapshot.model is simulation.model:
            simulation.first_drawn()

    def _draw(self, snapshot) -> None:
        from engine.scene.build import build

        view, model = self._view, snapshot.model
        renderer, context = self._renderer, self._context
        assert renderer is not None and context is not None
        width, height = self.pixel_size()
        current = model is self._simulation.model
        if current and view.camera is not None:
            view.camera.follow(snapshot)
            self._camera = view.camera
        if self._loaded is not model:
            renderer.load(model)
            self._loaded, self._scene = model, None
        assert self._camera is not None
        perturb = view.perturb if current else None
        self._scene = build(model, snapshot, view.options, self._camera, perturb, self._scene, (width, height))
        target = context.detect_framebuffer(self.defaultFramebufferObject())
        renderer.draw(self._scene, target, width, height)
        self.labels = self._scene.labels

    def _clear(self) -> None:
        functions = self.context().functions()
        colour = QColor(theme.current().base)
        functions.glClearColor(colour.redF(), colour.greenF(), colour.blueF(), 1.0)
        functions.glClear(0x4000 | 0x100)  # colour and depth
        self.labels = []

    def pixel_size(self) -> tuple[int, int]:
        """Size in device pixels."""
        ratio = self.devicePixelRatioF()
        return max(1, round(self.width() * ratio)), max(1, round(self.height() * ratio))

    def picture(self) -> QImage:
        """What is shown, at full resolution."""
        return self.grabFramebuffer()

    # ---- mouse -------------------------------------------------------------------------------------------

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._mouse.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._mouse.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._mouse.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._mouse.wheel(event)
        event.accept()
