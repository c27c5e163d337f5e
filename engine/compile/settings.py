"""Copies options, flags, visual settings and the model name into the model."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from kinetree.engine.compile import mpex
from kinetree.engine.diagnostics import Diagnostics
from kinetree.engine.mjcf.elements import SettingsValues, Spec
from kinetree.engine.mjcf.reader import row_defaults
from kinetree.engine.mjcf.schema import ELEMENTS
from kinetree.engine.mjcf.schema_rows import MPEX
from kinetree.engine.model import enums
from kinetree.engine.model.model import Model
from kinetree.engine.model.visual import Visual
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.document.tree import Attribute

INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
CONES = {"pyramidal": 0, "elliptic": 1}
JACOBIANS = {"dense": 0, "sparse": 1, "auto": 2}
SOLVERS = {"PGS": 0, "CG": 1, "Newton": 2}
_WORDS = {"integrator": INTEGRATORS, "cone": CONES, "jacobian": JACOBIANS, "solver": SOLVERS}
_GROUPS = 31


def fill(model: Model, spec: Spec, diagnostics: Diagnostics) -> None:
    """Fill in all settings but <statistic>: the defaults, then the values that differ."""
    mpex_ = spec.compiler["dialect"] == "mpex"
    model.name = spec.name
    model.begin_like(_begin(mpex_))
    options(model, changed("option", spec.option, mpex_), spec.option.given, diagnostics)
    flags(model, changed("option.flag", spec.flag, mpex_))
    for tag, section in spec.visual.items():
        found = changed(f"visual.{tag}", section, mpex_)
        if found:
            mpex.settings(model, tag, found, section.given, mpex_)
        visual(model, tag, found, mpex_)


def changed(id: str, section: SettingsValues, mpex: bool) -> dict[str, Any]:
    """Values of a settings element that are set, or that differ from the schema's defaults."""
    given, base = section.given, row_defaults(id, mpex)
    if section.as_begun is base and not given:
        return {}
    return {name: value for name, value in section.items() if name in given or value is not base.get(name)}


@cache
def _begin(mpex_: bool) -> Model:
    """An empty model with the defaults of all settings."""
    model = Model({})
    options(model, row_defaults("option", mpex_), {}, Diagnostics())
    flags(model, row_defaults("option.flag", mpex_))
    for id in ELEMENTS["visual"].children:
        mpex.settings(model, ELEMENTS[id].tag, row_defaults(id, mpex_), {}, mpex_)
    model.mpex_dialect = int(mpex_)
    return model


def options(model: Model, option: dict[str, Any], given: dict[str, Attribute], diagnostics: Diagnostics) -> None:
    for name, value in option.items():
        if name == "actuatorgroupdisable":
            for group in value.tolist():
                if not 0 <= group < _GROUPS:
                    diagnostics.error(
                        given[name],
                        "bad-value",
                        tr(
                            "{group} is no actuator group that can be disabled; groups go from 0 to {number}",
                            group=group,
                            number=_GROUPS - 1,
                        ),
                    )
                else:
                    model.opt_disableactuator |= 1 << group
        elif name in _WORDS:
            setattr(model, "opt_" + name, _WORDS[name][value])
        elif isinstance(value, np.ndarray):
            getattr(model, "opt_" + name)[: len(value)] = value
        elif name == "timestep" and not value > 0:
            diagnostics.error(
                given[name], "bad-value", tr("time cannot pass in steps of this length; make it positive")
            )
        else:
            setattr(model, "opt_" + name, value)


def flags(model: Model, flag: dict[str, Any]) -> None:
    """Set disableflags and enableflags."""
    for name, value in flag.items():
        disable = getattr(enums, "DSBL_" + name.upper(), None)
        if disable is not None:
            if value == "disable":
                model.opt_disableflags |= disable
            else:
                model.opt_disableflags &= ~disable
        else:
            enable = getattr(enums, "ENBL_" + name.upper())
            if value == "enable":
                model.opt_enableflags |= enable
            else:
                model.opt_enableflags &= ~enable


def visual(model: Model, tag: str, section: dict[str, Any], mpex_: bool) -> None:
    """Set a section of model.vis, as in mjVisual. Attributes of the Motphys dialect go to model.mpex."""
    base, arrays = _looks(tag, mpex_)
    if not base:
        return
    looks = Visual(**base)
    own = looks.__dict__
    for name in arrays:
        own[name] = own[name].copy()
    for name, value in section.items():
        if name in base:
            own[name] = _look(value)
    vars(model.vis)["global_" if tag == "global" else tag] = looks


@cache
def _looks(tag: str, mpex_: bool) -> tuple[dict[str, Any], list[str]]:
    """(defaults of a section of model.vis, which of them are arrays)."""
    rows = ELEMENTS[f"visual.{tag}"].attributes
    found = {
        name: _look(value) for name, value in row_defaults(f"visual.{tag}", mpex_).items() if rows[name].dialect != MPEX
    }
    return found, [name for name, value in found.items() if isinstance(value, np.ndarray)]


def _look(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.astype(np.float32)
    return int(value) if isinstance(value, bool) else value
