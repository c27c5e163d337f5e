"""Transmissions: an actuator acts on a joint, tendon, site, slider-crank or the contacts of a body."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinetree.engine.compile.indexing import ObjectIndex
from kinetree.engine.mjcf.elements import Element
from kinetree.engine.model import enums
from kinetree.engine.translation import all_of, tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics

#: the attribute that names the target -> (type, kind of the target, attribute of the second object, its kind)
TARGETS = {
    "joint": (enums.TRN_JOINT, "joint", None),
    "jointinparent": (enums.TRN_JOINTINPARENT, "joint", None),
    "tendon": (enums.TRN_TENDON, "tendon", None),
    "site": (enums.TRN_SITE, "site", "refsite"),
    "cranksite": (enums.TRN_SLIDERCRANK, "site", "slidersite"),
    "body": (enums.TRN_BODY, "body", None),
}


def transmission(index: ObjectIndex, diagnostics: Diagnostics, element: Element) -> tuple[int, tuple[int, int]]:
    """(type, ids of the target and of the second object), -1 after a diagnostic."""
    given = [name for name in TARGETS if element.get(name)]
    if len(given) != 1:
        if given:
            message = tr("an actuator acts on one thing, not on {names}; keep one", names=all_of(given))
            diagnostics.error(element.at(given[1]), "exclusive-attributes", message)
        else:
            message = tr("the actuator acts on nothing; add joint, jointinparent, tendon, site, cranksite or body")
            diagnostics.error(element.node, "missing-attribute", message)
        return enums.TRN_JOINT, (-1, -1)
    kind, what, other = TARGETS[given[0]]
    target = index.reference(element, given[0], what)
    second = index.reference(element, other, what) if other else -1
    if kind == enums.TRN_SLIDERCRANK:
        if not element.get("slidersite"):
            message = tr("the slider of the slider-crank is missing; add slidersite")
            diagnostics.error(element.node, "missing-attribute", message)
        if element.get("cranklength", 0.0) <= 0:
            message = tr("cranklength must be greater than 0; it is the length of the connecting rod")
            diagnostics.error(element.at("cranklength"), "bad-value", message)
    return kind, (target, second)
