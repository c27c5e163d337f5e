"""Columns that a narrow list leaves out, so that names keep their room."""

from __future__ import annotations

from collections.abc import Sequence

from kinetree.app.panels.live.view import LiveView

NAME_WIDTH = 100
"""Minimal width of the first column, pixels."""


def fit_columns(view: LiveView, order: Sequence[int], unwanted: Sequence[int] = ()) -> None:
    """Show as many columns as fit, those first in `order` first; the very first always."""
    rest = view.viewport().width() - NAME_WIDTH
    header = view.header()
    for column in order:
        is_wanted = column not in unwanted
        width = max(view.live.columns[column].width, header.sectionSizeHint(column))
        rest -= width if is_wanted else 0
        view.setColumnHidden(column, not is_wanted or (rest < 0 and column != order[0]))
