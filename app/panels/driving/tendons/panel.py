"""The tendons panel: their lengths within their limits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kinetree.app.panels.driving.joints.rows import range_of
from kinetree.app.panels.live.rows import LiveRow, entries
from kinetree.app.panels.live.sliders import SliderPanel, SliderRow
from kinetree.app.workspace.selection import Selection
from kinetree.engine.model import enums
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import tr

LEAST = 1e-3
"""Reach of a slider whose tendon has no length at the start, m."""


class TendonsPanel(SliderPanel):
    what = "tendon"
    made_of = (
        "names.tendon",
        "ntendon",
        "tendon_limited",
        "tendon_range",
        "tendon_length0",
        "tendon_adr",
        "wrap_type",
        "wrap_objid",
        "wrap_prm",
        "jnt_range",
        "jnt_limited",
    )

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        for tendon in range(model.ntendon):
            limited = bool(model.tendon_limited[tendon])
            low, high = (float(value) for value in model.tendon_range[tendon])
            if not limited or not low < high:
                (low, high), limited = ends_of(model, tendon), False
            yield SliderRow(
                name_of(model, "tendon", tendon), entries("ten_length", tendon), "m", Selection("tendon", tendon),
                f"ten_length[{tendon}]", help=tr("Length of a tendon: joints and forces change it"), low=low, high=high,
                limited=limited,
            )  # fmt: skip


def ends_of(model: Any, tendon: int) -> tuple[float, float]:
    """Ends of the slider of a tendon without limits: what the joints of a fixed tendon allow, twice the length at the
    start for a spatial one."""
    path = range(int(model.tendon_adr[tendon]), int(model.tendon_adr[tendon] + model.tendon_num[tendon]))
    if all(int(model.wrap_type[place]) == enums.WRAP_JOINT for place in path):
        reaches = []
        for place in path:
            low, high, _limited = range_of(model, int(model.wrap_objid[place]))
            reaches.append(sorted((low * float(model.wrap_prm[place]), high * float(model.wrap_prm[place]))))
        low, high = (sum(ends) for ends in zip(*reaches, strict=True))
        return (low, high) if low < high else (low - LEAST, low + LEAST)
    length = max(float(model.tendon_length0[tendon]), LEAST)
    return 0.0, 2.0 * length
