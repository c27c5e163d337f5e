"""The compiled model: constant arrays with MuJoCo's names and shapes, options, statistics, visual settings, names."""

from __future__ import annotations

import copy
import hashlib
from functools import cached_property
from typing import Any

import numpy as np

from kinetree.engine.diagnostics import Diagnostic
from kinetree.engine.model.arguments import kind_of, meant, object_id
from kinetree.engine.model.fields import by_name
from kinetree.engine.model.layout import layout_of
from kinetree.engine.model.memory import AddressTable
from kinetree.engine.model.pickles import check_stamp, stamp
from kinetree.engine.model.views import ModelObjects, ViewIndex, index_of
from kinetree.engine.model.visual import Visual

PLACES = (
    "jnt_type", "jnt_qposadr", "jnt_dofadr", "body_mocapid", "actuator_actadr", "actuator_actnum", "plugin",
    "plugin_stateadr", "plugin_statenum", "block_dofnum",
)  # fmt: skip
"""Fields that say where the state of an object is in Data, what it means, and how much memory Data needs."""
STRUCTURE = (*PLACES, "body_parentid", "jnt_bodyid", "geom_bodyid", "mesh_graphadr")
"""Fields that determine what the work space of Data means from one step to the next."""


def sizes_of_data() -> list[str]:
    """The sizes of a model that a Data takes over."""
    layout = layout_of("Data")
    return [word for word in layout.dimensions if isinstance(word, str) and word not in layout.sizes]


class Prefixed:
    """model.opt, model.stat and model.mpex: the fields with one prefix, as attributes.

    It is made each time it is asked for. If a model kept it, the two would refer to each other, and every version of a
    model that is edited would stay in memory until Python looks for garbage.
    """

    def __init__(self, owner: AddressTable, prefix: str):
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "_prefix", prefix)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._owner, self._prefix + name)

    def __setattr__(self, name, value):
        if self._prefix + name not in by_name(self._owner.kind):
            raise AttributeError(f"there is no field {self._prefix + name}{meant(name, dir(self))}")
        setattr(self._owner, self._prefix + name, value)

    def __dir__(self):
        return [n.removeprefix(self._prefix) for n in by_name(self._owner.kind) if n.startswith(self._prefix)]


class Options:
    """The options of a model at one moment, read-only: `.timestep`, `.gravity` ... as in `model.opt`."""

    __slots__ = ("_cells", "_fixed")

    def __init__(self, model: Model):
        self._cells = model._cells.words.copy()
        self._fixed = model.copy_block("fixed")

    def __getattr__(self, name: str):
        if name.startswith("_"):
            raise AttributeError(name)
        layout, name = layout_of("Model"), "opt_" + name
        if name in layout.cells:
            number, is_double = layout.cells[name]
            return (self._cells.view(np.float64) if is_double else self._cells)[number].item()
        if name in layout.arrays:
            return self._fixed[name]
        raise AttributeError(f"there is no option {name!r}")

    def __dir__(self):
        return [name.removeprefix("opt_") for name in by_name("Model") if name.startswith("opt_")]

    def is_current(self, model: Model) -> bool:
        """Whether the model's options are still these, to the bit."""
        return np.array_equal(self._cells, model._cells.words) and np.array_equal(
            self._fixed.memory, model._blocks["fixed"]
        )

    def restore(self, model: Model) -> None:
        """Give these options to a model."""
        model._cells.words[...] = self._cells
        model._blocks["fixed"][...] = self._fixed.memory


class Model(AddressTable, ModelObjects):
    """A compiled model: all that the physics and the renderer know of a document.

    `model.opt.timestep`, `model.opt.gravity` ... may be changed while simulating, as may the other arrays. A model
    that several threads use is never changed: a simulation changes the options of its `with_own_options`.

    names       kind -> list of names by id ("" where an object has none); kinds: body joint geom site camera light
                mesh hfield skin texture material pair exclude equality tendon actuator sensor numeric text tuple key
    vis         visual settings: vis.global_, .quality, .headlight, .map, .scale, .rgba, as in mjVisual
    provenance  from every object to the element that made it, and back (engine/compile/provenance.py); None for a
                model from a binary
    gaps        features of it that the physics lacks, and under which options (engine/dynamics/unsimulated.py)
    spec        what it was compiled from (engine/mjcf/elements.py), for writing it; None for a model from a binary
    format      the format of its text: "MJCF", "URDF" or "x_xy"
    mpex        fields of the Motphys dialect: mpex.geom_hard, .mat_castshadow, .ssgi_raycount ... (docs/mpex.md)
    texts       the strings of <custom>, by id

    `copy.copy` and `copy.deepcopy` make independent copies, as `copy` does. A pickle holds the numbers, names and
    settings: in another process the model is simulated to the same bits, and has neither provenance nor spec, like one
    from a binary. A pickle of another version of Kinetree is refused with UnpicklingError.

    Arrays are named as in mjModel, with its shapes and SI units: `model.body_mass` (nbody,), kg, `model.geom_size`
    (ngeom, 3), m. engine/model/fields.py lists all. Assigning an array of another shape raises ValueError.

    An object by its name or id: `model.body("torso").mass`, `model.joint(3).range`, `model.geom("floor").friction`; see
    ObjectView. There are such functions for body joint geom site camera light mesh hfield skin texture material pair
    exclude equality tendon actuator sensor numeric text tuple key and flex.

    Source: specification, API reference, mjModel.

    Example:
        model = kinetree.load("walker.xml")
        model.opt.timestep = 0.001
        assert isinstance(model, kinetree.Model) and model.body_mass.shape == (model.nbody,)
        model.joint("knee_left").damping = 2.0
    """

    kind = "Model"
    assignable = frozenset(("names", "name", "vis", "provenance", "texts", "gaps", "spec", "format", "pipeline"))

    def __init__(
        self, sizes: dict[str, int], names: dict[str, list[str]] | None = None, memory: np.ndarray | None = None
    ):
        super().__init__(sizes, memory)
        self.__dict__.update(self._sizes)  # quicker than through __getattr__
        self.names: dict[str, list[str]] = names or {}
        self.name = ""
        self.vis = Visual()
        self.provenance: Any = None
        self.texts: list[str] = []
        self.gaps: list[Any] = []
        self.spec: Any = None
        self.format = "MJCF"
        self.pipeline: Any = None

    @property
    def opt(self) -> Prefixed:
        return Prefixed(self, "opt_")

    @property
    def stat(self) -> Prefixed:
        return Prefixed(self, "stat_")

    @property
    def mpex(self) -> Prefixed:
        return Prefixed(self, "mpex_")

    @property
    def sizes(self) -> dict[str, int]:
        return dict(self._sizes)

    @property
    def unsimulated(self) -> list[Diagnostic]:
        """Why the physics cannot simulate the model with its present options: warnings with places.

        Empty for a model that can. `kinetree.step` and `kinetree.forward` raise ModelError with this list.
        """
        return [gap.diagnostic for gap in self.gaps if gap.holds(self)]

    @property
    def _index(self) -> Model:
        return self

    @cached_property
    def view_index(self) -> ViewIndex:
        """The names and addresses that a Data keeps of this model, to find the numbers of an object."""
        return index_of(self)

    @cached_property
    def structure(self) -> bytes:
        """Hash of the sizes and structure that a Data must have been made for to be used with this model. It does not
        follow later changes of the fields in place.
        """
        shown = hashlib.blake2b(digest_size=16)
        for name in sizes_of_data():
            shown.update(f"{name} {self._sizes[name]} ".encode())
        for name in STRUCTURE:
            shown.update(self._arrays[name].tobytes())
        return shown.digest()

    def resize(self, name: str, number: int) -> None:
        for made in ("structure", "view_index"):
            self.__dict__.pop(made, None)
        super().resize(name, number)

    def with_own_options(self) -> Model:
        """A model that shares every array with this one and has options, `opt`, of its own, for one simulation.

        It costs a few kilobytes and no time in a step. Statistics and the settings of `mpex` are copied with the
        options.
        """
        return self.share("fixed")

    def copy(self) -> Model:
        """An independent copy: changing one does not change the other. Both refer to the same provenance and spec,
        which never change.
        """
        twin = Model(self._sizes, copy.deepcopy(self.names))
        for name, array in self._arrays.items():
            twin._arrays[name][...] = array
        twin._cells.words[...] = self._cells.words
        twin.name, twin.vis = self.name, copy.deepcopy(self.vis)
        twin.provenance, twin.texts = self.provenance, list(self.texts)
        twin.gaps, twin.spec, twin.format = list(self.gaps), self.spec, self.format
        return twin

    @property
    def packed_bytes(self) -> int:
        """How many bytes `pack` fills."""
        return layout_of("Model").packed_bytes(self._sizes)

    def pack(self, memory: np.ndarray) -> None:
        """Copy all arrays into other memory, as a new Model of the same sizes has them: `memory` makes one of them,
        in this process or another."""
        twin = Model(self._sizes, memory=memory)
        for name, array in self._arrays.items():
            twin._arrays[name][...] = array

    @property
    def cells(self) -> np.ndarray:
        """All numbers that are not in arrays, as 64-bit integers of their bits."""
        return self._cells.words

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        twin = memo[id(self)] = self.copy()
        return twin

    def __reduce__(self):
        arrays = {name: array for name, array in self._arrays.items() if array.size}
        attributes = {name: getattr(self, name) for name in _PICKLED}
        return _unpickled, (stamp(self.kind), self._sizes, self.names, arrays, self._cells.words, attributes)


_PICKLED = ("name", "vis", "texts", "gaps", "format")


def _unpickled(version: tuple[int, str], *packed) -> Model:
    """The model of a pickle. Raises UnpicklingError for one of another version, whatever else that holds."""
    check_stamp("Model", version)
    sizes, names, arrays, cells, attributes = packed
    model = Model(sizes, names)
    for name, array in arrays.items():
        model._arrays[name][...] = array
    model._cells.words[...] = cells
    for name, value in attributes.items():
        setattr(model, name, value)
    return model


def check_model(model: Any) -> None:
    """Raise TypeError for a value that is no Model."""
    if not isinstance(model, Model):
        raise TypeError(f"expected a kinetree.Model, not {kind_of(model)}")


def options_of(model: Model, state) -> Options | Prefixed:
    """The options that a state was computed with: those of a Snapshot, which may differ from the model's, or
    `model.opt`.
    """
    return getattr(state, "opt", model.opt)


def name2id(model: Model, kind: str, name: str) -> int:
    """Return the id of a named object.

    kind   "body", "joint", "geom", "site", ...: a key of model.names
    name   its name

    Raises TypeError for arguments that are not texts, KeyError for an unknown kind or name.

    Source: specification, API reference, mj_name2id.

    Example:
        model = kinetree.load("arm.xml")
        assert model.names["site"][kinetree.name2id(model, "site", "tool")] == "tool"
    """
    check_model(model)
    for word in (kind, name):
        if not isinstance(word, str):
            raise TypeError(f"the kind and the name of an object are texts, not {kind_of(word)}")
    if kind not in model.names:
        raise KeyError(f"{kind!r} is no kind of object with names{meant(kind, model.names)}")
    return object_id(model, kind, name)
