"""All actions of the application: one for each dock, and those of the table."""

from __future__ import annotations

from kinetree.app.menus.table import Action, table_actions
from kinetree.app.panels.docks import dock_actions


def all_actions() -> list[Action]:
    """The rows in the order of the menus."""
    return [*dock_actions(), *table_actions()]
