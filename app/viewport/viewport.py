"""The viewport: draws the newest snapshot of a view's simulation with the renderer, in Qt's OpenGL context.

A frame is drawn when there is a new snapshot or the view changed, and never otherwise. While a new model has
no snapshot yet, the last frame's model stays on the screen. Where frames take long they are drawn with less
(`app/viewport/pace.py`), and whole as soon as nothing moves. What glossy things reflect of the model is drawn after a
picture, in passes of the event loop of its own, and shown in the next one.
"""

from __future__ import annotations

import time
import traceback
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QSurfaceFormat,
    QWheelEvent,
)
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QApplication, QWidget

from kinetree import engine
from kinetree import renderer as rendering
from kinetree.app.settings import theme
from kinetree.app.settings.table import AUTOMATIC
from kinetree.app.viewport import later
from kinetree.app.viewport.frame_times import FrameTimes
from kinetree.app.viewport.mouse import MouseControl
from kinetree.app.viewport.pace import WHOLE, Pace, Quality, pause
from kinetree.app.viewport.pictures import ViewportPictures, picture_options
from kinetree.app.workers import rehearsing
from kinetree.app.workspace.compile_controller import CompileController
from kinetree.app.workspace.disk import DiskFollower
from kinetree.app.workspace.view import ViewModel
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.app.viewport.gizmo.input import GizmoInput
    from kinetree.engine.scene.scene import Scene

SLOW_FRAME = 0.012  # a frame that takes longer makes way for a reload, s: it keeps the compile thread from its work
STILL = 3.0  # a button that is released so near to where it was pressed is a click, pixels
MAKE_WAY = 0.3  # for at most this long, s
REST = 400  # after so long without a new frame the picture is drawn whole, ms
MOST_PUT_OFF = 5  # so often it waits for a mouse button to be released


def surface_format() -> QSurfaceFormat:
    """OpenGL 4.1 core, colours only: the renderer multisamples in a target of its own."""
    result = QSurfaceFormat()
    result.setVersion(4, 1)
    result.setProfile(QSurfaceFormat.OpenGLContextProfile.CoreProfile)
    result.setSamples(0)
    result.setSwapInterval(1)
    return result


class ViewportTool(Protocol):
    """Interface of tools that handle the mouse and keys of a viewport. Each method returns whether the event was for
    the tool.
    """

    def press(self, event: QMouseEvent) -> bool: ...

    def move(self, event: QMouseEvent) -> bool: ...

    def release(self, event: QMouseEvent) -> bool: ...

    def double_click(self, event: QMouseEvent) -> bool: ...

    def key(self, event: QKeyEvent) -> bool: ...

    def wants(self, event: QKeyEvent) -> bool:
        """Whether a key belongs to the tool now, and not to an action."""
        ...


class Viewport(QOpenGLWidget):
    """Signals: `drawn(model)` after each frame; `broken(message, details)` once for a model that cannot be drawn;
    `activated()` when it gets the keyboard or a mouse button is pressed; `said(text)`: a remark for the user;
    `driver_found(text)`: the names of OpenGL's driver and version.

    quality       what was drawn of the last frame
    may_reduce    whether slow frames are drawn with less
    """

    drawn = Signal(object)
    broken = Signal(str, str)
    activated = Signal()
    said = Signal(str)
    driver_found = Signal(str)
    tools: tuple[ViewportTool, ...] = ()  # asked before the gizmo, in this order
    gizmo: GizmoInput | None = None  # asked first what to do with mouse and keys

    def __init__(
        self,
        view: ViewModel,
        compiler: CompileController,
        disk: DiskFollower,
        parent: QWidget | None = None,
    ):
        super().__init__(parent)
        self.setFormat(surface_format())
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 120)
        self.setObjectName("viewport")
        self.setAccessibleName(tr("Viewport"))
        self.setMouseTracking(True)
        self._pressed: QPointF | None = None
        self.labels: list = []
        self.frame_seconds = 0.0
        self._view, self._simulation = view, view.simulation
        self._compiler, self._disk = compiler, disk
        self._renderer = self._context = self._scene = self._ghost = self._loaded = self._camera = None
        self._broken_for: object = None
        self._seen = None  # the last view, see `eye`
        self._pictures = ViewportPictures()
        self._ended = False
        self.frames = FrameTimes()
        self.quality = WHOLE
        self.may_reduce = True
        self._chosen = AUTOMATIC
        self._pace = Pace()
        self._shown = False  # whether a frame was drawn
        self._whole = False  # the next frame is drawn whole
        self._complete = False  # the next frame is drawn with all that is usually drawn after it
        self._drawing = 0.0  # what the last frame took to draw, until it is on the screen, s
        self._composed = 0.0  # when Qt began to put the last frame on the screen
        self._next = 0.0  # before this time the window is left to input
        self.aboutToCompose.connect(self._begin_composing)
        self.frameSwapped.connect(self._end_frame)
        self._waiting = QTimer(self)  # runs while a frame waits for its time
        self._waiting.setSingleShot(True)
        self._waiting.timeout.connect(self._refresh)
        self._put_off = 0  # how often the whole picture waited since the last frame
        self._rest = QTimer(self)  # ends when the picture has not changed for a while
        self._rest.setSingleShot(True)
        self._rest.timeout.connect(self._draw_whole)
        self._views = QTimer(self)  # runs while views are to be drawn that frames left out
        self._views.setSingleShot(True)
        self._views.timeout.connect(self._draw_view)
        self._mouse = MouseControl(
            view, lambda: (max(1, self.width()), max(1, self.height())), self.update, self.said.emit
        )
        self._skipped = QTimer(self)  # runs while a frame is left out
        self._skipped.setSingleShot(True)
        self._skipped.setInterval(round(1000 * MAKE_WAY))
        self._skipped.timeout.connect(self._refresh)
        view.simulation.snapshot_changed.connect(self._take_snapshot)
        view.simulation.model_changed.connect(self._follow_model)
        for signal in (compiler.compiled, compiler.cancelled):
            signal.connect(self._make_up)
        for signal in (
            view.simulation.other_changed,
            view.selection.changed,
            view.camera_changed,
            view.options_changed,
        ):
            signal.connect(self._refresh)

    def _follow_model(self, _old, keep: bool) -> None:
        if not keep:
            self._seen = None
            self._pace.forget()

    def _refresh(self) -> None:
        """Draw again, unless a snapshot of the newest model is about to come anyway."""
        snapshot = self._simulation.snapshot
        if snapshot is None or snapshot.model is self._simulation.model:
            self.update()

    def _take_snapshot(self) -> None:
        """Draw the new state. Slow frames are skipped during a reload, to leave the processor to it."""
        since = self._compiler.compiling_since or self._disk.change_seen_at
        if since is not None and self.frame_seconds > SLOW_FRAME and time.monotonic() - since < MAKE_WAY:
            self._skipped.start()
            return
        wait = self._next - time.perf_counter()
        if wait <= 0.0:
            self.update()
        elif not self._waiting.isActive():
            self._waiting.start(max(1, round(1000 * wait)))

    def set_may_reduce(self, on: bool) -> None:
        """Set whether slow frames may be drawn at a lower quality."""
        self.may_reduce = on
        self._refresh()

    def set_quality(self, name: str) -> None:
        """Use the effects of a preset, given by its name; AUTOMATIC: of the preset that fits the machine."""
        if name != self._chosen:
            self._chosen = name
            self._choose_preset()

    def _choose_preset(self) -> None:
        if self._chosen != AUTOMATIC:
            self._view.set_preset(engine.scene.effects.Preset(self._chosen))
        elif self._renderer is not None:
            self._view.set_preset(
                engine.scene.effects.Preset.PERFORMANCE
                if self._renderer.device.software
                else engine.scene.effects.Preset.QUALITY
            )

    def _draw_whole(self) -> None:
        """Draw a still picture at full quality, unless the user is about to do something else."""
        snapshot = self._simulation.snapshot
        if snapshot is not None and snapshot.running and snapshot.ready:
            return
        self._put_off += 1
        held = QGuiApplication.mouseButtons() != Qt.MouseButton.NoButton and self._put_off <= MOST_PUT_OFF
        if _in_menu() or held:
            self._rest.start(REST)
            return
        self._whole = True
        self._refresh()

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
        self._loaded = self._scene = self._ghost = None
        self._broken_for = None
        try:
            import moderngl

            self._context = moderngl.create_context(require=410)
            driver = self._context.info
            self.driver_found.emit(f"{driver['GL_RENDERER']}, {driver['GL_VERSION']}")
            self._renderer = rendering.frame.Renderer(self._context)
            rehearsing.first_frame.meet(self._renderer.driver)
            self._choose_preset()
        except Exception as error:
            self._renderer = None
            self.broken.emit(
                tr("OpenGL 4.1, which the viewport needs, is not available: {error}", error=error),
                traceback.format_exc(),
            )

    def release(self) -> None:
        """Free everything on the graphics card."""
        if self._renderer is not None:
            self.makeCurrent()
            self._pictures.release()
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
        if snapshot.model is not simulation.model and self._camera is None:
            self._clear()  # the first model was replaced before it was drawn: the next snapshot is of the new one
            return
        try:
            start = time.perf_counter()
            self.frames.begin()
            self.quality = WHOLE if self._whole or not self.may_reduce else self._pace.quality
            self._whole = False
            self._draw(snapshot, self.quality)
            self.frame_seconds = time.perf_counter() - start
            self._drawing = self.frame_seconds
        except Exception as error:
            self._fail(snapshot.model, error)
            self._clear()
            return
        if self.quality != WHOLE:
            self._put_off = 0
            self._rest.start(REST)
        else:
            self._rest.stop()
        self.drawn.emit(snapshot.model)
        if snapshot.model is simulation.model:
            simulation.first_drawn()

    def _fail(self, model, error: Exception) -> None:
        self._broken_for = model
        self.broken.emit(tr("The model cannot be drawn: {error}", error=error), traceback.format_exc())

    def _begin_composing(self) -> None:
        self._composed = time.perf_counter()

    def _end_frame(self) -> None:
        """Measure a frame that is on the screen: the time to draw it and the time until the window could go on, as a
        graphics card, or Mesa's threads, may make it wait."""
        self.frames.end()
        if self._renderer is not None and self._renderer.views_wait:
            self._views.start(0)
        seconds, self._drawing = self._drawing, 0.0
        if seconds <= 0.0:
            return  # other parts of the window were painted
        now = time.perf_counter()
        seconds += now - self._composed
        self._next = now + pause(seconds, _in_menu())
        if self.may_reduce and self.quality == self._pace.quality:
            self._pace.took(seconds)

    def _draw(self, snapshot, quality: Quality) -> None:

        view, model = self._view, snapshot.model
        renderer, context = self._renderer, self._context
        assert renderer is not None and context is not None
        width, height = self.pixel_size()
        current = model is self._simulation.model
        if current and view.camera is not None:
            view.camera.follow(snapshot, model)
            self._camera = view.camera
        assert self._camera is not None
        perturb, highlight = (view.perturb, self._highlight()) if current else (None, None)
        options, camera = view.options, self._camera
        other = self._simulation.other_snapshot if view.shows_other else None
        if other is not None:
            camera = engine.scene.camera.view_of(camera, model, snapshot, width / height)
            model, snapshot, perturb, current = other.model, other, None, False
            highlight = self._highlight_of_other()
            options = options.of_another_model()
        if self._loaded is not model:
            renderer.load(model)
            self._loaded = model
        options = later.reduced(options, quality)
        size = max(1, round(width * quality.scale)), max(1, round(height * quality.scale))
        ratio = self.devicePixelRatioF() * quality.scale
        self._scene = engine.scene.build.build(
            model, snapshot, options, camera, perturb, self._scene, size, highlight, ratio
        )
        self._scene.still = not snapshot.running
        self._scene.ghost = self._ghost_scene(options, size) if current and view.shows_ghost else None
        target = context.detect_framebuffer(self.defaultFramebufferObject())
        known = len(renderer.remarks)
        renderer.views, self._complete = (
            rendering.captured.CapturePolicy.ALL if self._complete else rendering.captured.CapturePolicy.LATER,
            False,
        )
        rehearsing.first_frame.rehearse(self._scene, *size)
        renderer.draw(self._scene, target, width, height, quality.scale, sparing=not self._shown)
        if not self._shown:
            self._shown = True
            rehearsing.first_frame.finish(
                renderer.driver, later.scenes(model, snapshot, view.options, camera, (width, height))
            )
        for remark in renderer.remarks[known:]:
            self.said.emit(remark)
        if current and view.pictures:
            functions = self.context().extraFunctions()
            self._pictures.draw(renderer, context, functions, self.defaultFramebufferObject(), view, snapshot, self)
        self.labels = self._scene.labels

    def _draw_view(self) -> None:
        """Draw one of the views that the last frame left out, and a frame that shows them after the last one."""
        if self._renderer is None or self._scene is None or self._broken_for is self._scene.model:
            return
        self.makeCurrent()
        try:
            drawn = self._renderer.draw_view(self._scene, *self.pixel_size())
        except Exception as error:
            self._fail(self._scene.model, error)
            return
        finally:
            self.doneCurrent()
        if drawn and self._renderer.views_wait:
            self._views.start(0)
        elif drawn:
            self._whole = self.quality == WHOLE
            self._refresh()

    def _ghost_scene(self, options, size: tuple[int, int]) -> Scene | None:
        """The model that is compared, as this view shows it."""

        other, scene = self._simulation.other_snapshot, self._scene
        if other is None or scene is None:
            self._ghost = None
            return None
        only = engine.scene.options.VisOptions(
            tendon=False, rangefinder=False, pertobj=False, shadow=False, reflection=False, texture=False
        )
        for name in (
            "shapes",
            "geomgroup",
            "flexgroup",
            "skingroup",
            "flexvert",
            "flexedge",
            "flexface",
            "flexskin",
            "flexlayer",
            "skin",
        ):
            setattr(only, name, getattr(options, name))
        only.sitegroup = [False] * len(options.sitegroup)
        self._ghost = engine.scene.build.build(other.model, other, only, scene.view, None, self._ghost, size)
        return self._ghost

    def _highlight(self) -> engine.scene.highlight.Highlight:
        """The selected objects."""
        return engine.scene.highlight.Highlight(
            tuple(ObjectId(each.kind, each.id) for each in self._view.selection.selections if each.kind)
        )

    def _highlight_of_other(self) -> engine.scene.highlight.Highlight | None:
        """The selected objects, as far as the compared model has them."""
        matching = self._simulation.other_matching
        if matching is None:
            return None
        found = [each for each in self._view.selection.selections if each.kind]
        ids = [ObjectId(each.kind, matching.new_id(each.kind, each.id)) for each in found]
        return engine.scene.highlight.Highlight(tuple(each for each in ids if each.id >= 0))

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
        """The picture of the viewport, at full resolution."""
        self.be_whole()
        return self.grabFramebuffer()

    def be_whole(self) -> None:
        """Draw the next frame at full quality, for a picture of it."""
        self._whole = self._complete = True

    def eye(self):
        """The current camera of the view. While the next version of a model has no state yet, the last one. None
        without a camera or model."""
        camera, snapshot, model = self._view.camera, self._simulation.snapshot, self._simulation.model
        if camera is None or model is None:
            self._seen = None
        elif snapshot is not None and snapshot.model is model:
            try:
                self._seen = engine.scene.camera.view_of(
                    camera, model, snapshot, max(1, self.width()) / max(1, self.height())
                )
            except IndexError:  # a camera of the model before
                self._seen = None
        return self._seen

    def pick(self, position: QPointF):
        """The object under a point (engine/scene/pick.py) of the shown model, None for the background."""
        camera, snapshot = self._view.camera, self._simulation.snapshot
        if camera is None or snapshot is None or snapshot.model is not self._simulation.model:
            return None
        return self._mouse.pick(position, camera)

    # ---- mouse and keys ----------------------------------------------------------------------------------

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.activated.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.activated.emit()
        self._view.stop_flight()
        if any(tool.press(event) for tool in self.tools):
            return
        if self.gizmo is None or not self.gizmo.press(event):
            self._pressed = event.position()
            self._mouse.press(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if any(tool.move(event) for tool in self.tools):
            return
        if self.gizmo is None or not self.gizmo.move(event):
            self._mouse.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if any(tool.release(event) for tool in self.tools):
            return
        if self.gizmo is None or not self.gizmo.release(event):
            self._mouse.release(event)
            pressed, self._pressed = self._pressed, None
            clicked = pressed is not None and (event.position() - pressed).manhattanLength() <= STILL
            if clicked and self.gizmo is not None and self.gizmo.selects_by_click(event):
                self._mouse.click(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if any(tool.double_click(event) for tool in self.tools):
            return
        if self.gizmo is None or not self.gizmo.press(event):
            self._mouse.double_click(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._view.stop_flight()
        self._mouse.wheel(event)
        event.accept()

    def event(self, event: QEvent) -> bool:
        """Keys that the gizmo owns now are not those of actions; Esc lets go of a body that the mouse holds."""
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and self._mouse.holds:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self._mouse.give_up()
                return True
        if isinstance(event, QKeyEvent) and event.type() in (QEvent.Type.ShortcutOverride, QEvent.Type.KeyPress):
            for tool in self.tools:
                if event.type() == QEvent.Type.KeyPress and tool.key(event):
                    return True
                if event.type() == QEvent.Type.ShortcutOverride and tool.wants(event):
                    event.accept()
                    return True
        if self.gizmo is not None and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.ShortcutOverride and self.gizmo.wants(event):
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress and self.gizmo.key(event):
                return True
        return super().event(event)


def portrait(viewport: Viewport, size: QSize) -> QImage:
    """A small picture of the shown model, which fills it; a null image where the model cannot be drawn."""
    snapshot, renderer = viewport._simulation.snapshot, viewport._renderer
    if snapshot is None or renderer is None or viewport._ended or viewport._broken_for is snapshot.model:
        return QImage()
    width, height = size.width(), size.height()
    camera = engine.scene.portrait.portrait(snapshot.model, snapshot, width / height)
    options = picture_options(viewport._view.options)
    scene = engine.scene.build.build(snapshot.model, snapshot, options, camera, None, None, (width, height))
    viewport.makeCurrent()
    try:
        pixels = renderer.read(scene, width, height)[0].tobytes()
    finally:
        viewport.doneCurrent()
    viewport._loaded = snapshot.model
    return QImage(pixels, width, height, 3 * width, QImage.Format.Format_RGB888).copy()


def _in_menu() -> bool:
    """Whether a menu, another popup or a dialog is open."""
    return QApplication.activePopupWidget() is not None or QApplication.activeModalWidget() is not None
