"""The units of recorded numbers, where a field, a joint or a sensor says which it is.

units_of(model, parse(model, 'joint("knee").qvel'))    ["rad/s"]
sensor_unit(model, 3)                                   "m/s²"
"""

from __future__ import annotations

from collections.abc import Callable

from kinetree.engine.model import enums
from kinetree.engine.model.fields import by_name
from kinetree.engine.model.model import Model
from kinetree.engine.model.sensors import (
    ANGLE,
    FORCE,
    LENGTH,
    by_type,
)
from kinetree.engine.run.contact_recording import COUNT
from kinetree.engine.run.expression_tree import Expression

MOST = 200
"""Entries of an array that are looked at."""
CONTACT_UNITS = (FORCE, FORCE, FORCE, FORCE, FORCE, "", LENGTH)
"""Of the columns of a channel of contacts."""


def sensor_unit(model: Model, sensor: int) -> str:
    """The unit of a sensor's numbers, "" for none."""
    row = by_type().get(int(model.sensor_type[sensor]))
    if row is None:
        return ""
    of_joint = row.target.kind == "joint"
    return row.unit_of(of_joint and model.jnt_type[model.sensor_objid[sensor]] == enums.JNT_SLIDE)


def units_of(model: Model, expression: Expression, other: Model | None = None) -> list[str]:
    """The unit of each column of a quantity: of a part of a field, or of sums, differences, extremes and lengths of
    such. "" if unknown. `other`: the compared model, for its quantities.
    """
    first = model
    units: list[str] = []
    for item in expression.channels:
        model = other if item.is_other and other is not None else first
        if item.sides is not None:
            units += CONTACT_UNITS
            continue
        find = _FINDERS.get(item.field, _field)
        if item.operation:
            units.append(_common({find(model, item.field, item.start + k) for k in range(min(item.number, MOST))}))
        else:
            units += [find(model, item.field, item.start + k) for k in range(item.number)]
    return expression.combine(lambda column: units[column], _common)


def is_count(expression: Expression) -> bool:
    """Whether all its numbers are integers, as numbers of contacts are."""
    counted: list[bool] = []
    for item in expression.channels:
        if item.sides is not None:
            counted += [column == COUNT for column in range(item.width)]
        else:
            is_integer = by_name("Data")[item.field].dtype not in ("f8", "f4") and item.operation != "norm"
            counted += [is_integer] * item.width
    return expression.is_plain and all(counted[column] for column in expression.recorded)


def _common(units: set[str]) -> str:
    return units.pop() if len(units) == 1 else ""


def _position(model: Model, field: str, entry: int) -> str:
    joint = int((model.jnt_qposadr <= entry).nonzero()[0][-1])
    kind = model.jnt_type[joint]
    if kind == enums.JNT_HINGE:
        return ANGLE
    free = kind == enums.JNT_FREE and entry - model.jnt_qposadr[joint] < 3
    return LENGTH if kind == enums.JNT_SLIDE or free else ""


def _field(model: Model, field: str, entry: int) -> str:
    row = by_name("Data")[field]
    if len(row.units) < 2:
        return row.units[0] if row.units else ""
    return row.units[int(_slides(model, entry) if row.shape == ("nv",) else entry % 6 >= 3)]


def _slides(model: Model, dof: int) -> bool:
    joint = int(model.dof_jntid[dof])
    kind = model.jnt_type[joint]
    return kind == enums.JNT_SLIDE or (kind == enums.JNT_FREE and dof - model.jnt_dofadr[joint] < 3)


def _sensor(model: Model, field: str, entry: int) -> str:
    return sensor_unit(model, int((model.sensor_adr <= entry).nonzero()[0][-1]))


_FINDERS: dict[str, Callable[[Model, str, int], str]] = {
    "qpos": _position,
    "sensordata": _sensor,
}
