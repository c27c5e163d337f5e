"""Features of a model that the physics cannot simulate yet. Such a model compiles and is drawn, but `kinetree.step`
refuses it.

The rows are those of `engine/model/unsupported.py`; this module knows the further conditions for an option to matter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from kinetree.engine.collision import table
from kinetree.engine.diagnostics import Diagnostic, Diagnostics, ModelError, Severity
from kinetree.engine.dynamics import needs
from kinetree.engine.model import enums
from kinetree.engine.model.model import Model
from kinetree.engine.model.unsupported import CONSTRAINTS, CONVEX_CONTACTS, NOT_SIMULATED, UnsupportedRow

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Located


class Gap:
    """A finding about one model, and the condition under which it holds; None: always.

    place   where it stands; or the diagnostic itself, where it has been reported before
    """

    __slots__ = ("place", "text", "when")

    def __init__(self, place: Located | str | Diagnostic, text: str, when: Callable[[Model], bool] | None = None):
        self.place, self.text, self.when = place, text, when

    def holds(self, model: Model) -> bool:
        """Whether the model, as it is now, has the finding."""
        return self.when is None or self.when(model)

    def __reduce__(self):
        return Gap, (self.diagnostic, self.text, self.when)

    @property
    def diagnostic(self) -> Diagnostic:
        """The finding as a warning."""
        if isinstance(self.place, Diagnostic):
            return self.place
        return Diagnostics().warning(self.place, NOT_SIMULATED, self.text)


def _has_convex_contacts(model: Model) -> bool:
    """Whether any pair of geoms may need the general convex collider."""
    return not table.CONVEX_FUNCTIONS.isdisjoint(table.needed(model))


_REQUIREMENTS: dict[str, Callable[[Model], bool]] = {
    CONSTRAINTS: needs.may_be_constrained,
    CONVEX_CONTACTS: _has_convex_contacts,
    "": lambda model: True,
}


def uses(row: UnsupportedRow, model: Model) -> bool:
    """Whether a model, as it is now, uses an option that the physics does not have."""
    return row.used is not None and row.used(model) and _REQUIREMENTS[row.requires](model)


def contacts(model: Model) -> bool:
    """Whether contacts are switched on."""
    return not model.opt_disableflags & (enums.DSBL_CONTACT | enums.DSBL_CONSTRAINT)


def refuse(model: Model) -> None:
    """Raise ModelError with all that keeps the model from being simulated, if there is anything."""
    found = model.unsimulated
    if found:
        raise ModelError([replace(item, severity=Severity.ERROR) for item in found])
