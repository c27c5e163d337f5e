"""One plot drawn by pyqtgraph: curves on up to four axes, marks of events, a cursor."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from html import escape
from typing import cast

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QWidget

from kinetree.app.panels.analysing.plots import analysis
from kinetree.app.panels.analysing.plots.axis import Axis
from kinetree.app.panels.analysing.plots.curves import AXES, COLOURS, Curve
from kinetree.app.panels.analysing.plots.drags import leave_to_parent
from kinetree.app.panels.analysing.plots.lines import PlotLine
from kinetree.app.panels.analysing.plots.marks import Marks, RunEnd
from kinetree.app.settings import theme
from kinetree.app.workspace.units import Units
from kinetree.engine.run.series import Series, SeriesRun
from kinetree.engine.translation import tr

LEFT = 62
"""Width of the left axis where its numbers need no more, pixels."""
EARLIER_ALPHA = 90
MOST_EARLIER = 3
"""Earlier timelines that are drawn: the newest."""
MOST_MARKS = 400
PADDING = 0.06
"""Space above and below the curves, as a part of their height."""
PATTERNS = {1: [6, 3], 2: [2, 3], 3: [8, 3, 2, 3]}
CALM = 16
"""How much wider an axis may be than it needs, pixels."""


class _PlotBox(pg.ViewBox):
    """View box of a plot. Wheel and drag move time; with Shift, or on an axis, values. `fitted()` on a double click."""

    fitted = Signal()

    def __init__(self, both: bool = False):
        super().__init__(enableMenu=False)
        self.both = both
        self.disableAutoRange()

    def wheelEvent(self, event, axis=None) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        super().wheelEvent(event, axis if axis is not None else None if self.both else int(shift))

    def mouseDragEvent(self, event, axis=None) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        super().mouseDragEvent(event, axis if axis is not None else None if self.both else int(shift))

    def mouseClickEvent(self, event) -> None:
        if event.double():
            event.accept()
            self.fitted.emit()


class Canvas(pg.PlotWidget):
    """Draws curves of a Series.

    mode       one of `curves.MODES`
    start, end the simulated times that are shown, s
    begun_at   the step at which the present run began
    is_computing  whether steps of the past are still to come
    paint_time what the last painting took, s

    Signals: `moved(start, end)`: the user chose other times; `fitted()`: a double click; `hovered(time or None)`;
    `widened()`: the numbers of the left axis need another width, `left_needed`.
    """

    moved = Signal(float, float)
    fitted = Signal()
    hovered = Signal(object)
    widened = Signal()

    def __init__(self, series: Series, units: Units, parent: QWidget | None = None):
        self._main = _PlotBox()
        axes = {side: Axis(side) for side in ("left", "right", "bottom")}
        super().__init__(parent, viewBox=self._main, enableMenu=False, axisItems=axes)
        self.hideAxis("right")  # until a curve needs it
        self.viewport().setAccessibleName(tr("Curves"))
        leave_to_parent(self)
        self.series, self.units = series, units
        self.mode = "time"
        self.curves: list[Curve] = []
        self.start, self.end = 0.0, 10.0
        self.events: set[str] = set()
        self.begun_at = 0
        self.is_computing = False
        self.shows_earlier = True
        self._shows_time = False
        self._names: dict[pg.AxisItem, str] = {}  # of the axes, whole
        self.paint_time = 0.0
        self._items: dict[Curve, tuple[PlotLine, PlotLine]] = {}
        self._boxes: list[_PlotBox] = [self._main]
        self._axes = [self.getAxis("left")]
        self._where: dict[Curve, int] = {}
        self._units: list[str] = []
        self._manual: set[int] = set()  # axes whose range the user chose
        self._ranges: dict[int, tuple[float, float]] = {}
        self.marks = Marks(self._main)
        self._main.addItem(self.marks, ignoreBounds=True)
        self._line = pg.InfiniteLine(angle=90)
        self._line.hide()
        self._main.addItem(self._line, ignoreBounds=True)
        self.left_needed = LEFT
        self.set_left(LEFT)
        cast(Axis, self._axes[0]).needed.connect(self._take_needed, Qt.ConnectionType.QueuedConnection)
        self.hideButtons()
        self.setFrameShape(self.Shape.NoFrame)
        self.setMinimumHeight(60)
        self.setAccessibleName(tr("Plot"))
        self._main.sigRangeChangedManually.connect(self._take_main_range)
        self._main.sigResized.connect(self._place_boxes)
        self._main.sigResized.connect(self._write_names)
        self._main.fitted.connect(self.fitted)
        cast(pg.GraphicsScene, self.scene()).sigMouseMoved.connect(self._hover)
        self.retheme()

    # ---- looks -------------------------------------------------------------------------------------------

    def retheme(self) -> None:
        """Take the colours of the theme."""
        colours = theme.current()
        self.setBackground(colours.base)
        for axis in [self.getAxis("bottom"), *self._axes]:
            axis.setPen(pg.mkPen(colours.line))
            axis.setTextPen(pg.mkPen(colours.text))
            axis.setStyle(tickLength=4, tickTextOffset=5, maxTickLevel=0)
        self.showGrid(x=True, y=True, alpha=0.22 if colours.dark else 0.3)
        self.getAxis("right").setGrid(False)  # one grid, that of the left axis
        self._line.setPen(pg.mkPen(colours.dim))
        self._style_curves()
        self._colour_axes()

    def _colour_axes(self) -> None:
        """Give an axis the colour of its curve; an axis of several curves has the colour of texts."""
        colours = theme.current()
        for number, axis in enumerate(self._axes):
            curves = [each for each in self.curves if each.is_shown and self.axis_of(each) == number]
            styles = {each.style % len(COLOURS["light"]) for each in curves}
            alone = curves[0].colour(colours.name) if len(styles) == 1 and self.mode == "time" else None
            axis.setPen(pg.mkPen(alone or colours.line))
            axis.setTickPen(pg.mkPen(colours.line))  # which the grid has
            axis.setTextPen(pg.mkPen(alone or colours.text))

    def _style_curves(self) -> None:
        colours = theme.current()
        for curve, (item, faint) in self._items.items():
            colour = QColor(curve.colour(colours.name))
            pen = pg.mkPen(colour, width=1)
            if curve.dashes:
                pen.setDashPattern(PATTERNS[curve.dashes])
            item.setPen(pen)
            colour.setAlpha(EARLIER_ALPHA)
            faint.setPen(pg.mkPen(colour, width=1))

    # ---- curves and axes ---------------------------------------------------------------------------------

    def set_curves(self, curves: Sequence[Curve]) -> None:
        """Draw these curves in place of the present ones."""
        for curve in [each for each in self._items if each not in curves]:
            for item in self._items.pop(curve):
                self._boxes[self._where.pop(curve, 0)].removeItem(item)
        self.curves = list(curves)
        for curve in curves:
            if curve not in self._items:
                pair = PlotLine(is_thick=True), PlotLine(is_thick=False)
                pair[1].setZValue(-5)
                self._items[curve] = pair
        self._arrange()
        self._style_curves()
        self._colour_axes()

    def set_mode(self, mode: str) -> None:
        """Draw in another way."""
        self.mode = mode
        self._main.both = mode == "phase"
        self._manual.clear()
        self._ranges.clear()
        self._arrange()

    def set_left(self, width: int) -> None:
        """Set the width of the left axis: the same in all plots, so that equal times stand below each other."""
        if self._axes[0].fixedWidth != width:
            self._axes[0].setWidth(width)

    def _take_needed(self, width: int) -> None:
        self.left_needed = max(LEFT, width)
        self.widened.emit()

    def show_time(self, on: bool) -> None:
        """Name the time axis, or leave that to a plot below."""
        if self._shows_time != on:
            self._shows_time = on
            self._arrange()

    def fit(self) -> None:
        """Follow the curves with the ranges of values."""
        self._manual.clear()
        self._ranges.clear()

    def axis_of(self, curve: Curve) -> int:
        """The axis that a curve has, by choice or by its unit."""
        return self._where.get(curve, 0)

    def _arrange(self) -> None:
        """Give every curve its axis: the chosen one, else one for each unit."""
        shown = [curve for curve in self.curves if curve.is_shown]
        units: list[str | None] = [None] * len(AXES)
        for curve in shown:
            if curve.axis >= 0 and units[curve.axis] is None:
                units[curve.axis] = curve.unit
        where: dict[Curve, int] = {}
        for curve in self.curves:
            unit = curve.unit
            if self.mode != "time":
                where[curve] = 0
            elif curve.axis >= 0:
                where[curve] = curve.axis
            elif curve not in shown:
                where[curve] = 0
            elif not unit:
                where[curve] = 0  # unknown, or a plain number
            elif unit in units:
                where[curve] = units.index(unit)
            elif None in units:
                where[curve] = units.index(None)
                units[where[curve]] = unit
            else:
                where[curve] = len(AXES) - 1
        for curve in self.curves:
            before, after = self._where.get(curve), where[curve]
            while len(self._boxes) <= after:
                self._add_axis()
            if before != after:
                for item in self._items[curve]:
                    if before is not None:
                        self._boxes[before].removeItem(item)
                    self._boxes[after].addItem(item, ignoreBounds=True)
        self._where = where
        used = {where[curve] for curve in shown} | {0}
        for number, axis in enumerate(self._axes):
            axis.setVisible(number in used)
        self._label(shown)

    def _add_axis(self) -> None:
        number = len(self._boxes)
        box = _PlotBox()
        axis = self.getAxis("right") if number == 1 else Axis("right")
        if number == 1:
            self.showAxis("right")
        else:
            cast(pg.PlotItem, self.plotItem).layout.addItem(axis, 2, 1 + number)  # type: ignore[attr-defined]
        self.scene().addItem(box)
        axis.linkToView(box)
        box.setXLink(self._main)
        box.setZValue(self._main.zValue() - 1)
        box.sigRangeChangedManually.connect(lambda _mask, number=number: self._manual.add(number))
        box.fitted.connect(self.fitted)
        axis.needed.connect(lambda width, axis=axis: self._widen(axis, width), Qt.ConnectionType.QueuedConnection)
        self._boxes.append(box)
        self._axes.append(axis)
        self._place_boxes()
        self.retheme()

    def _widen(self, axis: Axis, width: int) -> None:
        """Give an axis at the right the width of its numbers and its name. It shrinks only by much: that stays calm."""
        if axis.fixedWidth is None or not 0 <= axis.fixedWidth - width <= CALM:
            axis.setWidth(width)

    def _place_boxes(self) -> None:
        for box in self._boxes[1:]:
            box.setGeometry(self._main.sceneBoundingRect())
            box.linkedViewChanged(self._main, box.XAxis)

    def _label(self, shown: list[Curve]) -> None:
        bottom = self.getAxis("bottom")
        if self.mode == "phase":
            across = shown[0] if shown else None
            self._name_axis(bottom, "" if across is None else self._named(across))
            self._name_axis(self._axes[0], ", ".join(self._named(each) for each in shown[1:3]))
            return
        self._name_axis(bottom, tr("Hz") if self.mode == "spectrum" else "s" if self._shows_time else "")
        for number, axis in enumerate(self._axes):
            units = {self.units.name(each.unit) for each in shown if self._where[each] == number}
            self._name_axis(axis, units.pop() if len(units) == 1 else "")

    def _named(self, curve: Curve) -> str:
        unit = self.units.name(curve.unit)
        return f"{curve.label}, {unit}" if unit else curve.label

    def _name_axis(self, axis: pg.AxisItem, text: str) -> None:
        if self._names.get(axis) != text:
            self._names[axis] = text
            self._write_names()

    def _write_names(self, *_ignored: object) -> None:
        """Write the names of the axes as long as these are; the middle of a longer one is left out."""
        room, metrics = self._main.rect(), self.fontMetrics()
        for axis, name in self._names.items():
            length = room.width() if axis.orientation == "bottom" else room.height()
            shown = escape(metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, int(length)))
            if shown != axis.labelText:
                axis.setLabel(shown)
                axis.resizeEvent()  # which centres the name

    # ---- drawing -----------------------------------------------------------------------------------------

    def set_times(self, start: float, end: float) -> None:
        """Show these simulated times."""
        self.start, self.end = start, end
        if self.mode == "time":
            self._main.setXRange(start, end, padding=0)

    def refresh(self) -> None:
        """Draw what was recorded up to now."""
        extents: dict[int, tuple[float, float] | None] = {}
        shown = [curve for curve in self.curves if curve.is_shown]
        across: tuple[float, float] | None = None
        timelines = self.series.timelines()[-1 - MOST_EARLIER : -1] if self.shows_earlier else []
        for curve in self.curves:
            item, faint = self._items[curve]
            if curve not in shown:
                item.clear()
                faint.clear()
                continue
            x, y = self._points(curve, shown)
            whole = bool(np.isfinite(y).all() and np.isfinite(x).all())
            item.setData(x, y, connect="all" if whole else "finite", skipFiniteCheck=whole)
            if self.mode == "time" and timelines:
                faint.setData(*self._earlier(curve, timelines))
            elif faint.xData is not None and len(faint.xData):
                faint.clear()
            number = self._where[curve]
            extents[number] = _hull(extents.get(number), y)
            if self.mode != "time":
                across = _hull(across, x)
        for number, extent in extents.items():
            if extent is not None and number not in self._manual:
                self._show_range(number, extent)
        if self.mode != "time" and across is not None and 0 not in self._manual:
            low, high = _padded(across) if self.mode == "phase" else (0.0, across[1] or 1.0)
            self._main.setXRange(low, high, padding=0)
        self._show_marks()

    def _points(self, curve: Curve, shown: list[Curve]) -> analysis.Points:
        factor = self.units.factor(curve.unit)
        if self.mode == "phase":
            first = shown[0]
            if curve is first and len(shown) > 1:
                return np.empty(0), np.empty(0)
            factors = self.units.factor(first.unit), factor
            return analysis.phase(self.series, first, curve, self.start, self.end, factors)
        if self.mode == "spectrum":
            return analysis.spectrum(self.series, curve, self.start, self.end, factor)
        return analysis.over_time(self.series, curve, self.start, self.end, self._most, factor)

    def _earlier(self, curve: Curve, timelines: list[list[SeriesRun]]) -> analysis.Points:
        factor = self.units.factor(curve.unit)
        return analysis.earlier(self.series, curve, self.start, self.end, self._most, factor, timelines)

    @property
    def _most(self) -> int:
        """Points of a curve that the width can show."""
        return max(200, 2 * int(self._main.width()))

    def _show_range(self, number: int, extent: tuple[float, float]) -> None:
        """Bring the extent into view. A range that is not much too large stays, so that the axis is calm."""
        low, high = _padded(extent)
        before = self._ranges.get(number)
        if before is not None:
            edge = 0.2 * PADDING * (before[1] - before[0])
            if before[0] + edge <= extent[0] and extent[1] <= before[1] - edge:
                if before[1] - before[0] < 1.6 * (high - low):
                    return
        self._ranges[number] = low, high
        self._boxes[number].setYRange(low, high, padding=0)

    def _show_marks(self) -> None:
        if self.mode != "time":
            self.marks.show_marks([], [], None, [], False)
            return
        lines = self.series.timelines()
        runs = {run.number for timeline in lines[-1:] for run in timeline}
        if self.shows_earlier:
            runs |= {timeline[-1].number for timeline in lines[-1 - MOST_EARLIER : -1]}
        known = [
            event
            for event in self.series.events
            if event.kind in self.events
            and event.kind != "reset"
            and event.run in runs
            and self.start <= event.time <= self.end
        ]
        ends = []
        if "reset" in self.events and self.shows_earlier:
            first = max(0, len(lines) - 1 - MOST_EARLIER)
            ends = [
                RunEnd(number, lines[number - 1][-1].end)
                for number in range(first + 1, len(lines))
                if self.start <= lines[number - 1][-1].end <= self.end
            ]
        self.marks.show_marks(known[-MOST_MARKS:], ends, *self._begin(), self.is_computing)

    def _begin(self) -> tuple[float | None, list[tuple[float, str]]]:
        """Up to where no curve has data although the run had begun, and the curves whose data begins later."""
        begins: dict[Curve, float] = {}
        for curve in self.curves:
            if curve.is_shown:
                found = curve.begin(self.series)
                if found is not None:
                    begins[curve] = found[0] if found[1] > self.begun_at + 1 else -math.inf
        first = min(begins.values(), default=-math.inf)
        late = [
            (time, curve.colour(theme.current().name))
            for curve, time in begins.items()
            if time > max(first, self.start)
        ]
        return (first if first > self.start else None), late

    # ---- the user ----------------------------------------------------------------------------------------

    def _take_main_range(self, mask: Sequence[bool]) -> None:
        if mask[1] or self.mode != "time":
            self._manual.add(0)
        if mask[0] and self.mode == "time":
            (start, end), _ = self._main.viewRange()
            self.moved.emit(start, end)

    def _hover(self, place: QPointF) -> None:
        inside = self.mode == "time" and self._main.sceneBoundingRect().contains(place)
        self.hovered.emit(self._main.mapSceneToView(place).x() if inside else None)

    def leaveEvent(self, event) -> None:
        super().leaveEvent(event)
        self.hovered.emit(None)

    def paintEvent(self, event) -> None:
        begun = time.monotonic()
        super().paintEvent(event)
        self.paint_time = time.monotonic() - begun

    def set_cursor(self, moment: float | None) -> None:
        """Show a line at a time."""
        self._line.setVisible(moment is not None and self.mode == "time")
        if moment is not None:
            self._line.setValue(moment)

    def value(self, curve: Curve, moment: float | None) -> float:
        """Value of a curve in the legend: at the cursor, else the newest."""
        factor = self.units.factor(curve.unit)
        return factor * curve.value_at(self.series, np.inf if moment is None else moment)


def _hull(extent: tuple[float, float] | None, values: np.ndarray) -> tuple[float, float] | None:
    """The least and the greatest of finite values, and of an extent; None where there are none."""
    if not len(values):
        return extent
    low, high = float(values.min()), float(values.max())
    if not math.isfinite(high - low):
        finite = values[np.isfinite(values)]
        if not len(finite):
            return extent
        low, high = float(finite.min()), float(finite.max())
    return (low, high) if extent is None else (min(low, extent[0]), max(high, extent[1]))


def _padded(extent: tuple[float, float]) -> tuple[float, float]:
    low, high = extent
    size = high - low
    least = max(abs(low), abs(high)) * 1e-6 or 1.0
    space = PADDING * size if size > least else max(least, 0.05 * max(abs(low), abs(high)))
    return low - space, high + space
