"""The content of the F1 help, made from the table of actions."""

from __future__ import annotations

from typing import NamedTuple

from app.actions.build import Actions, key_text
from app.actions.table import GESTURES, GROUPS

ORDER = ("Mouse", "Simulation", "Camera", "File", "Edit", "View", "Help", "Show", "Groups")


class HelpRow(NamedTuple):
    """One line: keys or mouse gesture, what it does, and whether it is on (None: it is no switch)."""

    keys: str
    text: str
    on: bool | None


def help_sections(actions: Actions) -> list[tuple[str, list[HelpRow]]]:
    """The titles of the sections, in order, each with its rows."""
    sections: dict[str, list[HelpRow]] = {name: [] for name in ORDER}
    sections["Mouse"] = [HelpRow(gesture.mouse, gesture.help, None) for gesture in GESTURES]
    groups: dict[str, list[str]] = {}
    for row in actions.rows.values():
        if not row.keys:
            continue
        if row.id.startswith("group."):
            groups.setdefault(row.id.split(".")[1], []).append(key_text(row))
        else:
            on = actions[row.id].isChecked() if row.checkable else None
            sections[row.menu.partition("/")[0]].append(HelpRow(key_text(row), row.text.rstrip("…"), on))
    labels = {kind: label for kind, label, _ in GROUPS}
    for kind, keys in groups.items():
        last = keys[-1].rpartition("+")[2]
        sections["Groups"].append(HelpRow(f"{keys[0]}–{last}", f"{labels[kind]} groups 0 to {last}", None))
    return [(name, rows) for name, rows in sections.items() if rows]
