"""The model's list of what the physics cannot do yet: found while reading, in its options and among its geoms."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine import enums
from engine.collision import table
from engine.diagnostics import Diagnostics, Located
from engine.dynamics import missing
from engine.dynamics.missing import CODE, OPTIONS, Gap, Option

if TYPE_CHECKING:
    from engine.model import Model
    from engine.spec.elements import Spec

_GEOMS = {value: name[5:].lower() for name, value in vars(enums).items() if name.startswith("GEOM_")}


WITHOUT_RESULT = {
    "fwdinv": "the comparison of forward with inverse dynamics",
    "invdiscrete": "discrete inverse dynamics",
}
"""Flags for what is computed besides the motion."""


def fill(model: Model, spec: Spec, diagnostics: Diagnostics) -> None:
    """Set model.gaps, and warn of those that hold."""
    told = [Gap(item, item.message) for item in diagnostics if item.code == CODE]

    def option(row: Option) -> Located:
        settings = spec.option if row.element == "option" else spec.flag
        return settings.given.get(row.attribute, spec.root)

    found = gaps(model, option, lambda geom: model.source_map.get(("geom", geom), spec.root))
    diagnostics.extend(gap.diagnostic for gap in found if gap.when(model))
    model.gaps = [*told, *found]
    for name, missing_result in WITHOUT_RESULT.items():
        if spec.flag[name] == "enable":
            message = f"{missing_result} is not computed yet; the motion is the same"
            diagnostics.warning(spec.flag.given.get(name, spec.root), "no-effect", message)
    if model.opt_disableflags & enums.DSBL_NATIVECCD and table.CONVEX_FUNCTION in table.needed(model):
        # MuJoCo's older collider answers the same question less exactly: its depths and normals differ from ours by as
        # much as they differ from those of its newer one, so this is no reason not to simulate the model.
        diagnostics.warning(
            spec.flag.given.get("nativeccd", spec.root),
            "one-collider",
            "Kinetree has one convex collision detector, that of nativeccd='enable': contacts are more exact than what "
            "MuJoCo finds with this flag; remove it to compare the two",
        )


def gaps(
    model: Model, option: Callable[[Option], Located | str], geom: Callable[[int], Located | str]
) -> list[Gap]:
    """What options and pairs of geoms lack; `option` and `geom` say where an option or a geom stands."""
    result = [Gap(option(row), row.text, row.used) for row in OPTIONS.values()]
    places = set()
    for one, other in table.missing(model):
        place = geom(one)
        kinds = f"{_GEOMS[int(model.geom_type[one])]} and {_GEOMS[other]} geoms"
        text = missing.message(f"contacts between {kinds}", "switch them off with contype and conaffinity")
        key = text if isinstance(place, str) else id(place)
        if key not in places:  # replicas
            places.add(key)
            result.append(Gap(place, text, missing.contacts))
    return result
