"""The selected contacts, painted over the viewport: point, normal, friction cone and force.

They are painted by Qt and not by the renderer, as they lie inside the touching objects: nothing hides them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from kinetree.app.settings import theme
from kinetree.app.workspace.view import ViewModel
from kinetree.engine import scene

if TYPE_CHECKING:
    from kinetree.engine.scene import camera
    from kinetree.engine.scene.contact_figures import ContactFigure

FORCE = {"dark": "#ffd23f", "light": "#c77700"}
NORMAL = {"dark": "#7fc8ff", "light": "#1d6fc4"}
STICKS = {"dark": "#4fdc7c", "light": "#128a3e"}
SLIPS = {"dark": "#ff7a59", "light": "#d13a12"}
HALO = {"dark": QColor(0, 0, 0, 150), "light": QColor(255, 255, 255, 190)}
HEAD = 11.0  # length of an arrow's head, pixels
DOT = 3.5  # radius of the point, pixels
WHOLE = 12  # contacts that are painted with cone, head and number, those with the greatest forces; others by lines


class ContactLayer(QWidget):
    """Overlay of a viewport that paints the selected contacts; mouse events pass through it. Hidden while no contact is
    selected."""

    def __init__(self, view: ViewModel, parent: QWidget):
        super().__init__(parent)
        self._view = view
        self._figures: list[ContactFigure] = []
        self._seen: camera.View | None = None
        self._written: list[QRectF] = []  # where texts are: others there are left out
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        view.selection.contacts_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Paint the selected contacts of the newest state."""
        simulation, wanted = self._view.simulation, self._view.selection.contacts
        model, snapshot, camera = simulation.model, simulation.snapshot, self._view.camera
        self._figures = []
        if wanted and model is not None and camera is not None and snapshot is not None and snapshot.model is model:
            self._seen = scene.camera.view_of(camera, model, snapshot, max(1, self.width()) / max(1, self.height()))
            self._figures = scene.contact_figures.contact_figures(model, snapshot, wanted, self._seen)
        if bool(self._figures) == self.isHidden():
            self.setVisible(bool(self._figures))
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._seen is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        name = theme.current().name
        self._written.clear()
        figures = sorted(self._figures, key=_size, reverse=True)
        self._paint_crowd(painter, figures[WHOLE:], name)
        for figure in figures[:WHOLE]:
            points = np.vstack([figure.pos, figure.normal, figure.pos if figure.force is None else figure.force])
            places = self._pixels(points)
            if places is None:
                continue
            point, normal, force = places
            cone = QColor((SLIPS if figure.slips else STICKS)[name])
            self._paint_cone(painter, figure, point, cone)
            self._line(painter, point, normal, QColor(NORMAL[name]), 1.6, HALO[name])
            if figure.force is not None:
                self._arrow(painter, point, force, QColor(FORCE[name]), HALO[name])
            painter.setPen(QPen(HALO[name], 1.5))
            painter.setBrush(QColor(FORCE[name] if figure.force is not None else NORMAL[name]))
            painter.drawEllipse(point, DOT, DOT)
            if figure.text:
                self._text(painter, force + QPointF(8, -4), figure.text)
        painter.end()

    def _paint_crowd(self, painter: QPainter, figures: list[ContactFigure], name: str) -> None:
        """Paint points, normals and forces of many contacts, without cones, which would hide each other."""
        if not figures or self._seen is None:
            return
        near = self._seen.near if not self._seen.orthographic else -np.inf
        ends = np.vstack([each.normal if each.force is None else each.force for each in figures])
        size = np.array([self.width(), self.height(), 1.0])
        starts, ends = (self._seen.project(each) * size for each in (np.vstack([each.pos for each in figures]), ends))
        seen = (starts[:, 2] > near) & (ends[:, 2] > near)
        lines: dict[bool, list[QLineF]] = {False: [], True: []}
        for figure, (x, y, _), (u, v, _), is_seen in zip(figures, starts.tolist(), ends.tolist(), seen, strict=True):
            if is_seen:
                lines[figure.force is not None].append(QLineF(x, y, u, v))
        for width, colours in ((3.6, (HALO[name], HALO[name])), (1.6, (QColor(NORMAL[name]), QColor(FORCE[name])))):
            for pairs, colour in zip(lines.values(), colours, strict=True):
                painter.setPen(QPen(colour, width))
                painter.drawLines(pairs)
                painter.setPen(QPen(colour, width + 2.0, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
                painter.drawPoints([line.p1() for line in pairs])

    def _pixels(self, points: np.ndarray) -> list[QPointF] | None:
        """Where points of the world are, None where one is behind the viewer."""
        assert self._seen is not None
        found = self._seen.project(points)
        if (found[:, 2] <= (self._seen.near if not self._seen.orthographic else -np.inf)).any():
            return None
        return [QPointF(x * self.width(), y * self.height()) for x, y, _ in found.tolist()]

    def _paint_cone(self, painter: QPainter, figure: ContactFigure, point: QPointF, colour: QColor) -> None:
        rim = self._pixels(figure.rim) if len(figure.rim) else None
        if rim is None:
            return
        fill = QColor(colour)
        fill.setAlpha(46)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawConvexPolygon(QPolygonF(_hull([point, *rim])))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(colour, 1.2))
        painter.drawPolygon(QPolygonF(rim))
        if len(figure.edges):
            for corner in rim:
                painter.drawLine(point, corner)

    def _line(
        self, painter: QPainter, start: QPointF, end: QPointF, colour: QColor, width: float, halo: QColor
    ) -> None:
        for ink, breadth in ((halo, width + 2.0), (colour, width)):
            painter.setPen(QPen(ink, breadth, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
            painter.drawLine(start, end)

    def _arrow(self, painter: QPainter, start: QPointF, end: QPointF, colour: QColor, halo: QColor) -> None:
        along = end - start
        length = float(np.hypot(along.x(), along.y()))
        if length < 1.0:
            return
        along /= length
        head = min(HEAD, 0.6 * length)
        foot = end - along * head
        across = QPointF(-along.y(), along.x()) * (0.42 * head)
        tip = QPolygonF([end, foot + across, foot - across])
        painter.setBrush(halo)
        painter.setPen(QPen(halo, 2.5))
        painter.drawPolygon(tip)
        self._line(painter, start, foot, colour, 2.6, halo)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawPolygon(tip)

    def _text(self, painter: QPainter, place: QPointF, text: str) -> None:
        font = QFont(self.font())
        font.setPointSizeF(max(7.0, 0.95 * font.pointSizeF()))
        path = QPainterPath()
        path.addText(place, font, text)
        area = path.boundingRect()
        if any(area.intersects(other) for other in self._written):
            return
        self._written.append(area)
        pen = QPen(QColor(0, 0, 0, 190), 3)  # the picture is neither light nor dark
        pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
        painter.strokePath(path, pen)
        painter.fillPath(path, QColor(FORCE["dark"]))


def _size(figure: ContactFigure) -> float:
    return 0.0 if figure.force is None else float(np.linalg.norm(figure.force - figure.pos))


def _hull(points: list[QPointF]) -> list[QPointF]:
    """Corners of the convex hull of points (Andrew 1979): the outline of a cone, from its tip and its rim."""
    ordered = sorted((point.x(), point.y()) for point in points)
    half: list[list[tuple[float, float]]] = []
    for way in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for x, y in way:
            while len(chain) > 1 and (chain[-1][0] - chain[-2][0]) * (y - chain[-2][1]) <= (
                chain[-1][1] - chain[-2][1]
            ) * (x - chain[-2][0]):
                chain.pop()
            chain.append((x, y))
        half.append(chain[:-1])
    return [QPointF(x, y) for x, y in half[0] + half[1]]
