"""The state of a simulation and everything that is computed from it, in arrays allocated once."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.model.enums import GEOM_SDF
from engine.model.fields import CAPACITIES, TABLES, select
from engine.model.memory import Table
from engine.model.model import Model

# First guess of the memory for contacts and constraint rows; Data grows when a step needs more.
CONTACTS, CONTACTS_PER_GEOM, CONTACTS_PER_DOF, ROWS_PER_CONTACT = 8, 1, 4, 4
CONVEX = 128  # for 50 iterations of the expanding polytope algorithm, MuJoCo's default
DESCENT_PAIRS, MOST_DESCENT_POINTS = 8, 20_000


class _Contact:
    """data.contact.dist, .pos, .frame ...: the first data.ncon contacts, as arrays."""

    def __init__(self, data: Data):
        object.__setattr__(self, "_data", data)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._data._arrays["contact_" + name][: self._data.ncon]

    def __len__(self):
        return self._data.ncon


class _Solver:
    """data.solver.improvement, .gradient, .neval ...: statistics of iterations (`dynamics/solver/statistics.py`)."""

    def __init__(self, data: Data):
        self._data = data

    def __getattr__(self, name: str) -> np.ndarray:
        return getattr(self._data, "solver_" + name)


class Data(Table):
    """State, inputs and results for one model. It starts at qpos0.

    The arrays share memory with the kernels: `data.qpos[3] = 0.1` is what the next step reads. Arrays of contacts
    and constraint rows show their rows in use: `data.efc_force` has shape (nefc,).

    A step that meets numbers that are not finite or too large resets the state and counts a warning:
    `data.warning[WARN_BADQACC]` is MuJoCo's (lastinfo, number). `engine.run.divergence` puts warnings into words.

    hooks    Python functions that a step calls (engine.Hooks), None for none
    threads  threads that share the work of a step (engine.Threads), None for none
    """

    kind = "Data"

    def __init__(self, model: Model):
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
        object.__setattr__(self, "_start_values", {})
        object.__setattr__(self, "hooks", None)
        object.__setattr__(self, "threads", None)
        _start(model, self, None)

    @property
    def contact(self) -> _Contact:
        """The contacts. It is made anew each time: kept here, it would be a cycle, and Data would stay in memory after
        its last use."""
        return _Contact(self)

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


def _descents(model: Model) -> int:
    """Room for the points of descents, so many pairs with signed distance fields at a time; 0 without such a field."""
    fields = np.count_nonzero(model.geom_type == GEOM_SDF)
    points = max(int(model.opt_sdf_initpoints), 1) * (max(int(model.opt_sdf_iterations), 1) + 2)
    return min(DESCENT_PAIRS * points, MOST_DESCENT_POINTS) if fields else 0


def reset(model: Model, data: Data, key: int | str | None = None) -> None:
    """Set the state to qpos0, or to a keyframe given by index or name; inputs and results to zero.

    Raises KeyError or IndexError when there is no such keyframe.
    """
    if isinstance(key, str) and key not in model.names.get("key", []):
        raise KeyError(f"no keyframe is named {key!r}")
    index = model.names["key"].index(key) if isinstance(key, str) else key
    if index is not None and not 0 <= index < model.nkey:
        raise IndexError(f"keyframe {index} of {model.nkey}")
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


def _list_start_values(data: Data) -> None:
    """Copy all arrays of state and input, and list the copies in start_table."""
    copies, row = data._start_values, 0
    for slot, field in enumerate(TABLES["Data"]):
        if field.history and field.kind == "array":
            array = data._arrays[field.name]
            copy = copies.setdefault(field.name, np.empty_like(array))
            copy[...] = array
            data.start_table[row] = slot, copy.nbytes, copy.ctypes.data
            row += 1
