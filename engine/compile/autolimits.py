"""Whether a range is active: limited, ctrllimited, forcelimited, actlimited and similar attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kinetree.engine.mjcf.elements import Element, Spec
from kinetree.engine.translation import tr

if TYPE_CHECKING:
    from kinetree.engine.diagnostics import Diagnostics


def limited(
    spec: Spec, diagnostics: Diagnostics, element: Element, flag: str, interval: str, empty: bool = False
) -> bool:
    """The value of a limited attribute; "auto" follows from the range (XML reference, compiler/autolimits)."""
    chosen = element.get(flag, "auto")
    values = element.get(interval)
    low, high = (0.0, 0.0) if values is None else values.tolist()
    if chosen == "auto":
        if not spec.compiler_of(element)["autolimits"] and low < high and interval in element.given:
            diagnostics.error(
                element.at(interval),
                "unlimited-range",
                tr(
                    "{interval} is set but {flag} is not, and compiler/autolimits is off; set {flag} to true or false",
                    interval=interval,
                    flag=flag,
                ),
                (flag,),
            )
        if interval in element.given and low > high:
            diagnostics.warning(
                element.at(interval),
                "empty-range",
                tr("{interval} ends before it begins and is ignored; swap its values", interval=interval),
            )
        return low < high
    if chosen == "true" and not low < high and not (empty and low == high):
        if element.at(interval, flag) is element.node:  # a default class or the element type limits it
            diagnostics.error(
                element.at(),
                "bad-range",
                tr(
                    "{label} needs {interval}; add it, with a first value below the second",
                    label=element.label(),
                    interval=interval,
                ),
            )
            return True
        diagnostics.error(
            element.at(interval, flag),
            "bad-range",
            tr(
                "{flag} is true, but {interval} is {low:g} to {high:g}; give a range whose first value is the smaller",
                flag=flag,
                interval=interval,
                low=low,
                high=high,
            ),
        )
    return chosen == "true"
