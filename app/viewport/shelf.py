"""The shelf: tools of the gizmo and new things, in a strip over the viewport.

A new thing is dragged onto a surface; a click puts it into the middle of the picture.
"""

from __future__ import annotations

from PySide6.QtCore import QMimeData, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QMouseEvent
from PySide6.QtWidgets import QApplication, QFrame, QGridLayout, QToolButton, QWidget

from kinetree.app.menus.build import Actions
from kinetree.app.settings.icons import icon
from kinetree.app.viewport.dropping import MIME
from kinetree.engine import editing
from kinetree.engine.translation import tr

TOOLS = ("edit.move", "edit.turn", "edit.size", "edit.axes", "edit.mode", "camera.look")
SIDE = 28  # of a button, pixels


class Shelf(QFrame):
    """Shelf of objects to add. `fill` sets its actions, `show_things` its objects. `wanted(kind)`: a thing was
    clicked.

    format  of the models whose things are shown, "" before it is filled
    """

    wanted = Signal(str)

    def __init__(self, parent: QWidget):
        super().__init__(parent)
        self.setObjectName("shelf")
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(4, 4, 4, 4)
        self._grid.setSpacing(2)
        self.things: dict[str, ThingButton] = {}
        self.format = ""

    def fill(self, actions: Actions, format: str) -> None:
        """Add the tools, and the things that models of a format can have."""
        for number, name in enumerate(TOOLS):
            button = self._add(QToolButton(self), number)
            button.setDefaultAction(actions[name])
        line = QFrame(self)
        line.setFrameShape(QFrame.Shape.HLine)
        line.setObjectName("line")
        self._grid.addWidget(line, (len(TOOLS) + 1) // 2, 0, 1, 2)
        self.show_things(format)

    def show_things(self, format: str) -> None:
        """Show the things that models of a format can have."""
        self.format = format
        for button in self.things.values():
            self._grid.removeWidget(button)
            button.deleteLater()
        self.things = {}
        row = (len(TOOLS) + 1) // 2
        for number, (kind, thing) in enumerate(editing.shelf.SHELF[format].items()):
            button = self.things[kind] = ThingButton(kind, self)
            self._add(button, 2 * (row + 1) + number)
            button.setIcon(icon(thing.icon))
            button.setAccessibleName(tr("Add {name}", name=tr(thing.name)))
            button.setToolTip(
                tr(
                    "{name}\n{help}. Drag it onto a surface (Shift: into the world)",
                    name=tr(thing.name),
                    help=tr(thing.help),
                )
            )
            button.clicked.connect(lambda _checked=False, kind=kind: self.wanted.emit(kind))
            button.show()
        self.adjustSize()

    def _add(self, button: QToolButton, number: int) -> QToolButton:
        button.setAutoRaise(True)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setIconSize(QSize(20, 20))
        button.setFixedSize(SIDE, SIDE)
        self._grid.addWidget(button, number // 2, number % 2)
        return button


class ThingButton(QToolButton):
    """Starts a drag with the kind of its thing."""

    def __init__(self, kind: str, parent: QWidget):
        super().__init__(parent)
        self.kind = kind
        self._press: QPoint | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._press = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        far = QApplication.startDragDistance()
        if self._press is not None and (event.position().toPoint() - self._press).manhattanLength() >= far:
            self._press = None
            self.setDown(False)
            drag = QDrag(self)
            drag.setMimeData(mime_of(self.kind))
            drag.setPixmap(self.icon().pixmap(24, 24))
            drag.exec(Qt.DropAction.CopyAction)
            return
        super().mouseMoveEvent(event)


def mime_of(kind: str) -> QMimeData:
    """Mime type of a dragged thing."""
    data = QMimeData()
    data.setData(MIME, kind.encode())
    return data
