"""Cards with a picture, a name and a line below, side by side in as many rows as they need."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QGuiApplication,
    QImage,
    QMouseEvent,
    QMovie,
    QPainter,
    QPainterPath,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListView,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QWidget,
)

from kinetree.app.settings import theme
from kinetree.app.settings.icons import icon
from kinetree.engine.translation import tr

Index = QModelIndex | QPersistentModelIndex
PICTURE, LARGE = QSize(192, 120), QSize(256, 160)
"""Sizes of a picture: usual, and on a wide page."""
MARGIN = 8
RADIUS = 7.0
SLACK = 4  # pixels beside and below the cards of a list, so that it never scrolls
CARD = Qt.ItemDataRole.UserRole


class Card(NamedTuple):
    """path: what is opened; name: under the picture; detail: the line below it; help: the tool tip; picture: null for
    none; film: file of a moving picture, shown while the mouse is over the card, "" for none."""

    path: str
    name: str
    detail: str
    help: str
    picture: QImage
    film: str = ""


class Cards(QListWidget):
    """List of cards with pictures. `opened(path)`: a card was clicked, or Enter was pressed on it;
    `opened_apart(path)`: it is to be opened in a new window. `plays()`: whether moving pictures play."""

    opened = Signal(str)
    opened_apart = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None, plays: Callable[[], bool] = lambda: True):
        super().__init__(parent)
        self._plays = plays
        self.movie: QMovie | None = None
        self.playing: QListWidgetItem | None = None
        self._has_details = False
        self.picture_size = PICTURE
        self.setAccessibleName(name)
        self.setObjectName("cards")
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setUniformItemSizes(True)
        self.setWordWrap(False)
        self.setItemDelegate(_Painter(self))
        self.setGridSize(self.cell())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMouseTracking(True)
        self.itemClicked.connect(self._click)
        self.itemActivated.connect(self._open)
        self.itemEntered.connect(self._play)
        self._last = ""

    def cell(self) -> QSize:
        """The size of one card with its margins."""
        lines, size = 2 if self._has_details else 1, self.picture_size
        return QSize(size.width() + 2 * MARGIN, size.height() + lines * self.fontMetrics().height() + 3 * MARGIN)

    def set_picture_size(self, size: QSize) -> None:
        """Show the pictures of all cards in another size."""
        if size != self.picture_size:
            self.picture_size = size
            self._resize_cells()

    def _resize_cells(self) -> None:
        self.setGridSize(self.cell())
        for row in range(self.count()):
            self.item(row).setSizeHint(self.cell())
        self._fit()

    def show_cards(self, cards: Iterable[Card]) -> None:
        """Replace all cards."""
        self._stop()
        self.clear()
        self._last = ""
        cards = list(cards)
        self._has_details = any(card.detail for card in cards)
        for card in cards:
            item = QListWidgetItem(card.name, self)
            item.setData(CARD, card)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(filter(None, (card.name, card.detail))))
            item.setToolTip(card.help.replace("&", "&amp;").replace("<", "&lt;"))
        self._resize_cells()

    # ---- opening -----------------------------------------------------------------------------------------

    def _click(self, item: QListWidgetItem) -> None:
        if QGuiApplication.keyboardModifiers() & Qt.KeyboardModifier.ControlModifier:
            self.opened_apart.emit(item.data(CARD).path)
        else:
            self._open(item)

    def _open(self, item: QListWidgetItem) -> None:
        path = item.data(CARD).path
        if path != self._last:  # a double click is one
            self._last = path
            self.opened.emit(path)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        item = self.itemAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and item is not None:
            self.opened_apart.emit(item.data(CARD).path)
            return
        super().mouseReleaseEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        item = self.currentItem() if by_key else self.itemAt(event.pos())
        if item is None:
            return
        path, menu = item.data(CARD).path, QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Open"), lambda: self.opened.emit(path))
        menu.addAction(tr("Open in New Window"), lambda: self.opened_apart.emit(path))
        menu.popup(self.viewport().mapToGlobal(self.visualItemRect(item).center()) if by_key else event.globalPos())

    # ---- moving pictures ---------------------------------------------------------------------------------

    def _play(self, item: QListWidgetItem) -> None:
        """Play the moving picture of a card that the mouse has come to."""
        film = item.data(CARD).film
        if item is self.playing:
            return
        self._stop()
        if film and self._plays():
            self.playing, self.movie = item, QMovie(film, parent=self)
            self.movie.frameChanged.connect(lambda _frame: self.viewport().update(self.visualItemRect(item)))
            self.movie.start()

    def _stop(self) -> None:
        movie, item = self.movie, self.playing
        self.movie = self.playing = None
        if movie is not None:
            movie.stop()
            movie.deleteLater()
        if item is not None:
            self.viewport().update(self.visualItemRect(item))

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Leave, QEvent.Type.Hide):
            self._stop()
        elif isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseMove:
            if self.itemAt(event.position().toPoint()) is not self.playing:
                self._stop()
        return super().viewportEvent(event)

    def hideEvent(self, event) -> None:
        self._stop()
        super().hideEvent(event)

    # ---- size --------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Make the list as high as its rows: the page scrolls, not the list."""
        columns = max(1, self.viewport().width() // self.cell().width())
        rows = -(-self.count() // columns)
        self.setFixedHeight(rows * self.cell().height() + 2 * self.frameWidth() + (SLACK if rows else 0))


class _Painter(QStyledItemDelegate):
    """Paints a card."""

    def sizeHint(self, option, index: Index) -> QSize:
        return index.data(Qt.ItemDataRole.SizeHintRole)

    def paint(self, painter: QPainter, option: Any, index: Index) -> None:
        card, colours, metrics = index.data(CARD), theme.current(), option.fontMetrics
        is_selected = bool(option.state & QStyle.StateFlag.State_Selected)
        is_under_mouse = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        if is_selected or is_under_mouse:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours.selection if is_selected else colours.hover))
            painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), RADIUS + 2, RADIUS + 2)
        cards: Any = self.parent()
        area = QRect(option.rect.topLeft(), cards.picture_size).translated(MARGIN, MARGIN)
        self._paint_picture(painter, area, self._picture(card, index))
        line = QRect(area.left(), area.bottom() + MARGIN // 2 + 1, area.width(), metrics.height())
        middle, centre = Qt.TextElideMode.ElideMiddle, Qt.AlignmentFlag.AlignHCenter
        painter.setPen(QColor(colours.text))
        painter.drawText(line, centre, metrics.elidedText(card.name, middle, line.width()))
        painter.setPen(QColor(colours.dim))
        below = line.translated(0, metrics.height())
        painter.drawText(below, centre, metrics.elidedText(card.detail, middle, below.width()))
        painter.restore()

    def _picture(self, card: Card, index: Index) -> QImage:
        cards: Any = self.parent()
        if cards.movie is not None and cards.playing is cards.item(index.row()):
            frame = cards.movie.currentImage()
            return card.picture if frame.isNull() else frame
        return card.picture

    def _paint_picture(self, painter: QPainter, area: QRect, picture: QImage) -> None:
        """The picture with round corners, or a placeholder if it is missing."""
        path = QPainterPath()
        path.addRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.save()
        painter.setClipPath(path)
        if picture.isNull():
            painter.fillRect(area, QColor(theme.current().surface))
            middle = QRect(0, 0, 48, 48)
            middle.moveCenter(area.center())
            icon("model", "dim").paint(painter, middle)
        else:
            painter.drawImage(area, picture)
        painter.restore()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(QColor(theme.current().line), 1.0))
        painter.drawPath(path)
