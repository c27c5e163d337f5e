"""The compiled model: constant arrays with MuJoCo's names and shapes, options, statistics, visual settings, names."""

from __future__ import annotations

import copy
from types import SimpleNamespace

import numpy as np

from engine.diagnostics import Diagnostic
from engine.model.fields import by_name
from engine.model.layout import layout_of
from engine.model.memory import Table


class Prefixed:
    """model.opt, model.stat and model.mpex: the fields with one prefix, as attributes.

    It is made each time it is asked for. If a model kept it, the two would refer to each other, and every version of a
    model that is edited would stay in memory until Python looks for garbage.
    """

    def __init__(self, owner: Table, prefix: str):
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "_prefix", prefix)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._owner, self._prefix + name)

    def __setattr__(self, name, value):
        if self._prefix + name not in by_name(self._owner.kind):
            raise AttributeError(f"there is no field {self._prefix + name}")
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


class Model(Table):
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
    """

    kind = "Model"

    def __init__(self, sizes: dict[str, int], names: dict[str, list[str]] | None = None):
        super().__init__(sizes)
        self.__dict__.update(self._sizes)  # quicker than through __getattr__
        put = object.__setattr__
        put(self, "names", names or {})
        put(self, "name", "")
        put(self, "vis", SimpleNamespace())
        put(self, "provenance", None)
        put(self, "texts", [])
        put(self, "gaps", [])
        put(self, "spec", None)
        put(self, "format", "MJCF")
        put(self, "pipeline", None)

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

        Empty for a model that can. `engine.step` and `engine.forward` raise ModelError with this list.
        """
        return [gap.diagnostic for gap in self.gaps if gap.holds(self)]

    def with_own_options(self) -> Model:
        """A model that shares every array with this one and has options, `opt`, of its own, for one simulation.

        It costs a few kilobytes and no time in a step. Statistics and the settings of `mpex` are copied with the
        options.
        """
        return self.share("fixed")

    def copy(self) -> Model:
        """An independent copy: changing one does not change the other."""
        twin = Model(self._sizes, copy.deepcopy(self.names))
        for name, array in self._arrays.items():
            twin._arrays[name][...] = array
        for name, cell in self._cells.items():
            twin._cells[name][...] = cell
        twin.name, twin.vis = self.name, copy.deepcopy(self.vis)
        twin.provenance, twin.texts = self.provenance, list(self.texts)
        twin.gaps, twin.spec, twin.format = list(self.gaps), self.spec, self.format
        return twin


def options_of(model: Model, state) -> Options | Prefixed:
    """The options that a state was computed with: those of a Snapshot, which may differ from the model's, or
    `model.opt`.
    """
    return getattr(state, "opt", model.opt)


def name2id(model: Model, kind: str, name: str) -> int:
    """The id of a named object.

    Raises KeyError when the kind is unknown or nothing of that kind has the name.
    """
    try:
        return model.names[kind].index(name)
    except (KeyError, ValueError):
        raise KeyError(f"no {kind} is named {name!r}") from None


def full_m(model: Model, data) -> np.ndarray:
    """The joint-space inertia as a dense symmetric (nv, nv) array, from the compressed rows of data.M."""
    dense = np.zeros((model.nv, model.nv))
    rows = np.repeat(np.arange(model.nv), model.M_rownnz)
    dense[rows, model.M_colind] = data.M
    dense[model.M_colind, rows] = data.M
    return dense
