"""Fills model.gaps: features that the physics does not have yet, from the reader's warnings, the options and the pairs
of geoms.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from kinetree.engine.collision import table
from kinetree.engine.diagnostics import Diagnostics, Located
from kinetree.engine.dynamics import unsimulated
from kinetree.engine.dynamics.unsimulated import Gap
from kinetree.engine.model import enums, unsupported
from kinetree.engine.model.unsupported import NOT_SIMULATED, UnsupportedRow
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.mjcf.elements import Spec
    from kinetree.engine.model.model import Model

_GEOMS = {value: name[5:].lower() for name, value in vars(enums).items() if name.startswith("GEOM_")}


def fill(model: Model, spec: Spec, diagnostics: Diagnostics) -> None:
    """Set model.gaps, and warn of those that hold."""
    reported = [Gap(item, item.message) for item in diagnostics if item.code == NOT_SIMULATED]

    def option(row: UnsupportedRow) -> Located:
        settings = spec.option if row.element == "option" else spec.flag
        return settings.given.get(row.attribute, spec.root)

    found = gaps(model, option, lambda geom: model.provenance.origin("geom", geom).node.span)
    diagnostics.extend(gap.diagnostic for gap in found if gap.holds(model))
    model.gaps = [*reported, *found]


def gaps(
    model: Model, option: Callable[[UnsupportedRow], Located | str], geom: Callable[[int], Located | str]
) -> list[Gap]:
    """Gaps of options and of pairs of geoms; `option` and `geom` give the place of an option or a geom."""
    result = [Gap(option(row), row.message(), partial(unsimulated.uses, row)) for row in unsupported.live_options()]
    places = set()
    missing = [
        (
            one,
            tr("contacts between {one} and {other} geoms", one=_GEOMS[int(model.geom_type[one])], other=_GEOMS[other]),
        )
        for one, other in table.missing(model)
    ]
    missing += [(one, tr("contacts of sdf geoms without a plugin for their shape")) for one in table.shapeless(model)]
    for one, what in missing:
        place = geom(one)
        remedy = tr("switch them off with contype and conaffinity")
        text = tr(unsupported.MESSAGES[NOT_SIMULATED], missing=what, remedy=remedy)
        key = text if isinstance(place, str) else place
        if key not in places:  # replicas
            places.add(key)
            result.append(Gap(place, text, unsimulated.contacts))
    return result
