"""Cards with a picture and a name, side by side in as many rows as they need."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QIcon, QImage, QPainter, QPainterPath, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QListView, QListWidget, QListWidgetItem, QSizePolicy, QWidget

from kinetree.app.settings import theme
from kinetree.app.settings.icons import icon

PICTURE = QSize(192, 120)
MARGIN = 8
RADIUS = 7.0


class Card(NamedTuple):
    """path: what is opened; name: under the picture; help: the tool tip; picture: null for none."""

    path: str
    name: str
    help: str
    picture: QImage


class Cards(QListWidget):
    """List of cards with pictures. `opened(path)`: a card was clicked, or Enter was pressed on it."""

    opened = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None):
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setObjectName("cards")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.setUniformItemSizes(True)
        self.setWordWrap(False)
        self.setIconSize(PICTURE)
        self.setGridSize(self._cell())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.itemClicked.connect(self._open)
        self.itemActivated.connect(self._open)
        self._last = ""

    def _cell(self) -> QSize:
        return QSize(PICTURE.width() + 2 * MARGIN, PICTURE.height() + self.fontMetrics().height() + 3 * MARGIN)

    def show_cards(self, cards: Iterable[Card]) -> None:
        """Replace all cards."""
        self.clear()
        self._last = ""
        for card in cards:
            item = QListWidgetItem(QIcon(_framed(card.picture, self.devicePixelRatioF())), card.name, self)
            item.setData(Qt.ItemDataRole.UserRole, card.path)
            item.setToolTip(card.help.replace("&", "&amp;").replace("<", "&lt;"))
            item.setSizeHint(self._cell())
            item.setTextAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._fit()

    def _open(self, item: QListWidgetItem) -> None:
        path = item.data(Qt.ItemDataRole.UserRole)
        if path != self._last:  # a double click is one
            self._last = path
            self.opened.emit(path)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Make the list as high as its rows: the page scrolls, not the list."""
        columns = max(1, self.viewport().width() // self._cell().width())
        rows = -(-self.count() // columns)
        self.setFixedHeight(rows * self._cell().height() + 2 * self.frameWidth() + (4 if rows else 0))


def _framed(picture: QImage, ratio: float) -> QPixmap:
    """The picture with round corners, or a placeholder if it is missing."""
    pixmap = QPixmap(PICTURE * ratio)
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    area = QRect(0, 0, PICTURE.width(), PICTURE.height())
    painter = QPainter(pixmap)
    painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
    path = QPainterPath()
    path.addRoundedRect(area.toRectF().adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
    painter.setClipPath(path)
    if picture.isNull():
        painter.fillRect(area, QColor(theme.current().surface))
        icon("model", "dim").paint(painter, area.adjusted(72, 36, -72, -36))
    else:
        painter.drawImage(area, picture)
    painter.setClipping(False)
    painter.setPen(QPen(QColor(theme.current().line), 1.0))
    painter.drawPath(path)
    painter.end()
    return pixmap
