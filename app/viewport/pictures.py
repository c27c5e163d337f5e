"""Pictures in the picture: what cameras of the model see, in a corner of a viewport.

A picture has the shape of the camera's image. A camera with fewer pixels than there is room for is drawn with its own
pixels, as the robot sees it. The scene is drawn once for each picture, by the renderer of the viewport.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QToolButton, QWidget

from kinetree import engine
from kinetree import renderer as rendering
from kinetree.app.settings import theme
from kinetree.app.settings.icons import icon
from kinetree.app.workspace.view import ViewModel
from kinetree.engine.model.kinds import name_of
from kinetree.engine.scene.options import Frame, Label, VisOptions
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.renderer.frame import Renderer

MARGIN, GAP = 10, 8  # pixels
SHARE, LARGEST = 0.3, 360  # of the viewport's width, and in pixels: the width of a picture
HIGHEST = 0.45  # of the viewport's height
USUAL = 4, 3  # shape of the picture of a camera that gives no resolution
BAR = 22  # height of a title, pixels
BLIT = 0x8CA8, 0x8CA9, 0x4000, 0x2600  # GL_READ_FRAMEBUFFER, GL_DRAW_FRAMEBUFFER, GL_COLOR_BUFFER_BIT, GL_NEAREST


def resolution(model, camera: int) -> tuple[int, int] | None:
    """Width and height of a camera's image in pixels, None where the model does not give them."""
    width, height = (int(value) for value in model.cam_resolution[camera])
    return (width, height) if width > 1 and height > 1 else None


def places(model, cameras: tuple[int, ...], size: QSize) -> list[QRect]:
    """Where the pictures of cameras are in a viewport: from the lower right corner up, then to the left."""
    found: list[QRect] = []
    right, bottom, widest = size.width() - MARGIN, size.height() - MARGIN, 0
    for camera in cameras:
        across, down = resolution(model, camera) or USUAL
        width = min(SHARE * size.width(), LARGEST)
        height = min(width * down / across, HIGHEST * size.height())
        width = height * across / down
        area = QRect(0, 0, max(16, round(width)), max(16, round(height)))
        if found and bottom - area.height() - BAR < MARGIN:
            right, bottom, widest = right - widest - GAP, size.height() - MARGIN, 0
        area.moveBottomRight(QRect(0, 0, right, bottom).bottomRight())
        found.append(area)
        bottom, widest = area.top() - BAR - GAP, max(widest, area.width())
    return found


def picture_options(options: VisOptions) -> VisOptions:
    """The options for a camera of the model: without the figures that only the window draws."""
    result = copy.copy(options)
    result.label, result.frame, result.section = Label.NONE, Frame.NONE, None
    result.framed = result.labelled = result.faded = result.hidden = frozenset()
    return result


class ViewportPictures:
    """Draws the pictures of one viewport. All calls need its OpenGL context to be current."""

    def __init__(self) -> None:
        self._scenes: dict[int, Any] = {}
        self._targets: dict[tuple[int, int], Any] = {}

    def draw(
        self, renderer: Renderer, context, functions, target: int, view: ViewModel, snapshot, viewport: QWidget
    ) -> None:
        """Draw the pictures of a view into framebuffer number `target`, that of a viewport."""

        model, ratio = snapshot.model, viewport.devicePixelRatioF()
        cameras = tuple(camera for camera in view.pictures if camera < model.ncam)
        self._scenes = {camera: scene for camera, scene in self._scenes.items() if camera in cameras}
        used = set()
        # Not ALL: the next picture of the viewport would draw its own again, as it shows more.
        renderer.views = rendering.captured.CapturePolicy.KEPT
        options = picture_options(view.options)
        for camera, area in zip(cameras, places(model, cameras, viewport.size()), strict=True):
            room = max(1, round(area.width() * ratio)), max(1, round(area.height() * ratio))
            own = resolution(model, camera)
            size = own if own is not None and own[0] < room[0] else room
            seen = engine.scene.camera.Camera(engine.scene.camera.FIXED, fixedcamid=camera)
            scene = self._scenes[camera] = engine.scene.build.build(
                model, snapshot, options, seen, None, self._scenes.get(camera), size
            )
            source = self._targets.get(size)
            if source is None:
                source = self._targets[size] = context.framebuffer([context.texture(size, 4)])
            used.add(size)
            renderer.draw(scene, source, *size)
            left, top = round(area.left() * ratio), round(area.top() * ratio)
            bottom = round(viewport.height() * ratio) - top - room[1]
            read, write, colours, nearest = BLIT
            functions.glBindFramebuffer(read, source.glo)
            functions.glBindFramebuffer(write, target)
            functions.glBlitFramebuffer(0, 0, *size, left, bottom, left + room[0], bottom + room[1], colours, nearest)
        for size in set(self._targets) - used:
            self._delete(size)

    def release(self) -> None:
        """Delete everything."""
        self._scenes.clear()
        for size in list(self._targets):
            self._delete(size)

    def _delete(self, size: tuple[int, int]) -> None:
        framebuffer = self._targets.pop(size)
        texture = framebuffer.color_attachments[0]
        framebuffer.release()
        texture.release()


class PictureFrame(QWidget):
    """Title and edge of one picture. A double-click looks through the camera, the cross takes the picture away."""

    def __init__(self, view: ViewModel, camera: int, parent: QWidget):
        super().__init__(parent)
        self._view, self.camera = view, camera
        self.setToolTip(tr("Double-click to look through this camera"))
        self.close_button = QToolButton(self)
        self.close_button.setIcon(icon("close"))
        self.close_button.setIconSize(QSize(12, 12))
        self.close_button.setAutoRaise(True)
        self.close_button.setToolTip(tr("Take this picture away"))
        self.close_button.setAccessibleName(tr("Take this picture away"))
        self.close_button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.close_button.clicked.connect(lambda: self._view.toggle_picture(self.camera))

    def place(self, area: QRect) -> None:
        """Place the frame around a picture."""
        self.setGeometry(area.adjusted(-1, -BAR, 1, 1))
        self.close_button.setGeometry(self.width() - BAR, 1, BAR - 2, BAR - 2)

    def text(self) -> str:
        """The camera's name and resolution."""
        model = self._view.simulation.model
        if model is None or self.camera >= model.ncam:
            return ""
        size = resolution(model, self.camera)
        name = name_of(model, "camera", self.camera)
        return name if size is None else f"{name}   {size[0]} × {size[1]}"

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._view.set_fixed_camera(self.camera)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colours = QPainter(self), theme.current()
        bar = QRect(0, 0, self.width(), BAR)
        painter.fillRect(bar, QColor(colours.raised))
        text = QFontMetrics(self.font()).elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width() - BAR - 12)
        painter.setPen(QColor(colours.text))
        painter.drawText(bar.adjusted(7, 0, -BAR, 0), Qt.AlignmentFlag.AlignVCenter, text)
        painter.setPen(QPen(QColor(colours.line), 1))
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()
