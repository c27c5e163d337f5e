"""One object of a model by its name: `model.body("torso").mass`, `data.joint("knee").qpos`.

A view has the rows of the object in all arrays of a Model or a Data, with the prefix of the kind left out:
`model.geom("floor").friction` is row 3 of `model.geom_friction`. Nothing is copied: what is written into a view is in
the array. The attributes follow from the table of arrays (`fields.py`) and the table of kinds (`kinds.py`).
"""

from __future__ import annotations

from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.model.arguments import kind_of, meant, object_id
from kinetree.engine.model.fields import TABLES
from kinetree.engine.model.kinds import KINDS, ObjectKind, parts

if TYPE_CHECKING:
    from kinetree.engine.model.memory import AddressTable
    from kinetree.engine.model.model import Model

PREFIXES = {"nv": ("dof",), "ntendon": ("ten",), "nsensordata": ("sensor",), "nkey": ("key",)}
"""Size -> prefixes that the names of its arrays may have besides that of their kind."""
SHOWN = ("", "state", "input", "output")
"""The roles of arrays that a view has; the others are work space and addresses."""
OWN = ("id", "kind", "name")


class ViewIndex(SimpleNamespace):
    """Names, sizes and addresses of a model, with which a Data finds the numbers of an object. It stands for the model
    in `kinds.parts`, so that a Data does not keep a whole model in memory."""

    names: dict[str, list[str]]


def index_of(model: Model) -> ViewIndex:
    """The index of a model, a copy."""
    sizes = {KINDS[kind].size: getattr(model, KINDS[kind].size) for kind in data_kinds()}
    ranges = [part for kind in data_kinds() for part in KINDS[kind].ranges]
    names = {name for part in ranges for name in (part.address, *part.fields)}
    arrays = {name: np.array(getattr(model, name)) for name in sorted(names)}
    return ViewIndex(names={kind: list(model.names.get(kind, ())) for kind in data_kinds()}, **sizes, **arrays)


@cache
def data_kinds() -> tuple[str, ...]:
    """The kinds whose objects have numbers in a Data."""
    return tuple(kind for kind, row in KINDS.items() if kind != "dof" and attributes("Data", row.name))


@cache
def attributes(table: str, kind: str) -> dict[str, tuple[str, str]]:
    """Attribute of a view -> (the array, its first dimension). `table`: "Model" or "Data". Where two arrays have one
    name without their prefixes, the first has it: `solref` of a joint is that of its limit, `dof_solref`
    that of its friction loss.
    """
    row = KINDS[kind]
    sizes = [row.size, *(part.size for part in row.ranges if _is_own(row, part.size))]
    arrays = [field for field in TABLES[table] if field.kind == "array" and field.role in SHOWN and not field.grows]
    found: dict[str, tuple[str, str]] = {}
    for size in dict.fromkeys(sizes):
        for field in arrays:
            if field.shape[0] == size:
                found.setdefault(_short(row, size, field.name), (field.name, size))
                found.setdefault(field.name, (field.name, size))
    return found


def _is_own(row: ObjectKind, size: str) -> bool:
    """Whether arrays of this size belong to the kind. Those of a body's joints, dofs and geoms belong to these."""
    return row.name != "body" or not any(kind.size == size for kind in KINDS.values())


def _short(row: ObjectKind, size: str, name: str) -> str:
    for prefix in (row.prefix, *PREFIXES.get(size, ())):
        if name.startswith(prefix + "_"):
            return name.removeprefix(prefix + "_")
        if size != row.size and name == prefix + "data":
            return "data"
    return name


class ObjectView:
    """An object of a model, and its rows in the arrays of a Model or a Data.

    id, kind, name  which object it is; `name` is "" for one without a name

    All other attributes are numpy arrays that share their memory with the Model or the Data, in SI units. An array that
    has one number for each object is an array of length 1, as in MuJoCo; `float(view.mass[0])` is the number.
    Assigning copies numbers of the same shape, or one number into an array of length 1; another shape raises
    ValueError, an unknown attribute AttributeError.

    Source: MuJoCo's documentation, Python, named access.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        joint = model.joint(0)
        assert isinstance(joint, kinetree.ObjectView)
        joint.damping = 0.5
        assert model.dof_damping[joint.dofadr[0]] == 0.5
        data.joint(joint.name).qpos = 0.1
        assert data.qpos[joint.qposadr[0]] == 0.1
    """

    __slots__ = ("_owner", "_rows", "id", "kind", "name")

    id: int
    kind: str
    name: str

    def __init__(self, owner: AddressTable, index: Any, kind: str, which: int | str):
        """`index`: the Model, or its ViewIndex. Raises TypeError, KeyError, IndexError."""
        found = object_id(index, kind, which)
        put = object.__setattr__
        put(self, "_owner", owner)
        put(self, "_rows", parts(index, kind, found))
        put(self, "id", found)
        put(self, "kind", kind)
        names = index.names.get(kind, ())
        put(self, "name", names[found] if found < len(names) else "")

    def __getattr__(self, name: str) -> np.ndarray:
        array, size = attributes(self._owner.kind, self.kind).get(name, ("", ""))
        if not array:
            raise AttributeError(f"a {self.kind} in a {self._owner.kind} has no {name!r}", name=name, obj=self)
        whole = getattr(self._owner, array)
        rows = self._rows.get(size, slice(0, 0))
        is_row = size == KINDS[self.kind].size and whole.ndim > 1
        return whole[rows.start] if is_row else whole[rows]

    def __setattr__(self, name: str, value: Any) -> None:
        known = attributes(self._owner.kind, self.kind)
        if name in OWN:
            raise AttributeError(f"the {name} of an object is fixed with the model")
        if name not in known:
            raise AttributeError(
                f"a {self.kind} in a {self._owner.kind} has no {name!r}{meant(name, known)}", name=name, obj=self
            )
        array, given = getattr(self, name), np.asarray(value)
        if given.dtype.kind not in "biuf":
            raise TypeError(f"{name} must be real numbers, not {kind_of(value)}")
        if given.shape != array.shape and not (given.shape == () and array.shape == (1,)):
            raise ValueError(f"{name} must be an array of shape {array.shape}, not of shape {given.shape}")
        array[...] = given

    def __dir__(self) -> list[str]:
        return sorted({*OWN, *attributes(self._owner.kind, self.kind)})

    def __repr__(self) -> str:
        return f"<{self.kind} {self.id} {self.name!r} of a {self._owner.kind}>"


class DataObjects:
    """The views of a Data: of the objects that it has numbers of. Each takes a name or an id; it raises KeyError for
    an unknown name, IndexError for an unknown id, TypeError for anything else."""

    def _view(self, kind: str, which: int | str) -> ObjectView:
        owner: Any = self
        return ObjectView(owner, owner._index, kind, which)

    def body(self, which: int | str) -> ObjectView:
        return self._view("body", which)

    def joint(self, which: int | str) -> ObjectView:
        return self._view("joint", which)

    def geom(self, which: int | str) -> ObjectView:
        return self._view("geom", which)

    def site(self, which: int | str) -> ObjectView:
        return self._view("site", which)

    def camera(self, which: int | str) -> ObjectView:
        return self._view("camera", which)

    def light(self, which: int | str) -> ObjectView:
        return self._view("light", which)

    def equality(self, which: int | str) -> ObjectView:
        return self._view("equality", which)

    def flex(self, which: int | str) -> ObjectView:
        return self._view("flex", which)

    def tendon(self, which: int | str) -> ObjectView:
        return self._view("tendon", which)

    def actuator(self, which: int | str) -> ObjectView:
        return self._view("actuator", which)

    def sensor(self, which: int | str) -> ObjectView:
        return self._view("sensor", which)

    jnt, cam, eq, ten = joint, camera, equality, tendon


class ModelObjects(DataObjects):
    """The views of a Model: of the objects of all kinds that have names."""

    def mesh(self, which: int | str) -> ObjectView:
        return self._view("mesh", which)

    def hfield(self, which: int | str) -> ObjectView:
        return self._view("hfield", which)

    def skin(self, which: int | str) -> ObjectView:
        return self._view("skin", which)

    def texture(self, which: int | str) -> ObjectView:
        return self._view("texture", which)

    def material(self, which: int | str) -> ObjectView:
        return self._view("material", which)

    def pair(self, which: int | str) -> ObjectView:
        return self._view("pair", which)

    def exclude(self, which: int | str) -> ObjectView:
        return self._view("exclude", which)

    def numeric(self, which: int | str) -> ObjectView:
        return self._view("numeric", which)

    def text(self, which: int | str) -> ObjectView:
        return self._view("text", which)

    def tuple(self, which: int | str) -> ObjectView:
        return self._view("tuple", which)

    def key(self, which: int | str) -> ObjectView:
        return self._view("key", which)

    tex, mat, keyframe = texture, material, key
