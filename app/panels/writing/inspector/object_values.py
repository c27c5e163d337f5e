"""Compiled and present values of the selected object: rows of the tables of Model and Data. No toolkit.

    rows = model_rows(model, ObjectId("joint", 0))      jnt_range, dof_damping, qpos0, ...
    rows = data_rows(model, ObjectId("joint", 0))       qpos, qvel, qacc, ...
    rows[0].text(model)                                 "-1.57 1.57"

An object's rows follow from the tables `engine/model/fields.py` and `engine/model/kinds.py`: its row in every array
that has one for each object of its kind, and its numbers in others (the positions of a joint in qpos).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from kinetree.engine.model import enums, kinds
from kinetree.engine.model.fields import TABLES, Field
from kinetree.engine.model.kinds import ObjectId
from kinetree.engine.translation import tr

MANY = 24
"""Of more numbers only how many they are is shown."""
DIGITS = 6


@dataclass(frozen=True, slots=True)
class ValueRow:
    """One array of an object: `where` are its rows in the array; None for a number of the whole model."""

    field: Field
    where: slice | None

    @property
    def name(self) -> str:
        return self.field.name

    @property
    def help(self) -> str:
        return self.field.help

    def read(self, source: Any) -> np.ndarray:
        """The numbers in a Model, or in a snapshot of Data."""
        array = getattr(source, self.field.name)
        found = np.asarray(array if self.where is None else array[self.where])
        return found[0] if self.where is not None and found.ndim > 1 and len(found) == 1 else found

    def text(self, source: Any, model: Any = None) -> str:
        """The numbers as text; names in place of ids and of enumerations."""
        values = self.read(source)
        if values.size > MANY:
            return tr("{size} numbers", size=" × ".join(map(str, values.shape)))
        if values.size == 1:
            value = values.reshape(-1)[0]
            named = self._named(value.item(), model)
            return named if named is not None else number(value)
        if values.ndim > 1:
            return "\n".join(" ".join(map(number, row)) for row in values.reshape(len(values), -1))
        return " ".join(map(number, values))

    def _named(self, value: float, model: Any) -> str | None:
        name = self.field.name
        if name in kinds.REFERENCES:
            kind = kinds.REFERENCES[name][0]
            return "none" if value < 0 else kinds.name_of(model, kind, int(value)) if model is not None else None
        prefix = self.field.constants
        if prefix:
            for word, number_ in vars(enums).items():
                if word.startswith(prefix) and number_ == value:
                    return word.removeprefix(prefix).lower()
        return None


def number(value: Any) -> str:
    """A number with DIGITS significant digits; whole numbers whole."""
    if isinstance(value, np.integer | int | np.bool_):
        return str(int(value))
    return f"{float(value) + 0.0:.{DIGITS}g}"  # no -0


def model_rows(model: Any, of: ObjectId) -> list[ValueRow]:
    """The arrays of the compiled model that have rows for an object."""
    return list(_rows(tr("Model"), model, of))


def data_rows(model: Any, of: ObjectId) -> list[ValueRow]:
    """The arrays of a snapshot that have rows for an object."""
    return [row for row in _rows(tr("Data"), model, of) if row.field.snapshot]


def _rows(table: str, model: Any, of: ObjectId) -> Iterator[ValueRow]:
    parts = kinds.parts(model, of.kind, of.id)
    own = kinds.KINDS[of.kind].size
    others = _OBJECTS if of.kind == "joint" or table == "Data" else _OBJECTS | {"nv"}
    parts = {size: rows for size, rows in parts.items() if size == own or size not in others}
    for field in TABLES[table]:
        if field.kind != "array" or not field.shape or _INTERNAL.search(field.name):
            continue
        if field.shape[0] in parts and 0 not in _sizes(model, field):
            yield ValueRow(field, parts[str(field.shape[0])])


_OBJECTS = {kind.size for kind in kinds.KINDS.values()} - {"nv"}
"""Objects inside a body (joints, geoms) have rows of their own."""
_INTERNAL = re.compile(r"^(block_|M_|wrap_)|_(blockid|Madr|simplenum|treeid|sameframe|simple)$")
"""Arrays that are about how the engine computes, not about the object."""


def _sizes(model: Any, field: Field) -> list[int]:
    return [getattr(model, size, 1) if isinstance(size, str) else size for size in field.shape[1:]]


# attribute of MJCF | arrays of the model, where the name does not follow from the attribute's
_COMPILED = """
joint | damping | dof_damping
joint | armature | dof_armature
joint | frictionloss | dof_frictionloss
joint | solreflimit | jnt_solref
joint | solimplimit | jnt_solimp
joint | solreffriction | dof_solref
joint | solimpfriction | dof_solimp
joint | springref | qpos_spring
joint | ref | qpos0
joint | actuatorfrcrange | jnt_actfrcrange
joint | actuatorfrclimited | jnt_actfrclimited
joint | actuatorgravcomp | jnt_actgravcomp
body | mass | body_mass
body | orientation | body_quat
geom | orientation | geom_quat
site | orientation | site_quat
camera | orientation | cam_quat
geom | material | geom_matid
geom | mesh | geom_dataid
geom | hfield | geom_dataid
site | material | site_matid
tendon | solreflimit | tendon_solref_lim
tendon | solimplimit | tendon_solimp_lim
tendon | solreffriction | tendon_solref_fri
tendon | solimpfriction | tendon_solimp_fri
tendon | springlength | tendon_lengthspring
tendon | actuatorfrcrange | tendon_actfrcrange
equality | active | eq_active0
camera | target | cam_targetbodyid
light | target | light_targetbodyid
pair | condim | pair_dim
texture | type | tex_type
"""
# attribute of MJCF | array of the running state that says what it is now
_NOW = """
body | pos | xpos
body | orientation | xquat
body | mocap | mocap_pos
joint | pos | xanchor
joint | axis | xaxis
joint | ref | qpos
joint | range | qpos
joint | damping | qvel
joint | type | qpos
geom | pos | geom_xpos
geom | orientation | geom_xmat
site | pos | site_xpos
site | orientation | site_xmat
camera | pos | cam_xpos
camera | orientation | cam_xmat
light | pos | light_xpos
light | dir | light_xdir
tendon | range | ten_length
tendon | damping | ten_velocity
actuator | ctrlrange | ctrl
actuator | forcerange | actuator_force
actuator | lengthrange | actuator_length
actuator | actrange | act
equality | active | eq_active
sensor | cutoff | sensordata
"""


def _by_attribute(table: str) -> dict[tuple[str, str], str]:
    rows = ([word.strip() for word in line.split("|")] for line in table.strip().splitlines())
    return {(kind, name): array for kind, name, array in rows}


_BY_ATTRIBUTE = _by_attribute(_COMPILED)
_NOW_BY_ATTRIBUTE = _by_attribute(_NOW)


def compiled_row(model: Any, of: ObjectId, attribute: str) -> ValueRow | None:
    """The array of the model that an attribute was compiled to; None where there is none."""
    array = _BY_ATTRIBUTE.get((of.kind, attribute), f"{kinds.KINDS[of.kind].prefix}_{attribute}")
    return next((row for row in model_rows(model, of) if row.field.name == array), None)


def current_row(model: Any, of: ObjectId, attribute: str) -> ValueRow | None:
    """The array of the running state that says what an attribute is about; None where there is none."""
    array = _NOW_BY_ATTRIBUTE.get((of.kind, attribute))
    return next((row for row in data_rows(model, of) if row.field.name == array), None) if array else None
