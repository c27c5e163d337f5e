"""The section plane in a viewport: its edge, a handle that moves it along its normal, and a ring that tilts it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPolygonF
from PySide6.QtWidgets import QWidget

from kinetree.app.settings import theme
from kinetree.app.viewport.painting import dot, pixels, stroke
from kinetree.app.workspace.view import ViewModel
from kinetree.engine import scene

if TYPE_CHECKING:
    from kinetree.app.viewport.viewport import Viewport
    from kinetree.engine.scene.camera import View as Seen
    from kinetree.engine.scene.section import Section

ARROW = 64.0  # length of the handle, pixels
RING = 92.0  # distance of the ring from the plane, pixels
RADIUS = 7.0  # of the ring, pixels
NEAR = 10.0  # so near to the handle the mouse must be, pixels
SNAP = math.radians(15.0)  # of the normal while Ctrl is held
MOVE, TILT = "move", "tilt"
INK = {"dark": "#4fc3c7", "light": "#0b7f86"}


class SectionLayer(QWidget):
    """Overlay of a viewport that paints the section plane and its handles; mouse events pass through it. The viewport
    asks it what to do with the mouse."""

    def __init__(self, view: ViewModel, viewport: Viewport, parent: QWidget):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setObjectName("section")
        self._view, self._viewport = view, viewport
        self._over = ""  # which part is under the mouse: MOVE, TILT or none
        self._tilts = False  # whether the drag tilts the plane
        self._held: tuple[Section, float | None, float] | None = None  # where the drag began, along the normal and down
        self.hide()
        view.options_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Paint again; hidden without a section plane."""
        if (self._view.options.section is not None) == self.isHidden():
            self.setVisible(self.isHidden())
        if not self.isHidden():
            self.update()

    # ---- mouse -------------------------------------------------------------------------------------------

    def press(self, event: QMouseEvent) -> bool:
        section = self._view.options.section
        part = self._part_at(event.position())
        if section is None or event.button() != Qt.MouseButton.LeftButton or not part:
            return False
        self._tilts = part == TILT
        self._held = section, self._along(section, event.position()), event.position().y()
        return True

    def move(self, event: QMouseEvent) -> bool:
        if self._held is None:
            over = self._part_at(event.position()) if event.buttons() == Qt.MouseButton.NoButton else ""
            if over != self._over:
                self._over = over
                self.update()
            return False
        if self._tilts:
            self._tilt(event)
            return True
        section, start, top = self._held
        now = self._along(section, event.position())
        eye = self._viewport.eye()
        if start is not None and now is not None:
            self._view.set_section(section.moved(now - start))
        elif eye is not None:
            pixel = self._pixel(section, eye)
            self._view.set_section(section.moved((top - event.position().y()) * pixel))
        return True

    def _tilt(self, event: QMouseEvent) -> None:
        """Turn the section plane about its middle so that its ring follows the mouse; with Ctrl in steps."""
        section, eye = self._view.options.section, self._viewport.eye()
        if section is None or eye is None:
            return
        position = event.position()
        origin, direction = eye.ray(position.x() / max(1, self.width()), position.y() / max(1, self.height()))
        towards = scene.section.on_sphere(
            section.point, RING * self._pixel(section, eye), section.normal, origin, direction
        )
        held = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        self._view.set_section(section.facing(towards, SNAP if held else 0.0))

    def release(self, event: QMouseEvent) -> bool:
        held, self._held = self._held, None
        return held is not None

    def double_click(self, event: QMouseEvent) -> bool:
        """Flip the section plane on a double click on its handle."""
        section = self._view.options.section
        if section is None or not self._part_at(event.position()):
            return False
        self._view.set_section(section.flipped())
        return True

    def wants(self, event: QKeyEvent) -> bool:
        return self._held is not None and event.key() == Qt.Key.Key_Escape

    def key(self, event: QKeyEvent) -> bool:
        """Esc puts the plane back to where the drag began."""
        if self._held is None or event.key() != Qt.Key.Key_Escape:
            return False
        self._view.set_section(self._held[0])
        self._held = None
        return True

    def _along(self, section: Section, position: QPointF) -> float | None:
        eye = self._viewport.eye()
        if eye is None:
            return None
        origin, direction = eye.ray(position.x() / max(1, self.width()), position.y() / max(1, self.height()))
        return scene.section.nearest_on_line(section.point, section.normal, origin, direction)

    def _handle(self) -> list[QPointF] | None:
        """The two ends of the handle, and the middle of the ring."""
        section, eye = self._view.options.section, self._viewport.eye()
        if section is None or eye is None:
            return None
        pixel = self._pixel(section, eye)
        points = [section.point, *(section.moved(far * pixel).point for far in (ARROW, RING))]
        return pixels(eye, points, (self.width(), self.height()))

    def _pixel(self, section: Section, eye: Seen) -> float:
        """The length that a pixel is at the plane's point, m."""
        return eye.height_at(max(eye.depth(section.point), eye.near)) / max(1, self.height())

    def _part_at(self, position: QPointF) -> str:
        """Which part of the handle is at a place: MOVE, TILT or none."""
        handle = self._handle()
        if handle is None:
            return ""
        start, end, ring = (np.array((point.x(), point.y())) for point in handle)
        here, along = np.array((position.x(), position.y())), end - start
        if np.linalg.norm(here - ring) <= NEAR:
            return TILT
        share = float(np.clip((here - start) @ along / max(along @ along, 1e-9), 0.0, 1.0))
        return MOVE if np.linalg.norm(start + share * along - here) <= NEAR else ""

    # ---- painting ----------------------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        section, eye, model = self._view.options.section, self._viewport.eye(), self._view.simulation.model
        if section is None or eye is None or model is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plain, lit = QColor(INK[theme.current().name]), QColor(theme.current().accent)
        active = (TILT if self._tilts else MOVE) if self._held else self._over
        ink = lit if active else plain
        edge = pixels(eye, _square(section, 0.5 * float(model.stat.extent)), (self.width(), self.height()))
        if edge is not None:
            fill = QColor(ink)
            fill.setAlpha(18)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(fill)
            painter.drawPolygon(QPolygonF(edge))
            stroke(painter, [*edge, edge[0]], ink, 1.2)
        handle = self._handle()
        if handle is not None:
            start, end, ring = handle
            arrow, tilt = (lit if active == part else plain for part in (MOVE, TILT))
            stroke(painter, (end, ring), tilt, 1.4, dashed=True)
            stroke(painter, (start, end), arrow, 3.0)
            dot(painter, start, arrow, 4.5)
            dot(painter, end, arrow, 6.5)
            angles = np.linspace(0.0, 2.0 * math.pi, 25).tolist()
            stroke(painter, [ring + QPointF(math.cos(a), math.sin(a)) * RADIUS for a in angles], tilt, 2.6)
        painter.end()


def _square(section: Section, half: float) -> np.ndarray:
    """(4, 3) corners of a square of the plane."""
    normal = np.array(section.normal)
    upward = np.array((0.0, 0.0, 1.0)) if abs(normal[2]) < 0.9 else np.array((0.0, 1.0, 0.0))
    across = np.cross(upward, normal)
    across /= np.linalg.norm(across)
    upward = np.cross(normal, across)
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([np.array(section.point) + half * (x * across + y * upward) for x, y in corners])
