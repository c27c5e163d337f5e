"""The shelf: tools of the gizmo in a column over the viewport, and a menu of new things.

A new thing is dragged from the menu onto a surface; a click puts it into the middle of the picture.
"""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QMenu, QToolButton, QVBoxLayout, QWidget

from kinetree.app.menus.build import Actions
from kinetree.app.settings.icons import icon
from kinetree.app.viewport.dropping import MIME
from kinetree.engine import editing
from kinetree.engine.translation import tr

TOOLS = ("edit.move", "edit.turn", "edit.size", "edit.axes", "edit.mode", "camera.look")
SIDE = 28  # of a button, pixels


class Shelf(QFrame):
    """Shelf of tools, and of objects to add. `fill` sets its actions, `show_things` its objects. `wanted(kind)`: a
    thing was chosen.

    add     the button that opens the menu
    things  the entries of the menu by kind
    format  of the models whose things are shown, "" before it is filled
    """

    wanted = Signal(str)

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("shelf")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(4, 4, 4, 4)
        self._column.setSpacing(2)
        self.things: dict[str, QAction] = {}
        self.format = ""
        self.menu = ThingMenu(self)
        self.add = QToolButton(self)
        self.add.clicked.connect(self.open_menu)

    def fill(self, actions: Actions, format: str) -> None:
        """Add the tools, and the things that models of a format can have."""
        for name in TOOLS:
            button = self._put(QToolButton(self))
            button.setDefaultAction(actions[name])
        line = QFrame(self)
        line.setFrameShape(QFrame.Shape.HLine)
        line.setObjectName("line")
        self._column.addWidget(line)
        self._put(self.add).setIcon(icon("add"))
        self.add.setAccessibleName(actions["edit.add"].text().rstrip("…"))
        self.add.setToolTip(actions["edit.add"].toolTip())
        self.show_things(format)

    def show_things(self, format: str) -> None:
        """Show the things that models of a format can have."""
        self.format = format
        self.menu.clear()
        self.things = {}
        for kind, thing in editing.shelf.SHELF[format].items():
            action = self.things[kind] = self.menu.addAction(icon(thing.icon), tr(thing.name))
            action.setData(kind)
            action.setToolTip(tr("{help}. Drag it onto a surface (Shift: into the world)", help=tr(thing.help)))
            action.triggered.connect(lambda _checked=False, kind=kind: self.wanted.emit(kind))
        self.adjustSize()

    def open_menu(self) -> None:
        """Open the menu of things: beside its button, or in the middle of the viewport without room for the shelf."""
        around = self.parentWidget()
        place = self.add.mapToGlobal(QPoint(self.add.width() + 6, 0))
        if self.isHidden() and around is not None:
            place = around.mapToGlobal(around.rect().center()) - QPoint(0, self.menu.sizeHint().height() // 2)
        self.menu.popup(place)
        self.menu.setActiveAction(next(iter(self.things.values())))

    def _put(self, button: QToolButton) -> QToolButton:
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setIconSize(QSize(20, 20))
        button.setFixedSize(SIDE, SIDE)
        self._column.addWidget(button)
        return button


class ThingMenu(QMenu):
    """Menu whose entries can be dragged out of it; the data of an entry is the kind of its thing."""

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setToolTipsVisible(True)
        self.setProperty("icons", True)
        self._press: tuple[QPoint, QAction] | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = event.position().toPoint()
        action = self.actionAt(place)
        self._press = (place, action) if action is not None else None
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._press = None
        super().mouseReleaseEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._press is not None:
            place, action = self._press
            if (event.position().toPoint() - place).manhattanLength() >= QApplication.startDragDistance():
                self._press = None
                self.hide()  # it would be over the surface that the thing is dragged to
                QTimer.singleShot(0, self, lambda: self._drag(action))
            return
        super().mouseMoveEvent(event)

    def _drag(self, action: QAction) -> None:
        drag = QDrag(self.parentWidget() or self)
        drag.setMimeData(mime_of(action.data()))
        drag.setPixmap(action.icon().pixmap(24, 24))
        drag.exec(Qt.DropAction.CopyAction)


def mime_of(kind: str) -> QMimeData:
    """Mime type of a dragged thing."""
    data = QMimeData()
    data.setData(MIME, kind.encode())
    return data
