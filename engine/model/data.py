"""The state of a simulation and everything that is computed from it, in arrays allocated once."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from typing import Any

import numpy as np

from kinetree.engine.model import enums
from kinetree.engine.model.arguments import kind_of, object_id
from kinetree.engine.model.contact import Contacts
from kinetree.engine.model.fields import CAPACITIES, TABLES, select
from kinetree.engine.model.memory import AddressTable
from kinetree.engine.model.model import Model, check_model, sizes_of_data
from kinetree.engine.model.pickles import check_stamp, stamp
from kinetree.engine.model.views import DataObjects, ViewIndex

# First guess of the memory for contacts and constraint rows; Data grows when a step needs more.
CONTACTS, CONTACTS_PER_GEOM, CONTACTS_PER_DOF, ROWS_PER_CONTACT = 8, 1, 4, 4
CONVEX = 128  # for 50 iterations of the expanding polytope algorithm, MuJoCo's default
DESCENT_PAIRS, MOST_DESCENT_POINTS = 8, 20_000


class _Solver:
    """data.solver.improvement, .gradient, .neval ...: statistics of iterations (`dynamics/solver/statistics.py`)."""

    __slots__ = ("_data",)

    def __init__(self, data: Data):
        self._data = data

    def __getattr__(self, name: str) -> np.ndarray:
        arrays = self._data._arrays
        if "solver_" + name not in arrays:
            raise AttributeError(f"the solver's statistics have no {name!r}", name=name, obj=self)
        return arrays["solver_" + name]

    def __dir__(self) -> list[str]:
        names = (name for name in self._data._arrays if name.startswith("solver_"))
        return [*super().__dir__(), *(name.removeprefix("solver_") for name in names)]


class Data(AddressTable, DataObjects):
    """State, inputs and results for one model. It starts at qpos0.

    The arrays share memory with the kernels: `data.qpos[3] = 0.1` is what the next step reads. Arrays of contacts
    and constraint rows show their rows in use: `data.efc_force` has shape (nefc,).

    A step that meets numbers that are not finite or too large resets the state and counts a warning:
    `data.warning[kinetree.enums.WARN_BADQACC]` is MuJoCo's (lastinfo, number). `kinetree.engine.run.divergence`
    puts warnings into words.

    It may be used with the model that it was made for, with copies of that one, and with models that have the same
    sizes and the same structure: the same bodies, joints and geoms on them, actuators and plugins, whatever their
    numbers are. Functions raise ValueError for other models.

    hooks     Python functions that a step calls (kinetree.Hooks), None for none
    threads   threads that share the work of a step (kinetree.Threads), None for none
    made_for  `Model.structure` of the models that it may be used with

    `copy.copy` and `copy.deepcopy` make independent copies that go on to the same bits. A copy calls the same hooks and
    has no threads: a pool helps one Data at a time. A pickle holds the same, but not the model: pickle the two
    together. Hooks that cannot be pickled (functions inside functions) are refused with PicklingError, a pickle of
    another version of Kinetree with UnpicklingError.

    Arrays are named as in mjData, with its shapes and SI units: `data.qpos` (nq,), m or rad, `data.xpos` (nbody, 3), m,
    `data.ctrl` (nu,). engine/model/fields.py lists all.

    An object by its name or id: `data.joint("knee").qpos`, `data.body(2).xpos`, `data.sensor("gyro").data`: ObjectView.
    There are such functions for body joint geom site camera light equality flex tendon actuator and sensor.

    Source: specification, API reference, mjData.

    Example:
        model = kinetree.load("walker.xml")
        data = kinetree.Data(model)
        data.actuator("pace").ctrl = 1.0
        kinetree.step(model, data)
        assert data.qpos.shape == (model.nq,)
    """

    kind = "Data"
    assignable = frozenset(("hooks", "threads"))

    def __init__(self, model: Model):
        check_model(model)
        geoms = CONTACTS + min(CONTACTS_PER_GEOM * model.ngeom, CONTACTS_PER_DOF * model.nv)
        losses = np.count_nonzero(model.dof_frictionloss) + np.count_nonzero(model.tendon_frictionloss)
        limits = np.count_nonzero(model.jnt_limited) + np.count_nonzero(model.tendon_limited)
        rows = losses + limits + 6 * model.neq + ROWS_PER_CONTACT * geoms
        capacities = {
            "nconmax": geoms,
            "njmax": rows,
            "nJmax": rows * min(model.nv, 12),
            "nsegmax": 2 * rows,
            "npairmax": 2 * geoms,
            "nsubmax": 2 * geoms,
            "nHmax": min(model.nv, 48) * (min(model.nv, 48) + 4) + 8,
            "nadjmax": 0,
            "nxmax": int(((model.block_dofnum + 3) // 4 * 4).sum()) + 12 * model.ntree + 8,
            "nnearmax": geoms,
            "nBmax": 0,
            "nchunkmax": 0,
            "nccdmax": CONVEX,
            "nsdfmax": _descents(model),
        }
        super().__init__({**model.sizes, **capacities})
        self._begin(model.structure, model.view_index)
        _start(model, self, None)

    def _begin(self, made_for: bytes, index: ViewIndex) -> None:
        self.__dict__["made_for"] = made_for
        self.__dict__["_index"] = index
        self.__dict__["_start_values"] = {}
        self.hooks: Any = None
        self.threads: Any = None

    def adopt(self, model: Model) -> None:
        """Go on with a model in which each object has its state in the same place (`Matching.keeps_index`). A reset
        must follow.
        """
        self.__dict__["made_for"] = model.structure
        self.__dict__["_index"] = model.view_index

    def copy(self) -> Data:
        """An independent copy, with the same hooks and without threads."""
        return _unpacked(*self._packed())

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Data:
        twin = memo[id(self)] = self.copy()
        return twin

    def __reduce__(self):
        if self.hooks is not None:
            try:
                pickle.dumps(self.hooks)
            except Exception as error:
                raise pickle.PicklingError(
                    f"the hooks of this Data cannot be pickled ({error}): use functions at the top of a module, or set "
                    "data.hooks = None first"
                ) from None
        return _unpickled, (stamp(self.kind), *self._packed())

    def _packed(self) -> tuple:
        """All that a copy needs: see `_unpacked`."""
        arrays = {field.name: self._arrays[field.name] for field in _COPIED if field.kind == "array"}
        cells = {field.name: self._cells[field.name].item() for field in _COPIED if field.kind == "cell"}
        kept = {name: array for name, array in arrays.items() if array.size}
        return self._dimensions, self.made_for, self._index, kept, cells, self._start_values, self.hooks

    @property
    def contact(self) -> Contacts:
        """The contacts, as a new object each time: a cached one would form a cycle, and Data would stay in memory after
        its last use.
        """
        return Contacts(self)

    @property
    def solver(self) -> _Solver:
        """Statistics of the solver's iterations."""
        return _Solver(self)

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)
        if name.startswith(("efc_", "contact_")) and isinstance(value, np.ndarray):
            return value[: self.nefc] if name.startswith("efc_") else value[: self.ncon]
        return value

    def grow(self) -> None:
        """Enlarge the arrays that were too small for a stage (data.need). Their content is kept."""
        for name, need in zip(CAPACITIES, self.need.tolist(), strict=True):
            if need > self._sizes[name]:
                self.resize(name, need + need // 2)
        self.need[...] = 0
        self.needs_memory = 0


_COPIED = select(lambda field: field.role != "address")
"""The arrays that copies of a Data have; the rest are addresses."""


def _unpacked(
    dimensions: dict[str, int],
    made_for: bytes,
    index: ViewIndex,
    arrays: dict[str, np.ndarray],
    cells: dict[str, float],
    start_values: dict[str, np.ndarray],
    hooks: Any,
) -> Data:
    """Creates a Data from the result of `Data._packed`."""
    data = object.__new__(Data)
    AddressTable.__init__(data, dimensions)
    data._begin(made_for, index)
    for name, array in arrays.items():
        data._arrays[name][...] = array
    for name, value in cells.items():
        data._cells[name][0] = value
    data.redo = 0
    data.hooks = hooks
    _list_start_values(data, start_values)
    return data


def _unpickled(version: tuple[int, str], *packed) -> Data:
    """The Data of a pickle. Raises UnpicklingError for one of another version, whatever else that holds."""
    check_stamp("Data", version)
    return _unpacked(*packed)


def check_pair(model: Any, data: Any) -> None:
    """Raise TypeError unless the arguments are a Model and a Data, ValueError for a Data that was made for another
    model.
    """
    try:
        if data.made_for == model.structure:
            return
    except AttributeError:
        pass
    if isinstance(model, Data) and isinstance(data, Model):
        raise TypeError("model and data are swapped: the Model comes first")
    check_model(model)
    if not isinstance(data, Data):
        raise TypeError(f"expected a kinetree.Data, not {kind_of(data)}")
    how = "whose bodies, joints, geoms or actuators are others"
    shared = sizes_of_data()
    for name, size in model.sizes.items():  # nq first
        if name in shared and size != data._dimensions[name]:
            how = f"with {name} = {data._dimensions[name]}, where this one has {size}"
            break
    raise ValueError(f"this Data was made for another model, {how}: make one for this model with kinetree.Data(model)")


def check_computed(model: Any, data: Any) -> None:
    """`check_pair`. Raise ValueError also for a Data for which nothing was computed since it was made or reset."""
    check_pair(model, data)
    if not has_poses(data):
        raise ValueError(
            "nothing has been computed for this Data since it was made or reset: "
            "call kinetree.forward(model, data) first"
        )


def has_poses(data: Any) -> bool:
    """Whether poses were computed since a Data was made or reset: else that of the world is zero. Those of geoms may
    have been set by hand.
    """
    return bool(data.xquat[0, 0] != 0.0 or data.geom_xmat.any())


def _descents(model: Model) -> int:
    """Room for the points of descents, so many pairs with signed distance fields at a time; 0 without such a field."""
    fields = np.count_nonzero(model.geom_type == enums.GEOM_SDF)
    points = max(int(model.opt_sdf_initpoints), 1) * (max(int(model.opt_sdf_iterations), 1) + 2)
    return min(DESCENT_PAIRS * points, MOST_DESCENT_POINTS) if fields else 0


def reset(model: Model, data: Data, key: int | str | None = None) -> None:
    """Set the state to qpos0, or to a keyframe; inputs and results to zero.

    key   index or name of a keyframe; None: qpos0

    Raises KeyError for an unknown name, IndexError for an unknown index, ValueError for a Data of another model.

    Source: specification, API reference, mj_resetData and mj_resetDataKeyframe.

    Example:
        model = kinetree.load("arm.xml")
        data = kinetree.Data(model)
        kinetree.reset(model, data, "lift")
        assert (data.qpos == model.key_qpos[kinetree.name2id(model, "key", "lift")]).all()
    """
    check_pair(model, data)
    index = None if key is None else object_id(model, "key", key)
    kept = {field.name: np.copy(getattr(data, field.name)) for field in select(lambda f: f.role == "address")}
    data._arrays.clear()
    data._cells.words[...] = 0
    for name, value in kept.items():
        setattr(data, name, value)
    _start(model, data, index)


def _start(model: Model, data: Data, key: int | None) -> None:
    """Write the start values, or a keyframe, into a Data that is zero otherwise.

    `start_table` gets the start values too, for automatic resets in compiled code.
    """
    for name, value in start_values(model).items():
        setattr(data, name, value)
    _list_start_values(data)
    if key is not None:
        data.time = model.key_time[key]
        data.qpos = model.key_qpos[key]
        data.qvel = model.key_qvel[key]
        data.act = model.key_act[key]
        data.ctrl = model.key_ctrl[key]
        data.mocap_pos[...] = model.key_mpos[key].reshape(-1, 3)
        data.mocap_quat[...] = model.key_mquat[key].reshape(-1, 4)


def start_values(model: Model) -> dict[str, np.ndarray]:
    """The arrays of state and input that do not start as zeros: name -> value, in the shape of Data."""
    bodies = np.flatnonzero(model.body_mocapid >= 0)
    bodies = bodies[np.argsort(model.body_mocapid[bodies])]
    return {
        "qpos": model.qpos0,
        "eq_active": model.eq_active0,
        "mocap_pos": model.body_pos[bodies],
        "mocap_quat": model.body_quat[bodies],
    }


def _list_start_values(data: Data, values: Mapping[str, np.ndarray] | None = None) -> None:
    """Copy all arrays of state and input, or these values of them, and list the copies in start_table."""
    copies, row = data._start_values, 0
    for slot, field in enumerate(TABLES["Data"]):
        if field.history and field.kind == "array":
            array = (data._arrays if values is None else values)[field.name]
            copy = copies.setdefault(field.name, np.empty_like(array))
            copy[...] = array
            data.start_table[row] = slot, copy.nbytes, copy.ctypes.data
            row += 1
