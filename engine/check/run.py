"""Runs the checks in order and collects their findings."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

import numpy as np

from kinetree.engine.check import assets, lights, masses, mechanism, shapes
from kinetree.engine.check.case import Case, Finding, Findings
from kinetree.engine.check.pragma import Switches
from kinetree.engine.check.table import TABLE
from kinetree.engine.diagnostics import Diagnostic, Diagnostics, all_kept, are_all_kept, limited, meant
from kinetree.engine.mjcf.schema import nearest
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.compile.compiler import CompiledModel
    from kinetree.engine.document.document import Document

MOST = 5
"""Findings of one code that are listed; the last one counts the rest."""

STEPS: tuple[tuple[Callable[[Case], Findings], tuple[str, ...]], ...] = (
    (masses.densities, ("implausible-density",)),
    (masses.inertias, ("implausible-inertia",)),
    (masses.unused_masses, ("redundant-inertial", "mass-ignored")),
    (assets.sizes, ("implausible-size",)),
    (assets.meshes, ("open-mesh", "inside-out-mesh")),
    (assets.unused_assets, ("unused-asset",)),
    (assets.unused_classes, ("unused-class",)),
    (lights.number, ("too-many-lights",)),
    (lights.shadows, ("too-many-shadows",)),
    (mechanism.angles, ("angle-unit",)),
    (mechanism.ranges, ("rest-outside-range", "narrow-range", "range-off")),
    (mechanism.keyframes, ("keyframe-outside-range",)),
    (mechanism.actuators, ("actuator-range", "idle-actuator", "unstable-servo")),
    (mechanism.sensors, ("idle-sensor", "sensors-off")),
    (mechanism.loops, ("loop-parent-child", "open-loop")),
    (mechanism.exclusions, ("redundant-exclude",)),
    (shapes.contacts, ("zero-friction", "stiff-contact")),
    (shapes.falling, ("never-collides",)),
    (shapes.overlaps, ("overlap-at-rest", "below-ground")),
)
"""(function, the codes that it can find)"""


def examine(
    compiled: CompiledModel,
    document: Document,
    off: Collection[str] = (),
    cancelled: Callable[[], bool] = lambda: False,
) -> list[Diagnostic]:
    """Findings about probable mistakes in a compiled model, in the order of the text; never errors.

    off: codes to leave out, besides those that the text disables (see `pragma`).
    """
    switches = Switches(document, TABLE)
    off = {*off, *switches.everywhere}
    if "all" in off:
        return []
    assert compiled.index is not None  # binary models have no text to check
    case = Case(compiled.model, compiled.index, document, compiled.defaults, cancelled)
    found: list[Finding] = []
    with np.errstate(all="ignore"):
        for step, codes in STEPS:
            if cancelled():
                return []
            if not off.issuperset(codes):
                found += [finding for finding in step(case) if finding.code not in off]
    if "unknown-switch" not in off:
        found += [
            Finding(
                "unknown-switch",
                where,
                tr("there is no check '{word}'; see kinetree check --list", word=word),
                meant(word, nearest(word, TABLE)),
            )
            for where, word in switches.unknown
        ]
    return _listed(found, switches)


def switched_off(items: list[Diagnostic], document: Document, off: Collection[str] = ()) -> list[Diagnostic]:
    """The compiler's findings without those that `off` or the text disables; errors always stay."""
    switches = Switches(document, TABLE)
    off = {*off, *switches.everywhere}
    return [
        item
        for item in items
        if item.severity.value == "error"
        # what counts others stays: the text may not disable those
        or not (item.code in off or "all" in off or (switches.hide(item) and not item.more))
    ]


def _listed(found: list[Finding], switches: Switches) -> list[Diagnostic]:
    """Diagnostics in the order of the text: each place once, at most MOST of each code unless all are kept."""
    with all_kept():
        collected = Diagnostics()
    for code, where, message, facts in found:
        collected.add(TABLE[code].severity, where, code, message, facts)
    items = list(dict.fromkeys(item for item in collected if not switches.hide(item)))
    items.sort(key=lambda item: (item.file, item.line, item.column))
    return items if are_all_kept() else limited(items, MOST)
