"""Python functions that a step calls: hooks for control, passive forces, user sensors and user actuators.

    def follow(model, data):
        data.ctrl[:] = -10 * data.qpos

    data.hooks = kinetree.Hooks(control=follow)
    kinetree.step(model, data, 100)

Hooks belong to a Data and stay when it is reset. They never come from a model file: a file runs no code. Without hooks
a step is one compiled call; with them it is one for each run of stages between two hooks. RK4 calls the hooks in each
of its four evaluations, sensors in the first only. Whatever a hook raises ends the step and reaches the caller; the
state is then that of the middle of a step.

A hook runs in the thread that steps the data. The names are those of MuJoCo's callbacks without `mjcb_`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.model import enums

if TYPE_CHECKING:
    from kinetree.engine.model.data import Data
    from kinetree.engine.model.model import Model

Hook = Callable[["Model", "Data"], None]
SensorHook = Callable[["Model", "Data", int], None]
ActuatorHook = Callable[["Model", "Data", int], float]


@dataclass(frozen=True)
class Hooks:
    """Functions that a step calls; None: nothing is called.

    control   (model, data): sets data.ctrl, qfrc_applied, xfrc_applied, from positions and velocities
    passive   (model, data): adds to data.qfrc_passive, N or N m (nv,); not called while the flag passive is disabled
    sensor    (model, data, stage): sets the values of user sensors whose model.sensor_needstage is the stage
              (enums.STAGE_POS, STAGE_VEL, STAGE_ACC) in data.sensordata; cutoffs follow. Called where there are any
    act_dyn   (model, data, actuator) -> rate of the activation of an actuator with dyntype "user"
    act_gain  (model, data, actuator) -> gain of an actuator with gaintype "user"; 1 without the hook
    act_bias  (model, data, actuator) -> bias force of an actuator with biastype "user"; 0 without the hook

    Raises TypeError for a value that is not callable.

    Source: specification, API reference, mjcb_control and its relatives.

    Example:
        def brake(model, data):
            data.qfrc_applied[:] = -2.0 * data.qvel

        model = kinetree.load("car.xml")
        data = kinetree.Data(model)
        data.hooks = kinetree.Hooks(control=brake)
        kinetree.step(model, data, 10)
        assert data.qfrc_applied.any()
    """

    control: Hook | None = None
    passive: Hook | None = None
    sensor: SensorHook | None = None
    act_dyn: ActuatorHook | None = None
    act_gain: ActuatorHook | None = None
    act_bias: ActuatorHook | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            hook = getattr(self, field.name)
            if hook is not None and not callable(hook):
                raise TypeError(f"the hook {field.name} is no function but {hook!r}")


def control(hooks: Hooks, model: Model, data: Data) -> None:
    if hooks.control is not None:
        hooks.control(model, data)


def passive(hooks: Hooks, model: Model, data: Data) -> None:
    if hooks.passive is not None and not model.opt.disableflags & enums.DSBL_PASSIVE:
        hooks.passive(model, data)


def sensors(stage: int) -> Callable[[Hooks, Model, Data], None]:
    """Calls the sensor hook for a stage (STAGE_), and cuts the values of user sensors off."""

    def call(hooks: Hooks, model: Model, data: Data) -> None:
        if hooks.sensor is None or model.opt.disableflags & enums.DSBL_SENSOR:
            return
        users = np.flatnonzero((model.sensor_type == enums.SENS_USER) & (model.sensor_needstage == stage))
        if not len(users):
            return
        hooks.sensor(model, data, stage)
        for i in users[model.sensor_cutoff[users] > 0]:
            first, cutoff = model.sensor_adr[i], model.sensor_cutoff[i]
            values = data.sensordata[first : first + model.sensor_dim[i]]
            if model.sensor_datatype[i] == enums.DATATYPE_REAL:
                np.clip(values, -cutoff, cutoff, out=values)
            elif model.sensor_datatype[i] == enums.DATATYPE_POSITIVE:
                np.minimum(values, cutoff, out=values)

    return call


def activation_rates(hooks: Hooks, model: Model, data: Data) -> None:
    """Set act_dot of actuators with dyntype "user"."""
    if hooks.act_dyn is None or model.opt.disableflags & enums.DSBL_ACTUATION:
        return
    for i in np.flatnonzero(model.actuator_dyntype == enums.DYN_USER).tolist():
        last = model.actuator_actadr[i] + model.actuator_actnum[i] - 1
        data.act_dot[last] = hooks.act_dyn(model, data, i)


def gains_and_biases(hooks: Hooks, model: Model, data: Data) -> None:
    """Set gains and bias forces of type "user"."""
    if model.opt.disableflags & enums.DSBL_ACTUATION:
        return
    if hooks.act_gain is not None:
        for i in np.flatnonzero(model.actuator_gaintype == enums.GAIN_USER).tolist():
            data.muscle_gain[i] = hooks.act_gain(model, data, i)
    if hooks.act_bias is not None:
        for i in np.flatnonzero(model.actuator_biastype == enums.BIAS_USER).tolist():
            data.muscle_bias[i] = hooks.act_bias(model, data, i)
