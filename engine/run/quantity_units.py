"""The units of recorded numbers, where a field, a joint or a sensor says which it is.

unit_of(model, parse(model, 'joint("knee").qvel'))     "rad/s"
sensor_unit(model, 3)                                  "m/s²"
"""

from __future__ import annotations

from collections.abc import Callable

from kinetree.engine.model import enums
from kinetree.engine.model.fields import by_name
from kinetree.engine.model.model import Model
from kinetree.engine.model.sensors import (
    ACCELERATION,
    ANGLE,
    ANGULAR_ACCELERATION,
    ANGULAR_VELOCITY,
    FORCE,
    LENGTH,
    TORQUE,
    VELOCITY,
    by_type,
)
from kinetree.engine.run.contact_recording import COUNT
from kinetree.engine.run.expression_tree import Expression

MOST = 200
"""Entries of an array that are looked at."""
CONTACT_UNITS = (FORCE, FORCE, FORCE, FORCE, FORCE, "", LENGTH)
"""Of the columns of a channel of contacts."""

_FIELDS: dict[str, str] = {
    "time": "s",
    "energy": "J",
    **dict.fromkeys(
        ("xpos", "xipos", "xanchor", "geom_xpos", "site_xpos", "cam_xpos", "light_xpos", "flexvert_xpos", "wrap_xpos",
         "subtree_com", "mocap_pos", "ten_length", "contact_dist", "contact_pos", "contact_includemargin"), LENGTH,
    ),
    **dict.fromkeys(("ten_velocity", "subtree_linvel"), VELOCITY),
    "subtree_angmom": "kg m²/s",
}  # fmt: skip
_SPATIAL: dict[str, tuple[str, str]] = {
    "xfrc_applied": (FORCE, TORQUE), "cfrc_int": (TORQUE, FORCE), "cfrc_ext": (TORQUE, FORCE),
    "cvel": (ANGULAR_VELOCITY, VELOCITY), "cacc": (ANGULAR_ACCELERATION, ACCELERATION),
}  # fmt: skip
"""Fields with six numbers for each body: the units of the first three and of the last three."""
_OF_DOFS: dict[str, tuple[str, str]] = {
    "qvel": (ANGULAR_VELOCITY, VELOCITY),
    "qacc": (ANGULAR_ACCELERATION, ACCELERATION),
    "qacc_smooth": (ANGULAR_ACCELERATION, ACCELERATION),
    **dict.fromkeys(
        ("qfrc_applied", "qfrc_bias", "qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid", "qfrc_passive",
         "qfrc_actuator", "qfrc_smooth", "qfrc_constraint", "qfrc_inverse"), (TORQUE, FORCE),
    ),
}  # fmt: skip
"""Fields with a number for each degree of freedom: its unit where it turns, and where it slides."""


def sensor_unit(model: Model, sensor: int) -> str:
    """The unit of a sensor's numbers, "" for none."""
    row = by_type().get(int(model.sensor_type[sensor]))
    if row is None:
        return ""
    of_joint = row.target.kind == "joint"
    return row.unit_of(of_joint and model.jnt_type[model.sensor_objid[sensor]] == enums.JNT_SLIDE)


def units_of(model: Model, expression: Expression, other: Model | None = None) -> list[str]:
    """The unit of each column of a quantity: of a part of a field, or of sums, differences, extremes and lengths of
    such. "" where nobody can tell. `other`: the model that is compared, for what is of it."""
    first = model
    units: list[str] = []
    for item in expression.channels:
        model = other if item.is_other and other is not None else first
        if item.sides is not None:
            units += CONTACT_UNITS
            continue
        find = _FINDERS.get(item.field, lambda model, field, entry: _FIELDS.get(field, ""))
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


def _dof(model: Model, field: str, entry: int) -> str:
    joint = int(model.dof_jntid[entry])
    kind = model.jnt_type[joint]
    slides = kind == enums.JNT_SLIDE or (kind == enums.JNT_FREE and entry - model.jnt_dofadr[joint] < 3)
    assert slides or kind in (enums.JNT_HINGE, enums.JNT_BALL, enums.JNT_FREE)
    return _OF_DOFS[field][int(slides)]


def _spatial(model: Model, field: str, entry: int) -> str:
    return _SPATIAL[field][int(entry % 6 >= 3)]


def _sensor(model: Model, field: str, entry: int) -> str:
    return sensor_unit(model, int((model.sensor_adr <= entry).nonzero()[0][-1]))


_FINDERS: dict[str, Callable[[Model, str, int], str]] = {
    "qpos": _position,
    "sensordata": _sensor,
    **dict.fromkeys(_OF_DOFS, _dof),
    **dict.fromkeys(_SPATIAL, _spatial),
}
