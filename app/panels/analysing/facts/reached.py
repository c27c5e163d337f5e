"""How far joints went in their ranges, and how often actuators were at their limits: over every step while the part is
in view."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QToolButton, QWidget

from kinetree.app.panels.live.fitting import fit_columns
from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import NAME, LiveColumn, LiveRow, sort_key
from kinetree.app.panels.live.units_button import UnitsButton
from kinetree.app.settings.icons import icon
from kinetree.app.widgets.readouts import number_text
from kinetree.app.workers.simulation import requests
from kinetree.app.workspace.selection import Selection
from kinetree.app.workspace.workspace import Workspace
from kinetree.engine import run
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import marked, tr

if TYPE_CHECKING:
    from kinetree.engine.run.capture import Capture

AT_LIMIT = 1e-9
"""Of a range: nearer to an end counts as at it. Actuators are clamped to the bit."""


class Extremes(QObject):
    """Records least and greatest of some expressions over all steps, and how often each was at its bounds.

    bounds(model)  the expressions, and for each column of all the bounds, (n, 2), infinite without
    low, high      (n,) least and greatest, nan before the first step
    at_low, at_high  (n,) steps at the bounds
    steps          how many steps they are of
    """

    def __init__(self, workspace: Workspace, bounds: Callable[[Any], tuple[list[str], np.ndarray]], parent: QObject):
        super().__init__(parent)
        self._workspace, self._simulation, self._bounds_of = workspace, workspace.simulation, bounds
        self._capture: Capture | None = None
        self._model: Any = None
        self._on = self._is_ready = self._preparing = False
        self._texts: list[str] = []
        self._bounds = np.zeros((0, 2))
        self.begin_anew()
        self._simulation.snapshot_changed.connect(self.drain)
        self._simulation.model_changed.connect(self._renew)

    def begin_anew(self) -> None:
        """Forget what was reached."""
        self.drain()
        count = len(self._bounds)
        self.steps = 0
        self.low, self.high = np.full(count, math.nan), np.full(count, math.nan)
        self.at_low, self.at_high = np.zeros(count, np.int64), np.zeros(count, np.int64)

    def set_on(self, on: bool) -> None:
        """Record, or not while nobody sees it."""
        self._on = on
        if on and not self._is_ready and not self._preparing:
            self._preparing = True
            self._workspace.tasks.run(
                tr("Preparing the record of joints"), run.recorder.prepare, self._begin, lambda _reason: None
            )
        self._renew()

    def _begin(self, _answer: object) -> None:
        self._is_ready = True
        self._renew()

    def _renew(self) -> None:
        model = self._simulation.model
        if self._capture is not None:
            self._simulation.post(requests.StopRecording(self._capture.recorder))
            if model is self._model:
                self.drain()
            self._capture = None
        if model is not self._model:
            self._model = model
            self._texts, self._bounds = ([], np.zeros((0, 2))) if model is None else self._bounds_of(model)
            self.begin_anew()
        if self._on and self._is_ready and model is not None and self._texts:
            self._capture = run.capture.Capture(
                model, {text: run.expression.parse(model, text) for text in self._texts}
            )
            self._simulation.post(requests.Record(self._capture.recorder))

    def drain(self) -> None:
        """Take the steps since the last time."""
        if self._capture is None:
            return
        values = self._capture.read().values
        if not len(values) or values.shape[1] != len(self._bounds):
            return
        self.steps += len(values)
        self.low = np.fmin(self.low, np.fmin.reduce(values, axis=0))
        self.high = np.fmax(self.high, np.fmax.reduce(values, axis=0))
        reach = AT_LIMIT * np.maximum(np.abs(self._bounds[:, 1] - self._bounds[:, 0]), 0.0)
        reach[~np.isfinite(reach)] = 0.0
        self.at_low += (values <= self._bounds[:, 0] + reach).sum(axis=0)
        self.at_high += (values >= self._bounds[:, 1] - reach).sum(axis=0)


class ReachedPanel(LivePanel):
    """Panel with a list of extremes over all steps. `order`: the columns, the most important first."""

    order: Sequence[int] = ()

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(workspace, settings, parent)
        self.extremes = Extremes(workspace, self.bounds, self)
        self.again = QToolButton(self)
        self.again.setIcon(icon("reset"))
        self.again.setAutoRaise(True)
        self.again.setToolTip(tr("Reset the record"))
        self.again.setAccessibleName(tr("Reset the record"))
        self.again.clicked.connect(self._begin_anew)
        self.top.addWidget(self.again)

    @staticmethod
    def bounds(model: Any) -> tuple[list[str], np.ndarray]:
        """The recorded bounds: see Extremes."""
        raise NotImplementedError

    def fit_list(self) -> None:
        fit_columns(self.view, self.order)

    def _begin_anew(self) -> None:
        self.extremes.begin_anew()
        self.view.refresh()
        self.said.emit(tr("The record starts again"))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.extremes.set_on(True)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():
            self.extremes.set_on(False)


Reached = tuple[float, ...]


def _number(title: str, index: int, help: str, is_percent: bool = False, width: int = 78) -> LiveColumn:
    def text(row: LiveRow, value: Reached | None, units: Any) -> str:
        if value is None or math.isnan(value[index]):
            return ""
        return f"{100 * value[index]:.0f} %" if is_percent else number_text(value[index] * units.factor(row.unit))

    def order(_row: LiveRow, value: Reached | None) -> tuple:
        return sort_key(None if value is None else value[index])

    return LiveColumn(title, text, order, is_live=True, is_number=True, help=help, width=width)


def _bounds_text(row: LiveRow, value: Reached | None, units: Any) -> str:
    if value is None or math.isinf(value[0]):
        return "none"
    factor = units.factor(row.unit)
    return f"{number_text(value[0] * factor)} … {number_text(value[1] * factor)}"


RANGE = LiveColumn(
    marked("Range"),
    _bounds_text,
    lambda _row, value: sort_key(None if value is None else value[1] - value[0]),
    is_live=True,
    is_number=True,
    width=130,
    help=marked("The limits that the model gives"),
)


class RangesPanel(ReachedPanel):
    """Hinges and slides: their ranges, and what they reached."""

    order = (4, 5, 2, 3, 1)

    what = "joint"
    columns = (
        NAME,
        RANGE,
        _number(marked("Least"), 2, marked("Least position of all recorded steps")),
        _number(marked("Greatest"), 3, marked("Greatest position of all recorded steps")),
        _number(marked("Used"), 4, marked("Part of the range between the two"), True, 58),
        _number(marked("At limit"), 5, marked("Part of the steps at or beyond a limit"), True, 64),
    )

    def __init__(self, workspace: Workspace, settings: Any, parent: QWidget | None = None):
        super().__init__(workspace, settings, parent)
        self.top.addWidget(UnitsButton(self.units, self))

    @staticmethod
    def bounds(model: Any) -> tuple[list[str], np.ndarray]:
        texts, bounds = [], []
        for joint in _scalar_joints(model):
            texts.append(f"qpos[{int(model.jnt_qposadr[joint])}]")
            limited = bool(model.jnt_limited[joint])
            bounds.append(model.jnt_range[joint].tolist() if limited else [-math.inf, math.inf])
        return texts, np.array(bounds, float).reshape(-1, 2)

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        for place, joint in enumerate(_scalar_joints(model)):
            address = int(model.jnt_qposadr[joint])
            limited = bool(model.jnt_limited[joint])
            low, high = model.jnt_range[joint].tolist() if limited else (-math.inf, math.inf)
            yield LiveRow(
                name_of(model, "joint", joint), self._reader(place, low, high),
                "m" if model.jnt_type[joint] == enums.JNT_SLIDE else "rad", Selection("joint", joint),
                f"qpos[{address}]",
                help=tr("Without a range") if not limited else "",
            )  # fmt: skip

    def _reader(self, place: int, low: float, high: float) -> Callable[[Any], Reached | None]:
        def read(_state: Any) -> Reached | None:
            found = self.extremes
            if place >= len(found.low):
                return None
            least, greatest = float(found.low[place]), float(found.high[place])
            span = high - low
            is_limited = math.isfinite(span) and span > 0
            used = (greatest - least) / span if is_limited else math.nan
            at_limit = int(found.at_low[place] + found.at_high[place]) / max(found.steps, 1) if is_limited else math.nan
            return low, high, least, greatest, used, at_limit if found.steps else math.nan

        return read

    def empty_text(self, model: Any) -> str:
        return tr("This model has no hinges and no slides.")


class ActuatorsPanel(ReachedPanel):
    """Actuators: how often controls and forces were at their limits, and the greatest force."""

    order = (1, 4, 3, 2)

    what = "actuator"
    columns = (
        NAME,
        _number(
            marked("Control at limit"),
            0,
            marked("Part of the steps in which the control was at, or beyond, its ctrlrange"),
            True,
            108,
        ),
        _number(
            marked("Force at limit"), 1, marked("Part of the steps in which the force was at its forcerange"), True, 98
        ),
        _number(marked("Least force"), 2, marked("Least force of all recorded steps")),
        _number(marked("Greatest force"), 3, marked("Greatest force of all recorded steps"), width=100),
    )

    @staticmethod
    def bounds(model: Any) -> tuple[list[str], np.ndarray]:
        if not model.nu:
            return [], np.zeros((0, 2))
        bounds = np.tile([-math.inf, math.inf], (2 * model.nu, 1))
        for first, name in ((0, "ctrl"), (model.nu, "force")):
            limited = np.flatnonzero(getattr(model, f"actuator_{name}limited"))
            bounds[first + limited] = getattr(model, f"actuator_{name}range")[limited]
        return ["ctrl", "actuator_force"], bounds

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        for actuator in range(model.nu):
            yield LiveRow(
                name_of(model, "actuator", actuator),
                self._reader(actuator, int(model.nu), bool(model.actuator_ctrllimited[actuator]),
                             bool(model.actuator_forcelimited[actuator])),
                "", Selection("actuator", actuator), f"actuator_force[{actuator}]",
            )  # fmt: skip

    def _reader(self, actuator: int, count: int, ctrl: bool, force: bool) -> Callable[[Any], Reached | None]:
        def read(_state: Any) -> Reached | None:
            found = self.extremes
            if len(found.low) != 2 * count or not found.steps:
                return None
            hits = (found.at_low + found.at_high) / found.steps
            return (
                float(hits[actuator]) if ctrl else math.nan,
                float(hits[count + actuator]) if force else math.nan,
                float(found.low[count + actuator]),
                float(found.high[count + actuator]),
            )

        return read


def _scalar_joints(model: Any) -> list[int]:
    return np.flatnonzero(np.isin(model.jnt_type, (enums.JNT_HINGE, enums.JNT_SLIDE))).tolist()
