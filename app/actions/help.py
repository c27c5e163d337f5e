"""The content of the F1 help, made from the table of actions."""

from __future__ import annotations

from typing import NamedTuple

from app.actions.build import Actions
from app.actions.table import GESTURES, GROUPS, Gesture
from app.settings.table import SETTING_BY_NAME
from engine.translation import marked, tr

ORDER = (
    marked("Mouse"),
    "Simulation",
    "Camera",
    "File",
    "Edit",
    "Source",
    "Tools",
    "View",
    "Help",
    "Show",
    marked("Groups"),
)
"""Menus, and what is no menu, in the order of the help."""


OPPOSITES = (
    {"Next", "Previous"}, {"Up", "Down"}, {"Above", "Below"}, {"Back", "Forward"}, {"Faster", "Slower"},
    {"Oldest", "Newest"},
)  # fmt: skip
"""Two actions whose English texts differ in one of these pairs share a row, if their keys are short."""
MOST_KEYS = 23  # characters


class HelpRow(NamedTuple):
    """One line: keys or mouse gesture, what it does, and whether it is on (None: it is no switch)."""

    keys: str
    text: str
    on: bool | None


def help_sections(actions: Actions) -> list[tuple[str, list[HelpRow]]]:
    """The titles of the sections, in order, each with its rows."""
    sections: dict[str, list[HelpRow]] = {name: [] for name in ORDER}
    sections["Mouse"] = [HelpRow(_mouse(actions, gesture), gesture.help, None) for gesture in GESTURES]
    for row in actions.rows.values():
        keys = actions.key_text(row.id)
        if keys and not row.id.startswith("group."):
            on = actions[row.id].isChecked() if row.checkable else None
            sections[row.top].append(HelpRow(keys, row.text.rstrip("…"), on))
    for kind, label, _held in GROUPS:
        sections["Groups"] += _group_rows(actions, kind, label)
    return [
        (tr(name), [row._replace(text=tr(row.text)) for row in paired(rows)]) for name, rows in sections.items() if rows
    ]


def _mouse(actions: Actions, gesture: Gesture) -> str:
    """What the user does with the mouse, as the settings say."""
    if not gesture.setting:
        return tr(gesture.mouse)
    row = SETTING_BY_NAME[gesture.setting]
    title = tr(dict(row.choices)[str(actions.settings.value(row.name))])
    return tr(gesture.mouse, gesture=title)


def _group_rows(actions: Actions, kind: str, label: str) -> list[HelpRow]:
    """The rows of the groups of a kind: one for all while their keys end in the numbers of the groups."""
    keys = {row.id: actions.key_text(row.id) for row in actions.rows.values() if row.id.startswith(f"group.{kind}.")}
    texts = list(keys.values())
    stem = texts[0].rpartition("0")[0]
    if texts == [f"{stem}{number}" for number in range(len(texts))]:
        last = len(texts) - 1
        return [HelpRow(f"{texts[0]}–{last}", f"{label} groups 0 to {last}", None)]
    return [HelpRow(text, actions.rows[name].text, actions[name].isChecked()) for name, text in keys.items() if text]


def paired(rows: list[HelpRow]) -> list[HelpRow]:
    """The rows, not yet translated, with each two neighbours that are opposites as one."""
    result: list[HelpRow] = []
    for row in rows:
        both = _both(result[-1], row) if result else None
        if both is None:
            result.append(row)
        else:
            result[-1] = both
    return result


def _both(one: HelpRow, other: HelpRow) -> HelpRow | None:
    """One row for two opposites; None if they are none."""
    words, others = one.text.split(), other.text.split()
    keys = f"{one.keys}, {other.keys}"
    differing = [{a, b} for a, b in zip(words, others) if a != b]
    if len(words) != len(others) or len(differing) != 1 or len(keys) > MOST_KEYS or not one.on is other.on is None:
        return None
    if differing[0] not in OPPOSITES:
        return None
    return HelpRow(keys, " ".join(a if a == b else f"{a}, {b}" for a, b in zip(words, others)), None)
