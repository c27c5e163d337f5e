"""The gizmo, painted over the viewport, and the field for typed numbers. The outlines of the selection are part of the
picture (`engine/scene/highlight.py`).

It is painted by Qt and not by the renderer: it follows the mouse without another frame of the scene, is as sharp as the
screen, and is not part of a saved picture.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QVariantAnimation
from PySide6.QtGui import QColor, QFont, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QLineEdit, QWidget

from kinetree.app.settings import theme
from kinetree.app.viewport.dropping import Drops
from kinetree.app.viewport.gizmo.drag import LOCAL, PARENT, WORLD
from kinetree.app.viewport.gizmo.gizmo import Gizmo
from kinetree.app.viewport.gizmo.live import LiveTarget
from kinetree.app.viewport.gizmo.target import GizmoTarget
from kinetree.app.viewport.held import held_text, limit_text
from kinetree.app.widgets.style import set_property
from kinetree.app.workspace.selection import Selection
from kinetree.app.workspace.view import ViewModel
from kinetree.engine import editing
from kinetree.engine.geometry.orientation import Pose
from kinetree.engine.scene.gizmo import FACING, MOVE, SIZE, TURN, Figure, GizmoFrame, Handle, across
from kinetree.engine.translation import counted, marked, tr

Place = tuple[GizmoFrame, Pose] | None
"""Where the gizmo is: see `Gizmo.place`."""
AXES = {"dark": ("#ff5c5c", "#5fd35f", "#5a9bff"), "light": ("#e02f2f", "#1f9d3a", "#2467e0")}
BOTH = {"dark": "#e8eaed", "light": "#4a5058"}
HOVER = {"dark": "#ffd84a", "light": "#f0a800"}
RANGE = {"dark": "#ffb347", "light": "#d97a00"}
HALO = {"dark": QColor(0, 0, 0, 120), "light": QColor(255, 255, 255, 170)}
WIDTH = 2.6
HEAD = 13.0  # length of an arrow's head, pixels
WIDEST, ENOUGH = 0.45, 360  # of the viewport that a line of text takes, and pixels that it may always have
KEYS = marked("Edit:   T move   R turn   S size   N leave\nA axes: {space}   Shift world's   Ctrl snap")
SIZE_KEYS = marked("Edit:   T move   R turn   S size   N leave\nShift in proportion   Ctrl snap")
POSE_KEYS = marked("The handles pose the state, not the text\nT move   R turn   Shift+N leave")
DRAG_KEYS = marked("X Y Z one axis   Tab next axis   Ctrl snap\n0-9 type a number   Esc take back")
NOTE_STAYS, NOTE_FADES = 3500, 700  # how long a remark about the selection is shown, and then fades, ms
TOP = 30.0  # middle of the lines about keys, pixels
NUMBER_KEYS = marked("0-9 type a number   Ctrl snap   Esc take back")
WHOSE = {LOCAL: marked("own"), PARENT: marked("parent's"), WORLD: marked("world's")}


class GizmoLayer(QWidget):
    """Overlay of a viewport that paints the gizmo and what belongs to it; mouse events pass through it."""

    def __init__(self, gizmo: Gizmo, drops: Drops, view: ViewModel, parent: QWidget):
        super().__init__(parent)
        self._drops = drops
        drops.spot_changed.connect(self.update)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setObjectName("gizmo")
        self._gizmo, self._view = gizmo, view
        self.field = ValueField(gizmo, parent)
        self._note: tuple[str, Selection] | None = None
        self._fading = QVariantAnimation(self)  # of the note's opacity
        self._fading.setDuration(NOTE_STAYS + NOTE_FADES)
        self._fading.setStartValue(1.0)
        self._fading.setKeyValueAt(NOTE_STAYS / (NOTE_STAYS + NOTE_FADES), 1.0)
        self._fading.setEndValue(0.0)
        self._fading.valueChanged.connect(self.update)
        gizmo.changed.connect(self.refresh)
        gizmo.state_changed.connect(self.refresh)

    def refresh(self) -> None:
        """Paint again, and bring the field up to date."""
        self.field.refresh()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        held = self._view.perturb is not None and self._view.perturb.active  # handles would be in the way
        place = None if held else self._gizmo.place()
        found = [] if place is None else self._gizmo.figures(place)
        if place is not None and self._gizmo.drag is None:
            self._paint_rest(painter, place[0])
        self._paint_gizmo(painter, place, found)
        self._paint_texts(painter, place, found)
        self._paint_spot(painter)
        self._paint_held(painter)
        painter.end()

    def _paint_held(self, painter: QPainter) -> None:
        """Paint the force on the body that the mouse holds, or the place where it puts the body."""
        view, perturb, simulation = self._gizmo.eye(), self._view.perturb, self._view.simulation
        model, snapshot = simulation.model, simulation.snapshot
        if perturb is None or not perturb.active or view is None or model is None or snapshot is None:
            return
        text = held_text(model, snapshot, perturb) if snapshot.model is model else ""
        x, y, depth = view.project(perturb.point(snapshot)[None])[0]
        if text and (depth > 0 or view.orthographic):
            self._pill(painter, text, QPointF(x * self.width(), y * self.height() - 34), accent=True)

    def _paint_spot(self, painter: QPainter) -> None:
        """Paint where something would be dropped: a ring on the surface, and its normal."""
        spot, view = self._drops.spot, self._gizmo.eye()
        if spot is None or view is None:
            return
        u, v = across(spot.normal)
        angles = np.linspace(0.0, 2 * np.pi, 41)
        ring = spot.point + 40 * spot.pixel * (np.cos(angles)[:, None] * u + np.sin(angles)[:, None] * v)
        line = spot.point + np.outer((0.0, 60 * spot.pixel), spot.normal)
        colour, halo = QColor(HOVER[theme.current().name]), HALO[theme.current().name]
        for points in (ring, line):
            pixels = view.project(points)[:, :2] * (self.width(), self.height())
            self._stroke(painter, [QPointF(x, y) for x, y in pixels], colour, halo, 2.0)

    def _paint_rest(self, painter: QPainter, frame: GizmoFrame) -> None:
        """Paint a line from a body that its joints have moved to the pose in its text."""
        target = self._gizmo.targets[-1] if self._gizmo.targets else None
        if not isinstance(target, GizmoTarget) or not self._is_body(target):
            return
        if target.node.tag == "frame" or self._gizmo.key is not None:
            return
        snapshot = self._view.simulation.snapshot
        if snapshot is None or snapshot.model is not self._view.simulation.model:
            return
        here = frame.project(np.asarray(snapshot.xpos[target.selection.id], float))[0]
        if np.linalg.norm(here - frame.middle) > 8 and frame.seen:
            for ink, breadth in ((HALO[theme.current().name], 3.2), (QColor(BOTH[theme.current().name]), 1.4)):
                painter.setPen(QPen(ink, breadth, Qt.PenStyle.DashLine, Qt.PenCapStyle.FlatCap))
                painter.drawLine(QPointF(*here), QPointF(*frame.middle))

    # ---- the handles -------------------------------------------------------------------------------------

    def _paint_gizmo(self, painter: QPainter, place: Place, found: list[Figure]) -> None:
        gizmo = self._gizmo
        if gizmo.drag is not None:
            mine = gizmo.drag.handle
            found = [
                figure for figure in found if figure.handle == mine or figure.shape in ("arc", "rod", "cone", "disc")
            ]
        for figure in found:
            self._paint(painter, figure)
        if place is not None and place[0].seen and found:
            middle = QPointF(*place[0].middle)
            painter.setPen(QPen(HALO[theme.current().name], 1.5))
            painter.setBrush(QColor(BOTH[theme.current().name]))
            painter.drawEllipse(middle, 3.6, 3.6)

    def _colour(self, handle: Handle) -> QColor:
        name = theme.current().name
        if handle == self._gizmo.hover:
            return QColor(HOVER[name])
        if handle.tool == "limit":
            return QColor(RANGE[name])
        if len(handle.axes) == 1 and handle.axes[0] != FACING:
            return QColor(AXES[name][handle.axes[0]])
        if len(handle.axes) == 2:
            return QColor(AXES[name][3 - sum(handle.axes)])
        return QColor(BOTH[name])

    def _paint(self, painter: QPainter, figure: Figure) -> None:
        if not np.isfinite(figure.points).all() or np.abs(figure.points).max() > 1e5:
            return
        colour, points = self._colour(figure.handle), [QPointF(x, y) for x, y in figure.points]
        halo = HALO[theme.current().name]
        painter.setBrush(Qt.BrushStyle.NoBrush)
        match figure.shape:
            case "arrow":
                self._stroke(painter, points, colour, halo)
                painter.setPen(QPen(halo, 1.0))
                painter.setBrush(colour)
                painter.drawPolygon(_head(figure.points[0], figure.points[1]))
            case "square":
                fill = QColor(colour)
                fill.setAlpha(150 if figure.handle == self._gizmo.hover else 70)
                painter.setPen(QPen(colour, 1.4))
                painter.setBrush(fill)
                painter.drawPolygon(QPolygonF(points))
            case "ring":
                self._paint_ring(painter, figure, colour, halo)
            case "cube":
                self._stroke(painter, points, colour, halo, 1.4)
                painter.setPen(QPen(halo, 1.5))
                painter.setBrush(colour)
                painter.drawRect(QRectF(points[1].x() - 5.5, points[1].y() - 5.5, 11, 11))
            case "disc":
                self._stroke(painter, points, colour, halo, 1.2)
                painter.setPen(QPen(halo, 1.5))
                painter.setBrush(colour)
                painter.drawEllipse(points[1], 6.0, 6.0)
            case "arc" | "cone":
                fill = QColor(colour)
                fill.setAlpha(45)
                middle = self._gizmo.span()
                view = self._gizmo.eye()
                if middle is not None and view is not None:
                    x, y, _ = view.project(middle.pos[None])[0]
                    centre = QPointF(x * self.width(), y * self.height())
                    painter.setPen(Qt.PenStyle.NoPen)
                    painter.setBrush(fill)
                    if figure.shape == "cone":
                        painter.drawPath(_mantle(centre, points))
                    else:
                        painter.drawPolygon(QPolygonF([centre, *points]))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                self._stroke(painter, points, colour, halo)
            case _:
                self._stroke(painter, points, colour, halo)

    def _paint_ring(self, painter: QPainter, figure: Figure, colour: QColor, halo: QColor) -> None:
        faint = QColor(colour)
        faint.setAlpha(60)
        points = [QPointF(x, y) for x, y in figure.points]
        if figure.faded is None:
            self._stroke(painter, points, colour, halo, 1.6)
            return
        painter.setPen(QPen(faint, 1.2))
        painter.drawPolyline(QPolygonF(points))
        near = ~figure.faded
        run: list[QPointF] = []
        start = int(np.argmax(figure.faded)) if figure.faded.any() else 0
        order = [(start + i) % (len(points) - 1) for i in range(len(points))]
        for i in order:
            if near[i]:
                run.append(points[i])
            elif run:
                self._stroke(painter, run, colour, halo)
                run = []
        if run:
            self._stroke(painter, run, colour, halo)

    def _stroke(
        self, painter: QPainter, points: list[QPointF], colour: QColor, halo: QColor, width: float = WIDTH
    ) -> None:
        line = QPolygonF(points)
        for ink, breadth in ((halo, width + 1.8), (colour, width)):
            pen = QPen(ink, breadth)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
            painter.setPen(pen)
            painter.drawPolyline(line)

    # ---- words -------------------------------------------------------------------------------------------

    def _paint_texts(self, painter: QPainter, place: Place, found: list[Figure]) -> None:
        gizmo = self._gizmo
        if gizmo.drag is not None:
            keys = tr(DRAG_KEYS if gizmo.drag.handle.tool in (MOVE, TURN) else NUMBER_KEYS)
            self._pill(painter, keys, QPointF(self.width() / 2, TOP), accent=True)
        elif gizmo.poses:
            self._pill(painter, tr(POSE_KEYS), QPointF(self.width() / 2, TOP), accent=True)
        elif gizmo.edit_mode:
            keys = tr(SIZE_KEYS) if gizmo.tool == SIZE else tr(KEYS, space=tr(WHOSE[gizmo.space]))
            self._pill(painter, keys, QPointF(self.width() / 2, TOP), accent=True)
        note = ""
        if place is not None and gizmo.drag is None and not self._is_inside(place[0]):
            note = tr("The selection is outside the picture: press . to look at it")
        elif place is not None and place[0].seen and found:
            text = self.facts() if gizmo.drag is None else self._limits()
            if text:
                self._pill(painter, text, QPointF(place[0].middle[0], place[0].middle[1] + 116))
        elif gizmo.reason and (gizmo.edit_mode or gizmo.key is not None or gizmo.poses):
            note = gizmo.reason[:1].upper() + gizmo.reason[1:]
        self._paint_note(painter, note)

    def _paint_note(self, painter: QPainter, text: str) -> None:
        """Paint a remark about the selection, which fades after a moment; "": there is none."""
        note = (text, self._view.selection.current) if text else None
        if note != self._note:
            self._note = note
            self._fading.stop()
            if text:
                self._fading.start()
        if text and self.note_opacity > 0:
            painter.setOpacity(self.note_opacity)
            self._pill(painter, text, QPointF(self.width() / 2, self.height() - 24))
            painter.setOpacity(1.0)

    @property
    def note_opacity(self) -> float:
        """Opacity of the remark about the selection, 0..1."""
        return 0.0 if self._note is None else float(self._fading.currentValue())

    def _is_body(self, target: GizmoTarget) -> bool:
        """Whether an element is a body of its own, and not fused into another one."""
        model, selection = self._view.simulation.model, target.selection
        if model is None or selection.kind != "body":
            return False
        origin = None if model.provenance is None else model.provenance.origin("body", selection.id)
        return origin is not None and origin.node.id == target.element

    def _is_inside(self, frame: GizmoFrame) -> bool:
        x, y = frame.middle
        return frame.seen and 0 <= x < self.width() and 0 <= y < self.height()

    def _limits(self) -> str:
        """Which joints hold back the body that the handles pose."""
        simulation = self._view.simulation
        model, snapshot = simulation.model, simulation.snapshot
        if not self._gizmo.poses or model is None or snapshot is None or snapshot.model is not model:
            return ""
        return limit_text(model, snapshot.at_limit) if snapshot.at_limit else ""

    def facts(self) -> str:
        """Facts about an edit by the handles, as text. The name of the selection is in the corner of the viewport."""
        targets = list(self._gizmo.targets)
        if len(targets) != 1:
            return counted("{count} element", "{count} elements", len(targets)) if targets else ""
        target = targets[0]
        if isinstance(target, LiveTarget):
            return ""
        if self._gizmo.key is not None:
            return tr("In keyframe {key}", key=target.node.get("name") or self._gizmo.key)
        found = []
        if target.node.tag in ("body", "link") and self._is_body(target):
            found.append(tr("pose in the file"))
        if target.replicas:
            found.append(tr("in every replica"))
        if self._gizmo.tool == SIZE and target.shape is not None:
            found += filter(None, (sharing(target.shape),))
        elif self._gizmo.space != LOCAL:
            found.append(tr("along {axes} axes", axes=tr(WHOSE[self._gizmo.space])))
        text = ", ".join(found)
        return text[:1].upper() + text[1:]

    def _pill(self, painter: QPainter, text: str, middle: QPointF, accent: bool = False) -> None:
        font = QFont(self.font())
        painter.setFont(font)
        metrics = painter.fontMetrics()
        most = int(min(max(self.width() * WIDEST, ENOUGH), self.width() - 26))
        lines = [metrics.elidedText(line, Qt.TextElideMode.ElideMiddle, most) for line in text.split("\n")]
        width = max(map(metrics.horizontalAdvance, lines)) + 18
        height = metrics.height() + metrics.lineSpacing() * (len(lines) - 1) + 8
        left = min(max(middle.x() - width / 2, 4.0), max(4.0, self.width() - width - 4.0))
        top = min(max(middle.y() - height / 2, 4.0), self.height() - height - 4.0)
        box = QRectF(left, top, width, height)
        back = QColor(theme.current().raised)
        back.setAlpha(225)
        painter.setPen(QPen(QColor(theme.current().accent if accent else theme.current().line), 1.0))
        painter.setBrush(back)
        painter.drawRoundedRect(box, 6, 6)
        painter.setPen(QColor(theme.current().text))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, "\n".join(lines))


class ValueField(QLineEdit):
    """The value of a drag. Typing replaces it, Tab goes to the next axis, Enter ends the drag, Esc takes it back."""

    def __init__(self, gizmo: Gizmo, parent: QWidget):
        super().__init__(parent)
        self._gizmo, self._around = gizmo, parent
        self._ends_by_key = False
        self.setObjectName("gizmoValue")
        self.setAccessibleName(tr("Value of the drag"))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setFixedWidth(168)
        self.textEdited.connect(self._edited)
        self.hide()

    def refresh(self) -> None:
        drag = self._gizmo.drag
        place = None if drag is None else self._gizmo.place()
        if drag is None or place is None:
            if not self.isHidden():
                had = self.hasFocus()
                self.hide()
                self._back(had and self._ends_by_key)
            return
        if not self.hasFocus():
            self.setText(f"{drag.axis_name}:  {drag.shown} {drag.unit}")
        x, y = place[0].middle
        area = self._around.rect()
        left = min(max(x + 28, 4.0), area.width() - self.width() - 4.0)
        top = min(max(y - 64, 44.0), area.height() - self.height() - 4.0)
        self.move(round(left), round(top))
        if self.isHidden():
            self.show()
            self.raise_()

    def begin(self, text: str) -> None:
        """Start with the first character of a number that was typed."""
        self.setText(text)
        self.setFocus()
        self.setCursorPosition(len(text))
        self._edited(text)

    def _edited(self, text: str) -> None:
        good = self._gizmo.type(text)
        set_property(self, "wrong", not good and text not in ("", "-", ".", "-."))

    def _back(self, had: bool) -> None:
        if had:
            viewport = self._around.findChild(QWidget, "viewport")
            if viewport is not None:
                viewport.setFocus()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            key = event.key()
            if key in (Qt.Key.Key_Tab, Qt.Key.Key_Backtab):
                self._gizmo.next_axis()
                drag = self._gizmo.drag
                if drag is not None:
                    self.setText(drag.shown)
                    self.selectAll()
                    self.setToolTip(drag.axis_name)
                return True
            if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._end(self._gizmo.finish)
                return True
            if key == Qt.Key.Key_Escape:
                self._end(self._gizmo.cancel)
                return True
        return super().event(event)

    def _end(self, end: Callable[[], None]) -> None:
        """End the drag by a key: the viewport has the keyboard again. Where the drag ends otherwise, as when the model
        is replaced, it does not: digits that the user still types would be its keys."""
        self._ends_by_key = True
        end()
        self._ends_by_key = False


def sharing(shape: editing.size.ShapeSize) -> str:
    """Effect of a new size on other geoms with the same mesh or height field; "" if there are none."""
    users, asset = 0 if shape.use is None else shape.use.users, shape.asset
    if users < 2 or asset is None:
        return ""
    if shape.grows:
        return tr("gets a {kind} of its own, as {users} geoms show this one", kind=shape.kind, users=users)
    return tr("size of all {users} geoms that show it", users=users)


def _head(start: np.ndarray, end: np.ndarray) -> QPolygonF:
    """The head of an arrow, around its end."""
    along = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
    side = np.array((-along[1], along[0]))
    base = end - 0.35 * HEAD * along
    corners = (end + 0.65 * HEAD * along, base + 0.42 * HEAD * side, base - 0.42 * HEAD * side)
    return QPolygonF([QPointF(*corner) for corner in corners])


def _mantle(tip: QPointF, rim: list[QPointF]) -> QPainterPath:
    """The outline of a cone: its base and all that lies between the base and the tip."""
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    for one, other in pairwise(rim):
        # Triangles of one sense of rotation, so that they add up.
        around = (one.x() - tip.x()) * (other.y() - tip.y()) - (one.y() - tip.y()) * (other.x() - tip.x())
        path.addPolygon(QPolygonF([tip, one, other, tip] if around > 0 else [tip, other, one, tip]))
    path.addPolygon(QPolygonF(rim))
    return path.simplified()
