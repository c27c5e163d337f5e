"""The coach mark: a small panel beside the place that a step of the tour is about, and a highlight round that place."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from kinetree.app.settings import theme
from kinetree.app.settings.icons import icon
from kinetree.app.tour.places import Places, TourPlace
from kinetree.app.tour.steps import STEPS
from kinetree.app.tour.tour import Tour
from kinetree.engine.translation import tr

WIDTH = 344
ARROW = 11  # how far the arrow stands out, and the margin for it
RADIUS = 9.0
GAP = 4  # between arrow and place
FOLLOW = 100  # ms between two looks at where the place is


class TourHighlight(QWidget):
    """Line round a place; the mouse goes through it."""

    def __init__(self, host: QWidget):
        super().__init__(host)
        self._host = host
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground)
        self._is_ring = False
        self.hide()

    def show_place(self, place: TourPlace | None) -> None:
        """Surround a place; None: nothing."""
        if place is not None:
            self._is_ring = place.is_point
            area = place.area if place.is_point else place.area.intersected(self._host.rect())
            self.setGeometry(area.adjusted(-2, -2, 2, 2))
        if self.isHidden() == (place is not None):
            self.setVisible(place is not None)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        shade = QColor("#000000")
        shade.setAlpha(90)
        for colour, breadth in ((shade, 4.0), (QColor(theme.current().accent), 2.0)):
            painter.setPen(QPen(colour, breadth))
            if self._is_ring:
                painter.drawEllipse(area)
            else:
                painter.drawRoundedRect(area, 5, 5)
        painter.end()


class CoachMark(QFrame):
    """The panel: what to do, and the buttons that go through the steps."""

    def __init__(self, tour: Tour, window: QWidget):
        super().__init__(window)
        self._tour = tour
        self._tip: QPoint | None = None  # where the arrow ends
        self.setObjectName("coach-mark")
        self.setAccessibleName(tr("Tour"))
        self.setFixedWidth(WIDTH + 2 * ARROW)
        self.count = QLabel()
        self.count.setObjectName("dim")
        self.title = QLabel()
        self.title.setObjectName("coach-title")
        self.text = QLabel()
        self.text.setWordWrap(True)
        self.text.setTextFormat(Qt.TextFormat.PlainText)
        self.note = QLabel()
        self.note.setObjectName("dim")
        self.note.setWordWrap(True)
        self.close_button = QToolButton()
        self.close_button.setIcon(icon("close"))
        self.close_button.setAccessibleName(tr("Leave the tour"))
        self.close_button.setToolTip(tr("Leave the tour (Esc)"))
        self.close_button.clicked.connect(tour.leave)
        self.back = QPushButton(tr("Back"))
        self.back.clicked.connect(tour.back)
        self.show_me = QPushButton(tr("Show Me"))
        self.show_me.setToolTip(tr("Let Kinetree do it"))
        self.show_me.clicked.connect(tour.show_me)
        self.next = QPushButton()
        self.next.clicked.connect(self._go_on)
        self.close_model = QPushButton(tr("Close the Lamp"))
        self.close_model.clicked.connect(tour.close_model)
        for button in (self.close_button, self.back, self.show_me, self.next, self.close_model):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keyboard where it is
        head, foot = QHBoxLayout(), QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.title)
        head.addStretch(1)
        head.addWidget(self.count)
        head.addWidget(self.close_button)
        foot.addWidget(self.back)
        foot.addStretch(1)
        for button in (self.close_model, self.show_me, self.next):
            foot.addWidget(button)
        self._column = column = QVBoxLayout(self)
        column.setContentsMargins(ARROW + 14, ARROW + 9, ARROW + 10, ARROW + 12)
        column.setSpacing(8)
        column.addLayout(head)
        column.addWidget(self.text)
        column.addWidget(self.note)
        column.addLayout(foot)
        self.hide()

    def _go_on(self) -> None:
        if self._tour.step is None:
            self._tour.leave()
        else:
            self._tour.next()

    def refresh(self) -> None:
        """Show the present step."""
        tour = self._tour
        is_over, is_done = tour.step is None, tour.is_done
        self.title.setText(tour.title)
        self.text.setText(tour.text)
        self.count.setText("" if is_over else tr("{number} of {count}", number=tour.number + 1, count=len(STEPS)))
        self.back.setVisible(tour.number > 0)
        self.show_me.setVisible(not is_over and not is_done)
        self.show_me.setEnabled(tour.can_show)
        self.close_model.setVisible(is_over)
        self.next.setText(tr("Done") if is_over else tr("✓ Next") if is_done else tr("Skip Step"))
        self.next.setDefault(is_over or is_done)
        self.next.setToolTip("" if is_over or is_done else tr("Go on without doing it"))
        self.fit()

    def show_note(self, text: str) -> None:
        """A remark below the text, "" for none."""
        if self.note.text() != text or self.note.isHidden() == bool(text):
            self.note.setText(text)
            self.note.setVisible(bool(text))
            self.fit()

    def fit(self) -> None:
        """Take the height that the texts need."""
        self._column.activate()
        self.resize(self.width(), self._column.heightForWidth(self.width()))

    def point_at(self, tip: QPoint | None) -> None:
        """Let the arrow end there, in the coordinates of the panel; None: no arrow."""
        if tip != self._tip:
            self._tip = tip
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        body = QRectF(self.rect()).adjusted(ARROW, ARROW, -ARROW, -ARROW)
        path = QPainterPath()
        path.addRoundedRect(body, RADIUS, RADIUS)
        arrow = self._arrow(body)
        if arrow is not None:
            pointed = QPainterPath()
            pointed.addPolygon(arrow)
            pointed.closeSubpath()
            path = path.united(pointed)
        painter.setPen(QPen(QColor(theme.current().accent), 1.5))
        painter.setBrush(QColor(theme.current().raised))
        painter.drawPath(path)
        painter.end()

    def _arrow(self, body: QRectF) -> QPolygonF | None:
        """The triangle on the side that faces the tip."""
        if self._tip is None:
            return None
        x, y, half = float(self._tip.x()), float(self._tip.y()), ARROW - 1.0
        inset = RADIUS + half
        across = min(max(x, body.left() + inset), body.right() - inset)
        along = min(max(y, body.top() + inset), body.bottom() - inset)
        if x < body.left():
            points = ((body.left() + 1, along - half), (body.left() - half, along), (body.left() + 1, along + half))
        elif x > body.right():
            points = ((body.right() - 1, along - half), (body.right() + half, along), (body.right() - 1, along + half))
        elif y < body.top():
            points = ((across - half, body.top() + 1), (across, body.top() - half), (across + half, body.top() + 1))
        else:
            bottom = body.bottom()
            points = ((across - half, bottom - 1), (across, bottom + half), (across + half, bottom - 1))
        return QPolygonF([QPointF(*each) for each in points])


class TourView(QObject):
    """Shows a tour in a window: places the mark and the highlight, and leaves on Esc."""

    def __init__(self, tour: Tour, places: Places, host: QWidget):
        super().__init__(host)
        self._tour, self._places, self._host = tour, places, host
        self.highlight, self.mark = TourHighlight(host), CoachMark(tour, host)
        self._placed: object = None  # what the mark was placed for
        self._is_up = False  # whether the place was scrolled to
        self._timer = QTimer(self)
        self._timer.setInterval(FOLLOW)
        self._timer.timeout.connect(self.follow)
        tour.changed.connect(self.refresh)
        host.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self._tour.is_active:
            return False
        if event.type() == QEvent.Type.Resize:
            QTimer.singleShot(0, self, self.follow)
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:  # the focus had no use for it
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()  # before the action that has this key in a viewport
                return True
            if event.type() == QEvent.Type.KeyPress:
                self._tour.leave()
                return True
        return False

    def refresh(self) -> None:
        """Show the state of the tour."""
        if not self._tour.is_active:
            self._timer.stop()
            self.highlight.hide()
            self.mark.hide()
            return
        self._placed = None
        self._is_up = self._tour.is_done  # the user may have scrolled
        self.mark.refresh()
        self.mark.show()
        self._timer.start()
        self.follow()

    def follow(self) -> None:
        """Bring mark and highlight to where the place is now."""
        tour = self._tour
        if not tour.is_active:
            return
        simulation = tour.context.workspace.simulation
        self.mark.show_note("" if simulation.ready else tr("Physics is being prepared: it moves in a moment."))
        if tour.step is not None and not self._is_up:
            self._is_up = self._places.bring_up(tour.step.place)
        place = None if tour.step is None else self._places.find(tour.step.place)
        self.highlight.show_place(None if tour.is_done else place)
        free = None if place is None else place.area.united(place.beside)
        moves_by_itself = place is not None and place.is_point
        wanted = (tour.number, self._host.size(), self.mark.size(), None if moves_by_itself else free)
        body = self.mark.geometry().adjusted(ARROW, ARROW, -ARROW, -ARROW)
        is_held = any(view.perturb is not None and view.perturb.active for view in tour.context.workspace.views)
        if wanted != self._placed or (free is not None and free.intersects(body) and not is_held):
            self._placed = wanted
            middle = self._places.viewport
            corner = placed(self.mark.size(), free, self._host.rect(), middle)
            if place is not None and not place.beside.isNull():
                corner.setY(middle.top())  # as near as it can be
            self.mark.move(corner)
            self.highlight.raise_()
            self.mark.raise_()
        is_near = place is not None and place.beside.isNull()
        self.mark.point_at(place.area.center() - self.mark.pos() if place is not None and is_near else None)


def placed(size: QSize, free: QRect | None, host: QRect, middle: QRect) -> QPoint:
    """The corner of a mark beside an area that is to stay free: on the first side that has room in the window; without
    an area, or with no room beside it, below the middle of the viewport."""
    inside = host.adjusted(0, 0, -size.width(), -size.height())
    if free is not None:
        x = min(max(free.center().x() - size.width() // 2, inside.left()), inside.right())
        y = min(max(free.center().y() - size.height() // 2, inside.top()), inside.bottom())
        beside = QPoint(free.right() + GAP, y), QPoint(free.left() - GAP - size.width(), y)
        above, below = QPoint(x, free.top() - GAP - size.height()), QPoint(x, free.bottom() + GAP)
        for corner in (*beside, below, above):
            if inside.contains(corner):
                return corner
    x = middle.center().x() - size.width() // 2
    y = middle.bottom() - size.height() - 3 * GAP
    return QPoint(min(max(x, inside.left()), inside.right()), min(max(y, inside.top()), inside.bottom()))
