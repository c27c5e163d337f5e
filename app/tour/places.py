"""Where on the window a step of the tour points: a body in the viewport, an attribute, a panel, a menu."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QMainWindow, QWidget

from kinetree.app.actions.context import ActionContext
from kinetree.app.panels.writing.inspector.panel import InspectorPanel

RING = 74  # of a body, pixels


class TourPlace(NamedTuple):
    """A part of the window, in its pixels.

    is_point  the middle of the area counts, and it moves by itself
    beside    what the mark leaves free besides, such as the room in which a menu opens
    """

    area: QRect
    is_point: bool = False
    beside: QRect = QRect()


class Places:
    """Finds the places that `TourStep.place` names: "body:NAME", "attribute:NAME" of the inspector, "dock:NAME",
    "menu:NAME"."""

    def __init__(self, context: ActionContext, inspector: InspectorPanel):
        self._context, self._inspector = context, inspector

    def find(self, place: str) -> TourPlace | None:
        """The place; None while it is not in view in the window."""
        kind, _, name = place.partition(":")
        if kind == "body":
            return self._body(name)
        if kind == "attribute":
            return self._attribute(name) or self._dock("inspector")
        if kind == "dock":
            return self._dock(name)
        return self._menu(name)

    def bring_up(self, place: str) -> bool:
        """Scroll the panel to an attribute; whether there is nothing left to do."""
        kind, _, name = place.partition(":")
        if kind != "attribute" or not self._inspector.isVisible():
            return True
        form = self._inspector.form
        row = form.rows.get(name) if form is not None else None
        if row is None or row.isHidden() or row.height() == 0:
            return False
        self._inspector.rows_page.ensureWidgetVisible(row, 0, row.height())
        return self._attribute(name) is not None

    @property
    def viewport(self) -> QRect:
        """The viewport, or the page that is shown in its place."""
        return self._area(self._context.frame) or self._context.parent.rect()

    def _area(self, widget: QWidget) -> QRect | None:
        host = self._context.parent
        if widget.window() is not host or not widget.isVisible():
            return None
        return QRect(widget.mapTo(host, QPoint()), widget.size())

    def _body(self, name: str) -> TourPlace | None:
        simulation, viewport = self._context.workspace.simulation, self._context.viewport
        snapshot, eye, area = simulation.snapshot, viewport.eye(), self._area(viewport)
        if snapshot is None or eye is None or area is None or name not in snapshot.model.names["body"]:
            return None
        body = snapshot.model.names["body"].index(name)
        x, y, depth = eye.project(np.asarray(snapshot.xipos[body], float)[None])[0].tolist()
        if depth <= 0 or not (0 < x < 1 and 0 < y < 1):
            return None
        middle = area.topLeft() + QPoint(round(x * area.width()), round(y * area.height()))
        return TourPlace(QRect(middle - QPoint(RING // 2, RING // 2), QSize(RING, RING)), is_point=True)

    def _attribute(self, name: str) -> TourPlace | None:
        form = self._inspector.form
        row = form.rows.get(name) if form is not None else None
        if row is None or self._area(row) is None:
            return None
        page = self._inspector.rows_page.viewport()
        shown, seen = self._area(row), self._area(page)
        if shown is None or seen is None or not seen.intersects(shown):
            return None
        return TourPlace(shown.intersected(seen))

    def _dock(self, name: str) -> TourPlace | None:
        dock = self._context.docks[name]
        area = self._area(dock) if dock.in_view else None
        return None if area is None else TourPlace(area)

    def _menu(self, name: str) -> TourPlace | None:
        host = self._context.parent
        if not isinstance(host, QMainWindow):
            return None
        bar = host.menuBar()
        area = self._area(bar)
        if area is None:
            return None
        menu = self._context.actions.menus[name]
        title = bar.actionGeometry(menu.menuAction()).translated(area.topLeft())
        return TourPlace(title, beside=QRect(title.bottomLeft(), menu.sizeHint()))
