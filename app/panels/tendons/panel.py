"""The tendons panel: their lengths within their limits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from app.panels.live.rows import Row, entries
from app.panels.live.sliders import SliderPanel, SliderRow
from app.workspace.selection import Selection
from engine.model.kinds import name_of
from engine.translation import tr


class TendonsPanel(SliderPanel):
    what = "tendon"
    made_of = ("names.tendon", "ntendon", "tendon_limited", "tendon_range", "tendon_length0")

    def rows(self, model: Any, snapshot: Any) -> Iterable[Row]:
        for tendon in range(model.ntendon):
            limited = bool(model.tendon_limited[tendon])
            low, high = (float(value) for value in model.tendon_range[tendon])
            if not limited or not low < high:
                length = max(abs(float(model.tendon_length0[tendon])), 1e-3)
                low, high, limited = float(model.tendon_length0[tendon]) - length, 2.0 * length, False
            yield SliderRow(
                name_of(model, "tendon", tendon), entries("ten_length", tendon), "m", Selection("tendon", tendon),
                f"ten_length[{tendon}]", help=tr("Length of a tendon: joints and forces change it"), low=low, high=high,
                limited=limited,
            )  # fmt: skip
