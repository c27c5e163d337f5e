"""Mass and centre of mass of every body, and of all below it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from kinetree.app.panels.live.fitting import fit_columns
from kinetree.app.panels.live.panel import LivePanel
from kinetree.app.panels.live.rows import LiveColumn, LiveRow, sort_key
from kinetree.app.widgets.readouts import number_text
from kinetree.app.workspace.selection import Selection
from kinetree.engine.model.kinds import name_of
from kinetree.engine.translation import marked, tr

INDENT = "   "
MASS, SUBTREE, SHARE, X, Y, Z = range(6)
"""Numbers of a row."""


def _column(title: str, index: int, help: str, width: int = 62) -> LiveColumn:
    def text(_row: LiveRow, value: tuple[float, ...] | None, _units: Any) -> str:
        if value is None:
            return ""
        return f"{number_text(100 * value[index], 3)} %" if index == SHARE else number_text(value[index])

    return LiveColumn(
        title, text, lambda _row, value: sort_key(None if value is None else value[index]), is_live=True,
        is_number=True, width=width, help=help,
    )  # fmt: skip


class MassesPanel(LivePanel):
    """A row for each body, below its parent."""

    what = "body"
    columns = (
        LiveColumn(
            marked("Body"), lambda row, _value, _units: row.name, lambda row, _value: row.name.strip().casefold()
        ),
        _column(marked("Mass"), MASS, marked("Mass of the body alone, kg")),
        _column(marked("Subtree"), SUBTREE, marked("Mass of the body and all below it, kg")),
        _column(marked("Share"), SHARE, marked("Part of the model's mass that the subtree has"), 56),
        _column("x", X, marked("Centre of mass of the subtree in world axes, m")),
        _column("y", Y, marked("Centre of mass of the subtree in world axes, m")),
        _column("z", Z, marked("Centre of mass of the subtree in world axes, m")),
    )

    def rows(self, model: Any, snapshot: Any) -> Iterable[LiveRow]:
        parents = np.asarray(model.body_parentid).tolist()
        depths = [0] * len(parents)
        for body in range(1, len(parents)):
            depths[body] = depths[parents[body]] + 1
        total = max(float(np.sum(model.body_mass)), 1e-300)
        for body in _in_order(parents):
            mass, subtree = float(model.body_mass[body]), float(model.body_subtreemass[body])

            def read(state: Any, body: int = body, mass: float = mass, subtree: float = subtree) -> tuple[float, ...]:
                return (mass, subtree, subtree / total, *np.asarray(state.subtree_com[body], float).tolist())

            yield LiveRow(
                INDENT * depths[body] + name_of(model, "body", body),
                read,
                "kg",
                Selection("body", body),
                f"subtree_com[{body}]",
                help=tr(
                    "Geoms: {body_geomnum}, degrees of freedom: {body_dofnum}",
                    body_geomnum=int(model.body_geomnum[body]),
                    body_dofnum=int(model.body_dofnum[body]),
                ),
            )

    def fit_list(self) -> None:
        fit_columns(self.view, [k + 1 for k in (SUBTREE, MASS, SHARE, Z, X, Y)])


def _in_order(parents: list[int]) -> list[int]:
    """Bodies, each followed by all below it."""
    below: dict[int, list[int]] = {}
    for body in range(1, len(parents)):
        below.setdefault(parents[body], []).append(body)
    found, waiting = [], [0]
    while waiting:
        body = waiting.pop()
        found.append(body)
        waiting += reversed(below.get(body, []))
    return found
