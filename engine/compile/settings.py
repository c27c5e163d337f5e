"""Options, flags, visual settings and the name: what is copied from the text as it stands."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np

from engine import enums
from engine.mjcf.schema import ELEMENTS
from engine.mjcf.schema_rows import MPEX
from engine.spec.elements import Settings, Spec

if TYPE_CHECKING:
    from engine.diagnostics import Diagnostics
    from engine.model import Model

INTEGRATORS = {"Euler": 0, "RK4": 1, "implicit": 2, "implicitfast": 3}
CONES = {"pyramidal": 0, "elliptic": 1}
JACOBIANS = {"dense": 0, "sparse": 1, "auto": 2}
SOLVERS = {"PGS": 0, "CG": 1, "Newton": 2}
_WORDS = {"integrator": INTEGRATORS, "cone": CONES, "jacobian": JACOBIANS, "solver": SOLVERS}
_GROUPS = 31


def fill(model: Model, spec: Spec, diagnostics: Diagnostics) -> None:
    model.name = spec.name
    options(model, spec.option, diagnostics)
    flags(model, spec.flag)
    visual(model, spec.visual)


def options(model: Model, option: Settings, diagnostics: Diagnostics) -> None:
    for name, value in option.items():
        if name == "actuatorgroupdisable":
            for group in value.tolist():
                if not 0 <= group < _GROUPS:
                    diagnostics.error(
                        option.given[name],
                        "bad-value",
                        f"{group} is no actuator group that can be disabled; groups go from 0 to {_GROUPS - 1}",
                    )
                else:
                    model.opt_disableactuator |= 1 << group
        elif name in _WORDS:
            setattr(model, "opt_" + name, _WORDS[name][value])
        elif isinstance(value, np.ndarray):
            getattr(model, "opt_" + name)[: len(value)] = value
        elif name == "timestep" and not value > 0:
            diagnostics.error(
                option.given[name], "bad-value", "time cannot pass in steps of this length; make it positive"
            )
        elif name in option.given or value is not None:
            setattr(model, "opt_" + name, value)


def flags(model: Model, flag: Settings) -> None:
    """Standard features that are switched off, optional ones that are switched on."""
    for name, value in flag.items():
        disable = getattr(enums, "DSBL_" + name.upper(), None)
        if disable is not None:
            if value == "disable":
                model.opt_disableflags |= disable
        elif value == "enable":
            model.opt_enableflags |= getattr(enums, "ENBL_" + name.upper())


def visual(model: Model, sections: dict[str, Settings]) -> None:
    """model.vis, as in mjVisual. What the Motphys dialect adds is in model.mpex."""
    for tag, section in sections.items():
        rows = ELEMENTS[f"visual.{tag}"].attributes
        namespace = SimpleNamespace()
        for name, value in section.items():
            if rows[name].dialect == MPEX:
                continue
            if isinstance(value, np.ndarray):
                value = value.astype(np.float32)
            elif isinstance(value, bool):
                value = int(value)
            setattr(namespace, name, value)
        if vars(namespace):
            setattr(model.vis, "global_" if tag == "global" else tag, namespace)
