"""The content of the F1 help, made from the table of actions."""

from __future__ import annotations

from typing import NamedTuple

from kinetree.app.menus.build import Actions
from kinetree.app.menus.table import BOOKMARKS, FOCUS, GESTURES, GROUPS, SOURCE, VIEWPORT, Gesture
from kinetree.app.settings.table import SETTING_BY_NAME
from kinetree.engine.translation import marked, tr

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
    "Display",
    marked("Groups"),
)
"""Menus, and what is no menu, in the order of the help."""


OPPOSITES = (
    {"Next", "Previous"}, {"Up", "Down"}, {"Above", "Below"}, {"Back", "Forward"}, {"Faster", "Slower"},
    {"Oldest", "Newest"}, {"Undo", "Redo"}, {"Larger", "Smaller"},
)  # fmt: skip
"""Two actions whose English texts differ in one of these pairs share a row, if their keys are short."""
MOST_KEYS = 23  # characters


WHERE = {VIEWPORT: marked("viewport"), SOURCE: marked("source"), FOCUS: marked("lists, texts")}
"""Where keys of a scope act, for keys that do something else in another place."""


class HelpRow(NamedTuple):
    """One line: keys or mouse gesture, what it does, whether it is on (None: it is no switch), and where the keys act,
    if they do something else in another place."""

    keys: str
    text: str
    on: bool | None
    where: str = ""


def help_sections(actions: Actions) -> list[tuple[str, list[HelpRow]]]:
    """The titles of the sections, in order, each with its rows."""
    sections: dict[str, list[HelpRow]] = {name: [] for name in ORDER}
    sections["Mouse"] = [HelpRow(_mouse(actions, gesture), gesture.help, None) for gesture in GESTURES]
    scopes: dict[str, set[str]] = {}
    for row in actions.rows.values():
        for key in actions.keys.of(row.id):
            scopes.setdefault(key, set()).add(row.scope)
    for row in actions.rows.values():
        keys = actions.key_text(row.id)
        if keys and not row.id.startswith(("group.", "bookmark.")):
            on = actions[row.id].isChecked() if row.checkable else None
            is_elsewhere = any(len(scopes[key]) > 1 for key in actions.keys.of(row.id))
            where = WHERE.get(row.scope, "") if is_elsewhere else ""
            sections[row.top].append(HelpRow(keys, row.text.rstrip("…"), on, where))
    for kind, label, _held in GROUPS:
        sections["Groups"] += _numbered(actions, f"group.{kind}.", f"{label} groups 0 to 5")
    sections["Camera"] += _numbered(actions, "bookmark.", f"Bookmarks 1 to {BOOKMARKS}")
    return [(tr(name), [_translated(row) for row in paired(rows)]) for name, rows in sections.items() if rows]


def _translated(row: HelpRow) -> HelpRow:
    text = tr(row.text)
    return row._replace(text=tr("{what} ({where})", what=text, where=tr(row.where)) if row.where else text)


def _mouse(actions: Actions, gesture: Gesture) -> str:
    """The gesture for an action of the mouse, as set in the settings."""
    if not gesture.setting:
        return tr(gesture.mouse)
    row = SETTING_BY_NAME[gesture.setting]
    title = tr(dict(row.choices)[str(actions.settings.value(row.name))])
    return tr(gesture.mouse, gesture=title)


def _numbered(actions: Actions, start: str, text: str) -> list[HelpRow]:
    """The help rows of numbered actions such as bookmarks, whose ids are `start` and a number. One row for all if their
    keys differ only in that number ("Ctrl+1–9"), else one for each."""
    keys = {row.id: actions.key_text(row.id) for row in actions.rows.values() if row.id.startswith(start)}
    texts, numbers = list(keys.values()), [name.removeprefix(start) for name in keys]
    stem = texts[0].removesuffix(numbers[0])
    if texts == [f"{stem}{number}" for number in numbers]:
        return [HelpRow(f"{texts[0]}–{numbers[-1]}", text, None)]
    rows = {name: actions.rows[name] for name, key in keys.items() if key}
    return [
        HelpRow(keys[name], row.text, actions[name].isChecked() if row.checkable else None)
        for name, row in rows.items()
    ]


def paired(rows: list[HelpRow]) -> list[HelpRow]:
    """The rows, not yet translated, with adjacent rows of opposite actions joined to one."""
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
    return HelpRow(keys, " ".join(a if a == b else f"{a}, {b}" for a, b in zip(words, others)), None, one.where)
