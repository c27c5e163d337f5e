"""The viewports of a window: one, two beside or below each other, or four.

Each has its own camera and options. One is active: it has the keys of the viewport, and panels and actions show and
change its view.
"""

from __future__ import annotations

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from kinetree.app.settings import theme
from kinetree.app.settings.settings import Settings
from kinetree.app.viewport.overlay import ViewportFrame
from kinetree.app.workspace.view import ViewModel
from kinetree.app.workspace.workspace import Workspace

ARRANGEMENTS: dict[str, tuple[int, int]] = {"single": (1, 1), "columns": (2, 1), "rows": (1, 2), "grid": (2, 2)}
"""How many viewports are beside and below each other."""
SIDES = ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, -1.0, 0.0))
"""From where the further viewports of a grid look: from above, from the front (x), and from the right."""
GAP = 4  # between viewports, pixels; the mouse moves it
EDGE = 2  # of the active viewport, pixels
LEAST, MOST = 0.15, 0.85  # of the window for the first column or row


class Viewports(QWidget):
    """The viewports of a window. `frames` are in reading order; the first one always exists; `active` is one of them.

    Signals: `frame_added(frame)`, `active_changed()`, `arranged()`.
    """

    frame_added = Signal(object)
    active_changed = Signal()
    arranged = Signal()

    def __init__(self, workspace: Workspace, settings: Settings, parent: QWidget | None = None):
        super().__init__(parent)
        self.setObjectName("viewports")
        self._workspace, self._settings = workspace, settings
        self.arrangement = "single"
        self.share = [0.5, 0.5]
        self.frames: list[ViewportFrame] = []
        self._gaps = (_Gap(0, self), _Gap(1, self))
        self.active = self._add(workspace.view)
        workspace.view_changed.connect(self._take_view)
        settings.changed.connect(self._take_setting)

    def _add(self, view: ViewModel) -> ViewportFrame:
        workspace, first = self._workspace, not self.frames
        frame = ViewportFrame(view, workspace, self, is_main=first)
        frame.activated.connect(lambda: workspace.activate(view))
        frame.set_measurements(workspace.measurements, workspace.units)
        self._apply_settings(frame)
        self.frames.append(frame)
        if not first:
            self.frame_added.emit(frame)
            frame.show()
        return frame

    def arrange(self, name: str) -> None:
        """Show one or several viewports; see ARRANGEMENTS. New ones of a grid look from above, the front and the
        right, others from where the active one looks. Raises KeyError."""
        columns, rows = ARRANGEMENTS[name]
        number = columns * rows
        while len(self.frames) > number:
            self._remove(self.frames[-1])
        while len(self.frames) < number:
            active, view = self._workspace.view, self._workspace.add_view()
            view.take_look(active)
            if name == "grid":
                view.show_side(SIDES[len(self.frames) - 1])
            self._add(view)
        self.arrangement = name
        self._place()
        self.arranged.emit()

    def _remove(self, frame: ViewportFrame) -> None:
        had_focus = frame.viewport.hasFocus()
        self.frames.remove(frame)
        self._workspace.remove_view(frame.view)
        frame.hide()
        frame.end()
        frame.deleteLater()
        if had_focus:
            self.active.viewport.setFocus()

    def _apply_settings(self, frame: ViewportFrame) -> None:
        frame.show_cube(self._settings.view_cube)
        frame.viewport.set_may_reduce(self._settings.reduce_pictures)
        frame.viewport.set_quality(self._settings.quality)

    def _take_setting(self, name: str) -> None:
        if name in ("viewport.cube", "viewport.reduce", "viewport.quality"):
            for frame in self.frames:
                self._apply_settings(frame)

    def activate_next(self, by: int = 1) -> None:
        """Give the keyboard to the next or previous viewport."""
        here = self.frames.index(self.active)
        self.frames[(here + by) % len(self.frames)].viewport.setFocus(Qt.FocusReason.TabFocusReason)

    def _take_view(self) -> None:
        self.active = next(frame for frame in self.frames if frame.view is self._workspace.view)
        self.update()
        self.active_changed.emit()

    def end(self) -> None:
        """Free everything on the graphics card, and draw no more."""
        for frame in self.frames:
            frame.end()

    # ---- places ------------------------------------------------------------------------------------------

    def _cells(self) -> list[QRect]:
        """The places of the viewports, with their edges."""
        columns, rows = ARRANGEMENTS[self.arrangement]
        xs, ys = _parts(self.width(), columns, self.share[0]), _parts(self.height(), rows, self.share[1])
        return [QRect(x, y, width, height) for y, height in ys for x, width in xs]

    def _place(self) -> None:
        cells, edge = self._cells(), EDGE if len(self.frames) > 1 else 0
        for frame, cell in zip(self.frames, cells, strict=True):
            frame.setGeometry(cell.adjusted(edge, edge, -edge, -edge))
        columns, rows = ARRANGEMENTS[self.arrangement]
        first, (across, down) = cells[0], self._gaps
        across.setVisible(columns > 1)
        across.setGeometry(first.right() + 1, 0, GAP, self.height())
        down.setVisible(rows > 1)
        down.setGeometry(0, first.bottom() + 1, self.width(), GAP)
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._place()

    def move_gap(self, axis: int, share: float) -> None:
        """Give another share of the window to the first column (axis 0) or row (axis 1)."""
        self.share[axis] = min(max(share, LEAST), MOST)
        self._place()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the edge of the active viewport."""
        if len(self.frames) > 1:
            painter = QPainter(self)
            colours = theme.current()
            painter.fillRect(self.rect(), QColor(colours.window))
            painter.fillRect(self._cells()[self.frames.index(self.active)], QColor(colours.accent))
            painter.end()


class _Gap(QWidget):
    """The gap between two viewports: dragging moves it, a double-click centres it."""

    def __init__(self, axis: int, parent: Viewports):
        super().__init__(parent)
        self._axis, self._viewports = axis, parent
        self.setCursor(Qt.CursorShape.SplitVCursor if axis else Qt.CursorShape.SplitHCursor)
        self.hide()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._viewports.mapFromGlobal(event.globalPosition())
        whole = (self._viewports.width(), self._viewports.height())[self._axis]
        self._viewports.move_gap(self._axis, (place.x(), place.y())[self._axis] / max(1, whole))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self._viewports.move_gap(self._axis, 0.5)


def _parts(whole: int, count: int, share: float) -> list[tuple[int, int]]:
    """(start, length) of one or two parts of a length."""
    if count == 1:
        return [(0, whole)]
    first = round(share * (whole - GAP))
    return [(0, first), (first + GAP, whole - GAP - first)]
