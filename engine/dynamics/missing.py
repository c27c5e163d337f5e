"""What the physics cannot do yet: a model that needs it compiles and can be looked at, and is refused where it would move.

What follows from the text alone is listed by element and attribute in `engine/compile/supported.py`. What depends on
the options, which may be changed on a live model, stands here; pairs of geoms without a collision function are found
from the table of those functions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from engine.collision import table
from engine.diagnostics import Diagnostic, Diagnostics, ModelError, Severity
from engine.dynamics import needs
from engine.enums import (
    DSBL_CONSTRAINT,
    DSBL_CONTACT,
    ENBL_MULTICCD,
    INT_IMPLICIT,
    INT_RK4,
    SOL_CG,
    SOL_PGS,
)
from engine.model import Model

if TYPE_CHECKING:
    from engine.diagnostics import Located

CODE = "not-simulated"


class Gap:
    """A finding about one model, and the condition under which it holds; None: always.

    place   where it stands; or the diagnostic itself, where it has been reported before
    """

    __slots__ = ("place", "text", "when")

    def __init__(
        self, place: Located | str | Diagnostic, text: str, when: Callable[[Model], bool] | None = None
    ):
        self.place, self.text, self.when = place, text, when

    @property
    def diagnostic(self) -> Diagnostic:
        """The finding as a warning."""
        if isinstance(self.place, Diagnostic):
            return self.place
        return Diagnostics().warning(self.place, CODE, self.text)


@dataclass
class Option:
    """An option that the physics does not have: where the text sets it, when a model uses it, what to do instead."""

    element: str
    attribute: str
    used: Callable[[Model], bool]
    missing: str
    remedy: str

    @cached_property
    def text(self) -> str:
        """What the finding says."""
        return message(self.missing, self.remedy)


def _convex(model: Model) -> bool:
    """Whether any pair of geoms may need the general convex collider."""
    return table.CONVEX_FUNCTION in table.needed(model)


OPTIONS: dict[str, Option] = {
    "RK4": Option(
        "option",
        "integrator",
        lambda m: m.opt_integrator == INT_RK4,
        "the integrator RK4",
        "use Euler or implicitfast",
    ),
    "implicit": Option(
        "option",
        "integrator",
        lambda m: m.opt_integrator == INT_IMPLICIT,
        "the integrator implicit",
        "use implicitfast",
    ),
    "PGS": Option(
        "option",
        "solver",
        lambda m: m.opt_solver == SOL_PGS and needs.constrained(m),
        "the solver PGS",
        "use Newton",
    ),
    "CG": Option(
        "option",
        "solver",
        lambda m: m.opt_solver == SOL_CG and needs.constrained(m),
        "the solver CG",
        "use Newton",
    ),
    "noslip": Option(
        "option",
        "noslip_iterations",
        lambda m: m.opt_noslip_iterations > 0 and needs.constrained(m),
        "the noslip solver",
        "set it to 0",
    ),
    "density": Option(
        "option",
        "density",
        lambda m: m.opt_density > 0 and m.nv > 0,
        "forces of a medium",
        "set density to 0",
    ),
    "viscosity": Option(
        "option",
        "viscosity",
        lambda m: m.opt_viscosity > 0 and m.nv > 0,
        "forces of a medium",
        "set viscosity to 0",
    ),
    "multiccd": Option(
        "option.flag",
        "multiccd",
        lambda m: bool(m.opt_enableflags & ENBL_MULTICCD) and _convex(m),
        "multiple convex contacts (multiccd)",
        "disable it",
    ),
}


def contacts(model: Model) -> bool:
    """Whether contacts are switched on."""
    return not model.opt_disableflags & (DSBL_CONTACT | DSBL_CONSTRAINT)


def message(missing: str, remedy: str) -> str:
    """What a finding says."""
    return f"{missing} cannot be simulated yet; {remedy}"


def refuse(model: Model) -> None:
    """Raise ModelError with all that keeps the model from being simulated, if there is anything."""
    found = model.unsimulated
    if found:
        raise ModelError([replace(item, severity=Severity.ERROR) for item in found])
