"""Length ranges of actuators: given, copied from limits, or found by pushing each actuator to both ends of its length.

The push is a simulation without contacts, gravity, passive and actuator forces, in which velocities decay; joint and
tendon limits, equalities and the geometry alone end it. Specification: XML reference, compiler/lengthrange; Modeling,
"Length range".
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from kinetree import engine
from kinetree.engine import dynamics, jit, run
from kinetree.engine.dynamics import query
from kinetree.engine.model import enums
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics
    from kinetree.engine.mjcf.elements import Element, SettingsValues
    from kinetree.engine.model.model import Model

LEAST_TIME = 0.01
"""Least time constant of the velocities' decay, s; shorter ones are raised, as in the reference."""
STEPS = 1_000_000
"""Most steps of one simulation."""
CHUNK = 500
"""Steps between two questions whether to go on."""
OFF = enums.DSBL_CONTACT | enums.DSBL_PASSIVE | enums.DSBL_GRAVITY | enums.DSBL_ACTUATION | enums.DSBL_FRICTIONLOSS


def wanted(model: Model, settings: SettingsValues) -> list[int]:
    """The actuators selected by compiler/lengthrange mode."""
    mode = settings["mode"]
    gain, bias = model.actuator_gaintype, model.actuator_biastype
    chosen = np.zeros(model.nu, bool)
    if mode == "all":
        chosen[:] = True
    elif mode != "none":
        chosen |= (gain == enums.GAIN_MUSCLE) | (bias == enums.BIAS_MUSCLE)
        if mode == "muscleuser":
            chosen |= (gain == enums.GAIN_USER) | (bias == enums.BIAS_USER)
    return np.flatnonzero(chosen).tolist()


def fill(
    model: Model,
    actuators: list[Element],
    settings: SettingsValues,
    diagnostics: Diagnostics,
    cancelled: Callable[[], bool],
) -> None:
    """Set model.actuator_lengthrange; the model is otherwise complete. Stops early when `cancelled` returns True."""
    open_ = []
    for i in wanted(model, settings) if model.nu else ():
        low, high = model.actuator_lengthrange[i]
        if settings["useexisting"] and low < high:
            continue
        limits = _limits(model, i) if settings["uselimit"] else None
        if limits is None:
            open_.append(i)
        else:
            model.actuator_lengthrange[i] = limits
    if not open_:
        return
    search = _Search(model, settings)
    if search.steps > STEPS:
        message = tr(
            "the simulation would take {steps:.0f} steps; raise timestep or lower inttotal", steps=search.steps
        )
        place = settings.given.get("timestep") or actuators[open_[0]].node
        diagnostics.error(place, "bad-value", message)
        return
    found = search.all(open_, cancelled)
    if cancelled():
        return
    for i in open_:
        (low, after_low), (before_high, high) = found[i, -1], found[i, 1]
        model.actuator_lengthrange[i] = low, high
        spread = max(after_low - low, high - before_high)
        if not low < high:
            message = tr(
                "the actuator cannot change its length (found {low:.4g} to {high:.4g}); give lengthrange, or "
                "exclude it by compiler/lengthrange mode",
                low=low,
                high=high,
            )
        elif not spread <= settings["tolrange"] * (high - low):
            message = tr(
                "the length still changed by {spread:.4g} at the end of the search for its range ({low:.4g} "
                "to {high:.4g}): limit the joints or tendons that the actuator moves, give lengthrange, or "
                "raise inttotal in compiler/lengthrange",
                spread=spread,
                low=low,
                high=high,
            )
        else:
            continue
        diagnostics.error(actuators[i].at("lengthrange"), "no-length-range", message)


def _limits(model: Model, i: int) -> np.ndarray | None:
    """The limits of the joint or tendon that the actuator acts on, None without limits.

    As specified; mujoco 3.3.4 looks at the wrong joint or tendon for all actuators but the first.
    """
    kind, target = model.actuator_trntype[i], model.actuator_trnid[i, 0]
    if kind in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT) and model.jnt_limited[target]:
        return model.jnt_range[target]
    if kind == enums.TRN_TENDON and model.tendon_limited[target]:
        return model.tendon_range[target]
    return None


class _Search:
    """A copy of the model in which only limits, equalities and pushes act, and its compiled step."""

    def __init__(self, model: Model, settings: SettingsValues):
        self.settings = settings
        twin = self.model = model.copy()
        # as in the reference: whatever the model disables is enabled here
        twin.opt.disableflags = OFF
        if twin.opt.integrator in (enums.INT_IMPLICIT, enums.INT_IMPLICITFAST):
            twin.opt.disableflags |= enums.DSBL_EULERDAMP  # they damp joints as a passive force, which is off
        twin.opt.integrator = enums.INT_EULER
        twin.geom_contype = twin.geom_conaffinity = 0
        if settings["timestep"] > 0:
            twin.opt.timestep = settings["timestep"]
        self.steps = settings["inttotal"] / twin.opt.timestep

    def compile(self, cancelled: Callable[[], bool]) -> bool:
        """Make the kernels of the step ready; False where it was cancelled."""

        rows = query.length_range.stages(self.model)
        if not run.warmup.prepare([*(row.where for row in rows), run.warmup.LOOP], cancelled=cancelled):
            return False
        self.table = np.array([jit.compiler.address_of(row.where) for row in rows], np.int64)
        return True

    def all(self, actuators: list[int], cancelled: Callable[[], bool]) -> dict[tuple[int, int], tuple[float, float]]:
        """(actuator, side) -> what `end` says of it; several at a time, since the steps need no interpreter."""
        from concurrent.futures import ThreadPoolExecutor

        if not self.compile(cancelled):
            return {}
        pushes = [(i, side) for i in actuators for side in (-1, 1)]
        with ThreadPoolExecutor(min(len(pushes), os.cpu_count() or 1)) as pool:
            ends = list(pool.map(lambda push: self.end(push[0], push[1], cancelled), pushes))
        return dict(zip(pushes, ends, strict=True))

    def end(self, i: int, side: int, cancelled: Callable[[], bool]) -> tuple[float, float]:
        """(least, greatest) length near the end of a push of actuator i towards short (-1) or long (1)."""

        model, settings = self.model, self.settings
        data = engine.model.data.Data(model)
        factor = math.exp(-model.opt.timestep / max(LEAST_TIME, settings["timeconst"]))
        since = settings["inttotal"] - settings["interval"]
        push = side * settings["accel"]
        data.probe = [i, push, settings["maxforce"], factor, since, math.inf, -math.inf]
        while data.time < settings["inttotal"] and not cancelled():
            left = (settings["inttotal"] - data.time) / model.opt.timestep
            dynamics.forward.run_stages(model, data, int(min(CHUNK, max(1, left - 1))), self.table)
        low, high = data.probe[5], data.probe[6]
        return (float(low), float(high)) if low <= high else (0.0, 0.0)
